/* Data of the team programs of a time step, and their reports. They are plain data, so that a device can use copies. The programs
 * are sim/step/step.inl.h; sim/backend/backend.h runs them.
 */
#ifndef HP_SIM_STEP_STEP_H
#define HP_SIM_STEP_STEP_H

#include <math.h>

#include "core/profile.h"
#include "physics/aquifer.h"
#include "wells/wells.h"

HP_EXTERN_C_BEGIN

/* The length of the step that a run evaluates first [s]. */
#define HP_STEP_START_DT 1.0

/* The programs of sim/step/step.inl.h: X(NAME, name, purpose, for errors). RESIDUAL assembles without the Jacobian; ERROR
 * follows ACCEPT and a solve, SHOW follows ERROR (sim/step/time_error.inl.h). */
#define HP_STEP_LIST(X)                            \
  X(START, start, "evaluating the initial state")  \
  X(BEGIN, begin, "beginning a time step")         \
  X(ASSEMBLE, assemble, "assembling")              \
  X(RESIDUAL, residual, "evaluating the residual") \
  X(UPDATE, update, "updating the state")          \
  X(RESTORE, restore, "withdrawing a time step")   \
  X(ACCEPT, accept, "ending a time step")          \
  X(ERROR, error, "carrying the error in time")    \
  X(SHOW, show, "correcting the state")

typedef enum {
#define HP_STEP_ENUM(NAME, name, purpose) HP_STEP_##NAME,
  HP_STEP_LIST(HP_STEP_ENUM)
#undef HP_STEP_ENUM
      HP_STEP_COUNT
} hp_step_program;

/* A well as the summary and the next report line see it. */
typedef struct hp_step_well {
  double rate[HP_PHASES]; /* sum over its perforations, surface volumes out of the reservoir [m3/s] */
  double bhp;             /* [Pa] */
  uint8_t mode;           /* hp_control in force */
  /* filled by hp_time_error_end: errors in time at the step's end, of the rates [m3/s], the bhp [Pa] */
  double error[HP_PHASES], bhp_error;
} hp_step_well;

/* Whether nothing comes out of the well or goes in. */
HP_INLINE bool hp_step_well_rests(const hp_step_well *row) {
  const double none = 1e-12; /* m3/s */
  return fabs(row->rate[HP_OIL]) < none && fabs(row->rate[HP_WATER]) < none;
}

/* The difference between the shown state and the state from which steps go on (sim/step/time_error.inl.h). */
typedef struct hp_step_correction {
  double whole;           /* 1; 0: only the following members correct the state */
  double pressure;        /* added to the pressure of each cell [Pa] */
  double rising, falling; /* share of the correction that a cell gets whose water saturation it raises, lowers [-] */
  int measures;           /* 1: the shown state stays; only the sums for `spread` are computed */
  int again;              /* 1: shows the state again after an attempt at the next step was withdrawn */
  int everywhere;         /* 1: no saturation is corrected, so that all may be spread */
  double spread;          /* every corrected saturation then moves by this share of its way up, below 0 down [-] */
} hp_step_correction;

/* Sums over all cells that determine the correction, surface volumes of the phases. */
typedef struct hp_step_corrected {
  double mass[HP_PHASES];                             /* in place after the whole correction */
  double by_pressure[HP_PHASES];                      /* its derivatives: by the pressure of all cells [m3/Pa], */
  double by_rising[HP_PHASES], by_falling[HP_PHASES]; /* by the two shares; of what is shown, by `spread` */
} hp_step_corrected;
enum { HP_STEP_CORRECTED = 4 * HP_PHASES };

/* Volumes of the whole reservoir at one moment. */
typedef struct hp_in_place {
  double mass[HP_PHASES]; /* surface volumes [m3] */
  double pressure;        /* weighted by hydrocarbon pore volume [Pa] */
} hp_in_place;

/* Pointers to the memory of the team that runs the programs. */
typedef struct hp_step {
  const hp_reservoir *res;
  const hp_wells *wells;
  const hp_gh *J;
  double *R, *b, *x;             /* [J->n] residual, right-hand side -R, update */
  double error_weight;           /* of the step's own error: 1, or 0 where `change` is none that it follows on */
  hp_step_correction correction; /* read by hp_step_show */
  bool shown;                    /* p and s are corrected; p_old and s_old are what the next step begins with */
  hp_step_well *row;             /* [nwell] filled by hp_step_accept */
  double share;                  /* of x that hp_step_update adds [-] */
  double max_ds;                 /* largest saturation change in a Newton iteration [-] */
  double max_dp_relative;        /* largest pressure change, relative to hp_step_pressure_limit's pressure [-], */
  double most_dp;                /*   and at most this [Pa] */
  double drop;                   /* share of a cell's volume that hp_step_accept drops (hp_assemble_carry) */
  const hp_aquifers *aquifers;   /* NULL: none. Read by hp_step_aquifers */
} hp_step;

/* Sums and largest values over all cells, from which a report is computed. */
typedef struct hp_step_sums {
  hp_norm_sums norms; /* assemble, start */
  double error[2];    /* accept: of the step's own error in time, and of what it moved */
  double in_place
      [6]; /* accept, start, show: masses of both phases; hydrocarbon and all pore volume with pressure, without */
  double change;                       /* accept: largest saturation change, */
  int64_t changed;                     /*   and the cell that has it, -1: none */
  double corrected[HP_STEP_CORRECTED]; /* error, show: in the order of hp_step_corrected */
} hp_step_sums;

/* The results of a program. Member 0 writes those that its program computes. */
typedef struct hp_step_report {
  hp_norms norms;                /* assemble, start */
  double well_residual;          /* assemble, start: largest relative residual of a well's control, or excess over a
                                    limit (hp_control_excess); */
  int32_t worst_well;            /*   that well, -1: all are exact; */
  int32_t worst_mode;            /*   its hp_control in force, or that limit's; */
  int32_t beyond;                /*   1: a limit */
  double max_ds;                 /* accept: largest saturation change of the step [-] */
  double local_error, moved;     /* accept: sum over cells and phases of the step's own error in time, and of what it
                                    moved [m3 of reservoir volume] */
  hp_in_place in_place;          /* accept, start, show */
  hp_step_corrected corrected;   /* error; show: its last four */
  hp_step_sums sums;             /* of this process alone on the GPU of a rank: see hp_step_conclude_norms */
  double seconds[HP_PROF_COUNT]; /* added to by each program, by the clock of member 0 */
} hp_step_report;

/* Compute a report from its sums: norms, changes of a step, volumes in place. Member 0 calls them in the programs. With a GPU per
 * rank the sums are those of a part, and the host calls them again with the sums of all ranks. */
HP_INLINE HP_HD void hp_step_conclude_norms(double total_pore_volume, double dt, hp_step_report *out) {
  out->norms = hp_norms_of(&out->sums.norms, dt, total_pore_volume);
}

HP_INLINE HP_HD void hp_step_conclude_error(hp_step_report *out) {
  out->local_error = out->sums.error[0];
  out->moved = out->sums.error[1];
}

HP_INLINE HP_HD void hp_step_conclude_corrected(hp_step_report *out) {
  const double *sum = out->sums.corrected;
  hp_step_corrected *c = &out->corrected;
  for (int a = 0; a < HP_PHASES; ++a) {
    c->mass[a] = sum[a];
    c->by_pressure[a] = sum[HP_PHASES + a];
    c->by_rising[a] = sum[2 * HP_PHASES + a];
    c->by_falling[a] = sum[3 * HP_PHASES + a];
  }
}

HP_INLINE HP_HD void hp_step_conclude_change(hp_step_report *out) { out->max_ds = out->sums.change; }

HP_INLINE HP_HD void hp_step_conclude_place(hp_step_report *out) {
  const double *sum = out->sums.in_place;
  out->in_place.mass[HP_OIL] = sum[0];
  out->in_place.mass[HP_WATER] = sum[1];
  /* without oil: weighted by the whole pore volume */
  out->in_place.pressure = sum[3] > 1e-12 * sum[5] ? sum[2] / sum[3] : sum[4] / sum[5];
}

HP_EXTERN_C_END

#endif
