/* hepta run DECK */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/plural.h"
#include "core/show.h"
#include "io/deck/deck.h"
#include "io/files/text.h"
#include "sim/checkpoint/checkpoint.h"
#include "sim/cli/args.h"
#include "sim/cli/result_names.h"
#include "sim/commands/commands.h"
#include "sim/newton/dump_systems.h"
#include "sim/report/progress.h"
#include "sim/run/run.h"
#include "sim/run/steering.h"
#include "sim/simulator/files.h"
#include "sim/simulator/well_paths.h"

typedef struct {
  hp_run_options run;
  hp_device_options device; /* of --gpus */
  hp_progress_options progress;
  const char *deck, *name;
  char *restart;       /* NAME of --restart, or NULL */
  const char *step;    /* its STEP, NULL: the latest */
  const char *control; /* channel of --control, or NULL */
  hp_cli_sets sets;
  hp_dump_options dump;
  hp_text again; /* options that a run which goes on is given, too, as words of a shell */
} arguments;

static const char help[] =
    "usage: hepta run DECK [options]\n\n"
    "Runs a deck (*.cfg, or Eclipse *.DATA) and writes NAME.h5 with its step files,\n"
    "NAME.xdmf2 and NAME.view.py for ParaView, NAME.summary.csv and NAME.solver.csv.\n"
    "By R processes, on one host or several: mpirun -n R hepta run DECK\n"
    "(docs/guide/ranks.md).\n\n"
    "  -o, --output NAME        path and base name of the results (default: the deck's\n"
    "                           name, in the current folder); FOLDER/ takes the deck's\n"
    "                           name in that folder; the last -o counts; folders that\n"
    "                           are missing are made\n"
    "      --set KEY=VALUE      overrides a key of the deck, e.g. linear.method=gmres,\n"
    "                           timestep.max=6; may be repeated (docs/reference/deck.md)\n"
    "      --without LIST       keywords of an Eclipse deck, as in WELPI,GUIDERAT, that would\n"
    "                           stop the run and are left out instead, with a note\n"
    "      --parsing-strictness low|normal|high  without all such keywords; as without this\n"
    "                           option; or notes about the deck stop the run\n"
    "      --restart NAME[:STEP]  goes on from a report step of the result NAME, given by its\n"
    "                           number or date (default: the latest), to the same bits as a\n"
    "                           run that never stopped; without -o in its files. The\n"
    "                           schedule from there on may be another\n"
    "                           (docs/guide/results.md)\n"
    "      --control FILE       waits at each report time for lines of FILE, a pipe or a\n"
    "                           file, or of standard input (-), about wells, groups and\n"
    "                           time steps\n"
    "                           (docs/reference/terminal.md)\n"
    "      --threads N          members of the CPU team (default: one per processor; of each\n"
    "                           of several processes one)\n"
    "      --backend cpu|cuda   where to run: the processors (default) or NVIDIA GPUs\n"
    "      --gpus LIST          with --backend cuda, GPUs that work as one: how many, their\n"
    "                           numbers as in 0,1, or all (default 1; docs/guide/gpu.md);\n"
    "                           of several processes each has one of them, in turn\n"
    "                           (docs/guide/ranks.md)\n"
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
    "      --log FILE           all that is said about the run, with one line per time step;\n"
    "                           NAME.PRT: messages in the form of Eclipse's\n"
    "      --json[=FILE]        events, one JSON object per line, to FILE or standard output\n"
    "                           (then the tables go to standard error;\n"
    "                           docs/reference/terminal.md)\n"
    "  -h, --help\n\n"
    "Exit codes: 0 done, 1 the run failed (what was computed is kept), 2 usage or deck\n"
    "error, 130 interrupted. The first Ctrl-C finishes the step, leaves whole files and prints\n"
    "the command to go on with, a second one stops at once. A reader who goes away, as in\n"
    "| head, interrupts, too.\n";

static int parse_option(arguments *a, const char *option, const char *text) {
  if (hp_args_is(option, "output")) {
    a->name = text;
    return text[0] != '\0' ? HP_EXIT_OK : hp_cli_usage_error("run", "-o needs a name");
  }
  if (hp_args_is(option, "set")) return hp_cli_add_set("run", text, &a->sets);
  if (hp_args_is(option, "without")) return hp_cli_without("run", text, &a->sets);
  if (hp_args_is(option, "parsing-strictness")) return hp_cli_strictness("run", text, &a->sets);
  if (hp_args_is(option, "restart")) return hp_cli_result_step("run", "--restart", text, &a->restart, &a->step);
  if (hp_args_is(option, "control")) {
    a->control = text;
    return text[0] != '\0' ? HP_EXIT_OK : hp_cli_usage_error("run", "--control needs the name of a file, or -");
  }
  if (hp_args_is(option, "threads")) return hp_cli_threads("run", text, &a->run.threads);
  if (hp_args_is(option, "backend")) return hp_cli_backend("run", text, &a->run.backend);
  if (hp_args_is(option, "gpus")) return hp_cli_gpus("run", text, &a->device);
  if (hp_args_is(option, "monitor")) return hp_args_flag(&a->run.monitor);
  if (hp_args_is(option, "profile")) return hp_args_flag(&a->run.profile);
  if (hp_args_is(option, "check-jacobian")) return hp_args_flag(&a->run.check_jacobian);
  if (hp_args_is(option, "dump-matrix")) {
    if (hp_args_whole(text, 1, 1000000000, &a->run.dump_matrix)) return HP_EXIT_OK;
    return hp_cli_usage_error("run", "--dump-matrix takes the number of a time step, not '%s'", text);
  }
  if (hp_args_is(option, "dump-systems")) return hp_cli_refused("run", hp_dump_parse(text, &a->dump));
  if (hp_args_is(option, "progress")) return hp_cli_progress("run", text, &a->progress.when);
  if (hp_args_is(option, "quiet")) return hp_args_flag(&a->progress.quiet);
  if (hp_args_is(option, "log")) {
    a->progress.log = text;
    return text[0] != '\0' ? HP_EXIT_OK : hp_cli_usage_error("run", "--log needs the name of a file");
  }
  if (!hp_args_is(option, "json")) return HP_ARGS_NOT_A_VALUE;
  a->progress.json = text != NULL ? text : "-";
  return a->progress.json[0] != '\0' ? HP_EXIT_OK : hp_cli_usage_error("run", "--json= needs the name of a file");
}

/* The options are kept, too, but for those that name results or a channel: a run that goes on has its own. */
static int set_option(const char *option, const char *text, void *arg) {
  arguments *a = arg;
  const int code = parse_option(a, option, text);
  if (code != HP_EXIT_OK || hp_args_is(option, "output") || hp_args_is(option, "restart") ||
      hp_args_is(option, "control"))
    return code;
  hp_text_add(&a->again, " --%s", option);
  if (text == NULL) return HP_EXIT_OK;
  hp_text_add(&a->again, hp_args_is(option, "json") ? "=" : " ");
  hp_text_add_shell(&a->again, text);
  return HP_EXIT_OK;
}

static const hp_args_syntax syntax = {"run", help, true, set_option};

/* Requested output must have somewhere to go. */
static int check_quiet(const arguments *a) {
  const hp_run_options *r = &a->run;
  const char *asked = r->monitor          ? "--monitor"
                      : r->profile        ? "--profile"
                      : r->check_jacobian ? "--check-jacobian"
                                          : NULL;
  if (!a->progress.quiet || a->progress.log != NULL || asked == NULL) return HP_EXIT_OK;
  return hp_cli_usage_error("run", "%s has nowhere to go with --quiet: give --log FILE as well", asked);
}

static int check_operands(int argc, char **argv, arguments *a) {
  if (optind == argc) return hp_cli_usage_error("run", "which deck?");
  if (optind + 1 < argc) return hp_cli_usage_error("run", "one deck at a time: remove '%s'", argv[optind + 1]);
  a->deck = argv[optind];
  a->progress.no_bar = a->run.monitor;
  a->progress.append = a->restart != NULL && (a->name == NULL || strcmp(a->name, a->restart) == 0);
  const int code = hp_cli_check_gpus("run", a->run.backend, &a->device);
  return code == HP_EXIT_OK ? check_quiet(a) : code;
}

/* False: *code is the exit code. */
static bool parse(int argc, char **argv, arguments *a, int *code) {
  memset(a, 0, sizeof *a);
  a->progress.when = -1;
  a->run.device = &a->device;
  if (!hp_args_parse(&syntax, argc, argv, a, code)) return false;
  *code = check_operands(argc, argv, a);
  return *code == HP_EXIT_OK;
}

/* A run from its command line on: what it holds, from the first name to the last file. Of several ranks rank 0 alone has names of
 * files and the progress. */
typedef struct {
  arguments a;
  hp_ranks *K; /* NULL: a process by itself */
  double began;
  char base[1024]; /* of its result files */
  hp_inputs files; /* that are read, or are the result's: log and events go to others */
  hp_progress *progress;
  hp_case *c;
  hp_restart from;       /* of --restart */
  char systems[1024];    /* base name of --dump-systems */
  hp_dump *dump;         /* of --dump-systems, NULL: not asked for */
  hp_steering *steering; /* of --control, NULL: not asked for */
  hp_sim *S;
  hp_well_path *paths;
  bool in_place;  /* it goes on in the files of the result that it was read from */
  bool resumable; /* its files get what it needs to go on */
  hp_text go_on;  /* the command with which this run goes on if it stops */
  char *master;   /* the file that names the steps from which it may */
} job;

/* ---- files ---- */

/* A file to be written is also read: a mistake in the command line. */
static int refused(hp_status s) { return hp_cli_refused("run", s); }

/* Results, systems and matrices take the place of no file of the deck. */
static int check_results(const job *j, const hp_inputs *deck) {
  const arguments *a = &j->a;
  char steps[1100];
  snprintf(steps, sizeof steps, "%s.step", j->base);
  int code = refused(hp_inputs_check_result(deck, j->base));
  if (code == HP_EXIT_OK && a->run.dump_matrix > 0)
    code = refused(hp_inputs_check_like(&j->files, "--dump-matrix", steps, ""));
  if (code != HP_EXIT_OK || a->dump.name == NULL) return code;
  code = hp_cli_base(a->dump.name, a->deck, steps, sizeof steps - 8);
  if (code != HP_EXIT_OK) return code;
  strcat(steps, ".step");
  return refused(hp_inputs_check_like(&j->files, "--dump-systems", steps, ".h5"));
}

/* Where results go, now that all files are known; then log and events begin. */
static int find_places(job *j, const hp_inputs *deck) {
  const arguments *a = &j->a;
  int code = HP_EXIT_OK;
  hp_inputs_add_all(&j->files, deck);
  if (j->c != NULL) {
    const char *name = a->name != NULL ? a->name : a->restart != NULL ? a->restart : j->c->output.name;
    code = hp_cli_base(name, a->deck, j->base, sizeof j->base);
    if (code == HP_EXIT_OK) code = check_results(j, deck);
    if (code == HP_EXIT_OK) hp_inputs_add_result(&j->files, j->base);
  }
  return code == HP_EXIT_OK ? refused(hp_progress_open(j->progress, &j->files, j->c != NULL)) : code;
}

/* They are prepared before the backend is there, which may have to wait for a GPU, and get onto the disk behind it. */
static hp_status prepare_output(job *j) {
  const double t0 = hp_now();
  const hp_status s = hp_sim_prepare_output(j->S, &j->paths);
  j->S->start_part[HP_START_FILES] += hp_now() - t0;
  return s;
}

static hp_status write_opened(void *arg) {
  job *j = arg;
  hp_sim *S = j->S;
  const hp_output_parts parts = hp_sim_use_parts(S);
  HP_TRY(hp_output_use_start(S->output, S->res->threshold, S->region));
  hp_output_use_derived(S->output, hp_sim_derived_arrays(S), hp_sim_derived_links(S));
  if (j->a.restart == NULL) return hp_output_begin(j->c->nwell, j->paths, parts, &S->output);
  return hp_output_continue(j->c->nwell, j->paths, &j->from, parts, &j->in_place, &S->output);
}

/* The files of a run from the start, or from a step of another. */
static hp_status open_output(job *j) {
  hp_sim *S = j->S;
  const double t0 = hp_now();
  HP_TRY(hp_sim_write(S, write_opened, j));
  hp_ranks_broadcast(S->K, 0, &j->in_place, sizeof j->in_place);
  if (j->in_place) S->fields_step = j->from.step;
  S->start_part[HP_START_FILES] += hp_now() - t0;
  return HP_OK;
}

/* ---- going on ---- */

/* "hepta run DECK ... --restart BASE" with the options of this run. */
static hp_status write_go_on(job *j) {
  const arguments *a = &j->a;
  hp_text *t = &j->go_on;
  char starter[64];
  hp_ranks_starter(starter, sizeof starter);
  if (j->K != NULL) hp_text_add(t, "%s -n %d ", starter, hp_ranks_size(j->K));
  hp_text_add_shell(t, hp_program_name);
  hp_text_add(t, " run ");
  if (a->deck[0] == '-') hp_text_add(t, "./");
  hp_text_add_shell(t, a->deck);
  if (a->again.s != NULL) hp_text_add(t, "%s", a->again.s);
  hp_text_add(t, " --restart ");
  hp_text_add_shell(t, j->base);
  if (hp_result_step(j->base) != NULL) hp_text_add(t, ".h5");
  if (a->again.status != HP_OK || t->status != HP_OK) return HP_ERR_MEMORY;
  return hp_format(&j->master, "%s.h5", j->base);
}

/* How the run that stopped with `s` goes on, where its files hold a step for that. */
static void report_go_on(const job *j, hp_status s) {
  hp_restart from = {.ncell = 0};
  if (hp_restart_read(j->base, NULL, &from) == HP_OK) hp_progress_go_on(j->progress, s, j->go_on.s);
  hp_restart_clear(&from);
}

/* ---- the parts of a run, each with an exit code ---- */

static bool speaks(const job *j) { return hp_ranks_is_first(j->K); }

static int start_progress(job *j) {
  hp_inputs_add(&j->files, j->a.deck);
  if (j->a.control != NULL && strcmp(j->a.control, "-") != 0) hp_inputs_add(&j->files, j->a.control);
  if (j->a.restart != NULL) hp_inputs_add_result(&j->files, j->a.restart);
  const int code = refused(hp_progress_check(&j->a.progress, &j->files));
  return code == HP_EXIT_OK ? hp_cli_exit(hp_progress_create(&j->a.progress, j->began, &j->progress)) : code;
}

static int read_deck(job *j) {
  hp_diag diag;
  hp_diag_init(&diag);
  const arguments *a = &j->a;
  const hp_status found = hp_sim_read(a->deck, a->sets.count, a->sets.text, &diag, &j->c);
  const hp_failure read = hp_fail_keep(hp_cli_judge(&a->sets, &diag, found));
  const int placed = hp_cli_shared(speaks(j) ? find_places(j, &diag.read) : HP_EXIT_OK);
  if (placed != HP_EXIT_OK) {
    hp_diag_clear(&diag);
    return placed;
  }
  hp_status s = j->a.run.ahead != NULL ? hp_device_ahead_found(j->a.run.ahead) : HP_OK;
  if (s == HP_OK) { /* else a missing GPU is reported first, and alone */
    s = hp_fail_again(read);
    hp_progress_diag(j->progress, &diag);
  }
  hp_diag_clear(&diag);
  const int code = hp_progress_error(j->progress, s);
  return s == HP_ERR_FILE ? HP_EXIT_USAGE : code;
}

/* A result that is missing or damaged is a mistake in the command line. */
static int read_restart(job *j) {
  if (j->a.restart == NULL) return HP_EXIT_OK;
  hp_status s = hp_ranks_agree(j->K, speaks(j) ? hp_restart_read(j->a.restart, j->a.step, &j->from) : HP_OK);
  if (s == HP_OK) s = hp_restart_share(j->K, &j->from);
  if (s == HP_OK) s = hp_steering_restore(&j->from, j->c);
  const int code = hp_progress_error(j->progress, s);
  return s == HP_ERR_FILE ? HP_EXIT_USAGE : code;
}

static int open_control(job *j) {
  if (j->a.control == NULL) return HP_EXIT_OK;
  return hp_progress_error(j->progress, hp_steering_open(j->a.control, j->K, &j->steering));
}

/* The observer that writes systems, if they are asked for. */
static int open_dump(job *j) {
  if (j->a.dump.name == NULL) return HP_EXIT_OK;
  const int code = hp_cli_shared(speaks(j) ? hp_cli_base(j->a.dump.name, j->a.deck, j->systems, sizeof j->systems)
                                           : HP_EXIT_OK);
  return code == HP_EXIT_OK
             ? hp_progress_error(j->progress, hp_ranks_agree(j->K, hp_dump_create(&j->a.dump, j->systems, &j->dump)))
             : code;
}

static hp_status prepare_run(job *j) {
  hp_run_options opt = j->a.run;
  if (j->dump != NULL) opt.observer = hp_dump_observer(j->dump);
  opt.goes_on = j->a.restart != NULL;
  HP_TRY(hp_ranks_agree(j->K, speaks(j) ? write_go_on(j) : HP_OK));
  HP_TRY(hp_sim_prepare(j->c, &opt, j->base, &j->S));
  HP_TRY(prepare_output(j));
  if (j->K != NULL) j->S->releases = j->c;
  HP_TRY(hp_sim_start(j->S));
  if (j->a.restart != NULL) HP_TRY(hp_checkpoint_resume(j->S, &j->from));
  HP_TRY(open_output(j));
  hp_restart_clear_cells(&j->from);
  hp_sim *S = j->S;
  hp_sim_end_start(S, j->began);
  S->start_part[HP_START_DECK] = j->c->seconds - j->c->grid_seconds;
  S->start_part[HP_START_GRID] = j->c->grid_seconds;
  S->progress = j->progress;
  S->steering = j->steering;
  if (S->output != NULL) hp_output_use_said(S->output, hp_progress_said(j->progress));
  j->resumable = S->keeps;
  if (S->keeps && speaks(j)) hp_cli_go_on(j->go_on.s, j->master);
  return HP_OK;
}

/* Runs, closes the files whatever happened, prints the tables. */
static hp_status simulate(job *j) {
  hp_sim *S = j->S;
  const hp_status started = hp_ranks_agree(S->K, hp_progress_start(S));
  const hp_failure ran = hp_fail_keep(started == HP_OK ? hp_sim_run(S) : started);
  hp_progress_keep_end(S, ran.status != HP_OK ? ran.text : NULL);
  const double t0 = hp_now();
  const hp_failure closed = hp_fail_keep(hp_sim_close_output(S));
  hp_profile_add(&S->profile, HP_PROF_OUTPUT, hp_now() - t0, 0.0);
  if (S->opt.dump_matrix > S->step + (ran.status != HP_OK))
    hp_progress_warn(S, "--dump-matrix %d: nothing was written, the run made %d time step%s", S->opt.dump_matrix,
                     S->step, hp_plural(S->step));
  if (j->dump != NULL) hp_dump_report(j->dump, S);
  if (hp_backend_ranks(S->backend, &S->nrank, &S->rank) != HP_OK) S->nrank = 0;
  hp_progress_finish(S, hp_now() - j->began);
  return hp_fail_both(ran, closed);
}

static int run(job *j) {
  if (speaks(j)) hp_cli_catch_signals();
  hp_status s = prepare_run(j);
  hp_ranks_check_alone(j->K, s);
  if (s == HP_OK) s = simulate(j);
  if (j->S != NULL) hp_output_give_up(&j->S->output); /* of a run that did not begin */
  hp_well_paths_destroy(&j->paths, j->c->nwell);
  hp_sim_destroy(&j->S); /* results are whole before anybody is told how to go on from them */
  const int code = hp_progress_error(j->progress, s);
  hp_sim_first_to_say(); /* nothing is to be said any more if the starter ends the processes */
  if (s != HP_OK && j->resumable && speaks(j)) report_go_on(j, s);
  hp_cli_go_on(NULL, NULL);
  return code;
}

/* ---- a run ---- */

/* Of a deck that asks for no simulation; ranks, each with its part of the cells, leave the table to `hepta check`. */
static int check_only(job *j) {
  const hp_status s = j->K == NULL ? hp_command_check_case(j->c, &j->a.run, false, stdout) : HP_OK;
  return hp_progress_error(j->progress, s);
}

static int run_job(job *j, int argc, char **argv, char *command, size_t size) {
  const hp_status joined = hp_cli_join(argc, argv, command, size);
  int code;
  if (!parse(argc, argv, &j->a, &code)) return code;
  j->a.run.command_line = j->a.progress.command_line = command;
  hp_parallel_limit(j->a.run.threads);
  code = hp_cli_exit(joined);
  if (code == HP_EXIT_OK) code = hp_cli_shared(speaks(j) ? hp_cli_try_restart(j->a.restart, j->a.step) : HP_EXIT_OK);
  if (code == HP_EXIT_OK)
    code = hp_cli_exit(hp_ranks_agree(j->K, hp_backend_ahead(j->a.run.backend, &j->a.device, &j->a.run.ahead)));
  if (code == HP_EXIT_OK) code = hp_cli_shared(speaks(j) ? start_progress(j) : HP_EXIT_OK);
  if (code != HP_EXIT_OK) return code;
  code = read_deck(j);
  const bool runs = code == HP_EXIT_OK && !j->c->no_simulation;
  if (code == HP_EXIT_OK && !runs) code = check_only(j);
  if (runs) code = read_restart(j);
  if (runs && code == HP_EXIT_OK) code = open_dump(j);
  if (runs && code == HP_EXIT_OK) code = open_control(j);
  if (runs && code == HP_EXIT_OK) code = run(j);
  hp_progress_end(j->progress, code);
  const int closed = hp_cli_exit(hp_progress_destroy(&j->progress));
  return code != HP_EXIT_OK ? code : closed;
}

int hp_command_run(int argc, char **argv) {
  job j = {.began = hp_now(), .K = hp_ranks_world()};
  char command[4096];
  const int code = run_job(&j, argc, argv, command, sizeof command);
  hp_dump_destroy(&j.dump);
  hp_steering_close(&j.steering);
  hp_restart_clear(&j.from);
  hp_case_destroy(&j.c);
  hp_inputs_clear(&j.files);
  hp_device_ahead_destroy(&j.a.run.ahead);
  HP_FREE(j.a.restart);
  HP_FREE(j.a.dump.name);
  hp_text_clear(&j.a.again);
  hp_text_clear(&j.go_on);
  HP_FREE(j.master);
  return code;
}
