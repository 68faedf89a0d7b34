/* The table of linsolve/krylov/combinations.c: patterns name choices that there are, and refuse what they name. */
#include <string.h>

#include "amg/cpr/cpr.h"
#include "core/team/barrier.h"
#include "tests/support/check.h"

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

int main(void) {
  int count;
  const hp_combination *row = hp_combinations(&count);
  for (int n = 0; n < count; ++n) check_row(&row[n]);
  return check_result();
}
