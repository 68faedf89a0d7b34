/* Reads a deck of either kind, which the file's name says: .DATA, any case, is Eclipse's (io/eclipse), any other hepta's
 * own (io/config). Applies the --set overrides, validates, and reports every error of the deck at once through hp_diag. */
#ifndef HP_IO_DECK_DECK_H
#define HP_IO_DECK_DECK_H

#include "io/case/case.h"

HP_EXTERN_C_BEGIN

/* Reads `path` with overrides "key.path=value". Errors and warnings go to
 * diag; HP_ERR_DECK if there was any error. The caller prints diag. */
hp_status hp_case_read(const char *path, int nset, const char *const *set, hp_diag *diag, hp_case **out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
