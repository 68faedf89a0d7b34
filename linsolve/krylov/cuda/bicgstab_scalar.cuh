/* BiCG-Stab on a GPU for one unknown per cell in blocks of many threads: hp_bicgstab with the same order of operations
 * and so the same bits.
 *
 * A preconditioner with small levels runs best with 32 warps per multiprocessor, twice as many as there are chunks of
 * rows. So a pair of warps shares a chunk: warps w and w + (warps of the block) / 2. Of every 64 rows the first has
 * 0 .. 31, the second 32 .. 63, one row per thread. That needs half the registers of two rows per thread
 * (linsolve/krylov/cuda/bicgstab.cuh). The order of a chunk's sum is unchanged: the second warp passes its 16 sums of
 * neighbouring lanes to the first.
 *
 * Fused as there are the dot products with the pass that computes their vector, and the updates of x, r and p; here
 * also the true residual and its norm.
 */
#ifndef HP_LINSOLVE_KRYLOV_CUDA_BICGSTAB_SCALAR_CUH
#define HP_LINSOLVE_KRYLOV_CUDA_BICGSTAB_SCALAR_CUH

#include "linsolve/krylov/bicgstab.inl.h"

#if defined(__CUDA_ARCH__)

enum { HP_WARP_PAIRS = HP_BLOCK_MAX / 64, HP_WARP_PAIR_SUMS = 5 };

/* The chunks of the thread's pair of warps; half: which of the two its warp is. */
struct hp_warp_pair {
  int first, step, slot, half;
};

static __device__ __forceinline__ hp_warp_pair hp_warp_pair_of() {
  const int owners = blockDim.x >> 6, warp = threadIdx.x >> 5, owner = warp & (owners - 1);
  hp_warp_pair h;
  h.first = ((owner / HP_GROUP) * (int)gridDim.x + (int)blockIdx.x) * HP_GROUP + owner % HP_GROUP;
  h.step = (int)gridDim.x * owners;
  h.slot = owner;
  h.half = warp / owners;
  return h;
}

/* The second warps' sums of neighbouring lanes, [pair][sum][16]. */
static __device__ __forceinline__ double *hp_warp_pair_second_sums() {
  __shared__ double second[HP_WARP_PAIRS * HP_WARP_PAIR_SUMS * 16];
  return second;
}

/* The chunk's sums from the accumulators of both warps, in the order of hp_sum_lanes. All threads of the block call
 * this; `here`: the warp has a chunk. */
template <int COUNT>
static __device__ __forceinline__ void hp_warp_pair_sum(hp_warp_pair h, int slot, bool here,
                                                        const double (&acc)[COUNT]) {
  double *second = hp_warp_pair_second_sums() + h.slot * HP_WARP_PAIR_SUMS * 16;
  const int lane = threadIdx.x & 31;
  double v[COUNT];
#pragma unroll
  for (int k = 0; k < COUNT; ++k) {
    v[k] = acc[k] + __shfl_xor_sync(0xffffffffu, acc[k], 1);
    if (h.half == 1 && (lane & 1) == 0) second[16 * k + (lane >> 1)] = v[k];
  }
  __syncthreads();
  if (h.half == 0 && here) {
#pragma unroll
    for (int k = 0; k < COUNT; ++k) {
      double sum = __shfl_sync(0xffffffffu, v[k], (2 * lane) & 31);
      if (lane >= 16) sum = second[16 * k + lane - 16];
#pragma unroll
      for (int apart = 16; apart > 0; apart >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, apart);
      if (lane == 0) hp_shared_chunks()[slot * HP_SUMS_MAX + k] = sum;
    }
  }
  __syncthreads();
}

/* A pass over the thread's rows. P: a class with load(i) and store(i); the loads of BATCH rows are in flight together.
 * hp_team_sum then collects the COUNT sums, if any. */
template <int BATCH, int COUNT, class P>
static __device__ __forceinline__ void hp_warp_pair_rows(hp_team *t, const hp_gh *A, const P &pass) {
  const hp_cut cut = hp_team_cut(t, A->n);
  const hp_warp_pair h = hp_warp_pair_of();
  if (COUNT > 0) hp_team_reduce_start(t, A->n, COUNT);
  for (int c = 0, round = 0; c < cut.chunks; c += h.step, ++round) {
    const int mine = h.first + round * h.step;
    const bool here = mine < cut.chunks;
    const int64_t begin = here ? hp_cut_begin(&cut, mine) : 0, end = here ? hp_cut_end(&cut, mine) : 0;
    double acc[COUNT > 0 ? COUNT : 1] = {0.0};
    for (int64_t at = begin + 32 * h.half + (threadIdx.x & 31); at < end; at += BATCH * HP_LANES) {
      P some[BATCH];
#pragma unroll
      for (int n = 0; n < BATCH; ++n) {
        some[n] = pass;
        if (at + n * HP_LANES < end) some[n].load(at + n * HP_LANES);
      }
#pragma unroll
      for (int n = 0; n < BATCH; ++n)
        if (at + n * HP_LANES < end) some[n].store(at + n * HP_LANES, acc);
    }
    if (COUNT > 0) hp_warp_pair_sum(h, h.slot + round * (int)(blockDim.x >> 6), here, acc);
  }
}

/* Row i of the cells' part, q = 1, all loads in flight together. Missing diagonals are stored as zeros. */
static __device__ __forceinline__ double hp_gh_scalar_row_cuda(const hp_gh *A, int i, const double *x) {
  const int nz = A->nz, slab = nz * A->ny, n = (int)A->ld;
  const int shift[HP_GH_DIAGS] = {-slab, -nz, -1, 0, 1, nz, slab};
  const double *h = A->h + i;
  double a[HP_GH_DIAGS], v[HP_GH_DIAGS], sum = 0.0;
#pragma unroll
  for (int u = 0; u < HP_GH_DIAGS; ++u, h += n) {
    const int j = i + shift[u];
    a[u] = v[u] = 0.0;
    if (j >= 0 && j < n) {
      a[u] = __ldcs(h);
      v[u] = x[j];
    }
  }
#pragma unroll
  for (int u = 0; u < HP_GH_DIAGS; ++u) sum += a[u] * v[u];
  return sum;
}

/* Rows begin .. end-1 of wells, by a warp; returns the lane's row. */
static __device__ __noinline__ double hp_gh_scalar_wells_cuda(const hp_gh *A, int64_t begin, int64_t end,
                                                              const double *x) {
  const hp_from_vector from = {x};
  double y = 0.0;
  for (int64_t i = begin; i < end; ++i) {
    const int w = (int)(i - A->ld);
    const double sum = hp_gh_well_product_cuda(A, w, A->wells.w, from) + A->wells.dd[w] * x[i];
    if ((threadIdx.x & 31) == (int)(i - begin)) y = sum;
  }
  return y;
}

/* Computes A x, or b - A x if b is not NULL, with COUNT sums: calls use.fetch(i), then use.row(i, y, acc) per row. */
template <int COUNT, class Use>
static __device__ __forceinline__ void hp_warp_pair_product(hp_team *t, const hp_gh *A, const double *b,
                                                            const double *x, Use &use) {
  const int lane = threadIdx.x & 31;
  const hp_from_vector from = {x};
  const hp_cut cut = hp_team_cut(t, A->n);
  const hp_warp_pair h = hp_warp_pair_of();
  hp_team_reduce_start(t, A->n, COUNT);
  for (int c = 0, round = 0; c < cut.chunks; c += h.step, ++round) {
    const int mine = h.first + round * h.step;
    const bool here = mine < cut.chunks, cells = mine < cut.first;
    const int64_t begin = here ? hp_cut_begin(&cut, mine) : 0, end = here ? hp_cut_end(&cut, mine) : 0;
    int e = here && cells ? hp_gh_listed_from_cuda(A, mine) : 0;
    const int listed = here && cells ? A->wells.chunk_begin[mine + 1] : 0;
    double acc[COUNT] = {0.0};
    const bool plain = cells && e == listed; /* no wells, no connections: a loop without calls, which cost registers */
    for (int i = (int)begin + 32 * h.half + lane; plain && i < (int)end; i += HP_LANES) {
      use.fetch(i);
      const double y = hp_gh_scalar_row_cuda(A, i, x);
      use.row(i, b != NULL ? b[i] - y : y, acc);
    }
    for (int64_t at = begin; !plain && at < end; at += HP_LANES) {
      const int64_t to = at + HP_LANES < end ? at + HP_LANES : end, i = at + 32 * h.half + lane;
      double y = 0.0;
      if (i < to) use.fetch(i);
      if (!cells) y = hp_gh_scalar_wells_cuda(A, i - lane, to < i - lane + 32 ? to : i - lane + 32, x);
      else if (i < to) y = hp_gh_scalar_row_cuda(A, (int)i, x);
      if (b != NULL && i < to) y = b[i] - y;
      if (e < listed) {
        const hp_listed_sum before = {y, 0.0, e};
        const hp_listed_sum after = hp_gh_listed_cuda(A, before, listed, to, i < to ? i : -2, A->wells.wt,
                                                      b != NULL ? -1.0 : 1.0, from);
        y = after.x;
        e = after.e;
      }
      if (i < to) use.row(i, y, acc);
    }
    hp_warp_pair_sum(h, h.slot + round * (int)(blockDim.x >> 6), here, acc);
  }
}

/* x = 0, r = b; (r,r) */
struct hp_scalar_begin {
  const double *b;
  double *x, *r;
  double bi;
  __device__ __forceinline__ void load(int64_t i) { bi = b[i]; }
  __device__ __forceinline__ void store(int64_t i, double *acc) {
    x[i] = 0.0;
    r[i] = bi;
    acc[0] += bi * bi;
  }
};

/* r0 = p = r: v and omega are zero. */
struct hp_scalar_start {
  const double *r;
  double *r0, *p;
  double ri;
  __device__ __forceinline__ void load(int64_t i) { ri = r[i]; }
  __device__ __forceinline__ void store(int64_t i, double *) { r0[i] = p[i] = ri; }
};

/* r -= alpha v */
struct hp_scalar_s {
  double *r;
  const double *v;
  double alpha, ri, vi;
  __device__ __forceinline__ void load(int64_t i) {
    ri = r[i];
    vi = v[i];
  }
  __device__ __forceinline__ void store(int64_t i, double *) { r[i] = ri - alpha * vi; }
};

/* x += alpha mp + omega ms, r -= omega w, then p = r + beta (p - omega v) if go_on. */
struct hp_scalar_update {
  double *x, *r, *p;
  const double *w, *v, *mp, *ms;
  double alpha, omega, beta;
  bool go_on;
  double xi, ri, pi, wi, vi, a, b;
  __device__ __forceinline__ void load(int64_t i) {
    xi = x[i];
    ri = r[i];
    wi = __ldcs(w + i);
    a = __ldcs(mp + i);
    b = __ldcs(ms + i);
    if (!go_on) return;
    pi = p[i];
    vi = __ldcs(v + i);
  }
  __device__ __forceinline__ void store(int64_t i, double *) {
    const double rn = ri - omega * wi;
    x[i] = xi + (alpha * a + omega * b);
    r[i] = rn;
    if (go_on) p[i] = rn + beta * (pi - omega * vi);
  }
};

/* v = A mp; (r0,v) (v,v) */
struct hp_scalar_first {
  const double *r0;
  double *v;
  double r;
  __device__ __forceinline__ void fetch(int64_t i) { r = r0[i]; }
  __device__ __forceinline__ void row(int64_t i, double y, double *acc) {
    acc[0] += r * y;
    acc[1] += y * y;
    v[i] = y;
  }
};

/* w = A ms; (w,s) (w,w) (s,s) (r0,s) (r0,w) */
struct hp_scalar_second {
  const double *r0, *s;
  double *w;
  double ri, si;
  __device__ __forceinline__ void fetch(int64_t i) {
    ri = r0[i];
    si = s[i];
  }
  __device__ __forceinline__ void row(int64_t i, double y, double *acc) {
    acc[0] += y * si;
    acc[1] += y * y;
    acc[2] += si * si;
    acc[3] += ri * si;
    acc[4] += ri * y;
    w[i] = y;
  }
};

/* r = b - A x; (r,r) */
struct hp_scalar_residual {
  double *r;
  __device__ __forceinline__ void fetch(int64_t) {}
  __device__ __forceinline__ void row(int64_t i, double y, double *acc) {
    r[i] = y;
    acc[0] += y * y;
  }
};

/* hp_bicgstab_iterate with a single call of the preconditioner. */
static __device__ __forceinline__ hp_krylov_reason hp_bicgstab_scalar_iterate(hp_team *t, const hp_solve *S,
                                                                              hp_run *run, double *r) {
  const hp_gh *A = S->A;
  const int64_t n = A->n;
  double *r0 = hp_solve_vector(S, 1), *p = hp_solve_vector(S, 2), *v = hp_solve_vector(S, 3);
  double *w = hp_solve_vector(S, 4), *zp = hp_solve_vector(S, 5), *zs = hp_solve_vector(S, 6);
  hp_bicgstab_state c = hp_bicgstab_state_of(run->residual);
  hp_krylov_reason reason;
  double sum[5];
  const hp_scalar_start start = {r, r0, p};
  hp_warp_pair_rows<4, 0>(t, A, start);
  for (bool second = false; run->iterations < S->max_iterations; second = !second) {
    if (second) {
      const hp_scalar_s make_s = {r, v, c.alpha};
      hp_warp_pair_rows<4, 0>(t, A, make_s);
    }
    hp_team_sync(t); /* p, or s */
    const double *z = hp_run_precondition(t, S, run, second ? r : p, second ? zs : zp);
    run->products += 1;
    if (!second) {
      hp_scalar_first use = {r0, v};
      hp_warp_pair_product<2>(t, A, NULL, z, use);
      hp_team_sum(t, n, 2, sum);
      if (!hp_bicgstab_first_sums(&c, sum, &reason)) return reason;
      continue;
    }
    hp_scalar_second use = {r0, r, w};
    hp_warp_pair_product<5>(t, A, NULL, z, use);
    hp_team_sum(t, n, 5, sum);
    run->iterations += 1;
    const bool go_on = hp_bicgstab_second_sums(&c, sum, run->goal, &reason);
    if (!go_on && reason == HP_KRYLOV_NOT_FINITE) return reason;
    const hp_scalar_update update = {S->x, r, p, w, v, zp, zs, c.alpha, c.omega, c.beta, go_on};
    hp_warp_pair_rows<2, 0>(t, A, update);
    hp_run_record(t, S, run, c.norm);
    if (!go_on) return reason;
  }
  return HP_KRYLOV_MAX_ITERATIONS;
}

/* hp_bicgstab for q = 1, with a preconditioner, in blocks of a multiple of 16 warps. */
static __device__ __forceinline__ void hp_bicgstab_scalar_cuda(hp_team *t, const hp_solve *S) {
  const hp_gh *A = S->A;
  const int64_t n = A->n;
  double *r = hp_solve_vector(S, 0), sum[1];
  hp_krylov_reason reason;
  hp_run run;
  hp_team_split(t, A->ld, n);
  run.barriers = t->barriers;
  const hp_scalar_begin begin = {S->b, S->x, r};
  hp_warp_pair_rows<4, 1>(t, A, begin);
  hp_team_sum(t, n, 1, sum);
  bool done = hp_run_begin(S, &run, sqrt(sum[0]), &reason);
  hp_run_record(t, S, &run, run.norm_b);
  while (!done) {
    const hp_krylov_reason ended = hp_bicgstab_scalar_iterate(t, S, &run, r);
    hp_team_sync(t); /* x */
    hp_scalar_residual use = {r};
    hp_warp_pair_product<1>(t, A, S->b, S->x, use);
    run.products += 1;
    hp_team_sum(t, n, 1, sum);
    done = hp_run_decide(S, &run, sqrt(sum[0]), ended, false, &reason);
  }
  hp_run_finish(t, S, &run, reason);
}

#else

/* declared for the host pass of the compiler */
static __device__ void hp_bicgstab_scalar_cuda(hp_team *, const hp_solve *) {}

#endif

#endif
