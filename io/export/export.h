/* Writes a case as a deck.
 *
 *     hp_case  ->  NAME.cfg, NAME.arrays.h5                  io/export/             hepta import
 *              ->  NAME.DATA, NAME.GRID.inc, ...             io/export/eclipse/    hepta export
 *
 * Longer cell arrays are in files beside it. Numbers are the shortest that read back to the same bits; in NAME.cfg
 * `output.units` keeps the units of the summary.
 */
#ifndef HP_IO_EXPORT_EXPORT_H
#define HP_IO_EXPORT_EXPORT_H

#include "io/case/case.h"

HP_EXTERN_C_BEGIN

/* Writes to `path`, which ends in ".cfg", in these units. HP_ERR_UNSUPPORTED, with the reason, if such decks cannot
 * express the case. */
hp_status hp_case_export(const hp_case *c, hp_units units, const char *path) HP_MUST_USE;

/* Writes an Eclipse deck to `path`, which ends in ".DATA", in these units (not SI), with notes about what no keyword says. Formulas
 * become tables. HP_ERR_UNSUPPORTED, with the reason, if no such deck can express the case. */
hp_status hp_case_export_eclipse(const hp_case *c, hp_units units, const char *path, hp_diag *diag) HP_MUST_USE;
/* Names file n of those that it may write: 0 the deck itself, then those of arrays. False: there are no more. */
bool hp_case_export_file(const char *path, int n, char *out, size_t size);
/* Lines of actions (io/config/config.h), in the units of the run: what an event gives, for the wells that `name` means; a change of their
 * perforations, whose factor is given where they are made anew; a change of groups, or of time steps. *out: HP_ALLOC. */
hp_status hp_export_well_line(const hp_case *c, const hp_units *u, const char *name, const hp_well_event *v,
                              char **out) HP_MUST_USE;
hp_status hp_export_change_line(const hp_case *c, const hp_units *u, const char *name, const hp_perf_event *v,
                                char **out) HP_MUST_USE;
hp_status hp_export_group_line(const hp_case *c, const hp_units *u, const hp_group_event *v, char **out) HP_MUST_USE;
hp_status hp_export_tuning_line(const hp_case *c, const hp_units *u, const hp_tuning *v, char **out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
