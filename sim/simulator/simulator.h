/* A run: the case, the state, the system and what is counted on the way.
 *
 *     sim/run/run.h         makes it from a case, runs its time loop, ends it
 *     sim/newton/newton.h   a time step by Newton's method
 *     sim/checkpoint        what a run needs to go on from a report step
 *     sim/report            what is said of it
 */
#ifndef HP_SIM_SIMULATOR_H
#define HP_SIM_SIMULATOR_H

#include "core/profile.h"
#include "io/case/case.h"
#include "io/results/output.h"
#include "io/results/restart.h"
#include "sim/backend/backend.h"
#include "sim/simulator/corrected.h"
#include "sim/simulator/schedule.h"
#include "sim/simulator/time_error.h"
#include "wells/field.h"

HP_EXTERN_C_BEGIN

struct hp_sim;
struct hp_progress;
typedef struct hp_write_behind hp_write_behind; /* sim/checkpoint/write_behind.h */

/* Looks on while a run goes (`hepta compare`, --dump-systems); what it returns but HP_OK ends the run. */
typedef struct hp_run_observer {
  void *arg;
  /* An attempt at a time step begins; again: the one before failed. */
  hp_status (*attempt)(void *arg, const struct hp_sim *S, bool again);
  /* A system of Newton's iteration `newton`, from 1, is solved, and its update still to be made. 0: before the first
   * step of a run that goes on from a file, the first system of the whole run, for cpr's hierarchy. */
  hp_status (*solved)(void *arg, struct hp_sim *S, int newton, const hp_krylov_report *k);
} hp_run_observer;

typedef struct hp_run_options {
  hp_backend_kind backend;
  const hp_device_options *device; /* GPU: NULL: all defaults */
  bool gpus_each;                  /* several ranks: device->gpus is how many each of them drives */
  hp_device_ahead *ahead; /* GPU: is being opened (sim/backend/backend.h); NULL: it is opened when it is needed */
  int threads;            /* members of the CPU team; 0: one a processor, of each of several ranks one */
  int ranks;              /* hepta check: of the run that it speaks of; 0: one process */
  uint32_t rotate;        /* tests: seed of the rotation of ownership; 0: none */
  int stand_for;          /* tests: GPUs that the members of the CPU's team stand for; 0: none */
  bool monitor;           /* a line for each Newton iteration */
  bool profile;           /* the long table of times at the end */
  bool check_jacobian;    /* compare J with differences in the first time step */
  int dump_matrix;        /* write the first system of this time step; 0: none */
  const char *command_line;
  const hp_run_observer *observer; /* NULL: none */
  bool goes_on;                    /* from a state of another run's results (sim/checkpoint/checkpoint.h) */
  bool cut_bricks;                 /* ranks: as in hp_backend_input, like: */
  struct hp_kept_state *kept;
  bool no_restart; /* nobody goes on from its results: what that needs is not written */
} hp_run_options;

/* Counts of a run. */
typedef struct hp_counts {
  int steps, cuts;
  int64_t newton, linear;               /* of accepted steps */
  int64_t wasted_newton, wasted_linear; /* of attempts that failed */
  int64_t unconverged_linear;           /* solves that stopped short of their tolerance */
} hp_counts;

/* A line of the table at the end, or what is reported after a time step. */
typedef struct hp_report_row {
  double time, pressure; /* [s], [Pa] */
  hp_flow field;
  int step;                 /* time steps made, the last of them: */
  double dt;                /*   its length [s]; after a step also: */
  int newton, linear, cuts; /* iterations of its last attempt, attempts before that */
  double max_ds;            /*   largest change of saturation [-] */
} hp_report_row;

/* How Newton's method went in a time step. */
typedef struct hp_newton_report {
  bool converged;
  int iterations, linear; /* Newton updates made, linear iterations in all */
  int unconverged_linear;
  hp_norms norms;        /* of the last residual */
  double well_residual;  /* largest relative residual of a well's control, or excess over a limit */
  int worst_well;        /* -1: none */
  hp_control worst_mode; /* what that well obeys, or the limit */
  bool beyond;           /* it is a limit */
  double max_ds;         /* largest saturation change of the step [-]; hp_newton_accept fills it in */
  double seconds[HP_PROF_COUNT];
  bool singular; /* it failed in the preconditioner, at a singular block */
  char why[512]; /* why it failed: cell, equation, how big */
} hp_newton_report;

typedef struct hp_sim {
  const hp_case *c;
  hp_run_options opt;
  hp_linear_options linear; /* the case's, with the backend's own choices */
  hp_reservoir *res;        /* with the wells: the state, or copies that the backend renews */
  hp_wells *wells;
  hp_fluid *fluid;         /* [npvt] the case's, for the volumes of wells: */
  int *well_pvt;           /* [nwell] of its first perforation's cell */
  hp_table_end *table_end; /* [ntable_end] of the case's tables */
  int ntable_end;
  bool stepped;                /* a step was made here: wells have its rates */
  hp_aquifers *aquifers;       /* NULL: none */
  hp_aquifer_state *numerical; /* [nnumerical] what numerical aquifers gave; with */
  hp_outflow outflow;          /* their cells, */
  int64_t *outflow_place;      /* [hp_outflow_cells] where they are in res, */
  double *outflow_value;       /* [hp_outflow_numbers] */
  hp_backend *backend;
  hp_step_well *flow;           /* [nwell] of the step just made, as it is reported */
  hp_corrected corrected;       /* by what */
  double time, dt;              /* [s] */
  hp_time_error time_error;     /* what the steps so far cost in accuracy */
  double suggested_dt;          /* [s] the step that the controller would take next */
  bool stops;                   /* the step ends where wells may change, or the run */
  int step;                     /* time steps done */
  hp_schedule_cursor at;        /* what of the schedule is in force */
  hp_field_control field;       /* what the field is asked for */
  hp_timestep_options timestep; /* in force */
  hp_newton_options newton;     /* likewise */
  bool *given_up;               /* [nwell] shut by its economic limits, until the schedule opens it again */
  bool ending;                  /* the run ends at the next report time */
  hp_flow *totals;              /* [nwell] surface volumes since the start [m3]; rates of the last step [m3/s] */
  struct hp_sim_cells *cells;   /* of a case that is spread over ranks, for its files (sim/run/spread.h) */
  hp_case *releases;            /* c, whose cells may go when ranks have their parts (sim/run/run.h); NULL: they stay */
  hp_held held;                 /* cells whose pressure nothing sets */
  hp_in_place start, now;       /* for the mass balance, as reported */
  double mean_pressure;         /* of the state that steps go on from [Pa] */
  hp_counts counts;
  hp_profile profile;
  int nrank;                         /* at its end, of several ranks; else 0 */
  const hp_backend_rank *rank;       /* [nrank] the backend's */
  double start_part[HP_START_COUNT]; /* [s] what the start was made of */
  bool keeps;                        /* report steps are written with what a run needs to go on: */
  hp_restart kept;                   /* of the latest one (sim/checkpoint/checkpoint.h) */
  hp_fingerprint *fingerprint;       /* [kept.nfingerprint] with the schedule so far; NULL: nobody asks */
  uint64_t *after_change;            /* [c->ntrans_event] that of transmissibilities after each change; likewise */
  bool kept_done;                    /* the schedule's changes of its time were made before it was kept */
  double first_dt;                   /* [s] step of the first linear system; 0: there was none yet */
  hp_counts before;                  /* counts at the end of the last step that was made */
  hp_output *output;
  hp_write_behind *writer;         /* of the fields, where the CPU is idle; NULL: they are written in line */
  hp_well_row *row;                /* [nwell] of the step just made */
  hp_region_row *region;           /* [nfip] likewise, NULL: not asked for (sim/simulator/regions.c) */
  double (*connection)[HP_PHASES]; /* [nperf] surface rates out of the reservoir [m3/s], likewise */
  hp_report_row *report;           /* [nreport] */
  int nreport;                     /* report times reached; one more row where a run stops between two */
  int fields_step;                 /* time step of the last fields written, -1: none */
  double output_counted;           /* seconds of output that are in solver rows */
  double began;                    /* hp_now() of the start */
  struct hp_progress *progress;    /* receives the reports (sim/report/progress.h), borrowed; NULL: none */
  char base[1024];                 /* path and base name of the result files */
} hp_sim;

/* Holds the pressure of cells where nothing sets its level, at the state that r has, and that no open well reaches. */
hp_status hp_sim_hold(const hp_case *c, const hp_wells *W, hp_reservoir *r, hp_held *out) HP_MUST_USE;
/* Sets options->softness, and makes max_dp_relative four times as large, where rock and fluids may be incompressible and no
 * aquifer holds the pressure. Rates of wells alone leave the level of the pressure open then, and the Jacobian is singular; a
 * well that is closed for a moment does so, too. With a little compressibility in the Jacobian the level moves until a well is
 * at its limit of the bhp. The residual has none, so what Newton's method converges to does not know it. Properties of cells
 * hardly follow such pressures, which may therefore change more. */
void hp_sim_soften(const hp_case *c, hp_newton_options *options);
/* A line about them, where there are any: how many, the first one, why. */
void hp_sim_describe_held(const hp_case *c, const hp_held *h, char *out, size_t size);

/* Set by a signal handler: finish the step, write, stop. Why: somebody asks for it, or nobody reads the output. */
enum { HP_SIM_ASKED = 1, HP_SIM_UNREAD = 2 };
extern volatile int hp_sim_interrupted;

/* Whether nothing has said yet how this run ends: true the first time. Either a handler of signals says it or the run, never both.
 * May be called by a handler. */
bool hp_sim_first_to_say(void);

/* HP_ERR_INTERRUPTED, with the time at hand and why. */
hp_status hp_sim_stopped(const hp_sim *S);

/* The influx of all aquifers so far, as reported [m3]. */
double hp_sim_influx(const hp_sim *S);

/* (now - start - injected + produced) / start of each phase; what aquifers give counts as injected. */
void hp_sim_mass_balance(const hp_sim *S, double error[HP_PHASES]);

/* Data for vectors of regions and connections: of the initial state on the host, and of a step just made. */
hp_status hp_sim_regions_create(hp_sim *S) HP_MUST_USE;
hp_status hp_sim_regions(hp_sim *S) HP_MUST_USE;

/* Outflow of numerical aquifers: at the initial state on the host, and in a step just made. */
hp_status hp_sim_numerical_create(hp_sim *S) HP_MUST_USE;
hp_status hp_sim_numerical(hp_sim *S) HP_MUST_USE;
void hp_sim_numerical_destroy(hp_sim *S);

/* p and s of a reservoir's cells where a run starts. */
hp_status hp_sim_initial_state(const hp_case *c, hp_reservoir *r) HP_MUST_USE;

/* Field rates and totals: sums over the wells, times their efficiencies. */
hp_flow hp_sim_field_flow(const hp_sim *S);

/* Change number n of the schedule multiplies transmissibilities; hp_sim_put_trans brings them to where they are used, once after
 * several. */
hp_status hp_sim_change_trans(hp_sim *S, int n) HP_MUST_USE;
hp_status hp_sim_put_trans(hp_sim *S) HP_MUST_USE;

/* Nothing in the case changes its volume with pressure: pores, water and oil. */
bool hp_sim_incompressible(const hp_case *c);

HP_EXTERN_C_END

#endif
