/* linsolve/krylov/host_driven/execution.cuh: the kernels of single operations, and BiCG-Stab. */
#include <stdio.h>

#include "core/memory.h"
#include "linsolve/krylov/host_driven/passes.cuh"
#include "linsolve/krylov/host_driven/ranks.cuh"
#if defined(__CUDA_ARCH__)
#include "linsolve/precond/dilu/cuda/bricks_apply.cuh"
#endif

enum { THREADS = HP_EXEC_THREADS, PRODUCT_THREADS = 64 };

/* ---- kernels ---- */

static __global__ void __launch_bounds__(THREADS) start_kernel(const __grid_constant__ hp_exec_args a) {
  hp_team t = hp_exec_team(&a);
  double *r = hp_solve_vector(&a.S, R);
  HP_TEAM_FOR(&t, i, a.A.n) {
    a.S.x[i] = 0.0;
    r[i] = a.S.b[i];
  }
}

/* ---- products ---- */

/* y = A x, or b - A x if b is not NULL, and with b whatever the iterations did. */
template <bool two_3d>
static __global__ void __launch_bounds__(PRODUCT_THREADS)
    product_kernel(const __grid_constant__ hp_exec_args a, const double *b, const double *x, double *y) {
#if defined(__CUDA_ARCH__)
  hp_team t = hp_exec_team(&a);
  const hp_from_vector from = {x};
  hp_store_rows use = {hp_local_in_memory(y)};
  if (b == NULL && hp_exec_is_over(&a)) return;
  hp_gh_product_pass_cuda<two_3d ? HP_GH_TWO_3D : HP_GH_ANY>(&a.A, hp_pass_of(&t, &a.A), b, from, use);
#endif
}

/* ---- preconditioners ---- */

static __global__ void __launch_bounds__(THREADS)
    cells_kernel(const __grid_constant__ hp_exec_args a, const double *r, double *z) {
  hp_team t = hp_exec_team(&a);
  if (hp_exec_is_over(&a)) return;
  if (a.P.kind == HP_PRECOND_JACOBI) {
    HP_TEAM_FOR(&t, i, a.A.rows) z[i] = a.P.inverse[i] * r[i];
  } else if (a.A.q == 2) {
    hp_block_jacobi_cells(&t, &a.P, &a.A, 2, r, z);
  } else {
    hp_block_jacobi_cells(&t, &a.P, &a.A, a.A.q, r, z);
  }
}

static __global__ void __launch_bounds__(THREADS)
    colour_kernel(const __grid_constant__ hp_exec_args a, int odd, const double *r, double *z) {
#if defined(__CUDA_ARCH__)
  hp_team t = hp_exec_team(&a);
  if (hp_exec_is_over(&a)) return;
  hp_dilu_colour_cuda(&t, &a.P, &a.A, odd, r, odd ? r : z, z);
#endif
}

/* A brick a warp. */
static __global__ void __launch_bounds__(THREADS)
    bricks_kernel(const __grid_constant__ hp_exec_args a, const double *r, double *z) {
#if defined(__CUDA_ARCH__)
  const hp_brick_no_pressure none;
  hp_team t = hp_exec_team(&a);
  if (hp_exec_is_over(&a)) return;
  hp_dilu_bricks_apply_cuda(&t, &a.P, &a.A, r, none, z);
#endif
}

/* A well a warp. */
static __global__ void __launch_bounds__(THREADS)
    wells_kernel(const __grid_constant__ hp_exec_args a, const double *r, double *z) {
#if defined(__CUDA_ARCH__)
  const hp_gh_wells *W = &a.A.wells;
  const int w = (int)((blockIdx.x * blockDim.x + threadIdx.x) >> 5);
  if (hp_exec_is_over(&a) || w >= W->nwell) return;
  const double sum = hp_gh_well_dot_cuda(&a.A, w, W->w, z);
  if ((threadIdx.x & 31) == 0) z[a.A.rows + w] = (r[a.A.rows + w] - sum) / W->dd[w];
#endif
}

/* ---- after sums: all groups by one block ---- */

/* Ready for the first iteration, or finished. */
static __device__ void begin_or_finish(const hp_exec_args *a, hp_solve *S) {
  hp_exec_state *s = a->state;
  hp_team t;
  t.rank = 0;
  t.barriers = 0;
  s->ended = -1;
  s->update = false;
  s->c = hp_bicgstab_state_of(s->run.residual);
  if (s->done) hp_krylov_run_finish(&t, S, &s->run, s->reason);
  hp_exec_set_condition(a, a->go_on, !s->done);
}

static __global__ void __launch_bounds__(THREADS) start_sums_kernel(const __grid_constant__ hp_exec_args a) {
  double sum[1];
  if (!hp_exec_collect(&a, 1, sum)) return;
  hp_exec_state *s = a.state;
  hp_solve S = a.S;
  hp_team t;
  t.rank = 0;
  S.singular = *a.singular;
  s->run.barriers = 0;
  s->done = hp_krylov_run_begin(&S, &s->run, sqrt(sum[0]), &s->reason);
  hp_krylov_run_record(&t, &S, &s->run, s->run.norm_b);
  begin_or_finish(&a, &S);
}

static __global__ void __launch_bounds__(THREADS) first_kernel(const __grid_constant__ hp_exec_args a) {
  double sum[2];
  hp_exec_state *s = a.state;
  if (!hp_exec_collect(&a, 2, sum)) return;
  hp_krylov_reason reason;
  s->update = false;
  s->run.products += 1;
  s->run.applications += a.P.kind != HP_PRECOND_NONE || a.P.external_data != NULL;
  if (!hp_bicgstab_first_sums(&s->c, sum, &reason)) s->ended = reason;
}

static __global__ void __launch_bounds__(THREADS) second_kernel(const __grid_constant__ hp_exec_args a) {
  double sum[5];
  hp_exec_state *s = a.state;
  if (!hp_exec_collect(&a, 5, sum)) return;
  hp_team t;
  t.rank = 0;
  if (s->ended < 0) {
    hp_krylov_reason reason;
    s->run.products += 1;
    s->run.applications += a.P.kind != HP_PRECOND_NONE || a.P.external_data != NULL;
    s->run.iterations += 1;
    const bool more = hp_bicgstab_second_sums(&s->c, sum, s->run.goal, &reason);
    s->update = more || reason != HP_KRYLOV_NOT_FINITE;
    if (s->update) hp_krylov_run_record(&t, &a.S, &s->run, s->c.norm);
    if (!more) s->ended = reason;
    else if (s->run.iterations >= a.S.max_iterations) s->ended = HP_KRYLOV_MAX_ITERATIONS;
  }
  hp_exec_set_condition(&a, a.judge, s->ended >= 0);
}

static __global__ void __launch_bounds__(THREADS) judge_kernel(const __grid_constant__ hp_exec_args a) {
  double sum[1];
  hp_exec_state *s = a.state;
  if (!hp_exec_collect(&a, 1, sum)) return;
  hp_solve S = a.S;
  S.singular = -1;
  s->run.products += 1;
  s->done = hp_krylov_run_decide(&S, &s->run, sqrt(sum[0]), (hp_krylov_reason)s->ended, false, &s->reason);
  begin_or_finish(&a, &S);
}

/* ---- launching ---- */

/* A graph's nodes are in no stream. */
static hp_status launch(hp_execution *E, cudaStream_t stream, const void *kernel, int64_t blocks, int threads,
                        void **args, size_t shared, const char *what) {
  const dim3 grid((unsigned)blocks), block((unsigned)threads);
  if (blocks == 0) return HP_OK;
  if (E->graph == NULL) {
    E->launches += 1;
    return hp_device_check(E->D, cudaLaunchKernel(kernel, grid, block, args, shared, stream), what);
  }
  cudaKernelNodeParams p = {};
  cudaGraphNode_t node;
  p.func = (void *)kernel;
  p.gridDim = grid;
  p.blockDim = block;
  p.sharedMemBytes = (unsigned)shared;
  p.kernelParams = args;
  HP_TRY(hp_device_check(E->D, cudaGraphAddKernelNode(&node, E->graph, &E->last, E->last != NULL, &p), what));
  E->last = node;
  return HP_OK;
}

hp_status hp_exec_launch(hp_execution *E, const void *kernel, int64_t blocks, int threads, void **args, size_t shared,
                         const char *what) {
  return launch(E, hp_device_stream(E->D), kernel, blocks, threads, args, shared, what);
}

hp_status hp_exec_each(hp_execution *E, const void *kernel, int64_t count, void **args, const char *what) {
  return hp_exec_launch(E, kernel, hp_parts(count, THREADS), THREADS, args, 0, what);
}

/* Launches a kernel that has no arguments but E's. */
static hp_status each(hp_execution *E, const void *kernel, int64_t count, const char *what) {
  void *args[] = {&E->args};
  return hp_exec_each(E, kernel, count, args, what);
}

hp_status hp_exec_groups(hp_execution *E, const void *kernel, void **args, const char *what) {
  const int64_t blocks = hp_parts(hp_cut_of(E->args.A.rows, E->args.A.n).chunks, HP_GROUP);
  return hp_exec_launch(E, kernel, blocks, THREADS, args, hp_team_shared_bytes(HP_GROUP), what);
}

hp_status hp_exec_one(hp_execution *E, const void *kernel, void **args, const char *what) {
  return hp_exec_launch(E, kernel, 1, THREADS, args, hp_team_shared_bytes(HP_GROUP), what);
}

static const hp_kernel_shape *shape_of(const hp_execution *E, hp_exec_pass pass) {
  return &E->pass[hp_exec_pass_as(pass)];
}

/* The compiled kernel of a pass, if there is one, else the build's. */
static const void *kernel_of(hp_execution *E, hp_exec_pass pass, const void *build) {
  const hp_compiled *K = E->compiled[pass][E->aligned];
  if (K == NULL) return build;
  E->special.passes += 1;
  return hp_compiled_handle(K);
}

/* A pass element by element, launched as the tuned operation that it is like; in a graph by one stream. */
template <class Pass, class Args>
static hp_status each_pass(hp_execution *E, const Args &a, const char *what) {
  const hp_exec_pass pass = (hp_exec_pass)Pass::PASS;
  const hp_kernel_shape *s = shape_of(E, pass);
  const int parts = E->graph == NULL ? s->streams : 1, width = E->aligned && s->loads != HP_LOADS_PLAIN ? 2 : 1;
  const int unroll = hp_vector_unroll(s->unroll, Pass::READS);
  const void *kernel = kernel_of(E, pass, hp_vector_each_variant<Pass, Args>(s, E->aligned));
  HP_TRY(hp_vector_streams_fork(E->streams, parts));
  for (int p = 0; p < parts; ++p) {
    hp_vector_share part = hp_vector_share_of(E->args.A.n, HP_LANES, p, parts);
    if (part.begin == part.end) continue;
    void *args[] = {(void *)&a, &part};
    const int64_t units = hp_parts(part.end - part.begin, (int64_t)s->threads * unroll * width);
    HP_TRY(launch(E, hp_vector_stream(E->streams, p), kernel,
                  hp_vector_blocks(s, units, hp_device_get_info(E->D)->multiprocessors), s->threads, args, 0, what));
  }
  return hp_vector_streams_join(E->streams, parts);
}

/* Sums of groups, then `then` with all of them. */
template <class Pass>
static hp_status sums_pass(hp_execution *E, const void *then, const char *what) {
  const hp_exec_pass pass = (hp_exec_pass)Pass::PASS;
  if (E->part != NULL) {
    void *all[] = {&E->args};
    HP_TRY(hp_exec_sum_ranks<Pass>(E, what));
    return hp_exec_one(E, then, all, what);
  }
  const hp_kernel_shape *s = shape_of(E, pass);
  const int parts = E->graph == NULL ? s->streams : 1, threads = hp_vector_sum_threads(s);
  const void *kernel = kernel_of(E, pass, hp_vector_sums_variant<Pass, hp_exec_args>(s, E->aligned));
  hp_cut cut = hp_cut_of(E->args.A.rows, E->args.A.n);
  HP_TRY(hp_vector_streams_fork(E->streams, parts));
  for (int p = 0; p < parts; ++p) {
    hp_vector_share part = hp_vector_share_of(hp_parts(cut.chunks, HP_GROUP), 1, p, parts);
    if (part.begin == part.end) continue;
    void *args[] = {&E->args, &cut, &part, &E->args.partial};
    const int64_t units = hp_parts(part.end - part.begin, threads / (32 * HP_GROUP));
    HP_TRY(launch(E, hp_vector_stream(E->streams, p), kernel,
                  hp_vector_blocks(s, units, hp_device_get_info(E->D)->multiprocessors), threads, args, 0, what));
  }
  HP_TRY(hp_vector_streams_join(E->streams, parts));
  void *args[] = {&E->args};
  return hp_exec_one(E, then, args, what);
}

hp_status hp_exec_norm(hp_execution *E, const void *then, const char *what) {
  return sums_pass<norm_pass>(E, then, what);
}

/* The product of a rank's part. */
static hp_status multiply(hp_execution *E, const double *b, const double *x, double *y) {
  const hp_gh *A = &E->args.A;
  const bool two_3d = A->q == 2 && A->nx > 1 && A->ny > 1 && A->nz > 1;
  if (E->F != NULL) {
    HP_TRY(hp_exec_matrix_mul(E, x, y));
    return b != NULL ? each_pass<subtract_pass>(E, E->args, "subtracting from b") : HP_OK;
  }
  void *args[] = {&E->args, &b, &x, &y};
  return hp_exec_launch(E, two_3d ? (const void *)product_kernel<true> : (const void *)product_kernel<false>,
                        hp_parts(hp_cut_of(A->rows, A->n).chunks, PRODUCT_THREADS / 32), PRODUCT_THREADS, args, 0,
                        "multiplying by the matrix");
}

hp_status hp_exec_product(hp_execution *E, const double *b, const double *x, double *y) {
  if (E->part == NULL) return multiply(E, b, x, y);
  HP_TRY(hp_device_renew(E->D, (double *)x, E->args.A.q, true));
  HP_TRY(multiply(E, b, x, y));
  return hp_device_drop(E->D, (double *)x, y, E->args.A.q);
}

hp_status hp_exec_wells(hp_execution *E, const double *r, double *z) {
  const int nwell = E->args.A.wells.nwell;
  void *args[] = {&E->args, &r, &z};
  if (nwell == 0) return HP_OK;
  if (E->part != NULL && E->part->wells_cross) HP_TRY(hp_device_renew_perforated(E->D, z, E->args.A.q));
  return hp_exec_launch(E, (const void *)wells_kernel, hp_parts(nwell, THREADS / 32), THREADS, args, 0,
                        "applying the preconditioner");
}

hp_status hp_exec_precondition(hp_execution *E, const double *r, double *z, const double **out) {
  static const char what[] = "applying the preconditioner";
  const hp_gh *A = &E->args.A;
  const hp_precond_kind kind = E->args.P.kind;
  const hp_precond_external *external = E->opt.external;
  *out = kind == HP_PRECOND_NONE && external == NULL ? r : z;
  if (*out == r) return HP_OK;
  void *args[] = {&E->args, &r, &z};
  if (external != NULL) {
    HP_TRY(external->device->enqueue(external->device->self, E, r, z));
    return E->part != NULL ? HP_OK : hp_exec_wells(E, r, z); /* of a rank's part it has them */
  }
  if (kind == HP_PRECOND_DILU && E->args.P.ordering == HP_ORDER_BRICKS) {
    const int64_t count = hp_dilu_bricks_count(&E->args.P.bricks) * HP_BRICK_LANES;
    HP_TRY(hp_exec_launch(E, (const void *)bricks_kernel, hp_parts(count, THREADS), THREADS, args, 0, what));
  } else if (kind == HP_PRECOND_DILU) {
    const int64_t places = (int64_t)A->nx * A->ny * ((A->nz + 1) / 2);
    for (int odd = 1; odd >= 0; --odd) {
      void *colour[] = {&E->args, &odd, &r, &z};
      HP_TRY(hp_exec_launch(E, (const void *)colour_kernel, hp_parts(places, THREADS), THREADS, colour, 0, what));
    }
  } else {
    const int64_t count = kind == HP_PRECOND_JACOBI ? A->rows : A->ncell;
    HP_TRY(hp_exec_each(E, (const void *)cells_kernel, count, args, what));
  }
  return hp_exec_wells(E, r, z);
}

/* ---- compiled passes ---- */

/* Whether solves launch the pass as it is compiled; several ranks add up by kernels of their own. */
static bool has_pass(const hp_execution *E, hp_exec_pass pass) {
  if (hp_exec_pass_get(pass)->sums && E->part != NULL) return false;
  if (pass == HP_EXEC_PASS_SUBTRACT) return E->F != NULL;
  return pass == HP_EXEC_PASS_NORM || E->opt.method == HP_KRYLOV_BICGSTAB;
}

static void add_report(hp_krylov_special *to, const hp_compiled_report *kernel) {
  to->kept = kernel->kept && (to->kept || to->kernels == 0);
  to->used = true;
  to->kernels += 1;
  to->seconds += kernel->seconds;
  if (kernel->registers > to->registers) to->registers = kernel->registers;
  if (kernel->local > to->local) to->local = kernel->local;
  if (kernel->note[0] != '\0') snprintf(to->note, sizeof to->note, "%s", kernel->note);
}

static hp_status compile(hp_execution *E, hp_exec_pass pass, bool aligned, hp_compiled **out) {
  char unit[320], kernel[HP_VECTOR_EXPRESSION_MAX];
  const hp_kernel_shape *s = shape_of(E, pass);
  snprintf(unit, sizeof unit,
           "#include \"hp_constants.h\"\n#include \"linsolve/krylov/host_driven/passes.cuh\"\n"
           "static_assert(sizeof(hp_exec_args) == %zu && sizeof(hp_exec_state) == %zu && sizeof(update_args) == %zu && "
           "sizeof(hp_cut) == %zu, \"\");\n",
           sizeof(hp_exec_args), sizeof(hp_exec_state), sizeof(update_args), sizeof(hp_cut));
  hp_vector_pass_expression(hp_exec_pass_get(pass), s, aligned, kernel, sizeof kernel);
  const hp_compile_job job = {unit, kernel, "", 0, 0, hp_kernel_compile_options(s->compile), hp_kernel_texts};
  return hp_compiled_create(E->D, &job, out);
}

/* Of all passes that need it; where one does not compile, the note says why, and the build's kernel is as right. */
static void compile_passes(hp_execution *E, bool aligned) {
  if (E->compiles[aligned] || E->opt.execution == HP_EXECUTION_LIBRARY) return;
  E->compiles[aligned] = true;
  for (int p = 0; p < HP_EXEC_PASSES; ++p) {
    const hp_exec_pass pass = (hp_exec_pass)p;
    hp_compiled **K = &E->compiled[p][aligned];
    if (shape_of(E, pass)->compile == HP_COMPILE_BUILD || !has_pass(E, pass)) continue;
    if (compile(E, pass, aligned, K) == HP_OK) add_report(&E->special, hp_compiled_get_report(*K));
    else
      snprintf(E->special.note, sizeof E->special.note, "a solver's pass over vectors has the build's kernel: %s",
               hp_fail_text());
  }
}

/* ---- the parts of a solve ---- */

hp_status hp_exec_begin(hp_execution *E) {
  HP_TRY(each(E, (const void *)start_kernel, E->args.A.n, "starting a solve"));
  return hp_exec_norm(E, (const void *)start_sums_kernel, "starting a solve");
}

hp_status hp_exec_start(hp_execution *E) {
  HP_TRY(hp_exec_begin(E));
  return each_pass<begin_pass>(E, E->args, "starting a solve");
}

hp_status hp_exec_iteration(hp_execution *E) {
  const hp_solve *S = &E->args.S;
  const double *mp, *ms;
  HP_TRY(each_pass<p_pass>(E, E->args, "updating p"));
  HP_TRY(hp_exec_precondition(E, hp_solve_vector(S, V_P), hp_solve_vector(S, V_ZP), &mp));
  HP_TRY(hp_exec_product(E, NULL, mp, hp_solve_vector(S, V_V)));
  HP_TRY(sums_pass<first_pass>(E, (const void *)first_kernel, "summing up"));
  HP_TRY(each_pass<s_pass>(E, E->args, "updating s"));
  HP_TRY(hp_exec_precondition(E, hp_solve_vector(S, R), hp_solve_vector(S, V_ZS), &ms));
  HP_TRY(hp_exec_product(E, NULL, ms, hp_solve_vector(S, V_W)));
  HP_TRY(sums_pass<second_pass>(E, (const void *)second_kernel, "summing up"));
  const update_args u = {E->args, mp, ms};
  return each_pass<update_pass>(E, u, "updating x and r");
}

hp_status hp_exec_judge(hp_execution *E) {
  HP_TRY(hp_exec_product(E, E->args.S.b, E->args.S.x, hp_solve_vector(&E->args.S, R)));
  HP_TRY(hp_exec_norm(E, (const void *)judge_kernel, "judging a solve"));
  return each_pass<begin_pass>(E, E->args, "judging a solve");
}

/* ---- solves ---- */

/* 16-byte loads of every vector; without x and b, of the solver's own. */
static bool is_aligned(const hp_solve *S) {
  return ((uintptr_t)S->x | (uintptr_t)S->b | (uintptr_t)S->work) % 16 == 0 && S->stride % 2 == 0;
}

hp_status hp_exec_look(hp_execution *E) {
  return hp_device_download(E->D, E->seen, E->args.state, (int64_t)sizeof *E->seen);
}

static hp_status per_operation(hp_execution *E) {
  HP_TRY(hp_exec_start(E));
  HP_TRY(hp_exec_look(E));
  while (!E->seen->done) {
    HP_TRY(hp_exec_iteration(E));
    HP_TRY(hp_exec_look(E));
    if (E->seen->ended < 0) continue;
    HP_TRY(hp_exec_judge(E));
    HP_TRY(hp_exec_look(E));
  }
  return HP_OK;
}

hp_status hp_execution_solve(hp_execution *E, const hp_gh *A, const double *b, double *x, double *history,
                             hp_krylov_report *report) {
  E->args.A = *A;
  E->args.S.b = b;
  E->args.S.x = x;
  E->args.S.history = history;
  E->aligned = is_aligned(&E->args.S);
  compile_passes(E, E->aligned); /* which are there, unless x or b is aligned otherwise */
  if (E->opt.external != NULL) E->args.pattern = E->opt.external->device->pattern(E->opt.external->device->self);
  const int64_t before = E->launches;
  const hp_status s = E->opt.execution == HP_EXECUTION_LIBRARY ? hp_exec_library_solve(E, report)
                      : E->opt.execution == HP_EXECUTION_GRAPH ? hp_exec_graph_solve(E)
                      : E->opt.method == HP_KRYLOV_GMRES       ? hp_exec_gmres_solve(E)
                                                               : per_operation(E);
  hp_device_count_launches(E->D, E->launches - before);
  if (s != HP_OK || E->opt.execution == HP_EXECUTION_LIBRARY) return s;
  return hp_device_download(E->D, report, E->args.S.report, sizeof *report);
}

hp_status hp_execution_multiply_with(hp_execution *E, const hp_sparse *F) {
  hp_exec_matrix_destroy(&E->F);
  return hp_exec_matrix_of(E->D, F, &E->F);
}

hp_status hp_execution_setup(hp_execution *E, const hp_gh *A) {
  return E->F != NULL ? hp_exec_matrix_fill(E->F, A) : HP_OK;
}

void hp_execution_set_tolerance(hp_execution *E, double tolerance) {
  E->opt.tolerance = E->args.S.tolerance = tolerance;
}

int64_t hp_execution_launches(const hp_execution *E) { return E->launches; }

const hp_krylov_special *hp_execution_special(const hp_execution *E) { return &E->special; }

/* ---- creation ---- */

static hp_status create(hp_execution *E, const hp_gh *A) {
  const bool library = E->opt.execution == HP_EXECUTION_LIBRARY;
  const hp_sparse_kind kind = library && E->opt.matrix == HP_SPARSE_GH ? HP_SPARSE_CSR : E->opt.matrix;
  E->part = A->part;
  if (E->part != NULL) {
    E->args.summed = hp_device_summed(E->D);
    E->args.exact = hp_device_exact(E->D);
  }
  for (int op = 0; op < HP_VECTOR_OPERATIONS; ++op)
    E->pass[op] = hp_device_kernel(E->D, hp_vector_name((hp_vector_operation)op), A->n);
  HP_TRY(hp_vector_streams_create(E->D, &E->streams));
  HP_TRY(HP_DEVICE_ALLOC(E->D, E->args.state, 1));
  HP_TRY(HP_DEVICE_ALLOC(E->D, E->args.partial, HP_SUMS_MAX * HP_GROUPS_MAX));
  HP_CUDA_TRY(E->D, cudaHostAlloc((void **)&E->seen, sizeof *E->seen, cudaHostAllocDefault));
  if (kind != HP_SPARSE_GH) HP_TRY(hp_exec_matrix_create(E->D, A, kind, library, &E->F));
  compile_passes(E, is_aligned(&E->args.S));
  if (!library) return HP_OK;
  /* the preconditioner's kernels ask whether the iterations ended: not here */
  E->seen->ended = -1;
  HP_TRY(hp_device_upload(E->D, &E->args.state->ended, &E->seen->ended, sizeof E->seen->ended));
  return hp_exec_library_create(E, &E->lib);
}

hp_status hp_execution_create(const hp_exec_input *in, const hp_gh *A, hp_execution **out) {
  hp_execution *E = NULL;
  HP_TRY(hp_alloc((void **)&E, 1, sizeof *E, "execution"));
  E->D = in->D;
  E->opt = *in->opt;
  E->args.P = *in->P;
  E->args.singular = in->singular;
  E->args.S = hp_solve_of(in->opt, in->work, in->stride, in->small, NULL, NULL);
  E->args.S.report = in->report;
  const hp_status s = create(E, A);
  if (s != HP_OK) hp_execution_destroy(&E);
  *out = E;
  return s;
}

void hp_execution_destroy(hp_execution **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_execution *E = *slot;
  hp_exec_graph_destroy(E);
  hp_exec_library_destroy(&E->lib);
  hp_exec_matrix_destroy(&E->F);
  for (hp_compiled **K = &E->compiled[0][0], **end = K + sizeof E->compiled / sizeof *K; K < end; ++K)
    hp_compiled_destroy(K);
  hp_vector_streams_destroy(&E->streams);
  HP_DEVICE_FREE(E->D, E->args.state);
  HP_DEVICE_FREE(E->D, E->args.partial);
  if (E->seen != NULL) cudaFreeHost(E->seen);
  hp_free(slot);
}
