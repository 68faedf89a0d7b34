/* Fluids, rock and options: keywords with a record of numbers. */
#include "core/memory.h"
#include "core/plural.h"
#include "io/eclipse/fluids/impl.h"

hp_status hp_ecl_do_density(hp_ecl *e, const hp_ecl_record *record) {
  hp_pvt_spec *pvt = e->c->fluid.pvt[e->table];
  pvt[HP_OIL].density = record->density.oil.x;
  pvt[HP_WATER].density = record->density.water.x;
  return HP_OK;
}

/* By specific gravities, which are relative to water of 1000 kg/m3. */
hp_status hp_ecl_do_gravity(hp_ecl *e, const hp_ecl_record *record) {
  hp_pvt_spec *pvt = e->c->fluid.pvt[e->table];
  const double api = record->gravity.api.x;
  if (!(api > -131.5)) return hp_ecl_item_error(e, record, HP_ECL_AT(gravity, api), ": %g: must be > -131.5", api);
  pvt[HP_OIL].density = 1000.0 * 141.5 / (131.5 + api);
  pvt[HP_WATER].density = 1000.0 * record->gravity.water.x;
  return HP_OK;
}

static hp_status set_pvt(hp_ecl *e, const hp_ecl_record *record, int phase) {
  hp_pvt_spec *pvt = &e->c->fluid.pvt[e->table][phase];
  const hp_ecl_items_pvt *v = &record->pvt;
  pvt->p_ref = v->p_ref.x;
  pvt->b_ref = v->b_ref.x;
  pvt->compressibility = v->compressibility.x;
  pvt->viscosity = v->viscosity.x;
  pvt->viscosibility = v->viscosibility.x;
  return HP_OK;
}

hp_status hp_ecl_do_pvtw(hp_ecl *e, const hp_ecl_record *record) { return set_pvt(e, record, HP_WATER); }
hp_status hp_ecl_do_pvcdo(hp_ecl *e, const hp_ecl_record *record) { return set_pvt(e, record, HP_OIL); }

/* ROCKOPTS, which may come later, says how many records there must be: all that stand here are read, and counted when
 * the deck has been read. */
hp_status hp_ecl_do_rock(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  const hp_ecl_keyword_entry *entry = e->entry;
  e->rock = true;
  e->rocks = 0;
  e->rock_file = e->file;
  e->rock_line = e->line;
  do {
    hp_ecl_record one;
    bool empty = false;
    if (e->rocks > 0 && hp_ecl_slash_next(e)) {
      hp_ecl_token slash;
      HP_TRY(hp_ecl_word(e, &slash));
      one = (hp_ecl_record){.file = slash.file, .line = slash.line};
      empty = true;
    } else {
      const hp_status s = hp_ecl_read_record(e, entry->item, entry->items, &one, &empty);
      e->rock_faulty = e->rock_faulty || s != HP_OK || one.faulty;
      HP_TRY(s);
      empty = false;
    }
    HP_TRY(HP_GROW(e->rock_record, e->rocks, 1));
    hp_ecl_rock *to = &e->rock_record[e->rocks++];
    if (empty) *to = to[-1];
    else to->spec = (hp_rock_spec){.p_ref = one.rock.p_ref.x, .compressibility = one.rock.compressibility.x};
    to->repeats = empty;
    to->file = one.file;
    to->line = one.line;
  } while (hp_ecl_data_follow(e));
  return HP_OK;
}

int hp_ecl_compaction_tables(const hp_ecl *e) {
  if (e->compaction_tables > 0) return e->compaction_tables;
  return e->rock_tables > 0 ? e->rock_tables : 1;
}

/* A '/' after the last record says nothing. */
hp_status hp_ecl_finish_rock(hp_ecl *e) {
  static const char *const of[] = {
      [HP_ECL_BY_SATNUM] = "saturation functions (TABDIMS item 1)", [HP_ECL_BY_PVTNUM] = "PVT (TABDIMS item 2)"};
  hp_fluid_spec *f = &e->c->fluid;
  const bool by_rocknum = e->rock_by_rocknum && e->rock_tables > 0;
  const int count = e->rock_count = e->compacts  ? hp_ecl_compaction_tables(e)
                                    : by_rocknum ? e->rock_tables
                                                 : e->tables[e->rock_by];
  const char *what = e->compacts ? "ROCKTAB (ROCKCOMP item 2)" : by_rocknum ? "ROCK (TABDIMS item 13)" : of[e->rock_by];
  HP_TRY(hp_fluid_spec_grow(f, 1, 1, count));
  if (e->rocks == 0 || e->rock_faulty) return HP_OK; /* reported */
  if (e->rocks < count)
    return hp_ecl_error(e, e->rock_file, e->rock_line, "ROCK: %d record%s, %d %s needed: the tables of %s", e->rocks,
                        hp_plural(e->rocks), count, hp_is(count), what);
  for (int n = 0; n < e->rocks; ++n) {
    const hp_ecl_rock *from = &e->rock_record[n];
    if (n < count) {
      f->rock[n].p_ref = from->spec.p_ref;
      f->rock[n].compressibility = from->spec.compressibility;
    } else if (!from->repeats)
      return hp_ecl_error(e, from->file, from->line,
                          "ROCK: record %d, there %s only %d table%s of %s; ROCKOPTS item 3 "
                          "says which count",
                          n + 1, hp_is(count), count, hp_plural(count), what);
  }
  return HP_OK;
}

hp_status hp_ecl_do_scalecrs(hp_ecl *e, const hp_ecl_record *record) {
  e->three_point = record->scalecrs.three_points.choice == 1;
  return HP_OK;
}

hp_status hp_ecl_do_tolcrit(hp_ecl *e, const hp_ecl_record *record) {
  const double least = 1e-6; /* HP_SAT_CRITICAL */
  e->critical = record->tolcrit.critical.x;
  if (e->critical >= least) return HP_OK;
  return hp_ecl_item_error(e, record, HP_ECL_AT(tolcrit, critical), ": %g: must be >= %g", e->critical, least);
}

hp_status hp_ecl_do_satopts(hp_ecl *e, const hp_ecl_record *record) {
  for (int n = 0; n < HP_ECL_COUNT(satopts); ++n) {
    const hp_ecl_value *v = &record->v[n];
    if (!v->given) continue;
    const bool hysteresis = hp_ecl_equals(&v->text, "HYSTER"), irreversible = hp_ecl_equals(&v->text, "IRREVERS");
    if (!hysteresis && !irreversible && !hp_ecl_equals(&v->text, "DIRECT"))
      return hp_ecl_error(
          e, record->file, record->line,
          "item %d: %s is not supported: of the options of saturation functions there are HYSTER, DIRECT "
          "and IRREVERS",
          n + 1, hp_ecl_show(&e->lexer, &v->text, "'").s);
    e->hysteresis = e->hysteresis || hysteresis;
    e->directed = e->directed || !hysteresis; /* IRREVERS says DIRECT */
    e->irreversible_tables = e->irreversible_tables || irreversible;
  }
  return HP_OK;
}

hp_status hp_ecl_do_ehystr(hp_ecl *e, const hp_ecl_record *record) {
  enum { BOTH, KR, PC };
  const hp_ecl_items_ehystr *v = &record->ehystr;
  if (v->model.i < 0 || v->model.i > 3)
    return hp_ecl_item_error(
        e, record, HP_ECL_AT(ehystr, model),
        ": model %lld is not supported, only 0 to 3: Carlson's or Killough's for oil, the curve of drainage "
        "or imbibition for water",
        (long long)v->model.i);
  if (!e->hysteresis) {
    hp_ecl_note(e, record->file, record->line, "without SATOPTS HYSTER in RUNSPEC it has no effect");
    return HP_OK;
  }
  e->ehystr = true;
  e->c->fluid.hysteresis = (hp_hysteresis_spec){
      .oil = v->of.choice == PC ? HP_OIL_NONE
             : v->model.i < 2   ? HP_OIL_CARLSON
                                : HP_OIL_KILLOUGH,
      .water = v->of.choice != PC && v->model.i % 2 == 1 ? HP_WATER_IMBIBITION : HP_WATER_DRAINAGE,
      .pc = v->of.choice != KR,
      .curvature = v->curvature.x,
      .trapping = v->trapping.x};
  return HP_OK;
}

hp_status hp_ecl_do_ppcwmax(hp_ecl *e, const hp_ecl_record *record) {
  hp_sat_spec *sat = &e->c->fluid.sat[e->table];
  sat->swatinit_pc_max = record->ppcwmax.pc_max.x;
  sat->swatinit_swl = record->ppcwmax.swl.choice == 1;
  return HP_OK;
}

hp_status hp_ecl_do_rockcomp(hp_ecl *e, const hp_ecl_record *record) {
  enum { TABLES_MAX = 10000 };
  if (record->rockcomp.rock_tables.i > TABLES_MAX)
    return hp_ecl_error(e, record->file, record->line, "item %d: more than %d tables",
                        HP_ECL_NUMBER(rockcomp, rock_tables), TABLES_MAX);
  e->compacts = true;
  e->irreversible = record->rockcomp.reversal.choice == 1;
  e->compaction_tables = (int)record->rockcomp.rock_tables.i;
  return HP_OK;
}

hp_status hp_ecl_do_rktrmdir(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  e->directional = true;
  return HP_OK;
}

hp_status hp_ecl_do_rockopts(hp_ecl *e, const hp_ecl_record *record) {
  static const hp_ecl_by by[] = {HP_ECL_BY_PVTNUM, HP_ECL_BY_SATNUM, HP_ECL_BY_PVTNUM};
  e->rock_by = by[record->rockopts.regions.choice];
  e->rock_by_rocknum = record->rockopts.regions.choice == 2;
  return HP_OK;
}
