/* core/compile/device.h with CUDA. */
#include "core/compile/device.h"
#include "core/memory.h"
#include "core/profile.h"

#if CUDART_VERSION >= 12080 /* cudaLibraryLoadData */

struct hp_compiled {
  cudaLibrary_t library;
  cudaKernel_t kernel;
  hp_compiled_report report;
};

static hp_status check(cudaError_t e, const char *what) {
  if (e == cudaSuccess) return HP_OK;
  (void)cudaGetLastError(); /* not the device's */
  return hp_fail(HP_ERR_UNSUPPORTED, "%s: %s", what, cudaGetErrorString(e));
}

static hp_status load(const hp_cubin *code, hp_compiled *K) {
  HP_TRY(
      check(cudaLibraryLoadData(&K->library, code->code, NULL, NULL, 0, NULL, NULL, 0), "loading a compiled kernel"));
  HP_TRY(check(cudaLibraryGetKernel(&K->kernel, K->library, code->name), "finding a compiled kernel"));
  cudaFuncAttributes of;
  HP_TRY(check(cudaFuncGetAttributes(&of, (const void *)K->kernel), "looking at a compiled kernel"));
  K->report.registers = of.numRegs;
  K->report.local = (int64_t)of.localSizeBytes;
  return HP_OK;
}

hp_status hp_compiled_create(hp_device *D, const hp_compile_job *job, hp_compiled **out) {
  hp_compile_job here = *job;
  hp_cubin code;
  hp_compiled *K = NULL;
  *out = NULL;
  here.major = hp_device_get_info(D)->major;
  here.minor = hp_device_get_info(D)->minor;
  HP_TRY(HP_ALLOC(K, 1));
  const double start = hp_now();
  hp_status s = hp_compile_kept(&here, &code, &K->report.kept, K->report.note, sizeof K->report.note);
  if (s == HP_OK) s = load(&code, K);
  hp_cubin_free(&code);
  K->report.seconds = hp_now() - start;
  if (s != HP_OK) hp_compiled_destroy(&K);
  *out = K;
  return s;
}

void hp_compiled_destroy(hp_compiled **slot) {
  if (slot == NULL || *slot == NULL) return;
  if ((*slot)->library != NULL) (void)cudaLibraryUnload((*slot)->library);
  HP_FREE(*slot);
}

const void *hp_compiled_handle(const hp_compiled *K) { return (const void *)K->kernel; }

const hp_compiled_report *hp_compiled_get_report(const hp_compiled *K) { return &K->report; }

#else

struct hp_compiled {
  hp_compiled_report report;
};

hp_status hp_compiled_create(hp_device *, const hp_compile_job *, hp_compiled **out) {
  *out = NULL;
  return hp_fail(HP_ERR_UNSUPPORTED, "this hepta was built with a CUDA older than 12.8, which loads no kernels");
}
void hp_compiled_destroy(hp_compiled **) {}
const void *hp_compiled_handle(const hp_compiled *) { return NULL; }
const hp_compiled_report *hp_compiled_get_report(const hp_compiled *K) { return &K->report; }

#endif
