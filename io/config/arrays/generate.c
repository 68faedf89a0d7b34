/* Cell arrays made from a seed (grid/rockgen.h). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "io/config/impl.h"

typedef enum { LOGNORMAL, NORMAL, CHANNELS } generator;

static void refuse_for(const char *generator_name, hp_config *r, const hp_setting *s, const char *name) {
  char why[64];
  snprintf(why, sizeof why, "not used by the generator '%s'", generator_name);
  hp_config_refuse(r, s, name, why);
}

static void read_correlation(hp_config *r, const hp_setting *s, double out[3]) {
  const hp_setting *l = hp_config_member(s, "correlation");
  if (l == NULL) return;
  const int type = config_setting_type(l);
  if ((type != CONFIG_TYPE_ARRAY && type != CONFIG_TYPE_LIST) || config_setting_length(l) != 3) {
    hp_config_error(r, l, "must be three lengths [along i, along j, along k] in cells");
    return;
  }
  for (int d = 0; d < 3; ++d) {
    const hp_setting *element = config_setting_get_elem(l, (unsigned)d);
    if (hp_config_number(r, element, &out[d]) && out[d] < 0.0) hp_config_error(r, element, "%g: must be >= 0", out[d]);
  }
}

static uint64_t read_seed(hp_config *r, const hp_setting *s) {
  int seed = 1;
  hp_config_int(r, s, "array.seed", &seed);
  return (uint64_t)seed;
}

/* A fault that the generator itself finds belongs to the deck. */
static hp_status as_fault(hp_config *r, const hp_setting *s, hp_status status) {
  if (status != HP_ERR_DECK && status != HP_ERR_NUMERIC) return status;
  hp_config_error(r, s, "%s", hp_fail_text());
  return HP_OK;
}

/* A standard normal field made one of the deck's. */
typedef struct {
  const double *field;
  double mean, sigma, *out;
} mapping;

static void make_normal(void *arg, int64_t begin, int64_t end) {
  const mapping *f = arg;
  for (int64_t m = begin; m < end; ++m) f->out[m] = f->mean + f->sigma * f->field[m];
}

static void make_lognormal(void *arg, int64_t begin, int64_t end) {
  const mapping *f = arg;
  for (int64_t m = begin; m < end; ++m) f->out[m] = f->sigma * f->field[m];
  hp_rock_exp_of(end - begin, f->out + begin, f->out + begin);
  for (int64_t m = begin; m < end; ++m) f->out[m] = f->mean * f->out[m];
}

static hp_status gauss(hp_config *r, const hp_setting *s, bool logarithmic, hp_array_shape a, double *out) {
  static const char *const of_channels[] = {"background", "channel",    "fraction",  "width",
                                            "thickness",  "wavelength", "amplitude", "variability"};
  const char *name = logarithmic ? "lognormal" : "normal";
  const int errors = r->diag->errors;
  for (size_t n = 0; n < sizeof of_channels / sizeof of_channels[0]; ++n) refuse_for(name, r, s, of_channels[n]);
  refuse_for(name, r, s, logarithmic ? "stddev" : "log_stddev");
  hp_rock_gauss_spec spec = {.seed = read_seed(r, s)};
  int covariance = 0;
  hp_config_choice(r, s, "array.covariance", &covariance);
  spec.covariance = (hp_rock_covariance)covariance;
  read_correlation(r, s, spec.correlation);
  double mean = 1.0, sigma = 0.0;
  hp_config_float(r, s, "array.mean", &mean);
  hp_config_float(r, s, logarithmic ? "array.log_stddev" : "array.stddev", &sigma);
  if (logarithmic && mean <= 0.0) hp_config_error(r, hp_config_member(s, "mean"), "%.12g: must be > 0", mean);
  if (r->diag->errors != errors) return HP_OK;
  mapping f = {.mean = mean, .sigma = sigma, .out = out};
  HP_TRY(as_fault(r, s, hp_array_gauss(r, &spec, a, &f.field)));
  if (f.field == NULL) return HP_OK;
  hp_parallel((int64_t)a.nx * a.ny * a.nz, logarithmic ? HP_PARALLEL_GRAIN / 4 : HP_PARALLEL_GRAIN,
              logarithmic ? make_lognormal : make_normal, &f);
  return HP_OK;
}

/* An array inside the array. */
static hp_status part(hp_config *r, const hp_setting *s, const char *path, const hp_config_key *outer, hp_array_shape a,
                      double *out) {
  const hp_config_key key = hp_array_inner(s, outer);
  const char *name = strrchr(path, '.') + 1;
  const hp_setting *member = hp_config_member(s, name);
  if (member == NULL) {
    hp_config_error(r, s, "%s is missing: %s", name, hp_config_key_find(path)->what);
    return HP_OK;
  }
  return hp_array_read(r, member, &key, a, out);
}

static void read_channels_spec(hp_config *r, const hp_setting *s, hp_rock_channels_spec *spec) {
  *spec = hp_rock_channels_default();
  spec->seed = read_seed(r, s);
  hp_config_float(r, s, "array.fraction", &spec->proportion);
  hp_config_float(r, s, "array.width", &spec->width);
  hp_config_float(r, s, "array.thickness", &spec->thickness);
  hp_config_float(r, s, "array.wavelength", &spec->wavelength);
  hp_config_float(r, s, "array.amplitude", &spec->amplitude);
  hp_config_float(r, s, "array.variability", &spec->variability);
}

typedef struct {
  const uint8_t *facies;
  const double *inside;
  double *out;
} merger;

static void merge(void *arg, int64_t begin, int64_t end) {
  const merger *f = arg;
  for (int64_t m = begin; m < end; ++m)
    if (f->facies[m]) f->out[m] = f->inside[m];
}

static hp_status channels(hp_config *r, const hp_setting *s, const hp_config_key *key, hp_array_shape a, double *out) {
  static const char *const of_gauss[] = {"mean", "stddev", "log_stddev", "correlation", "covariance"};
  const int errors = r->diag->errors;
  const int64_t count = (int64_t)a.nx * a.ny * a.nz;
  for (size_t n = 0; n < sizeof of_gauss / sizeof of_gauss[0]; ++n) refuse_for("channels", r, s, of_gauss[n]);
  hp_rock_channels_spec spec;
  read_channels_spec(r, s, &spec);
  HP_TRY(part(r, s, "array.background", key, a, out));
  const uint8_t *facies = NULL;
  double *inside = NULL;
  hp_status status = HP_ALLOC_UNSET(inside, count);
  if (status == HP_OK) status = part(r, s, "array.channel", key, a, inside);
  if (status == HP_OK && r->diag->errors == errors) status = as_fault(r, s, hp_array_facies(r, &spec, a, &facies));
  merger f = {facies, inside, out};
  if (facies != NULL) hp_parallel(count, HP_PARALLEL_GRAIN, merge, &f);
  HP_FREE(inside);
  return status;
}

hp_status hp_array_generate(hp_config *r, const hp_setting *s, const hp_config_key *key, hp_array_shape a,
                            double *out) {
  int which = -1;
  hp_config_choice(r, s, "array.generator", &which);
  switch (which) {
    case LOGNORMAL: return gauss(r, s, true, a, out);
    case NORMAL: return gauss(r, s, false, a, out);
    case CHANNELS: return channels(r, s, key, a, out);
    default: return HP_OK; /* an unknown one has been reported */
  }
}
