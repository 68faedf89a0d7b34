/* Shared by the commands of the program: options of the same name, messages, exit codes (0 done, 1 the run failed,
 * 2 usage or deck error, 130 interrupted). */
#ifndef HP_SIM_CLI_CLI_H
#define HP_SIM_CLI_CLI_H

#include "core/program.h"
#include "io/case/case.h"
#include "sim/backend/backend.h"
#include "sim/report/events.h"

/* The exit code of a status, after the message of a failure. */
int hp_cli_exit(hp_status s);

/* "Try 'hepta COMMAND --help'" after a usage error; returns HP_EXIT_USAGE. */
int hp_cli_usage_error(const char *command, const char *fmt, ...) HP_PRINTF(2, 3);
/* Prints hp_fail_text about the command line as a usage error; HP_EXIT_FAILED where memory ran out. */
int hp_cli_refused(const char *command, hp_status s);

/* Says what getopt_long refused as `opt` ('?' or ':'): an unknown option, or a missing value. */
int hp_cli_bad_option(const char *command, int opt, int optopt_, const char *arg);

/* --backend TEXT: HP_EXIT_OK or, after a message, HP_EXIT_USAGE. */
int hp_cli_backend(const char *command, const char *text, hp_backend_kind *kind);
/* --threads N: 1 to HP_TEAM_MAX. */
int hp_cli_threads(const char *command, const char *text, int *threads);

/* --gpus LIST (hp_device_parse_gpus), into what a device is opened with. */
int hp_cli_gpus(const char *command, const char *text, hp_device_options *device);
/* Refuses, after all options, --gpus without a GPU. */
int hp_cli_check_gpus(const char *command, hp_backend_kind backend, const hp_device_options *device);

/* The --set options of a command line. */
enum { HP_CLI_SETS = 256 };
typedef struct hp_cli_sets {
  int count;
  const char *text[HP_CLI_SETS]; /* "key.path=value", borrowed from argv, or without */
  char without[1024];            /* "without=WELPI,GUIDERAT" of --without and --parsing-strictness */
  bool strict;                   /* notes about the deck stop the command */
  hp_events *events;             /* get what is wrong or surprising, borrowed; NULL: none */
} hp_cli_sets;

/* Adds one; HP_EXIT_OK or, after a message, HP_EXIT_USAGE. */
int hp_cli_add_set(const char *command, const char *text, hp_cli_sets *sets);

/* --without LIST and --parsing-strictness low | normal | high: HP_EXIT_OK or, after a message, HP_EXIT_USAGE. */
int hp_cli_without(const char *command, const char *text, hp_cli_sets *sets);
int hp_cli_strictness(const char *command, const char *text, hp_cli_sets *sets);
/* The status of a deck that was read with s. */
hp_status hp_cli_judge(const hp_cli_sets *sets, const hp_diag *diag, hp_status s) HP_MUST_USE;

/* Reads and validates a deck and prints all that is wrong with it. HP_EXIT_OK,
 * HP_EXIT_USAGE for a deck that is missing, unreadable or wrong, or
 * HP_EXIT_FAILED when memory ran out. read, unless NULL, gets the files that were read. */
int hp_cli_read_case(const char *deck, const hp_cli_sets *sets, hp_inputs *read, hp_case **out);
/* The same for a run, of several ranks by all of them (hp_sim_read). said: notes that are not printed again, and gets the
 * others; NULL: all are. */
int hp_cli_read_run(const char *deck, const hp_cli_sets *sets, hp_inputs *read, hp_diag *said, hp_case **out);

/* Collective: rank 0's exit code. */
int hp_cli_shared(int code);

/* Path of the result files without extension: `name`, or the deck's own name
 * in the current folder. A name that ends in a slash is a folder: the deck's
 * own name in it. Folders that are missing are made. HP_EXIT_USAGE, after a
 * message, where no files can be made. */
int hp_cli_base(const char *name, const char *deck, char *out, size_t size);

/* Makes the folders in which the file `path`, the value of `option`, is to stand. HP_EXIT_OK or, after a message,
 * HP_EXIT_USAGE. */
int hp_cli_make_folders(const char *command, const char *option, const char *path);

/* SIGINT and SIGTERM set hp_sim_interrupted; the second one ends the program. SIGHUP, unless it is ignored (nohup),
 * SIGPIPE and SIGUSR1 set it, too, and never end the program themselves. Of several ranks SIGTERM is the starter's: what it means
 * is printed half a second later, by SIGALRM, unless the run has said how it stopped (hp_sim_first_to_say). */
void hp_cli_catch_signals(void);
/* The command with which the run goes on, for the message of a second signal, once `file` is there; both are kept by
 * the caller. NULL: none. */
void hp_cli_go_on(const char *command, const char *file);

/* --progress TEXT: -1 auto, 0 never, 1 always; HP_EXIT_OK or, after a message, HP_EXIT_USAGE. */
int hp_cli_progress(const char *command, const char *text, int *progress);

/* argv as one line that a shell reads as the same, for result files. Before getopt_long, which changes its order. */
hp_status hp_cli_join(int argc, char **argv, char *out, size_t size);

/* A date (io/date.h) becomes the number that it is in the unit of that result; another text stays. */
int hp_cli_time(const char *result, const char **time, char number[32]);

#endif
