/* Shared by the files of io/eclipse/fluids: records.c reads keywords with records of numbers, tables.c those with
 * tables per region, and regions.c completes them at the deck's end. */
#ifndef HP_IO_ECLIPSE_FLUIDS_IMPL_H
#define HP_IO_ECLIPSE_FLUIDS_IMPL_H

#include "io/eclipse/impl.h"

/* The number of tables of ROCKTAB: ROCKCOMP item 2, else TABDIMS item 13. */
int hp_ecl_compaction_tables(const hp_ecl *e);

/* Completes the rock, with as many records as ROCKOPTS says. */
hp_status hp_ecl_finish_rock(hp_ecl *e) HP_MUST_USE;

/* Makes one table of SWFN and SOF2 with the rows of both, which keeps both piecewise linear functions. The range of
 * water saturation is SWFN's; SOF2 is constant outside its own. */
hp_status hp_ecl_merge_tables(hp_ecl *e, int table) HP_MUST_USE;

#endif
