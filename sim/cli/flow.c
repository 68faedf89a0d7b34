#define _POSIX_C_SOURCE 200809L
#include "sim/cli/flow.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/program.h"
#include "core/show.h"
#include "io/files/text.h"

static const char help[] =
    "usage: hepta-flow [options] CASE[.DATA]\n\n"
    "Runs an Eclipse deck as OPM Flow is called, also as a link named flow or flowrun:\n"
    "results beside the deck, with its name in capital letters, Eclipse's files and CASE.PRT\n"
    "among them (docs/guide/importing.md).\n\n"
    "      --output-dir=FOLDER            results there\n"
    "      --parsing-strictness=low|normal|high  as in hepta run\n"
    "      --threads-per-process=N, -np N members of the CPU team\n"
    "      --newton-max-iterations=N, --tolerance-cnv=X, --tolerance-mb=X\n"
    "                                     newton.max_iterations, tolerance_cnv, tolerance_mb\n"
    "      --enable-terminal-output=false, --output-mode=none|log\n"
    "                                     errors only on the terminal\n"
    "      --version V                    passed over, as flowrun's; alone: the version\n"
    "      --report-versions              the version\n"
    "      --help\n\n"
    "Flow's other options have no effect; a note names each.\n";

/* Options with a value that have a counterpart; NULL: they are looked at below. */
static const struct {
  const char *flow, *hepta;
} options[] = {
    {"output-dir", NULL},
    {"threads-per-process", NULL},
    {"np", NULL},
    {"enable-terminal-output", NULL},
    {"output-mode", NULL},
    {"version", ""},
    {"parsing-strictness", "--parsing-strictness="},
    {"newton-max-iterations", "--set=newton.max_iterations="},
    {"tolerance-cnv", "--set=newton.tolerance_cnv="},
    {"tolerance-mb", "--set=newton.tolerance_mb="},
};

enum { WORDS_MAX = 64, PATH_LENGTH = 4096 };

typedef struct {
  char **word; /* [WORDS_MAX] of hepta run */
  int count;
  const char *deck, *folder, *threads;
  bool silent, speaks;
} flow_call;

bool hp_flow_is_called(const char *program) {
  static const char *const name[] = {"hepta-flow", "flow", "flowrun"};
  const char *slash = strrchr(program, '/');
  for (size_t n = 0; n < sizeof name / sizeof *name; ++n)
    if (strcmp(slash != NULL ? slash + 1 : program, name[n]) == 0) return true;
  return false;
}

static hp_status add(flow_call *f, const char *first, const char *second) {
  if (f->count + 1 >= WORDS_MAX) return hp_fail(HP_ERR_USAGE, "hepta-flow: too many options");
  HP_TRY(hp_format(&f->word[f->count], "%s%s", first, second));
  f->count += 1;
  return HP_OK;
}

/* The value of an option of that name: behind "=", or the next word where `apart` allows it; NULL: it is another option. */
static const char *value_of(const char *name, bool apart, int argc, char **argv, int *n) {
  const char *word = argv[*n] + strspn(argv[*n], "-");
  const size_t length = strlen(name);
  if (strncmp(word, name, length) != 0) return NULL;
  if (word[length] == '=') return word + length + 1;
  if (word[length] != '\0' || !apart || *n + 1 >= argc) return NULL;
  return argv[++*n];
}

static hp_status take_option(flow_call *f, int argc, char **argv, int *n) {
  const char *given = argv[*n];
  for (size_t k = 0; k < sizeof options / sizeof *options; ++k) {
    const char *name = options[k].flow;
    const char *value = value_of(name, strcmp(name, "np") == 0 || strcmp(name, "version") == 0, argc, argv, n);
    if (value == NULL) continue;
    if (options[k].hepta != NULL) return options[k].hepta[0] != '\0' ? add(f, options[k].hepta, value) : HP_OK;
    if (strcmp(name, "output-dir") == 0) f->folder = value;
    else if (strcmp(name, "output-mode") == 0) f->silent = strcmp(value, "all") != 0;
    else if (strcmp(name, "enable-terminal-output") == 0)
      f->silent = strcasecmp(value, "false") == 0 || strcmp(value, "0") == 0;
    else f->threads = value;
    return HP_OK;
  }
  if (f->speaks) fprintf(stderr, "hepta-flow: note: %s: an option of Flow that has no effect here\n", hp_show(given).s);
  return HP_OK;
}

/* CASE, CASE.DATA, case.data */
static hp_status find_deck(const char *given, char out[PATH_LENGTH]) {
  static const char *const ending[] = {"", ".DATA", ".data"};
  for (size_t n = 0; n < sizeof ending / sizeof *ending; ++n)
    if (snprintf(out, PATH_LENGTH, "%s%s", given, ending[n]) < PATH_LENGTH && access(out, F_OK) == 0 &&
        (n > 0 || strrchr(given, '.') != NULL))
      return HP_OK;
  return hp_fail(HP_ERR_USAGE, "hepta-flow: %s: there is no such deck", given);
}

/* The folder of the results and the deck's name in capital letters, without its ending. */
static hp_status name_results(const flow_call *f, const char *deck, char out[PATH_LENGTH]) {
  const char *slash = strrchr(deck, '/'), *stem = slash != NULL ? slash + 1 : deck;
  const char *dot = strrchr(stem, '.');
  const int own = slash != NULL ? (int)(slash - deck) + 1 : 0;
  const int n = f->folder != NULL && f->folder[0] != '\0' ? snprintf(out, PATH_LENGTH, "%s/", f->folder)
                                                          : snprintf(out, PATH_LENGTH, "%.*s", own, deck);
  const int length = (int)(dot != NULL ? (size_t)(dot - stem) : strlen(stem));
  if (n + length + 8 >= PATH_LENGTH) return hp_fail(HP_ERR_USAGE, "hepta-flow: %s: the name is too long", deck);
  for (int c = 0; c < length; ++c) out[n + c] = (char)toupper((unsigned char)stem[c]);
  out[n + length] = '\0';
  return HP_OK;
}

static hp_status write_words(flow_call *f) {
  char deck[PATH_LENGTH], base[PATH_LENGTH];
  HP_TRY(find_deck(f->deck, deck));
  HP_TRY(name_results(f, deck, base));
  if (f->threads != NULL && f->threads[0] != '-') HP_TRY(add(f, "--threads=", f->threads));
  if (f->silent) HP_TRY(add(f, "--quiet", ""));
  HP_TRY(add(f, "--set=", "output.eclipse=true"));
  HP_TRY(add(f, "--output=", base));
  HP_TRY(add(f, "--log=", strcat(base, ".PRT")));
  HP_TRY(add(f, "--", ""));
  return add(f, deck, "");
}

/* hepta beside the link that was called, for commands that are shown. */
static hp_status add_program(flow_call *f, const char *called) {
  char program[PATH_LENGTH];
  const char *slash = strrchr(called, '/');
  snprintf(program, sizeof program, "%.*shepta", slash != NULL ? (int)(slash - called) + 1 : 0, called);
  HP_TRY(add(f, program, ""));
  return add(f, "run", "");
}

static hp_status translate(flow_call *f, int argc, char **argv) {
  HP_TRY(add_program(f, argv[0]));
  for (int n = 1; n < argc; ++n) {
    if (argv[n][0] == '-') HP_TRY(take_option(f, argc, argv, &n));
    else if (f->deck != NULL) return hp_fail(HP_ERR_USAGE, "hepta-flow: one deck at a time: remove '%s'", argv[n]);
    else f->deck = argv[n];
  }
  return f->deck != NULL ? write_words(f) : hp_fail(HP_ERR_USAGE, "hepta-flow: which deck?");
}

/* Answers what asks for no run. */
static bool answer(int argc, char **argv, bool speaks) {
  for (int n = 1; n < argc; ++n) {
    const bool asks = strcmp(argv[n], "--help") == 0 || strcmp(argv[n], "-h") == 0;
    const bool versions = strcmp(argv[n], "--report-versions") == 0;
    if (!asks && !versions && (strcmp(argv[n], "--version") != 0 || argc > 2)) continue;
    if (speaks && asks) fputs(help, stdout);
    else if (speaks) printf("%s%s\n", versions ? "" : "hepta ", hp_version);
    return true;
  }
  return false;
}

hp_status hp_flow_translate(int argc, char **argv, bool speaks, char ***out, int *count, int *code) {
  flow_call f = {.speaks = speaks};
  *out = NULL;
  *code = HP_EXIT_OK;
  if (answer(argc, argv, speaks)) return HP_OK;
  HP_TRY(HP_ALLOC(f.word, WORDS_MAX));
  const hp_status s = translate(&f, argc, argv);
  if (s != HP_OK) {
    hp_flow_free(&f.word, f.count);
    return s;
  }
  *out = f.word;
  *count = f.count;
  return HP_OK;
}

void hp_flow_free(char ***words, int count) {
  for (int n = 0; n < count && *words != NULL; ++n) HP_FREE((*words)[n]);
  HP_FREE(*words);
}
