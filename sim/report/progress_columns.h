/* Columns of a run's reports as it goes: one table for the line on the terminal, the log, the events and the table at
 * the end. A new line in sim/report/progress_columns.c adds a column to each of them that it has a name for.
 */
#ifndef HP_SIM_REPORT_PROGRESS_COLUMNS_H
#define HP_SIM_REPORT_PROGRESS_COLUMNS_H

#include "sim/simulator/simulator.h"

HP_EXTERN_C_BEGIN

typedef struct hp_progress_column {
  const char *key;     /* in events: Eclipse's name; NULL: not there */
  const char *label;   /* on the terminal's line and in the log, before the value; NULL: not there */
  int colour;          /* of the value on a terminal: its code after ESC [, 0 none */
  const char *head[2]; /* of the table's column, NULL: not there; second line NULL: the unit */
  int width, digits;   /* of that column; digits < 0: so many behind the point */
  hp_quantity quantity;
  double (*value)(const hp_report_row *r); /* SI */
} hp_progress_column;

extern const hp_progress_column hp_progress_columns[];
extern const int hp_progress_column_count;

/* Share of water in the liquid produced, 0 when nothing is. */
double hp_water_cut(const hp_flow *f);

/* The value in the deck's unit. */
double hp_progress_value(const hp_progress_column *v, const hp_units *u, const hp_report_row *r);

/* The same as people read it: "52.31", "0.4279". */
void hp_progress_format(const hp_progress_column *v, const hp_units *u, const hp_report_row *r, char *out, size_t size);

/* The same in about five letters, for a line that is redrawn. */
void hp_progress_format_short(const hp_progress_column *v, const hp_units *u, const hp_report_row *r, char *out,
                              size_t size);

HP_EXTERN_C_END

#endif
