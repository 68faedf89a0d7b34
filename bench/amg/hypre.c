/* hepta bench amg --peer hypre: the same system and choices by hypre's BoomerAMG, beside ours. */
#include "bench/amg/hypre.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "amg/hypre/module.h"
#include "bench/amg/amg.h"
#include "bench/bench.h"
#include "core/memory.h"
#include "core/plural.h"

const char *hp_amg_bench_peer_refusal(void) { return hp_hypre_refusal(); }

/* The file of the module, in builds that have hypre (CMakeLists.txt). */
#ifdef HEPTA_HYPRE_PEER
static const char *const module = HEPTA_HYPRE_PEER;
#else
static const char *const module = "";
#endif

struct hp_amg_bench_peer {
  hp_hypre_solve_function *solve;
  hp_hypre_solution solution; /* of the latest system */
};

/* One library for the program's life: MPI does not start twice. */
static void *library;
static hp_hypre_close_function *close_library;

static void at_exit(void) { close_library(); }

static hp_status open_module(hp_amg_bench_peer *P) {
  if (library == NULL) {
    library = dlopen(module, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return hp_fail(HP_ERR_UNSUPPORTED, "hypre: %s", dlerror());
    *(void **)&close_library = dlsym(library, "hp_hypre_close");
    if (close_library != NULL && atexit(at_exit) != 0)
      return hp_fail(HP_ERR_MEMORY, "hypre: %s cannot be closed", module);
  }
  *(void **)&P->solve = dlsym(library, "hp_hypre_solve");
  if (P->solve != NULL && close_library != NULL) return HP_OK;
  return hp_fail(HP_ERR_UNSUPPORTED, "hypre: %s is of another version of hepta", module);
}

hp_status hp_amg_bench_peer_open(hp_amg_bench_peer **out) {
  HP_TRY(HP_ALLOC(*out, 1));
  memset(*out, 0, sizeof **out);
  const hp_status s = open_module(*out);
  if (s != HP_OK) hp_amg_bench_peer_close(out);
  return s;
}

void hp_amg_bench_peer_close(hp_amg_bench_peer **P) { HP_FREE(*P); }

/* ---- one system ---- */

/* |b - A x| / |b| */
static double relative_residual(const hp_amg_bench_system *S, const double *x) {
  const hp_sparse *F = S->F;
  double sum = 0.0, norm = 0.0;
  for (int64_t i = 0; i < F->n; ++i) {
    double r = S->b[i];
    for (int32_t k = F->begin[i]; k < F->begin[i + 1]; ++k) r -= F->value[k] * x[F->column[k]];
    sum += r * r;
    norm += S->b[i] * S->b[i];
  }
  return norm > 0.0 ? sqrt(sum / norm) : 0.0;
}

static double relative_difference(const hp_amg_bench_system *S, const double *x) {
  double most = 0.0, largest = 0.0;
  for (int64_t i = 0; i < S->F->n; ++i) {
    most = fmax(most, fabs(x[i] - S->x[i]));
    largest = fmax(largest, fabs(S->x[i]));
  }
  return largest > 0.0 ? most / largest : most;
}

static hp_status solve(const hp_amg_bench *B, const hp_amg_bench_system *S, double *x, hp_amg_bench_result *R) {
  hp_hypre_solution *h = &B->peer->solution;
  double setup[HP_AMG_BENCH_SAMPLES], solving[HP_AMG_BENCH_SAMPLES];
  h->setup = setup;
  h->solve = solving;
  if (!B->peer->solve(&B->solver, S->F, S->b, x, B->samples, h)) return hp_fail(HP_ERR_NUMERIC, "%s", h->amg.error);
  const double residual = relative_residual(S, x);
  R->setup = hp_bench_median(setup, B->samples);
  R->solve = hp_bench_median(solving, B->samples);
  R->hierarchy.levels = h->amg.levels;
  R->hierarchy.coarsest = (int32_t)h->amg.coarsest;
  R->hierarchy.operators = h->amg.operators;
  R->hierarchy.grids = h->amg.grids;
  R->report.iterations = h->iterations;
  R->report.residual = residual;
  R->report.norm_b = 1.0;
  R->report.reason = h->converged ? HP_KRYLOV_CONVERGED : HP_KRYLOV_MAX_ITERATIONS;
  R->factor = h->iterations > 0 ? pow(residual, 1.0 / h->iterations) : 0.0;
  R->difference = relative_difference(S, x);
  return HP_OK;
}

hp_status hp_amg_bench_measure_peer(const hp_amg_bench *B, const hp_amg_bench_system *S, hp_amg_bench_result *R) {
  double *x = NULL;
  memset(R, 0, sizeof *R);
  R->peer = true;
  HP_TRY(HP_ALLOC(x, S->F->n));
  const hp_status s = solve(B, S, x, R);
  HP_FREE(x);
  return s;
}

/* ---- results ---- */

const char *hp_amg_bench_peer_where(const hp_amg_bench *B, char *text, size_t size) {
  const hp_hypre_result *h = &B->peer->solution.amg;
  snprintf(text, size, "%s, CPU, 1 process, %d thread%s", h->version, h->threads, hp_plural(h->threads));
  return text;
}

void hp_amg_bench_print_peer_choices(const hp_amg_bench *B) {
  const char *instead = B->peer->solution.amg.instead;
  if (*instead == '\0' && !B->wells_apart) return;
  printf("hypre uses %s%s%s\n", instead, *instead != '\0' && B->wells_apart ? "; " : "",
         B->wells_apart ? "wells as rows instead of apart" : "");
}

static void print_row(const char *name, const hp_amg_bench_result *R, const char *where) {
  printf("%-8s %6d %10.2f %10.2f ", name, R->hierarchy.levels, R->hierarchy.operators, 1e3 * R->setup);
  if (R->peer) printf("%10s", "-");
  else printf("%10.2f", 1e3 * R->refresh);
  printf(" %10.2f %10d %8.3f %9.2e  %s%s\n", 1e3 * R->solve, R->report.iterations, R->factor,
         R->report.norm_b > 0.0 ? R->report.residual / R->report.norm_b : 0.0, where,
         R->report.reason == HP_KRYLOV_CONVERGED ? "" : " (not converged)");
}

void hp_amg_bench_print_peer(const hp_amg_bench *B, const hp_amg_bench_result *ours, const hp_amg_bench_result *peer) {
  char where[160];
  printf("\n%-8s %6s %10s %10s %10s %10s %10s %8s %9s\n", "", "levels", "complexity", "set-up ms", "refresh ms",
         "solve ms", "iterations", "factor", "|r|/|b|");
  print_row("hepta", ours, hp_amg_bench_where(B, where, sizeof where));
  print_row("hypre", peer, hp_amg_bench_peer_where(B, where, sizeof where));
  hp_amg_bench_print_peer_choices(B);
  printf("The solutions differ by at most %.2e of the largest value\n", peer->difference);
}
