/* Lift tables: VFPPROD, VFPINJ. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/eclipse/impl.h"

enum { INDICES = HP_LIFT_AXES }; /* before the pressures of a row: of thp, ratio, gas, lift; of injectors: of thp */

static bool is_injector(const hp_ecl *e) { return e->entry->argument != 0; }

void hp_ecl_lift_name(bool injector, int64_t number, char out[HP_WELL_NAME]) {
  snprintf(out, HP_WELL_NAME, "%s %d", injector ? "VFPINJ" : "VFPPROD", (int)number);
}

/* A record of numbers alone, in deck units (HP_ALLOC). */
static hp_status read_list(hp_ecl *e, const char *what, int *count, double **out) {
  HP_TRY(hp_ecl_read_table(e, 1, count, out));
  for (int n = 0; n < *count; ++n)
    if (!isfinite((*out)[n])) return hp_ecl_error(e, e->file, e->line, "%s: number %d is missing", what, n + 1);
  return HP_OK;
}

/* Without free gas a table is read at its first fraction of gas, if that is the only one, or none. */
static hp_status judge_gas(hp_ecl *e, const hp_ecl_record *record, int count, const double *fraction) {
  enum { OGR = 2 };
  if (count == 1) return HP_OK;
  if (record->vfpprod.gas.choice == OGR || fraction[0] > 0.0)
    return hp_ecl_error(
        e, record->file, record->line,
        "%d fractions of gas (%s), the first %g: oil and water have no free gas, so a table must have one "
        "fraction, or 0 as its first",
        count, record->vfpprod.gas.choice == OGR ? "OGR" : "GOR, GLR", fraction[0]);
  hp_ecl_note(e, record->file, record->line, "of %d fractions of gas the first, 0, is taken: there is no free gas",
              count);
  return HP_OK;
}

/* The axes in the order of the deck: rate, thp, and of producers ratio of water, of gas, lift. */
typedef struct {
  int count[HP_LIFT_AXES + 1];
  double *number[HP_LIFT_AXES + 1];
} axes;
enum { GAS = HP_LIFT_AXES };

static hp_status read_axes(hp_ecl *e, const hp_ecl_record *record, axes *a) {
  static const char *const name[] = {"rates", "tubing-head pressures", "ratios of water", "artificial lift",
                                     "fractions of gas"};
  static const int order[] = {HP_LIFT_FLOW, HP_LIFT_THP, HP_LIFT_RATIO, GAS, HP_LIFT_LIFT};
  const double factor[HP_LIFT_AXES + 1] = {e->units.factor[HP_UNIT_RATE], e->units.factor[HP_UNIT_PRESSURE], 1.0, 1.0,
                                           1.0};
  for (int k = 0; k < (is_injector(e) ? 2 : 5); ++k) {
    const int n = order[k];
    HP_TRY(read_list(e, name[n], &a->count[n], &a->number[n]));
    for (int i = 0; i < a->count[n]; ++i) a->number[n][i] *= factor[n];
  }
  for (int n = 0; n <= HP_LIFT_AXES; ++n)
    if (a->number[n] == NULL) {
      a->count[n] = 1;
      HP_TRY(HP_ALLOC(a->number[n], 1));
    }
  return is_injector(e) ? HP_OK : judge_gas(e, record, a->count[GAS], a->number[GAS]);
}

/* A row of pressures by its indices; of rows of other fractions of gas the numbers are dropped. */
static hp_status put_row(hp_ecl *e, const axes *a, int count, const double *row, hp_lift_spec *v) {
  static const int axis[INDICES] = {HP_LIFT_THP, HP_LIFT_RATIO, GAS, HP_LIFT_LIFT};
  const int indices = is_injector(e) ? 1 : INDICES, rates = a->count[HP_LIFT_FLOW];
  int at[HP_LIFT_AXES + 1] = {0};
  if (count != indices + rates)
    return hp_ecl_error(e, e->file, e->line, "a row of %d numbers: %d indices and %d pressures are needed", count,
                        indices, rates);
  for (int n = 0; n < indices; ++n) {
    if (!(row[n] >= 1.0 && row[n] <= a->count[axis[n]] && row[n] == floor(row[n])))
      return hp_ecl_error(e, e->file, e->line, "a row has index %g as its number %d, which must be 1 to %d", row[n],
                          n + 1, a->count[axis[n]]);
    at[axis[n]] = (int)row[n] - 1;
  }
  if (at[GAS] > 0) return HP_OK;
  const int64_t thps = a->count[HP_LIFT_THP], ratios = a->count[HP_LIFT_RATIO];
  double *bhp = v->number + hp_lift_axis(&v->table, HP_LIFT_AXES) +
                rates * (at[HP_LIFT_THP] + thps * (at[HP_LIFT_RATIO] + ratios * at[HP_LIFT_LIFT]));
  if (!isnan(bhp[0])) return hp_ecl_error(e, e->file, e->line, "two rows have the same indices");
  for (int n = 0; n < rates; ++n) bhp[n] = row[indices + n] * e->units.factor[HP_UNIT_PRESSURE];
  return HP_OK;
}

static hp_status read_rows(hp_ecl *e, const axes *a, hp_lift_spec *v) {
  const int64_t begin = hp_lift_axis(&v->table, HP_LIFT_AXES), all = hp_lift_numbers(&v->table);
  int64_t rows = (int64_t)a->count[GAS] * (all - begin) / a->count[HP_LIFT_FLOW];
  hp_status s = HP_OK;
  for (int64_t n = begin; n < all; ++n) v->number[n] = NAN;
  for (; rows > 0 && s == HP_OK; --rows) {
    int count;
    double *row;
    if (!hp_ecl_data_follow(e))
      return hp_ecl_error(e, e->file, e->line, "%lld rows of pressures are missing", (long long)rows);
    HP_TRY(hp_ecl_read_table(e, 1, &count, &row));
    s = put_row(e, a, count, row, v);
    HP_FREE(row);
  }
  return s;
}

static bool are_equal(const hp_lift_spec *a, const hp_lift_spec *b) {
  const hp_lift_table *t = &a->table, *u = &b->table;
  const bool alike = t->flow == u->flow && t->ratio == u->ratio && t->datum == u->datum &&
                     memcmp(t->count, u->count, sizeof t->count) == 0;
  return alike && memcmp(a->number, b->number, (size_t)hp_lift_numbers(t) * sizeof *a->number) == 0;
}

/* Takes over the numbers of v, if it is new. */
static hp_status add(hp_ecl *e, const hp_ecl_record *record, hp_lift_spec *v) {
  const char *fault = hp_lift_fault(&v->table, v->number);
  if (fault != NULL)
    return hp_ecl_error(e, record->file, record->line, "table %s: %s", strchr(v->name, ' ') + 1, fault);
  const int before = hp_case_lift(e->c, v->name);
  if (before > 0 && !are_equal(&e->c->lift[before - 1], v))
    return hp_ecl_error(e, record->file, record->line,
                        "table %s is another one already (line %d): give this one its own number",
                        strchr(v->name, ' ') + 1, e->c->lift[before - 1].line);
  if (before < 0) HP_TRY(hp_case_lift_add(e->c, v));
  if (before < 0) v->number = NULL;
  return HP_OK;
}

static hp_status read_table(hp_ecl *e, const hp_ecl_record *record, axes *a, hp_lift_spec *v) {
  HP_TRY(read_axes(e, record, a));
  memcpy(v->table.count, a->count, sizeof v->table.count);
  HP_TRY(HP_ALLOC(v->number, hp_lift_numbers(&v->table)));
  for (int n = 0; n < HP_LIFT_AXES; ++n)
    memcpy(v->number + hp_lift_axis(&v->table, n), a->number[n], (size_t)a->count[n] * sizeof *v->number);
  HP_TRY(read_rows(e, a, v));
  return add(e, record, v);
}

static hp_status judge_units(hp_ecl *e, const hp_ecl_record *record, int item, const hp_ecl_value *units) {
  static const hp_unit_system of[] = {HP_UNITS_METRIC, HP_UNITS_FIELD, HP_UNITS_LAB};
  if (!units->given || of[units->choice] == e->units.system) return HP_OK;
  return hp_ecl_item_error(e, record, item, ": must be the deck's");
}

hp_status hp_ecl_do_vfp(hp_ecl *e, const hp_ecl_record *unused) {
  hp_ecl_record record;
  bool empty;
  (void)unused;
  HP_TRY(hp_ecl_read_record(e, e->entry->item, e->entry->items, &record, &empty));
  if (record.faulty) return HP_ERR_DECK;
  hp_lift_spec v = {
      .table = {.injector = is_injector(e), .datum = record.vfpprod.datum_depth.x, .flow = record.vfpprod.flow.choice},
      .file = record.file,
      .line = record.line};
  hp_ecl_lift_name(v.table.injector, record.vfpprod.table.i, v.name);
  if (!v.table.injector) v.table.ratio = record.vfpprod.ratio.choice;
  hp_status s = v.table.injector ? judge_units(e, &record, HP_ECL_AT(vfpinj, units), &record.vfpinj.units)
                                 : judge_units(e, &record, HP_ECL_AT(vfpprod, units), &record.vfpprod.units);
  axes a = {{0}, {NULL}};
  if (s == HP_OK) s = read_table(e, &record, &a, &v);
  for (int n = 0; n <= HP_LIFT_AXES; ++n) HP_FREE(a.number[n]);
  HP_FREE(v.number);
  return s;
}
