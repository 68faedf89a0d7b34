/* Ruge & Stueben 1987, section 4.6: a first pass picks the point with the most
 * dependents still to serve, a second makes sure that two fine points of which
 * one depends on the other share a coarse point on which both depend. Both are one member's. */
#include "amg/setup/setup_impl.h"
#include "core/memory.h"

/* Undecided points in doubly linked lists, one for each value of the measure. */
typedef struct {
  int32_t *measure, *next, *previous; /* [ncell] */
  int32_t *head;                      /* [most+1], -1: empty */
  int32_t top;
} buckets;

static void bucket_insert(buckets *B, int32_t i) {
  const int32_t m = B->measure[i];
  B->next[i] = B->head[m];
  B->previous[i] = -1;
  if (B->head[m] >= 0) B->previous[B->head[m]] = i;
  B->head[m] = i;
  if (m > B->top) B->top = m;
}

static void bucket_remove(buckets *B, int32_t i) {
  if (B->previous[i] >= 0) B->next[B->previous[i]] = B->next[i];
  else B->head[B->measure[i]] = B->next[i];
  if (B->next[i] >= 0) B->previous[B->next[i]] = B->previous[i];
}

static void bucket_move(buckets *B, int32_t i, int32_t by) {
  bucket_remove(B, i);
  B->measure[i] += by;
  bucket_insert(B, i);
}

/* i becomes coarse, its undecided dependents fine; what those depend on gains, what i depends on loses. */
static void choose(const hp_csr *A, const hp_amg_graph *G, buckets *B, int32_t i, uint8_t *point) {
  bucket_remove(B, i);
  point[i] = HP_AMG_COARSE;
  for (int64_t n = G->begin[i]; n < G->begin[i + 1]; ++n) {
    const int32_t j = G->dependent[n];
    if (point[j] != HP_AMG_UNDECIDED) continue;
    bucket_remove(B, j);
    point[j] = HP_AMG_FINE;
    for (int64_t k = A->begin[j]; k < A->begin[j + 1]; ++k)
      if (G->strong[k] && point[A->column[k]] == HP_AMG_UNDECIDED) bucket_move(B, A->column[k], 1);
  }
  for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
    if (G->strong[k] && point[A->column[k]] == HP_AMG_UNDECIDED && B->measure[A->column[k]] > 0)
      bucket_move(B, A->column[k], -1);
}

static void first_pass(const hp_csr *A, const hp_amg_graph *G, buckets *B, uint8_t *point) {
  for (int32_t i = G->ncell - 1; i >= 0; --i) bucket_insert(B, i);
  for (;;) {
    while (B->top > 0 && B->head[B->top] < 0) --B->top;
    if (B->top == 0) break;
    choose(A, G, B, B->head[B->top], point);
  }
}

/* Whether j depends on one of the coarse points stamped by i. */
static bool shares(const hp_csr *A, const hp_amg_graph *G, const int32_t *stamp, int32_t i, int32_t j) {
  for (int64_t k = A->begin[j]; k < A->begin[j + 1]; ++k)
    if (G->strong[k] && stamp[A->column[k]] == i + 1) return true;
  return false;
}

/* A first neighbour without a common coarse point is made coarse on trial; if there is a second, i itself is. */
static void second_pass(const hp_csr *A, const hp_amg_graph *G, int32_t *stamp, uint8_t *point) {
  for (int32_t i = 0; i < G->ncell; ++i) {
    if (point[i] != HP_AMG_FINE) continue;
    int32_t trial = -1;
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
      if (G->strong[k] && point[A->column[k]] == HP_AMG_COARSE) stamp[A->column[k]] = i + 1;
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
      const int32_t j = A->column[k];
      if (!G->strong[k] || point[j] != HP_AMG_FINE || shares(A, G, stamp, i, j)) continue;
      if (trial >= 0) {
        point[trial] = HP_AMG_FINE;
        point[i] = HP_AMG_COARSE;
        break;
      }
      trial = j;
      point[j] = HP_AMG_COARSE;
      stamp[j] = i + 1;
    }
  }
}

static hp_status first_pass_alone(const hp_csr *A, const hp_amg_graph *G, uint8_t *point) {
  buckets B = {0};
  int32_t most = 0;
  hp_status s = HP_ALLOC(B.measure, G->ncell);
  if (s == HP_OK) s = HP_ALLOC(B.next, G->ncell);
  if (s == HP_OK) s = HP_ALLOC(B.previous, G->ncell);
  for (int32_t i = 0; i < G->ncell && s == HP_OK; ++i) {
    B.measure[i] = (int32_t)(G->begin[i + 1] - G->begin[i]);
    if (B.measure[i] > most) most = B.measure[i];
  }
  /* a measure grows by one for each dependent that becomes fine: it at most doubles */
  if (s == HP_OK) s = HP_ALLOC(B.head, 2 * (int64_t)most + 1);
  for (int32_t m = 0; m <= 2 * most && s == HP_OK; ++m) B.head[m] = -1;
  for (int32_t i = 0; i < A->nrow && s == HP_OK; ++i) point[i] = i < G->ncell ? HP_AMG_UNDECIDED : HP_AMG_COARSE;
  if (s == HP_OK) first_pass(A, G, &B, point);
  HP_FREE(B.measure);
  HP_FREE(B.next);
  HP_FREE(B.previous);
  HP_FREE(B.head);
  return s;
}

hp_status hp_amg_first_pass(hp_team *t, hp_amg_work *w, const hp_csr *A, const hp_amg_graph *G, uint8_t *point) {
  const hp_status s = t->rank == 0 ? first_pass_alone(A, G, point) : HP_OK;
  return hp_amg_agree(t, w, s);
}

hp_status hp_amg_coarsen_rs(hp_team *t, hp_amg_work *w, const hp_csr *A, const hp_amg_graph *G, uint64_t seed,
                            uint8_t *point) {
  (void)seed;
  HP_TRY(hp_amg_first_pass(t, w, A, G, point));
  if (t->rank == 0) {
    for (int32_t i = 0; i < G->ncell; ++i)
      if (point[i] == HP_AMG_UNDECIDED) point[i] = HP_AMG_FINE;
    int32_t *stamp = hp_amg_marker(t, w);
    for (int32_t i = 0; i < A->nrow; ++i) stamp[i] = 0;
    second_pass(A, G, stamp, point);
  }
  hp_team_sync(t); /* the points */
  return HP_OK;
}
