#include "physics/regions.h"

static hp_region_values of_cell(const hp_reservoir *r, int64_t m) {
  hp_cell_props props;
  hp_cell_mass mass;
  hp_reservoir_eval(r, m, r->p[m], r->s[m], &props, &mass);
  const double volume = r->pore_volume[m] * hp_reservoir_rock(r, m, r->p[m]).v;
  return (hp_region_values){{[HP_REGION_OIL] = r->pore_volume[m] * mass.mass[HP_OIL].v,
                             [HP_REGION_WATER] = r->pore_volume[m] * mass.mass[HP_WATER].v,
                             [HP_REGION_OIL_VOLUME] = volume * (1.0 - r->s[m]),
                             [HP_REGION_OIL_PRESSURE] = volume * (1.0 - r->s[m]) * r->p[m],
                             [HP_REGION_VOLUME] = volume,
                             [HP_REGION_PRESSURE] = volume * r->p[m]}};
}

/* Cells of a column, one above the other, that are of one region; -1: there are none yet. */
typedef struct {
  int region;
  hp_region_values sum;
} run;

static void finish(run *of, hp_region_totals *total) {
  for (int n = 0; n < HP_REGION_SUMS && of->region >= 0; ++n) hp_exact_add(&total[of->region].of[n], of->sum.of[n]);
  of->region = -1;
}

void hp_regions_add(const hp_reservoir *r, int64_t ncell, const uint16_t *region, int first, int count,
                    hp_region_totals *total) {
  for (int64_t column = 0; column < ncell; column += r->nz) {
    run now = {.region = -1};
    for (int64_t m = column; m < column + r->nz; ++m) {
      const int of = (region != NULL ? region[m] - 1 : 0) - first;
      if (r->active[m] == HP_CELL_INACTIVE) continue;
      if (of != now.region) finish(&now, total);
      if (of < 0 || of >= count) continue;
      const hp_region_values cell = of_cell(r, m);
      if (now.region < 0) {
        now = (run){of, cell};
        continue;
      }
      for (int n = 0; n < HP_REGION_SUMS; ++n) now.sum.of[n] += cell.of[n];
    }
    finish(&now, total);
  }
}

hp_region_values hp_regions_round(const hp_region_totals *total) {
  hp_region_values value;
  for (int n = 0; n < HP_REGION_SUMS; ++n) value.of[n] = hp_exact_value(&total->of[n]);
  return value;
}
