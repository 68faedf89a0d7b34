/* A case as a deck of hepta's own, to be edited: NAME.cfg, and its cell arrays
 * in NAME.arrays.h5 beside it, unless a few numbers say all of them. Numbers
 * are the shortest that read back to the same bits; `output.units` keeps the
 * units of the summary.
 */
#ifndef HP_IO_EXPORT_EXPORT_H
#define HP_IO_EXPORT_EXPORT_H

#include "io/case/case.h"

HP_EXTERN_C_BEGIN

/* `path` ends in ".cfg"; units: of the deck that is written. HP_ERR_UNSUPPORTED: the case holds something that such
 * decks cannot say, with the sentence. */
hp_status hp_case_export(const hp_case *c, hp_units units, const char *path) HP_MUST_USE;

HP_EXTERN_C_END

#endif
