/* Aquifers: analytic ones with their cells and coefficients, numerical ones as cells of the grid that is written. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/case/aquifers.h"
#include "io/export/impl.h"

/* In degrees, the fewest decimals of x with x / 360 == v. */
static void write_angle(hp_export *e, double v) {
  const double first = 360.0 * v, near[3] = {first, nextafter(first, 0.0), nextafter(first, INFINITY)};
  for (int n = 0; n < 3; ++n) {
    char text[HP_EXPORT_DIGITS];
    if (near[n] / 360.0 != v) continue;
    for (int decimals = 1; decimals <= 40; ++decimals) {
      snprintf(text, sizeof text, "%.*f", decimals, near[n]);
      if (strtod(text, NULL) / 360.0 == v) break;
    }
    fprintf(e->f, " angle = %s;", text);
    return;
  }
}

static void number(hp_export *e, const char *name, hp_quantity q, double v) {
  if (!isnan(v)) hp_export_assign(e, name, q, v);
}

static void kind_of(hp_export *e, const hp_aquifer_spec *a) {
  static const hp_quantity q[] = {HP_UNIT_NONE, HP_UNIT_NONE};
  if (a->kind == HP_AQUIFER_FLUX) {
    number(e, "flux", HP_UNIT_FLUX, a->flux);
    return;
  }
  number(e, "datum_depth", HP_UNIT_LENGTH, a->datum_depth);
  number(e, "pressure", HP_UNIT_PRESSURE, a->pressure);
  number(e, "compressibility", HP_UNIT_COMPRESSIBILITY, a->compressibility);
  if (a->pvt > 0) fprintf(e->f, " pvt = %d;", a->pvt + 1);
  if (a->kind == HP_AQUIFER_FETKOVICH) {
    number(e, "volume", HP_UNIT_VOLUME, a->volume);
    number(e, "productivity", HP_UNIT_PRODUCTIVITY, a->productivity);
    return;
  }
  number(e, "permeability", HP_UNIT_PERMEABILITY, a->permeability);
  number(e, "porosity", HP_UNIT_NONE, a->porosity);
  number(e, "radius", HP_UNIT_LENGTH, a->radius);
  number(e, "thickness", HP_UNIT_LENGTH, a->thickness);
  if (a->angle != 1.0) write_angle(e, a->angle);
  if (hp_aquifer_is_infinite(a)) return;
  fputs("\n    table = ", e->f);
  hp_export_rows(e, a->rows, 2, q, (const double *const[]){a->td, a->pd});
  fputs(";", e->f);
}

static hp_status connections(hp_export *e, const hp_aquifer_spec *a) {
  static const hp_quantity q[] = {HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_AREA};
  const int64_t count = a->nconnection;
  double *ijk;
  if (count == 0) return HP_OK;
  HP_TRY(HP_ALLOC(ijk, 3 * count));
  for (int64_t n = 0; n < count; ++n) {
    int at[3];
    hp_grid_ijk(e->c->grid, a->cell[n], at);
    for (int x = 0; x < 3; ++x) ijk[x * count + n] = at[x] + 1;
  }
  fputs("\n    connections = ", e->f);
  hp_export_rows(e, (int)count, 4, q, (const double *const[]){ijk, ijk + count, ijk + 2 * count, a->weight});
  fputs(";", e->f);
  HP_FREE(ijk);
  return HP_OK;
}

/* Pore volumes and connections of its cells are those of the grid. */
static void numerical(hp_export *e, const hp_numerical_aquifer *a) {
  const hp_initial *start = &e->c->initial;
  fputs(" cells = (", e->f);
  for (int64_t n = 0; n < a->ncell; ++n) {
    int at[3];
    hp_grid_ijk(e->c->grid, a->cell[n], at);
    fprintf(e->f, "%s{ i = %d; j = %d; k = %d;", n > 0 ? ",\n      " : " ", at[0] + 1, at[1] + 1, at[2] + 1);
    if (e->corners) number(e, "depth", HP_UNIT_LENGTH, e->c->grid->depth[a->cell[n]]); /* not that of its corners */
    for (int64_t k = 0; k < start->nflooded; ++k)
      if (start->flooded[k] == a->cell[n]) number(e, "pressure", HP_UNIT_PRESSURE, start->flooded_pressure[k]);
    fputs(" }", e->f);
  }
  fputs(" );", e->f);
}

static void head(hp_export *e, int n, int number, const char *type) {
  fprintf(e->f, "%s  { number = %d; type = \"%s\";", n > 0 ? ",\n" : "", number, type);
}

hp_status hp_export_aquifers(hp_export *e) {
  static const char *const type[HP_AQUIFER_KINDS] = {"carter-tracy", "fetkovich", "flux"};
  const hp_case *c = e->c;
  if (c->naquifer == 0 && c->nnumerical == 0) return HP_OK;
  fputs("aquifers = (\n", e->f);
  for (int n = 0; n < c->naquifer; ++n) {
    head(e, n, c->aquifer[n].number, type[c->aquifer[n].kind]);
    kind_of(e, &c->aquifer[n]);
    HP_TRY(connections(e, &c->aquifer[n]));
    fputs(" }", e->f);
  }
  for (int n = 0; n < c->nnumerical; ++n) {
    head(e, c->naquifer + n, c->numerical[n].number, "numerical");
    numerical(e, &c->numerical[n]);
    fputs(" }", e->f);
  }
  fputs("\n);\n\n", e->f);
  return HP_OK;
}
