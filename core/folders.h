/* Folders of a path, and the folder of files kept between runs. */
#ifndef HP_CORE_FOLDERS_H
#define HP_CORE_FOLDERS_H

#include <stdbool.h>
#include <stdio.h>

#include "core/status.h"

HP_EXTERN_C_BEGIN

/* Makes the missing folders of the file `path`: "a/b/c" makes a and a/b. HP_ERR_FILE with folder and reason if that
 * fails, or if the first would be named ~, as where no shell has replaced it. */
hp_status hp_make_folders_of(const char *path) HP_MUST_USE;

/* The path of the file `name` kept for later runs, in $XDG_CACHE_HOME/hepta or ~/.cache/hepta. HP_ERR_FILE if neither
 * XDG_CACHE_HOME nor HOME is set. */
hp_status hp_cache_path(const char *name, char *out, size_t size) HP_MUST_USE;

/* Makes the folder of such a file with mode 0700. HP_ERR_FILE if it belongs to somebody else, whose files must not be
 * run. */
hp_status hp_cache_guard(const char *path) HP_MUST_USE;

/* Begins a file that becomes `path` once it is complete: it is written beside it under a new name, name [size],
 * readable by its owner only, without following links. */
hp_status hp_partial_begin(const char *path, char *name, size_t size, FILE **f) HP_MUST_USE;
/* Renames the file if `good` (all was written). HP_ERR_FILE, with the file removed, if writing or renaming failed. */
hp_status hp_partial_end(const char *path, const char *name, FILE *f, bool good) HP_MUST_USE;

HP_EXTERN_C_END

#endif
