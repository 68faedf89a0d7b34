/* hepta compare: one deck, several choices of solver, format, execution, backend, or of any other key.
 *
 *   sim/commands/compare.c       options; reads and judges every case before anything runs
 *   sim/compare/cases.c     cases from --case, from a file, from the ready-made sets
 *   sim/compare/run.c       a run of each case, with its own time steps
 *   sim/compare/systems.c   one run whose linear systems every case solves (--same-steps)
 *   sim/backend/others.h    linear solvers beside that of a run, for those systems
 *   sim/compare/measure.c   what both keep of a solve; differences to the first case
 *   sim/compare/tables.c    the table on the terminal, the CSV files
 *   sim/compare/page*.c     the HTML page (sim/compare/page_impl.h)
 *   sim/compare/chart.c     its pictures
 *
 * Several ranks run each case as `hepta run` does, by parts; the final state of the first one stays with the ranks
 * (sim/part/kept.h), and rank 0 has the tables.
 *
 * A case that fails, or that cannot run here, is a result like another: it has a row, a state and a reason.
 */
#ifndef HP_SIM_COMPARE_COMPARE_H
#define HP_SIM_COMPARE_COMPARE_H

#include "sim/part/kept.h"
#include "sim/simulator/simulator.h"

HP_EXTERN_C_BEGIN

enum {
  HP_COMPARE_CASES = HP_OTHER_SOLVERS,
  HP_COMPARE_SETS = 256
}; /* at most; settings: of a case and of all cases together */

/* ---- cases: sim/compare/cases.c ---- */

typedef struct hp_compare_case {
  char *name; /* no two are alike */
  char *file; /* the name as part of the names of files; no two are alike */
  int nset;
  char **set;               /* [nset] "key=value", as --set takes them */
  int backend;              /* hp_backend_kind, -1: that of the command line */
  int threads;              /* 0: those of the command line */
  char *gpus;               /* as --gpus takes them, NULL: those of the command line */
  hp_device_options device; /* of gpus */
} hp_compare_case;

typedef struct hp_compare_list {
  int count;
  hp_compare_case of[HP_COMPARE_CASES];
} hp_compare_list;

/* Each adds to the list; HP_ERR_USAGE says what is wrong. text: "name: key=value key=value"; blanks inside quotes and
 * brackets do not separate; the keys backend, threads and gpus are those of `hepta run`. path: a libconfig file with the list
 * `compare` (docs/guide/compare.md). name: a ready-made set. */
hp_status hp_compare_add_case(hp_compare_list *list, const char *text) HP_MUST_USE;
hp_status hp_compare_add_file(hp_compare_list *list, const char *path) HP_MUST_USE;
hp_status hp_compare_add_set(hp_compare_list *list, const char *name) HP_MUST_USE;
void hp_compare_list_clear(hp_compare_list *list);

/* ---- results ---- */

/* One linear solve. */
typedef struct hp_compare_solve {
  int step, attempt, newton; /* from 1; a step that was cut has several attempts */
  double time, dt;           /* [s] the end of the time step, and its length */
  hp_krylov_reason reason;
  int iterations;
  double residual;     /* |b - A x| / |b|; 0 where b is 0 */
  double setup, solve; /* [s] */
  double off[2];       /* same steps: |x - x1| / |x1| (2-norms), x1 of the first case: of the cells' pressures, of
                          their saturations; otherwise NAN */
} hp_compare_solve;

typedef enum { HP_COMPARE_NOT_RUN, HP_COMPARE_FINISHED, HP_COMPARE_FAILED } hp_compare_state;

/* Largest differences to the first case at the report times that both have; NAN: there is none to see. */
typedef struct hp_compare_difference {
  double until;                                  /* [s] the last of these times */
  double oil_total, water_total, injected_total; /* relative to the largest total of both there */
  double water_cut;                              /* [-] */
  double pressure;                               /* [Pa] average pressure */
  double fields_time;                            /* [s] where the fields are compared: the end, if it is the same */
  double cell_pressure, cell_saturation;         /* [Pa], [-] largest in an active cell */
} hp_compare_difference;

typedef struct hp_compare_result {
  hp_compare_state state;
  char why[1024];               /* why it failed or was not run; "" */
  char solver[320], where[256]; /* "gmres, cpr (...), tolerance 0.005", "CPU, 2 threads" */
  hp_compare_solve *solve;      /* [nsolve] in their order */
  int64_t nsolve;
  int64_t curve_of; /* the solve whose residuals are kept, -1: none */
  int ncurve;
  double *curve;                                  /* [ncurve] |r| / |b| at the start and after each iteration */
  int64_t solver_bytes, device_bytes, peak_bytes; /* 0: not known; of the linear solver, the GPU, the host */
  bool uses_cpr;
  hp_cpr_state cpr;
  /* with its own time steps, and of the first case: */
  bool has_run;
  hp_counts counts;
  /* share of all that was produced that the totals are corrected by, and the error in time that is left; NAN: not estimated */
  double corrected[HP_PHASES], error[HP_PHASES];
  double seconds[HP_PROF_COUNT], whole; /* [s] */
  double time;                          /* [s] where the run ended */
  int nreport;
  hp_report_row *report; /* [nreport] */
  int size[3];           /* of the grid: nx, ny, nz */
  double cell_off
      [HP_PHASES]; /* [Pa], [-] largest differences to the first case's state at its `time`; NAN: not compared */
  hp_compare_difference off;
} hp_compare_result;

typedef struct hp_compare {
  const char *deck, *folder; /* results go to FOLDER/CASE.h5, ... */
  const char *command_line;
  int nset;
  const char *const *set; /* [nset] for all cases, before their own */
  hp_compare_list list;
  hp_inputs read;          /* deck, what it names, files of cases */
  hp_backend_kind backend; /* of cases that name none */
  int threads;
  hp_device_options device; /* of --gpus, likewise */
  bool same_steps;
  int curve_step, curve_newton; /* the system whose residuals are kept; 0: the one with the most iterations */
  bool quiet;                   /* nothing on standard error */
  int progress;                 /* a bar there: as hp_progress_options.when */
  /* found out on the way: */
  hp_units units;
  char *title;
  char grid[96];       /* "50 x 50 x 1 = 2500 cells, 2500 active; 2 wells" */
  double began, whole; /* [s] hp_now() of the start; of all cases */
  bool cut_bricks;     /* same steps, ranks: a case needs parts that are cut between bricks */
  double *p, *s; /* [cells] the state at the end of the first case, 0 in inactive cells; of several ranks NULL, and: */
  hp_kept_state kept;
  hp_compare_result result[HP_COMPARE_CASES];
} hp_compare;

void hp_compare_clear(hp_compare *C);

/* Settings of case n, those of all cases first: out [HP_COMPARE_SETS]. */
int hp_compare_settings(const hp_compare *C, int n, const char **out);
/* All of a case's own choices as one line. */
hp_status hp_compare_describe(const hp_compare_case *k, char **out) HP_MUST_USE;
hp_backend_kind hp_compare_backend(const hp_compare *C, int n);
/* Collective: whether that is here, on all ranks. */
hp_status hp_compare_available(const hp_compare *C, int n) HP_MUST_USE;
int hp_compare_threads(const hp_compare *C, int n);
const hp_device_options *hp_compare_device(const hp_compare *C, int n);
/* NULL, or why the case's solver is refused there; c: its deck. */
const char *hp_compare_linear(const hp_compare *C, int n, const hp_case *c, hp_linear_options *out);

/* ---- running ---- */

/* Both fill C->result. They fail for interruptions (what was computed is kept), for memory, and for files of their own;
 * what happens to a case is in its result. */
hp_status hp_compare_run(hp_compare *C) HP_MUST_USE;
hp_status hp_compare_systems(hp_compare *C) HP_MUST_USE;

/* Looks on while a case runs: its arg is that of all functions. */
typedef struct hp_compare_watch {
  hp_run_observer observer;
  hp_status (*ready)(void *arg, hp_sim *S); /* before the first time step; the run has a place for residual histories */
  hp_status (*done)(void *arg, hp_sim *S);  /* after the last one, whatever happened to it; NULL: nothing to do */
} hp_compare_watch;

/* Runs case n into FOLDER/CASE.h5 under the eyes of `watch`, and keeps in its result what the run counted and what
 * became of it. HP_ERR_INTERRUPTED and failures of `ready` come back; others are the case's result. */
hp_status hp_compare_run_case(hp_compare *C, int n, const hp_compare_watch *watch) HP_MUST_USE;

/* ---- measuring: sim/compare/measure.c ---- */

/* Appends a solve of the system that S has; `off` is NAN. Times are the caller's. */
hp_status hp_compare_keep_solve(hp_compare_result *r, const hp_sim *S, int attempt, int newton,
                                const hp_krylov_report *k) HP_MUST_USE;
/* The latest solve becomes the one whose residuals are kept: history [iterations + 1]. */
hp_status hp_compare_keep_curve(hp_compare_result *r, const double *history) HP_MUST_USE;
/* Whether the solve is the one asked for. */
bool hp_compare_is_chosen(const hp_compare *C, const hp_compare_solve *v);

/* Counts, times and report rows of the run of case n; the final state of the first case, with which that of others is compared. */
hp_status hp_compare_keep_run(hp_compare *C, int n, hp_sim *S, double whole) HP_MUST_USE;
/* r->off, from two runs. */
void hp_compare_differences(const hp_compare_result *first, hp_compare_result *r);

/* Sums over the solves. */
typedef struct hp_compare_sum {
  int64_t iterations, stopped_short; /* solves that missed their tolerance */
  int most;                          /* iterations of a solve */
  double setup, solve;               /* [s] */
  double residual, off[2];           /* the largest; off NAN where no solve has one */
} hp_compare_sum;
hp_compare_sum hp_compare_sum_of(const hp_compare_result *r);

const char *hp_compare_state_name(hp_compare_state s);
/* "gmres, cpr (true-impes, ...), tolerance 0.005": into r->solver. */
void hp_compare_describe_solver(const hp_linear_options *linear, hp_compare_result *r);
/* Keeps what a solver holds and what cpr did. */
void hp_compare_keep_solver(hp_compare_result *r, const hp_linear_report *k);

/* ---- tables and the page ---- */

void hp_compare_print(const hp_compare *C, FILE *f);
/* FOLDER/compare.csv, compare.solves.csv, compare.residuals.csv. */
hp_status hp_compare_write_tables(const hp_compare *C) HP_MUST_USE;
/* FOLDER/compare.html. */
hp_status hp_compare_write_page(const hp_compare *C) HP_MUST_USE;

HP_EXTERN_C_END

#endif
