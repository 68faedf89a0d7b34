/* linsolve/krylov/krylov.h: executions that are refused, on the CPU and on a GPU. */
#include <string.h>

#include "core/memory.h"
#include "linsolve/krylov/device.h"
#include "tests/support/check.h"
#include "tests/support/matrices.h"

static hp_krylov_options options(void) {
  hp_krylov_options o;
  memset(&o, 0, sizeof o);
  o.tolerance = 1e-6;
  o.max_iterations = 10;
  o.restart = 10;
  return o;
}

static bool says(const char *text, const char *part) { return text != NULL && strstr(text, part) != NULL; }

static void on_cpu(void) {
  hp_gh *A;
  hp_team_hub *hub;
  CHECK_OK(matrix_random_gh(3, 3, 3, 2, 1, 0.1, 1, &A));
  CHECK_OK(hp_team_hub_create(1, NULL, &hub));
  for (int n = 0; n <= HP_EXECUTION_COUNT; ++n) {
    hp_krylov_options o = options();
    hp_krylov *K = NULL;
    o.execution = (hp_execution_kind)n;
    const hp_status s = hp_krylov_create(hub, A, &o, &K);
    CHECK((s == HP_OK) == (n == HP_EXECUTION_IN_KERNEL));
    if (s != HP_OK) CHECK(s == HP_ERR_USAGE && says(hp_fail_text(), n < HP_EXECUTION_COUNT ? "on the CPU" : "unknown"));
    hp_krylov_destroy(&K);
  }
  hp_team_hub_destroy(&hub);
  hp_gh_destroy(&A);
}

/* Combinations that run on a GPU: method, format, preconditioner. */
static void on_gpu(void) {
  for (int e = 0; e < HP_EXECUTION_COUNT; ++e)
    for (int m = 0; m < HP_SPARSE_COUNT; ++m)
      for (int method = 0; method < HP_KRYLOV_COUNT; ++method) {
        hp_krylov_options o = options();
        o.execution = (hp_execution_kind)e;
        o.matrix = (hp_sparse_kind)m;
        o.method = (hp_krylov_method)method;
        const bool only_cusparse = m == HP_SPARSE_CSR || m == HP_SPARSE_SELL;
        const bool method_runs = e == HP_EXECUTION_IN_KERNEL || method == HP_KRYLOV_BICGSTAB ||
                                 method == HP_KRYLOV_GMRES;
        const bool format_runs = m == HP_SPARSE_GH || e == HP_EXECUTION_PER_OPERATION ||
                                 (e == HP_EXECUTION_GRAPH && !only_cusparse) ||
                                 (e == HP_EXECUTION_LIBRARY && (only_cusparse || m == HP_SPARSE_BSR));
        const char *why = hp_krylov_refusal(&o, NULL, HP_SOLVER_GPU);
        CHECK((why == NULL) == (method_runs && format_runs));
        if (!method_runs) CHECK(says(why, "bicgstab"));
        if (method_runs && (e == HP_EXECUTION_IN_KERNEL || e == HP_EXECUTION_GRAPH) && !format_runs)
          CHECK(says(why, "per-operation"));
      }
  hp_krylov_options o = options();
  o.preconditioner = HP_PRECOND_DILU;
  CHECK(says(hp_krylov_refusal(&o, NULL, HP_SOLVER_GPU), "red-black"));
  o.ordering = HP_ORDER_RED_BLACK;
  CHECK(hp_krylov_refusal(&o, NULL, HP_SOLVER_GPU) == NULL);
}

int main(void) {
  on_cpu();
  on_gpu();
  CHECK(hp_memory_now() == 0);
  return check_result();
}
