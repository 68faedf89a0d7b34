#define _XOPEN_SOURCE 700 /* POSIX 2008, and SIGXFSZ */
#include "sim/cli/main.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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
#include "sim/cli/cli.h"
#include "sim/cli/flow.h"
#include "sim/report/terminal.h"
#include "sim/simulator/simulator.h"

enum { COMMANDS_MAX = 16 };

static void print_help(const hp_program *P, FILE *f) {
  fputs(P->head, f);
  for (int i = 0; i < P->count; ++i) fprintf(f, "  %-9s %s\n", P->commands[i].name, P->commands[i].what);
  fputs(P->foot, f);
}

/* A line for the program, its commit, and each of what it is built from. */
static int print_version(const hp_program *P) {
  hp_text t = {0};
  hp_text_add_versions(&t);
  if (t.status != HP_OK) return hp_cli_exit(t.status);
  for (const char *at = t.s; at != NULL;) {
    const char *end = strstr(at, "; ");
    printf("%.*s\n", end != NULL ? (int)(end - at) : (int)strlen(at), at);
    if (at == t.s) printf("commit %s\n", P->commit);
    at = end != NULL ? end + 2 : NULL;
  }
  hp_text_clear(&t);
  return HP_EXIT_OK;
}

/* A deck without a command, and a name that is near one. */
static void no_command(const hp_program *P, const char *given) {
  const char *name[COMMANDS_MAX], *dot = strrchr(given, '.');
  for (int i = 0; i < P->count; ++i) name[i] = P->commands[i].name;
  const char *near = hp_nearest(given, name, P->count);
  fprintf(stderr, "hepta: there is no command '%s'", hp_show(given).s);
  if (dot != NULL && (strcmp(dot, ".cfg") == 0 || strcasecmp(dot, ".data") == 0))
    fprintf(stderr, "; to run the deck: hepta run %s", hp_show(given).s);
  else if (near != NULL) fprintf(stderr, "; did you mean '%s'?", near);
  fputs("\nTry 'hepta --help'.\n", stderr);
}

static const hp_command *find_command(const hp_program *P, const char *name) {
  for (int i = 0; i < P->count; ++i)
    if (strcmp(name, P->commands[i].name) == 0) return &P->commands[i];
  return NULL;
}

static int run_command(const hp_program *P, int argc, char **argv) {
  if (argc < 2) {
    print_help(P, stderr);
    return HP_EXIT_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
    print_help(P, stdout);
    return HP_EXIT_OK;
  }
  if (strcmp(argv[1], "--version") == 0) return print_version(P);
  const hp_command *command = find_command(P, argv[1]);
  if (command != NULL) return command->run(argc - 1, argv + 1);
  no_command(P, argv[1]);
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

/* Rank 0 speaks for all, and ends the run. */
static void be_silent(void) {
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  signal(SIGUSR1, SIG_IGN);
  const int nothing = open("/dev/null", O_WRONLY);
  if (nothing >= 0 && dup2(nothing, STDOUT_FILENO) >= 0) close(nothing);
}

/* As one of several processes. */
static int run_ranks(const hp_program *P, int argc, char **argv) {
  hp_ranks *K = NULL;
  int code = HP_EXIT_OK;
  const hp_status s = hp_ranks_open(&K);
  if (s != HP_OK) {
    code = hp_ranks_is_first_started() ? hp_cli_exit(s) : hp_exit_code(s);
    hp_ranks_close(&K);
    return code;
  }
  const hp_command *command = argc > 1 ? find_command(P, argv[1]) : NULL;
  const bool first = hp_ranks_is_first(K);
  if (!first) be_silent();
  if (first || (command != NULL && command->together)) code = run_command(P, argc, argv);
  if (first) {
    code = close_output(code);
    signal(SIGTERM, SIG_IGN); /* all is said; the starter ends those that are left when the first of several fails */
    signal(SIGALRM, SIG_IGN);
  }
  code = hp_cli_shared(code);
  hp_ranks_close(&K);
  return code;
}

/* Whether this process speaks before ranks are there, if it is one of several. */
static bool speaks_first(void) { return !hp_ranks_started() || hp_ranks_is_first_started(); }

/* Becomes hepta-bench, with the same arguments: the one beside this program, else the one on PATH. */
static int start_bench(char **argv) {
  char path[PATH_MAX];
  const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  path[n > 0 ? n : 0] = '\0';
  char *slash = strrchr(path, '/');
  if (slash != NULL && slash + sizeof "/hepta-bench" <= path + sizeof path) {
    strcpy(slash, "/hepta-bench");
    execv(path, argv);
  }
  execvp("hepta-bench", argv);
  if (speaks_first())
    fprintf(stderr,
            "hepta %s: hepta-bench cannot be started: %s. It is neither beside hepta nor on PATH: install the package "
            "hepta-bench, or build with -DHEPTA_BENCH=ON\n",
            argv[1], strerror(errno));
  return HP_EXIT_FAILED;
}

static int start(int argc, char **argv, const hp_program *P) {
  const hp_command *command = argc > 1 ? find_command(P, argv[1]) : NULL;
  if (command != NULL && command->run == NULL) return start_bench(argv);
  signal(SIGXFSZ, SIG_IGN); /* beyond the limit of a file's size (ulimit -f) writing fails, and that is reported */
  open_standard_streams();
  hp_h5_leave_at_exit();
  hp_program_commit = P->commit;
  if (argc > 0) hp_program_name = argv[0];
  return hp_ranks_started() ? run_ranks(P, argc, argv) : close_output(run_command(P, argc, argv));
}

int hp_cli_main(int argc, char **argv, const hp_program *P) {
  if (argc == 0 || !hp_flow_is_called(argv[0])) return start(argc, argv, P);
  char **words;
  int count, code;
  const hp_status s = hp_flow_translate(argc, argv, speaks_first(), &words, &count, &code);
  if (s != HP_OK) return speaks_first() ? hp_cli_exit(s) : hp_exit_code(s);
  if (words != NULL) code = start(count, words, P);
  hp_flow_free(&words, words != NULL ? count : 0);
  return code;
}
