/* Products with matrices of stencils (linsolve/sgdia/device.h): copies of the data, launches, times; csr by cuSPARSE. */
#include <stdio.h>
#include <string.h>

#include "bench/cuda/replay.cuh"
#include "bench/sgdia/cuda/rows.cuh"
#include "bench/sgdia/device.h"
#include "core/device/cuda/cusparse.cuh"
#include "core/memory.h"
#include "linsolve/sgdia/cuda/kernels.cuh"
#include "linsolve/sgdia/cuda/launch.cuh"
#include "linsolve/stencil/stencil.h"

enum { COPIES_MAX = 64, UNROLLS = HP_KERNEL_UNROLL_MAX + 1 };

struct hp_sgdia_timing {
  hp_device *D;
  hp_sgdia A;      /* the host's, without its values */
  hp_sgdia_rows R; /* likewise; n = 0: SG-DIA */
  bool library;
  int64_t real;                             /* bytes of a number */
  int64_t value, begin, column, x, y, size; /* places in a copy, its bytes */
  int copies;
  char *memory;
  cusparseHandle_t sparse;
  cusparseSpMatDescr_t matrix[COPIES_MAX];
  cusparseDnVecDescr_t vector[2][COPIES_MAX];
  void *buffer[COPIES_MAX];
  hp_compiled *compiled[UNROLLS][HP_LOADS_COUNT][2][HP_COMPILE_COUNT]; /* kernels that are not the build's */
  hp_compiled *special; /* a kernel for this matrix, NULL: none, and its shape */
  hp_kernel_shape special_shape;
};

template <class T>
static T *at(const hp_sgdia_timing *M, int copy, int64_t place) {
  return (T *)(void *)(M->memory + copy * M->size + place);
}

static hp_compiled **compiled_of(hp_sgdia_timing *M, const hp_kernel_shape *s) {
  return &M->compiled[s->unroll][s->loads][s->shared][s->compile];
}

static hp_status run_sgdia(hp_sgdia_timing *M, const hp_kernel_shape *s, int copy) {
  hp_sgdia A = M->A;
  A.value = at<void>(M, copy, M->value);
  hp_sgdia_launch L = hp_sgdia_launch_of(&A, s, hp_device_get_info(M->D)->multiprocessors, at<void>(M, copy, M->x),
                                         at<void>(M, copy, M->y));
  if (s->compile != HP_COMPILE_BUILD) L.kernel = hp_compiled_handle(*compiled_of(M, s));
  void *args[] = {&L.args, &L.tiles};
  if (M->special != NULL && hp_kernel_same_shape(s, &M->special_shape)) L.kernel = hp_compiled_handle(M->special);
  return hp_device_check(M->D,
                         cudaLaunchKernel(L.kernel, dim3((unsigned)L.blocks), dim3((unsigned)L.threads), args, L.shared,
                                          hp_device_stream(M->D)),
                         "multiplying by a stencil");
}

/* ---- SG-DIA compiled while the program runs, for the matrix or any ---- */

/* And compiles its kernel, if that is not the build's. */
static hp_status check_shape(hp_sgdia_timing *M, const hp_kernel_shape *shape) {
  if (M->R.n > 0) return HP_OK;
  HP_TRY(hp_kernel_check_shape(shape));
  hp_compiled **K = compiled_of(M, shape);
  if (hp_sgdia_shape_fits(&M->A, shape)) return *K != NULL ? HP_OK : hp_sgdia_compile(M->D, &M->A, shape, K);
  return hp_fail(HP_ERR_USAGE, "the x of a stencil's tile of %d threads does not fit into shared memory",
                 shape->threads);
}

hp_status hp_sgdia_timing_specialise(hp_sgdia_timing *M, const hp_kernel_shape *s, hp_compiled_report *report) {
  char constants[HP_STENCIL_TEXT_MAX], unit[256], kernel[128];
  hp_compiled_destroy(&M->special);
  HP_TRY(check_shape(M, s));
  HP_TRY(hp_sgdia_constants(&M->A, s, constants, sizeof constants));
  snprintf(unit, sizeof unit,
           "#include \"hp_constants.h\"\n#include \"linsolve/sgdia/cuda/kernels.cuh\"\n"
           "static_assert(sizeof(stencil_args) == %zu, \"\");\n",
           sizeof(stencil_args));
  hp_sgdia_kernel_expression(&M->A, s, kernel, sizeof kernel);
  const hp_compile_job job = {unit, kernel, constants, 0, 0, hp_kernel_compile_options(s->compile), hp_kernel_texts};
  HP_TRY(hp_compiled_create(M->D, &job, &M->special));
  M->special_shape = *s;
  *report = *hp_compiled_get_report(M->special);
  return HP_OK;
}

/* ---- dia and csr ---- */

/* About as many threads a row as it has entries. */
template <class Real>
static const void *csr_variant(double length, int *threads) {
  *threads = length > 24 ? 32 : length > 12 ? 16 : length > 6 ? 8 : 4;
  return *threads == 32   ? (const void *)stencil_csr_kernel<Real, 32>
         : *threads == 16 ? (const void *)stencil_csr_kernel<Real, 16>
         : *threads == 8  ? (const void *)stencil_csr_kernel<Real, 8>
                          : (const void *)stencil_csr_kernel<Real, 4>;
}

static hp_status run_rows(const hp_sgdia_timing *M, int copy) {
  const bool dia = M->R.diagonals > 0;
  const double length = (double)M->R.count / (double)M->R.n;
  int threads = 1;
  stencil_rows_args r;
  memset(&r, 0, sizeof r);
  r.value = at<void>(M, copy, M->value);
  r.begin = at<int32_t>(M, copy, M->begin);
  r.column = at<int32_t>(M, copy, M->column);
  r.x = at<void>(M, copy, M->x);
  r.y = at<void>(M, copy, M->y);
  r.ld = M->R.ld;
  r.n = (int)M->R.n;
  r.diagonals = M->R.diagonals;
  const void *kernel = dia           ? (M->A.single ? (const void *)stencil_dia_kernel<float>
                                                    : (const void *)stencil_dia_kernel<double>)
                       : M->A.single ? csr_variant<float>(length, &threads)
                                     : csr_variant<double>(length, &threads);
  void *args[] = {&r};
  const dim3 grid((unsigned)hp_parts(M->R.n * threads, 256));
  return hp_device_check(M->D, cudaLaunchKernel(kernel, grid, dim3(256), args, 0, hp_device_stream(M->D)),
                         "multiplying by rows of a stencil");
}

/* ---- cuSPARSE ---- */

static const double one = 1.0, zero = 0.0;
static const float one_single = 1.0f, zero_single = 0.0f;

static hp_status open_library(hp_sgdia_timing *M) {
  const cudaDataType type = M->A.single ? CUDA_R_32F : CUDA_R_64F;
  const cusparseIndexType_t i32 = CUSPARSE_INDEX_32I;
  const void *alpha = M->A.single ? (const void *)&one_single : &one,
             *beta = M->A.single ? (const void *)&zero_single : &zero;
  HP_CUSPARSE_TRY(cusparseCreate(&M->sparse));
  HP_CUSPARSE_TRY(cusparseSetStream(M->sparse, hp_device_stream(M->D)));
  for (int c = 0; c < M->copies; ++c) {
    size_t bytes = 0;
    HP_CUSPARSE_TRY(cusparseCreateCsr(&M->matrix[c], M->R.n, M->R.n, M->R.count, at<void>(M, c, M->begin),
                                      at<void>(M, c, M->column), at<void>(M, c, M->value), i32, i32,
                                      CUSPARSE_INDEX_BASE_ZERO, type));
    HP_CUSPARSE_TRY(cusparseCreateDnVec(&M->vector[0][c], M->R.n, at<void>(M, c, M->x), type));
    HP_CUSPARSE_TRY(cusparseCreateDnVec(&M->vector[1][c], M->R.n, at<void>(M, c, M->y), type));
    HP_CUSPARSE_TRY(cusparseSpMV_bufferSize(M->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, M->matrix[c],
                                            M->vector[0][c], beta, M->vector[1][c], type, CUSPARSE_SPMV_ALG_DEFAULT,
                                            &bytes));
    HP_TRY(hp_device_alloc(M->D, &M->buffer[c], (int64_t)bytes + 1, 1, "workspace of cuSPARSE"));
    HP_CUSPARSE_TRY(cusparseSpMV_preprocess(M->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, M->matrix[c],
                                            M->vector[0][c], beta, M->vector[1][c], type, CUSPARSE_SPMV_ALG_DEFAULT,
                                            M->buffer[c]));
  }
  return HP_OK;
}

static hp_status run_library(const hp_sgdia_timing *M, int c) {
  const void *alpha = M->A.single ? (const void *)&one_single : &one,
             *beta = M->A.single ? (const void *)&zero_single : &zero;
  HP_CUSPARSE_TRY(cusparseSpMV(M->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, M->matrix[c], M->vector[0][c], beta,
                               M->vector[1][c], M->A.single ? CUDA_R_32F : CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT,
                               M->buffer[c]));
  return HP_OK;
}

static void close_library(hp_sgdia_timing *M) {
  for (int c = 0; c < M->copies && M->sparse != NULL; ++c) {
    if (M->matrix[c] != NULL) cusparseDestroySpMat(M->matrix[c]);
    if (M->vector[0][c] != NULL) cusparseDestroyDnVec(M->vector[0][c]);
    if (M->vector[1][c] != NULL) cusparseDestroyDnVec(M->vector[1][c]);
    hp_device_free(M->D, &M->buffer[c]);
  }
  if (M->sparse != NULL) cusparseDestroy(M->sparse);
}

/* ---- copies ---- */

static int64_t round_up(int64_t bytes) { return hp_parts(bytes, 256) * 256; }

static int64_t reserve(hp_sgdia_timing *M, int64_t bytes) {
  const int64_t place = M->size;
  M->size += round_up(bytes);
  return place;
}

static hp_status upload(hp_sgdia_timing *M, int64_t place, const void *from, int64_t bytes) {
  return from != NULL ? hp_device_upload(M->D, at<void>(M, 0, place), from, bytes) : HP_OK;
}

static hp_status place(hp_sgdia_timing *M, const hp_sgdia *A, const hp_sgdia_rows *R, const void *x, bool cold) {
  const bool rows = R != NULL, dia = rows && R->diagonals > 0;
  const int64_t values = (rows ? R->count : (int64_t)A->points * A->q * A->ld) * M->real;
  const int64_t begins = rows && !dia ? (R->n + 1) * 4 : 0, columns = !rows ? 0 : dia ? R->diagonals * 4 : R->count * 4;
  M->value = reserve(M, values);
  M->begin = reserve(M, begins);
  M->column = reserve(M, columns);
  M->x = reserve(M, A->n * M->real);
  M->y = reserve(M, A->n * M->real);
  const int64_t l2 = hp_device_get_info(M->D)->l2, room = hp_device_free_bytes(M->D) / 10 * 9 / M->size;
  int64_t copies = cold ? hp_larger(hp_parts(4 * l2, M->size), 2) : 1;
  if (copies > room) copies = hp_larger(room, 1);
  M->copies = (int)(copies < COPIES_MAX ? copies : COPIES_MAX);
  HP_TRY(hp_device_alloc(M->D, (void **)&M->memory, M->copies, (size_t)M->size, "copies of a stencil"));
  HP_TRY(upload(M, M->value, rows ? R->value : A->value, values));
  HP_TRY(upload(M, M->begin, rows ? R->begin : NULL, begins));
  HP_TRY(upload(M, M->column, rows ? R->column : NULL, columns));
  HP_TRY(upload(M, M->x, x, A->n * M->real));
  for (int c = 1; c < M->copies; ++c) HP_TRY(hp_device_copy(M->D, at<void>(M, c, 0), M->memory, M->size));
  return hp_device_sync(M->D);
}

hp_status hp_sgdia_timing_create(hp_device *D, const hp_sgdia *A, const hp_sgdia_rows *R, bool library, const void *x,
                                 bool cold, hp_sgdia_timing **out) {
  HP_TRY(hp_alloc((void **)out, 1, sizeof **out, "timing of a stencil"));
  hp_sgdia_timing *M = *out;
  M->D = D;
  M->A = *A;
  if (R != NULL) M->R = *R;
  M->library = library;
  M->real = A->single ? (int64_t)sizeof(float) : (int64_t)sizeof(double);
  HP_TRY(place(M, A, R, x, cold));
  return library ? open_library(M) : HP_OK;
}

void hp_sgdia_timing_destroy(hp_sgdia_timing **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_sgdia_timing *M = *slot;
  close_library(M);
  hp_compiled_destroy(&M->special);
  for (hp_compiled **K = &M->compiled[0][0][0][0], **end = K + sizeof M->compiled / sizeof *K; K < end; ++K)
    hp_compiled_destroy(K);
  HP_DEVICE_FREE(M->D, M->memory);
  hp_free(slot);
}

/* ---- times ---- */

typedef struct {
  hp_sgdia_timing *M;
  const hp_kernel_shape *shape;
} timed;

static hp_status run_once(hp_sgdia_timing *M, const hp_kernel_shape *shape, int copy) {
  if (M->library) return run_library(M, copy);
  return M->R.n > 0 ? run_rows(M, copy) : run_sgdia(M, shape, copy);
}

static hp_status run_nth(void *self, int n) {
  const timed *t = (const timed *)self;
  return run_once(t->M, t->shape, n % t->M->copies);
}

hp_status hp_sgdia_timing_measure(hp_sgdia_timing *M, const hp_kernel_shape *shape, int samples, double *seconds) {
  timed t = {M, shape};
  HP_TRY(check_shape(M, shape));
  const hp_device_replay R = {run_nth, &t, "timing products", M->copies, 1, 2e-6 + (double)M->size / 2e12};
  return hp_device_time_replay(M->D, &R, samples, seconds);
}

hp_status hp_sgdia_timing_result(hp_sgdia_timing *M, const hp_kernel_shape *shape, void *y) {
  HP_TRY(check_shape(M, shape));
  HP_TRY(hp_device_check(
      M->D,
      cudaMemsetAsync(at<void>(M, 0, M->y), 0xff, (size_t)(M->A.n * M->real), hp_device_stream(M->D)), /* no numbers */
      "clearing memory"));
  HP_TRY(run_once(M, shape, 0));
  return hp_device_download(M->D, y, at<void>(M, 0, M->y), M->A.n * M->real);
}
