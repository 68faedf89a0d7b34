/* Reads a deck of either kind, which the file's name says: .DATA, any case, is Eclipse's (io/eclipse), any other hepta's
 * own (io/config). Applies the --set overrides, validates, and reports every error of the deck at once through hp_diag. */
#ifndef HP_IO_DECK_DECK_H
#define HP_IO_DECK_DECK_H

#include "io/case/case.h"

HP_EXTERN_C_BEGIN

/* Reads `path` with overrides "key.path=value". Errors and warnings go to
 * diag; HP_ERR_DECK if there was any error. The caller prints diag. */
hp_status hp_case_read(const char *path, int nset, const char *const *set, hp_diag *diag, hp_case **out) HP_MUST_USE;

/* The same by all ranks, each of which gets the cells of its planes (core/ranks/spread.h); those without any get NULL. Notes
 * are in rank 0's diag. With HP_OK P is the case's, if there is one. Anything but HP_OK, which all of them get: rank 0 is to read the deck alone; HP_ERR_WHOLE says for
 * what. The numbers of cells of wells and of what else names cells are known to all (hp_grid_learn). */
hp_status hp_case_read_spread(hp_spread *P, const char *path, int nset, const char *const *set, hp_diag *diag,
                              hp_case **out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
