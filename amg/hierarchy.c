#include <string.h>

#include "amg/amg.h"
#include "amg/cycle.inl.h"
#include "core/memory.h"

enum { DIRECT_MAX = 1000 }; /* rows of a last level that is factorized */

static const char *const coarsening_names[] = {
#define TEXT_OF(name, text, ...) text,
    HP_AMG_COARSENING_LIST(TEXT_OF)};
static const char *const interpolation_names[] = {HP_AMG_INTERPOLATION_LIST(TEXT_OF)};
static const char *const smoother_names[] = {HP_AMG_SMOOTHER_LIST(TEXT_OF)};
#undef TEXT_OF

const char *hp_amg_coarsening_name(hp_amg_coarsening c) {
  return (unsigned)c < HP_AMG_COARSENING_COUNT ? coarsening_names[c] : "unknown";
}

const char *hp_amg_interpolation_name(hp_amg_interpolation i) {
  return (unsigned)i < HP_AMG_INTERPOLATION_COUNT ? interpolation_names[i] : "unknown";
}

const char *hp_amg_smoother_name(hp_amg_smoother s) {
  return (unsigned)s < HP_AMG_SMOOTHER_COUNT ? smoother_names[s] : "unknown";
}

hp_amg_options hp_amg_default_options(void) {
  const hp_amg_options opt = {.coarsening = HP_AMG_PMIS,
                              .interpolation = HP_AMG_EXTENDED,
                              .smoother = HP_AMG_GAUSS_SEIDEL,
                              .cycle = HP_AMG_V,
                              .strength = 0.25,
                              .max_weights = 4,
                              .damping = 2.0 / 3.0,
                              .pre = 1,
                              .post = 1,
                              .coarsest = 64,
                              .max_levels = HP_AMG_LEVELS_MAX,
                              .seed = 1};
  return opt;
}

const char *hp_amg_refusal(const hp_amg_options *o) {
  if ((unsigned)o->coarsening >= HP_AMG_COARSENING_COUNT) return "there is no such coarsening";
  if ((unsigned)o->interpolation >= HP_AMG_INTERPOLATION_COUNT) return "there is no such interpolation";
  if ((unsigned)o->smoother >= HP_AMG_SMOOTHER_COUNT) return "there is no such smoother";
  if ((unsigned)o->cycle > HP_AMG_F) return "there is no such cycle";
  if (!(o->strength >= 0.0 && o->strength < 1.0)) return "the threshold of strength is between 0 and 1";
  if (!(o->truncation >= 0.0 && o->truncation < 1.0)) return "the truncation of interpolation is between 0 and 1";
  if (!(o->damping > 0.0 && o->damping < 2.0)) return "the damping is between 0 and 2";
  if (o->pre < 0 || o->post < 0 || o->pre + o->post < 1) return "a cycle needs a sweep";
  if (o->max_weights < 0 || o->coarsest < 1) return "interpolation weights and coarsest rows are counts";
  if (o->max_levels < 1 || o->max_levels > HP_AMG_LEVELS_MAX) return "levels are 1 to 25";
  return NULL;
}

hp_status hp_amg_create(const hp_amg_options *opt, int members, hp_amg **out) {
  *out = NULL;
  const char *refusal = hp_amg_refusal(opt);
  if (refusal != NULL) return hp_fail(HP_ERR_USAGE, "multigrid: %s", refusal);
  hp_amg *H = NULL;
  HP_TRY(HP_ALLOC(H, 1));
  H->opt = *opt;
  H->members = members;
  *out = H;
  return HP_OK;
}

static void clear(hp_amg *H) {
  for (int l = 0; l < HP_AMG_LEVELS_MAX; ++l) {
    hp_amg_level *L = &H->level[l];
    if (l > 0) hp_csr_destroy(&L->A);
    hp_csr_destroy(&L->P);
    hp_csr_destroy(&L->R);
    hp_csr_destroy(&L->AP);
    HP_FREE(L->scale);
    HP_FREE(L->b);
    HP_FREE(L->x);
    HP_FREE(L->y);
  }
  memset(H->level, 0, sizeof H->level);
  HP_FREE(H->marker);
  HP_FREE(H->lu);
  HP_FREE(H->lu_scale);
  HP_FREE(H->pivot);
  H->nlevel = 0;
}

void hp_amg_destroy(hp_amg **slot) {
  if (slot == NULL || *slot == NULL) return;
  clear(*slot);
  HP_FREE(*slot);
}

static hp_status level_vectors(hp_amg_level *L, bool finest) {
  const int64_t n = L->A->nrow;
  HP_TRY(HP_ALLOC(L->scale, n));
  HP_TRY(HP_ALLOC(L->y, n));
  if (finest) return HP_OK;
  HP_TRY(HP_ALLOC(L->b, n));
  return HP_ALLOC(L->x, n);
}

hp_status hp_amg_coarsen(hp_amg_coarsening kind, const hp_csr *A, const hp_amg_graph *G, uint64_t seed,
                         uint8_t *point) {
  static hp_amg_coarsen_function *const functions[] = {
#define FUNCTION_OF(name, text, function) hp_amg_coarsen_##function,
      HP_AMG_COARSENING_LIST(FUNCTION_OF)
#undef FUNCTION_OF
  };
  return functions[kind](A, G, seed, point);
}

/* The level after l, if l can be made coarser. */
static hp_status next_level(hp_amg *H, int l, bool *made) {
  hp_amg_level *L = &H->level[l], *N = &H->level[l + 1];
  hp_amg_graph G;
  uint8_t *point = NULL;
  int32_t coarse = 0;
  *made = false;
  HP_TRY(hp_amg_strength(L->A, L->ncell, H->opt.strength, &G));
  hp_status s = HP_ALLOC(point, L->A->nrow);
  if (s == HP_OK) s = hp_amg_coarsen(H->opt.coarsening, L->A, &G, H->opt.seed, point);
  for (int32_t i = 0; i < L->ncell && s == HP_OK; ++i) coarse += point[i] == HP_AMG_COARSE;
  if (s == HP_OK && coarse > 0 && coarse < 0.95 * L->ncell) {
    s = hp_amg_interpolate(L->A, &G, point, &H->opt, &L->P);
    if (s == HP_OK) s = hp_csr_transpose(L->P, &L->R);
    if (s == HP_OK) s = hp_csr_galerkin(L->R, L->A, L->P, &L->AP, &N->A);
    N->ncell = coarse;
    *made = s == HP_OK;
  }
  hp_amg_graph_free(&G);
  HP_FREE(point);
  return s;
}

static hp_status build(hp_amg *H) {
  bool more = true;
  for (int l = 0; more; ++l) {
    HP_TRY(level_vectors(&H->level[l], l == 0));
    H->nlevel = l + 1;
    more = false;
    if (l + 1 < H->opt.max_levels && H->level[l].ncell > H->opt.coarsest) HP_TRY(next_level(H, l, &more));
  }
  const hp_amg_level *last = &H->level[H->nlevel - 1];
  const int64_t n = last->A->nrow;
  if (H->nlevel > 1) HP_TRY(HP_ALLOC(H->marker, H->members * (int64_t)H->level[1].A->nrow));
  if (n > DIRECT_MAX) return HP_OK;
  HP_TRY(HP_ALLOC(H->lu, n * n));
  HP_TRY(HP_ALLOC(H->lu_scale, n));
  return HP_ALLOC(H->pivot, n);
}

hp_status hp_amg_build(hp_amg *H, hp_csr *A, int32_t nwell) {
  clear(H);
  H->level[0].A = A;
  H->level[0].ncell = A->nrow - nwell;
  const hp_status s = build(H);
  if (s != HP_OK) {
    clear(H);
    return s;
  }
  for (int l = 0; l < H->nlevel; ++l)
    for (int32_t i = 0; i < H->level[l].A->nrow; ++i)
      H->level[l].scale[i] = hp_amg_scale_of(&H->opt, H->level[l].A, i);
  if (H->lu != NULL) hp_amg_factorize(H);
  H->builds += 1;
  return HP_OK;
}

double hp_amg_operator_complexity(const hp_amg *H) {
  double sum = 0.0;
  for (int l = 0; l < H->nlevel; ++l) sum += (double)hp_csr_count(H->level[l].A);
  return H->nlevel > 0 ? sum / (double)hp_csr_count(H->level[0].A) : 0.0;
}

double hp_amg_grid_complexity(const hp_amg *H) {
  double sum = 0.0;
  for (int l = 0; l < H->nlevel; ++l) sum += H->level[l].A->nrow;
  return H->nlevel > 0 ? sum / H->level[0].A->nrow : 0.0;
}

int64_t hp_amg_bytes(const hp_amg *H) {
  int64_t bytes = 0;
  for (int l = 0; l < H->nlevel; ++l) {
    const hp_amg_level *L = &H->level[l];
    bytes += (l > 0 ? hp_csr_bytes(L->A) : 0) + hp_csr_bytes(L->P) + hp_csr_bytes(L->R) + hp_csr_bytes(L->AP) +
             (l > 0 ? 4 : 2) * (int64_t)sizeof(double) * L->A->nrow;
  }
  if (H->nlevel > 1) bytes += (int64_t)sizeof(int32_t) * H->members * H->level[1].A->nrow;
  const int64_t n = H->nlevel > 0 ? H->level[H->nlevel - 1].A->nrow : 0;
  return bytes + (H->lu != NULL ? (int64_t)sizeof(double) * n * (n + 2) : 0);
}
