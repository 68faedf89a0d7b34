/* A cycle on a GPU while the host makes it: what amg/cycle/cuda/cycle.cu (levels, kernels), amg/cycle/cuda/slices.cu
 * (rows), amg/cycle/cuda/program.cu (passes) and the smoothers share.
 *
 * A smoother on a GPU is one file of amg/smoothers/cuda with an hp_amg_device_smoother in it, and one line in
 * HP_AMG_SMOOTHER_GPU_LIST (amg/smoothers/smooth.h):
 *
 *     prepare   memory, and what depends on the pattern alone; after the rows of all levels are in their slices
 *     numbers   in the stream, after the kernel that fills the rows and makes what HP_AMG_SMOOTHER_DEVICE_LIST names
 *     sweep     the passes of one sweep, written at the end of the program; the contract is that of
 * amg/smoothers/smooth.h
 */
#ifndef HP_AMG_CYCLE_CUDA_CYCLE_CUH
#define HP_AMG_CYCLE_CUDA_CYCLE_CUH

#include "amg/cycle/device.h"
#include "amg/cycle/program.h"
#include "amg/setup/cuda/groups.cuh"
#include "amg/setup/cuda/setup.cuh"

enum { HP_AMG_MATRICES = 3 * HP_AMG_LEVELS_MAX };

/* Arrays in the device's memory. */
typedef struct hp_amg_image {
  hp_amg H;
  hp_csr matrix[HP_AMG_MATRICES]; /* A, P, R of every level */
  hp_gh finest;
} hp_amg_image;

/* Of a level, what its smoother has besides hp_amg_smooth. */
typedef struct hp_amg_smoothing {
  hp_device_csr A;
  hp_amg_groups lower, upper; /* rows in groups; those of the way back, where they differ */
  int32_t *own;               /* [n] where a row's value is among those of the domains */
} hp_amg_smoothing;

struct hp_amg_device_cycle {
  hp_device *D;
  hp_setup S; /* its pools: what lives until the next preparation */
  hp_amg_image host, *device;
  hp_device_csr source[HP_AMG_MATRICES]; /* of the rows to be put in slices */
  int32_t *totals;                       /* [HP_AMG_MATRICES] entries with padding */
  hp_amg_smoothing smoothing[HP_AMG_LEVELS_MAX];
  hp_amg_pass *list; /* the program, on the host */
  int count, room;
  int sweep_passes[HP_AMG_LEVELS_MAX]; /* of a sweep backward from a stored x */
};

/* Where the iterate of a level is, while its passes are written: as in amg/cycle/rows_real.inl.h. */
typedef struct hp_amg_device_iterate {
  void *x, *other;
  int state, before;
} hp_amg_device_iterate;

typedef struct hp_amg_device_smoother {
  int moves; /* as in HP_AMG_SMOOTHER_LIST, of this text's sweeps */
  hp_status (*prepare)(hp_amg_device_cycle *C, int l);
  hp_status (*numbers)(hp_amg_device_cycle *C, int l); /* NULL: none */
  hp_status (*sweep)(hp_amg_device_cycle *C, int l, bool forward, const void *b, hp_amg_device_iterate *v);
} hp_amg_device_smoother;

#define HP_AMG_DEVICE_SMOOTHER(name, entry, host) extern const hp_amg_device_smoother hp_amg_device_##entry;
HP_AMG_SMOOTHER_GPU_LIST(HP_AMG_DEVICE_SMOOTHER)
#undef HP_AMG_DEVICE_SMOOTHER

const hp_amg_device_smoother *hp_amg_cycle_smoother(const hp_amg_device_cycle *C);
bool hp_amg_cycle_single(const hp_amg_device_cycle *C);
int64_t hp_amg_cycle_real_bytes(const hp_amg_device_cycle *C);
int64_t hp_amg_cycle_rows(const hp_amg_device_cycle *C, int l);
/* Room for numbers of the cycle's precision, until the next preparation. */
hp_status hp_amg_cycle_take(hp_amg_device_cycle *C, void **out, int64_t count) HP_MUST_USE;
/* The smoother's `scale`. */
hp_status hp_amg_cycle_take_scale(hp_amg_device_cycle *C, int l) HP_MUST_USE;

/* ---- rows in slices (amg/cycle/cuda/slices.cu) ---- */

/* Slices for the rows of A as the cycle reads them, their numbers zero. Waits for the size. */
hp_status hp_amg_cycle_slices(hp_amg_device_cycle *C, const hp_device_csr *A, hp_amg_rows *R) HP_MUST_USE;
/* The lengths of slices for matrix number `which` of the image; then columns and room of all of them. total
 * [HP_AMG_MATRICES]: entries with padding, as in C->totals. */
hp_status hp_amg_cycle_measure(hp_amg_device_cycle *C, const hp_device_csr *A, hp_amg_rows *R, int which) HP_MUST_USE;
hp_status hp_amg_cycle_fill(hp_amg_device_cycle *C, const int32_t *total) HP_MUST_USE;

/* ---- passes (amg/cycle/cuda/program.cu) ---- */

hp_amg_pass hp_amg_pass_of(int what, int kind, const void *from, void *out, int64_t n);
/* Over the rows of level l's A. */
hp_amg_pass hp_amg_pass_of_level(const hp_amg_device_cycle *C, int l, int kind, const void *from, void *out);
/* y = b - A x of level l, which is stored. */
hp_status hp_amg_add_residual(hp_amg_device_cycle *C, int l, const void *b, const void *x) HP_MUST_USE;
/* out = x + from at `own`, which may be NULL; x NULL: zero. */
hp_status hp_amg_add_sum(hp_amg_device_cycle *C, const void *x, const void *from, const int32_t *own, void *out,
                         int64_t n) HP_MUST_USE;
hp_status hp_amg_add_pass(hp_amg_device_cycle *C, hp_amg_pass p) HP_MUST_USE;

/* All passes, in the device's memory. */
hp_status hp_amg_cycle_write_program(hp_amg_device_cycle *C) HP_MUST_USE;

#endif
