/* The table of docs/reference/solvers.md that begins with "| combination" is that of linsolve/krylov/combinations.c, row by row;
 * with --print its rows are written, to be put into the document. Patterns name choices that there are, and refuse what they
 * name. */
#include <string.h>

#include "amg/cpr/cpr.h"
#include "core/memory.h"
#include "core/team/barrier.h"
#include "tests/support/check.h"

enum { ROOM = 1 << 18 };

static const char *const keys[] = {
#define KEY_OF(name, key) key,
    HP_CHOICE_LIST(KEY_OF)
#undef KEY_OF
};

/* ---- the names that a choice can have ---- */

typedef const char *name_function(int n);
#define NAMES_OF(function, type) \
  static const char *name_##function(int n) { return hp_##function##_name((type)n); }
NAMES_OF(krylov_method, hp_krylov_method)
NAMES_OF(precond, hp_precond_kind)
NAMES_OF(ordering, hp_ordering)
NAMES_OF(precision, hp_precision)
NAMES_OF(sparse, hp_sparse_kind)
NAMES_OF(execution, hp_execution_kind)
NAMES_OF(barrier, hp_barrier_kind)
NAMES_OF(transport, hp_transport)
NAMES_OF(cpr_amg, hp_cpr_amg)
NAMES_OF(amg_coarsening, hp_amg_coarsening)
NAMES_OF(amg_smoother, hp_amg_smoother)
NAMES_OF(amg_format, hp_amg_format_kind)
static const char *name_place(int n) {
  return n + 1 < HP_SOLVER_PLACES ? hp_solver_place_words((hp_solver_place)(n + 1)) : "unknown";
}

static const struct {
  name_function *name;
  const char *more; /* names besides */
} names[HP_CHOICES] = {
    [HP_CHOICE_PLACE] = {name_place, ""},
    [HP_CHOICE_SYSTEM] = {NULL, "the Jacobian of a deck|several unknowns a cell|one unknown a cell"},
    [HP_CHOICE_METHOD] = {name_krylov_method, ""},
    [HP_CHOICE_PRECONDITIONER] = {name_precond, "cpr|external|symmetric external"},
    [HP_CHOICE_ORDERING] = {name_ordering, ""},
    [HP_CHOICE_RELAXATION] = {NULL, "0|above 0"},
    [HP_CHOICE_PRECISION] = {name_precision, ""},
    [HP_CHOICE_MATRIX] = {name_sparse, ""},
    [HP_CHOICE_EXECUTION] = {name_execution, ""},
    [HP_CHOICE_SPECIALISE] = {NULL, "false|true"},
    [HP_CHOICE_BARRIER] = {name_barrier, "auto"},
    [HP_CHOICE_EXCHANGE] = {name_transport, ""},
    [HP_CHOICE_AMG] = {name_cpr_amg, ""},
    [HP_CHOICE_COARSENING] = {name_amg_coarsening, ""},
    [HP_CHOICE_SMOOTHER] = {name_amg_smoother, ""},
    [HP_CHOICE_FORMAT] = {name_amg_format, ""},
};

/* Whether `word`, of so many letters, is among the alternatives of a text. */
static bool is_among(const char *text, const char *word, size_t letters) {
  for (const char *at = text; *at != '\0'; at += strcspn(at, "|"), at += *at == '|')
    if (strcspn(at, "|") == letters && strncmp(at, word, letters) == 0) return true;
  return false;
}

/* All names of a choice, with | between. */
static void list_names(int choice, char *out, size_t size) {
  size_t n = (size_t)snprintf(out, size, "%s", names[choice].more);
  for (int k = 0; names[choice].name != NULL && strcmp(names[choice].name(k), "unknown") != 0; ++k)
    n += (size_t)snprintf(out + n, size - n, "%s%s", n > 0 ? "|" : "", names[choice].name(k));
}

/* The first name that a pattern takes, in `out`; whether all that it names are names. */
static bool find_taken(int choice, const char *pattern, char *out, size_t size) {
  char all[512];
  const bool other = *pattern == '!';
  bool known = true;
  list_names(choice, all, sizeof all);
  out[0] = '\0';
  for (const char *at = pattern + other; *at != '\0'; at += strcspn(at, "|"), at += *at == '|')
    known = known && is_among(all, at, strcspn(at, "|"));
  for (const char *at = all; *at != '\0' && out[0] == '\0'; at += strcspn(at, "|"), at += *at == '|')
    if (is_among(pattern + other, at, strcspn(at, "|")) != other)
      snprintf(out, size, "%.*s", (int)strcspn(at, "|"), at);
  return known && out[0] != '\0';
}

/* Choices that a row names are refused, with its message or that of an earlier row that takes them too. */
static void check_row(const hp_combination *row) {
  char taken[HP_CHOICES][64];
  hp_choices choices = {{NULL}};
  for (int n = 0; n < HP_CHOICES; ++n) {
    if (row->of[n] == NULL) continue;
    CHECK(find_taken(n, row->of[n], taken[n], sizeof taken[n]));
    choices.of[n] = taken[n];
  }
  const char *refusal = hp_combination_refusal(&choices);
  CHECK(refusal != NULL && strcmp(refusal, row->message) == 0);
  for (int n = 0; n < HP_CHOICES; ++n)
    if (row->of[n] != NULL) {
      hp_choices fewer = choices;
      fewer.of[n] = NULL;
      refusal = hp_combination_refusal(&fewer);
      CHECK(refusal == NULL || strcmp(refusal, row->message) != 0); /* each pattern of a row counts */
    }
}

/* ---- rows of the document ---- */

static size_t add_pattern(const char *pattern, bool is_key, char *out, size_t size) {
  size_t n = (size_t)snprintf(out, size, "%s", *pattern == '!' ? "other than " : "");
  for (const char *at = pattern + (*pattern == '!'); *at != '\0';) {
    const int letters = (int)strcspn(at, "|");
    const bool quoted = is_key && memchr(at, ' ', (size_t)letters) == NULL, last = at[letters] == '\0';
    n += (size_t)snprintf(out + n, size - n, "%s%.*s%s%s", quoted ? "`" : "", letters, at, quoted ? "`" : "",
                          last ? "" : ", ");
    at += letters + !last;
  }
  return n;
}

static void row_of(const hp_combination *row, char *out, size_t size) {
  size_t n = (size_t)snprintf(out, size, "| ");
  bool first = true;
  for (int k = 0; k < HP_CHOICES; ++k) {
    if (k == HP_CHOICE_PLACE || row->of[k] == NULL) continue;
    const bool is_key = keys[k][0] != '\0';
    n += (size_t)snprintf(out + n, size - n, "%s", first ? "" : " with ");
    if (is_key) n += (size_t)snprintf(out + n, size - n, "`%s` ", keys[k]);
    n += add_pattern(row->of[k], is_key, out + n, size - n);
    first = false;
  }
  n += (size_t)snprintf(out + n, size - n, " | ");
  const char *place = row->of[HP_CHOICE_PLACE];
  if (place != NULL && strcmp(place, "one GPU|GPUs|GPU ranks") == 0) place = "any GPU";
  n += add_pattern(place != NULL ? place : "anywhere", false, out + n, size - n);
  snprintf(out + n, size - n, " | %.*s |\n", (int)strcspn(row->message, ":;"),
           row->message); /* then, what to do instead */
}

/* The table of the document behind its two lines of head. */
static const char *read_table(char *text) {
  char path[1024];
  const char *root = getenv("HEPTA_SOURCE"), *at = NULL;
  snprintf(path, sizeof path, "%s/docs/reference/solvers.md", root != NULL ? root : ".");
  FILE *f = fopen(path, "rb");
  if (f == NULL) return "";
  text[fread(text, 1, ROOM - 1, f)] = '\0';
  fclose(f);
  at = strstr(text, "| combination ");
  for (int line = 0; at != NULL && line < 2; ++line) {
    at = strchr(at, '\n');
    if (at != NULL) ++at;
  }
  return at != NULL ? at : "";
}

int main(int argc, char **argv) {
  const bool print = argc > 1 && strcmp(argv[1], "--print") == 0;
  char *text = NULL;
  int count;
  const hp_combination *row = hp_combinations(&count);
  CHECK_OK(HP_ALLOC(text, ROOM));
  const char *at = print ? "" : read_table(text);
  for (int n = 0; n < count; ++n) {
    char line[1024];
    row_of(&row[n], line, sizeof line);
    check_row(&row[n]);
    if (print) {
      fputs(line, stdout);
    } else if (strncmp(at, line, strlen(line)) != 0) {
      fprintf(stderr, "docs/reference/solvers.md: expected the row\n%sinstead of\n%.200s\n", line, at);
      CHECK(false);
    }
    at = strchr(at, '\n') != NULL ? strchr(at, '\n') + 1 : "";
  }
  CHECK(*at != '|'); /* and none of rows that are gone */
  HP_FREE(text);
  return check_result();
}
