/* BiCG-Stab on a GPU: hp_bicgstab_iterate for device code, with the operations
 * of linsolve/krylov/bicgstab.inl.h in the same order and so the same bits.
 *
 * What differs is where things stand:
 *   - the dot products are taken in the pass that makes their vector;
 *   - the update of x and r and the next p are one pass;
 *   - without preconditioner s = r - alpha v is not stored: the second product
 *     takes its entries from r and v, also those of neighbours, which saves a
 *     pass and a barrier. Three barriers an iteration are left, and 15 passes over
 *     vectors instead of 17;
 *   - x, w and r0, which only their owner touches, live in shared memory as far as they fit.
 */
#ifndef HP_LINSOLVE_KRYLOV_CUDA_BICGSTAB_CUH
#define HP_LINSOLVE_KRYLOV_CUDA_BICGSTAB_CUH

#if defined(__CUDA_ARCH__)

/* A vector of the owner's: in memory, or in the block's shared memory where the k-th pair of a thread is the k-th
 * row of 16 bytes a thread. */
struct hp_own_vector {
  double *at;
  bool chip;
};

static __device__ __forceinline__ double *hp_own_place(hp_own_vector v, int64_t i, int k) {
  return v.chip ? v.at + 2 * (k * blockDim.x + threadIdx.x) : v.at + i;
}

/* Two numbers from p; the second is 0 where there is none. `whole`: there is, and p is 16-byte aligned. */
static __device__ __forceinline__ double2 hp_load_two(const double *p, bool whole, int count) {
  if (whole) return hp_load_pair(p);
  return make_double2(p[0], count > 1 ? p[1] : 0.0);
}
static __device__ __forceinline__ void hp_store_two(double *p, double2 v, bool whole, int count) {
  if (whole) {
    hp_store_pair(p, v);
  } else {
    p[0] = v.x;
    if (count > 1) p[1] = v.y;
  }
}

/* s = r - alpha v, entry by entry. */
struct hp_from_difference {
  const double *r, *v;
  double alpha;
  __device__ __forceinline__ double2 pair(int64_t i) const {
    const double2 a = hp_load_pair(r + i), b = hp_load_pair(v + i);
    return make_double2(a.x - alpha * b.x, a.y - alpha * b.y);
  }
  __device__ __forceinline__ double one(int64_t i) const { return r[i] - alpha * v[i]; }
};

/* First product: v = A from, (r0,v), (v,v). */
struct hp_bicgstab_first {
  double *v;
  hp_own_vector r0;
  double2 r;
  double acc[2][2];
  __device__ __forceinline__ void start() { acc[0][0] = acc[0][1] = acc[1][0] = acc[1][1] = 0.0; }
  __device__ __forceinline__ void fetch(int64_t i, int k, bool whole, int count) {
    r = hp_load_two(hp_own_place(r0, i, k), whole || r0.chip, count);
  }
  __device__ __forceinline__ void rows(int64_t i, int, bool whole, int count, double2 y) {
    acc[0][0] += r.x * y.x;
    acc[1][0] += y.x * y.x;
    if (count > 1) {
      acc[0][1] += r.y * y.y;
      acc[1][1] += y.y * y.y;
    }
    hp_store_two(v + i, y, whole, count);
  }
  __device__ __forceinline__ void finish(int slot) { hp_team_warp_sums<2>(slot, acc); }
};

/* Second product: w = A from; (w,s) (w,w) (s,s) (r0,s) (r0,w); s of the owner from `own`. */
template <class Own>
struct hp_bicgstab_second {
  Own own;
  hp_own_vector w, r0;
  double2 r, s;
  double acc[5][2];
  __device__ __forceinline__ void start() {
#pragma unroll
    for (int n = 0; n < 5; ++n) acc[n][0] = acc[n][1] = 0.0;
  }
  __device__ __forceinline__ void add(int half, double w, double s, double r) {
    acc[0][half] += w * s;
    acc[1][half] += w * w;
    acc[2][half] += s * s;
    acc[3][half] += r * s;
    acc[4][half] += r * w;
  }
  __device__ __forceinline__ void fetch(int64_t i, int k, bool whole, int count) {
    r = hp_load_two(hp_own_place(r0, i, k), whole || r0.chip, count);
    if (whole) {
      s = own.pair(i);
    } else {
      s.x = own.one(i);
      s.y = count > 1 ? own.one(i + 1) : 0.0;
    }
  }
  __device__ __forceinline__ void rows(int64_t i, int k, bool whole, int count, double2 y) {
    add(0, y.x, s.x, r.x);
    if (count > 1) add(1, y.y, s.y, r.y);
    hp_store_two(hp_own_place(w, i, k), y, whole || w.chip, count);
  }
  __device__ __forceinline__ void finish(int slot) { hp_team_warp_sums<5>(slot, acc); }
};

template <int FORM>
static __device__ __forceinline__ void hp_bicgstab_first_pass(const hp_gh *A, hp_pass p, const double *mp, double *v,
                                                              hp_own_vector r0) {
  const hp_from_vector from = {mp};
  hp_bicgstab_first use;
  use.v = v;
  use.r0 = r0;
  hp_gh_product_pass_cuda<FORM>(A, p, NULL, from, use);
}

template <int FORM>
static __device__ __forceinline__ void hp_bicgstab_second_pass(const hp_gh *A, hp_pass p, const double *ms,
                                                               const double *s, hp_own_vector w, hp_own_vector r0) {
  const hp_from_vector from = {ms};
  hp_bicgstab_second<hp_from_vector> use;
  use.own.x = s;
  use.w = w;
  use.r0 = r0;
  hp_gh_product_pass_cuda<FORM>(A, p, NULL, from, use);
}

template <int FORM>
static __device__ __forceinline__ void hp_bicgstab_second_fly_pass(const hp_gh *A, hp_pass p, const double *r,
                                                                   const double *v, double alpha, hp_own_vector w,
                                                                   hp_own_vector r0) {
  const hp_from_difference from = {r, v, alpha};
  hp_bicgstab_second<hp_from_difference> use;
  use.own = from;
  use.w = w;
  use.r0 = r0;
  hp_gh_product_pass_cuda<FORM>(A, p, NULL, from, use);
}

/* Every pair of the owner's. P: a class with load(i, k, whole, count) and store(i, k, whole, count); the loads of
 * BATCH pairs are under way together. */
template <int BATCH, class P>
static __device__ __forceinline__ void hp_own_pairs(const hp_gh *A, hp_pass p, const P &pass) {
  const int lane = threadIdx.x & 31;
  hp_team t;
  hp_team_split(&t, A->ld, A->n);
  const hp_cut cut = hp_team_cut(&t, A->n);
  const bool even = (A->ld & 1) == 0;
  int k = 0;
  for (int c = p.chunk; c < cut.chunks; c += p.chunk_step) {
    const int64_t begin = hp_cut_begin(&cut, c), end = hp_cut_end(&cut, c);
    const bool cells = c < cut.first && even;
    for (int64_t at = begin; at < end; at += BATCH * HP_LANES, k += BATCH) {
      P some[BATCH];
#pragma unroll
      for (int n = 0; n < BATCH; ++n) {
        const int64_t i = at + n * HP_LANES + 2 * lane;
        some[n] = pass;
        if (i < end) some[n].load(i, k + n, cells && end - i > 1, end - i > 1 ? 2 : 1);
      }
#pragma unroll
      for (int n = 0; n < BATCH; ++n) {
        const int64_t i = at + n * HP_LANES + 2 * lane;
        if (i < end) some[n].store(i, k + n, cells && end - i > 1, end - i > 1 ? 2 : 1);
      }
    }
    k = (k - BATCH) + (int)((end - begin - 1) / HP_LANES % BATCH) + 1; /* pairs of this chunk, as the products count */
  }
}

struct hp_bicgstab_scalars {
  double alpha, omega, beta;
  bool go_on;
};

/* x += alpha mp + omega ms, r = s - omega w, then p = r + beta (p - omega v) if go_on. FLY: s = r - alpha v in place
 * of r, mp = p, ms = s. */
template <bool FLY>
struct hp_bicgstab_update {
  hp_own_vector x, w;
  double *r, *p;
  const double *v, *mp, *ms;
  hp_bicgstab_scalars c;
  double2 wi, ri, vi, pi, xi, a, b;
  __device__ __forceinline__ void load(int64_t i, int k, bool whole, int count) {
    wi = hp_load_two(hp_own_place(w, i, k), whole || w.chip, count);
    ri = hp_load_two(r + i, whole, count);
    vi = hp_load_two(v + i, whole, count);
    pi = hp_load_two(p + i, whole, count);
    xi = hp_load_two(hp_own_place(x, i, k), whole || x.chip, count);
    if (FLY) {
      a = pi;
      ri = b = make_double2(ri.x - c.alpha * vi.x, ri.y - c.alpha * vi.y);
    } else {
      a = hp_load_two(mp + i, whole, count);
      b = hp_load_two(ms + i, whole, count);
    }
  }
  __device__ __forceinline__ void store(int64_t i, int k, bool whole, int count) {
    double2 rn, pn;
    xi.x += c.alpha * a.x + c.omega * b.x;
    xi.y += c.alpha * a.y + c.omega * b.y;
    rn.x = ri.x - c.omega * wi.x;
    rn.y = ri.y - c.omega * wi.y;
    hp_store_two(hp_own_place(x, i, k), xi, whole || x.chip, count);
    hp_store_two(r + i, rn, whole, count);
    if (!c.go_on) return;
    pn.x = rn.x + c.beta * (pi.x - c.omega * vi.x);
    pn.y = rn.y + c.beta * (pi.y - c.omega * vi.y);
    hp_store_two(p + i, pn, whole, count);
  }
};

/* r -= alpha v */
struct hp_bicgstab_s {
  double *r;
  const double *v;
  double alpha;
  double2 ri, vi;
  __device__ __forceinline__ void load(int64_t i, int, bool whole, int count) {
    ri = hp_load_two(r + i, whole, count);
    vi = hp_load_two(v + i, whole, count);
  }
  __device__ __forceinline__ void store(int64_t i, int, bool whole, int count) {
    hp_store_two(r + i, make_double2(ri.x - alpha * vi.x, ri.y - alpha * vi.y), whole, count);
  }
};

/* p = r (v and omega are zero), r0 = r, x into its place; at the start of the iterations. */
struct hp_bicgstab_start {
  const double *r, *stored;
  double *p;
  hp_own_vector r0, x;
  double2 ri, xi;
  __device__ __forceinline__ void load(int64_t i, int, bool whole, int count) {
    ri = hp_load_two(r + i, whole, count);
    if (x.chip) xi = hp_load_two(stored + i, whole, count);
  }
  __device__ __forceinline__ void store(int64_t i, int k, bool whole, int count) {
    hp_store_two(p + i, ri, whole, count);
    hp_store_two(hp_own_place(r0, i, k), ri, whole || r0.chip, count);
    if (x.chip) hp_store_two(hp_own_place(x, i, k), xi, true, count);
  }
};

/* x from its place in shared memory. */
struct hp_bicgstab_end {
  hp_own_vector x;
  double *stored;
  double2 xi;
  __device__ __forceinline__ void load(int64_t i, int k, bool, int count) {
    xi = hp_load_two(hp_own_place(x, i, k), true, count);
  }
  __device__ __forceinline__ void store(int64_t i, int, bool whole, int count) {
    hp_store_two(stored + i, xi, whole, count);
  }
};

/* Shared memory of one vector of the owner's [bytes a block]. */
static __device__ __forceinline__ int64_t hp_own_bytes(const hp_team *t, const hp_gh *A) {
  return hp_own_rows(t, A->n, t->chunk_step) * (int64_t)blockDim.x * 16;
}

static __device__ __forceinline__ hp_own_vector hp_own_vector_of(const hp_team *t, double *stored, int64_t bytes,
                                                                 int *free_slots, int *used) {
  hp_own_vector v = {stored, false};
  if (*free_slots > 0) {
    v.at = (double *)((unsigned char *)hp_shared_rest(t) + bytes * *used);
    v.chip = true;
    *free_slots -= 1;
    *used += 1;
  }
  return v;
}

/* FLY: no preconditioner, and s is taken from r and v. */
template <int FORM, bool FLY>
static __device__ __forceinline__ hp_krylov_reason hp_bicgstab_iterate_cuda(hp_team *t, const hp_solve *S, hp_run *run,
                                                                            double *r) {
  const hp_gh *A = S->A;
  const int64_t n = A->n;
  double *p = hp_solve_vector(S, 2), *v = hp_solve_vector(S, 3);
  double *zp = hp_solve_vector(S, 5), *zs = hp_solve_vector(S, 6);
  const bool none = FLY || HP_SOLVE_IS_NONE(S->P);
  const int64_t bytes = hp_own_bytes(t, A);
  int chip = bytes > 0 && S->chip_bytes >= bytes ? (int)(S->chip_bytes / bytes < 3 ? S->chip_bytes / bytes : 3) : 0;
  int used = 0;
  const hp_own_vector x = hp_own_vector_of(t, S->x, bytes, &chip, &used);
  const hp_own_vector w = hp_own_vector_of(t, hp_solve_vector(S, 4), bytes, &chip, &used);
  const hp_own_vector r0 = hp_own_vector_of(t, hp_solve_vector(S, 1), bytes, &chip, &used);
  const hp_pass pass = hp_pass_of(t);
  const double norm0 = run->residual;
  double norm = run->residual, rho = norm * norm, alpha = 0.0;
  hp_krylov_reason reason = HP_KRYLOV_MAX_ITERATIONS;
  hp_bicgstab_start start = {r, S->x, p, r0, x};
  hp_own_pairs<2>(A, pass, start);
  bool second = false;
  while (run->iterations < S->max_iterations) {
    if (second && !FLY) {
      hp_bicgstab_s make_s = {r, v, alpha};
      if (S->unroll == 1) hp_own_pairs<1>(A, pass, make_s);
      else if (S->unroll == 2) hp_own_pairs<4>(A, pass, make_s);
      else hp_own_pairs<8>(A, pass, make_s);
    }
    if (!second || !FLY) hp_team_sync(t); /* p, or s; with FLY also r */
    double *z = second ? zs : zp;
    const double *from = second ? r : p;
    if (!none) from = hp_run_precondition(t, S, run, from, z);
    if (!second) {
      double sum[2];
      hp_team_reduce_start(t, n, 2);
      hp_bicgstab_first_pass<FORM>(A, pass, from, v, r0);
      hp_team_sum(t, n, 2, sum);
      run->products += 1;
      if (!hp_is_finite(sum[1])) {
        reason = HP_KRYLOV_NOT_FINITE;
        break;
      }
      alpha = rho / sum[0];
      if (fabs(sum[0]) <= HP_BICGSTAB_TINY * norm0 * sqrt(sum[1]) || !hp_is_finite(alpha)) {
        reason = HP_KRYLOV_BREAKDOWN;
        break;
      }
      second = true;
      continue;
    }
    double sum[5];
    hp_team_reduce_start(t, n, 5);
    if (FLY) hp_bicgstab_second_fly_pass<FORM>(A, pass, r, v, alpha, w, r0);
    else hp_bicgstab_second_pass<FORM>(A, pass, from, r, w, r0);
    hp_team_sum(t, n, 5, sum);
    run->products += 1;
    run->iterations += 1;
    if (!hp_is_finite(sum[0]) || !hp_is_finite(sum[1])) {
      reason = HP_KRYLOV_NOT_FINITE;
      break;
    }
    hp_bicgstab_scalars c;
    c.alpha = alpha;
    c.omega = sum[1] > 0.0 ? sum[0] / sum[1] : 0.0;
    const double square = sum[2] - c.omega * (2.0 * sum[0] - c.omega * sum[1]);
    const double rho_old = rho;
    rho = sum[3] - c.omega * sum[4];
    norm = square > 0.0 ? sqrt(square) : 0.0;
    hp_run_record(t, S, run, norm);
    c.beta = (rho / rho_old) * (alpha / c.omega);
    const double stalled = sum[0] * sum[0], scale = sum[1] * sum[2];
    const bool converged = norm <= run->goal;
    const bool broken = stalled <= HP_BICGSTAB_TINY * HP_BICGSTAB_TINY * scale ||
                        fabs(rho) <= HP_BICGSTAB_TINY * norm * norm0 || !hp_is_finite(c.beta);
    c.go_on = !converged && !broken && run->iterations < S->max_iterations;
    hp_bicgstab_update<FLY> update = {x, w, r, p, v, none ? p : zp, none ? r : zs, c};
    if (S->unroll == 1) hp_own_pairs<1>(A, pass, update);
    else if (S->unroll == 2) hp_own_pairs<2>(A, pass, update);
    else hp_own_pairs<4>(A, pass, update);
    if (converged || broken) {
      reason = converged ? HP_KRYLOV_CONVERGED : HP_KRYLOV_BREAKDOWN;
      break;
    }
    second = false;
  }
  if (x.chip) {
    hp_bicgstab_end end = {x, S->x};
    hp_own_pairs<2>(A, pass, end);
  }
  return reason;
}

/* hp_bicgstab with it. */
template <int FORM, bool FLY>
static __device__ __forceinline__ void hp_bicgstab_cuda(hp_team *t, const hp_solve *S) {
  double *r = hp_solve_vector(S, 0);
  hp_krylov_reason reason;
  hp_run run;
  bool done = hp_run_start(t, S, &run, r, &reason);
  while (!done) {
    const hp_krylov_reason ended = hp_bicgstab_iterate_cuda<FORM, FLY>(t, S, &run, r);
    done = hp_run_judge(t, S, &run, ended, false, r, &reason);
  }
  hp_run_finish(t, S, &run, reason);
}

#else

/* for the other pass of the compiler, which wants to know the name */
template <int FORM, bool FLY>
static __device__ void hp_bicgstab_cuda(hp_team *t, const hp_solve *S);
enum { HP_GH_ANY, HP_GH_TWO_3D, HP_GH_TWO_3D_ROWS };

#endif

#endif
