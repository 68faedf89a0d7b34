/* A case as a deck of hepta's own: NAME.cfg, and its cell arrays in
 * NAME.arrays.h5 beside it. Everything is written in SI units and to the last
 * bit, so that the deck gives the results of the case; `output.units` keeps the
 * units of the summary.
 */
#ifndef HP_IO_EXPORT_H
#define HP_IO_EXPORT_H

#include "io/case.h"

HP_EXTERN_C_BEGIN

/* `path` ends in ".cfg". HP_ERR_UNSUPPORTED: the case holds something that such decks cannot say, with the sentence. */
hp_status hp_case_export(const hp_case *c, const char *path) HP_MUST_USE;

HP_EXTERN_C_END

#endif
