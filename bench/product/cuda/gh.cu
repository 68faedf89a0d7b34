/* Products with GH on the GPU, in the layouts of bench/product/device.h. */
#include <stdio.h>

#include "bench/product/cuda/gh.cuh"
#include "bench/product/cuda/product.cuh"
#include "bench/texts/texts.h"
#include "linsolve/stencil/stencil.h"

/* The same with x from shared memory: the block loads the five ranges of x that its cells multiply (the cells
 * themselves with a neighbour at each end, and the ranges of u = -3, -2, 2, 3), 16 bytes per thread, while its first
 * loads of the matrix are in flight. Al-Mouhamed & Khan 2017, section 6.1, Fig. 6. */
template <int Q>
__global__ void __launch_bounds__(512)
    spmv_gh_shared(const __grid_constant__ spmv_gh A, const __grid_constant__ spmv_border B, const double *x,
                   double *y) {
  extern __shared__ double2 staged[]; /* middle [blockDim + Q], then u = -3, -2, 2, 3 [blockDim] each */
  if (spmv_wells(B, x, y)) return;
  constexpr int G = spmv_group(Q, 16);
  const int block = blockIdx.x - B.blocks, i = 2 * (block * blockDim.x + threadIdx.x), m = i / Q;
  const bool mine = i < A.ld;
  const int2 pieces = spmv_pieces(B, block);
  spmv_columns<2> wells;
  double2 h[G][Q];
  double sum[2] = {0.0, 0.0};
#pragma unroll
  for (int g = 0; g < HP_GH_DIAGS; g += G) {
#pragma unroll
    for (int d = 0; d < G; ++d) {
      const int u = g + d;
      if (u >= HP_GH_DIAGS) continue;
      const bool has = mine && spmv_has(A, u, m + A.shift[u]);
      const double *column = A.h + (int64_t)u * Q * A.ld + i;
#pragma unroll
      for (int c = 0; c < Q; ++c) h[d][c] = spmv_load2<SPMV_STREAM>(column + c * A.ld, has);
    }
    if (g == 0) {
      const int side[4] = {0, 1, 5, 6}; /* u = -3, -2, 2, 3 */
#pragma unroll
      for (int s = 0; s < 4; ++s) {
        const int64_t at = i + (int64_t)A.shift[side[s]] * Q;
        staged[(s + 1) * blockDim.x + Q + threadIdx.x] = spmv_x2(x + at, A.exists[side[s]] && at >= 0 && at < A.ld);
      }
      for (int e = threadIdx.x; e < (int)blockDim.x + Q; e += blockDim.x) {
        const int64_t at = 2 * ((int64_t)block * blockDim.x + e) - Q;
        staged[e] = spmv_x2(x + at, at >= 0 && at < A.ld);
      }
      wells = spmv_columns_begin<2>(B, pieces, i, x);
      __syncthreads();
    }
#pragma unroll
    for (int d = 0; d < G; ++d) {
      const int u = g + d;
      if (u >= HP_GH_DIAGS) continue;
      /* place of the neighbour's unknowns; threadIdx.x - threadIdx.x % (Q/2) is the cell's first pair */
      const int cell = threadIdx.x - threadIdx.x % (Q / 2);
      const int at = u == 2   ? cell
                     : u == 3 ? cell + Q / 2
                     : u == 4 ? cell + Q
                              : (u < 2 ? u + 1 : u - 2) * (int)blockDim.x + Q + cell;
      const bool has = A.exists[u];
#pragma unroll
      for (int c = 0; c < Q / 2; ++c) {
        const double2 v = has ? staged[at + c] : make_double2(0.0, 0.0);
        sum[0] += h[d][2 * c].x * v.x;
        sum[1] += h[d][2 * c].y * v.x;
        sum[0] += h[d][2 * c + 1].x * v.y;
        sum[1] += h[d][2 * c + 1].y * v.y;
      }
    }
  }
  if (!mine) return;
  spmv_columns_end<2>(B, wells, i, x, sum);
  *(double2 *)(y + i) = make_double2(sum[0], sum[1]);
}

/* ---- connections beyond the diagonals ---- */

typedef struct spmv_links {
  const int64_t *cell, *begin, *other; /* hp_links */
  const double *value;                 /* hp_gh.link */
  int64_t rows;                        /* q for each cell with connections */
  int q;
} spmv_links;

/* Adds their part of A x, a row a thread. */
__global__ void __launch_bounds__(512) spmv_gh_links(const __grid_constant__ spmv_links L, const double *x, double *y) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, r = i / L.q;
  const int a = (int)(i - r * L.q);
  if (i >= L.rows) return;
  double sum = 0.0;
  for (int64_t e = L.begin[r]; e < L.begin[r + 1]; ++e)
    for (int b = 0; b < L.q; ++b) sum += L.value[(e * L.q + b) * L.q + a] * x[L.other[e] * L.q + b];
  y[L.cell[r] * L.q + a] += sum;
}

static void put_links(hp_spmv_product *P, const hp_gh *A) {
  const hp_links *L = &A->links;
  P->link[0] = hp_spmv_put(&P->I, L->cell, L->nrow * (int64_t)sizeof *L->cell);
  P->link[1] = hp_spmv_put(&P->I, L->begin, (L->nrow + 1) * (int64_t)sizeof *L->begin);
  P->link[2] = hp_spmv_put(&P->I, L->other, L->count * (int64_t)sizeof *L->other);
  P->link[3] = hp_spmv_put(&P->I, A->link, L->count * A->q * A->q * (int64_t)sizeof *A->link);
}

static hp_status run_links(const hp_spmv_product *P, const hp_gh *A, int copy, const double *x, double *y) {
  spmv_links L = {hp_spmv_at<int64_t>(P, copy, P->link[0]),
                  hp_spmv_at<int64_t>(P, copy, P->link[1]),
                  hp_spmv_at<int64_t>(P, copy, P->link[2]),
                  hp_spmv_at<double>(P, copy, P->link[3]),
                  A->links.nrow * A->q,
                  A->q};
  void *args[] = {&L, &x, &y};
  return hp_spmv_launch(P, (const void *)spmv_gh_links, (int)hp_parts(L.rows, P->threads), args, 0);
}

/* ---- which of them, and its launch ---- */

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

/* The name of the kernel that kernel_of gives for the layouts rows and pairs. */
static void kernel_name(const hp_gh *A, const hp_spmv_job *J, hp_spmv_layout layout, char *out, size_t size) {
  const int loads = J->loads == HP_SPMV_LOADS_PLAIN   ? SPMV_PLAIN
                    : J->loads == HP_SPMV_LOADS_FIRST ? SPMV_FIRST
                    : J->loads == HP_SPMV_LOADS_WIDE  ? SPMV_WIDE
                                                      : SPMV_STREAM;
  if (layout == HP_SPMV_ROWS) snprintf(out, size, "spmv_gh_rows<%d>", A->q);
  else if (A->q == 1) snprintf(out, size, "spmv_gh_cells<%d, false>", loads);
  else snprintf(out, size, "spmv_gh_pairs<%d, %d, false>", A->q, loads);
}

/* Compiles that kernel for the matrix. */
static hp_status specialise(hp_spmv_product *P, hp_spmv_layout layout) {
  const hp_gh *A = P->J->A;
  const hp_stencil_family family = hp_stencil_family_of(A);
  const int warps = P->threads / 32, blocks = (A->wells.nwell + warps - 1) / warps;
  char constants[HP_STENCIL_TEXT_MAX], more[160], unit[320], kernel[64];
  snprintf(more, sizeof more, "#define HP_CONSTANT_THREADS %d\n#define HP_CONSTANT_WELL_BLOCKS %d\n", P->threads,
           blocks);
  HP_TRY(hp_stencil_constants(&family, more, constants, sizeof constants));
  snprintf(unit, sizeof unit,
           "#include \"hp_constants.h\"\n#include \"bench/product/cuda/gh.cuh\"\n"
           "static_assert(sizeof(spmv_gh) == %zu && sizeof(spmv_border) == %zu, \"\");\n",
           sizeof(spmv_gh), sizeof(spmv_border));
  kernel_name(A, P->J, layout, kernel, sizeof kernel);
  const hp_compile_job job = {unit, kernel, constants, 0, 0, NULL, hp_bench_kernel_texts};
  HP_TRY(hp_compiled_create(P->D, &job, &P->compiled));
  if (P->J->compiled != NULL) *P->J->compiled = *hp_compiled_get_report(P->compiled);
  return HP_OK;
}

static hp_spmv_layout layout_of(const hp_gh *A, const hp_spmv_job *J) {
  if (J->layout != HP_SPMV_AUTO) return J->layout;
  return kernel_of(A, J, HP_SPMV_PAIRS) != NULL ? HP_SPMV_PAIRS : HP_SPMV_ROWS;
}

hp_status hp_spmv_gh_prepare(hp_spmv_product *P) {
  const hp_gh *A = P->J->A;
  const hp_spmv_layout layout = layout_of(A, P->J);
  if (kernel_of(A, P->J, layout) == NULL)
    return hp_fail(HP_ERR_UNSUPPORTED, "no kernel of this layout for q = %d and %lld rows", A->q, (long long)A->ld);
  P->threads = P->J->threads > 0 ? P->J->threads : A->q >= 8 ? 128 : 256;
  if (layout == HP_SPMV_SHARED && A->q == 6) P->threads = 192; /* whole cells */
  const int64_t length = layout == HP_SPMV_ROWS ? P->threads : 2 * P->threads;
  P->blocks = (int)hp_parts(A->ld, length);
  P->value = hp_spmv_put(&P->I, A->h, (int64_t)HP_GH_DIAGS * A->q * A->ld * 8);
  if (hp_gh_is_linked(A)) put_links(P, A);
  if (P->J->specialise) HP_TRY(specialise(P, layout));
  return hp_spmv_put_border_gh(P, A, length);
}

hp_status hp_spmv_gh_run(const hp_spmv_product *P, int copy) {
  const hp_gh *A = P->J->A;
  const hp_spmv_layout layout = layout_of(A, P->J);
  const int size[HP_GH_DIAGS] = {A->nx, A->ny, A->nz, 2, A->nz, A->ny, A->nx};
  spmv_gh G;
  spmv_border B = hp_spmv_border_of(P, copy);
  G.h = hp_spmv_at<double>(P, copy, P->value);
  G.ld = A->ld;
  G.ncell = (int)A->ncell;
  for (int u = 0; u < HP_GH_DIAGS; ++u) {
    G.shift[u] = (int)hp_gh_offset(A, u - 3);
    G.exists[u] = size[u] > 1;
  }
  const double *x = hp_spmv_at<double>(P, copy, P->x);
  double *y = hp_spmv_at<double>(P, copy, P->y);
  void *args[] = {&G, &B, &x, &y};
  const size_t shared = layout == HP_SPMV_SHARED ? (size_t)(5 * P->threads + A->q) * 16 : 0;
  const void *kernel = P->compiled != NULL ? hp_compiled_handle(P->compiled) : (const void *)kernel_of(A, P->J, layout);
  HP_TRY(hp_spmv_launch(P, kernel, B.blocks + P->blocks, args, shared));
  return hp_gh_is_linked(A) ? run_links(P, A, copy, x, y) : HP_OK;
}
