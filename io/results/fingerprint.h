/* Fingerprints of the parts of a deck that must be the same in a continued run (io/results/restart.h): 64-bit hashes of
 * every value that the computation reads.
 */
#ifndef HP_IO_RESULTS_FINGERPRINT_H
#define HP_IO_RESULTS_FINGERPRINT_H

#include "io/results/restart.h"
#include "wells/wells.h"

HP_EXTERN_C_BEGIN

/* Makes the fingerprints of a case's parts, then three per well (its settings, its schedule so far and the changes of
 * its perforations so far, which begin empty), and last those of the rows already written (dates, regions). wells:
 * in their initial state. */
hp_status hp_fingerprint_create(const hp_case *c, const hp_wells *wells, int *count, hp_fingerprint **out) HP_MUST_USE;

/* The number of these fingerprints. */
int hp_fingerprint_count(int nwell);

/* Index of the fingerprint of transmissibilities. */
int hp_fingerprint_of_trans(void);
/* Computes after[n], the fingerprint `before` with the changes of transmissibilities up to the n-th mixed in. All ranks
 * call, each with its pairs. */
hp_status hp_fingerprint_of_changes(const hp_case *c, uint64_t before, uint64_t *after) HP_MUST_USE;

/* Index of the fingerprint of the field's targets. */
int hp_fingerprint_of_group(void);
/* Index of the fingerprint of a well's schedule; of the changes of its perforations.
 */
int hp_fingerprint_of_schedule(int nwell, int well);
int hp_fingerprint_of_perforations(int nwell, int well);

/* Index of the fingerprint of quantities and actions, 0 while there are none. */
int hp_fingerprint_of_actions(int nwell);

uint64_t hp_fingerprint_mix_text(uint64_t fingerprint, const char *text);
uint64_t hp_fingerprint_mix_group(uint64_t fingerprint, const hp_group_event *e);
uint64_t hp_fingerprint_mix_event(uint64_t fingerprint, const hp_well_event *e);
uint64_t hp_fingerprint_mix_change(uint64_t fingerprint, const hp_grid *g, bool by_perforation, const hp_perf_event *e);

/* HP_ERR_USAGE names the parts in which a result's deck differs from this one; HP_OK if none does. */
hp_status hp_fingerprint_compare(const hp_restart *from, int nfingerprint, const hp_fingerprint *fingerprint,
                                 const char *when) HP_MUST_USE;

HP_EXTERN_C_END

#endif
