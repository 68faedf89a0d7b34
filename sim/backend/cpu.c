/* Time steps on the CPU: the programs of sim/step/step.inl.h on a team of threads.
 * The host's reservoir and wells are the state itself, so that put and get
 * have nothing to copy. */
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/plural.h"
#include "core/show.h"
#include "core/team/elastic.h"
#include "core/test_hooks.h"
#include "sim/backend/backend.h"
#include "sim/step/step.inl.h"

typedef struct {
  hp_backend base;
  hp_team_hub *hub;
  hp_gh *J;
  hp_step step;
} cpu;

/* Shared by the members during one run. */
typedef struct {
  const hp_step *step;
  double dt;
  bool jacobian, control; /* error: `control` says whether there is a solution */
  int retry;
  hp_step_report *out;
} job;

static void start_body(hp_team *t, void *p) {
  const job *j = p;
  hp_step_start(t, j->step, j->out);
}

static void begin_body(hp_team *t, void *p) {
  const job *j = p;
  hp_step_begin(t, j->step, j->out);
}

static void assemble_body(hp_team *t, void *p) {
  const job *j = p;
  hp_step_assemble(t, j->step, j->dt, j->jacobian, j->control, j->retry, j->out);
}

static void update_body(hp_team *t, void *p) {
  const job *j = p;
  hp_step_update(t, j->step, j->out);
}

static void restore_body(hp_team *t, void *p) {
  const job *j = p;
  hp_step_restore(t, j->step, j->out);
}

static void accept_body(hp_team *t, void *p) {
  const job *j = p;
  hp_step_accept(t, j->step, j->dt, j->out);
}

static void error_body(hp_team *t, void *p) {
  const job *j = p;
  hp_step_error(t, j->step, j->dt, j->control, j->out);
}

static void show_body(hp_team *t, void *p) {
  const job *j = p;
  hp_step_show(t, j->step, j->out);
}

static void (*const bodies[HP_STEP_COUNT])(hp_team *, void *) = {
    [HP_STEP_START] = start_body,       [HP_STEP_BEGIN] = begin_body,   [HP_STEP_ASSEMBLE] = assemble_body,
    [HP_STEP_RESIDUAL] = assemble_body, [HP_STEP_UPDATE] = update_body, [HP_STEP_RESTORE] = restore_body,
    [HP_STEP_ACCEPT] = accept_body,     [HP_STEP_ERROR] = error_body,   [HP_STEP_SHOW] = show_body};

/* Runs a program and counts it. `out` may be NULL. */
static hp_status run_program(hp_backend *B, hp_step_program program, double dt, bool control, int retry,
                             hp_step_report *out) {
  cpu *C = (cpu *)B;
  hp_step_report discarded;
  if (out == NULL) out = &discarded;
  memset(out, 0, sizeof *out);
  job j = {.step = &C->step,
           .dt = dt,
           .jacobian = program == HP_STEP_ASSEMBLE,
           .control = control,
           .retry = retry,
           .out = out};
  HP_TRY(hp_team_run(C->hub, bodies[program], &j));
  hp_backend_count(B, program);
  hp_backend_add_seconds(B, out);
  return HP_OK;
}

static hp_status cpu_start(hp_backend *B, hp_step_report *out) {
  HP_TRY(B->ops->assemble(B, HP_STEP_START_DT, false, false, -1, out));
  return run_program(B, HP_STEP_START, 0.0, false, -1, out);
}

static hp_status cpu_update(hp_backend *B, double share, double most_dp) {
  ((cpu *)B)->step.share = share;
  ((cpu *)B)->step.most_dp = most_dp;
  return run_program(B, HP_STEP_UPDATE, 0.0, false, -1, NULL);
}

/* A program that begins an attempt at a time step. */
static hp_status run_first(hp_backend *B, hp_step_program program) {
  B->linear->ops->begin_step(B->linear);
  return run_program(B, program, 0.0, false, -1, NULL);
}

static hp_status cpu_begin(hp_backend *B) {
  HP_TRY(run_first(B, HP_STEP_BEGIN));
  ((cpu *)B)->step.shown = B->shown = false;
  return HP_OK;
}
static hp_status cpu_restore(hp_backend *B) { return run_first(B, HP_STEP_RESTORE); }

static hp_status cpu_assemble(hp_backend *B, double dt, bool jacobian, bool control, int retry, hp_step_report *out) {
  hp_aquifers_set_step(B->aquifers, dt);
  return run_program(B, jacobian ? HP_STEP_ASSEMBLE : HP_STEP_RESIDUAL, dt, control, retry, out);
}

static hp_status cpu_accept(hp_backend *B, double dt, double weight, double drop, hp_step_well *row,
                            hp_step_report *out) {
  hp_step *S = &((cpu *)B)->step;
  S->drop = drop;
  S->row = row;
  S->error_weight = weight;
  HP_TRY(run_program(B, HP_STEP_ACCEPT, dt, false, -1, out));
  hp_aquifers_accept(B->aquifers, dt);
  return HP_OK;
}

static hp_status cpu_error(hp_backend *B, double dt, bool solve, double times, hp_step_well *row, double *influx,
                           hp_krylov_report *k, hp_step_report *out) {
  cpu *C = (cpu *)B;
  bool solved = false;
  double seconds;
  if (solve) HP_TRY(hp_backend_solve_error(B, C->J, times, C->step.b, C->step.x, k, &solved, &seconds));
  C->step.row = row;
  HP_TRY(run_program(B, HP_STEP_ERROR, dt, solved, -1, out));
  if (B->aquifers != NULL) hp_aquifers_errors(B->aquifers, influx);
  return HP_OK;
}

static hp_status cpu_put(hp_backend *B, hp_arrays set) {
  (void)set;
  ((cpu *)B)->step.shown = B->shown;
  return HP_OK;
}

static hp_status cpu_get(hp_backend *B, hp_arrays set) {
  (void)B, (void)set;
  return HP_OK;
}

static hp_status cpu_show(hp_backend *B, const hp_step_correction *correction, hp_step_report *out) {
  cpu *C = (cpu *)B;
  C->step.correction = *correction;
  HP_TRY(run_program(B, HP_STEP_SHOW, 0.0, false, -1, out));
  C->step.shown = B->shown = true;
  return HP_OK;
}

static hp_status cpu_solve(hp_backend *B, double times, hp_krylov_report *out) {
  const cpu *C = (const cpu *)B;
  double seconds;
  return hp_backend_solve(B, C->J, times, C->step.b, C->step.x, out, &seconds);
}

static hp_status cpu_system(hp_backend *B, bool matrix, hp_backend_system *out) {
  const cpu *C = (const cpu *)B;
  (void)matrix;
  out->J = C->J;
  out->R = C->step.R;
  out->b = C->step.b;
  out->x = C->step.x;
  return HP_OK;
}

static hp_status cpu_renew_state(hp_backend *B) {
  const hp_part *p = ((const cpu *)B)->J->part;
  hp_part_renew_all(p, B->res->p, 1, false);
  hp_part_renew_all(p, B->res->s, 1, false);
  return HP_OK;
}

static hp_status cpu_renew_update(hp_backend *B) {
  const cpu *C = (const cpu *)B;
  hp_part_renew_all(C->J->part, C->step.x, HP_PHASES, true);
  return HP_OK;
}

static hp_status cpu_drop_rhs(hp_backend *B) {
  const cpu *C = (const cpu *)B;
  hp_part_drop(C->J->part, C->step.b, HP_PHASES);
  return HP_OK;
}

static void cpu_describe(const hp_backend *B, char *out, size_t size) {
  const int threads = hp_team_hub_size(((const cpu *)B)->hub);
  char memory[32];
  hp_show_bytes((double)hp_memory_now(), memory, sizeof memory);
  snprintf(out, size, "CPU, %d thread%s, %s", threads, hp_plural(threads), memory);
}

static int64_t cpu_barriers(const hp_backend *B) { return hp_team_barriers(((const cpu *)B)->hub); }

static void cpu_destroy(hp_backend **slot) {
  cpu *C = (cpu *)*slot;
  hp_linear_destroy(&C->base.linear);
  hp_gh_destroy(&C->J);
  hp_team_hub_destroy(&C->hub);
  HP_FREE(C->step.R);
  HP_FREE(C->step.b);
  HP_FREE(C->step.x);
  HP_FREE(*slot);
}

static const hp_backend_ops cpu_ops = {.destroy = cpu_destroy,
                                       .describe = cpu_describe,
                                       .barriers = cpu_barriers,
                                       .put = cpu_put,
                                       .get = cpu_get,
                                       .start = cpu_start,
                                       .begin = cpu_begin,
                                       .assemble = cpu_assemble,
                                       .update = cpu_update,
                                       .restore = cpu_restore,
                                       .accept = cpu_accept,
                                       .error = cpu_error,
                                       .show = cpu_show,
                                       .solve = cpu_solve,
                                       .system = cpu_system,
                                       .renew_state = cpu_renew_state,
                                       .renew_update = cpu_renew_update,
                                       .drop_rhs = cpu_drop_rhs};

/* One for each processor, but no more than have CELLS_LEAST cells: with less work members only wait for each other. */
static int default_threads(const hp_grid *g) {
  enum { CELLS_LEAST = 256 };
  const int64_t most = (g->ncell + CELLS_LEAST - 1) / CELLS_LEAST;
  const int processors = hp_processors();
  return most < processors ? (int)(most > 0 ? most : 1) : processors;
}

static hp_status build_backend(const hp_backend_input *in, cpu *C) {
  const hp_grid *g = in->grid;
  const int threads = in->threads > 0 ? in->threads : default_threads(g);
  const hp_test_hooks *hooks = hp_test_hooks_get();
  const hp_team_options team = {.rotate = (uint32_t)hp_larger(hooks->team_rotate, 0),
                                .gpus = (int)hp_larger(hooks->team_gpus, 0),
                                .skip_barrier = hooks->team_skip_barrier,
                                .part = in->part};
  HP_TRY(hp_team_hub_create(threads, &team, &C->hub));
  if (in->threads <= 0 && in->part == NULL) hp_team_be_elastic(C->hub);
  if (in->res->props.at == NULL) HP_TRY(HP_ALLOC(in->res->props.at, g->ncell * HP_CELL_NFIELDS));
  HP_TRY(hp_reservoir_make(in->res, C->base.has));
  HP_TRY(hp_gh_create(g->nx, g->ny, g->nz, HP_PHASES, &C->J));
  C->J->part = in->part;
  HP_TRY(hp_gh_set_wells(C->J, in->wells->nrow, in->wells->begin, in->wells->cell, in->wells->slot));
  HP_TRY(hp_gh_set_links(C->J, g->connection.count, g->connection.a, g->connection.b));
  const hp_linear_input linear = {.A = C->J, .options = in->linear, .hub = C->hub};
  HP_TRY(hp_linear_create(&linear, &C->base.linear));
  HP_TRY(HP_ALLOC(C->step.R, C->J->n));
  HP_TRY(HP_ALLOC(C->step.b, C->J->n));
  HP_TRY(HP_ALLOC(C->step.x, C->J->n));
  in->res->softness = in->newton->softness;
  C->step.res = in->res;
  C->step.wells = in->wells;
  C->step.aquifers = in->aquifers;
  C->step.J = C->J;
  C->step.max_ds = in->newton->max_ds;
  C->step.max_dp_relative = in->newton->max_dp_relative;
  return HP_OK;
}

hp_status hp_backend_cpu_create(const hp_backend_input *in, hp_backend **out) {
  *out = NULL;
  cpu *C = NULL;
  HP_TRY(HP_ALLOC(C, 1));
  C->base.ops = &cpu_ops;
  C->base.res = in->res;
  C->base.has = hp_backend_input_arrays(in);
  C->base.region = in->region;
  C->base.wells = in->wells;
  if (in->part == NULL) C->base.aquifers = in->aquifers; /* else sim/backend/ranks.c counts their steps */
  C->base.profile = in->profile;
  hp_backend *B = &C->base;
  const hp_status s = build_backend(in, C);
  if (s != HP_OK) cpu_destroy(&B);
  *out = B;
  return s;
}
