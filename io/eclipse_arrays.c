/* Cell arrays: reading them, and EQUALS, ADD, MULTIPLY, COPY inside boxes. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/eclipse_impl.h"

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
  return id == HP_ECL_MULTX_ ? "MULTX-" : id == HP_ECL_MULTY_ ? "MULTY-" : id == HP_ECL_MULTZ_ ? "MULTZ-"
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

bool hp_ecl_array_regions(hp_ecl_array_id id) {
  return (id >= HP_ECL_FLUXNUM && id <= HP_ECL_OPERNUM) || (id >= HP_ECL_SATNUM && id <= HP_ECL_FIPNUM);
}

hp_status hp_ecl_array_make(hp_ecl *e, hp_ecl_array_id id) {
  hp_ecl_array *a = &e->array[id];
  if (a->value != NULL) return HP_OK;
  const int64_t n = (int64_t)e->nx * e->ny * e->nz;
  HP_TRY(hp_alloc((void **)&a->value, n, sizeof *a->value, hp_ecl_array_name(id)));
  for (int64_t m = 0; m < n; ++m) a->value[m] = property[id].fallback;
  return HP_OK;
}

/* Notes where the array is set. The manuals disagree whether multipliers of
 * GRID and EDIT overwrite or multiply, so a deck may set them in one of the two. */
static hp_status touch(hp_ecl *e, hp_ecl_array_id id, const char *file, int line) {
  hp_ecl_array *a = &e->array[id];
  HP_TRY(hp_ecl_array_make(e, id));
  if (a->section == HP_ECL_GRID && e->section == HP_ECL_EDIT)
    return hp_ecl_error(e, file, line, "%s is set in GRID already; set it in one section only", hp_ecl_array_name(id));
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

/* On a grid of another size a box that leaves it is told by the arrays that are read into it. */
hp_status hp_ecl_do_box(hp_ecl *e, const hp_ecl_record *record) {
  int box[6];
  memcpy(box, e->box, sizeof box);
  if (e->resized)
    for (int b = 0; b < 6; ++b) box[b] = record->v[b].given ? (int)record->v[b].i - 1 : box[b];
  else
    HP_TRY(hp_ecl_read_box(e, record, 0, box));
  memcpy(e->box, box, sizeof box);
  return HP_OK;
}

hp_status hp_ecl_do_endbox(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  hp_ecl_box_reset(e);
  return HP_OK;
}

/* A walk through a box, i fastest. */
typedef struct {
  const int *box;
  int i, j, k;
  int64_t nx, layer;
} walk;

static walk walk_start(const hp_ecl *e, const int box[6]) {
  return (walk){box, box[0], box[2], box[4], e->nx, (int64_t)e->nx * e->ny};
}

static int64_t walk_index(const walk *w) { return w->i + w->nx * w->j + w->layer * w->k; }

static bool walk_on(walk *w) {
  if (++w->i <= w->box[1]) return true;
  w->i = w->box[0];
  if (++w->j <= w->box[3]) return true;
  w->j = w->box[2];
  return ++w->k <= w->box[5];
}

static int64_t box_layer(const int box[6]) { return (int64_t)(box[1] - box[0] + 1) * (box[3] - box[2] + 1); }

/* arrays */

static hp_status check_box(hp_ecl *e, hp_ecl_array_id id) {
  const int n[3] = {e->nx, e->ny, e->nz};
  char advice[160];
  (void)hp_ecl_array_advice(e, id, advice);
  for (int d = 0; d < 3; ++d)
    if (e->box[2 * d] < 0 || e->box[2 * d] > e->box[2 * d + 1] || e->box[2 * d + 1] >= n[d])
      return hp_ecl_error(e, e->file, e->line, "box %c%d..%c%d: must rise within 1..%d%s", "ijk"[d], e->box[2 * d] + 1,
                          "ijk"[d], e->box[2 * d + 1] + 1, n[d], advice);
  return HP_OK;
}

/* Values of the box up to the '/', *count of them; words that are none are told and stay what was there. */
static hp_status read_values(hp_ecl *e, hp_ecl_array_id id, int64_t cells, int64_t *count) {
  enum { WORDS_MAX = 5 };
  hp_ecl_array *a = &e->array[id];
  const double factor = e->units.factor[property[id].quantity];
  walk w = walk_start(e, e->box);
  int told = 0;
  *count = 0;
  for (;;) {
    hp_ecl_token t;
    double x = 0.0;
    HP_TRY(hp_ecl_word(e, &t));
    if (t.kind == HP_ECL_SLASH) return HP_OK;
    const bool number = t.defaulted || hp_ecl_number(&t, &x);
    if (!number) {
      a->faulty = true;
      if (told++ < WORDS_MAX)
        (void)hp_ecl_error(e, t.file, t.line, "'%.*s' is not a number", t.length > 40 ? 40 : t.length, t.text);
    }
    if (t.count > cells - *count) {
      char advice[160];
      (void)hp_ecl_array_advice(e, id, advice);
      return hp_ecl_error(e, t.file, t.line, "more than the %lld values of the box%s", (long long)cells, advice);
    }
    x *= factor;
    for (int64_t c = 0; c < t.count; ++c, ++*count) {
      if (number && !t.defaulted) a->value[walk_index(&w)] = x; /* a default leaves what was there */
      walk_on(&w);
    }
  }
}

hp_status hp_ecl_do_cells(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  const hp_ecl_array_id id = (hp_ecl_array_id)e->entry->argument;
  hp_ecl_array *a = &e->array[id];
  if (e->unsized || (e->resized && a->claimed)) return hp_ecl_skip_numbers(e);
  hp_status s = touch(e, id, e->file, e->line);
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

hp_status hp_ecl_do_sizes(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  const int d = e->entry->argument;
  const hp_ecl_array_id id = d == 0 ? HP_ECL_DX : d == 1 ? HP_ECL_DY : HP_ECL_DZ;
  const int n[3] = {e->nx, e->ny, e->nz};
  if (e->unsized || (e->resized && e->array[id].claimed)) return hp_ecl_skip_numbers(e);
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
  return s;
}

/* operations */

static hp_status find_array(hp_ecl *e, const hp_ecl_record *record, int item, hp_ecl_array_id *id) {
  const hp_ecl_token *t = &record->v[item].text;
  const hp_ecl_keyword_entry *entry = hp_ecl_find(t);
  *id = HP_ECL_ARRAYS;
  const bool known = entry != NULL && entry->handler == hp_ecl_do_cells;
  if (!known) e->lost |= e->section; /* one that is missing may be meant */
  if (entry == NULL || entry->handler != hp_ecl_do_cells)
    return hp_ecl_error(e, t->file, t->line, "'%.*s' is no array that hepta knows", t->length > 40 ? 40 : t->length,
                        t->text);
  if ((entry->sections & (unsigned)e->section) == 0)
    return hp_ecl_error(e, t->file, t->line, "%s belongs in %s", entry->name, hp_ecl_section_name(entry->sections));
  *id = (hp_ecl_array_id)entry->argument;
  return HP_OK;
}

hp_status hp_ecl_array_faulty(hp_ecl *e, const hp_ecl_record *record, int item) {
  const hp_ecl_token *t = &record->v[item].text;
  const hp_ecl_keyword_entry *entry = record->v[item].given ? hp_ecl_find(t) : NULL;
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

/* One cell. Times 0 is the constant 0, also where nothing is set yet. */
static hp_status operate_on(hp_ecl *e, const hp_ecl_record *record, operation op, double v, hp_ecl_array_id id,
                            const walk *w) {
  hp_ecl_array *a = &e->array[id];
  const int64_t m = walk_index(w);
  if (op == SET || !isnan(a->value[m]) || (op == TIMES && v == 0.0)) {
    a->value[m] = op == TIMES && v == 0.0 ? 0.0 : changed(op, a->value[m], v);
    return HP_OK;
  }
  if (!hp_ecl_array_computed(id)) return a->faulty ? HP_OK : no_value(e, record, id, w);
  if (op != TIMES) {
    a->faulty = true;
    return hp_ecl_error(e, record->file, record->line, "%s of cell (%d,%d,%d) follows from the cells: it can be set or "
                        "multiplied only", hp_ecl_array_name(id), w->i + 1, w->j + 1, w->k + 1);
  }
  a->factor[m] *= v;
  return HP_OK;
}

/* Room for factors of what follows from the cells. */
static hp_status make_factor(hp_ecl *e, hp_ecl_array_id id) {
  hp_ecl_array *a = &e->array[id];
  const int64_t n = (int64_t)e->nx * e->ny * e->nz;
  if (!hp_ecl_array_computed(id) || a->factor != NULL) return HP_OK;
  HP_TRY(HP_ALLOC(a->factor, n));
  for (int64_t m = 0; m < n; ++m) a->factor[m] = 1.0;
  return HP_OK;
}

/* The operation in the cells of the record's box, or, with `regions`, in those
 * of the region that item 3 names. */
static hp_status operate(hp_ecl *e, const hp_ecl_record *record, operation op, const double *regions) {
  hp_ecl_array_id id;
  int all[6] = {0, e->nx - 1, 0, e->ny - 1, 0, e->nz - 1};
  HP_TRY(find_array(e, record, 0, &id));
  if (e->unsized || (e->resized && e->array[id].claimed)) return HP_OK;
  const hp_status in = regions != NULL ? HP_OK : hp_ecl_read_box(e, record, 2, e->record_box);
  if (in != HP_OK) {
    e->array[id].faulty = true;
    if (e->array[id].value == NULL) HP_TRY(hp_ecl_array_make(e, id));
    return in;
  }
  HP_TRY(touch(e, id, record->file, record->line));
  HP_TRY(make_factor(e, id));
  const double v = record->v[1].x * (op == TIMES ? 1.0 : e->units.factor[property[id].quantity]);
  walk w = walk_start(e, regions != NULL ? all : e->record_box);
  do {
    if (regions == NULL || regions[walk_index(&w)] == (double)record->v[2].i)
      HP_TRY(operate_on(e, record, op, v, id, &w));
  } while (walk_on(&w));
  return HP_OK;
}

/* Cells of a region: item 4 says by which array, MULTNUM where it is left out. */
static hp_status operate_in_region(hp_ecl *e, const hp_ecl_record *record, operation op) {
  static const hp_ecl_array_id by[] = {HP_ECL_MULTNUM, HP_ECL_FLUXNUM, HP_ECL_OPERNUM};
  const hp_ecl_array_id id = by[record->v[3].choice];
  const double *regions = e->array[id].value;
  if (regions == NULL && !e->unsized)
    return hp_ecl_error(e, record->file, record->line, "%s must be given before", hp_ecl_array_name(id));
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

hp_status hp_ecl_do_copy(hp_ecl *e, const hp_ecl_record *record) {
  hp_ecl_array_id from, to;
  HP_TRY(find_array(e, record, 0, &from));
  HP_TRY(find_array(e, record, 1, &to));
  if (property[from].quantity != property[to].quantity)
    return hp_ecl_error(e, record->file, record->line, "%s and %s have different units", hp_ecl_array_name(from),
                        hp_ecl_array_name(to));
  if (e->unsized || (e->resized && e->array[to].claimed)) return HP_OK;
  if (e->resized && e->array[from].claimed) {
    e->array[to].faulty = true;
    HP_TRY(hp_ecl_array_make(e, to));
    return hp_ecl_error(e, record->file, record->line,
                        "%s is a copy of %s, which --set gives anew on a grid of another size: give %s by --set too",
                        hp_ecl_array_name(to), hp_ecl_array_name(from),
                        hp_ecl_array_key(to) != NULL ? hp_ecl_array_key(to) : hp_ecl_array_name(to));
  }
  if (hp_ecl_array_computed(from) || hp_ecl_array_computed(to))
    return hp_ecl_error(e, record->file, record->line, "%s: what follows from the cells cannot be copied",
                        hp_ecl_array_name(hp_ecl_array_computed(from) ? from : to));
  HP_TRY(hp_ecl_read_box(e, record, 2, e->record_box));
  HP_TRY(hp_ecl_array_make(e, from));
  HP_TRY(touch(e, to, record->file, record->line));
  walk w = walk_start(e, e->record_box);
  do {
    const int64_t m = walk_index(&w);
    if (isnan(e->array[from].value[m])) {
      const bool told = e->array[from].faulty;
      e->array[to].faulty = true;
      return told ? HP_OK : no_value(e, record, from, &w);
    }
    e->array[to].value[m] = e->array[from].value[m];
  } while (walk_on(&w));
  return HP_OK;
}

hp_status hp_ecl_do_minpv(hp_ecl *e, const hp_ecl_record *record) {
  if (!(record->v[0].x >= 0.0)) return hp_ecl_error(e, record->file, record->line, "must be >= 0");
  e->c->minpv = record->v[0].x;
  e->minpv = true;
  return HP_OK;
}

hp_status hp_ecl_do_tran(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  e->newtran = e->entry->argument == 1;
  return HP_OK;
}
