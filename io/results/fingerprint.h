/* Fingerprints of the parts of a deck that must be the same in a run that goes on
 * (io/results/restart.h): a 64-bit number of every value that the computation reads.
 */
#ifndef HP_IO_RESULTS_FINGERPRINT_H
#define HP_IO_RESULTS_FINGERPRINT_H

#include "io/results/restart.h"
#include "wells/wells.h"

HP_EXTERN_C_BEGIN

/* The parts of a case, then three a well: what it is, its schedule so far and
 * the changes of its perforations so far, which begin empty; at last what rows
 * already written hold (dates, regions). wells: at rest. */
hp_status hp_fingerprint_create(const hp_case *c, const hp_wells *wells, int *count, hp_fingerprint **out) HP_MUST_USE;

/* How many that are. */
int hp_fingerprint_count(int nwell);

/* Index of the fingerprint of transmissibilities. */
int hp_fingerprint_of_trans(void);
/* after[n]: of changes of transmissibilities, once those up to the n-th have been mixed into `before`. Of several ranks by
 * all, each of which has some of the pairs. */
hp_status hp_fingerprint_of_changes(const hp_case *c, uint64_t before, uint64_t *after) HP_MUST_USE;

/* Index of the fingerprint of the field's targets. */
int hp_fingerprint_of_field(void);
/* Index of the fingerprint of a well's schedule; of the changes of its perforations.
 */
int hp_fingerprint_of_schedule(int nwell, int well);
int hp_fingerprint_of_perforations(int nwell, int well);

uint64_t hp_fingerprint_mix_field(uint64_t fingerprint, const hp_field_event *e);
uint64_t hp_fingerprint_mix_event(uint64_t fingerprint, const hp_well_event *e);
uint64_t hp_fingerprint_mix_change(uint64_t fingerprint, const hp_grid *g, const hp_perf_event *e);

/* Says which parts of a result's deck are not this deck's, in one sentence:
 * HP_ERR_USAGE; HP_OK where none differs. */
hp_status hp_fingerprint_compare(const hp_restart *from, int nfingerprint, const hp_fingerprint *fingerprint,
                                 const char *when) HP_MUST_USE;

HP_EXTERN_C_END

#endif
