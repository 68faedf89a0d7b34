/* hepta bench solve: what it prints and writes. */
#include <string.h>

#include "bench/solve/solve.h"
#include "core/memory.h"
#include "core/show.h"
#include "io/files/text.h"

const char *hp_bench_solve_precond_name(int preconditioner) {
  if (preconditioner == HP_BENCH_SOLVE_CPR_HYPRE) return "cpr-hypre";
  return preconditioner == HP_BENCH_SOLVE_CPR ? "cpr" : hp_precond_name((hp_precond_kind)preconditioner);
}

static double bytes_of(const hp_bench_solve_result *R) { return R->matrix_bytes + R->precond_bytes + R->vector_bytes; }

static double per_iteration(const hp_bench_solve_result *R, double v) {
  return R->report.iterations > 0 ? v / R->report.iterations : 0.0;
}

static const char *ordering_of(const hp_bench_solve_result *R) {
  return R->linear.krylov.preconditioner == HP_PRECOND_DILU ? hp_ordering_name(R->linear.krylov.ordering) : "-";
}

/* ---- the table ---- */

static void print_place(FILE *f, const hp_system_place *at) {
  fprintf(f, "step %d, ", at->step);
  if (at->attempt > 1) fprintf(f, "attempt %d, ", at->attempt);
  fprintf(f, "Newton %d", at->newton);
}

static void event_system(const hp_bench_solve_job *B, int64_t active) {
  const hp_system *S = &B->system;
  hp_events *E = B->events;
  hp_event_begin(E, "system");
  hp_event_text(E, "file", B->path);
  hp_event_text(E, "deck", S->deck);
  hp_event_text(E, "commit", S->commit);
  hp_event_integer(E, "step", S->place.step);
  hp_event_integer(E, "attempt", S->place.attempt);
  hp_event_integer(E, "newton", S->place.newton);
  hp_event_number(E, "time", S->time);
  hp_event_number(E, "dt", S->dt);
  hp_event_list(E, "grid");
  hp_event_integer(E, NULL, S->A->nx);
  hp_event_integer(E, NULL, S->A->ny);
  hp_event_integer(E, NULL, S->A->nz);
  hp_event_up(E);
  hp_event_integer(E, "q", S->A->q);
  hp_event_integer(E, "active", active);
  hp_event_integer(E, "wells", S->A->wells.nwell);
  hp_event_integer(E, "rows", S->A->n);
  hp_event_text(E, "run_solver", S->solver);
  hp_event_integer(E, "run_iterations", S->iterations);
  hp_event_text(E, "run_reason", S->reason);
  hp_event_text(E, "machine", B->where);
  hp_event_number(E, "copy_gbs", 1e-9 * B->copy);
  hp_event_end(E);
}

void hp_bench_solve_print_head(const hp_bench_solve_job *B) {
  const hp_system *S = &B->system;
  const hp_gh *A = S->A;
  FILE *f = B->out;
  int64_t active = 0;
  for (int64_t m = 0; m < A->ncell; ++m) active += S->active[m];
  fprintf(f, "\n%s: %s, ", hp_show(B->path).s, hp_show(S->deck).s);
  print_place(f, &S->place);
  fprintf(f, ", dt %.6g day\n%d x %d x %d cells, %lld active, q = %d, %d wells: %lld rows, matrix %.2f MB\n",
          S->dt / 86400.0, A->nx, A->ny, A->nz, (long long)active, A->q, A->wells.nwell, (long long)A->n,
          1e-6 * (double)hp_gh_bytes(A));
  fprintf(f, "in the run: %s; %d iterations, |r|/|b| %.1e, %s; commit %s\n", hp_show(S->solver).s, S->iterations,
          S->norm_b > 0.0 ? S->residual / S->norm_b : 0.0, S->reason, S->commit);
  fputs("cpr: pattern from ", f);
  print_place(f, &S->pattern_of);
  fputs(", numbers from ", f);
  print_place(f, &S->numbers_of);
  fprintf(f, "%s\n", S->uses_cpr ? "" : " (the run had no cpr)");
  fprintf(f, "%-8s %-12s %-9s %-13s %9s %9s %9s %9s %5s %9s %8s %8s %8s %7s %7s %8s\n", "method", "precond", "order",
          "execution", "set-up ms", "refresh", "factors", "solve ms", "iter", "ms/iter", "barriers", "per iter",
          "MB/iter", "GB/s", "of copy", "|r|/|b|");
  event_system(B, active);
}

static void print_range(FILE *f, const hp_bench_solve_spread *s) {
  char text[40];
  const int digits = 1e3 * s->most < 10.0 ? 2 : 1e3 * s->most < 100.0 ? 1 : 0;
  snprintf(text, sizeof text, "%.*f-%.*f", digits, 1e3 * s->least, digits, 1e3 * s->most);
  fprintf(f, " %9s", text);
}

static void print_row(const hp_bench_solve_job *B, const hp_bench_solve_result *R) {
  FILE *f = B->out;
  const double rate = bytes_of(R) / R->solve.median;
  fprintf(f, " %9.3f %9.3f %9.3f %9.3f %5d %9.4f %8lld %8.1f %8.2f %7.2f %5.0f %% %8.1e", 1e3 * R->setup.median,
          1e3 * R->refresh.median, 1e3 * R->factor.median, 1e3 * R->solve.median, R->report.iterations,
          1e3 * per_iteration(R, R->solve.median), (long long)R->report.barriers,
          per_iteration(R, (double)R->report.barriers), 1e-6 * per_iteration(R, bytes_of(R)), 1e-9 * rate,
          100.0 * rate / B->copy, R->residual);
  if (R->same) fputs("  the run's bits", f);
  if (R->report.reason != HP_KRYLOV_CONVERGED) fprintf(f, "  %s", hp_krylov_reason_text(R->report.reason));
  fprintf(f, "\n%-45s", "");
  print_range(f, &R->setup);
  print_range(f, &R->refresh);
  print_range(f, &R->factor);
  print_range(f, &R->solve);
  fputc('\n', f);
}

/* ---- CSV ---- */

static void csv_spread(FILE *f, const hp_bench_solve_spread *s) {
  fprintf(f, ",%.6g,%.6g,%.6g", s->median, s->least, s->most);
}

static void csv_text(FILE *f, const char *value) {
  hp_text t = {0};
  hp_text_add_csv(&t, value);
  fputs(t.status == HP_OK && t.s != NULL ? t.s : "", f);
  hp_text_clear(&t);
}

static void print_csv(const hp_bench_solve_job *B, const hp_bench_solve_choice *choice,
                      const hp_bench_solve_result *R) {
  const hp_system *S = &B->system;
  FILE *f = B->csv;
  if (f == NULL) return;
  if (ftell(f) == 0)
    fputs(
        "file,deck,step,attempt,newton,nx,ny,nz,q,wells,rows,backend,where,method,preconditioner,ordering,precision,"
        "execution,tolerance,samples,setup,setup_least,setup_most,refresh,refresh_least,refresh_most,factors,"
        "factors_least,factors_most,solve,solve_least,solve_most,iterations,iteration,barriers,iteration_barriers,"
        "launches,iteration_bytes,matrix_bytes,preconditioner_bytes,vector_bytes,gbs,copy_gbs,share,residual,"
        "recurred_residual,off_run,same_bits,reason\n",
        f);
  csv_text(f, B->path);
  fputc(',', f);
  csv_text(f, S->deck);
  fprintf(f, ",%d,%d,%d,%d,%d,%d,%d,%d,%lld,%s,", S->place.step, S->place.attempt, S->place.newton, S->A->nx, S->A->ny,
          S->A->nz, S->A->q, S->A->wells.nwell, (long long)S->A->n, hp_backend_name(B->backend));
  csv_text(f, B->where);
  fprintf(f, ",%s,%s,%s,%s,%s,%g,%d", hp_krylov_method_name(choice->method),
          hp_bench_solve_precond_name(choice->preconditioner), ordering_of(R),
          hp_precision_name(R->linear.krylov.precision), hp_execution_name(choice->execution), B->tolerance,
          B->samples);
  if (R->why[0] != '\0') {
    fputs(",,,,,,,,,,,,,,,,,,,,,,,,,,,,,", f);
    csv_text(f, R->why);
    fputc('\n', f);
    return;
  }
  csv_spread(f, &R->setup);
  csv_spread(f, &R->refresh);
  csv_spread(f, &R->factor);
  csv_spread(f, &R->solve);
  const double rate = bytes_of(R) / R->solve.median, norm = R->report.norm_b;
  fprintf(f, ",%d,%.6g,%lld,%.4g,%lld,%.9g,%.9g,%.9g,%.9g,%.4g,%.4g,%.4g,%.12g,%.12g,%.3g,%d,", R->report.iterations,
          per_iteration(R, R->solve.median), (long long)R->report.barriers,
          per_iteration(R, (double)R->report.barriers), (long long)R->launches, per_iteration(R, bytes_of(R)),
          R->matrix_bytes, R->precond_bytes, R->vector_bytes, 1e-9 * rate, 1e-9 * B->copy, rate / B->copy, R->residual,
          norm > 0.0 ? R->report.residual / norm : 0.0, R->off, R->same);
  csv_text(f, hp_krylov_reason_text(R->report.reason));
  fputc('\n', f);
}

/* ---- JSON ---- */

static void event_spread(hp_events *E, const char *key, const hp_bench_solve_spread *s) {
  hp_event_object(E, key);
  hp_event_number(E, "median", s->median);
  hp_event_number(E, "least", s->least);
  hp_event_number(E, "most", s->most);
  hp_event_up(E);
}

static void event_numbers(const hp_bench_solve_job *B, const hp_bench_solve_result *R) {
  hp_events *E = B->events;
  const double rate = bytes_of(R) / R->solve.median;
  event_spread(E, "setup", &R->setup);
  event_spread(E, "refresh", &R->refresh);
  event_spread(E, "factors", &R->factor);
  event_spread(E, "solve", &R->solve);
  hp_event_integer(E, "iterations", R->report.iterations);
  hp_event_number(E, "iteration", per_iteration(R, R->solve.median));
  hp_event_integer(E, "barriers", R->report.barriers);
  hp_event_number(E, "iteration_barriers", per_iteration(R, (double)R->report.barriers));
  hp_event_integer(E, "launches", R->launches);
  hp_event_number(E, "iteration_bytes", per_iteration(R, bytes_of(R)));
  hp_event_number(E, "gbs", 1e-9 * rate);
  hp_event_number(E, "share", rate / B->copy);
  hp_event_number(E, "residual", R->residual);
  hp_event_number(E, "off_run", R->off);
  hp_event_integer(E, "same_bits", R->same);
  hp_event_text(E, "reason", hp_krylov_reason_text(R->report.reason));
}

static void print_event(const hp_bench_solve_job *B, const hp_bench_solve_choice *choice,
                        const hp_bench_solve_result *R) {
  hp_events *E = B->events;
  hp_event_begin(E, "solve");
  hp_event_text(E, "file", B->path);
  hp_event_text(E, "backend", hp_backend_name(B->backend));
  hp_event_text(E, "method", hp_krylov_method_name(choice->method));
  hp_event_text(E, "preconditioner", hp_bench_solve_precond_name(choice->preconditioner));
  hp_event_text(E, "ordering", ordering_of(R));
  hp_event_text(E, "execution", hp_execution_name(choice->execution));
  hp_event_number(E, "tolerance", B->tolerance);
  hp_event_integer(E, "samples", B->samples);
  if (R->why[0] != '\0') hp_event_text(E, "refused", R->why);
  else event_numbers(B, R);
  hp_event_end(E);
}

void hp_bench_solve_print(const hp_bench_solve_job *B, const hp_bench_solve_choice *choice,
                          const hp_bench_solve_result *R) {
  fprintf(B->out, "%-8s %-12s %-9s %-13s", hp_krylov_method_name(choice->method),
          hp_bench_solve_precond_name(choice->preconditioner), ordering_of(R), hp_execution_name(choice->execution));
  if (R->why[0] != '\0') fprintf(B->out, "  does not run: %s\n", R->why);
  else print_row(B, R);
  fflush(B->out);
  print_csv(B, choice, R);
  print_event(B, choice, R);
}
