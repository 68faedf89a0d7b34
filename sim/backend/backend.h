/* The place at which the time steps of a run are computed.
 *
 *     sim/newton/newton.c, sim/run/time_step.c         decide; one host thread
 *        | hp_backend_ops
 *     sim/backend/cpu.c                     a team of threads; the host's arrays are the state
 *     sim/backend/ranks/ranks.c             several processes with a part each, on a team of threads or a GPU; rank 0
 *                                           decides, whose arrays are copies that put_* and get_* renew
 *     sim/backend/cuda/backend.cu           one GPU; likewise
 *
 * Both run the programs of sim/step/step.inl.h. What crosses between host and device
 * in a time step is the report of each program and, after it, a row a well;
 * cell fields only when get_state or system is called.
 */
#ifndef HP_SIM_BACKEND_BACKEND_H
#define HP_SIM_BACKEND_BACKEND_H

#include "core/device/ahead.h"
#include "core/ranks/ranks.h"
#include "grid/partition.h"
#include "io/case/case.h"
#include "io/files/remote.h"
#include "linsolve/matrix/pieces.h"
#include "physics/outflow.h"
#include "physics/regions.h"
#include "sim/backend/jacobian.h"
#include "sim/backend/others.h"
#include "sim/linear/linear.h"
#include "sim/step/step.h"

HP_EXTERN_C_BEGIN

typedef enum { HP_BACKEND_CPU, HP_BACKEND_CUDA, HP_BACKEND_COUNT } hp_backend_kind;

/* Parts of a run's start, for --profile. X(NAME, text) */
#define HP_START_LIST(X)                      \
  X(DECK, "reading the deck")                 \
  X(GRID, "grid and rock")                    \
  X(STATE, "wells and initial state")         \
  X(GPU, "waiting for the GPU to start")      \
  X(BACKEND, "memory, copies, first balance") \
  X(FILES, "result files")

typedef enum {
#define HP_START_ENUM(name, text) HP_START_##name,
  HP_START_LIST(HP_START_ENUM)
#undef HP_START_ENUM
      HP_START_COUNT
} hp_start_part;

/* Arguments of a backend, which borrows all of them. */
typedef struct hp_backend_input {
  const hp_grid *grid;
  const hp_fluid_spec *fluid; /* of res */
  hp_reservoir *res;          /* p and s set: the initial state */
  hp_wells *wells;            /* the backend fills their slot[] */
  hp_aquifers *aquifers;      /* NULL: none */
  const hp_linear_options *linear;
  const hp_newton_options *newton;
  hp_profile *profile;             /* operations add themselves */
  double *start;                   /* [HP_START_COUNT] [s] GPU: the wait for its start is added */
  int threads;                     /* CPU: members of the team; 0: one a processor */
  bool time_error;                 /* the error in time is estimated */
  uint32_t rotate;                 /* CPU, tests: seed of the rotation of ownership; 0: none */
  int64_t skip_barrier;            /* CPU, tests: the team's barrier that is left out; 0: none */
  int stand_for;                   /* CPU, tests: so many GPUs, whose shares of all loops its members have; 0: none */
  const hp_device_options *device; /* GPU: NULL: all defaults */
  bool gpus_each;                  /* ranks: device->gpus is how many each of them drives */
  hp_device_ahead *ahead;          /* GPU: one that is being opened is taken, instead; NULL: none is */
  const hp_part *part;             /* all of the above is a rank's; NULL: there is one process */
  const hp_outflow *outflow;       /* ranks: numerical aquifers */
  const uint16_t *region;          /* ranks: [ncell] as hp_regions_add has them; NULL: all 1, or nobody asks */
  int nchange;                     /* ranks: changes of transmissibilities to come; of planes, or rank 0's */
  const hp_trans_event *change;
  bool cut_bricks;            /* ranks: parts are cut between bricks, which another solver of their systems needs */
  struct hp_kept_state *kept; /* ranks: rank 0's place of keep_state and compare_state (sim/part/kept.h); NULL: none */
  hp_spread *spread;         /* ranks: grid, fluid and res are of planes (sim/part/subdomain.h); NULL: rank 0 has all */
  void (*parted)(void *arg); /* ranks: each has its part; cells of grid and res may go. NULL: nobody waits for that */
  void *parted_arg;
} hp_backend_input;

/* The latest system, on the host; valid until the next operation. */
typedef struct hp_backend_system {
  const hp_gh *J;
  const double *R, *b; /* [J->n] */
  const double *x;     /* [J->n] what the latest solve found; with `matrix` only */
} hp_backend_system;

/* A rank of a run since its start, for the profile. */
typedef struct hp_backend_rank {
  int64_t active, ghosts, neighbours, cut_faces; /* cells, cells, ranks; hp_subdomain_cut_faces */
  int64_t memory;                                /* bytes held at most */
  double seconds;                                /* all, those in calls among them */
  hp_ranks_spent in[HP_RANKS_KINDS];
} hp_backend_rank;

typedef struct hp_backend hp_backend;

/* Every operation may fail (HP_ERR_TEAM, or an error of the device): then the
 * state is void and only destroy is left. */
typedef struct hp_backend_ops {
  void (*destroy)(hp_backend **B);

  /* "CPU, 2 threads, 22 MB": what a run's first lines say. */
  void (*describe)(const hp_backend *B, char *out, size_t size);
  int64_t (*barriers)(const hp_backend *B); /* passed by all programs so far */
  /* Columns of each rank [*count]; NULL of one process. */
  const hp_box *(*parts)(const hp_backend *B, int *count);
  /* row [*count] of all ranks, which stay the backend's; NULL of one process. */
  hp_status (*ranks)(hp_backend *B, int *count, const hp_backend_rank **row);
  /* Cells of the state in pieces, for files; NULL of one process. */
  const hp_remote *(*remote)(hp_backend *B);
  /* Bytes copied so far; NULL without a device. */
  void (*traffic)(const hp_backend *B, int64_t *to_device, int64_t *to_host);

  /* The host's p, s, lowest pressures of rock tables, wells and aquifers become the state; only the wells; and back, but
   * for the aquifers, whose state is on the host at the end of each step. */
  hp_status (*put_state)(hp_backend *B);
  hp_status (*put_wells)(hp_backend *B);
  /* The host's p and s are the state that steps go on from; those of the next put_state are shown until `begin`. */
  hp_status (*put_own)(hp_backend *B);
  hp_status (*get_state)(hp_backend *B); /* NULL of several ranks, of which none has all cells */
  hp_status (*get_wells)(hp_backend *B);
  /* The host's transmissibilities, which hp_reservoir_change_trans has made the reservoir's own; NULL of several ranks. */
  hp_status (*put_trans)(hp_backend *B);
  /* Several ranks: change number `change` of those that the backend was made with multiplies the parts'; NULL of one process. */
  hp_status (*change_trans)(hp_backend *B, int change);
  /* The balance carried from step to step, the reservoir's mass_old, and back; of several ranks there from base.source alone. */
  hp_status (*put_balance)(hp_backend *B);
  hp_status (*get_balance)(hp_backend *B);
  /* B->error and B->change become the state's, and back; likewise. Only with time_error. */
  hp_status (*put_error)(hp_backend *B);
  hp_status (*get_error)(hp_backend *B);

  /* The programs of sim/step/step.inl.h. */
  hp_status (*start)(hp_backend *B, hp_step_report *out);
  hp_status (*begin)(hp_backend *B);
  /* control: wells may switch; retry: a well that may take up a control again, -1: none (wells/control.inl.h) */
  hp_status (*assemble)(hp_backend *B, double dt, bool jacobian, bool control, int retry, hp_step_report *out);
  hp_status (*update)(hp_backend *B, double share); /* share: of the solution that is added */
  hp_status (*restore)(hp_backend *B);
  /* row [nwell]; weight: hp_step's error_weight. */
  hp_status (*accept)(hp_backend *B, double dt, double weight, hp_step_well *row, hp_step_report *out);
  /* Carries the error in time over a step of length dt, after its accept. `solve`: by a solve (times: as of `solve`), whose
   * report is *k; else, or where that fails, the error stays where it is made. Fills row[].error and bhp_error, influx
   * [aquifers] with the errors of their rates [m3/s], and the report's sums of a correction. */
  hp_status (*error)(hp_backend *B, double dt, bool solve, double times, hp_step_well *row, double *influx,
                     hp_krylov_report *k, hp_step_report *out);
  /* The state is the corrected one, after `error`, until `begin`, which goes on from what it was. */
  hp_status (*show)(hp_backend *B, const hp_step_correction *correction, hp_step_report *out);

  /* Numbers of the preconditioner, and x from J x = b; times: as in hp_linear_solve_loosely. */
  hp_status (*solve)(hp_backend *B, double times, hp_krylov_report *out);

  /* R, b and the reservoir's row scaling on the host; with `matrix` also the values of J, and x. NULL of several ranks. */
  hp_status (*system)(hp_backend *B, bool matrix, hp_backend_system *out);
  /* Several ranks: hp_backend_keep, hp_backend_pieces and hp_backend_jacobian; NULL of one process. */
  hp_status (*keep)(hp_backend *B, hp_gh_which which);
  hp_status (*pieces)(hp_backend *B, hp_gh_source *out);
  hp_status (*jacobian)(hp_backend *B, double dt, bool off_kinks, hp_jacobian_errors *out);

  /* Several ranks: value [hp_outflow_numbers] of the numerical aquifers at the state; NULL of one process. */
  hp_status (*outflow)(hp_backend *B, double *value);
  /* Several ranks: total [count] of regions first, first + 1, ... at the state, which is 0 before; NULL of one process. */
  hp_status (*regions)(hp_backend *B, int first, int count, hp_region_totals *total);
  /* Several ranks: whether all cells are rigid at the state (hp_reservoir_is_rigid); NULL of one process. */
  hp_status (*rigid)(hp_backend *B, bool *all);
  /* Several ranks: the state is kept, which outlives the backend; off [2] the largest differences of p and s in a cell to what
   * an earlier backend has kept, on a grid of the same size (sim/part/kept.h). NULL of one process. */
  hp_status (*keep_state)(hp_backend *B);
  hp_status (*compare_state)(hp_backend *B, double *off);
  /* Several ranks: the functions of sim/backend/others.h; NULL of one process. */
  hp_status (*others_fetch)(hp_backend *B);
  hp_status (*other_create)(hp_backend *B, int n, const hp_other_options *options);
  hp_status (*others_begin_step)(hp_backend *B);
  hp_status (*other_solve)(hp_backend *B, int n, double *history, hp_other_report *out);
  hp_status (*other_report)(hp_backend *B, int n, hp_linear_report *out);

  /* Only of a rank's part. Ghosts of p and s, and of x with the wells of other ranks, become what their owners have; those of b
   * zero. Collective. */
  hp_status (*renew_state)(hp_backend *B);
  hp_status (*renew_update)(hp_backend *B);
  hp_status (*drop_rhs)(hp_backend *B);
} hp_backend_ops;

struct hp_backend {
  const hp_backend_ops *ops;
  hp_linear_solver *linear;
  double times;        /* its tolerance in the latest solve, in the usual one */
  bool device;         /* the state lives elsewhere than on the host */
  const char *warning; /* to be said once at the start, or NULL */
  double *history;     /* not NULL: [2 max_iterations + 1] receives that of each solve, see hp_krylov_solve;
                      the second attempt of one with cpr follows the first; the caller's */
  hp_reservoir *res;
  hp_wells *wells;
  hp_aquifers *aquifers; /* NULL: none */
  hp_profile *profile;
  bool shown;            /* the state is a corrected one; */
  double *p_own, *s_own; /* [ncell] then: the one that steps go on from, on a device after get_balance */
  float *error, *change; /* [ncell*2] hp_step's on the host; NULL: not estimated, or, on a device, not fetched yet */
  hp_others *others;     /* of one process or a rank's part: solvers beside `linear`; NULL: none */
  hp_gh_here here;       /* of one process or a rank's part: the latest system in pieces, kept matrices */
  const hp_remote_source *source; /* ranks: not NULL: cells of put_state, put_balance and put_error are there */
};

/* Rank 0 calls it for all, where there are several (hp_ranks_world). */
hp_status hp_backend_create(hp_backend_kind kind, const hp_backend_input *in, hp_backend **out) HP_MUST_USE;
/* Work of ranks but 0 beside that: programs of all ranks, such as reading a deck, that rank 0 calls by number. */
typedef struct hp_backend_service {
  void *arg;
  void (*program)(void *arg, hp_ranks *K, int program);
  /* Left by programs to make a backend of; NULL: nothing, rank 0 has all. */
  const hp_backend_input *(*input)(void *arg);
} hp_backend_service;

/* Ranks but 0: take part in the backends that rank 0 makes, until it calls hp_backend_dismiss; *code is what that was
 * given. hp_backend_call: rank 0 begins a program, which the others do then, too. */
hp_status hp_backend_serve(hp_ranks *K, const hp_backend_service *service, int *code) HP_MUST_USE;
void hp_backend_dismiss(hp_ranks *K, int code);
void hp_backend_call(hp_ranks *K, int program);
void hp_backend_destroy(hp_backend **B);

const char *hp_backend_name(hp_backend_kind kind); /* "cpu", "cuda" */
bool hp_backend_find(const char *name, hp_backend_kind *kind);

/* HP_OK, or HP_ERR_UNSUPPORTED with the reason: this build or this machine has none of that kind. */
hp_status hp_backend_available(hp_backend_kind kind) HP_MUST_USE;
/* Begins to open the device of a backend to come, where it has one (else *out is NULL); device may be NULL. */
hp_status hp_backend_ahead(hp_backend_kind kind, const hp_device_options *device, hp_device_ahead **out) HP_MUST_USE;

hp_solver_place hp_backend_place(hp_backend_kind kind, bool ranks);
/* hp_linear_choose for this process, alone or a rank. */
const char *hp_backend_linear(hp_backend_kind kind, const hp_case *c, hp_linear_options *out);

/* Bytes of what differs between cells: numbers of regions, end points. */
int64_t hp_backend_region_bytes(const hp_case *c);

/* Bytes of the arrays of cells that a time step works on beside the grid and
 * the state, cpr's first stage not counted, and of all that a run holds on a device; regions not counted. */
int64_t hp_backend_step_bytes(const hp_grid *g, const hp_krylov_options *linear, bool time_error);
int64_t hp_backend_device_bytes(const hp_grid *g, const hp_linear_options *linear, bool time_error);
/* The same of a rank with a GPU, for its part: cells with ghosts, of which its own are active. */
int64_t hp_backend_part_bytes(const hp_grid *g, const hp_linear_options *linear, bool time_error);

/* The latter on each of several GPUs with `memory` bytes each (0: plenty), with `more` bytes of other arrays: bytes [gpus]. */
void hp_backend_bytes_by_gpu(const hp_grid *g, const hp_linear_options *linear, bool time_error, int64_t more, int gpus,
                             int64_t memory, int64_t *bytes);
/* The same of a rank's part on its GPUs. */
void hp_backend_part_bytes_by_gpu(const hp_grid *g, const hp_linear_options *linear, bool time_error, int64_t more,
                                  int gpus, int64_t *bytes);

/* The operation `solve` with matrix and vectors where B's solver runs; *seconds: what the solver took, in the profile
 * already. */
hp_status hp_backend_solve(hp_backend *B, const hp_gh *J, double times, const double *b, double *x,
                           hp_krylov_report *out, double *seconds) HP_MUST_USE;
/* The solve for the error in time; *found: there is something to carry it by. */
hp_status hp_backend_solve_error(hp_backend *B, const hp_gh *J, double times, const double *b, double *x,
                                 hp_krylov_report *k, bool *found, double *seconds) HP_MUST_USE;

/* The latest system in pieces, those of several ranks too, until the next operation; and a copy of its matrix at its values
 * now, for pieces from then on. */
hp_status hp_backend_pieces(hp_backend *B, hp_gh_source *out) HP_MUST_USE;
hp_status hp_backend_keep(hp_backend *B, hp_gh_which which) HP_MUST_USE;
/* hp_jacobian_compare at the state, by all ranks. The state is another after that (ops->restore). */
hp_status hp_backend_jacobian(hp_backend *B, double dt, bool off_kinks, hp_jacobian_errors *out) HP_MUST_USE;

/* Into the profile: a run of a program with the bytes it moves at least, and the seconds of a report. */
void hp_backend_count(hp_backend *B, hp_step_program program);
void hp_backend_add_seconds(hp_backend *B, const hp_step_report *report);

hp_status hp_backend_cpu_create(const hp_backend_input *in, hp_backend **out) HP_MUST_USE;
/* kind: of each rank. */
hp_status hp_backend_ranks_create(hp_ranks *K, hp_backend_kind kind, const hp_backend_input *in,
                                  hp_backend **out) HP_MUST_USE;
HP_GPU hp_status hp_backend_device_ahead(const hp_device_options *device, hp_device_ahead **out) HP_MUST_USE;
HP_GPU hp_status hp_backend_device_create(const hp_backend_input *in, hp_backend **out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
