/* Rows of a level for one type HP_REAL of numbers (amg/rows/rows.inl.h includes this file for double and for float). */
#include "amg/rows/eight.inl.h"
#include "amg/rows/form.inl.h"

#ifndef HP_REAL
#define HP_REAL double
#define HP_AMG_NAME(name) name##_double
#endif

#if !defined(__CUDA_ARCH__)
/* ---- a CPU ---- */

/* Sum and the products of the entries begin .. end - 1, one in `step`. */
HP_INLINE_ALWAYS HP_REAL HP_AMG_NAME(hp_amg_rows_sum)(const hp_amg_rows *A, int64_t begin, int64_t end, int64_t step,
                                                      const HP_REAL *x, HP_REAL sum) {
  for (int64_t e = begin; e < end; e += step) sum += ((const HP_REAL *)A->value)[e] * x[A->column[e]];
  return sum;
}

/* Row i of A x, summed in the order of its entries; rows are stored in their order. */
HP_INLINE HP_REAL HP_AMG_NAME(hp_amg_rows_dot)(const hp_amg_rows *A, int64_t i, const HP_REAL *x) {
  const int64_t step = INT64_C(1) << A->shift, slice = i >> A->shift;
  HP_REAL sum = 0;
  if (A->width > 0) sum = HP_AMG_NAME(hp_amg_rows_sum)(A, i, (int64_t)A->width * A->nrow, A->nrow, x, sum);
  return HP_AMG_NAME(hp_amg_rows_sum)(A, A->begin[slice] + (i & (step - 1)), A->begin[slice + 1], step, x, sum);
}

/* The row of well w. */
HP_INLINE HP_REAL HP_AMG_NAME(hp_amg_finest_well)(const hp_amg_finest *F, int w, const HP_REAL *x) {
  const hp_gh_wells *W = &F->A->wells;
  const HP_REAL *value = (const HP_REAL *)F->w;
  const int64_t i = F->A->rows + w;
  HP_REAL sum = ((const HP_REAL *)F->dd)[w] * x[i];
  for (int r = W->run_begin[w]; r < W->run_begin[w + 1]; ++r)
    for (int32_t n = 0; n < W->c[r]; ++n) sum += value[W->a[r] + n] * x[W->b[r] + n];
  return sum;
}

/* The same as hp_amg_rows_dot of the finest level as a GH matrix. Where a neighbour is beyond the grid's border the
 * stencil meets another cell, with a zero; skip_zeros: zeros are skipped, and what they would multiply is not read. */
HP_INLINE HP_REAL HP_AMG_NAME(hp_amg_finest_dot)(const hp_amg_finest *F, int64_t i, const HP_REAL *x, bool skip_zeros) {
  const hp_gh_wells *W = &F->A->wells;
  const int64_t ncell = F->A->ncell;
  if (i >= ncell) return HP_AMG_NAME(hp_amg_finest_well)(F, (int)(i - ncell), x);
  const HP_REAL *h = (const HP_REAL *)F->h, *wt = (const HP_REAL *)F->wt;
  HP_REAL sum = 0;
  for (int u = 0; u < HP_GH_DIAGS; ++u) {
    const int64_t m = i + F->offset[u];
    if (m < 0 || m >= ncell) continue;
    const HP_REAL a = h[u * F->A->ld + i];
    if (!skip_zeros || a != 0) sum += a * x[m];
  }
  if (W->nrun == 0) return sum;
  for (int r = W->d[hp_divide((uint32_t)i, F->by_nz)]; r >= 0; r = W->next[r]) {
    const int64_t n = i - W->b[r], m = ncell + W->of[r];
    if (n >= 0 && n < W->c[r]) sum += wt[W->a[r] + n] * x[m];
  }
  return sum;
}

/* Row i of the level's A x. */
HP_INLINE HP_REAL HP_AMG_NAME(hp_amg_dot)(const hp_amg_level *L, int64_t i, const HP_REAL *x) {
  return L->finest.A != NULL ? HP_AMG_NAME(hp_amg_finest_dot)(&L->finest, i, x, false)
                             : HP_AMG_NAME(hp_amg_rows_dot)(&L->a, i, x);
}

/* The same, while other members may write entries of x on which row i does not depend. */
HP_INLINE HP_REAL HP_AMG_NAME(hp_amg_dot_nonzeros)(const hp_amg_level *L, int64_t i, const HP_REAL *x) {
  return L->finest.A != NULL ? HP_AMG_NAME(hp_amg_finest_dot)(&L->finest, i, x, true)
                             : HP_AMG_NAME(hp_amg_rows_dot)(&L->a, i, x);
}

/* The products of the eight rows of a slice with x; every row keeps its order of sums. */
HP_INLINE void HP_AMG_NAME(hp_amg_slice_dot)(const hp_amg_rows *A, int64_t slice, const HP_REAL *x, HP_REAL *sum) {
  const HP_REAL *value = (const HP_REAL *)A->value;
  const int32_t *column = A->column;
  HP_AMG_NAME(hp_eight) total = HP_AMG_NAME(hp_eight_zero)();
  const int64_t end = A->begin[slice + 1];
  for (int64_t e = A->begin[slice]; e < end; e += HP_AMG_SLICE)
    total = HP_AMG_NAME(hp_eight_add)(total, HP_AMG_NAME(hp_eight_mul)(HP_AMG_NAME(hp_eight_load)(value + e),
                                                                       HP_AMG_NAME(hp_eight_gather)(x, column + e)));
  HP_AMG_NAME(hp_eight_store)(sum, total);
}

/* Rows begin..end-1 of a pass, slice by slice; kind = form.kind is a constant where the caller writes one. */
HP_INLINE_ALWAYS void HP_AMG_NAME(hp_amg_pass_slices)(const hp_amg_rows *A, int kind, const HP_REAL *x,
                                                      HP_AMG_NAME(hp_amg_form) form, int64_t begin, int64_t end) {
  form.kind = kind;
  for (int64_t i = begin, to; i < end; i = to) {
    HP_REAL sum[HP_AMG_SLICE];
    const int64_t first = i / HP_AMG_SLICE * HP_AMG_SLICE;
    HP_AMG_NAME(hp_amg_slice_dot)(A, i / HP_AMG_SLICE, x, sum);
    to = first + HP_AMG_SLICE < end ? first + HP_AMG_SLICE : end;
    for (int64_t row = i; row < to; ++row)
      form.out[row] = HP_AMG_NAME(hp_amg_formed)(&form, HP_AMG_NAME(hp_amg_load_operands)(&form, row),
                                                 sum[row - first]);
  }
}

/* The products of eight rows of HEC from row `first` on; every row keeps its order of sums. */
HP_INLINE void HP_AMG_NAME(hp_amg_hec_dot)(const hp_amg_rows *A, int64_t first, const HP_REAL *x, HP_REAL *sum) {
  HP_AMG_NAME(hp_eight) total = HP_AMG_NAME(hp_eight_zero)();
  int64_t e = first;
  for (int32_t k = 0; k < A->width; ++k, e += A->nrow)
    total = HP_AMG_NAME(hp_eight_add)(
        total, HP_AMG_NAME(hp_eight_mul)(HP_AMG_NAME(hp_eight_load)((const HP_REAL *)A->value + e),
                                         HP_AMG_NAME(hp_eight_gather)(x, A->column + e)));
  HP_AMG_NAME(hp_eight_store)(sum, total);
  for (int l = 0; l < HP_AMG_SLICE; ++l)
    sum[l] = HP_AMG_NAME(hp_amg_rows_sum)(A, A->begin[first + l], A->begin[first + l + 1], 1, x, sum[l]);
}

/* The same, row after row. */
HP_INLINE_ALWAYS void HP_AMG_NAME(hp_amg_pass_rows)(const hp_amg_rows *A, int kind, const HP_REAL *x,
                                                    HP_AMG_NAME(hp_amg_form) form, int64_t begin, int64_t end) {
  form.kind = kind;
  for (int64_t i = begin; i < end; ++i) {
    const HP_AMG_NAME(hp_amg_operands) r = HP_AMG_NAME(hp_amg_load_operands)(&form, i);
    form.out[i] = HP_AMG_NAME(hp_amg_formed)(&form, r, HP_AMG_NAME(hp_amg_rows_dot)(A, i, x));
  }
}

/* The same of HEC. */
HP_INLINE_ALWAYS void HP_AMG_NAME(hp_amg_pass_hec)(const hp_amg_rows *A, int kind, const HP_REAL *x,
                                                   HP_AMG_NAME(hp_amg_form) form, int64_t begin, int64_t end) {
  int64_t i = begin;
  form.kind = kind;
  for (; i + HP_AMG_SLICE <= end; i += HP_AMG_SLICE) {
    HP_REAL sum[HP_AMG_SLICE];
    HP_AMG_NAME(hp_amg_hec_dot)(A, i, x, sum);
    for (int l = 0; l < HP_AMG_SLICE; ++l)
      form.out[i + l] = HP_AMG_NAME(hp_amg_formed)(&form, HP_AMG_NAME(hp_amg_load_operands)(&form, i + l), sum[l]);
  }
  HP_AMG_NAME(hp_amg_pass_rows)(A, kind, x, form, i, end);
}

HP_INLINE_ALWAYS void HP_AMG_NAME(hp_amg_pass_finest)(const hp_amg_finest *F, int kind, const HP_REAL *x,
                                                      HP_AMG_NAME(hp_amg_form) form, int64_t begin, int64_t end) {
  form.kind = kind;
  for (int64_t i = begin; i < end; ++i) {
    const HP_AMG_NAME(hp_amg_operands) r = HP_AMG_NAME(hp_amg_load_operands)(&form, i);
    form.out[i] = HP_AMG_NAME(hp_amg_formed)(&form, r, HP_AMG_NAME(hp_amg_finest_dot)(F, i, x, false));
  }
}

/* Over A's rows, or F's. */
HP_INLINE_ALWAYS void HP_AMG_NAME(hp_amg_pass_span)(const hp_amg_rows *A, const hp_amg_finest *F, int kind,
                                                    const HP_REAL *x, HP_AMG_NAME(hp_amg_form) form, int64_t begin,
                                                    int64_t end) {
  if (F != NULL) HP_AMG_NAME(hp_amg_pass_finest)(F, kind, x, form, begin, end);
  else if (1 << A->shift == HP_AMG_SLICE) HP_AMG_NAME(hp_amg_pass_slices)(A, kind, x, form, begin, end);
  else if (A->width > 0) HP_AMG_NAME(hp_amg_pass_hec)(A, kind, x, form, begin, end);
  else HP_AMG_NAME(hp_amg_pass_rows)(A, kind, x, form, begin, end);
}

/* A pass over the n rows of A, or of F if that is not NULL: the products with x, stored as `form` says. */
HP_INLINE void HP_AMG_NAME(hp_amg_pass_over)(hp_team *t, const hp_amg_rows *A, const hp_amg_finest *F, int64_t n,
                                             const HP_REAL *x, HP_AMG_NAME(hp_amg_form) form) {
  const hp_span m = hp_team_span(t, n, 0);
  switch (form.kind) {
    case HP_AMG_FORM_PRODUCT: HP_AMG_NAME(hp_amg_pass_span)(A, F, HP_AMG_FORM_PRODUCT, x, form, m.begin, m.end); return;
    case HP_AMG_FORM_RESIDUAL:
      HP_AMG_NAME(hp_amg_pass_span)(A, F, HP_AMG_FORM_RESIDUAL, x, form, m.begin, m.end);
      return;
    case HP_AMG_FORM_CORRECT: HP_AMG_NAME(hp_amg_pass_span)(A, F, HP_AMG_FORM_CORRECT, x, form, m.begin, m.end); return;
    case HP_AMG_FORM_STEP: HP_AMG_NAME(hp_amg_pass_span)(A, F, HP_AMG_FORM_STEP, x, form, m.begin, m.end); return;
    default: HP_AMG_NAME(hp_amg_pass_span)(A, F, form.kind, x, form, m.begin, m.end); return;
  }
}
#endif

/* A pass over the rows of a level's A, for the computation of a level's values; cycles have a list of passes. */
HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_level_pass)(hp_team *t, const hp_amg_level *L, const HP_REAL *x,
                                                    HP_AMG_NAME(hp_amg_form) form) {
#if defined(__CUDA_ARCH__)
  if (L->finest.A == NULL) hp_amg_rows_pass_cuda<HP_REAL>(t, &L->a, NULL, x, form);
  else hp_amg_finest_pass_cuda<HP_REAL>(t, &L->finest, NULL, x, form);
#else
  HP_AMG_NAME(hp_amg_pass_over)(t, &L->a, L->finest.A != NULL ? &L->finest : NULL, L->nrow, x, form);
#endif
}

#if defined(__CUDA_ARCH__)
/* hp_amg_rows_fill on a GPU, one warp per slice, so that its lanes read and write neighbouring numbers. */
static __device__ __forceinline__ void HP_AMG_NAME(hp_amg_slices_fill_cuda)(hp_team *t, const hp_csr *from,
                                                                            const hp_amg_rows *to) {
  enum { TOGETHER = 4 };
  const int lane = t->rank & 31, share = 1 << to->lanes;
  const hp_team_share part = hp_team_share_of(t, (from->nrow + (1 << to->shift) - 1) >> to->shift, from->nrow, true);
  for (int64_t slice = part.begin + (part.rank >> 5); slice < part.end; slice += part.size >> 5) {
    const int64_t p = (slice << to->shift) + (lane >> to->lanes);
    uint32_t k = 0, end = 0;
    if (p < from->nrow) {
      const int64_t i = hp_amg_row_at(to, p);
      k = from->begin[i] + (lane & (share - 1));
      end = from->begin[i + 1];
    }
    HP_REAL *out = (HP_REAL *)to->value + to->begin[slice] + lane;
    for (; k < end; k += TOGETHER * share, out += TOGETHER * 32) {
      double v[TOGETHER];
#pragma unroll
      for (int n = 0; n < TOGETHER; ++n)
        if (k + n * share < end) v[n] = from->value[k + n * share];
#pragma unroll
      for (int n = 0; n < TOGETHER; ++n)
        if (k + n * share < end) out[n * 32] = (HP_REAL)v[n];
    }
  }
}
#endif

/* Copies the values of the member's rows from `from` to `to`; does nothing where both share their arrays. */
HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_rows_fill)(hp_team *t, const hp_csr *from, const hp_amg_rows *to) {
  if (to->shared || to->begin == NULL || to->value == NULL) return;
#if defined(__CUDA_ARCH__)
  if (hp_amg_is_sliced(to)) {
    HP_AMG_NAME(hp_amg_slices_fill_cuda)(t, from, to);
    return;
  }
#endif
  HP_REAL *value = (HP_REAL *)to->value;
#if defined(__CUDA_ARCH__)
  if (to->width == 0) { /* csr: neighbouring threads copy neighbouring numbers */
    HP_TEAM_FOR(t, e, from->begin[from->nrow]) value[e] = (HP_REAL)from->value[e];
    return;
  }
#endif
  HP_TEAM_FOR(t, p, from->nrow) {
    const int64_t i = hp_amg_row_at(to, p);
    for (int64_t k = from->begin[i]; k < from->begin[i + 1]; ++k)
      value[hp_amg_place(to, p, (int32_t)(k - from->begin[i]))] = (HP_REAL)from->value[k];
  }
}

HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_finest_fill)(hp_team *t, const hp_amg_finest *F) {
  const hp_gh_plain *A = F->A;
  if (!F->copied) return;
  if (A->h != NULL) HP_TEAM_FOR(t, i, HP_GH_DIAGS * A->ld)((HP_REAL *)F->h)[i] = (HP_REAL)A->h[i];
  HP_TEAM_FOR(t, i, A->wells.nperf) {
    ((HP_REAL *)F->w)[i] = (HP_REAL)A->wells.w[i];
    ((HP_REAL *)F->wt)[i] = (HP_REAL)A->wells.wt[i];
  }
  HP_TEAM_FOR(t, i, A->wells.nwell)((HP_REAL *)F->dd)[i] = (HP_REAL)A->wells.dd[i];
  HP_TEAM_FOR(t, i, A->links.count)((HP_REAL *)F->link)[i] = (HP_REAL)A->link[i];
}
