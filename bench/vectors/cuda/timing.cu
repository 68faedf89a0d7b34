/* Times of operations on vectors (bench/vectors/vectors.h): replays of CUDA graphs, and cuBLAS beside them. */
#include <cublas_v2.h>
#include <string.h>

#include "bench/cuda/replay.cuh"
#include "bench/vectors/cuda/vectors_impl.cuh"
#include "core/memory.h"

enum { COPIES_MAX = 256 };

/* Copy 0 of the vectors stays as it is; the operation goes round the others. */
struct hp_vector_timing {
  hp_vector_kernels *V;
  hp_vector_operation op;
  hp_vector_args a; /* n, count, alpha, alphas and result are the device's; stride: between vectors of a copy */
  int vectors;      /* of a copy: those of x, y, w */
  int copies;       /* gone round */
  double *memory, *alphas, *result;
  cublasHandle_t blas;
};

/* ---- places ---- */

static int count_of_x(const hp_vector_timing *T) {
  return T->op == HP_VECTOR_MAXPY ? T->a.count : T->op == HP_VECTOR_SCALE ? 0 : 1;
}

static hp_vector_args args_of(const hp_vector_timing *T, int copy) {
  hp_vector_args a = T->a;
  double *first = T->memory + (int64_t)copy * T->vectors * a.stride;
  a.x = first;
  a.y = first + count_of_x(T) * a.stride;
  a.w = a.y + a.stride;
  a.alphas = T->alphas;
  a.result = T->result;
  return a;
}

static hp_status upload(const hp_vector_timing *T, const hp_vector_args *from) {
  hp_device *D = T->V->D;
  const hp_vector_args to = args_of(T, 0);
  const int64_t bytes = from->n * (int64_t)sizeof(double);
  for (int k = 0; k < count_of_x(T); ++k)
    HP_TRY(hp_device_upload(D, (double *)to.x + k * to.stride, from->x + k * from->stride, bytes));
  if (T->op != HP_VECTOR_NORM) HP_TRY(hp_device_upload(D, to.y, from->y, bytes));
  if (T->op == HP_VECTOR_MAXPY)
    HP_TRY(hp_device_upload(D, T->alphas, from->alphas, from->count * (int64_t)sizeof(double)));
  return hp_device_sync(D);
}

static hp_status place(hp_vector_timing *T, const hp_vector_args *from, bool cold) {
  hp_device *D = T->V->D;
  T->a.stride = hp_parts(from->n, 32) * 32;
  T->vectors = count_of_x(T) + (T->op != HP_VECTOR_NORM) + (T->op == HP_VECTOR_WAXPY);
  const int64_t size = T->vectors * T->a.stride * (int64_t)sizeof(double), l2 = hp_device_get_info(D)->l2;
  int64_t copies = cold ? hp_parts(4 * l2, size) : 1;
  if (cold && copies < 2) copies = 2;
  T->copies = (int)(copies < COPIES_MAX ? copies : COPIES_MAX);
  HP_TRY(hp_device_alloc(D, (void **)&T->memory, T->copies + 1, (size_t)size, "copies of vectors"));
  HP_TRY(HP_DEVICE_ALLOC(D, T->alphas, from->count > 0 ? from->count : 1));
  HP_TRY(HP_DEVICE_ALLOC(D, T->result, 1));
  HP_TRY(upload(T, from));
  for (int c = 1; c <= T->copies; ++c) HP_TRY(hp_device_copy(D, (char *)T->memory + c * size, T->memory, size));
  return hp_device_sync(D);
}

hp_status hp_vector_timing_create(hp_vector_kernels *V, hp_vector_operation op, const hp_vector_args *a, bool cold,
                                  hp_vector_timing **out) {
  HP_TRY(hp_alloc((void **)out, 1, sizeof **out, "timing of vectors"));
  hp_vector_timing *T = *out;
  T->V = V;
  T->op = op;
  T->a = *a;
  return place(T, a, cold);
}

void hp_vector_timing_destroy(hp_vector_timing **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_vector_timing *T = *slot;
  hp_device *D = T->V->D;
  if (T->blas != NULL) cublasDestroy(T->blas);
  HP_DEVICE_FREE(D, T->memory);
  HP_DEVICE_FREE(D, T->alphas);
  HP_DEVICE_FREE(D, T->result);
  hp_free(slot);
}

/* ---- cuBLAS ---- */

static hp_status check_blas(cublasStatus_t s, const char *what) {
  if (s == CUBLAS_STATUS_SUCCESS) return HP_OK;
  return hp_fail(s == CUBLAS_STATUS_NOT_INITIALIZED ? HP_ERR_UNSUPPORTED : HP_ERR_DEVICE, "cuBLAS: %s: %s", what,
                 cublasGetStatusString(s));
}
#define BLAS_TRY(call) HP_TRY(check_blas(call, #call))

static hp_status open_blas(hp_vector_timing *T) {
  if (T->blas != NULL) return HP_OK;
  BLAS_TRY(cublasCreate(&T->blas));
  return check_blas(cublasSetStream(T->blas, hp_device_stream(T->V->D)), "setting the stream");
}

static hp_status run_blas(const hp_vector_timing *T, const hp_vector_args *a) {
  const double one = 1.0;
  const bool sum = hp_vector_is_sum(T->op);
  BLAS_TRY(cublasSetPointerMode(T->blas, sum ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST));
  switch (T->op) {
    case HP_VECTOR_MAXPY:
      BLAS_TRY(
          cublasDgemv_64(T->blas, CUBLAS_OP_N, a->n, a->count, &one, a->x, a->stride, a->alphas, 1, &one, a->y, 1));
      break;
    case HP_VECTOR_WAXPY:
      BLAS_TRY(cublasDcopy_64(T->blas, a->n, a->y, 1, a->w, 1));
      BLAS_TRY(cublasDaxpy_64(T->blas, a->n, &a->alpha, a->x, 1, a->w, 1));
      break;
    case HP_VECTOR_AXPY: BLAS_TRY(cublasDaxpy_64(T->blas, a->n, &a->alpha, a->x, 1, a->y, 1)); break;
    case HP_VECTOR_SCALE: BLAS_TRY(cublasDscal_64(T->blas, a->n, &a->alpha, a->y, 1)); break;
    case HP_VECTOR_DOT: BLAS_TRY(cublasDdot_64(T->blas, a->n, a->x, 1, a->y, 1, a->result)); break;
    default: BLAS_TRY(cublasDnrm2_64(T->blas, a->n, a->x, 1, a->result)); break;
  }
  return HP_OK;
}

static hp_status run_once(hp_vector_timing *T, const hp_kernel_shape *shape, int copy) {
  const hp_vector_args a = args_of(T, copy);
  return shape != NULL ? hp_vector_kernels_run(T->V, T->op, &a, shape) : run_blas(T, &a);
}

/* ---- times ---- */

typedef struct {
  hp_vector_timing *T;
  const hp_kernel_shape *shape;
} timed;

/* Before a graph is recorded. All copies are aligned alike. */
static hp_status compile(const hp_vector_timing *T, const hp_kernel_shape *shape) {
  const hp_vector_args a = args_of(T, 1);
  return hp_vector_kernels_compile(T->V, T->op, &a, shape);
}

static hp_status run_nth(void *self, int n) {
  const timed *t = (const timed *)self;
  return run_once(t->T, t->shape, 1 + n % t->T->copies);
}

hp_status hp_vector_timing_measure(hp_vector_timing *T, const hp_kernel_shape *shape, int samples, double *seconds) {
  timed t = {T, shape};
  if (shape == NULL) HP_TRY(open_blas(T));
  else HP_TRY(compile(T, shape));
  const hp_device_replay R = {run_nth,
                              &t,
                              "timing operations on vectors",
                              T->copies,
                              shape != NULL ? shape->streams : 2,
                              2e-6 + (double)hp_vector_bytes(T->op, &T->a) / 2e12};
  return hp_device_time_replay(T->V->D, &R, samples, seconds);
}

hp_status hp_vector_timing_result(hp_vector_timing *T, const hp_kernel_shape *shape, double *out) {
  hp_device *D = T->V->D;
  const int64_t size = T->vectors * T->a.stride * (int64_t)sizeof(double);
  const hp_vector_args a = args_of(T, 1);
  if (shape == NULL) HP_TRY(open_blas(T));
  HP_TRY(hp_device_copy(D, T->memory + T->vectors * T->a.stride, T->memory, size));
  HP_TRY(run_once(T, shape, 1));
  if (hp_vector_is_sum(T->op)) return hp_device_download(D, out, T->result, (int64_t)sizeof *out);
  return hp_device_download(D, out, T->op == HP_VECTOR_WAXPY ? a.w : a.y, a.n * (int64_t)sizeof *out);
}
