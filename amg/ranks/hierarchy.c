/* Levels over ranks, and cycles: the list of passes of one process (amg/cycle/program.h) for own rows, with exchanges of
 * ghosts before products. */
#include <string.h>

#include "amg/cycle/numbers.inl.h"
#include "amg/cycle/program.h"
#include "amg/ranks/impl.h"
#include "core/memory.h"
#include "core/test_hooks.h"

hp_status hp_amg_ranks_create(hp_ranks *K, const hp_amg_options *opt, hp_amg_ranks **out) {
  hp_amg_ranks *H = NULL;
  *out = NULL;
  hp_status s = HP_OK;
  const char *refusal = hp_amg_refusal(opt, HP_SOLVER_RANKS);
  if (refusal != NULL) s = hp_fail(HP_ERR_USAGE, "multigrid: %s", refusal);
  if (s == HP_OK && hp_ranks_size(K) >= 1 << HP_AMG_RANK_BITS)
    s = hp_fail(HP_ERR_UNSUPPORTED, "multigrid over %d ranks", hp_ranks_size(K));
  if (s == HP_OK) s = HP_ALLOC(H, 1);
  if (s == HP_OK) s = hp_amg_create(opt, &H->H);
  if (s == HP_OK) s = hp_amg_alone_begin(&H->one, 0);
  if (s == HP_OK) {
    H->K = K;
    const hp_test_hooks *hooks = hp_test_hooks_get();
    H->whole_rows = hooks->ranks_whole_rows >= 0 ? hooks->ranks_whole_rows : HP_AMG_RANKS_WHOLE;
    H->least_rows = hooks->ranks_least_rows >= 0 ? hooks->ranks_least_rows : HP_AMG_RANKS_LEAST;
  } else if (H != NULL) {
    hp_amg_destroy(&H->H);
    HP_FREE(H);
  }
  s = hp_ranks_agree(K, s);
  if (s != HP_OK) hp_amg_ranks_destroy(&H);
  *out = H;
  return s;
}

static void free_part(hp_amg_part *p) {
  HP_FREE(p->point);
  hp_exchange_destroy(&p->for_a);
  hp_exchange_destroy(&p->for_r);
  hp_exchange_destroy(&p->for_p);
  hp_exchange_destroy(&p->products);
  hp_csr_destroy(&p->P);
  hp_csr_destroy(&p->AP);
  hp_csr_plan_free(&p->plan_ap);
  hp_csr_plan_free(&p->plan_rap);
  memset(p, 0, sizeof *p);
}

static void clear(hp_amg_ranks *H) {
  hp_amg_work_end(H->H->work);
  hp_amg_extended_free(&H->extended);
  for (int l = 0; l < HP_AMG_LEVELS_MAX; ++l) free_part(&H->part[l]);
  hp_amg_whole_free(&H->whole, H->parted);
  hp_amg_clear(H->H);
  HP_FREE(H->step);
  H->parted = H->exchanges = 0;
}

void hp_amg_ranks_destroy(hp_amg_ranks **slot) {
  hp_amg_ranks *H = *slot;
  if (H == NULL) return;
  clear(H);
  hp_amg_destroy(&H->H);
  hp_amg_alone_end(&H->one);
  HP_FREE(*slot);
}

void hp_amg_ranks_set_whole(hp_amg_ranks *H, int64_t rows) { H->whole_rows = rows; }
void hp_amg_ranks_set_least(hp_amg_ranks *H, int64_t rows) { H->least_rows = rows; }

/* ---- level 0 ---- */

static hp_status check_rows(const hp_amg_ranks_rows *r) {
  const int32_t n = r->ncell + r->nwell;
  if (r->A->nrow != n || r->A->ncol != n + r->nghost)
    return hp_fail(HP_ERR_INTERNAL,
                   "multigrid over ranks: a matrix of %d rows and %d columns for %d cells, %d wells, %d ghosts",
                   r->A->nrow, r->A->ncol, r->ncell, r->nwell, r->nghost);
  for (int32_t i = 0; i < n; ++i)
    if (r->number[i] < (i > 0 ? r->number[i - 1] + 1 : 0) || r->number[i] >> (62 - HP_AMG_RANK_BITS) != 0)
      return hp_fail(HP_ERR_INTERNAL, "multigrid over ranks: the number %lld of row %d does not rise, or is too large",
                     (long long)r->number[i], i);
  return HP_OK;
}

/* Numbers without those left out: of own rows here, of other ranks' by an exchange. */
static hp_status name_rows(hp_amg_ranks *H, const hp_amg_ranks_rows *r, hp_amg_part *p) {
  const int rank = hp_ranks_rank(H->K);
  int64_t *given = NULL, *number = NULL, *place = NULL;
  hp_exchange *E = NULL;
  double most = p->nowned > 0 ? (double)r->number[p->nowned - 1] : 0.0;
  hp_status s = HP_ALLOC(given, p->nowned + p->nghost);
  if (s == HP_OK) s = HP_ALLOC(number, p->nowned);
  if (s == HP_OK) s = HP_ALLOC(place, p->nghost);
  s = hp_ranks_agree(H->K, s);
  if (s == HP_OK) {
    for (int32_t i = 0; i < p->nowned; ++i) given[i] = hp_amg_point(number[i] = r->number[i], rank);
    for (int32_t g = 0; g < p->nghost; ++g) {
      given[p->nowned + g] = hp_amg_point(r->number[p->nowned + g], r->owner[g]);
      place[g] = p->nowned + g;
    }
    hp_ranks_max(H->K, &most, 1);
    s = hp_amg_number_points(H->K, p->nowned, number, (int64_t)most + 1);
  }
  for (int32_t i = 0; i < p->nowned && s == HP_OK; ++i) p->point[i] = hp_amg_point(number[i], rank);
  if (s == HP_OK) s = hp_amg_exchange_points(H->K, given, p->nowned, NULL, p->nghost, given + p->nowned, place, &E);
  if (s == HP_OK) hp_exchange_run(E, p->point, sizeof *p->point);
  hp_exchange_destroy(&E);
  HP_FREE(given);
  HP_FREE(number);
  HP_FREE(place);
  return s;
}

static hp_status first_level(hp_amg_ranks *H, const hp_amg_ranks_rows *r) {
  hp_amg_part *p = &H->part[0];
  int64_t sum[2] = {r->ncell + (int64_t)r->nwell, r->ncell};
  hp_status s = check_rows(r);
  if (s == HP_OK) s = HP_ALLOC(p->point, r->A->ncol);
  HP_TRY(hp_ranks_agree(H->K, s));
  hp_ranks_sum(H->K, sum, 2);
  p->rows = sum[0];
  p->cells = sum[1];
  p->nowned = r->A->nrow;
  p->ncell = r->ncell;
  p->nghost = p->ncolumn = r->nghost;
  p->every = 1;
  H->H->level[0].A = r->A;
  H->H->level[0].ncell = r->ncell;
  return name_rows(H, r, p);
}

hp_status hp_amg_ranks_number(hp_ranks *K, const hp_amg_ranks_rows *r, int64_t *number, int64_t *begin) {
  const int rank = hp_ranks_rank(K);
  const int32_t n = r->ncell + r->nwell;
  int64_t *point = NULL, *place = NULL;
  hp_exchange *E = NULL;
  hp_status s = check_rows(r);
  if (s == HP_OK) s = HP_ALLOC(point, n + r->nghost);
  if (s == HP_OK) s = HP_ALLOC(place, r->nghost);
  s = hp_ranks_agree(K, s);
  if (s == HP_OK) {
    hp_ranks_begins(K, n, begin);
    for (int32_t i = 0; i < n + r->nghost; ++i) point[i] = hp_amg_point(r->number[i], i < n ? rank : r->owner[i - n]);
    for (int32_t i = 0; i < n; ++i) number[i] = begin[rank] + i;
    for (int32_t g = 0; g < r->nghost; ++g) place[g] = n + g;
    s = hp_amg_exchange_points(K, point, n, NULL, r->nghost, point + n, place, &E);
  }
  if (s == HP_OK) hp_exchange_run(E, number, sizeof *number);
  hp_exchange_destroy(&E);
  HP_FREE(point);
  HP_FREE(place);
  return s;
}

/* ---- exchanges of cycles ---- */

/* Of the ghosts in columns of M. */
static hp_status exchange_for(hp_ranks *K, const hp_amg_part *p, const hp_csr *M, hp_exchange **out) {
  uint8_t *used = NULL;
  int64_t *point = NULL, *place = NULL, n = 0;
  hp_status s = HP_ALLOC(used, p->nowned + p->nghost);
  if (s == HP_OK) s = HP_ALLOC(point, p->nghost);
  if (s == HP_OK) s = HP_ALLOC(place, p->nghost);
  s = hp_ranks_agree(K, s);
  for (int64_t k = 0; s == HP_OK && k < M->begin[M->nrow]; ++k) used[M->column[k]] = 1;
  for (int32_t g = p->nowned; g < p->nowned + p->nghost && s == HP_OK; ++g)
    if (used[g]) {
      point[n] = p->point[g];
      place[n++] = g;
    }
  if (s == HP_OK) s = hp_amg_exchange_points(K, p->point, p->nowned, NULL, n, point, place, out);
  HP_FREE(used);
  HP_FREE(point);
  HP_FREE(place);
  return s;
}

static hp_status make_exchanges(hp_amg_ranks *H) {
  for (int l = 0; l < H->parted; ++l) {
    const hp_amg_level *L = &H->H->level[l];
    hp_amg_part *p = &H->part[l];
    HP_TRY(exchange_for(H->K, p, L->A, &p->for_a));
    if (L->R != NULL) HP_TRY(exchange_for(H->K, p, L->R, &p->for_r));
    if (l + 1 < H->parted) HP_TRY(exchange_for(H->K, p + 1, L->P, &p[1].for_p));
  }
  return HP_OK;
}

/* The exchange and the gathering around a pass over rows. */
static hp_amg_step step_of(const hp_amg_ranks *H, hp_amg_pass *pass) {
  hp_amg_step step = {NULL, false};
  for (int l = 0; l < H->parted; ++l) {
    const hp_amg_level *L = &H->H->level[l];
    const hp_amg_part *p = &H->part[l];
    if (pass->rows.begin == L->a.begin) step.exchange = p->for_a;
    if (L->P == NULL) continue;
    if (pass->rows.begin == L->p.begin && l + 1 < H->parted) step.exchange = p[1].for_p;
    if (pass->rows.begin != L->r.begin) continue;
    step.exchange = p->for_r;
    step.gather = l + 1 == H->parted;
    pass->n = L->r.nrow; /* own rows of the next level */
  }
  return step;
}

static hp_status write_steps(hp_amg_ranks *H) {
  hp_amg *A = H->H;
  HP_TRY(HP_ALLOC(H->step, A->passes));
  for (int k = 0; k < A->passes; ++k) {
    if (A->program[k].what == HP_AMG_PASS_ROWS) H->step[k] = step_of(H, &A->program[k]);
    H->exchanges += (H->step[k].exchange != NULL) + H->step[k].gather;
  }
  if (H->parted == 0) H->exchanges = 1;
  return HP_OK;
}

/* ---- building ---- */

hp_status hp_amg_ranks_agree(hp_team *t, hp_amg_ranks *H, hp_status s) {
  if (t->rank == 0) s = hp_ranks_agree(H->K, s);
  return hp_amg_agree(t, H->H->work, s);
}

static hp_status coarser(hp_team *t, hp_amg_ranks *H, int l, bool *made) {
  hp_status s = hp_amg_extended_make(t, H, l);
  *made = H->extended.made;
  if (s == HP_OK && *made) s = hp_amg_ranks_product(t, H, l);
  hp_team_sync(t); /* all have read `made` */
  if (t->rank == 0) hp_amg_extended_free(&H->extended);
  return s;
}

/* The last level that is made over ranks, or what goes before levels that are whole. */
static hp_status begin_last(hp_amg_ranks *H, int last, bool whole) {
  hp_amg *A = H->H;
  H->parted = whole ? last : last + 1;
  A->apart = H->parted > 0;
  for (int l = 0; l < H->parted; ++l) A->level[l].ghosts = H->part[l].nghost;
  if (whole) return hp_amg_whole_make(H, last);
  A->nlevel = last + 1;
  return hp_amg_cycle_create(A);
}

/* Memory and numbers of cycles, and levels after `last` where that is whole. */
static hp_status finish(hp_team *t, hp_amg_ranks *H, int last, bool whole) {
  hp_status s = HP_OK;
  if (t->rank == 0) s = begin_last(H, last, whole);
  HP_TRY(hp_amg_ranks_agree(t, H, s));
  if (whole) HP_TRY(hp_amg_ranks_agree(t, H, hp_amg_build_from(t, H->H, last)));
  else hp_amg_numbers(t, H->H);
  if (t->rank == 0) s = make_exchanges(H);
  if (t->rank == 0 && s == HP_OK) s = write_steps(H);
  return hp_amg_ranks_agree(t, H, s);
}

/* Entries of levels and interpolations over all ranks. */
static void count_entries(hp_amg_ranks *H) {
  for (int l = 0; l < H->parted; ++l) {
    const hp_amg_level *L = &H->H->level[l];
    int64_t sum[2] = {hp_csr_count(L->A), L->P != NULL ? hp_csr_count(L->P) : 0};
    hp_ranks_sum(H->K, sum, 2);
    H->part[l].entries = sum[0];
    H->part[l].interpolation = sum[1];
  }
}

static hp_status build(hp_team *t, hp_amg_ranks *H, const hp_amg_ranks_rows *rows) {
  const hp_amg_options *opt = &H->H->opt;
  hp_status s = HP_OK;
  if (t->rank == 0) s = first_level(H, rows);
  HP_TRY(hp_amg_ranks_agree(t, H, s));
  for (int l = 0;; ++l) {
    const hp_amg_part *p = &H->part[l];
    const bool small = p->rows <= H->whole_rows;
    bool made = false;
    if (!small && l + 1 < opt->max_levels && p->cells > opt->coarsest) HP_TRY(coarser(t, H, l, &made));
    if (!made) return finish(t, H, l, small || p->rows <= HP_AMG_DIRECT_MAX);
  }
}

hp_status hp_amg_ranks_build_by(hp_team *t, hp_amg_ranks *H, const hp_amg_ranks_rows *rows) {
  if (t->rank == 0) clear(H);
  hp_team_sync(t); /* the hierarchy is empty */
  const hp_status s = build(t, H, rows);
  hp_team_sync(t); /* all have left it */
  if (t->rank == 0 && s == HP_OK) {
    count_entries(H);
    hp_amg_ranks_count_messages(H);
  }
  if (t->rank == 0 && s != HP_OK) clear(H);
  hp_team_sync(t); /* the hierarchy */
  return s;
}

hp_status hp_amg_ranks_build(hp_amg_ranks *H, const hp_amg_ranks_rows *rows) {
  return hp_amg_ranks_build_by(&H->one.t, H, rows);
}

/* ---- new numbers, cycles ---- */

static void refresh_whole_products(hp_team *t, hp_amg_ranks *H) {
  if (H->parted < H->H->nlevel && t->rank == 0) hp_amg_whole_refresh(H);
  hp_team_sync(t); /* the whole level */
  hp_amg_refresh_products(t, H->H, H->parted);
}

void hp_amg_ranks_refresh_whole(hp_team *t, hp_amg_ranks *H) {
  refresh_whole_products(t, H);
  hp_amg_numbers_of(t, H->H, H->parted, H->H->nlevel);
}

void hp_amg_ranks_refresh_by(hp_team *t, hp_amg_ranks *H) {
  for (int l = 0; l < H->parted && l + 1 < H->H->nlevel; ++l) hp_amg_ranks_refresh_product(t, H, l);
  refresh_whole_products(t, H);
  hp_amg_numbers(t, H->H);
}

void hp_amg_ranks_refresh(hp_amg_ranks *H) { hp_amg_ranks_refresh_by(&H->one.t, H); }

/* All levels are whole. */
static void cycle_whole(hp_team *t, hp_amg_ranks *H, const double *r, double *x) {
  const hp_amg_whole *W = &H->whole;
  if (t->rank == 0 && H->skip != 1) hp_amg_whole_gather(H, r, W->b, false);
  hp_team_sync(t); /* b */
  hp_amg_cycle(t, H->H, W->b, W->x);
  HP_TEAM_FOR(t, i, H->part[0].nowned) x[i] = W->x[hp_amg_point_number(H->part[0].point[i])];
  hp_team_sync(t); /* x */
}

void hp_amg_ranks_cycle_by(hp_team *t, hp_amg_ranks *H, const double *r, double *x) {
  const hp_amg *A = H->H;
  const bool single = A->opt.precision == HP_PRECISION_SINGLE;
  int n = 0; /* exchanges so far */
  if (H->parted == 0) {
    cycle_whole(t, H, r, x);
    return;
  }
  for (int k = 0; k < A->passes; ++k) {
    const hp_amg_step *step = &H->step[k];
    const hp_amg_pass *pass = &A->program[k];
    if (step->exchange != NULL) {
      if (t->rank == 0 && ++n != H->skip)
        hp_exchange_run(step->exchange, (void *)(uintptr_t)pass->from, single ? sizeof(float) : sizeof(double));
      hp_team_sync(t); /* ghosts */
    }
    hp_amg_run(t, A, pass, 1, r, x);
    if (step->gather) {
      if (t->rank == 0 && ++n != H->skip) hp_amg_whole_gather(H, pass->out, pass->out, single);
      hp_team_sync(t); /* the right-hand side of all ranks */
    }
  }
}

void hp_amg_ranks_cycle(hp_amg_ranks *H, const double *r, double *x) { hp_amg_ranks_cycle_by(&H->one.t, H, r, x); }

void hp_amg_ranks_skip(hp_amg_ranks *H, int exchange) { H->skip = exchange; }
int hp_amg_ranks_exchanges(const hp_amg_ranks *H) { return H->exchanges; }

/* ---- reports ---- */

int hp_amg_ranks_levels(const hp_amg_ranks *H) { return H->H->nlevel; }
bool hp_amg_ranks_is_direct(const hp_amg_ranks *H) { return H->H->lu != NULL; }

void hp_amg_ranks_sizes(const hp_amg_ranks *H, hp_amg_size *size) {
  hp_amg_sizes(H->H, size);
  for (int l = 0; l < H->parted; ++l)
    size[l] = (hp_amg_size){H->part[l].rows, H->part[l].entries, H->part[l].interpolation};
}

double hp_amg_ranks_complexity(const hp_amg_ranks *H) {
  hp_amg_size size[HP_AMG_LEVELS_MAX];
  double sum = 0.0;
  hp_amg_ranks_sizes(H, size);
  for (int l = 0; l < H->H->nlevel; ++l) sum += (double)size[l].entries;
  return sum > 0.0 ? sum / (double)size[0].entries : 0.0;
}

int64_t hp_amg_ranks_bytes(const hp_amg_ranks *H) {
  const int64_t rows = H->parted < H->H->nlevel ? H->part[H->parted].rows : 0;
  int64_t bytes = H->H->nlevel > 0 ? hp_amg_bytes(H->H) : 0;
  for (int l = 0; l <= H->parted && l < HP_AMG_LEVELS_MAX; ++l) {
    const hp_amg_part *p = &H->part[l];
    bytes += (p->nowned + (int64_t)p->nghost) * (int64_t)sizeof *p->point + hp_csr_bytes(p->P) + hp_csr_bytes(p->AP);
    if (p->P != NULL) bytes += hp_csr_plan_bytes(&p->plan_ap, H->H->level[l].A);
    if (p->P != NULL)
      bytes += hp_csr_plan_bytes(&p->plan_rap, l + 1 < H->parted ? H->H->level[l + 1].A : H->whole.mine);
  }
  if (rows > 0)
    bytes += hp_csr_bytes(H->parted == 0 ? H->whole.A : H->whole.mine) + hp_csr_count(H->whole.A) * 8 + rows * 12;
  return bytes;
}
