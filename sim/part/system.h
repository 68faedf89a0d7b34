/* The linear system of all ranks as one on rank 0: for `hepta compare`, which needs all cells in one place. */
#ifndef HP_SIM_PART_SYSTEM_H
#define HP_SIM_PART_SYSTEM_H

#include "sim/part/subdomain.h"

HP_EXTERN_C_BEGIN

typedef struct hp_whole_system {
  hp_gh *J;                /* rank 0, else NULL, as are: */
  double *R, *b, *x;       /* [J->n] */
  int64_t *slot;           /* [perforations of the run] */
  hp_subdomain_list perfs; /* perforations of own cells, numbers of the run's */
  /* connections' entries in own rows: 2 n of connection n's lower cell, 2 n + 1 of the upper one */
  hp_subdomain_list entry;
  int64_t *place;           /* rank 0: [2 connections] entries of J */
  int64_t *perf_of, *local; /* [perfs.count], [entry.count] places in the part's matrix */
  bool ready;
} hp_whole_system;

/* Collective. J, R, b, x: the part's; grid and wells: the run's, on rank 0. The row scaling goes to rank 0's `scale`. */
hp_status hp_whole_system_get(hp_subdomain *D, const hp_gh *J, const double *R, const double *b, const double *x,
                              const hp_grid *grid, const hp_wells *wells, bool matrix, double *scale,
                              hp_whole_system *S) HP_MUST_USE;
void hp_whole_system_clear(hp_whole_system *S);

HP_EXTERN_C_END

#endif
