/* Tables: a CSV file on disk, and a group of columns of an HDF5 file. */
#ifndef HP_IO_FILES_TABLE_H
#define HP_IO_FILES_TABLE_H

#include "io/files/hdf5.h"

/* NAME: texts that live as long as the program; TEXT: texts that the table copies. */
typedef enum { HP_COLUMN_NUMBER, HP_COLUMN_INTEGER, HP_COLUMN_NAME, HP_COLUMN_TEXT } hp_column_kind;

typedef struct hp_column {
  char *name;
  const char *unit; /* "" none */
  hp_column_kind kind;
  double *number; /* [capacity] of numbers and integers */
  char **text;    /* [capacity] of names and texts; NULL: empty */
} hp_column;

typedef struct hp_table {
  int ncolumn, max_column, cursor;
  hp_column *column;
  int64_t nrow, capacity;
  int fd;                    /* of the CSV file, < 0: none */
  const char *path;          /* borrowed */
  const char *start, *dated; /* of the dates in the CSV file, behind the column of times, and their head; "": none */
  int time;                  /* that column, */
  double unit;               /* and what its numbers are in [s] */
} hp_table;

hp_status hp_table_create(hp_table *t, int max_column) HP_MUST_USE;
void hp_table_destroy(hp_table *t); /* the CSV file is closed without a look at the result */
hp_status hp_table_column(hp_table *t, hp_column_kind kind, const char *unit, const char *fmt, ...)
    HP_PRINTF(4, 5) HP_MUST_USE;

/* The last column, of times: the CSV file has dates behind it, under that head, unless start (borrowed) is "". */
void hp_table_date(hp_table *t, const char *start, double unit, const char *head);

/* Creates the CSV file with its header, NAME[UNIT],... */
hp_status hp_table_open_csv(hp_table *t, const char *path) HP_MUST_USE;
/* Writes the file anew with the present rows, and continues at its end. */
hp_status hp_table_reopen_csv(hp_table *t, const char *path) HP_MUST_USE;
hp_status hp_table_sync(hp_table *t) HP_MUST_USE;
hp_status hp_table_close_csv(hp_table *t) HP_MUST_USE;

/* A row: begin, one value a column in their order, end (which appends it to the CSV file in one write). */
hp_status hp_table_begin_row(hp_table *t) HP_MUST_USE;
void hp_table_number(hp_table *t, double value);
void hp_table_name(hp_table *t, const char *value);
hp_status hp_table_text(hp_table *t, const char *value) HP_MUST_USE;
hp_status hp_table_end_row(hp_table *t) HP_MUST_USE;

/* The number of rows allocated for so many rows. */
int64_t hp_table_capacity(int64_t rows);
/* Makes room for so many rows; sets an entry of a column of names or texts. */
hp_status hp_table_reserve(hp_table *t, int64_t rows) HP_MUST_USE;
hp_status hp_column_set(hp_column *c, int64_t row, const char *value) HP_MUST_USE;
bool hp_column_has_numbers(const hp_column *c);

/* Writes the columns as datasets of `group`. */
hp_status hp_table_write(const hp_table *t, hp_h5 *h, const char *group) HP_MUST_USE;
int64_t hp_table_bytes(const hp_table *t);

#endif
