/* hepta import CASE.DATA -o CASE.cfg */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/show.h"
#include "io/export/export.h"
#include "sim/commands/commands.h"

static const char help[] =
    "usage: hepta import CASE.DATA -o CASE.cfg\n\n"
    "Writes an Eclipse deck as one of hepta's own, its cell arrays into CASE.arrays.h5\n"
    "beside it. Both decks give the same results, to the bit.\n\n"
    "  -o, --output CASE.cfg   the deck to write; default: its name, in the current folder\n"
    "  -u, --units UNITS       metric, field, lab or si; default: those of CASE.DATA\n"
    "  -f, --force             replaces CASE.cfg and CASE.arrays.h5 that exist\n"
    "  -h, --help\n\n"
    "Exit codes: 0 written, 1 it cannot be written, 2 the deck is not right, or a file\n"
    "exists already.\n";

/* The deck that was written is read again: what is wrong with it is reported before anybody runs it. */
static int read_back(const char *path) {
  const hp_cli_sets none = {0};
  hp_case *c = NULL;
  const int code = hp_cli_read_case(path, &none, NULL, &c);
  hp_case_destroy(&c);
  return code;
}

static void name_arrays(const char *path, char *out, size_t size) {
  const size_t length = strlen(path),
               stem = length >= 4 && strcmp(path + length - 4, ".cfg") == 0 ? length - 4 : length;
  snprintf(out, size, "%.*s.arrays.h5", (int)stem, path);
}

static int check_free(const char *path) {
  struct stat st;
  if (lstat(path, &st) != 0) return HP_EXIT_OK;
  return hp_cli_usage_error("import", "%s: exists; refusing to overwrite it: give another name with -o, or --force",
                            path);
}

/* Neither file may be one that the deck is read from. */
static hp_status check_inputs(const hp_inputs *read, const char *path) {
  char arrays[1100];
  name_arrays(path, arrays, sizeof arrays);
  HP_TRY(hp_inputs_check(read, "-o", path, HP_INPUTS_TEXT));
  return hp_inputs_check(read, "-o", arrays, HP_INPUTS_ANY);
}

/* A deck may have been edited since it was imported, and may be one that never was. */
static int check_files(const char *path) {
  char arrays[1100];
  name_arrays(path, arrays, sizeof arrays);
  const int code = check_free(path);
  return code != HP_EXIT_OK ? code : check_free(arrays);
}

int hp_command_import(int argc, char **argv) {
  static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                          {"units", required_argument, NULL, 'u'},
                                          {"force", no_argument, NULL, 'f'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
  const hp_cli_sets none = {0};
  const char *output = NULL, *named = NULL;
  hp_unit_system system = HP_UNITS_METRIC;
  bool force = false;
  char path[1024];
  opterr = 0;
  for (int opt; (opt = getopt_long(argc, argv, ":fho:u:", options, NULL)) != -1;) {
    if (opt == 'h') {
      fputs(help, stdout);
      return HP_EXIT_OK;
    }
    if (opt == 'u' && !hp_units_find(named = optarg, &system))
      return hp_cli_usage_error("import", "--units %s: must be metric, field, lab or si", optarg);
    if (opt != 'o' && opt != 'f' && opt != 'u') return hp_cli_bad_option("import", opt, optopt, argv[optind - 1]);
    if (opt == 'o') output = optarg;
    if (opt == 'f') force = true;
  }
  if (optind + 1 != argc) return hp_cli_usage_error("import", optind == argc ? "which deck?" : "one deck at a time");
  const char *deck = argv[optind], *dot = strrchr(deck, '.'), *slash = strrchr(deck, '/');
  if (dot == NULL || strcmp(dot, ".cfg") == 0 || (slash != NULL && dot < slash))
    return hp_cli_usage_error("import", "%s: an Eclipse deck is named *.DATA", deck);
  const char *leaf = slash != NULL ? slash + 1 : deck;
  const int length = output != NULL ? snprintf(path, sizeof path, "%s", output)
                                    : snprintf(path, sizeof path, "%.*s.cfg", (int)(dot - leaf), leaf);
  if (length < 0 || (size_t)length >= sizeof path)
    return hp_cli_usage_error("import", "the name of the deck to write is longer than %d characters",
                              (int)sizeof path - 1);
  hp_case *c = NULL;
  hp_inputs read = {0};
  hp_inputs_add(&read, deck);
  int code = hp_cli_exit(check_inputs(&read, path));
  if (code == HP_EXIT_OK && !force) code = check_files(path);
  if (code == HP_EXIT_OK) code = hp_cli_read_case(deck, &none, &read, &c);
  if (code == HP_EXIT_OK) code = hp_cli_exit(check_inputs(&read, path));
  hp_inputs_clear(&read);
  if (code == HP_EXIT_OK) code = hp_cli_make_folders("import", "-o", path);
  if (code == HP_EXIT_OK) code = hp_cli_exit(hp_case_export(c, named != NULL ? hp_units_of(system) : c->units, path));
  hp_case_destroy(&c);
  if (code == HP_EXIT_OK) code = read_back(path);
  if (code == HP_EXIT_OK) printf("%s written\n", hp_show(path).s);
  return code;
}
