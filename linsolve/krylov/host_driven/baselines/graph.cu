/* The execution graph: a solve as one CUDA graph whose loops are in it.
 *
 *     start -> [ while go_on:  iteration -> [ if judge: true residual, decision ] ]
 *
 * is BiCG-Stab's, GMRES's is in gmres.cu. Kernels set the conditions. The graph holds the arguments of its kernels and is
 * made again when they change.
 */
#include <string.h>

#include "linsolve/krylov/host_driven/execution.cuh"

void hp_exec_graph_destroy(hp_execution *E) {
  if (E->ready != NULL) cudaGraphExecDestroy(E->ready);
  E->ready = NULL;
}

#if CUDART_VERSION >= 12040

hp_status hp_exec_enter(hp_execution *E, unsigned long long handle, bool loop, hp_exec_place *outside) {
  cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
  cudaGraphNode_t node;
  p.conditional.handle = handle;
  p.conditional.type = loop ? cudaGraphCondTypeWhile : cudaGraphCondTypeIf;
  p.conditional.size = 1;
#if CUDART_VERSION >= 13000
  HP_CUDA_TRY(E->D, cudaGraphAddNode(&node, E->graph, &E->last, NULL, 1, &p));
#else
  HP_CUDA_TRY(E->D, cudaGraphAddNode(&node, E->graph, &E->last, 1, &p));
#endif
  outside->graph = E->graph;
  outside->last = node;
  E->graph = p.conditional.phGraph_out[0];
  E->last = NULL;
  return HP_OK;
}

void hp_exec_leave(hp_execution *E, const hp_exec_place *outside) {
  E->graph = outside->graph;
  E->last = outside->last;
}

/* A condition of the graph; every one must have its node. */
static hp_status condition(hp_execution *E, cudaGraph_t top, unsigned long long *out) {
  cudaGraphConditionalHandle handle;
  HP_CUDA_TRY(E->D, cudaGraphConditionalHandleCreate(&handle, top, 0, cudaGraphCondAssignDefault));
  *out = handle;
  return HP_OK;
}

static hp_status append_bicgstab(hp_execution *E) {
  hp_exec_place outside, loop;
  HP_TRY(hp_exec_start(E));
  HP_TRY(hp_exec_enter(E, E->args.go_on, true, &outside));
  HP_TRY(hp_exec_iteration(E));
  HP_TRY(hp_exec_enter(E, E->args.judge, false, &loop));
  HP_TRY(hp_exec_judge(E));
  hp_exec_leave(E, &loop);
  hp_exec_leave(E, &outside);
  return HP_OK;
}

static hp_status append(hp_execution *E, cudaGraph_t top) {
  E->args.in_graph = true;
  HP_TRY(condition(E, top, &E->args.go_on));
  if (E->opt.method == HP_KRYLOV_GMRES) {
    HP_TRY(condition(E, top, &E->args.step));
    HP_TRY(condition(E, top, &E->args.pass));
    return hp_exec_gmres_append(E);
  }
  HP_TRY(condition(E, top, &E->args.judge));
  return append_bicgstab(E);
}

static hp_status make(hp_execution *E) {
  cudaGraph_t top = NULL;
  hp_exec_graph_destroy(E);
  HP_CUDA_TRY(E->D, cudaGraphCreate(&top, 0));
  E->graph = top;
  E->last = NULL;
  hp_status s = append(E, top);
  E->graph = NULL;
  if (s == HP_OK) s = hp_device_check(E->D, cudaGraphInstantiate(&E->ready, top, 0), "making the graph of a solve");
  cudaGraphDestroy(top);
  E->made_for = E->args;
  return s;
}

hp_status hp_exec_graph_solve(hp_execution *E) {
  if (E->ready == NULL || memcmp(&E->made_for, &E->args, sizeof E->args) != 0) HP_TRY(make(E));
  E->launches += 1;
  return hp_device_check(E->D, cudaGraphLaunch(E->ready, hp_device_stream(E->D)), "solving a linear system");
}

#else

hp_status hp_exec_enter(hp_execution *E, unsigned long long handle, bool loop, hp_exec_place *outside) {
  (void)E, (void)handle, (void)loop, (void)outside;
  return hp_fail(HP_ERR_UNSUPPORTED, "linear.execution graph: conditional graphs need a build with CUDA 12.4 or later");
}

void hp_exec_leave(hp_execution *E, const hp_exec_place *outside) { (void)E, (void)outside; }

hp_status hp_exec_graph_solve(hp_execution *E) {
  (void)E;
  return hp_fail(HP_ERR_UNSUPPORTED, "linear.execution graph: conditional graphs need a build with CUDA 12.4 or later");
}

#endif
