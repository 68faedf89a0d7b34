/* Shared by the parts of interpolation on a GPU (interpolation*.cu): the P that is computed, the lists of A's entries,
 * and the functions that compute rows of P. */
#ifndef HP_AMG_SETUP_CUDA_INTERPOLATION_CUH
#define HP_AMG_SETUP_CUDA_INTERPOLATION_CUH

#include <math.h>

#include "amg/setup/cuda/setup.cuh"

/* Role of entry k of A in its row. */
enum { HP_ENTRY_WEAK, HP_ENTRY_FINE, HP_ENTRY_COARSE, HP_ENTRY_WEAK_COARSE };

typedef struct hp_interpolation {
  hp_csr A;
  int32_t ncell;
  const double *diagonal;
  const uint8_t *point;
  const int32_t *number;
  uint8_t *kind_of;     /* [entries of A] */
  int32_t *list_count;  /* [nrow] of row k's coarse entries that are strong or of the sign opposite to its diagonal's */
  int32_t *list_column; /* from A.begin[k] on: column, ~column where strong */
  double *list_value;
  hp_amg_interpolation kind;
  double truncation;
  int max_weights;
  const int64_t *room; /* [nrow+1] where a row's weights go; NULL: at i max_weights */
  uint32_t *count;     /* [nrow+1] of a row's weights */
  int32_t *column;
  double *value;
  int64_t *longest;
} hp_interpolation;

static __device__ __forceinline__ int64_t hp_interpolation_room(const hp_interpolation &I, int64_t i) {
  return I.room != NULL ? I.room[i] : i * I.max_weights;
}

/* The row of a coarse point. */
static __device__ __forceinline__ void hp_interpolation_write_coarse(const hp_interpolation &I, int64_t i) {
  const int64_t to = hp_interpolation_room(I, i);
  I.column[to] = I.number[i];
  I.value[to] = 1.0;
  I.count[i] = 1;
}

/* A's entry (k, i) if it is of the sign opposite to the diagonal's, else 0. */
static __device__ __forceinline__ double hp_interpolation_back(const hp_interpolation &I, int32_t k, double akk,
                                                               int32_t i) {
  const uint32_t begin = I.A.begin[k];
  const int32_t *column = I.A.column + begin;
  int low = 0, high = hp_csr_length(&I.A, k) - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (column[middle] < i) low = middle + 1;
    else high = middle;
  }
  if (high < low || column[low] != i) return 0.0;
  const double v = I.A.value[begin + low];
  return v * akk < 0.0 ? v : 0.0;
}

/* Whether a weight of point k is larger than another of point j, or as large and of a point nearer to i. */
static __device__ __forceinline__ bool hp_interpolation_precedes(double a, int32_t k, double b, int32_t j, int32_t i) {
  if (a != b) return a > b;
  const int32_t dk = abs(k - i), dj = abs(j - i);
  return dk < dj || (dk == dj && k < j);
}

/* ---- kernels for the rows ---- */

/* Computes the rows of P; lists the rows that outgrow its tables in list [2 nrow], counts[0] of them. For kinds with
 * hp_interpolates_balanced(kind); average: entries of a row of A; others [2 nrow]: scratch. */
hp_status hp_interpolate_balanced_rows(hp_setup *S, const hp_interpolation *I, double average, int32_t *list,
                                       int32_t *counts, int32_t *others) HP_MUST_USE;
bool hp_interpolates_balanced(hp_amg_interpolation kind);
/* Computes the rows of P that have at most *points points, and lists the others as above. */
hp_status hp_interpolate_rows(hp_setup *S, const hp_interpolation *I, double average, int32_t *list, int32_t *counts,
                              int *points) HP_MUST_USE;
/* The rows of that list. longest: entries of a row of A. */
hp_status hp_interpolate_wide_rows(hp_setup *S, const hp_interpolation *I, int32_t *list, int32_t *counts,
                                   int64_t longest) HP_MUST_USE;

#endif
