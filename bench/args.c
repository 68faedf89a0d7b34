#include "bench/args.h"

#include <stdlib.h>
#include <string.h>

#include "core/folders.h"
#include "sim/cli/cli.h"

enum { CELLS_MAX = 4096 }; /* in a direction */

/* ---- options by number ---- */

typedef struct {
  const hp_bench_args_syntax *syntax;
  void *arguments;
} reading;

static int set_number(const char *name, const char *text, void *arg) {
  const reading *r = arg;
  const struct option *o = r->syntax->options;
  while (o->name != NULL && strcmp(o->name, name) != 0) ++o;
  return r->syntax->set(o->val, text, r->arguments);
}

bool hp_bench_args_parse(const hp_bench_args_syntax *S, int argc, char **argv, void *arguments, int *code) {
  const hp_args_syntax syntax = {S->command, S->help, S->operands, set_number};
  reading r = {S, arguments};
  return hp_args_parse(&syntax, argc, argv, &r, code);
}

/* ---- values ---- */

bool hp_args_seed(const char *text, uint64_t *out) {
  int v;
  const bool good = hp_args_whole(text, 0, 1000000000, &v);
  *out = (uint64_t)v;
  return good;
}

/* ---- lists ---- */

bool hp_args_wholes(const char *text, long min, long max, int most, int *out, int *count) {
  for (*count = 0; *count < most; ++text) {
    if (!hp_args_number(&text, min, max, &out[(*count)++])) return false;
    if (*text == '\0') return true;
    if (*text != ',') return false;
  }
  return false;
}

int hp_args_size(const char **text, int size[3]) {
  if (!hp_args_number(text, 1, CELLS_MAX, &size[0])) return 0;
  size[1] = size[2] = size[0];
  if (**text != 'x') return 1;
  for (int d = 1; d < 3; ++d) {
    if (**text != 'x') return 0;
    ++*text;
    if (!hp_args_number(text, 1, CELLS_MAX, &size[d])) return 0;
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
