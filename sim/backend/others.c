#include "sim/backend/others.h"

#include <math.h>
#include <stdio.h>

#include "core/memory.h"
#include "core/plural.h"
#include "core/ranks/exact.h"
#include "sim/backend/ranks.h"

struct hp_others {
  hp_linear_solver *solver[HP_OTHER_SOLVERS]; /* NULL: there is none of that number */
  bool on_device[HP_OTHER_SOLVERS];
  hp_team_hub *hub[HP_OTHER_SOLVERS]; /* one a number of threads */
  int nhub;
  hp_backend_system system; /* the latest */
  double *x;                /* [n] of the solve at hand */
};

void hp_others_destroy(hp_others **slot) {
  hp_others *O = *slot;
  if (O == NULL) return;
  for (int n = 0; n < HP_OTHER_SOLVERS; ++n) hp_linear_destroy(&O->solver[n]);
  for (int n = 0; n < O->nhub; ++n) hp_team_hub_destroy(&O->hub[n]);
  HP_FREE(O->x);
  HP_FREE(*slot);
}

/* ---- making ---- */

/* A team of so many threads, one for all solvers that want it. */
static hp_status find_hub(hp_others *O, int threads, const hp_part *part, hp_team_hub **out) {
  const hp_team_options team = {.part = part};
  if (threads == 0) threads = hp_processors();
  for (int n = 0; n < O->nhub; ++n)
    if (hp_team_hub_size(O->hub[n]) == threads) {
      *out = O->hub[n];
      return HP_OK;
    }
  HP_TRY(hp_team_hub_create(threads, &team, &O->hub[O->nhub]));
  *out = O->hub[O->nhub++];
  return HP_OK;
}

static hp_ranks *ranks_of(const hp_gh *A) { return A->part != NULL ? A->part->K : NULL; }

static hp_status add(hp_others *O, int n, const hp_other_options *options) {
  const hp_gh *A = O->system.J;
  hp_device_options device = options->device;
  device.cells = A->ncell;
  hp_linear_input in = {.A = A,
                        .options = &options->linear,
                        .shape = (hp_gh *)A, /* the GPU's copies of its values come back as they are */
                        .threads = options->threads > 0 ? options->threads : 1};
  hp_status s = O->x == NULL ? HP_ALLOC(O->x, A->n) : HP_OK;
  if (options->on_device) in.opened = &device;
  else if (s == HP_OK) s = find_hub(O, options->threads, A->part, &in.hub);
  HP_TRY(hp_ranks_agree(ranks_of(A), s));
  O->on_device[n] = options->on_device;
  s = hp_ranks_agree(ranks_of(A), hp_linear_create(&in, &O->solver[n]));
  if (s != HP_OK) hp_linear_destroy(&O->solver[n]);
  return s;
}

/* ---- solving ---- */

/* |x - x1|^2 and |x1|^2 over own cells, of unknown a: sums of columns, which are added exactly. */
static void add_columns(const hp_gh *A, const double *x, const double *x1, int a, hp_exact sum[2]) {
  const int64_t *ghost = A->part != NULL ? A->part->ghost : NULL;
  int64_t next = 0, nghost = A->part != NULL ? A->part->nghost : 0;
  for (int64_t column = 0; column < A->ncell; column += A->nz) {
    double off = 0.0, size = 0.0;
    for (int64_t m = column; m < column + A->nz; ++m) {
      if (next < nghost && ghost[next] == m) {
        ++next;
        continue;
      }
      if (A->part != NULL && A->part->global[m] < 0) continue;
      const double v = x1[m * A->q + a], d = x[m * A->q + a] - v;
      off += d * d;
      size += v * v;
    }
    hp_exact_add(&sum[0], off);
    hp_exact_add(&sum[1], size);
  }
}

/* The same bits for any number of ranks. INFINITY: x is not finite, or x1 is 0 and x is not. */
static hp_status compare(const hp_gh *A, const double *x, const double *x1, double *off) {
  hp_exact *sum = NULL;
  HP_TRY(hp_ranks_agree(ranks_of(A), HP_ALLOC(sum, (int64_t)2 * HP_PHASES)));
  for (int a = 0; a < HP_PHASES; ++a) add_columns(A, x, x1, a, sum + (ptrdiff_t)2 * a);
  hp_ranks_sum(ranks_of(A), sum->place, 2 * HP_PHASES * HP_EXACT_PLACES);
  for (int a = 0; a < HP_PHASES; ++a) {
    const double d = hp_exact_value(&sum[2 * a]), size = hp_exact_value(&sum[2 * a + 1]);
    off[a] = d == 0.0 ? 0.0 : isfinite(d) && size > 0.0 ? sqrt(d / size) : INFINITY;
  }
  HP_FREE(sum);
  return HP_OK;
}

static hp_status solve(hp_others *O, int n, double times, double *history, hp_other_report *out) {
  hp_linear_solver *S = O->solver[n];
  const hp_gh *A = O->system.J;
  HP_TRY(S->ops->set_up(S, A));
  HP_TRY(hp_linear_solve_loosely(S, times, A, O->system.b, O->x, history, &out->k));
  HP_TRY(S->ops->seconds(S, &out->setup, &out->solve));
  return compare(A, O->x, O->system.x, out->off);
}

/* ---- of a backend ---- */

hp_status hp_backend_others_fetch(hp_backend *B) {
  hp_backend_system system;
  HP_TRY(B->ops->system(B, true, &system));
  if (B->others == NULL) HP_TRY(hp_ranks_agree(B->K, HP_ALLOC(B->others, 1)));
  if (system.J->part != NULL)
    hp_part_drop(system.J->part, (double *)system.b, HP_PHASES); /* as in the backend's solve */
  B->others->system = system;
  return HP_OK;
}

hp_status hp_backend_other_create(hp_backend *B, int n, const hp_other_options *options) {
  hp_other_options here = *options;
  if (B->K != NULL) HP_TRY(hp_backend_ranks_place(B, &here));
  return add(B->others, n, &here);
}

void hp_backend_others_begin_step(hp_backend *B) {
  hp_others *O = B->others;
  for (int n = 0; O != NULL && n < HP_OTHER_SOLVERS; ++n)
    if (O->solver[n] != NULL) O->solver[n]->ops->begin_step(O->solver[n]);
}

hp_status hp_backend_other_solve(hp_backend *B, int n, double *history, hp_other_report *out) {
  const hp_status s = solve(B->others, n, B->times, history, out);
  return B->K != NULL ? hp_backend_ranks_agree(B, true, B->others->on_device[n], s) : s;
}

/* Of several ranks each says where its own stands. */
hp_status hp_backend_other_report(hp_backend *B, int n, hp_linear_report *out) {
  char here[sizeof out->where];
  hp_linear_solver *S = B->others->solver[n];
  HP_TRY(hp_ranks_agree(B->K, S->ops->report(S, out)));
  if (B->K == NULL) return HP_OK;
  const int ranks = hp_ranks_size(B->K);
  snprintf(here, sizeof here, "%s", out->where);
  snprintf(out->where, sizeof out->where, "%d rank%s, of which rank 0: %.100s", ranks, hp_plural(ranks), here);
  return HP_OK;
}
