/* Reads a deck of either kind, by the file's name: .DATA in any case is Eclipse's (io/eclipse), any other hepta's own
 * (io/config). Applies the --set overrides, validates, and reports every error of the deck at once through hp_diag. */
#ifndef HP_IO_DECK_DECK_H
#define HP_IO_DECK_DECK_H

#include "io/case/case.h"

HP_EXTERN_C_BEGIN

/* Reads `path` with overrides "key.path=value". Errors and warnings go to
 * diag; HP_ERR_DECK if there was any error. The caller prints diag. */
hp_status hp_case_read(const char *path, int nset, const char *const *set, hp_diag *diag, hp_case **out) HP_MUST_USE;

/* The same by all ranks. Each gets the cells of its planes (core/ranks/spread.h), ranks without planes NULL. Notes are
 * in rank 0's diag. After HP_OK the case owns P, if there is a case. After any other status, the same on all ranks,
 * rank 0 must read the deck alone; HP_ERR_WHOLE says for what. All ranks know the cells that wells and other settings
 * name (hp_grid_learn). */
hp_status hp_case_read_spread(hp_spread *P, const char *path, int nset, const char *const *set, hp_diag *diag,
                              hp_case **out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
