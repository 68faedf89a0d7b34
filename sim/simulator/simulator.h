/* A run: the case, the state, the system and counts.
 *
 *     sim/run/run.h         creates a run from a case, runs its time loop, ends it
 *     sim/newton/newton.h   a time step by Newton's method
 *     sim/checkpoint        restart data of report steps
 *     sim/report            messages and tables
 */
#ifndef HP_SIM_SIMULATOR_H
#define HP_SIM_SIMULATOR_H

#include "core/profile.h"
#include "io/case/case.h"
#include "io/results/output.h"
#include "io/results/restart.h"
#include "physics/outflow.h"
#include "sim/backend/backend.h"
#include "sim/simulator/corrected.h"
#include "sim/simulator/schedule.h"
#include "sim/simulator/time_error.h"
#include "wells/group.h"

HP_EXTERN_C_BEGIN

struct hp_sim;
struct hp_progress;
typedef struct hp_write_behind hp_write_behind; /* sim/checkpoint/write_behind.h */

/* Observes a run (`hepta compare`, --dump-systems). Any status but HP_OK ends the run. */
typedef struct hp_run_observer {
  void *arg;
  /* Called when an attempt at a time step begins; again: the attempt before failed. */
  hp_status (*attempt)(void *arg, const struct hp_sim *S, bool again);
  /* Called after the system of Newton iteration `newton` (from 1) is solved, before its update. 0: the first system of the
   * whole run, from which cpr makes its hierarchy, before the first step of a run that goes on from a file. */
  hp_status (*solved)(void *arg, struct hp_sim *S, int newton, const hp_krylov_report *k);
} hp_run_observer;

typedef struct hp_run_options {
  hp_backend_kind backend;
  const hp_device_options *device; /* GPU: NULL: all defaults */
  hp_device_ahead *ahead; /* GPU that is being opened (sim/backend/backend.h); NULL: it is opened when it is needed */
  int threads;            /* members of the CPU team; 0: one per processor, with several ranks one */
  int ranks;              /* hepta check: ranks of the predicted run; 0: one process */
  bool monitor;           /* prints a line for each Newton iteration */
  bool profile;           /* prints the long table of times at the end */
  bool check_jacobian;    /* compares J with differences in the first time step */
  int dump_matrix;        /* writes the first system of this time step; 0: none */
  const char *command_line;
  const hp_run_observer *observer; /* NULL: none */
  bool goes_on;                    /* starts from results of another run (sim/checkpoint/checkpoint.h) */
  bool cut_bricks;                 /* ranks: as in hp_backend_input */
  bool no_restart;                 /* writes no restart data */
} hp_run_options;

/* Counts of a run. */
typedef struct hp_counts {
  int steps, cuts;
  int64_t newton, linear;               /* of accepted steps */
  int64_t wasted_newton, wasted_linear; /* of attempts that failed */
  int64_t unconverged_linear;           /* solves that stopped short of their tolerance */
} hp_counts;

/* A line of the final table, or the report after a time step. */
typedef struct hp_report_row {
  double time, pressure; /* [s], [Pa] */
  hp_flow field;
  int step;                 /* time steps made */
  double dt;                /* length of the last one [s]; after a step also: */
  int newton, linear, cuts; /* iterations of its last attempt, attempts before that */
  double max_ds;            /* largest change of saturation [-] */
} hp_report_row;

/* The course of Newton's method in a time step. */
typedef struct hp_newton_report {
  bool converged;
  bool rough;             /* as well as it could be: more than usual of volumes is dropped (hp_assemble_carry) */
  int iterations, linear; /* Newton updates made, linear iterations in all */
  int unconverged_linear;
  hp_norms norms;        /* of the last residual */
  double well_residual;  /* largest relative residual of a well's control, or excess over a limit */
  int worst_well;        /* -1: none */
  hp_control worst_mode; /* the control in force of that well, or the limit */
  bool beyond;           /* worst_mode is a limit */
  double max_ds;         /* largest saturation change of the step [-]; hp_newton_accept fills it in */
  double excess;         /* share of a rate that is beyond a target of a group, */
  const char *exceeded;  /*   and that target, of */
  int exceeded_group;    /*   that group */
  double seconds[HP_PROF_COUNT];
  bool singular; /* it failed at a singular block of the preconditioner */
  char why[512]; /* the reason of a failure: cell, equation, size of the residual */
} hp_newton_report;

/* Economic limits of a well; its tubing-head pressure, at which nothing flowed; economic limits of its group. */
enum { HP_GIVEN_UP_ECONOMY, HP_GIVEN_UP_LIFT, HP_GIVEN_UP_GROUP, HP_GIVEN_UP_KINDS };

/* A well that limits have shut, until the schedule or a test opens it again. */
typedef struct hp_given_up {
  bool is;
  int by;             /* HP_GIVEN_UP_*, the limits that did */
  hp_control control; /* that it takes up again */
  double since;       /* time at which it was shut, or of the last test [s] */
  int tests;          /* since it was shut */
} hp_given_up;

typedef struct hp_sim {
  const hp_case *c;
  hp_ranks *K; /* several ranks, of which this is one; NULL: a process by itself */
  hp_run_options opt;
  hp_linear_options linear; /* the case's, with the backend's own choices */
  hp_reservoir *res;        /* with the wells: the state, or copies that the backend renews */
  hp_wells *wells;
  hp_fluid *fluid;         /* [npvt] the case's, for reservoir volumes of wells */
  int *well_pvt;           /* [nwell] entry of fluid of its first perforation's cell */
  hp_table_end *table_end; /* [ntable_end] of the case's tables */
  int ntable_end;
  bool stepped;                /* this run has made a step, and wells have its rates */
  hp_aquifers *aquifers;       /* NULL: none */
  hp_aquifer_state *numerical; /* [nnumerical] influx of numerical aquifers */
  hp_outflow outflow;          /* cells of numerical aquifers */
  int64_t *outflow_place;      /* [hp_outflow_cells] their places in res */
  double *outflow_value;       /* [hp_outflow_numbers] */
  hp_backend *backend;
  hp_step_well *flow;           /* [nwell] reported rates of the last step */
  hp_corrected corrected;       /* its corrections */
  double time, dt;              /* [s] */
  hp_time_error time_error;     /* error in time of the steps so far */
  int short_steps;              /* in a row (warn_of_short_steps) */
  const char *exceeded;         /* target that the last step has exceeded; NULL: none */
  int exceeded_group;           /* of which group */
  double suggested_dt;          /* [s] next step of the controller */
  bool stops;                   /* the step ends at a time when wells may change, or at the end of the run */
  int step;                     /* time steps made */
  hp_schedule_cursor at;        /* place in the schedule */
  hp_groups groups;             /* as they are now */
  hp_timestep_options timestep; /* settings in force */
  hp_newton_options newton;     /* likewise */
  hp_given_up *given_up;        /* [nwell] */
  bool *limited;              /* [nperf] shut by the limits of its well, until the schedule or a test opens it again */
  hp_money money;             /* by the case's economics */
  bool ending;                /* the run ends at the next report time */
  hp_flow *totals;            /* [nwell] surface volumes since the start [m3]; rates of the last step [m3/s] */
  struct hp_sim_files *files; /* several ranks (sim/simulator/files.h) */
  hp_case *releases;          /* c, if its cells may be freed once ranks have their parts (sim/run/run.h); else NULL */
  hp_held held;               /* cells without a pressure level */
  double storage; /* [m3/Pa] by which the volume of all that cells hold grows as the pressure falls, at the start; 0:
                                 nobody asks (hp_newton_options.softness) */
  hp_in_place start, now; /* for the mass balance, as reported */
  double mean_pressure;   /* of the state that steps go on from [Pa] */
  hp_counts counts;
  hp_profile profile;
  int nrank;                         /* rank 0: ranks, at the end of a run by several; else 0 */
  const hp_backend_rank *rank;       /* [nrank] the backend's */
  double start_part[HP_START_COUNT]; /* [s] parts of the start */
  bool keeps;                        /* report steps have restart data */
  hp_restart kept;                   /* restart data of the latest one (sim/checkpoint/checkpoint.h) */
  hp_fingerprint *fingerprint;       /* [kept.nfingerprint] with the schedule so far; NULL: not asked for */
  uint64_t *after_change;            /* [c->ntrans_event] that of transmissibilities after each change; likewise */
  bool kept_done;                    /* the schedule's changes of its time were made before `kept` */
  double first_dt;                   /* [s] step of the first linear system; 0: none yet */
  hp_counts before;                  /* counts at the end of the last step */
  hp_output *output;                 /* NULL on ranks but 0 */
  hp_write_behind *writer;           /* writes fields beside a GPU's steps; NULL: they are written in line */
  hp_well_row *row;                  /* [nwell] of the last step */
  hp_group_row *group_row;           /* [groups.count] likewise */
  double (*group_past)
      [2 * HP_PHASES];   /* [groups.count] totals of production and injection by phase [m3] that wells made in it, less
                                        those which they brought along */
  hp_region_row *region; /* [nfip] likewise, NULL: not asked for (sim/simulator/regions.c) */
  hp_flow *connection;   /* [nperf] likewise; zeros unless they are followed: */
  double (*productivity)[HP_PHASES]; /* [nperf] and */
  struct hp_averages *averages; /*   what is around wells; NULL: no vector asks for it (sim/simulator/averages.c) */
  struct hp_derived
      *derived;             /* arrays that follow from the state; NULL: none are asked for (sim/simulator/derived.c) */
  bool follows_connections; /*   their vectors or those of regions are asked for */
  hp_segment_row *segment;  /* [wells->nsegment] NULL unless their vectors are asked for */
  int64_t *connection_region; /* [nperf] from 1; 0: none; NULL as region */
  int ncell;                  /* cells that vectors ask for */
  hp_cell_row *cell;          /* [ncell] likewise */
  int64_t *cell_place; /* [ncell] their numbers; once there is a backend, their places in its reservoir, -1: not here */
  hp_report_row *report; /* [nreport] */
  int nreport;           /* report times reached, and one more row if a run stops between two */
  int fields_step;       /* time step of the last written fields, -1: none */
  double output_counted; /* seconds of output in solver rows */
  double began;          /* hp_now() at the start */
  hp_case *told;         /* c, whose schedule gets what actions and those who steer the run say */
  struct hp_actions
      *actions; /* values of quantities and what actions have done (sim/simulator/actions.h); NULL: there are none */
  struct hp_steering *steering; /* borrowed: what wells are to do meanwhile (sim/run/steering.h); NULL: none */
  struct hp_progress *progress; /* borrowed: receives the reports (sim/report/progress.h); NULL: none */
  char base[1024];              /* path and base name of the result files */
} hp_sim;

/* Holds the pressure of cells without a pressure level, at the state of r, that no open well reaches. */
hp_status hp_sim_hold(const hp_case *c, const hp_wells *W, hp_reservoir *r, hp_held *out) HP_MUST_USE;
/* Sets options->softness, and makes max_dp_relative four times as large, if rock and fluids may be incompressible and no
 * aquifer holds the pressure. Rates of wells alone then leave the level of the pressure open, and the Jacobian is singular.
 * With a little compressibility in the Jacobian the level moves until a well is at its bhp limit. The residual has none, so the
 * solution does not depend on it. Properties hardly depend on such pressures, so these may change more. */
void hp_sim_soften(const hp_case *c, hp_newton_options *options);
/* Finds S->storage at the initial state, before there is a backend. */
hp_status hp_sim_find_storage(hp_sim *S) HP_MUST_USE;
/* Writes a line about them: their number, the first one, the reason. It is empty if there are none. */
void hp_sim_describe_held(const hp_case *c, const hp_held *h, char *out, size_t size);

/* A signal handler sets it: the run finishes its step, writes and stops. The reason: a signal, or output that nobody reads. */
enum { HP_SIM_ASKED = 1, HP_SIM_UNREAD = 2 };
extern volatile int hp_sim_interrupted;
/* Whether the run is to stop; of several ranks rank 0 decides. Collective. */
bool hp_sim_is_interrupted(const hp_sim *S);

/* Returns true the first time: either a handler of signals reports how this run ends, or the run itself. A handler may call
 * it. */
bool hp_sim_first_to_say(void);

/* Returns HP_ERR_INTERRUPTED, with the present time and the reason. */
hp_status hp_sim_stopped(const hp_sim *S);

/* Returns the reported influx of all aquifers so far [m3]. */
double hp_sim_influx(const hp_sim *S);

/* Computes (now - start - injected + produced) / start of each phase; influx of aquifers counts as injected. */
void hp_sim_mass_balance(const hp_sim *S, double error[HP_PHASES]);

/* Compute the data of vectors of regions, connections and cells: from the initial state on the host, and after a step.
 * hp_sim_regions_place finds the cells in the backend's reservoir. */
hp_status hp_sim_regions_create(hp_sim *S) HP_MUST_USE;
void hp_sim_regions_place(hp_sim *S);
hp_status hp_sim_regions(hp_sim *S) HP_MUST_USE;
void hp_sim_regions_destroy(hp_sim *S);
/* Productivity and average pressures of wells, likewise; the latter go to row [nwell]. */
hp_status hp_sim_averages_create(hp_sim *S) HP_MUST_USE;
void hp_sim_averages_place(hp_sim *S);
hp_status hp_sim_averages(hp_sim *S, hp_well_row *row) HP_MUST_USE;
void hp_sim_averages_destroy(hp_sim *S);
/* Arrays of HP_DERIVED_LIST that files are to have: hp_sim_derive computes them from the state, collective. The tables last as long as
 * the run, NULL where nobody asks: arrays [HP_DERIVED] of the backend's cells, flows of the grid's connections. */
hp_status hp_sim_derived_create(hp_sim *S) HP_MUST_USE;
hp_status hp_sim_derive(hp_sim *S) HP_MUST_USE;
double *const *hp_sim_derived_arrays(const hp_sim *S);
const hp_link_flow *hp_sim_derived_links(const hp_sim *S);
void hp_sim_derived_destroy(hp_sim *S);
/* The state of cells at these places [count] of the backend's reservoir (hp_backend_place_of), to cell [count]; collective. */
hp_status hp_sim_look_at_cells(hp_sim *S, int64_t count, const int64_t *place, hp_cell_row *cell) HP_MUST_USE;

/* Compute the outflow of numerical aquifers: at the initial state on the host, and after a step. hp_sim_numerical_place finds their
 * cells in the backend's reservoir. */
hp_status hp_sim_numerical_create(hp_sim *S) HP_MUST_USE;
void hp_sim_numerical_place(hp_sim *S);
hp_status hp_sim_numerical(hp_sim *S) HP_MUST_USE;
void hp_sim_numerical_destroy(hp_sim *S);

/* Sets p and s of a reservoir's cells at the start of a run. */
hp_status hp_sim_initial_state(const hp_case *c, hp_reservoir *r) HP_MUST_USE;

/* Returns field rates and totals: sums over the wells, times their efficiencies. */
hp_flow hp_sim_field_flow(const hp_sim *S);
/* Adds the money that the last step has made, once a step (sim/simulator/money.c). */
void hp_sim_earn(hp_sim *S);
hp_flow hp_sim_group_flow(const hp_sim *S, int g);
/* Adds to group_past, or takes from it, the totals of each group's wells: before a change of the tree, and after it. */
void hp_sim_move_totals(hp_sim *S, double sign);

/* hp_sim_change_trans multiplies transmissibilities by change number n of the schedule. hp_sim_put_trans copies them to the
 * backend, once after several changes. */
hp_status hp_sim_change_trans(hp_sim *S, int n) HP_MUST_USE;
hp_status hp_sim_put_trans(hp_sim *S) HP_MUST_USE;

/* Says whether pores, water and oil of the case are all incompressible. */
bool hp_sim_incompressible(const hp_case *c);

HP_EXTERN_C_END

#endif
