/* linsolve/spmv_device.h: places a matrix on the GPU as often as the caches ask for, launches its kernel or
 * cuSPARSE's, and times replays of a CUDA graph of many products. */
#include <cusparse.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/team.h"
#include "linsolve/spmv_device.h"
#include "linsolve/spmv_kernels.cuh"

enum { ARRAYS_MAX = 24, COPIES_MAX = 256, SAMPLES = 31 };

/* Arrays of the host that stand behind each other in every copy on the device. */
typedef struct image {
  int count;
  const void *host[ARRAYS_MAX];
  int64_t bytes[ARRAYS_MAX], offset[ARRAYS_MAX], size;
} image;

/* A matrix ready to multiply. */
typedef struct product {
  hp_device *D;
  const hp_spmv_job *J;
  cudaStream_t stream;
  image I;
  char *memory; /* [copies][I.size] */
  int copies;
  int64_t n;
  int x, y, value, index[8], border[8]; /* numbers of arrays in the image */
  spmv_border B;
  int32_t *list[5];    /* host: what the border is made of */
  int nlist, longest;  /* longest run, in rows */
  int threads, blocks; /* of a block; blocks of the cells */
  cusparseHandle_t sparse;
  cusparseSpMatDescr_t matrix[COPIES_MAX];
  cusparseDnVecDescr_t vector[2][COPIES_MAX];
  void *buffer[COPIES_MAX];
} product;

/* ---- the image --------------------------------------------------------------------------- */

static int put(image *I, const void *host, int64_t bytes) {
  const int n = I->count++;
  I->host[n] = host;
  I->bytes[n] = bytes;
  I->offset[n] = I->size;
  I->size += (bytes + 255) / 256 * 256;
  return n;
}

template <class T>
static T *at(const product *P, int copy, int array) {
  return (T *)(void *)(P->memory + copy * P->I.size + P->I.offset[array]);
}

static hp_status place(product *P) {
  const int64_t l2 = hp_device_get_info(P->D)->l2, room = hp_device_free_bytes(P->D) / 10 * 9 / P->I.size;
  int64_t copies = P->J->cold ? (4 * l2 + P->I.size - 1) / P->I.size : 1;
  if (P->J->cold && copies < 2) copies = 2;
  if (copies > COPIES_MAX) copies = COPIES_MAX;
  if (copies > room) copies = room > 1 ? room : 1;
  P->copies = (int)copies;
  HP_TRY(hp_device_alloc(P->D, (void **)&P->memory, copies, (size_t)P->I.size, "copies of the matrix"));
  for (int a = 0; a < P->I.count; ++a)
    if (P->I.bytes[a] > 0) HP_TRY(hp_device_upload(P->D, P->memory + P->I.offset[a], P->I.host[a], P->I.bytes[a]));
  for (int c = 1; c < P->copies; ++c) HP_TRY(hp_device_copy(P->D, P->memory + c * P->I.size, P->memory, P->I.size));
  return hp_device_sync(P->D);
}

/* ---- the border ------------------------------------------------------------------------------ */

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

/* What border_of needs of GH or GH-h. */
typedef struct border_source {
  int nwell, nrun;
  const int32_t *run_begin, *of;
  int64_t *at, *row, *length; /* [nrun] first value, first row in the vectors, rows of the run */
  int64_t nvalue, rows, n;
  const double *w, *wt, *dd;
} border_source;

static hp_status ints(product *P, int64_t count, int32_t **out) {
  HP_TRY(hp_alloc((void **)out, count > 0 ? count : 1, sizeof **out, "lists of the wells' runs"));
  P->list[P->nlist++] = *out;
  return HP_OK;
}

/* Entries of the wells' rows, one after the other. */
static hp_status put_well_rows(product *P, const border_source *S) {
  int32_t *begin, *entry_row, e = 0;
  HP_TRY(ints(P, S->nwell + 1, &begin));
  HP_TRY(ints(P, S->nvalue, &entry_row));
  for (int w = 0; w < S->nwell; ++w) {
    begin[w] = e;
    for (int r = S->run_begin[w]; r < S->run_begin[w + 1]; ++r)
      for (int64_t k = 0; k < S->length[r]; ++k) entry_row[e++] = (int32_t)(S->row[r] + k);
  }
  begin[S->nwell] = e;
  P->border[0] = put(&P->I, begin, (S->nwell + 1) * (int64_t)sizeof *begin);
  P->border[1] = put(&P->I, entry_row, S->nvalue * (int64_t)sizeof *entry_row);
  return HP_OK;
}

/* The pieces of `blocks` blocks; become sorted. */
static hp_status put_pieces(product *P, piece *p, int64_t count, int blocks) {
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
  P->border[2] = put(&P->I, of, 2 * (int64_t)blocks * (int64_t)sizeof *of);
  P->border[3] = put(&P->I, is, 4 * count * (int64_t)sizeof *is);
  return HP_OK;
}

/* Which pieces, of one block, have rows that another has too. */
static hp_status put_shared(product *P, const piece *p, int64_t count) {
  int32_t *shared;
  HP_TRY(ints(P, count, &shared));
  for (int64_t n = 0; n < count; ++n)
    for (int64_t k = 0; k < count; ++k)
      if (k != n && p[k].is.x < p[n].is.y && p[n].is.x < p[k].is.y) shared[n] = 1;
  P->border[7] = put(&P->I, shared, count * (int64_t)sizeof *shared);
  return HP_OK;
}

static int64_t parts(int64_t n, int64_t length) { return (n + length - 1) / length; }

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
static void put_values(product *P, const border_source *S) {
  P->border[4] = put(&P->I, S->w, S->nvalue * 8);
  P->border[5] = put(&P->I, S->wt, S->nvalue * 8);
  P->border[6] = put(&P->I, S->dd, S->nwell * (int64_t)8);
  P->B.nwell = S->nwell;
  P->B.rows = S->rows;
}

/* GH: blocks of `length` rows; length 0: one list for all. */
static hp_status put_border_gh(product *P, const hp_gh *A, int64_t length) {
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
    s = put_pieces(P, p, count, (int)parts(A->ld, length));
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
static hp_status put_border_half(product *P, const hp_half *H, const int64_t length[2]) {
  const int even = (int)parts(H->ld[0], length[0]), odd = (int)parts(H->ld[1], length[1]), pair = H->q + H->q / 2;
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

static spmv_border border_of(const product *P, int copy) {
  spmv_border B = P->B;
  B.blocks = B.nwell > 0 ? (B.nwell + P->threads / 32 - 1) / (P->threads / 32) : 0;
  B.begin = at<int32_t>(P, copy, P->border[0]);
  B.entry_row = at<int32_t>(P, copy, P->border[1]);
  B.piece_of = at<int2>(P, copy, P->border[2]);
  B.piece = at<int4>(P, copy, P->border[3]);
  B.w = at<double>(P, copy, P->border[4]);
  B.wt = at<double>(P, copy, P->border[5]);
  B.dd = at<double>(P, copy, P->border[6]);
  return B;
}

/* ---- GH and GH-h --------------------------------------------------------------------------------- */

typedef void (*gh_kernel)(const spmv_gh, const spmv_border, const double *, double *);

template <int LOADS, bool FMA>
static gh_kernel pairs_kernel(int q) {
  switch (q) {
    case 1: return spmv_gh_cells<LOADS, FMA>;
    case 2: return spmv_gh_pairs<2, LOADS, FMA>;
    case 4: return spmv_gh_pairs<4, LOADS, FMA>;
    case 8: return spmv_gh_pairs<8, LOADS, FMA>;
    default: return NULL;
  }
}

static gh_kernel pairs_by_loads(hp_spmv_loads loads, int q) {
  switch (loads) {
    case HP_SPMV_LOADS_PLAIN: return pairs_kernel<SPMV_PLAIN, false>(q);
    case HP_SPMV_LOADS_FIRST: return pairs_kernel<SPMV_FIRST, false>(q);
    case HP_SPMV_LOADS_WIDE: return pairs_kernel<SPMV_WIDE, false>(q);
    default: return pairs_kernel<SPMV_STREAM, false>(q);
  }
}

/* Even q beyond those that are tuned. */
static gh_kernel more_pairs(int q) {
  switch (q) {
    case 6: return spmv_gh_pairs<6, SPMV_STREAM, false>;
    case 10: return spmv_gh_pairs<10, SPMV_STREAM, false>;
    case 12: return spmv_gh_pairs<12, SPMV_STREAM, false>;
    case 14: return spmv_gh_pairs<14, SPMV_STREAM, false>;
    case 16: return spmv_gh_pairs<16, SPMV_STREAM, false>;
    default: return NULL;
  }
}

static gh_kernel shared_kernel(int q) {
  switch (q) {
    case 2: return spmv_gh_shared<2>;
    case 4: return spmv_gh_shared<4>;
    case 6: return spmv_gh_shared<6>;
    case 8: return spmv_gh_shared<8>;
    case 16: return spmv_gh_shared<16>;
    default: return NULL;
  }
}

static gh_kernel rows_kernel(int q) {
  static const gh_kernel kernel[HP_GH_Q_MAX] = {spmv_gh_rows<1>,  spmv_gh_rows<2>,  spmv_gh_rows<3>,  spmv_gh_rows<4>,
                                                spmv_gh_rows<5>,  spmv_gh_rows<6>,  spmv_gh_rows<7>,  spmv_gh_rows<8>,
                                                spmv_gh_rows<9>,  spmv_gh_rows<10>, spmv_gh_rows<11>, spmv_gh_rows<12>,
                                                spmv_gh_rows<13>, spmv_gh_rows<14>, spmv_gh_rows<15>, spmv_gh_rows<16>};
  return kernel[q - 1];
}

static gh_kernel kernel_of(const hp_gh *A, const hp_spmv_job *J, hp_spmv_layout layout) {
  if (layout == HP_SPMV_ROWS) return rows_kernel(A->q);
  if (A->ld % 2 != 0) return NULL; /* columns not aligned to 16 bytes */
  if (layout == HP_SPMV_SHARED) return shared_kernel(A->q);
  if (layout == HP_SPMV_FMA) return pairs_kernel<SPMV_STREAM, true>(A->q);
  gh_kernel k = pairs_by_loads(J->loads, A->q);
  return k != NULL ? k : more_pairs(A->q);
}

static hp_spmv_layout layout_of(const hp_gh *A, const hp_spmv_job *J) {
  if (J->layout != HP_SPMV_AUTO) return J->layout;
  return kernel_of(A, J, HP_SPMV_PAIRS) != NULL ? HP_SPMV_PAIRS : HP_SPMV_ROWS;
}

static hp_status check_size(int64_t rows) {
  if (rows <= INT32_MAX) return HP_OK;
  return hp_fail(HP_ERR_UNSUPPORTED, "%lld rows are more than 32-bit numbers count", (long long)rows);
}

static hp_status prepare_gh(product *P) {
  const hp_gh *A = P->J->A;
  const hp_spmv_layout layout = layout_of(A, P->J);
  if (kernel_of(A, P->J, layout) == NULL)
    return hp_fail(HP_ERR_UNSUPPORTED, "no kernel of this layout for q = %d and %lld rows", A->q, (long long)A->ld);
  P->threads = P->J->threads > 0 ? P->J->threads : A->q >= 8 ? 128 : 256;
  if (layout == HP_SPMV_SHARED && A->q == 6) P->threads = 192; /* whole cells */
  const int64_t length = layout == HP_SPMV_ROWS ? P->threads : 2 * P->threads;
  P->blocks = (int)parts(A->ld, length);
  P->value = put(&P->I, A->h, (int64_t)HP_GH_DIAGS * A->q * A->ld * 8);
  return put_border_gh(P, A, length);
}

static hp_status launch(const product *P, const void *kernel, int blocks, void **args, size_t shared) {
  HP_CUDA_TRY(P->D,
              cudaLaunchKernel(kernel, dim3((unsigned)blocks), dim3((unsigned)P->threads), args, shared, P->stream));
  return HP_OK;
}

static hp_status run_gh(const product *P, int copy) {
  const hp_gh *A = P->J->A;
  const hp_spmv_layout layout = layout_of(A, P->J);
  const int size[HP_GH_DIAGS] = {A->nx, A->ny, A->nz, 2, A->nz, A->ny, A->nx};
  spmv_gh G;
  spmv_border B = border_of(P, copy);
  G.h = at<double>(P, copy, P->value);
  G.ld = A->ld;
  G.ncell = (int)A->ncell;
  for (int u = 0; u < HP_GH_DIAGS; ++u) {
    G.shift[u] = (int)hp_gh_offset(A, u - 3);
    G.exists[u] = size[u] > 1;
  }
  const double *x = at<double>(P, copy, P->x);
  double *y = at<double>(P, copy, P->y);
  void *args[] = {&G, &B, &x, &y};
  const size_t shared = layout == HP_SPMV_SHARED ? (size_t)(5 * P->threads + A->q) * 16 : 0;
  return launch(P, (const void *)kernel_of(A, P->J, layout), B.blocks + P->blocks, args, shared);
}

static const void *half_kernel(int q) {
  switch (q) {
    case 2: return (const void *)spmv_half_kernel<2>;
    case 4: return (const void *)spmv_half_kernel<4>;
    case 6: return (const void *)spmv_half_kernel<6>;
    case 8: return (const void *)spmv_half_kernel<8>;
    case 16: return (const void *)spmv_half_kernel<16>;
    default: return NULL;
  }
}

static hp_status prepare_half(product *P) {
  const hp_half *H = P->J->H;
  if (half_kernel(H->q) == NULL) return hp_fail(HP_ERR_UNSUPPORTED, "GH-h: no kernel for q = %d", H->q);
  P->threads = P->J->threads > 0 ? P->J->threads : H->q >= 8 ? 128 : 256;
  const int64_t length[2] = {2 * P->threads, (H->q / 2 % 2 == 0 ? 2 : 1) * P->threads};
  const int even = (int)parts(H->ld[0], length[0]), odd = (int)parts(H->ld[1], length[1]), step = spmv_half_step(H->q);
  const int groups = (int)parts(even, step - 1);
  P->blocks = step * (groups > odd ? groups : odd);
  P->index[2] = even;
  P->index[3] = odd;
  P->value = put(&P->I, H->h[0], H->columns[0] * H->ld[0] * 8);
  P->index[1] = put(&P->I, H->h[1], H->columns[1] * H->ld[1] * 8);
  return put_border_half(P, H, length);
}

static hp_status run_half(const product *P, int copy) {
  const hp_half *H = P->J->H;
  spmv_half G;
  spmv_border B = border_of(P, copy);
  G.h[0] = at<double>(P, copy, P->value);
  G.h[1] = at<double>(P, copy, P->index[1]);
  G.ncell = (int)H->ncell;
  G.blocks[0] = P->index[2];
  G.blocks[1] = P->index[3];
  for (int u = 0; u < HP_GH_DIAGS; ++u) G.shift[u] = (int)H->shift[u];
  memcpy(G.ld, H->ld, sizeof G.ld);
  memcpy(G.first, H->first, sizeof G.first);
  memcpy(G.width, H->width, sizeof G.width);
  const double *x = at<double>(P, copy, P->x);
  double *y = at<double>(P, copy, P->y);
  void *args[] = {&G, &B, &x, &y};
  return launch(P, half_kernel(H->q), B.blocks + P->blocks, args, 0);
}

/* ---- formats with kernels here -------------------------------------------------------------------- */

static hp_status prepare_columns(product *P) {
  const hp_sparse *F = P->J->F;
  P->threads = 256;
  P->blocks = (int)parts(F->rows, P->threads);
  P->value = put(&P->I, F->value, F->count * 8);
  P->index[0] = put(&P->I, F->column, F->column != NULL ? F->count * 4 : 0);
  P->index[1] = put(&P->I, F->rest_begin, F->rest_begin != NULL ? (F->rows + 1) * 4 : 0);
  P->index[2] = put(&P->I, F->rest_row, F->rest_row != NULL ? F->rest * 4 : 0);
  P->index[3] = put(&P->I, F->rest_column, F->rest * 4);
  P->index[4] = put(&P->I, F->rest_value, F->rest * 8);
  return hp_sparse_holds_wells(F->kind) ? HP_OK : put_border_gh(P, P->J->A, P->threads);
}

static hp_status run_columns(const product *P, int copy) {
  const hp_sparse *F = P->J->F;
  const bool own = hp_sparse_holds_wells(F->kind);
  spmv_columns_of C;
  spmv_border B;
  memset(&C, 0, sizeof C);
  memset(&B, 0, sizeof B);
  if (!own) B = border_of(P, copy);
  C.value = at<double>(P, copy, P->value);
  C.column = at<int32_t>(P, copy, P->index[0]);
  C.rest_begin = at<int32_t>(P, copy, P->index[1]);
  C.rest_row = at<int32_t>(P, copy, P->index[2]);
  C.rest_column = at<int32_t>(P, copy, P->index[3]);
  C.rest_value = at<double>(P, copy, P->index[4]);
  C.rows = F->rows;
  C.width = F->width;
  C.q = F->q;
  C.ncell = (int)F->ncell;
  C.rest = (int)F->rest;
  C.nwell = (int)(F->n - F->ld);
  for (int d = 0; d < F->width && F->offset != NULL; ++d) C.offset[d] = F->offset[d];
  const double *x = at<double>(P, copy, P->x);
  double *y = at<double>(P, copy, P->y);
  int well_blocks = (C.nwell + P->threads / 32 - 1) / (P->threads / 32);
  void *border[] = {&C, &B, &x, &y}, *plain[] = {&C, &x, &y}, *hec[] = {&C, &well_blocks, &x, &y};
  const int cells = (int)parts(F->ld, P->threads);
  switch (F->kind) {
    case HP_SPARSE_DIA: return launch(P, (const void *)spmv_dia, B.blocks + P->blocks, border, 0);
    case HP_SPARSE_SGDIA: return launch(P, (const void *)spmv_sgdia, B.blocks + P->blocks, border, 0);
    case HP_SPARSE_ELL: return launch(P, (const void *)spmv_ell, B.blocks + P->blocks, border, 0);
    case HP_SPARSE_HEC: return launch(P, (const void *)spmv_hec, well_blocks + cells, hec, 0);
    default: break;
  }
  HP_TRY(launch(P, (const void *)spmv_hyb, P->blocks, plain, 0));
  if (F->rest == 0) return HP_OK;
  return launch(P, (const void *)spmv_hyb_rest, (int)parts(F->rest, P->threads), plain, 0);
}

/* ---- cuSPARSE ------------------------------------------------------------------------------------------ */

static hp_status check_sparse(cusparseStatus_t s, const char *what) {
  if (s == CUSPARSE_STATUS_SUCCESS) return HP_OK;
  if (s == CUSPARSE_STATUS_NOT_SUPPORTED)
    return hp_fail(HP_ERR_UNSUPPORTED, "cuSPARSE does not support this: %s", what);
  return hp_fail(HP_ERR_DEVICE, "cuSPARSE: %s: %s", what, cusparseGetErrorString(s));
}
#define SPARSE_TRY(call) HP_TRY(check_sparse(call, #call))

static hp_status prepare_sparse(product *P) {
  const hp_sparse *F = P->J->F;
  const int64_t slices = parts(F->rows, HP_SPARSE_SLICE), q2 = (int64_t)F->q * F->q;
  const int64_t items = F->kind == HP_SPARSE_BSR ? F->ncell : F->kind == HP_SPARSE_SELL ? slices : F->rows;
  P->threads = 256;
  P->value = put(&P->I, F->value, F->count * 8);
  P->index[0] = put(&P->I, F->begin, (items + 1) * 4);
  P->index[1] = put(&P->I, F->column, (F->kind == HP_SPARSE_BSR ? F->count / q2 : F->count) * 4);
  return F->kind == HP_SPARSE_BSR ? put_border_gh(P, P->J->A, 0) : HP_OK;
}

/* Entries that are no padding. */
static int64_t sell_entries(const hp_sparse *F) {
  int64_t count = 0;
  for (int64_t p = 0; p < F->count; ++p) count += F->column[p] >= 0;
  return count;
}

static hp_status describe(product *P, int c) {
  const hp_sparse *F = P->J->F;
  const cusparseIndexType_t i32 = CUSPARSE_INDEX_32I;
  void *begin = at<void>(P, c, P->index[0]), *column = at<void>(P, c, P->index[1]), *value = at<void>(P, c, P->value);
  if (F->kind == HP_SPARSE_CSR)
    SPARSE_TRY(cusparseCreateCsr(&P->matrix[c], F->rows, F->n, F->count, begin, column, value, i32, i32,
                                 CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
  else if (F->kind == HP_SPARSE_BSR)
    SPARSE_TRY(cusparseCreateBsr(&P->matrix[c], F->ncell, F->ncell, F->count / F->q / F->q, F->q, F->q, begin, column,
                                 value, i32, i32, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F, CUSPARSE_ORDER_ROW));
  else
    SPARSE_TRY(cusparseCreateSlicedEll(&P->matrix[c], F->rows, F->n, sell_entries(F), F->count, HP_SPARSE_SLICE, begin,
                                       column, value, i32, i32, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
  const int64_t n = F->kind == HP_SPARSE_BSR ? F->ld : F->n;
  SPARSE_TRY(cusparseCreateDnVec(&P->vector[0][c], n, at<double>(P, c, P->x), CUDA_R_64F));
  SPARSE_TRY(cusparseCreateDnVec(&P->vector[1][c], n, at<double>(P, c, P->y), CUDA_R_64F));
  return HP_OK;
}

static const double one = 1.0, zero = 0.0;

static hp_status start_sparse(product *P) {
  SPARSE_TRY(cusparseCreate(&P->sparse));
  SPARSE_TRY(cusparseSetStream(P->sparse, P->stream));
  for (int c = 0; c < P->copies; ++c) {
    size_t bytes = 0;
    HP_TRY(describe(P, c));
    SPARSE_TRY(cusparseSpMV_bufferSize(P->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, P->matrix[c], P->vector[0][c],
                                       &zero, P->vector[1][c], CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    HP_TRY(hp_device_alloc(P->D, &P->buffer[c], (int64_t)bytes + 1, 1, "workspace of cuSPARSE"));
    SPARSE_TRY(cusparseSpMV_preprocess(P->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, P->matrix[c], P->vector[0][c],
                                       &zero, P->vector[1][c], CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, P->buffer[c]));
  }
  return HP_OK;
}

static hp_status run_sparse(const product *P, int copy) {
  SPARSE_TRY(cusparseSpMV(P->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, P->matrix[copy], P->vector[0][copy], &zero,
                          P->vector[1][copy], CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, P->buffer[copy]));
  if (P->J->F->kind != HP_SPARSE_BSR || P->B.nwell == 0) return HP_OK;
  spmv_border B = border_of(P, copy);
  int most = P->longest;
  const int32_t *shared = at<int32_t>(P, copy, P->border[7]);
  const double *x = at<double>(P, copy, P->x);
  double *y = at<double>(P, copy, P->y);
  void *args[] = {&B, &shared, &most, &x, &y};
  const int64_t pieces = P->I.bytes[P->border[3]] / 16;
  return launch(P, (const void *)spmv_border_kernel, B.blocks + (int)parts(pieces * most, P->threads), args, 0);
}

static void stop_sparse(product *P) {
  for (int c = 0; c < P->copies && P->sparse != NULL; ++c) {
    if (P->matrix[c] != NULL) cusparseDestroySpMat(P->matrix[c]);
    if (P->vector[0][c] != NULL) cusparseDestroyDnVec(P->vector[0][c]);
    if (P->vector[1][c] != NULL) cusparseDestroyDnVec(P->vector[1][c]);
    hp_device_free(P->D, &P->buffer[c]);
  }
  if (P->sparse != NULL) cusparseDestroy(P->sparse);
}

/* ---- multiply and time --------------------------------------------------------------------------------- */

static bool by_cusparse(const hp_spmv_job *J) {
  return J->F != NULL && (J->F->kind == HP_SPARSE_CSR || J->F->kind == HP_SPARSE_BSR || J->F->kind == HP_SPARSE_SELL);
}

static hp_status run_once(const product *P, int copy) {
  if (P->J->H != NULL) return run_half(P, copy);
  if (P->J->F == NULL) return run_gh(P, copy);
  return by_cusparse(P->J) ? run_sparse(P, copy) : run_columns(P, copy);
}

static hp_status prepare(product *P) {
  const hp_spmv_job *J = P->J;
  P->n = J->H != NULL ? J->H->n : J->F != NULL ? J->F->n : J->A->n;
  HP_TRY(check_size(P->n));
  P->x = put(&P->I, J->x, P->n * 8);
  P->y = put(&P->I, J->y, P->n * 8);
  HP_TRY(J->H != NULL     ? prepare_half(P)
         : J->F == NULL   ? prepare_gh(P)
         : by_cusparse(J) ? prepare_sparse(P)
                          : prepare_columns(P));
  HP_TRY(place(P));
  return by_cusparse(J) ? start_sparse(P) : HP_OK;
}

/* A graph of `count` products, going round the copies. */
static hp_status capture(const product *P, int count, cudaGraphExec_t *out) {
  cudaGraph_t graph = NULL;
  hp_status s = HP_OK;
  HP_CUDA_TRY(P->D, cudaStreamBeginCapture(P->stream, cudaStreamCaptureModeThreadLocal));
  for (int n = 0; n < count && s == HP_OK; ++n) s = run_once(P, n % P->copies);
  const cudaError_t end = cudaStreamEndCapture(P->stream, &graph);
  if (s == HP_OK) s = hp_device_check(P->D, end, "recording a graph of products");
  if (s == HP_OK) s = hp_device_check(P->D, cudaGraphInstantiate(out, graph, 0), "making a graph of products");
  if (graph != NULL) cudaGraphDestroy(graph);
  return s;
}

static int by_value(const void *x, const void *y) {
  const double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

/* Seconds of one replay. */
static hp_status replay(const product *P, cudaGraphExec_t graph, double *seconds) {
  HP_TRY(hp_device_mark(P->D, 0));
  HP_CUDA_TRY(P->D, cudaGraphLaunch(graph, P->stream));
  HP_TRY(hp_device_mark(P->D, 1));
  return hp_device_elapsed(P->D, 0, 1, seconds);
}

static hp_status time_products(const product *P, hp_spmv_job *J) {
  double sample[SAMPLES], first;
  cudaGraphExec_t graph = NULL;
  HP_TRY(hp_device_mark(P->D, 0));
  HP_TRY(run_once(P, 0));
  HP_TRY(hp_device_mark(P->D, 1));
  HP_TRY(hp_device_elapsed(P->D, 0, 1, &first));
  /* a replay of some milliseconds, at least once round the copies */
  int count = first > 0.0 ? (int)(3e-3 / first) : 1000;
  count = (count < P->copies ? 1 : count > 1000 ? 1000 / P->copies : count / P->copies) * P->copies;
  if (count < 4) count = 4 / P->copies * P->copies + (4 % P->copies != 0) * P->copies;
  HP_TRY(capture(P, count, &graph));
  hp_status s = replay(P, graph, &first); /* warms up */
  J->samples = 0;
  for (double spent = 0.0; s == HP_OK && J->samples < SAMPLES && (J->samples < 5 || spent < J->time_limit);) {
    s = replay(P, graph, &sample[J->samples]);
    spent += sample[J->samples++];
  }
  cudaGraphExecDestroy(graph);
  HP_TRY(s);
  qsort(sample, (size_t)J->samples, sizeof *sample, by_value);
  J->seconds = sample[J->samples / 2] / count;
  J->samples *= count;
  return HP_OK;
}

hp_status hp_spmv_device_measure(hp_device *D, hp_spmv_job *J) {
  product *P = NULL;
  HP_TRY(hp_alloc((void **)&P, 1, sizeof *P, "product on the GPU"));
  P->D = D;
  P->J = J;
  P->stream = hp_device_stream(D);
  hp_status s = prepare(P);
  if (s == HP_OK) s = time_products(P, J);
  if (s == HP_OK) s = hp_device_download(D, J->y, at<double>(P, P->copies - 1, P->y), P->n * 8);
  stop_sparse(P);
  hp_device_free(D, &P->memory);
  for (int n = 0; n < P->nlist; ++n) hp_free(&P->list[n]);
  hp_free(&P);
  return s;
}

hp_status hp_spmv_device_copy(hp_device *D, int64_t bytes, double *rate) {
  double2 *from = NULL, *to = NULL;
  double best = 0.0;
  const int64_t count = bytes / 16;
  hp_status s = hp_device_alloc(D, (void **)&from, count, sizeof *from, "source of a copy");
  if (s == HP_OK) s = hp_device_alloc(D, (void **)&to, count, sizeof *to, "target of a copy");
  for (int n = 0; n < 10 && s == HP_OK; ++n) {
    double seconds = 0.0;
    s = hp_device_mark(D, 0);
    if (s == HP_OK) {
      spmv_copy<<<8 * hp_device_get_info(D)->multiprocessors, 512, 0, hp_device_stream(D)>>>(from, to, count);
      s = hp_device_check(D, cudaGetLastError(), "copying");
    }
    if (s == HP_OK) s = hp_device_mark(D, 1);
    if (s == HP_OK) s = hp_device_elapsed(D, 0, 1, &seconds);
    if (s == HP_OK && n > 0 && 32.0 * (double)count / seconds > best) best = 32.0 * (double)count / seconds;
  }
  *rate = best;
  hp_device_free(D, &from);
  hp_device_free(D, &to);
  return s;
}
