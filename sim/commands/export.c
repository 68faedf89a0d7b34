/* hepta export DECK -o CASE.DATA */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "core/show.h"
#include "io/export/export.h"
#include "sim/cli/args.h"
#include "sim/commands/commands.h"

static const char help[] =
    "usage: hepta export DECK [-o CASE.DATA] [--set KEY=VALUE ...]\n\n"
    "Writes a deck, with what --set changes and with its refined grid, as an Eclipse deck\n"
    "that Eclipse, OPM Flow and hepta run with the same answer; longer arrays into\n"
    "CASE.GRID.inc and its like beside it. Formulas become tables.\n\n"
    "  -o, --output CASE.DATA  the deck to write; default: its name, in the current folder\n"
    "  -u, --units UNITS       metric, field or lab; default: those of DECK, metric for si\n"
    "      --set KEY=VALUE     overrides a key of the deck; may be repeated\n"
    "  -f, --force             replaces files that exist\n"
    "  -h, --help\n\n"
    "Exit codes: 0 written, 1 it cannot be written, 2 the deck is not right, or a file\n"
    "exists already.\n";

typedef struct {
  const char *output, *named; /* named: --units */
  hp_unit_system system;
  bool force;
  hp_cli_sets sets;
} arguments;

static int set_option(const char *option, const char *text, void *arg) {
  arguments *a = arg;
  if (hp_args_is(option, "output")) return hp_args_name(text, &a->output);
  if (hp_args_is(option, "force")) return hp_args_flag(&a->force);
  if (hp_args_is(option, "set")) return hp_cli_add_set("export", text, &a->sets);
  if (!hp_args_is(option, "units")) return HP_ARGS_NOT_A_VALUE;
  a->named = text;
  if (hp_units_find(text, &a->system) && a->system != HP_UNITS_SI) return HP_EXIT_OK;
  return hp_cli_usage_error("export", "--units %s: must be metric, field or lab", text);
}

static const hp_args_syntax syntax = {"export", help, true, set_option};

/* `check` is called for each file that may be written. */
static int each_file(const char *path, int (*check)(const char *path, void *arg), void *arg) {
  char file[1100];
  int code = HP_EXIT_OK;
  for (int n = 0; code == HP_EXIT_OK && hp_case_export_file(path, n, file, sizeof file); ++n) code = check(file, arg);
  return code;
}

static int check_input(const char *path, void *read) {
  return hp_cli_exit(hp_inputs_check(read, "-o", path, HP_INPUTS_ANY));
}

static int check_free(const char *path, void *unused) {
  (void)unused;
  return hp_command_check_free("export", path);
}

static int name_output(const arguments *a, const char *deck, char *path, size_t size) {
  const char *slash = strrchr(deck, '/'), *leaf = slash != NULL ? slash + 1 : deck, *dot = strrchr(leaf, '.');
  const int stem = dot != NULL ? (int)(dot - leaf) : (int)strlen(leaf);
  const int length = a->output != NULL ? snprintf(path, size, "%s", a->output)
                                       : snprintf(path, size, "%.*s.DATA", stem, leaf);
  if (length < 0 || (size_t)length >= size)
    return hp_cli_usage_error("export", "the name of the deck to write is longer than %d characters", (int)size - 1);
  if (length < 6 || strcmp(path + length - 5, ".DATA") != 0)
    return hp_cli_usage_error("export", "-o %s: an Eclipse deck is named *.DATA", path);
  return HP_EXIT_OK;
}

static int write_deck(const hp_case *c, const arguments *a, const char *path) {
  hp_diag notes;
  hp_units units = a->named != NULL ? hp_units_of(a->system) : c->units;
  if (units.system == HP_UNITS_SI) units = hp_units_of(HP_UNITS_METRIC);
  hp_diag_init(&notes);
  const int code = hp_cli_exit(hp_case_export_eclipse(c, units, path, &notes));
  hp_diag_print(&notes, stderr);
  hp_diag_clear(&notes);
  return code;
}

int hp_command_export(int argc, char **argv) {
  arguments a = {.system = HP_UNITS_METRIC};
  char path[1000];
  int code;
  if (!hp_args_parse(&syntax, argc, argv, &a, &code)) return code;
  if (optind + 1 != argc) return hp_cli_usage_error("export", optind == argc ? "which deck?" : "one deck at a time");
  const char *deck = argv[optind];
  hp_case *c = NULL;
  hp_inputs read = {0};
  hp_inputs_add(&read, deck);
  code = name_output(&a, deck, path, sizeof path);
  if (code == HP_EXIT_OK) code = each_file(path, check_input, &read);
  if (code == HP_EXIT_OK && !a.force) code = each_file(path, check_free, NULL);
  if (code == HP_EXIT_OK) code = hp_cli_read_case(deck, &a.sets, &read, &c);
  if (code == HP_EXIT_OK) code = each_file(path, check_input, &read);
  hp_inputs_clear(&read);
  if (code == HP_EXIT_OK) code = hp_cli_make_folders("export", "-o", path);
  if (code == HP_EXIT_OK) code = write_deck(c, &a, path);
  hp_case_destroy(&c);
  if (code == HP_EXIT_OK) code = hp_command_read_back(path);
  if (code == HP_EXIT_OK) printf("%s written\n", hp_show(path).s);
  return code;
}
