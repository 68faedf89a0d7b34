#define _XOPEN_SOURCE 700 /* POSIX 2008, and setitimer */
#include "sim/cli/cli.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "core/digits.h"
#include "core/folders.h"
#include "core/plural.h"
#include "core/show.h"
#include "io/deck/deck.h"
#include "io/eclipse/eclipse.h"
#include "io/files/text.h"
#include "io/results/output.h"
#include "sim/report/progress.h"
#include "sim/run/run.h"
#include "sim/simulator/simulator.h"

/* Of several ranks rank 0 speaks for all. */
static bool speaks(void) { return hp_ranks_is_first(hp_ranks_world()); }

int hp_cli_exit(hp_status s) {
  if (s != HP_OK && speaks())
    fprintf(stderr, "hepta: %s\n", hp_fail_text()[0] != '\0' ? hp_fail_text() : hp_status_text(s));
  return hp_exit_code(s);
}

int hp_cli_usage_error(const char *command, const char *fmt, ...) {
  va_list ap;
  char raw[2048], text[sizeof raw];
  va_start(ap, fmt);
  vsnprintf(raw, sizeof raw, fmt, ap);
  va_end(ap);
  if (speaks())
    fprintf(stderr, "hepta %s: %s\nTry 'hepta %s --help'.\n", command, hp_escape(raw, text, sizeof text), command);
  return HP_EXIT_USAGE;
}

int hp_cli_refused(const char *command, hp_status s) {
  if (s == HP_OK) return HP_EXIT_OK;
  return s == HP_ERR_MEMORY ? hp_cli_exit(s) : hp_cli_usage_error(command, "%s", hp_fail_text());
}

int hp_cli_bad_option(const char *command, int opt, int optopt_, const char *arg) {
  if (opt == ':') return hp_cli_usage_error(command, "%s needs a value", arg);
  /* optopt is 0 for an unknown long option; not so for a known one that was given a value it does not take */
  const char *equals = strncmp(arg, "--", 2) == 0 ? strchr(arg, '=') : NULL;
  if (optopt_ != 0 && equals != NULL)
    return hp_cli_usage_error(command, "%.*s takes no value", (int)(equals - arg), arg);
  if (optopt_ != 0) return hp_cli_usage_error(command, "there is no option '-%c'", optopt_);
  return hp_cli_usage_error(command, "there is no option '%s'", arg);
}

int hp_cli_add_set(const char *command, const char *text, hp_cli_sets *sets) {
  if (strchr(text, '=') == NULL) return hp_cli_usage_error(command, "--set %s: expected KEY=VALUE", text);
  if (sets->count == HP_CLI_SETS) return hp_cli_usage_error(command, "more than %d --set options", HP_CLI_SETS);
  sets->text[sets->count++] = text;
  return HP_EXIT_OK;
}

int hp_cli_without(const char *command, const char *text, hp_cli_sets *sets) {
  const size_t used = strlen(sets->without);
  if (text[0] == '\0' ||
      text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-+_,*")] != '\0')
    return hp_cli_usage_error(command, "--without %s: keywords apart by commas, as in WELPI,GUIDERAT", text);
  if (used + strlen(text) + sizeof HP_ECL_WITHOUT + 1 > sizeof sets->without)
    return hp_cli_usage_error(command, "--without: too many keywords");
  if (used > 0) {
    strcat(strcat(sets->without, ","), text);
    return HP_EXIT_OK;
  }
  strcat(strcpy(sets->without, HP_ECL_WITHOUT), text);
  return hp_cli_add_set(command, sets->without, sets);
}

int hp_cli_strictness(const char *command, const char *text, hp_cli_sets *sets) {
  sets->strict = strcmp(text, "high") == 0;
  if (strcmp(text, "low") == 0) return hp_cli_without(command, "*", sets);
  if (sets->strict || strcmp(text, "normal") == 0) return HP_EXIT_OK;
  return hp_cli_usage_error(command, "--parsing-strictness takes low, normal or high, not '%s'", text);
}

hp_status hp_cli_judge(const hp_cli_sets *sets, const hp_diag *diag, hp_status s) {
  if (s != HP_OK || !sets->strict || diag->notes == 0) return s;
  return hp_fail(HP_ERR_DECK, "%d note%s about the deck, and --parsing-strictness=high takes none", diag->notes,
                 hp_plural(diag->notes));
}

static int read_by(hp_status (*read_deck)(const char *, int, const char *const *, hp_diag *, hp_case **),
                   const char *deck, const hp_cli_sets *sets, hp_inputs *read, hp_diag *said, hp_case **out) {
  hp_diag diag;
  hp_diag_init(&diag);
  const hp_status s = hp_cli_judge(sets, &diag, read_deck(deck, sets->count, sets->text, &diag, out));
  if (speaks()) hp_diag_print_new(&diag, said, stderr);
  hp_event_diag(sets->events, &diag);
  if (s != HP_OK && diag.errors == 0) hp_event_error(sets->events, hp_fail_text());
  if (read != NULL) hp_inputs_add_all(read, &diag.read);
  if (said != NULL) hp_diag_keep_notes(said, &diag);
  hp_diag_clear(&diag);
  const int code = hp_cli_exit(s);
  return s == HP_ERR_FILE ? HP_EXIT_USAGE : code;
}

int hp_cli_read_case(const char *deck, const hp_cli_sets *sets, hp_inputs *read, hp_case **out) {
  return read_by(hp_case_read, deck, sets, read, NULL, out);
}

int hp_cli_read_run(const char *deck, const hp_cli_sets *sets, hp_inputs *read, hp_diag *said, hp_case **out) {
  return read_by(hp_sim_read, deck, sets, read, said, out);
}

int hp_cli_shared(int code) {
  hp_ranks_broadcast(hp_ranks_world(), 0, &code, sizeof code);
  return code;
}

int hp_cli_backend(const char *command, const char *text, hp_backend_kind *kind) {
  if (!hp_backend_find(text, kind)) return hp_cli_usage_error(command, "--backend is cpu or cuda, not '%s'", text);
  return HP_EXIT_OK;
}

int hp_cli_threads(const char *command, const char *text, int *threads) {
  char *end;
  const long n = strtol(text, &end, 10);
  if (end == text || *end != '\0' || n < 1 || n > HP_TEAM_MAX)
    return hp_cli_usage_error(command, "--threads takes 1 to %d, not '%s'", HP_TEAM_MAX, text);
  *threads = (int)n;
  return HP_EXIT_OK;
}

int hp_cli_gpus(const char *command, const char *text, hp_device_options *device) {
  if (hp_device_parse_gpus(text, HP_GPUS_MAX, device->gpu, &device->gpus)) return HP_EXIT_OK;
  return hp_cli_usage_error(command, "--gpus takes how many (1 to %d), a list of them as in 0,1, or all, not '%s'",
                            (int)HP_GPUS_MAX, text);
}

int hp_cli_check_gpus(const char *command, hp_backend_kind backend, const hp_device_options *device) {
  if (device->gpus == 0 || backend == HP_BACKEND_CUDA) return HP_EXIT_OK;
  return hp_cli_usage_error(command, "--gpus is for --backend cuda");
}

int hp_cli_make_folders(const char *command, const char *option, const char *path) {
  if (hp_make_folders_of(path) == HP_OK) return HP_EXIT_OK;
  return hp_cli_usage_error(command, "%s %s", option, hp_fail_text());
}

/* Whether files can be made in the folder of `base`, which is made if it is missing. */
static int check_folder(const char *base) {
  char folder[1024];
  struct stat st;
  const char *slash = strrchr(base, '/');
  if (slash == NULL) snprintf(folder, sizeof folder, ".");
  else snprintf(folder, sizeof folder, "%.*s", slash == base ? 1 : (int)(slash - base), base);
  if (hp_make_folders_of(base) != HP_OK) return hp_cli_usage_error("run", "results %s", hp_fail_text());
  if (stat(folder, &st) != 0)
    return hp_cli_usage_error("run", "results %s: cannot use the folder '%s': %s", base, folder, strerror(errno));
  if (access(folder, W_OK | X_OK) != 0)
    return hp_cli_usage_error("run", "results %s: cannot write in the folder '%s': %s", base, folder, strerror(errno));
  return HP_EXIT_OK;
}

int hp_cli_base(const char *name, const char *deck, char *out, size_t size) {
  if (name == NULL) name = "";
  size_t n = strlen(name);
  const bool folder = n == 0 || name[n - 1] == '/';
  if (!folder && n > 3 && strcmp(name + n - 3, ".h5") == 0) n -= 3;
  const char *slash = strrchr(deck, '/'), *leaf = slash != NULL ? slash + 1 : deck, *dot = strrchr(leaf, '.');
  const int letters = !folder ? 0 : dot != NULL && dot != leaf ? (int)(dot - leaf) : (int)strlen(leaf);
  const int length = snprintf(out, size, "%.*s%.*s", (int)n, name, letters, leaf);
  if (length < 0 || (size_t)length >= size)
    return hp_cli_usage_error("run", "the name of the results is longer than %d characters", (int)size - 1);
  const int code = hp_cli_refused("run", hp_output_check_name(out));
  return code == HP_EXIT_OK ? check_folder(out) : code;
}

static const char *volatile go_on, *volatile go_on_from; /* what a second signal shows, if that file is there by then */

void hp_cli_go_on(const char *command, const char *file) {
  go_on = NULL;
  go_on_from = file;
  go_on = command;
}

/* Results of write() are of no use in a handler. */
static void say_at_once(const char *text) {
  const ssize_t n = write(STDERR_FILENO, text, strlen(text));
  (void)n;
}

static void say_how_to_go_on(void) {
  const char *command = go_on;
  if (command == NULL || access(go_on_from, F_OK) != 0) return;
  say_at_once(HP_PROGRESS_GO_ON_FROM_FILES);
  say_at_once(command);
  say_at_once("\n");
}

static bool has_starter; /* which sends SIGTERM before it kills the ranks, as when one of them is lost */

/* "rank 2 has ended; ", where that is known. */
static void say_who_ended(void) {
  char text[64] = "\nhepta: rank ";
  const hp_ranks *K = hp_ranks_world();
  const int rank = K != NULL ? hp_ranks_ended(K) : -1;
  if (rank < 0) {
    say_at_once("\nhepta: ");
    return;
  }
  strcpy(hp_digits(text + strlen(text), rank), " has ended; ");
  say_at_once(text);
}

static void say_that_all_end(void) {
  if (!hp_sim_first_to_say()) return;
  say_who_ended();
  say_at_once(
      "the starter ends all processes; the result files are complete up to the last report step they list, or up "
      "to this time step if it is finished before\n");
  say_how_to_go_on();
}

static void on_alarm(int sig) {
  const int error = errno;
  (void)sig;
  say_that_all_end();
  errno = error;
}

static void ask(int why) {
  if (hp_sim_interrupted != HP_SIM_UNREAD) hp_sim_interrupted = why;
}

/* Waits half a second for the step to end and the run to say how it stopped, because starters kill after a second; then on_alarm
 * says it. A step that needs a process that is lost does not end. setitimer is a plain system call. */
static void expect_end(void) {
  hp_ranks *K = hp_ranks_world();
  const bool out = hp_ranks_drop_unread(K, STDOUT_FILENO), error = hp_ranks_drop_unread(K, STDERR_FILENO);
  const struct itimerval half = {.it_value = {.tv_usec = 500000}};
  ask(out || error ? HP_SIM_UNREAD : HP_SIM_ASKED);
  if (hp_ranks_ended(K) >= 0) say_that_all_end();
  else setitimer(ITIMER_REAL, &half, NULL);
}

/* The first SIGINT or SIGTERM asks the run to stop after the step, the second ends it. */
static void on_signal(int sig) {
  static volatile sig_atomic_t asked;
  const int error = errno;
  const bool again = asked;
  asked = 1;
  if (again) {
    say_at_once("\nhepta: stopped at once; the result files are complete up to the last report step they list\n");
    say_how_to_go_on();
    _exit(HP_EXIT_INTERRUPTED);
  }
  if (has_starter && sig == SIGTERM) {
    expect_end();
  } else {
    say_at_once("\nhepta: finishing this time step; press Ctrl-C again to stop at once\n");
    ask(HP_SIM_ASKED);
  }
  errno = error;
}

/* However many there are, they stop the run after the step: a terminal that closes may send two SIGHUP, every line for a
 * reader who has gone is a SIGPIPE, and SIGUSR1 is what mpirun passes on without killing anybody. */
static void on_loss(int sig) {
  if (hp_sim_interrupted == 0) hp_sim_interrupted = sig == SIGPIPE ? HP_SIM_UNREAD : HP_SIM_ASKED;
}

void hp_cli_catch_signals(void) {
  struct sigaction act;
  has_starter = hp_ranks_world() != NULL;
  memset(&act, 0, sizeof act);
  act.sa_handler = on_signal;
  sigaction(SIGINT, &act, NULL);
  sigaction(SIGTERM, &act, NULL);
  act.sa_handler = on_alarm;
  sigaction(SIGALRM, &act, NULL);
  act.sa_handler = on_loss;
  sigaction(SIGPIPE, &act, NULL);
  sigaction(SIGUSR1, &act, NULL);
  struct sigaction before;
  if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(SIGHUP, &act, NULL); /* nohup */
}

int hp_cli_progress(const char *command, const char *text, int *progress) {
  *progress = strcmp(text, "auto") == 0 ? -1 : strcmp(text, "never") == 0 ? 0 : 1;
  if (*progress != 1 || strcmp(text, "always") == 0) return HP_EXIT_OK;
  return hp_cli_usage_error(command, "--progress is auto, always or never, not '%s'", text);
}

hp_status hp_cli_join(int argc, char **argv, char *out, size_t size) {
  hp_text t = {0};
  hp_text_add(&t, "hepta");
  for (int i = 0; i < argc; ++i) {
    hp_text_add(&t, " ");
    hp_text_add_shell(&t, argv[i]);
  }
  snprintf(out, size, "%s", t.s != NULL ? t.s : "hepta");
  const hp_status s = t.status;
  hp_text_clear(&t);
  return s;
}

int hp_cli_time(const char *result, const char **time, char number[32]) {
  double value = 0.0;
  if (*time == NULL || !hp_date_is_meant(*time)) return HP_EXIT_OK;
  const int code = hp_cli_exit(hp_output_time(result, *time, &value));
  snprintf(number, 32, "%.17g", value);
  *time = number;
  return code;
}
