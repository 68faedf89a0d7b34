/* How the columns of a reservoir are cut into the parts of ranks (grid/partition.h): by rank 0 of a run, and by
 * `hepta check --ranks`, which needs no MPI. */
#ifndef HP_SIM_PART_BISECTION_H
#define HP_SIM_PART_BISECTION_H

#include "grid/grid.h"
#include "grid/partition.h"
#include "wells/wells.h"

HP_EXTERN_C_BEGIN

typedef struct hp_bisection_input {
  const hp_grid *grid;
  const uint8_t *active; /* [ncell] of the reservoir, HP_CELL_INACTIVE: of none; or, for hp_bisect_columns, NULL and */
  const int32_t *count;  /* [nx ny] how many in each column, and */
  const int32_t *ends;   /* [nx ny] ends of connections there; NULL: those of the grid */
  const hp_wells *wells;
  bool bricks; /* cuts stand between bricks (linsolve/precond/bricks.h) */
} hp_bisection_input;

typedef struct hp_bisection_outcome {
  int64_t chunk; /* cells that a sum takes together (core/ranks/part.h), whatever the ranks are */
  int empty;     /* the last ranks, with boxes of no plane: there are fewer chunks of sums, or bricks, than ranks */
  double largest, mean; /* weights of the ranks' parts, in active cells: the largest, the mean one */
} hp_bisection_outcome;

/* The warning of a run that has ranks without cells; "": none. */
enum { HP_BISECTION_WARNING = 160 };
void hp_bisection_warn(const hp_bisection_outcome *cut, int ranks, char *out, size_t size);

/* boxes [ranks]. HP_ERR_USAGE: the grid has too few columns. */
hp_status hp_bisect_columns(const hp_bisection_input *in, int ranks, hp_box *boxes,
                            hp_bisection_outcome *out) HP_MUST_USE;

/* The part of a rank, in numbers. */
typedef struct hp_part_counts {
  int64_t columns, active; /* its own; cells that are active */
  int64_t ghosts;          /* cells of others of which it has copies */
  int64_t read,
      sent; /* ghosts that its rows read; own cells that rows of others read, counted for each of these ranks */
  int64_t perforations;       /* in its own cells */
  int neighbours;             /* ranks with ghosts that its rows read, or whose rows read cells of it */
  int64_t cut_faces;          /* open ones to cells of others, and connections to these */
  int lattice[3];             /* nx, ny, nz of its arrays, ghosts among them */
  int64_t cells, connections; /* own ones and ghosts; connections of its own cells */
} hp_part_counts;

/* part [ranks]; wells whose perforations several ranks own. */
hp_status hp_bisection_measure(const hp_bisection_input *in, int ranks, const hp_box *boxes,
                               const hp_bisection_outcome *cut, hp_part_counts *part, int64_t *cut_wells) HP_MUST_USE;

HP_EXTERN_C_END

#endif
