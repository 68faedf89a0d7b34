/* hepta report RESULT.h5, and pages of other commands: checks the options and starts sim/commands/plot/plot.py, which writes the page. */
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
#include "sim/commands/commands.h"

static const char help[] =
    "usage: hepta report RESULT[.h5] [options]\n\n"
    "Writes a page about a run, one HTML file for any browser, which also prints: what was run\n"
    "on what, fluids in place and recovery, curves of the field, of groups and of wells with\n"
    "observed values, maps, totals by well, mass balance, error in time, notes and warnings,\n"
    "and what the solver did.\n\n"
    "  -o, --output FILE        .html (default: the result's name, in the current folder)\n"
    "      --data FILE.csv      what was measured, as for hepta plot: points, with bars where a\n"
    "                           SIGMA is known, and misfits; may be repeated\n"
    "  -h, --help\n\n"
    "Needs python3 with h5py and matplotlib, as hepta plot does.\n\n"
    "Exit codes: 0 done, 1 a file cannot be read or written, or a module is missing, 2 usage.\n";

enum { RESULTS_MAX = 64 };

static bool has_ending(const char *path, const char *ending) {
  const size_t n = strlen(path), length = strlen(ending);
  return n > length && strcasecmp(path + n - length, ending) == 0;
}

int hp_command_add_data(const char *command, const char *text, hp_page_data *data) {
  if (data->count == HP_PAGE_DATA_MAX)
    return hp_cli_usage_error(command, "more than %d files of data", (int)HP_PAGE_DATA_MAX);
  return hp_args_name(text, &data->file[data->count++]);
}

typedef struct {
  const char *output;
  hp_page_data data;
} arguments;

static int set_option(const char *option, const char *text, void *arg) {
  arguments *a = arg;
  if (hp_args_is(option, "data")) return hp_command_add_data("report", text, &a->data);
  if (!hp_args_is(option, "output")) return HP_ARGS_NOT_A_VALUE;
  a->output = text;
  return HP_EXIT_OK;
}

static const hp_args_syntax syntax = {"report", help, true, set_option};

static int check(const char *command, const hp_result_names *names, const hp_page_data *data, const char *output) {
  if (output != NULL && !has_ending(output, ".html"))
    return hp_cli_usage_error(command, "-o %s: the name ends in .html", output);
  if (names->count > RESULTS_MAX) return hp_cli_usage_error(command, "more than %d results", (int)RESULTS_MAX);
  hp_inputs read = {0};
  hp_status s = HP_OK;
  for (int n = 0; n < names->count && s == HP_OK; ++n) {
    if (access(names->name[n], R_OK) != 0) s = hp_fail(HP_ERR_USAGE, "%s: %s", names->name[n], strerror(errno));
    else if (has_ending(names->name[n], ".h5")) s = hp_child_try_result(names->name[n], false);
    hp_inputs_add_result(&read, names->name[n]);
  }
  for (int n = 0; n < data->count && s == HP_OK; ++n) {
    if (access(data->file[n], R_OK) != 0) s = hp_fail(HP_ERR_USAGE, "%s: %s", data->file[n], strerror(errno));
    hp_inputs_add(&read, data->file[n]);
  }
  if (s == HP_OK && output != NULL) s = hp_inputs_check(&read, "-o", output, HP_INPUTS_TEXT);
  hp_inputs_clear(&read);
  return s == HP_OK && output != NULL ? hp_cli_make_folders(command, "-o", output) : hp_cli_exit(s);
}

int hp_command_page(const char *command, const char *option, const hp_result_names *names, const hp_page_data *data,
                    const char *output) {
  int n = HP_CHILD_OWN;
  char *child[HP_CHILD_OWN + RESULTS_MAX + 2 * HP_PAGE_DATA_MAX + 4];
  int code = check(command, names, data, output);
  if (code != HP_EXIT_OK) return code;
  code = hp_cli_exit(hp_child_add(child, &n, "--output", output));
  for (int d = 0; d < data->count && code == HP_EXIT_OK; ++d)
    code = hp_cli_exit(hp_child_add(child, &n, "--data", data->file[d]));
  const int made = n;
  child[n++] = (char *)option;
  child[n++] = (char *)"--";
  for (int r = 0; r < names->count; ++r) child[n++] = names->name[r];
  child[n] = NULL;
  if (code == HP_EXIT_OK) code = hp_child_draw(command, child);
  for (int m = HP_CHILD_OWN; m < made; ++m) HP_FREE(child[m]);
  return code;
}

int hp_command_report(int argc, char **argv) {
  arguments a = {NULL};
  hp_result_names names;
  int code;
  if (!hp_args_parse(&syntax, argc, argv, &a, &code)) return code;
  code = hp_cli_exit(hp_result_names_create(argc - optind, argv + optind, &names));
  if (code == HP_EXIT_OK && names.count != 1)
    code = hp_cli_usage_error(
        "report", names.count == 0 ? "which result file?" : "one result file at a time; 'hepta compare' takes several");
  if (code == HP_EXIT_OK) code = hp_command_page("report", "--report", &names, &a.data, a.output);
  hp_result_names_destroy(&names);
  return code;
}
