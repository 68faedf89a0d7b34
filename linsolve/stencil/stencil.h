/* Stencil families: from a dependence graph to the constants of kernels compiled for it.
 *
 *     stencil     offsets (i, j, k) of the cells that a cell's equations depend on, itself among them
 *     family      a stencil on a lattice of cells with q unknowns each, and wells
 *
 *     star-7      the faces: what GH has (linsolve/matrix/gh.h)         box-27   faces, edges and corners
 *
 *            k-1 k k+1              the diagonals u of the matrix are the offsets in the order of (i, j, k); u depends on
 *        i-1      x      u = 0      the cell that is
 *        j-1      x          1
 *             x   x   x      2-4        shift(u) = k + nz (j + ny i)
 *        j+1      x          5
 *        i+1      x          6      cells further in the order of cells, and exists on lattices of such a neighbour
 *
 * hp_stencil_constants writes the header hp_constants.h (core/compile/compile.h) with shifts, the diagonals that exist,
 * the cells for which they stay inside the matrix, sizes and wells. Kernels read it where HP_CONSTANT_N is defined;
 * elsewhere the same names are variables:
 *
 *     hp_gh                 nx, ny, nz, q, ncell, rows, n, ld
 *     hp_team_cut           how loops over the rows are cut
 *     stencil_args          all but pointers (linsolve/sgdia/cuda/kernels.cuh)
 *     spmv_gh               shifts, and which diagonals exist (bench/product/cuda/gh.cuh)
 *
 * This is what Al-Mouhamed & Khan 2017 (section 6.5) call SGDT; the tuning is `hepta tune`'s.
 */
#ifndef HP_LINSOLVE_STENCIL_STENCIL_H
#define HP_LINSOLVE_STENCIL_STENCIL_H

#include "linsolve/matrix/gh.h"

HP_EXTERN_C_BEGIN

enum { HP_STENCIL_MAX = 27, HP_STENCIL_TEXT_MAX = 8192 };

typedef struct hp_stencil {
  const char *name;
  int count;
  int8_t offset[HP_STENCIL_MAX][3]; /* [count] (i, j, k), rising */
} hp_stencil;

typedef enum { HP_STENCIL_STAR_7, HP_STENCIL_BOX_27, HP_STENCIL_COUNT } hp_stencil_kind;

/* The stencil of a kind: offsets -1 .. 1 in three dimensions, of which a limited number are not 0. */
hp_stencil hp_stencil_of(hp_stencil_kind kind);
const char *hp_stencil_name(hp_stencil_kind kind);

typedef struct hp_stencil_family {
  hp_stencil stencil;
  int nx, ny, nz, q, nwell;
  bool listed; /* there are wells or connections beyond the diagonals: hp_gh_wells.chunk_begin lists something */
} hp_stencil_family;

/* The family of a matrix. */
hp_stencil_family hp_stencil_family_of(const hp_gh *A);

/* The distance of neighbour u in the order of cells. */
int64_t hp_stencil_shift(const hp_stencil_family *F, int u);
/* Whether the lattice is long enough for a neighbour of this offset. */
bool hp_stencil_exists(const hp_stencil_family *F, int u);
/* The cells begin .. end-1 whose neighbour on diagonal u is inside the matrix; none if the diagonal does not exist. */
void hp_stencil_cells(const hp_stencil_family *F, int u, int64_t *begin, int64_t *end);

/* Writes hp_constants.h, at most HP_STENCIL_TEXT_MAX bytes, with the further lines `more` ("" for none).
 * HP_ERR_INTERNAL if it does not fit. */
hp_status hp_stencil_constants(const hp_stencil_family *F, const char *more, char *out, size_t size) HP_MUST_USE;

HP_EXTERN_C_END

#endif
