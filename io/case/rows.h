/* Results of a time step: rows of the summary, its wells, connections and report regions. */
#ifndef HP_IO_CASE_ROWS_H
#define HP_IO_CASE_ROWS_H

#include "physics/aquifer.h"
#include "wells/well.h"

HP_EXTERN_C_BEGIN

/* Surface rates [m3/s] and totals [m3] since the start, by phase, for production and injection, both positive. */
typedef struct hp_flow {
  double rate[HP_PHASES], total[HP_PHASES];                     /* produced */
  double injection_rate[HP_PHASES], injection_total[HP_PHASES]; /* injected */
  double volume_rate, injection_volume_rate;                    /* at average conditions of the reservoir [m3/s] */
} hp_flow;

/* Average pressures around a well: of cells with connections, of four neighbours of each, of both, of all eight and it. */
enum { HP_AVERAGE_1, HP_AVERAGE_4, HP_AVERAGE_5, HP_AVERAGE_9, HP_AVERAGES };

typedef struct hp_well_row {
  hp_flow flow;
  double bhp;         /* [Pa] */
  double thp;         /* [Pa] by its lift table; 0: it has none, or does not flow */
  hp_control control; /* in force at the end of the step */
  bool injector;
  double average[HP_AVERAGES]; /* [Pa] where a vector asks for one */
  bool shared;                 /* its target is a share of a group's */
} hp_well_row;

/* A group, 0: the field. Numbers of targets are Eclipse's (GMCTP: 1 oil, 2 water, 4 liquid, 5 reservoir volume; GMCTW: 1 rate,
 * 2 reservoir volume, 3 reinjection, 4 voidage), below 0: of a group above; 0: none governs. */
typedef struct hp_group_row {
  hp_flow flow;
  int production, injection; /* the target that governs its wells */
} hp_group_row;

/* Volumes of the cells with one number of hp_case.fip, and what flows through the connections in them, as hp_summary_row has it. */
typedef struct hp_region_row {
  hp_flow flow;
  double in_place[HP_PHASES]; /* surface volumes [m3] */
  double oil_at_start;        /* [m3] */
  double water_at_start;      /* [m3] of a run that begins at time zero */
  double pressure;            /* average weighted by hydrocarbon pore volume [Pa] */
  double volume;              /* pore volume at the pressure [m3] */
  double pores;               /* likewise, at reference pressure */
} hp_region_row;

/* A cell that a vector asks for, as fields have it; zeros where it is not active. */
typedef struct hp_cell_row {
  double pressure; /* [Pa] */
  double sw;
} hp_cell_row;

/* A segment of a well; zeros where it is shut. */
typedef struct hp_segment_row {
  double pressure;        /* [Pa] */
  double flow[HP_PHASES]; /* surface volumes towards the surface [m3/s] */
  double drop[HP_DROPS];  /* its pressure less that of its outlet, by cause [Pa] */
} hp_segment_row;

/* Cost of a time step: its length [s], iterations of its last attempt, those of all steps so far, and seconds since the run began. */
typedef struct hp_work_row {
  double dt, seconds;
  int newton, linear;
  int64_t all_newton, all_linear;
} hp_work_row;

/* Flows from a to b of a connection of cells that are not neighbours, by phase: at surface conditions, and at those of the cell that
 * they leave [m3/s]. */
typedef struct hp_link_flow {
  double surface[HP_PHASES], reservoir[HP_PHASES];
} hp_link_flow;

/* One time step, everything in SI. */
typedef struct hp_summary_row {
  double time; /* [s] at the end of the step */
  hp_flow field;
  double pressure;                          /* average weighted by hydrocarbon pore volume [Pa] (FPR) */
  const hp_well_row *well;                  /* [nwell] */
  double in_place[HP_PHASES], oil_at_start; /* surface volumes [m3] */
  hp_work_row work;
  const hp_region_row *region; /* [nfip] NULL unless a vector asks for it */
  const hp_flow *connection;   /* [nperf] well by well: what comes out of the reservoir, and what goes back; likewise */
  const double (
      *productivity)[HP_PHASES];     /* [nperf] surface rate per pressure [m3/s/Pa]; NULL: no vector asks for it */
  const hp_segment_row *segment;     /* [segments] well by well, likewise */
  const hp_cell_row *cell;           /* [hp_summary_vectors.ncell] */
  const hp_group_row *group;         /* [ngroup + 1] */
  const hp_aquifer_state *aquifer;   /* [naquifer] NULL: none */
  const hp_aquifer_state *numerical; /* [nnumerical] NULL: none */
  const double *const *quantity; /* [nquantity] values of quantities of the user, NAN: none; NULL: they are not known */
  double cash, npv, cash_rate;   /* of hp_money; 0 without economics */
  const double *more;            /* [hp_summary_vectors.count] their values; NULL: they follow from the row */
} hp_summary_row;

/* Polyline of a well for the picture: [n][3] x, y, depth [m]. */
typedef struct hp_well_path {
  const char *name;
  bool injector;
  int n;
  const double (*point)[3];
  int nperf;
  const int (*perf)[3]; /* [nperf] i, j, k of its connections, from 0, in the order of hp_wells */
  int nsegment;
  const int *segment; /* [nsegment] numbers of its segments, likewise */
} hp_well_path;

HP_EXTERN_C_END

#endif
