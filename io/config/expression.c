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

bool hp_config_expression(hp_config *r, const hp_setting *s, double *out) {
  const char *text = config_setting_get_string(s);
  if (hp_date_is_in(text, "-")) {
    hp_config_error(
        r, s,
        "'%s': a date is no number; subtractions have blanks around their -, and the year of a date has four digits",
        text);
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
