/* Kernels compiled at run time by NVRTC, NVIDIA's compiler library (libnvrtc, opened by the first call).
 *
 * No source tree is needed: CMakeLists.txt puts the headers that kernels include into hp_kernel_texts,
 * bench/CMakeLists.txt into hp_bench_kernel_texts. A job adds a unit to compile and the constants that its texts read
 * as hp_constants.h.
 *
 *     texts + constants + unit  --nvrtc.c-->  cubin  --cache.c-->  $XDG_CACHE_HOME/hepta/kernel-HASH.cubin
 *                                                    --cuda/load.cu-->  a kernel to launch
 *
 * Compiling takes seconds; the file saves them for the same GPU, program and constants. A damaged file is written anew;
 * without a writable file each run compiles again. No GPU is needed to compile.
 */
#ifndef HP_CORE_COMPILE_COMPILE_H
#define HP_CORE_COMPILE_COMPILE_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

typedef struct hp_kernel_text {
  const char *name, *text;
} hp_kernel_text;

/* Headers by their paths from the root of the source tree, ended by a NULL name. */
extern const hp_kernel_text hp_kernel_texts[];

typedef struct hp_compile_job {
  const char *unit;            /* text; its first line includes "hp_constants.h" */
  const char *kernel;          /* as C++ names it, with its template's arguments */
  const char *constants;       /* text of hp_constants.h */
  int major, minor;            /* compute capability */
  const char *options;         /* more for the compiler, with ' ' between; NULL: none */
  const hp_kernel_text *texts; /* the headers that the unit may include */
} hp_compile_job;

typedef struct hp_cubin {
  char *code; /* [bytes] */
  int64_t bytes;
  char name[512]; /* the kernel's, mangled; zeros behind it */
} hp_cubin;

/* Compiles a job. HP_ERR_UNSUPPORTED without libnvrtc, or with the compiler's message. */
hp_status hp_compile(const hp_compile_job *job, hp_cubin *out) HP_MUST_USE;
void hp_cubin_free(hp_cubin *C);

/* Returns 1000 * major + minor version of the opened libnvrtc. */
hp_status hp_compiler_version(int *version) HP_MUST_USE;

/* The path of a job's cubin; its name is a hash of all that the cubin depends on, the compiler's version included. */
hp_status hp_cubin_path(const hp_compile_job *job, int version, char *out, size_t size) HP_MUST_USE;

/* Reads a cubin. HP_ERR_FILE for a file that is missing, unreadable or damaged. */
hp_status hp_cubin_read(const char *path, hp_cubin *out) HP_MUST_USE;
/* Writes a cubin atomically and makes its folders. */
hp_status hp_cubin_write(const char *path, const hp_cubin *C) HP_MUST_USE;

/* Reads the cubin from its file (*kept), or compiles it and writes the file. `note` says why the file could not be
 * written, or is empty. */
hp_status hp_compile_kept(const hp_compile_job *job, hp_cubin *out, bool *kept, char *note, size_t size) HP_MUST_USE;

HP_EXTERN_C_END

#endif
