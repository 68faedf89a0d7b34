/* Launches of single kernels for vectors (linsolve/vectors/vectors.h) and products: numbers that `hepta bench` and
 * `hepta tune` search and the tune file keeps for each kernel and size (core/device/tuned.h). They change speed, not
 * bits; only benches search numbers that change bits (linsolve/bsr/device.h). */
#ifndef HP_CORE_DEVICE_KERNELS_H
#define HP_CORE_DEVICE_KERNELS_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

/* Loads of 8 bytes, of 16, and of 16 that leave the caches first. */
typedef enum { HP_LOADS_PLAIN, HP_LOADS_WIDE, HP_LOADS_STREAM, HP_LOADS_COUNT } hp_kernel_loads;

/* Compiled with the program, or at run time (core/compile/compile.h) with a limit of registers per thread or with less
 * optimization of machine code. */
typedef enum {
  HP_COMPILE_BUILD,
  HP_COMPILE_AGAIN, /* by the toolkit's compiler of now, without more options */
  HP_COMPILE_REGISTERS_32,
  HP_COMPILE_REGISTERS_64,
  HP_COMPILE_OPTIMIZE_1,
  HP_COMPILE_OPTIMIZE_2,
  HP_COMPILE_COUNT
} hp_kernel_compile;

typedef struct hp_kernel_shape {
  int threads;           /* of a block: 32, 64, 128, 256 or 512 */
  int blocks;            /* a multiprocessor, which go through the work in strides; 0: as many as there is work for */
  int unroll;            /* pieces of a thread whose loads are in flight together: 1, 2, 4 or 8 */
  hp_kernel_loads loads; /* of what is read once */
  int streams;           /* the work in so many parts, each in a stream: 1 to HP_KERNEL_STREAMS_MAX */
  bool last;             /* sums: the block that finishes last adds up, instead of a second kernel */
  bool shared;           /* products: x by way of shared memory */
  hp_kernel_compile compile; /* vectors, and products with SG-DIA */
  int cut;                   /* block rows (linsolve/bsr/device.h): pieces of so many blocks at most; 0: whole rows */
} hp_kernel_shape;

enum {
  HP_KERNEL_THREADS_MAX = 512,
  HP_KERNEL_BLOCKS_MAX = 32,
  HP_KERNEL_UNROLL_MAX = 8,
  HP_KERNEL_STREAMS_MAX = 16,
  HP_KERNEL_CUT_MAX = 1000000
};

/* The default: 256 threads, as many blocks as there is work for, two pieces in flight, 16-byte loads, one stream. */
hp_kernel_shape hp_kernel_default_shape(void);

/* HP_ERR_USAGE names the number that is out of range. */
hp_status hp_kernel_check_shape(const hp_kernel_shape *shape) HP_MUST_USE;

const char *hp_kernel_loads_name(hp_kernel_loads loads); /* "plain", "wide", "stream" */
bool hp_kernel_loads_find(const char *name, hp_kernel_loads *out);

const char *hp_kernel_compile_name(hp_kernel_compile compile); /* "build", "registers-32" */
bool hp_kernel_compile_find(const char *name, hp_kernel_compile *out);
/* Options of the compiler; NULL for the build's. Limits of registers also define HP_KERNEL_BLOCKS, the blocks per
 * multiprocessor in the kernels' launch bounds. */
const char *hp_kernel_compile_options(hp_kernel_compile compile);

bool hp_kernel_same_shape(const hp_kernel_shape *a, const hp_kernel_shape *b);

HP_EXTERN_C_END

#endif
