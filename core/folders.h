/* Folders that a path needs, and the one of files kept from run to run. */
#ifndef HP_CORE_FOLDERS_H
#define HP_CORE_FOLDERS_H

#include <stdbool.h>
#include <stdio.h>

#include "core/status.h"

HP_EXTERN_C_BEGIN

/* Makes the folders in which the file `path` is to stand, where they are missing: "a/b/c" makes a and a/b.
 * HP_ERR_FILE, with the folder and the reason, where one cannot be made. */
hp_status hp_make_folders_of(const char *path) HP_MUST_USE;

/* The path of the file `name` that this run keeps for later ones: $XDG_CACHE_HOME/hepta, or ~/.cache/hepta where that is not
 * set. HP_ERR_FILE where neither XDG_CACHE_HOME nor HOME says where caches are. */
hp_status hp_cache_path(const char *name, char *out, size_t size) HP_MUST_USE;

/* Makes the folder of such a file, for its owner alone (0700). HP_ERR_FILE: it is somebody else's, whose files nobody should
 * run. */
hp_status hp_cache_guard(const char *path) HP_MUST_USE;

/* A file that is `path` once it is whole: written beside it, for its owner alone, under a name that is nobody's (a link of that
 * name is not followed), and renamed in the end. name [size]: what it is called until then. */
hp_status hp_partial_begin(const char *path, char *name, size_t size, FILE **f) HP_MUST_USE;
/* good: all was written. HP_ERR_FILE, and nothing is left, where that or the renaming failed. */
hp_status hp_partial_end(const char *path, const char *name, FILE *f, bool good) HP_MUST_USE;

HP_EXTERN_C_END

#endif
