/* Rows of a CSV file and what a line of hp_paper_table makes of them. */
#ifndef HP_BENCH_PAPER_COMPARE_H
#define HP_BENCH_PAPER_COMPARE_H

#include <stdint.h>

#include "bench/paper/paper.h"
#include "core/status.h"

/* Fields of a CSV file: names in row 0, then values. */
typedef struct hp_paper_rows {
  char *text;
  int columns;
  int64_t rows;       /* without that of names */
  const char **field; /* [rows+1][columns] */
} hp_paper_rows;

/* Fields may stand in quotes, without quotes in them. HP_ERR_FILE: it cannot be read, or rows differ in length. */
hp_status hp_paper_rows_read(const char *path, hp_paper_rows *out) HP_MUST_USE;
void hp_paper_rows_free(hp_paper_rows *R);

/* The least and the largest number of the line; count: how many there are, 0: none. HP_ERR_INTERNAL: it names a column that
 * is not there. */
hp_status hp_paper_line_numbers(const hp_paper_rows *R, const hp_paper_line *line, int *count, double *least,
                                double *largest) HP_MUST_USE;

#endif
