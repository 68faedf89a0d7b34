/* Lists of the wells' border for each block of a product's kernel (spmv_border); a kernel of its own that adds the border. */
#include <stdlib.h>
#include <string.h>

#include "bench/product/cuda/product.cuh"

/* A run's rows in a block of the kernel. */
typedef struct piece {
  int32_t block, run;
  int4 is; /* spmv_border.piece */
} piece;

static int by_block(const void *x, const void *y) {
  const piece *a = (const piece *)x, *b = (const piece *)y;
  if (a->block != b->block) return a->block < b->block ? -1 : 1;
  return a->run < b->run ? -1 : a->run > b->run;
}

/* The part of GH or GH-h that border_of needs. */
typedef struct border_source {
  int nwell, nrun;
  const int32_t *run_begin, *of;
  int64_t *at, *row, *length; /* [nrun] first value, first row in the vectors, rows of the run */
  int64_t nvalue, rows, n;
  const double *w, *wt, *dd;
} border_source;

static hp_status ints(hp_spmv_product *P, int64_t count, int32_t **out) {
  HP_TRY(hp_alloc((void **)out, count > 0 ? count : 1, sizeof **out, "lists of the wells' runs"));
  P->list[P->nlist++] = *out;
  return HP_OK;
}

/* Entries of the wells' rows, one after the other. */
static hp_status put_well_rows(hp_spmv_product *P, const border_source *S) {
  int32_t *begin, *entry_row, e = 0;
  HP_TRY(ints(P, S->nwell + 1, &begin));
  HP_TRY(ints(P, S->nvalue, &entry_row));
  for (int w = 0; w < S->nwell; ++w) {
    begin[w] = e;
    for (int r = S->run_begin[w]; r < S->run_begin[w + 1]; ++r)
      for (int64_t k = 0; k < S->length[r]; ++k) entry_row[e++] = (int32_t)(S->row[r] + k);
  }
  begin[S->nwell] = e;
  P->border[0] = hp_spmv_put(&P->I, begin, (S->nwell + 1) * (int64_t)sizeof *begin);
  P->border[1] = hp_spmv_put(&P->I, entry_row, S->nvalue * (int64_t)sizeof *entry_row);
  return HP_OK;
}

/* The pieces of `blocks` blocks; become sorted. */
static hp_status put_pieces(hp_spmv_product *P, piece *p, int64_t count, int blocks) {
  int32_t *of, *is;
  qsort(p, (size_t)count, sizeof *p, by_block);
  HP_TRY(ints(P, 2 * (int64_t)blocks, &of));
  HP_TRY(ints(P, 4 * count, &is));
  for (int64_t b = 0, n = 0; b < blocks; ++b) {
    of[2 * b] = (int32_t)n;
    while (n < count && p[n].block == b) ++n;
    of[2 * b + 1] = (int32_t)n;
  }
  for (int64_t n = 0; n < count; ++n) memcpy(is + 4 * n, &p[n].is, sizeof p[n].is);
  P->border[2] = hp_spmv_put(&P->I, of, 2 * (int64_t)blocks * (int64_t)sizeof *of);
  P->border[3] = hp_spmv_put(&P->I, is, 4 * count * (int64_t)sizeof *is);
  return HP_OK;
}

/* Which pieces, of one block, have rows that another has too. */
static hp_status put_shared(hp_spmv_product *P, const piece *p, int64_t count) {
  int32_t *shared;
  HP_TRY(ints(P, count, &shared));
  for (int64_t n = 0; n < count; ++n)
    for (int64_t k = 0; k < count; ++k)
      if (k != n && p[k].is.x < p[n].is.y && p[n].is.x < p[k].is.y) shared[n] = 1;
  P->border[7] = hp_spmv_put(&P->I, shared, count * (int64_t)sizeof *shared);
  return HP_OK;
}

/* Rows row .. row+rows-1 of run r, in all blocks of `length` rows that have some of them; slot: of the first row. */
static void add_pieces(piece *out, int64_t *count, int64_t row, int64_t rows, int64_t length, int first_block,
                       int64_t shift, int64_t slot, int well, int run) {
  for (int64_t b = row / length; b <= (row + rows - 1) / length; ++b) {
    piece *p = out + (*count)++;
    p->block = (int32_t)(first_block + b);
    p->run = run;
    p->is = make_int4((int)(row + shift), (int)(row + rows + shift), (int)slot, well);
  }
}

/* Places of what border_of finds beside the lists. */
static void put_values(hp_spmv_product *P, const border_source *S) {
  P->border[4] = hp_spmv_put(&P->I, S->w, S->nvalue * 8);
  P->border[5] = hp_spmv_put(&P->I, S->wt, S->nvalue * 8);
  P->border[6] = hp_spmv_put(&P->I, S->dd, S->nwell * (int64_t)8);
  P->B.nwell = S->nwell;
  P->B.rows = S->rows;
}

/* GH: blocks of `length` rows; length 0: one list for all. */
hp_status hp_spmv_put_border_gh(hp_spmv_product *P, const hp_gh *A, int64_t length) {
  const hp_gh_wells *W = &A->wells;
  const int q = A->q;
  if (length == 0) length = A->ld;
  int64_t count = 0, most = 0, *rows = NULL;
  piece *p = NULL;
  HP_TRY(hp_alloc((void **)&rows, 3 * (int64_t)W->nrun + 1, sizeof *rows, "runs"));
  border_source S = {W->nwell,     W->nrun, W->run_begin, W->of, rows,  rows + W->nrun, rows + 2 * (int64_t)W->nrun,
                     W->nperf * q, A->ld,   A->n,         W->w,  W->wt, W->dd};
  for (int r = 0; r < W->nrun; ++r) {
    S.at[r] = W->a[r] * q;
    S.row[r] = W->b[r] * q;
    S.length[r] = (int64_t)W->c[r] * q;
    most += S.length[r] / length + 2;
    if (S.length[r] > P->longest) P->longest = (int)S.length[r];
  }
  hp_status s = hp_alloc((void **)&p, most + 1, sizeof *p, "pieces of runs");
  if (s == HP_OK) {
    for (int r = 0; r < W->nrun; ++r) add_pieces(p, &count, S.row[r], S.length[r], length, 0, 0, S.at[r], W->of[r], r);
    s = put_pieces(P, p, count, (int)hp_parts(A->ld, length));
    if (s == HP_OK && length == A->ld) s = put_shared(P, p, count);
  }
  if (s == HP_OK) s = put_well_rows(P, &S);
  if (s == HP_OK) put_values(P, &S);
  hp_free(&p);
  hp_free(&rows);
  return s;
}

/* Rows of the cells of parity o among those before cell m. */
static int64_t rows_before(const hp_half *H, int o, int64_t m) { return (m + 1 - o) / 2 * (o ? H->q / 2 : H->q); }

/* GH-h: even cells in blocks of length[0] of their rows, then odd cells in blocks of length[1] of theirs. */
hp_status hp_spmv_put_border_half(hp_spmv_product *P, const hp_half *H, const int64_t length[2]) {
  const int even = (int)hp_parts(H->ld[0], length[0]), odd = (int)hp_parts(H->ld[1], length[1]);
  const int pair = H->q + H->q / 2;
  const border_source S = {H->nwell,  H->nrun, H->run_begin, H->of, H->at, H->row, H->length,
                           H->nvalue, H->rows, H->n,         H->w,  H->wt, H->dd};
  int64_t count = 0, most = 0;
  piece *p = NULL;
  for (int r = 0; r < H->nrun; ++r) most += H->length[r] / length[0] + H->length[r] / length[1] + 4;
  HP_TRY(hp_alloc((void **)&p, most + 1, sizeof *p, "pieces of runs"));
  for (int r = 0; r < H->nrun; ++r) {
    const int64_t to = H->row[r] + H->length[r];
    const int64_t m = 2 * (H->row[r] / pair) + (H->row[r] % pair >= H->q), end = 2 * (to / pair) + (to % pair >= H->q);
    for (int o = 0; o < 2; ++o) {
      const int64_t from = rows_before(H, o, m), rows = rows_before(H, o, end) - from;
      const int64_t skip = m % 2 == o ? 0 : o ? H->q : H->q / 2; /* values of the cell before the first of this kind */
      if (rows > 0)
        add_pieces(p, &count, from, rows, length[o], o ? even : 0, o ? H->ld[0] : 0, H->at[r] + skip, H->of[r], r);
    }
  }
  hp_status s = put_pieces(P, p, count, even + odd);
  if (s == HP_OK) s = put_well_rows(P, &S);
  if (s == HP_OK) put_values(P, &S);
  hp_free(&p);
  return s;
}

spmv_border hp_spmv_border_of(const hp_spmv_product *P, int copy) {
  spmv_border B = P->B;
  B.blocks = B.nwell > 0 ? (B.nwell + P->threads / 32 - 1) / (P->threads / 32) : 0;
  B.begin = hp_spmv_at<int32_t>(P, copy, P->border[0]);
  B.entry_row = hp_spmv_at<int32_t>(P, copy, P->border[1]);
  B.piece_of = hp_spmv_at<int2>(P, copy, P->border[2]);
  B.piece = hp_spmv_at<int4>(P, copy, P->border[3]);
  B.w = hp_spmv_at<double>(P, copy, P->border[4]);
  B.wt = hp_spmv_at<double>(P, copy, P->border[5]);
  B.dd = hp_spmv_at<double>(P, copy, P->border[6]);
  return B;
}

/* ---- after a product without it ---- */

/* The rows of wells, then the cells' rows with wells. There is one block in
 * piece_of; a thread has a row of one piece. Where wells share cells (shared [pieces]), the first piece adds for
 * all of them. most: rows of the longest piece. */
static __global__ void spmv_border_kernel(const __grid_constant__ spmv_border B, const int32_t *shared, int most,
                                          const double *x, double *y) {
  if (spmv_wells(B, x, y)) return;
  const int e = ((int)blockIdx.x - B.blocks) * blockDim.x + threadIdx.x, n = e / most, end = B.piece_of[0].y;
  if (n >= end) return;
  const int4 mine = B.piece[n];
  const int i = mine.x + e % most, others = shared[n];
  if (i >= mine.y) return;
  for (int k = 0; k < n && others; ++k)
    if (i >= B.piece[k].x && i < B.piece[k].y) return;
  double sum = y[i] + B.wt[mine.z + i - mine.x] * x[B.rows + mine.w];
  for (int k = n + 1; k < end && others; ++k)
    if (i >= B.piece[k].x && i < B.piece[k].y) sum += B.wt[B.piece[k].z + i - B.piece[k].x] * x[B.rows + B.piece[k].w];
  y[i] = sum;
}

hp_status hp_spmv_border_run(const hp_spmv_product *P, int copy) {
  if (P->B.nwell == 0) return HP_OK;
  spmv_border B = hp_spmv_border_of(P, copy);
  int most = P->longest;
  const int32_t *shared = hp_spmv_at<int32_t>(P, copy, P->border[7]);
  const double *x = hp_spmv_at<double>(P, copy, P->x);
  double *y = hp_spmv_at<double>(P, copy, P->y);
  void *args[] = {&B, &shared, &most, &x, &y};
  const int64_t pieces = P->I.bytes[P->border[3]] / 16;
  return hp_spmv_launch(P, (const void *)spmv_border_kernel, B.blocks + (int)hp_parts(pieces * most, P->threads), args,
                        0);
}
