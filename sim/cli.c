#include "sim/cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int hp_cli_exit(hp_status s) {
  if (s == HP_OK) return HP_EXIT_OK;
  if (s != HP_ERR_DECK || hp_fail_text()[0] != '\0') fprintf(stderr, "hepta: %s\n", hp_fail_text());
  if (s == HP_ERR_INTERRUPTED) return HP_EXIT_INTERRUPTED;
  return s == HP_ERR_USAGE || s == HP_ERR_DECK || s == HP_ERR_UNSUPPORTED ? HP_EXIT_USAGE : HP_EXIT_FAILED;
}

int hp_cli_usage_error(const char *command, const char *fmt, ...) {
  va_list ap;
  fprintf(stderr, "hepta %s: ", command);
  va_start(ap, fmt);
  vfprintf(stderr, fmt, ap);
  va_end(ap);
  fprintf(stderr, "\nTry 'hepta %s --help'.\n", command);
  return HP_EXIT_USAGE;
}

int hp_cli_bad_option(const char *command, int opt, int optopt_, const char *arg) {
  if (opt == ':') return hp_cli_usage_error(command, "%s needs a value", arg);
  if (optopt_ != 0 && optopt_ < 128) return hp_cli_usage_error(command, "there is no option '-%c'", optopt_);
  return hp_cli_usage_error(command, "there is no option '%s'", arg);
}

void hp_cli_base(const char *name, const char *deck, char *out, size_t size) {
  if (name != NULL && name[0] != '\0') {
    snprintf(out, size, "%s", name);
    const size_t n = strlen(out);
    if (n > 3 && strcmp(out + n - 3, ".h5") == 0) out[n - 3] = '\0';
    return;
  }
  const char *slash = strrchr(deck, '/');
  snprintf(out, size, "%s", slash != NULL ? slash + 1 : deck);
  char *dot = strrchr(out, '.');
  if (dot != NULL && dot != out) *dot = '\0';
}
