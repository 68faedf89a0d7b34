/* hepta compare DECK */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/plural.h"
#include "core/show.h"
#include "io/files/text.h"
#include "sim/cli/args.h"
#include "sim/commands/commands.h"
#include "sim/compare/compare.h"

static const char help[] =
    "usage: hepta compare DECK --case \"NAME: KEY=VALUE ...\" --case ... [options]\n"
    "       hepta compare RESULT RESULT ... [-o FILE.html] [--data FILE.csv]\n\n"
    "Runs a deck once for each case and says what that took and how the results differ:\n"
    "a table here, FOLDER/compare.csv and more, and the page FOLDER/compare.html.\n"
    "Or writes a page about results that exist, of hepta (NAME.h5), OPM Flow and Eclipse\n"
    "(NAME.SMSPEC): totals, wells, curves and maps of what they differ by.\n\n"
    "      --case \"NAME: KEY=VALUE ...\"   a case: what it changes, as --set of 'hepta run'\n"
    "                           does, and backend=, threads=, gpus=; the first one is what\n"
    "                           the others are compared with; \"NAME:\" is the deck as it is\n"
    "      --cases FILE         cases from a file (docs/guide/compare.md)\n"
    "      --set-of SET         solvers, amg, formats, executions, gpus or papers: ready-made\n"
    "                           cases\n"
    "      --same-steps         the first case runs, and every case solves each of its linear\n"
    "                           systems; without, each runs with time steps of its own\n"
    "      --system STEP.NEWTON  the system whose residuals are kept (default: the one with\n"
    "                           the most iterations)\n"
    "      --set KEY=VALUE      overrides a key of the deck in all cases; may be repeated\n"
    "      --backend cpu|cuda   of cases that name none (default cpu)\n"
    "      --gpus LIST          of cases on GPUs that name none (default 1)\n"
    "      --threads N          of cases that name none (default: one per processor)\n"
    "  -o, --output FOLDER      for the results (default: DECK.compare beside you)\n"
    "      --data FILE.csv      of results: what was measured, as for hepta plot, with misfits;\n"
    "                           may be repeated\n"
    "      --progress auto|always|never  as for 'hepta run'\n"
    "  -h, --help\n\n"
    "A case that fails, or that needs a GPU where there is none, is a result: the table says\n"
    "why. Exit codes: 0 done, 1 no case finished or a file could not be written, 2 usage, deck\n"
    "or case error (nothing has run), 130 interrupted (what was computed is written).\n";

typedef struct {
  hp_compare *C;
  hp_cli_sets sets;
  int progress;
  hp_page_data data;
  char of_deck[32]; /* an option that is of no use to results that exist; empty: there is none */
} arguments;

/* ---- options ---- */

static bool speaks(void) { return hp_ranks_is_first(hp_ranks_world()); }

static int exit_code(hp_status s) { return hp_cli_refused("compare", s); }

static int parse_system(const char *text, hp_compare *C) {
  char dot;
  int end = 0;
  if (sscanf(text, "%d%c%d%n", &C->curve_step, &dot, &C->curve_newton, &end) == 3 && dot == '.' && text[end] == '\0' &&
      C->curve_step > 0 && C->curve_newton > 0)
    return HP_EXIT_OK;
  return hp_cli_usage_error("compare", "--system takes STEP.NEWTON, as 12.1, not '%s'", text);
}

static int set_option(const char *option, const char *text, void *arg) {
  arguments *a = arg;
  hp_compare *C = a->C;
  if (hp_args_is(option, "output")) {
    C->folder = text;
    return *text != '\0' ? HP_EXIT_OK : hp_cli_usage_error("compare", "-o needs a name");
  }
  if (hp_args_is(option, "data")) return hp_command_add_data("compare", text, &a->data);
  snprintf(a->of_deck, sizeof a->of_deck, "%s", option);
  if (hp_args_is(option, "case")) return exit_code(hp_compare_add_case(&C->list, text));
  if (hp_args_is(option, "cases")) {
    hp_inputs_add(&C->read, text);
    return exit_code(hp_compare_add_file(&C->list, text));
  }
  if (hp_args_is(option, "set-of")) return exit_code(hp_compare_add_set(&C->list, text));
  if (hp_args_is(option, "same-steps")) return hp_args_flag(&C->same_steps);
  if (hp_args_is(option, "system")) return parse_system(text, C);
  if (hp_args_is(option, "set")) return hp_cli_add_set("compare", text, &a->sets);
  if (hp_args_is(option, "backend")) return hp_cli_backend("compare", text, &C->backend);
  if (hp_args_is(option, "gpus")) return hp_cli_gpus("compare", text, &C->device);
  if (hp_args_is(option, "threads")) return hp_args_count("compare", "--threads", text, HP_TEAM_MAX, &C->threads);
  if (hp_args_is(option, "progress")) return hp_cli_progress("compare", text, &a->progress);
  return HP_ARGS_NOT_A_VALUE;
}

static const hp_args_syntax syntax = {"compare", help, true, set_option};

/* ---- judging the cases ---- */

/* Only the linear solver may differ between solvers of the same systems. */
static int check_same_steps(const hp_compare *C, int n) {
  const hp_compare_case *k = &C->list.of[n];
  for (int m = 0; m < k->nset; ++m)
    if (strncmp(k->set[m], "linear.", 7) != 0 && strncmp(k->set[m], "linear=", 7) != 0)
      return hp_cli_usage_error("compare",
                                "case '%s': %s: with --same-steps cases differ in keys of `linear` and in backend, "
                                "threads and gpus only; give it to all by --set",
                                k->name, k->set[m]);
  if (n > 0 || hp_compare_available(C, 0) == HP_OK) return HP_EXIT_OK;
  return hp_cli_usage_error("compare", "case '%s' defines the systems of --same-steps, and it does not run here: %s",
                            k->name, hp_fail_text());
}

static hp_status describe_deck(hp_compare *C, const hp_case *c) {
  const hp_grid *g = c->grid;
  C->units = c->units;
  snprintf(C->grid, sizeof C->grid, "%d x %d x %d = %lld cell%s, %lld active; %d well%s", g->nx, g->ny, g->nz,
           (long long)hp_grid_cells(g), hp_plural(hp_grid_cells(g)), (long long)g->nactive, c->nwell,
           hp_plural(c->nwell));
  return hp_format(&C->title, "%s", c->title != NULL ? c->title : "");
}

/* said: notes of the cases before. Keys, values, and whether they go together; on the backend that the case names,
 * whether there is one here or not. */
static int check_case(hp_compare *C, int n, hp_diag *said) {
  hp_cli_sets sets = {0};
  hp_case *c = NULL;
  hp_linear_options linear;
  const char *name = C->list.of[n].name;
  if (C->nset + C->list.of[n].nset > HP_CLI_SETS)
    return hp_cli_usage_error("compare", "case '%s': more than %d settings", name, HP_CLI_SETS);
  sets.count = hp_compare_settings(C, n, sets.text);
  int code = C->same_steps ? check_same_steps(C, n) : HP_EXIT_OK;
  if (code == HP_EXIT_OK && C->list.of[n].gpus != NULL && hp_compare_backend(C, n) != HP_BACKEND_CUDA)
    code = hp_cli_usage_error("compare", "case '%s': gpus is for backend=cuda", name);
  if (code == HP_EXIT_OK) code = hp_cli_read_run(C->deck, &sets, &C->read, said, &c);
  if (code == HP_EXIT_OK) {
    const char *refusal = hp_compare_linear(C, n, c, &linear);
    C->cut_bricks = C->cut_bricks || (refusal == NULL && C->same_steps && hp_linear_cuts_bricks(&linear));
    if (refusal != NULL) code = hp_cli_usage_error("compare", "case '%s': %s", name, refusal);
  } else if (speaks()) {
    fprintf(stderr, "hepta compare: case '%s' cannot be read; nothing has run\n", name);
  }
  if (code == HP_EXIT_OK && n == 0) code = hp_cli_exit(describe_deck(C, c));
  hp_case_destroy(&c);
  return code;
}

/* The files written there, FOLDER/compare.*, must not be files that are read. */
static int check_inputs(const hp_compare *C) {
  char base[900];
  snprintf(base, sizeof base, "%s/compare.", C->folder);
  return hp_cli_exit(hp_inputs_check_like(&C->read, "-o", base, ""));
}

/* The folder of the results; *name is freed by the caller. */
static int name_folder(hp_compare *C, char **name) {
  const char *slash = strrchr(C->deck, '/'), *leaf = slash != NULL ? slash + 1 : C->deck, *dot = strrchr(leaf, '.');
  const int letters = dot != NULL && dot != leaf ? (int)(dot - leaf) : (int)strlen(leaf);
  hp_status s = C->folder != NULL ? hp_format(name, "%s", C->folder) : hp_format(name, "%.*s.compare", letters, leaf);
  if (s != HP_OK) return hp_cli_exit(s);
  for (size_t n = strlen(*name); n > 1 && (*name)[n - 1] == '/';) (*name)[--n] = '\0';
  C->folder = *name;
  if (strlen(*name) > 800) return hp_cli_usage_error("compare", "the name of the folder is longer than 800 characters");
  return HP_EXIT_OK;
}

/* Made if it is missing. */
static int open_folder(const char *name) {
  struct stat st;
  const int made = hp_cli_make_folders("compare", "-o", name);
  if (made != HP_EXIT_OK) return made;
  if (mkdir(name, 0777) != 0 && errno != EEXIST)
    return hp_cli_usage_error("compare", "cannot make the folder '%s': %s", name, strerror(errno));
  if (stat(name, &st) != 0 || !S_ISDIR(st.st_mode)) return hp_cli_usage_error("compare", "'%s' is not a folder", name);
  if (access(name, W_OK | X_OK) != 0)
    return hp_cli_usage_error("compare", "cannot write in the folder '%s': %s", name, strerror(errno));
  return HP_EXIT_OK;
}

/* ---- the comparison ---- */

/* Computed results are written in any case. */
static int compare(hp_compare *C) {
  int finished = 0;
  if (speaks()) hp_cli_catch_signals();
  C->began = hp_now();
  const hp_failure ran = hp_fail_keep(C->same_steps ? hp_compare_systems(C) : hp_compare_run(C));
  C->whole = hp_now() - C->began;
  if (!speaks()) return HP_EXIT_OK;
  hp_compare_print(C, stdout);
  hp_status written = hp_compare_write_tables(C);
  if (written == HP_OK) written = hp_compare_write_page(C);
  if (written == HP_OK) printf("\nwrote %s/compare.html, compare.csv, and more beside them\n", hp_show(C->folder).s);
  for (int n = 0; n < C->list.count; ++n) finished += C->result[n].state == HP_COMPARE_FINISHED;
  if (ran.status != HP_OK && !hp_sim_first_to_say()) return hp_exit_code(ran.status);
  if (ran.status == HP_OK && written == HP_OK && finished == 0) written = hp_fail(HP_ERR_NUMERIC, "no case finished");
  return hp_cli_exit(hp_fail_both(ran, hp_fail_keep(written)));
}

static int prepare_and_compare(hp_compare *C) {
  char *folder = NULL;
  int code = HP_EXIT_OK;
  if (C->list.count < 2)
    return hp_cli_usage_error("compare", "a comparison takes two cases or more: --case, --cases or --set-of");
  bool on_gpus = false;
  for (int n = 0; n < C->list.count; ++n) on_gpus = on_gpus || hp_compare_backend(C, n) == HP_BACKEND_CUDA;
  if (!on_gpus) code = hp_cli_check_gpus("compare", HP_BACKEND_CPU, &C->device);
  hp_diag said;
  hp_diag_init(&said);
  for (int n = 0; n < C->list.count && code == HP_EXIT_OK; ++n) code = check_case(C, n, &said);
  hp_diag_clear(&said);
  if (code == HP_EXIT_OK) code = name_folder(C, &folder);
  if (code == HP_EXIT_OK && speaks()) code = open_folder(folder);
  if (code == HP_EXIT_OK && speaks()) code = check_inputs(C);
  code = hp_cli_shared(code);
  if (code == HP_EXIT_OK) code = compare(C);
  HP_FREE(folder);
  return code;
}

/* Results that exist; rank 0 draws. */
static int compare_results(const arguments *a, int count, char *const *given) {
  if (a->of_deck[0] != '\0')
    return hp_cli_usage_error("compare", "one deck at a time, and --%s is not for results that exist", a->of_deck);
  hp_result_names names;
  int code = hp_cli_exit(hp_result_names_create(count, given, &names));
  if (code == HP_EXIT_OK && speaks()) code = hp_command_page("compare", "--compare", &names, &a->data, a->C->folder);
  hp_result_names_destroy(&names);
  return hp_cli_shared(code);
}

int hp_command_compare(int argc, char **argv) {
  arguments a = {.progress = -1};
  char command[4096];
  int code;
  hp_status s = hp_cli_join(argc, argv, command, sizeof command);
  if (s == HP_OK) s = HP_ALLOC(a.C, 1);
  if (s != HP_OK) return hp_cli_exit(s);
  hp_compare *C = a.C;
  C->command_line = command;
  if (hp_args_parse(&syntax, argc, argv, &a, &code)) {
    C->set = a.sets.text;
    C->nset = a.sets.count;
    C->quiet = a.progress == 0;
    C->progress = a.progress;
    C->deck = argv[optind];
    if (optind == argc) code = hp_cli_usage_error("compare", "which deck, or which results?");
    else if (optind + 1 == argc && a.data.count > 0)
      code = hp_cli_usage_error("compare", "--data is for results that exist, two or more; 'hepta report' takes one");
    else code = optind + 1 == argc ? prepare_and_compare(C) : compare_results(&a, argc - optind, argv + optind);
  }
  hp_compare_clear(C);
  HP_FREE(a.C);
  return code;
}
