/* Operations of bench/vectors/vectors.h: their kernels of the build and compiled ones, and launches. */
#include <stdio.h>

#include "bench/texts/texts.h"
#include "bench/vectors/cuda/kernels.cuh"
#include "bench/vectors/cuda/vectors_impl.cuh"
#include "core/device/device.h"
#include "core/memory.h"

/* ---- the build's kernel that a shape asks for ---- */

static_assert(hp_vector_unroll(HP_KERNEL_UNROLL_MAX, dot_pass::READS) == HP_KERNEL_UNROLL_MAX,
              "kernels here have the unrolling of the shape");

template <int LOADS>
static const void *maxpy_of(int unroll) {
  switch (unroll) {
    case 1: return (const void *)maxpy_kernel<1, LOADS>;
    case 2: return (const void *)maxpy_kernel<2, LOADS>;
    case 4: return (const void *)maxpy_kernel<4, LOADS>;
    default: return (const void *)maxpy_kernel<8, LOADS>;
  }
}

static const void *maxpy_variant(const hp_kernel_shape *s, bool aligned) {
  const hp_kernel_loads loads = aligned ? s->loads : HP_LOADS_PLAIN;
  return loads == HP_LOADS_PLAIN  ? maxpy_of<HP_LOADS_PLAIN>(s->unroll)
         : loads == HP_LOADS_WIDE ? maxpy_of<HP_LOADS_WIDE>(s->unroll)
                                  : maxpy_of<HP_LOADS_STREAM>(s->unroll);
}

template <class Pass, int LOADS>
static const void *last_of(int unroll) {
  switch (unroll) {
    case 1: return (const void *)last_kernel<Pass, 1, LOADS>;
    case 2: return (const void *)last_kernel<Pass, 2, LOADS>;
    case 4: return (const void *)last_kernel<Pass, 4, LOADS>;
    default: return (const void *)last_kernel<Pass, 8, LOADS>;
  }
}

template <class Pass>
static const void *last_variant(const hp_kernel_shape *s, bool aligned) {
  const hp_kernel_loads loads = aligned ? s->loads : HP_LOADS_PLAIN;
  return loads == HP_LOADS_PLAIN  ? last_of<Pass, HP_LOADS_PLAIN>(s->unroll)
         : loads == HP_LOADS_WIDE ? last_of<Pass, HP_LOADS_WIDE>(s->unroll)
                                  : last_of<Pass, HP_LOADS_STREAM>(s->unroll);
}

template <class Pass>
static const void *sum_variant(const hp_kernel_shape *s, bool aligned) {
  return s->last ? last_variant<Pass>(s, aligned) : hp_vector_sums_variant<Pass, hp_vector_args>(s, aligned);
}

static const void *build_kernel(hp_vector_operation op, const hp_kernel_shape *s, bool aligned) {
  switch (op) {
    case HP_VECTOR_AXPY: return hp_vector_each_variant<axpy_pass, hp_vector_args>(s, aligned);
    case HP_VECTOR_MAXPY: return maxpy_variant(s, aligned);
    case HP_VECTOR_WAXPY: return hp_vector_each_variant<waxpy_pass, hp_vector_args>(s, aligned);
    case HP_VECTOR_SCALE: return hp_vector_each_variant<scale_pass, hp_vector_args>(s, aligned);
    case HP_VECTOR_DOT: return sum_variant<dot_pass>(s, aligned);
    default: return sum_variant<norm_pass>(s, aligned);
  }
}

static bool is_aligned(const hp_vector_args *a) {
  const uintptr_t all = (uintptr_t)a->x | (uintptr_t)a->y | (uintptr_t)a->w;
  return all % 16 == 0 && (a->count <= 1 || a->stride % 2 == 0);
}

/* ---- compiled kernels ---- */

static hp_compiled **compiled_of(hp_vector_kernels *V, hp_vector_operation op, const hp_kernel_shape *s, bool aligned) {
  const hp_kernel_loads loads = aligned ? s->loads : HP_LOADS_PLAIN;
  return &V->compiled[op][hp_vector_is_sum(op) && s->last][s->unroll][loads][s->compile];
}

hp_status hp_vector_kernels_compile(hp_vector_kernels *V, hp_vector_operation op, const hp_vector_args *a,
                                    const hp_kernel_shape *s) {
  char unit[256], kernel[HP_VECTOR_EXPRESSION_MAX];
  HP_TRY(hp_kernel_check_shape(s));
  hp_compiled **K = compiled_of(V, op, s, is_aligned(a));
  if (s->compile == HP_COMPILE_BUILD || *K != NULL) return HP_OK;
  snprintf(unit, sizeof unit,
           "#include \"hp_constants.h\"\n#include \"bench/vectors/cuda/kernels.cuh\"\n"
           "static_assert(sizeof(hp_vector_args) == %zu && sizeof(hp_cut) == %zu, \"\");\n",
           sizeof(hp_vector_args), sizeof(hp_cut));
  hp_vector_kernel_expression(op, s, is_aligned(a), kernel, sizeof kernel);
  const hp_compile_job job = {unit, kernel, "", 0, 0, hp_kernel_compile_options(s->compile), hp_bench_kernel_texts};
  return hp_compiled_create(V->D, &job, K);
}

/* ---- launches ---- */

static hp_status each(hp_vector_kernels *V, const void *kernel, const hp_vector_args *a, const hp_kernel_shape *s,
                      int width) {
  const int multiprocessors = hp_device_get_info(V->D)->multiprocessors;
  hp_vector_args args = *a;
  HP_TRY(hp_vector_streams_fork(V->streams, s->streams));
  for (int p = 0; p < s->streams; ++p) {
    hp_vector_share part = hp_vector_share_of(a->n, HP_LANES, p, s->streams);
    if (part.begin == part.end) continue;
    void *list[] = {&args, &part};
    const int64_t units = hp_parts(part.end - part.begin, (int64_t)s->threads * s->unroll * width);
    const dim3 grid((unsigned)hp_vector_blocks(s, units, multiprocessors)), block((unsigned)s->threads);
    HP_TRY(hp_device_check(V->D, cudaLaunchKernel(kernel, grid, block, list, 0, hp_vector_stream(V->streams, p)),
                           "an operation on vectors"));
  }
  return hp_vector_streams_join(V->streams, s->streams);
}

/* total: the kernel that adds up the sums of groups where the last block does not; always the build's. */
static hp_status sums(hp_vector_kernels *V, const void *kernel, const void *total, const hp_vector_args *a,
                      const hp_kernel_shape *s) {
  static const char what[] = "a sum over vectors";
  const int multiprocessors = hp_device_get_info(V->D)->multiprocessors, threads = hp_vector_sum_threads(s);
  hp_vector_args args = *a;
  hp_cut cut = hp_cut_of(a->n, a->n);
  int groups = (int)hp_parts(cut.chunks, HP_GROUP);
  hp_vector_share part[HP_KERNEL_STREAMS_MAX];
  unsigned blocks[HP_KERNEL_STREAMS_MAX], all = 0, shake = hp_device_shake(V->D);
  for (int p = 0; p < s->streams; ++p) {
    part[p] = hp_vector_share_of(groups, 1, p, s->streams);
    const int64_t units = hp_parts(part[p].end - part[p].begin, threads / (32 * HP_GROUP));
    blocks[p] = (unsigned)(units > 0 ? hp_vector_blocks(s, units, multiprocessors) : 0);
    all += blocks[p];
  }
  HP_TRY(hp_vector_streams_fork(V->streams, s->streams));
  for (int p = 0; p < s->streams; ++p) {
    if (blocks[p] == 0) continue;
    void *list[] = {&args, &cut, &part[p], &V->partial, &V->finished, &all, &shake};
    HP_TRY(hp_device_check(
        V->D,
        cudaLaunchKernel(kernel, dim3(blocks[p]), dim3((unsigned)threads), list, 0, hp_vector_stream(V->streams, p)),
        what));
  }
  HP_TRY(hp_vector_streams_join(V->streams, s->streams));
  if (s->last) return HP_OK;
  void *list[] = {&V->partial, &groups, &args.result};
  return hp_device_check(V->D, cudaLaunchKernel(total, dim3(1), dim3(32), list, 0, hp_vector_stream(V->streams, 0)),
                         what);
}

hp_status hp_vector_kernels_run(hp_vector_kernels *V, hp_vector_operation op, const hp_vector_args *a,
                                const hp_kernel_shape *s) {
  HP_TRY(hp_vector_kernels_compile(V, op, a, s));
  const bool aligned = is_aligned(a);
  const hp_compiled *K = *compiled_of(V, op, s, aligned);
  const void *kernel = K != NULL ? hp_compiled_handle(K) : build_kernel(op, s, aligned);
  if (op == HP_VECTOR_DOT) return sums(V, kernel, (const void *)total_kernel<dot_pass>, a, s);
  if (op == HP_VECTOR_NORM) return sums(V, kernel, (const void *)total_kernel<norm_pass>, a, s);
  return each(V, kernel, a, s, aligned && s->loads != HP_LOADS_PLAIN ? 2 : 1);
}

/* ---- creation ---- */

hp_status hp_vector_kernels_create(hp_device *D, hp_vector_kernels **out) {
  hp_vector_kernels *V = NULL;
  HP_TRY(hp_alloc((void **)&V, 1, sizeof *V, "operations on vectors"));
  *out = V;
  V->D = D;
  HP_TRY(hp_vector_streams_create(D, &V->streams));
  HP_TRY(HP_DEVICE_ALLOC(D, V->partial, HP_GROUPS_MAX));
  return HP_DEVICE_ALLOC(D, V->finished, 1);
}

void hp_vector_kernels_destroy(hp_vector_kernels **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_vector_kernels *V = *slot;
  hp_vector_streams_destroy(&V->streams);
  HP_DEVICE_FREE(V->D, V->partial);
  HP_DEVICE_FREE(V->D, V->finished);
  for (hp_compiled **K = &V->compiled[0][0][0][0][0], **end = K + sizeof V->compiled / sizeof *K; K < end; ++K)
    hp_compiled_destroy(K);
  hp_free(slot);
}
