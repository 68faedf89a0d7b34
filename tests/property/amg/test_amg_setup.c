/* The parts of a multigrid setup on random graphs and on what reservoirs give: coarse sets against their definitions
 * taken literally, independence and coverage, constants under every interpolation, and hierarchies of hard,
 * degenerate and empty matrices whose levels are P^T A P and which a refresh leaves as they are. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "amg/amg.h"
#include "amg/cycle/numbers.inl.h"
#include "amg/setup/setup_impl.h"
#include "bench/multigrid/solver.h"
#include "core/memory.h"
#include "tests/support/amg_matrices.h"
#include "tests/support/check.h"

enum { MOST = 80 };

/* ---- coarse sets ---- */

/* edge[i][j]: i depends on j. */
typedef struct {
  int n;
  bool edge[MOST][MOST];
} graph;

static void to_dense(const hp_csr *A, const hp_amg_graph *G, graph *D) {
  memset(D, 0, sizeof *D);
  D->n = G->ncell;
  for (int32_t i = 0; i < G->ncell; ++i)
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
      if (G->strong[k]) D->edge[i][A->column[k]] = true;
}

static int count_to(const graph *D, int j) {
  int count = 0;
  for (int i = 0; i < D->n; ++i) count += D->edge[i][j];
  return count;
}

static bool outweighs(const double *weight, int i, int j) {
  return weight[i] > weight[j] || (weight[i] == weight[j] && i < j);
}

/* Undecided points heavier than all undecided ones that an edge joins them with. */
static void peaks(const graph *D, const double *weight, const uint8_t *point, bool *peak) {
  for (int i = 0; i < D->n; ++i) {
    peak[i] = point[i] == HP_AMG_UNDECIDED;
    for (int j = 0; j < D->n; ++j)
      if (j != i && (D->edge[i][j] || D->edge[j][i]) && point[j] == HP_AMG_UNDECIDED && !outweighs(weight, i, j))
        peak[i] = false;
  }
}

static bool undecided(const graph *D, const uint8_t *point) {
  for (int i = 0; i < D->n; ++i)
    if (point[i] == HP_AMG_UNDECIDED) return true;
  return false;
}

static void literal_pmis(const graph *D, uint64_t seed, uint8_t *point) {
  double weight[MOST];
  bool peak[MOST];
  for (int i = 0; i < D->n; ++i) {
    weight[i] = count_to(D, i) + hp_amg_random(seed, (uint64_t)i);
    point[i] = weight[i] < 1.0 ? HP_AMG_FINE : HP_AMG_UNDECIDED;
  }
  while (undecided(D, point)) {
    peaks(D, weight, point, peak);
    for (int i = 0; i < D->n; ++i)
      if (peak[i]) point[i] = HP_AMG_COARSE;
    for (int i = 0; i < D->n; ++i)
      for (int j = 0; j < D->n; ++j)
        if (peak[j] && D->edge[i][j] && point[i] == HP_AMG_UNDECIDED) point[i] = HP_AMG_FINE;
  }
}

static void literal_cljp(const graph *full, uint64_t seed, uint8_t *point) {
  static graph left;
  double weight[MOST];
  bool peak[MOST];
  left = *full;
  for (int i = 0; i < full->n; ++i) {
    weight[i] = count_to(full, i) + hp_amg_random(seed, (uint64_t)i);
    point[i] = weight[i] < 1.0 ? HP_AMG_FINE : HP_AMG_UNDECIDED;
  }
  while (undecided(full, point)) {
    peaks(&left, weight, point, peak);
    for (int c = 0; c < full->n; ++c) {
      if (!peak[c]) continue;
      point[c] = HP_AMG_COARSE;
      for (int j = 0; j < full->n; ++j) left.edge[c][j] = left.edge[j][c] = false;
      for (int i = 0; i < full->n; ++i)
        for (int j = 0; j < full->n; ++j)
          if (full->edge[i][c] && full->edge[j][c]) left.edge[i][j] = false;
    }
    for (int i = 0; i < full->n; ++i) {
      weight[i] = count_to(&left, i) + hp_amg_random(seed, (uint64_t)i);
      if (point[i] == HP_AMG_UNDECIDED && weight[i] < 1.0) point[i] = HP_AMG_FINE;
    }
  }
}

/* Every fine point that something depends on, and that depends on something, depends on a coarse one (RS, CLJP: every
 * fine point that depends on something does). */
static void check_covered(const graph *D, hp_amg_coarsening kind, const uint8_t *point) {
  for (int i = 0; i < D->n; ++i) {
    bool coarse = false, any = false;
    for (int j = 0; j < D->n; ++j) {
      any = any || D->edge[i][j];
      coarse = coarse || (D->edge[i][j] && point[j] == HP_AMG_COARSE);
    }
    CHECK(point[i] == HP_AMG_COARSE || point[i] == HP_AMG_FINE);
    if (point[i] == HP_AMG_COARSE || !any || (kind != HP_AMG_CLJP && count_to(D, i) == 0)) continue;
    CHECK(coarse);
  }
}

/* PMIS, HMIS: no two coarse points depend on each other (one may on the other: what a coarse point depends on stays
 * undecided). */
static void check_independent(const graph *D, const uint8_t *point) {
  for (int i = 0; i < D->n; ++i)
    for (int j = 0; j < D->n; ++j)
      CHECK(point[i] != HP_AMG_COARSE || point[j] != HP_AMG_COARSE || !D->edge[i][j] || !D->edge[j][i]);
}

/* RS and CLJP: a fine point and a fine one on which it depends share a coarse point. */
static void check_shared(const graph *D, const uint8_t *point) {
  for (int i = 0; i < D->n; ++i)
    for (int j = 0; j < D->n; ++j) {
      if (point[i] != HP_AMG_FINE || point[j] != HP_AMG_FINE || !D->edge[i][j]) continue;
      bool shared = false;
      for (int c = 0; c < D->n; ++c) shared = shared || (point[c] == HP_AMG_COARSE && D->edge[i][c] && D->edge[j][c]);
      CHECK(shared);
    }
}

static void coarse_sets(void) {
  static graph D;
  int differ[HP_AMG_COARSENING_COUNT] = {0};
  for (uint64_t seed = 1; seed <= 200; seed += (uint64_t)check_every(8)) {
    const int n = 1 + (int)(seed * 7 % (MOST - 1)), nwell = (int)(seed % 3) < n ? (int)(seed % 3) : 0;
    uint8_t point[MOST], again[MOST], other[MOST], literal[MOST];
    hp_csr *A;
    hp_amg_graph G;
    CHECK_OK(amg_random_csr(n, n, 0.02 * (double)(1 + seed % 15), seed, &A));
    CHECK_OK(hp_amg_strength(A, n - nwell, 0.25 * (double)(seed % 4), &G));
    to_dense(A, &G, &D);
    for (int c = 0; c < HP_AMG_COARSENING_COUNT; ++c) {
      const hp_amg_coarsening kind = (hp_amg_coarsening)c;
      CHECK_OK(hp_amg_coarsen(kind, A, &G, seed, point));
      CHECK_OK(hp_amg_coarsen(kind, A, &G, seed, again));
      CHECK_OK(hp_amg_coarsen(kind, A, &G, seed + 1, other));
      CHECK(memcmp(point, again, (size_t)n) == 0);
      differ[c] += memcmp(point, other, (size_t)n) != 0;
      for (int i = n - nwell; i < n; ++i) CHECK(point[i] == HP_AMG_COARSE);
      check_covered(&D, kind, point);
      if (kind == HP_AMG_RS || kind == HP_AMG_CLJP) check_shared(&D, point);
      else check_independent(&D, point);
      if (kind == HP_AMG_PMIS) literal_pmis(&D, seed, literal);
      if (kind == HP_AMG_CLJP) literal_cljp(&D, seed, literal);
      if (kind == HP_AMG_PMIS || kind == HP_AMG_CLJP) CHECK(memcmp(point, literal, (size_t)D.n) == 0);
    }
    hp_amg_graph_free(&G);
    hp_csr_destroy(&A);
  }
  CHECK(differ[HP_AMG_PMIS] > 50 / check_every(8) && differ[HP_AMG_CLJP] > 50 / check_every(8) &&
        differ[HP_AMG_RS] == 0);
}

/* ---- interpolation ---- */

/* A random matrix whose first ncell rows sum to zero; `positive` of the entries off the diagonal have its sign. */
static void laplacian(int n, double fill, double positive, uint64_t seed, hp_csr **out) {
  CHECK_OK(amg_random_csr(n, n, fill, seed, out));
  hp_csr *A = *out;
  uint64_t s = seed + 99;
  for (int32_t i = 0; i < n; ++i) {
    double sum = 0.0;
    int32_t at = -1;
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
      if (A->column[k] == i) at = k;
      else A->value[k] = (0.5 + 0.5 * matrix_random(&s) < positive ? 0.1 : -1.0) * pow(10.0, 3.0 * matrix_random(&s));
      if (A->column[k] != i) sum += A->value[k];
    }
    A->value[at] = -sum;
  }
}

static void check_constants(const hp_csr *A, const hp_csr *P, const uint8_t *point, int most) {
  for (int32_t i = 0; i < A->nrow; ++i) {
    double sum = 0.0, size = 0.0, row = 0.0, row_size = 0.0;
    for (int64_t k = P->begin[i]; k < P->begin[i + 1]; ++k) {
      sum += P->value[k];
      size += fabs(P->value[k]);
      CHECK(isfinite(P->value[k]) && (k == P->begin[i] || P->column[k - 1] < P->column[k]));
    }
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
      row += A->value[k];
      row_size += fabs(A->value[k]);
    }
    const int32_t length = P->begin[i + 1] - P->begin[i];
    CHECK(most == 0 || length <= most);
    if (point[i] == HP_AMG_COARSE) CHECK(length == 1 && sum == 1.0);
    else if (length > 0 && fabs(row) <= 1e-13 * row_size) CHECK(fabs(sum - 1.0) <= 1e-9 * size);
  }
}

static void constants(void) {
  int rows = 0;
  for (uint64_t seed = 1; seed <= 60; seed += (uint64_t)check_every(9)) {
    const int n = 20 + (int)(seed % 60);
    uint8_t point[MOST];
    hp_csr *A, *P;
    hp_amg_graph G;
    laplacian(n, 0.03 * (double)(1 + seed % 8), seed % 3 == 0 ? 0.2 : 0.0, seed, &A);
    CHECK_OK(hp_amg_strength(A, n - (int)(seed % 2), 0.25, &G));
    for (int c = 0; c < HP_AMG_COARSENING_COUNT; ++c) {
      CHECK_OK(hp_amg_coarsen((hp_amg_coarsening)c, A, &G, seed, point));
      for (int kind = 0; kind < HP_AMG_INTERPOLATION_COUNT; ++kind)
        for (int variant = 0; variant < 3; ++variant) {
          hp_amg_options opt = hp_amg_default_options();
          opt.interpolation = (hp_amg_interpolation)kind;
          opt.max_weights = variant == 1 ? 3 : 0;
          opt.truncation = variant == 2 ? 0.2 : 0.0;
          CHECK_OK(hp_amg_interpolate(A, &G, point, &opt, &P));
          check_constants(A, P, point, opt.max_weights);
          for (int i = 0; i < n; ++i) rows += point[i] == HP_AMG_FINE && P->begin[i + 1] > P->begin[i];
          hp_csr_destroy(&P);
        }
    }
    hp_amg_graph_free(&G);
    hp_csr_destroy(&A);
  }
  CHECK(rows > 50000 / check_every(9));
}

/* ---- hierarchies ---- */

static void refresh(hp_team *t, void *arg) { hp_amg_refresh(t, arg); }

static void check_level(const hp_amg *H, int l) {
  const hp_amg_level *L = &H->level[l];
  const hp_csr *A = H->level[l + 1].A;
  hp_csr *AP, *C;
  CHECK_OK(hp_csr_galerkin(L->R, L->A, L->P, &AP, &C));
  CHECK(C->nrow == A->nrow && hp_csr_count(C) == hp_csr_count(A) && A->nrow == L->P->ncol);
  if (hp_csr_count(C) > 0) CHECK(memcmp(C->value, A->value, (size_t)hp_csr_count(C) * sizeof *C->value) == 0);
  for (int64_t k = 0; k < hp_csr_count(A); ++k) CHECK(isfinite(A->value[k]));
  for (int32_t i = 0; i < A->nrow; ++i)
    for (int64_t k = A->begin[i] + 1; k < A->begin[i + 1]; ++k) CHECK(A->column[k - 1] < A->column[k]);
  hp_csr_destroy(&AP);
  hp_csr_destroy(&C);
}

/* Lines of what hp_amg_print writes, the last of which names all rows and non-zeros. */
static void check_print(const hp_amg *H) {
  char *text = NULL, line[512] = "";
  size_t length = 0;
  long long rows = 0, count = 0, all_rows = -1, all_count = -1;
  int lines = 0;
  FILE *f = open_memstream(&text, &length);
  hp_amg_print(H, f);
  fclose(f);
  for (size_t at = 0; at < length; ++lines) {
    const size_t end = strcspn(text + at, "\n"), kept = end < sizeof line - 1 ? end : sizeof line - 1;
    memcpy(line, text + at, kept);
    line[kept] = '\0';
    at += end + 1;
  }
  for (int l = 0; l < H->nlevel; ++l) {
    rows += H->level[l].A->nrow;
    count += hp_csr_count(H->level[l].A);
  }
  CHECK(sscanf(line, " all %lld %lld", &all_rows, &all_count) == 2);
  CHECK(lines == H->nlevel + 3 && all_rows == rows && all_count == count);
  free(text);
}

/* Returns the number of levels. */
static int hierarchy(hp_team_hub *hub, hp_csr *A, int nwell, const hp_amg_options *opt) {
  hp_amg *H;
  CHECK_OK(hp_amg_create(opt, &H));
  CHECK_OK(hp_amg_build(H, A, nwell));
  for (int l = 0; l + 1 < H->nlevel; ++l) check_level(H, l);
  for (int l = 1; l < H->nlevel && hp_csr_count(H->level[l].A) > 0; ++l)
    memset(H->level[l].A->value, 0xff, (size_t)hp_csr_count(H->level[l].A) * sizeof(double));
  CHECK_OK(hp_team_run(hub, refresh, H));
  for (int l = 0; l + 1 < H->nlevel; ++l) check_level(H, l);
  check_print(H);
  const int levels = H->nlevel;
  hp_amg_destroy(&H);
  return levels;
}

static void reservoirs(hp_team_hub *hub) {
  for (int hard = 0; hard < 12; ++hard)
    for (int c = 0; c < HP_AMG_COARSENING_COUNT; ++c) {
      const amg_reservoir r = {.nx = 9,
                               .ny = 8,
                               .nz = 7,
                               .decades = hard % 3 == 0 ? 8.0 : 0.0,
                               .vertical = hard % 4 == 1   ? 1e4
                                           : hard % 4 == 2 ? 1e-4
                                                           : 1.0,
                               .storage = hard % 2 == 0 ? 0.0 : 1e-6,
                               .inactive = hard > 5 ? 4 : 0,
                               .wall = hard > 7,
                               .nwell = hard % 5,
                               .seed = (uint64_t)(hard + 1)};
      hp_amg_options opt = hp_amg_default_options();
      hp_csr *A;
      opt.coarsening = (hp_amg_coarsening)c;
      opt.interpolation = (hp_amg_interpolation)(hard % HP_AMG_INTERPOLATION_COUNT);
      opt.max_weights = hard % 2 == 0 ? 4 : 0;
      opt.coarsest = 20;
      CHECK_OK(amg_reservoir_csr(&r, &A));
      CHECK(hierarchy(hub, A, r.nwell, &opt) > 1);
      hp_csr_destroy(&A);
    }
}

/* A chain of n cells, all perforated by one well: rows of the product as long as its number of coarse points. */
static void chain(int32_t n, hp_csr **out) {
  CHECK_OK(hp_csr_create(n + INT64_C(1), n + INT64_C(1), 5 * (int64_t)n + 1, out));
  hp_csr *A = *out;
  int32_t at = 0;
  for (int32_t i = 0; i <= n; ++i) {
    for (int32_t j = i < n ? (i > 0 ? i - 1 : 0) : 0; j <= (i < n ? (i + 1 < n ? i + 1 : i) : n - 1); ++j, ++at) {
      A->column[at] = j;
      A->value[at] = i == n ? -1.0 : i == j ? 5.0 : -1.5;
    }
    A->column[at] = n;
    A->value[at++] = i < n ? -1.0 : n + 1.0;
    A->begin[i + 1] = at;
  }
}

static void long_rows(hp_team_hub *hub) {
  static const int32_t sizes[] = {1500, 180000}; /* places of 2 and of 4 bytes */
  for (int s = 0; s < 2; ++s) {
    hp_amg_options opt = hp_amg_default_options();
    hp_csr *A;
    opt.max_levels = 3;
    opt.interpolation = HP_AMG_CLASSICAL;
    opt.coarsening = HP_AMG_HMIS;
    chain(sizes[s], &A);
    CHECK(hierarchy(hub, A, 1, &opt) == 3);
    hp_csr_destroy(&A);
  }
}

/* No rows; one; rows without entries; identity; a zero diagonal; all entries zero; one level wanted. */
static void degenerate(hp_team_hub *hub) {
  for (int n = 0; n <= 40; n += n < 2 ? 1 : 38)
    for (int kind = 0; kind < 5; ++kind)
      for (int c = 0; c < HP_AMG_COARSENING_COUNT; ++c) {
        hp_amg_options opt = hp_amg_default_options();
        hp_csr *A;
        opt.coarsening = (hp_amg_coarsening)c;
        opt.coarsest = 1;
        opt.max_levels = c == 0 && kind == 4 ? 1 : HP_AMG_LEVELS_MAX;
        CHECK_OK(amg_random_csr(n, n, 0.2, 17, &A));
        for (int32_t i = 0; i < n; ++i) {
          if (kind == 0) A->begin[i + 1] = 0;
          for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
            if (kind == 1) A->value[k] = A->column[k] == i ? 1.0 : 0.0;
            if (kind == 2 && A->column[k] == i) A->value[k] = 0.0;
            if (kind == 3) A->value[k] = 0.0;
          }
        }
        CHECK(hierarchy(hub, A, 0, &opt) >= 1);
        if (n > 1) hierarchy(hub, A, 2, &opt);
        hp_csr_destroy(&A);
      }
}

int main(void) {
  hp_team_hub *hub;
  CHECK_OK(hp_team_hub_create(1, NULL, &hub));
  coarse_sets();
  constants();
  reservoirs(hub);
  long_rows(hub);
  degenerate(hub);
  hp_team_hub_destroy(&hub);
  return check_result();
}
