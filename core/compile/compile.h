/* Kernels compiled while the program runs, by NVRTC, NVIDIA's compiler as a library (libnvrtc, opened by the first call).
 *
 * The texts are those of the build, so that no source tree is needed: CMakeLists.txt makes hp_kernel_texts of the headers that
 * kernels include, and bench/CMakeLists.txt hp_bench_kernel_texts. A job adds a unit to compile and the constants that the
 * unit's texts read as hp_constants.h.
 *
 *     texts + constants + unit  --nvrtc.c-->  cubin  --cache.c-->  $XDG_CACHE_HOME/hepta/kernel-HASH.cubin
 *                                                    --cuda/load.cu-->  a kernel to launch
 *
 * Compiling takes seconds; the file makes it once for a GPU, a program and a set of constants. A file that is damaged is
 * made again, one that cannot be written costs the next run its seconds. No GPU is needed to compile.
 */
#ifndef HP_CORE_COMPILE_COMPILE_H
#define HP_CORE_COMPILE_COMPILE_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

typedef struct hp_kernel_text {
  const char *name, *text;
} hp_kernel_text;

/* Headers by their names from the root of the source tree; a name NULL ends them. */
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

/* HP_ERR_UNSUPPORTED where there is no libnvrtc, or what the compiler says. */
hp_status hp_compile(const hp_compile_job *job, hp_cubin *out) HP_MUST_USE;
void hp_cubin_free(hp_cubin *C);

/* Major * 1000 + minor version of the libnvrtc that is opened. */
hp_status hp_compiler_version(int *version) HP_MUST_USE;

/* The path under which the cubin of a job is kept: the name is a hash of everything that it depends on, with the compiler's version. */
hp_status hp_cubin_path(const hp_compile_job *job, int version, char *out, size_t size) HP_MUST_USE;

/* HP_ERR_FILE for a file that is not there, cannot be read or is damaged. */
hp_status hp_cubin_read(const char *path, hp_cubin *out) HP_MUST_USE;
/* Makes the folders on the way. The file is replaced at once or not at all. */
hp_status hp_cubin_write(const char *path, const hp_cubin *C) HP_MUST_USE;

/* Reads the cubin from its file; without one compiles it and writes the file. *kept: from the file; `note` says why the file could not be written,
 * or is empty. */
hp_status hp_compile_kept(const hp_compile_job *job, hp_cubin *out, bool *kept, char *note, size_t size) HP_MUST_USE;

HP_EXTERN_C_END

#endif
