/* The place at which the time steps of a run are computed.
 *
 *     sim/newton/newton.c, sim/run/time_step.c         decide; one host thread
 *        | hp_backend_ops
 *     sim/backend/cpu.c                     a team of threads; the host's arrays are the state
 *     sim/backend/cuda/backend.cu           one GPU; the host has copies of the arrays
 *     sim/backend/ranks.c                   of each of several processes: one of the above on its part
 *
 * All run the programs of sim/step/step.inl.h. In a time step only the report of each program and a row per well cross
 * between host and device. Cell arrays cross when put, get or system is called.
 */
#ifndef HP_SIM_BACKEND_BACKEND_H
#define HP_SIM_BACKEND_BACKEND_H

#include "core/device/ahead.h"
#include "core/ranks/ranks.h"
#include "grid/partition.h"
#include "io/case/case.h"
#include "linsolve/matrix/pieces.h"
#include "physics/regions.h"
#include "sim/backend/jacobian.h"
#include "sim/backend/others.h"
#include "sim/linear/linear.h"
#include "sim/part/subdomain.h"
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
  const hp_device_options *device; /* GPU: NULL: all defaults */
  hp_device_ahead *ahead;          /* GPU: one that is being opened is taken, instead; NULL: none is */
  const hp_part *part;             /* all of the above is a rank's; NULL: there is one process */
  const uint16_t *region;          /* [ncell] as hp_regions_add has them; NULL: all 1, or nobody asks */
  const hp_trans_event *change;    /* ranks: changes of transmissibilities to come */
  bool cut_bricks;           /* ranks: parts are cut between bricks, which another solver of their systems needs */
  hp_spread *spread;         /* ranks: grid, fluid and res are of planes; NULL: all ranks have all */
  void (*parted)(void *arg); /* ranks: each has its part; cells of grid and res may go. NULL: nobody waits for that */
  void *parted_arg;
} hp_backend_input;

/* The arrays that a run has. */
HP_INLINE hp_arrays hp_backend_input_arrays(const hp_backend_input *in) {
  return hp_arrays_of(in->time_error, hp_reservoir_others(in->res));
}

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

/* Sets that cross between host and backend: arrays of cells (physics/arrays.h) and */
enum {
  HP_SET_TRANS = 1 << 29, /* transmissibilities, after hp_reservoir_change_trans or hp_subdomain_change_trans */
  HP_SET_WELLS = 1 << 30
};

/* Every operation may fail (HP_ERR_TEAM, or an error of the device). The state is then undefined, and only destroy may
 * follow. Of several ranks all call it. */
typedef struct hp_backend_ops {
  void (*destroy)(hp_backend **B);

  /* Writes "CPU, 2 threads, 22 MB", for the first lines of a run. */
  void (*describe)(const hp_backend *B, char *out, size_t size);
  int64_t (*barriers)(const hp_backend *B); /* barriers passed so far, over all programs */
  /* Returns the bytes copied so far. NULL without a device, or by ranks. */
  void (*traffic)(const hp_backend *B, int64_t *to_device, int64_t *to_host);

  /* hp_backend_put and hp_backend_get, of arrays that the run has. */
  hp_status (*put)(hp_backend *B, hp_arrays set);
  hp_status (*get)(hp_backend *B, hp_arrays set);

  /* The programs of sim/step/step.inl.h. */
  hp_status (*start)(hp_backend *B, hp_step_report *out);
  hp_status (*begin)(hp_backend *B);
  /* control: wells may switch. retry: a well that may return to a control, -1: none (wells/control.inl.h). */
  hp_status (*assemble)(hp_backend *B, double dt, bool jacobian, bool control, int retry, hp_step_report *out);
  /* Adds this share of the solution; it changes no pressure by more than most_dp [Pa]. */
  hp_status (*update)(hp_backend *B, double share, double most_dp);
  hp_status (*restore)(hp_backend *B);
  /* row [nwell]; weight: hp_step's error_weight; drop: hp_step's. */
  hp_status (*accept)(hp_backend *B, double dt, double weight, double drop, hp_step_well *row, hp_step_report *out);
  /* Carries the error in time over a step of length dt, after its accept. With `solve` it solves a system (`times` as in
   * `solve`) and reports to *k; otherwise, or if that fails, the error stays where it is made. Fills row[].error and
   * bhp_error, influx [aquifers] with the errors of their rates [m3/s], and the report's sums of a correction. */
  hp_status (*error)(hp_backend *B, double dt, bool solve, double times, hp_step_well *row, double *influx,
                     hp_krylov_report *k, hp_step_report *out);
  /* Makes the state the corrected one, after `error`. `begin` returns to the uncorrected state. */
  hp_status (*show)(hp_backend *B, const hp_step_correction *correction, hp_step_report *out);

  /* Computes the preconditioner's numbers and solves J x = b; `times` as in hp_linear_solve_loosely. */
  hp_status (*solve)(hp_backend *B, double times, hp_krylov_report *out);

  /* Copies R, b and the row scaling to the host, with `matrix` also the values of J, and x: of several ranks the part's. */
  hp_status (*system)(hp_backend *B, bool matrix, hp_backend_system *out);

  /* Only of a rank's part, and collective. They renew the ghosts of p and s, and those of x with the wells of other ranks, from
   * their owners, and set the ghosts of b to zero. */
  hp_status (*renew_state)(hp_backend *B);
  hp_status (*renew_update)(hp_backend *B);
  hp_status (*drop_rhs)(hp_backend *B);
} hp_backend_ops;

struct hp_backend {
  const hp_backend_ops *ops;
  hp_linear_solver *linear;
  double times;        /* tolerance of the latest solve over the usual one */
  bool device;         /* the state is on a device */
  const char *warning; /* printed once at the start, or NULL */
  double *history; /* the caller's: [2 max_iterations + 1] receives the residuals of each solve (hp_krylov_solve), those
                      of a second attempt with cpr behind the first; NULL: not asked for */
  hp_reservoir *res; /* the cells that are here */
  hp_wells *wells;
  hp_aquifers *aquifers; /* NULL: none */
  hp_profile *profile;
  const uint16_t *region; /* [res->ncell] of reports; NULL: as in the input */
  bool shown;             /* the state is a corrected one */
  hp_arrays has;          /* arrays that the run has */
  hp_others *others;      /* solvers beside `linear`; NULL: none */
  hp_gh_here here;        /* the latest system in pieces and kept matrices */
  hp_ranks *K;            /* several ranks, */
  hp_subdomain *D;        /*   and the part whose reservoir res is; NULL: one process */
};

/* Creates a backend; collective (hp_ranks_world). */
hp_status hp_backend_create(hp_backend_kind kind, const hp_backend_input *in, hp_backend **out) HP_MUST_USE;
void hp_backend_destroy(hp_backend **B);

/* hp_backend_put makes what the host has the backend's, hp_backend_get the reverse; arrays that the run does not have are left
 * out. Puts of STATE renew the aquifers, too, whose state the host has at the end of each step.
 *     put OWN alone          p and s of the host are the state that steps go on from, and what is shown
 *     put OWN with SHOWN     p_old and s_old are that state; p and s are shown until the next `begin`
 * get allocates what the host does not have yet. Of several ranks each has the cells of its part. */
hp_status hp_backend_put(hp_backend *B, hp_arrays set) HP_MUST_USE;
hp_status hp_backend_get(hp_backend *B, hp_arrays set) HP_MUST_USE;
/* The array that stands for `a`: of OWN that of STATE, unless a corrected state is shown; then its numbers in B->res. */
hp_array hp_backend_array(const hp_backend *B, hp_array a);
void *hp_backend_cell(const hp_backend *B, hp_array a);
/* Makes hp_backend_array what it is after a put of `set`, whose arrays can then be filled. */
void hp_backend_begin_put(hp_backend *B, hp_arrays set);

const char *hp_backend_name(hp_backend_kind kind); /* "cpu", "cuda" */
bool hp_backend_find(const char *name, hp_backend_kind *kind);

/* HP_OK, or HP_ERR_UNSUPPORTED with the reason: this build or this machine has none of that kind. */
hp_status hp_backend_available(hp_backend_kind kind) HP_MUST_USE;
/* Begins to open the device of a later backend; *out is NULL if the kind has none. device may be NULL. */
hp_status hp_backend_ahead(hp_backend_kind kind, const hp_device_options *device, hp_device_ahead **out) HP_MUST_USE;

hp_solver_place hp_backend_place(hp_backend_kind kind, bool ranks);
/* hp_linear_choose for this process, alone or a rank. */
const char *hp_backend_linear(hp_backend_kind kind, const hp_case *c, hp_linear_options *out);

/* Returns the bytes of region numbers and end points of cells. */
int64_t hp_backend_region_bytes(const hp_case *c);

/* hp_backend_step_bytes: bytes of the cell arrays of a time step beside grid and state, without cpr's first stage; `has`: the run's
 * arrays.
 * hp_backend_device_bytes: bytes of a run on a device. Neither counts regions. */
int64_t hp_backend_step_bytes(const hp_grid *g, const hp_krylov_options *linear, hp_arrays has);
int64_t hp_backend_device_bytes(const hp_grid *g, const hp_linear_options *linear, hp_arrays has);
/* The same of a rank with a GPU, for its part: cells with ghosts, of which its own are active. */
int64_t hp_backend_part_bytes(const hp_grid *g, const hp_linear_options *linear, hp_arrays has);

/* The latter on each of several GPUs with `memory` bytes each (0: plenty), with `more` bytes of other arrays: bytes [gpus]. */
void hp_backend_bytes_by_gpu(const hp_grid *g, const hp_linear_options *linear, hp_arrays has, int64_t more, int gpus,
                             int64_t memory, int64_t *bytes);

/* Does the operation `solve` with matrix and vectors where B's solver runs. *seconds is the solver's time, which the profile
 * has already. */
hp_status hp_backend_solve(hp_backend *B, const hp_gh *J, double times, const double *b, double *x,
                           hp_krylov_report *out, double *seconds) HP_MUST_USE;
/* Solves for the error in time; *found says whether there is a solution to carry it by. */
hp_status hp_backend_solve_error(hp_backend *B, const hp_gh *J, double times, const double *b, double *x,
                                 hp_krylov_report *k, bool *found, double *seconds) HP_MUST_USE;

/* The latest system in pieces until the next operation, of several ranks for rank 0's files. */
hp_status hp_backend_pieces(hp_backend *B, hp_gh_source *out) HP_MUST_USE;
/* Keeps a copy of its matrix for later pieces. */
hp_status hp_backend_keep(hp_backend *B, hp_gh_which which) HP_MUST_USE;
/* hp_jacobian_compare at the state. The state is another after that (ops->restore). */
hp_status hp_backend_jacobian(hp_backend *B, double dt, bool off_kinks, hp_jacobian_errors *out) HP_MUST_USE;
/* The regions first, first + 1, ... at the state, to total [count]. */
hp_status hp_backend_regions(hp_backend *B, int first, int count, hp_region_totals *total) HP_MUST_USE;
/* Whether all cells are rigid at the state (hp_reservoir_is_all_rigid). */
hp_status hp_backend_rigid(hp_backend *B, bool *all) HP_MUST_USE;
/* The place in res of a cell of the whole grid; -1: it is not here. */
int64_t hp_backend_place_of(const hp_backend *B, int64_t cell);
/* Several ranks: a row for each [*count] on rank 0, which the backend owns; else *count is 0. */
hp_status hp_backend_ranks(hp_backend *B, int *count, const hp_backend_rank **row) HP_MUST_USE;

/* Add to the profile: a run of a program with its least bytes, and the seconds of a report. */
void hp_backend_count(hp_backend *B, hp_step_program program);
void hp_backend_add_seconds(hp_backend *B, const hp_step_report *report);

hp_status hp_backend_cpu_create(const hp_backend_input *in, hp_backend **out) HP_MUST_USE;
/* kind: on each part. */
hp_status hp_backend_ranks_create(hp_ranks *K, hp_backend_kind kind, const hp_backend_input *in,
                                  hp_backend **out) HP_MUST_USE;
HP_GPU hp_status hp_backend_device_ahead(const hp_device_options *device, hp_device_ahead **out) HP_MUST_USE;
HP_GPU hp_status hp_backend_device_create(const hp_backend_input *in, hp_backend **out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
