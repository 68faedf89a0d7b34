/* Eclipse decks (*.DATA), read directly.
 *
 *   io/eclipse/lexer.c     words: comments, quotes, repeats, included files
 *   io/eclipse/keywords.c  the table: which keywords there are, what their
 *                          records look like, what becomes of them
 *   io/eclipse/record.c    records -> typed items in SI units
 *   io/eclipse/read.c      the loop over keywords; what is skipped; errors
 *   io/eclipse/runspec.c   dimensions, phases, units, dates, files
 *   io/eclipse/arrays      cell arrays and the operations on them
 *   io/eclipse/grid.c      from cell arrays to hp_grid
 *   io/eclipse/fluids      fluids, saturation functions, rock
 *   io/eclipse/initial.c   equilibrium, or arrays of the start
 *   io/eclipse/wells/wells.c     wells and their connections
 *   io/eclipse/wells/controls.c  what wells are asked to do
 *   io/eclipse/set.c       options --set that bear on the reading itself
 *   io/eclipse/schedule.c  time: report steps, events, time-step options
 *
 * The prefix is hp_ecl_; Eclipse's binary result files, hp_ebin_, are in io/results/eclipse.
 *
 * Every keyword works, or is skipped because it only prints or plots (one note names all of them), or stops the run
 * with file and line. docs/reference/eclipse.md lists them and the differences from Eclipse.
 */
#ifndef HP_IO_ECLIPSE_ECLIPSE_H
#define HP_IO_ECLIPSE_ECLIPSE_H

#include "io/case/case.h"

HP_EXTERN_C_BEGIN

#define HP_ECL_WITHOUT "without="

/* Reads the deck at `path` with the options nset/set ("key.path=value", the keys of hepta's own decks, or HP_ECL_WITHOUT and keywords to
 * be left out, apart by commas, *: all that would stop the run) into c, which
 * holds the default options (hp_config_defaults) and is otherwise empty. As many errors as one reading can find go to
 * diag: HP_ERR_DECK. Other failures are HP_ERR_FILE and HP_ERR_MEMORY. c->text receives the text of `path` itself, not
 * of the files it includes. The caller destroys c, also after a failure. */
hp_status hp_ecl_read(const char *path, int nset, const char *const *set, hp_diag *diag, hp_case *c) HP_MUST_USE;

HP_EXTERN_C_END

#endif
