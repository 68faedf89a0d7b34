/* hepta: a two-phase reservoir simulator. The commands are in sim/commands/. */
#define _XOPEN_SOURCE 700 /* POSIX 2008, and SIGXFSZ */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "core/ranks/ranks.h"
#include "core/show.h"
#include "io/diag.h"
#include "io/files/hdf5.h"
#include "io/files/text.h"
#include "sim/backend/backend.h"
#include "sim/commands/commands.h"
#include "sim/report/terminal.h"
#include "sim/run/spread.h"
#include "sim/simulator/simulator.h"

extern const char hepta_commit[]; /* made by the build (scripts/commit.cmake) */

static const struct {
  const char *name, *what;
  int (*run)(int argc, char **argv);
} commands[] = {
    {"run", "run a deck", hp_command_run},
    {"check", "read a deck, say what is wrong with it and what a run would do", hp_command_check},
    {"import", "write an Eclipse deck as one of hepta's own", hp_command_import},
    {"info", "say what a result file holds", hp_command_info},
    {"compare", "run a deck with several solvers, formats or backends and compare", hp_command_compare},
    {"plot", "draw results: curves, or a map of a layer", hp_command_plot},
    {"paraview", "a state for ParaView, the program, pictures of a run", hp_command_paraview},
    {"bench", "measure parts of the program", hp_command_bench},
    {"tune", "find the fastest launch shapes for this GPU", hp_command_tune},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(FILE *f) {
  fputs("usage: hepta COMMAND ...\n\nA two-phase (oil-water) reservoir simulator.\n\n", f);
  for (int i = 0; i < COMMANDS; ++i) fprintf(f, "  %-9s %s\n", commands[i].name, commands[i].what);
  fputs(
      "\n'hepta COMMAND --help' says more, 'hepta --version' which version this is.\n"
      "Decks are *.cfg (docs/reference/deck.md) or Eclipse *.DATA (docs/reference/eclipse.md).\n",
      f);
}

/* A line for the program, its commit, and each of what it is built from. */
static int print_version(void) {
  hp_text t = {0};
  hp_text_add_versions(&t);
  if (t.status != HP_OK) return hp_cli_exit(t.status);
  for (const char *at = t.s; at != NULL;) {
    const char *end = strstr(at, "; ");
    printf("%.*s\n", end != NULL ? (int)(end - at) : (int)strlen(at), at);
    if (at == t.s) printf("commit %s\n", hepta_commit);
    at = end != NULL ? end + 2 : NULL;
  }
  hp_text_clear(&t);
  return HP_EXIT_OK;
}

/* A deck without a command, and a name that is near one. */
static void no_command(const char *given) {
  const char *name[COMMANDS], *dot = strrchr(given, '.');
  for (int i = 0; i < COMMANDS; ++i) name[i] = commands[i].name;
  const char *near = hp_nearest(given, name, COMMANDS);
  fprintf(stderr, "hepta: there is no command '%s'", hp_show(given).s);
  if (dot != NULL && (strcmp(dot, ".cfg") == 0 || strcasecmp(dot, ".data") == 0))
    fprintf(stderr, "; to run the deck: hepta run %s", hp_show(given).s);
  else if (near != NULL) fprintf(stderr, "; did you mean '%s'?", near);
  fputs("\nTry 'hepta --help'.\n", stderr);
}

static int run_command(int argc, char **argv) {
  if (argc < 2) {
    print_help(stderr);
    return HP_EXIT_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
    print_help(stdout);
    return HP_EXIT_OK;
  }
  if (strcmp(argv[1], "--version") == 0) return print_version();
  for (int i = 0; i < COMMANDS; ++i)
    if (strcmp(argv[1], commands[i].name) == 0) return commands[i].run(argc - 1, argv + 1);
  no_command(argv[1]);
  return HP_EXIT_USAGE;
}

/* Where a standard stream is closed, the next file to be opened would stand in for it, and get what is printed. */
static void open_standard_streams(void) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDWR) < 0) return;
}

/* Output must have arrived: a full disk fails a command that otherwise did well. A reader who has gone away
 * is told by SIGPIPE. */
static int close_output(int code) {
  const bool bad = ferror(stdout) != 0;
  hp_terminal_check_reader(STDOUT_FILENO);
  errno = 0;
  if ((fflush(stdout) == 0 && !bad) || code != HP_EXIT_OK || hp_sim_interrupted == HP_SIM_UNREAD) return code;
  fprintf(stderr, "hepta: standard output cannot be written%s%s\n", errno != 0 ? ": " : "",
          errno != 0 ? strerror(errno) : "");
  return HP_EXIT_FAILED;
}

/* As one of several processes: rank 0 runs the command, and the others what it asks of them. */
static int run_ranks(int argc, char **argv) {
  hp_ranks *K = NULL;
  int code = HP_EXIT_OK;
  const hp_status s = hp_ranks_open(&K);
  if (s != HP_OK) {
    code = hp_ranks_is_first_started() ? hp_cli_exit(s) : hp_exit_code(s);
    hp_ranks_close(&K);
    return code;
  }
  if (hp_ranks_rank(K) == 0) {
    code = close_output(run_command(argc, argv));
    signal(SIGTERM, SIG_IGN); /* all is said; the starter ends those that are left when the first of several fails */
    signal(SIGALRM, SIG_IGN);
    hp_backend_dismiss(K, code);
  } else {
    signal(SIGINT, SIG_IGN); /* rank 0 ends the run */
    signal(SIGTERM, SIG_IGN);
    signal(SIGUSR1, SIG_IGN);
    const hp_status served = hp_sim_serve(K, &code);
    if (served != HP_OK) hp_ranks_end_all(K, hp_cli_exit(served));
  }
  hp_ranks_close(&K);
  return code;
}

int main(int argc, char **argv) {
  signal(SIGXFSZ, SIG_IGN); /* beyond the limit of a file's size (ulimit -f) writing fails, and that is reported */
  open_standard_streams();
  hp_h5_leave_at_exit();
  hp_program_commit = hepta_commit;
  if (argc > 0) hp_program_name = argv[0];
  return hp_ranks_started() ? run_ranks(argc, argv) : close_output(run_command(argc, argv));
}
