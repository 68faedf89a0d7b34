/* hp_compile. NVRTC's functions are declared here, so that builds need neither its header nor its library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "core/compile/compile.h"
#include "core/memory.h"

/* ---- the library ---- */

typedef struct nvrtc_program *program;

/* As nvrtc.h declares them; 0 is success. */
typedef struct {
  int (*nvrtcVersion)(int *major, int *minor);
  int (*nvrtcCreateProgram)(program *P, const char *text, const char *name, int count, const char *const *texts,
                            const char *const *names);
  int (*nvrtcDestroyProgram)(program *P);
  int (*nvrtcAddNameExpression)(program P, const char *name);
  int (*nvrtcCompileProgram)(program P, int count, const char *const *options);
  int (*nvrtcGetProgramLogSize)(program P, size_t *size);
  int (*nvrtcGetProgramLog)(program P, char *log);
  int (*nvrtcGetLoweredName)(program P, const char *name, const char **lowered);
  int (*nvrtcGetCUBINSize)(program P, size_t *size);
  int (*nvrtcGetCUBIN)(program P, char *code);
} functions;

static const char *const symbols[] = {"nvrtcVersion",           "nvrtcCreateProgram",  "nvrtcDestroyProgram",
                                      "nvrtcAddNameExpression", "nvrtcCompileProgram", "nvrtcGetProgramLogSize",
                                      "nvrtcGetProgramLog",     "nvrtcGetLoweredName", "nvrtcGetCUBINSize",
                                      "nvrtcGetCUBIN"};

enum { SYMBOLS = sizeof symbols / sizeof *symbols };

/* By the loader's rules, then where toolkits stand. */
static void *open_library(void) {
  static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  static const char *const folders[] = {
    "",
#if defined(HEPTA_CUDA_LIBRARIES)
    HEPTA_CUDA_LIBRARIES "/",
#endif
    "/usr/local/cuda/lib64/"
  };
  char path[1024];
  for (size_t f = 0; f < sizeof folders / sizeof *folders; ++f)
    for (size_t n = 0; n < sizeof names / sizeof *names; ++n) {
      snprintf(path, sizeof path, "%s%s", folders[f], names[n]);
      void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
      if (library != NULL) return library;
    }
  return NULL;
}

/* Opened once; a failure is tried again. Not for several threads at a time. */
static hp_status open_functions(const functions **out) {
  static functions f;
  static bool opened;
  *out = &f;
  if (opened) return HP_OK;
  void *library = open_library();
  if (library == NULL)
    return hp_fail(HP_ERR_UNSUPPORTED,
                   "libnvrtc, the compiler of the CUDA toolkit, is not found (libnvrtc.so.13 or .12)");
  void *found[SYMBOLS];
  for (int n = 0; n < SYMBOLS; ++n) {
    found[n] = dlsym(library, symbols[n]);
    if (found[n] != NULL) continue;
    dlclose(library);
    return hp_fail(HP_ERR_UNSUPPORTED, "libnvrtc has no function %s: it is too old", symbols[n]);
  }
  _Static_assert(sizeof found == sizeof f, "one pointer for each function");
  memcpy(&f, found, sizeof f);
  opened = true;
  return HP_OK;
}

hp_status hp_compiler_version(int *version) {
  const functions *N;
  int major = 0, minor = 0;
  HP_TRY(open_functions(&N));
  if (N->nvrtcVersion(&major, &minor) != 0) return hp_fail(HP_ERR_UNSUPPORTED, "libnvrtc does not say its version");
  *version = major * 1000 + minor;
  return HP_OK;
}

/* ---- texts ---- */

/* In place of the system's header, which is not there at run time: types of an LP64 machine. */
static const char *const stdint_h =
    "#pragma once\n"
    "typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long int64_t;\n"
    "typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t;\n"
    "typedef unsigned long uint64_t;\n"
    "#define INT32_MAX 2147483647\n#define INT64_MAX 9223372036854775807L\n#define UINT32_MAX 4294967295u\n"
    "#define UINT32_C(x) x##u\n#define UINT64_C(x) x##ul\n#define INT64_C(x) x##l\n";

enum { TEXTS_MAX = 256 };

/* Names and texts for nvrtcCreateProgram. */
typedef struct {
  int count;
  const char *name[TEXTS_MAX], *text[TEXTS_MAX];
} texts;

static void add(texts *T, const char *name, const char *text) {
  if (T->count == TEXTS_MAX) return; /* the compiler then says which one it misses */
  T->name[T->count] = name;
  T->text[T->count++] = text;
}

static void gather(const hp_compile_job *job, texts *T) {
  static const char *const empty[] = {"stddef.h", "stdbool.h", "math.h", "string.h", "cuda_runtime.h"};
  T->count = 0;
  add(T, "hp_constants.h", job->constants);
  add(T, "stdint.h", stdint_h);
  add(T, "limits.h", "#pragma once\n#define INT_MAX 2147483647\n");
  add(T, "stdio.h", "#pragma once\nstruct FILE;\n");
  for (size_t n = 0; n < sizeof empty / sizeof *empty; ++n) add(T, empty[n], "#pragma once\n");
  for (const hp_kernel_text *t = job->texts; t->name != NULL; ++t) add(T, t->name, t->text);
}

/* ---- compiling ---- */

/* The first lines of the compiler's complaints. */
static hp_status complain(const functions *N, program P, const hp_compile_job *job) {
  enum { SHOWN = 400 };
  size_t size = 0;
  char *log = NULL;
  if (N->nvrtcGetProgramLogSize(P, &size) == 0 && size > 1 && HP_ALLOC(log, size + 1) == HP_OK)
    (void)N->nvrtcGetProgramLog(P, log);
  char shown[SHOWN + 1];
  snprintf(shown, sizeof shown, "%s", log != NULL && log[0] != '\0' ? log : "it does not say why");
  for (char *c = shown; *c != '\0'; ++c)
    if (*c == '\n') *c = ' ';
  HP_FREE(log);
  return hp_fail(HP_ERR_UNSUPPORTED, "%s does not compile for compute capability %d.%d: %s", job->kernel, job->major,
                 job->minor, shown);
}

static hp_status fetch_code(const functions *N, program P, const hp_compile_job *job, hp_cubin *out) {
  const char *name = NULL;
  size_t bytes = 0;
  if (N->nvrtcGetLoweredName(P, job->kernel, &name) != 0 || strlen(name) >= sizeof out->name ||
      N->nvrtcGetCUBINSize(P, &bytes) != 0 || bytes == 0)
    return hp_fail(HP_ERR_UNSUPPORTED, "libnvrtc gives no code for %s", job->kernel);
  snprintf(out->name, sizeof out->name, "%s", name);
  out->bytes = (int64_t)bytes;
  HP_TRY(HP_ALLOC(out->code, out->bytes));
  return N->nvrtcGetCUBIN(P, out->code) == 0
             ? HP_OK
             : hp_fail(HP_ERR_UNSUPPORTED, "libnvrtc gives no code for %s", job->kernel);
}

enum { OPTIONS_MAX = 16 };

/* Words of `text`, cut in place, after the options that are there. */
static int add_options(char *text, const char **options, int count) {
  for (char *word = text; *word != '\0' && count < OPTIONS_MAX;) {
    const size_t length = strcspn(word, " ");
    const bool last = word[length] == '\0';
    word[length] = '\0';
    if (length > 0) options[count++] = word;
    word += length + !last;
  }
  return count;
}

hp_status hp_compile(const hp_compile_job *job, hp_cubin *out) {
  const functions *N;
  texts T;
  program P = NULL;
  char architecture[48], more[256];
  memset(out, 0, sizeof *out);
  HP_TRY(open_functions(&N));
  gather(job, &T);
  /* as CMakeLists.txt has them for nvcc */
  snprintf(architecture, sizeof architecture, "--gpu-architecture=sm_%d%d", job->major, job->minor);
  const char *options[OPTIONS_MAX] = {architecture, "--fmad=false", "--std=c++17",
                                      "--device-as-default-execution-space", "-DHEPTA_HAVE_CUDA=1"};
  snprintf(more, sizeof more, "%s", job->options != NULL ? job->options : "");
  const int count = add_options(more, options, 5);
  if (N->nvrtcCreateProgram(&P, job->unit, "unit.cu", T.count, T.text, T.name) != 0)
    return hp_fail(HP_ERR_UNSUPPORTED, "libnvrtc cannot start");
  hp_status s = HP_OK;
  if (N->nvrtcAddNameExpression(P, job->kernel) != 0 || N->nvrtcCompileProgram(P, count, options) != 0)
    s = complain(N, P, job);
  if (s == HP_OK) s = fetch_code(N, P, job, out);
  (void)N->nvrtcDestroyProgram(&P);
  if (s != HP_OK) hp_cubin_free(out);
  return s;
}

void hp_cubin_free(hp_cubin *C) { HP_FREE(C->code); }
