/* The tables at the end of a run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/plural.h"
#include "core/program.h"
#include "core/show.h"
#include "io/files/text.h"
#include "sim/report/progress.h"
#include "sim/report/progress_columns.h"
#include "sim/report/progress_impl.h"

enum { ROWS = 24 };

/* A row a report time; long runs are thinned, the last row is always there. */
static void print_times(const hp_sim *S, FILE *f) {
  const hp_units *u = &S->c->units;
  int dates = 0; /* letters of the longest, behind the times */
  for (int i = 0; i < S->nreport; ++i) {
    const int letters = (int)strlen(hp_date_at(S->c->start, S->report[i].time, false).s);
    if (letters > dates) dates = letters;
  }
  for (int line = 0; line < 2; ++line) {
    fputc('\n', f);
    for (int v = 0; v < hp_progress_column_count; ++v) {
      const hp_progress_column *c = &hp_progress_columns[v];
      const char *second = c->head[1] != NULL ? c->head[1] : u->label[c->quantity];
      if (c->head[0] != NULL) fprintf(f, "%s%*s", v > 0 ? " " : "", c->width, line == 0 ? c->head[0] : second);
      if (v == 0 && dates > 0) fprintf(f, "  %-*s", dates, line == 0 ? "date" : "");
    }
  }
  fputc('\n', f);
  const int every = (S->nreport + ROWS - 1) / ROWS;
  for (int i = 0; i < S->nreport; ++i) {
    if ((i + 1) % every != 0 && i + 1 != S->nreport) continue;
    for (int v = 0; v < hp_progress_column_count; ++v) {
      const hp_progress_column *c = &hp_progress_columns[v];
      char value[32];
      hp_progress_format(c, u, &S->report[i], value, sizeof value);
      if (c->head[0] != NULL) fprintf(f, "%s%*s", v > 0 ? " " : "", c->width, value);
      if (v == 0 && dates > 0) fprintf(f, "  %-*s", dates, hp_date_at(S->c->start, S->report[i].time, false).s);
    }
    fputc('\n', f);
  }
  if (every == 1) return;
  fprintf(f, "%d of %d report times", (S->nreport + every - 1) / every, S->nreport);
  if (S->c->output.summary) fprintf(f, "; all time steps are in %s.summary.csv", hp_show(S->base).s);
  fputc('\n', f);
}

static void print_balance(const hp_sim *S, FILE *f) {
  const hp_units *u = &S->c->units;
  const double v = u->factor[HP_UNIT_VOLUME];
  static const char *const name[HP_PHASES] = {"oil", "water"};
  const hp_flow flow = hp_sim_field_flow(S);
  const double influx = hp_sim_influx(S);
  const double gave[HP_PHASES] = {[HP_WATER] = influx > 0.0 ? influx : 0.0};
  const double took[HP_PHASES] = {[HP_WATER] = influx < 0.0 ? -influx : 0.0};
  double error[HP_PHASES];
  hp_sim_mass_balance(S, error);
  fprintf(f, "\nMass balance, %s%13s %13s %13s %13s %11s\n", u->label[HP_UNIT_VOLUME], "at start", "injected",
          "produced", "now", "rel. error");
  for (int a = 0; a < HP_PHASES; ++a)
    fprintf(f, "  %-*s%13.6g %13.6g %13.6g %13.6g %11.1e\n", 13 + (int)strlen(u->label[HP_UNIT_VOLUME]), name[a],
            S->start.mass[a] / v, (flow.injection_total[a] + gave[a]) / v, (flow.total[a] + took[a]) / v,
            S->now.mass[a] / v, error[a]);
  if (S->aquifers != NULL)
    fprintf(f, "  aquifers %s %.6g of the water that counts as %s\n", influx < 0.0 ? "took" : "gave", fabs(influx) / v,
            influx < 0.0 ? "produced" : "injected");
}

static void print_money(const hp_sim *S, FILE *f) {
  const hp_economics *e = &S->c->economics;
  if (!e->given) return;
  fprintf(f, "\nMoney: net present value %.6g at %.4g %% a year, cash flow %.6g; %.6g of the last step per %s\n",
          S->money.npv, 100.0 * e->discount_rate, S->money.cash, S->money.rate / S->c->units.factor[HP_UNIT_EXPENSE],
          S->c->units.label[HP_UNIT_TIME]);
}

/* Error in time of the run. */
static void print_time_error(const hp_sim *S, FILE *f) {
  char text[200], since[80] = "";
  const hp_time_error *e = &S->time_error;
  hp_time_error_text(S, text, sizeof text);
  if (e->on && e->since > 0.0)
    snprintf(since, sizeof since, " since %.6g %s", e->since / S->c->units.factor[HP_UNIT_TIME],
             S->c->units.label[HP_UNIT_TIME]);
  fprintf(f, "\nError in time: %s%s\n", text, since);
}

static void print_work(const hp_sim *S, FILE *f) {
  const hp_counts *n = &S->counts;
  const double per = n->steps > 0 ? (double)n->newton / n->steps : 0.0;
  fprintf(f,
          "\nWork: %d time step%s, %lld Newton iteration%s (%.1f per step), %lld linear (%.1f per Newton iteration)\n",
          n->steps, hp_plural(n->steps), (long long)n->newton, hp_plural(n->newton), per, (long long)n->linear,
          n->newton > 0 ? (double)n->linear / (double)n->newton : 0.0);
  fprintf(f,
          "Wasted: %d cut%s, %lld Newton and %lld linear iterations in failed attempts; "
          "%lld linear solve%s stopped short\n",
          n->cuts, hp_plural(n->cuts), (long long)n->wasted_newton, (long long)n->wasted_linear,
          (long long)n->unconverged_linear, hp_plural(n->unconverged_linear));
}

/* A quick run is reported in milliseconds. */
static int decimals(double seconds) { return seconds < 10.0 ? 3 : 2; }

/* The levels that ranks share; the others are on all of them. */
static void print_spread_levels(const hp_cpr_state *C, FILE *f) {
  if (C->spread == 0) return;
  fprintf(f, "  %5s %12s %6s %26s %10s %10s %12s\n", "level", "rows", "ranks", "of a cycle:      exchanges", "messages",
          "of a rank", "kB");
  for (int l = 0; l < C->spread; ++l) {
    const hp_amg_ranks_messages *m = &C->messages[l];
    fprintf(f, "  %5d %12lld %6d %26lld %10lld %10lld %12.1f\n", l, (long long)m->rows, m->ranks,
            (long long)m->exchanges, (long long)m->messages, (long long)m->most, 1e-3 * (double)m->bytes);
  }
}

/* How often cpr's hierarchy was made and refreshed, and what the last one is. */
static void print_multigrid(const hp_sim *S, FILE *f) {
  hp_linear_report linear;
  char memory[32], builds[32], refreshes[32];
  hp_linear_solver *solver = S->backend->linear;
  if (solver->ops->report(solver, &linear) != HP_OK || !linear.uses_cpr) return; /* a lost device has been reported */
  const hp_cpr_state C = linear.cpr;
  hp_show_bytes((double)C.bytes, memory, sizeof memory);
  fprintf(f,
          "Multigrid: set up %s in %.*f s, numbers refreshed %s in %.*f s; %d level%s, operator complexity %.2f, %s "
          "with the second stage%s\n",
          hp_times(C.counts.builds, builds, sizeof builds), decimals(C.counts.build_seconds), C.counts.build_seconds,
          hp_times(C.counts.refreshes, refreshes, sizeof refreshes), decimals(C.counts.refresh_seconds),
          C.counts.refresh_seconds, C.levels, hp_plural(C.levels), C.complexity, memory,
          C.on_host ? "; coarse points picked on the host" : "");
  print_spread_levels(&C, f);
}

/* All that is held on a GPU. */
static void print_device_memory(const hp_sim *S, FILE *f) {
  hp_linear_report linear = {.device_bytes = 0};
  hp_linear_solver *solver = S->backend->linear;
  char text[32];
  if (solver->ops->report(solver, &linear) != HP_OK || linear.device_bytes <= 0) return;
  const int64_t device = linear.device_bytes;
  hp_show_bytes((double)device, text, sizeof text);
  fprintf(f, "Memory on the GPU%s: %s, %.0f bytes per cell\n", linear.gpus > 0 ? "s" : "", text,
          (double)device / (double)S->c->grid->ncell);
  for (int g = 0; g < linear.gpus; ++g) {
    hp_show_bytes((double)linear.gpu_bytes[g], text, sizeof text);
    fprintf(f, "  GPU %-2d %s\n", linear.gpu[g], text);
  }
}

/* The short table adds operations of one group; the long one shows each. */
static void print_time(const hp_sim *S, double seconds, FILE *f) {
  double known = 0.0;
  const int digits = decimals(seconds);
  fprintf(f, "\n%-28s %10s %7s\n", "Where the time went", "seconds", "%");
  for (int op = 0; op < HP_PROF_COUNT; ++op) {
    double group = 0.0;
    bool first = true;
    for (int other = 0; other < HP_PROF_COUNT; ++other) {
      if (strcmp(hp_profile_group((hp_profile_op)op), hp_profile_group((hp_profile_op)other)) != 0) continue;
      if (other < op) first = false;
      group += S->profile.op[other].seconds;
    }
    known += first ? group : 0.0;
    if (!first || (op == HP_PROF_BUS && S->opt.backend == HP_BACKEND_CPU)) continue;
    fprintf(f, "  %-26s %10.*f %6.1f%%\n", hp_profile_group((hp_profile_op)op), digits, group, 100.0 * group / seconds);
  }
  fprintf(f, "  %-26s %10.*f %6.1f%%\n", "other", digits, seconds - known, 100.0 * (seconds - known) / seconds);
  char memory[32];
  hp_show_bytes((double)hp_memory_peak(), memory, sizeof memory);
  fprintf(f, "  %-26s %10.*f          peak memory %s\n", "whole run", digits, seconds, memory);
}

#define HP_START_TEXT(name, text) text,
static const char *const start_text[] = {HP_START_LIST(HP_START_TEXT)};

/* Parts of the start, under its line. */
static void print_start(const hp_sim *S, FILE *f) {
  for (int n = 0; n < HP_START_COUNT; ++n)
    if (S->start_part[n] > 0.0) fprintf(f, "    %-35s %10.3f\n", start_text[n], S->start_part[n]);
}

static void print_profile(const hp_sim *S, FILE *f) {
  fprintf(f, "\n%-28s %10s %10s %12s %9s\n", "Operation", "calls", "seconds", "us per call", "GB/s");
  for (int op = 0; op < HP_PROF_COUNT; ++op) {
    const hp_profile_entry *e = &S->profile.op[op];
    if (e->calls == 0) continue;
    fprintf(f, "  %-26s %10lld %10.3f %12.1f", hp_profile_text((hp_profile_op)op), (long long)e->calls, e->seconds,
            1e6 * e->seconds / (double)e->calls);
    if (e->bytes > 0.0) fprintf(f, " %9.2f", e->bytes / e->seconds / 1e9);
    fputc('\n', f);
    if (op == HP_PROF_START) print_start(S, f);
  }
  fprintf(f, "  barriers of the team       %10lld\n", (long long)S->backend->ops->barriers(S->backend));
  if (S->backend->ops->traffic == NULL) return;
  int64_t to_device, to_host;
  char there[32], back[32];
  S->backend->ops->traffic(S->backend, &to_device, &to_host);
  hp_show_bytes((double)to_device, there, sizeof there);
  hp_show_bytes((double)to_host, back, sizeof back);
  fprintf(f, "  copied over the bus        %10s to the GPU, %s back (including the case at the start)\n", there, back);
}

void hp_report_print_quoted(const char *name, FILE *f) {
  const char *quote = hp_text_is_shell(name) ? "" : "'";
  fputs(quote, f);
  for (; *name != '\0'; ++name) fprintf(f, *name == '\'' ? "'\\''" : "%c", *name);
  fputs(quote, f);
}

void hp_report_print_end(const hp_sim *S, FILE *f) {
  if (S->c->left_out != NULL)
    fprintf(f, "\nWithout %s, as asked for: the answer may be another one\n", hp_show(S->c->left_out).s);
  print_balance(S, f);
  print_money(S, f);
  print_time_error(S, f);
  print_work(S, f);
  print_multigrid(S, f);
  print_device_memory(S, f);
}

void hp_report_print(const hp_sim *S, double seconds, FILE *f) {
  if (S->nreport > 0) print_times(S, f);
  hp_report_print_end(S, f);
  print_time(S, seconds, f);
  hp_report_print_ranks(S, f);
  if (S->opt.profile || S->opt.backend != HP_BACKEND_CPU) print_profile(S, f);
  char script[sizeof S->base + 16];
  snprintf(script, sizeof script, "%s.view.py", S->base);
  fputs("\nTo see it: paraview --script=", f);
  hp_report_print_quoted(script, f);
  fputs("\n           ", f);
  hp_report_print_quoted(hp_program_name, f);
  fputs(" report ", f);
  hp_report_print_quoted(S->base, f);
  fputc('\n', f);
}
