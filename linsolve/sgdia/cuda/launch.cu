/* The variants of products with SG-DIA (linsolve/sgdia/cuda/launch.cuh). */
#include <stdio.h>
#include <string.h>

#include "linsolve/sgdia/cuda/kernels.cuh"
#include "linsolve/sgdia/cuda/launch.cuh"

template <class Real, bool PERIODIC, bool SHARED, int LOADS>
static const void *variant_unroll(int unroll) {
  switch (unroll) {
    case 1: return (const void *)stencil_kernel<Real, PERIODIC, SHARED, 1, LOADS>;
    case 2: return (const void *)stencil_kernel<Real, PERIODIC, SHARED, 2, LOADS>;
    case 4: return (const void *)stencil_kernel<Real, PERIODIC, SHARED, 4, LOADS>;
    default: return (const void *)stencil_kernel<Real, PERIODIC, SHARED, 8, LOADS>;
  }
}

template <class Real, bool PERIODIC, bool SHARED>
static const void *variant_loads(const hp_kernel_shape *s) {
  return s->loads == HP_LOADS_PLAIN  ? variant_unroll<Real, PERIODIC, SHARED, HP_LOADS_PLAIN>(s->unroll)
         : s->loads == HP_LOADS_WIDE ? variant_unroll<Real, PERIODIC, SHARED, HP_LOADS_WIDE>(s->unroll)
                                     : variant_unroll<Real, PERIODIC, SHARED, HP_LOADS_STREAM>(s->unroll);
}

template <class Real>
static const void *variant(bool periodic, const hp_kernel_shape *s) {
  if (periodic) return s->shared ? variant_loads<Real, true, true>(s) : variant_loads<Real, true, false>(s);
  return s->shared ? variant_loads<Real, false, true>(s) : variant_loads<Real, false, false>(s);
}

static stencil_args args_of(const hp_sgdia *A, const hp_sgdia_tile *tile, const void *x, void *y) {
  stencil_args a;
  memset(&a, 0, sizeof a);
  a.value = A->value;
  a.x = x;
  a.y = y;
  a.ld = A->ld;
  a.n = (int)A->n;
  a.ncell = (int)A->ncell;
  a.q = A->q;
  a.points = A->points;
  memcpy(a.size, A->size, sizeof a.size);
  a.by_q = hp_divisor_of((uint32_t)A->q);
  a.by_x = hp_divisor_of((uint32_t)A->size[0]);
  a.by_y = hp_divisor_of((uint32_t)A->size[1]);
  for (int p = 0; p < A->points; ++p) {
    for (int d = 0; d < 3; ++d) a.shift[p][d] = (signed char)A->shift[p][d];
    a.offset[p] = A->offset[p];
    a.line_of[p] = (signed char)tile->line_of[p];
  }
  a.lines = tile->lines;
  a.length = tile->length;
  memcpy(a.line, tile->line, (size_t)tile->lines * sizeof *a.line);
  return a;
}

hp_sgdia_launch hp_sgdia_launch_of(const hp_sgdia *A, const hp_kernel_shape *s, int multiprocessors, const void *x,
                                   void *y) {
  const hp_sgdia_tile tile = hp_sgdia_tile_of(A, s->threads * hp_sgdia_rows_of(A->single, s->loads));
  const int64_t tiles = hp_parts(A->n, tile.rows), most = s->blocks > 0 ? (int64_t)s->blocks * multiprocessors : tiles;
  hp_sgdia_launch L;
  memset(&L, 0, sizeof L);
  L.kernel = A->single ? variant<float>(A->periodic, s) : variant<double>(A->periodic, s);
  L.args = args_of(A, &tile, x, y);
  L.tiles = (int)tiles;
  L.blocks = (int)(tiles < most ? tiles : most);
  L.threads = s->threads;
  L.shared = s->shared ? (size_t)tile.bytes : 0;
  return L;
}

hp_status hp_sgdia_compile(hp_device *D, const hp_sgdia *A, const hp_kernel_shape *s, hp_compiled **out) {
  char unit[256], kernel[128];
  *out = NULL;
  if (s->compile == HP_COMPILE_BUILD) return HP_OK;
  snprintf(unit, sizeof unit,
           "#include \"hp_constants.h\"\n#include \"linsolve/sgdia/cuda/kernels.cuh\"\n"
           "static_assert(sizeof(stencil_args) == %zu, \"\");\n",
           sizeof(stencil_args));
  hp_sgdia_kernel_expression(A, s, kernel, sizeof kernel);
  const hp_compile_job job = {unit, kernel, "", 0, 0, hp_kernel_compile_options(s->compile), hp_kernel_texts};
  return hp_compiled_create(D, &job, out);
}
