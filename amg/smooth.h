/* Data of a level that a cycle reads besides its vectors: rows in slices, and the smoother's numbers.
 *
 * Rows are stored in slices of C = 1 << shift rows (sliced ELL), so that neighbouring threads read
 * neighbouring numbers; C = 1 is CSR:
 *
 *     entry k of row i:   place begin[i / C] + k C + i % C of column and value
 *     slice of 4 rows:    a0 b0 c0 d0 | a1 b1 c1 d1 | a2 0 c2 0      rows shorter than the slice's longest
 *                                                                    end in zeros in their last column: where
 *                                                                    rows are written while others are read, a
 *                                                                    row reads its own columns only
 *
 * On a GPU several threads share a row (amg/rows/cuda/rows.cuh).
 *
 * As HEC, ELL and csr (Liu, Yu & Chen 2013, figure 3), the first `width` entries of all rows stand by columns, what longer
 * rows have beyond them row after row; `width` is that of linsolve/matrix/sparse.h:
 *
 *     entry k of row i:   place k nrow + i                  k < width
 *                         place begin[i] + k - width        else; begin[0] = width nrow
 *     width 2, 4 rows:    a0 b0 c0 d0 | a1 b1 0 d1 | b2 b3 d2
 *
 * Numbers are double or float (hp_amg_options.precision); the code that computes with them is in
 * amg/rows/rows_real.inl.h and the .inl.h files of amg/smoothers, which are included for both types.
 *
 * A smoother is x += M^-1 (b - A x); its file defines M:
 *
 *     jacobi, damped-jacobi, l1-jacobi, spai-0   jacobi.inl.h                diagonal
 *     chebyshev                                  chebyshev.inl.h             polynomial in D^-1 A
 *     block-jacobi, block-gauss-seidel           block.inl.h                 dense blocks of consecutive rows
 *     coloured, level-scheduled                  groups.inl.h                Gauss-Seidel, rows by colour or by level
 *     gauss-seidel                               gauss_seidel.inl.h          by one member, the reference
 *     hybrid                                     hybrid.inl.h                Gauss-Seidel in blocks, Jacobi between
 *     spai-1                                     spai.inl.h                  least squares in the pattern of A
 *     schwarz                                    schwarz.inl.h               overlapping domains, ILU(0) in each
 *
 * A new smoother is one file, two for a GPU, and one line in the list:
 *
 *   setup      numbers from the level's A (visible before), a team program. Afterwards a barrier before a sweep; may
 *              contain some.
 *   sweep      the passes of one sweep (amg/smoothers/pass.h)
 *   rows       ROWS: it needs the finest level's A by rows even if the cycle has it as a GH matrix; GH: it does not
 *   prepare    what depends on the pattern alone (host): hp_amg_prepare_PREPARE
 *   in_kernel  IN_KERNEL: a GPU makes the numbers, or the diagonal of these, in one kernel with the text of the CPU;
 *              APART: in kernels of their own, or not at all
 *   device     hp_amg_device_DEVICE stands in amg/smoothers/cuda; none: a GPU does not run it
 *   by_host    BY_HOST: what depends on the pattern alone is made by the host at every build, from a copy of each of a
 *              GPU's levels; BY_DEVICE: on the device
 */
#ifndef HP_AMG_SMOOTH_H
#define HP_AMG_SMOOTH_H

#include "amg/csr.h"
#include "linsolve/matrix/gh.h"

HP_EXTERN_C_BEGIN

enum { HP_AMG_READS_GH, HP_AMG_READS_ROWS };
enum { HP_AMG_PATTERN_BY_DEVICE, HP_AMG_PATTERN_BY_HOST };

/* X(NAME, "name", setup, sweep, rows, prepare, in_kernel, device, by_host) */
#define HP_AMG_SMOOTHER_LIST(X)                                                                                       \
  X(DAMPED_JACOBI, "damped-jacobi", hp_amg_damped_jacobi_setup, hp_amg_jacobi_sweep, GH, point, IN_KERNEL, diagonal,  \
    BY_DEVICE)                                                                                                        \
  X(JACOBI, "jacobi", hp_amg_jacobi_setup, hp_amg_jacobi_sweep, GH, point, IN_KERNEL, diagonal, BY_DEVICE)            \
  X(L1_JACOBI, "l1-jacobi", hp_amg_l1_jacobi_setup, hp_amg_jacobi_sweep, GH, point, IN_KERNEL, diagonal, BY_DEVICE)   \
  X(BLOCK_JACOBI, "block-jacobi", hp_amg_block_jacobi_setup, hp_amg_block_jacobi_sweep, GH, blocks, APART,            \
    block_jacobi, BY_DEVICE)                                                                                          \
  X(COLOURED, "coloured", hp_amg_jacobi_setup, hp_amg_groups_sweep, GH, colours, IN_KERNEL, groups, BY_HOST)          \
  X(BLOCK_GAUSS_SEIDEL, "block-gauss-seidel", hp_amg_block_gauss_seidel_setup, hp_amg_groups_sweep, GH, block_levels, \
    APART, groups, BY_HOST)                                                                                           \
  X(LEVEL_SCHEDULED, "level-scheduled", hp_amg_jacobi_setup, hp_amg_groups_sweep, GH, levels, IN_KERNEL, groups,      \
    BY_HOST)                                                                                                          \
  X(HYBRID, "hybrid", hp_amg_hybrid_setup, hp_amg_hybrid_sweep, ROWS, point, IN_KERNEL, hybrid, BY_HOST)              \
  X(GAUSS_SEIDEL, "gauss-seidel", hp_amg_jacobi_setup, hp_amg_gauss_seidel_sweep, GH, point, APART, none, BY_DEVICE)  \
  X(CHEBYSHEV, "chebyshev", hp_amg_chebyshev_setup, hp_amg_chebyshev_sweep, GH, polynomial, IN_KERNEL, polynomial,    \
    BY_DEVICE)                                                                                                        \
  X(SPAI0, "spai-0", hp_amg_spai0_setup, hp_amg_jacobi_sweep, GH, point, IN_KERNEL, diagonal, BY_DEVICE)              \
  X(SPAI1, "spai-1", hp_amg_spai1_setup, hp_amg_spai1_sweep, ROWS, inverse, APART, inverse, BY_DEVICE)                \
  X(SCHWARZ, "schwarz", hp_amg_schwarz_setup, hp_amg_schwarz_sweep, GH, domains, APART, domains, BY_HOST)

typedef enum {
#define HP_AMG_ENUM_SMOOTHER(name, text, setup, sweep, rows, prepare, in_kernel, device, by_host) HP_AMG_##name,
  HP_AMG_SMOOTHER_LIST(HP_AMG_ENUM_SMOOTHER)
#undef HP_AMG_ENUM_SMOOTHER
      HP_AMG_SMOOTHER_COUNT
} hp_amg_smoother;

enum {
  HP_AMG_ORDER_MAX = 16, /* of the polynomial */
  HP_AMG_SPAI_MAX = 16,  /* entries of a row of the approximate inverse */
  HP_AMG_SWEEPS_LAST = 8 /* on a last level that is too large for a direct solve */
};

#define HP_AMG_NOWHERE UINT32_MAX

/* The iterate of a level is not stored because it is zero; not stored because it is scale b; in a vector. */
enum { HP_AMG_ZERO, HP_AMG_SCALED, HP_AMG_STORED };

/* Rows in slices: as many entries for each row of a slice as its longest has. On a GPU the rows of a window are in the
 * order of their length, the longest first (Kreutzer et al. 2014: SELL-C-sigma), so that those of a slice are about
 * equally long. */
enum { HP_AMG_WINDOW = 256 };

typedef struct hp_amg_rows {
  int32_t nrow, shift; /* 2^shift rows per slice; csr and HEC: 0 */
  int32_t lanes;       /* GPU: 2^lanes threads share a row; 0 on the CPU */
  int32_t width;       /* HEC: entries of a row by columns; 0: slices or csr */
  uint32_t *begin;     /* [slices+1] */
  int32_t *column;     /* [begin[slices]] */
  void *value;         /* the same, double or float */
  uint8_t *row; /* GPU: [slices << shift] which row stands at place p: row[p] of the 256 from p/256*256 on; NULL: p */
  bool shared;  /* begin, column and value belong to the matrix that they come from */
} hp_amg_rows;

/* The finest level as a GH matrix with q = 1: no indices but the wells' runs and, on a GPU, connections beyond the
 * diagonals. In float the numbers are copies, in double those of A. */
typedef struct hp_amg_finest {
  const hp_gh_plain *A;        /* NULL: the level is rows */
  int64_t offset[HP_GH_DIAGS]; /* of u = -3 .. 3 */
  hp_divisor by_nz;
  void *h, *w, *wt, *dd, *link;
  bool copied; /* the five are not A's */
} hp_amg_finest;

/* Arrays that the smoother at hand does not need are NULL. */
typedef struct hp_amg_smooth {
  void *scale; /* [n] what a residual is multiplied by */
  /* coloured, level-scheduled, block-gauss-seidel: rows (blocks) that do not depend on each other */
  int32_t ngroup;
  int32_t *group; /* [ngroup+1] */
  int32_t *order; /* [n or nblock] group after group, in a group rising */
  /* blocks of `width` consecutive rows, the last may be shorter */
  int32_t width, nblock;
  void *block;         /* [nblock][width*width] inverses, by columns */
  double *coefficient; /* [2*order] chebyshev: of pass k, momentum and residual */
  double *eigenvalue;  /* [1] the upper end of the polynomial's interval */
  hp_amg_rows inverse; /* spai-1: in the places of the level's rows */
  bool sorted;         /* A's columns ascend in every row */
  /* schwarz: domain c has the interior rows n c / ndomain .. and those on which they depend, ascending */
  int32_t ndomain;
  int32_t *domain;    /* [ndomain+1] where a domain's rows begin */
  int32_t *first;     /* [ndomain] the domain's first interior row among its rows */
  int32_t *row;       /* [domain[ndomain]] */
  uint32_t *begin;    /* [domain[ndomain]+1] of a row's entries, whose columns are rising */
  uint32_t *diagonal; /* [domain[ndomain]] its place */
  int32_t *column;    /* counted in the domain */
  uint32_t *source;   /* place in A, HP_AMG_NOWHERE: zero */
  void *value;        /* L and U of ILU(0), the diagonal inverted */
  void *work;         /* [domain[ndomain]] */
} hp_amg_smooth;

HP_EXTERN_C_END

#endif
