/* hepta import CASE.DATA -o CASE.cfg */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/show.h"
#include "io/export/export.h"
#include "sim/cli/args.h"
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

int hp_command_read_back(const char *path) {
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

int hp_command_check_free(const char *command, const char *path) {
  struct stat st;
  if (lstat(path, &st) != 0) return HP_EXIT_OK;
  return hp_cli_usage_error(command, "%s: exists; refusing to overwrite it: give another name with -o, or --force",
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
  const int code = hp_command_check_free("import", path);
  return code != HP_EXIT_OK ? code : hp_command_check_free("import", arrays);
}

typedef struct {
  const char *output, *named; /* named: --units */
  hp_unit_system system;
  bool force;
} arguments;

static int set_option(const char *option, const char *text, void *arg) {
  arguments *a = arg;
  if (hp_args_is(option, "output")) return hp_args_text(text, &a->output);
  if (hp_args_is(option, "force")) return hp_args_flag(&a->force);
  if (!hp_args_is(option, "units")) return HP_ARGS_NOT_A_VALUE;
  a->named = text;
  if (hp_units_find(text, &a->system)) return HP_EXIT_OK;
  return hp_cli_usage_error("import", "--units %s: must be metric, field, lab or si", text);
}

static const hp_args_syntax syntax = {"import", help, true, set_option};

int hp_command_import(int argc, char **argv) {
  const hp_cli_sets none = {0};
  arguments a = {.system = HP_UNITS_METRIC};
  char path[1024];
  int code;
  if (!hp_args_parse(&syntax, argc, argv, &a, &code)) return code;
  if (optind + 1 != argc) return hp_cli_usage_error("import", optind == argc ? "which deck?" : "one deck at a time");
  const char *deck = argv[optind], *dot = strrchr(deck, '.'), *slash = strrchr(deck, '/');
  if (dot == NULL || strcmp(dot, ".cfg") == 0 || (slash != NULL && dot < slash))
    return hp_cli_usage_error("import", "%s: an Eclipse deck is named *.DATA", deck);
  const char *leaf = slash != NULL ? slash + 1 : deck;
  const int length = a.output != NULL ? snprintf(path, sizeof path, "%s", a.output)
                                      : snprintf(path, sizeof path, "%.*s.cfg", (int)(dot - leaf), leaf);
  if (length < 0 || (size_t)length >= sizeof path)
    return hp_cli_usage_error("import", "the name of the deck to write is longer than %d characters",
                              (int)sizeof path - 1);
  hp_case *c = NULL;
  hp_inputs read = {0};
  hp_inputs_add(&read, deck);
  code = hp_cli_exit(check_inputs(&read, path));
  if (code == HP_EXIT_OK && !a.force) code = check_files(path);
  if (code == HP_EXIT_OK) code = hp_cli_read_case(deck, &none, &read, &c);
  if (code == HP_EXIT_OK) code = hp_cli_exit(check_inputs(&read, path));
  hp_inputs_clear(&read);
  if (code == HP_EXIT_OK) code = hp_cli_make_folders("import", "-o", path);
  if (code == HP_EXIT_OK)
    code = hp_cli_exit(hp_case_export(c, a.named != NULL ? hp_units_of(a.system) : c->units, path));
  hp_case_destroy(&c);
  if (code == HP_EXIT_OK) code = hp_command_read_back(path);
  if (code == HP_EXIT_OK) printf("%s written\n", hp_show(path).s);
  return code;
}
