/* The width of hyb and hec (linsolve/matrix/sparse.h), also of amg/cycle/formats.h. */
#ifndef HP_LINSOLVE_MATRIX_SPARSE_WIDTH_H
#define HP_LINSOLVE_MATRIX_SPARSE_WIDTH_H

#include <stdint.h>

#include "core/status.h"

/* The largest K such that a third of the rows have K entries or more; histogram [longest+1]: rows of a length. */
HP_INLINE int hp_sparse_typical_width(const int32_t *histogram, int64_t longest, int64_t rows) {
  int64_t width = longest, have = 0;
  for (; width > 0; --width) {
    have += histogram[width];
    if (3 * have >= rows) break;
  }
  return (int)width;
}

#endif
