/* Time steps on one GPU, or on several that work as one: the programs of sim/step/step.inl.h, each inside one
 * cooperative kernel, on copies of reservoir, wells and matrix in its memory. Where the reservoir is a rank's part, sums are
 * added up over ranks when a kernel has ended (core/device/part.h).
 *
 * A Newton iteration is three launches (assembly with norms, linear solve,
 * update) and waits twice: for the norms, on which the next one depends, and for
 * the report of the solve. Reports and the wells' rows stand in one small piece
 * of memory, so that each wait costs one copy.
 */
#include <stdio.h>
#include <string.h>

#include "amg/cpr/device.h"
#include "core/device/part.h"
#include "core/memory.h"
#include "linsolve/krylov/device.h"
#include "sim/backend/backend.h"
#include "sim/backend/cuda/aquifers.cuh"
#include "sim/backend/cuda/memory.cuh"
#include "sim/backend/cuda/reservoir.cuh"
#include "sim/backend/cuda/wells.cuh"
#include "sim/step/cuda/kernels.cuh"

struct gpu {
  hp_backend base;
  hp_device *D;
  hp_gh *shape; /* of the host, without values until `system` asks for them */
  hp_step_args args;
  const hp_step_kernel *kernels; /* [HP_STEP_COUNT] for what the deck has */
  hp_scratch_device scratch;
  hp_wells_device wells;
  hp_aquifers_device aquifers;
  const hp_part *part; /* of a rank; NULL: one process */
  hp_aquifers *influx; /* of its part, whose steps rank 0 counts; NULL: none */
  hp_compaction_device compaction;
  char *result;                  /* device: hp_step_report, then [nwell] hp_step_well */
  char *back;                    /* host: a copy of it */
  double counted[HP_PROF_COUNT]; /* seconds of the device's latest report: they add up there */
  double *R, *b, *x;             /* host [n], for `system` */
  int64_t bus_bytes, bus_calls;  /* in the profile already */
  int64_t field_bytes;           /* of cell arrays fetched for output */
};

/* ---- what crosses ---- */

static int64_t array_bytes(const gpu *C, hp_array a) { return hp_array_bytes(a) * C->args.res.ncell; }

static hp_status put_trans(gpu *C, const hp_reservoir *from) {
  const hp_reservoir *to = &C->args.res;
  const int64_t word = sizeof(double);
  for (int d = 0; d < HP_DIRS; ++d)
    HP_TRY(hp_device_upload(C->D, (void *)to->trans[d], from->trans[d], to->ncell * word));
  return hp_device_upload(C->D, (void *)to->link_trans, from->link_trans, from->links.count / 2 * word);
}

static hp_status cuda_put(hp_backend *B, hp_arrays set) {
  gpu *C = (gpu *)B;
  C->args.step.shown = B->shown;
  HP_FOR_ARRAYS(n, set) {
    const hp_array a = hp_backend_array(B, (hp_array)n);
    HP_TRY(hp_device_upload(C->D, *hp_reservoir_array(&C->args.res, a), hp_backend_cell(B, a), array_bytes(C, a)));
  }
  if ((set & (HP_ARRAYS_STATE | HP_ARRAYS_OWN)) != 0) hp_aquifers_device_renew(&C->aquifers);
  if ((set & HP_SET_TRANS) != 0) HP_TRY(put_trans(C, B->res));
  return (set & HP_SET_WELLS) != 0 ? hp_wells_device_put(&C->wells, B->wells) : HP_OK;
}

static hp_status cuda_get(hp_backend *B, hp_arrays set) {
  gpu *C = (gpu *)B;
  const double t0 = hp_now();
  int64_t bytes = 0;
  HP_FOR_ARRAYS(a, set) {
    const int64_t size = array_bytes(C, (hp_array)a);
    HP_TRY(hp_device_download(C->D, *hp_reservoir_array(B->res, (hp_array)a),
                              *hp_reservoir_array(&C->args.res, (hp_array)a), size));
    bytes += size;
  }
  C->field_bytes += bytes;
  if (bytes > 0) hp_profile_add(B->profile, HP_PROF_FIELDS, hp_now() - t0, (double)bytes);
  return (set & HP_SET_WELLS) != 0 ? hp_wells_device_get(&C->wells, B->wells) : HP_OK;
}

static hp_status cuda_system(hp_backend *B, bool matrix, hp_backend_system *out) {
  gpu *C = (gpu *)B;
  hp_gh *J = C->shape;
  const int64_t word = sizeof(double);
  if (C->R == NULL) HP_TRY(HP_ALLOC(C->R, J->n)); /* the device's is not kept in a solve, b is -R */
  if (C->b == NULL) HP_TRY(HP_ALLOC(C->b, J->n));
  if (B->res->scale == NULL) HP_TRY(HP_ALLOC(B->res->scale, J->rows));
  if (J->h == NULL) HP_TRY(hp_gh_allocate(J));
  HP_TRY(hp_device_download(C->D, C->b, C->args.step.b, J->n * word));
  for (int64_t i = 0; i < J->n; ++i) C->R[i] = -C->b[i];
  HP_TRY(hp_device_download(C->D, B->res->scale, C->args.res.scale, J->rows * word));
  out->J = J;
  out->R = C->R;
  out->b = C->b;
  out->x = NULL;
  if (!matrix) return HP_OK;
  if (C->x == NULL) HP_TRY(HP_ALLOC(C->x, J->n));
  HP_TRY(hp_device_download(C->D, C->x, C->args.step.x, J->n * word));
  out->x = C->x;
  return hp_gh_device_download_values(C->D, &C->args.J, J);
}

/* ---- operations ---- */

/* Time of an operation beyond the device's own: launches, small copies, waiting for them. */
static void count_bus(gpu *C, double seconds) {
  const hp_device_traffic t = hp_device_get_traffic(C->D);
  const int64_t bytes = t.to_device + t.to_host - C->field_bytes, calls = t.launches + t.copies;
  hp_profile_entry *e = &C->base.profile->op[HP_PROF_BUS];
  e->seconds += seconds > 0.0 ? seconds : 0.0;
  e->calls += calls - C->bus_calls;
  e->bytes += (double)(bytes - C->bus_bytes);
  C->bus_calls = calls;
  C->bus_bytes = bytes;
}

static hp_status launch(gpu *C, hp_step_program program, double dt, bool control) {
  C->args.dt = dt;
  C->args.jacobian = program == HP_STEP_ASSEMBLE;
  C->args.control = control;
  HP_TRY(hp_team_launch(C->D, C->kernels[program].kernel, &C->args, 0, C->kernels[program].what));
  hp_backend_count(&C->base, program);
  return HP_OK;
}

/* The largest value of all ranks, and its cell in the whole grid. */
static void all_ranks_max(const hp_part *p, double *value, int64_t *cell) {
  *cell = hp_part_global(p, *cell);
  hp_ranks_max_at(p->K, value, cell);
}

/* A report of the rank's part becomes that of all ranks: sums in the order in which the program makes them. */
static hp_status conclude(gpu *C, hp_step_program program, double dt, hp_step_report *out) {
  const bool starts = program == HP_STEP_START, accepts = program == HP_STEP_ACCEPT;
  const bool norms = program == HP_STEP_ASSEMBLE || program == HP_STEP_RESIDUAL;
  const bool error = accepts && C->args.res.error != NULL, carries = program == HP_STEP_ERROR;
  const bool shows = program == HP_STEP_SHOW && C->args.step.correction.again == 0;
  const bool measures = shows && C->args.step.correction.measures != 0;
  const bool place = starts || accepts || (shows && !measures);
  const int count = 2 * norms + 2 * error + HP_STEP_CORRECTED * carries + 3 * HP_PHASES * measures + 6 * place;
  hp_step_sums *S = &out->sums;
  double sum[HP_SUMS_MAX];
  int n = 0;
  if (count == 0) return HP_OK;
  HP_TRY(hp_device_sum(C->D, count, sum));
  for (int a = 0; a < HP_PHASES && norms; ++a) {
    S->norms.sum[a] = sum[n++];
    all_ranks_max(C->part, &S->norms.largest[a], &S->norms.worst[a]);
  }
  if (norms) all_ranks_max(C->part, &S->norms.flow, &S->norms.worst_flow);
  for (int k = 0; k < 2 && error; ++k) S->error[k] = sum[n++];
  for (int k = 0; k < HP_STEP_CORRECTED && carries; ++k) S->corrected[k] = sum[n++];
  for (int k = HP_PHASES; k < HP_STEP_CORRECTED && measures; ++k) S->corrected[k] = sum[n++];
  for (int k = 0; k < 6 && n < count; ++k) S->in_place[k] = sum[n++];
  if (norms) hp_step_conclude_norms(C->args.res.total_pore_volume, dt, out);
  if (error) hp_step_conclude_error(out);
  if (accepts) {
    all_ranks_max(C->part, &S->change, &S->changed);
    hp_step_conclude_change(out);
  }
  if (carries || measures) hp_step_conclude_corrected(out);
  if (place) hp_step_conclude_place(out);
  return HP_OK;
}

/* Launches, waits, and fetches the report with `more` bytes behind it. The device
 * adds up its seconds from launch to launch; *out gets those since the last report. */
static hp_status run_program(gpu *C, hp_step_program program, double dt, bool control, int64_t more,
                             hp_step_report *out) {
  const double t0 = hp_now();
  double device = 0.0;
  HP_TRY(launch(C, program, dt, control));
  HP_TRY(hp_device_download(C->D, C->back, C->result, (int64_t)sizeof *out + more));
  memcpy(out, C->back, sizeof *out);
  if (C->part != NULL) HP_TRY(conclude(C, program, dt, out));
  for (int op = 0; op < HP_PROF_COUNT; ++op) {
    const double now = out->seconds[op];
    out->seconds[op] = now - C->counted[op];
    C->counted[op] = now;
    device += out->seconds[op];
  }
  hp_backend_add_seconds(&C->base, out);
  count_bus(C, hp_now() - t0 - device);
  return HP_OK;
}

/* Launches and goes on; what failed shows at the next wait. */
static hp_status run_ahead(hp_backend *B, hp_step_program program) {
  const double t0 = hp_now();
  HP_TRY(launch((gpu *)B, program, 0.0, false));
  count_bus((gpu *)B, hp_now() - t0);
  return HP_OK;
}

/* A program that begins an attempt at a time step. */
static hp_status run_first(hp_backend *B, hp_step_program program) {
  B->linear->ops->begin_step(B->linear);
  return run_ahead(B, program);
}

static hp_status cuda_begin(hp_backend *B) {
  HP_TRY(run_first(B, HP_STEP_BEGIN));
  ((gpu *)B)->args.step.shown = B->shown = false;
  return HP_OK;
}
static hp_status cuda_restore(hp_backend *B) { return run_first(B, HP_STEP_RESTORE); }
static hp_status cuda_update(hp_backend *B, double share, double most_dp) {
  ((gpu *)B)->args.step.share = share;
  ((gpu *)B)->args.step.most_dp = most_dp;
  return run_ahead(B, HP_STEP_UPDATE);
}

static hp_status cuda_start(hp_backend *B, hp_step_report *out) {
  HP_TRY(B->ops->assemble(B, HP_STEP_START_DT, false, false, -1, out));
  return run_program((gpu *)B, HP_STEP_START, 0.0, false, 0, out);
}

static hp_status cuda_assemble(hp_backend *B, double dt, bool jacobian, bool control, int retry, hp_step_report *out) {
  gpu *C = (gpu *)B;
  HP_TRY(hp_aquifers_device_set_step(&C->aquifers, B->aquifers, dt));
  HP_TRY(hp_aquifers_device_put(&C->aquifers, C->influx));
  C->args.retry = retry;
  return run_program(C, jacobian ? HP_STEP_ASSEMBLE : HP_STEP_RESIDUAL, dt, control, 0, out);
}

static hp_status cuda_accept(hp_backend *B, double dt, double weight, double drop, hp_step_well *row,
                             hp_step_report *out) {
  gpu *C = (gpu *)B;
  C->args.step.drop = drop;
  C->args.step.error_weight = weight;
  const int64_t bytes = B->wells->nwell * (int64_t)sizeof *row;
  HP_TRY(run_program(C, HP_STEP_ACCEPT, dt, false, bytes, out));
  memcpy(row, C->back + sizeof *out, (size_t)bytes);
  HP_TRY(hp_aquifers_device_get(&C->aquifers, C->influx));
  return hp_aquifers_device_accept(&C->aquifers, B->aquifers, dt);
}

/* ---- of a rank's part ---- */

static hp_status cuda_renew_state(hp_backend *B) {
  gpu *C = (gpu *)B;
  HP_TRY(hp_device_renew_all(C->D, C->args.res.p, 1, false));
  return hp_device_renew_all(C->D, C->args.res.s, 1, false);
}

static hp_status cuda_renew_update(hp_backend *B) {
  gpu *C = (gpu *)B;
  return hp_device_renew_all(C->D, C->args.step.x, HP_PHASES, true);
}

static hp_status cuda_drop_rhs(hp_backend *B) {
  gpu *C = (gpu *)B;
  return hp_device_drop(C->D, C->args.step.b, NULL, HP_PHASES);
}

/* ---- solves ---- */

static hp_status cuda_solve(hp_backend *B, double times, hp_krylov_report *out) {
  gpu *C = (gpu *)B;
  const double t0 = hp_now();
  double seconds;
  HP_TRY(hp_backend_solve(B, &C->args.J, times, C->args.step.b, C->args.step.x, out, &seconds));
  count_bus(C, hp_now() - t0 - seconds);
  return HP_OK;
}

static hp_status cuda_error(hp_backend *B, double dt, bool solve, double times, hp_step_well *row, double *influx,
                            hp_krylov_report *k, hp_step_report *out) {
  gpu *C = (gpu *)B;
  const int64_t bytes = B->wells->nwell * (int64_t)sizeof *row;
  const double t0 = hp_now();
  bool solved = false;
  if (solve) {
    double seconds;
    const hp_step *S = &C->args.step;
    HP_TRY(hp_backend_solve_error(B, &C->args.J, times, S->b, S->x, k, &solved, &seconds));
    count_bus(C, hp_now() - t0 - seconds);
    if (C->part != NULL && solved) HP_TRY(cuda_renew_update(B));
  }
  hp_aquifers *A = C->part != NULL ? C->influx : B->aquifers;
  HP_TRY(hp_aquifers_device_put(&C->aquifers, A)); /* rates of the step */
  HP_TRY(run_program(C, HP_STEP_ERROR, dt, solved, bytes, out));
  memcpy(row, C->back + sizeof *out, (size_t)bytes);
  HP_TRY(hp_aquifers_device_get_errors(&C->aquifers, A));
  if (B->aquifers != NULL) hp_aquifers_errors(B->aquifers, influx);
  return HP_OK;
}

static hp_status cuda_show(hp_backend *B, const hp_step_correction *correction, hp_step_report *out) {
  gpu *C = (gpu *)B;
  C->args.step.correction = *correction;
  HP_TRY(run_program(C, HP_STEP_SHOW, 0.0, false, 0, out));
  C->args.step.shown = B->shown = true;
  return HP_OK;
}

/* ---- creation ---- */

static void cuda_describe(const hp_backend *B, char *out, size_t size) {
  const gpu *C = (const gpu *)B;
  const hp_krylov_special *special = hp_linear_device_special(C->base.linear);
  char kernel[64] = "";
  if (special->used)
    snprintf(kernel, sizeof kernel, ", solver %s in %.1f s", special->kept ? "read" : "compiled", special->seconds);
  char where[256], memory[512];
  hp_device_describe(C->D, where, sizeof where);
  hp_backend_device_describe_memory(C->D, memory, sizeof memory);
  char way[64] = "", barrier[64] = "";
  if (C->part != NULL) hp_device_describe_transport(C->D, way, sizeof way);
  const hp_barrier_kind kind = hp_device_get_shape(C->D).barrier;
  if (kind != HP_BARRIER_COUNTER) snprintf(barrier, sizeof barrier, ", barrier %s", hp_barrier_name(kind));
  snprintf(out, size, "%s%s, %s%s%s%s%s", where, hp_device_is_tuned(C->D) ? " (tuned shape)" : "", memory, kernel,
           barrier, C->part != NULL ? ", ghosts through " : "", way);
}

static int64_t cuda_barriers(const hp_backend *B) { return hp_device_barriers(((const gpu *)B)->D); }

static void cuda_traffic(const hp_backend *B, int64_t *to_device, int64_t *to_host) {
  const hp_device_traffic t = hp_device_get_traffic(((const gpu *)B)->D);
  *to_device = t.to_device;
  *to_host = t.to_host;
}

static void cuda_destroy(hp_backend **slot) {
  gpu *C = (gpu *)*slot;
  hp_device *D = C->D;
  hp_step *S = &C->args.step;
  const bool attached = C->base.linear != NULL && hp_linear_device_solution(C->base.linear) != NULL;
  hp_linear_destroy(&C->base.linear);
  hp_wells_device_destroy(&C->wells);
  hp_aquifers_device_destroy(&C->aquifers);
  hp_compaction_device_destroy(&C->compaction);
  if (D != NULL) {
    hp_gh_device_free(D, &C->args.J);
    HP_DEVICE_FREE(D, C->result);
    hp_reservoir_device_destroy(&C->scratch, &C->args.res);
    hp_scratch_device_free(&C->scratch, &S->R);
    HP_DEVICE_FREE(D, S->b);
    if (attached) S->x = NULL; /* the solver's */
    HP_DEVICE_FREE(D, S->x);
  }
  hp_device_destroy(&C->D);
  hp_gh_destroy(&C->shape);
  HP_FREE(C->back);
  HP_FREE(C->R);
  HP_FREE(C->b);
  HP_FREE(C->x);
  HP_FREE(*slot);
}

static const hp_step_kernel *choose_kernels(const hp_backend_input *in) {
  const hp_reservoir *r = in->res;
  if (in->part != NULL) return hp_step_kernels_of_ranks();
  if (r->table != NULL) return hp_step_kernels_tables();
  const bool fluids = r->region != NULL || r->end_points != NULL || r->compaction != NULL || r->hysteresis != NULL;
  const bool faults = r->links.count > 0 || r->threshold != NULL || r->fault_threshold[0] != NULL;
  const bool flows = in->aquifers != NULL || faults || hp_wells_have_segments(in->wells);
  return fluids || flows ? hp_step_kernels_any() : hp_step_kernels_uniform();
}

static hp_status create_step(gpu *C, const hp_backend_input *in) {
  hp_step *S = &C->args.step;
  const int64_t n = C->shape->n, nwell = in->wells->nwell;
  const int64_t result = (int64_t)sizeof(hp_step_report) + nwell * (int64_t)sizeof(hp_step_well);
  HP_TRY(HP_SCRATCH_ALLOC(&C->scratch, S->R, n, "residual"));
  HP_TRY(HP_DEVICE_ALLOC(C->D, S->b, n));
  S->x = hp_linear_device_solution(C->base.linear);
  if (S->x == NULL) HP_TRY(HP_DEVICE_ALLOC(C->D, S->x, n));
  HP_TRY(HP_DEVICE_ALLOC(C->D, C->result, result));
  HP_TRY(HP_ALLOC(C->back, result));
  C->args.report = (hp_step_report *)(void *)C->result;
  S->row = (hp_step_well *)(void *)(C->result + sizeof(hp_step_report));
  C->args.res.softness = in->newton->softness;
  S->max_ds = in->newton->max_ds;
  S->max_dp_relative = in->newton->max_dp_relative;
  return HP_OK;
}

/* The barrier that the deck names. */
static hp_status choose_barrier(hp_device *D, const hp_krylov_options *opt) {
  hp_device_shape shape = hp_device_get_shape(D);
  if (opt->barrier == 0) return HP_OK;
  shape.barrier = (hp_barrier_kind)(opt->barrier - 1);
  return hp_device_set_shape(D, &shape);
}

static hp_status open_device(gpu *C, const hp_backend_input *in) {
  const double t0 = hp_now();
  hp_device_options device;
  memset(&device, 0, sizeof device);
  if (in->device != NULL) device = *in->device;
  device.cells = in->grid->ncell;
  HP_TRY(in->ahead != NULL ? hp_device_ahead_finish(in->ahead, device.cells, &C->D) : hp_device_create(&device, &C->D));
  C->scratch.D = C->D;
  HP_TRY(choose_barrier(C->D, &in->linear->krylov));
  if (in->part != NULL) HP_TRY(hp_device_set_part(C->D, in->part));
  if (in->start != NULL) in->start[HP_START_GPU] += hp_now() - t0;
  return HP_OK;
}

static hp_status build_matrix(gpu *C, const hp_backend_input *in) {
  const hp_grid *g = in->grid;
  HP_TRY(open_device(C, in));
  if (hp_device_warning(C->D)[0] != '\0') C->base.warning = hp_device_warning(C->D);
  HP_TRY(hp_backend_device_check_memory(C->D, in));
  HP_TRY(hp_gh_create_shape(g->nx, g->ny, g->nz, HP_PHASES, &C->shape));
  C->shape->part = in->part;
  HP_TRY(hp_gh_set_wells(C->shape, in->wells->nrow, in->wells->begin, in->wells->cell, in->wells->slot));
  HP_TRY(hp_gh_set_links(C->shape, g->connection.count, g->connection.a, g->connection.b));
  return hp_gh_device_upload(C->D, C->shape, &C->args.J);
}

/* Ranks agree before the linear solver is made, because they make its multigrid together. */
static hp_status build_backend(gpu *C, const hp_backend_input *in) {
  const hp_status opened = build_matrix(C, in);
  HP_TRY(in->part != NULL ? hp_ranks_agree(in->part->K, opened) : opened);
  if (in->part != NULL) HP_TRY(hp_device_connect(C->D, in->linear->krylov.exchange));
  const hp_linear_input linear = {
      &C->args.J, in->linear, NULL, C->D, NULL, C->shape, in->threads > 0 ? in->threads : 1};
  HP_TRY(hp_linear_create(&linear, &C->base.linear));
  if (C->base.warning == NULL && hp_linear_device_special(C->base.linear)->note[0] != '\0')
    C->base.warning = hp_linear_device_special(C->base.linear)->note;
  C->scratch.work = (char *)hp_linear_device_work(C->base.linear, &C->scratch.bytes);
  C->kernels = choose_kernels(in);
  HP_TRY(hp_reservoir_device_create(&C->scratch, in->res, &C->args.J, C->kernels == hp_step_kernels_uniform(),
                                    C->base.has, &C->compaction, &C->args.res));
  HP_TRY(hp_aquifers_device_create(C->D, in->aquifers, &C->aquifers, &C->args.aquifers));
  HP_TRY(hp_wells_device_create(C->D, in->wells, &C->wells, &C->args.wells));
  HP_TRY(create_step(C, in));
  return hp_backend_put(&C->base, HP_ARRAYS_STATE | HP_SET_WELLS);
}

static hp_backend_ops operations(void) {
  hp_backend_ops o = {};
  o.destroy = cuda_destroy;
  o.describe = cuda_describe;
  o.barriers = cuda_barriers;
  o.traffic = cuda_traffic;
  o.put = cuda_put;
  o.get = cuda_get;
  o.start = cuda_start;
  o.begin = cuda_begin;
  o.assemble = cuda_assemble;
  o.update = cuda_update;
  o.restore = cuda_restore;
  o.accept = cuda_accept;
  o.error = cuda_error;
  o.show = cuda_show;
  o.solve = cuda_solve;
  o.system = cuda_system;
  o.renew_state = cuda_renew_state;
  o.renew_update = cuda_renew_update;
  o.drop_rhs = cuda_drop_rhs;
  return o;
}

static const hp_backend_ops cuda_ops = operations();

/* A kernel is loaded when it is first asked for; these nearly every run needs. */
static void load_kernels(void) {
  for (int p = 0; p < HP_STEP_COUNT; ++p) {
    cudaFuncAttributes of;
    if (cudaFuncGetAttributes(&of, hp_step_kernels_uniform()[p].kernel) != cudaSuccess)
      (void)cudaGetLastError(); /* its launch tells */
  }
  hp_cpr_device_load();
}

hp_status hp_backend_device_ahead(const hp_device_options *device, hp_device_ahead **out) {
  return hp_device_ahead_start(device, load_kernels, out);
}

hp_status hp_backend_device_create(const hp_backend_input *in, hp_backend **out) {
  *out = NULL;
  gpu *C = NULL;
  HP_TRY(HP_ALLOC(C, 1));
  C->base.ops = &cuda_ops;
  C->base.device = true;
  C->base.res = in->res;
  C->base.has = hp_backend_input_arrays(in);
  C->base.region = in->region;
  C->base.wells = in->wells;
  C->part = in->part;
  if (in->part == NULL) C->base.aquifers = in->aquifers;
  else C->influx = in->aquifers;
  C->base.profile = in->profile;
  const hp_status s = build_backend(C, in);
  hp_backend *B = &C->base;
  if (s != HP_OK) {
    cuda_destroy(&B);
    return s;
  }
  *out = B;
  return HP_OK;
}
