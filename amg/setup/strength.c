#include <string.h>

#include "amg/setup/setup_impl.h"
#include "core/memory.h"

/* Ruge & Stueben 1987: only couplings of the sign opposite to the diagonal's count. */
static void mark_row(const hp_csr *A, int32_t ncell, double theta, int32_t i, uint8_t *strong) {
  double diagonal = 0.0, most = 0.0;
  for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
    if (A->column[k] == i) diagonal = A->value[k];
  const double sign = diagonal < 0.0 ? 1.0 : -1.0;
  for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
    if (A->column[k] != i && A->column[k] < ncell && sign * A->value[k] > most) most = sign * A->value[k];
  for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
    strong[k] = A->column[k] != i && A->column[k] < ncell && most > 0.0 && sign * A->value[k] >= theta * most &&
                sign * A->value[k] > 0.0;
}

hp_status hp_amg_strength_by(hp_team *t, hp_amg_work *w, const hp_csr *A, int32_t ncell, double theta,
                             hp_amg_graph *G) {
  hp_status s = HP_OK;
  if (t->rank == 0) {
    memset(G, 0, sizeof *G);
    G->ncell = ncell;
    s = HP_ALLOC_UNSET(G->strong, hp_csr_count(A));
  }
  HP_TRY(hp_amg_agree(t, w, s));
  HP_TEAM_FOR_OWNED(t, i, A->nrow) {
    if (i < ncell) mark_row(A, ncell, theta, (int32_t)i, G->strong);
    else
      for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) G->strong[k] = 0;
  }
  hp_team_sync(t); /* strong */
  s = hp_amg_by_columns(t, w, A, ncell, ncell, G->strong, &G->begin, &G->dependent, NULL);
  if (s != HP_OK && t->rank == 0) hp_amg_graph_free(G);
  return s;
}

hp_status hp_amg_strength(const hp_csr *A, int32_t ncell, double theta, hp_amg_graph *G) {
  hp_amg_alone one;
  HP_TRY(hp_amg_alone_begin(&one, A->nrow));
  const hp_status s = hp_amg_strength_by(&one.t, &one.w, A, ncell, theta, G);
  hp_amg_alone_end(&one);
  return s;
}

void hp_amg_graph_free(hp_amg_graph *G) {
  HP_FREE(G->strong);
  HP_FREE(G->begin);
  HP_FREE(G->dependent);
}
