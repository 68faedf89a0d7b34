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
 * `shapes` are those of a team on so many GPUs, `kernels` those of kernels of their own (core/device/kernels.h), n the length
 * of their vectors; block rows that are cut also have `cut`. A problem takes the row whose number of cells, or n, is nearest
 * by ratio. A shape changes how fast a run is, never its results; a file that is not there, or is damaged, costs speed only.
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

/* The file in which later runs on this kind of GPU look. HP_ERR_FILE where neither XDG_CACHE_HOME nor HOME says where caches
 * are. */
hp_status hp_tuned_path(const hp_device_info *info, char *out, size_t size) HP_MUST_USE;

/* No file: no rows. HP_ERR_FILE with file and line for one that cannot be read, is damaged, or of another GPU. */
hp_status hp_tuned_read(const char *path, const hp_device_info *info, hp_tuned *out) HP_MUST_USE;

/* Whether hp_tuned_write could put a file there, as far as can be known without writing: HP_ERR_FILE if there is what is
 * no file, or no new file or folder can be made in the last folder on the way that is there. */
hp_status hp_tuned_check_path(const char *path) HP_MUST_USE;

/* Makes the folders on the way. The file is replaced at once or not at all. */
hp_status hp_tuned_write(const char *path, const hp_device_info *info, const hp_tuned *t) HP_MUST_USE;

/* Adds a row in place of one of the same size, q and GPUs; where there is no room left, in place of the nearest. */
void hp_tuned_put(hp_tuned *t, const hp_tuned_row *row);
/* The same of a kernel's name and n; where there is no room left, in place of the first. */
void hp_tuned_put_kernel(hp_tuned *t, const hp_tuned_kernel *kernel);

/* NULL where there are no rows of that q and so many GPUs, or of that name. */
const hp_tuned_row *hp_tuned_nearest(const hp_tuned *t, int64_t cells, int q, int gpus);
const hp_tuned_kernel *hp_tuned_nearest_kernel(const hp_tuned *t, const char *name, int64_t n);

/* The file of this kind of GPU where a problem of so many cells is to come (0: unknown, nothing is read). No rows where
 * there is no file; `warning` says what is wrong with it, or is empty. */
void hp_tuned_load(const hp_device_info *info, int64_t cells, hp_tuned *out, char *warning, size_t size);

/* The shape for a problem of so many cells (0: unknown) of two unknowns, as runs have, on so many GPUs, from the file of this
 * kind of GPU. False: there is none, and *shape is as before; `warning` says what is wrong with the file, or is empty. */
bool hp_tuned_shape(const hp_device_info *info, int64_t cells, int gpus, hp_device_shape *shape, char *warning,
                    size_t size);

HP_EXTERN_C_END

#endif
