/* A GH-h matrix (linsolve/matrix/half.h) in solves on a GPU: its product, and the wells' borders for the forms of
 * bench/bsr/half.h that have none. */
#ifndef HP_LINSOLVE_KRYLOV_BASELINES_HALF_CUH
#define HP_LINSOLVE_KRYLOV_BASELINES_HALF_CUH

#include "linsolve/krylov/baselines/execution.cuh"
#include "linsolve/product/cuda/half.cuh"

/* The wells' columns by rows of cells that have any, and their rows; arrays of the device. */
typedef struct hp_exec_border {
  int nrow, nwell;
  int64_t rows;                           /* of the cells */
  int32_t *row, *begin, *well, *place;    /* [nrow], [nrow+1], [begin[nrow]] the well, [same] place in wt */
  int32_t *run_begin;                     /* [nwell+1] */
  int64_t *run_at, *run_row, *run_length; /* [run_begin[nwell]] as in hp_half */
  double *w, *wt, *dd;                    /* as in hp_half */
} hp_exec_border;

typedef struct hp_exec_half {
  const hp_half *host;
  double *h[2]; /* NULL: borders only */
  hp_exec_border border;
} hp_exec_half;

/* Copies H's values, with `cells` also those of the cells. H must outlive *out. */
hp_status hp_exec_half_create(hp_device *D, const hp_half *H, bool cells, hp_exec_half *out) HP_MUST_USE;
void hp_exec_half_free(hp_device *D, hp_exec_half *M);

/* Compute y = A x without the borders, and add the borders' part; launched or appended as in hp_exec_launch. */
hp_status hp_exec_half_mul(hp_execution *E, const hp_exec_half *M, const double *x, double *y) HP_MUST_USE;
hp_status hp_exec_half_add_border(hp_execution *E, const hp_exec_half *M, const double *x, double *y) HP_MUST_USE;

#endif
