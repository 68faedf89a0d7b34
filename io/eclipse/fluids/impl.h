/* Shared by the files of io/eclipse/fluids: records.c reads keywords with records of numbers, tables.c those with
 * tables per region, end_points.c end points by depth and by JFUNC, and regions.c completes them at the deck's end. */
#ifndef HP_IO_ECLIPSE_FLUIDS_IMPL_H
#define HP_IO_ECLIPSE_FLUIDS_IMPL_H

#include "io/eclipse/impl.h"

/* The number of tables of ROCKTAB: ROCKCOMP item 2, else TABDIMS item 13. */
int hp_ecl_compaction_tables(const hp_ecl *e);

/* Completes the rock, with as many records as ROCKOPTS says. */
hp_status hp_ecl_finish_rock(hp_ecl *e) HP_MUST_USE;

/* Numbers of tables of all cells, in cell order; NULL: all are the first. Then those of the array are in 1..count, too,
 * or it is faulty: a number that is less was not looked at, since its cell is inactive or the grid has a fault. */
hp_status hp_ecl_region_numbers(hp_ecl *e, hp_ecl_array_id id, int count, uint16_t **to) HP_MUST_USE;

/* Interpolates values of column c of cell [rows][columns] that are left out in column 0; at the column's ends they are
 * those of the nearest row that has one. `name` is for errors. */
void hp_ecl_interpolate_gaps(hp_ecl *e, double *cell, int rows, int columns, int c, const char *name);

/* Reports numbers of a column that do not run as they must: strictly rising (2), not falling (1), any (0), not rising (-1),
 * strictly falling (-2); within lo..hi. Infinite values have been reported. */
void hp_ecl_check_column(hp_ecl *e, const double *cell, int rows, int columns, int c, const char *name, int slope,
                         double lo, double hi);

/* Calls `read` for each table. One that holds nothing repeats the one before, which `repeat` finds in e->table - 1. */
hp_status hp_ecl_each_table(hp_ecl *e, hp_ecl_by by, hp_status (*read)(hp_ecl *e),
                            hp_status (*repeat)(hp_ecl *e)) HP_MUST_USE;

/* Fills end points that the deck gives by depth and, with JFUNC, the capillary pressure at SWL, where cells have none of their
 * own; needs the grid. */
hp_status hp_ecl_fill_end_points(hp_ecl *e) HP_MUST_USE;

/* Makes one table of SWFN and SOF2 with the rows of both, which keeps both piecewise linear functions. The range of
 * water saturation is SWFN's; SOF2 is constant outside its own. */
hp_status hp_ecl_merge_tables(hp_ecl *e, int table) HP_MUST_USE;

#endif
