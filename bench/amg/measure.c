/* hepta bench amg: systems, and what multigrid takes to solve one. */
#include <math.h>
#include <string.h>

#include "bench/amg/amg.h"
#include "bench/bench.h"
#include "bench/generators/family.h"
#include "bench/market/market.h"
#include "core/memory.h"
#include "core/plural.h"

/* ---- systems ---- */

static hp_status fill_rhs(const hp_amg_bench *B, const hp_amg_bench_system *S) {
  const int64_t n = S->F->n;
  if (strcmp(B->rhs, "random") == 0) {
    hp_family_vector(B->model.seed, n, S->b);
  } else if (strcmp(B->rhs, "ones") == 0) {
    for (int64_t i = 0; i < n; ++i) S->b[i] = 1.0;
  } else {
    return hp_market_read_vector(B->rhs, n, S->b);
  }
  return HP_OK;
}

static hp_status make_model(const hp_amg_bench *B, hp_amg_bench_system *S) {
  const hp_pressure *p = &B->model;
  snprintf(S->name, sizeof S->name, "%s %d x %d x %d", B->problem, p->nx, p->ny, p->nz);
  S->nwell = p->nwell;
  HP_TRY(hp_pressure_create(p, &S->G));
  HP_TRY(hp_sparse_create(S->G, NULL, HP_SPARSE_CSR, &S->F));
  hp_sparse_set(S->F, S->G);
  return HP_OK;
}

hp_status hp_amg_bench_system_create(const hp_amg_bench *B, hp_amg_bench_system *S) {
  memset(S, 0, sizeof *S);
  snprintf(S->name, sizeof S->name, "%s", B->matrix != NULL ? B->matrix : "");
  hp_status s = B->matrix != NULL ? hp_market_read_matrix(B->matrix, &S->F) : make_model(B, S);
  if (s == HP_OK) s = HP_ALLOC(S->b, S->F->n);
  if (s == HP_OK) s = HP_ALLOC(S->x, S->F->n);
  if (s == HP_OK) s = fill_rhs(B, S);
  if (s == HP_OK && B->write != NULL) s = hp_market_write_matrix(S->F, B->write);
  if (s != HP_OK) hp_amg_bench_system_free(S);
  return s;
}

void hp_amg_bench_system_free(hp_amg_bench_system *S) {
  hp_gh_destroy(&S->G);
  hp_sparse_destroy(&S->F);
  HP_FREE(S->b);
  HP_FREE(S->x);
}

/* ---- measuring ---- */

/* Samples of one kind: builds, then refreshes, then solves, so that each finds what it left in the caches. */
static hp_status run_samples(const hp_amg_bench *B, hp_multigrid *K, const hp_amg_bench_system *S, double *history,
                             hp_amg_bench_result *R) {
  double time[HP_AMG_BENCH_SAMPLES];
  for (int n = 0; n < B->samples; ++n) {
    HP_TRY(K->ops->build(K));
    K->ops->seconds(K, &time[n], NULL);
  }
  R->setup = hp_bench_median(time, B->samples);
  for (int n = 0; n < B->samples; ++n) {
    HP_TRY(K->ops->refresh(K));
    K->ops->seconds(K, &time[n], NULL);
  }
  R->refresh = hp_bench_median(time, B->samples);
  for (int n = 0; n < B->samples; ++n) {
    HP_TRY(K->ops->solve(K, S->b, S->x, history, &R->report));
    K->ops->seconds(K, NULL, &time[n]);
  }
  R->solve = hp_bench_median(time, B->samples);
  for (int n = 0; n < B->samples && B->nchosen > 1; ++n) HP_TRY(K->ops->cycle(K, &time[n]));
  R->cycle = B->nchosen > 1 ? hp_bench_median(time, B->samples) : 0.0;
  return HP_OK;
}

hp_status hp_amg_bench_measure(const hp_amg_bench *B, hp_amg_bench_system *S, hp_amg_bench_result *R) {
  const hp_multigrid_input in = {.F = S->F,
                                 .G = S->G,
                                 .nwell = B->wells_apart ? S->nwell : 0,
                                 .options = &B->solver,
                                 .hub = B->device == NULL ? B->hub : NULL,
                                 .D = B->device};
  hp_multigrid *K = NULL;
  double *history = NULL;
  memset(R, 0, sizeof *R);
  hp_status s = hp_multigrid_create(&in, &K);
  if (s == HP_OK) s = HP_ALLOC(history, (int64_t)B->solver.max_iterations + 1);
  if (s == HP_OK) s = run_samples(B, K, S, history, R);
  if (s == HP_OK) {
    const int k = R->report.iterations;
    K->ops->report(K, &R->hierarchy);
    R->factor = k > 0 ? pow(history[k], 1.0 / k) : 0.0;
    if (B->view) s = K->ops->print(K);
  }
  HP_FREE(history);
  hp_multigrid_destroy(&K);
  return s;
}

const char *hp_amg_bench_where(const hp_amg_bench *B, char *text, size_t size) {
  if (B->device != NULL) hp_device_describe(B->device, text, size);
  else snprintf(text, size, "CPU, %d thread%s", hp_team_hub_size(B->hub), hp_plural(hp_team_hub_size(B->hub)));
  return text;
}

/* ---- results ---- */

void hp_amg_bench_print_hierarchy(const hp_amg_options *o) {
  printf("%s, %s", hp_amg_coarsening_name(o->coarsening), hp_amg_interpolation_name(o->interpolation));
  if (o->max_weights > 0) printf(" of at most %d weights", o->max_weights);
  if (o->truncation > 0.0) printf(" down to %g of the largest", o->truncation);
}

void hp_amg_bench_print_choices(const hp_amg_solver_options *o, bool smoother) {
  static const char kind[] = {'V', 'W', 'F'};
  hp_amg_bench_print_hierarchy(&o->amg);
  if (smoother) printf(", %s", hp_amg_smoother_name(o->amg.smoother));
  if (smoother && o->amg.smoother == HP_AMG_DAMPED_JACOBI) printf(" damped by %.3g", o->amg.damping);
  printf(", %c(%d,%d), ", kind[o->amg.cycle], o->amg.pre, o->amg.post);
  if (o->stationary) printf("by itself");
  else if (o->method == HP_KRYLOV_GMRES) printf("gmres(%d)", o->restart);
  else printf("%s", hp_krylov_method_name(o->method));
  printf(" to %g%s\n", o->tolerance, o->amg.precision == HP_PRECISION_SINGLE ? ", cycles in single precision" : "");
}

void hp_amg_bench_csv(const hp_amg_bench *B, const hp_amg_bench_system *S, const hp_amg_bench_result *R) {
  const hp_amg_solver_options *o = &B->solver;
  char where[160], refresh[32] = "", bytes[32] = "", cycles[32] = "";
  if (B->table == NULL) return;
  if (ftell(B->table) == 0)
    fputs(
        "system,rows,entries,coarsening,interpolation,smoother,cycle,pre,post,strength,max_weights,truncation,method,"
        "tolerance,where,levels,coarsest,operator_complexity,grid_complexity,bytes,setup,refresh,solve,iterations,"
        "cycles,factor,residual,reason\n",
        B->table);
  if (R->peer) {
    hp_amg_bench_peer_where(B, where, sizeof where);
  } else {
    hp_amg_bench_where(B, where, sizeof where);
    snprintf(refresh, sizeof refresh, "%.6g", R->refresh);
    snprintf(bytes, sizeof bytes, "%lld", (long long)R->hierarchy.bytes);
    snprintf(cycles, sizeof cycles, "%lld", (long long)R->report.applications);
  }
  fprintf(B->table,
          "%s,%lld,%lld,%s,%s,%s,%c,%d,%d,%g,%d,%g,%s,%g,\"%s\",%d,%d,%.4f,%.4f,%s,%.6g,%s,%.6g,%d,%s,%.4f,%.4g,%s\n",
          S->name, (long long)S->F->n, (long long)S->F->count, hp_amg_coarsening_name(o->amg.coarsening),
          hp_amg_interpolation_name(o->amg.interpolation), hp_amg_smoother_name(o->amg.smoother), "VWF"[o->amg.cycle],
          o -> amg.pre, o->amg.post, o->amg.strength, o->amg.max_weights, o->amg.truncation,
          o->stationary ? "none" : hp_krylov_method_name(o->method), o->tolerance, where, R->hierarchy.levels,
          R->hierarchy.coarsest, R->hierarchy.operators, R->hierarchy.grids, bytes, R->setup, refresh, R->solve,
          R->report.iterations, cycles, R->factor, R->report.norm_b > 0.0 ? R->report.residual / R->report.norm_b : 0.0,
          R->report.reason == HP_KRYLOV_CONVERGED ? "converged" : "failed");
}
