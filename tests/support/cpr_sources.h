/* The numbers of cpr's pressure system, entry by entry from where they come, against those that a set-up has made. */
#ifndef HP_TESTS_SUPPORT_CPR_SOURCES_H
#define HP_TESTS_SUPPORT_CPR_SOURCES_H

#include <math.h>

#include "amg/cpr/weights.inl.h"
#include "core/memory.h"
#include "tests/support/check.h"

HP_INLINE void cpr_check_sources(const hp_cpr *C, const hp_gh *A) {
  const hp_csr *Ap = C->Ap;
  int32_t *source = NULL, wrong = 0;
  CHECK_OK(HP_ALLOC(source, hp_csr_count(Ap)));
  for (int64_t k = 0; k < hp_csr_count(Ap); ++k) source[k] = INT32_MAX;
  hp_cpr_sources(C, A, source);
  for (int32_t i = 0; i < Ap->nrow; ++i)
    for (int32_t k = Ap->begin[i]; k < Ap->begin[i + 1]; ++k) {
      const double value = source[k] == INT32_MAX ? NAN
                           : i < C->ncp           ? hp_cpr_cell_number(A, C->weight, C->cell[i], source[k])
                                                  : hp_cpr_well_number(A, i - C->ncp, source[k]);
      wrong += value != Ap->value[k];
    }
  CHECK(wrong == 0);
  HP_FREE(source);
}

#endif
