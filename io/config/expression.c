/* Numbers that follow the grid: texts such as "5000 * nz / 85" or "nx", wherever a number is wanted. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "io/config/impl.h"

enum { DEPTH_MAX = 32 }; /* parentheses and signs inside each other */

static const char *const name[3] = {"nx", "ny", "nz"};

/* sum = product { + - product }, product = factor { * / factor }, factor = number, name, (sum), -factor */
typedef struct {
  const char *at;
  const int *size; /* [3], 0: not known */
  int depth;
  bool unknown_size; /* a name stands for a size that is not known */
  const char *wrong; /* where reading stopped, NULL: nowhere */
} expression;

static double sum(expression *e);

static void skip_blanks(expression *e) {
  while (*e->at == ' ' || *e->at == '\t') ++e->at;
}

static double fail(expression *e) {
  if (e->wrong == NULL) e->wrong = e->at;
  return 0.0;
}

static double named(expression *e) {
  for (int d = 0; d < 3; ++d)
    if (strncmp(e->at, name[d], 2) == 0 && !isalnum((unsigned char)e->at[2]) && e->at[2] != '_') {
      e->at += 2;
      e->unknown_size = e->unknown_size || e->size[d] == 0;
      return e->size[d];
    }
  return fail(e);
}

static double factor(expression *e) {
  skip_blanks(e);
  const char c = *e->at;
  double v = 0.0;
  if (++e->depth > DEPTH_MAX) return fail(e);
  if (c == '-') {
    ++e->at;
    v = -factor(e);
  } else if (c == '(') {
    ++e->at;
    v = sum(e);
    if (*e->at != ')') return fail(e);
    ++e->at;
  } else if (isdigit((unsigned char)c) || c == '.') {
    char *end;
    v = strtod(e->at, &end);
    if (end == e->at) return fail(e);
    e->at = end;
  } else {
    v = named(e);
  }
  e->depth -= 1;
  skip_blanks(e);
  return v;
}

static double product(expression *e) {
  double v = factor(e);
  while (e->wrong == NULL && (*e->at == '*' || *e->at == '/')) {
    const char operation = *e->at++;
    const double right = factor(e);
    v = operation == '*' ? v * right : v / right;
  }
  return v;
}

static double sum(expression *e) {
  double v = product(e);
  while (e->wrong == NULL && (*e->at == '+' || *e->at == '-')) {
    const char operation = *e->at++;
    const double right = product(e);
    v = operation == '+' ? v + right : v - right;
  }
  return v;
}

bool hp_config_is_expression(const char *text) {
  if (strspn(text, "0123456789.eE+-*/() \tnxyz") == strlen(text) && strpbrk(text, "0123456789") != NULL) return true;
  for (int d = 0; d < 3; ++d)
    if (strstr(text, name[d]) != NULL) return true;
  return strpbrk(text, "*/") != NULL && strpbrk(text, "0123456789") != NULL;
}

/* Three whole numbers between two equal separators, the first or the last of four digits, the others of one or two. */
static bool is_date_at(const char *at, const char *separators) {
  size_t digits[3];
  char between[2] = "";
  for (int n = 0; n < 3; ++n) {
    digits[n] = strspn(at, "0123456789");
    at += digits[n];
    if (n == 2) break;
    if (*at == '\0' || strchr(separators, *at) == NULL) return false;
    between[n] = *at++;
  }
  const bool year_first = digits[0] == 4 && (digits[2] == 1 || digits[2] == 2);
  const bool year_last = digits[2] == 4 && (digits[0] == 1 || digits[0] == 2);
  return between[0] == between[1] && (year_first || year_last) && (digits[1] == 1 || digits[1] == 2);
}

bool hp_config_holds_date(const char *text, const char *separators) {
  for (const char *at = text; *at != '\0'; ++at) {
    const bool begins = at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '.');
    if (begins && is_date_at(at, separators)) return true;
  }
  return false;
}

bool hp_config_expression(hp_config *r, const hp_setting *s, double *out) {
  const char *text = config_setting_get_string(s);
  if (hp_config_holds_date(text, "-")) {
    hp_config_error(r, s, "'%s': a date is no number; a subtraction has blanks around its -", text);
    return false;
  }
  expression e = {.at = text, .size = r->size};
  *out = sum(&e);
  if (e.wrong == NULL && *e.at != '\0') fail(&e);
  if (e.wrong != NULL) {
    hp_config_error(r, s, "'%s': no number; an expression of numbers, + - * / ( ) and nx, ny, nz ends at '%s'", text,
                    e.wrong);
    return false;
  }
  if (!e.unknown_size) return true;
  if (r->sizing) hp_config_error(r, s, "'%s': nx, ny and nz are not known before grid.size", text);
  return false; /* else grid.size is at fault, which has been reported */
}
