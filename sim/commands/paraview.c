/* hepta paraview RESULT.h5: writes the script that shows a result (io/results/view.c), and starts ParaView with it. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/show.h"
#include "io/files/text.h"
#include "io/inputs.h"
#include "io/results/output.h"
#include "sim/cli/args.h"
#include "sim/cli/child.h"
#include "sim/cli/result_names.h"
#include "sim/commands/commands.h"
#include "sim/report/progress.h"

static const char help[] =
    "usage: hepta paraview RESULT[.h5] [options]\n\n"
    "Writes a script that ParaView 5.11 or later opens as a state: cells coloured by\n"
    "water saturation through time, permeability on a log scale, wells as tubes with\n"
    "their names, inactive cells hidden. The run may still be going on.\n\n"
    "  -o, --output FILE.py     the script (default: RESULT.view.py, beside the result)\n"
    "      --field ARRAY        sw (default), so, pressure, porosity, permx, permy, permz,\n"
    "                           depth, ntg, pore_volume, active; of several ranks rank; those\n"
    "                           of a result of 'hepta diagnose'\n"
    "      --exaggeration N     of depth (default: a picture a third as high as wide)\n"
    "      --from X             only cells whose values are not below X, in the deck's unit;\n"
    "                           of sw, 0.4 shows where water has come to\n"
    "      --to X               only cells whose values are not above X\n"
    "      --section j=N        cut at the cells of that j, or i=N, k=N: those before them are\n"
    "                           left out, so that the inside shows; --above --section k=N\n"
    "                           is the map of layer N\n"
    "      --above              seen from above, as `hepta plot --map`\n"
    "      --opacity X          of the cells, 0 to 1: below 1 wells inside are seen (default 1)\n"
    "      --open               start ParaView with it\n"
    "      --picture FILE.png   a picture, without starting the program\n"
    "      --time T             of the picture, in the deck's unit, or a date: the nearest\n"
    "                           report (default the last)\n"
    "      --frames FOLDER      one picture per report time: FOLDER/RESULT.0000.png, ...\n"
    "  -h, --help\n\n"
    "--open needs `paraview` on PATH, --picture and --frames need `pvbatch` and, where\n"
    "there is no display, `xvfb-run` (Debian, Ubuntu: apt install paraview xvfb xauth).\n\n"
    "Exit codes: 0 done, 1 a file cannot be read or written, or ParaView is missing or\n"
    "failed, 2 usage.\n";

typedef struct {
  const char *script, *picture, *time, *frames;
  hp_view view;
  bool open;
} arguments;

/* ---- options ---- */

static bool has_ending(const char *path, const char *ending) {
  const size_t n = strlen(path), length = strlen(ending);
  return n > length && strcmp(path + n - length, ending) == 0;
}

/* i=N, j=N or k=N */
static bool parse_section(const char *text, hp_view *view) {
  char *end;
  if (text[0] < 'i' || text[0] > 'k' || text[1] != '=' || text[2] < '0' || text[2] > '9') return false;
  errno = 0;
  const long long number = strtoll(text + 2, &end, 10);
  if (*end != '\0' || errno != 0 || number < 1) return false;
  view->section = text[0];
  view->number = number;
  return true;
}

static int set_option(const char *option, const char *text, void *arg) {
  arguments *a = arg;
  hp_view *view = &a->view;
  double time;
  if (hp_args_is(option, "output")) {
    a->script = text;
    if (has_ending(text, ".py")) return HP_EXIT_OK;
    return hp_cli_usage_error("paraview", "-o %s: the name of a script ends in .py", text);
  }
  if (hp_args_is(option, "field")) return hp_args_text(text, &view->field);
  if (hp_args_is(option, "exaggeration")) return hp_args_good(hp_args_real(text, 1e-6, 1e6, &view->exaggeration));
  if (hp_args_is(option, "opacity")) return hp_args_good(hp_args_real(text, 0.01, 1.0, &view->opacity));
  if (hp_args_is(option, "above")) return hp_args_flag(&view->above);
  if (hp_args_is(option, "from")) return hp_args_good(view->has_low = hp_args_real(text, -1e300, 1e300, &view->low));
  if (hp_args_is(option, "to")) return hp_args_good(view->has_high = hp_args_real(text, -1e300, 1e300, &view->high));
  if (hp_args_is(option, "section")) return hp_args_good(parse_section(text, view));
  if (hp_args_is(option, "open")) return hp_args_flag(&a->open);
  if (hp_args_is(option, "picture")) {
    a->picture = text;
    if (has_ending(text, ".png")) return HP_EXIT_OK;
    return hp_cli_usage_error("paraview", "--picture %s: the name ends in .png", text);
  }
  if (hp_args_is(option, "frames")) return hp_args_name(text, &a->frames);
  if (hp_args_is(option, "time"))
    return hp_args_good(hp_date_is_meant(a->time = text) || hp_args_real(text, 0.0, 1e300, &time));
  return HP_ARGS_NOT_A_VALUE;
}

static const hp_args_syntax syntax = {"paraview", help, true, set_option};

static int check(const arguments *a, int count, char *const *result) {
  if (count == 0) return hp_cli_usage_error("paraview", "which result file?");
  if (count > 1) return hp_cli_usage_error("paraview", "one result at a time: remove '%s'", result[1]);
  if (a->time != NULL && a->picture == NULL) return hp_cli_usage_error("paraview", "--time is for --picture");
  if (a->open && (a->picture != NULL || a->frames != NULL))
    return hp_cli_usage_error("paraview", "--open starts the program, --picture and --frames do without: one of them");
  if (access(result[0], R_OK) == 0) return hp_cli_exit(hp_child_try_result(result[0], true));
  fprintf(stderr, "hepta: %s: %s\n", hp_show(result[0]).s, strerror(errno));
  return HP_EXIT_USAGE;
}

/* ---- ParaView ---- */

/* Advice on the script where there is no ParaView; returns HP_EXIT_FAILED. */
static int say_missing(const char *program, const char *what) {
  fprintf(stderr,
          "hepta paraview: there is no %s on PATH%s\nDebian, Ubuntu: apt install paraview; others: "
          "https://www.paraview.org/download. A ParaView on another machine takes the result's files and the script.\n",
          program, what);
  return HP_EXIT_FAILED;
}

static int open_program(const char *script) {
  char *option, *argv[3] = {(char *)"paraview", NULL, NULL};
  if (!hp_child_find(argv[0])) return say_missing(argv[0], " to open it with");
  int code = hp_cli_exit(hp_format(&option, "--script=%s", script));
  if (code != HP_EXIT_OK) return code;
  argv[1] = option;
  code = hp_child_run(argv);
  HP_FREE(option);
  return code == 0 ? HP_EXIT_OK : HP_EXIT_FAILED;
}

static bool has_display(void) {
  const char *display = getenv("DISPLAY");
  return display != NULL && display[0] != '\0';
}

/* pvbatch SCRIPT ..., on a display of its own where there is none. */
static int render(const arguments *a, const char *script) {
  /* -noreset: a server that starts anew when its last client leaves refuses ParaView's next connection for a moment */
  static const char *const screen[] = {"xvfb-run", "-a", "-s", "-noreset -screen 0 1280x1024x24"};
  enum { SCREEN = sizeof screen / sizeof screen[0] };
  char *argv[SCREEN + 8] = {NULL};
  int n = 0;
  if (!hp_child_find("pvbatch")) return say_missing("pvbatch", " to make pictures with");
  if (!has_display() && hp_child_find(screen[0]))
    for (; n < SCREEN; ++n) argv[n] = (char *)screen[n];
  argv[n++] = (char *)"pvbatch";
  argv[n++] = (char *)script;
  const int own = n;
  hp_status s = hp_child_add(argv, &n, "--picture", a->picture);
  if (s == HP_OK) s = hp_child_add(argv, &n, "--time", a->time);
  if (s == HP_OK) s = hp_child_add(argv, &n, "--frames", a->frames);
  int code = hp_cli_exit(s);
  if (code == HP_EXIT_OK) code = hp_child_run(argv);
  for (int m = own; m < n; ++m) HP_FREE(argv[m]);
  if (code == HP_EXIT_OK) return code;
  fprintf(stderr, "hepta paraview: %s made no pictures%s\n", argv[0],
          has_display() || argv[0][0] == 'x' ? ""
                                             : ": there is no display here, nor xvfb-run (Debian: apt install xvfb "
                                               "xauth)");
  return HP_EXIT_FAILED;
}

/* The script's name in place of NAME.view.py where that has been edited: NAME.view-2.py, ... */
static int choose_script(const arguments *a, const char *result, char **out) {
  const int letters = (int)strlen(result) - (has_ending(result, ".h5") ? 3 : 0);
  int n = 1;
  *out = NULL;
  if (a->script != NULL && hp_output_view_is_edited(a->script))
    return hp_cli_usage_error("paraview",
                              "-o %s: exists and is no script as hepta wrote it; refusing to overwrite it: "
                              "remove it, or give another name",
                              a->script);
  if (a->script != NULL) return hp_cli_exit(hp_format(out, "%s", a->script));
  do {
    HP_FREE(*out);
    const int code = hp_cli_exit(n == 1 ? hp_format(out, "%.*s.view.py", letters, result)
                                        : hp_format(out, "%.*s.view-%d.py", letters, result, n));
    if (code != HP_EXIT_OK) return code;
  } while (hp_output_view_is_edited(*out) && ++n < 1000);
  if (n > 1) fprintf(stderr, "hepta paraview: %.*s.view.py has been edited and stays as it is\n", letters, result);
  return HP_EXIT_OK;
}

static int show(const arguments *a, const char *result, const char *script) {
  int code = hp_cli_exit(hp_output_view(result, script, &a->view));
  if (code != HP_EXIT_OK) return code;
  printf("wrote %s\n", hp_show(script).s);
  fflush(stdout);
  if (a->open) return open_program(script);
  if (a->picture != NULL || a->frames != NULL) return render(a, script);
  fputs("To see it: paraview --script=", stdout);
  hp_report_print_quoted(script, stdout);
  puts(hp_child_find("paraview") ? "" : "    (ParaView is not on PATH here; there: File > Load State)");
  return HP_EXIT_OK;
}

/* Script and pictures take the place of none of the result's files. */
static hp_status check_outputs(const arguments *a, const hp_inputs *read, const char *result, const char *script) {
  const char *slash = strrchr(result, '/'), *own = slash != NULL ? slash + 1 : result;
  const int letters = (int)strlen(own) - (has_ending(own, ".h5") ? 3 : 0);
  char *frame;
  HP_TRY(hp_inputs_check(read, "-o", script, HP_INPUTS_TEXT));
  if (a->picture != NULL) HP_TRY(hp_inputs_check(read, "--picture", a->picture, HP_INPUTS_TEXT));
  if (a->frames == NULL) return HP_OK;
  HP_TRY(hp_format(&frame, "%s/%.*s.", a->frames, letters, own));
  hp_status s = hp_inputs_check(read, "--frames", frame, HP_INPUTS_ANY);
  if (s == HP_OK) s = hp_inputs_check_like(read, "--frames", frame, ".png");
  HP_FREE(frame);
  return s;
}

static int view(const arguments *a, const char *result) {
  char *script = NULL;
  hp_inputs read = {0};
  hp_inputs_add_result(&read, result);
  int code = a->script != NULL ? hp_cli_exit(hp_inputs_check(&read, "-o", a->script, HP_INPUTS_TEXT)) : HP_EXIT_OK;
  if (code == HP_EXIT_OK) code = choose_script(a, result, &script);
  if (code == HP_EXIT_OK) code = hp_cli_exit(check_outputs(a, &read, result, script));
  if (code == HP_EXIT_OK && a->script != NULL) code = hp_cli_make_folders("paraview", "-o", a->script);
  if (code == HP_EXIT_OK && a->picture != NULL) code = hp_cli_make_folders("paraview", "--picture", a->picture);
  if (code == HP_EXIT_OK) code = show(a, result, script);
  hp_inputs_clear(&read);
  HP_FREE(script);
  return code;
}

int hp_command_paraview(int argc, char **argv) {
  arguments a = {0};
  hp_result_names results;
  char time[32];
  int code;
  if (!hp_args_parse(&syntax, argc, argv, &a, &code)) return code;
  code = hp_cli_exit(hp_result_names_create(argc - optind, argv + optind, &results));
  if (code == HP_EXIT_OK) code = check(&a, results.count, results.name);
  if (code == HP_EXIT_OK) code = hp_cli_time(results.name[0], &a.time, time);
  if (code == HP_EXIT_OK) code = view(&a, results.name[0]);
  hp_result_names_destroy(&results);
  return code;
}
