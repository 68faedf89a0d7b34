/* The fluxes of the state that a run goes on from, at the end of its last step, as a graph, and what enters and leaves it.
 *
 * Volumes are those of both phases together at the pressure of the cell that they leave: sum_a B_a F_a with F_a of
 * physics/flux.inl.h, the program's own. What enters a cell and does not leave it through faces, perforations and connections to
 * aquifers is stored there, and comes out of the store where more leaves than enters, as fluids and rock expand: storage is a source
 * or a sink of its own. So volumes balance in every cell, whatever Newton's method has left.
 */
#ifndef HP_SIM_DIAGNOSE_FLUXES_H
#define HP_SIM_DIAGNOSE_FLUXES_H

#include "sim/diagnose/graph.h"
#include "sim/simulator/simulator.h"

HP_EXTERN_C_BEGIN

enum { HP_SOURCES, HP_SINKS, HP_SIDES };

typedef enum { HP_END_WELL, HP_END_AQUIFER, HP_END_STORAGE } hp_flux_end_kind;

/* A place that fluid comes from or goes to. A well through which fluid crosses is both. */
typedef struct hp_flux_end {
  hp_flux_end_kind kind;
  char name[HP_WELL_NAME + 16];
  double rate; /* [m3/s] positive, as all of its terms */
} hp_flux_end;

/* Its flow in a cell. */
typedef struct hp_flux_term {
  int64_t cell;
  int32_t end[HP_SIDES]; /* its place among sources and among sinks, -1: none */
  double rate;           /* [m3/s] positive: into the cell */
} hp_flux_term;

typedef struct hp_fluxes {
  hp_flux_graph graph;
  int count[HP_SIDES];        /* sources and sinks: wells in the deck's order, aquifers, storage, which comes last */
  hp_flux_end *end[HP_SIDES]; /* [count] */
  int64_t nterm;
  hp_flux_term *term; /* [nterm] of wells and aquifers */
  double *storage;    /* [ncell] [m3/s] positive: out of the store */
  double *pores;      /* [ncell] pore volume at the state's pressure [m3]; 0 in inactive cells and numerical aquifers */
} hp_fluxes;

/* HP_ERR_USAGE: nothing flows. */
hp_status hp_fluxes_create(hp_sim *S, hp_fluxes *out) HP_MUST_USE;
void hp_fluxes_destroy(hp_fluxes *F);

HP_EXTERN_C_END

#endif
