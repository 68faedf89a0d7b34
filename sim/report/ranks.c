/* The end of a run by several ranks: what each had, and where they waited for each other. */
#include <stdio.h>

#include "core/show.h"
#include "sim/report/progress.h"
#include "sim/report/progress_impl.h"

typedef struct {
  double least, mean, most;
} range;

/* The range of value(rank, kind) over ranks. */
static range range_of(const hp_sim *S, double (*value)(const hp_backend_rank *, int), int kind) {
  range x = {value(&S->rank[0], kind), 0.0, value(&S->rank[0], kind)};
  for (int r = 0; r < S->nrank; ++r) {
    const double v = value(&S->rank[r], kind);
    x.least = v < x.least ? v : x.least;
    x.most = v > x.most ? v : x.most;
    x.mean += v / S->nrank;
  }
  return x;
}

static double active(const hp_backend_rank *r, int kind) {
  (void)kind;
  return (double)r->active;
}

static double ghosts(const hp_backend_rank *r, int kind) {
  (void)kind;
  return (double)r->ghosts;
}

static double neighbours(const hp_backend_rank *r, int kind) {
  (void)kind;
  return (double)r->neighbours;
}

static double cut_faces(const hp_backend_rank *r, int kind) {
  (void)kind;
  return (double)r->cut_faces;
}

static double memory(const hp_backend_rank *r, int kind) {
  (void)kind;
  return (double)r->memory;
}

static double seconds_in(const hp_backend_rank *r, int kind) { return r->in[kind].seconds; }

static double waited(const hp_backend_rank *r, int kind) {
  double all = 0.0;
  (void)kind;
  for (int k = 0; k < HP_RANKS_KINDS; ++k) all += r->in[k].seconds;
  return all;
}

static double worked(const hp_backend_rank *r, int kind) { return r->seconds - waited(r, kind); }

#define KIND_TEXT(name, key, what) what,
#define KIND_KEY(name, key, what) key,
static const char *const kind_text[] = {HP_RANKS_KIND_LIST(KIND_TEXT)};
static const char *const kind_key[] = {HP_RANKS_KIND_LIST(KIND_KEY)};

static void print_row(const char *text, int64_t calls, int decimals, range x, FILE *f) {
  fprintf(f, "  %-26s", text);
  if (calls >= 0) fprintf(f, " %10lld", (long long)calls);
  else fprintf(f, " %10s", "");
  fprintf(f, " %10.*f %10.*f %10.*f\n", decimals, x.least, decimals, x.mean, decimals, x.most);
}

static void print_bytes(const char *text, range x, FILE *f) {
  char least[32], mean[32], most[32];
  hp_show_bytes(x.least, least, sizeof least);
  hp_show_bytes(x.mean, mean, sizeof mean);
  hp_show_bytes(x.most, most, sizeof most);
  fprintf(f, "  %-26s %10s %10s %10s %10s\n", text, "", least, mean, most);
}

/* The short line, where ranks wait for a tenth of the time or longer. */
static void print_short(const hp_sim *S, FILE *f) {
  const range x = range_of(S, waited, 0);
  const double all = S->rank[0].seconds;
  if (x.mean < 0.1 * all) return;
  fprintf(f, "Waiting for other ranks: %.3f s on average (%.0f%%), %.3f to %.3f s%s\n", x.mean, 100.0 * x.mean / all,
          x.least, x.most, S->opt.profile ? "" : "; --profile says for what");
}

void hp_report_print_ranks(const hp_sim *S, FILE *f) {
  if (S->nrank < 2) return;
  print_short(S, f);
  if (!S->opt.profile) return;
  char head[64];
  snprintf(head, sizeof head, "%d ranks", S->nrank);
  fprintf(f, "\n%-28s %10s %10s %10s %10s\n", head, "calls", "least", "mean", "most");
  print_row("active cells", -1, 0, range_of(S, active, 0), f);
  print_row("ghosts", -1, 0, range_of(S, ghosts, 0), f);
  print_row("neighbours", -1, 0, range_of(S, neighbours, 0), f);
  print_row("cut faces", -1, 0, range_of(S, cut_faces, 0), f);
  print_bytes("peak memory", range_of(S, memory, 0), f);
  const range work = range_of(S, worked, 0);
  print_row("seconds of its own work", -1, 3, work, f);
  if (work.mean > 0.0)
    print_row("  imbalance, over the mean", -1, 3, (range){work.least / work.mean, 1.0, work.most / work.mean}, f);
  for (int k = 0; k < HP_RANKS_KINDS; ++k) {
    char text[64];
    snprintf(text, sizeof text, "  %s", kind_text[k]);
    print_row(text, S->rank[0].in[k].calls, 3, range_of(S, seconds_in, k), f);
  }
}

static void list(hp_events *E, const hp_sim *S, const char *key, double (*value)(const hp_backend_rank *, int),
                 int kind, bool whole) {
  hp_event_list(E, key);
  for (int r = 0; r < S->nrank; ++r) {
    const double v = value(&S->rank[r], kind);
    if (whole) hp_event_integer(E, NULL, (int64_t)v);
    else hp_event_number(E, NULL, v);
  }
  hp_event_up(E);
}

void hp_progress_event_ranks(const hp_sim *S) {
  hp_events *E = S->progress->events;
  if (S->nrank < 2) return;
  hp_event_begin(E, "ranks");
  hp_event_integer(E, "ranks", S->nrank);
  list(E, S, "active", active, 0, true);
  list(E, S, "ghosts", ghosts, 0, true);
  list(E, S, "neighbours", neighbours, 0, true);
  list(E, S, "cut_faces", cut_faces, 0, true);
  list(E, S, "memory", memory, 0, true);
  list(E, S, "work", worked, 0, false);
  for (int k = 0; k < HP_RANKS_KINDS; ++k) {
    hp_event_object(E, kind_key[k]);
    hp_event_integer(E, "calls", S->rank[0].in[k].calls);
    list(E, S, "wait", seconds_in, k, false);
    hp_event_up(E);
  }
  hp_event_end(E);
}
