#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/args.h"
#include "sim/cli/cli.h"

/* ---- the options that a help lists ---- */

enum { OPTIONS_MAX = 64, NAME_MOST = 32, LONG = 256 /* values of options without a letter, from there on */ };

typedef struct {
  int count;
  struct option option[OPTIONS_MAX + 1];
  char name[OPTIONS_MAX][NAME_MOST];
  char letters[3 * OPTIONS_MAX + 2]; /* as getopt_long takes them */
} list;

/* The value of what stands behind an option's name. */
static int value_of(const char *at) {
  if (strncmp(at, "[=", 2) == 0) return optional_argument;
  return at[0] == ' ' && at[1] != ' ' ? required_argument : no_argument;
}

/* The option of a line, if it lists one. */
static void add_option(list *l, const char *line) {
  const bool with_letter = strncmp(line, "  -", 3) == 0 && strncmp(line + 4, ", --", 4) == 0;
  if (!with_letter && strncmp(line, "      --", 8) != 0) return;
  const size_t n = strcspn(line + 8, " [\n");
  if (l->count == OPTIONS_MAX || n >= NAME_MOST) return;
  memcpy(l->name[l->count], line + 8, n);
  struct option *o = &l->option[l->count];
  *o = (struct option){l->name[l->count], value_of(line + 8 + n), NULL, with_letter ? line[3] : LONG + l->count};
  l->count += 1;
  if (!with_letter) return;
  const char letter[] = {line[3], o->has_arg == required_argument ? ':' : '\0', '\0'};
  strcat(l->letters, letter);
}

static void list_options(const char *help, list *l) {
  *l = (list){.letters = ":"};
  for (const char *line = help; line != NULL; line = strchr(line, '\n')) {
    line += *line == '\n';
    add_option(l, line);
  }
}

/* ---- the loop over the options ---- */

static int parse_one(const hp_args_syntax *S, const list *l, int value, char **argv, void *arguments) {
  if (value == '?' || value == ':') return hp_cli_bad_option(S->command, value, optopt, argv[optind - 1]);
  const struct option *o = l->option;
  while (o->val != value) ++o;
  const int code = S->set(o->name, optarg, arguments);
  if (code != HP_ARGS_NOT_A_VALUE) return code;
  return hp_cli_usage_error(S->command, "--%s %s: not a value that it takes", o->name, optarg);
}

bool hp_args_parse(const hp_args_syntax *S, int argc, char **argv, void *arguments, int *code) {
  list l;
  list_options(S->help, &l);
  opterr = 0;
  *code = HP_EXIT_OK;
  for (int value; (value = getopt_long(argc, argv, l.letters, l.option, NULL)) != -1;) {
    if (value == 'h') {
      fputs(S->help, stdout);
      return false;
    }
    *code = parse_one(S, &l, value, argv, arguments);
    if (*code != HP_EXIT_OK) return false;
  }
  if (optind < argc && !S->operands) *code = hp_cli_usage_error(S->command, "'%s' is not an option", argv[optind]);
  return *code == HP_EXIT_OK;
}

/* ---- values ---- */

int hp_args_flag(bool *out) {
  *out = true;
  return HP_EXIT_OK;
}

int hp_args_text(const char *text, const char **out) {
  *out = text;
  return HP_EXIT_OK;
}

int hp_args_name(const char *text, const char **out) {
  *out = text;
  return hp_args_good(*text != '\0');
}

int hp_args_good(bool good) { return good ? HP_EXIT_OK : HP_ARGS_NOT_A_VALUE; }

bool hp_args_number(const char **text, long min, long max, int *out) {
  char *end;
  const long v = strtol(*text, &end, 10);
  const bool good = end != *text && v >= min && v <= max;
  *out = (int)v;
  *text = end;
  return good;
}

bool hp_args_whole(const char *text, long min, long max, int *out) {
  return hp_args_number(&text, min, max, out) && *text == '\0';
}

bool hp_args_real(const char *text, double min, double max, double *out) {
  char *end;
  *out = strtod(text, &end);
  return end != text && *end == '\0' && *out >= min && *out <= max;
}

int hp_args_count(const char *command, const char *option, const char *text, int most, int *out) {
  if (hp_args_whole(text, 1, most, out)) return HP_EXIT_OK;
  return hp_cli_usage_error(command, "%s takes 1 to %d, not '%s'", option, most, text);
}
