/* Lines of the papers' tables leave out iterations that could not be timed, whose rows hold zeros. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/paper/compare.h"
#include "tests/support/check.h"

static const char rows[] =
    "method,format,execution,nx,q,pair,iteration_seconds,iteration_barriers,solve_seconds,iterations,gflops,product_"
    "percent,"
    "operations,solve_operations\n"
    "bicgstab,gh,team,6,2,40,2e-5,4,1e-3,10,1.5,40,100,1000\n"
    "qmr,gh,team,6,2,40,1e-5,3,2e-3,15,2.5,60,150,2000\n"
    "bicgstab,gh,team,8,2,0,0,0,3e-3,12,0,0,0,3000\n"
    "qmr,gh,team,8,2,0,0,0,9e-3,18,0,0,0,9000\n";

static const struct {
  const char *table, *label;
  int count;
  double least, largest;
} of[] = {{"gh-qmr", "synchronizations of an iteration of QMR", 1, 3.0, 3.0},
          {"gh-qmr", "time of an iteration of QMR over BiCG-Stab's", 1, 0.5, 0.5},
          {"gh-qmr", "  operations of an iteration", 1, 1.5, 1.5},
          {"gh-qmr", "time of a solve by QMR over BiCG-Stab's", 2, 2.0, 3.0},
          {"gh-9a", "an iteration with GH", 2, 1.5, 2.5},
          {"gh-9a", "of which products", 2, 40.0, 60.0}};

static const hp_paper_line *find(const char *table, const char *label) {
  for (int t = 0; t < hp_paper_table_count; ++t)
    for (int n = 0; strcmp(hp_paper_tables[t].name, table) == 0 && n < hp_paper_tables[t].lines; ++n)
      if (strcmp(hp_paper_tables[t].line[n].label, label) == 0) return &hp_paper_tables[t].line[n];
  return NULL;
}

int main(void) {
  char path[] = "/tmp/hepta-paper-XXXXXX";
  const int fd = mkstemp(path);
  CHECK(fd >= 0 && write(fd, rows, sizeof rows - 1) == (ssize_t)sizeof rows - 1);
  close(fd);
  hp_paper_rows R;
  CHECK_OK(hp_paper_rows_read(path, &R));
  for (size_t n = 0; n < sizeof of / sizeof *of; ++n) {
    const hp_paper_line *line = find(of[n].table, of[n].label);
    int count = 0;
    double least = 0.0, largest = 0.0;
    CHECK(line != NULL);
    if (line != NULL) CHECK_OK(hp_paper_line_numbers(&R, line, &count, &least, &largest));
    CHECK(count == of[n].count);
    CHECK_NEAR(least, of[n].least, 1e-12);
    CHECK_NEAR(largest, of[n].largest, 1e-12);
  }
  hp_paper_rows_free(&R);
  unlink(path);
  return check_result();
}
