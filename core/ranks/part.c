#include "core/ranks/part.h"

void hp_part_renew(const hp_part *p, double *x, int q, bool wells) {
  hp_exchange_begin(p->cells, x, (size_t)q * sizeof *x);
  if (wells && p->nwell > 0) hp_exchange_run(p->wells, x + p->ncell * q, sizeof *x);
  hp_exchange_end(p->cells, x, (size_t)q * sizeof *x);
}

void hp_part_drop(const hp_part *p, double *x, int q) {
  for (int64_t n = 0; n < p->nghost; ++n)
    for (int b = 0; b < q; ++b) x[p->ghost[n] * q + b] = 0.0;
  for (int w = 0; w < p->nwell; ++w)
    if (!p->owns_well[w]) x[p->ncell * q + w] = 0.0;
}

int64_t hp_part_global(const hp_part *p, int64_t index) {
  return index < 0 ? -1 : index < p->ncell ? p->global[index] : p->whole + (index - p->ncell);
}
