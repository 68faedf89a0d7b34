/* regions and endpoints: which fluids and saturation functions hold in a cell,
 * and end points of its own. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/config/impl.h"

const hp_setting *hp_config_entry(const hp_setting *s, int n) {
  if (s == NULL || config_setting_type(s) != CONFIG_TYPE_LIST) return n == 0 ? s : NULL;
  return n < config_setting_length(s) ? config_setting_get_elem(s, (unsigned)n) : NULL;
}

int hp_config_entries(const hp_setting *s) {
  if (s == NULL) return 0;
  return config_setting_type(s) == CONFIG_TYPE_LIST ? config_setting_length(s) : 1;
}

/* The array of a key in cell order (HP_ALLOC); NULL: it is not there. */
static hp_status read_array(hp_config *r, const hp_setting *group, const char *path, double **out) {
  const hp_grid *g = r->c->grid;
  const hp_setting *s = hp_config_member(group, strrchr(path, '.') + 1);
  double *natural;
  *out = NULL;
  if (s == NULL || g == NULL) return HP_OK;
  HP_TRY(HP_ALLOC(*out, g->ncell));
  HP_TRY(HP_ALLOC(natural, g->ncell));
  const hp_status status = hp_array_read(r, s, hp_config_key_find(path), hp_array_shape_of(r, HP_DIR_K), natural);
  if (status == HP_OK) hp_grid_from_natural(g->nx, g->ny, g->nz, natural, *out);
  HP_FREE(natural);
  return status;
}

/* Numbers 1 .. count of all cells into *to, from 0; NULL where all are 1. */
static hp_status read_numbers(hp_config *r, const hp_setting *group, const char *path, int count, uint16_t **to) {
  const hp_grid *g = r->c->grid;
  double *value;
  bool reported = false, one = true;
  HP_TRY(read_array(r, group, path, &value));
  if (value == NULL) return HP_OK;
  HP_FREE(*to);
  hp_status status = HP_ALLOC(*to, g->ncell);
  for (int64_t m = 0; status == HP_OK && m < g->ncell && !reported; ++m) {
    const double v = value[m];
    one = one && v == 1.0;
    if (v >= 1.0 && v <= count && v == floor(v)) {
      (*to)[m] = (uint16_t)(v - 1.0);
      continue;
    }
    reported = true; /* NaN: reported by the array itself */
    int ijk[3];
    hp_grid_ijk(g, m, ijk);
    if (!isnan(v))
      hp_config_error(r, hp_config_member(group, strrchr(path, '.') + 1),
                      "%g in cell %d,%d,%d: must be a whole number in "
                      "1..%d, the entries of the list",
                      v, ijk[0] + 1, ijk[1] + 1, ijk[2] + 1, count);
  }
  HP_FREE(value);
  if (one || reported) HP_FREE(*to);
  return status;
}

/* A region of equilibrium takes the PVT of its first cell: it may have no other. */
static hp_status check_equilibria(hp_config *r, const hp_setting *group) {
  const hp_case *c = r->c;
  const uint16_t *pvt = c->fluid.of_pvt, *of = c->initial.of;
  int *first;
  if (pvt == NULL || c->initial.nregion == 0) return HP_OK;
  HP_TRY(HP_ALLOC(first, c->initial.nregion));
  for (int64_t m = 0; m < c->grid->ncell; ++m) {
    if (of != NULL && of[m] >= c->initial.nregion) continue; /* as in io/case/equilibrium.c */
    int *n = &first[of != NULL ? of[m] : 0];
    if (*n == 0) *n = 1 + pvt[m];
    if (*n == 1 + pvt[m]) continue;
    hp_config_error(r, group, "cells of one region of equilibrium have the pvt %d and %d: one region, one pvt", *n,
                    1 + pvt[m]);
    break;
  }
  HP_FREE(first);
  return HP_OK;
}

/* Regions of reports: any whole numbers. */
static hp_status read_fip(hp_config *r, const hp_setting *group) {
  hp_case *c = r->c;
  double *value;
  HP_TRY(read_array(r, group, "regions.fip", &value));
  if (value == NULL) return HP_OK;
  int64_t fault;
  const hp_status status = hp_case_fip(c, value, &fault);
  if (status == HP_OK && fault >= 0 && !isnan(value[fault])) {
    int ijk[3];
    hp_grid_ijk(c->grid, fault, ijk);
    hp_config_error(r, hp_config_member(group, "fip"), "%g in cell %d,%d,%d: must be a whole number in 0..65535",
                    value[fault], ijk[0] + 1, ijk[1] + 1, ijk[2] + 1);
  }
  HP_FREE(value);
  return status;
}

static hp_status read_end_points(hp_config *r, const hp_setting *group) {
  static const char *const name[HP_ENDS] = {
#define END_NAME(id, key) key,
      HP_END_LIST(END_NAME)
#undef END_NAME
  };
  hp_fluid_spec *g = &r->c->fluid;
  for (int n = 0; n < HP_ENDS; ++n) {
    char path[HP_CONFIG_PATH];
    double *value;
    snprintf(path, sizeof path, "endpoints.%s", name[n]);
    HP_TRY(read_array(r, group, path, &value));
    if (value == NULL) continue;
    for (int64_t m = 0; m < r->c->grid->ncell; ++m)
      if (value[m] < 0.0) value[m] = NAN;
    HP_FREE(g->end[n]);
    g->end[n] = value;
    r->c->end_line[n] = 0;
  }
  hp_config_bool(r, group, "endpoints.three_point", &g->three_point);
  return HP_OK;
}

hp_status hp_config_read_regions(hp_config *r, const hp_setting *root) {
  const hp_setting *regions = hp_config_member(root, "regions"), *ends = hp_config_member(root, "endpoints");
  hp_case *c = r->c;
  hp_fluid_spec *g = &c->fluid;
  if (regions != NULL && config_setting_type(regions) == CONFIG_TYPE_GROUP) {
    HP_TRY(read_numbers(r, regions, "regions.saturation", g->nsat, &g->of_sat));
    HP_TRY(read_numbers(r, regions, "regions.pvt", g->npvt, &g->of_pvt));
    HP_TRY(read_numbers(r, regions, "regions.rock", g->nrock, &g->of_rock));
    HP_TRY(read_numbers(r, regions, "regions.equilibrium", c->initial.nregion > 0 ? c->initial.nregion : 1,
                        &c->initial.of));
    HP_TRY(check_equilibria(r, regions));
    HP_TRY(read_fip(r, regions));
  }
  return ends != NULL && config_setting_type(ends) == CONFIG_TYPE_GROUP ? read_end_points(r, ends) : HP_OK;
}
