/* hepta import CASE.DATA -o CASE.cfg */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "io/export.h"
#include "sim/cli.h"

static const char help[] =
    "usage: hepta import CASE.DATA -o CASE.cfg\n\n"
    "Writes an Eclipse deck as one of hepta's own, in SI units, its cell arrays into\n"
    "CASE.arrays.h5 beside it. Both decks give the same results, to the bit.\n\n"
    "  -o, --output CASE.cfg   the deck to write; default: its name, in the current folder\n"
    "  -h, --help\n\n"
    "Exit codes: 0 written, 1 it cannot be written, 2 the deck is not right.\n";

/* The deck that was written is read again: what is wrong with it is told before anybody runs it. */
static int read_back(const char *path) {
  const hp_cli_sets none = {0};
  hp_case *c = NULL;
  const int code = hp_cli_read_case(path, &none, &c);
  hp_case_destroy(&c);
  return code;
}

int hp_cli_import(int argc, char **argv) {
  static const struct option options[] = {
      {"output", required_argument, NULL, 'o'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
  const hp_cli_sets none = {0};
  const char *output = NULL;
  char path[1024];
  opterr = 0;
  for (int opt; (opt = getopt_long(argc, argv, ":ho:", options, NULL)) != -1;) {
    if (opt == 'h') {
      fputs(help, stdout);
      return HP_EXIT_OK;
    }
    if (opt != 'o') return hp_cli_bad_option("import", opt, optopt, argv[optind - 1]);
    output = optarg;
  }
  if (optind + 1 != argc) return hp_cli_usage_error("import", optind == argc ? "which deck?" : "one deck at a time");
  const char *deck = argv[optind], *dot = strrchr(deck, '.'), *slash = strrchr(deck, '/');
  if (dot == NULL || strcmp(dot, ".cfg") == 0 || (slash != NULL && dot < slash))
    return hp_cli_usage_error("import", "%s: an Eclipse deck is named *.DATA", deck);
  if (output != NULL) snprintf(path, sizeof path, "%s", output);
  else snprintf(path, sizeof path, "%.*s.cfg", (int)(dot - (slash != NULL ? slash + 1 : deck)), slash != NULL ? slash + 1 : deck);
  hp_case *c = NULL;
  int code = hp_cli_read_case(deck, &none, &c);
  if (code == HP_EXIT_OK) code = hp_cli_exit(hp_case_export(c, path));
  hp_case_destroy(&c);
  if (code == HP_EXIT_OK) code = read_back(path);
  if (code == HP_EXIT_OK) printf("%s written\n", path);
  return code;
}
