/* EQUALS, ADD, MULTIPLY and the like, COPY and OPERATE, in boxes and regions of cell arrays. */
#include <math.h>

#include "core/memory.h"
#include "io/eclipse/arrays/impl.h"

/* An array without bearing on oil and water, as keyword of its own is passed over: end points of gas and the like. */
static const hp_ecl_keyword_entry *find_unused(const hp_ecl_token *t) {
  const hp_ecl_keyword_entry *entry = hp_ecl_find(t);
  return entry != NULL && entry->fate == HP_ECL_SKIPPED && entry->shape == HP_ECL_RECORD ? entry : NULL;
}

/* *unused: the record sets such a one, to no more than `value`, and is passed over, too. */
static hp_status pass_over(hp_ecl *e, const hp_ecl_record *record, const hp_ecl_value *array, double value,
                           bool *unused) {
  const hp_ecl_token *t = &array->text;
  const hp_ecl_keyword_entry *entry = find_unused(t);
  char name[HP_ECL_KEYWORD + 1];
  *unused = entry != NULL;
  if (!*unused) return HP_OK;
  hp_ecl_copy(t, name, sizeof name);
  for (char *c = name; *c != '\0'; ++c)
    if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 'a' + 'A');
  HP_TRY(hp_ecl_judge_gas_record(e, entry, record, name, value));
  return hp_ecl_names_add(&e->skipped, name);
}

/* The value that a record sets which takes those of another array. */
static double value_of(const hp_ecl_value *from) {
  const hp_ecl_keyword_entry *entry = find_unused(&from->text);
  return entry != NULL && entry->argument == HP_ECL_GAS_CELLS ? 0.0 : NAN;
}

static hp_status find_array(hp_ecl *e, const hp_ecl_value *array, hp_ecl_array_id *id) {
  const hp_ecl_token *t = &array->text;
  const hp_ecl_keyword_entry *entry = hp_ecl_find(t);
  *id = HP_ECL_ARRAYS;
  const bool known = entry != NULL && entry->handler == hp_ecl_do_cells;
  if (!known) e->lost |= e->section; /* one that is missing may be meant */
  if (find_unused(t) != NULL)
    return hp_ecl_error(e, t->file, t->line, "the values of %.*s are not kept: %s", t->length, t->text, entry->remark);
  if (entry != NULL && entry->fate == HP_ECL_REFUSED)
    return hp_ecl_error(e, t->file, t->line, "%.*s is not supported: %s", t->length, t->text, entry->remark);
  if (entry == NULL || entry->handler != hp_ecl_do_cells)
    return hp_ecl_error(e, t->file, t->line, "%s is not an array that hepta knows", hp_ecl_show(&e->lexer, t, "'").s);
  if ((entry->sections & (unsigned)e->section) == 0)
    return hp_ecl_error(e, t->file, t->line, "%s belongs in %s", entry->name, hp_ecl_section_name(entry->sections));
  *id = (hp_ecl_array_id)entry->argument;
  return HP_OK;
}

hp_status hp_ecl_array_faulty(hp_ecl *e, const hp_ecl_value *array) {
  const hp_ecl_keyword_entry *entry = array->given ? hp_ecl_find(&array->text) : NULL;
  if (entry == NULL || entry->handler != hp_ecl_do_cells) {
    e->lost |= e->section;
    return HP_OK;
  }
  if (e->unsized) return HP_OK;
  e->array[entry->argument].faulty = true;
  return hp_ecl_array_make(e, (hp_ecl_array_id)entry->argument);
}

static hp_status no_value(hp_ecl *e, const hp_ecl_record *record, hp_ecl_array_id id, const hp_ecl_walk *w) {
  e->array[id].faulty = true;
  return hp_ecl_error(e, record->file, record->line, "%s has no value yet in cell (%d,%d,%d)", hp_ecl_array_name(id),
                      w->i + 1, w->j + 1, w->k + 1);
}

typedef enum { SET, PLUS, TIMES, AT_LEAST, AT_MOST } operation;

static double changed(operation op, double old, double v) {
  switch (op) {
    case SET: return v;
    case PLUS: return old + v;
    case TIMES: return old * v;
    case AT_LEAST: return old < v ? v : old;
    default: return old > v ? v : old;
  }
}

/* An array computed from the cells: y = factor x + shift, within low..high; operations leave it of that kind. */
static hp_status edit(hp_ecl *e, operation op, double v, hp_ecl_array_id id, int64_t m) {
  hp_ecl_array *a = &e->array[id];
  const int64_t n = hp_ecl_cells(e);
  if (a->shift == NULL && op != TIMES) {
    HP_TRY(HP_ALLOC(a->shift, n));
    HP_TRY(HP_ALLOC(a->low, n));
    HP_TRY(HP_ALLOC(a->high, n));
    for (int64_t c = 0; c < n; ++c) a->low[c] = -INFINITY, a->high[c] = INFINITY;
  }
  if (op == TIMES) a->factor[m] *= v;
  else if (op == PLUS) a->shift[m] += v;
  if (a->low == NULL) return HP_OK;
  if (op == TIMES) a->shift[m] *= v;
  const double low = changed(op, a->low[m], v), high = changed(op, a->high[m], v);
  a->low[m] = fmin(low, high); /* a factor below 0 turns them over */
  a->high[m] = fmax(low, high);
  return HP_OK;
}

/* One cell. Times 0 is the constant 0, also where nothing is set yet. */
static hp_status operate_on(hp_ecl *e, const hp_ecl_record *record, operation op, double v, hp_ecl_array_id id,
                            const hp_ecl_walk *w) {
  hp_ecl_array *a = &e->array[id];
  const int64_t m = hp_ecl_walk_index(w);
  if (op == SET || !isnan(a->value[m]) || (op == TIMES && v == 0.0)) {
    a->value[m] = op == TIMES && v == 0.0 ? 0.0 : changed(op, a->value[m], v);
    return HP_OK;
  }
  if (hp_ecl_array_computed(id)) return edit(e, op, v, id, m);
  return a->faulty ? HP_OK : no_value(e, record, id, w);
}

/* Room for factors of what follows from the cells. */
static hp_status make_factor(hp_ecl *e, hp_ecl_array_id id) {
  hp_ecl_array *a = &e->array[id];
  const int64_t n = hp_ecl_cells(e);
  if (!hp_ecl_array_computed(id) || a->factor != NULL) return HP_OK;
  HP_TRY(HP_ALLOC(a->factor, n));
  for (int64_t m = 0; m < n; ++m) a->factor[m] = 1.0;
  return HP_OK;
}

_Static_assert(HP_ECL_AT(operation, array) == HP_ECL_AT(in_region, array) &&
                   HP_ECL_AT(operation, value) == HP_ECL_AT(in_region, value),
               "operate reads both");

/* The operation in the cells of the record's box, or, with `regions`, in those
 * of the region that the record names. */
static hp_status operate(hp_ecl *e, const hp_ecl_record *record, operation op, const double *regions) {
  hp_ecl_array_id id;
  int all[6] = {0, e->nx - 1, 0, e->ny - 1, 0, e->nz - 1};
  bool unused;
  HP_TRY(pass_over(e, record, &record->operation.array, op == TIMES || op == AT_MOST ? 0.0 : record->operation.value.x,
                   &unused));
  if (unused) return regions != NULL ? HP_OK : hp_ecl_read_box(e, record, HP_ECL_AT(operation, i1), e->record_box);
  HP_TRY(find_array(e, &record->operation.array, &id));
  if (e->unsized || (e->resized && e->array[id].claimed)) return HP_OK;
  const hp_status in = regions != NULL ? HP_OK : hp_ecl_read_box(e, record, HP_ECL_AT(operation, i1), e->record_box);
  if (in != HP_OK) {
    e->array[id].faulty = true;
    if (e->array[id].value == NULL) HP_TRY(hp_ecl_array_make(e, id));
    return in;
  }
  HP_TRY(hp_ecl_array_touch(e, id, record->file, record->line));
  HP_TRY(make_factor(e, id));
  const double v = record->operation.value.x * (op == TIMES ? 1.0 : e->units.factor[hp_ecl_array_quantity(id)]);
  bool on;
  hp_ecl_walk w = hp_ecl_walk_held(e, regions != NULL ? all : e->record_box, &on);
  for (; on; on = hp_ecl_walk_on(&w))
    if (regions == NULL || regions[hp_ecl_walk_index(&w)] == (double)record->in_region.region.i)
      HP_TRY(operate_on(e, record, op, v, id, &w));
  return HP_OK;
}

static hp_status find_regions(hp_ecl *e, const hp_ecl_record *record, hp_ecl_array_id id, const double **regions) {
  *regions = e->array[id].value;
  if (*regions != NULL || e->unsized) return HP_OK;
  return hp_ecl_error(e, record->file, record->line, "%s must be given before", hp_ecl_array_name(id));
}

/* Cells of a region: an item says by which array, MULTNUM where it is left out. */
static hp_status operate_in_region(hp_ecl *e, const hp_ecl_record *record, operation op) {
  static const hp_ecl_array_id by[] = {HP_ECL_MULTNUM, HP_ECL_FLUXNUM, HP_ECL_OPERNUM};
  const double *regions;
  HP_TRY(find_regions(e, record, by[record->in_region.regions_by.choice], &regions));
  return operate(e, record, op, regions);
}

hp_status hp_ecl_do_equals(hp_ecl *e, const hp_ecl_record *record) { return operate(e, record, SET, NULL); }
hp_status hp_ecl_do_add(hp_ecl *e, const hp_ecl_record *record) { return operate(e, record, PLUS, NULL); }
hp_status hp_ecl_do_multiply(hp_ecl *e, const hp_ecl_record *record) { return operate(e, record, TIMES, NULL); }
hp_status hp_ecl_do_minvalue(hp_ecl *e, const hp_ecl_record *record) { return operate(e, record, AT_LEAST, NULL); }
hp_status hp_ecl_do_maxvalue(hp_ecl *e, const hp_ecl_record *record) { return operate(e, record, AT_MOST, NULL); }
hp_status hp_ecl_do_equalreg(hp_ecl *e, const hp_ecl_record *record) { return operate_in_region(e, record, SET); }
hp_status hp_ecl_do_addreg(hp_ecl *e, const hp_ecl_record *record) { return operate_in_region(e, record, PLUS); }
hp_status hp_ecl_do_multireg(hp_ecl *e, const hp_ecl_record *record) { return operate_in_region(e, record, TIMES); }

/* arrays from others */

/* In the order of HP_ECL_MAPS, and of its names. */
typedef enum {
  COPIED,
  MULTA,
  SLOG,
  LOG_10,
  LOG_E,
  INVERSE,
  MULTX,
  ADDX,
  MAXLIM,
  MINLIM,
  MULTP,
  MAGNITUDE,
  PRODUCT,
  POLY
} map;

static double mapped(map op, double r, double x, double a, double b) {
  switch (op) {
    case COPIED: return x;
    case MULTA: return a * x + b;
    case SLOG: return pow(10.0, a + b * x);
    case LOG_10: return log10(x);
    case LOG_E: return log(x);
    case INVERSE: return 1.0 / x;
    case MULTX: return a * x;
    case ADDX: return x + a;
    case MAXLIM: return fmin(x, a);
    case MINLIM: return fmax(x, a);
    case MULTP: return a * pow(x, b);
    case MAGNITUDE: return fabs(x);
    case PRODUCT: return r * x;
    default: return r + a * pow(x, b);
  }
}

typedef struct {
  hp_ecl_array_id from, to;
  map op;
  double a, b;
} mapping;

static bool is_inactive(const hp_ecl *e, int64_t m) {
  return e->array[HP_ECL_ACTNUM].value != NULL && e->array[HP_ECL_ACTNUM].value[m] == 0.0;
}

/* One cell, by the numbers that the deck has, in its units; a number that stays the same keeps its bits. */
static hp_status map_cell(hp_ecl *e, const hp_ecl_record *record, const mapping *m, const hp_ecl_walk *w, bool *go_on) {
  hp_ecl_array *from = &e->array[m->from], *to = &e->array[m->to];
  const int64_t c = hp_ecl_walk_index(w);
  const double x = from->value[c] / e->units.factor[hp_ecl_array_quantity(m->from)];
  const double r = to->value[c] / e->units.factor[hp_ecl_array_quantity(m->to)];
  const bool none_from = isnan(x), none_to = m->op >= PRODUCT && isnan(r);
  if ((none_from || none_to) && is_inactive(e, c)) return HP_OK;
  if (none_from || none_to) {
    const hp_ecl_array_id lacks = none_from ? m->from : m->to;
    const bool reported = e->array[lacks].faulty;
    to->faulty = true;
    *go_on = false;
    return reported ? HP_OK : no_value(e, record, lacks, w);
  }
  const double y = mapped(m->op, r, x, m->a, m->b);
  if (!isfinite(y)) {
    to->faulty = true;
    return hp_ecl_error(e, record->file, record->line, "%s is %g in cell (%d,%d,%d): the result is not a number",
                        hp_ecl_array_name(m->from), x, w->i + 1, w->j + 1, w->k + 1);
  }
  const bool same = y == x && hp_ecl_array_quantity(m->from) == hp_ecl_array_quantity(m->to);
  to->value[c] = same ? from->value[c] : y * e->units.factor[hp_ecl_array_quantity(m->to)];
  return HP_OK;
}

/* In the cells of e->record_box, or, with `regions`, in those where it holds `number`. */
static hp_status map_cells(hp_ecl *e, const hp_ecl_record *record, const mapping *m, const double *regions,
                           int64_t number) {
  const int all[6] = {0, e->nx - 1, 0, e->ny - 1, 0, e->nz - 1};
  bool on, go_on = true;
  if (e->unsized || (e->resized && e->array[m->to].claimed)) return HP_OK;
  if (e->resized && e->array[m->from].claimed) {
    e->array[m->to].faulty = true;
    HP_TRY(hp_ecl_array_make(e, m->to));
    return hp_ecl_error(e, record->file, record->line,
                        "%s is a copy of %s, which --set gives anew on a grid of another size: give %s by --set too",
                        hp_ecl_array_name(m->to), hp_ecl_array_name(m->from),
                        hp_ecl_array_key(m->to) != NULL ? hp_ecl_array_key(m->to) : hp_ecl_array_name(m->to));
  }
  if (hp_ecl_array_computed(m->from) || hp_ecl_array_computed(m->to))
    return hp_ecl_error(e, record->file, record->line, "%s: what follows from the cells cannot be copied",
                        hp_ecl_array_name(hp_ecl_array_computed(m->from) ? m->from : m->to));
  HP_TRY(hp_ecl_array_make(e, m->from));
  HP_TRY(hp_ecl_array_touch(e, m->to, record->file, record->line));
  hp_ecl_walk w = hp_ecl_walk_held(e, regions != NULL ? all : e->record_box, &on);
  for (; on && go_on; on = hp_ecl_walk_on(&w))
    if (regions == NULL || regions[hp_ecl_walk_index(&w)] == (double)number) HP_TRY(map_cell(e, record, m, &w, &go_on));
  return HP_OK;
}

static hp_status find_both(hp_ecl *e, const hp_ecl_value *from, const hp_ecl_value *to, mapping *m) {
  HP_TRY(find_array(e, from, &m->from));
  return find_array(e, to, &m->to);
}

hp_status hp_ecl_do_copy(hp_ecl *e, const hp_ecl_record *record) {
  mapping m = {.op = COPIED};
  bool unused;
  HP_TRY(pass_over(e, record, &record->copy.to, value_of(&record->copy.from), &unused));
  if (unused) return hp_ecl_read_box(e, record, HP_ECL_AT(copy, i1), e->record_box);
  HP_TRY(find_both(e, &record->copy.from, &record->copy.to, &m));
  HP_TRY(hp_ecl_read_box(e, record, HP_ECL_AT(copy, i1), e->record_box));
  return map_cells(e, record, &m, NULL, 0);
}

hp_status hp_ecl_do_copyreg(hp_ecl *e, const hp_ecl_record *record) {
  static const hp_ecl_array_id by[] = {HP_ECL_MULTNUM, HP_ECL_FLUXNUM, HP_ECL_OPERNUM};
  mapping m = {.op = COPIED};
  const double *regions;
  bool unused;
  HP_TRY(pass_over(e, record, &record->copyreg.to, value_of(&record->copyreg.from), &unused));
  if (unused) return HP_OK;
  HP_TRY(find_regions(e, record, by[record->copyreg.regions_by.choice], &regions));
  HP_TRY(find_both(e, &record->copyreg.from, &record->copyreg.to, &m));
  return map_cells(e, record, &m, regions, record->copyreg.region.i);
}

hp_status hp_ecl_do_operate(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_items_operate *v = &record->operate;
  mapping m = {.op = (map)v->operation.choice, .a = v->alpha.x, .b = v->beta.x};
  bool unused;
  HP_TRY(pass_over(e, record, &record->operate.array, NAN, &unused));
  if (unused) return hp_ecl_read_box(e, record, HP_ECL_AT(operate, i1), e->record_box);
  HP_TRY(find_both(e, &record->operate.source, &record->operate.array, &m));
  HP_TRY(hp_ecl_read_box(e, record, HP_ECL_AT(operate, i1), e->record_box));
  return map_cells(e, record, &m, NULL, 0);
}

hp_status hp_ecl_do_operater(hp_ecl *e, const hp_ecl_record *record) {
  static const hp_ecl_array_id by[] = {HP_ECL_OPERNUM, HP_ECL_MULTNUM, HP_ECL_FLUXNUM};
  const hp_ecl_items_operater *v = &record->operater;
  mapping m = {.op = (map)v->operation.choice, .a = v->alpha.x, .b = v->beta.x};
  const double *regions;
  bool unused;
  HP_TRY(pass_over(e, record, &record->operater.array, NAN, &unused));
  if (unused) return HP_OK;
  HP_TRY(find_regions(e, record, by[record->operater.regions_by.choice % 3], &regions));
  HP_TRY(find_both(e, &record->operater.source, &record->operater.array, &m));
  return map_cells(e, record, &m, regions, record->operater.region.i);
}
