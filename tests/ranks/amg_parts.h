/* Matrices spread over ranks, as amg/ranks takes them. */
#ifndef HP_TESTS_RANKS_AMG_PARTS_H
#define HP_TESTS_RANKS_AMG_PARTS_H

#include <string.h>

#include "amg/ranks/ranks.h"
#include "core/memory.h"
#include "tests/support/check.h"
#include "tests/support/matrices.h"

/* This rank's part of a whole matrix. */
typedef struct {
  hp_csr *A;
  hp_amg_ranks_rows rows;
  int64_t *number;
  int *owner;
  int32_t n, *row; /* rows of the whole matrix; [own] in it */
} amg_part;

/* How rows are spread. */
enum { AMG_BY_BLOCKS, AMG_BY_COLUMNS, AMG_AT_RANDOM, AMG_ONE_HAS_NONE, AMG_ONE_HAS_ALL, AMG_PARTITIONS };

HP_INLINE int amg_rank_of(int partition, int64_t i, int64_t n, int size, uint64_t seed) {
  uint64_t s = seed + (uint64_t)(partition == AMG_BY_COLUMNS ? i / 7 : i);
  const int any = (int)(matrix_bits(&s) % (uint64_t)size);
  if (partition == AMG_BY_BLOCKS) return (int)(i * size / n);
  if (partition == AMG_ONE_HAS_ALL) return (int)(seed % (uint64_t)size);
  return partition == AMG_ONE_HAS_NONE && any == (int)(seed % (uint64_t)size) ? (any + 1) % size : any;
}

/* Every third number is given to cells, wells come after them: what is left out must not matter. */
HP_INLINE int64_t amg_number_of(int64_t i, int64_t ncell) { return i < ncell ? 3 * i + 5 : 3 * ncell + 2 * i; }

HP_INLINE void amg_extract_part(hp_ranks *K, const hp_csr *A, int32_t nwell, int partition, uint64_t seed,
                                amg_part *out) {
  const int size = hp_ranks_size(K), rank = hp_ranks_rank(K);
  const int32_t n = A->nrow, ncell = n - nwell;
  int32_t *place = NULL, nowned = 0, nghost = 0;
  memset(out, 0, sizeof *out);
  out->n = n;
  CHECK_OK(HP_ALLOC(place, n));
  CHECK_OK(HP_ALLOC(out->row, n));
  CHECK_OK(HP_ALLOC(out->number, n));
  CHECK_OK(HP_ALLOC(out->owner, n));
  CHECK_OK(hp_csr_create(n, n, hp_csr_count(A), &out->A));
  for (int32_t i = 0; i < n; ++i) {
    place[i] = -1;
    if (amg_rank_of(partition, i, n, size, seed) != rank) continue;
    out->number[nowned] = amg_number_of(i, ncell);
    place[i] = nowned;
    out->row[nowned++] = i;
    *(i < ncell ? &out->rows.ncell : &out->rows.nwell) += 1;
  }
  for (int32_t m = 0; m < nowned; ++m) {
    out->A->begin[m + 1] = out->A->begin[m];
    for (int64_t k = A->begin[out->row[m]]; k < A->begin[out->row[m] + 1]; ++k) {
      const int32_t j = A->column[k];
      if (place[j] < 0) {
        out->number[nowned + nghost] = amg_number_of(j, ncell);
        out->owner[nghost] = amg_rank_of(partition, j, n, size, seed);
        place[j] = nowned + nghost++;
      }
      out->A->column[out->A->begin[m + 1]] = place[j];
      out->A->value[out->A->begin[m + 1]++] = A->value[k];
    }
  }
  out->A->nrow = nowned;
  out->A->ncol = nowned + nghost;
  out->rows.A = out->A;
  out->rows.nghost = nghost;
  out->rows.number = out->number;
  out->rows.owner = out->owner;
  HP_FREE(place);
}

HP_INLINE void amg_free_part(amg_part *p) {
  hp_csr_destroy(&p->A);
  HP_FREE(p->number);
  HP_FREE(p->owner);
  HP_FREE(p->row);
}

#endif
