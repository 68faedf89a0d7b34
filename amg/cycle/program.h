/* A cycle as the list of its passes, for a GPU: a kernel that runs them in one loop holds every kind of pass once and
 * calls no functions, which would save and load registers of 100,000 threads each time.
 *
 *     for every pass:  run it by all threads;  barrier
 *
 * The list is that of hp_amg_run in amg/cycle/real.inl.h, written down by the host when the levels are prepared
 * (amg/cycle/cuda/program.cu).
 */
#ifndef HP_AMG_CYCLE_PROGRAM_H
#define HP_AMG_CYCLE_PROGRAM_H

#include "amg/amg.h"

HP_EXTERN_C_BEGIN

/* What a pass goes over: the cycle's b and x in double to and from the level's; the finest level as GH; the inverse of
 * the last level; out = x + from (x NULL: zero); a group of rows (amg/setup/cuda/groups.cuh); rows
 * in slices by 2^0, 2^2, 2^3, 2^5 threads a row. */
enum {
  HP_AMG_PASS_IN,
  HP_AMG_PASS_OUT,
  HP_AMG_PASS_FINEST,
  HP_AMG_PASS_INVERSE,
  HP_AMG_PASS_SUM,
  HP_AMG_PASS_GROUP,
  HP_AMG_PASS_ROWS
};

/* One pass; vectors are of hp_amg_options.precision. In double the cycle's own b and x are named by the two addresses
 * below. A form (amg/cycle/form.inl.h) makes its result. */
typedef struct hp_amg_pass {
  int what, kind, x_state, last_state;
  hp_amg_rows rows;
  const void *from, *scale_from; /* the product's vector; its entries are multiplied by the second if not NULL */
  const void *x, *s, *b;
  void *out;
  double momentum, factor;
  const double *by; /* instead of these two: where they stand in the device's memory */
  int64_t n;
  /* of a group: slices first .. last - 1 are its rows, begin .. end - 1 are visited, rows that are not in it become
   * zero; s is its factor, of blocks of `width` slots */
  int first, last, begin, end, width;
  const int32_t *at;  /* row of a slot */
  const int32_t *own; /* where row i finds its number in b (a sum: in from); NULL: at i */
} hp_amg_pass;

#define HP_AMG_CYCLES_B ((void *)1)
#define HP_AMG_CYCLES_X ((void *)2)

HP_EXTERN_C_END

#endif
