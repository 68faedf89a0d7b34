/* The parts of a multigrid setup against their definitions. */

#include "amg/amg.h"
#include "core/memory.h"
#include "tests/support/amg_matrices.h"
#include "tests/support/check.h"

static bool depends(const hp_csr *A, const hp_amg_graph *G, int32_t i, int32_t j) {
  for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
    if (A->column[k] == j) return G->strong[k];
  return false;
}

static void check_strength(const hp_csr *A, const hp_amg_graph *G, double theta) {
  int64_t strong = 0;
  for (int32_t i = 0; i < G->ncell; ++i) {
    double most = 0.0, sign = 1.0;
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
      if (A->column[k] == i) sign = A->value[k] < 0.0 ? -1.0 : 1.0;
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
      if (A->column[k] != i && A->column[k] < G->ncell) most = fmax(most, -sign * A->value[k]);
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
      const double v = -sign * A->value[k];
      const bool expected = A->column[k] != i && A->column[k] < G->ncell && v > 0.0 && v >= theta * most;
      CHECK(G->strong[k] == expected);
      strong += expected;
    }
  }
  CHECK(G->begin[0] == 0 && G->begin[G->ncell] == strong);
  for (int32_t j = 0; j < G->ncell; ++j)
    for (int64_t n = G->begin[j]; n < G->begin[j + 1]; ++n) CHECK(depends(A, G, G->dependent[n], j));
}

/* No two coarse points depend on each other; a fine one with a dependent depends on a coarse one. */
static void check_independent(const hp_csr *A, const hp_amg_graph *G, const uint8_t *point) {
  for (int32_t i = 0; i < G->ncell; ++i) {
    bool covered = G->begin[i] == G->begin[i + 1];
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
      const int32_t j = A->column[k];
      if (!G->strong[k]) continue;
      CHECK(point[i] != HP_AMG_COARSE || point[j] != HP_AMG_COARSE || !depends(A, G, j, i));
      covered = covered || point[j] == HP_AMG_COARSE;
    }
    CHECK(point[i] == HP_AMG_COARSE || covered);
  }
}

/* Ruge & Stueben's first condition: a fine point and a strong fine neighbour share a coarse point. */
static void check_shared(const hp_csr *A, const hp_amg_graph *G, const uint8_t *point) {
  for (int32_t i = 0; i < G->ncell; ++i)
    for (int64_t k = A->begin[i]; k < A->begin[i + 1] && point[i] == HP_AMG_FINE; ++k) {
      const int32_t j = A->column[k];
      if (!G->strong[k] || point[j] != HP_AMG_FINE) continue;
      bool shared = false;
      for (int64_t n = A->begin[i]; n < A->begin[i + 1]; ++n)
        shared = shared || (G->strong[n] && point[A->column[n]] == HP_AMG_COARSE && depends(A, G, j, A->column[n]));
      CHECK(shared);
    }
}

static void check_rows(const hp_csr *A, const hp_csr *P, const hp_amg_graph *G, const uint8_t *point) {
  for (int32_t i = 0; i < A->nrow; ++i) {
    double sum = 0.0, row = 0.0, size = 0.0;
    for (int64_t k = P->begin[i]; k < P->begin[i + 1]; ++k) sum += P->value[k];
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
      row += A->value[k];
      size += fabs(A->value[k]);
    }
    if (point[i] == HP_AMG_COARSE) CHECK(P->begin[i + 1] - P->begin[i] == 1 && sum == 1.0);
    else if (fabs(row) < 1e-14 * size && P->begin[i + 1] > P->begin[i]) CHECK_NEAR(sum, 1.0, 1e-10);
    if (i >= G->ncell) CHECK(point[i] == HP_AMG_COARSE);
  }
}

/* Random matrices of any sign (as coarse levels can be), and reservoirs. */
static void check_parts(hp_csr *A, int32_t ncell, bool constant) {
  hp_amg_graph G;
  hp_csr *P;
  uint8_t *point = NULL;
  CHECK_OK(HP_ALLOC(point, A->nrow));
  CHECK_OK(hp_amg_strength(A, ncell, 0.25, &G));
  check_strength(A, &G, 0.25);
  for (int c = 0; c < HP_AMG_COARSENING_COUNT; ++c) {
    CHECK_OK(hp_amg_coarsen((hp_amg_coarsening)c, A, &G, 5, point));
    if (c == HP_AMG_RS || c == HP_AMG_CLJP) check_shared(A, &G, point);
    else check_independent(A, &G, point);
    for (int kind = 0; kind < HP_AMG_INTERPOLATION_COUNT && constant; ++kind)
      for (int most = 0; most <= 4; most += 4) {
        hp_amg_options opt = hp_amg_default_options();
        opt.interpolation = (hp_amg_interpolation)kind;
        opt.max_weights = most;
        CHECK_OK(hp_amg_interpolate(A, &G, point, &opt, &P));
        check_rows(A, P, &G, point);
        for (int32_t i = 0; i < A->nrow && most > 0; ++i) CHECK(hp_csr_length(P, i) <= most);
        hp_csr_destroy(&P);
      }
  }
  hp_amg_graph_free(&G);
  HP_FREE(point);
}

static void refusals(void) {
  hp_amg *H;
  hp_amg_options opt = hp_amg_default_options();
  opt.strength = 1.5;
  CHECK(hp_amg_create(&opt, &H) == HP_ERR_USAGE && H == NULL);
  opt = hp_amg_default_options();
  opt.pre = opt.post = 0;
  CHECK(hp_amg_create(&opt, &H) == HP_ERR_USAGE);
}

int main(void) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    hp_csr *A;
    CHECK_OK(amg_random_csr(60, 60, 0.02 * (double)seed, seed, &A));
    check_parts(A, 57, false);
    hp_csr_destroy(&A);
    const amg_reservoir r = {.nx = 7,
                             .ny = 6,
                             .nz = 5,
                             .decades = (double)(seed % 5),
                             .vertical = seed % 2 ? 1.0 : 1e-2,
                             .inactive = seed % 3 ? 0 : 8,
                             .wall = seed % 4 == 0,
                             .nwell = 3,
                             .seed = seed};
    CHECK_OK(amg_reservoir_csr(&r, &A));
    check_parts(A, A->nrow - 3, true);
    hp_csr_destroy(&A);
  }
  refusals();
  return check_result();
}
