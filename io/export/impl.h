/* Private to io/export: the deck being written, and the format of numbers.
 *
 *   io/export/export.c   the deck from top to bottom: fluids, start, the rest
 *   io/export/grid.c     the grid
 *   io/export/numbers.c  the shortest numbers that read back to the same bits; cell arrays
 *   io/export/aquifers.c aquifers
 *   io/export/actions.c  quantities and actions, and the lines of these
 *   io/export/wells.c    wells, the schedule, what is asked of the field
 */
#ifndef HP_IO_EXPORT_IMPL_H
#define HP_IO_EXPORT_IMPL_H

#include <stdio.h>

#include "io/config/config.h"
#include "io/files/hdf5.h"

typedef struct hp_export {
  const hp_case *c;
  hp_units units; /* of the deck that is written */
  FILE *f;
  hp_h5 h5;
  const char *arrays; /* name of the file of arrays, without its folder */
  int written;        /* arrays in it */
  bool corners;       /* grid.corner_point is written */
  double *natural;    /* [ncell] scratch */
} hp_export;

enum { HP_EXPORT_DIGITS = 64 };

/* Finds the deck's number *x of a value, x * factor == v to the last bit; false: there is none, and *x stays. */
bool hp_export_exact(double v, double factor, double *x);

/* Writes a number in the unit of the new deck; if that has no exact one, as text with the unit of the case's own deck,
 * or of SI. */
void hp_export_number(hp_export *e, hp_quantity q, double v);

/* Writes `lead` and " name = value;" for the settings of `list` that differ from those of `was` (NULL: all); false if
 * none does. */
bool hp_export_settings(hp_export *e, const char *lead, const char *list, hp_home home, const void *now,
                        const void *was);

/* Writes " name = value;" of one of them. */
void hp_export_setting(hp_export *e, const hp_config_key *key, const char *name, double v);

/* "lead name = number;" and a newline; " name = number;". */
void hp_export_key(hp_export *e, const char *lead, const char *name, hp_quantity q, double v);
void hp_export_assign(hp_export *e, const char *name, hp_quantity q, double v);

void hp_export_quoted(hp_export *e, const char *text);

/* Writes "[1.0, 2.0]" of count numbers in lines of at most `per` numbers that begin with `lead`; in parentheses if one
 * has its own unit. */
void hp_export_list(hp_export *e, hp_quantity q, int count, const double *v, int per, const char *lead);
/* Writes a list of rows, column k of quantity q[k]. */
void hp_export_rows(hp_export *e, int count, int columns, const hp_quantity *q, const double *const *column);

/* Writes a cell array [ncell] in cell order: one value, one per index along a direction (HP_DIR_*), or all in the file
 * of arrays. */
hp_status hp_export_cells(hp_export *e, const char *group, const char *name, hp_quantity q, int along,
                          const double *a) HP_MUST_USE;

/* The same with `inactive` in inactive cells, whose values do not matter, and `none` in place of NaN. */
hp_status hp_export_sound_cells(hp_export *e, const char *group, const char *name, hp_quantity q, const double *a,
                                double inactive, double none) HP_MUST_USE;
/* Writes rows (i, j, k, other i, j, k, value) of pairs of cells, without the value if that is NULL. */
hp_status hp_export_pairs(hp_export *e, int64_t count, const int64_t *a, const int64_t *b, hp_quantity unit,
                          const double *value) HP_MUST_USE;
/* Writes an array of lengths of a corner-point grid, in its own order. */
hp_status hp_export_lengths(hp_export *e, const char *name, const int dims[3], const double *a) HP_MUST_USE;

hp_status hp_export_grid(hp_export *e) HP_MUST_USE;
hp_status hp_export_aquifers(hp_export *e) HP_MUST_USE;
hp_status hp_export_wells(hp_export *e) HP_MUST_USE;
hp_status hp_export_schedule(hp_export *e) HP_MUST_USE;
void hp_export_quantities(hp_export *e);
void hp_export_actions(hp_export *e);

/* Write the keys of a limit of a well, NAN: none; of what an event gives, with all of its control; of a change of perforations. */
void hp_export_limit(hp_export *e, const hp_well_control *k, int control);
void hp_export_given(hp_export *e, const hp_well_event *v);
hp_status hp_export_change(hp_export *e, const hp_perf_event *v) HP_MUST_USE;

#endif
