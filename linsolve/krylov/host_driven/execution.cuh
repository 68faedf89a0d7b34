/* BiCG-Stab and GMRES on a GPU driven by the host: a plain kernel for each operation, the loop on the host. Ranks with a
 * GPU each solve so (core/device/part.h); on one GPU it is the execution per-operation (hp_execution_kind).
 *
 *     host      p pass   product   sums   host waits   s pass   product   sums   ...
 *     ranks              ghosts           sums of all ranks     ghosts
 *
 *   execution.cu   kernels of single operations, BiCG-Stab
 *   gmres.cu       GMRES
 *   passes.cuh     passes over vectors of BiCG-Stab and norms of both methods
 *   ranks.cuh      sums over ranks
 *
 * The operations are those of linsolve/krylov/bicgstab.inl.h and gmres.inl.h in the same order, sums included, and so are
 * the bits. Scalars stay on the device: of two kernels of a sum the second, one block, also computes what follows from it,
 * and every kernel of an iteration does nothing once `ended` is set.
 *
 * Passes are launched as the tune file says of the operations that they are like (linsolve/vectors/vectors.h); where it has
 * options of the compiler, by kernels compiled for the execution.
 *
 * With several ranks ghosts are renewed before a product, and the host waits for the sum of all ranks between the two
 * kernels of a sum. All ranks have the same scalars and so take the same branches.
 *
 * The folder baselines has what solves are compared with (linear.execution, linear.matrix):
 *
 *   graph.cu     the same kernels as nodes of a graph whose loop is a conditional node: one launch a solve, the same bits
 *   library.cu   cuBLAS and cuSPARSE, with the preconditioner's kernels
 *   matrix.cu    products with the matrix in the formats of linsolve/matrix/sparse.h
 */
#ifndef HP_LINSOLVE_KRYLOV_HOST_DRIVEN_EXECUTION_CUH
#define HP_LINSOLVE_KRYLOV_HOST_DRIVEN_EXECUTION_CUH

#include <cuda_runtime.h>

#include "core/compile/device.h"
#include "core/device/part.h"
#include "linsolve/krylov/cuda/host_driven.cuh"
#include "linsolve/krylov/gmres.inl.h"
#include "linsolve/krylov/host_driven/args.cuh"
#include "linsolve/krylov/host_driven/passes.h"
#include "linsolve/vectors/cuda/parts.cuh"
#include "linsolve/vectors/vectors.h"

#if defined(__CUDACC__)

/* A team without barriers, for loops only. */
HP_INLINE __device__ hp_team hp_exec_team(const hp_exec_args *a) {
  const int warp = (int)threadIdx.x >> 5, warps = (int)blockDim.x >> 5;
  hp_team t = hp_team_of_threads();
  t.chunk = (int)blockIdx.x * warps + warp;
  t.chunk_step = (int)gridDim.x * warps;
  t.slot = warp;
  t.slot_step = t.slots = warps;
  hp_team_split(&t, a->A.rows, a->A.n);
  return t;
}

/* Sets whether a graph's loop or branch runs when it is met next; does nothing without a graph. */
static __device__ __forceinline__ void hp_exec_set_condition(const hp_exec_args *a, unsigned long long handle,
                                                             bool value) {
#if CUDART_VERSION >= 12040
  if (a->in_graph) cudaGraphSetConditional(handle, value);
#endif
}

/* Stores, after a reduction, the sums of the block's group of chunks, for hp_exec_collect. */
static __device__ __forceinline__ void hp_exec_store_groups(const hp_exec_args *a, const hp_team *t, int count) {
  __syncthreads();
  const int groups = (hp_team_cut(t, a->A.n).chunks + HP_GROUP - 1) / HP_GROUP;
  double *const partial = a->partial;
  if (threadIdx.x < 32) hp_team_grid_groups(&partial, 1, 0, count, 0, groups, HP_GROUP);
}

/* All groups; true on the one thread that goes on with the sums. */
static __device__ __forceinline__ bool hp_exec_collect(const hp_exec_args *a, int count, double *sum) {
  if (a->summed != NULL) {
    for (int k = 0; k < count; ++k) sum[k] = *(const volatile double *)&a->summed[k];
    return threadIdx.x == 0;
  }
  const hp_team t = hp_exec_team(a);
  hp_team_grid_totals(a->partial, count, (hp_team_cut(&t, a->A.n).chunks + HP_GROUP - 1) / HP_GROUP);
  __syncthreads();
  if (threadIdx.x != 0) return false;
  for (int k = 0; k < count; ++k) sum[k] = hp_shared()->sum[k];
  return true;
}

#endif

typedef struct hp_exec_matrix hp_exec_matrix;
typedef struct hp_exec_library hp_exec_library;

struct hp_execution {
  hp_device *D;
  hp_krylov_options opt;
  hp_exec_args args;
  hp_exec_state *seen;  /* host, pinned: a copy of the device's */
  hp_exec_matrix *F;    /* NULL: products with GH */
  hp_exec_library *lib; /* execution library */
  int64_t launches;
  const hp_part *part;                        /* of a rank; NULL: there is one process */
  hp_kernel_shape pass[HP_VECTOR_OPERATIONS]; /* tuned launches of passes */
  hp_vector_streams *streams;
  bool aligned; /* vectors, to 16 bytes */
  /* kernels of passes whose launch has options of the compiler, for vectors that are aligned and that are not; NULL: the build's */
  hp_compiled *compiled[HP_EXEC_PASSES][2];
  bool compiles[2]; /* done */
  hp_krylov_special special;
  /* graph: where kernels are appended while it is made, and the arguments it was made for */
  cudaGraph_t graph;
  cudaGraphNode_t last;
  cudaGraphExec_t ready;
  hp_exec_args made_for;
};

HP_EXTERN_C_BEGIN

/* Launches a kernel with args, or appends it to E->graph if that is not NULL; nothing if there are no blocks. */
hp_status hp_exec_launch(hp_execution *E, const void *kernel, int64_t blocks, int threads, void **args, size_t shared,
                         const char *what) HP_MUST_USE;

enum { HP_EXEC_THREADS = HP_GROUP * 32 };

/* A kernel of `args` with a thread for each of `count` indices, which it loops over by hp_exec_team; one with a group of chunks
 * a block, which hp_exec_store_groups; one block, which adds these sums up with hp_exec_collect. */
hp_status hp_exec_each(hp_execution *E, const void *kernel, int64_t count, void **args, const char *what) HP_MUST_USE;
hp_status hp_exec_groups(hp_execution *E, const void *kernel, void **args, const char *what) HP_MUST_USE;
hp_status hp_exec_one(hp_execution *E, const void *kernel, void **args, const char *what) HP_MUST_USE;

/* y = A x, or b - A x where b is not NULL and y is not x. */
hp_status hp_exec_product(hp_execution *E, const double *b, const double *x, double *y) HP_MUST_USE;
/* x = 0, vector 0 = b, the state at the start. */
hp_status hp_exec_begin(hp_execution *E) HP_MUST_USE;
/* The sum of the squares of vector 0, for `then`, one block. */
hp_status hp_exec_norm(hp_execution *E, const void *then, const char *what) HP_MUST_USE;
/* A copy of the state, in E->seen; waits. */
hp_status hp_exec_look(hp_execution *E) HP_MUST_USE;
/* A solve by GMRES; the same appended to E->graph. */
hp_status hp_exec_gmres_solve(hp_execution *E) HP_MUST_USE;
hp_status hp_exec_gmres_append(hp_execution *E) HP_MUST_USE;

/* The three parts of a solve by BiCG-Stab: x = 0, r = b; one iteration; the true residual and the decision. */
hp_status hp_exec_start(hp_execution *E) HP_MUST_USE;
hp_status hp_exec_iteration(hp_execution *E) HP_MUST_USE;
hp_status hp_exec_judge(hp_execution *E) HP_MUST_USE;

/* The wells' rows of z = M^-1 r, whose cells are there; r [n]. */
hp_status hp_exec_wells(hp_execution *E, const double *r, double *z) HP_MUST_USE;
/* z = M^-1 r; *out is z, or r without a preconditioner. */
hp_status hp_exec_precondition(hp_execution *E, const double *r, double *z, const double **out) HP_MUST_USE;

/* ---- baselines/graph.cu ---- */

/* Runs the whole solve as one graph. */
hp_status hp_exec_graph_solve(hp_execution *E) HP_MUST_USE;
void hp_exec_graph_destroy(hp_execution *E);

/* The place at which kernels are appended. */
typedef struct hp_exec_place {
  cudaGraph_t graph;
  cudaGraphNode_t last;
} hp_exec_place;

/* Appends a loop, or a branch, on the condition `handle`: kernels go into it until hp_exec_leave goes back to *outside. */
hp_status hp_exec_enter(hp_execution *E, unsigned long long handle, bool loop, hp_exec_place *outside) HP_MUST_USE;
void hp_exec_leave(hp_execution *E, const hp_exec_place *outside);
/* ---- baselines/library.cu ---- */

hp_status hp_exec_library_create(hp_execution *E, hp_exec_library **out) HP_MUST_USE;
void hp_exec_library_destroy(hp_exec_library **lib);
/* history, report: the host's. */
hp_status hp_exec_library_solve(hp_execution *E, hp_krylov_report *report) HP_MUST_USE;

/* ---- baselines/matrix.cu ---- */

/* hp_foreign.device. create copies the borders, `cells`: all values. multiply, without the borders, and add_border are launched or
 * appended as hp_exec_launch does. */
typedef struct hp_foreign_device {
  hp_status (*create)(hp_device *D, const void *self, bool cells, void **out);
  void (*destroy)(hp_device *D, void **M);
  hp_status (*multiply)(hp_execution *E, const void *M, const double *x, double *y);
  hp_status (*add_border)(hp_execution *E, const void *M, const double *x, double *y);
} hp_foreign_device;

/* The matrix A, in the device's memory, in another format, values zero; library: bsr is cuSPARSE's. fill is in the stream.
 * mul multiplies by E->F in the stream, or appends to E->graph what no library multiplies; contract: hp_gh_mul. */
hp_status hp_exec_matrix_create(hp_device *D, const hp_gh *A, hp_sparse_kind kind, bool library,
                                hp_exec_matrix **out) HP_MUST_USE;
/* A matrix that is not GH, which outlives it, with its values as they are; fill does nothing. */
hp_status hp_exec_matrix_of(hp_device *D, const hp_sparse *product, hp_exec_matrix **out) HP_MUST_USE;
void hp_exec_matrix_destroy(hp_exec_matrix **M);
hp_status hp_exec_matrix_fill(hp_exec_matrix *M, const hp_gh *A) HP_MUST_USE;
hp_status hp_exec_matrix_mul(hp_execution *E, const double *x, double *y) HP_MUST_USE;

HP_EXTERN_C_END

#endif
