/* How a GPU runs a cycle's passes (amg/smoothers/pass.h): one loop in a kernel, which contains each kind of pass once
 * and calls no functions; a call would spill and restore the registers of 100,000 threads. */
#ifndef HP_AMG_CYCLE_CUDA_PROGRAM_CUH
#define HP_AMG_CYCLE_CUDA_PROGRAM_CUH

#include "amg/cycle/cuda/program_group.cuh"
#include "amg/cycle/program.h"
#include "amg/rows/rows.inl.h"

#if defined(__CUDA_ARCH__)

/* DEEP, here and below: for kernels of half as many threads as those that run a cycle alone. Each has more loads in
 * flight, and the compiler knows more kinds of passes. PLAIN: rows are csr or HEC (amg/rows/cuda/plain.cuh),
 * else slices. */
template <int KIND, bool SCALED, class REAL, bool DEEP, bool PLAIN>
static __device__ __forceinline__ void hp_amg_program_rows_cuda(const hp_team *t, const hp_amg_rows *A, const REAL *s,
                                                                const REAL *x,
                                                                const typename hp_amg_of<REAL>::form &form) {
  if constexpr (PLAIN) {
    hp_amg_plain_cuda<KIND, REAL, DEEP>(t, A, s, x, form);
    return;
  }
  switch (A->lanes) { /* those that amg/smoothers/cuda/slices.cu gives a matrix */
    case 0: hp_amg_slices_cuda<0, KIND, SCALED, REAL, DEEP>(t, A, s, x, form); break;
    case 2: hp_amg_slices_cuda<2, KIND, SCALED, REAL, DEEP>(t, A, s, x, form); break;
    case 3: hp_amg_slices_cuda<3, KIND, SCALED, REAL, DEEP>(t, A, s, x, form); break;
    case 5: hp_amg_slices_cuda<5, KIND, SCALED, REAL, DEEP>(t, A, s, x, form); break;
  }
}

#define HP_AMG_NAMED(v) ((v) == HP_AMG_CYCLES_B ? cycle_b : (v) == HP_AMG_CYCLES_X ? cycle_x : (v))

/* Adds the connections' part to a pass over the finest level as GH. */
template <class REAL>
static __device__ __noinline__ void hp_amg_pass_links_cuda(const hp_team *t, const hp_amg *H, const hp_amg_pass *p,
                                                           const double *b, double *x) {
  typename hp_amg_of<REAL>::form f;
  const void *const cycle_b = b, *const cycle_x = x;
  f.kind = p->kind;
  f.x_state = f.last_state = HP_AMG_ZERO;
  f.x = f.b = NULL;
  f.s = (const REAL *)p->s;
  f.out = (REAL *)HP_AMG_NAMED(p->out);
  f.momentum = 0;
  f.factor = (REAL)(p->by != NULL ? p->by[1] : p->factor);
  hp_amg_links_cuda<REAL>(t, &H->level[0].finest, (const REAL *)p->scale_from, (const REAL *)HP_AMG_NAMED(p->from), f);
}

template <class REAL, bool DEEP, bool PLAIN>
static __device__ __forceinline__ void hp_amg_pass_run_cuda(hp_team *t, const hp_amg *H, const hp_amg_pass *p,
                                                            const double *b, double *x) {
  typename hp_amg_of<REAL>::form f;
  const void *const cycle_b = b, *const cycle_x = x;
  const REAL *from = (const REAL *)HP_AMG_NAMED(p->from), *scale = (const REAL *)p->scale_from;
  f.kind = p->kind;
  f.x_state = p->x_state;
  f.last_state = p->last_state;
  f.x = (const REAL *)HP_AMG_NAMED(p->x);
  f.s = (const REAL *)p->s;
  f.b = (const REAL *)HP_AMG_NAMED(p->b);
  f.out = (REAL *)HP_AMG_NAMED(p->out);
  f.momentum = (REAL)(p->by != NULL ? p->by[0] : p->momentum);
  f.factor = (REAL)(p->by != NULL ? p->by[1] : p->factor);
  const int64_t n = p->n;
  switch (p->what) {
    case HP_AMG_PASS_IN: HP_TEAM_FOR(t, i, n) f.out[i] = (REAL)b[i]; break;
    case HP_AMG_PASS_OUT: HP_TEAM_FOR(t, i, n) x[i] = (double)from[i]; break;
    case HP_AMG_PASS_SUM:
      HP_TEAM_FOR(t, i, n)
      f.out[i] = (f.x != NULL ? f.x[i] : (REAL)0) + from[p->index != NULL ? p->index[i] : i];
      break;
    case HP_AMG_PASS_GROUP: hp_amg_group_cuda<REAL>(t, p, from, f.x, f.b, f.out); break;
    case HP_AMG_PASS_INVERSE: hp_amg_inverse_cuda(t, H->inverse, n, from, f.out); break;
    case HP_AMG_PASS_FINEST: {
      const hp_amg_finest *F = &H->level[0].finest;
      if (f.kind == HP_AMG_FORM_RESIDUAL) hp_amg_finest_kind_cuda<HP_AMG_FORM_RESIDUAL, REAL>(t, F, scale, from, f);
      else if (DEEP && f.kind == HP_AMG_FORM_STEP && scale == NULL)
        hp_amg_finest_kind_cuda<DEEP ? HP_AMG_FORM_STEP : HP_AMG_FORM_ANY, REAL>(t, F, (const REAL *)NULL, from, f);
      else hp_amg_finest_kind_cuda<HP_AMG_FORM_ANY, REAL>(t, F, scale, from, f);
      if (hp_gh_is_linked(F->A)) hp_amg_pass_links_cuda<REAL>(t, H, p, b, x);
      break;
    }
    default:
      if (f.kind == HP_AMG_FORM_RESIDUAL && scale != NULL)
        hp_amg_program_rows_cuda<HP_AMG_FORM_RESIDUAL, true, REAL, DEEP, PLAIN>(t, &p->rows, scale, from, f);
      else if (f.kind == HP_AMG_FORM_PRODUCT)
        hp_amg_program_rows_cuda<HP_AMG_FORM_PRODUCT, false, REAL, DEEP, PLAIN>(t, &p->rows, scale, from, f);
      else if (DEEP && f.kind == HP_AMG_FORM_STEP && scale == NULL)
        hp_amg_program_rows_cuda<DEEP ? HP_AMG_FORM_STEP : HP_AMG_FORM_ANY, false, REAL, DEEP, PLAIN>(t, &p->rows,
                                                                                                      scale, from, f);
      else if (DEEP && f.kind == HP_AMG_FORM_CORRECT && scale == NULL)
        hp_amg_program_rows_cuda<DEEP ? HP_AMG_FORM_CORRECT : HP_AMG_FORM_ANY, false, REAL, DEEP, PLAIN>(
            t, &p->rows, scale, from, f);
      else hp_amg_program_rows_cuda<HP_AMG_FORM_ANY, false, REAL, DEEP, PLAIN>(t, &p->rows, scale, from, f);
  }
}

#undef HP_AMG_NAMED

/* The next pass is read while one runs. Not inlined, so that a kernel contains the passes of each precision once, and
 * those of one precision stand together: they are more than an instruction cache holds. */
template <class REAL, bool DEEP, bool PLAIN>
static __device__ __noinline__ void hp_amg_passes_cuda(hp_team *t, const hp_amg *H, const double *b, double *x,
                                                       bool inside, bool visible) {
  __shared__ hp_amg_pass pass[2];
  const int words = (int)(sizeof(hp_amg_pass) / 4), first = inside ? 1 : 0;
  const int *list = (const int *)H->program;
  hp_amg_walk w = hp_amg_walk_from(first, H->passes - first);
  if ((int)threadIdx.x < words) ((int *)&pass[0])[threadIdx.x] = list[first * words + threadIdx.x];
  __syncthreads();
  for (int here = 0; w.at < w.end; here ^= 1) {
    const hp_amg_pass *p = &pass[here];
    hp_amg_walk_meet(t, &w, p);
    const int next = hp_amg_walk_next(&w, p);
    if (next < w.end && (int)threadIdx.x < words)
      ((int *)&pass[here ^ 1])[threadIdx.x] = list[next * words + threadIdx.x];
    if (w.who != HP_AMG_OTHERS) hp_amg_pass_run_cuda<REAL, DEEP, PLAIN>(t, H, p, b, x);
    hp_amg_walk_leave(t, &w, p, visible); /* and the next one is here */
  }
}

/* hp_amg_cycle from the list of passes; H is in shared memory (hp_amg_on_chip). `inside`, in single precision: from level
 * 0's b to its x, without conversion. `visible`: ends with a barrier; else the caller needs one. */
template <bool DEEP, bool PLAIN>
static __device__ __forceinline__ void hp_amg_program_cuda(hp_team *t, const hp_amg *H, const double *b, double *x,
                                                           bool inside, bool visible) {
  if (H->opt.precision == HP_PRECISION_SINGLE) hp_amg_passes_cuda<float, DEEP, PLAIN>(t, H, b, x, inside, visible);
  else hp_amg_passes_cuda<double, DEEP, PLAIN>(t, H, b, x, inside, visible);
}

#else

/* declared for the host pass of the compiler */
template <bool DEEP, bool PLAIN>
static __device__ void hp_amg_program_cuda(hp_team *, const hp_amg *, const double *, double *, bool, bool) {}

#endif

#endif
