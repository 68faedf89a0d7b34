/* Products with the connections beyond the seven diagonals (linsolve/matrix/gh.h), for ranges of rows. */
#ifndef HP_LINSOLVE_PRODUCT_LINKS_INL_H
#define HP_LINSOLVE_PRODUCT_LINKS_INL_H

#include "linsolve/matrix/gh.h"

/* Adds sign times the connections' part of A x to rows begin..end-1 of y, all of cells. */
HP_INLINE HP_HD void hp_gh_link_rows(const hp_gh *A, double sign, const double *x, double *y, int64_t begin,
                                     int64_t end) {
  const hp_links *L = &A->links;
  const int q = A->q;
  for (int64_t r = hp_links_from(L, begin / q); r < L->nrow && L->cell[r] * q < end; ++r) {
    const int64_t row = L->cell[r] * q;
    const int first = row < begin ? (int)(begin - row) : 0, last = row + q > end ? (int)(end - row) : q;
    for (int a = first; a < last; ++a) {
      double sum = 0.0;
      for (int64_t e = L->begin[r]; e < L->begin[r + 1]; ++e)
        for (int b = 0; b < q; ++b) sum += *hp_gh_link(A, e, a, b) * x[L->other[e] * q + b];
      y[row + a] += sign * sum;
    }
  }
}

/* Adds their part of A^T x. */
HP_INLINE HP_HD void hp_gh_link_rows_transposed(const hp_gh *A, const double *x, double *y, int64_t begin,
                                                int64_t end) {
  const hp_links *L = &A->links;
  const int q = A->q;
  for (int64_t r = hp_links_from(L, begin / q); r < L->nrow && L->cell[r] * q < end; ++r) {
    const int64_t row = L->cell[r] * q;
    const int first = row < begin ? (int)(begin - row) : 0, last = row + q > end ? (int)(end - row) : q;
    for (int b = first; b < last; ++b) {
      double sum = 0.0;
      for (int64_t e = L->begin[r]; e < L->begin[r + 1]; ++e)
        for (int a = 0; a < q; ++a) sum += *hp_gh_link(A, L->twin[e], a, b) * x[L->other[e] * q + a];
      y[row + b] += sum;
    }
  }
}

#endif
