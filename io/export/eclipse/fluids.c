/* PROPS and REGIONS. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/case/aquifers.h"
#include "io/export/eclipse/impl.h"

/* ---- phases ---- */

static void formula(hp_deck_out *o, const hp_pvt_spec *p) {
  hp_out_number(o, HP_UNIT_PRESSURE, p->p_ref);
  hp_out_number(o, HP_UNIT_NONE, p->b_ref);
  hp_out_number(o, HP_UNIT_COMPRESSIBILITY, p->compressibility);
  hp_out_number(o, HP_UNIT_VISCOSITY, p->viscosity);
  hp_out_number(o, HP_UNIT_COMPRESSIBILITY, p->viscosibility);
  fputs(" /\n", o->f);
}

static hp_status oil(hp_deck_out *o) {
  static const hp_quantity q[] = {HP_UNIT_PRESSURE, HP_UNIT_NONE, HP_UNIT_VISCOSITY};
  const hp_fluid_spec *r = &o->c->fluid;
  const bool table = r->pvt[0][HP_OIL].rows > 0;
  for (int n = 1; n < r->npvt; ++n)
    if ((r->pvt[n][HP_OIL].rows > 0) != table)
      return hp_fail(
          HP_ERR_UNSUPPORTED,
          "%s: fluids: oil of region 1 has %s and that of region %d %s: an Eclipse deck has tables (PVDO) or "
          "numbers (PVCDO) in all regions",
          o->c->deck, table ? "a table" : "numbers", n + 1, table ? "numbers" : "a table");
  fprintf(o->f, "%s\n", table ? "PVDO" : "PVCDO");
  for (int n = 0; n < r->npvt; ++n) {
    const hp_pvt_spec *p = &r->pvt[n][HP_OIL];
    if (table) hp_out_table(o, p->rows, 3, q, (const double *const[]){p->p, p->b, p->mu});
    else formula(o, p);
  }
  return HP_OK;
}

static void density(hp_deck_out *o) {
  fputs("DENSITY\n", o->f);
  for (int n = 0; n < o->c->fluid.npvt; ++n) {
    hp_out_number(o, HP_UNIT_DENSITY, o->c->fluid.pvt[n][HP_OIL].density);
    hp_out_number(o, HP_UNIT_DENSITY, o->c->fluid.pvt[n][HP_WATER].density);
    fputs(" /\n", o->f);
  }
}

/* ---- rock ---- */

static const hp_rock_spec *first_table(const hp_fluid_spec *r) {
  for (int n = 0; n < r->nrock; ++n)
    if (r->rock[n].rows > 0) return &r->rock[n];
  return NULL;
}

/* A table that changes nothing, for rock that has none beside rock that has one. */
static void rock_table(hp_deck_out *o, const hp_rock_spec *r, const hp_rock_spec *like) {
  static const hp_quantity q[] = {HP_UNIT_PRESSURE, HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_NONE};
  const int columns = 2 + (like->columns > 1 ? 3 : 1);
  const double plain[] = {like->p[0], like->p[like->rows - 1]}, ones[] = {1.0, 1.0};
  const int rows = r->rows > 0 ? r->rows : 2;
  if (r->rows == 0) {
    hp_out_table(o, rows, columns, q, (const double *const[]){plain, ones, ones, ones, ones});
    return;
  }
  const double *column[5] = {r->p, r->pv};
  for (int k = 0; k < columns - 2; ++k) column[2 + k] = r->trans[k < r->columns ? k : 0];
  if (r->columns > 0) hp_out_table(o, rows, columns, q, column);
  else
    for (int n = 0; n < rows; ++n) {
      hp_out_number(o, q[0], r->p[n]);
      hp_out_number(o, q[1], r->pv[n]);
      fputs(columns > 3 ? " 1 1 1" : " 1", o->f);
      fputs(n + 1 < rows ? "\n" : " /\n", o->f);
    }
}

static hp_status rock(hp_deck_out *o) {
  const hp_fluid_spec *r = &o->c->fluid;
  const hp_rock_spec *table = first_table(r);
  const bool by_pvt = r->of_rock == NULL && r->nrock == 1;
  fputs("ROCK\n", o->f);
  for (int n = 0; n < (by_pvt ? r->npvt : r->nrock); ++n) {
    const hp_rock_spec *one = &r->rock[by_pvt ? 0 : n];
    hp_out_number(o, HP_UNIT_PRESSURE, one->p_ref);
    hp_out_number(o, HP_UNIT_COMPRESSIBILITY, one->compressibility);
    fputs(" /\n", o->f);
  }
  if (!by_pvt) fputs("ROCKOPTS\n 1* 1* ROCKNUM /\n", o->f);
  if (table == NULL) return HP_OK;
  fputs("ROCKTAB\n", o->f);
  for (int n = 0; n < r->nrock; ++n) {
    if (r->rock[n].rows > 0 && r->rock[n].irreversible != table->irreversible)
      return hp_fail(HP_ERR_UNSUPPORTED,
                     "%s: rock: tables of some regions are irreversible and of others not: in an Eclipse deck all are, "
                     "or none",
                     o->c->deck);
    if (r->rock[n].rows > 0 && (r->rock[n].columns > 1) != (table->columns > 1))
      return hp_fail(HP_ERR_UNSUPPORTED,
                     "%s: rock: tables of some regions have multipliers along x, y and z and others one: give all of "
                     "them three",
                     o->c->deck);
    rock_table(o, &r->rock[n], table);
  }
  return HP_OK;
}

/* ---- cells that differ ---- */

/* A formula's krw of end points is that at 1 - SOWCR, a table's that at SWU: both where the water zone is flat. */
static hp_status check_end_krw(const hp_deck_out *o) {
  const hp_fluid_spec *r = &o->c->fluid;
  for (int n = 0; n < r->nsat; ++n)
    if (r->sat[n].model != HP_SAT_TABLE && r->end[HP_END_KRW] != NULL && r->sat[n].krw_full > r->sat[n].krw_max)
      return hp_fail(HP_ERR_UNSUPPORTED,
                     "%s: endpoints.krw beside saturation[%d].krw_full: an Eclipse deck scales tables otherwise: leave "
                     "krw_full out, or give the functions as a table",
                     o->c->deck, n);
  return HP_OK;
}

static bool has_formula(const hp_fluid_spec *r) {
  for (int n = 0; n < r->nsat; ++n)
    if (r->sat[n].model != HP_SAT_TABLE) return true;
  return false;
}

static hp_status end_points(hp_deck_out *o) {
  static const char *const keyword[HP_ENDS] = {
#define END_KEYWORD(id, key) "I" #id,
      HP_END_LIST(END_KEYWORD)
#undef END_KEYWORD
  };
  const hp_fluid_spec *r = &o->c->fluid;
  HP_TRY(check_end_krw(o));
  for (int n = 0; n < HP_ENDS; ++n)
    if (r->end[n] != NULL) {
      const hp_quantity q = n == HP_END_PCW ? HP_UNIT_PRESSURE : HP_UNIT_NONE;
      hp_out_cells(o, keyword[n] + 1, q, r->end[n]);
      if (n == HP_END_KRW && has_formula(r) && r->end[HP_END_KRWR] == NULL) hp_out_cells(o, "KRWR", q, r->end[n]);
    }
  for (int n = 0; n < HP_ENDS; ++n)
    if (r->imbibition_end[n] != NULL && hp_hysteresis_is_on(&r->hysteresis))
      hp_out_cells(o, keyword[n], n == HP_END_PCW ? HP_UNIT_PRESSURE : HP_UNIT_NONE, r->imbibition_end[n]);
  if (r->three_point) fputs("SCALECRS\n YES /\n", o->f);
  return HP_OK;
}

bool hp_out_is_irreversible(const hp_fluid_spec *r) {
  return r->of_face[HP_FACE_I_] != NULL || r->of_face[HP_FACE_J_] != NULL || r->of_face[HP_FACE_K_] != NULL;
}

static hp_status hysteresis(hp_deck_out *o) {
  const hp_hysteresis_spec *h = &o->c->fluid.hysteresis;
  const bool kr = h->oil != HP_OIL_NONE || h->water != HP_WATER_DRAINAGE;
  if (!hp_hysteresis_is_on(h)) return HP_OK;
  if (o->c->initial.driest != NULL)
    return hp_fail(HP_ERR_UNSUPPORTED, "%s: initial.driest: an Eclipse deck begins with what it has been drained to",
                   o->c->deck);
  if (kr && h->oil == HP_OIL_NONE)
    return hp_fail(HP_ERR_UNSUPPORTED,
                   "%s: hysteresis.water without hysteresis.oil: an Eclipse deck (EHYSTR) has no such model",
                   o->c->deck);
  const int model = (h->oil == HP_OIL_KILLOUGH ? 2 : 0) + (h->water == HP_WATER_IMBIBITION);
  fputs("EHYSTR\n", o->f);
  hp_out_number(o, HP_UNIT_NONE, h->curvature);
  fprintf(o->f, " %d 1*", model);
  hp_out_number(o, HP_UNIT_NONE, h->trapping);
  fprintf(o->f, " %s /\n", kr && h->pc ? "BOTH" : kr ? "KR" : "PC");
  return HP_OK;
}

static void swatinit(hp_deck_out *o) {
  const hp_fluid_spec *r = &o->c->fluid;
  bool limited = false;
  if (o->c->initial.water == NULL) return;
  hp_out_cells(o, "SWATINIT", HP_UNIT_NONE, o->c->initial.water);
  for (int n = 0; n < r->nsat; ++n) limited = limited || r->sat[n].swatinit_pc_max > 0.0;
  if (!limited) return;
  fputs("PPCWMAX\n", o->f);
  for (int n = 0; n < r->nsat; ++n) {
    hp_out_number(o, HP_UNIT_PRESSURE, r->sat[n].swatinit_pc_max > 0.0 ? r->sat[n].swatinit_pc_max : NAN);
    fprintf(o->f, " %s /\n", r->sat[n].swatinit_swl ? "YES" : "NO");
  }
}

static void influence_tables(hp_deck_out *o) {
  static const hp_quantity q[] = {HP_UNIT_NONE, HP_UNIT_NONE};
  bool some = false;
  for (int n = 0; n < o->c->naquifer; ++n) {
    const hp_aquifer_spec *a = &o->c->aquifer[n];
    if (a->kind != HP_AQUIFER_CARTER_TRACY || hp_aquifer_is_infinite(a)) continue;
    if (!some) fputs("AQUTAB\n", o->f);
    some = true;
    hp_out_table(o, a->rows, 2, q, (const double *const[]){a->td, a->pd});
  }
}

/* With IRREVERS, where a face has tables of its own towards minus, the others of an axis are those towards plus. */
static hp_status out_faces(hp_deck_out *o) {
  static const char *const keyword[HP_FACES] = {
#define FACE_KEYWORD(id, key, keyword) keyword,
      HP_FACE_LIST(FACE_KEYWORD)
#undef FACE_KEYWORD
  };
  const hp_fluid_spec *r = &o->c->fluid;
  for (int n = 0; n < HP_FACES; ++n) {
    const int across = hp_face_across(n);
    const uint16_t *of = r->of_face[n];
    if (of == NULL && n > across && hp_out_is_irreversible(r)) of = r->of_face[across];
    HP_TRY(hp_out_regions(o, keyword[n], of, 1.0));
  }
  return HP_OK;
}

hp_status hp_out_fluids(hp_deck_out *o) {
  const hp_case *c = o->c;
  const hp_fluid_spec *r = &c->fluid;
  density(o);
  fputs("PVTW\n", o->f);
  for (int n = 0; n < r->npvt; ++n) formula(o, &r->pvt[n][HP_WATER]);
  HP_TRY(oil(o));
  HP_TRY(rock(o));
  HP_TRY(hp_out_curves(o));
  HP_TRY(end_points(o));
  HP_TRY(hysteresis(o));
  swatinit(o);
  influence_tables(o);
  hp_out_include(o);
  bool faces = false;
  for (int n = 0; n < HP_FACES; ++n) faces = faces || r->of_face[n] != NULL;
  if (!faces && r->of_sat == NULL && r->of_imbibition == NULL && r->of_pvt == NULL && r->of_rock == NULL &&
      c->initial.of == NULL && c->fip == NULL)
    return HP_OK;
  hp_out_section(o, "REGIONS");
  HP_TRY(hp_out_regions(o, "SATNUM", r->of_sat, 1.0));
  HP_TRY(hp_out_regions(o, "IMBNUM", r->of_imbibition, 1.0));
  HP_TRY(out_faces(o));
  HP_TRY(hp_out_regions(o, "PVTNUM", r->of_pvt, 1.0));
  HP_TRY(hp_out_regions(o, "ROCKNUM", r->of_rock, 1.0));
  HP_TRY(hp_out_regions(o, "EQLNUM", c->initial.of, 1.0));
  HP_TRY(hp_out_regions(o, "FIPNUM", c->fip, 0.0));
  hp_out_include(o);
  return HP_OK;
}
