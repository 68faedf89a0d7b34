#include "amg/cpr/cpr.h"

#include "amg/cpr/cpr.inl.h"
#include "core/memory.h"
#include "core/show.h"

static const char *const weights_names[] = {
#define TEXT_OF(name, text) text,
    HP_CPR_WEIGHTS_LIST(TEXT_OF)};
static const char *const amg_names[] = {HP_CPR_AMG_LIST(TEXT_OF)};
#undef TEXT_OF

HP_WORD_OF(hp_cpr_amg_name, hp_cpr_amg, amg_names)
HP_WORD_OF(hp_cpr_weights_name, hp_cpr_weights, weights_names)

hp_cpr_options hp_cpr_default_options(void) {
  hp_cpr_options opt = {.weights = HP_CPR_TRUE_IMPES,
                        .rebuild = HP_CPR_EACH_RUN,
                        .refresh = HP_CPR_BY_STEP,
                        .ordering = HP_ORDER_NATURAL,
                        .precision = HP_PRECISION_SINGLE,
                        .relaxation = 0.0};
  opt.amg = hp_amg_default_options();
  opt.amg.smoother = HP_AMG_DAMPED_JACOBI;
  opt.amg.damping = 0.8;
  opt.amg.precision = HP_PRECISION_SINGLE;
  opt.amg.slice = HP_AMG_SLICE;
  return opt;
}

static const char *options_refusal(const hp_cpr_options *opt) {
  if ((unsigned)opt->weights >= HP_CPR_WEIGHTS_COUNT) return "unknown weights of the pressure system";
  if ((unsigned)opt->rebuild >= HP_CPR_REBUILD_COUNT) return "unknown time of rebuilding";
  if ((unsigned)opt->refresh >= HP_CPR_REFRESH_COUNT) return "unknown time of refreshing";
  if ((unsigned)opt->whose >= HP_CPR_AMG_COUNT) return "unknown multigrid";
  return hp_amg_refusal(&opt->amg, HP_SOLVER_ANY);
}

const char *hp_cpr_refusal(const hp_cpr_options *opt, const hp_krylov_options *around, hp_solver_place place) {
  hp_krylov_options k = around != NULL ? *around : (hp_krylov_options){.method = HP_KRYLOV_BICGSTAB};
  const char *refusal = options_refusal(opt);
  if (refusal != NULL) return refusal;
  k.ordering = opt->ordering;
  k.precision = opt->precision;
  k.relaxation = opt->relaxation;
  hp_choices choices = hp_krylov_choices(&k, place);
  hp_amg_choices(&opt->amg, &choices);
  choices.of[HP_CHOICE_PRECONDITIONER] = "cpr";
  choices.of[HP_CHOICE_AMG] = hp_cpr_amg_name(opt->whose);
  return hp_combination_refusal(&choices);
}

static int64_t setup(hp_team *t, void *data, const hp_gh *A) { return hp_cpr_setup(t, data, A); }

static void apply(hp_team *t, const void *data, const hp_gh *A, const double *r, double *z) {
  hp_cpr_apply(t, data, A, r, z);
}

/* number, cell, weight, rp, xp, xc, residual. */
int64_t hp_cpr_vector_bytes(int64_t ncell, int q) {
  return ncell * ((int64_t)(sizeof(int32_t) + sizeof(int64_t)) + (int64_t)sizeof(double) * (3 + 2 * q));
}

static hp_status allocate(hp_cpr *C, const hp_gh *A, bool first) {
  HP_TRY(HP_ALLOC(C->number, A->ncell));
  HP_TRY(HP_ALLOC(C->cell, A->ncell));
  HP_TRY(HP_ALLOC(C->weight, A->rows));
  HP_TRY(HP_ALLOC(C->rp, A->ncell + A->wells.nwell));
  HP_TRY(HP_ALLOC(C->xp, A->ncell + A->wells.nwell));
  HP_TRY(HP_ALLOC(C->xc, A->ncell + (A->part != NULL ? A->wells.nwell : 0)));
  HP_TRY(HP_ALLOC(C->residual, first ? 0 : A->n));
  C->vector_bytes = hp_cpr_vector_bytes(A->ncell, A->q);
  C->apply_bytes = hp_cpr_apply_bytes(A, &C->opt, 0);
  HP_TRY(hp_amg_create(&C->opt.amg, &C->H));
  HP_TRY(A->part != NULL ? hp_cpr_part_create(A, C) : hp_cpr_other_create(C->opt.whose, &C->other));
  if (first) return HP_OK;
  return hp_precond_create(A, HP_PRECOND_DILU, C->opt.ordering, C->opt.precision, C->opt.relaxation, NULL, &C->second);
}

static hp_status create(const hp_gh *A, const hp_cpr_options *opt, bool first, hp_cpr **out) {
  *out = NULL;
  const char *refusal = hp_cpr_refusal(opt, NULL, HP_SOLVER_ANY);
  if (refusal != NULL) return hp_fail(HP_ERR_USAGE, "cpr: %s", refusal);
  hp_cpr *C = NULL;
  HP_TRY(HP_ALLOC(C, 1));
  C->opt = *opt;
  C->stale = true;
  C->pace.due = true;
  C->external.name = "cpr";
  C->external.data = C;
  C->external.setup = setup;
  C->external.apply = apply;
  const hp_status s = allocate(C, A, first);
  if (s != HP_OK) hp_cpr_destroy(&C);
  *out = C;
  return s;
}

hp_status hp_cpr_create(const hp_gh *A, const hp_cpr_options *opt, hp_cpr **out) { return create(A, opt, false, out); }

hp_status hp_cpr_create_first(const hp_gh *A, const hp_cpr_options *opt, hp_cpr **out) {
  return create(A, opt, true, out);
}

void hp_cpr_destroy(hp_cpr **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_cpr *C = *slot;
  hp_amg_destroy(&C->H);
  hp_cpr_other_destroy(&C->other);
  hp_cpr_part_destroy(&C->part);
  hp_csr_destroy(&C->Ap);
  hp_precond_destroy(&C->second);
  HP_FREE(C->number);
  HP_FREE(C->cell);
  HP_FREE(C->weight);
  HP_FREE(C->rp);
  HP_FREE(C->xp);
  HP_FREE(C->xc);
  HP_FREE(C->residual);
  HP_FREE(*slot);
}

const hp_precond_external *hp_cpr_precond(const hp_cpr *C) { return &C->external; }

void hp_cpr_rebuild(hp_cpr *C) { C->stale = true; }

void hp_cpr_begin_step(hp_cpr *C) {
  if (C->opt.rebuild == HP_CPR_EACH_STEP) hp_cpr_rebuild(C);
  C->pace.due = true;
  C->pace.setups = 0;
}

bool hp_cpr_pace_is_due(const hp_cpr_pace *p, hp_cpr_refresh_when refresh) {
  return p->due || (refresh == HP_CPR_BY_SOLVE && p->setups < HP_CPR_FRESH);
}

void hp_cpr_pace_set_up(hp_cpr_pace *p, bool fresh) {
  p->fresh = fresh;
  p->due = false;
  p->setups += 1;
}

bool hp_cpr_is_due(const hp_cpr *C) { return C->stale || hp_cpr_pace_is_due(&C->pace, C->opt.refresh); }

void hp_cpr_keep(hp_cpr *C) { hp_cpr_pace_set_up(&C->pace, false); }

void hp_cpr_refreshed(hp_cpr *C, double seconds) {
  hp_cpr_pace_set_up(&C->pace, true);
  C->counts.refreshes += 1;
  C->counts.refresh_seconds += seconds;
}

void hp_cpr_sources(const hp_cpr *C, const hp_gh *A, int32_t *source) {
  for (int32_t i = 0; i < C->Ap->nrow; ++i) hp_cpr_row(C, A, i, NULL, NULL, source + C->Ap->begin[i]);
}

bool hp_cpr_pace_solved(hp_cpr_pace *p, const hp_krylov_report *report) {
  const bool failed = report->reason != HP_KRYLOV_CONVERGED;
  if (p->fresh) p->iterations = report->iterations;
  else p->due = failed || report->iterations > 2 * p->iterations + 2;
  return failed && !p->fresh;
}

bool hp_cpr_solved(hp_cpr *C, const hp_krylov_report *report) { return hp_cpr_pace_solved(&C->pace, report); }

hp_status hp_cpr_status(const hp_cpr *C) { return C->status; }

/* Whether m, of cells that are asked for one after the other, is a ghost; *at: ghosts before it. */
static bool is_ghost(const hp_part *p, int64_t m, int64_t *at) {
  while (*at < p->nghost && p->ghost[*at] < m) *at += 1;
  return *at < p->nghost && p->ghost[*at] == m;
}

/* The rows of A_p, numbered by member 0. Perforated cells always have one, for the wells' rows name them. */
static void number_cells(hp_team *t, hp_cpr *C, const hp_gh *A) {
  const hp_gh_wells *W = &A->wells;
  HP_TEAM_FOR(t, m, A->ncell) C->number[m] = hp_cpr_is_coupled(A, m) ? 0 : -1;
  hp_team_sync(t); /* which cells have a row */
  if (t->rank != 0) return;
  for (int r = 0; r < W->nrun; ++r)
    for (int64_t n = 0; n < W->c[r]; ++n) C->number[W->b[r] + n] = 0;
  int64_t ghost = 0;
  C->ncp = 0;
  for (int64_t m = 0; m < A->ncell; ++m)
    if (C->number[m] == 0 && (A->part == NULL || !is_ghost(A->part, m, &ghost))) {
      C->cell[C->ncp] = m;
      C->number[m] = C->ncp++;
    }
}

/* Allocates the rows of A_p, by one member; keeps the previous build's arrays where they are large enough. */
static hp_status make_room(hp_cpr *C, const hp_gh *A) {
  const hp_cpr_part *P = C->part;
  const int64_t n = C->ncp + (int64_t)(P != NULL ? P->nowned : A->wells.nwell),
                columns = n + (P != NULL ? P->nghost : 0);
  if (C->Ap != NULL && C->Ap->nrow == n && C->Ap->ncol == columns) return HP_OK;
  hp_csr_destroy(&C->Ap);
  return hp_csr_create(n, columns, HP_GH_DIAGS * (int64_t)C->ncp + A->links.count + 2 * A->wells.nperf + A->wells.nwell,
                       &C->Ap);
}

/* Leaves the couplings alone in the cells' rows of A_p: the diagonal becomes what makes their sum zero. */
static void drop_accumulation(hp_team *t, const hp_cpr *C) {
  const hp_csr *Ap = C->Ap;
  HP_TEAM_FOR(t, i, C->ncp) {
    double couplings = 0.0, *diagonal = NULL;
    for (int64_t k = Ap->begin[i]; k < Ap->begin[i + 1]; ++k)
      if (Ap->column[k] == i) diagonal = &Ap->value[k];
      else couplings -= Ap->value[k];
    if (diagonal != NULL && couplings > 0.0) *diagonal = couplings;
  }
}

hp_status hp_cpr_make(hp_team *t, hp_cpr *C, const hp_gh *A) {
  number_cells(t, C, A);
  if (t->rank == 0) {
    C->status = C->part != NULL ? hp_cpr_part_number(C, A) : HP_OK;
    if (C->status == HP_OK) C->status = make_room(C, A);
    if (C->part != NULL) C->status = hp_ranks_agree(A->part->K, C->status);
  }
  hp_team_sync(t); /* numbers, room and status */
  if (C->status != HP_OK) return C->status;
  hp_csr *Ap = C->Ap;
  HP_TEAM_FOR(t, i, Ap->nrow) Ap->begin[i + 1] = (uint32_t)hp_cpr_row(C, A, i, NULL, NULL, NULL);
  hp_team_sync(t); /* the rows' lengths */
  if (t->rank == 0)
    for (int32_t i = 0; i < Ap->nrow; ++i) Ap->begin[i + 1] += Ap->begin[i];
  hp_team_sync(t); /* where they begin */
  HP_TEAM_FOR(t, i, Ap->nrow) hp_cpr_row(C, A, i, Ap->column + Ap->begin[i], Ap->value + Ap->begin[i], NULL);
  hp_team_sync(t); /* the pressure system */
  if (C->other != NULL) {
    hp_cpr_other_build(t, C);
    if (hp_cpr_other_status(C->other) == HP_OK) hp_cpr_other_set_up(t, C);
    return hp_cpr_other_status(C->other);
  }
  if (C->part != NULL && C->part->hypre != NULL) return hp_cpr_part_build(t, C);
  drop_accumulation(t, C);
  hp_team_sync(t); /* its couplings */
  const hp_status s = C->part != NULL ? hp_cpr_part_build(t, C) : hp_amg_build_by(t, C->H, Ap, A->wells.nwell);
  if (s == HP_OK && !C->numbers_apart) hp_cpr_refresh(t, C, A);
  return s;
}

void hp_cpr_make_numbers(hp_team *t, const hp_cpr *C, const hp_gh *A) { hp_cpr_refresh(t, C, A); }

/* ---- memory ---- */

static int64_t cpr_bytes(const hp_cpr *C) {
  return C->vector_bytes + hp_csr_bytes(C->Ap) + hp_amg_bytes(C->H) + (C->second != NULL ? C->second->bytes : 0);
}

int64_t hp_cpr_apply_bytes(const hp_gh *A, const hp_cpr_options *opt, int64_t cycle) {
  const int64_t word = sizeof(double), cells = A->ncell * word, rows = A->n * word;
  const int64_t weights = opt->weights != HP_CPR_TRUE_IMPES ? A->rows * word : 0;
  const int64_t restriction = rows + weights + cells, residual = HP_GH_DIAGS * A->rows * word + cells + 2 * rows;
  const int64_t second = hp_precond_apply_bytes(A, HP_PRECOND_DILU, opt->ordering, opt->precision);
  return restriction + cycle + residual + second + cells + 2 * rows;
}

hp_cpr_state hp_cpr_get_state(const hp_cpr *C) {
  hp_amg_size size[HP_AMG_LEVELS_MAX];
  hp_amg_sizes(C->H, size);
  const int64_t cycle = hp_amg_cycle_traffic(&C->opt.amg, false, C->H->lu != NULL, C->H->nlevel, size);
  hp_cpr_state s = {.counts = C->counts,
                    .levels = C->H->nlevel,
                    .complexity = hp_amg_operator_complexity(C->H),
                    .bytes = cpr_bytes(C),
                    .apply_bytes = C->H->nlevel > 0 ? C->apply_bytes + cycle : 0};
  if (C->other != NULL) hp_cpr_other_describe(C->other, &s);
  if (C->part != NULL) hp_cpr_part_describe(C, &s);
  return s;
}
