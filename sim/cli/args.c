#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "core/folders.h"
#include "sim/cli/args.h"
#include "sim/cli/cli.h"

enum { CELLS_MAX = 4096 }; /* in a direction */

/* ---- the loop over the options ---- */

/* The name of a long option. */
static const char *name_of(const struct option *options, int value) {
  while (options->name != NULL && options->val != value) ++options;
  return options->name;
}

static int parse_one(const hp_args_syntax *S, int option, char **argv, void *arguments) {
  if (option == '?' || option == ':') return hp_cli_bad_option(S->command, option, optopt, argv[optind - 1]);
  const int code = S->set(option, optarg, arguments);
  if (code != HP_ARGS_NOT_A_VALUE) return code;
  return hp_cli_usage_error(S->command, "--%s %s: not a value that it takes", name_of(S->options, option), optarg);
}

bool hp_args_parse(const hp_args_syntax *S, int argc, char **argv, void *arguments, int *code) {
  opterr = 0;
  *code = HP_EXIT_OK;
  for (int option; (option = getopt_long(argc, argv, S->letters, S->options, NULL)) != -1;) {
    if (option == 'h') {
      fputs(S->help, stdout);
      return false;
    }
    *code = parse_one(S, option, argv, arguments);
    if (*code != HP_EXIT_OK) return false;
  }
  if (optind < argc && !S->operands) *code = hp_cli_usage_error(S->command, "'%s' is not an option", argv[optind]);
  return *code == HP_EXIT_OK;
}

/* ---- numbers ---- */

/* A whole number from *text on; moves *text behind it. */
static bool number(const char **text, long min, long max, int *out) {
  char *end;
  const long v = strtol(*text, &end, 10);
  const bool good = end != *text && v >= min && v <= max;
  *out = (int)v;
  *text = end;
  return good;
}

bool hp_args_whole(const char *text, long min, long max, int *out) {
  return number(&text, min, max, out) && *text == '\0';
}

bool hp_args_real(const char *text, double min, double max, double *out) {
  char *end;
  *out = strtod(text, &end);
  return end != text && *end == '\0' && *out >= min && *out <= max;
}

bool hp_args_seed(const char *text, uint64_t *out) {
  int v;
  const bool good = hp_args_whole(text, 0, 1000000000, &v);
  *out = (uint64_t)v;
  return good;
}

int hp_args_count(const char *command, const char *option, const char *text, int most, int *out) {
  if (hp_args_whole(text, 1, most, out)) return HP_EXIT_OK;
  return hp_cli_usage_error(command, "%s takes 1 to %d, not '%s'", option, most, text);
}

/* ---- lists ---- */

bool hp_args_wholes(const char *text, long min, long max, int most, int *out, int *count) {
  for (*count = 0; *count < most; ++text) {
    if (!number(&text, min, max, &out[(*count)++])) return false;
    if (*text == '\0') return true;
    if (*text != ',') return false;
  }
  return false;
}

int hp_args_size(const char **text, int size[3]) {
  if (!number(text, 1, CELLS_MAX, &size[0])) return 0;
  size[1] = size[2] = size[0];
  if (**text != 'x') return 1;
  for (int d = 1; d < 3; ++d) {
    if (**text != 'x') return 0;
    ++*text;
    if (!number(text, 1, CELLS_MAX, &size[d])) return 0;
  }
  return 3;
}

bool hp_args_sizes(const char *text, hp_args_size_list *out) {
  for (out->count = 0; out->count < HP_ARGS_LIST_MAX; ++text) {
    if (hp_args_size(&text, out->size[out->count++]) == 0) return false;
    if (*text == '\0') return true;
    if (*text != ',') return false;
  }
  return false;
}

hp_args_size_list hp_args_usual_sizes(void) {
  const hp_args_size_list list = {5, {{20, 20, 20}, {32, 32, 32}, {41, 41, 41}, {51, 51, 51}, {64, 64, 64}}};
  return list;
}

/* Among the first `length` letters of text. */
static int find(const char *text, size_t length, const char *(*name)(int), int count) {
  for (int n = 0; n < count; ++n)
    if (strlen(name(n)) == length && strncmp(name(n), text, length) == 0) return n;
  return -1;
}

int hp_args_find(const char *text, const char *(*name)(int), int count) {
  return find(text, strlen(text), name, count);
}

bool hp_args_names(const char *text, const char *(*name)(int), int count, bool *chosen) {
  for (int n = 0; n < count; ++n) chosen[n] = false;
  for (;;) {
    const size_t length = strcspn(text, ",");
    const int found = find(text, length, name, count);
    if (found < 0) return false;
    chosen[found] = true;
    if (text[length] == '\0') return true;
    text += length + 1;
  }
}

/* ---- tables ---- */

hp_status hp_args_csv_open(const hp_inputs *read, const char *path, FILE **csv) {
  const hp_inputs none = {0};
  *csv = NULL;
  if (path == NULL) return HP_OK;
  HP_TRY(hp_inputs_check(read != NULL ? read : &none, "--csv", path, HP_INPUTS_TEXT));
  if (hp_make_folders_of(path) != HP_OK) return HP_ERR_USAGE;
  if ((*csv = fopen(path, "w")) != NULL) return HP_OK;
  return hp_fail(HP_ERR_USAGE, "--csv %s: cannot be opened for writing", path);
}

hp_status hp_args_csv_close(const char *path, FILE *csv, hp_status s) {
  if (csv == NULL) return s;
  const bool bad = ferror(csv) != 0;
  return (fclose(csv) != 0 || bad) && s == HP_OK ? hp_fail(HP_ERR_FILE, "%s: cannot be written", path) : s;
}
