/* Cell arrays: reading them, and EQUALS, ADD, MULTIPLY, COPY, OPERATE inside boxes and regions. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/eclipse/impl.h"

static const struct {
  const char *name;
  hp_quantity quantity;
  double fallback, min, max;
} property[HP_ECL_ARRAYS] = {
#define HP_ECL_ARRAY_PROPERTY(name, quantity, fallback, min, max) {#name, HP_UNIT_##quantity, fallback, min, max},
    HP_ECL_ARRAY_LIST(HP_ECL_ARRAY_PROPERTY)
#undef HP_ECL_ARRAY_PROPERTY
};

/* The deck's name: MULTX- is the one with a character that C names lack. */
const char *hp_ecl_array_name(hp_ecl_array_id id) {
  return id == HP_ECL_MULTX_   ? "MULTX-"
         : id == HP_ECL_MULTY_ ? "MULTY-"
         : id == HP_ECL_MULTZ_ ? "MULTZ-"
                               : property[id].name;
}

const char *hp_ecl_array_advice(const hp_ecl *e, hp_ecl_array_id id, char out[160]) {
  const char *key = hp_ecl_array_key(id);
  out[0] = '\0';
  if (e->resized && key != NULL)
    snprintf(out, 160, "; DIMENS is %d x %d x %d, --set makes it %d x %d x %d: give %s by --set too", e->deck_size[0],
             e->deck_size[1], e->deck_size[2], e->nx, e->ny, e->nz, key);
  return out;
}

hp_quantity hp_ecl_array_quantity(hp_ecl_array_id id) { return property[id].quantity; }
double hp_ecl_array_fallback(hp_ecl_array_id id) { return property[id].fallback; }

void hp_ecl_array_range(hp_ecl_array_id id, double *min, double *max) {
  *min = property[id].min;
  *max = property[id].max;
}

bool hp_ecl_array_computed(hp_ecl_array_id id) { return id >= HP_ECL_PORV && id <= HP_ECL_TRANZ; }

bool hp_ecl_array_multiplies(hp_ecl_array_id id) { return id >= HP_ECL_MULTPV && id <= HP_ECL_MULTZ_; }

bool hp_ecl_array_regions(hp_ecl_array_id id) {
  return (id >= HP_ECL_FLUXNUM && id <= HP_ECL_OPERNUM) || (id >= HP_ECL_SATNUM && id <= HP_ECL_FIPNUM);
}

hp_status hp_ecl_array_make(hp_ecl *e, hp_ecl_array_id id) {
  hp_ecl_array *a = &e->array[id];
  if (a->value != NULL) return HP_OK;
  const int64_t n = hp_ecl_cells(e);
  HP_TRY(hp_alloc((void **)&a->value, n, sizeof *a->value, hp_ecl_array_name(id)));
  for (int64_t m = 0; m < n; ++m) a->value[m] = property[id].fallback;
  if (a->file == NULL && e->name[0] != '\0') { /* of the keyword that needs it first */
    a->file = e->file;
    a->line = e->line;
  }
  return HP_OK;
}

/* Notes where the array is set. A multiplier of EDIT starts anew, at 1, and multiplies what GRID has left. */
static hp_status touch(hp_ecl *e, hp_ecl_array_id id, const char *file, int line) {
  hp_ecl_array *a = &e->array[id];
  if (a->section == HP_ECL_GRID && e->section == HP_ECL_EDIT && hp_ecl_array_multiplies(id)) {
    a->before = a->value;
    a->value = NULL;
  }
  if (id == HP_ECL_ACTNUM && e->section == HP_ECL_EDIT && a->section != HP_ECL_EDIT)
    hp_ecl_note(e, file, line, "ACTNUM counts in EDIT as in GRID; OPM Flow passes over it there");
  HP_TRY(hp_ecl_array_make(e, id));
  a->section = e->section;
  a->file = file;
  a->line = line;
  return HP_OK;
}

/* boxes */

void hp_ecl_box_reset(hp_ecl *e) {
  const int all[6] = {0, e->nx - 1, 0, e->ny - 1, 0, e->nz - 1};
  memcpy(e->box, all, sizeof all);
}

hp_status hp_ecl_read_box(hp_ecl *e, const hp_ecl_record *record, int first, int box[6]) {
  const int n[3] = {e->nx, e->ny, e->nz};
  for (int b = 0; b < 6; ++b)
    if (record->v[first + b].given) box[b] = (int)record->v[first + b].i - 1;
  if (e->unsized) return HP_OK;
  for (int d = 0; d < 3; ++d)
    if (box[2 * d] < 0 || box[2 * d] > box[2 * d + 1] || box[2 * d + 1] >= n[d])
      return hp_ecl_error(e, record->file, record->line, "box %c%d..%c%d: must rise within 1..%d", "ijk"[d],
                          box[2 * d] + 1, "ijk"[d], box[2 * d + 1] + 1, n[d]);
  return HP_OK;
}

/* On a grid of another size a box that leaves it is reported by the arrays that are read into it. */
hp_status hp_ecl_do_box(hp_ecl *e, const hp_ecl_record *record) {
  int box[6];
  memcpy(box, e->box, sizeof box);
  if (e->resized)
    for (int b = 0; b < 6; ++b) box[b] = record->v[b].given ? (int)record->v[b].i - 1 : box[b];
  else HP_TRY(hp_ecl_read_box(e, record, HP_ECL_AT(box, i1), box));
  memcpy(e->box, box, sizeof box);
  return HP_OK;
}

hp_status hp_ecl_do_endbox(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  hp_ecl_box_reset(e);
  return HP_OK;
}

/* A walk through a box, i fastest; and its places in arrays of planes. */
typedef struct {
  int box[6];
  int i, j, k;
  int64_t first, held, layer;
} walk;

static walk walk_start(const hp_ecl *e, const int box[6]) {
  const int64_t held = e->planes.held;
  walk w = {.i = box[0], .j = box[2], .k = box[4], .first = e->planes.first, .held = held, .layer = held * e->ny};
  memcpy(w.box, box, sizeof w.box);
  return w;
}

static int64_t walk_index(const walk *w) { return w->i - w->first + w->held * w->j + w->layer * w->k; }

static bool walk_on(walk *w) {
  if (++w->i <= w->box[1]) return true;
  w->i = w->box[0];
  if (++w->j <= w->box[3]) return true;
  w->j = w->box[2];
  return ++w->k <= w->box[5];
}

/* Through the part of the box that is held; *any: there is one. */
static walk walk_held(const hp_ecl *e, const int box[6], bool *any) {
  const int last = e->planes.first + e->planes.held - 1;
  int held[6];
  memcpy(held, box, sizeof held);
  if (held[0] < e->planes.first) held[0] = e->planes.first;
  if (held[1] > last) held[1] = last;
  *any = held[0] <= held[1];
  return walk_start(e, held);
}

static int64_t box_layer(const int box[6]) { return (int64_t)(box[1] - box[0] + 1) * (box[3] - box[2] + 1); }

/* arrays */

static hp_status check_box(hp_ecl *e, hp_ecl_array_id id) {
  const int n[3] = {e->nx, e->ny, e->nz};
  char advice[160];
  (void)hp_ecl_array_advice(e, id, advice);
  for (int d = 0; d < 3; ++d)
    if (e->box[2 * d] < 0 || e->box[2 * d] > e->box[2 * d + 1] || e->box[2 * d + 1] >= n[d])
      return hp_ecl_error(e, e->file, e->line, "box %c%d..%c%d: must rise within 1..%d%s", "ijk"[d],
                          e -> box[2 * d] + 1, "ijk"[d], e -> box[2 * d + 1] + 1, n[d], advice);
  return HP_OK;
}

/* Numbers of a gap, which are left out of the text; *count of them with those before. */
static hp_status read_gap(hp_ecl *e, hp_ecl_array_id id, const hp_ecl_token *t, int64_t cells, walk *w,
                          int64_t *count) {
  const double factor = e->units.factor[property[id].quantity];
  double *value = e->array[id].value;
  hp_ecl_gap_numbers g;
  hp_status s = hp_ecl_gap_open(e, t, &g);
  do {
    if (s == HP_OK) s = hp_ecl_gap_next(&g);
    if (s == HP_OK && g.count > cells - *count) s = hp_spread_refuse(e->c->spread, HP_SPREAD_ERRORS);
    for (int64_t n = 0; s == HP_OK && n < g.count; ++n, ++*count) {
      if (hp_ecl_holds(e, w->i) && !isnan(g.value[n])) value[walk_index(w)] = g.value[n] * factor;
      walk_on(w);
    }
  } while (s == HP_OK && g.count > 0);
  hp_ecl_gap_close(&g);
  return s;
}

/* Values of the box up to the '/', *count of them; words that are none are reported and stay what was there. */
static hp_status read_values(hp_ecl *e, hp_ecl_array_id id, int64_t cells, int64_t *count) {
  enum { WORDS_MAX = 5 };
  hp_ecl_array *a = &e->array[id];
  const double factor = e->units.factor[property[id].quantity];
  walk w = walk_start(e, e->box);
  int reported = 0;
  *count = 0;
  for (;;) {
    hp_ecl_token t;
    double x = 0.0;
    HP_TRY(hp_ecl_word_or_gap(e, &t));
    if (t.kind == HP_ECL_SLASH) return HP_OK;
    if (t.kind == HP_ECL_GAP) {
      HP_TRY(read_gap(e, id, &t, cells, &w, count));
      continue;
    }
    const bool number = t.defaulted || hp_ecl_number(&t, &x);
    if (!number) {
      a->faulty = true;
      if (reported++ < WORDS_MAX)
        (void)hp_ecl_error(e, t.file, t.line, "'%.*s' is not a number", t.length > 40 ? 40 : t.length, t.text);
    }
    if (t.count > cells - *count) {
      char advice[160];
      (void)hp_ecl_array_advice(e, id, advice);
      return hp_ecl_error(e, t.file, t.line, "more than the %lld values of the box%s", (long long)cells, advice);
    }
    x *= factor;
    for (int64_t c = 0; c < t.count; ++c, ++*count) {
      if (number && !t.defaulted && hp_ecl_holds(e, w.i)) a->value[walk_index(&w)] = x; /* a default leaves what was */
      walk_on(&w);
    }
  }
}

hp_status hp_ecl_do_cells(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  const hp_ecl_array_id id = (hp_ecl_array_id)e->entry->argument;
  hp_ecl_array *a = &e->array[id];
  if (e->section == HP_ECL_SCHEDULE) return hp_ecl_change_faces(e, id);
  if (e->unsized || (e->resized && a->claimed)) return hp_ecl_skip_numbers(e);
  const bool twice = id <= HP_ECL_DZ && e->sizes[id - HP_ECL_DX] != NULL;
  hp_status s = touch(e, id, e->file, e->line);
  if (s == HP_OK && twice)
    s = hp_ecl_error(e, e->file, e->line, "the sizes of cells are given already, by %sV", hp_ecl_array_name(id));
  if (s == HP_OK) s = check_box(e, id);
  const int64_t layer = box_layer(e->box), cells = layer * (e->box[5] - e->box[4] + 1);
  int64_t n = 0;
  if (s == HP_OK) s = read_values(e, id, cells, &n);
  if (s != HP_OK) {
    a->faulty = true;
    return s;
  }
  /* TOPS alone may end after a whole layer: those below follow from DZ. */
  if (n == cells || (id == HP_ECL_TOPS && n > 0 && n % layer == 0)) return HP_OK;
  char advice[160];
  (void)hp_ecl_array_advice(e, id, advice);
  a->faulty = true;
  return hp_ecl_error(e, e->file, e->line, "%lld values, the box has %lld cells%s", (long long)n, (long long)cells,
                      advice);
}

/* DXV, DYV, DZV as cell arrays, which later operations change. */
static hp_status fill_sizes(hp_ecl *e, hp_ecl_array_id id, int d) {
  HP_TRY(touch(e, id, e->file, e->line));
  double *at = e->array[id].value;
  for (int k = 0; k < e->nz; ++k)
    for (int j = 0; j < e->ny; ++j)
      for (int i = e->planes.first; i < e->planes.first + e->planes.held; ++i)
        *at++ = e->sizes[d][d == 0 ? i : d == 1 ? j : k];
  return HP_OK;
}

hp_status hp_ecl_do_sizes(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  const int d = e->entry->argument;
  const hp_ecl_array_id id = d == 0 ? HP_ECL_DX : d == 1 ? HP_ECL_DY : HP_ECL_DZ;
  const int n[3] = {e->nx, e->ny, e->nz};
  if (e->unsized || (e->resized && e->array[id].claimed)) return hp_ecl_skip_numbers(e);
  const bool twice = e->array[id].value != NULL && e->sizes[d] == NULL;
  HP_FREE(e->sizes[d]);
  HP_TRY(HP_ALLOC(e->sizes[d], n[d]));
  hp_status s = hp_ecl_read_numbers(e, HP_UNIT_LENGTH, n[d], e->sizes[d]);
  if (s == HP_ERR_DECK) {
    e->array[id].faulty = true;
    char advice[160];
    (void)hp_ecl_array_advice(e, id, advice);
    if (advice[0] != '\0') hp_ecl_note(e, e->file, e->line, "does not fit%s", advice);
    return s;
  }
  for (int k = 0; k < n[d] && s == HP_OK; ++k)
    if (!(e->sizes[d][k] > 0.0)) {
      e->array[id].faulty = true;
      s = hp_ecl_error(e, e->file, e->line, "value %d is %g: must be > 0", k + 1,
                       e->sizes[d][k] / e->units.factor[HP_UNIT_LENGTH]);
    }
  if (s == HP_OK && twice) {
    e->array[id].faulty = true;
    s = hp_ecl_error(e, e->file, e->line, "%s is given already", hp_ecl_array_name(id));
  }
  return s == HP_OK ? fill_sizes(e, id, d) : s;
}

/* Corners of the first layer's tops, which are flat here: steps and slopes are left to COORD and ZCORN. */
hp_status hp_ecl_do_depthz(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  const int64_t count = ((int64_t)e->deck_size[0] + 1) * (e->deck_size[1] + 1);
  double *depth;
  if (e->unsized || (e->resized && e->array[HP_ECL_TOPS].claimed)) return hp_ecl_skip_numbers(e);
  HP_TRY(HP_ALLOC(depth, count));
  hp_status s = hp_ecl_read_numbers(e, HP_UNIT_LENGTH, count, depth);
  for (int64_t n = 1; n < count && s == HP_OK; ++n)
    if (depth[n] != depth[0])
      s = hp_ecl_error(
          e, e->file, e->line,
          "value %lld is %.9g, the first one %.9g: corners at several depths are not supported, give COORD "
          "and ZCORN",
          (long long)n + 1, depth[n] / e->units.factor[HP_UNIT_LENGTH], depth[0] / e->units.factor[HP_UNIT_LENGTH]);
  if (s == HP_OK) s = touch(e, HP_ECL_TOPS, e->file, e->line);
  for (int64_t m = 0; m < (int64_t)e->planes.held * e->ny && s == HP_OK; ++m) e->array[HP_ECL_TOPS].value[m] = depth[0];
  if (s == HP_ERR_DECK) e->array[HP_ECL_TOPS].faulty = true;
  HP_FREE(depth);
  return s;
}

/* operations */

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
    return hp_ecl_error(e, t->file, t->line, "'%.*s' is not an array that hepta knows", t->length > 40 ? 40 : t->length,
                        t->text);
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

static hp_status no_value(hp_ecl *e, const hp_ecl_record *record, hp_ecl_array_id id, const walk *w) {
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
                            const walk *w) {
  hp_ecl_array *a = &e->array[id];
  const int64_t m = walk_index(w);
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
  HP_TRY(touch(e, id, record->file, record->line));
  HP_TRY(make_factor(e, id));
  const double v = record->operation.value.x * (op == TIMES ? 1.0 : e->units.factor[property[id].quantity]);
  bool on;
  walk w = walk_held(e, regions != NULL ? all : e->record_box, &on);
  for (; on; on = walk_on(&w))
    if (regions == NULL || regions[walk_index(&w)] == (double)record->in_region.region.i)
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
static hp_status map_cell(hp_ecl *e, const hp_ecl_record *record, const mapping *m, const walk *w, bool *go_on) {
  hp_ecl_array *from = &e->array[m->from], *to = &e->array[m->to];
  const int64_t c = walk_index(w);
  const double x = from->value[c] / e->units.factor[property[m->from].quantity];
  const double r = to->value[c] / e->units.factor[property[m->to].quantity];
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
  const bool same = y == x && property[m->from].quantity == property[m->to].quantity;
  to->value[c] = same ? from->value[c] : y * e->units.factor[property[m->to].quantity];
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
  HP_TRY(touch(e, m->to, record->file, record->line));
  walk w = walk_held(e, regions != NULL ? all : e->record_box, &on);
  for (; on && go_on; on = walk_on(&w))
    if (regions == NULL || regions[walk_index(&w)] == (double)number) HP_TRY(map_cell(e, record, m, &w, &go_on));
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

hp_status hp_ecl_do_minpv(hp_ecl *e, const hp_ecl_record *record) {
  if (!(record->minpv.volume.x >= 0.0)) return hp_ecl_error(e, record->file, record->line, "must be >= 0");
  e->c->minpv = record->minpv.volume.x;
  e->minpv = true;
  return HP_OK;
}

hp_status hp_ecl_do_tran(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  e->newtran = e->entry->argument == 1;
  return HP_OK;
}
