/* The solver of a deck: its choices, and what it leaves to the place; its name. */
#include <stdio.h>
#include <string.h>

#include "amg/hypre/boomeramg.h"
#include "amg/hypre/module.h"
#include "core/team/barrier.h"
#include "io/case/case.h"
#include "sim/linear/linear.h"

static bool over_ranks(hp_solver_place place) { return place == HP_SOLVER_RANKS || place == HP_SOLVER_GPU_RANKS; }

/* Cells of the whole lattice. */
static int64_t lattice_cells(const hp_case *c) { return (int64_t)c->grid->nx * c->grid->ny * c->grid->nz; }

/* Behind the weaker second stages of a GPU old numbers cost more iterations than new ones time, but on small grids, where a
 * refresh is a chain of short passes. */
static hp_cpr_refresh_when refresh_when(const hp_case *c, hp_solver_place place, hp_ordering ordering) {
  enum { BY_SOLVE_MIN = 50000 };
  if (c->refresh_given) return c->cpr_options.refresh;
  if (over_ranks(place)) return HP_CPR_BY_STEP; /* a CPU's set-up is dear */
  return ordering == HP_ORDER_NATURAL || lattice_cells(c) < BY_SOLVE_MIN ? HP_CPR_BY_STEP : HP_CPR_BY_SOLVE;
}

/* cpr, where the deck leaves the choice and it was the faster (docs/laboratory/performance.md). The keys of dilu are then
 * those of its second stage. */
static bool wants_cpr(hp_solver_place place, const hp_case *c) {
  enum { CELLS_MIN = 1000 };
  const hp_krylov_options *l = &c->linear;
  if (c->preconditioner_given) return c->cpr;
  if (place != HP_SOLVER_CPU && place != HP_SOLVER_RANKS && l->execution == HP_EXECUTION_LIBRARY) return false;
  return c->grid->nactive >= CELLS_MIN && l->method != HP_KRYLOV_QMR;
}

/* How a GPU's dilu eliminates where the deck leaves it open. Behind multigrid, bricks take half the iterations of
 * red-black; their setup is a chain of steps that small grids feel (docs/laboratory/performance.md). */
static hp_ordering device_ordering(const hp_case *c, bool cpr) {
  enum { BRICKS_MIN = 20000 };
  return cpr && lattice_cells(c) >= BRICKS_MIN ? HP_ORDER_BRICKS : HP_ORDER_RED_BLACK;
}

/* The parts of ranks are cut between bricks, so that one rank's cells do not wait for another's. */
static hp_ordering default_ordering(const hp_case *c, hp_solver_place place, bool cpr) {
  if (over_ranks(place)) return HP_ORDER_BRICKS;
  return place == HP_SOLVER_CPU ? c->linear.ordering : device_ordering(c, cpr);
}

const char *hp_linear_choose(hp_solver_place place, const hp_case *c, hp_linear_options *out) {
  const bool on_device = place == HP_SOLVER_GPU || place == HP_SOLVER_GPUS;
  hp_krylov_options *k = &out->krylov;
  *k = c->linear;
  out->cpr = c->cpr_options;
  out->uses_cpr = wants_cpr(place, c);
  if (out->uses_cpr && !c->relaxation_given) k->relaxation = 0.0;
  if (k->preconditioner == HP_PRECOND_DILU && !c->ordering_given)
    k->ordering = default_ordering(c, place, out->uses_cpr);
  if (place == HP_SOLVER_GPU_RANKS && k->execution == HP_EXECUTION_IN_KERNEL)
    k->execution = HP_EXECUTION_PER_OPERATION; /* the host exchanges ghosts between kernels */
  out->cpr.ordering = k->ordering;
  out->cpr.precision = k->precision;
  out->cpr.relaxation = k->relaxation;
  out->cpr.refresh = refresh_when(c, place, k->ordering);
  if (on_device && !c->sweeps_given) out->cpr.amg.pre = 0;
  const char *refusal = hp_linear_refusal(out, place);
  const bool foreign = out->uses_cpr && out->cpr.whose == HP_CPR_AMG_HYPRE;
  return refusal == NULL && foreign ? hp_hypre_refusal() : refusal;
}

const char *hp_linear_refusal(const hp_linear_options *o, hp_solver_place place) {
  return o->uses_cpr ? hp_cpr_refusal(&o->cpr, &o->krylov, place) : hp_krylov_refusal(&o->krylov, NULL, place);
}

bool hp_linear_cuts_bricks(const hp_linear_options *s) { return s->krylov.preconditioner == HP_PRECOND_DILU; }

void hp_linear_describe_precond(const hp_linear_options *s, char *out, size_t size) {
  const hp_amg_options *m = &s->cpr.amg;
  const bool hypre = s->cpr.whose == HP_CPR_AMG_HYPRE, rows = !hypre && m->format != HP_AMG_FORMAT_AUTO;
  if (s->uses_cpr)
    snprintf(out, size, "cpr (%s, %s%s, %s, %s%s%s), then %s", hp_cpr_weights_name(s->cpr.weights),
             hypre ? "hypre's " : "", hp_amg_coarsening_name(m->coarsening),
             hypre ? hp_hypre_interpolation_name(m->interpolation) : hp_amg_interpolation_name(m->interpolation),
             hypre ? hp_hypre_smoother_name(m->smoother, hp_ranks_world() != NULL) : hp_amg_smoother_name(m->smoother),
             rows ? ", rows in " : "", rows ? hp_amg_format_name(m->format) : "", hp_precond_name(HP_PRECOND_DILU));
  else snprintf(out, size, "%s", hp_precond_name(s->krylov.preconditioner));
}

void hp_linear_describe_solver(const hp_linear_options *s, char *out, size_t size) {
  const hp_krylov_options *l = &s->krylov;
  char precond[160], order[64] = "", matrix[48] = "", execution[48] = "";
  hp_linear_describe_precond(s, precond, sizeof precond);
  if (l->preconditioner == HP_PRECOND_DILU)
    snprintf(order, sizeof order, " (%s, %s)", hp_ordering_name(l->ordering), hp_precision_name(l->precision));
  if (l->matrix != HP_SPARSE_GH) snprintf(matrix, sizeof matrix, ", matrix %s", hp_sparse_name(l->matrix));
  if (l->execution != HP_EXECUTION_IN_KERNEL)
    snprintf(execution, sizeof execution, ", %s", hp_execution_name(l->execution));
  if (l->specialise) snprintf(execution, sizeof execution, ", specialised");
  if (l->barrier > 0) {
    const size_t n = strlen(execution);
    snprintf(execution + n, sizeof execution - n, ", barrier %s", hp_barrier_name((hp_barrier_kind)(l->barrier - 1)));
  }
  snprintf(out, size, "%s, %s%s%s%s, tolerance %g", hp_krylov_method_name(l->method), precond, order, matrix, execution,
           l->tolerance);
}
