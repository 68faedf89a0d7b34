/* hepta run DECK */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/plural.h"
#include "core/team/parallel.h"
#include "io/text.h"
#include "sim/checkpoint/restart.h"
#include "sim/cli/child.h"
#include "sim/cli/cli.h"
#include "sim/dump_systems.h"
#include "sim/report/progress.h"
#include "sim/well_paths.h"

typedef struct {
  hp_run_options run;
  hp_progress_options progress;
  const char *deck, *name;
  char *restart; /* NAME of --restart, or NULL */
  int step;      /* its STEP, -1: the latest */
  hp_cli_sets sets;
  hp_dump_options dump;
  hp_text again;    /* options that a run which goes on is given, too, as words of a shell */
  hp_text go_on;    /* the command with which this run goes on if it stops */
  char *master;     /* the file that names the steps from which it may */
  hp_inputs *files; /* that are read, or are the result's: log and events go to others */
} arguments;

static const char help[] =
    "usage: hepta run DECK [options]\n\n"
    "Runs a deck (*.cfg, or Eclipse *.DATA) and writes NAME.h5 with its step files,\n"
    "NAME.xdmf2 and NAME.view.py for ParaView, NAME.summary.csv and NAME.solver.csv.\n\n"
    "  -o, --output NAME        path and base name of the results (default: the deck's\n"
    "                           name, in the current folder); FOLDER/ takes the deck's\n"
    "                           name in that folder; the last -o counts; folders that\n"
    "                           are missing are made\n"
    "      --set KEY=VALUE      overrides a key of the deck, e.g. linear.method=gmres,\n"
    "                           timestep.max=6; may be repeated (docs/reference/deck.md)\n"
    "      --restart NAME[:STEP]  goes on from a report step of the result NAME (default: the\n"
    "                           latest), to the same bits as a run that never stopped;\n"
    "                           without -o in its files. The schedule from there on may\n"
    "                           be another (docs/guide/results.md)\n"
    "      --threads N          members of the CPU team (default: one per processor)\n"
    "      --backend cpu|cuda   where to run: the processors (default) or one NVIDIA GPU\n"
    "      --monitor            one line per Newton iteration\n"
    "      --profile            every operation with calls, time and GB/s at the end\n"
    "      --check-jacobian     compares the Jacobian with differences before the run\n"
    "      --dump-matrix STEP   writes the first system of that time step (MatrixMarket)\n"
    "      --dump-systems NAME[:STEPS]  writes the linear systems of time steps, as in\n"
    "                           NAME:3,12 (default: of all; NAME:12.1: the first of step 12),\n"
    "                           as NAME.step*.h5 for 'hepta bench solve'\n"
    "                           (docs/reference/output.md)\n"
    "      --progress auto|always|never  a bar on a terminal, else one line per report time\n"
    "                           (auto, the default); a bar always; or errors only\n"
    "  -q, --quiet              errors only, and no tables at the end\n"
    "      --log FILE           all that is said about the run, with one line per time step\n"
    "      --json[=FILE]        events, one JSON object per line, to FILE or standard output\n"
    "                           (then the tables go to standard error;\n"
    "                           docs/reference/terminal.md)\n"
    "  -h, --help\n\n"
    "Exit codes: 0 done, 1 the run failed (what was computed is kept), 2 usage or deck\n"
    "error, 130 interrupted. The first Ctrl-C finishes the step, leaves whole files and prints\n"
    "the command to go on with, a second one stops at once. A reader who goes away, as in\n"
    "| head, interrupts, too.\n";

enum {
  OPT_SET = 256,
  OPT_THREADS,
  OPT_BACKEND,
  OPT_MONITOR,
  OPT_PROFILE,
  OPT_JACOBIAN,
  OPT_DUMP,
  OPT_PROGRESS,
  OPT_LOG,
  OPT_JSON,
  OPT_RESTART,
  OPT_SYSTEMS
};

static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                        {"set", required_argument, NULL, OPT_SET},
                                        {"restart", required_argument, NULL, OPT_RESTART},
                                        {"threads", required_argument, NULL, OPT_THREADS},
                                        {"backend", required_argument, NULL, OPT_BACKEND},
                                        {"monitor", no_argument, NULL, OPT_MONITOR},
                                        {"profile", no_argument, NULL, OPT_PROFILE},
                                        {"check-jacobian", no_argument, NULL, OPT_JACOBIAN},
                                        {"dump-matrix", required_argument, NULL, OPT_DUMP},
                                        {"dump-systems", required_argument, NULL, OPT_SYSTEMS},
                                        {"progress", required_argument, NULL, OPT_PROGRESS},
                                        {"quiet", no_argument, NULL, 'q'},
                                        {"log", required_argument, NULL, OPT_LOG},
                                        {"json", optional_argument, NULL, OPT_JSON},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};

/* A whole number of at least 1. */
static bool parse_count(const char *text, int *out) {
  char *end;
  const long v = strtol(text, &end, 10);
  if (end == text || *end != '\0' || v < 1 || v > 1000000000) return false;
  *out = (int)v;
  return true;
}

/* NAME or NAME:STEP; a colon with anything but a number behind it belongs to the name. */
static int parse_restart(const char *text, arguments *a) {
  const char *colon = strrchr(text, ':');
  const bool numbered = colon != NULL && colon[1] != '\0' && colon[1 + strspn(colon + 1, "0123456789")] == '\0';
  const int length = (int)(numbered ? colon - text : (long)strlen(text));
  const long step = numbered ? strtol(colon + 1, NULL, 10) : -1;
  if (length == 0 || step > 999999999)
    return hp_cli_usage_error("run", "--restart takes NAME or NAME:STEP, the result of an earlier run, not '%s'", text);
  a->step = (int)step;
  HP_FREE(a->restart);
  return hp_cli_exit(hp_format(&a->restart, "%.*s", length, text));
}

/* HP_EXIT_OK to go on, -1 after --help, or the exit code of a mistake. */
static int parse_option(arguments *a, int opt, char **argv) {
  switch (opt) {
    case 'o': a->name = optarg; return optarg[0] != '\0' ? HP_EXIT_OK : hp_cli_usage_error("run", "-o needs a name");
    case 'h': fputs(help, stdout); return -1;
    case OPT_SET: return hp_cli_add_set("run", optarg, &a->sets);
    case OPT_THREADS: return hp_cli_threads("run", optarg, &a->run.threads);
    case OPT_BACKEND: return hp_cli_backend("run", optarg, &a->run.backend);
    case OPT_MONITOR: a->run.monitor = true; return HP_EXIT_OK;
    case OPT_PROFILE: a->run.profile = true; return HP_EXIT_OK;
    case OPT_JACOBIAN: a->run.check_jacobian = true; return HP_EXIT_OK;
    case OPT_DUMP:
      if (parse_count(optarg, &a->run.dump_matrix)) return HP_EXIT_OK;
      return hp_cli_usage_error("run", "--dump-matrix takes the number of a time step, not '%s'", optarg);
    case OPT_SYSTEMS: return hp_cli_refused("run", hp_dump_parse(optarg, &a->dump));
    case OPT_RESTART: return parse_restart(optarg, a);
    case OPT_PROGRESS: return hp_cli_progress("run", optarg, &a->progress.when);
    case 'q': a->progress.quiet = true; return HP_EXIT_OK;
    case OPT_LOG:
      a->progress.log = optarg;
      return optarg[0] != '\0' ? HP_EXIT_OK : hp_cli_usage_error("run", "--log needs the name of a file");
    case OPT_JSON:
      a->progress.json = optarg != NULL ? optarg : "-";
      return a->progress.json[0] != '\0' ? HP_EXIT_OK : hp_cli_usage_error("run", "--json= needs the name of a file");
    default: return hp_cli_bad_option("run", opt, optopt, argv[optind - 1]);
  }
}

/* The options again, but for those that name results: a run that goes on has its own. */
static void keep_option(arguments *a, int opt, const char *value) {
  const struct option *o = options;
  while (o->name != NULL && o->val != opt) ++o;
  if (o->name == NULL || opt == 'o' || opt == OPT_RESTART) return;
  hp_text_add(&a->again, " --%s", o->name);
  if (value == NULL) return;
  hp_text_add(&a->again, o->has_arg == optional_argument ? "=" : " ");
  hp_text_add_shell(&a->again, value);
}

/* What is asked for must have somewhere to go. */
static int check_quiet(const arguments *a) {
  const hp_run_options *r = &a->run;
  const char *asked = r->monitor          ? "--monitor"
                      : r->profile        ? "--profile"
                      : r->check_jacobian ? "--check-jacobian"
                                          : NULL;
  if (!a->progress.quiet || a->progress.log != NULL || asked == NULL) return HP_EXIT_OK;
  return hp_cli_usage_error("run", "%s has nowhere to go with --quiet: give --log FILE as well", asked);
}

static int parse(int argc, char **argv, arguments *a) {
  memset(a, 0, sizeof *a);
  a->progress.when = -1;
  opterr = 0;
  for (int opt; (opt = getopt_long(argc, argv, ":o:qh", options, NULL)) != -1;) {
    const int code = parse_option(a, opt, argv);
    if (code != HP_EXIT_OK) return code;
    keep_option(a, opt, optarg);
  }
  if (optind == argc) return hp_cli_usage_error("run", "which deck?");
  if (optind + 1 < argc) return hp_cli_usage_error("run", "one deck at a time: remove '%s'", argv[optind + 1]);
  a->deck = argv[optind];
  a->progress.no_bar = a->run.monitor;
  a->progress.append = a->restart != NULL && (a->name == NULL || strcmp(a->name, a->restart) == 0);
  return check_quiet(a);
}

/* Runs, closes the files whatever happened, prints the tables. */
static hp_status run_open(hp_sim *S, const hp_dump *dump, double began) {
  const hp_status started = hp_progress_start(S), s = started == HP_OK ? hp_sim_run(S) : started;
  char why[1024];
  snprintf(why, sizeof why, "%s", hp_fail_text());
  const double t0 = hp_now();
  const hp_status closed = hp_output_close(&S->output);
  char why_closed[1024];
  snprintf(why_closed, sizeof why_closed, "%s", hp_fail_text());
  hp_profile_add(&S->profile, HP_PROF_OUTPUT, hp_now() - t0, 0.0);
  if (S->opt.dump_matrix > S->step + (s != HP_OK))
    hp_progress_note(S, "--dump-matrix %d: nothing was written, the run made %d time step%s", S->opt.dump_matrix,
                     S->step, hp_plural(S->step));
  if (dump != NULL) hp_dump_tell(dump, S);
  hp_progress_finish(S, hp_now() - began);
  return s != HP_OK ? hp_fail(s, "%s", why) : closed != HP_OK ? hp_fail(closed, "%s", why_closed) : HP_OK;
}

/* The paths of wells and the result files. Of a run from the start they are prepared before the backend is there, which
 * may have to wait for a GPU, and get onto the disk behind it. */
static hp_status prepare_files(hp_sim *S, const arguments *a, const char *base, bool restart, hp_well_path **paths) {
  const hp_case *c = S->c;
  const double t0 = hp_now();
  HP_TRY(hp_well_paths_create(c, S->wells, paths));
  if (!restart) HP_TRY(hp_output_prepare(c, base, a->run.command_line, c->nwell, *paths, &S->output));
  S->start_part[HP_START_FILES] += hp_now() - t0;
  return HP_OK;
}

/* The files of a run from the start, or from a step of another. */
static hp_status open_output(hp_sim *S, const arguments *a, const char *base, const hp_well_path *paths,
                             const hp_restart *from) {
  const hp_case *c = S->c;
  const double t0 = hp_now();
  bool in_place = false;
  HP_TRY(from == NULL ? hp_output_begin(base, c->nwell, paths, &S->output)
                      : hp_output_continue(c, base, a->run.command_line, c->nwell, paths, from, &in_place, &S->output));
  if (in_place) S->fields_step = from->step;
  S->start_part[HP_START_FILES] += hp_now() - t0;
  return HP_OK;
}

/* "hepta run DECK ... --restart BASE" with the options of this run. */
static hp_status write_go_on(arguments *a, const char *base, bool eclipse) {
  hp_text *t = &a->go_on;
  const char *tail = strrchr(base, ':');
  hp_text_add_shell(t, hp_cli_program);
  hp_text_add(t, " run ");
  if (a->deck[0] == '-') hp_text_add(t, "./");
  hp_text_add_shell(t, a->deck);
  if (a->again.s != NULL) hp_text_add(t, "%s", a->again.s);
  hp_text_add(t, " --restart ");
  hp_text_add_shell(t, base);
  if (tail != NULL && tail[1] != '\0' && tail[1 + strspn(tail + 1, "0123456789")] == '\0') hp_text_add(t, ".h5");
  if (eclipse) { /* whose files begin at that step */
    char *name = NULL;
    const hp_status s = hp_format(&name, "%s-continued", base);
    hp_text_add(t, " -o ");
    if (s == HP_OK) hp_text_add_shell(t, name);
    HP_FREE(name);
  }
  if (a->again.status != HP_OK || t->status != HP_OK) return HP_ERR_MEMORY;
  return hp_format(&a->master, "%s.h5", base);
}

/* Tells how the run goes on that stopped with `s`, where its files hold a step for that. */
static void tell_go_on(const arguments *a, const char *base, hp_status s, hp_progress *progress) {
  hp_restart from = {.ncell = 0};
  if (hp_restart_read(base, -1, &from) == HP_OK) hp_progress_go_on(progress, s, a->go_on.s);
  hp_restart_clear(&from);
}

static hp_status run_case(const hp_case *c, const arguments *a, const char *base, const hp_dump *dump, hp_restart *from,
                          double began, hp_progress *progress, bool *begun) {
  hp_sim *S = NULL;
  hp_well_path *paths = NULL;
  hp_run_options opt = a->run;
  if (dump != NULL) opt.observer = hp_dump_observer(dump);
  HP_TRY(hp_sim_prepare(c, &opt, base, &S));
  hp_status s = prepare_files(S, a, base, from != NULL, &paths);
  if (s == HP_OK) s = hp_sim_start(S);
  if (s == HP_OK && from != NULL) s = hp_restart_resume(S, from);
  if (s == HP_OK) s = open_output(S, a, base, paths, from);
  if (s == HP_OK) {
    hp_profile_add(&S->profile, HP_PROF_START, hp_now() - began - S->profile.op[HP_PROF_START].seconds, 0.0);
    S->start_part[HP_START_DECK] = c->seconds - c->grid_seconds;
    S->start_part[HP_START_GRID] = c->grid_seconds;
    S->began = hp_now();
    S->progress = progress;
    *begun = S->keeps;
    if (S->keeps) hp_cli_go_on(a->go_on.s, a->master);
    s = run_open(S, dump, began);
  }
  hp_output_give_up(&S->output); /* of a run that did not begin */
  hp_well_paths_destroy(&paths, c->nwell);
  hp_sim_destroy(&S);
  return s;
}

/* Reads once what a restart needs. */
static void rehearse_restart(void *arg) {
  const arguments *a = arg;
  char master[4096];
  hp_restart from;
  if (hp_restart_read(a->restart, a->step, &from) == HP_OK) hp_restart_clear(&from);
  const size_t length = strlen(a->restart);
  const bool named = length > 3 && strcmp(a->restart + length - 3, ".h5") == 0;
  snprintf(master, sizeof master, "%s%s", a->restart, named ? "" : ".h5");
  hp_output_try(master);
}

/* In a process of its own; before threads and a GPU are there, which that would not have. */
static int try_restart(const arguments *a) {
  return a->restart != NULL ? hp_cli_exit(hp_child_rehearse(a->restart, rehearse_restart, (void *)a)) : HP_EXIT_OK;
}

/* A result that is missing or damaged is a mistake in the command line. */
static int read_restart(const arguments *a, hp_progress *progress, hp_restart *from) {
  const hp_status s = hp_restart_read(a->restart, a->step, from);
  const int code = hp_progress_error(progress, s);
  return s == HP_ERR_FILE ? HP_EXIT_USAGE : code;
}

/* What would be written is read: a mistake in the command line. */
static int refused(hp_status s) { return hp_cli_refused("run", s); }

/* Results, systems and matrices take the place of no file of the deck. */
static int check_results(const arguments *a, const char *base, const hp_inputs *deck) {
  char steps[1100];
  snprintf(steps, sizeof steps, "%s.step", base);
  int code = refused(hp_inputs_check_result(deck, base));
  if (code == HP_EXIT_OK && a->run.dump_matrix > 0)
    code = refused(hp_inputs_check_like(a->files, "--dump-matrix", steps, ""));
  if (code != HP_EXIT_OK || a->dump.name == NULL) return code;
  code = hp_cli_base(a->dump.name, a->deck, steps, sizeof steps - 8);
  if (code != HP_EXIT_OK) return code;
  strcat(steps, ".step");
  return refused(hp_inputs_check_like(a->files, "--dump-systems", steps, ".h5"));
}

/* Where results go, now that all files are known; then log and events begin. */
static int find_places(const arguments *a, const hp_case *c, const hp_inputs *deck, hp_progress *progress,
                       char base[1024]) {
  int code = HP_EXIT_OK;
  hp_inputs_add_all(a->files, deck);
  if (c != NULL) {
    const char *name = a->name != NULL ? a->name : a->restart != NULL ? a->restart : c->output.name;
    code = hp_cli_base(name, a->deck, base, 1024);
    if (code == HP_EXIT_OK) code = check_results(a, base, deck);
    if (code == HP_EXIT_OK) hp_inputs_add_result(a->files, base);
  }
  return code == HP_EXIT_OK ? refused(hp_progress_open(progress, a->files, c != NULL)) : code;
}

static int read_deck(const arguments *a, hp_progress *progress, hp_case **out, char base[1024]) {
  hp_diag diag;
  hp_diag_init(&diag);
  hp_status s = hp_case_read(a->deck, a->sets.count, a->sets.text, &diag, out);
  char why[1024];
  snprintf(why, sizeof why, "%s", hp_fail_text());
  const int placed = find_places(a, *out, &diag.read, progress, base);
  if (placed != HP_EXIT_OK) {
    hp_diag_clear(&diag);
    return placed;
  }
  if (s != HP_OK) s = hp_fail(s, "%s", why);
  const hp_status found = a->run.ahead != NULL ? hp_device_ahead_found(a->run.ahead) : HP_OK;
  if (found != HP_OK) s = found; /* a GPU that is missing is told first, and alone */
  else hp_progress_diag(progress, &diag);
  hp_diag_clear(&diag);
  const int code = hp_progress_error(progress, s);
  return s == HP_ERR_FILE ? HP_EXIT_USAGE : code;
}

/* With the observer that writes systems, if they are asked for. */
static int dump_and_run(const hp_case *c, arguments *a, const char *base, hp_restart *from, double began,
                        hp_progress *progress) {
  char systems[1024];
  bool begun = false; /* and its files get what it needs to go on */
  hp_dump *dump = NULL;
  if (a->dump.name != NULL) {
    const int code = hp_cli_base(a->dump.name, a->deck, systems, sizeof systems);
    if (code != HP_EXIT_OK) return code;
    const hp_status s = hp_dump_create(&a->dump, systems, &dump);
    if (s != HP_OK) return hp_progress_error(progress, s);
  }
  hp_status s = write_go_on(a, base, c->output.eclipse);
  if (s == HP_OK) s = run_case(c, a, base, dump, from, began, progress, &begun);
  const int code = hp_progress_error(progress, s);
  if (s != HP_OK && begun) tell_go_on(a, base, s, progress);
  hp_cli_go_on(NULL, NULL);
  hp_dump_destroy(&dump);
  return code;
}

static int read_and_run(arguments *a, double began, hp_progress *progress) {
  char base[1024];
  hp_case *c = NULL;
  hp_restart from = {.ncell = 0};
  int code = read_deck(a, progress, &c, base);
  if (code == HP_EXIT_OK && a->restart != NULL) code = read_restart(a, progress, &from);
  if (code == HP_EXIT_OK) {
    hp_cli_catch_signals();
    code = dump_and_run(c, a, base, a->restart != NULL ? &from : NULL, began, progress);
  }
  hp_restart_clear(&from);
  hp_case_destroy(&c);
  return code;
}

/* Tells of the run, and in the end how it went. */
static int tell_and_run(arguments *a, double began) {
  hp_progress *progress = NULL;
  hp_inputs_add(a->files, a->deck);
  if (a->restart != NULL) hp_inputs_add_result(a->files, a->restart);
  int code = refused(hp_progress_check(&a->progress, a->files));
  if (code == HP_EXIT_OK) code = hp_cli_exit(hp_progress_create(&a->progress, began, &progress));
  if (code != HP_EXIT_OK) return code;
  code = read_and_run(a, began, progress);
  hp_progress_end(progress, code);
  const int closed = hp_cli_exit(hp_progress_destroy(&progress));
  return code != HP_EXIT_OK ? code : closed;
}

int hp_cli_run(int argc, char **argv) {
  arguments a;
  char command[4096];
  const double began = hp_now();
  const hp_status joined = hp_cli_join(argc, argv, command, sizeof command);
  int code = parse(argc, argv, &a);
  if (code == HP_EXIT_OK) code = hp_cli_exit(joined);
  a.run.command_line = command;
  hp_parallel_limit(a.run.threads);
  if (code == HP_EXIT_OK) code = try_restart(&a);
  if (code == HP_EXIT_OK && a.run.backend == HP_BACKEND_CUDA) code = hp_cli_exit(hp_backend_cuda_ahead(&a.run.ahead));
  hp_inputs files = {0};
  a.files = &files;
  a.progress.command_line = command;
  code = code == HP_EXIT_OK ? tell_and_run(&a, began) : code < 0 ? HP_EXIT_OK : code;
  hp_inputs_clear(&files);
  hp_device_ahead_destroy(&a.run.ahead);
  HP_FREE(a.restart);
  HP_FREE(a.dump.name);
  hp_text_clear(&a.again);
  hp_text_clear(&a.go_on);
  HP_FREE(a.master);
  return code;
}
