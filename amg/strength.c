#include <math.h>
#include <string.h>

#include "amg/amg.h"
#include "core/memory.h"

/* Ruge & Stueben 1987: only couplings of the sign opposite to the diagonal's count. */
static void mark_row(const hp_csr *A, int32_t ncell, double theta, int32_t i, uint8_t *strong) {
  double diagonal = 0.0, most = 0.0;
  for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
    if (A->column[k] == i) diagonal = A->value[k];
  const double sign = diagonal < 0.0 ? 1.0 : -1.0;
  for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
    if (A->column[k] != i && A->column[k] < ncell) most = fmax(most, sign * A->value[k]);
  for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
    strong[k] = A->column[k] != i && A->column[k] < ncell && most > 0.0 && sign * A->value[k] >= theta * most &&
                sign * A->value[k] > 0.0;
}

static hp_status transpose_graph(const hp_csr *A, hp_amg_graph *G) {
  int64_t count = 0;
  for (int64_t k = 0; k < A->begin[G->ncell]; ++k) count += G->strong[k];
  HP_TRY(HP_ALLOC(G->begin, (int64_t)G->ncell + 2));
  HP_TRY(HP_ALLOC(G->dependent, count));
  int32_t *at = G->begin + 1; /* at[j] moves from the start of j's list to its end, where that of j+1 starts */
  for (int64_t k = 0; k < A->begin[G->ncell]; ++k)
    if (G->strong[k]) at[A->column[k] + 1] += 1;
  for (int32_t j = 0; j < G->ncell; ++j) at[j + 1] += at[j];
  for (int32_t i = 0; i < G->ncell; ++i)
    for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
      if (G->strong[k]) G->dependent[at[A->column[k]]++] = i;
  return HP_OK;
}

hp_status hp_amg_strength(const hp_csr *A, int32_t ncell, double theta, hp_amg_graph *G) {
  memset(G, 0, sizeof *G);
  G->ncell = ncell;
  hp_status s = HP_ALLOC(G->strong, hp_csr_count(A));
  for (int32_t i = 0; i < ncell && s == HP_OK; ++i) mark_row(A, ncell, theta, i, G->strong);
  if (s == HP_OK) s = transpose_graph(A, G);
  if (s != HP_OK) hp_amg_graph_free(G);
  return s;
}

void hp_amg_graph_free(hp_amg_graph *G) {
  HP_FREE(G->strong);
  HP_FREE(G->begin);
  HP_FREE(G->dependent);
}
