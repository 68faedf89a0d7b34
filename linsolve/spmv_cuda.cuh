/* Products with a GH matrix on a GPU: the bodies of linsolve/spmv.inl.h for
 * device code, with the same order of operations and so the same bits.
 *
 * A thread has the rows 2l and 2l+1 of every 64 of its warp's chunks: for an even
 * q both belong to one cell. The matrix is read once and past the level 1
 * cache, 16 bytes at a time; x stays in the caches. Perforations are listed by chunk (hp_gh_wells), so that a
 * chunk without wells asks one question. A well's row is a warp's work.
 */
#ifndef HP_LINSOLVE_SPMV_CUDA_CUH
#define HP_LINSOLVE_SPMV_CUDA_CUH

/* Two numbers of the matrix, 16-byte aligned: constant during a kernel, used once. */
static __device__ __forceinline__ double2 hp_load_matrix(const double *p) {
  double2 v;
  asm("ld.global.nc.L1::no_allocate.v2.f64 {%0, %1}, [%2];" : "=d"(v.x), "=d"(v.y) : "l"(p));
  return v;
}

static __device__ __forceinline__ double2 hp_load_pair(const double *p) { return *(const double2 *)(const void *)p; }
static __device__ __forceinline__ void hp_store_pair(double *p, double2 v) { *(double2 *)(void *)p = v; }

/* Warps of the grid, numbered so that neighbours stand on different multiprocessors. */
static __device__ __forceinline__ int hp_warp_of_grid() { return (int)((threadIdx.x >> 5) * gridDim.x + blockIdx.x); }
static __device__ __forceinline__ int hp_warps_of_grid() { return (int)((blockDim.x >> 5) * gridDim.x); }

/* hp_gh_well_dot by a warp; every lane gets the sum. */
static __device__ __noinline__ double hp_gh_well_dot_cuda(const hp_team *t, const hp_gh *A, int w, const double *value,
                                                          const double *x) {
  const hp_gh_wells *W = &A->wells;
  const int q = A->q;
  double sum = 0.0;
  int64_t begin = 0; /* entries of the runs before */
  for (int r = W->run_begin[w]; r < W->run_begin[w + 1]; ++r) {
    const double *v = value + W->a[r] * q, *xr = x + W->b[r] * q;
    const int64_t count = (int64_t)W->c[r] * q;
#pragma unroll 4
    for (int64_t n = (t->lane - begin) & (HP_WELL_LANES - 1); n < count; n += HP_WELL_LANES) sum += v[n] * xr[n];
    begin += count;
  }
#pragma unroll
  for (int apart = HP_WELL_LANES / 2; apart > 0; apart >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, apart);
  return __shfl_sync(0xffffffffu, sum, 0);
}

/* Adds sign * value x_w of the listed perforations *e .. end-1 in the cells whose rows lie below `limit` to the
 * thread's rows i and i+1; the list is sorted by cell. The same for all lanes but for i. */
static __device__ __forceinline__ void hp_gh_listed_cuda(const hp_gh *A, int *e, int end, int64_t limit, int64_t i,
                                                         const double *value, double sign, const double *x,
                                                         double sum[2]) {
  const hp_gh_wells *W = &A->wells;
  for (int n = *e; n < end; ++n) {
    const int64_t row = W->chunk_cell[n] * A->q;
    if (row >= limit) break;
    const int64_t at = W->chunk_slot[n] * A->q;
    const double xw = sign * x[A->ld + W->chunk_well[n]];
    for (int j = 0; j < 2; ++j)
      if (i + j >= row && i + j < row + A->q) sum[j] += value[at + (i + j - row)] * xw;
    if (row + A->q <= limit) *e = n + 1; /* all its rows are done */
  }
}

/* Rows of the cells in one chunk for q = 2: a cell a thread. */
static __device__ __forceinline__ void hp_gh_chunk_pairs_cuda(const hp_team *t, const hp_gh *A, int64_t begin,
                                                              int64_t end, const double *x, const double *b,
                                                              double *y, int e, int listed) {
  const int64_t shift_j = 2 * (int64_t)A->nz, shift_i = shift_j * A->ny, ld = A->ld, ld2 = 2 * ld;
  const bool has_k = A->nz > 1, has_j = A->ny > 1, has_i = A->nx > 1;
  for (int64_t from = begin; from < end; from += HP_LANES) {
    const int64_t i = from + 2 * t->lane;
    const bool mine = i < end;
    double sum[2] = {0.0, 0.0};
    if (mine) {
      const int64_t shift[7] = {-shift_i, -shift_j, -2, 0, 2, shift_j, shift_i};
      const bool has[7] = {has_i && i >= shift_i, has_j && i >= shift_j, has_k && i >= 2, true,
                           has_k && i + 2 < ld, has_j && i + shift_j < ld, has_i && i + shift_i < ld};
      double2 h0[7], h1[7], v[7];
#pragma unroll
      for (int u = 0; u < 7; ++u)
        if (has[u]) {
          h0[u] = hp_load_matrix(A->h + u * ld2 + i);
          h1[u] = hp_load_matrix(A->h + u * ld2 + ld + i);
          v[u] = hp_load_pair(x + i + shift[u]);
        }
#pragma unroll
      for (int u = 0; u < 7; ++u)
        if (has[u]) {
          sum[0] += h0[u].x * v[u].x;
          sum[1] += h0[u].y * v[u].x;
          sum[0] += h1[u].x * v[u].y;
          sum[1] += h1[u].y * v[u].y;
        }
    }
    double2 out = make_double2(sum[0], sum[1]);
    if (b != NULL && mine) {
      const double2 right = hp_load_pair(b + i);
      out = make_double2(right.x - sum[0], right.y - sum[1]);
    }
    if (e < listed) {
      double wells[2] = {out.x, out.y};
      hp_gh_listed_cuda(A, &e, listed, from + HP_LANES < end ? from + HP_LANES : end, mine ? i : -2, A->wells.wt,
                        b != NULL ? -1.0 : 1.0, x, wells);
      out = make_double2(wells[0], wells[1]);
    }
    if (mine) hp_store_pair(y + i, out);
  }
}

/* The same for any q: two rows a thread, of one cell or of two. */
static __device__ __noinline__ void hp_gh_chunk_rows_cuda(const hp_team *t, const hp_gh *A, int64_t begin, int64_t end,
                                                          const double *x, const double *b, double *y, int e,
                                                          int listed) {
  const hp_gh_stencil s = hp_gh_stencil_of(A);
  const int q = A->q;
  for (int64_t from = begin; from < end; from += HP_LANES) {
    const int64_t i = from + 2 * t->lane;
    double out[2] = {0.0, 0.0};
    for (int j = 0; j < 2; ++j) {
      if (i + j >= end) continue;
      const int64_t m = (i + j) / q;
      double sum = 0.0;
      for (int d = 0; d < s.count; ++d) {
        const int64_t n = m + s.shift[d];
        if (n < 0 || n >= A->ncell) continue;
        const double *h = A->h + (int64_t)(s.u[d] + 3) * q * A->ld + i + j;
#pragma unroll 4
        for (int c = 0; c < q; ++c) sum += h[c * A->ld] * x[n * q + c];
      }
      out[j] = b != NULL ? b[i + j] - sum : sum;
    }
    if (e < listed)
      hp_gh_listed_cuda(A, &e, listed, from + HP_LANES < end ? from + HP_LANES : end, i < end ? i : -2, A->wells.wt,
                        b != NULL ? -1.0 : 1.0, x, out);
    for (int j = 0; j < 2; ++j)
      if (i + j < end) y[i + j] = out[j];
  }
}

/* Rows of the wells ld .. of one chunk. */
static __device__ __noinline__ void hp_gh_chunk_wells_cuda(const hp_team *t, const hp_gh *A, int64_t begin,
                                                           int64_t end, const double *value, const double *x,
                                                           const double *b, double *y) {
  for (int64_t i = begin; i < end; ++i) {
    const int w = (int)(i - A->ld);
    const double dot = hp_gh_well_dot_cuda(t, A, w, value, x), sum = dot + A->wells.dd[w] * x[i];
    if (t->lane == (int)((i - begin) % HP_LANES) / 2) y[i] = b != NULL ? b[i] - sum : sum;
  }
}

/* The chunks of a warp; of its own, so that a kernel with several products holds the text once. */
static __device__ __noinline__ void hp_gh_product_phase_cuda(const hp_gh *A, const double *b, const double *x, double *y,
                                                             int chunk, int chunk_step) {
  hp_team t;
  t.lane = threadIdx.x & 31;
  hp_team_split(&t, A->ld, A->n);
  const hp_cut cut = hp_team_cut(&t, A->n);
  for (int c = chunk; c < cut.chunks; c += chunk_step) {
    const int64_t begin = hp_cut_begin(&cut, c), end = hp_cut_end(&cut, c);
    if (c >= cut.first) {
      hp_gh_chunk_wells_cuda(&t, A, begin, end, A->wells.w, x, b, y);
      continue;
    }
    const int e = A->wells.chunk_begin[c], listed = A->wells.chunk_begin[c + 1];
    if (A->q == 2)
      hp_gh_chunk_pairs_cuda(&t, A, begin, end, x, b, y, e, listed);
    else
      hp_gh_chunk_rows_cuda(&t, A, begin, end, x, b, y, e, listed);
  }
}

/* y = A x, or b - A x if b is not NULL. */
static __device__ __forceinline__ void hp_gh_product_cuda(hp_team *t, const hp_gh *A, const double *b, const double *x,
                                                          double *y) {
  hp_team_split(t, A->ld, A->n);
  hp_gh_product_phase_cuda(A, b, x, y, t->chunk, t->chunk_step);
}

/* y = A^T x */
static __device__ __noinline__ void hp_gh_transposed_cuda(hp_team *t, const hp_gh *A, const double *x, double *y) {
  hp_team_split(t, A->ld, A->n);
  const hp_gh_stencil s = hp_gh_stencil_of(A);
  const hp_cut cut = hp_team_cut(t, A->n);
  for (int c = t->chunk; c < cut.chunks; c += t->chunk_step) {
    const int64_t begin = hp_cut_begin(&cut, c), end = hp_cut_end(&cut, c);
    if (c >= cut.first) {
      hp_gh_chunk_wells_cuda(t, A, begin, end, A->wells.wt, x, NULL, y);
      continue;
    }
    int e = A->wells.chunk_begin[c];
    const int listed = A->wells.chunk_begin[c + 1];
    for (int64_t from = begin; from < end; from += HP_LANES) {
      const int64_t i = from + 2 * t->lane;
      double out[2] = {0.0, 0.0};
      for (int j = 0; j < 2; ++j)
        if (i + j < end) out[j] = hp_gh_transposed_row(A, &s, (i + j) / A->q, (int)((i + j) % A->q), x);
      if (e < listed)
        hp_gh_listed_cuda(A, &e, listed, from + HP_LANES < end ? from + HP_LANES : end, i < end ? i : -2, A->wells.w,
                          1.0, x, out);
      for (int j = 0; j < 2; ++j)
        if (i + j < end) y[i + j] = out[j];
    }
  }
}

#endif
