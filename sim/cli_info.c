/* hepta info NAME.h5 */
#include <stdio.h>
#include <string.h>

#include "io/output.h"
#include "sim/cli.h"

int hp_cli_info(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
      fputs("usage: hepta info NAME.h5\n\n"
            "Says what a result file holds: case, grid, steps, last rates, solver statistics.\n",
            stdout);
      return HP_EXIT_OK;
    }
    if (argv[i][0] == '-') return hp_cli_usage_error("info", "there is no option '%s'", argv[i]);
  }
  if (argc != 2) return hp_cli_usage_error("info", argc < 2 ? "which result file?" : "one result file at a time");
  return hp_cli_exit(hp_output_info(argv[1], stdout));
}
