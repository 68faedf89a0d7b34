/* Running a cycle's passes: amg/cycle/program.h. */
#ifndef HP_AMG_CYCLE_CUDA_PROGRAM_CUH
#define HP_AMG_CYCLE_CUDA_PROGRAM_CUH

#include "amg/cycle/cuda/compact.cuh"
#include "amg/cycle/cuda/program_group.cuh"
#include "amg/cycle/rows.inl.h"

#if defined(__CUDA_ARCH__)

/* ---- levels on chip ---- */

template <class T>
static __device__ __forceinline__ T *hp_amg_near_cuda(const void *distance) {
  return distance != NULL ? (T *)(hp_amg_chip_at_cuda() + (size_t)distance) : NULL;
}

/* Rows on chip, 2^lanes lanes each. */
template <class REAL>
static __device__ __forceinline__ void hp_amg_chip_rows_cuda(const hp_amg_rows *A, const REAL *s, const REAL *x,
                                                             const typename hp_amg_of<REAL>::form &form) {
  const int lanes = A->lanes, share = 1 << lanes, mine = (int)threadIdx.x & (share - 1), n = A->nrow;
  const int32_t *begin = hp_amg_near_cuda<int32_t>(A->begin);
  const uint16_t *column = hp_amg_near_cuda<uint16_t>(A->column);
  const REAL *value = hp_amg_near_cuda<REAL>(A->value);
  for (int first = 0; first < n; first += (int)blockDim.x >> lanes) {
    const int i = first + ((int)threadIdx.x >> lanes);
    const int32_t end = i < n ? begin[i + 1] : 0;
    REAL sum = 0;
#pragma unroll 4
    for (int32_t e = (i < n ? begin[i] : 0) + mine; e < end; e += share) {
      const int j = column[e];
      sum += value[e] * (s != NULL ? s[j] * x[j] : x[j]);
    }
    for (int apart = 1; apart < share; apart <<= 1) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    if (mine != 0 || i >= n) continue;
    const typename hp_amg_of<REAL>::taken row = hp_amg_of<REAL>::take(&form, i);
    form.out[i] = hp_amg_of<REAL>::formed(&form, row, sum);
  }
}

template <class REAL>
static __device__ __forceinline__ void hp_amg_chip_inverse_cuda(const double *inverse, int n, const REAL *b, REAL *x) {
  const int lane = threadIdx.x & 31;
  for (int i = (int)threadIdx.x >> 5; i < n; i += (int)blockDim.x >> 5) {
    double sum = 0.0;
    for (int j = lane; j < n; j += 32) sum += inverse[i * n + j] * (double)b[j];
#pragma unroll
    for (int apart = 16; apart > 0; apart >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    if (lane == 0) x[i] = (REAL)sum;
  }
}

template <class REAL>
static __device__ __forceinline__ void hp_amg_chip_pass_cuda(const hp_amg_pass *p) {
  typename hp_amg_of<REAL>::form f;
  const double *by = hp_amg_near_cuda<double>(p->by);
  const REAL *from = hp_amg_near_cuda<REAL>(p->from);
  f.kind = p->kind;
  f.x_state = p->x_state;
  f.last_state = p->last_state;
  f.x = hp_amg_near_cuda<REAL>(p->x);
  f.s = hp_amg_near_cuda<REAL>(p->s);
  f.b = hp_amg_near_cuda<REAL>(p->b);
  f.out = hp_amg_near_cuda<REAL>(p->out);
  f.momentum = (REAL)(by != NULL ? by[0] : p->momentum);
  f.factor = (REAL)(by != NULL ? by[1] : p->factor);
  if (p->what == HP_AMG_PASS_ROWS) {
    hp_amg_chip_rows_cuda<REAL>(&p->rows, hp_amg_near_cuda<REAL>(p->scale_from), from, f);
  } else if (p->what == HP_AMG_PASS_INVERSE) {
    hp_amg_chip_inverse_cuda<REAL>(hp_amg_near_cuda<double>(p->s), (int)p->n, from, f.out);
  } else {
    for (int i = (int)threadIdx.x; i < (int)p->n; i += (int)blockDim.x)
      f.out[i] = (f.x != NULL ? f.x[i] : (REAL)0) + from[i];
  }
}

/* The levels on chip, by block 0: from b to x of the first of them. Of its own: only one block saves registers. */
template <class REAL>
static __device__ __noinline__ void hp_amg_chip_run_cuda(const hp_amg_pass *p, const REAL *from, REAL *out) {
  const hp_amg_pass *list = hp_amg_near_cuda<hp_amg_pass>((const void *)HP_AMG_CHIP_LIST);
  REAL *b = hp_amg_near_cuda<REAL>(p->b), *x = hp_amg_near_cuda<REAL>(p->x);
  for (int i = (int)threadIdx.x; i < (int)p->n; i += (int)blockDim.x) b[i] = from[i];
  __syncthreads();
  for (int k = p->begin; k < p->end; ++k) {
    hp_amg_chip_pass_cuda<REAL>(&list[k]);
    __syncthreads();
  }
  for (int i = (int)threadIdx.x; i < (int)p->n; i += (int)blockDim.x) out[i] = x[i];
}

/* The image that kernels begin with; H's numbers are visible to all. A piece is a block's work. */
static __device__ __forceinline__ void hp_amg_chip_image_cuda(const hp_amg *H) {
  const bool single = H->opt.precision == HP_PRECISION_SINGLE;
  for (int k = (int)blockIdx.x; k < H->chip_pieces; k += (int)gridDim.x) {
    const hp_amg_chip_piece p = H->chip_piece[k];
    unsigned char *to = (unsigned char *)H->chip + p.to;
    const bool wide = p.kind == HP_AMG_CHIP_DOUBLES || (p.kind == HP_AMG_CHIP_REALS && !single);
    for (int32_t i = (int32_t)threadIdx.x; i < p.count; i += (int32_t)blockDim.x) {
      if (p.kind == HP_AMG_CHIP_UINT16) ((uint16_t *)to)[i] = (uint16_t)((const int32_t *)p.from)[i];
      else if (p.kind == HP_AMG_CHIP_NUMBERS && single) ((float *)to)[i] = (float)((const double *)p.from)[i];
      else if (p.kind == HP_AMG_CHIP_NUMBERS || wide) ((double *)to)[i] = ((const double *)p.from)[i];
      else ((int32_t *)to)[i] = ((const int32_t *)p.from)[i];
    }
  }
}

/* ---- passes ---- */

template <int KIND, bool SCALED, class REAL>
static __device__ __forceinline__ void hp_amg_program_rows_cuda(const hp_amg_rows *A, const REAL *s, const REAL *x,
                                                                const typename hp_amg_of<REAL>::form &form) {
  switch (A->lanes) { /* those that amg/cycle/cuda/slices.cu gives a matrix */
    case 0: hp_amg_slices_cuda<0, KIND, SCALED, REAL>(A, s, x, form); break;
    case 2: hp_amg_slices_cuda<2, KIND, SCALED, REAL>(A, s, x, form); break;
    case 3: hp_amg_slices_cuda<3, KIND, SCALED, REAL>(A, s, x, form); break;
    case 5: hp_amg_slices_cuda<5, KIND, SCALED, REAL>(A, s, x, form); break;
  }
}

#if !defined(HP_AMG_NO_COMPACT)

/* Rows of 4 bytes an entry; only in single precision. */
template <int KIND, bool SCALED>
static __device__ __forceinline__ void hp_amg_program_compact_cuda(const hp_amg_rows *A, const float *s, const float *x,
                                                                   const hp_amg_form_float &form) {
  switch (A->lanes) {
    case 0: hp_amg_compact_slices_cuda<0, KIND, SCALED>(A, s, x, form); break;
    case 2: hp_amg_compact_slices_cuda<2, KIND, SCALED>(A, s, x, form); break;
    case 3: hp_amg_compact_slices_cuda<3, KIND, SCALED>(A, s, x, form); break;
    case 5: hp_amg_compact_slices_cuda<5, KIND, SCALED>(A, s, x, form); break;
  }
}

static __device__ __forceinline__ void hp_amg_pass_compact_cuda(const hp_amg_rows *A, const float *s, const float *x,
                                                                const hp_amg_form_float &form) {
  if (form.kind == HP_AMG_FORM_RESIDUAL && s != NULL)
    hp_amg_program_compact_cuda<HP_AMG_FORM_RESIDUAL, true>(A, s, x, form);
  else if (form.kind == HP_AMG_FORM_PRODUCT) hp_amg_program_compact_cuda<HP_AMG_FORM_PRODUCT, false>(A, s, x, form);
  else hp_amg_program_compact_cuda<HP_AMG_FORM_ANY, false>(A, s, x, form);
}

#else

static __device__ void hp_amg_pass_compact_cuda(const hp_amg_rows *, const float *, const float *,
                                                const hp_amg_form_float &) {}

#endif

static __device__ __forceinline__ void hp_amg_pass_compact_cuda(const hp_amg_rows *, const double *, const double *,
                                                                const hp_amg_form_double &) {}

template <class REAL>
static __device__ __forceinline__ void hp_amg_pass_run_cuda(hp_team *t, const hp_amg *H, const hp_amg_pass *p,
                                                            const double *b, double *x) {
  typename hp_amg_of<REAL>::form f;
  const void *const own_b = b, *const own_x = x;
#define HP_AMG_NAMED(v) ((v) == HP_AMG_CYCLES_B ? own_b : (v) == HP_AMG_CYCLES_X ? own_x : (v))
  const REAL *from = (const REAL *)HP_AMG_NAMED(p->from), *scale = (const REAL *)p->scale_from;
  f.kind = p->kind;
  f.x_state = p->x_state;
  f.last_state = p->last_state;
  f.x = (const REAL *)HP_AMG_NAMED(p->x);
  f.s = (const REAL *)p->s;
  f.b = (const REAL *)HP_AMG_NAMED(p->b);
  f.out = (REAL *)HP_AMG_NAMED(p->out);
#undef HP_AMG_NAMED
  f.momentum = (REAL)(p->by != NULL ? p->by[0] : p->momentum);
  f.factor = (REAL)(p->by != NULL ? p->by[1] : p->factor);
  const int64_t n = p->n;
  switch (p->what) {
    case HP_AMG_PASS_IN:
      for (int64_t i = t->rank; i < n; i += t->size) f.out[i] = (REAL)b[i];
      break;
    case HP_AMG_PASS_OUT:
      for (int64_t i = t->rank; i < n; i += t->size) x[i] = (double)from[i];
      break;
    case HP_AMG_PASS_SUM:
      for (int64_t i = t->rank; i < n; i += t->size)
        f.out[i] = (f.x != NULL ? f.x[i] : (REAL)0) + from[p->own != NULL ? p->own[i] : i];
      break;
    case HP_AMG_PASS_CHIP:
      if (blockIdx.x == 0) hp_amg_chip_run_cuda<REAL>(p, from, f.out);
      break;
    case HP_AMG_PASS_GROUP: hp_amg_group_cuda<REAL>(p, from, f.x, f.b, f.out); break;
    case HP_AMG_PASS_INVERSE: hp_amg_inverse_cuda(t, H->inverse, n, from, f.out); break;
    case HP_AMG_PASS_FINEST: {
      const hp_amg_finest *F = &H->level[0].finest;
      if (f.kind == HP_AMG_FORM_RESIDUAL) hp_amg_finest_kind_cuda<HP_AMG_FORM_RESIDUAL, REAL>(t, F, scale, from, f);
#if defined(HP_AMG_ALL_FORMS)
      else if (f.kind == HP_AMG_FORM_STEP && scale == NULL)
        hp_amg_finest_kind_cuda<HP_AMG_FORM_STEP, REAL>(t, F, (const REAL *)NULL, from, f);
#endif
      else hp_amg_finest_kind_cuda<HP_AMG_FORM_ANY, REAL>(t, F, scale, from, f);
      break;
    }
    default:
      if (p->rows.word != NULL) hp_amg_pass_compact_cuda(&p->rows, scale, from, f);
      else if (f.kind == HP_AMG_FORM_RESIDUAL && scale != NULL)
        hp_amg_program_rows_cuda<HP_AMG_FORM_RESIDUAL, true, REAL>(&p->rows, scale, from, f);
      else if (f.kind == HP_AMG_FORM_PRODUCT)
        hp_amg_program_rows_cuda<HP_AMG_FORM_PRODUCT, false, REAL>(&p->rows, scale, from, f);
#if defined(HP_AMG_ALL_FORMS)
      else if (f.kind == HP_AMG_FORM_STEP && scale == NULL)
        hp_amg_program_rows_cuda<HP_AMG_FORM_STEP, false, REAL>(&p->rows, scale, from, f);
      else if (f.kind == HP_AMG_FORM_CORRECT && scale == NULL)
        hp_amg_program_rows_cuda<HP_AMG_FORM_CORRECT, false, REAL>(&p->rows, scale, from, f);
#endif
      else hp_amg_program_rows_cuda<HP_AMG_FORM_ANY, false, REAL>(&p->rows, scale, from, f);
  }
}

/* hp_amg_cycle by the list; H on chip (hp_amg_on_chip). The next pass is read while one runs. `inside`, in single
 * precision: from level 0's b to its x, without conversion. `visible`: ends with a barrier; else the caller has one. */
static __device__ __forceinline__ void hp_amg_program_cuda(hp_team *t, const hp_amg *H, const double *b, double *x,
                                                           bool inside, bool visible) {
  __shared__ hp_amg_pass pass[2];
  const int words = (int)(sizeof(hp_amg_pass) / 4), first = inside ? 1 : 0, end = H->passes - first;
  const int *list = (const int *)H->program;
  const bool single = H->opt.precision == HP_PRECISION_SINGLE;
  if ((int)threadIdx.x < words) ((int *)&pass[first])[threadIdx.x] = list[first * words + threadIdx.x];
  __syncthreads();
  for (int k = first; k < end; ++k) {
    if (k + 1 < end && (int)threadIdx.x < words)
      ((int *)&pass[(k + 1) & 1])[threadIdx.x] = list[(k + 1) * words + threadIdx.x];
    if (single) hp_amg_pass_run_cuda<float>(t, H, &pass[k & 1], b, x);
    else hp_amg_pass_run_cuda<double>(t, H, &pass[k & 1], b, x);
    if (k + 1 < end || visible) hp_team_sync(t); /* what the pass wrote; and the next one is here */
  }
}

#else

/* for the other pass of the compiler, which wants to know the name */
static __device__ void hp_amg_program_cuda(hp_team *, const hp_amg *, const double *, double *, bool, bool) {}
static __device__ void hp_amg_chip_image_cuda(const hp_amg *) {}

#endif

#endif
