#include <string.h>

#include "amg/cycle/program.h"
#include "amg/rows/form.inl.h"
#include "amg/rows/rows.inl.h"
#include "core/memory.h"
#include "linsolve/matrix/sparse.h"

static int64_t real_bytes(const hp_amg *H) {
  return H->opt.precision == HP_PRECISION_SINGLE ? (int64_t)sizeof(float) : (int64_t)sizeof(double);
}

static hp_status numbers(const hp_amg *H, void **out, int64_t count) {
  return hp_alloc(out, count, (size_t)real_bytes(H), "numbers of a cycle");
}

/* 2^shift rows of a slice. */
static int shift_of(const hp_amg_options *opt) {
  const bool sliced = opt->format == HP_AMG_FORMAT_SLICED, rows = opt->format != HP_AMG_FORMAT_AUTO && !sliced;
  const int slice = rows ? 1 : sliced && opt->slice == 1 ? (int)HP_AMG_SLICE : opt->slice;
  int shift = 0;
  while ((1 << shift) < slice) ++shift;
  return shift;
}

static int64_t slices_of(const hp_amg_rows *A) { return ((int64_t)A->nrow + (1 << A->shift) - 1) >> A->shift; }

/* ---- rows in slices ---- */

/* begin: slices as long as their longest row. */
static hp_status measure(const hp_csr *A, hp_amg_rows *R) {
  const int64_t slices = slices_of(R);
  int64_t total = 0;
  for (int64_t s = 0; s < slices; ++s) {
    int64_t most = 0;
    for (int64_t i = s << R->shift; i < (s + 1) << R->shift && i < A->nrow; ++i)
      if (hp_csr_length(A, i) > most) most = hp_csr_length(A, i);
    total += most << R->shift;
    R->begin[s + 1] = (uint32_t)total;
  }
  return hp_csr_check_entries("in a level's slices", total);
}

hp_status hp_amg_hec_width(const hp_csr *A, int *width) {
  int32_t *histogram = NULL, longest = 0;
  for (int64_t i = 0; i < A->nrow; ++i)
    if (hp_csr_length(A, i) > longest) longest = hp_csr_length(A, i);
  HP_TRY(HP_ALLOC(histogram, (int64_t)longest + 1));
  for (int64_t i = 0; i < A->nrow; ++i) histogram[hp_csr_length(A, i)] += 1;
  *width = hp_sparse_typical_width(histogram, longest, A->nrow);
  HP_FREE(histogram);
  return HP_OK;
}

/* HEC: rows that ELL does not fill end there in their last column. */
static hp_status hec_create(const hp_amg *H, const hp_csr *A, hp_amg_rows *R) {
  const int64_t n = A->nrow;
  HP_TRY(hp_amg_hec_width(A, &R->width));
  HP_TRY(HP_ALLOC(R->begin, n + 1));
  int64_t total = R->width * n;
  for (int64_t i = 0; i <= n; ++i) {
    R->begin[i] = (uint32_t)total;
    const int32_t length = i < n ? hp_csr_length(A, i) : 0;
    total += length > R->width ? length - R->width : 0;
  }
  HP_TRY(hp_csr_check_entries("of a level as hec", total));
  HP_TRY(HP_ALLOC(R->column, R->begin[n]));
  for (int64_t i = 0; i < n; ++i) {
    const int32_t length = hp_csr_length(A, i);
    int32_t last = 0;
    for (int32_t k = 0; k < length || k < R->width; ++k)
      R->column[hp_amg_place(R, i, k)] = last = k < length ? A->column[(int64_t)A->begin[i] + k] : last;
  }
  return numbers(H, &R->value, R->begin[n]);
}

static hp_status rows_create(const hp_amg *H, const hp_csr *A, hp_amg_rows *R) {
  R->nrow = A->nrow;
  R->shift = shift_of(&H->opt);
  if (H->opt.format == HP_AMG_FORMAT_HEC) return hec_create(H, A, R);
  if (R->shift == 0 && H->opt.precision == HP_PRECISION_DOUBLE) {
    R->shared = true;
    R->begin = A->begin;
    R->column = A->column;
    R->value = A->value;
    return HP_OK;
  }
  HP_TRY(HP_ALLOC(R->begin, slices_of(R) + 1));
  HP_TRY(measure(A, R));
  HP_TRY(HP_ALLOC(R->column, R->begin[slices_of(R)]));
  for (int64_t i = 0; i < A->nrow; ++i) {
    int64_t e = R->begin[i >> R->shift] + (i & ((1 << R->shift) - 1));
    int32_t last = 0;
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k, e += 1 << R->shift) R->column[e] = last = A->column[k];
    for (; e < R->begin[(i >> R->shift) + 1]; e += 1 << R->shift) R->column[e] = last;
  }
  return numbers(H, &R->value, R->begin[slices_of(R)]);
}

static void rows_clear(hp_amg_rows *R) {
  static const hp_amg_rows none;
  if (!R->shared) {
    HP_FREE(R->begin);
    HP_FREE(R->column);
    HP_FREE(R->value);
  }
  *R = none;
}

static int64_t rows_bytes(const hp_amg *H, const hp_amg_rows *R) {
  if (R->shared || R->begin == NULL) return 0;
  const int64_t slices = slices_of(R);
  return (slices + 1) * (int64_t)sizeof *R->begin + R->begin[slices] * ((int64_t)sizeof *R->column + real_bytes(H));
}

/* ---- the finest level as a GH matrix ---- */

static hp_status finest_create(const hp_amg *H, hp_amg_finest *F, int64_t n) {
  const hp_gh *A = H->gh;
  if (A->q != 1 || A->n != n)
    return hp_fail(HP_ERR_INTERNAL, "multigrid: a GH matrix of %lld rows, q = %d, for a level of %lld rows",
                   (long long)A->n, A->q, (long long)n);
  HP_TRY(hp_gh_require_lattice(A, "multigrid's finest level as GH"));
  F->A = A;
  F->by_nz = hp_divisor_of((uint32_t)A->nz);
  for (int u = -3; u <= 3; ++u) F->offset[u + 3] = hp_gh_offset(A, u);
  if (H->opt.precision == HP_PRECISION_DOUBLE) {
    F->h = A->h;
    F->w = A->wells.w;
    F->wt = A->wells.wt;
    F->dd = A->wells.dd;
    return HP_OK;
  }
  F->copied = true;
  HP_TRY(numbers(H, &F->h, HP_GH_DIAGS * A->ld));
  HP_TRY(numbers(H, &F->w, A->wells.nperf));
  HP_TRY(numbers(H, &F->wt, A->wells.nperf));
  return numbers(H, &F->dd, A->wells.nwell);
}

static void finest_clear(hp_amg_finest *F) {
  static const hp_amg_finest none;
  if (F->copied) {
    HP_FREE(F->h);
    HP_FREE(F->w);
    HP_FREE(F->wt);
    HP_FREE(F->dd);
  }
  *F = none;
}

/* ---- levels ---- */

static bool needs_rows(hp_amg_smoother s) {
  static const bool needs[] = {
#define NEEDS_ROWS(name, text, setup, sweep, rows, prepare, in_kernel, device, by_host) \
  HP_AMG_READS_##rows == HP_AMG_READS_ROWS,
      HP_AMG_SMOOTHER_LIST(NEEDS_ROWS)
#undef NEEDS_ROWS
  };
  return needs[s];
}

static hp_status level_create(hp_amg *H, int l) {
  hp_amg_level *L = &H->level[l];
  const int64_t n = L->A->nrow, room = n + L->ghosts;
  const bool gh = l == 0 && H->gh != NULL;
  L->nrow = L->A->nrow;
  if (gh) HP_TRY(finest_create(H, &L->finest, n));
  if (!gh || needs_rows(H->opt.smoother)) HP_TRY(rows_create(H, L->A, &L->a));
  if (L->P != NULL) HP_TRY(rows_create(H, L->P, &L->p));
  if (L->P != NULL) HP_TRY(rows_create(H, L->R, &L->r));
  HP_TRY(hp_amg_smooth_prepare(&H->opt, L, &L->smooth));
  if (!hp_amg_smoother_is_diagonal(H->opt.smoother)) HP_TRY(numbers(H, &L->y, n));
  HP_TRY(numbers(H, &L->z, room));
  if (l == 0 && H->opt.precision == HP_PRECISION_DOUBLE && !H->apart) return HP_OK;
  HP_TRY(numbers(H, &L->b, room));
  return numbers(H, &L->x, room);
}

/* The list, in as much memory as it needs. */
static hp_status write_program(hp_amg *H) {
  hp_amg_writer W = {.H = H};
  hp_status s = hp_amg_write_cycle(&W);
  if (s == HP_OK) s = HP_ALLOC_UNSET(H->program, W.count);
  if (s == HP_OK) memcpy(H->program, W.pass, (size_t)W.count * sizeof *W.pass);
  if (s == HP_OK) H->passes = W.count;
  HP_FREE(W.pass);
  return s;
}

hp_status hp_amg_cycle_create(hp_amg *H) {
  for (int l = 0; l < H->nlevel; ++l) HP_TRY(level_create(H, l));
  const int64_t n = H->level[H->nlevel - 1].nrow;
  if (H->lu != NULL) HP_TRY(HP_ALLOC(H->inverse, n * n));
  return write_program(H);
}

void hp_amg_cycle_clear(hp_amg *H) {
  for (int l = 0; l < HP_AMG_LEVELS_MAX; ++l) {
    hp_amg_level *L = &H->level[l];
    finest_clear(&L->finest);
    rows_clear(&L->a);
    rows_clear(&L->p);
    rows_clear(&L->r);
    hp_amg_smooth_clear(&L->smooth);
    HP_FREE(L->b);
    HP_FREE(L->x);
    HP_FREE(L->y);
    HP_FREE(L->z);
  }
  HP_FREE(H->inverse);
  HP_FREE(H->program);
  H->passes = 0;
}

int64_t hp_amg_cycle_bytes(const hp_amg *H, int l) {
  const hp_amg_level *L = &H->level[l];
  const hp_gh *G = L->finest.A;
  const int64_t n = L->A->nrow;
  const int vectors = 1 + (L->y != NULL) + (L->b != NULL ? 2 : 0);
  int64_t bytes = rows_bytes(H, &L->a) + rows_bytes(H, &L->p) + rows_bytes(H, &L->r) + hp_amg_smooth_bytes(&H->opt, L) +
                  vectors * real_bytes(H) * (n + L->ghosts);
  if (L->finest.copied) bytes += real_bytes(H) * (HP_GH_DIAGS * G->ld + 2 * G->wells.nperf + G->wells.nwell);
  if (l == 0) bytes += H->passes * (int64_t)sizeof *H->program;
  return l + 1 == H->nlevel && H->inverse != NULL ? bytes + n * n * (int64_t)sizeof *H->inverse : bytes;
}

void hp_amg_set_gh(hp_amg *H, const hp_gh *G) { H->gh = G; }
