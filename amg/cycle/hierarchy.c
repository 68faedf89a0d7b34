#include <string.h>

#include "amg/amg.h"
#include "amg/cycle/numbers.inl.h"
#include "amg/setup/setup_impl.h"
#include "core/memory.h"
#include "core/profile.h"

hp_status hp_amg_create(const hp_amg_options *opt, hp_amg **out) {
  *out = NULL;
  const char *refusal = hp_amg_refusal(opt, HP_SOLVER_ANY);
  if (refusal != NULL) return hp_fail(HP_ERR_USAGE, "multigrid: %s", refusal);
  hp_amg *H = NULL;
  HP_TRY(HP_ALLOC(H, 1));
  H->opt = *opt;
  const hp_status s = HP_ALLOC(H->work, 1);
  if (s != HP_OK) HP_FREE(H);
  *out = H;
  return s;
}

void hp_amg_clear(hp_amg *H) {
  hp_amg_cycle_clear(H);
  for (int l = 0; l < HP_AMG_LEVELS_MAX; ++l) {
    hp_amg_level *L = &H->level[l];
    if (l > 0) hp_csr_destroy(&L->A);
    hp_csr_destroy(&L->P);
    hp_csr_destroy(&L->R);
    hp_csr_destroy(&L->AP);
    hp_csr_plan_free(&L->plan_ap);
    hp_csr_plan_free(&L->plan_rap);
  }
  memset(H->level, 0, sizeof H->level);
  HP_FREE(H->lu);
  HP_FREE(H->lu_scale);
  HP_FREE(H->pivot);
  H->nlevel = 0;
}

void hp_amg_destroy(hp_amg **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_amg_clear(*slot);
  HP_FREE((*slot)->work);
  HP_FREE(*slot);
}

/* ---- building ---- */

/* Seconds since *since, which becomes now, on member 0. */
static void lap(const hp_team *t, double *since, double *seconds) {
  const double now = hp_now();
  if (t->rank == 0) *seconds = now - *since;
  *since = now;
}

/* Coarse points among the cells: the same on every member. */
static int64_t count_coarse(hp_team *t, hp_amg_work *w, int32_t ncell, const uint8_t *point) {
  int64_t count = 0;
  HP_TEAM_FOR(t, i, ncell) count += point[i] == HP_AMG_COARSE;
  return hp_amg_total(t, w, count, NULL);
}

/* P, R and R A P of level l. */
static hp_status transfer(hp_team *t, hp_amg *H, int l, double *since) {
  hp_amg_level *L = &H->level[l];
  hp_amg_work *w = H->work;
  HP_TRY(hp_amg_interpolate_by(t, w, L->A, &w->graph, w->point, &H->opt, &L->P));
  HP_TRY(hp_csr_transpose_by(t, w, L->P, &L->R));
  lap(t, since, &L->seconds[HP_AMG_INTERPOLATION]);
  HP_TRY(hp_csr_product_by(t, w, L->A, L->P, &L->AP, &L->plan_ap));
  HP_TRY(hp_csr_product_by(t, w, L->R, L->AP, &H->level[l + 1].A, &L->plan_rap));
  lap(t, since, &L->seconds[HP_AMG_PRODUCT]);
  return HP_OK;
}

/* The level after l, if l can be made coarser. */
static hp_status next_level(hp_team *t, hp_amg *H, int l, bool *made) {
  hp_amg_level *L = &H->level[l];
  hp_amg_work *w = H->work;
  double since = hp_now();
  hp_status s = HP_OK;
  HP_TRY(hp_amg_strength_by(t, w, L->A, L->ncell, H->opt.strength, &w->graph));
  lap(t, &since, &L->seconds[HP_AMG_STRENGTH]);
  if (t->rank == 0) s = HP_ALLOC_UNSET(w->point, L->A->nrow);
  HP_TRY(hp_amg_agree(t, w, s));
  HP_TRY(hp_amg_coarsen_function_of(H->opt.coarsening)(t, w, L->A, &w->graph, H->opt.seed, w->point));
  const int64_t coarse = count_coarse(t, w, L->ncell, w->point);
  lap(t, &since, &L->seconds[HP_AMG_COARSENING]);
  *made = coarse > 0 && (double)coarse < 0.95 * L->ncell;
  if (*made) HP_TRY(transfer(t, H, l, &since));
  if (t->rank == 0) {
    if (*made) H->level[l + 1].ncell = (int32_t)coarse;
    hp_amg_graph_free(&w->graph);
    HP_FREE(w->point);
  }
  hp_team_sync(t); /* the level */
  return HP_OK;
}

static hp_status last_level(hp_amg *H) {
  const int64_t n = H->level[H->nlevel - 1].A->nrow;
  if (n <= HP_AMG_DIRECT_MAX) {
    HP_TRY(HP_ALLOC(H->lu, n * n));
    HP_TRY(HP_ALLOC(H->lu_scale, n));
    HP_TRY(HP_ALLOC(H->pivot, n));
  }
  return hp_amg_cycle_create(H);
}

static hp_status build(hp_team *t, hp_amg *H, int first) {
  bool more = true;
  hp_status s = HP_OK;
  for (int l = first; more; ++l) {
    if (t->rank == 0) H->nlevel = l + 1;
    more = false;
    if (l + 1 < H->opt.max_levels && H->level[l].ncell > H->opt.coarsest) HP_TRY(next_level(t, H, l, &more));
  }
  if (t->rank == 0) s = last_level(H);
  return hp_amg_agree(t, H->work, s);
}

hp_status hp_amg_build_from(hp_team *t, hp_amg *H, int first) {
  hp_status s = hp_amg_work_begin(t, H->work, H->level[first].A->nrow);
  if (s == HP_OK) s = build(t, H, first);
  if (s == HP_OK) hp_amg_numbers(t, H);
  hp_team_sync(t); /* all have left what is cleared now */
  if (t->rank == 0) {
    hp_amg_work_end(H->work);
    if (s != HP_OK) hp_amg_clear(H);
  }
  return s;
}

static void begin_build(hp_amg *H, hp_csr *A, int32_t nwell) {
  hp_amg_clear(H);
  H->level[0].A = A;
  H->level[0].ncell = A->nrow - nwell;
}

hp_status hp_amg_build_by(hp_team *t, hp_amg *H, hp_csr *A, int32_t nwell) {
  const double began = hp_now();
  if (t->rank == 0) begin_build(H, A, nwell);
  hp_team_sync(t); /* level 0 */
  const hp_status s = hp_amg_build_from(t, H, 0);
  if (t->rank == 0) {
    H->builds += s == HP_OK;
    H->build_seconds = hp_now() - began;
  }
  hp_team_sync(t); /* the hierarchy */
  return s;
}

hp_status hp_amg_build(hp_amg *H, hp_csr *A, int32_t nwell) {
  hp_amg_alone one;
  HP_TRY(hp_amg_alone_begin(&one, 0));
  const hp_status s = hp_amg_build_by(&one.t, H, A, nwell);
  hp_amg_alone_end(&one);
  return s;
}

/* ---- reports ---- */

double hp_amg_operator_complexity(const hp_amg *H) {
  double sum = 0.0;
  for (int l = 0; l < H->nlevel; ++l) sum += (double)hp_csr_count(H->level[l].A);
  return sum > 0.0 ? sum / (double)hp_csr_count(H->level[0].A) : 0.0;
}

/* Memory of level l, without the caller's matrix on level 0. */
static int64_t level_bytes(const hp_amg *H, int l) {
  const hp_amg_level *L = &H->level[l];
  int64_t bytes = (l > 0 ? hp_csr_bytes(L->A) : 0) + hp_csr_bytes(L->P) + hp_csr_bytes(L->R) + hp_csr_bytes(L->AP) +
                  hp_amg_cycle_bytes(H, l);
  if (L->AP != NULL) bytes += hp_csr_plan_bytes(&L->plan_ap, L->AP);
  if (L->AP != NULL) bytes += hp_csr_plan_bytes(&L->plan_rap, H->level[l + 1].A);
  const int64_t n = L->A->nrow;
  return bytes +
         (l + 1 == H->nlevel && H->lu != NULL ? n * ((n + 1) * (int64_t)sizeof(double) + (int64_t)sizeof(int32_t)) : 0);
}

int64_t hp_amg_bytes_from(const hp_amg *H, int first) {
  int64_t bytes = 0;
  for (int l = first; l < H->nlevel; ++l) bytes += level_bytes(H, l);
  return bytes;
}

int64_t hp_amg_bytes(const hp_amg *H) { return hp_amg_bytes_from(H, 0); }
