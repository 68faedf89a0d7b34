/* A GPU: choosing it, its memory, copies, and its team of threads, which may span several GPUs.
 *
 *     hp_device *D;
 *     HP_TRY(hp_device_create(&opt, &D));      HP_ERR_UNSUPPORTED: no CUDA in this build;
 *                                              HP_ERR_DEVICE: no GPU that will do, and why
 *     HP_TRY(hp_device_alloc(D, &p, n, sizeof *p, "pressures"));
 *     HP_TRY(hp_device_upload(D, p, host, n * sizeof *p));
 *     ...  kernels: core/team/cuda/team.cuh, linsolve/krylov/cuda/krylov.cu
 *     HP_TRY(hp_device_sync(D));               what failed in them is reported here
 *
 * All work goes to one stream, in order. Copies are asynchronous only where said. In a build without CUDA
 * hp_device_create refuses, and the functions that need a device are missing (HP_GPU in core/portable.h). This header is
 * C; CUDA types do not show.
 */
#ifndef HP_CORE_DEVICE_DEVICE_H
#define HP_CORE_DEVICE_DEVICE_H

#include "core/device/kernels.h"
#include "core/device/pages.h"
#include "core/team/barrier.h"

HP_EXTERN_C_BEGIN

enum { HP_CHIP_MAX = 32, HP_DEVICE_ALL_GPUS = -1, HP_DEVICE_THREADS = 256 /* of a block of a team */ };

/* How the team is laid out; results do not depend on it. */
typedef struct hp_device_shape {
  int blocks; /* of 256 threads per multiprocessor, for kernels that fit; the solvers' take one */
  hp_barrier_kind barrier;
  int delay;        /* [ns] between two looks of a waiting block; 0: none */
  int chip;         /* the most owner-local vectors (core/team/local.h) that are kept in shared memory, as far as they
                              fit: 0 to HP_CHIP_MAX */
  bool wide;        /* a matrix with two unknowns: a cell's two rows at once by 16-byte loads; else a row at a
                              time by 8-byte loads */
  int unroll;       /* pairs of rows whose loads BiCG-Stab's vector passes have in flight together: 1, 2 or 4 */
  int one_gpu_rows; /* HP_ONE_GPU_ROWS: rows of a level of multigrid at most that the first of several GPUs works on alone */
  bool recompute; /* take s = r - alpha v from r and v in BiCG-Stab's second product, where it can */
  int threads;    /* of a block of a solve's kernel that is compiled for its matrix: 256, 512 or 1024 */
  /* HP_COMPILE_BUILD, else the kernel of solves with the built-in preconditioners on one GPU is compiled for the matrix, so
   * that `blocks` of `threads` have registers on a multiprocessor. */
  hp_kernel_compile compile;
} hp_device_shape;

typedef struct hp_device_options {
  int ordinal;          /* which GPU of those visible */
  int gpus;             /* how many the team spans; 0: the one above; HP_DEVICE_ALL_GPUS: all that are visible */
  int gpu[HP_GPUS_MAX]; /* their ordinals, the first of which has the memory; one named twice is halved */
  double time_limit;    /* seconds a block waits at a barrier before the team is broken; 0: 30 */
  uint32_t shake;       /* tests: seed of random delays of blocks at barriers; 0: none */
  int64_t memory_limit; /* tests: bytes the device may hold at most; 0: what it has */
  int64_t memory_after; /* tests: the limit counts after so many allocations; 0: from the start */
  int64_t pages;        /* tests: large arrays lie in pages on one GPU, too, so many in a piece at most; 0: not */
  bool listed; /* tests: `gpu` is of HEPTA_TEST_GPUS; where one of them is not there, there is no GPU that will do */
  int64_t one_gpu_rows;         /* tests: this one of the shape whatever is tuned, unless `shape` is given; 0: not */
  int64_t fail_at;              /* tests: the call to the device with this number fails as if it were lost; 0: none */
  const hp_device_shape *shape; /* NULL: what `hepta tune` found for `cells` (core/device/tuned.h), else the default */
  int64_t cells;                /* of the problem to come; 0: unknown, nothing tuned is looked for */
} hp_device_options;

typedef struct hp_device_info {
  char name[128];
  int major, minor; /* compute capability */
  int multiprocessors;
  int64_t memory, free; /* [bytes] of the device; free at creation */
  int64_t l2;           /* [bytes] of the L2 cache */
} hp_device_info;

/* Copies between host and device. */
typedef struct hp_device_traffic {
  int64_t to_device, to_host; /* bytes */
  int64_t copies, launches;
} hp_device_traffic;

typedef struct hp_device hp_device;

/* HP_OK if the first visible GPU will do; the message of a failure says why not. */
hp_status hp_device_available(void) HP_MUST_USE;

/* The number of visible GPUs; errors are those of hp_device_create. */
hp_status hp_device_count(int *count) HP_MUST_USE;

/* Bytes of a GPU's memory, free or not; 0 if unknown. */
int64_t hp_device_memory(int ordinal);

/* Reads a choice of GPUs into gpu [most]: "all" (*count HP_DEVICE_ALL_GPUS), a number N from 1 on (the first N), or a
 * list of ordinals from 0 on with a comma in it, where one may stand twice. False for any other text. */
bool hp_device_parse_gpus(const char *text, int most, int *gpu, int *count);

/* Chooses among `visible` GPUs: HP_DEVICE_ALL_GPUS becomes their list, 0 becomes `ordinal`. HP_ERR_USAGE for a GPU that
 * does not exist and for more than HP_GPUS_MAX. Part of hp_device_create. */
hp_status hp_device_choose_gpus(hp_device_options *opt, int visible) HP_MUST_USE;

enum { HP_DEVICE_IDENTITY = 16 };

/* A GPU's identity id [HP_DEVICE_IDENTITY], unique over all hosts. */
HP_GPU hp_status hp_device_identify(int ordinal, unsigned char *id) HP_MUST_USE;

/* Makes *out for rank `number` of `count` that see the same `visible` GPUs from `all`, the options of all ranks: one GPU of
 * those that are named, or that are visible, in turn. HP_ERR_USAGE if more are named than there are ranks. */
hp_status hp_device_of_rank(const hp_device_options *all, int visible, int number, int count,
                            hp_device_options *out) HP_MUST_USE;

/* Copies a list without repetitions to out [count], in its order, and returns its length. */
int hp_device_different_gpus(int count, const int *gpu, int *out);

/* "GPU NAME", or "GPUs 0, 1 (NAME)" of a team on `count` of them. */
void hp_device_name_gpus(int count, const int *gpu, const char *name, char *out, size_t size);

/* Creates a device for the calling thread; opt may be NULL (all zero). Several threads may have one each. */
hp_status hp_device_create(const hp_device_options *opt, hp_device **out) HP_MUST_USE;
void hp_device_destroy(hp_device **D);

HP_GPU int hp_device_gpus(const hp_device *D); /* of the team */
/* The text of hp_device_name_gpus. */
HP_GPU void hp_device_describe(const hp_device *D, char *out, size_t size);
HP_GPU const hp_device_info *hp_device_get_info(const hp_device *D);
HP_GPU hp_device_traffic hp_device_get_traffic(const hp_device *D);
/* Counts launches that hp_team_launch did not make. */
HP_GPU void hp_device_count_launches(hp_device *D, int64_t count);
HP_GPU hp_device_shape hp_device_get_shape(const hp_device *D);
/* HP_ERR_USAGE for a shape that no device takes. */
hp_status hp_device_check_shape(const hp_device_shape *shape) HP_MUST_USE;
/* Sets the shape; HP_ERR_USAGE if this device does not take it. */
HP_GPU hp_status hp_device_set_shape(hp_device *D, const hp_device_shape *shape) HP_MUST_USE;
hp_device_shape hp_device_default_shape(void);
/* The launch of kernel `name` for vectors of length n: that of hp_device_set_kernel or of the tune file, else the
 * default. */
HP_GPU hp_kernel_shape hp_device_kernel(const hp_device *D, const char *name, int64_t n);
/* The same, but false with *shape unchanged if there is only the default. */
HP_GPU bool hp_device_find_kernel(const hp_device *D, const char *name, int64_t n, hp_kernel_shape *shape);
HP_GPU hp_status hp_device_set_kernel(hp_device *D, const char *name, int64_t n,
                                      const hp_kernel_shape *shape) HP_MUST_USE;
/* Whether the shape came from a file of `hepta tune`, and what was wrong with that file ("": nothing). */
HP_GPU bool hp_device_is_tuned(const hp_device *D);
HP_GPU const char *hp_device_warning(const hp_device *D);

/* Fills, for tests, options that are zero from HEPTA_TEST_GPU_FAIL_AT, HEPTA_TEST_GPU_MEMORY,
 * HEPTA_TEST_GPU_MEMORY_AFTER, HEPTA_TEST_GPU_PAGES, HEPTA_TEST_GPU_ROWS, HEPTA_TEST_GPU_SHAKE and HEPTA_TEST_GPUS
 * (docs/developer/checking.md); part of hp_device_create. HP_ERR_USAGE for a variable out of range. */
hp_status hp_device_test_options(hp_device_options *opt) HP_MUST_USE;

/* Allocates count * size zeroed bytes, aligned to 256, into *out (NULL if count is 0). HP_ERR_MEMORY names `what` and
 * the bytes needed, free and held. */
HP_GPU hp_status hp_device_alloc(hp_device *D, void **out, int64_t count, size_t size, const char *what) HP_MUST_USE;
/* Allocates an array whose pages lie on the GPUs that own them (core/device/pages.h), as hp_device_alloc does by the
 * count. Small arrays, and all arrays of a team on one GPU, are one piece on the first. */
HP_GPU hp_status hp_device_alloc_owned(hp_device *D, void **out, const hp_owned *a, const char *what) HP_MUST_USE;
/* Allocates one piece on the first GPU, however large. */
HP_GPU hp_status hp_device_alloc_whole(hp_device *D, void **out, int64_t count, size_t size,
                                       const char *what) HP_MUST_USE;
HP_GPU void hp_device_free(hp_device *D, void *p);  /* pointer to the pointer, set to NULL */
HP_GPU int64_t hp_device_bytes(const hp_device *D); /* held now */
/* Bytes free now; on several GPUs what arrays that are shared equally may take. */
HP_GPU int64_t hp_device_free_bytes(const hp_device *D);
/* Lists the different GPUs of the team in gpu [HP_GPUS_MAX] and returns their number. */
HP_GPU int hp_device_gpu_list(const hp_device *D, int *gpu);
/* Bytes held on one of them, and bytes that were free there when the device was opened. */
HP_GPU void hp_device_gpu_memory(const hp_device *D, int gpu, int64_t *held, int64_t *was_free);
/* Whether large arrays lie on several GPUs. */
HP_GPU bool hp_device_spreads(const hp_device *D);
/* Whether this array would lie on several GPUs. */
HP_GPU bool hp_device_spreads_array(const hp_device *D, const hp_owned *a);
/* Items from one plane of `count` items to the next in an array: hp_owned_stride where arrays are spread (in tests also
 * small ones). */
HP_GPU int64_t hp_device_stride(const hp_device *D, int64_t count, size_t size);

#define HP_DEVICE_ALLOC(D, ptr, count) hp_device_alloc(D, (void **)&(ptr), (int64_t)(count), sizeof *(ptr), #ptr)
#define HP_DEVICE_FREE(D, ptr) hp_device_free(D, (void *)&(ptr))

/* Blocking copies of `bytes` bytes, in the order of the stream. */
HP_GPU hp_status hp_device_upload(hp_device *D, void *to, const void *from, int64_t bytes) HP_MUST_USE;
HP_GPU hp_status hp_device_download(hp_device *D, void *to, const void *from, int64_t bytes) HP_MUST_USE;
/* These run in the stream; the host does not wait. */
HP_GPU hp_status hp_device_copy(hp_device *D, void *to, const void *from, int64_t bytes) HP_MUST_USE;
HP_GPU hp_status hp_device_zero(hp_device *D, void *to, int64_t bytes) HP_MUST_USE;

/* Waits for all work so far and reports its failures: HP_ERR_TEAM for a barrier that timed out, HP_ERR_DEVICE for
 * anything else. */
HP_GPU hp_status hp_device_sync(hp_device *D) HP_MUST_USE;

/* Barriers passed by all team kernels so far; after hp_device_sync. */
HP_GPU int64_t hp_device_barriers(const hp_device *D);

/* Device time between two marks [s]: hp_device_mark records one, hp_device_elapsed waits for both. */
HP_GPU hp_status hp_device_mark(hp_device *D, int which) HP_MUST_USE; /* which: 0 .. 7 */
HP_GPU hp_status hp_device_elapsed(hp_device *D, int from, int to, double *seconds) HP_MUST_USE;

HP_EXTERN_C_END

#if defined(__CUDACC__)
#include "core/device/cuda/launch.cuh"
#endif

#endif
