/* hepta plot RESULT.h5: checks the options and starts sim/commands/plot/plot.py, which draws. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/show.h"
#include "io/files/text.h"
#include "io/inputs.h"
#include "sim/cli/args.h"
#include "sim/cli/child.h"
#include "sim/cli/result_names.h"
#include "sim/commands/commands.h"

static const char help[] =
    "usage: hepta plot RESULT[.h5] [MORE ...] [options]\n\n"
    "Draws rates, totals, water cut, recovery, pressure, Newton and linear iterations, and\n"
    "where the time went; several results in one picture. Or a map of a layer, or a section\n"
    "along i or j, with the wells. Of a result of 'hepta diagnose': rates between wells, pore\n"
    "volumes that they drain, F-Phi and sweep. A result is also NAME.SMSPEC of OPM Flow or\n"
    "Eclipse, with the files beside it.\n\n"
    "  -o, --output FILE        .png, .pdf or .svg (default: a .png named after the first\n"
    "                           result and what is drawn)\n"
    "      --well NAME          rates, water cut and bottom-hole pressure of a well instead\n"
    "                           of the field's; of an injector what it injected in all\n"
    "                           instead of a water cut; 'P*': a panel each of their rates\n"
    "      --vector LIST        these columns of the summary instead: FOPR,WBHP:P1,'WWCT:*'\n"
    "      --data FILE.csv      measured or reference values, as points: columns TIME, FOPR,\n"
    "                           ... as in NAME.summary.csv; may be repeated\n"
    "      --map ARRAY          sw, so, pressure, porosity, permx, ...: a map of one result; of\n"
    "                           'hepta diagnose' time_to_producers, drained_by, ...\n"
    "      --layer K            of the map, from 1 at the top (default 1)\n"
    "      --i I                a section instead: the cells of that i, from 1\n"
    "      --j J                likewise, the cells of that j\n"
    "      --time T[,T...]      of the map, in the deck's unit, or a date: the nearest report\n"
    "                           (default the last); several: a picture each, on one scale\n"
    "      --range LOW,HIGH     numbers at the ends of the map's colours (default: its own)\n"
    "      --bubbles VECTOR     on a map, a vector of the wells as discs: WOPT; misfit:WOPR:\n"
    "                           how far they are from what was observed, or from --data\n"
    "  -h, --help\n\n"
    "Needs python3 with h5py and matplotlib (Debian, Ubuntu: apt install python3-h5py\n"
    "python3-matplotlib): $HEPTA_PYTHON, python3 on PATH, or /usr/bin/python3.\n\n"
    "Exit codes: 0 done, 1 a file cannot be read or written, or a module is missing, 2 usage.\n";

enum { DATA_MAX = 32, RESULTS_MAX = 64, TIMES_LENGTH = 4096 };

typedef struct {
  const char *output, *well, *vector, *map, *layer, *i, *j, *time, *range, *bubbles, *data[DATA_MAX];
  int ndata;
} arguments;

/* ---- options ---- */

static bool has_ending(const char *path, const char *ending) {
  const size_t n = strlen(path), length = strlen(ending);
  return n > length && strcasecmp(path + n - length, ending) == 0;
}

/* Calls step for each of numbers or dates apart by commas; false where one of them does. */
static bool each_time(const char *text, bool (*step)(void *arg, const char *one), void *arg) {
  char one[64];
  for (const char *at = text;; ++at) {
    const size_t n = strcspn(at, ",");
    snprintf(one, sizeof one, "%.*s", (int)n, at);
    if (n >= sizeof one || !step(arg, one)) return false;
    at += n;
    if (*at == '\0') return true;
  }
}

static bool is_time(void *arg, const char *one) {
  double time;
  (void)arg;
  return hp_date_is_meant(one) || hp_args_real(one, 0.0, 1e300, &time);
}

static bool is_range(const char *text) {
  const char *comma = strchr(text, ',');
  char low[64];
  double a, b;
  if (comma == NULL || comma - text >= (int)sizeof low) return false;
  snprintf(low, sizeof low, "%.*s", (int)(comma - text), text);
  return hp_args_real(low, -1e300, 1e300, &a) && hp_args_real(comma + 1, -1e300, 1e300, &b) && a < b;
}

static int set_option(const char *option, const char *text, void *arg) {
  arguments *a = arg;
  int place;
  if (hp_args_is(option, "output")) {
    a->output = text;
    if (has_ending(text, ".png") || has_ending(text, ".pdf") || has_ending(text, ".svg")) return HP_EXIT_OK;
    return hp_cli_usage_error("plot", "-o %s: the name ends in .png, .pdf or .svg", text);
  }
  if (hp_args_is(option, "well")) return hp_args_text(text, &a->well);
  if (hp_args_is(option, "vector")) return hp_args_name(text, &a->vector);
  if (hp_args_is(option, "data")) {
    if (a->ndata == DATA_MAX) return hp_cli_usage_error("plot", "more than %d files of data", (int)DATA_MAX);
    return hp_args_text(text, &a->data[a->ndata++]);
  }
  if (hp_args_is(option, "map")) return hp_args_name(text, &a->map);
  if (hp_args_is(option, "layer")) return hp_args_count("plot", "--layer", a->layer = text, 1000000, &place);
  if (hp_args_is(option, "i")) return hp_args_count("plot", "--i", a->i = text, 1000000000, &place);
  if (hp_args_is(option, "j")) return hp_args_count("plot", "--j", a->j = text, 1000000000, &place);
  if (hp_args_is(option, "time")) return hp_args_good(each_time(a->time = text, is_time, NULL));
  if (hp_args_is(option, "range")) return hp_args_good(is_range(a->range = text));
  if (hp_args_is(option, "bubbles")) return hp_args_name(text, &a->bubbles);
  return HP_ARGS_NOT_A_VALUE;
}

static const hp_args_syntax syntax = {"plot", help, true, set_option};

static int check_readable(const char *path) {
  if (access(path, R_OK) == 0)
    return has_ending(path, ".h5") ? hp_cli_exit(hp_child_try_result(path, false)) : HP_EXIT_OK;
  fprintf(stderr, "hepta: %s: %s\n", hp_show(path).s, strerror(errno));
  return HP_EXIT_USAGE;
}

/* Options must go together, and the files must exist. */
static int check(const arguments *a, int count, char *const *result) {
  if (count == 0) return hp_cli_usage_error("plot", "which result file?");
  if (count > RESULTS_MAX) return hp_cli_usage_error("plot", "more than %d results", (int)RESULTS_MAX);
  if (a->map != NULL && count > 1) return hp_cli_usage_error("plot", "--map draws one result");
  const int places = (a->layer != NULL) + (a->i != NULL) + (a->j != NULL);
  if (a->map != NULL && (a->well != NULL || a->vector != NULL || (a->ndata > 0 && a->bubbles == NULL)))
    return hp_cli_usage_error("plot", "--well, --vector and --data are for curves, not for --map without --bubbles");
  if (a->map == NULL && (places > 0 || a->time != NULL || a->range != NULL || a->bubbles != NULL))
    return hp_cli_usage_error("plot", "--layer, --i, --j, --time, --range and --bubbles are for --map");
  if (places > 1) return hp_cli_usage_error("plot", "--layer, --i and --j: one of them");
  if (a->well != NULL && a->vector != NULL)
    return hp_cli_usage_error("plot", "--well and --vector: one of them; --vector 'W*:%s' draws all of a well",
                              a->well);
  int code = HP_EXIT_OK;
  for (int n = 0; n < count && code == HP_EXIT_OK; ++n) code = check_readable(result[n]);
  for (int n = 0; n < a->ndata && code == HP_EXIT_OK; ++n) code = check_readable(a->data[n]);
  return code;
}

/* ---- the script ---- */

/* The picture does not replace a file that is drawn; sim/commands/plot/plot.py checks that for the usual name. */
static int check_output(const arguments *a, int count, char *const *result) {
  hp_inputs read = {0};
  for (int n = 0; n < count; ++n) hp_inputs_add_result(&read, result[n]);
  for (int n = 0; n < a->ndata; ++n) hp_inputs_add(&read, a->data[n]);
  const hp_status s = a->output != NULL ? hp_inputs_check(&read, "-o", a->output, HP_INPUTS_TEXT) : HP_OK;
  hp_inputs_clear(&read);
  return hp_cli_exit(s);
}

/* *count arguments from argv[2] on are to be freed. */
static hp_status add_options(const arguments *a, char **argv, int *count) {
  HP_TRY(hp_child_add(argv, count, "--output", a->output));
  HP_TRY(hp_child_add(argv, count, "--well", a->well));
  HP_TRY(hp_child_add(argv, count, "--vector", a->vector));
  HP_TRY(hp_child_add(argv, count, "--map", a->map));
  HP_TRY(hp_child_add(argv, count, "--layer", a->layer));
  HP_TRY(hp_child_add(argv, count, "--i", a->i));
  HP_TRY(hp_child_add(argv, count, "--j", a->j));
  HP_TRY(hp_child_add(argv, count, "--time", a->time));
  HP_TRY(hp_child_add(argv, count, "--range", a->range));
  HP_TRY(hp_child_add(argv, count, "--bubbles", a->bubbles));
  for (int d = 0; d < a->ndata; ++d) HP_TRY(hp_child_add(argv, count, "--data", a->data[d]));
  return HP_OK;
}

/* Times in numbers: dates are looked up in the first result. */
typedef struct {
  const char *result;
  char *out; /* [TIMES_LENGTH] */
  size_t length;
  int code;
} time_list;

static bool add_time(void *arg, const char *one) {
  time_list *l = arg;
  char number[32];
  l->code = hp_cli_time(l->result, &one, number);
  if (l->code != HP_EXIT_OK) return false;
  const int n = snprintf(l->out + l->length, TIMES_LENGTH - l->length, "%s%s", l->length > 0 ? "," : "", one);
  l->length += (size_t)n;
  if (l->length < TIMES_LENGTH) return true;
  l->code = hp_cli_usage_error("plot", "--time: too many times");
  return false;
}

static int find_times(arguments *a, const char *result, char out[TIMES_LENGTH]) {
  time_list l = {result, out, 0, HP_EXIT_OK};
  if (a->time == NULL || each_time(a->time, add_time, &l)) a->time = a->time != NULL ? out : NULL;
  return l.code;
}

static int plot(arguments *a, const hp_result_names *results) {
  int n = HP_CHILD_OWN;
  char *child[DATA_MAX + RESULTS_MAX + 24];
  int code = check(a, results->count, results->name);
  char time[TIMES_LENGTH] = "";
  if (code == HP_EXIT_OK) code = find_times(a, results->name[0], time);
  if (code == HP_EXIT_OK) code = check_output(a, results->count, results->name);
  if (code == HP_EXIT_OK && a->output != NULL) code = hp_cli_make_folders("plot", "-o", a->output);
  if (code != HP_EXIT_OK) return code;
  code = hp_cli_exit(add_options(a, child, &n));
  const int made = n;
  if (code == HP_EXIT_OK) {
    child[n++] = (char *)"--";
    for (int r = 0; r < results->count; ++r) child[n++] = results->name[r];
    child[n] = NULL;
    code = hp_child_draw("plot", child);
  }
  for (int m = HP_CHILD_OWN; m < made; ++m) HP_FREE(child[m]);
  return code;
}

int hp_command_plot(int argc, char **argv) {
  arguments a = {0};
  hp_result_names results;
  int code;
  if (!hp_args_parse(&syntax, argc, argv, &a, &code)) return code;
  code = hp_cli_exit(hp_result_names_create(argc - optind, argv + optind, &results));
  if (code == HP_EXIT_OK) code = plot(&a, &results);
  hp_result_names_destroy(&results);
  return code;
}
