/* hepta diagnose RESULT[:STEP]: flow diagnostics of a report step (sim/diagnose/diagnose.h). */
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/ranks/ranks.h"
#include "core/show.h"
#include "io/files/text.h"
#include "io/inputs.h"
#include "sim/checkpoint/checkpoint.h"
#include "sim/cli/args.h"
#include "sim/cli/child.h"
#include "sim/cli/result_names.h"
#include "sim/commands/commands.h"
#include "sim/diagnose/diagnose.h"
#include "sim/diagnose/state.h"
#include "sim/run/run.h"
#include "sim/run/steering.h"

static const char help[] =
    "usage: hepta diagnose RESULT[:STEP] [options]\n\n"
    "Flow diagnostics of a report step, given by its number or date (default: the latest):\n"
    "what each producer takes of each injector and aquifer, pore volumes that wells flood and\n"
    "drain, times of flight, Lorenz coefficient and sweep, from the fluxes of the state. Prints\n"
    "tables, and writes beside the result\n\n"
    "  RESULT.flow.csv   every pair of a source and a sink: rate, shares, pore volume\n"
    "  RESULT.flow.h5    a result with the times, shares and regions as fields, for\n"
    "                    'hepta plot RESULT.flow' (allocation and curves), 'hepta plot\n"
    "                    RESULT.flow --map time_from_injectors', 'hepta paraview RESULT.flow'\n\n"
    "A step without restart data, which the last two of a run have (all with output.restart = -1),\n"
    "makes a short time step from its fields. docs/guide/diagnose.md says what the numbers mean.\n\n"
    "  -o, --output NAME        path and base name of the files in place of RESULT.flow\n"
    "      --deck FILE          the deck (default: that which the result was made of)\n"
    "      --set KEY=VALUE      as the run had it, may be repeated (default: the run's own, as\n"
    "                           for --without)\n"
    "      --without LIST       likewise\n"
    "      --threads N          of the time step that a report step without restart data takes\n"
    "                           (default: one per processor)\n"
    "      --pairs N            rows of the table of pairs (default 40)\n"
    "  -q, --quiet              files only, and errors\n"
    "  -h, --help\n\n"
    "Exit codes: 0 done, 1 a file cannot be written or memory ran out, 2 usage, a deck that\n"
    "differs, a step without restart data, nothing that flows.\n";

typedef struct {
  const char *output, *deck;
  hp_cli_sets sets;
  int pairs, threads;
  bool quiet;
} arguments;

static int set_option(const char *option, const char *text, void *arg) {
  arguments *a = arg;
  if (hp_args_is(option, "output")) return hp_args_name(text, &a->output);
  if (hp_args_is(option, "deck")) return hp_args_name(text, &a->deck);
  if (hp_args_is(option, "set")) return hp_cli_add_set("diagnose", text, &a->sets);
  if (hp_args_is(option, "without")) return hp_cli_without("diagnose", text, &a->sets);
  if (hp_args_is(option, "pairs")) return hp_args_count("diagnose", "--pairs", text, INT_MAX, &a->pairs);
  if (hp_args_is(option, "threads")) return hp_cli_threads("diagnose", text, &a->threads);
  if (hp_args_is(option, "quiet")) return hp_args_flag(&a->quiet);
  return HP_ARGS_NOT_A_VALUE;
}

static const hp_args_syntax syntax = {"diagnose", help, true, set_option};

/* ---- what the result was made of ---- */

typedef struct {
  arguments a;
  char *name;       /* of the result, as given */
  char *base;       /* without .h5 */
  const char *step; /* NULL: the latest */
  char *master, *deck, *command;
  hp_inputs read;
  hp_case *c;
  hp_reported at;
  hp_restart from; /* its restart data, or where it has none the latest ones */
  hp_sim *S;
} job;

/* Takes the first word off a line that hp_text_add_shell has made, without its quotes; NULL: there is none. */
static char *next_word(char **line) {
  char *at = *line + strspn(*line, " "), *word = at, *to = at;
  bool quoted = false;
  if (*at == '\0') return NULL;
  for (; *at != '\0' && (quoted || *at != ' '); ++at) {
    if (*at == '\'') quoted = !quoted;
    else if (*at == '\\' && !quoted && at[1] != '\0') *to++ = *++at;
    else *to++ = *at;
  }
  *line = *at == '\0' ? at : at + 1;
  *to = '\0';
  return word;
}

/* The value of an option in the words of a command line: behind '=', or the next word. */
static char *value_of(const char *option, char *word, char **line) {
  const size_t n = strlen(option);
  if (strncmp(word, option, n) != 0) return NULL;
  if (word[n] == '=') return word + n + 1;
  return word[n] == '\0' ? next_word(line) : NULL;
}

/* Settings of the run, which changed its deck. */
static int take_sets(job *j) {
  char *line = j->command;
  int code = HP_EXIT_OK;
  for (char *word; code == HP_EXIT_OK && (word = next_word(&line)) != NULL;) {
    char *value;
    if ((value = value_of("--set", word, &line)) != NULL) code = hp_cli_add_set("diagnose", value, &j->a.sets);
    else if ((value = value_of("--without", word, &line)) != NULL) code = hp_cli_without("diagnose", value, &j->a.sets);
    else if ((value = value_of("--parsing-strictness", word, &line)) != NULL && strcmp(value, "low") == 0)
      code = hp_cli_strictness("diagnose", value, &j->a.sets);
  }
  return code;
}

static int find_deck(job *j) {
  int code = hp_cli_exit(hp_output_origin(j->master, &j->deck, &j->command));
  if (code != HP_EXIT_OK) return code;
  if (j->a.sets.count == 0 && j->a.deck == NULL) code = take_sets(j);
  if (j->a.deck == NULL) j->a.deck = j->deck;
  if (code != HP_EXIT_OK || access(j->a.deck, R_OK) == 0) return code;
  return hp_cli_usage_error("diagnose", "%s: the deck of the result is not there: name it with --deck",
                            hp_show(j->a.deck).s);
}

static int read_case(job *j) {
  const int code = hp_cli_read_case(j->a.deck, &j->a.sets, &j->read, &j->c);
  if (code != HP_EXIT_OK) return code;
  hp_case *c = j->c;
  if (j->at.kept) { /* no system is solved */
    c->cpr = false;
    c->preconditioner_given = true;
    c->linear = (hp_krylov_options){.preconditioner = HP_PRECOND_JACOBI, .tolerance = 0.5, .max_iterations = 1};
  } else {
    c->timestep.accuracy = 0.0;
  }
  c->output.summary = c->output.eclipse = false;
  c->output.fields = true;
  c->output.restart = 0;
  return HP_EXIT_OK;
}

/* ---- the state ---- */

static hp_status diagnose(job *j, const char *base, const char *command) {
  const hp_run_options options = {
      .backend = HP_BACKEND_CPU, .threads = j->a.threads, .goes_on = j->at.kept, .no_restart = true};
  hp_fluxes F;
  hp_diagnosis D;
  if (!j->at.kept) HP_TRY(hp_reported_read(j->master, j->c, &j->at));
  HP_TRY(hp_steering_restore(&j->from, j->c));
  HP_TRY(hp_sim_create(j->c, &options, j->base, &j->S));
  HP_TRY(j->at.kept ? hp_checkpoint_resume(j->S, &j->from) : hp_diagnose_from_fields(j->S, &j->at));
  HP_TRY(hp_fluxes_create(j->S, &F));
  hp_status s = hp_diagnose(&F, &D);
  if (s == HP_OK) {
    s = hp_diagnosis_write(j->S, &D, base, command);
    if (s == HP_OK && !j->a.quiet && !j->at.kept)
      printf("note: report step %d has no restart data: fluxes are those of a time step of %.4g %s from its fields\n",
             j->at.step, j->S->dt / j->c->units.factor[HP_UNIT_TIME], j->c->units.label[HP_UNIT_TIME]);
    if (s == HP_OK && !j->a.quiet) s = hp_diagnosis_print(j->S, &D, j->a.pairs > 0 ? j->a.pairs : 40, stdout);
    hp_diagnosis_destroy(&D);
  }
  hp_fluxes_destroy(&F);
  return s;
}

/* ---- files ---- */

static int find_place(job *j, char *base, size_t size) {
  char *usual = NULL, *csv = NULL;
  hp_inputs_add_result(&j->read, j->name);
  int code = hp_cli_exit(hp_format(&usual, "%s.flow", j->base));
  if (code == HP_EXIT_OK) code = hp_cli_base(j->a.output != NULL ? j->a.output : usual, j->a.deck, base, size);
  if (code == HP_EXIT_OK) code = hp_cli_exit(hp_format(&csv, "%s.csv", base));
  if (code == HP_EXIT_OK) code = hp_cli_refused("diagnose", hp_inputs_check_result(&j->read, base));
  if (code == HP_EXIT_OK) code = hp_cli_refused("diagnose", hp_inputs_check(&j->read, "-o", csv, HP_INPUTS_TEXT));
  HP_FREE(usual);
  HP_FREE(csv);
  return code;
}

/* Those of the latest step have what a steered run was told, too. */
static int read_restart(job *j) {
  const hp_status s = hp_restart_read(j->name, j->at.kept ? j->step : NULL, &j->from);
  return j->at.kept || s == HP_ERR_MEMORY ? hp_cli_exit(s) : HP_EXIT_OK;
}

static int diagnose_result(job *j, const char *command) {
  char base[1024];
  int code = hp_cli_try_restart(j->name, j->step);
  if (code == HP_EXIT_OK) code = hp_cli_exit(hp_reported_find(j->name, j->step, &j->at));
  if (code == HP_EXIT_OK) code = read_restart(j);
  if (code == HP_EXIT_OK) code = hp_cli_exit(hp_child_try_result(j->master, false));
  if (code == HP_EXIT_OK) code = find_deck(j);
  if (code == HP_EXIT_OK) code = read_case(j);
  if (code == HP_EXIT_OK) code = find_place(j, base, sizeof base);
  if (code == HP_EXIT_OK) code = hp_cli_exit(diagnose(j, base, command));
  if (code == HP_EXIT_OK && !j->a.quiet) printf("\nwrote %s.h5, %s.csv\n", hp_show(base).s, hp_show(base).s);
  return code;
}

/* NAME, NAME.h5 or either with :STEP. */
static int parse_result(job *j, int argc, char **argv) {
  if (optind == argc) return hp_cli_usage_error("diagnose", "which result?");
  if (optind + 1 < argc) return hp_cli_usage_error("diagnose", "one result at a time: remove '%s'", argv[optind + 1]);
  const int code = hp_cli_result_step("diagnose", "it", argv[optind], &j->name, &j->step);
  if (code != HP_EXIT_OK) return code;
  const size_t n = strlen(j->name);
  const bool named = n > 3 && strcmp(j->name + n - 3, ".h5") == 0;
  hp_status s = hp_format(&j->master, "%s%s", j->name, named ? "" : ".h5");
  if (s == HP_OK) s = hp_format(&j->base, "%.*s", (int)(named ? n - 3 : n), j->name);
  return hp_cli_exit(s);
}

int hp_command_diagnose(int argc, char **argv) {
  job j = {.from = {.ncell = 0}};
  char command[4096];
  int code;
  const hp_status joined = hp_cli_join(argc, argv, command, sizeof command);
  if (!hp_args_parse(&syntax, argc, argv, &j.a, &code)) return code;
  code = hp_cli_exit(joined);
  if (code == HP_EXIT_OK && hp_ranks_world() != NULL)
    code = hp_cli_usage_error("diagnose", "it works in one process: start it without mpirun");
  if (code == HP_EXIT_OK) code = parse_result(&j, argc, argv);
  if (code == HP_EXIT_OK) code = diagnose_result(&j, command);
  hp_sim_destroy(&j.S);
  hp_restart_clear(&j.from);
  hp_reported_clear(&j.at);
  hp_case_destroy(&j.c);
  hp_inputs_clear(&j.read);
  HP_FREE(j.name);
  HP_FREE(j.base);
  HP_FREE(j.master);
  HP_FREE(j.deck);
  HP_FREE(j.command);
  return code;
}
