/* Cell arrays: boxes, and reading them. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/eclipse/arrays/impl.h"

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
  static const char *const minus[HP_ECL_ARRAYS] = {
      [HP_ECL_MULTX_] = "MULTX-",   [HP_ECL_MULTY_] = "MULTY-",   [HP_ECL_MULTZ_] = "MULTZ-",
      [HP_ECL_KRNUMX_] = "KRNUMX-", [HP_ECL_KRNUMY_] = "KRNUMY-", [HP_ECL_KRNUMZ_] = "KRNUMZ-"};
  return minus[id] != NULL ? minus[id] : property[id].name;
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

/* Whether values of EDIT multiply those of GRID: MULTPV, MULTX and the like. */
static bool multiplies(hp_ecl_array_id id) { return id >= HP_ECL_MULTPV && id <= HP_ECL_MULTZ_; }

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

hp_status hp_ecl_array_touch(hp_ecl *e, hp_ecl_array_id id, const char *file, int line) {
  hp_ecl_array *a = &e->array[id];
  if (a->section == HP_ECL_GRID && e->section == HP_ECL_EDIT && multiplies(id)) {
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
static hp_status read_gap(hp_ecl *e, hp_ecl_array_id id, const hp_ecl_token *t, int64_t cells, hp_ecl_walk *w,
                          int64_t *count) {
  const double factor = e->units.factor[property[id].quantity];
  double *value = e->array[id].value;
  hp_ecl_gap_numbers g;
  hp_status s = hp_ecl_gap_open(e, t, &g);
  do {
    if (s == HP_OK) s = hp_ecl_gap_next(&g);
    if (s == HP_OK && g.count > cells - *count) s = hp_spread_refuse(e->c->spread, HP_SPREAD_ERRORS);
    for (int64_t n = 0; s == HP_OK && n < g.count; ++n, ++*count) {
      if (hp_ecl_holds(e, w->i) && !isnan(g.value[n])) value[hp_ecl_walk_index(w)] = g.value[n] * factor;
      hp_ecl_walk_on(w);
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
  hp_ecl_walk w = hp_ecl_walk_start(e, e->box);
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
        (void)hp_ecl_error(e, t.file, t.line, "%s is not a number", hp_ecl_show(&e->lexer, &t, "'").s);
    }
    if (t.count > cells - *count) {
      char advice[160];
      (void)hp_ecl_array_advice(e, id, advice);
      return hp_ecl_error(e, t.file, t.line, "more than the %lld values of the box%s", (long long)cells, advice);
    }
    x *= factor;
    for (int64_t c = 0; c < t.count; ++c, ++*count) {
      if (number && !t.defaulted && hp_ecl_holds(e, w.i))
        a->value[hp_ecl_walk_index(&w)] = x; /* a default leaves what was */
      hp_ecl_walk_on(&w);
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
  hp_status s = hp_ecl_array_touch(e, id, e->file, e->line);
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
  HP_TRY(hp_ecl_array_touch(e, id, e->file, e->line));
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
  if (s == HP_OK) s = hp_ecl_array_touch(e, HP_ECL_TOPS, e->file, e->line);
  for (int64_t m = 0; m < (int64_t)e->planes.held * e->ny && s == HP_OK; ++m) e->array[HP_ECL_TOPS].value[m] = depth[0];
  if (s == HP_ERR_DECK) e->array[HP_ECL_TOPS].faulty = true;
  HP_FREE(depth);
  return s;
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
