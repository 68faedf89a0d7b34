/* Cell arrays: one value, one a layer, all of them, from a file, from a seed. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "io/config/impl.h"

/* That are held. */
static int64_t cells_of(hp_array_shape a) { return (int64_t)a.nx * a.ny * a.nz; }

static const char *direction_text(int along) { return along == HP_DIR_I ? "nx" : along == HP_DIR_J ? "ny" : "nz"; }

/* HP_DIR_K, _J, _I count from the fastest direction in memory: 0, 1, 2. */
static int direction_length(hp_array_shape a) { return a.deck[2 - a.along]; }

/* True if the grid's size is known in all directions. */
static bool measured(hp_array_shape a) { return a.deck[0] > 0 && a.deck[1] > 0 && a.deck[2] > 0; }

/* Cells along the directions that are known. */
static int64_t known_cells(hp_array_shape a) {
  int64_t n = 1;
  for (int d = 0; d < 3; ++d)
    if (a.deck[d] > 0) n *= a.deck[d];
  return n;
}

/* out[m] = v; out[m] *= v. */
typedef struct {
  double *out, v;
} by_number;

static void set_range(void *arg, int64_t begin, int64_t end) {
  const by_number *b = arg;
  for (int64_t m = begin; m < end; ++m) b->out[m] = b->v;
}

static void scale_range(void *arg, int64_t begin, int64_t end) {
  const by_number *b = arg;
  for (int64_t m = begin; m < end; ++m) b->out[m] *= b->v;
}

static void fill(double *out, int64_t n, double v) {
  by_number b = {out, v};
  hp_parallel(n, HP_PARALLEL_GRAIN, set_range, &b);
}

static void multiply(double *out, int64_t n, double v) {
  by_number b = {out, v};
  if (v != 1.0) hp_parallel(n, HP_PARALLEL_GRAIN, scale_range, &b);
}

/* true and false are allowed where 1 and 0 are meant. */
static bool element(hp_config *r, const hp_setting *s, const hp_config_key *key, double *out) {
  if (config_setting_type(s) == CONFIG_TYPE_BOOL && strcmp(key->path, "grid.active") == 0) {
    *out = config_setting_get_bool(s);
    return true;
  }
  double si;
  return hp_config_quantity(r, s, key->unit, out, &si);
}

static void lay_along(hp_array_shape a, const double *line, double *out) {
  for (int k = 0; k < a.nz; ++k)
    for (int j = 0; j < a.ny; ++j)
      for (int i = 0; i < a.nx; ++i)
        out[i + (int64_t)a.nx * (j + (int64_t)a.ny * k)] = line[a.along == HP_DIR_I   ? a.i0 + i
                                                                : a.along == HP_DIR_J ? j
                                                                                      : k];
}

/* Whether a list of this length may stand for the array, as far as the size is known. */
static bool fits(hp_array_shape a, int64_t length) {
  const int64_t n = known_cells(a);
  const int side = direction_length(a);
  if (length == 0) return false;
  if (length == 1 || length == side) return true;
  if (measured(a)) return length == n;
  return side == 0 || length % n == 0;
}

static void report_length(hp_config *r, const hp_setting *s, hp_array_shape a, int64_t length) {
  const int64_t n = known_cells(a);
  const int side = direction_length(a);
  const char *cells = a.deck[2] == 1 && a.along == HP_DIR_K ? "nx*ny" : "nx*ny*nz";
  if (!measured(a))
    hp_config_error(r, s, "%lld values: expected 1, %d (%s) or %s", (long long)length, side, direction_text(a.along),
                    cells);
  else if (side == 1 || n == side)
    hp_config_error(r, s, "%lld values: expected 1 or %lld", (long long)length, (long long)n);
  else
    hp_config_error(r, s, "%lld values: expected 1, %d (%s) or %lld (%s)", (long long)length, side,
                    direction_text(a.along), (long long)n, cells);
}

enum { REPORTED_MAX = 20 }; /* faults of one list that are reported one by one */

/* The list's numbers, NaN where one is none. *good: all are. */
static void read_elements(hp_config *r, const hp_setting *s, const hp_config_key *key, int64_t length, bool *good,
                          double *line) {
  int reported = 0;
  for (int64_t m = 0; m < length; ++m) {
    line[m] = NAN;
    if (reported >= REPORTED_MAX || element(r, config_setting_get_elem(s, (unsigned)m), key, &line[m])) continue;
    line[m] = NAN;
    *good = false;
    reported += 1;
  }
}

/* Values judged where they stand: over a stand-in grid, and in a list made from
 * a case, where only what options have set is to be judged. */
static void judge_elements(hp_config *r, const hp_setting *s, const hp_config_key *key, int64_t length,
                           const double *line) {
  const bool patched = hp_config_patched(r, s);
  int reported = 0;
  for (int64_t m = 0; m < length && reported < REPORTED_MAX; ++m) {
    const hp_setting *at = config_setting_get_elem(s, (unsigned)m);
    char shown[64];
    if (isnan(line[m]) || hp_config_out_of_range(key->range, line[m]) == NULL) continue;
    if (patched && config_setting_get_hook(at) == NULL) continue;
    hp_config_error(r, at, "%s: must be %s%s", hp_config_show(r, key, line[m], shown),
                    strstr(key->range, "..") != NULL ? "in " : "", key->range);
    reported += 1;
  }
}

/* A list that is left out of the text: of the whole field each rank keeps its numbers, a shorter one goes to line [m->count]. */
static hp_status read_gap(hp_config *r, const hp_config_mark *m, hp_array_shape a, double *line, double *out) {
  hp_config_numbers g;
  int64_t at = 0;
  hp_status s = hp_config_gap_open(r, m, &g);
  while (s == HP_OK && g.left > 0) {
    s = hp_config_gap_next(&g);
    if (s == HP_OK && line == NULL) hp_array_keep(a, out, at, g.count, g.value);
    for (int64_t n = 0; s == HP_OK && line != NULL && n < g.count; ++n) line[at + n] = g.value[n];
    at += g.count;
  }
  hp_config_gap_close(&g);
  return s;
}

/* A short list wins where its length is also that of the whole field: both mean the same then.
 * *good: the length is right and every element a number; those that are none become NaN. */
static hp_status read_list(hp_config *r, const hp_setting *s, const hp_config_key *key, hp_array_shape a, bool *good,
                           double *out) {
  hp_config_mark gap;
  const bool left_out = hp_config_is_gap(r, s, &gap);
  const int64_t n = cells_of(a), length = left_out ? gap.count : config_setting_length(s);
  const int64_t whole = (int64_t)a.whole * hp_array_rows(a) * a.nz;
  const bool fitting = fits(a, length);
  if (!fitting) report_length(r, s, a, length);
  *good = fitting;
  if (length == 0) return HP_OK;
  if (left_out && (r->stand_in || !fitting || gap.columns > 0)) return hp_spread_refuse(r->c->spread, HP_SPREAD_ERRORS);
  if (left_out && length == whole) return read_gap(r, &gap, a, NULL, out);
  double *line;
  HP_TRY(HP_ALLOC(line, length));
  if (left_out) {
    const hp_status status = read_gap(r, &gap, a, line, NULL);
    if (status != HP_OK) HP_FREE(line);
    HP_TRY(status);
  } else {
    read_elements(r, s, key, length, good, line);
  }
  if (r->stand_in || !fitting || hp_config_patched(r, s)) judge_elements(r, s, key, length, line);
  if (r->stand_in || !fitting) {
    fill(out, n, NAN);
  } else if (length == whole) {
    for (int64_t row = 0; row < (int64_t)a.ny * a.nz; ++row) {
      const int64_t in_file = row % a.ny + a.j0 + row / a.ny * hp_array_rows(a);
      memcpy(out + row * a.nx, line + in_file * a.whole + a.i0, (size_t)a.nx * sizeof *out);
    }
  } else if (length == direction_length(a)) {
    lay_along(a, line, out);
  } else {
    fill(out, n, line[0]);
  }
  HP_FREE(line);
  return HP_OK;
}

/* Keys of a group that belong to the other form: said, not ignored. */
static void refuse_all(hp_config *r, const hp_setting *s, const char *const *name, const char *why) {
  for (; *name != NULL; ++name) hp_config_refuse(r, s, *name, why);
}

typedef struct {
  double *out, low, high;
} limits;

static void clamp_range(void *arg, int64_t begin, int64_t end) {
  const limits *l = arg;
  for (int64_t m = begin; m < end; ++m) {
    double v = l->out[m];
    if (v < l->low) v = l->low;
    if (v > l->high) v = l->high;
    l->out[m] = v;
  }
}

/* good: the values themselves are, and are to be changed. */
static void scale_and_clamp(hp_config *r, const hp_setting *s, bool from_file, bool good, int64_t n, double *out) {
  double factor = 1.0, low = -INFINITY, high = INFINITY;
  if (from_file) hp_config_float(r, s, "array.multiply", &factor);
  const bool has_low = hp_config_float(r, s, "array.min", &low), has_high = hp_config_float(r, s, "array.max", &high);
  if (has_low && has_high && low > high) {
    hp_config_error(r, s, "min %.12g is larger than max %.12g", low, high);
    return;
  }
  if (!good) return;
  multiply(out, n, factor);
  limits l = {out, low, high};
  if (has_low || has_high) hp_parallel(n, HP_PARALLEL_GRAIN, clamp_range, &l);
}

static hp_status read_group(hp_config *r, const hp_setting *s, const hp_config_key *key, hp_array_shape a, bool *good,
                            double *out) {
  static const char *const of_file[] = {"format", "index", "keyword", "dataset", "multiply", NULL};
  static const char *const of_generator[] = {"seed",       "mean",       "stddev",    "log_stddev",  "correlation",
                                             "covariance", "channel",    "fraction",  "background",  "width",
                                             "thickness",  "wavelength", "amplitude", "variability", NULL};
  const int errors = r->diag->errors;
  const bool file = hp_config_member(s, "file") != NULL, generator = hp_config_member(s, "generator") != NULL;
  const bool layers = hp_config_member(s, "layers") != NULL;
  if (file + generator + layers > 1) {
    hp_config_error(r, s, "give one of file, generator and layers");
  } else if (layers) {
    refuse_all(r, s, of_file, "not used with layers");
    refuse_all(r, s, of_generator, "not used with layers");
    HP_TRY(hp_array_layers(r, s, key, a, out));
  } else if (!generator && !file) {
    hp_config_error(r, s, "must have a file, a generator or layers");
  } else if (file) {
    HP_TRY(hp_array_file(r, s, a, out));
  } else {
    refuse_all(r, s, of_file, "not used with a generator");
    HP_TRY(hp_array_generate(r, s, key, a, out));
  }
  scale_and_clamp(r, s, file, r->diag->errors == errors && !r->stand_in, cells_of(a), out);
  *good = r->diag->errors == errors;
  return HP_OK;
}

static bool sound(const hp_config_key *key, double v) {
  return isfinite(v) && hp_config_out_of_range(key->range, v) == NULL;
}

typedef struct {
  const hp_config_key *key;
  const double *v;
  _Atomic bool faulty;
} judgement;

/* Ranges of keys are intervals: the extremes of the values show whether all is well. */
static void judge_range(void *arg, int64_t begin, int64_t end) {
  judgement *j = arg;
  const double *v = j->v;
  double low = v[begin], high = v[begin];
  bool finite = true;
  for (int64_t m = begin; m < end; ++m) {
    finite &= isfinite(v[m]) != 0;
    low = v[m] < low ? v[m] : low;
    high = v[m] > high ? v[m] : high;
  }
  if (!finite || !sound(j->key, low) || !sound(j->key, high)) j->faulty = true;
}

static bool all_sound(const hp_config_key *key, int64_t n, const double *v) {
  judgement j = {key, v, false};
  hp_parallel(n, HP_PARALLEL_GRAIN, judge_range, &j);
  return !j.faulty;
}

/* Reports the first value outside the key's range, and how many there are.
 * reported: cells that are NaN have been reported. */
static void check_range(hp_config *r, const hp_setting *s, const hp_config_key *key, hp_array_shape a, bool reported,
                        const double *v) {
  const int64_t n = cells_of(a);
  if (all_sound(key, n, v)) return;
  int64_t first = -1, count = 0;
  for (int64_t m = 0; m < n; ++m)
    if (!sound(key, v[m]) && !(reported && isnan(v[m]))) {
      if (first < 0) first = m;
      count += 1;
    }
  if (count == 0) return;
  char shown[64], place[96] = "", more[48] = "", must[64] = "finite";
  if (config_setting_is_aggregate(s))
    snprintf(place, sizeof place, " in cell %d,%d,%d", 1 + a.i0 + (int)(first % a.nx),
             1 + a.j0 + (int)(first / a.nx % a.ny), 1 + (int)(first / a.nx / a.ny));
  if (count > 1 && place[0] != '\0') snprintf(more, sizeof more, " (and %lld more)", (long long)count - 1);
  if (isfinite(v[first]))
    snprintf(must, sizeof must, "%s%s", strstr(key->range, "..") != NULL ? "in " : "", key->range);
  hp_config_error(r, s, "%s%s%s: must be %s", hp_config_show(r, key, v[first], shown), place, more, must);
}

static hp_status read_array(hp_config *r, const hp_setting *s, const hp_config_key *key, hp_array_shape a,
                            double *out) {
  const int64_t n = cells_of(a);
  const int type = config_setting_type(s);
  bool good;
  double v;
  fill(out, n, NAN);
  switch (type) {
    case CONFIG_TYPE_ARRAY:
    case CONFIG_TYPE_LIST: HP_TRY(read_list(r, s, key, a, &good, out)); break;
    case CONFIG_TYPE_GROUP:
      HP_TRY(read_group(r, s, key, a, &good, out));
      if (r->stand_in || !good) fill(out, n, NAN);
      break;
    default:
      good = element(r, s, key, &v);
      if (good) fill(out, n, v);
  }
  const bool judged = config_setting_is_aggregate(s) && (r->stand_in || hp_config_patched(r, s));
  if (!judged) check_range(r, s, key, a, !good, out);
  multiply(out, n, r->units.factor[key->unit]);
  return HP_OK;
}

/* A group may have units of its own. */
hp_status hp_array_read(hp_config *r, const hp_setting *s, const hp_config_key *key, hp_array_shape a, double *out) {
  const hp_units deck = r->units;
  int units = (int)deck.system;
  if (hp_config_member(s, "units") != NULL && hp_config_choice(r, s, "array.units", &units))
    r->units = hp_units_of((hp_unit_system)units);
  const hp_status status = read_array(r, s, key, a, out);
  r->units = deck;
  return status;
}
