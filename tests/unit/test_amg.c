/* The parts of a multigrid setup against their definitions, two grids and V cycles on the model problem. */

#include "amg/amg.h"
#include "amg/cycle.inl.h"
#include "core/memory.h"
#include "tests/amg_matrices.h"
#include "tests/check.h"

static bool depends(const hp_csr *A, const hp_amg_graph *G, int32_t i, int32_t j) {
  for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
    if (A->column[k] == j) return G->strong[k];
  return false;
}

static void check_strength(const hp_csr *A, const hp_amg_graph *G, double theta) {
  int64_t strong = 0;
  for (int32_t i = 0; i < G->ncell; ++i) {
    double most = 0.0, sign = 1.0;
    for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
      if (A->column[k] == i) sign = A->value[k] < 0.0 ? -1.0 : 1.0;
    for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
      if (A->column[k] != i && A->column[k] < G->ncell) most = fmax(most, -sign * A->value[k]);
    for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
      const double v = -sign * A->value[k];
      const bool expected = A->column[k] != i && A->column[k] < G->ncell && v > 0.0 && v >= theta * most;
      CHECK(G->strong[k] == expected);
      strong += expected;
    }
  }
  CHECK(G->begin[0] == 0 && G->begin[G->ncell] == strong);
  for (int32_t j = 0; j < G->ncell; ++j)
    for (int32_t n = G->begin[j]; n < G->begin[j + 1]; ++n) CHECK(depends(A, G, G->dependent[n], j));
}

/* No two coarse points depend on each other; a fine one with a dependent depends on a coarse one. */
static void check_independent(const hp_csr *A, const hp_amg_graph *G, const uint8_t *point) {
  for (int32_t i = 0; i < G->ncell; ++i) {
    bool covered = G->begin[i] == G->begin[i + 1];
    for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
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
    for (int32_t k = A->begin[i]; k < A->begin[i + 1] && point[i] == HP_AMG_FINE; ++k) {
      const int32_t j = A->column[k];
      if (!G->strong[k] || point[j] != HP_AMG_FINE) continue;
      bool shared = false;
      for (int32_t n = A->begin[i]; n < A->begin[i + 1]; ++n)
        shared = shared || (G->strong[n] && point[A->column[n]] == HP_AMG_COARSE && depends(A, G, j, A->column[n]));
      CHECK(shared);
    }
}

static void check_rows(const hp_csr *A, const hp_csr *P, const hp_amg_graph *G, const uint8_t *point) {
  for (int32_t i = 0; i < A->nrow; ++i) {
    double sum = 0.0, row = 0.0, size = 0.0;
    for (int32_t k = P->begin[i]; k < P->begin[i + 1]; ++k) sum += P->value[k];
    for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
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
        for (int32_t i = 0; i < A->nrow && most > 0; ++i) CHECK(P->begin[i + 1] - P->begin[i] <= most);
        hp_csr_destroy(&P);
      }
  }
  hp_amg_graph_free(&G);
  HP_FREE(point);
}

typedef struct {
  const hp_amg *H;
  int cycles;
  double *x, *r, *z, *norm; /* norm [cycles+1] */
} iteration;

/* x += M^-1 (0 - A x) from a random x. */
static void iterate(hp_team *t, void *p) {
  const iteration *it = p;
  const hp_csr *A = it->H->level[0].A;
  for (int c = 0; c <= it->cycles; ++c) {
    hp_team_sync(t);
    HP_TEAM_FOR(t, i, A->nrow) it->r[i] = -hp_csr_dot(A, i, it->x);
    hp_team_sync(t);
    if (t->rank == 0) {
      it->norm[c] = 0.0;
      for (int32_t i = 0; i < A->nrow; ++i) it->norm[c] += it->r[i] * it->r[i];
      it->norm[c] = sqrt(it->norm[c]);
    }
    hp_amg_cycle(t, it->H, it->r, it->z);
    HP_TEAM_FOR(t, i, A->nrow) it->x[i] += it->z[i];
  }
}

/* The convergence factor: geometric mean over the last half of the cycles. */
static double factor(hp_team_hub *hub, int size, const hp_amg_options *opt) {
  enum { CYCLES = 24 };
  const amg_reservoir r = {.nx = size, .ny = size, .nz = size, .vertical = 1.0, .storage = 1e-3};
  double norm[CYCLES + 1];
  hp_csr *A;
  hp_amg *H;
  iteration it = {.cycles = CYCLES, .norm = norm};
  uint64_t seed = 3;
  CHECK_OK(amg_reservoir_csr(&r, &A));
  CHECK_OK(hp_amg_create(opt, 1, &H));
  CHECK_OK(hp_amg_build(H, A, 0));
  CHECK_OK(HP_ALLOC(it.x, A->nrow));
  CHECK_OK(HP_ALLOC(it.r, A->nrow));
  CHECK_OK(HP_ALLOC(it.z, A->nrow));
  for (int32_t i = 0; i < A->nrow; ++i) it.x[i] = matrix_random(&seed);
  it.H = H;
  CHECK_OK(hp_team_run(hub, iterate, &it));
  const double f = pow(norm[CYCLES] / norm[CYCLES / 2], 2.0 / CYCLES);
  const bool cljp = opt->coarsening == HP_AMG_CLJP; /* complexities of 20 are what De Sterck et al. 2006 report */
  CHECK(hp_amg_operator_complexity(H) < (cljp ? 20.0 : 4.0) && hp_amg_grid_complexity(H) < (cljp ? 2.5 : 2.0));
  CHECK(hp_amg_bytes(H) > 0);
  HP_FREE(it.x);
  HP_FREE(it.r);
  HP_FREE(it.z);
  hp_amg_destroy(&H);
  hp_csr_destroy(&A);
  return f;
}

static void convergence(void) {
  hp_team_hub *hub;
  CHECK_OK(hp_team_hub_create(1, NULL, &hub));
  hp_amg_options opt = hp_amg_default_options();
  opt.coarsening = HP_AMG_RS;
  opt.interpolation = HP_AMG_CLASSICAL;
  opt.max_weights = 0;
  opt.max_levels = 2;
  CHECK(factor(hub, 8, &opt) < 0.2);
  CHECK(factor(hub, 12, &opt) < 0.2);
  opt.max_levels = HP_AMG_LEVELS_MAX;
  for (int smoother = 0; smoother < HP_AMG_SMOOTHER_COUNT; ++smoother)
    for (int coarsening = 0; coarsening < HP_AMG_COARSENING_COUNT; ++coarsening) {
      if (smoother == HP_AMG_JACOBI) continue; /* undamped it does not smooth */
      opt.smoother = (hp_amg_smoother)smoother;
      opt.coarsening = (hp_amg_coarsening)coarsening;
      const bool sparse = coarsening == HP_AMG_PMIS || coarsening == HP_AMG_HMIS;
      opt.interpolation = sparse ? HP_AMG_EXTENDED : HP_AMG_CLASSICAL;
      opt.max_weights = sparse ? 4 : 0;
      opt.cycle = HP_AMG_V;
      const double small = factor(hub, 16, &opt), large = factor(hub, 32, &opt);
      CHECK(large < (smoother == HP_AMG_GAUSS_SEIDEL ? 0.45 : 0.75));
      CHECK(large < small + 0.12);
      opt.cycle = HP_AMG_W;
      const double w = factor(hub, 16, &opt);
      CHECK(w < small + 0.01);
      opt.cycle = HP_AMG_F;
      const double f = factor(hub, 16, &opt);
      CHECK(f < small + 0.01);
    }
  hp_team_hub_destroy(&hub);
}

static void refusals(void) {
  hp_amg *H;
  hp_amg_options opt = hp_amg_default_options();
  opt.strength = 1.5;
  CHECK(hp_amg_create(&opt, 1, &H) == HP_ERR_USAGE && H == NULL);
  opt = hp_amg_default_options();
  opt.pre = opt.post = 0;
  CHECK(hp_amg_create(&opt, 1, &H) == HP_ERR_USAGE);
}

int main(void) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    hp_csr *A;
    CHECK_OK(amg_random_csr(60, 60, 0.02 * (double)seed, seed, &A));
    check_parts(A, 57, false);
    hp_csr_destroy(&A);
    const amg_reservoir r = {.nx = 7, .ny = 6, .nz = 5, .decades = (double)(seed % 5),
                             .vertical = seed % 2 ? 1.0 : 1e-2, .inactive = seed % 3 ? 0 : 8, .wall = seed % 4 == 0, .nwell = 3, .seed = seed};
    CHECK_OK(amg_reservoir_csr(&r, &A));
    check_parts(A, A->nrow - 3, true);
    hp_csr_destroy(&A);
  }
  convergence();
  refusals();
  return check_result();
}
