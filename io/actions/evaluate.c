/* Values of expressions, and conditions. NAN stands for no value; what is not finite has none. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/show.h"
#include "io/actions/expression.h"
#include "io/diag.h"

typedef const hp_expression_context context;

static bool is_there(double v) { return !isnan(v); }
static double sound(double v) { return isfinite(v) ? v : NAN; }

static int count_of(const hp_expression *x, context *c, int node) { return c->count[x->node[node].level]; }

/* ---- numbers ---- */

static double truth(bool holds) { return holds ? 1.0 : 0.0; }

/* The operators ==, <=, >= and != take what differs by less than a share of epsilon as equal, as OPM Flow's do. */
static double compare(hp_operator of, double a, double b, double epsilon) {
  const bool equal = a == b || fabs(a - b) <= epsilon * fabs(a);
  switch (of) {
    case HP_OPERATOR_EQ: return truth(equal);
    case HP_OPERATOR_NE: return truth(!equal);
    case HP_OPERATOR_LT: return truth(a < b);
    case HP_OPERATOR_LE: return truth(a < b || equal);
    case HP_OPERATOR_GT: return truth(a > b);
    default: return truth(a > b || equal);
  }
}

static double join(hp_operator of, double a, double b) {
  if (!is_there(a)) return b;
  if (!is_there(b)) return a;
  switch (of) {
    case HP_OPERATOR_UADD: return a + b;
    case HP_OPERATOR_UMUL: return a * b;
    case HP_OPERATOR_UMIN: return fmin(a, b);
    default: return fmax(a, b);
  }
}

static double compute(hp_operator of, double a, double b, double epsilon) {
  if (of <= HP_OPERATOR_UMAX) return join(of, a, b);
  if (!is_there(a) || !is_there(b)) return NAN;
  switch (of) {
    case HP_OPERATOR_ADD: return a + b;
    case HP_OPERATOR_SUBTRACT: return a - b;
    case HP_OPERATOR_MULTIPLY: return a * b;
    case HP_OPERATOR_DIVIDE: return a / b;
    case HP_OPERATOR_POWER: return pow(a, b);
    default: return compare(of, a, b, epsilon);
  }
}

static double of_one(hp_expression_function of, double v) {
  switch (of) {
    case HP_FUNCTION_DEF: return is_there(v) ? 1.0 : NAN;
    case HP_FUNCTION_UNDEF: return is_there(v) ? NAN : 1.0;
    case HP_FUNCTION_IDV: return truth(is_there(v));
    case HP_FUNCTION_ABS: return fabs(v);
    case HP_FUNCTION_EXP: return exp(v);
    case HP_FUNCTION_LN: return log(v);
    case HP_FUNCTION_LOG: return log10(v);
    default: return round(v); /* NINT */
  }
}

/* The place of v[n] among the others, those of one value in their order. */
static double place(const double *v, int count, int n, bool rising) {
  int before = 0;
  if (!is_there(v[n])) return NAN;
  for (int k = 0; k < count; ++k)
    if (k != n && is_there(v[k]))
      before += rising ? v[k] < v[n] || (v[k] == v[n] && k < n) : v[k] > v[n] || (v[k] == v[n] && k < n);
  return before + 1.0;
}

/* One number of those that there are; none if there are none. */
static double joined(hp_expression_function of, const double *v, int count) {
  double sum = 0.0, product = 1.0, logs = 0.0, inverse = 0.0, largest = -INFINITY, smallest = INFINITY;
  double magnitudes = 0.0, squares = 0.0, widest = 0.0;
  int n = 0;
  for (int k = 0; k < count; ++k) {
    if (!is_there(v[k])) continue;
    n += 1;
    sum += v[k];
    product *= v[k];
    logs += log(v[k]);
    inverse += 1.0 / v[k];
    largest = fmax(largest, v[k]);
    smallest = fmin(smallest, v[k]);
    magnitudes += fabs(v[k]);
    squares += v[k] * v[k];
    widest = fmax(widest, fabs(v[k]));
  }
  if (n == 0) return NAN;
  switch (of) {
    case HP_FUNCTION_SUM: return sum;
    case HP_FUNCTION_AVEA: return sum / n;
    case HP_FUNCTION_AVEG: return exp(logs / n);
    case HP_FUNCTION_AVEH: return n / inverse;
    case HP_FUNCTION_MAX: return largest;
    case HP_FUNCTION_MIN: return smallest;
    case HP_FUNCTION_NORM1: return magnitudes;
    case HP_FUNCTION_NORM2: return sqrt(squares);
    case HP_FUNCTION_NORMI: return widest;
    default: return product;
  }
}

const char *const hp_lookup_name[HP_LOOKUPS] = {
#define LOOKUP_NAME(name, text, keyword) text,
    HP_LOOKUP_LIST(LOOKUP_NAME)
#undef LOOKUP_NAME
};

double hp_quantity_table_value(const hp_quantity_table *t, double x) {
  const int last = t->count - 1;
  if (last == 0) return t->y[0];
  if (t->how == HP_LOOKUP_CONSTANT && x <= t->x[0]) return t->y[0];
  if (t->how == HP_LOOKUP_CONSTANT && x >= t->x[last]) return t->y[last];
  int n = 1;
  while (n < last && x > t->x[n]) ++n;
  const double share = (x - t->x[n - 1]) / (t->x[n] - t->x[n - 1]);
  if (t->how == HP_LOOKUP_NEAREST) return share > 0.5 ? t->y[n] : t->y[n - 1];
  return t->y[n - 1] + share * (t->y[n] - t->y[n - 1]);
}

/* ---- nodes ---- */

bool hp_names_mean(int names, const char (*pattern)[HP_WELL_NAME], const char *name) {
  for (int n = 0; n < names; ++n)
    if (hp_name_matches(pattern[n], name)) return true;
  return names == 0;
}

static bool is_named(const hp_expression *x, const hp_expression_node *v, const char *name) {
  return hp_names_mean(v->names, v->names > 0 ? (const char(*)[HP_WELL_NAME])(x->name + v->first) : NULL, name);
}

bool hp_expression_asks_about(const hp_expression *x, const char *well) {
  for (int n = 0; n < x->count; ++n) {
    const hp_expression_node *v = &x->node[n];
    if (v->kind == HP_NODE_VECTOR && v->level == HP_EXPRESSION_WELLS && is_named(x, v, well)) return true;
  }
  return false;
}

/* The element of all wells or groups that a single name means; -1: there is none. */
static int find_named(const hp_expression *x, context *c, const hp_expression_node *v) {
  const hp_expression_level all = v->name[0] == 'W' ? HP_EXPRESSION_WELLS : HP_EXPRESSION_GROUPS;
  for (int n = 0; n < c->count[all]; ++n)
    if (is_named(x, v, c->name(c->arg, all, n))) return n;
  return -1;
}

static void fetch(const hp_expression *x, context *c, const hp_expression_node *v, double *out) {
  const bool named = v->names > 0 && v->level == HP_EXPRESSION_SCALAR;
  for (int n = 0; n < c->count[v->level]; ++n) {
    const bool meant = v->level == HP_EXPRESSION_SCALAR || is_named(x, v, c->name(c->arg, v->level, n));
    const int element = named ? find_named(x, c, v) : n;
    double value;
    out[n] = meant && element >= 0 && c->value(c->arg, v, element, &value) ? sound(value) : NAN;
  }
}

/* v[node]: the values of nodes before this one. */
static void evaluate(const hp_expression *x, context *c, int node, double *const *v) {
  const hp_expression_node *e = &x->node[node];
  const int count = count_of(x, c, node);
  const double *a = e->a >= 0 ? v[e->a] : NULL, *b = e->b >= 0 ? v[e->b] : NULL;
  const bool one_a = a != NULL && x->node[e->a].level == HP_EXPRESSION_SCALAR;
  const bool one_b = b != NULL && x->node[e->b].level == HP_EXPRESSION_SCALAR;
  double *out = v[node];
  const hp_quantity_table *table = e->kind == HP_NODE_TABLE ? c->table(c->arg, e->name) : NULL;
  if (e->kind == HP_NODE_VECTOR) fetch(x, c, e, out);
  if (e->kind == HP_NODE_CALL && e->of <= HP_FUNCTION_PROD) {
    out[0] = sound(joined((hp_expression_function)e->of, a, count_of(x, c, e->a)));
    return;
  }
  for (int n = 0; n < count; ++n) {
    switch (e->kind) {
      case HP_NODE_NUMBER: out[n] = e->number; break;
      case HP_NODE_VECTOR: break;
      case HP_NODE_NEGATE: out[n] = -a[n]; break;
      case HP_NODE_TABLE: out[n] = table != NULL && is_there(a[n]) ? hp_quantity_table_value(table, a[n]) : NAN; break;
      case HP_NODE_CALL:
        if (e->of >= HP_FUNCTION_SORTA) out[n] = place(a, count, n, e->of == HP_FUNCTION_SORTA);
        else out[n] = of_one((hp_expression_function)e->of, a[n]);
        break;
      case HP_NODE_BINARY: out[n] = compute((hp_operator)e->of, a[one_a ? 0 : n], b[one_b ? 0 : n], c->epsilon); break;
    }
    out[n] = sound(out[n]);
  }
}

/* All nodes in turn; *values is one piece of memory behind the pointers. */
static hp_status evaluate_all(const hp_expression *x, context *c, double ***v, double **values) {
  int64_t most = 0;
  *values = NULL;
  for (int n = 0; n < x->count; ++n) most += count_of(x, c, n);
  HP_TRY(HP_ALLOC(*v, x->count));
  HP_TRY(HP_ALLOC(*values, most));
  double *at = *values;
  for (int n = 0; n < x->count; at += count_of(x, c, n), ++n) (*v)[n] = at;
  for (int n = 0; n < x->count; ++n)
    if (x->node[n].kind != HP_NODE_BINARY || x->node[n].of < HP_OPERATOR_AND) evaluate(x, c, n, *v);
  return HP_OK;
}

hp_status hp_expression_value(const hp_expression *x, const hp_expression_context *c, hp_expression_level *level,
                              double **out) {
  double **v = NULL, *values = NULL;
  *out = NULL;
  *level = x->node[x->root].level;
  hp_status s = evaluate_all(x, c, &v, &values);
  if (s == HP_OK) s = HP_ALLOC(*out, c->count[*level]);
  if (s == HP_OK) memcpy(*out, v[x->root], (size_t)c->count[*level] * sizeof **out);
  HP_FREE(values);
  HP_FREE(v);
  return s;
}

/* ---- conditions ---- */

typedef struct {
  const hp_expression *x;
  context *c;
  double *const *v;
  bool *holds, *of_wells; /* [nodes] */
  bool *well;             /* [nodes][wells] */
} judge;

/* Exact, unlike ==  in expressions. */
static void judge_comparison(judge *j, int node) {
  const hp_expression_node *e = &j->x->node[node];
  const double *a = j->v[e->a], *b = j->v[e->b];
  const bool one_a = j->x->node[e->a].level == HP_EXPRESSION_SCALAR;
  const bool one_b = j->x->node[e->b].level == HP_EXPRESSION_SCALAR;
  bool *well = j->well + (int64_t)node * j->c->count[HP_EXPRESSION_WELLS];
  j->of_wells[node] = e->level == HP_EXPRESSION_WELLS;
  for (int n = 0; n < j->c->count[e->level]; ++n) {
    const double left = a[one_a ? 0 : n], right = b[one_b ? 0 : n];
    const bool holds = is_there(left) && is_there(right) && compare((hp_operator)e->of, left, right, 0.0) > 0.0;
    j->holds[node] = j->holds[node] || holds;
    if (j->of_wells[node]) well[n] = holds;
  }
}

static void judge_both(judge *j, int node) {
  const hp_expression_node *e = &j->x->node[node];
  const int wells = j->c->count[HP_EXPRESSION_WELLS];
  const bool and = e->of == HP_OPERATOR_AND, by_a = j->of_wells[e->a], by_b = j->of_wells[e->b];
  const bool *a = j->well + (int64_t)e->a * wells, *b = j->well + (int64_t)e->b * wells;
  bool *well = j->well + (int64_t)node * wells;
  j->holds[node] = and? j->holds[e->a] && j->holds[e->b] : j->holds[e->a] || j->holds[e->b];
  j->of_wells[node] = by_a || by_b;
  for (int w = 0; w < wells; ++w)
    well[w] = by_a && by_b ? (and? a[w] && b[w] : a[w] || b[w]) : (by_a && a[w]) || (by_b && b[w]);
}

hp_status hp_expression_holds(const hp_expression *x, const hp_expression_context *c, bool *holds, bool *of_wells,
                              bool *well) {
  const int wells = c->count[HP_EXPRESSION_WELLS];
  judge j = {.x = x, .c = c};
  double **v = NULL, *values = NULL;
  hp_status s = evaluate_all(x, c, &v, &values);
  j.v = v;
  if (s == HP_OK) s = HP_ALLOC(j.holds, x->count);
  if (s == HP_OK) s = HP_ALLOC(j.of_wells, x->count);
  if (s == HP_OK) s = HP_ALLOC(j.well, (int64_t)x->count * wells);
  for (int n = 0; n < x->count && s == HP_OK; ++n) {
    if (x->node[n].kind != HP_NODE_BINARY) continue;
    if (x->node[n].of >= HP_OPERATOR_AND) judge_both(&j, n);
    else judge_comparison(&j, n);
  }
  if (s == HP_OK) {
    *holds = j.holds[x->root];
    *of_wells = j.of_wells[x->root];
    if (wells > 0) memcpy(well, j.well + (int64_t)x->root * wells, (size_t)wells * sizeof *well);
  }
  HP_FREE(j.well);
  HP_FREE(j.of_wells);
  HP_FREE(j.holds);
  HP_FREE(values);
  HP_FREE(v);
  return s;
}
