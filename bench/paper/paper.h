/* `hepta bench paper`: tables and figures of the papers that hepta implements, as commands of other verbs and what their
 * rows are compared with. A table is an entry of bench/paper/tables.c. */
#ifndef HP_BENCH_PAPER_PAPER_H
#define HP_BENCH_PAPER_PAPER_H

/* A line of the comparison: the numbers in `column` of all rows that `where` picks; or, with `over`, for each of these rows
 * the number of the row that `over` picks and that is equal in the columns `same`, divided by its own. Conditions are
 * "column=value", "column=value|other" or "column!=value", with ';' between; `same` is a list with ',' between. */
typedef struct hp_paper_line {
  const char *label;
  const char *column, *where, *over, *same; /* over, same: NULL: as it is */
  const char *unit;
  const char *paper; /* as the paper has it */
} hp_paper_line;

typedef struct hp_paper_table {
  const char *name, *of; /* "gh-8a", "Figure 8a" */
  int paper;             /* of hp_papers */
  const char *title;
  const char *verb; /* of `hepta bench` */
  const char *options, *gpu,
      *size; /* its options, ' ' between; those that come to them with --backend cuda, NULL: none; in
                                       place of `options` with --small */
  const hp_paper_line *line;
  int lines;
  const hp_paper_line *small; /* with --small, of systems that `line` does not name; NULL: as `line` */
  int smalls;
} hp_paper_table;

typedef struct hp_paper {
  const char *authors, *machine; /* "Al-Mouhamed & Khan 2017", "Tesla K20Xm" */
  const char *note;              /* said behind a comparison: what is not the paper's; NULL: nothing */
} hp_paper;

extern const hp_paper hp_papers[];
extern const hp_paper_table hp_paper_tables[];
extern const int hp_paper_table_count;

#endif
