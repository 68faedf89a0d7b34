/* The data that a cycle on a GPU reads, while the host makes it: shared by the smoothers, by the rows in slices
 * (amg/smoothers/cuda/slices.cu) and by the cycle itself (amg/cycle/cuda/cycle.cu).
 *
 * A smoother on a GPU is one file of this folder with an hp_amg_device_smoother in it, which HP_AMG_SMOOTHER_LIST
 * (amg/smooth.h) names:
 *
 *     prepare   memory, and what depends on the pattern alone; after the rows of all levels are in their slices
 *     numbers   its values, in the stream, after the kernel that fills the rows and computes the smoothers' values that the
 *               list assigns to it
 *
 * The passes of its sweeps are those of amg/smoothers/pass.h.
 */
#ifndef HP_AMG_SMOOTHERS_CUDA_IMAGE_CUH
#define HP_AMG_SMOOTHERS_CUDA_IMAGE_CUH

#include "amg/setup/cuda/setup.cuh"
#include "amg/smoothers/pass.h"

enum { HP_AMG_MATRICES = 3 * HP_AMG_LEVELS_MAX };

/* Arrays in the device's memory. */
typedef struct hp_amg_image {
  hp_amg H;
  hp_csr matrix[HP_AMG_MATRICES]; /* A, P, R of every level */
  hp_gh finest;
} hp_amg_image;

typedef struct hp_amg_device_cycle {
  hp_device *D;
  hp_setup S; /* its pools: what lives until the next preparation */
  hp_amg_image host, *device;
  hp_csr_device source[HP_AMG_MATRICES]; /* of the rows to be put in slices */
  uint32_t *totals;                      /* [HP_AMG_MATRICES] entries with padding */
  hp_amg_smoothing smoothing[HP_AMG_LEVELS_MAX];
  int sweep_passes[HP_AMG_LEVELS_MAX]; /* as in hp_amg_writer */
} hp_amg_device_cycle;

typedef struct hp_amg_device_smoother {
  hp_status (*prepare)(hp_amg_device_cycle *C, int l);
  hp_status (*numbers)(hp_amg_device_cycle *C, int l); /* NULL: none */
} hp_amg_device_smoother;

#define HP_AMG_DEVICE_SMOOTHER(name, text, setup, sweep, rows, prepare, in_kernel, device, by_host) \
  extern const hp_amg_device_smoother hp_amg_device_##device;
HP_AMG_SMOOTHER_LIST(HP_AMG_DEVICE_SMOOTHER)
#undef HP_AMG_DEVICE_SMOOTHER

const hp_amg_device_smoother *hp_amg_cycle_smoother(const hp_amg_device_cycle *C);
/* Its `numbers` on all levels. */
hp_status hp_amg_cycle_smoother_numbers(hp_amg_device_cycle *C) HP_MUST_USE;
bool hp_amg_cycle_single(const hp_amg_device_cycle *C);
int64_t hp_amg_cycle_real_bytes(const hp_amg_device_cycle *C);
int64_t hp_amg_cycle_rows(const hp_amg_device_cycle *C, int l);
/* Room for numbers of the cycle's precision, until the next preparation. */
hp_status hp_amg_cycle_alloc(hp_amg_device_cycle *C, void **out, int64_t count) HP_MUST_USE;
/* The smoother's `scale`. */
hp_status hp_amg_cycle_alloc_scale(hp_amg_device_cycle *C, int l) HP_MUST_USE;

/* ---- rows in slices, or as the options say (amg/smoothers/cuda/slices.cu) ---- */

/* Room for the rows of A as the cycle reads them, their numbers zero. Waits for the size. */
hp_status hp_amg_cycle_slices(hp_amg_device_cycle *C, const hp_csr_device *A, hp_amg_rows *R) HP_MUST_USE;
/* The lengths of slices for matrix number `which` of the image; then columns and room of all of them. total
 * [HP_AMG_MATRICES]: entries with padding, as in C->totals. */
hp_status hp_amg_cycle_measure(hp_amg_device_cycle *C, const hp_csr_device *A, hp_amg_rows *R, int which) HP_MUST_USE;
hp_status hp_amg_cycle_fill(hp_amg_device_cycle *C, const uint32_t *total) HP_MUST_USE;

#endif
