/* Regions, end points, and what is complete when the deck has ended. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/plural.h"
#include "io/config/config.h"
#include "io/eclipse/fluids/impl.h"

hp_status hp_ecl_region_numbers(hp_ecl *e, hp_ecl_array_id id, int count, uint16_t **to) {
  hp_ecl_array *a = &e->array[id];
  const int64_t cells = hp_ecl_cells(e);
  bool one = true;
  double *in_cells = NULL;
  if (a->value == NULL || a->faulty) return HP_OK;
  for (int64_t m = 0; m < cells; ++m) {
    if (!(a->value[m] >= 1.0)) a->value[m] = 1.0;
    one = one && a->value[m] == 1.0;
    if (a->value[m] <= count) continue;
    int ijk[3];
    a->faulty = true;
    hp_ecl_ijk(e, m, ijk);
    return hp_ecl_error(e, a->file, a->line, "%s: cell (%d,%d,%d): %g, there %s only %d", hp_ecl_array_name(id),
                        ijk[0] + 1, ijk[1] + 1, ijk[2] + 1, a->value[m], hp_is(count), count);
  }
  HP_TRY(hp_spread_all(e->c->spread, &one));
  if (one) return HP_OK;
  HP_TRY(HP_ALLOC(*to, cells));
  HP_TRY(HP_ALLOC(in_cells, cells));
  hp_ecl_to_cells(e, a->value, in_cells);
  for (int64_t m = 0; m < cells; ++m) (*to)[m] = (uint16_t)(in_cells[m] - 1.0);
  HP_FREE(in_cells);
  return HP_OK;
}

static hp_status keep(hp_ecl *e, hp_ecl_array_id id, double **to) {
  if (e->array[id].value == NULL || e->array[id].faulty) return HP_OK;
  HP_TRY(HP_ALLOC(*to, hp_ecl_cells(e)));
  hp_ecl_to_cells(e, e->array[id].value, *to);
  return HP_OK;
}

/* Numbers of tables beside those of SATNUM. A cell without a number has that of SATNUM, and cells with SATNUM the first one only if they
 * say so. */
static hp_status other_numbers(hp_ecl *e, hp_ecl_array_id id, uint16_t **to) {
  hp_ecl_array *a = &e->array[id];
  const double *satnum = e->array[HP_ECL_SATNUM].value;
  const int64_t cells = hp_ecl_cells(e);
  for (int64_t m = 0; m < cells; ++m)
    if (isnan(a->value[m])) a->value[m] = satnum != NULL ? satnum[m] : 1.0;
  HP_TRY(hp_ecl_region_numbers(e, id, e->tables[HP_ECL_BY_SATNUM], to));
  return *to == NULL && e->c->fluid.of_sat != NULL && !a->faulty ? HP_ALLOC(*to, cells) : HP_OK;
}

/* Tables of relative permeabilities by direction. With IRREVERS those towards minus are SATNUM's where none are given. */
static hp_status finish_faces(hp_ecl *e) {
  static const hp_ecl_array_id array[HP_FACES] = {
      [HP_FACE_I] = HP_ECL_KRNUMX,   [HP_FACE_J] = HP_ECL_KRNUMY,   [HP_FACE_K] = HP_ECL_KRNUMZ,
      [HP_FACE_I_] = HP_ECL_KRNUMX_, [HP_FACE_J_] = HP_ECL_KRNUMY_, [HP_FACE_K_] = HP_ECL_KRNUMZ_};
  hp_fluid_spec *r = &e->c->fluid;
  for (int n = 0; n < HP_FACES; ++n) {
    const hp_ecl_array *a = &e->array[array[n]];
    const bool minus = n > hp_face_across(n);
    if (a->value == NULL) continue;
    if (minus ? !e->irreversible_tables : !e->directed)
      (void)hp_ecl_error(e, a->file, a->line, "%s needs SATOPTS %s in RUNSPEC", hp_ecl_array_name(array[n]),
                         minus ? "IRREVERS" : "DIRECT");
    else HP_TRY(other_numbers(e, array[n], &r->of_face[n]));
  }
  for (int n = 0; n < HP_FACES && e->irreversible_tables; ++n) {
    if (n < hp_face_across(n) || r->of_face[n] != NULL || r->of_face[hp_face_across(n)] == NULL) continue;
    HP_TRY(HP_ALLOC(r->of_face[n], hp_ecl_cells(e)));
    if (r->of_sat != NULL) memcpy(r->of_face[n], r->of_sat, (size_t)hp_ecl_cells(e) * sizeof *r->of_sat);
  }
  return HP_OK;
}

static hp_status finish_imbibition(hp_ecl *e) {
  hp_ecl_array *a = &e->array[HP_ECL_IMBNUM];
  hp_fluid_spec *r = &e->c->fluid;
  if (e->hysteresis && !e->ehystr)
    return hp_ecl_missing(e, HP_ECL_PROPS, "EHYSTR", "SATOPTS HYSTER in RUNSPEC needs EHYSTR");
  if (!e->hysteresis || a->value == NULL) {
    if (a->value != NULL) hp_ecl_note(e, a->file, a->line, "IMBNUM has no effect without SATOPTS HYSTER in RUNSPEC");
    else if (e->hysteresis)
      hp_diag_note(e->diag, e->c->deck, 0, "no IMBNUM: the tables of imbibition are those of drainage");
    return HP_OK;
  }
  return other_numbers(e, HP_ECL_IMBNUM, &r->of_imbibition);
}

static hp_status finish_end_points(hp_ecl *e) {
  static const hp_ecl_array_id array[2][HP_ENDS] = {
#define END_ARRAY(id, key) HP_ECL_##id,
#define IMBIBITION_ARRAY(id, key) HP_ECL_I##id,
      {HP_END_LIST(END_ARRAY)}, {HP_END_LIST(IMBIBITION_ARRAY)}
#undef END_ARRAY
#undef IMBIBITION_ARRAY
  };
  hp_fluid_spec *r = &e->c->fluid;
  for (int n = 0; n < 2 * HP_ENDS; ++n) {
    const int imbibition = n / HP_ENDS, end = n % HP_ENDS;
    const hp_ecl_array_id id = array[imbibition][end];
    const hp_ecl_array *a = &e->array[id];
    if (a->value != NULL && !e->endscale)
      (void)hp_ecl_error(e, a->file, a->line, "%s needs ENDSCALE in RUNSPEC", hp_ecl_array_name(id));
    if (a->value != NULL && imbibition && !e->hysteresis) {
      hp_ecl_note(e, a->file, a->line, "%s has no effect without SATOPTS HYSTER in RUNSPEC", hp_ecl_array_name(id));
      continue;
    }
    HP_TRY(keep(e, id, &(imbibition ? r->imbibition_end : r->end)[end]));
    e->c->end_file[imbibition][end] = a->file;
    e->c->end_line[imbibition][end] = a->line;
  }
  r->three_point = e->three_point && e->endscale;
  for (int n = 0; n < HP_ECL_DEPTHS && !e->endscale; ++n)
    if (e->depths[n].table != NULL)
      (void)hp_ecl_error(e, e->depths[n].file, e->depths[n].line, "%s needs ENDSCALE in RUNSPEC", e->depths[n].name);
  if (e->leverett.file != NULL && !e->endscale)
    (void)hp_ecl_error(e, e->leverett.file, e->leverett.line, "JFUNC needs ENDSCALE in RUNSPEC");
  const hp_ecl_array *water = &e->array[HP_ECL_SWATINIT];
  if (water->value != NULL && !e->endscale)
    (void)hp_ecl_error(e, water->file, water->line, "SWATINIT needs ENDSCALE in RUNSPEC");
  if (water->value != NULL && !e->equil) (void)hp_ecl_error(e, water->file, water->line, "SWATINIT needs EQUIL");
  return keep(e, HP_ECL_SWATINIT, &e->c->initial.water);
}

/* A region of EQUIL has one PVT. Of arrays that region_numbers has looked at; among the cells of several ranks
 * hp_case_check_spread_equilibria looks. */
static hp_status check_equilibria(hp_ecl *e) {
  const hp_ecl_array *eql = &e->array[HP_ECL_EQLNUM], *pvt = &e->array[HP_ECL_PVTNUM];
  const int64_t cells = hp_ecl_cells(e);
  int *first;
  if (!e->equil || pvt->value == NULL || pvt->faulty || eql->faulty) return HP_OK;
  HP_TRY(HP_ALLOC(first, e->tables[HP_ECL_BY_EQLNUM] + 1));
  hp_status s = HP_OK;
  for (int64_t m = 0; m < cells && s == HP_OK; ++m) {
    int *of = &first[eql->value != NULL ? (int)eql->value[m] : 1];
    if (*of == 0) *of = (int)pvt->value[m];
    if (*of == (int)pvt->value[m]) continue;
    int ijk[3];
    hp_ecl_ijk(e, m, ijk);
    s = hp_ecl_error(e, pvt->file, pvt->line,
                     "PVTNUM: cell (%d,%d,%d): %g, where its region of EQUIL begins with %d: "
                     "one region of EQUIL with several PVT tables is not supported",
                     ijk[0] + 1, ijk[1] + 1, ijk[2] + 1, pvt->value[m], *of);
  }
  HP_FREE(first);
  return s;
}

/* FIPNUM. A grid that has a fault, which is reported, has no cells to have regions. */
static hp_status report_regions(hp_ecl *e) {
  double *number = NULL;
  int64_t fault = -1;
  if (e->c->grid == NULL || e->array[HP_ECL_FIPNUM].claimed) return HP_OK;
  HP_TRY(keep(e, HP_ECL_FIPNUM, &number));
  if (number == NULL) return HP_OK;
  const hp_status s = hp_case_fip(e->c, number, &fault);
  if (s == HP_OK && fault >= 0) {
    const hp_ecl_array *a = &e->array[HP_ECL_FIPNUM];
    int ijk[3];
    hp_grid_ijk(e->c->grid, e->c->grid->first + fault, ijk);
    (void)hp_ecl_error(e, a->file, a->line, "FIPNUM: cell (%d,%d,%d): %g: there can be 65535 regions", ijk[0] + 1,
                       ijk[1] + 1, ijk[2] + 1, number[fault]);
  }
  HP_FREE(number);
  return s;
}

static hp_status finish_regions(hp_ecl *e) {
  hp_fluid_spec *r = &e->c->fluid;
  const int nsat = e->tables[HP_ECL_BY_SATNUM], npvt = e->tables[HP_ECL_BY_PVTNUM];
  const hp_ecl_array *rocknum = &e->array[HP_ECL_ROCKNUM];
  const hp_status rock = hp_ecl_finish_rock(e);
  if (rock != HP_OK && rock != HP_ERR_DECK) return rock;
  const hp_status sat = hp_ecl_region_numbers(e, HP_ECL_SATNUM, nsat, &r->of_sat);
  const hp_status pvt = hp_ecl_region_numbers(e, HP_ECL_PVTNUM, npvt, &r->of_pvt);
  const hp_status eql = hp_ecl_region_numbers(e, HP_ECL_EQLNUM, e->tables[HP_ECL_BY_EQLNUM], &e->c->initial.of);
  if (sat == HP_ERR_WHOLE || pvt == HP_ERR_WHOLE || eql == HP_ERR_WHOLE)
    return hp_spread_refuse(e->c->spread, HP_SPREAD_ERRORS);
  if (sat != HP_OK || pvt != HP_OK || eql != HP_OK) return HP_ERR_DECK;
  (void)check_equilibria(e);
  if (e->equil && e->c->grid != NULL) HP_TRY(hp_case_check_spread_equilibria(e->c));
  HP_TRY(report_regions(e));
  const bool without_rock_tables = (e->lost & (HP_ECL_RUNSPEC | HP_ECL_PROPS)) == 0; /* those that are not supported */
  if (rocknum->value != NULL && !e->rock_by_rocknum && !e->compacts && without_rock_tables) {
    const int64_t cells = hp_ecl_cells(e);
    for (int64_t m = 0; m < cells; ++m)
      if (rocknum->value[m] != 1.0)
        return hp_ecl_error(e, rocknum->file, rocknum->line,
                            "ROCKNUM has an effect with ROCKOPTS item 3 = ROCKNUM only; without "
                            "it the rock follows PVTNUM");
  }
  const bool by_rocknum = e->rock_by_rocknum || (e->compacts && rocknum->value != NULL);
  return hp_ecl_region_numbers(e,
                               by_rocknum                       ? HP_ECL_ROCKNUM
                               : e->rock_by == HP_ECL_BY_SATNUM ? HP_ECL_SATNUM
                                                                : HP_ECL_PVTNUM,
                               e->rock_count, &r->of_rock);
}

/* Relative permeabilities up to TOLCRIT are 0, as in OPM Flow. */
static void drop_traces(const hp_ecl *e, hp_sat_spec *sat) {
  for (int n = 0; n < sat->rows; ++n) {
    if (sat->krw != NULL && sat->krw[n] <= e->critical) sat->krw[n] = 0.0;
    if (sat->kro != NULL && sat->kro[n] <= e->critical) sat->kro[n] = 0.0;
  }
}

/* WATER alone: an oil of the water's kind that is nowhere, and that does not move where water fills the pores. */
static hp_status stand_in_oil(hp_ecl *e) {
  static const double s[] = {0.0, 0.5, 1.0}, krw[] = {0.0, 1.0, 1.0}, kro[] = {1.0, 0.0, 0.0};
  enum { ROWS = sizeof s / sizeof *s };
  hp_fluid_spec *f = &e->c->fluid;
  hp_diag_note(e->diag, e->c->deck, 0, "RUNSPEC names WATER alone: it fills the pores, and all results of oil are 0");
  for (int n = 0; n < f->npvt; ++n) {
    hp_pvt_spec *oil = &f->pvt[n][HP_OIL];
    HP_FREE(oil->p);
    HP_FREE(oil->b);
    HP_FREE(oil->mu);
    *oil = f->pvt[n][HP_WATER];
    oil->density *= 0.5; /* above any water */
  }
  for (int n = 0; n < f->nsat; ++n) {
    hp_sat_spec *sat = &f->sat[n];
    hp_sat_spec_clear(sat);
    *sat = (hp_sat_spec){.model = HP_SAT_TABLE, .rows = ROWS};
    HP_TRY(HP_ALLOC(sat->s, ROWS));
    HP_TRY(HP_ALLOC(sat->krw, ROWS));
    HP_TRY(HP_ALLOC(sat->kro, ROWS));
    HP_TRY(HP_ALLOC(sat->pc, ROWS));
    memcpy(sat->s, s, sizeof s);
    memcpy(sat->krw, krw, sizeof krw);
    memcpy(sat->kro, kro, sizeof kro);
  }
  return HP_OK;
}

hp_status hp_ecl_finish_fluid(hp_ecl *e) {
  const bool pair = e->swfn != NULL || e->sof2 != NULL;
  const hp_pvt_spec *oil = &e->c->fluid.pvt[0][HP_OIL];
  if (oil->viscosity > 0.0 && oil->rows > 0) (void)hp_ecl_error_at(e, "PVDO", "PVDO and PVCDO are both given");
  if (!e->unsized) {
    const hp_status s = finish_regions(e);
    if (s != HP_OK && s != HP_ERR_DECK) return s;
    if (!hp_ecl_water_alone(e)) HP_TRY(finish_end_points(e));
    const hp_status imbibition = hp_ecl_water_alone(e) ? HP_OK : finish_imbibition(e);
    if (imbibition != HP_OK && imbibition != HP_ERR_DECK) return imbibition;
    const hp_status faces = hp_ecl_water_alone(e) ? HP_OK : finish_faces(e);
    if (faces != HP_OK && faces != HP_ERR_DECK) return faces;
  }
  if (hp_ecl_water_alone(e)) return stand_in_oil(e);
  if (e->c->fluid.sat[0].rows > 0 && pair) return hp_ecl_error_at(e, "SWOF", "SWOF and SWFN or SOF2 are both given");
  for (int n = 0; n < e->tables[HP_ECL_BY_SATNUM]; ++n) {
    drop_traces(e, &e->c->fluid.sat[n]);
    if (e->swfn != NULL) drop_traces(e, &e->swfn[n]);
    if (e->sof2 != NULL) drop_traces(e, &e->sof2[n]);
  }
  for (int n = 0; e->swfn != NULL && e->sof2 != NULL && n < e->tables[HP_ECL_BY_SATNUM]; ++n) {
    const hp_status s = hp_ecl_merge_tables(e, n);
    if (s != HP_OK && s != HP_ERR_DECK) return s;
  }
  return HP_OK;
}

/* The option --set may have given what the deck lacks. */
hp_status hp_ecl_complete_fluid(hp_ecl *e) {
  const hp_pvt_spec *pvt = e->c->fluid.pvt[0];
  const hp_sat_spec *sat = &e->c->fluid.sat[0];
  hp_status s = HP_OK;
  if (!(pvt[HP_OIL].density > 0.0 && pvt[HP_WATER].density > 0.0))
    s = hp_ecl_missing(e, HP_ECL_PROPS, "DENSITY", "DENSITY is missing");
  if (!(pvt[HP_WATER].viscosity > 0.0)) s = hp_ecl_missing(e, HP_ECL_PROPS, "PVTW", "PVTW is missing");
  if (!(pvt[HP_OIL].viscosity > 0.0) && pvt[HP_OIL].rows == 0)
    s = hp_ecl_missing(e, HP_ECL_PROPS, "PVDO|PVCDO|PVTO", "PVDO (or PVCDO) is missing");
  if (sat->model == HP_SAT_TABLE && sat->rows == 0) {
    const bool swfn = e->swfn != NULL && e->swfn[0].rows > 0, sof2 = e->sof2 != NULL && e->sof2[0].rows > 0;
    if (!swfn && !sof2)
      s = hp_ecl_missing(e, HP_ECL_PROPS, "SWOF|SWFN|SOF2|SOF3", "SWOF (or SWFN and SOF2) is missing");
    else if (!swfn || !sof2)
      s = hp_ecl_missing(e, HP_ECL_PROPS, !swfn ? "SWFN" : "SOF2|SOF3", !swfn ? "SWFN is missing" : "SOF2 is missing");
  }
  if (e->compacts && !e->rocktab)
    s = hp_ecl_missing(e, HP_ECL_PROPS, "ROCKTAB", "ROCKTAB is missing: RUNSPEC has ROCKCOMP");
  if (s == HP_OK && e->diag->errors == 0) s = hp_ecl_fill_end_points(e);
  if (!e->rock && !e->rocktab && !hp_config_claims(e->nset, e->set, "rock"))
    hp_diag_note(e->diag, e->c->deck, 0, "no ROCK: the rock is rigid");
  return s;
}
