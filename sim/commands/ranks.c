/* hepta check --ranks R: how the columns would be cut, what each rank has and needs. */
#include <stdio.h>

#include "core/memory.h"
#include "core/plural.h"
#include "core/show.h"
#include "sim/commands/commands.h"
#include "sim/part/bisection.h"
#include "sim/run/run.h"

enum { LISTED = 16, COLUMNS = 8, BYTES = 6 /* columns from here on */ };

/* Of all ranks. */
typedef struct {
  const hp_part_counts *part;
  const int64_t *memory, *device; /* device: all 0 on processors */
  bool gpus;
} rows;

static void numbers(const rows *R, int rank, int64_t out[COLUMNS]) {
  const hp_part_counts *p = &R->part[rank];
  const int64_t row[COLUMNS] = {p->columns,   p->active,       p->ghosts,       p->neighbours,
                                p->cut_faces, p->perforations, R->memory[rank], R->device[rank]};
  for (int n = 0; n < COLUMNS; ++n) out[n] = row[n];
}

static void print_row(const char *name, const int64_t row[COLUMNS], FILE *f) {
  char text[32];
  fprintf(f, "         %5s %9lld %13lld %9lld %11lld %10lld %13lld", name, (long long)row[0], (long long)row[1],
          (long long)row[2], (long long)row[3], (long long)row[4], (long long)row[5]);
  for (int n = BYTES; n < COLUMNS && row[n] > 0; ++n) {
    hp_show_bytes((double)row[n], text, sizeof text);
    fprintf(f, " %11s", text);
  }
  fputc('\n', f);
}

static void print_table(int ranks, const rows *R, bool list, FILE *f) {
  int64_t row[COLUMNS], least[COLUMNS], mean[COLUMNS] = {0}, most[COLUMNS];
  numbers(R, 0, least);
  numbers(R, 0, most);
  fprintf(f, "         %5s %9s %13s %9s %11s %10s %13s %11s%s\n", "rank", "columns", "active cells", "ghosts",
          "neighbours", "cut faces", "perforations", "memory", R->gpus ? "  on its GPU" : "");
  for (int r = 0; r < ranks; ++r) {
    char name[16];
    snprintf(name, sizeof name, "%d", r);
    numbers(R, r, row);
    if (list || ranks <= LISTED) print_row(name, row, f);
    for (int n = 0; n < COLUMNS; ++n) {
      least[n] = row[n] < least[n] ? row[n] : least[n];
      most[n] = hp_larger(row[n], most[n]);
      mean[n] += row[n];
    }
  }
  for (int n = 0; n < COLUMNS; ++n) mean[n] = (mean[n] + ranks / 2) / ranks; /* the nearest, as --profile prints it */
  if (ranks == 1) return;
  print_row("least", least, f);
  print_row("mean", mean, f);
  print_row("most", most, f);
}

/* Of the GPUs of ranks, where this machine has any to compare with. */
static void print_gpus(int ranks, const int64_t *device, FILE *f) {
  const int64_t there = hp_device_memory(0);
  int most = 0;
  char text[32], have[32];
  for (int r = 1; r < ranks; ++r)
    if (device[r] > device[most]) most = r;
  hp_show_bytes((double)device[most], text, sizeof text);
  fprintf(f, "         at most %s on a rank's GPU; ranks that share one need their sum\n", text);
  if (there <= 0 || device[most] <= there) return;
  hp_show_bytes((double)there, have, sizeof have);
  fprintf(f, "note     rank %d would not run on this machine's GPU: it has %s\n", most, have);
}

static void print_parts(const hp_run_options *opt, const hp_bisection_outcome *cut, const rows *R, int64_t cut_wells,
                        bool list, FILE *f) {
  const int threads = opt->threads > 0 ? opt->threads : 1;
  int64_t all = 0;
  char text[32], first[32];
  for (int r = 0; r < opt->ranks; ++r) all += R->memory[r];
  fprintf(f, "ranks    %d ", opt->ranks);
  if (R->gpus) fputs("with a GPU each", f);
  else fprintf(f, "of %d thread%s", threads, hp_plural(threads));
  fprintf(f, "; parts at most %.2f of the mean, %lld well%s cut\n", cut->largest / cut->mean, (long long)cut_wells,
          hp_plural(cut_wells));
  print_table(opt->ranks, R, list, f);
  hp_show_bytes((double)all, text, sizeof text);
  hp_show_bytes((double)R->memory[0], first, sizeof first);
  fprintf(f, "memory   about %s on %sall ranks; %s on rank 0, which writes all\n", text, R->gpus ? "the CPUs of " : "",
          first);
  if (R->gpus) print_gpus(opt->ranks, R->device, f);
  if (R->memory[0] > hp_memory_machine()) {
    hp_show_bytes((double)hp_memory_machine(), text, sizeof text);
    fprintf(f, "note     rank 0 would not run here: this machine has %s of memory\n", text);
  }
  char warning[HP_BISECTION_WARNING];
  hp_bisection_warn(cut, opt->ranks, warning, sizeof warning);
  if (warning[0] != '\0') fprintf(f, "note     %s\n", warning);
}

hp_status hp_command_print_ranks(const hp_case *c, const hp_wells *W, const hp_reservoir *r, const hp_run_options *opt,
                                 const hp_sim_memory *memory, bool list, FILE *f) {
  hp_linear_options solver;
  if (hp_sim_linear(c, opt, &solver) != NULL) return HP_OK; /* which the caller refuses */
  const hp_bisection_input in = {
      .grid = c->grid, .active = r->active, .wells = W, .bricks = hp_linear_cuts_bricks(&solver)};
  hp_box *boxes = NULL;
  hp_part_counts *part = NULL;
  int64_t *bytes = NULL, *device = NULL, cut_wells = 0;
  hp_bisection_outcome cut;
  HP_TRY(hp_sim_check_rank_gpus(opt));
  hp_status s = HP_ALLOC(boxes, opt->ranks);
  if (s == HP_OK) s = HP_ALLOC(part, opt->ranks);
  if (s == HP_OK) s = HP_ALLOC(bytes, opt->ranks);
  if (s == HP_OK) s = HP_ALLOC(device, opt->ranks);
  if (s == HP_OK) s = hp_bisect_columns(&in, opt->ranks, boxes, &cut);
  if (s == HP_OK) s = hp_bisection_measure(&in, opt->ranks, boxes, &cut, part, &cut_wells);
  if (s == HP_OK) {
    const rows R = {part, bytes, device, opt->backend != HP_BACKEND_CPU};
    hp_sim_ranks_memory(c, W, opt, memory, part, bytes, device);
    print_parts(opt, &cut, &R, cut_wells, list, f);
  }
  HP_FREE(boxes);
  HP_FREE(part);
  HP_FREE(bytes);
  HP_FREE(device);
  return s;
}
