/* Texts of expressions become nodes, by recursive descent: a function for each level of operators. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/memory.h"
#include "core/show.h"
#include "io/actions/expression.h"

typedef enum { T_END, T_NUMBER, T_WORD, T_QUOTED, T_OPERATOR, T_OPEN, T_CLOSE, T_TABLE_OPEN, T_TABLE_CLOSE } token_kind;

typedef struct {
  token_kind kind;
  hp_operator operator;
  const char *at;
  size_t length; /* without quotes */
  double number;
} token;

typedef struct {
  const char *text, *next;
  hp_expression *x;
  token t; /* the next one */
  int depth;
  bool faulty;
  hp_status status;
  char *why; /* [HP_EXPRESSION_WHY] */
} parser;

/* ---- faults ---- */

static int fail_at(parser *p, const char *at, const char *fmt, ...) HP_PRINTF(3, 4);

/* The first fault is reported; -1 stands for a node. */
static int fail_at(parser *p, const char *at, const char *fmt, ...) {
  va_list args;
  if (p->faulty || p->status != HP_OK) return -1;
  p->faulty = true;
  va_start(args, fmt);
  const int n = vsnprintf(p->why, HP_EXPRESSION_WHY, fmt, args);
  va_end(args);
  if (n > 0 && n < HP_EXPRESSION_WHY && *at != '\0') {
    char shown[48];
    snprintf(shown, sizeof shown, "%.32s", at);
    for (char *c = shown; *c != '\0'; ++c)
      if (!isprint((unsigned char)*c)) *c = ' ';
    snprintf(p->why + n, (size_t)(HP_EXPRESSION_WHY - n), ", at '%s'", shown);
  }
  return -1;
}

/* ---- words ---- */

static const struct {
  const char *text;
  hp_operator of;
} symbol[] = {{"==", HP_OPERATOR_EQ},   {"!=", HP_OPERATOR_NE},   {"<=", HP_OPERATOR_LE},   {">=", HP_OPERATOR_GE},
              {"<", HP_OPERATOR_LT},    {">", HP_OPERATOR_GT},    {"=", HP_OPERATOR_EQ},    {".EQ.", HP_OPERATOR_EQ},
              {".NE.", HP_OPERATOR_NE}, {".LT.", HP_OPERATOR_LT}, {".LE.", HP_OPERATOR_LE}, {".GT.", HP_OPERATOR_GT},
              {".GE.", HP_OPERATOR_GE}},
  arithmetic[] = {{"+", HP_OPERATOR_ADD},
                  {"-", HP_OPERATOR_SUBTRACT},
                  {"*", HP_OPERATOR_MULTIPLY},
                  {"/", HP_OPERATOR_DIVIDE},
                  {"^", HP_OPERATOR_POWER}},
  word_operator[] = {{"UADD", HP_OPERATOR_UADD}, {"UMUL", HP_OPERATOR_UMUL}, {"UMIN", HP_OPERATOR_UMIN},
                     {"UMAX", HP_OPERATOR_UMAX}, {"AND", HP_OPERATOR_AND},   {"OR", HP_OPERATOR_OR}};
#define LENGTH(list) (sizeof(list) / sizeof *(list))

static bool is_arithmetic(const parser *p) { return p->x->kind == HP_EXPRESSION_OF_QUANTITY; }

/* The length of an operator in symbols that begins at `at`; 0: none does. */
static size_t symbol_at(const parser *p, const char *at, hp_operator *of) {
  for (size_t n = 0; n < LENGTH(symbol); ++n)
    if (strncasecmp(symbol[n].text, at, strlen(symbol[n].text)) == 0) {
      *of = symbol[n].of;
      return strlen(symbol[n].text);
    }
  for (size_t n = 0; n < LENGTH(arithmetic) && is_arithmetic(p); ++n)
    if (*at == arithmetic[n].text[0]) {
      *of = arithmetic[n].of;
      return 1;
    }
  return 0;
}

/* Digits, point and exponent, which D stands for, too; 0: no number begins here. */
static size_t number_at(const char *at, double *value) {
  char digits[64];
  size_t n = 0;
  bool any = false;
  for (; isdigit((unsigned char)at[n]) || at[n] == '.'; ++n) any = any || at[n] != '.';
  if (!any) return 0;
  if (at[n] != '\0' && strchr("eEdD", at[n]) != NULL) {
    const size_t sign = at[n + 1] == '+' || at[n + 1] == '-';
    size_t m = n + 1 + sign;
    while (isdigit((unsigned char)at[m])) ++m;
    if (m > n + 1 + sign) n = m;
  }
  if (n >= sizeof digits) return 0;
  memcpy(digits, at, n);
  digits[n] = '\0';
  for (char *c = digits; *c != '\0'; ++c)
    if (*c == 'd' || *c == 'D') *c = 'e';
  char *end;
  *value = strtod(digits, &end);
  return *end == '\0' && isfinite(*value) ? n : 0;
}

/* In conditions there is no arithmetic, and names may have its signs. */
static bool is_word_character(const parser *p, const char *at) {
  hp_operator of;
  if (isspace((unsigned char)*at) || *at == '\0' || strchr("()[]'\"", *at) != NULL) return false;
  if (*at == '.' && symbol_at(p, at, &of) == 0) return true;
  return symbol_at(p, at, &of) == 0;
}

static void quoted(parser *p, const char *at) {
  const char *end = strchr(at + 1, *at);
  if (end == NULL) {
    (void)fail_at(p, at, "a quote that is not closed");
    return;
  }
  p->t = (token){.kind = T_QUOTED, .at = at + 1, .length = (size_t)(end - at - 1)};
  p->next = end + 1;
}

static void word(parser *p, const char *at) {
  size_t n = 0;
  while (is_word_character(p, at + n)) ++n;
  p->t = (token){.kind = T_WORD, .at = at, .length = n};
  for (size_t k = 0; k < LENGTH(word_operator); ++k)
    if (strlen(word_operator[k].text) == n && strncasecmp(word_operator[k].text, at, n) == 0) {
      p->t.kind = T_OPERATOR;
      p->t.operator= word_operator[k].of;
    }
  p->next = at + n;
}

static void advance(parser *p) {
  const char *at = p->next + strspn(p->next, " \t\r\n,");
  double number = 0.0;
  hp_operator of;
  size_t n;
  p->t = (token){.kind = T_END, .at = at};
  if (*at == '\0' || p->faulty) return;
  const char *bracket = strchr("()[]", *at);
  if (bracket != NULL) {
    static const token_kind kind[] = {T_OPEN, T_CLOSE, T_TABLE_OPEN, T_TABLE_CLOSE};
    p->t.kind = kind[bracket - "()[]"];
    p->next = at + 1;
  } else if (*at == '\'' || *at == '"') {
    quoted(p, at);
  } else if ((n = symbol_at(p, at, &of)) > 0) {
    p->t = (token){.kind = T_OPERATOR, .operator= of, .at = at};
    p->next = at + n;
  } else {
    const size_t sign = !is_arithmetic(p) && (*at == '-' || *at == '+');
    n = number_at(at + sign, &number);
    if (n > 0 && !is_word_character(p, at + sign + n)) {
      p->t = (token){.kind = T_NUMBER, .at = at, .length = sign + n, .number = *at == '-' ? -number : number};
      p->next = at + sign + n;
    } else {
      word(p, at);
    }
  }
}

static bool is_word(const parser *p, const char *text) {
  return p->t.kind == T_WORD && strlen(text) == p->t.length && strncasecmp(text, p->t.at, p->t.length) == 0;
}

/* ---- nodes ---- */

static int add(parser *p, hp_expression_node node, const char *at) {
  hp_expression *x = p->x;
  if (p->faulty || p->status != HP_OK) return -1;
  if (x->count == HP_EXPRESSION_NODES) return fail_at(p, at, "more than %d parts", HP_EXPRESSION_NODES);
  x->node[x->count] = node;
  return x->count++;
}

static hp_expression_level level_of(const parser *p, int node) {
  return node >= 0 ? p->x->node[node].level : HP_EXPRESSION_SCALAR;
}

static int binary(parser *p, hp_operator of, int a, int b, const char *at) {
  const hp_expression_level left = level_of(p, a), right = level_of(p, b);
  if (a < 0 || b < 0) return -1;
  if (left != right && left != HP_EXPRESSION_SCALAR && right != HP_EXPRESSION_SCALAR && of < HP_OPERATOR_AND)
    return fail_at(p, at, "wells on one side and groups on the other");
  const hp_expression_level level = left != HP_EXPRESSION_SCALAR ? left : right;
  return add(p, (hp_expression_node){.kind = HP_NODE_BINARY, .level = level, .of = (int)of, .a = a, .b = b}, at);
}

static bool enter(parser *p) {
  p->depth += 1;
  if (p->depth <= HP_EXPRESSION_DEPTH) return true;
  (void)fail_at(p, p->t.at, "more than %d brackets and signs inside each other", HP_EXPRESSION_DEPTH);
  return false;
}

/* ---- quantities ---- */

hp_expression_argument hp_expression_argument_of(const char *name) {
  static const char *const of_none[] = {"NEWTON", "NLINEARS"}; /* the program's work is not the wells' */
  for (size_t n = 0; n < LENGTH(of_none); ++n)
    if (strcmp(of_none[n], name) == 0) return HP_ARGUMENT_NONE;
  switch (name[0]) {
    case 'W':
    case 'G': return HP_ARGUMENT_NAMES;
    case 'R':
    case 'A': return HP_ARGUMENT_NUMBER;
    case 'B': return HP_ARGUMENT_CELL;
    default: return HP_ARGUMENT_NONE;
  }
}

static hp_status add_name(parser *p) {
  hp_expression *x = p->x;
  HP_TRY(HP_GROW(x->name, x->names, 1));
  memcpy(x->name[x->names], p->t.at, p->t.length);
  x->name[x->names][p->t.length] = '\0';
  x->names += 1;
  return HP_OK;
}

static void read_names(parser *p, hp_expression_node *v) {
  v->first = p->x->names;
  while ((p->t.kind == T_WORD || p->t.kind == T_QUOTED) && !p->faulty) {
    if (p->t.length == 0 || p->t.length >= HP_WELL_NAME) {
      (void)fail_at(p, p->t.at, "a name of 1 to %d letters is expected", HP_WELL_NAME - 1);
      return;
    }
    p->status = add_name(p);
    if (p->status != HP_OK) return;
    v->names += 1;
    advance(p);
  }
}

static void read_places(parser *p, hp_expression_node *v, int count) {
  for (int n = 0; n < count && !p->faulty; ++n) {
    const double number = p->t.number;
    if (p->t.kind != T_NUMBER || !(number >= 1.0 && number <= 1e9 && number == floor(number))) {
      (void)fail_at(p, p->t.at, count == 1 ? "%s needs a number from 1 on" : "%s needs a cell, I J K", v->name);
      return;
    }
    v->at[n] = (int)number;
    advance(p);
  }
}

/* A single name means its well in an expression, and in a condition a set of one. */
static hp_expression_level level_of_names(const parser *p, const hp_expression_node *v) {
  const hp_expression_level all = v->name[0] == 'W' ? HP_EXPRESSION_WELLS : HP_EXPRESSION_GROUPS;
  const bool one = v->names == 1 && strpbrk(p->x->name[v->first], "*?") == NULL;
  return one && is_arithmetic(p) ? HP_EXPRESSION_SCALAR : all;
}

static int table(parser *p, const token *name) {
  hp_expression_node t = {.kind = HP_NODE_TABLE, .b = -1};
  for (size_t n = 0; n < name->length; ++n) t.name[n] = (char)toupper((unsigned char)name->at[n]);
  return add(p, t, name->at);
}

static int vector(parser *p) {
  const char *at = p->t.at;
  hp_expression_node v = {.kind = HP_NODE_VECTOR, .a = -1, .b = -1};
  const bool letters = p->t.kind == T_WORD && (isalpha((unsigned char)*at) || *at == '_');
  if (!letters || p->t.length >= HP_QUANTITY_NAME)
    return fail_at(p, at,
                   p->t.kind == T_END ? "it ends where a quantity or a number is expected"
                                      : "a quantity of at most 8 letters or a number is expected");
  for (size_t n = 0; n < p->t.length; ++n) v.name[n] = (char)toupper((unsigned char)at[n]);
  advance(p);
  switch (hp_expression_argument_of(v.name)) {
    case HP_ARGUMENT_NAMES:
      read_names(p, &v);
      v.level = level_of_names(p, &v);
      break;
    case HP_ARGUMENT_NUMBER: read_places(p, &v, 1); break;
    case HP_ARGUMENT_CELL: read_places(p, &v, 3); break;
    case HP_ARGUMENT_NONE: break;
  }
  return add(p, v, at);
}

static int number(parser *p) {
  const int n = add(p, (hp_expression_node){.kind = HP_NODE_NUMBER, .a = -1, .b = -1, .number = p->t.number}, p->t.at);
  advance(p);
  return n;
}

/* ---- expressions ---- */

static int expression(parser *p);
static int factor(parser *p);

static int close_bracket(parser *p, token_kind kind, int inside) {
  p->depth -= 1;
  if (inside < 0) return -1;
  if (p->t.kind != kind) return fail_at(p, p->t.at, "a '%c' is missing", kind == T_CLOSE ? ')' : ']');
  advance(p);
  return inside;
}

static const struct {
  const char *name;
  bool joins;
} function[] = {
#define FUNCTION_NAME(name, joins, what) {#name, joins},
    HP_EXPRESSION_FUNCTION_LIST(FUNCTION_NAME)
#undef FUNCTION_NAME
};

static int call(parser *p, int of, const char *at) {
  advance(p);
  if (p->t.kind != T_OPEN) return fail_at(p, p->t.at, "%s needs its argument in brackets", function[of].name);
  if (!enter(p)) return -1;
  advance(p);
  const int a = close_bracket(p, T_CLOSE, expression(p));
  if (a < 0) return -1;
  const hp_expression_level level = function[of].joins ? HP_EXPRESSION_SCALAR : level_of(p, a);
  return add(p, (hp_expression_node){.kind = HP_NODE_CALL, .level = level, .of = of, .a = a, .b = -1}, at);
}

/* NAME[x]: behind its argument. */
static int look_up(parser *p, const token *name) {
  if (name->length >= HP_QUANTITY_NAME) return fail_at(p, name->at, "a table's name has at most 8 letters");
  if (!enter(p)) return -1;
  advance(p);
  advance(p);
  const int a = close_bracket(p, T_TABLE_CLOSE, expression(p));
  const int n = a >= 0 ? table(p, name) : -1;
  if (n < 0) return -1;
  p->x->node[n].a = a;
  p->x->node[n].level = level_of(p, a);
  return n;
}

static bool is_random(const parser *p) {
  static const char *const random[] = {"RANDN", "RANDU", "RRNDN", "RRNDU"};
  for (size_t n = 0; n < LENGTH(random); ++n)
    if (is_word(p, random[n])) return true;
  return false;
}

static int primary(parser *p) {
  const token t = p->t;
  if (t.kind == T_NUMBER) return number(p);
  if (t.kind == T_OPEN) {
    if (!enter(p)) return -1;
    advance(p);
    return close_bracket(p, T_CLOSE, expression(p));
  }
  if (is_random(p)) return fail_at(p, t.at, "random numbers are not supported: two runs give the same bits");
  for (int n = 0; n < HP_EXPRESSION_FUNCTIONS; ++n)
    if (is_word(p, function[n].name)) return call(p, n, t.at);
  if (t.kind == T_WORD && p->next[strspn(p->next, " \t")] == '[') return look_up(p, &t);
  return vector(p);
}

static bool is_operator(const parser *p, hp_operator first, hp_operator last) {
  return p->t.kind == T_OPERATOR && p->t.operator>= first && p->t.operator<= last;
}

/* x ^ y ^ z is x ^ (y ^ z). */
static int power(parser *p) {
  const int a = primary(p);
  const char *at = p->t.at;
  if (a < 0 || !is_operator(p, HP_OPERATOR_POWER, HP_OPERATOR_POWER) || !enter(p)) return a;
  advance(p);
  const int b = factor(p);
  p->depth -= 1;
  return binary(p, HP_OPERATOR_POWER, a, b, at);
}

static int factor(parser *p) {
  const char *at = p->t.at;
  if (is_operator(p, HP_OPERATOR_ADD, HP_OPERATOR_ADD))
    return fail_at(p, at, "a '+' without a number before it (names with * are quoted)");
  if (!is_operator(p, HP_OPERATOR_SUBTRACT, HP_OPERATOR_SUBTRACT)) return power(p);
  if (!enter(p)) return -1;
  advance(p);
  const int a = factor(p);
  p->depth -= 1;
  if (a < 0) return -1;
  return add(p, (hp_expression_node){.kind = HP_NODE_NEGATE, .level = level_of(p, a), .a = a, .b = -1}, at);
}

/* Operators from first to last, of the same strength, from left to right. */
static int chain(parser *p, hp_operator first, hp_operator last, int (*operand)(parser *p)) {
  int a = operand(p);
  while (a >= 0 && is_operator(p, first, last)) {
    const hp_operator of = p->t.operator;
    const char *at = p->t.at;
    advance(p);
    a = binary(p, of, a, operand(p), at);
  }
  return a;
}

static int product(parser *p) { return chain(p, HP_OPERATOR_MULTIPLY, HP_OPERATOR_DIVIDE, factor); }
static int sum(parser *p) { return chain(p, HP_OPERATOR_ADD, HP_OPERATOR_SUBTRACT, product); }
static int comparison(parser *p) { return chain(p, HP_OPERATOR_EQ, HP_OPERATOR_GE, sum); }
static int expression(parser *p) { return chain(p, HP_OPERATOR_UADD, HP_OPERATOR_UMAX, comparison); }

/* ---- conditions ---- */

static int condition(parser *p);

static int operand(parser *p) { return p->t.kind == T_NUMBER ? number(p) : vector(p); }

/* MNTH = JUN: the names of months stand for their numbers. */
static int month(parser *p, int left) {
  static const char *const name[] = {"JAN", "FEB", "MAR", "APR", "MAY", "JUN",
                                     "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
  const bool asked = left >= 0 && strcmp(p->x->node[left].name, "MNTH") == 0;
  const bool july = asked && p->t.length == 3 && strncasecmp(p->t.at, "JLY", 3) == 0;
  for (int n = 0; asked && p->t.length == 3 && (p->t.kind == T_WORD || p->t.kind == T_QUOTED) && n < 12; ++n)
    if (strncasecmp(july ? "JUL" : p->t.at, name[n], 3) == 0) {
      p->t.number = n + 1;
      return number(p);
    }
  return operand(p);
}

static int compared(parser *p) {
  if (p->t.kind == T_OPEN) {
    if (!enter(p)) return -1;
    advance(p);
    return close_bracket(p, T_CLOSE, condition(p));
  }
  const int a = operand(p);
  const char *at = p->t.at;
  if (a < 0) return -1;
  if (!is_operator(p, HP_OPERATOR_EQ, HP_OPERATOR_GE)) return fail_at(p, at, "one of > < >= <= = != is expected");
  const hp_operator of = p->t.operator;
  advance(p);
  return binary(p, of, a, month(p, a), at);
}

static int both(parser *p) { return chain(p, HP_OPERATOR_AND, HP_OPERATOR_AND, compared); }
static int condition(parser *p) { return chain(p, HP_OPERATOR_OR, HP_OPERATOR_OR, both); }

/* ---- all of it ---- */

static hp_status read_all(parser *p) {
  hp_expression *x = p->x;
  HP_TRY(HP_ALLOC(x->node, HP_EXPRESSION_NODES));
  advance(p);
  x->root = x->kind == HP_EXPRESSION_OF_CONDITION ? condition(p) : expression(p);
  if (p->t.kind != T_END && !p->faulty)
    (void)fail_at(p, p->t.at,
                  x->kind == HP_EXPRESSION_OF_CONDITION ? "AND, OR or the end is expected"
                                                        : "an operator or the end is expected");
  HP_TRY(p->status);
  hp_expression_node *kept;
  HP_TRY(HP_ALLOC(kept, x->count));
  if (x->count > 0) memcpy(kept, x->node, (size_t)x->count * sizeof *kept);
  HP_FREE(x->node);
  x->node = kept;
  return HP_OK;
}

hp_status hp_expression_parse(const char *text, hp_expression_kind kind, hp_expression **out,
                              char why[HP_EXPRESSION_WHY]) {
  why[0] = '\0';
  HP_TRY(HP_ALLOC(*out, 1));
  (*out)->kind = kind;
  parser p = {.text = text, .next = text, .x = *out, .why = why};
  hp_status s = HP_OK;
  if (strlen(text) >= HP_EXPRESSION_TEXT) {
    snprintf(why, HP_EXPRESSION_WHY, "more than %d characters", HP_EXPRESSION_TEXT - 1);
    p.faulty = true;
  } else {
    s = read_all(&p);
  }
  if (s != HP_OK || p.faulty) hp_expression_destroy(out);
  return s;
}

void hp_expression_destroy(hp_expression **x) {
  if (*x == NULL) return;
  HP_FREE((*x)->node);
  HP_FREE((*x)->name);
  HP_FREE(*x);
}
