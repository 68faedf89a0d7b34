#define _POSIX_C_SOURCE 200809L
#include "sim/cli/result_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/memory.h"
#include "io/date.h"
#include "io/files/text.h"
#include "io/results/restart.h"
#include "sim/cli/child.h"
#include "sim/cli/cli.h"

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
    const bool whole = path != NULL || is_file(given[n]);
    if (!whole) HP_TRY(find(given[n], strlen(given[n]), ".h5", &path));
    if (!whole && path == NULL) HP_TRY(find(given[n], strlen(given[n]), ".SMSPEC", &path));
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

/* ---- a report step ---- */

const char *hp_result_step(const char *text) {
  const size_t n = strlen(text);
  const bool file = n > 3 && strcmp(text + n - 3, ".h5") == 0;
  for (const char *at = strchr(text, ':'); at != NULL && !file; at = strchr(at + 1, ':')) {
    const size_t digits = strspn(at + 1, "0123456789");
    if (digits > 0 && (at[1 + digits] == '\0' || hp_date_is_meant(at + 1))) return at + 1;
  }
  return NULL;
}

int hp_cli_result_step(const char *command, const char *what, const char *text, char **name, const char **step) {
  *step = hp_result_step(text);
  const int length = (int)(*step != NULL ? *step - 1 - text : (long)strlen(text));
  if (length == 0 || (*step != NULL && !hp_date_is_meant(*step) && strtol(*step, NULL, 10) > 999999999))
    return hp_cli_usage_error(command, "%s takes NAME or NAME:STEP, the result of an earlier run, not '%s'", what,
                              text);
  HP_FREE(*name);
  return hp_cli_exit(hp_format(name, "%.*s", length, text));
}

typedef struct {
  const char *name, *step;
} report_step;

static void rehearse_restart(void *arg) {
  const report_step *of = arg;
  char master[4096];
  hp_restart from;
  if (hp_restart_read(of->name, of->step, &from) == HP_OK) {
    const hp_status s = hp_restart_try_cells(&from);
    (void)s; /* what is at fault is told where they are needed */
    hp_restart_clear(&from);
  }
  const size_t length = strlen(of->name);
  const bool named = length > 3 && strcmp(of->name + length - 3, ".h5") == 0;
  snprintf(master, sizeof master, "%s%s", of->name, named ? "" : ".h5");
  hp_output_try(master);
}

int hp_cli_try_restart(const char *name, const char *step) {
  report_step of = {name, step};
  return name != NULL ? hp_cli_exit(hp_child_rehearse(name, rehearse_restart, &of)) : HP_EXIT_OK;
}
