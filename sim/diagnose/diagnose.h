/* Flow diagnostics of a state: where fluid comes from and goes to as it flows now, and how long that takes.
 *
 *     fluxes.h     what flows between cells, from sources, into sinks     graph.h   the linear equations along them
 *     diagnose.c   shares, times of flight, allocation                    curve.c   F-Phi, Lorenz coefficient, sweep
 *     files.c      the result NAME.flow and its tables                    print.c   tables on the terminal
 *
 * Of fluid in cell m, share[HP_SOURCES] came from each source and share[HP_SINKS] will leave by each sink, storage included. Each set
 * adds up to one in every cell through which anything flows. The time of flight is the mean age of what has come from wells and
 * aquifers, and the mean time to what goes to wells and aquifers. With c the share of these, V the pore volume:
 *
 *     through_m c_m - sum_in rate c_n = source_m         through_m T_m - sum_in rate T_n = V_m c_m
 *     time_m = T_m / c_m - V_m / (2 through_m)           in the middle of the cell, T / c being that of what leaves it
 *
 * A rate from source i to sink p is sum_q of what p takes in cells q times i's share there; the volume that this flow fills is
 * sum_m V_m share_i share_p, and their ratio its mean time.
 *
 * Shahvali, Mallison, Wei, Gross: An alternative to streamlines for flow diagnostics on structured and unstructured grids, SPE J.
 * 17(3), 2012. Moyner, Krogstad, Lie: The application of flow diagnostics for reservoir management, SPE J. 20(2), 2015.
 */
#ifndef HP_SIM_DIAGNOSE_DIAGNOSE_H
#define HP_SIM_DIAGNOSE_DIAGNOSE_H

#include <stdio.h>

#include "io/date.h"
#include "sim/diagnose/fluxes.h"

HP_EXTERN_C_BEGIN

/* The least share of fluid that a time of flight is told of. */
#define HP_SHARE_SEEN 1e-6

/* Flow capacity against storage capacity (Shook and Mitchell, A robust measure of heterogeneity for ranking earth models, SPE 124625,
 * 2009), of the pore volume that wells and aquifers reach from both sides, fastest first. */
typedef struct hp_flow_curve {
  int count;          /* points, the first at 0, the last at 1 */
  double *phi, *flow; /* [count] shares of that pore volume and of its flow [-] */
  double *time;       /* [count] time of flight from end to end up to there, over its mean: pore volumes injected [-] */
  double *swept;      /* [count] share of the pore volume that has been passed by then [-] */
  double lorenz;      /* 0: one time for all, 1: one path takes all */
  double at_one;      /* share of the pore volume passed after one pore volume */
  double pores;       /* that pore volume [m3] */
  double mean;        /* its mean time [s] */
} hp_flow_curve;

typedef struct hp_diagnosis {
  const hp_fluxes *of;
  float *share[HP_SIDES]; /* [count][ncell] in the order of cells, k fastest */
  float *time[HP_SIDES];  /* [ncell] from sources, to sinks [s]; NAN: not reached */
  float *region
      [HP_SIDES]; /* [ncell] the well or aquifer with the largest share, from 1; 0: all have less than half together */
  double *pores[HP_SIDES]; /* [count] sum of pore volume times share [m3] */
  double *rate;            /* [sources][sinks] [m3/s] */
  double *between;         /* [sources][sinks] pore volume of that flow [m3] */
  double
      reached[HP_SIDES + 1]; /* pore volume of the cells that have a time of flight, from each side; from both [m3] */
  double whole;              /* all pore volume [m3] */
  hp_flow_curve curve;
  int64_t unsolved; /* cells of loops whose sweeps did not end (hp_flux_graph_solve), at most */
} hp_diagnosis;

hp_status hp_diagnose(const hp_fluxes *F, hp_diagnosis *out) HP_MUST_USE;
void hp_diagnosis_destroy(hp_diagnosis *D);

/* Makes the curve from D's times and shares. */
hp_status hp_flow_curve_create(const hp_diagnosis *D, hp_flow_curve *out) HP_MUST_USE;
void hp_flow_curve_destroy(hp_flow_curve *c);

/* Tables on the terminal, at most `most` pairs; in the case's units. */
hp_status hp_diagnosis_print(const hp_sim *S, const hp_diagnosis *D, int most, FILE *f) HP_MUST_USE;

/* Writes the result `base`, whose only report step is that of S, with the fields of D, and base.csv, the pairs. */
hp_status hp_diagnosis_write(hp_sim *S, const hp_diagnosis *D, const char *base, const char *command_line) HP_MUST_USE;

HP_EXTERN_C_END

#endif
