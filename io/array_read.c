/* Cell arrays: one value, one a layer, all of them, from a file, from a seed. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/config_impl.h"

static int64_t cells_of(hp_array_shape a) { return (int64_t)a.nx * a.ny * a.nz; }

static const char *direction_text(int along) {
  return along == HP_DIR_I ? "nx" : along == HP_DIR_J ? "ny" : "nz";
}

static int direction_length(hp_array_shape a) {
  return a.along == HP_DIR_I ? a.nx : a.along == HP_DIR_J ? a.ny : a.nz;
}

static void fill(double *out, int64_t n, double v) {
  for (int64_t m = 0; m < n; ++m) out[m] = v;
}

/* true and false are allowed where 1 and 0 are meant. */
static bool element(hp_config *r, const hp_setting *s, const hp_config_key *key, double *out) {
  if (config_setting_type(s) == CONFIG_TYPE_BOOL && strcmp(key->path, "grid.active") == 0) {
    *out = config_setting_get_bool(s);
    return true;
  }
  return hp_config_number(r, s, out);
}

static void spread(hp_array_shape a, const double *line, double *out) {
  for (int k = 0; k < a.nz; ++k)
    for (int j = 0; j < a.ny; ++j)
      for (int i = 0; i < a.nx; ++i)
        out[i + (int64_t)a.nx * (j + (int64_t)a.ny * k)] = line[a.along == HP_DIR_I ? i : a.along == HP_DIR_J ? j : k];
}

/* A short list wins where its length is also that of the whole field: both mean the same then. */
static hp_status read_list(hp_config *r, const hp_setting *s, const hp_config_key *key, hp_array_shape a, bool *good,
                           double *out) {
  const int64_t n = cells_of(a), length = config_setting_length(s);
  const int side = direction_length(a);
  *good = false;
  if (length != n && length != side && length != 1) {
    if (side == 1 || n == side)
      hp_config_error(r, s, "%lld values: expected 1 or %lld", (long long)length, (long long)n);
    else
      hp_config_error(r, s, "%lld values: expected 1, %d (%s) or %lld (%s)", (long long)length, side,
                      direction_text(a.along), (long long)n, a.nz == 1 && a.along == HP_DIR_K ? "nx*ny" : "nx*ny*nz");
    return HP_OK;
  }
  double *line;
  HP_TRY(HP_ALLOC(line, length));
  *good = true;
  for (int64_t m = 0; m < length && *good; ++m)
    *good = element(r, config_setting_get_elem(s, (unsigned)m), key, &line[m]);
  if (*good && length == n)
    memcpy(out, line, (size_t)n * sizeof *out);
  else if (*good && length == side)
    spread(a, line, out);
  else if (*good)
    fill(out, n, line[0]);
  HP_FREE(line);
  return HP_OK;
}

/* Keys of a group that belong to the other form: said, not ignored. */
static void refuse(hp_config *r, const hp_setting *s, const char *const *name, const char *form) {
  for (; *name != NULL; ++name)
    if (hp_config_member(s, *name) != NULL) hp_config_error(r, hp_config_member(s, *name), "not used %s", form);
}

static void scale_and_clamp(hp_config *r, const hp_setting *s, bool from_file, int64_t n, double *out) {
  double factor = 1.0, low = -INFINITY, high = INFINITY;
  if (from_file) hp_config_float(r, s, "array.multiply", &factor);
  const bool has_low = hp_config_float(r, s, "array.min", &low), has_high = hp_config_float(r, s, "array.max", &high);
  if (has_low && has_high && low > high) {
    hp_config_error(r, s, "min %.12g is larger than max %.12g", low, high);
    return;
  }
  for (int64_t m = 0; m < n; ++m) {
    double v = out[m] * factor;
    if (v < low) v = low;
    if (v > high) v = high;
    out[m] = v;
  }
}

static hp_status read_group(hp_config *r, const hp_setting *s, const hp_config_key *key, hp_array_shape a, bool *good,
                            double *out) {
  static const char *const of_file[] = {"format", "index", "keyword", "dataset", "multiply", NULL};
  static const char *const of_generator[] = {"seed",       "mean",    "stddev",   "log_stddev", "correlation",
                                             "covariance", "channel", "fraction", "background", "width",
                                             "thickness",  "wavelength", "amplitude", "variability", NULL};
  const int errors = r->diag->errors;
  const bool file = hp_config_member(s, "file") != NULL, generator = hp_config_member(s, "generator") != NULL;
  const bool layers = hp_config_member(s, "layers") != NULL;
  if (file + generator + layers > 1) {
    hp_config_error(r, s, "give one of file, generator and layers");
  } else if (layers) {
    refuse(r, s, of_file, "with layers");
    refuse(r, s, of_generator, "with layers");
    HP_TRY(hp_array_layers(r, s, key, a, out));
  } else if (!generator && !file) {
    hp_config_error(r, s, "must have a file, a generator or layers");
  } else if (file) {
    HP_TRY(hp_array_file(r, s, a, out));
  } else {
    refuse(r, s, of_file, "with a generator");
    HP_TRY(hp_array_generate(r, s, key, a, out));
  }
  if (r->diag->errors == errors) scale_and_clamp(r, s, file, cells_of(a), out);
  *good = r->diag->errors == errors;
  return HP_OK;
}

static bool sound(const hp_config_key *key, double v) {
  return isfinite(v) && hp_config_out_of_range(key->range, v) == NULL;
}

/* Ranges are intervals: the extremes of the field tell whether all is well. */
static bool all_sound(const hp_config_key *key, int64_t n, const double *v) {
  double low = v[0], high = v[0];
  for (int64_t m = 0; m < n; ++m) {
    if (!isfinite(v[m])) return false;
    if (v[m] < low) low = v[m];
    if (v[m] > high) high = v[m];
  }
  return sound(key, low) && sound(key, high);
}

/* Reports the first value outside the key's range, and how many there are. */
static void check_range(hp_config *r, const hp_setting *s, const hp_config_key *key, hp_array_shape a,
                        const double *v) {
  const int64_t n = cells_of(a);
  if (all_sound(key, n, v)) return;
  int64_t first = -1, count = 0;
  for (int64_t m = 0; m < n; ++m)
    if (!sound(key, v[m])) {
      if (first < 0) first = m;
      count += 1;
    }
  char shown[64], place[96] = "", more[48] = "", must[64] = "finite";
  if (config_setting_is_aggregate(s))
    snprintf(place, sizeof place, " in cell %d,%d,%d", 1 + (int)(first % a.nx), 1 + (int)(first / a.nx % a.ny),
             1 + (int)(first / a.nx / a.ny));
  if (count > 1 && place[0] != '\0') snprintf(more, sizeof more, " (and %lld more)", (long long)count - 1);
  if (isfinite(v[first]))
    snprintf(must, sizeof must, "%s%s", strstr(key->range, "..") != NULL ? "in " : "", key->range);
  hp_config_error(r, s, "%s%s%s: must be %s", hp_config_show(r, key, v[first], shown), place, more, must);
}

hp_status hp_array_read(hp_config *r, const hp_setting *s, const hp_config_key *key, hp_array_shape a, double *out) {
  const int64_t n = cells_of(a);
  bool good;
  double v;
  switch (config_setting_type(s)) {
    case CONFIG_TYPE_ARRAY:
    case CONFIG_TYPE_LIST: HP_TRY(read_list(r, s, key, a, &good, out)); break;
    case CONFIG_TYPE_GROUP: HP_TRY(read_group(r, s, key, a, &good, out)); break;
    default:
      good = element(r, s, key, &v);
      if (good) fill(out, n, v);
  }
  if (!good) {
    fill(out, n, NAN);
    return HP_OK;
  }
  check_range(r, s, key, a, out);
  for (int64_t m = 0; m < n; ++m) out[m] *= r->units.factor[key->unit];
  return HP_OK;
}
