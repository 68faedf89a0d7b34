/* Aquifers of a report step: IAAQ, SAAQ, XAAQ, and for each ICAQNUM, ICAQ, SCAQ; IAQN, RAQN of numerical ones. */
#include <math.h>

#include "core/memory.h"
#include "io/eclipse/restart/restart.h"

/* Items of INTEHEAD: entries of each aquifer, and of each of its cells. */
enum { NIAAQ = 42, NSAAQ = 43, NXAAQ = 44, NICAQ = 45, NSCAQ = 46, NIAQN = 223, NRAQN = 224 };
/* Items of an aquifer. */
enum { CELLS = 0, WATER_TABLE = 1, INFLUENCE = 9, TYPE = 10 };
enum { FETKOVICH, CARTER_TRACY, FLUX }; /* the last one is hepta's */
enum { COMPRESSIBILITY, VOLUME = 1, PRODUCTIVITY = 2, RADIUS = 1, PERMEABILITY = 2, POROSITY = 3 };
enum { PRESSURE = 4, DATUM = 5, THICKNESS = 6, ANGLE = 7 };
enum { RATE = 0, INFLUX = 2 };
/* Items of a numerical aquifer's first cell. */
enum { NUMBER = 0, OUTFLOW = 11 };

/* Item `at` of aquifer `number`; NAN: the file does not have it. */
static double item(const hp_ecl_step *s, hp_ecl_step_array which, int number, int at) {
  const int entries[] = {[HP_ECL_STEP_IAAQ] = NIAAQ, [HP_ECL_STEP_SAAQ] = NSAAQ, [HP_ECL_STEP_XAAQ] = NXAAQ};
  const double stride = hp_ecl_step_head(s, HP_ECL_STEP_INTEHEAD, entries[which]), place = (number - 1) * stride + at;
  if (s->value[which] == NULL || at >= stride || !(place < (double)s->count[which])) return NAN;
  return s->value[which][(int64_t)place];
}

static double real(const hp_ecl_restart *r, int number, int at, hp_quantity quantity) {
  return item(&r->step, HP_ECL_STEP_SAAQ, number, at) * r->units.factor[quantity];
}

hp_status hp_ecl_restart_aquifer(hp_ecl *e, hp_aquifer_spec *a, const char *file, int line) {
  const hp_ecl_restart *r = e->restart;
  if (r == NULL) return HP_OK;
  if (isnan(a->pressure)) a->pressure = real(r, a->number, PRESSURE, HP_UNIT_PRESSURE);
  a->before.time = r->time;
  a->before.rate = item(&r->step, HP_ECL_STEP_XAAQ, a->number, RATE) * r->units.factor[HP_UNIT_RATE];
  a->before.influx = item(&r->step, HP_ECL_STEP_XAAQ, a->number, INFLUX) * r->units.factor[HP_UNIT_VOLUME];
  if (!isnan(a->pressure) && isfinite(a->before.rate) && isfinite(a->before.influx)) return HP_OK;
  return hp_ecl_error(e, file, line, "aquifer %d is not in %s (SAAQ, XAAQ), with which the run begins", a->number,
                      r->path);
}

/* Of its connections only cell and share count here. */
static hp_status add_cells(hp_ecl *e, const hp_ecl_step_faces *f) {
  const hp_ecl_restart *r = e->restart;
  const int64_t ni = (int64_t)hp_ecl_step_head(&r->step, HP_ECL_STEP_INTEHEAD, NICAQ);
  const int64_t ns = (int64_t)hp_ecl_step_head(&r->step, HP_ECL_STEP_INTEHEAD, NSCAQ);
  const int n[3] = {e->nx, e->ny, e->nz};
  const double area = r->units.factor[HP_UNIT_LENGTH] * r->units.factor[HP_UNIT_LENGTH];
  if (ni < 3 || ns < 1) return HP_OK;
  for (int64_t c = 0; (c + 1) * ni <= f->count[0] && (c + 1) * ns <= f->count[1]; ++c) {
    const double share = f->value[1][c * ns];
    hp_aquifer_faces one = {.number = f->number,
                            .d = HP_DIR_K,
                            .inside = true,
                            .coefficient = share * area,
                            .multiplier = 1.0,
                            .file = r->file,
                            .line = r->line};
    if (!(share > 0.0)) continue; /* room for more */
    for (int d = 0; d < 3; ++d) {
      const double at = f->value[0][c * ni + d];
      if (!(at >= 1.0 && at <= n[d]))
        return HP_ECL_RESTART_ERROR(e, "%s: aquifer %d is connected to a cell outside the grid", r->path, f->number);
      one.box[2 * d] = one.box[2 * d + 1] = (int)at - 1;
    }
    if (!hp_ecl_holds(e, one.box[0])) continue;
    HP_TRY(HP_GROW(e->aquifer_face, e->aquifer_faces, 1));
    e->aquifer_face[e->aquifer_faces++] = one;
  }
  return HP_OK;
}

static hp_status add(hp_ecl *e, const hp_ecl_step_faces *f) {
  static const hp_aquifer_kind kind[] = {HP_AQUIFER_FETKOVICH, HP_AQUIFER_CARTER_TRACY, HP_AQUIFER_FLUX};
  const hp_ecl_restart *r = e->restart;
  const hp_ecl_step *s = &r->step;
  const int number = f->number;
  const double type = item(s, HP_ECL_STEP_IAAQ, number, TYPE), table = item(s, HP_ECL_STEP_IAAQ, number, INFLUENCE);
  const double pvt = item(s, HP_ECL_STEP_IAAQ, number, WATER_TABLE), *factor = r->units.factor;
  if (!(type >= FETKOVICH && type <= FLUX && pvt >= 0.0 && pvt < 1e6 && table >= 0.0 && table < 1e6))
    return HP_ECL_RESTART_ERROR(e, "%s: aquifer %d is none that hepta has (IAAQ)", r->path, number);
  hp_ecl_aquifer a = {.spec = {.number = number,
                               .kind = kind[(int)type],
                               .datum_depth = real(r, number, DATUM, HP_UNIT_LENGTH),
                               .pressure = real(r, number, PRESSURE, HP_UNIT_PRESSURE),
                               .compressibility = real(r, number, COMPRESSIBILITY, HP_UNIT_COMPRESSIBILITY),
                               .pvt = pvt > 1.0 ? (int)pvt - 1 : 0},
                      .table = (int)table,
                      .file = r->file,
                      .line = r->line};
  bool sound = true;
  if (a.spec.kind == HP_AQUIFER_CARTER_TRACY) {
    a.spec.radius = real(r, number, RADIUS, HP_UNIT_LENGTH);
    a.spec.permeability = real(r, number, PERMEABILITY, HP_UNIT_PERMEABILITY);
    a.spec.porosity = real(r, number, POROSITY, HP_UNIT_NONE);
    a.spec.thickness = real(r, number, THICKNESS, HP_UNIT_LENGTH);
    a.spec.angle = real(r, number, ANGLE, HP_UNIT_NONE);
    sound = a.spec.radius > 0.0 && a.spec.permeability > 0.0 && a.spec.porosity > 0.0 && a.spec.thickness > 0.0 &&
            a.spec.angle > 0.0 && a.spec.compressibility > 0.0;
  } else if (a.spec.kind == HP_AQUIFER_FETKOVICH) {
    a.spec.volume = real(r, number, VOLUME, HP_UNIT_VOLUME);
    a.spec.productivity = real(r, number, PRODUCTIVITY, HP_UNIT_RATE) / factor[HP_UNIT_PRESSURE];
    sound = a.spec.volume > 0.0 && a.spec.productivity > 0.0 && a.spec.compressibility > 0.0;
  } else {
    a.spec.flux = real(r, number, VOLUME, HP_UNIT_RATE) / (factor[HP_UNIT_LENGTH] * factor[HP_UNIT_LENGTH]);
  }
  if (!sound || !isfinite(a.spec.datum_depth))
    return HP_ECL_RESTART_ERROR(e, "%s: aquifer %d has numbers that cannot be (SAAQ)", r->path, number);
  HP_TRY(HP_GROW(e->aquifer, e->aquifers, 1));
  e->aquifer[e->aquifers++] = a;
  return add_cells(e, f);
}

hp_status hp_ecl_restart_aquifers(hp_ecl *e) {
  const hp_ecl_restart *r = e->restart;
  if (r == NULL) return HP_OK;
  for (int n = 0; n < r->step.faces_count; ++n) {
    const hp_ecl_step_faces *f = &r->step.faces[n];
    bool known = f->number < 1 || !(item(&r->step, HP_ECL_STEP_IAAQ, f->number, CELLS) > 0.0);
    for (int k = 0; k < e->aquifers; ++k) known = known || e->aquifer[k].spec.number == f->number;
    if (!known) HP_TRY(add(e, f));
  }
  return HP_OK;
}

/* The file has a row for each cell; what the aquifer gave stands in that of its first one. */
void hp_ecl_restart_numerical(const hp_ecl *e) {
  const hp_ecl_restart *r = e->restart;
  if (r == NULL) return;
  const hp_ecl_step *s = &r->step;
  const int64_t ni = (int64_t)hp_ecl_step_head(s, HP_ECL_STEP_INTEHEAD, NIAQN);
  const int64_t nr = (int64_t)hp_ecl_step_head(s, HP_ECL_STEP_INTEHEAD, NRAQN);
  const double *integer = s->value[HP_ECL_STEP_IAQN], *real = s->value[HP_ECL_STEP_RAQN];
  if (integer == NULL || real == NULL || ni <= NUMBER || nr <= OUTFLOW) return;
  for (int n = 0; n < e->c->nnumerical; ++n)
    for (int64_t k = 0; (k + 1) * ni <= s->count[HP_ECL_STEP_IAQN] && (k + 1) * nr <= s->count[HP_ECL_STEP_RAQN]; ++k) {
      if (integer[k * ni + NUMBER] != e->c->numerical[n].number) continue;
      const double outflow = real[k * nr + OUTFLOW] * r->units.factor[HP_UNIT_VOLUME];
      if (isfinite(outflow)) e->c->numerical[n].before = outflow;
      break;
    }
}
