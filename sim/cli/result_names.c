#define _POSIX_C_SOURCE 200809L
#include "sim/cli/result_names.h"

#include <string.h>
#include <sys/stat.h>

#include "core/memory.h"
#include "io/files/text.h"

static bool is_file(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && !S_ISDIR(st.st_mode);
}

/* Whether a file `base` (its first `length` letters) with that ending is there; *path: its name then. */
static hp_status find(const char *base, size_t length, const char *ending, char **path) {
  HP_TRY(hp_format(path, "%.*s%s", (int)length, base, ending));
  if (!is_file(*path)) HP_FREE(*path);
  return HP_OK;
}

/* The master of the result that a grid file belongs to; a result may be called X.grid itself, with X.grid.grid.h5. */
static hp_status find_master(const char *given, char **path) {
  static const char ending[] = ".grid.h5";
  const size_t n = strlen(given), m = strlen(ending);
  char *master = NULL;
  *path = NULL;
  if (n <= m || strcmp(given + n - m, ending) != 0) return HP_OK;
  HP_TRY(find(given, n - strlen(".h5"), ending, &master));
  const bool is_master = master != NULL;
  HP_FREE(master);
  return is_master ? HP_OK : find(given, n - m, ".h5", path);
}

static bool is_given(int count, char *const *given, const char *path) {
  for (int n = 0; n < count; ++n)
    if (strcmp(given[n], path) == 0) return true;
  return false;
}

hp_status hp_result_names_create(int count, char *const *given, hp_result_names *out) {
  *out = (hp_result_names){0};
  HP_TRY(HP_ALLOC(out->name, count));
  for (int n = 0; n < count; ++n) {
    char *path;
    HP_TRY(find_master(given[n], &path));
    if (path != NULL && (is_given(count, given, path) || is_given(out->count, out->name, path))) {
      HP_FREE(path);
      continue;
    }
    if (path == NULL && !is_file(given[n])) HP_TRY(find(given[n], strlen(given[n]), ".h5", &path));
    if (path == NULL) HP_TRY(hp_format(&path, "%s", given[n]));
    out->name[out->count++] = path;
  }
  return HP_OK;
}

void hp_result_names_destroy(hp_result_names *names) {
  for (int n = 0; n < names->count; ++n) HP_FREE(names->name[n]);
  HP_FREE(names->name);
  names->count = 0;
}
