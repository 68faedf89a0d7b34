/* Launch shapes that `hepta tune` and `hepta bench` found, kept in a file for each kind of GPU:
 *
 *     $XDG_CACHE_HOME/hepta/tune-NVIDIA-H100-80GB-HBM3-9.0.cfg    (~/.cache where that is not set)
 *
 *     device = "NVIDIA H100 80GB HBM3";
 *     capability = "9.0";
 *     shapes = (
 *       { size = [32, 32, 32]; q = 2; gpus = 1; blocks = 2; barrier = "counter"; delay = 0; chip = 32; wide = true;
 *         unroll = 2; recompute = true; one_gpu_rows = 65536; threads = 256; compile = "build"; seconds = 1.9e-5;
 *         default_seconds = 2.0e-5; }, ...
 *     );
 *     kernels = (
 *       { kernel = "axpy"; n = 1000000; threads = 256; blocks = 0; unroll = 4; loads = "wide"; streams = 1;
 *         last = false; shared = false; compile = "build"; seconds = 9.1e-6; default_seconds = 9.9e-6; }, ...
 *     );
 *
 * `shapes` are those of a team on `gpus` GPUs, `kernels` those of single kernels (core/device/kernels.h), n the length
 * of their vectors; cut block rows also have `cut`. A problem takes the row whose number of cells, or n, is nearest by
 * ratio. A shape changes the speed of a run, not its results, and so does a missing or damaged file.
 */
#ifndef HP_CORE_DEVICE_TUNED_H
#define HP_CORE_DEVICE_TUNED_H

#include "core/device/device.h"
#include "core/device/kernels.h"

HP_EXTERN_C_BEGIN

enum { HP_TUNED_MAX = 64, HP_TUNED_KERNELS_MAX = 256, HP_TUNED_NAME_MAX = 48 };

typedef struct hp_tuned_row {
  int size[3]; /* cells in i, j, k that were measured */
  int q;       /* unknowns per cell */
  int gpus;    /* of the team, 1 and more */
  hp_device_shape shape;
  double seconds, default_seconds; /* an iteration with this shape, and with the default one */
} hp_tuned_row;

typedef struct hp_tuned_kernel {
  char name[HP_TUNED_NAME_MAX];
  int64_t n;
  hp_kernel_shape shape;
  double seconds, default_seconds;
} hp_tuned_kernel;

typedef struct hp_tuned {
  int count, kernels;
  hp_tuned_row row[HP_TUNED_MAX];
  hp_tuned_kernel kernel[HP_TUNED_KERNELS_MAX];
} hp_tuned;

/* The file that later runs on this kind of GPU read. HP_ERR_FILE if neither XDG_CACHE_HOME nor HOME is set. */
hp_status hp_tuned_path(const hp_device_info *info, char *out, size_t size) HP_MUST_USE;

/* Reads the file; without one there are no rows. HP_ERR_FILE, with file and line, for a file that is unreadable,
 * damaged or of another GPU. */
hp_status hp_tuned_read(const char *path, const hp_device_info *info, hp_tuned *out) HP_MUST_USE;

/* Adds a kernel; it replaces one of the same name and n, or, if there is no room, the first. */
void hp_tuned_put_kernel(hp_tuned *t, const hp_tuned_kernel *kernel);

/* The nearest row; NULL if there is none of that q and number of GPUs, or of that name. */
const hp_tuned_row *hp_tuned_nearest(const hp_tuned *t, int64_t cells, int q, int gpus);
const hp_tuned_kernel *hp_tuned_nearest_kernel(const hp_tuned *t, const char *name, int64_t n);

/* Reads this kind of GPU's file for a problem of so many cells (0: unknown, nothing is read). `warning` says what is
 * wrong with the file, or is empty. */
void hp_tuned_load(const hp_device_info *info, int64_t cells, hp_tuned *out, char *warning, size_t size);

HP_EXTERN_C_END

#endif
