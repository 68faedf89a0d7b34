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

/* Computes the rows of P that have at most *points points; lists the others in list [2 nrow], counts[0] of them. average:
 * entries of a row of A. */
hp_status hp_interpolate_rows(hp_setup *S, const hp_interpolation *I, double average, int32_t *list, int32_t *counts,
                              int *points) HP_MUST_USE;
/* The rows of that list. longest: entries of a row of A. */
hp_status hp_interpolate_wide_rows(hp_setup *S, const hp_interpolation *I, int32_t *list, int32_t *counts,
                                   int64_t longest) HP_MUST_USE;

#endif
