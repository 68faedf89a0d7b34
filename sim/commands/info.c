/* hepta info NAME.h5 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/show.h"
#include "io/results/output.h"
#include "sim/cli/args.h"
#include "sim/cli/child.h"
#include "sim/cli/result_names.h"
#include "sim/commands/commands.h"

static const char help[] =
    "usage: hepta info NAME[.h5]\n\n"
    "Says what a result file holds: case, grid, steps, last rates, solver statistics.\n\n"
    "  -h, --help\n";

static const hp_args_syntax syntax = {"info", help, true, NULL};

/* The report once to nobody. */
static void rehearse(void *path) {
  FILE *nobody = fopen("/dev/null", "w");
  const hp_status s = nobody != NULL ? hp_output_info(path, nobody) : HP_OK;
  (void)s; /* an error is reported when it comes again */
}

static int inform(const hp_result_names *names) {
  if (names->count != 1)
    return hp_cli_usage_error("info", names->count == 0 ? "which result file?" : "one result file at a time");
  const char *path = names->name[0];
  /* HDF5's own words about a file that is not there are long */
  if (access(path, R_OK) != 0) {
    fprintf(stderr, "hepta: %s: %s\n", hp_show(path).s, strerror(errno));
    return HP_EXIT_USAGE;
  }
  bool listed;
  hp_status s = hp_child_rehearse(path, rehearse, (void *)path);
  if (s == HP_OK) s = hp_output_verify(path, false, &listed);
  if (s == HP_OK) hp_child_note_unlisted(path, listed);
  return hp_cli_exit(s == HP_OK ? hp_output_info(path, stdout) : s);
}

int hp_command_info(int argc, char **argv) {
  int code;
  hp_result_names names;
  if (!hp_args_parse(&syntax, argc, argv, NULL, &code)) return code;
  code = hp_cli_exit(hp_result_names_create(argc - optind, argv + optind, &names));
  if (code == HP_EXIT_OK) code = inform(&names);
  hp_result_names_destroy(&names);
  return code;
}
