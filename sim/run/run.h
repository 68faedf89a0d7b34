/* Runs: made from a case, run from report time to report time, destroyed.
 *
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

hp_status hp_sim_create(const hp_case *c, const hp_run_options *opt, const char *base, hp_sim **out) HP_MUST_USE;
/* The same in two parts: all but the backend, which may wait for a GPU. What failed in the second one is destroyed by
 * the caller. */
hp_status hp_sim_prepare(const hp_case *c, const hp_run_options *opt, const char *base, hp_sim **out) HP_MUST_USE;
hp_status hp_sim_start(hp_sim *S) HP_MUST_USE;
/* Seconds since `began` become those of the start, whatever was done in them; before the first time step. */
void hp_sim_end_start(hp_sim *S, double began);
void hp_sim_destroy(hp_sim **sim);

/* Several ranks: the cells of the reservoir and of S->releases go once all have their parts, and before that, by
 * hp_sim_release_rest, what is in none of them. */
hp_status hp_sim_release_rest(hp_sim *S) HP_MUST_USE;
void hp_sim_release_cells(hp_sim *S);
/* Bytes of cells that go so, of a case all of which is here. */
int64_t hp_sim_released_bytes(const hp_case *c);

/* Runs to the last report time. HP_ERR_NUMERIC when a step cannot be made any
 * shorter, HP_ERR_INTERRUPTED after a signal: in both cases the result files
 * are whole up to the last step. */
hp_status hp_sim_run(hp_sim *S) HP_MUST_USE;

/* Looks at the economic limits of the wells after a step (sim/run/economy.c). */
hp_status hp_sim_economy(hp_sim *S) HP_MUST_USE;

/* Memory that a run of a case will take (sim/run/memory.c). */
typedef struct hp_sim_memory {
  int64_t host, device;           /* bytes at most at one time; device: 0 on the CPU */
  int gpus, gpu[HP_GPUS_MAX];     /* the different GPUs of several, 0: one, or they are not known */
  int64_t device_on[HP_GPUS_MAX]; /* [gpus] bytes on each */
  int64_t steps;                  /* time steps whose rows are in `host`: the fewest that the deck's limits allow */
  int64_t step_bytes;             /* of each one more */
  /* Bytes with several ranks: the most while the deck is read; without the backend, before the first step; what its output takes
   * later; the team; what the backend has of wells, of connections; what it has of the pressure system and its
   * hierarchy, and the most while these are made; what of `held` every rank has, and has beside it. */
  int64_t reading, start, output, team, wells, connections, held, building, whole, gathered;
} hp_sim_memory;

/* Called before anything of the run is made; the case and W, its wells at rest, are all that is held now. */
hp_status hp_sim_measure_memory(const hp_case *c, const hp_wells *W, const hp_run_options *opt,
                                hp_sim_memory *out) HP_MUST_USE;
/* About the bytes on the device; and, into `out`, on each of several GPUs. */
int64_t hp_sim_device_memory(const hp_case *c, const hp_run_options *opt);
void hp_sim_memory_by_gpu(const hp_case *c, const hp_run_options *opt, hp_sim_memory *out);
/* GPUs that each rank of a host would drive, and how many different ones; 0: it has none. HP_ERR_USAGE: hp_device_share_gpus. */
hp_status hp_sim_rank_gpus(const hp_run_options *opt, int *gpus, int *different) HP_MUST_USE;
/* bytes, device [opt->ranks] at most on each rank, and on a GPU of it, 0: it has none; part [opt->ranks]; gpus: different ones
 * of a rank. */
void hp_sim_ranks_memory(const hp_case *c, const hp_wells *W, const hp_run_options *opt, const hp_sim_memory *memory,
                         const hp_part_counts *part, int gpus, int64_t *bytes, int64_t *device);
/* NULL, or why the deck's linear solver is refused; as options say where the run is. */
const char *hp_sim_linear(const hp_case *c, const hp_run_options *opt, hp_linear_options *out);

/* A line about where a curve is held (physics/fluid.h). */
void hp_sim_describe_end(const hp_case *c, const hp_table_end *e, char *out, size_t size);
/* Reports the first cell beyond each end of S->table_end: of the wells' where S->wells is as the last step left it, of all where
 * S->res has the state. */
void hp_sim_watch_wells(hp_sim *S);
void hp_sim_watch_cells(hp_sim *S);

HP_EXTERN_C_END

#endif
