/* Products with the rows of a level in three formats, to compare (`hepta bench amg --formats`); cycles read them as
 * amg/smooth.h's hp_amg_rows.
 *
 *   sliced  sliced ELL: slices as wide as their longest row; 2^lanes threads share a row (amg/rows/cuda/rows.cuh)
 *   hec     ELL of a typical width for all rows, stored by columns, the rest of longer rows as CSR, a thread a row in
 *           both (Liu, Yu & Chen 2013, figure 3); the width is that of linsolve/matrix/sparse.h
 *   csr     2^lanes threads share a row
 *
 *     hp_amg_format F;
 *     HP_TRY(hp_amg_format_create(A, HP_AMG_FORMAT_HEC, HP_PRECISION_SINGLE, 0, &F));
 *     hp_amg_format_multiply(t, &F, x, y);            a team of the CPU; or on a GPU:
 *     HP_TRY(hp_amg_format_time(D, &F, x, y, 20, &seconds));
 */
#ifndef HP_BENCH_AMG_PRODUCTS_H
#define HP_BENCH_AMG_PRODUCTS_H

#include "amg/amg.h"
#include "core/device/device.h"

HP_EXTERN_C_BEGIN

/* Plain data; numbers are double or float. */
typedef struct hp_amg_format {
  hp_amg_format_kind kind;
  bool single;
  int32_t nrow, ncol;
  int shift, lanes; /* sliced: 2^shift rows per slice; sliced, csr: 2^lanes threads per row */
  int width;        /* hec: entries of a row in ELL */
  int64_t entries;  /* of the matrix */
  int64_t count;    /* stored in `column` and `value`, padding included */
  int32_t *begin;   /* sliced [slices+1], csr [nrow+1] */
  int32_t *column;  /* [count] hec: entry k of row i at k nrow + i; padding has the column 0 and the value 0 */
  void *value;
  int64_t rest;                      /* hec: entries beyond the width */
  int32_t *rest_begin, *rest_column; /* [nrow+1], [rest] */
  void *rest_value;
} hp_amg_format;

/* lanes: of a GPU, 0 .. 5; slices then have 2^(5 - lanes) rows; -1: for a CPU, slices of 8 rows. */
hp_status hp_amg_format_create(const hp_csr *A, hp_amg_format_kind kind, hp_precision precision, int lanes,
                               hp_amg_format *out) HP_MUST_USE;
void hp_amg_format_free(hp_amg_format *F);

/* Lanes of a row for a device of so many threads, as amg/smoothers/cuda/slices.cu has them for slices; csr: at least half
 * of a row's entries. */
int hp_amg_format_lanes(const hp_csr *A, hp_amg_format_kind kind, int64_t threads);

/* Bytes of indices and numbers; with those of a product's two vectors once each. */
int64_t hp_amg_format_bytes(const hp_amg_format *F);
int64_t hp_amg_format_traffic(const hp_amg_format *F);

/* y = A x, of doubles or floats. Ends with a barrier. */
void hp_amg_format_multiply(hp_team *t, const hp_amg_format *F, const void *x, void *y);

/* Times y = A x, `count` times in one cooperative kernel of a GPU, a barrier after each, as in a cycle; F, x and y are the
 * host's. *seconds: of one product with its barrier. */
HP_GPU hp_status hp_amg_format_time(hp_device *D, const hp_amg_format *F, const void *x, void *y, int count,
                                    double *seconds) HP_MUST_USE;
/* The same of reading `bytes` bytes. */
HP_GPU hp_status hp_amg_format_time_reading(hp_device *D, int64_t bytes, int count, double *seconds) HP_MUST_USE;

HP_EXTERN_C_END

#endif
