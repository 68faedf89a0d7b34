/* Arguments of the kernels of linsolve/sgdia/cuda/kernels.cuh. */
#ifndef HP_LINSOLVE_SGDIA_CUDA_ARGS_CUH
#define HP_LINSOLVE_SGDIA_CUDA_ARGS_CUH

#include <cuda_runtime.h>

#include "core/portable.h"
#include "linsolve/sgdia/sgdia.h"
#include "linsolve/sgdia/tile.h"

/* A matrix on the device, what a kernel needs of it. */
typedef struct stencil_args_plain {
  const void *value, *x;
  void *y;
  int64_t ld;
  int n, ncell, q, points, size[3];
  hp_divisor by_q, by_x, by_y; /* rows by unknowns, cells by size[0], lines by size[1] */
  signed char shift[HP_SGDIA_POINTS_MAX][3];
  int offset[HP_SGDIA_POINTS_MAX];
  int lines, length, line[HP_SGDIA_LINES_MAX];
  signed char line_of[HP_SGDIA_POINTS_MAX];
} stencil_args_plain;

#if defined(HP_CONSTANT_N)
/* Constants hide the variables in a kernel compiled for one matrix (linsolve/stencil/stencil.h). */
struct stencil_args : stencil_args_plain {
  static constexpr int64_t ld = HP_CONSTANT_COLUMN;
  static constexpr int n = HP_CONSTANT_N, ncell = HP_CONSTANT_NCELL, q = HP_CONSTANT_Q, points = HP_CONSTANT_DIAGS;
  static constexpr int size[3] = {HP_CONSTANT_NZ, HP_CONSTANT_NY, HP_CONSTANT_NX};
  static constexpr hp_divisor by_q = HP_CONSTANT_BY_Q, by_x = HP_CONSTANT_BY_X, by_y = HP_CONSTANT_BY_Y;
  static constexpr signed char shift[HP_CONSTANT_DIAGS][3] = HP_CONSTANT_POINTS;
  static constexpr int offset[HP_CONSTANT_DIAGS] = HP_CONSTANT_SHIFTS;
  static constexpr int lines = HP_CONSTANT_LINES, length = HP_CONSTANT_LENGTH;
  static constexpr int line[HP_CONSTANT_LINES] = HP_CONSTANT_LINE;
  static constexpr signed char line_of[HP_CONSTANT_DIAGS] = HP_CONSTANT_LINE_OF;
};
#define STENCIL_THREADS HP_CONSTANT_THREADS
#define STENCIL_THREADS_MAX HP_CONSTANT_THREADS
#else
typedef stencil_args_plain stencil_args;
#define STENCIL_THREADS (int)blockDim.x
#define STENCIL_THREADS_MAX HP_KERNEL_THREADS_MAX
#endif

#endif
