/* The commands of the program: each parses its own options and returns the
 * exit code: 0 done, 1 the run failed, 2 usage or deck error, 130 interrupted. */
#ifndef HP_SIM_CLI_H
#define HP_SIM_CLI_H

#include "core/status.h"

enum { HP_EXIT_OK = 0, HP_EXIT_FAILED = 1, HP_EXIT_USAGE = 2, HP_EXIT_INTERRUPTED = 130 };

int hp_cli_run(int argc, char **argv);
int hp_cli_check(int argc, char **argv);
int hp_cli_info(int argc, char **argv);

/* Exit code of a status; prints the message of a failure. */
int hp_cli_exit(hp_status s);

/* "Try 'hepta COMMAND --help'" after a usage error; returns HP_EXIT_USAGE. */
int hp_cli_usage_error(const char *command, const char *fmt, ...) HP_PRINTF(2, 3);

/* Says what getopt_long refused as `opt` ('?' or ':'): an unknown option, or a missing value. */
int hp_cli_bad_option(const char *command, int opt, int optopt_, const char *arg);

/* Path of the result files without extension: `name`, or the deck's own name
 * in the current folder. */
void hp_cli_base(const char *name, const char *deck, char *out, size_t size);

#endif
