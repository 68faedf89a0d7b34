#include <stdio.h>

#include "bench/krylov/krylov.h"
#include "bench/sgdia/sgdia.h"

const char *hp_bench_krylov_way(const hp_bench_krylov_run *B, const hp_krylov_options *opt) {
  return opt->specialise ? "specialised" : B->choice.reordered ? "reordered" : hp_execution_name(opt->execution);
}

static const char *execution_name(const hp_bench_krylov_run *B, const hp_krylov_options *opt) {
  return B->place.device == NULL && !B->choice.reordered ? "team" : hp_bench_krylov_way(B, opt);
}

/* Shares of an iteration in percent: products, barriers, the rest; operations, GFLOP/s, percent of the peak. 0: not measured. */
typedef struct {
  double flops, gflops, peak, product, barrier, vectors;
  double solve; /* operations of the whole solve */
} shares;

static shares shares_of(const hp_bench_krylov_run *B, const hp_krylov_options *opt, const hp_bench_krylov_result *R) {
  const int64_t entries = hp_bench_system_entries(&B->S), rows = B->S.where.A->n;
  shares s = {.gflops = 0.0};
  s.solve = hp_bench_krylov_flops(
      (double)R->report.products, entries,
      hp_bench_krylov_solve_operations(opt->method, opt->restart, R->report.iterations, R->report.restarts), rows);
  if (R->pair == 0) return s;
  const double flops = hp_bench_krylov_flops(R->products, entries,
                                             hp_bench_krylov_vector_operations(opt->method, opt->restart), rows);
  s.flops = flops;
  s.gflops = 1e-9 * flops / R->iteration;
  s.peak = 100.0 * flops / R->iteration / B->place.peak;
  s.product = 100.0 * R->products * R->parts.product / R->iteration;
  s.barrier = 100.0 * R->barriers * R->parts.barrier / R->iteration;
  s.vectors = s.product + s.barrier < 100.0 ? 100.0 - s.product - s.barrier : 0.0;
  return s;
}

static void print_special(const hp_krylov_special *s) {
  if (s->kernels > 1) printf("%d kernels ", s->kernels);
  printf("%s in %.2f s, %d registers", s->kept ? "read" : "compiled", s->seconds, s->registers);
  if (s->local > 0) printf(", %lld bytes of local memory", (long long)s->local);
  if (s->note[0] != '\0') printf("; %s", s->note);
}

void hp_bench_krylov_print(const hp_bench_krylov_run *B, const hp_krylov_options *opt,
                           const hp_bench_krylov_result *R) {
  const hp_gh *A = B->S.A;
  const char *end = R->report.reason == HP_KRYLOV_CONVERGED ? "" : hp_krylov_reason_text(R->report.reason);
  const char *execution = execution_name(B, opt);
  const char *format = hp_bench_format_name(B->S.format);
  const shares share = shares_of(B, opt, R);
  printf("%-9s %-13s %-6s %-14s %4d", hp_krylov_method_name(opt->method), hp_precond_name(opt->preconditioner), format,
         execution, B->chip);
  if (R->pair > 0)
    printf(" %10.2f %8.2f %7.2f%% %7.0f%% %7.0f%% %7.0f%% %8.1f %8.1f", 1e6 * R->iteration, share.gflops, share.peak,
           share.product, share.barrier, share.vectors, R->barriers, R->launches);
  else printf(" %10s %8s %8s %8s %8s %8s %8s %8s", "-", "-", "-", "-", "-", "-", "-", "-");
  printf(" %10.3f %10.3f %6d  %s", 1e3 * R->setup, 1e3 * R->solve, R->report.iterations, end);
  if (R->special.used) print_special(&R->special);
  else if (!opt->specialise) printf("%s", R->special.note);
  if (R->noise) printf(" twice the iterations took no longer: take a larger --size or more --samples");
  printf("\n");
  fflush(stdout);
  if (B->csv == NULL) return;
  fprintf(B->csv,
          "%s,%d,%d,%d,%d,%d,%s,%s,%s,%s,%s,%d,%.9g,%d,%.6g,%.6g,%.9g,%.9g,%d,%s,%s,%.6g,%.4g,%.4g,%.4g,%.4g,%.9g,%s,%."
          "9g\n",
          B->place.device != NULL ? "cuda" : "cpu", A->nx, A->ny, A->nz, A->q, A->wells.nwell,
          hp_krylov_method_name(opt->method), hp_precond_name(opt->preconditioner), hp_ordering_name(opt->ordering),
          hp_precision_name(opt->precision), execution, B->chip, R->iteration, R->pair, R->barriers, R->launches,
          R->setup, R->solve, R->report.iterations,
          R->report.reason == HP_KRYLOV_CONVERGED ? "converged" : "not converged", format, share.gflops, share.product,
          share.barrier, share.vectors, share.peak, share.flops,
          hp_sgdia_kind_name(B->S.box != NULL ? HP_SGDIA_BOX : HP_SGDIA_STAR), share.solve);
}

void hp_bench_krylov_print_head(const hp_bench_krylov_run *B) {
  const hp_gh *A = B->S.A;
  if (B->S.file != NULL) printf("\n%s: %lld rows\n", B->o->matrix, (long long)A->n);
  else
    printf("\n%d x %d x %d cells, q = %d, %d wells%s: %lld rows\n", A->nx, A->ny, A->nz, A->q, A->wells.nwell,
           B->S.box != NULL ? ", boxes of 27 points" : "", (long long)A->n);
  printf("%-9s %-13s %-6s %-14s %4s %10s %8s %8s %8s %8s %8s %8s %8s %10s %10s %6s\n", "method", "precond", "format",
         "execution", "chip", "us/iter", "GFLOP/s", "of peak", "product", "barrier", "vectors", "barriers", "launches",
         "setup ms", "solve ms", "iter");
}

void hp_bench_krylov_print_csv_head(const hp_bench_krylov_run *B) {
  if (B->csv == NULL) return;
  fputs(
      "backend,nx,ny,nz,q,wells,method,preconditioner,ordering,precision,execution,chip,iteration_seconds,pair,"
      "iteration_barriers,iteration_launches,setup_seconds,solve_seconds,iterations,end,format,gflops,"
      "product_percent,barrier_percent,vector_percent,peak_percent,operations,stencil,solve_operations\n",
      B->csv);
}
