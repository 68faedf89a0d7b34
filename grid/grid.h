/* The structured grid: geometry, active cells, transmissibilities.
 *
 * Block-centred cells on an i, j, k lattice as in Eclipse: i east, j north
 * (south in a map drawn with y down), k down. Indices are 0-based inside the
 * program and 1-based in decks, messages and result files.
 *
 *            i ->                 cells are numbered with the vertical fastest:
 *        +-----+-----+---         m = k + nz (j + ny i)
 *     k /     /     /|
 *     | +-----+-----+ |           neighbours u = -3 -2 -1 0 1 2 3 of cell m stand
 *     v |  m  | m+H | +           at m + h(u), h = -nz ny, -nz, -1, 0, 1, nz, nz ny
 *       +-----+-----+/            (k is direction 1, j is 2, i is 3)
 *
 * Decks, result files and Eclipse count i fastest: hp_grid_from_natural and
 * its inverse translate at that border, nowhere else.
 */
#ifndef HP_GRID_GRID_H
#define HP_GRID_GRID_H

#include "core/ranks/spread.h"

HP_EXTERN_C_BEGIN

enum { HP_DIR_K = 0, HP_DIR_J = 1, HP_DIR_I = 2, HP_DIRS = 3 };

/* Connections of cells that are not neighbours on the lattice (across faults, pinched-out layers, given ones): a[n] <
 * b[n], pairs rising by (a, b), each pair once, both cells active, transmissibility > 0. A rank of a spread grid has
 * those that begin in its own cells, a. */
typedef struct hp_grid_connections {
  int64_t count;
  int64_t *a, *b; /* [count] cells */
  double *trans;  /* [count] [m3] */
} hp_grid_connections;

/* Connections counted by the positions of their cells a and b (i, j, k): in neighbouring columns (faults), in one
 * column (pinched-out cells), elsewhere. */
typedef struct hp_connection_counts {
  int64_t side, column, far;
  int64_t between; /* cells between those of a column */
} hp_connection_counts;

HP_INLINE void hp_connection_count(hp_connection_counts *c, const int a[3], const int b[3]) {
  const int di = a[0] - b[0], dj = a[1] - b[1], apart = di * di + dj * dj;
  c->column += apart == 0;
  c->side += apart == 1;
  c->far += apart > 1;
  if (apart == 0) c->between += (a[2] < b[2] ? b[2] - a[2] : a[2] - b[2]) - 1;
}

/* Cell arrays are [ncell], m = k + nz (j + ny i), unless said otherwise.
 *
 * In a grid that is spread over ranks (core/ranks/spread.h) arrays hold planes of i only: cell m of the whole grid
 * stands at m - first, and places from `owned` on belong to other ranks. Cells are always named by their numbers in the
 * whole grid. */
typedef struct hp_grid {
  int nx, ny, nz;
  int64_t ncell;                  /* that arrays hold: nx ny nz, or those of */
  hp_spread *spread;              /*   planes here and elsewhere; NULL: all are here */
  hp_spread_planes planes;        /* held */
  int64_t first, owned;           /* number of the first cell that is held; how many of them are this rank's */
  int64_t nactive;                /* cells that take part, of the whole grid */
  double *dx, *dy, *dz;           /* [ncell] cell sizes [m] */
  double *depth;                  /* [ncell] depth of the cell centre [m], positive down */
  double *porosity;               /* [ncell] at reference pressure [-] */
  double *ntg;                    /* [ncell] net to gross [-] */
  double *perm[HP_DIRS];          /* [ncell] permeability along k, j, i [m2] */
  double *pore_volume;            /* [ncell] at reference pressure [m3], 0 in inactive cells */
  uint8_t *active;                /* [ncell] 1: takes part */
  double *trans[HP_DIRS];         /* [ncell] transmissibility [m3] of the face between m and
                             m + h(d+1); 0 across the boundary or to an inactive cell */
  hp_grid_connections connection; /* beyond those of trans; none unless hp_grid_connect adds them */
  struct hp_grid_known *known;    /* cells that all ranks know (hp_grid_learn); NULL: all are here */
  uint8_t *before; /* [ny nz] active cells of the plane before those held (hp_grid_learn_before), or NULL */
} hp_grid;

/* Rock and size of a cell. */
typedef struct hp_grid_rock {
  int64_t cell;
  double dx, dy, dz, depth, ntg; /* [m], net to gross [-] */
  double perm[HP_DIRS];          /* [m2] */
  int64_t active;
} hp_grid_rock;

/* Offset of the neighbour in direction d (HP_DIR_*), d = 0..2. */
HP_INLINE HP_HD int64_t hp_grid_stride(const hp_grid *g, int d) {
  return d == HP_DIR_K ? 1 : d == HP_DIR_J ? (int64_t)g->nz : (int64_t)g->nz * g->ny;
}

/* The transmissibility of two halves of a face in series; 0 where one is closed. */
HP_INLINE double hp_grid_in_series(double a, double b) { return a > 0.0 && b > 0.0 ? 1.0 / (1.0 / a + 1.0 / b) : 0.0; }

HP_INLINE HP_HD int64_t hp_grid_cell(const hp_grid *g, int i, int j, int k) {
  return k + (int64_t)g->nz * (j + (int64_t)g->ny * i);
}

HP_INLINE HP_HD void hp_grid_ijk(const hp_grid *g, int64_t m, int ijk[3]) {
  ijk[2] = (int)(m % g->nz);
  ijk[1] = (int)((m / g->nz) % g->ny);
  ijk[0] = (int)(m / ((int64_t)g->nz * g->ny));
}

HP_INLINE int64_t hp_grid_cells(const hp_grid *g) { return (int64_t)g->nx * g->ny * g->nz; }

/* The place of cell m of the whole grid in arrays, and whether it is held here. */
HP_INLINE HP_HD int64_t hp_grid_place(const hp_grid *g, int64_t m) { return m - g->first; }
HP_INLINE bool hp_grid_holds(const hp_grid *g, int64_t m) { return m >= g->first && m < g->first + g->ncell; }
/* Clips i = *begin .. *end - 1 to the planes held. */
HP_INLINE void hp_grid_clip(const hp_grid *g, int *begin, int *end) {
  const int last = g->planes.first + g->planes.held;
  if (*begin < g->planes.first) *begin = g->planes.first;
  if (*end > last) *end = last;
}

/* Gathers value[n] of cell[n] from the ranks that hold them; the lists are the same on all ranks. */
hp_status hp_grid_gather(const hp_grid *g, int64_t count, const int64_t *cell, const double *array,
                         double *value) HP_MUST_USE;
/* The same for an array over the columns held, j + ny i. */
hp_status hp_grid_gather_columns(const hp_grid *g, int64_t count, const int64_t *column, const double *array,
                                 double *value) HP_MUST_USE;
/* Tells all ranks the present rock of these cells; the list is the same on all ranks. */
hp_status hp_grid_learn(const hp_grid *g, int64_t count, const int64_t *cell) HP_MUST_USE;
/* The same for the column of cell m. */
hp_status hp_grid_learn_column(const hp_grid *g, int64_t m) HP_MUST_USE;
/* Updates g->before from the present cells. */
hp_status hp_grid_learn_before(hp_grid *g) HP_MUST_USE;
hp_status hp_grid_known_create(struct hp_grid_known **out) HP_MUST_USE;
void hp_grid_known_destroy(struct hp_grid_known **known);
/* The rock of a cell; one that is neither held nor known is inactive. */
hp_grid_rock hp_grid_rock_of(const hp_grid *g, int64_t m);

/* Reorders src [k][j][i] (i fastest, as in decks and files) into dst (cell order); the arrays do not overlap. */
void hp_grid_from_natural(int nx, int ny, int nz, const double *src, double *dst);
void hp_grid_to_natural(int nx, int ny, int nz, const double *src, double *dst);

/* Whether this machine can hold the description of so many cells (this rank's share): the grid, a deck's further
 * arrays, and one work array. If not, `why` has the bytes needed and available. */
enum { HP_GRID_CELL_BYTES = 120, HP_GRID_WHY = 160 };
bool hp_grid_fits(const hp_spread *P, double cells, char why[HP_GRID_WHY]);

/* A grid of nx*ny*nz cells with all arrays allocated and zero, ntg and active 1, and no connections. */
hp_status hp_grid_create(int nx, int ny, int nz, hp_grid **out) HP_MUST_USE;
/* The same, but pore volumes and transmissibilities are NULL until hp_grid_finish makes them; with P not NULL the grid
 * has this rank's planes. */
hp_status hp_grid_begin(hp_spread *P, int nx, int ny, int nz, hp_grid **out) HP_MUST_USE;
void hp_grid_destroy(hp_grid **grid);

/* Values that a deck gives in place of those computed from the cells; NULL, or NAN in a cell, for none. */
typedef struct hp_grid_given {
  const double *pore_volume;    /* [ncell] [m3], in place of dx dy dz porosity ntg mult_pv */
  const double *trans[HP_DIRS]; /* [ncell] [m3] of the face towards +d, multipliers and all */
  const double *minpv;          /* [ncell] [m3], in place of the one number */
} hp_grid_given;

/* Computes, from sizes, depth, porosity, ntg, permeability, `active` and minpv [m3],
 * pore volumes (dx dy dz porosity ntg mult_pv), active cells (given active and
 * pore volume >= minpv) and transmissibilities. The half transmissibility of
 * cell m along x is  K A ntg / (dx/2)  (ntg in lateral directions only); a
 * face takes two of them in series, then its multiplier.
 *   mult_pv [ncell] or NULL;  mult[d] [ncell] or NULL: multiplies the face
 *   towards +d of the cell (MULTX, MULTY, MULTZ).
 *   given  NULL, or numbers that take the place of computed ones. A face to an inactive cell is always closed.
 * A neighbour in i or j is the cell with the same k, whatever its depth. Connections are dropped. In a spread grid
 * the faces of the last plane held towards +i are closed. */
hp_status hp_grid_finish(hp_grid *g, double minpv, const double *mult_pv, const double *const mult[HP_DIRS],
                         const hp_grid_given *given) HP_MUST_USE;

/* Replaces the connections of a finished grid by pairs a[n], b[n] in any order. The transmissibilities [m3] of repeated
 * pairs add up in the list's order, those of neighbours on the lattice add to g->trans. Each rank names all pairs whose
 * lower cells it holds. Pairs with an inactive cell, of a cell and itself, and with a sum of 0 drop out. HP_ERR_DECK
 * for a cell outside the grid and for a transmissibility that is negative or not finite. */
hp_status hp_grid_connect(hp_grid *g, int64_t count, const int64_t *a, const int64_t *b,
                          const double *trans) HP_MUST_USE;
void hp_grid_connections_clear(hp_grid_connections *c);

HP_EXTERN_C_END

#endif
