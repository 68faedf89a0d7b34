/* hepta info NAME.h5 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/output.h"
#include "sim/cli.h"

static const char help[] =
    "usage: hepta info NAME.h5\n\n"
    "Says what a result file holds: case, grid, steps, last rates, solver statistics.\n\n"
    "  -h, --help\n";

int hp_cli_info(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
      fputs(help, stdout);
      return HP_EXIT_OK;
    }
    if (argv[i][0] == '-' && argv[i][1] != '\0')
      return hp_cli_usage_error("info", "there is no option '%s'", argv[i]);
  }
  if (argc != 2) return hp_cli_usage_error("info", argc < 2 ? "which result file?" : "one result file at a time");
  /* HDF5's own words about a file that is not there are long */
  if (access(argv[1], R_OK) != 0) {
    fprintf(stderr, "hepta: %s: %s\n", argv[1], strerror(errno));
    return HP_EXIT_USAGE;
  }
  return hp_cli_exit(hp_output_info(argv[1], stdout));
}
