/* Memory of a run, for `hepta check`: what the case holds now, arrays of known sizes, and what is made for the
 * count alone: a multigrid hierarchy (amg/cpr/memory.c), the output's tables and files (io/results/memory.c), what the
 * matrix knows of wells.
 *
 *     start     case, wells, reservoir, matrix, solver, output without rows
 *     building  start and cpr's hierarchy while it is set up, in the first time step
 *     end       start, the hierarchy, rows of all time steps, report steps kept for a restart, the file at work
 */
#include <math.h>
#include <string.h>

#include "amg/cpr/memory.h"
#include "core/memory.h"
#include "io/case/vectors.h"
#include "io/deck/deck.h"
#include "sim/checkpoint/checkpoint.h"
#include "sim/checkpoint/write_behind.h"
#include "sim/part/subdomain.h"
#include "sim/run/run.h"
#include "sim/simulator/schedule.h"
#include "sim/simulator/simulator.h"
#include "sim/simulator/step_control.h"
#include "sim/simulator/well_paths.h"

enum { WORD = sizeof(double) };

/* ---- time steps ---- */

/* The fewest time steps: each one grows as far as the limits allow, none fails. */
static int64_t count_steps(const hp_case *c) {
  enum { MOST = 10000000 };
  const double end = c->report[c->nreport - 1];
  hp_timestep_options opt = c->timestep;
  hp_newton_options newton = c->newton;
  const hp_step_sizes none = {.volume = 1e-300};
  double time = c->begin, suggested = opt.initial;
  hp_schedule_cursor at = {0};
  int64_t steps = 0;
  for (; time < end * (1.0 - 1e-12) && steps < MOST; ++steps) {
    const double until = hp_schedule_until(time);
    hp_schedule_pass_tuning(c, &at, until, &opt, &newton, &suggested);
    hp_schedule_skip(c, &at, until);
    const double stop = fmin(end, hp_schedule_next_stop(c, &at, time)), dt = hp_timestep_fit(time, stop, suggested);
    const double next = hp_timestep_next(&opt, dt, 0, 0.0, &none);
    suggested = dt < suggested * 0.999 ? fmax(next, suggested) : next;
    time = dt >= stop - time ? stop : time + dt;
  }
  return steps;
}

/* ---- parts ---- */

/* Tables of the fluids, one for each combination of regions at most. */
static int64_t fluid_bytes(const hp_case *c) {
  const hp_fluid_spec *r = &c->fluid;
  const bool several = r->of_sat != NULL || r->of_pvt != NULL || r->of_rock != NULL;
  int64_t rows = 3 * ((int64_t)r->pvt[0][HP_OIL].rows + r->pvt[0][HP_WATER].rows) + 4 * r->sat[0].rows;
  rows *= several ? 1 + hp_larger(hp_larger(r->nsat, r->npvt), r->nrock) : 1;
  const int64_t regions = several ? (int64_t)r->nsat * r->npvt * r->nrock : 0;
  return (int64_t)sizeof(hp_reservoir) + regions * (int64_t)sizeof(hp_fluid) + WORD * rows;
}

static int64_t aquifer_bytes(const hp_case *c) {
  int64_t connections = 0;
  for (int n = 0; n < c->naquifer; ++n) connections += c->aquifer[n].nconnection;
  return hp_aquifers_bytes(c->naquifer, connections);
}

/* Of a cell: the arrays that are there before the first step. */
static int64_t state_bytes(const hp_case *c) { return hp_arrays_bytes(hp_case_arrays(c) & HP_ARRAYS_STATE); }

static bool asks_regions(const hp_case *c) { return c->output.summary && hp_summary_vectors_need(c, HP_OF_REGION); }

/* Rows of wells and report times. */
static int64_t sim_bytes(const hp_case *c, const hp_wells *W) {
  enum { PROGRESS = 2000 };
  const size_t well = sizeof(hp_step_well) + sizeof(hp_flow) + sizeof(hp_well_row) + sizeof(hp_given_up) +
                      sizeof(hp_history_well) + sizeof(uint8_t);
  const size_t group = sizeof(hp_group) + sizeof(int) + sizeof(hp_group_row) + 2 * HP_PHASES * sizeof(double);
  int64_t bytes = (int64_t)sizeof(hp_sim) + PROGRESS + c->nwell * (int64_t)well + (c->ngroup + 1) * (int64_t)group;
  bytes += c->nreport * (int64_t)sizeof(hp_report_row) + W->nperf * (int64_t)sizeof(bool);
  bytes += aquifer_bytes(c);
  bytes += W->nperf * (int64_t)sizeof(hp_flow);
  if (asks_regions(c)) bytes += c->nfip * (int64_t)sizeof(hp_region_row) + W->nperf * WORD;
  if (asks_regions(c))
    bytes += (c->nfip < HP_REGIONS_AT_ONCE ? c->nfip : HP_REGIONS_AT_ONCE) * (int64_t)sizeof(hp_region_totals);
  return bytes;
}

static hp_status team_bytes(int64_t *bytes) {
  hp_team_hub *hub = NULL;
  const int64_t before = hp_memory_now();
  HP_TRY(hp_team_hub_create(1, NULL, &hub));
  *bytes = hp_memory_now() - before;
  hp_team_hub_destroy(&hub);
  return HP_OK;
}

/* The wells' part of the matrix, and vectors' and solvers' parts that are not cells'; connections. */
static hp_status matrix_bytes(const hp_case *c, const hp_wells *W, const hp_linear_options *solver,
                              hp_sim_memory *out) {
  const hp_grid *g = c->grid;
  const int64_t before = hp_memory_now(), n = hp_krylov_vectors(solver->krylov.method, solver->krylov.restart);
  const int64_t m = solver->krylov.method == HP_KRYLOV_GMRES ? solver->krylov.restart : 0;
  hp_gh *shape = NULL;
  HP_TRY(hp_gh_create_shape(g->nx, g->ny, g->nz, HP_PHASES, &shape));
  hp_status s = hp_gh_set_wells(shape, W->nwell, W->begin, W->cell, NULL);
  out->wells = hp_memory_now() - before + (n + 3 + 4) * W->nwell * WORD;
  if (s == HP_OK) s = hp_gh_set_links(shape, g->connection.count, g->connection.a, g->connection.b);
  out->connections = hp_memory_now() - before + (n + 3 + 4) * W->nwell * WORD - out->wells;
  out->wells += (m * (m + 1) + (m > 0 ? 4 * (m + 1) : 0)) * WORD;
  if (solver->krylov.preconditioner == HP_PRECOND_DILU) /* planes and columns that are zero */
    out->wells += (int64_t)g->nz * HP_PHASES * WORD + (int64_t)g->nx * g->ny;
  hp_gh_destroy(&shape);
  return s;
}

static hp_status hierarchy(const hp_case *c, const hp_wells *W, const hp_linear_options *solver, int threads,
                           hp_cpr_memory *out) {
  const hp_cpr_memory_input in = {.grid = c->grid,
                                  .opt = &solver->cpr,
                                  .threads = threads,
                                  .nwell = W->nwell,
                                  .begin = W->begin,
                                  .cell = W->cell,
                                  .wi = W->wi};
  return hp_cpr_measure_memory(&in, out);
}

static hp_status output(const hp_case *c, const hp_wells *W, int64_t steps, int64_t *paths, hp_output_memory *out) {
  const int64_t before = hp_memory_now();
  hp_well_path *path = NULL;
  hp_status s = hp_well_paths_create(c, W, &path);
  *paths = hp_memory_now() - before;
  if (s == HP_OK) s = hp_output_measure_memory(c, c->nwell, path, steps, out);
  hp_well_paths_destroy(&path, c->nwell);
  return s;
}

/* ---- in all ---- */

/* Whether report steps are kept for a restart. */
static bool keeps_restart(const hp_case *c, const hp_run_options *opt) {
  return c->output.fields && c->output.restart != 0 && !opt->no_restart;
}

/* Bytes a cell of a GPU's host: the state that steps go on from, beside the one that is shown, once a restart step is kept. */
static int64_t own_bytes(const hp_case *c, const hp_run_options *opt) {
  return opt->backend != HP_BACKEND_CPU && keeps_restart(c, opt) && c->timestep.accuracy > 0.0 ? 2 * WORD : 0;
}

/* On a device: which region of threshold pressures a cell is in, and those of faults. */
static int64_t threshold_bytes(const hp_case *c) {
  const hp_initial *i = &c->initial;
  const int64_t regions = i->threshold != NULL && i->of != NULL ? c->grid->ncell * (int64_t)sizeof *i->of : 0;
  const int64_t faults = HP_DIRS * c->grid->ncell + c->grid->connection.count;
  return regions + (c->fault_threshold.count > 0 ? faults * (int64_t)sizeof(double) : 0);
}

/* On a device: which rock table a cell has. */
static int64_t table_bytes(const hp_case *c) {
  const hp_fluid_spec *f = &c->fluid;
  bool any = false;
  for (int n = 0; n < f->nrock; ++n) any = any || f->rock[n].rows > 0;
  return any && f->of_rock != NULL ? c->grid->ncell * (int64_t)sizeof *f->of_rock : 0;
}

/* On a device: which table of imbibition a cell has. */
static int64_t imbibition_bytes(const hp_case *c) {
  const hp_fluid_spec *f = &c->fluid;
  const bool numbers = hp_hysteresis_is_on(&f->hysteresis) && (f->of_imbibition != NULL || f->of_sat != NULL);
  return numbers ? c->grid->ncell * (int64_t)sizeof *f->of_sat : 0;
}

/* On a device: what decks have that others do not. */
static int64_t feature_bytes(const hp_case *c) {
  return hp_backend_region_bytes(c) + threshold_bytes(c) + aquifer_bytes(c) + table_bytes(c) + imbibition_bytes(c);
}

int64_t hp_sim_device_memory(const hp_case *c, const hp_run_options *opt) {
  hp_linear_options solver;
  if (opt->backend == HP_BACKEND_CPU) return 0;
  if (hp_backend_linear(opt->backend, c, &solver) != NULL) solver.uses_cpr = false;
  return feature_bytes(c) + hp_backend_device_bytes(c->grid, &solver, hp_case_arrays(c));
}

void hp_sim_memory_by_gpu(const hp_case *c, const hp_run_options *opt, hp_sim_memory *out) {
  hp_linear_options solver;
  hp_device_options device = {0};
  int visible = 0;
  out->gpus = 0;
  if (opt->backend == HP_BACKEND_CPU || opt->device == NULL) return;
  device = *opt->device;
  if (device.gpus == HP_DEVICE_ALL_GPUS)
    if (hp_device_count(&visible) != HP_OK || hp_device_choose_gpus(&device, visible) != HP_OK) return;
  const int gpus = device.gpus > 0 ? hp_device_different_gpus(device.gpus, device.gpu, out->gpu) : 0;
  if (gpus < 2) return;
  out->gpus = gpus;
  if (hp_backend_linear(opt->backend, c, &solver) != NULL) solver.uses_cpr = false;
  int64_t least = INT64_MAX;
  for (int g = 0; g < gpus; ++g) {
    const int64_t memory = hp_device_memory(out->gpu[g]);
    least = memory < least ? memory : least;
  }
  hp_backend_bytes_by_gpu(c->grid, &solver, hp_case_arrays(c), feature_bytes(c), gpus, least, out->device_on);
}

const char *hp_sim_linear(const hp_case *c, const hp_run_options *opt, hp_linear_options *out) {
  return hp_linear_choose(hp_backend_place(opt->backend, opt->ranks > 0 || hp_ranks_world() != NULL), c, out);
}

static int threads_of(const hp_run_options *opt) {
  return opt->threads > 0 ? opt->threads : opt->ranks > 0 ? 1 : hp_processors();
}

/* Memory of the backend: adds to `start`; *cpr: the hierarchy's. */
static hp_status add_solver(const hp_case *c, const hp_wells *W, const hp_run_options *opt, int64_t *start,
                            hp_cpr_memory *cpr, hp_sim_memory *out) {
  hp_linear_options solver;
  const bool uses_cpr = hp_sim_linear(c, opt, &solver) == NULL && solver.uses_cpr;
  *cpr = (hp_cpr_memory){.held = 0};
  if (opt->backend != HP_BACKEND_CPU && opt->ranks > 0) { /* whose hosts make patterns (amg/cpr/cuda/part.cuh) */
    HP_TRY(matrix_bytes(c, W, &solver, out));
    return uses_cpr ? hierarchy(c, W, &solver, threads_of(opt), cpr) : HP_OK;
  }
  if (opt->backend != HP_BACKEND_CPU) {
    *start += hp_write_behind_bytes(c) + hp_output_packing_bytes(c, hp_write_behind_threads());
    return HP_OK;
  }
  HP_TRY(matrix_bytes(c, W, &solver, out));
  *start += out->wells + out->connections + hp_backend_step_bytes(c->grid, &solver.krylov, hp_case_arrays(c));
  if (!uses_cpr) return HP_OK;
  *start += hp_cpr_vector_bytes(c->grid->ncell + W->nwell, HP_PHASES) + (int64_t)sizeof(hp_cpr);
  return hierarchy(c, W, &solver, threads_of(opt), cpr);
}

hp_status hp_sim_measure_memory(const hp_case *c, const hp_wells *W, const hp_run_options *opt, hp_sim_memory *out) {
  const int64_t now = hp_memory_now(), read = hp_memory_peak(), cells = c->grid->ncell;
  int64_t paths;
  hp_output_memory files;
  hp_cpr_memory cpr;
  out->steps = count_steps(c);
  out->device = hp_sim_device_memory(c, opt);
  hp_sim_memory_by_gpu(c, opt, out);
  HP_TRY(team_bytes(&out->team));
  HP_TRY(output(c, W, out->steps, &paths, &files));
  out->step_bytes = files.row;
  const bool keeps = keeps_restart(c, opt);
  const int64_t rows = keeps ? hp_checkpoint_bytes(W) : 0,
                fingerprints = rows > 0 ? hp_checkpoint_fingerprint_bytes(W) : 0;
  int64_t start = now + state_bytes(c) * cells + hp_backend_region_bytes(c) + fluid_bytes(c) + sim_bytes(c, W) +
                  out->team + paths + files.open + rows + fingerprints;
  const int64_t plain = start;
  out->wells = out->connections = 0;
  HP_TRY(add_solver(c, W, opt, &start, &cpr, out));
  const int64_t one = keeps ? rows + 4 * WORD * cells : hp_output_packing_bytes(c, 1);
  const int64_t again = c->cpr_options.rebuild == HP_CPR_EACH_STEP ? cpr.building : 0;
  const int64_t kept = files.held - files.open + hp_output_held_bytes(c, rows);
  const int64_t own = opt->ranks > 0 ? 0 : own_bytes(c, opt) * cells; /* of ranks each has that of its part */
  const int64_t end = start + own + kept + files.writing + hp_larger(again, cpr.held + one);
  out->held = cpr.held;
  out->building = cpr.building;
  out->whole = cpr.whole;
  out->gathered = cpr.gathered;
  out->reading = read;
  out->start = plain;
  out->output = files.held - files.open + files.writing;
  out->host = hp_larger(read, hp_larger(end, start + cpr.building));
  return HP_OK;
}

/* ---- of several ranks ---- */

/* Arrays of a part's cells that a run by one process has in its case, and lists of what is a ghost of whom. */
static int64_t part_bytes(const hp_case *c, const hp_part_counts *p, int64_t lattice) {
  enum { GRID = 5 * WORD + 1, NUMBER = sizeof(int64_t) };
  enum {
    GHOST = sizeof(int64_t) + sizeof(int) + sizeof(bool),
    MESSAGE = NUMBER + 3 * WORD /* a place; x and a number */
  };
  int64_t several = hp_backend_region_bytes(c) > 0 ? hp_backend_region_bytes(c) / c->grid->ncell : 0;
  if (asks_regions(c) && c->fip != NULL) several += (int64_t)sizeof *c->fip;
  return lattice * (GRID + state_bytes(c) + NUMBER + several) + p->ghosts * GHOST + (p->read + p->sent) * MESSAGE;
}

/* Wells, which every rank has all of. */
static int64_t well_bytes(const hp_wells *W) {
  int64_t bytes = sizeof *W;
#define WELL_BYTES(field, count) bytes += (int64_t)(count) * (int64_t)sizeof *W->field;
  HP_WELLS_FIXED(WELL_BYTES)
  HP_WELLS_STATE(WELL_BYTES)
#undef WELL_BYTES
  return bytes;
}

/* Pieces of fields while they are written: its own cells that a rank sends, those that others send, and the same in their
 * order, and packed. Rank 0 has that of a restart step: both unknowns. */
static int64_t pieces_bytes(const hp_case *c, const hp_run_options *opt, int rank, int64_t own) {
  enum { PIECE = 1 << 18 /* cells of a chunk, of planes in a row */, SENT = 2 * WORD + sizeof(float) };
  const int64_t all = c->grid->ncell, cells = hp_smaller(all, PIECE), chunks = 3 * (all / PIECE + 1);
  const int64_t packed = rank < chunks ? 2 * WORD * cells + hp_output_packing_bytes(c, 1) : 0;
  const int64_t kept = rank == 0 ? (keeps_restart(c, opt) ? 3 : 2) * HP_PHASES * WORD * cells : 0;
  return hp_larger(packed, kept) + (int64_t)((double)cells / (double)all * (double)(SENT * own));
}

/* Share of a rank in so many bytes of all cells while these are planes of i. */
static int64_t planes_bytes(const hp_case *c, const hp_run_options *opt, int64_t bytes) {
  const int nx = c->grid->nx, parts = c->refine[0] > 1 ? c->refine[0] : 1, all = nx / parts;
  const int ranks = opt->ranks < all ? opt->ranks : all;
  return (int64_t)((double)bytes * fmin(1.0, (double)((all + ranks - 1) / ranks * parts + 1) / nx));
}

/* Rank 0; part: what its own takes. Before that it has its planes. */
static int64_t root_bytes(const hp_case *c, const hp_run_options *opt, const hp_sim_memory *memory, int64_t part) {
  const int64_t released = hp_sim_released_bytes(c), begun = memory->start - released;
  const int64_t first = hp_larger(memory->reading, memory->start), then = begun + memory->output + part;
  return hp_larger(planes_bytes(c, opt, first), then);
}

/* Of a part on the host: its matrix and vectors; where a GPU has these, the matrix that cpr's patterns are made from. */
static int64_t solver_bytes(const hp_case *c, const hp_run_options *opt, const hp_linear_options *solver,
                            const hp_grid *shape, int nwell) {
  const int64_t cpr = solver->uses_cpr ? hp_cpr_vector_bytes(shape->ncell + nwell, HP_PHASES) : 0;
  const int64_t matrix = HP_GH_DIAGS * HP_PHASES * HP_PHASES * WORD * shape->ncell;
  if (opt->backend == HP_BACKEND_CPU) return cpr + hp_backend_step_bytes(shape, &solver->krylov, hp_case_arrays(c));
  return own_bytes(c, opt) * shape->ncell + (solver->uses_cpr ? cpr + matrix : 0);
}

/* Of a part on its GPU; features that only some decks have, by cells. */
static int64_t part_device_bytes(const hp_case *c, const hp_linear_options *solver, const hp_grid *shape) {
  const double share = (double)shape->ncell / (double)c->grid->ncell;
  const int64_t features = (int64_t)(share * (double)feature_bytes(c));
  return features + hp_backend_part_bytes(shape, solver, hp_case_arrays(c));
}

/* Of cpr's hierarchy: a part's share of the levels that are spread, then those that every rank has; and a team of its own.
 * `read`: ghosts of the part that its rows read. Each has about 900 bytes in all levels together: lists of what is sent,
 * rows of P, and rows of A P that other ranks have (Egg model by 4 and 8 ranks: 870 to 1070). */
static int64_t hierarchy_bytes(const hp_linear_options *solver, const hp_sim_memory *m, double share, int64_t read) {
  enum { GHOST = 900 };
  const double spread = (double)(m->held - m->whole);
  const bool hypre = solver->cpr.whose == HP_CPR_AMG_HYPRE;
  const int64_t ours = solver->uses_cpr && !hypre ? m->team + (spread > 0.0 ? GHOST * read : 0) : 0;
  return ours + hp_larger((int64_t)(share * (double)m->building), (int64_t)(share * spread) + m->whole + m->gathered);
}

hp_status hp_sim_check_rank_gpus(const hp_run_options *opt) {
  hp_device_options mine;
  int visible = 1; /* where none is */
  if (opt->backend == HP_BACKEND_CPU || opt->device == NULL) return HP_OK;
  if (opt->device->gpus == HP_DEVICE_ALL_GPUS && hp_device_count(&visible) != HP_OK) return HP_OK;
  return hp_device_of_rank(opt->device, visible, 0, opt->ranks, &mine);
}

void hp_sim_ranks_memory(const hp_case *c, const hp_wells *W, const hp_run_options *opt, const hp_sim_memory *memory,
                         const hp_part_counts *part, int64_t *bytes, int64_t *device) {
  hp_linear_options solver;
  solver.uses_cpr = hp_sim_linear(c, opt, &solver) == NULL && solver.uses_cpr;
  int64_t active = 0, ghosts = 0;
  for (int r = 0; r < opt->ranks; ++r) {
    active += part[r].active;
    ghosts += part[r].ghosts;
  }
  for (int r = 0; r < opt->ranks; ++r) {
    const hp_part_counts *p = &part[r];
    const hp_grid shape = {.nx = p->lattice[0],
                           .ny = p->lattice[1],
                           .nz = p->lattice[2],
                           .ncell = (int64_t)p->lattice[0] * p->lattice[1] * p->lattice[2],
                           .nactive = p->active,
                           .connection = {.count = p->connections}};
    const double share = active > 0 ? (double)p->active / (double)active : 0.0,
                 linked = c->grid->connection.count > 0 ? (double)p->connections / (double)c->grid->connection.count
                                                        : 0;
    int64_t most = part_bytes(c, p, shape.ncell) + well_bytes(W) + memory->wells + fluid_bytes(c);
    most += (int64_t)(linked * (double)memory->connections);
    most += solver_bytes(c, opt, &solver, &shape, W->nwell);
    most += hierarchy_bytes(&solver, memory, share, p->read);
    most += pieces_bytes(c, opt, r, p->columns * c->grid->nz);
    device[r] = opt->backend == HP_BACKEND_CPU ? 0 : part_device_bytes(c, &solver, &shape);
    bytes[r] = r == 0 ? root_bytes(c, opt, memory, most + ghosts * (int64_t)sizeof(int64_t)) : most + memory->team;
  }
}
