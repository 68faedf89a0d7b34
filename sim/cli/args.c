#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/args.h"
#include "sim/cli/cli.h"

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
