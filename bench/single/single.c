#include "bench/single/single.h"

#include "core/memory.h"

/* Rounded values, as an array of a hp_gh whose numbers are float. */
static hp_status round_values(const double *from, int64_t count, float **own, double **as) {
  HP_TRY(HP_ALLOC(*own, count));
  for (int64_t k = 0; k < count; ++k) (*own)[k] = (float)from[k];
  *as = (double *)(void *)*own;
  return HP_OK;
}

static hp_status fill(const hp_gh *A, hp_single *S) {
  const hp_gh_wells *W = &A->wells;
  S->of = A;
  S->as = *A;
  HP_TRY(round_values(A->h, (int64_t)HP_GH_DIAGS * A->q * A->ld, &S->h, &S->as.h));
  HP_TRY(round_values(W->w, W->nperf * A->q, &S->w, &S->as.wells.w));
  HP_TRY(round_values(W->wt, W->nperf * A->q, &S->wt, &S->as.wells.wt));
  HP_TRY(round_values(W->dd, W->nwell, &S->dd, &S->as.wells.dd));
  return round_values(A->link, A->links.count * A->q * A->q, &S->link, &S->as.link);
}

hp_status hp_single_create(const hp_gh *A, hp_single **out) {
  HP_TRY(HP_ALLOC(*out, 1));
  const hp_status s = fill(A, *out);
  if (s != HP_OK) hp_single_destroy(out);
  return s;
}

void hp_single_destroy(hp_single **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_single *S = *slot;
  HP_FREE(S->h);
  HP_FREE(S->w);
  HP_FREE(S->wt);
  HP_FREE(S->dd);
  HP_FREE(S->link);
  HP_FREE(*slot);
}

int64_t hp_single_product_bytes(const hp_gh *A) {
  const hp_gh_wells *W = &A->wells;
  const int64_t numbers = (int64_t)HP_GH_DIAGS * A->q * A->rows + 2 * W->nperf * A->q + W->nwell +
                          A->links.count * A->q * A->q + 2 * A->n;
  return hp_gh_product_bytes(A) - numbers * (int64_t)(sizeof(double) - sizeof(float));
}
