/* Shared by the files of io/eclipse/fluids: records.c reads keywords with a record of numbers, tables.c those with a table for
 * each region, regions.c completes them when the deck has ended. */
#ifndef HP_IO_ECLIPSE_FLUIDS_IMPL_H
#define HP_IO_ECLIPSE_FLUIDS_IMPL_H

#include "io/eclipse/impl.h"

/* Tables of ROCKTAB: ROCKCOMP item 2, else TABDIMS item 13. */
int hp_ecl_compaction_tables(const hp_ecl *e);

/* The rock, of as many records as ROCKOPTS says. */
hp_status hp_ecl_finish_rock(hp_ecl *e) HP_MUST_USE;

/* One table from SWFN and SOF2: the rows of both, so that nothing of the piecewise linear functions is lost. The range of
 * water saturation is SWFN's; SOF2 is constant outside its own. */
hp_status hp_ecl_merge_tables(hp_ecl *e, int table) HP_MUST_USE;

#endif
