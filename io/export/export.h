/* Writes a case as a deck of hepta's own, NAME.cfg, with longer cell arrays in NAME.arrays.h5 beside it. Numbers are
 * the shortest that read back to the same bits; `output.units` keeps the units of the summary.
 */
#ifndef HP_IO_EXPORT_EXPORT_H
#define HP_IO_EXPORT_EXPORT_H

#include "io/case/case.h"

HP_EXTERN_C_BEGIN

/* Writes to `path`, which ends in ".cfg", in these units. HP_ERR_UNSUPPORTED, with the reason, if such decks cannot
 * express the case. */
hp_status hp_case_export(const hp_case *c, hp_units units, const char *path) HP_MUST_USE;

HP_EXTERN_C_END

#endif
