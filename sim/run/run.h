/* A run is created from a case, runs from report time to report time, and is destroyed. Of several ranks each does so, with its
 * part of the cells; its decisions are the same as those of the others.
 *
 *     hp_sim_read       the case from a deck
 *     hp_sim_create     reservoir, wells, matrix and solver from a case
 *     hp_sim_run        the time loop (sim/run/run.c): time steps (sim/run/time_step.c) by Newton's method
 *                       (sim/newton/newton.c) with step control (sim/simulator/step_control.c)
 *     hp_sim_destroy
 */
#ifndef HP_SIM_RUN_RUN_H
#define HP_SIM_RUN_RUN_H

#include "sim/part/bisection.h"
#include "sim/simulator/simulator.h"

HP_EXTERN_C_BEGIN

/* hp_case_read for a run; collective. Of several ranks c->spread is not NULL then, but for decks that each of them has to read as a
 * whole. */
hp_status hp_sim_read(const char *path, int nset, const char *const *set, hp_diag *diag, hp_case **out) HP_MUST_USE;

/* c: borrowed; actions that run add entries to its schedule. */
hp_status hp_sim_create(hp_case *c, const hp_run_options *opt, const char *base, hp_sim **out) HP_MUST_USE;
/* hp_sim_create in two parts: hp_sim_prepare makes all but the backend, which may wait for a GPU; hp_sim_start makes the
 * backend. If that fails, the caller destroys *out. */
hp_status hp_sim_prepare(hp_case *c, const hp_run_options *opt, const char *base, hp_sim **out) HP_MUST_USE;
hp_status hp_sim_start(hp_sim *S) HP_MUST_USE;
/* Counts the seconds since `began` as those of the start. Call it before the first time step. */
void hp_sim_end_start(hp_sim *S, double began);
void hp_sim_destroy(hp_sim **sim);

/* Several ranks: hp_sim_release_cells frees the cells of the reservoir and of S->releases once all ranks have their
 * parts; hp_sim_release_rest frees before what no part needs. */
hp_status hp_sim_release_rest(hp_sim *S) HP_MUST_USE;
void hp_sim_release_cells(hp_sim *S);
/* Returns the bytes that are freed so, of a case that is here as a whole. */
int64_t hp_sim_released_bytes(const hp_case *c);

/* Runs to the last report time. Returns HP_ERR_NUMERIC if a step cannot be shortened any more, HP_ERR_INTERRUPTED after a
 * signal. In both cases the result files are complete up to the last step. */
hp_status hp_sim_run(hp_sim *S) HP_MUST_USE;

/* Makes the changes by the schedule up to S->time that have not been made yet. */
hp_status hp_sim_apply_events(hp_sim *S) HP_MUST_USE;

/* Checks the economic limits of the wells after a step (sim/run/economy.c), and opens wells for a test. */
hp_status hp_sim_economy(hp_sim *S) HP_MUST_USE;
/* The schedule says what becomes of the perforations of `event`. */
void hp_sim_forget_limited(hp_sim *S, const hp_perf_event *event);

/* Runs the actions whose condition holds after a step (sim/simulator/actions.h). HP_ERR_NUMERIC: a well does not take what one says. */
hp_status hp_sim_act(hp_sim *S) HP_MUST_USE;

/* Memory that a run of a case will take (sim/run/memory.c). */
typedef struct hp_sim_memory {
  int64_t host, device;           /* bytes at most at one time; device: 0 on the CPU */
  int gpus, gpu[HP_GPUS_MAX];     /* the different GPUs of several, 0: one, or they are not known */
  int64_t device_on[HP_GPUS_MAX]; /* [gpus] bytes on each */
  int64_t steps;                  /* time steps whose rows `host` counts: the fewest that the deck's limits allow */
  int64_t step_bytes;             /* bytes of each further step */
  /* Bytes with several ranks: the most while the deck is read; without the backend, before the first step; what its output takes
   * later; the team; what the backend has of wells, of connections; what it has of the pressure system and its
   * hierarchy, and the most while these are made; what of `held` every rank has, and has beside it. */
  int64_t reading, start, output, team, wells, connections, held, building, whole, gathered;
} hp_sim_memory;

/* Predicts the memory of a run. Only the case and W, its wells at rest, may be in memory yet. */
hp_status hp_sim_measure_memory(const hp_case *c, const hp_wells *W, const hp_run_options *opt,
                                hp_sim_memory *out) HP_MUST_USE;
/* hp_sim_device_memory returns about the bytes on the device; hp_sim_memory_by_gpu writes those of each of several GPUs. */
int64_t hp_sim_device_memory(const hp_case *c, const hp_run_options *opt);
void hp_sim_memory_by_gpu(const hp_case *c, const hp_run_options *opt, hp_sim_memory *out);
/* HP_ERR_USAGE where the ranks of a host could not have the GPUs that are named (hp_device_of_rank). */
hp_status hp_sim_check_rank_gpus(const hp_run_options *opt) HP_MUST_USE;
/* Predicts the most bytes of each rank, bytes [opt->ranks], and of its GPU, device [opt->ranks] (0: none), for its part
 * [opt->ranks]. */
void hp_sim_ranks_memory(const hp_case *c, const hp_wells *W, const hp_run_options *opt, const hp_sim_memory *memory,
                         const hp_part_counts *part, int64_t *bytes, int64_t *device);
/* Returns NULL, or why the deck's linear solver is refused where the options place the run. */
const char *hp_sim_linear(const hp_case *c, const hp_run_options *opt, hp_linear_options *out);

/* Writes a line about where a curve is held (physics/fluid.h). */
void hp_sim_describe_end(const hp_case *c, const hp_table_end *e, char *out, size_t size);
/* Report the first cell beyond each end of S->table_end: among the wells' cells, if S->wells is as the last step left it, or
 * among all cells, if S->res has the state. */
void hp_sim_watch_wells(hp_sim *S);
void hp_sim_watch_cells(hp_sim *S);

HP_EXTERN_C_END

#endif
