#include "amg/hypre/ranks.h"

#include "amg/hypre/module.h"
#include "core/memory.h"

struct hp_hypre_ranks {
  hp_ranks *K;
  hp_amg_options opt;
  hp_hypre_functions hypre;
  hp_hypre_cycle *cycle; /* NULL: none */
  const hp_csr *A;
  hp_hypre_result result;
};

hp_status hp_hypre_ranks_create(hp_ranks *K, const hp_amg_options *opt, hp_hypre_ranks **out) {
  hp_hypre_ranks *H = NULL;
  *out = NULL;
  hp_status s = HP_ALLOC(H, 1);
  if (s == HP_OK) {
    H->K = K;
    H->opt = *opt;
    s = hp_hypre_open(&H->hypre);
  }
  s = hp_ranks_agree(K, s);
  if (s != HP_OK) hp_hypre_ranks_destroy(&H);
  *out = H;
  return s;
}

static void clear(hp_hypre_ranks *H) {
  if (H->cycle != NULL) H->hypre.destroy(H->cycle);
  H->cycle = NULL;
  H->A = NULL;
}

void hp_hypre_ranks_destroy(hp_hypre_ranks **slot) {
  if (*slot == NULL) return;
  clear(*slot);
  HP_FREE(*slot);
}

hp_status hp_hypre_ranks_set_up(hp_hypre_ranks *H) {
  const bool good = H->hypre.set_up(H->cycle, H->A->value, &H->result);
  const hp_status s = good ? HP_OK : hp_fail(HP_ERR_NUMERIC, "set-up of the pressure system: %s", H->result.error);
  return hp_ranks_agree(H->K, s);
}

/* hypre counts columns by rank. */
static hp_status create_cycle(hp_hypre_ranks *H, const hp_amg_ranks_rows *rows, const int64_t *number,
                              const int64_t *begin) {
  const hp_csr *A = rows->A;
  int64_t *column = NULL;
  const bool counts = hp_csr_count(A) <= INT32_MAX;
  hp_status s = counts ? HP_ALLOC(column, hp_csr_count(A))
                       : hp_fail(HP_ERR_UNSUPPORTED, "hypre: %lld entries of a rank, of which it counts %d",
                                 (long long)hp_csr_count(A), INT32_MAX);
  s = hp_ranks_agree(H->K, s);
  if (s == HP_OK) {
    for (int64_t k = 0; k < hp_csr_count(A); ++k) column[k] = number[A->column[k]];
    H->cycle = H->hypre.create_over(&H->opt, begin[hp_ranks_rank(H->K)], A->nrow, (const int32_t *)A->begin, column);
  }
  HP_FREE(column);
  if (s == HP_OK && H->cycle == NULL)
    return hp_fail(HP_ERR_UNSUPPORTED,
                   "hypre: the pressure system's %lld rows are more than this build of hypre counts",
                   (long long)begin[hp_ranks_size(H->K)]);
  return s;
}

hp_status hp_hypre_ranks_build(hp_hypre_ranks *H, const hp_amg_ranks_rows *rows) {
  int64_t *number = NULL, *begin = NULL;
  clear(H);
  hp_status s = HP_ALLOC(number, rows->ncell + rows->nwell + rows->nghost);
  if (s == HP_OK) s = HP_ALLOC(begin, hp_ranks_size(H->K) + 1);
  s = hp_ranks_agree(H->K, s);
  if (s == HP_OK) s = hp_amg_ranks_number(H->K, rows, number, begin);
  if (s == HP_OK) s = create_cycle(H, rows, number, begin);
  HP_FREE(number);
  HP_FREE(begin);
  s = hp_ranks_agree(H->K, s);
  H->A = rows->A;
  if (s == HP_OK) s = hp_hypre_ranks_set_up(H);
  if (s != HP_OK) clear(H);
  return s;
}

void hp_hypre_ranks_cycle(hp_hypre_ranks *H, const double *r, double *x) { H->hypre.run(H->cycle, r, x); }

const hp_hypre_result *hp_hypre_ranks_result(const hp_hypre_ranks *H) { return &H->result; }
