/* Multigrid on a team of the CPU, and the choice between the places. */
#include "bench/multigrid/multigrid.h"

#include <stdio.h>

#include "bench/multigrid/device.h"
#include "core/device/ahead.h"
#include "core/memory.h"
#include "core/profile.h"

const char *hp_multigrid_refusal(const hp_amg_solver_options *options, bool on_gpu) {
  const char *why = hp_amg_solver_refusal(options);
  return why == NULL && on_gpu ? hp_amg_device_solver_refusal(options) : why;
}

enum { CYCLES = 20 /* that are timed together */ };

typedef struct {
  hp_multigrid base;
  int64_t n; /* rows */
  hp_amg_solver *K;
  double setup, solve; /* [s] */
} cpu;

static void cpu_destroy(hp_multigrid **slot) {
  cpu *C = (cpu *)*slot;
  hp_amg_solver_destroy(&C->K);
  HP_FREE(*slot);
}

static hp_status cpu_build(hp_multigrid *S) {
  cpu *C = (cpu *)S;
  const double began = hp_now();
  HP_TRY(hp_amg_solver_build(C->K));
  C->setup = hp_now() - began;
  return HP_OK;
}

static hp_status cpu_refresh(hp_multigrid *S) {
  cpu *C = (cpu *)S;
  const double began = hp_now();
  HP_TRY(hp_amg_solver_refresh(C->K));
  C->setup = hp_now() - began;
  return HP_OK;
}

static hp_status cpu_solve(hp_multigrid *S, const double *b, double *x, double *history, hp_krylov_report *report) {
  cpu *C = (cpu *)S;
  const double began = hp_now();
  HP_TRY(hp_amg_solver_solve(C->K, b, x, history, report));
  C->solve = hp_now() - began;
  return HP_OK;
}

static hp_status time_cycles(const cpu *C, const double *b, double *x, double *seconds) {
  const double began = hp_now();
  for (int n = 0; n < CYCLES; ++n) HP_TRY(hp_amg_solver_cycle(C->K, b, x));
  *seconds = (hp_now() - began) / CYCLES;
  return HP_OK;
}

static hp_status cpu_cycle(hp_multigrid *S, double *seconds) {
  const cpu *C = (const cpu *)S;
  double *b = NULL, *x = NULL;
  hp_status s = HP_ALLOC(b, C->n);
  if (s == HP_OK) s = HP_ALLOC(x, C->n);
  for (int64_t i = 0; i < C->n && s == HP_OK; ++i) b[i] = 1.0;
  if (s == HP_OK) s = time_cycles(C, b, x, seconds);
  HP_FREE(b);
  HP_FREE(x);
  return s;
}

static void cpu_seconds(const hp_multigrid *S, double *setup, double *solve) {
  const cpu *C = (const cpu *)S;
  if (setup != NULL) *setup = C->setup;
  if (solve != NULL) *solve = C->solve;
}

/* Rows of all levels over those of the finest. */
static double grid_complexity(const hp_amg *H) {
  double sum = 0.0;
  for (int l = 0; l < H->nlevel; ++l) sum += H->level[l].A->nrow;
  return sum > 0.0 ? sum / H->level[0].A->nrow : 0.0;
}

static void cpu_report(hp_multigrid *S, hp_multigrid_report *out) {
  const hp_amg *H = hp_amg_solver_hierarchy(((const cpu *)S)->K);
  *out = (hp_multigrid_report){.levels = H->nlevel,
                               .coarsest = H->level[H->nlevel - 1].A->nrow,
                               .operators = hp_amg_operator_complexity(H),
                               .grids = grid_complexity(H),
                               .bytes = hp_amg_bytes(H)};
}

void hp_amg_print(const hp_amg *H, FILE *out) {
  double all[HP_AMG_PARTS] = {0.0};
  int64_t rows = 0, count = 0;
  fprintf(out, "multigrid: %s coarsening, %s interpolation, %s smoothing; set up in %.4g s\n",
          hp_amg_coarsening_name(H->opt.coarsening), hp_amg_interpolation_name(H->opt.interpolation),
          hp_amg_smoother_name(H->opt.smoother), H->build_seconds);
  fprintf(out, "level       rows   non-zeros  per row  complexity       MB");
  fprintf(out, "  strength  coarsening  interpolation  product\n");
  for (int l = 0; l < H->nlevel; ++l) {
    const hp_amg_level *L = &H->level[l];
    const int64_t n = hp_csr_count(L->A);
    rows += L->A->nrow;
    count += n;
    fprintf(out, "%5d %10d %11lld %8.1f %11.3f %8.2f", l, L->A->nrow, (long long)n,
            L->A->nrow > 0 ? (double)n / L->A->nrow : 0.0,
            hp_csr_count(H->level[0].A) > 0 ? (double)n / (double)hp_csr_count(H->level[0].A) : 0.0,
            (double)(hp_amg_bytes_from(H, l) - hp_amg_bytes_from(H, l + 1)) / 1e6);
    fprintf(out, " %9.4f %11.4f %14.4f %8.4f\n", L->seconds[HP_AMG_STRENGTH], L->seconds[HP_AMG_COARSENING],
            L->seconds[HP_AMG_INTERPOLATION], L->seconds[HP_AMG_PRODUCT]);
    for (int part = 0; part < HP_AMG_PARTS; ++part) all[part] += L->seconds[part];
  }
  fprintf(out, "  all %10lld %11lld %8.1f %11.3f %8.2f", (long long)rows, (long long)count,
          rows > 0 ? (double)count / (double)rows : 0.0, hp_amg_operator_complexity(H), (double)hp_amg_bytes(H) / 1e6);
  fprintf(out, " %9.4f %11.4f %14.4f %8.4f\n", all[HP_AMG_STRENGTH], all[HP_AMG_COARSENING], all[HP_AMG_INTERPOLATION],
          all[HP_AMG_PRODUCT]);
}

static hp_status cpu_print(hp_multigrid *S) {
  hp_amg_print(hp_amg_solver_hierarchy(((const cpu *)S)->K), stdout);
  return HP_OK;
}

static const hp_multigrid_ops cpu_ops = {.destroy = cpu_destroy,
                                         .build = cpu_build,
                                         .refresh = cpu_refresh,
                                         .solve = cpu_solve,
                                         .cycle = cpu_cycle,
                                         .seconds = cpu_seconds,
                                         .report = cpu_report,
                                         .print = cpu_print};

static hp_status cpu_create(const hp_multigrid_input *in, hp_multigrid **out) {
  cpu *C = NULL;
  HP_TRY(HP_ALLOC(C, 1));
  C->base.ops = &cpu_ops;
  C->n = in->F->n;
  *out = &C->base;
  const hp_status s = hp_amg_solver_create(in->hub, in->F, in->G, in->nwell, in->options, &C->K);
  if (s != HP_OK) hp_multigrid_destroy(out);
  return s;
}

hp_status hp_multigrid_create(const hp_multigrid_input *in, hp_multigrid **out) {
  *out = NULL;
  if (in->hub != NULL) return cpu_create(in, out);
  HP_TRY(hp_device_in_build());
  return hp_multigrid_device_create(in, out);
}

void hp_multigrid_destroy(hp_multigrid **S) {
  if (S != NULL && *S != NULL) (*S)->ops->destroy(S);
}
