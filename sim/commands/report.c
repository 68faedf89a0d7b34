/* hepta report RESULT.h5: checks the options and starts sim/commands/plot/plot.py, which writes the page. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/show.h"
#include "io/inputs.h"
#include "sim/cli/args.h"
#include "sim/cli/child.h"
#include "sim/cli/result_names.h"
#include "sim/commands/commands.h"

static const char help[] =
    "usage: hepta report RESULT[.h5] [options]\n\n"
    "Writes a page about a run, one HTML file for any browser, which also prints: what was run\n"
    "on what, fluids in place and recovery, curves of the field, of groups and of wells with\n"
    "observed values, maps, totals by well, mass balance, error in time, notes and warnings,\n"
    "and what the solver did.\n\n"
    "  -o, --output FILE        .html (default: the result's name, in the current folder)\n"
    "  -h, --help\n\n"
    "Needs python3 with h5py and matplotlib, as hepta plot does.\n\n"
    "Exit codes: 0 done, 1 a file cannot be read or written, or a module is missing, 2 usage.\n";

static int set_option(const char *option, const char *text, void *arg) {
  const char **output = arg;
  if (!hp_args_is(option, "output")) return HP_ARGS_NOT_A_VALUE;
  *output = text;
  const size_t n = strlen(text);
  if (n > 5 && strcasecmp(text + n - 5, ".html") == 0) return HP_EXIT_OK;
  return hp_cli_usage_error("report", "-o %s: the name ends in .html", text);
}

static const hp_args_syntax syntax = {"report", help, true, set_option};

static int check(const hp_result_names *names, const char *output) {
  if (names->count != 1)
    return hp_cli_usage_error("report", names->count == 0 ? "which result file?" : "one result file at a time");
  if (access(names->name[0], R_OK) != 0) {
    fprintf(stderr, "hepta: %s: %s\n", hp_show(names->name[0]).s, strerror(errno));
    return HP_EXIT_USAGE;
  }
  hp_inputs read = {0};
  hp_inputs_add_result(&read, names->name[0]);
  hp_status s = output != NULL ? hp_inputs_check(&read, "-o", output, HP_INPUTS_TEXT) : HP_OK;
  hp_inputs_clear(&read);
  if (s == HP_OK) s = hp_child_try_result(names->name[0], false);
  return s == HP_OK && output != NULL ? hp_cli_make_folders("report", "-o", output) : hp_cli_exit(s);
}

static int report(const hp_result_names *names, const char *output) {
  int n = HP_CHILD_OWN;
  char *child[HP_CHILD_OWN + 5];
  int code = check(names, output);
  if (code != HP_EXIT_OK) return code;
  code = hp_cli_exit(hp_child_add(child, &n, "--output", output));
  const int made = n;
  child[n++] = (char *)"--report";
  child[n++] = (char *)"--";
  child[n++] = names->name[0];
  child[n] = NULL;
  if (code == HP_EXIT_OK) code = hp_child_draw("report", child);
  for (int m = HP_CHILD_OWN; m < made; ++m) HP_FREE(child[m]);
  return code;
}

int hp_command_report(int argc, char **argv) {
  const char *output = NULL;
  hp_result_names names;
  int code;
  if (!hp_args_parse(&syntax, argc, argv, &output, &code)) return code;
  code = hp_cli_exit(hp_result_names_create(argc - optind, argv + optind, &names));
  if (code == HP_EXIT_OK) code = report(&names, output);
  hp_result_names_destroy(&names);
  return code;
}
