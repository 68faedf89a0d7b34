/* A launch of a product with SG-DIA: kernel(args, tiles), for benches and for solves (linsolve/krylov/baselines/matrix.cu). */
#ifndef HP_LINSOLVE_SGDIA_CUDA_LAUNCH_CUH
#define HP_LINSOLVE_SGDIA_CUDA_LAUNCH_CUH

#include <cuda_runtime.h>

#include "core/portable.h"
#include "linsolve/sgdia/device.h"
#include "linsolve/sgdia/tile.h"

/* A matrix on the device, what a kernel needs of it. */
typedef struct stencil_args {
  const void *value, *x;
  void *y;
  int64_t ld;
  int n, ncell, q, points, size[3];
  hp_divisor by_q, by_x, by_y; /* rows by unknowns, cells by size[0], lines by size[1] */
  signed char shift[HP_SGDIA_POINTS_MAX][3];
  int offset[HP_SGDIA_POINTS_MAX];
  int lines, length, line[HP_SGDIA_LINES_MAX];
  signed char line_of[HP_SGDIA_POINTS_MAX];
} stencil_args;

typedef struct hp_sgdia_launch {
  const void *kernel;
  stencil_args args;
  int tiles, blocks, threads;
  size_t shared; /* [bytes] */
} hp_sgdia_launch;

HP_EXTERN_C_BEGIN

/* value, x and y are the device's. 16-byte loads become those of one entry where ld is odd, and x stays in memory where
 * a tile's does not fit. */
hp_sgdia_launch hp_sgdia_launch_of(const hp_sgdia *A, const hp_kernel_shape *shape, int multiprocessors, const void *x,
                                   void *y);

HP_EXTERN_C_END

#endif
