/* hepta check --ranks R: how the columns would be cut, what each rank has and needs. */
#include <stdio.h>

#include "core/memory.h"
#include "core/plural.h"
#include "core/show.h"
#include "sim/commands/commands.h"
#include "sim/part/cut.h"
#include "sim/run/run.h"

enum { LISTED = 16, COLUMNS = 6 };

/* Columns of the table. */
static void numbers(const hp_cut_part *p, int64_t memory, int64_t out[COLUMNS]) {
  const int64_t row[COLUMNS] = {p->columns, p->active, p->ghosts, p->neighbours, p->perforations, memory};
  for (int n = 0; n < COLUMNS; ++n) out[n] = row[n];
}

static void print_row(const char *name, const int64_t row[COLUMNS], FILE *f) {
  char text[32];
  hp_show_bytes((double)row[COLUMNS - 1], text, sizeof text);
  fprintf(f, "         %5s %9lld %13lld %9lld %11lld %13lld %11s\n", name, (long long)row[0], (long long)row[1],
          (long long)row[2], (long long)row[3], (long long)row[4], text);
}

static void print_table(int ranks, const hp_cut_part *part, const int64_t *memory, FILE *f) {
  int64_t row[COLUMNS], least[COLUMNS], mean[COLUMNS] = {0}, most[COLUMNS];
  numbers(&part[0], memory[0], least);
  numbers(&part[0], memory[0], most);
  fprintf(f, "         %5s %9s %13s %9s %11s %13s %11s\n", "rank", "columns", "active cells", "ghosts", "neighbours",
          "perforations", "memory");
  for (int r = 0; r < ranks; ++r) {
    char name[16];
    snprintf(name, sizeof name, "%d", r);
    numbers(&part[r], memory[r], row);
    if (ranks <= LISTED) print_row(name, row, f);
    for (int n = 0; n < COLUMNS; ++n) {
      least[n] = row[n] < least[n] ? row[n] : least[n];
      most[n] = hp_larger(row[n], most[n]);
      mean[n] += row[n];
    }
  }
  for (int n = 0; n < COLUMNS; ++n) mean[n] /= ranks;
  if (ranks == 1) return;
  print_row("least", least, f);
  print_row("mean", mean, f);
  print_row("most", most, f);
}

static void print_parts(const hp_case *c, const hp_run_options *opt, const hp_cut_outcome *cut, const hp_cut_part *part,
                        const int64_t *memory, int64_t cut_wells, FILE *f) {
  const char *gathers = opt->ranks > 1 ? hp_sim_gathers(c, opt) : NULL;
  const int threads = opt->threads > 0 ? opt->threads : 1;
  int64_t all = 0;
  char text[32], first[32];
  for (int r = 0; r < opt->ranks; ++r) all += memory[r];
  hp_show_bytes((double)all, text, sizeof text);
  hp_show_bytes((double)memory[0], first, sizeof first);
  fprintf(f, "ranks    %d of %d thread%s; parts at most %.2f of the mean, %lld well%s cut\n", opt->ranks, threads,
          hp_plural(threads), cut->largest / cut->mean, (long long)cut_wells, hp_plural(cut_wells));
  print_table(opt->ranks, part, memory, f);
  fprintf(f, "memory   about %s on all ranks; %s on rank 0, which writes all\n", text, first);
  if (gathers != NULL) fprintf(f, "note     rank 0 holds all cells at first, for %s\n", gathers);
  if (memory[0] > hp_memory_machine()) {
    hp_show_bytes((double)hp_memory_machine(), text, sizeof text);
    fprintf(f, "note     rank 0 would not run here: this machine has %s of memory\n", text);
  }
  if (cut->bricks) fprintf(f, "note     %s\n", HP_CUT_BRICKS);
}

hp_status hp_command_print_ranks(const hp_case *c, const hp_wells *W, const hp_reservoir *r, const hp_run_options *opt,
                                 const hp_sim_memory *memory, FILE *f) {
  hp_linear_options solver;
  if (hp_sim_linear(c, opt, &solver) != NULL) return HP_OK; /* which the caller refuses */
  const hp_cut_input in = {.grid = c->grid, .active = r->active, .wells = W, .bricks = hp_backend_cuts_bricks(&solver)};
  hp_box *boxes = NULL;
  hp_cut_part *part = NULL;
  int64_t *bytes = NULL, cut_wells = 0;
  hp_cut_outcome cut;
  hp_status s = HP_ALLOC(boxes, opt->ranks);
  if (s == HP_OK) s = HP_ALLOC(part, opt->ranks);
  if (s == HP_OK) s = HP_ALLOC(bytes, opt->ranks);
  if (s == HP_OK) s = hp_cut_columns(&in, opt->ranks, boxes, &cut);
  if (s == HP_OK) s = hp_cut_measure(&in, opt->ranks, boxes, &cut, part, &cut_wells);
  if (s == HP_OK) {
    hp_sim_ranks_memory(c, W, opt, memory, part, bytes);
    print_parts(c, opt, &cut, part, bytes, cut_wells, f);
  }
  HP_FREE(boxes);
  HP_FREE(part);
  HP_FREE(bytes);
  return s;
}
