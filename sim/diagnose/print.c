#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/plural.h"
#include "core/show.h"
#include "sim/diagnose/diagnose.h"

enum { NAME = 20 }; /* width of a column of names */

static double of_whole(double part, double whole) { return whole > 0.0 ? 100.0 * part / whole : 0.0; }

static void print_ends(const hp_units *u, const hp_diagnosis *D, int side, FILE *f) {
  const hp_fluxes *F = D->of;
  fprintf(f, "\n  %-*s %13s %13s %13s\n  %-*s %13s %13s %13s\n", NAME, side == HP_SOURCES ? "from" : "to", "rate",
          side == HP_SOURCES ? "floods" : "drains", "of the pores", NAME, "", u->label[HP_UNIT_RESERVOIR_RATE],
          u->label[HP_UNIT_RESERVOIR_VOLUME], "%");
  for (int n = 0; n < F->count[side]; ++n)
    fprintf(f, "  %-*s %13.6g %13.6g %13.2f\n", NAME, hp_show(F->end[side][n].name).s,
            F->end[side][n].rate / u->factor[HP_UNIT_RESERVOIR_RATE],
            D->pores[side][n] / u->factor[HP_UNIT_RESERVOIR_VOLUME], of_whole(D->pores[side][n], D->whole));
}

/* A pair and what is compared of it. */
typedef struct {
  double rate;
  int source, sink;
} pair;

static int by_rate(const void *a, const void *b) {
  const pair *p = a, *q = b;
  if (p->rate != q->rate) return p->rate > q->rate ? -1 : 1;
  return p->source != q->source ? p->source - q->source : p->sink - q->sink;
}

static void print_pair(const hp_units *u, const hp_diagnosis *D, const pair *at, FILE *f) {
  const hp_flux_end *from = &D->of->end[HP_SOURCES][at->source], *to = &D->of->end[HP_SINKS][at->sink];
  const double volume = D->between[at->source * D->of->count[HP_SINKS] + at->sink];
  fprintf(f, "  %-*s ", NAME, hp_show(from->name).s);
  fprintf(f, "%-*s %13.6g %9.2f %9.2f %13.6g", NAME, hp_show(to->name).s, at->rate / u->factor[HP_UNIT_RESERVOIR_RATE],
          of_whole(at->rate, from->rate), of_whole(at->rate, to->rate), volume / u->factor[HP_UNIT_RESERVOIR_VOLUME]);
  if (from->kind == HP_END_STORAGE || to->kind == HP_END_STORAGE) fprintf(f, " %13s\n", "-");
  else fprintf(f, " %13.6g\n", volume / at->rate / u->factor[HP_UNIT_TIME]);
}

/* The largest ones; of less than a ten-thousandth of all that flows, none. */
static hp_status print_pairs(const hp_units *u, const hp_diagnosis *D, int most, FILE *f) {
  const int sources = D->of->count[HP_SOURCES], sinks = D->of->count[HP_SINKS];
  pair *list;
  int count = 0, large = 0;
  double all = 0.0;
  HP_TRY(HP_ALLOC(list, sources * sinks));
  for (int n = 0; n < sources; ++n) all += D->of->end[HP_SOURCES][n].rate;
  for (int n = 0; n < sources * sinks; ++n)
    if (D->rate[n] > 0.0) list[count++] = (pair){D->rate[n], n / sinks, n % sinks};
  if (count > 1) qsort(list, (size_t)count, sizeof *list, by_rate);
  fprintf(f, "\n  %-*s %-*s %13s %9s %9s %13s %13s\n  %-*s %-*s %13s %9s %9s %13s %13s\n", NAME, "from", NAME, "to",
          "rate", "of from", "of to", "pore volume", "mean time", NAME, "", NAME, "", u->label[HP_UNIT_RESERVOIR_RATE],
          "%", "%", u->label[HP_UNIT_RESERVOIR_VOLUME], u->label[HP_UNIT_TIME]);
  for (; large < count && large < most && list[large].rate > 1e-4 * all; ++large) print_pair(u, D, &list[large], f);
  if (count > large) fprintf(f, "  and %d more, in the CSV file\n", count - large);
  HP_FREE(list);
  return HP_OK;
}

static void print_curve(const hp_units *u, const hp_diagnosis *D, FILE *f) {
  const hp_flow_curve *c = &D->curve;
  fprintf(f,
          "\n  reached from injectors and aquifers %.2f %% of the pores, from producers %.2f %%, from both %.2f %%\n",
          of_whole(D->reached[HP_SOURCES], D->whole), of_whole(D->reached[HP_SINKS], D->whole),
          of_whole(D->reached[HP_SIDES], D->whole));
  if (c->count > 0)
    fprintf(f, "  Lorenz coefficient %.4f; swept after one pore volume %.2f %%; mean time from end to end %.6g %s\n",
            c->lorenz, 100.0 * c->at_one, c->mean / u->factor[HP_UNIT_TIME], u->label[HP_UNIT_TIME]);
  const hp_flux_graph *G = &D->of->graph;
  int64_t cells = 0;
  for (int64_t n = 0; n < G->nloop; ++n) cells += G->loop[2 * n + 1] - G->loop[2 * n];
  if (cells > 0)
    fprintf(f, "  flow in loops: %lld cells in %lld group%s, solved together\n", (long long)cells, (long long)G->nloop,
            hp_plural(G->nloop));
  if (D->unsolved > 0)
    fprintf(f,
            "  warning: in %lld of these cells shares and times are not exact: far more fluid circulates than passes\n",
            (long long)D->unsolved);
}

hp_status hp_diagnosis_print(const hp_sim *S, const hp_diagnosis *D, int most, FILE *f) {
  const hp_units *u = &S->c->units;
  const hp_date_text date = hp_date_at(S->c->start, S->time, false);
  fprintf(f, "hepta: %s, flow at the end of time step %d, %.8g %s%s%s\n", hp_show(S->base).s, S->step,
          S->time / u->factor[HP_UNIT_TIME], u->label[HP_UNIT_TIME], date.s[0] != '\0' ? ", " : "", date.s);
  print_ends(u, D, HP_SOURCES, f);
  print_ends(u, D, HP_SINKS, f);
  HP_TRY(print_pairs(u, D, most, f));
  print_curve(u, D, f);
  return HP_OK;
}
