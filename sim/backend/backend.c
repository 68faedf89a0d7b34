#include "sim/backend/backend.h"

#include <stdio.h>
#include <string.h>

#include "core/show.h"
#include "sim/part/pieces.h"

static const char *const names[HP_BACKEND_COUNT] = {"cpu", "cuda"};

HP_WORD_OF(hp_backend_name, hp_backend_kind, names)
HP_WORD_FIND(hp_backend_find, hp_backend_kind, names)

hp_solver_place hp_backend_place(hp_backend_kind kind, bool ranks) {
  if (kind == HP_BACKEND_CPU) return ranks ? HP_SOLVER_RANKS : HP_SOLVER_CPU;
  return ranks ? HP_SOLVER_GPU_RANKS : HP_SOLVER_GPU;
}

hp_status hp_backend_available(hp_backend_kind kind) { return kind == HP_BACKEND_CUDA ? hp_device_available() : HP_OK; }

hp_status hp_backend_ahead(hp_backend_kind kind, const hp_device_options *device, hp_device_ahead **out) {
  *out = NULL;
  if (kind != HP_BACKEND_CUDA) return HP_OK;
  if (hp_ranks_world() != NULL) return hp_device_available(); /* each rank opens its own */
  HP_TRY(hp_device_in_build());
  return hp_backend_device_ahead(device, out);
}

hp_status hp_backend_create(hp_backend_kind kind, const hp_backend_input *in, hp_backend **out) {
  *out = NULL;
  if (hp_ranks_world() != NULL) return hp_backend_ranks_create(hp_ranks_world(), kind, in, out);
  switch (kind) {
    case HP_BACKEND_CPU: return hp_backend_cpu_create(in, out);
    case HP_BACKEND_CUDA: HP_TRY(hp_device_in_build()); return hp_backend_device_create(in, out);
    case HP_BACKEND_COUNT: break;
  }
  return hp_fail(HP_ERR_INTERNAL, "there is no backend %d", (int)kind);
}

void hp_backend_destroy(hp_backend **B) {
  if (B == NULL || *B == NULL) return;
  hp_gh_here_clear(&(*B)->here);
  hp_others_destroy(&(*B)->others);
  (*B)->ops->destroy(B);
}

/* ---- arrays ---- */

hp_array hp_backend_array(const hp_backend *B, hp_array a) {
  const bool plain = hp_array_entries()[a].role == HP_ROLE_OWN && !B->shown;
  return plain ? hp_array_shown(a) : a;
}

void *hp_backend_cell(const hp_backend *B, hp_array a) { return *hp_reservoir_array(B->res, hp_backend_array(B, a)); }

void hp_backend_begin_put(hp_backend *B, hp_arrays set) {
  if ((set & HP_ARRAYS_OWN) != 0) B->shown = (set & HP_ARRAYS_SHOWN) != 0;
}

hp_status hp_backend_put(hp_backend *B, hp_arrays set) {
  hp_backend_begin_put(B, set);
  return B->ops->put(B, set & (B->has | ~HP_ARRAYS_ALL));
}

hp_status hp_backend_get(hp_backend *B, hp_arrays set) {
  hp_arrays others = set & ~HP_ARRAYS_ALL, cells = 0;
  HP_FOR_ARRAYS(a, set & B->has) cells |= HP_ARRAY_BIT(hp_backend_array(B, (hp_array)a));
  if (cells != 0) HP_TRY(hp_ranks_agree(B->K, hp_reservoir_make(B->res, cells)));
  return B->ops->get(B, cells | others);
}

/* ---- the system ---- */

/* Pieces of all ranks come by requests of rank 0, which writes files (sim/simulator/files.h). */
hp_status hp_backend_pieces(hp_backend *B, hp_gh_source *out) {
  hp_backend_system system;
  HP_TRY(B->ops->system(B, true, &system));
  B->here.A[HP_GH_LATEST] = system.J;
  B->here.b = system.b;
  B->here.x = system.x;
  B->here.active = B->res->active;
  *out = hp_gh_here_source(&B->here);
  if (B->D == NULL) return HP_OK;
  return hp_ranks_agree(B->K, B->here.column == NULL ? hp_subdomain_list_columns(B->D, &B->here) : HP_OK);
}

hp_status hp_backend_keep(hp_backend *B, hp_gh_which which) {
  hp_backend_system system;
  HP_TRY(B->ops->system(B, true, &system));
  return hp_ranks_agree(B->K, hp_gh_here_keep(&B->here, which, system.J));
}

hp_status hp_backend_jacobian(hp_backend *B, double dt, bool off_kinks, hp_jacobian_errors *out) {
  HP_TRY(hp_backend_get(B, HP_ARRAYS_STATE | HP_SET_WELLS));
  return hp_jacobian_compare(B, dt, off_kinks, out);
}

/* ---- the state ---- */

hp_status hp_backend_regions(hp_backend *B, int first, int count, hp_region_totals *total) {
  enum { WORDS = sizeof(hp_region_totals) / sizeof(int64_t) };
  HP_TRY(hp_backend_get(B, HP_ARRAYS_STATE));
  memset(total, 0, (size_t)count * sizeof *total);
  hp_regions_add(B->res, B->res->ncell, B->region, first, count, total);
  hp_ranks_sum(B->K, (int64_t *)(void *)total, count * WORDS);
  return HP_OK;
}

hp_status hp_backend_rigid(hp_backend *B, bool *all) {
  HP_TRY(hp_backend_get(B, HP_ARRAYS_STATE));
  int64_t others = !hp_reservoir_is_all_rigid(B->res);
  hp_ranks_sum(B->K, &others, 1);
  *all = others == 0;
  return HP_OK;
}

int64_t hp_backend_place_of(const hp_backend *B, int64_t cell) {
  return B->D != NULL ? hp_subdomain_place(B->D, cell) : cell;
}

const char *hp_backend_linear(hp_backend_kind kind, const hp_case *c, hp_linear_options *out) {
  return hp_linear_choose(hp_backend_place(kind, hp_ranks_world() != NULL), c, out);
}

/* ---- memory and traffic ---- */

/* For a cell. */
static int64_t inverse_bytes(const hp_krylov_options *l) {
  return hp_precond_inverse_bytes(l->preconditioner, HP_PHASES);
}
static int64_t pack_bytes(const hp_krylov_options *l) {
  return hp_precond_pack_bytes(l->preconditioner, l->precision, HP_PHASES);
}

hp_status hp_backend_solve(hp_backend *B, const hp_gh *J, double times, const double *b, double *x,
                           hp_krylov_report *out, double *seconds) {
  const hp_linear_ops *ops = B->linear->ops;
  const double matrix = (double)hp_gh_bytes(J);
  int before = 0;
  *seconds = 0.0;
  B->times = times;
  for (bool again = true; again; before = out->iterations) {
    double setup, solve;
    HP_TRY(ops->set_up(B->linear, J));
    HP_TRY(hp_linear_solve_loosely(B->linear, times, J, b, x, B->history != NULL ? B->history + before : NULL, out));
    HP_TRY(ops->seconds(B->linear, &setup, &solve));
    hp_profile_add(B->profile, HP_PROF_SETUP, setup, matrix);
    hp_profile_add(B->profile, HP_PROF_SOLVE, solve, (double)out->products * matrix);
    *seconds += setup + solve;
    again = ops->solved(B->linear, out);
    out->iterations += before;
  }
  return HP_OK;
}

hp_status hp_backend_solve_error(hp_backend *B, const hp_gh *J, double times, const double *b, double *x,
                                 hp_krylov_report *k, bool *found, double *seconds) {
  const hp_linear_ops *ops = B->linear->ops;
  double setup, solve;
  HP_TRY(ops->set_up(B->linear, J));
  HP_TRY(hp_linear_solve_loosely(B->linear, times, J, b, x, NULL, k));
  HP_TRY(ops->seconds(B->linear, &setup, &solve));
  *seconds = setup + solve;
  *found = k->reason != HP_KRYLOV_NOT_FINITE && k->reason != HP_KRYLOV_SINGULAR && isfinite(k->residual) &&
           k->residual <= 0.5 * k->norm_b;
  hp_profile_add(B->profile, HP_PROF_ERROR, *seconds, (double)k->products * (double)hp_gh_bytes(J));
  return HP_OK;
}

int64_t hp_backend_step_bytes(const hp_grid *g, const hp_krylov_options *l, hp_arrays has) {
  const int64_t q = HP_PHASES, word = sizeof(double);
  const int64_t step = word * HP_CELL_NFIELDS + hp_arrays_bytes(has & ~HP_ARRAYS_STATE);
  const int64_t matrix = word * HP_GH_DIAGS * q * q,
                vectors = word * q * (3 + hp_krylov_vectors(l->method, l->restart));
  const bool as_csr = l->execution == HP_EXECUTION_LIBRARY && l->matrix == HP_SPARSE_GH;
  const int64_t other = hp_sparse_estimate(as_csr ? HP_SPARSE_CSR : l->matrix, g->ncell, (int)q);
  return g->ncell * (step + matrix + vectors + inverse_bytes(l) + pack_bytes(l)) + other;
}

int64_t hp_backend_region_bytes(const hp_case *c) {
  const hp_fluid_spec *r = &c->fluid;
  const bool several = r->of_sat != NULL || r->of_pvt != NULL || r->of_rock != NULL;
  bool ends = c->initial.water != NULL;
  bool imbibed = false;
  size_t faces = 0;
  for (int n = 0; n < HP_ENDS; ++n) ends = ends || r->end[n] != NULL;
  for (int n = 0; n < HP_ENDS; ++n) imbibed = imbibed || r->imbibition_end[n] != NULL;
  for (int n = 0; n < HP_FACES; ++n) faces += r->of_face[n] != NULL ? sizeof *r->of_face[n] : 0;
  return c->grid->ncell *
         (int64_t)((several ? sizeof *r->of_sat : 0) + faces + (ends + imbibed) * sizeof(hp_sat_scale));
}

/* Bytes a cell of properties and assembly; docs/laboratory/performance.md lists what they are. The GPU evaluates the
 * accumulation twice where the CPU writes and reads it, and stores fewer properties. */
static double evaluation_bytes(const hp_backend *B, hp_profile_op op, bool jacobian) {
  const double word = sizeof(double), q = HP_PHASES, block = jacobian ? q * q : 0.0;
  const double flags = 1.0, geometry = 4.0, row = q + HP_GH_DIAGS * block; /* words: depth, T; R and J */
  const double region = (double)hp_reservoir_region_bytes(B->res);
  if (B->device) {
    const double properties = 2.0 * HP_CELL_PAIRS;
    return region + (op == HP_PROF_PROPERTIES ? word * (2.0 + properties)
                                              : flags + word * (3.0 + q + properties + geometry + 2.0 * q + row));
  }
  const double accumulation = 2.0 * q + block; /* scale, R, diagonal block: written, then read */
  return op == HP_PROF_PROPERTIES ? region + word * (3.0 + q + HP_CELL_NFIELDS + q + accumulation)
                                  : flags + word * (HP_CELL_NFIELDS + geometry + accumulation + row);
}

/* Bytes a cell of what else the programs do. */
static double other_bytes(hp_step_program program) {
  switch (program) {
    case HP_STEP_UPDATE: return 49.0; /* x; p and s twice; active */
    case HP_STEP_BEGIN:
    case HP_STEP_RESTORE: return 32.0;
    case HP_STEP_ACCEPT: return 121.0; /* mass, R, scale, old mass; s and old s; pore volume, mass, p, s, active */
    case HP_STEP_START: return 73.0;   /* mass and old mass; as the last five above */
    case HP_STEP_SHOW: return 73.0;    /* p, s, old p and s: read or written; x, pore volume, active */
    default: return 41.0;              /* norms: R, b, pore volume, active */
  }
}

void hp_backend_count(hp_backend *B, hp_step_program program) {
  const double cells = (double)B->res->ncell;
  const bool jacobian = program == HP_STEP_ASSEMBLE;
  hp_profile_add(B->profile, HP_PROF_UPDATE, 0.0, cells * other_bytes(program));
  if (!jacobian && program != HP_STEP_RESIDUAL) return;
  hp_profile_add(B->profile, HP_PROF_PROPERTIES, 0.0, cells * evaluation_bytes(B, HP_PROF_PROPERTIES, jacobian));
  hp_profile_add(B->profile, HP_PROF_ASSEMBLY, 0.0, cells * evaluation_bytes(B, HP_PROF_ASSEMBLY, jacobian));
  hp_profile_add(B->profile, HP_PROF_WELLS, 0.0, 0.0);
}

void hp_backend_add_seconds(hp_backend *B, const hp_step_report *report) {
  for (int op = 0; op < HP_PROF_COUNT; ++op) B->profile->op[op].seconds += report->seconds[op];
}
