/* BiCG-Stab on a GPU: hp_bicgstab_iterate for device code, with the operations
 * of linsolve/bicgstab.inl.h in the same order and so the same bits.
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
#ifndef HP_LINSOLVE_BICGSTAB_CUDA_CUH
#define HP_LINSOLVE_BICGSTAB_CUDA_CUH

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
  __device__ __forceinline__ void finish(int slot) {
    hp_team_warp_sums<2>(slot, acc);
  }
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
  __device__ __forceinline__ void finish(int slot) {
    hp_team_warp_sums<5>(slot, acc);
  }
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

/* Every pair of the owner's: f(i, k, whole, count). */
template <class F>
static __device__ __forceinline__ void hp_own_pairs(const hp_gh *A, hp_pass p, F f) {
  const int lane = threadIdx.x & 31;
  hp_team t;
  hp_team_split(&t, A->ld, A->n);
  const hp_cut cut = hp_team_cut(&t, A->n);
  const bool even = (A->ld & 1) == 0;
  int k = 0;
  for (int c = p.chunk; c < cut.chunks; c += p.chunk_step) {
    const int64_t end = hp_cut_end(&cut, c);
    const bool cells = c < cut.first;
#pragma unroll 4
    for (int64_t at = hp_cut_begin(&cut, c); at < end; at += HP_LANES, ++k) {
      const int64_t i = at + 2 * lane;
      const int count = end - i > 1 ? 2 : 1;
      if (i < end) f(i, k, cells && even && count == 2, count);
    }
  }
}

/* x += alpha mp + omega ms, r = s - omega w, then p = r + beta (p - omega v) if `go_on`. `fly`: s = r - alpha v in
 * place of r. mp, ms: p and s themselves where there is no preconditioner. */
struct hp_bicgstab_scalars {
  double alpha, omega, beta;
  bool fly, go_on;
};

static __device__ __forceinline__ void hp_bicgstab_update_pass(const hp_gh *A, hp_pass pass, hp_own_vector x,
                                                            hp_own_vector w, double *r, double *p, const double *v,
                                                            const double *mp, const double *ms, hp_bicgstab_scalars c) {
  hp_own_pairs(A, pass, [=](int64_t i, int k, bool whole, int count) {
    const double2 wi = hp_load_two(hp_own_place(w, i, k), whole || w.chip, count), ri = hp_load_two(r + i, whole, count);
    const double2 vi = hp_load_two(v + i, whole, count), pi = hp_load_two(p + i, whole, count);
    double *at = hp_own_place(x, i, k);
    double2 xi = hp_load_two(at, whole || x.chip, count), s = ri, rn, pn;
    if (c.fly) s = make_double2(ri.x - c.alpha * vi.x, ri.y - c.alpha * vi.y);
    const double2 a = mp != p ? hp_load_two(mp + i, whole, count) : pi;
    const double2 b = c.fly ? s : ms != r ? hp_load_two(ms + i, whole, count) : ri;
    xi.x += c.alpha * a.x + c.omega * b.x;
    xi.y += c.alpha * a.y + c.omega * b.y;
    rn.x = s.x - c.omega * wi.x;
    rn.y = s.y - c.omega * wi.y;
    hp_store_two(at, xi, whole || x.chip, count);
    hp_store_two(r + i, rn, whole, count);
    if (!c.go_on) return;
    pn.x = rn.x + c.beta * (pi.x - c.omega * vi.x);
    pn.y = rn.y + c.beta * (pi.y - c.omega * vi.y);
    hp_store_two(p + i, pn, whole, count);
  });
}

static __device__ __forceinline__ void hp_bicgstab_s_pass(const hp_gh *A, hp_pass pass, double *r, const double *v,
                                                       double alpha) {
  hp_own_pairs(A, pass, [=](int64_t i, int k, bool whole, int count) {
    const double2 ri = hp_load_two(r + i, whole, count), vi = hp_load_two(v + i, whole, count);
    hp_store_two(r + i, make_double2(ri.x - alpha * vi.x, ri.y - alpha * vi.y), whole, count);
  });
}

/* p = r (v and omega are zero), r0 = r, x into its place; at the start of the iterations. */
static __device__ __noinline__ void hp_bicgstab_start_pass(const hp_gh *A, hp_pass pass, const double *r, double *p,
                                                           hp_own_vector r0, hp_own_vector x, const double *x_stored) {
  hp_own_pairs(A, pass, [=](int64_t i, int k, bool whole, int count) {
    const double2 ri = hp_load_two(r + i, whole, count);
    hp_store_two(p + i, ri, whole, count);
    hp_store_two(hp_own_place(r0, i, k), ri, whole || r0.chip, count);
    if (x.chip) hp_store_two(hp_own_place(x, i, k), hp_load_two(x_stored + i, whole, count), true, count);
  });
}

static __device__ __noinline__ void hp_bicgstab_end_pass(const hp_gh *A, hp_pass pass, hp_own_vector x, double *x_stored) {
  hp_own_pairs(A, pass, [=](int64_t i, int k, bool whole, int count) {
    hp_store_two(x_stored + i, hp_load_two(hp_own_place(x, i, k), true, count), whole, count);
  });
}

/* Shared memory of one vector of the owner's [bytes a block]. */
static __device__ __forceinline__ int64_t hp_own_bytes(const hp_team *t, const hp_gh *A) {
  const hp_cut cut = hp_team_cut(t, A->n);
  const int64_t step = t->chunk_step, rounds = (cut.chunks + step - 1) / step;
  return rounds * (cut.length / HP_LANES) * (int64_t)blockDim.x * 16;
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

#ifdef HP_LAPS
#define LAP(k) { const long long now_ = clock64(); laps_[k] += now_ - since_; since_ = now_; }
#define LAPS if (threadIdx.x == 0 && blockIdx.x % 66 == 7) printf("block %d: start %lld | per it: sync %lld prec1 %lld prod1 %lld sum %lld s+prec2 %lld prod2 %lld sum %lld update %lld\n", blockIdx.x, laps_[0], laps_[1]/run->iterations, laps_[2]/run->iterations, laps_[3]/run->iterations, laps_[4]/run->iterations, laps_[5]/run->iterations, laps_[6]/run->iterations, laps_[7]/run->iterations, laps_[8]/run->iterations);
#else
#define LAP(k)
#define LAPS
#endif
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
  int chip = bytes > 0 && S->chip_bytes >= bytes ? (int)(S->chip_bytes / bytes < 3 ? S->chip_bytes / bytes : 3) : 0, used = 0;
  const hp_own_vector x = hp_own_vector_of(t, S->x, bytes, &chip, &used);
  const hp_own_vector w = hp_own_vector_of(t, hp_solve_vector(S, 4), bytes, &chip, &used);
  const hp_own_vector r0 = hp_own_vector_of(t, hp_solve_vector(S, 1), bytes, &chip, &used);
  const hp_pass pass = hp_pass_of(t);
#ifdef HP_LAPS
  long long laps_[9] = {0}, since_ = clock64();
#endif
  const double norm0 = run->residual;
  double norm = run->residual, rho = norm * norm, alpha = 0.0;
  hp_krylov_reason reason = HP_KRYLOV_MAX_ITERATIONS;
  hp_bicgstab_start_pass(A, pass, r, p, r0, x, S->x);
  LAP(0)
  bool second = false;
  while (run->iterations < S->max_iterations) {
    if (second && !FLY) hp_bicgstab_s_pass(A, pass, r, v, alpha);
    if (!second || !FLY) hp_team_sync(t); /* p, or s; with FLY also r */
    LAP(second ? 5 : 1)
    double *z = second ? zs : zp;
    const double *from = second ? r : p;
    if (!none) from = hp_run_precondition(t, S, run, from, z);
    LAP(second ? 5 : 2)
    if (!second) {
      double sum[2];
      hp_team_reduce_start(t, n, 2);
      hp_bicgstab_first_pass<FORM>(A, pass, from, v, r0);
      LAP(3)
      hp_team_sum(t, n, 2, sum);
      LAP(4)
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
    if (FLY)
      hp_bicgstab_second_fly_pass<FORM>(A, pass, r, v, alpha, w, r0);
    else
      hp_bicgstab_second_pass<FORM>(A, pass, from, r, w, r0);
    LAP(6)
    hp_team_sum(t, n, 5, sum);
    LAP(7)
    run->products += 1;
    run->iterations += 1;
    if (!hp_is_finite(sum[0]) || !hp_is_finite(sum[1])) {
      reason = HP_KRYLOV_NOT_FINITE;
      break;
    }
    hp_bicgstab_scalars c;
    c.alpha = alpha;
    c.fly = FLY;
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
    hp_bicgstab_update_pass(A, pass, x, w, r, p, v, none ? p : zp, none ? r : zs, c);
    LAP(8)
    if (converged || broken) {
      reason = converged ? HP_KRYLOV_CONVERGED : HP_KRYLOV_BREAKDOWN;
      break;
    }
    second = false;
  }
  LAPS
  if (x.chip) hp_bicgstab_end_pass(A, pass, x, S->x);
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
enum { HP_GH_ANY, HP_GH_TWO_3D };

#endif

#endif
