/* y = A x with the matrix of a stencil, as SG-DIA, csr or dia: team programs. x and y are of the matrix's precision; x is
 * visible to all before, a barrier must follow before another member reads y. */
#ifndef HP_BENCH_SGDIA_MULTIPLY_INL_H
#define HP_BENCH_SGDIA_MULTIPLY_INL_H

#include "bench/sgdia/sgdia.h"
#include "core/team/team.h"

/* The cells whose x the points of cell m multiply; -1: x is 0. In an open grid by their distance in memory, whatever the
 * grid's sides: entries across these are zeros. */
HP_INLINE void hp_sgdia_cells(const hp_sgdia *A, int64_t m, int64_t *cell) {
  bool direct = true;
  if (A->periodic) {
    const int64_t line = m / A->size[0], place[3] = {m - line * A->size[0], line % A->size[1], line / A->size[1]};
    for (int d = 0; d < 3; ++d) direct = direct && (A->size[d] == 1 || (place[d] > 0 && place[d] < A->size[d] - 1));
  }
  for (int p = 0; p < A->points; ++p) {
    const int64_t n = direct ? m + A->offset[p] : hp_sgdia_neighbour(A, m, p);
    cell[p] = n < A->ncell ? n : -1; /* below 0: likewise */
  }
}

#define REAL double
#define OF(name) hp_sgdia_##name##_double
#include "bench/sgdia/multiply_real.h"
#undef REAL
#undef OF
#define REAL float
#define OF(name) hp_sgdia_##name##_single
#include "bench/sgdia/multiply_real.h"
#undef REAL
#undef OF

HP_INLINE void hp_sgdia_multiply(hp_team *t, const hp_sgdia *A, const void *x, void *y) {
  if (A->single) hp_sgdia_multiply_single(t, A, (const float *)x, (float *)y);
  else hp_sgdia_multiply_double(t, A, (const double *)x, (double *)y);
}

HP_INLINE void hp_sgdia_multiply_rows(hp_team *t, const hp_sgdia *A, const hp_sgdia_rows *R, const void *x, void *y) {
  if (A->single) hp_sgdia_multiply_rows_single(t, R, (const float *)x, (float *)y);
  else hp_sgdia_multiply_rows_double(t, R, (const double *)x, (double *)y);
}

#endif
