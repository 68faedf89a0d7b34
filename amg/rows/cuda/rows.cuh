/* Rows of a level on a GPU: the bodies of amg/rows/rows_real.inl.h for device code.
 *
 * In slices: 2^lanes neighbouring threads of a warp process a row, and a slice has 32 / 2^lanes rows, so that a warp
 * reads 32 numbers of a slice at a time:
 *
 *     lanes = 2, shift = 3:    a0 a1 a2 a3 b0 b1 b2 b3 ... h3 | a4 a5 a6 a7 b4 ...
 *
 * where a .. h are the rows of 256 that come next by length.
 *
 * Many warps with a few loads in flight each hide latency; matrices are read once and evicted first from the caches.
 */
#ifndef HP_AMG_ROWS_CUDA_ROWS_CUH
#define HP_AMG_ROWS_CUDA_ROWS_CUH

#if defined(__CUDA_ARCH__)

template <class REAL>
struct hp_amg_of;
template <>
struct hp_amg_of<float> {
  typedef hp_amg_form_float form;
  typedef hp_amg_operands_float operands;
  static __device__ __forceinline__ operands load(const form *f, int64_t i) { return hp_amg_load_operands_float(f, i); }
  static __device__ __forceinline__ float formed(const form *f, operands r, float p) {
    return hp_amg_formed_float(f, r, p);
  }
};
template <>
struct hp_amg_of<double> {
  typedef hp_amg_form_double form;
  typedef hp_amg_operands_double operands;
  static __device__ __forceinline__ operands load(const form *f, int64_t i) {
    return hp_amg_load_operands_double(f, i);
  }
  static __device__ __forceinline__ double formed(const form *f, operands r, double p) {
    return hp_amg_formed_double(f, r, p);
  }
};

enum { HP_AMG_FORM_ANY = -1 };

/* A form whose kind the compiler knows. */
template <int KIND, class FORM>
static __device__ __forceinline__ FORM hp_amg_form_cuda(FORM form) {
  if (KIND != HP_AMG_FORM_ANY) form.kind = KIND;
  return form;
}

/* Entries of a row that a lane has in flight together: more where a single lane processes a row, in kernels that have
 * the registers (DEEP); half as many for double. */
template <class REAL, int LANES, bool DEEP>
struct hp_amg_batch {
  enum { OF_FLOATS = LANES == 0 && DEEP ? 8 : 4, COUNT = sizeof(REAL) == 4 ? OF_FLOATS : OF_FLOATS / 2 };
  int32_t j[COUNT];
  REAL a[COUNT];
  __device__ __forceinline__ void load(const hp_amg_rows *A, uint32_t e, uint32_t end) {
    const int32_t *column = A->column + e;
    const REAL *value = (const REAL *)A->value + e;
    const int left = (int)(end - e);
#pragma unroll
    for (int k = 0; k < COUNT; ++k) {
      j[k] = 0;
      a[k] = 0;
      if (32 * k < left) {
        j[k] = __ldcs(column + 32 * k);
        a[k] = __ldcs(value + 32 * k);
      }
    }
  }
};

/* Slices of rows that 2^LANES threads share, one slice per warp at a time. While x of one batch of entries is loaded, the
 * next batch is in flight, if necessary that of the next slice: else every batch would wait for memory twice. */
template <int LANES, int KIND, bool SCALED, class REAL, bool DEEP = false>
static __device__ __forceinline__ void hp_amg_slices_cuda(const hp_team *t, const hp_amg_rows *A, const REAL *s,
                                                          const REAL *x, const typename hp_amg_of<REAL>::form &given) {
  typedef hp_amg_batch<REAL, LANES, DEEP> batch;
  enum { WARP = 32, ROWS = WARP >> LANES, COUNT = batch::COUNT };
  const typename hp_amg_of<REAL>::form form = hp_amg_form_cuda<KIND>(given);
  const int n = A->nrow;
  const hp_team_share part = hp_team_share_of(t, (n + ROWS - 1) / ROWS, n, true);
  const int lane = threadIdx.x & 31, warps = part.size / WARP, slices = (int)part.end;
  const uint32_t *begin = A->begin;
  const bool scaled = KIND == HP_AMG_FORM_ANY ? s != NULL : SCALED;
  const bool first = (lane & ((1 << LANES) - 1)) == 0;
  const auto row_of = [&](int slice) { return (int)hp_amg_row_at(A, slice * ROWS + (lane >> LANES)); };
  /* a block processes consecutive slices, whose rows are in the same windows, where there are enough slices for all */
  const int warp = (int)(threadIdx.x >> 5);
  const bool few = part.end - part.begin < warps;
  int w = (int)part.begin + (few ? part.rank / WARP : (int)(blockIdx.x * (blockDim.x >> 5)) + warp);
  if (w >= slices) return;
  uint32_t e = begin[w] + lane, end = begin[w + 1], from = 0, to = 0;
  int following = n; /* of the next slice, read early: its entries, the lane's row */
  batch now;
  now.load(A, e, end);
  if (w + warps < slices) {
    from = begin[w + warps];
    to = begin[w + warps + 1];
    following = row_of(w + warps);
  }
  typename hp_amg_of<REAL>::operands row = {0, 0, 0, 0};
  int i = row_of(w);
  if (first && i < n) row = hp_amg_of<REAL>::load(&form, i);
  REAL sum = 0;
  while (w < slices) {
    const bool last = e - lane + COUNT * WARP >= end;
    uint32_t next_e = e + COUNT * WARP, next_end = end;
    int next_w = w, next_i = i;
    if (last) {
      next_i = following;
      following = n;
      next_w = w + warps;
      next_e = from + lane;
      next_end = to;
      if (next_w + warps < slices) {
        from = begin[next_w + warps];
        to = begin[next_w + warps + 1];
        following = row_of(next_w + warps);
      }
    }
    batch next;
    if (next_w >= slices) next_end = next_e; /* nothing */
    next.load(A, next_e, next_end);
    REAL v[COUNT];
    const int left = (int)(end - e);
#pragma unroll
    for (int k = 0; k < COUNT; ++k) {
      v[k] = 0;
      if (k * WARP < left) {
        v[k] = x[now.j[k]];
        if (scaled) v[k] *= s[now.j[k]];
      }
    }
#pragma unroll
    for (int k = 0; k < COUNT; ++k) sum += now.a[k] * v[k];
    if (last) {
#pragma unroll
      for (int apart = 1; apart < 1 << LANES; apart <<= 1) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
      if (first && i < n) form.out[i] = hp_amg_of<REAL>::formed(&form, row, sum);
      i = next_i;
      if (first && i < n) row = hp_amg_of<REAL>::load(&form, i);
      sum = 0;
    }
    now = next;
    w = next_w;
    e = next_e;
    end = next_end;
  }
}

#include "amg/rows/cuda/plain.cuh"

/* The stencil's part of row i of the finest level. */
template <class REAL>
static __device__ __forceinline__ REAL hp_amg_stencil_cuda(const hp_amg_finest *F, int64_t i, const REAL *h,
                                                           const REAL *s, const REAL *x) {
  const int n = (int)F->A->ncell, row = (int)i;
  const int64_t ld = F->A->ld;
  REAL a[HP_GH_DIAGS], v[HP_GH_DIAGS], sum = 0;
#pragma unroll
  for (int u = 0; u < HP_GH_DIAGS; ++u) {
    const int m = row + (int)F->offset[u];
    a[u] = v[u] = 0;
    if (m >= 0 && m < n) {
      a[u] = __ldcs(h + u * ld + row);
      v[u] = x[m];
    }
  }
  if (s != NULL) {
#pragma unroll
    for (int u = 0; u < HP_GH_DIAGS; ++u) {
      const int m = row + (int)F->offset[u];
      if (m >= 0 && m < n) v[u] *= s[m];
    }
  }
#pragma unroll
  for (int u = 0; u < HP_GH_DIAGS; ++u) sum += a[u] * v[u];
  return sum;
}

/* The wells' part of row i of a cell of the finest level. */
template <class REAL>
static __device__ __noinline__ REAL hp_amg_border_cuda(const hp_amg_finest *F, int64_t i, const REAL *s,
                                                       const REAL *x) {
  const hp_gh_wells *W = &F->A->wells;
  const REAL *wt = (const REAL *)F->wt;
  REAL sum = 0;
  for (int r = W->d[hp_divide((uint32_t)i, F->by_nz)]; r >= 0; r = W->next[r]) {
    const int64_t n = i - W->b[r], m = F->A->ncell + W->of[r];
    if (n >= 0 && n < W->c[r]) sum += wt[W->a[r] + n] * (s != NULL ? s[m] * x[m] : x[m]);
  }
  return sum;
}

/* The row of well w, by a warp. */
template <class REAL>
static __device__ __noinline__ REAL hp_amg_well_cuda(const hp_amg_finest *F, int w, const REAL *s, const REAL *x) {
  const hp_gh_wells *W = &F->A->wells;
  const REAL *value = (const REAL *)F->w;
  const int64_t i = F->A->rows + w;
  const int lane = threadIdx.x & 31;
  REAL sum = lane == 0 ? ((const REAL *)F->dd)[w] * (s != NULL ? s[i] * x[i] : x[i]) : 0;
  for (int r = W->run_begin[w]; r < W->run_begin[w + 1]; ++r)
    for (int32_t n = lane; n < W->c[r]; n += 32) {
      const int64_t m = W->b[r] + n;
      sum += value[W->a[r] + n] * (s != NULL ? s[m] * x[m] : x[m]);
    }
#pragma unroll
  for (int apart = 16; apart > 0; apart >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
  return sum;
}

/* The connections' part of what a pass has stored for the cells, which is linear in the product: behind the pass, so that
 * it costs levels without connections one test and no registers. A thread has the rows that it has stored. */
template <class REAL>
static __device__ __noinline__ void hp_amg_links_cuda(const hp_team *t, const hp_amg_finest *F, const REAL *s,
                                                      const REAL *x, typename hp_amg_of<REAL>::form form) {
  const hp_links *L = &F->A->links;
  const REAL *value = (const REAL *)F->link;
  const hp_team_share part = hp_team_share_free(t, F->A->ncell);
  const int n = (int)part.end;
  for (int i = (int)part.begin + part.rank; i < n; i += part.size) {
    const int32_t row = L->row_of[i];
    if (row < 0) continue;
    REAL sum = 0;
    for (int64_t e = L->begin[row], end = L->begin[row + 1]; e < end; ++e) {
      const int64_t m = L->other[e];
      sum += value[e] * (s != NULL ? s[m] * x[m] : x[m]);
    }
    if (form.kind == HP_AMG_FORM_RESIDUAL) sum = -sum;
    if (form.kind == HP_AMG_FORM_SCALED_PRODUCT) sum *= form.s[i];
    if (form.kind == HP_AMG_FORM_STEP) sum *= -form.factor * form.s[i];
    form.out[i] += sum;
  }
}

template <int KIND, class REAL>
static __device__ __forceinline__ void hp_amg_finest_kind_cuda(const hp_team *t, const hp_amg_finest *F, const REAL *s,
                                                               const REAL *x,
                                                               const typename hp_amg_of<REAL>::form &given) {
  const typename hp_amg_of<REAL>::form form = hp_amg_form_cuda<KIND>(given);
  const REAL *h = (const REAL *)F->h;
  const hp_team_share part = hp_team_share_free(t, F->A->ncell);
  const int n = (int)F->A->ncell, end = (int)part.end, nwell = F->A->wells.nwell;
  const bool wells = F->A->wells.nrun > 0;
  for (int i = (int)part.begin + part.rank; i < end; i += part.size) {
    const typename hp_amg_of<REAL>::operands row = hp_amg_of<REAL>::load(&form, i);
    REAL sum = hp_amg_stencil_cuda(F, i, h, s, x);
    if (wells) sum += hp_amg_border_cuda(F, i, s, x);
    form.out[i] = hp_amg_of<REAL>::formed(&form, row, sum);
  }
  for (int w = t->rank / 32; w < nwell; w += t->size / 32) {
    const REAL sum = hp_amg_well_cuda(F, w, s, x);
    if ((threadIdx.x & 31) == 0)
      form.out[n + w] = hp_amg_of<REAL>::formed(&form, hp_amg_of<REAL>::load(&form, n + w), sum);
  }
}

/* Any pass, for the programs that compute matrix values; cycles run the list of amg/cycle/program.h. */
template <class REAL>
static __device__ __noinline__ void hp_amg_rows_pass_cuda(const hp_team *t, const hp_amg_rows *A, const REAL *s,
                                                          const REAL *x, typename hp_amg_of<REAL>::form form) {
  if (!hp_amg_is_sliced(A)) {
    hp_amg_plain_pass_cuda<REAL>(t, A, s, x, form);
    return;
  }
  switch (A->lanes) {
    case 0: hp_amg_slices_cuda<0, HP_AMG_FORM_ANY, false, REAL>(t, A, s, x, form); break;
    case 2: hp_amg_slices_cuda<2, HP_AMG_FORM_ANY, false, REAL>(t, A, s, x, form); break;
    case 3: hp_amg_slices_cuda<3, HP_AMG_FORM_ANY, false, REAL>(t, A, s, x, form); break;
    case 5: hp_amg_slices_cuda<5, HP_AMG_FORM_ANY, false, REAL>(t, A, s, x, form); break;
  }
}

template <class REAL>
static __device__ __noinline__ void hp_amg_finest_pass_cuda(const hp_team *t, const hp_amg_finest *F, const REAL *s,
                                                            const REAL *x, typename hp_amg_of<REAL>::form form) {
  hp_amg_finest_kind_cuda<HP_AMG_FORM_ANY, REAL>(t, F, s, x, form);
  if (hp_gh_is_linked(F->A)) hp_amg_links_cuda<REAL>(t, F, s, x, form);
}

/* x = inverse b; the inverse [n][n] by rows, a warp each. */
template <class REAL>
static __device__ __forceinline__ void hp_amg_inverse_cuda(const hp_team *t, const double *inverse, int64_t n,
                                                           const REAL *b, REAL *x) {
  const int lane = threadIdx.x & 31;
  for (int64_t i = t->rank / 32; i < n; i += t->size / 32) {
    double sum = 0.0;
#pragma unroll 4
    for (int64_t j = lane; j < n; j += 32) sum += inverse[i * n + j] * (double)b[j];
#pragma unroll
    for (int apart = 16; apart > 0; apart >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    if (lane == 0) x[i] = (REAL)sum;
  }
}

/* Copies the data of a hierarchy that a kernel reads all the time to shared memory: after a barrier, reads of global
 * memory through a pointer would go to L2 again. All threads of the block call it. */
static __device__ __forceinline__ const hp_amg *hp_amg_on_chip(const hp_amg *H) {
  __shared__ hp_amg here;
  __shared__ hp_gh_plain finest;
  const unsigned words = sizeof(hp_amg) / 4;
  for (unsigned w = threadIdx.x; w < words; w += blockDim.x) ((int *)&here)[w] = ((const int *)H)[w];
  const hp_gh_plain *matrix = H->level[0].finest.A; /* not from `here`: one thread changes it while the others read */
  if (threadIdx.x == 0 && matrix != NULL) finest = *matrix;
  __syncthreads();
  if (threadIdx.x == 0 && matrix != NULL) here.level[0].finest.A = &finest;
  __syncthreads();
  return &here;
}

#else

/* declared for the host pass of the compiler */
static __device__ const hp_amg *hp_amg_on_chip(const hp_amg *H) { return H; }

#endif

#endif
