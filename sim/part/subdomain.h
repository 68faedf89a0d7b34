/* The part of a run that a rank has: its box of columns with ghosts (core/ranks/part.h), and reservoir, wells and aquifers
 * of these as the programs of a time step work on them.
 *
 *     the run's reservoir, whole or of planes  -- hp_subdomain_put -->  D->res [D->part.ncell], ghosts too
 *
 * Every rank has read the deck: its planes of i (core/ranks/spread.h), or all of it. All functions are collective.
 *
 *     bisection.h  whose columns are whose
 *     columns.c    which cells are whose ghosts
 *     cells.c      arrays of cells of the run to parts
 *     planes.c     arrays of planes of i to parts
 *     remote.c     pieces of them for files
 *     kept.c       a state that later runs are compared with
 *     subdomain.c  grid, reservoir, wells of a part
 *     aquifers.c   aquifers with the connections of its cells
 *     changes.c    changes of transmissibilities to come, of which each rank has some
 */
#ifndef HP_SIM_PART_SUBDOMAIN_H
#define HP_SIM_PART_SUBDOMAIN_H

#include "core/ranks/part.h"
#include "grid/partition.h"
#include "io/case/case.h"
#include "physics/aquifer.h"
#include "sim/part/bisection.h"
#include "wells/wells.h"

HP_EXTERN_C_BEGIN

typedef struct hp_subdomain_input {
  const hp_grid *grid;
  const hp_fluid_spec *fluid;
  hp_reservoir *res;
  hp_wells *wells;
  hp_aquifers *aquifers;        /* with connections of the cells that are here; NULL: none */
  const uint16_t *region;       /* [cells] of reports, NULL: none are asked for, or all are of one */
  bool bricks;                  /* cuts stand between bricks (linsolve/precond/bricks.h) */
  const hp_trans_event *change; /* of transmissibilities, to come; they stay while the parts do */
  hp_spread *spread;            /* not NULL: grid, fluid and res are of planes; NULL: they are whole on all ranks */
} hp_subdomain_input;

/* Connections of a part, and of the whole list those that this rank sends: of planes its own, else rank 0 all. */
typedef struct hp_subdomain_links {
  int64_t count, *mine; /* [count] numbers in the whole list, in the order of the part's grid */
  int64_t *take;        /* [count] places in that order of those that come */
  int64_t *give_begin;  /* [ranks + 1] by whom they go to, */
  int64_t *give;        /* [give_begin[ranks]] places here */
} hp_subdomain_links;

/* A connection of the whole grid's list, as a rank gets it. */
typedef struct hp_subdomain_link {
  int64_t a, b, of; /* cells in the whole grid, number in the list */
  int64_t come;     /* place among those that have come */
} hp_subdomain_link;

typedef struct hp_subdomain {
  hp_ranks *K;
  int rank, ranks;
  hp_part part;
  hp_bisection_outcome cut; /* rank 0 */
  hp_box *boxes;            /* [ranks] */
  int nx, ny;
  int64_t *column;         /* [nx ny] of the part: numbers in the whole grid, column j + NY i; -1: there is none */
  int64_t cells;           /* own ones and ghosts */
  const hp_spread *spread; /* arrays to put are of planes; NULL: whole */
  struct hp_subdomain_planes *planes;
  hp_subdomain_links links; /* of own cells */
  hp_grid *grid;            /* of the part: what a run reads of it */
  hp_fluid_spec fluid;
  hp_reservoir *res;
  hp_wells *wells;              /* the run's arrays, but for the places of cells */
  hp_aquifers *aquifers;        /* the run's states, with the connections of own cells; NULL: there are none */
  uint16_t *region;             /* [part.ncell] of reports; NULL: as in the input */
  const hp_trans_event *change; /* the run's, of which this rank has some pairs, numbers of the whole grid */
  bool has_changes;             /* its pairs count */
  int64_t cut_wells;            /* that have perforations in cells of several ranks */
} hp_subdomain;

hp_status hp_subdomain_create(hp_ranks *K, const hp_subdomain_input *in, hp_subdomain **out) HP_MUST_USE;
void hp_subdomain_destroy(hp_subdomain **D);

/* Cell arrays of `size` bytes a cell: whole [cells of the grid] or of planes, here [D->part.ncell]. Places that are neither own
 * cells nor ghosts get the numbers of some own cell. */
hp_status hp_subdomain_put(hp_subdomain *D, const void *whole, void *here, size_t size) HP_MUST_USE;
/* Planes are no more. */
void hp_subdomain_leave_planes(hp_subdomain *D);

/* Those of the part are multiplied as change number n says, of which each rank has some pairs. */
hp_status hp_subdomain_change_trans(hp_subdomain *D, int n) HP_MUST_USE;

/* Rates of aquifers, and their errors in time in out [aquifers]: sums over the connections of all ranks. */
void hp_subdomain_add_rates(hp_subdomain *D);
void hp_subdomain_add_errors(hp_subdomain *D, double *out);

/* ---- parts of the above, for the files of this folder ---- */

hp_status hp_subdomain_planes_create(hp_subdomain *D, const hp_grid *planes) HP_MUST_USE;
hp_status hp_subdomain_planes_put(hp_subdomain *D, const void *planes, void *here, size_t size) HP_MUST_USE;
void hp_subdomain_planes_destroy(hp_subdomain *D);

/* The box of D->rank and its ghosts, as hp_subdomain_columns has them, without other ranks. */
hp_status hp_subdomain_lay_out(hp_subdomain *D, const hp_wells *wells, int64_t nlink,
                               const hp_subdomain_link *link) HP_MUST_USE;
/* Box, ghosts and exchanges from D->boxes, the part's sizes, D->part.chunk and the cells of wells and of connections. */
hp_status hp_subdomain_columns(hp_subdomain *D, const hp_wells *wells, int64_t nlink,
                               const hp_subdomain_link *link) HP_MUST_USE;
void hp_subdomain_drop_columns(hp_subdomain *D);
/* Places that are no cells get the numbers of the part's first own one. */
void hp_subdomain_fill(const hp_subdomain *D, size_t size, void *array);
/* The place in the part of a cell of the whole grid; -1: it has none. */
int64_t hp_subdomain_place(const hp_subdomain *D, int64_t cell);
/* The rank that owns a cell of the whole grid. */
int hp_subdomain_owner(const hp_subdomain *D, int64_t cell);
/* Open faces between own cells and those of other ranks, and connections between them. */
int64_t hp_subdomain_cut_faces(const hp_subdomain *D);
/* counts: the connections of run that are here are this rank's to send. */
hp_status hp_subdomain_aquifers(hp_subdomain *D, const hp_aquifers *run, bool counts) HP_MUST_USE;
void hp_subdomain_aquifers_destroy(hp_subdomain *D);

HP_EXTERN_C_END

#endif
