/* fluids, saturation, rock, hysteresis and initial. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/config/impl.h"

/* ---- fluids ---- */

/* Rising B would mean oil that expands under pressure: a negative compressibility.
 * above: the row before, NULL: none. Numbers that are NaN have been reported. */
static bool check_oil_row(hp_config *r, const hp_setting *row, const double *v, const double *above) {
  static const char *const name[] = {"pressure", "formation volume factor", "viscosity"};
  const int errors = r->diag->errors;
  for (int c = 0; c < 3; ++c)
    if (c == 0 ? v[c] < 0.0 : v[c] <= 0.0)
      hp_config_error(r, row, "%s %.12g: must be %s 0", name[c], v[c], c == 0 ? ">=" : ">");
  if (above != NULL && v[0] <= above[0])
    hp_config_error(r, row, "pressure %.12g: must rise, but %.12g comes before it", v[0], above[0]);
  if (above != NULL && v[1] > above[1])
    hp_config_error(r, row, "formation volume factor %.12g: must not rise, but %.12g comes before it", v[1], above[1]);
  return r->diag->errors == errors;
}

static void forget_table(hp_pvt_spec *f) {
  HP_FREE(f->p);
  HP_FREE(f->b);
  HP_FREE(f->mu);
  f->rows = 0;
}

/* v: rows in SI. */
static hp_status keep_oil(int rows, const double *v, hp_pvt_spec *f) {
  forget_table(f);
  *f = (hp_pvt_spec){.density = f->density}; /* the five numbers give place */
  HP_TRY(HP_ALLOC(f->p, rows));
  HP_TRY(HP_ALLOC(f->b, rows));
  HP_TRY(HP_ALLOC(f->mu, rows));
  for (int n = 0; n < rows; ++n) {
    f->p[n] = v[3 * n];
    f->b[n] = v[3 * n + 1];
    f->mu[n] = v[3 * n + 2];
  }
  f->rows = rows;
  return HP_OK;
}

static hp_status read_oil_table(hp_config *r, const hp_setting *s, hp_pvt_spec *f) {
  static const hp_quantity q[] = {HP_UNIT_PRESSURE, HP_UNIT_NONE, HP_UNIT_VISCOSITY};
  int rows, columns;
  double *v, *si;
  bool good;
  HP_TRY(hp_config_rows(r, s, q, 3, 3, 2, &rows, &columns, &v, &si, &good));
  for (int n = 0; n < rows; ++n)
    if (!check_oil_row(r, config_setting_get_elem(s, (unsigned)n), v + 3 * n, n > 0 ? v + 3 * (n - 1) : NULL))
      good = false;
  const hp_status status = good ? keep_oil(rows, si, f) : HP_OK;
  HP_FREE(v);
  HP_FREE(si);
  return status;
}

static void require_group(hp_config *r, const hp_setting *parent, const char *name, const char *path) {
  if (!r->overlay && hp_config_member(parent, name) == NULL)
    hp_config_error(r, parent, "%s is missing: %s", name, hp_config_key_find(path)->what);
}

/* A group that an option gives whole, or that the case lacks, is read as in a deck. */
static bool begin_whole(hp_config *r, const hp_setting *g, bool lacking) {
  const bool overlay = r->overlay;
  if (overlay && (lacking || hp_config_given_whole(g))) r->overlay = false;
  return overlay;
}

/* An Eclipse deck has densities in a keyword of their own. */
static void read_density(hp_config *r, const hp_setting *g, const char *path, double *out, bool overlay) {
  const bool now = r->overlay;
  if (*out > 0.0 && !hp_config_given_whole(g)) r->overlay = overlay;
  hp_config_float(r, g, path, out);
  r->overlay = now;
}

static hp_status read_oil(hp_config *r, const hp_setting *g, hp_pvt_spec *f) {
  const bool overlay = begin_whole(r, g, f->rows == 0 && f->viscosity == 0.0);
  if (overlay && !r->overlay) forget_table(f);
  read_density(r, g, "fluids.oil.density", &f->density, overlay);
  const hp_setting *table = hp_config_member(g, "table");
  hp_status status = HP_OK;
  if (table == NULL && !(r->overlay && f->rows > 0)) {
    hp_config_settings(r, g, "fluids.oil", HP_IN_PVT, false, f);
  } else {
    const hp_config_key *key = NULL;
    while ((key = hp_config_next("fluids.oil", HP_IN_PVT, key)) != NULL)
      hp_config_refuse(r, g, strrchr(key->path, '.') + 1,
                       table != NULL
                           ? "not used with a table"
                           : "the oil of this deck is a table: give fluids.oil.table, or the whole of fluids.oil={..}");
    if (table != NULL) status = read_oil_table(r, table, f);
  }
  r->overlay = overlay;
  return status;
}

static hp_status read_fluids(hp_config *r, const hp_setting *g, hp_pvt_spec pvt[HP_PHASES]) {
  if (g == NULL || config_setting_type(g) != CONFIG_TYPE_GROUP) return HP_OK;
  const hp_setting *water = hp_config_member(g, "water"), *oil = hp_config_member(g, "oil");
  const bool overlay = begin_whole(r, g, false);
  require_group(r, g, "water", "fluids.water");
  require_group(r, g, "oil", "fluids.oil");
  r->overlay = overlay;
  if (water != NULL) {
    (void)begin_whole(r, water, pvt[HP_WATER].viscosity == 0.0);
    read_density(r, water, "fluids.water.density", &pvt[HP_WATER].density, overlay);
    hp_config_settings(r, water, "fluids.water", HP_IN_PVT, false, &pvt[HP_WATER]);
    r->overlay = overlay;
  }
  return oil != NULL ? read_oil(r, oil, &pvt[HP_OIL]) : HP_OK;
}

/* ---- saturation functions ---- */

/* known: the model is; else parameters are judged by their ranges alone. */
static void read_parameters(hp_config *r, const hp_setting *g, bool known, hp_sat_spec *sat) {
  const bool overlay = r->overlay;
  if (!known) r->overlay = true; /* which ones are required is not known */
#define READ(key, quantity, range, fallback, of, what)                                                \
  if (!known || ((of) >> sat->model & 1u) != 0) hp_config_float(r, g, "saturation." #key, &sat->key); \
  else hp_config_refuse(r, g, #key, "not used by this model");
  HP_SAT_PARAMETER_LIST(READ)
#undef READ
  r->overlay = overlay;
}

/* pc_max: it is missing, or was read. */
static void check_parameters(hp_config *r, const hp_setting *g, const hp_sat_spec *sat, bool pc_max) {
  if (sat->swc + sat->sor >= 1.0) hp_config_error(r, g, "swc %g + sor %g: must be < 1", sat->swc, sat->sor);
  if (sat->sw_max < 1.0 - sat->sor - 1e-9)
    hp_config_error(r, g, "sw_max %g: must be >= 1 - sor, %g", sat->sw_max, 1.0 - sat->sor);
  if (sat->krw_full > 0.0 && sat->krw_full < sat->krw_max)
    hp_config_error(r, g, "krw_full %g: must be >= krw_max, %g", sat->krw_full, sat->krw_max);
  const bool unbounded = sat->model == HP_SAT_BROOKS_COREY || sat->model == HP_SAT_VAN_GENUCHTEN;
  if (unbounded && sat->pc_entry > 0.0 && pc_max && !(sat->pc_max > sat->pc_entry))
    hp_config_error(r, g,
                    "pc_max must be given and larger than pc_entry: the capillary pressure of this model has no "
                    "bound of its own");
}

/* above: the row before, NULL: none. Numbers that are NaN have been reported. */
static bool check_saturation_row(hp_config *r, const hp_setting *row, int columns, const double *v,
                                 const double *above) {
  static const char *const name[] = {"sw", "krw", "kro", "pc"}, *const slope[] = {"rise", "not fall", "not rise",
                                                                                  "not rise"};
  const int errors = r->diag->errors;
  for (int c = 0; c < columns; ++c) {
    /* Eclipse decks may have relative permeabilities above 1 */
    if (c < 3 && (v[c] < 0.0 || (v[c] > 1.0 && !(r->overlay && c > 0)))) {
      hp_config_error(r, row, "%s %.12g: must be in 0..1", name[c], v[c]);
      continue;
    }
    if (above == NULL) continue;
    if (c == 0 ? v[c] <= above[c] : c == 1 ? v[c] < above[c] : v[c] > above[c])
      hp_config_error(r, row, "%s %.12g: must %s, but %.12g comes before it", name[c], v[c], slope[c], above[c]);
  }
  return r->diag->errors == errors;
}

static void free_table(hp_sat_spec *sat) {
  HP_FREE(sat->s);
  HP_FREE(sat->krw);
  HP_FREE(sat->kro);
  HP_FREE(sat->pc);
  sat->rows = 0;
}

/* v: rows in SI. */
static hp_status keep_saturation(int rows, int columns, const double *v, hp_sat_spec *sat) {
  free_table(sat);
  HP_TRY(HP_ALLOC(sat->s, rows));
  HP_TRY(HP_ALLOC(sat->krw, rows));
  HP_TRY(HP_ALLOC(sat->kro, rows));
  HP_TRY(HP_ALLOC(sat->pc, rows));
  for (int n = 0; n < rows; ++n, v += columns) {
    sat->s[n] = v[0];
    sat->krw[n] = v[1];
    sat->kro[n] = v[2];
    sat->pc[n] = columns > 3 ? v[3] : 0.0;
  }
  sat->rows = rows;
  return HP_OK;
}

static hp_status read_saturation_table(hp_config *r, const hp_setting *s, hp_sat_spec *sat) {
  static const hp_quantity q[] = {HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_PRESSURE};
  int rows, columns;
  double *v, *si;
  bool good;
  HP_TRY(hp_config_rows(r, s, q, 3, 4, 2, &rows, &columns, &v, &si, &good));
  for (int n = 0; n < rows; ++n)
    if (!check_saturation_row(r, config_setting_get_elem(s, (unsigned)n), columns, v + columns * n,
                              n > 0 ? v + columns * (n - 1) : NULL))
      good = false;
  const hp_status status = good ? keep_saturation(rows, columns, si, sat) : HP_OK;
  HP_FREE(v);
  HP_FREE(si);
  return status;
}

static hp_status read_model(hp_config *r, const hp_setting *g, bool known, hp_sat_spec *sat) {
  const hp_setting *table = hp_config_member(g, "table");
  read_parameters(r, g, known, sat);
  if (sat->model != HP_SAT_TABLE && known) {
    hp_config_refuse(r, g, "table", "not used by this model");
    check_parameters(r, g, sat, hp_config_member(g, "pc_max") == NULL || sat->pc_max > 0.0);
  } else if (table != NULL) {
    return read_saturation_table(r, table, sat);
  } else if (!r->overlay && known) {
    hp_config_error(r, g, "table is missing: %s", hp_config_key_find("saturation.table")->what);
  }
  return HP_OK;
}

/* A model named by an overlay is read whole, as in a deck; so is a group where there was none. */
static hp_status read_saturation(hp_config *r, const hp_setting *g, hp_sat_spec *sat) {
  if (g == NULL || config_setting_type(g) != CONFIG_TYPE_GROUP) return HP_OK;
  const bool overlay = begin_whole(r, g, sat->model == HP_SAT_TABLE && sat->rows == 0);
  const int errors = r->diag->errors;
  int model = (int)sat->model;
  const bool named = hp_config_choice(r, g, "saturation.model", &model);
  const bool known = r->diag->errors == errors;
  if (named || !known) {
    free_table(sat);
    *sat = (hp_sat_spec){.model = (hp_sat_model)model};
  }
  if (named) r->overlay = false;
  hp_config_float(r, g, "saturation.swatinit_pc_max", &sat->swatinit_pc_max);
  hp_config_bool(r, g, "saturation.swatinit_swl", &sat->swatinit_swl);
  const hp_status status = read_model(r, g, known, sat);
  r->overlay = overlay;
  return status;
}

/* above: the row before, NULL: none. Numbers that are NaN have been reported. */
static bool check_rock_row(hp_config *r, const hp_setting *row, int columns, const double *v, const double *above) {
  const int errors = r->diag->errors;
  if (above != NULL && v[0] <= above[0])
    hp_config_error(r, row, "pressure %.12g: must rise, but %.12g comes before it", v[0], above[0]);
  if (v[1] <= 0.0) hp_config_error(r, row, "multiplier of the pore volume %.12g: must be > 0", v[1]);
  for (int c = 2; c < columns; ++c)
    if (v[c] < 0.0) hp_config_error(r, row, "multiplier of the transmissibility %.12g: must be >= 0", v[c]);
  return r->diag->errors == errors;
}

/* v: rows in SI. */
static hp_status keep_rock(int rows, int columns, const double *v, hp_rock_spec *f) {
  hp_rock_spec_clear(f);
  HP_TRY(HP_ALLOC(f->p, rows));
  HP_TRY(HP_ALLOC(f->pv, rows));
  for (int c = 0; c < columns - 2; ++c) HP_TRY(HP_ALLOC(f->trans[c], rows));
  f->rows = rows;
  f->columns = columns - 2;
  for (int n = 0; n < rows; ++n, v += columns) {
    f->p[n] = v[0];
    f->pv[n] = v[1];
    for (int c = 0; c < f->columns; ++c) f->trans[c][n] = v[2 + c];
  }
  return HP_OK;
}

static hp_status read_rock_table(hp_config *r, const hp_setting *s, hp_rock_spec *f) {
  static const hp_quantity q[] = {HP_UNIT_PRESSURE, HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_NONE};
  int rows, columns;
  double *v, *si;
  bool good;
  HP_TRY(hp_config_rows(r, s, q, 2, 5, 2, &rows, &columns, &v, &si, &good));
  if (columns == 4) {
    hp_config_error(r, s, "rows of 4 numbers: must be 2, 3 or 5");
    good = false;
  }
  for (int n = 0; n < rows; ++n)
    if (!check_rock_row(r, config_setting_get_elem(s, (unsigned)n), columns, v + columns * n,
                        n > 0 ? v + columns * (n - 1) : NULL))
      good = false;
  const hp_status status = good ? keep_rock(rows, columns, si, f) : HP_OK;
  HP_FREE(v);
  HP_FREE(si);
  return status;
}

static hp_status read_rock(hp_config *r, const hp_setting *rock, hp_rock_spec *out) {
  const hp_setting *table = hp_config_member(rock, "table");
  const bool overlay = begin_whole(r, rock, false);
  if (overlay && !r->overlay) hp_rock_spec_clear(out);
  hp_config_float(r, rock, "rock.reference_pressure", &out->p_ref);
  hp_config_float(r, rock, "rock.compressibility", &out->compressibility);
  hp_config_bool(r, rock, "rock.irreversible", &out->irreversible);
  if (table == NULL && out->rows == 0) hp_config_refuse(r, rock, "irreversible", "not used without a table");
  r->overlay = overlay;
  return table != NULL ? read_rock_table(r, table, out) : HP_OK;
}

/* Over a deck with several of them, which one an option means is not known. */
static bool is_one(hp_config *r, const hp_setting *s, int count) {
  if (!r->overlay || s == NULL || count < 2) return true;
  hp_config_error(r, s, "this deck has %d of them, one for each region: they cannot be changed by --set", count);
  return false;
}

/* One group, or a list of them: one for each region. */
hp_status hp_config_read_fluid(hp_config *r, const hp_setting *root) {
  hp_fluid_spec *f = &r->c->fluid;
  const hp_setting *fluids = hp_config_member(root, "fluids"), *saturation = hp_config_member(root, "saturation");
  const hp_setting *rock = hp_config_member(root, "rock");
  if (!is_one(r, fluids, f->npvt) || !is_one(r, saturation, f->nsat) || !is_one(r, rock, f->nrock)) return HP_OK;
  HP_TRY(hp_fluid_spec_grow(f, hp_config_entries(saturation), hp_config_entries(fluids), hp_config_entries(rock)));
  for (int n = 0; n < f->npvt; ++n) HP_TRY(read_fluids(r, hp_config_entry(fluids, n), f->pvt[n]));
  for (int n = 0; n < f->nsat; ++n) HP_TRY(read_saturation(r, hp_config_entry(saturation, n), &f->sat[n]));
  for (int n = 0; n < f->nrock; ++n) HP_TRY(read_rock(r, hp_config_entry(rock, n), &f->rock[n]));
  const hp_setting *hysteresis = hp_config_member(root, "hysteresis");
  if (hysteresis != NULL && config_setting_type(hysteresis) == CONFIG_TYPE_GROUP)
    hp_config_settings(r, hysteresis, "hysteresis", HP_IN_HYSTERESIS, false, &f->hysteresis);
  return HP_OK;
}

/* ---- the state at time zero ---- */

static hp_status read_cells(hp_config *r, const hp_setting *g, const char *path, double **out) {
  const hp_grid *grid = r->c->grid;
  const hp_setting *s = hp_config_member(g, strrchr(path, '.') + 1);
  if (s == NULL || grid == NULL) return HP_OK;
  double *natural = NULL;
  HP_FREE(*out);
  HP_TRY(HP_ALLOC(*out, grid->ncell));
  HP_TRY(HP_ALLOC(natural, grid->ncell));
  const hp_status status = hp_array_read(r, s, hp_config_key_find(path), hp_array_shape_of(r, HP_DIR_K), natural);
  if (status == HP_OK) hp_grid_from_natural(grid->planes.held, grid->ny, grid->nz, natural, *out);
  HP_FREE(natural);
  return status;
}

/* Where its depths are said, for messages. */
static hp_status note_depths(hp_config *r, const hp_setting *g, hp_equilibrium *o) {
  static const char *const name[2] = {[HP_AT_DATUM] = "datum_depth", [HP_AT_CONTACT] = "contact_depth"};
  for (int n = 0; n < 2; ++n) {
    const hp_setting *s = hp_config_member(g, name[n]);
    if (s == NULL) continue;
    HP_TRY(hp_case_file(r->c, hp_config_file(r, s), &o->file[n]));
    o->line[n] = hp_config_line(s);
  }
  return HP_OK;
}

/* lacking: the case starts from arrays so far. */
static hp_status read_equilibrium(hp_config *r, const hp_setting *g, bool lacking, hp_equilibrium *o) {
  const bool overlay = begin_whole(r, g, lacking);
  hp_config_float(r, g, "initial.datum_depth", &o->datum_depth);
  hp_config_float(r, g, "initial.datum_pressure", &o->datum_pressure);
  hp_config_float(r, g, "initial.contact_depth", &o->contact_depth);
  hp_config_float(r, g, "initial.contact_capillary_pressure", &o->contact_pc);
  hp_config_int(r, g, "initial.accuracy", &o->accuracy);
  r->overlay = overlay;
  return note_depths(r, g, o);
}

/* One group, or a list of them: one for each region. An equilibrium over arrays is read whole. */
static hp_status read_equilibria(hp_config *r, const hp_setting *s) {
  hp_initial *o = &r->c->initial;
  const bool lacking = o->nregion == 0;
  if (hp_config_entries(s) > o->nregion) {
    hp_equilibrium *region;
    HP_TRY(HP_ALLOC(region, hp_config_entries(s)));
    if (!lacking) region[0] = o->region[0];
    HP_FREE(o->region);
    o->region = region;
    o->nregion = hp_config_entries(s);
  }
  HP_FREE(o->pressure);
  HP_FREE(o->sw);
  for (int n = 0; n < o->nregion; ++n) {
    const hp_setting *g = hp_config_entry(s, n);
    if (n > 0) {
      hp_config_refuse(r, g, "pressure", "not used in a list of equilibria");
      hp_config_refuse(r, g, "saturation", "not used in a list of equilibria");
      hp_config_refuse(r, g, "swatinit", "belongs in the first entry of the list");
    }
    HP_TRY(read_equilibrium(r, g, lacking, &o->region[n]));
  }
  return HP_OK;
}

/* Saturations to scale to; those below 0 are none. */
static hp_status read_swatinit(hp_config *r, const hp_setting *g) {
  double **water = &r->c->initial.water;
  if (hp_config_member(g, "swatinit") == NULL) return HP_OK;
  HP_TRY(read_cells(r, g, "initial.swatinit", water));
  for (int64_t m = 0; *water != NULL && m < r->c->grid->ncell; ++m)
    if ((*water)[m] < 0.0) (*water)[m] = NAN;
  return HP_OK;
}

hp_status hp_config_read_initial(hp_config *r, const hp_setting *s) {
  const hp_setting *g = hp_config_entry(s, 0);
  if (r->overlay && s != NULL && r->c->initial.nregion > 1) {
    hp_config_error(r, s, "this deck has %d regions of equilibrium: they cannot be changed by --set",
                    r->c->initial.nregion);
    return HP_OK;
  }
  static const char *const of_equilibrium[] = {"datum_depth", "datum_pressure", "contact_depth",
                                               "contact_capillary_pressure", "accuracy"};
  if (g == NULL || config_setting_type(g) != CONFIG_TYPE_GROUP) return HP_OK;
  hp_initial *o = &r->c->initial;
  const bool drained = hp_config_member(g, "driest") != NULL &&
                       o->pressure != NULL; /* laid over a deck with pressures */
  if (hp_config_member(g, "pressure") == NULL && hp_config_member(g, "saturation") == NULL && !drained) {
    hp_config_refuse(r, g, "driest", "needs pressure and saturation");
    HP_TRY(read_equilibria(r, s));
    return read_swatinit(r, g);
  }
  hp_config_refuse(r, g, "swatinit", "not used with pressure and saturation");
  if (hp_config_entries(s) > 1) hp_config_error(r, s, "pressure and saturation belong in one group, not in a list");
  if (r->overlay && hp_config_given_whole(g)) {
    HP_FREE(o->pressure);
    HP_FREE(o->sw);
    HP_FREE(o->driest);
  }
  HP_TRY(read_cells(r, g, "initial.pressure", &o->pressure));
  HP_TRY(read_cells(r, g, "initial.saturation", &o->sw));
  HP_TRY(read_cells(r, g, "initial.driest", &o->driest));
  for (size_t n = 0; n < sizeof of_equilibrium / sizeof of_equilibrium[0]; ++n)
    hp_config_refuse(r, g, of_equilibrium[n], "not used with pressure and saturation");
  if (o->pressure == NULL || o->sw == NULL)
    hp_config_error(r, g, "%s is missing: pressure and saturation are given together",
                    o->pressure == NULL ? "pressure" : "saturation");
  HP_FREE(o->region);
  HP_FREE(o->water);
  *o = (hp_initial){.pressure = o->pressure, .sw = o->sw, .driest = o->driest};
  return HP_OK;
}
