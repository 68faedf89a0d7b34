/* The execution graph: a solve as one CUDA graph whose loop is in it.
 *
 *     start -> [ while go_on:  iteration -> [ if judge: true residual, decision ] ]
 *
 * Kernels set the two conditions. The graph holds the arguments of its kernels and is made again when they change.
 */
#include <string.h>

#include "linsolve/krylov/baselines/execution.cuh"

void hp_exec_graph_destroy(hp_execution *E) {
  if (E->ready != NULL) cudaGraphExecDestroy(E->ready);
  E->ready = NULL;
}

#if CUDART_VERSION >= 12040

/* A conditional node after the latest of E->graph; *body is its graph. */
static hp_status add_conditional(hp_execution *E, cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                                 cudaGraph_t *body) {
  cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
  cudaGraphNode_t node;
  p.conditional.handle = handle;
  p.conditional.type = type;
  p.conditional.size = 1;
#if CUDART_VERSION >= 13000
  HP_CUDA_TRY(E->D, cudaGraphAddNode(&node, E->graph, &E->last, NULL, 1, &p));
#else
  HP_CUDA_TRY(E->D, cudaGraphAddNode(&node, E->graph, &E->last, 1, &p));
#endif
  E->last = node;
  *body = p.conditional.phGraph_out[0];
  return HP_OK;
}

/* The nodes of each part are appended to E->graph after E->last. */
static hp_status fill(hp_execution *E, cudaGraph_t top) {
  cudaGraphConditionalHandle go_on, judge;
  cudaGraph_t loop, decision;
  HP_CUDA_TRY(E->D, cudaGraphConditionalHandleCreate(&go_on, top, 1, cudaGraphCondAssignDefault));
  HP_CUDA_TRY(E->D, cudaGraphConditionalHandleCreate(&judge, top, 0, cudaGraphCondAssignDefault));
  E->args.in_graph = true;
  E->args.go_on = go_on;
  E->args.judge = judge;
  HP_TRY(hp_exec_start(E));
  HP_TRY(add_conditional(E, go_on, cudaGraphCondTypeWhile, &loop));
  E->graph = loop;
  E->last = NULL;
  HP_TRY(hp_exec_iteration(E));
  HP_TRY(add_conditional(E, judge, cudaGraphCondTypeIf, &decision));
  E->graph = decision;
  E->last = NULL;
  return hp_exec_judge(E);
}

static hp_status make(hp_execution *E) {
  cudaGraph_t top = NULL;
  hp_exec_graph_destroy(E);
  HP_CUDA_TRY(E->D, cudaGraphCreate(&top, 0));
  E->graph = top;
  E->last = NULL;
  hp_status s = fill(E, top);
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

hp_status hp_exec_graph_solve(hp_execution *E) {
  (void)E;
  return hp_fail(HP_ERR_UNSUPPORTED, "linear.execution graph: conditional graphs need a build with CUDA 12.4 or later");
}

#endif
