/* cuBLAS and cuSPARSE, opened by the first call; only the execution library and its products use them. Linked as usual
 * they would be loaded with the program, 800 MB of files that cost every command a fifth of a second
 * (docs/laboratory/performance.md). So this file defines functions with the libraries' names that forward the calls.
 * Where a library cannot be opened the calls return its status for "not initialized", and its text says why. */
#include <cublas_v2.h>
#include <cusparse.h>
#include <dlfcn.h>
#include <stdio.h>

#include "core/portable.h"

#if defined(CUBLAS_VER_MAJOR) && defined(CUSPARSE_VER_MAJOR)

#define TEXT2(name) #name
#define TEXT(name) TEXT2(name)

/* Where the loader does not find it, in the folder of the CUDA toolkit that the program was built with. */
static void *open_library(const char *name, char *why, size_t size) {
  char path[1024];
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  snprintf(path, sizeof path, "%s/%s", HEPTA_CUDA_LIBRARIES, name);
  if (library == NULL) library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const char *error = library == NULL ? dlerror() : NULL;
  if (error != NULL) snprintf(why, size, "%s", error);
  return library;
}

static char no_blas[512] = "cuBLAS cannot be loaded", no_sparse[512] = "cuSPARSE cannot be loaded";

static void *blas(const char *name) {
  static void *const library = open_library("libcublas.so." TEXT(CUBLAS_VER_MAJOR), no_blas, sizeof no_blas);
  return library != NULL ? dlsym(library, name) : NULL;
}

static void *sparse(const char *name) {
  static void *const library = open_library("libcusparse.so." TEXT(CUSPARSE_VER_MAJOR), no_sparse, sizeof no_sparse);
  return library != NULL ? dlsym(library, name) : NULL;
}

/* params: as declared in the library's header, which checks them; args: their names. */
#define HAND_ON(library, result, name, params, args, none)                               \
  extern "C" result name params {                                                        \
    static const auto function = reinterpret_cast<decltype(&name)>(library(TEXT(name))); \
    return function != NULL ? function args : none;                                      \
  }

#define BLAS(name, params, args) HAND_ON(blas, cublasStatus_t, name, params, args, CUBLAS_STATUS_NOT_INITIALIZED)

BLAS(cublasCreate, (cublasHandle_t * handle), (handle))
BLAS(cublasDestroy, (cublasHandle_t handle), (handle))
BLAS(cublasSetStream, (cublasHandle_t handle, cudaStream_t stream), (handle, stream))
BLAS(cublasSetPointerMode, (cublasHandle_t handle, cublasPointerMode_t mode), (handle, mode))
BLAS(cublasDdot_64,
     (cublasHandle_t handle, int64_t n, const double *x, int64_t incx, const double *y, int64_t incy, double *result),
     (handle, n, x, incx, y, incy, result))
BLAS(cublasDnrm2_64, (cublasHandle_t handle, int64_t n, const double *x, int64_t incx, double *result),
     (handle, n, x, incx, result))
BLAS(cublasDgemv_64,
     (cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const double *alpha, const double *A,
      int64_t lda, const double *x, int64_t incx, const double *beta, double *y, int64_t incy),
     (handle, trans, m, n, alpha, A, lda, x, incx, beta, y, incy))
BLAS(cublasDaxpy_64,
     (cublasHandle_t handle, int64_t n, const double *alpha, const double *x, int64_t incx, double *y, int64_t incy),
     (handle, n, alpha, x, incx, y, incy))
BLAS(cublasDscal_64, (cublasHandle_t handle, int64_t n, const double *alpha, double *x, int64_t incx),
     (handle, n, alpha, x, incx))
BLAS(cublasDcopy_64, (cublasHandle_t handle, int64_t n, const double *x, int64_t incx, double *y, int64_t incy),
     (handle, n, x, incx, y, incy))
HAND_ON(blas, const char *, cublasGetStatusString, (cublasStatus_t status), (status), no_blas)

#define SPARSE(name, params, args) \
  HAND_ON(sparse, cusparseStatus_t, name, params, args, CUSPARSE_STATUS_NOT_INITIALIZED)

SPARSE(cusparseCreate, (cusparseHandle_t * handle), (handle))
SPARSE(cusparseDestroy, (cusparseHandle_t handle), (handle))
SPARSE(cusparseSetStream, (cusparseHandle_t handle, cudaStream_t stream), (handle, stream))
SPARSE(cusparseCreateCsr,
       (cusparseSpMatDescr_t * matrix, int64_t rows, int64_t cols, int64_t nnz, void *begin, void *column, void *value,
        cusparseIndexType_t begin_type, cusparseIndexType_t column_type, cusparseIndexBase_t base, cudaDataType type),
       (matrix, rows, cols, nnz, begin, column, value, begin_type, column_type, base, type))
SPARSE(cusparseCreateBsr,
       (cusparseSpMatDescr_t * matrix, int64_t rows, int64_t cols, int64_t nnz, int64_t row_block, int64_t column_block,
        void *begin, void *column, void *value, cusparseIndexType_t begin_type, cusparseIndexType_t column_type,
        cusparseIndexBase_t base, cudaDataType type, cusparseOrder_t order),
       (matrix, rows, cols, nnz, row_block, column_block, begin, column, value, begin_type, column_type, base, type,
        order))
SPARSE(cusparseCreateSlicedEll,
       (cusparseSpMatDescr_t * matrix, int64_t rows, int64_t cols, int64_t nnz, int64_t values, int64_t slice,
        void *begin, void *column, void *value, cusparseIndexType_t begin_type, cusparseIndexType_t column_type,
        cusparseIndexBase_t base, cudaDataType type),
       (matrix, rows, cols, nnz, values, slice, begin, column, value, begin_type, column_type, base, type))
SPARSE(cusparseDestroySpMat, (cusparseConstSpMatDescr_t matrix), (matrix))
SPARSE(cusparseCreateDnVec, (cusparseDnVecDescr_t * vector, int64_t size, void *values, cudaDataType type),
       (vector, size, values, type))
SPARSE(cusparseDestroyDnVec, (cusparseConstDnVecDescr_t vector), (vector))
SPARSE(cusparseDnVecSetValues, (cusparseDnVecDescr_t vector, void *values), (vector, values))
SPARSE(cusparseSpMV_bufferSize,
       (cusparseHandle_t handle, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t matrix,
        cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y, cudaDataType type,
        cusparseSpMVAlg_t algorithm, size_t *bytes),
       (handle, op, alpha, matrix, x, beta, y, type, algorithm, bytes))
SPARSE(cusparseSpMV_preprocess,
       (cusparseHandle_t handle, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t matrix,
        cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y, cudaDataType type,
        cusparseSpMVAlg_t algorithm, void *buffer),
       (handle, op, alpha, matrix, x, beta, y, type, algorithm, buffer))
SPARSE(cusparseSpMV,
       (cusparseHandle_t handle, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t matrix,
        cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y, cudaDataType type,
        cusparseSpMVAlg_t algorithm, void *buffer),
       (handle, op, alpha, matrix, x, beta, y, type, algorithm, buffer))
HAND_ON(sparse, const char *, cusparseGetErrorString, (cusparseStatus_t status), (status), no_sparse)

#endif
