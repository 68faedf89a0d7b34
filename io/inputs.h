/* The files that a command reads, which it must not overwrite: a deck, its included files, arrays, results.
 *
 *     hp_inputs_add(&in, "CASE.cfg");                        hp_case_read adds what the deck names (io/diag.h)
 *     HP_TRY(hp_inputs_check(&in, "--log", path, HP_INPUTS_TEXT));   before `path` is opened for writing
 *
 * Files are the same if device and inode are, whatever their names and links. A missing file is known by its folder and
 * its name.
 */
#ifndef HP_IO_INPUTS_H
#define HP_IO_INPUTS_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

typedef struct hp_input hp_input; /* private */

typedef struct hp_inputs {
  int count, capacity;
  hp_input *of;
} hp_inputs;

/* All zero: none. */
void hp_inputs_clear(hp_inputs *in);

void hp_inputs_add(hp_inputs *in, const char *path);
void hp_inputs_add_all(hp_inputs *in, const hp_inputs *more);
/* Adds the files of the result NAME or NAME.h5, except NAME.view.py, which is made anew. */
void hp_inputs_add_result(hp_inputs *in, const char *name);

/* ANY: what is written is no text, and may replace a file in HDF5's format. */
typedef enum { HP_INPUTS_TEXT, HP_INPUTS_ANY } hp_inputs_kind;

/* HP_ERR_USAGE, with a message, if `path` is one of them, if a text would replace an HDF5 file, and if no file can have
 * that name. option, such as "--log", may be NULL. */
hp_status hp_inputs_check(const hp_inputs *in, const char *option, const char *path, hp_inputs_kind kind) HP_MUST_USE;

/* HP_ERR_USAGE if files of the result NAME would replace one of them. */
hp_status hp_inputs_check_result(const hp_inputs *in, const char *name) HP_MUST_USE;

/* The same for all files in the folder of `base` whose names begin with that of `base` and have that ending, such as
 * NAME.step*.h5. */
hp_status hp_inputs_check_like(const hp_inputs *in, const char *option, const char *base,
                               const char *ending) HP_MUST_USE;

HP_EXTERN_C_END

#endif
