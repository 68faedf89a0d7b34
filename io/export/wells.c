/* Wells, what they are asked for at time zero and later, and what is asked of all of them. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/export/impl.h"
#include "wells/group.h"
#include "wells/wells.h"

/* The number of an injector's own rate has one name for both phases. */
static int rate_of(const hp_well_control *k) { return k->phase == HP_WATER ? HP_CONTROL_WRAT : HP_CONTROL_ORAT; }

static hp_quantity quantity_of(int control) {
  return !hp_control_is_rate(control) ? HP_UNIT_PRESSURE
         : control == HP_CONTROL_RESV ? HP_UNIT_RESERVOIR_RATE
                                      : HP_UNIT_RATE;
}

void hp_export_limit(hp_export *e, const hp_well_control *k, int control) {
  const char *name = k->injector && control == rate_of(k) ? "rate" : hp_control_key((hp_control)control);
  if (k->quantity[control] > 0) fprintf(e->f, " %s = \"%s\";", name, e->c->quantity[k->quantity[control] - 1].name);
  else hp_export_assign(e, name, quantity_of(control), k->limit[control]);
}

/* Limits that are given, and those that differ from `was`, what holds before the entry. */
static void limits(hp_export *e, const hp_well_control *k, const hp_well_control *was, hp_given given) {
  const int rate = rate_of(k);
  for (int n = HP_CONTROL_BHP; n < HP_CONTROL_COUNT; ++n) {
    if (k->injector && hp_control_is_rate(n) && n != HP_CONTROL_RESV && n != rate) continue;
    const bool by_phase = k->injector && n == rate, over = by_phase && was->phase != k->phase;
    const bool history = n == HP_CONTROL_RESV && (k->by_history || was->by_history);
    const bool none = isnan(k->limit[n]) && isnan(was->limit[n]) && !over && !history;
    const bool same = k->limit[n] == was->limit[n] && k->quantity[n] == was->quantity[n];
    if (none || (!(given >> n & 1u) && same && !over && !history)) continue;
    if (n == HP_CONTROL_RESV && k->by_history) {
      hp_export_assign(e, "observed_oil_rate", HP_UNIT_RATE, k->history_oil_rate);
      hp_export_assign(e, "observed_water_rate", HP_UNIT_RATE, k->history_water_rate);
      continue;
    }
    hp_export_limit(e, k, n);
  }
}

static const char *control_name(const hp_well_control *k, hp_control wanted) {
  return k->injector && (int)wanted == rate_of(k) ? "rate" : hp_control_name(wanted);
}

/* Writes what the event gives (HP_GIVEN_*) and what differs from the control before, which becomes this one. */
static void control(hp_export *e, const hp_well_event *v, hp_given given, hp_well_control *was) {
  const hp_well_control *k = &v->control;
  if (k->injector != was->injector) {
    const hp_well_control before = *was;
    *was = hp_well_control_default(k->injector);
    hp_well_take_settings(was, HP_WELL_KEEPS, &before);
    fprintf(e->f, " type = \"%s\";", k->injector ? "injector" : "producer");
  }
  if (k->injector && k->phase != was->phase) fprintf(e->f, " phase = \"%s\";", k->phase == HP_WATER ? "water" : "oil");
  const bool open = k->control != HP_CONTROL_SHUT;
  if ((given & HP_GIVEN_CONTROL) && v->wanted != HP_CONTROL_SHUT)
    fprintf(e->f, " control = \"%s\";", control_name(k, v->wanted));
  if ((given & HP_GIVEN_STATUS) && !open) fputs(" status = \"shut\";", e->f);
  if ((given & HP_GIVEN_STATUS) && open && !(given & HP_GIVEN_CONTROL)) fputs(" status = \"open\";", e->f);
  limits(e, k, was, given);
  (void)hp_export_settings(e, "", "wells[]", HP_IN_CONTROL, k, was);
  *was = *k;
}

/* Settings stand in the order of their keys. */
void hp_export_given(hp_export *e, const hp_well_event *v) {
  const hp_well_control *k = &v->control;
  const bool open = k->control != HP_CONTROL_SHUT;
  const hp_config_key *key = NULL;
  if (v->given & HP_GIVEN_TYPE) fprintf(e->f, " type = \"%s\";", k->injector ? "injector" : "producer");
  if ((v->given & HP_GIVEN_TYPE) && k->injector)
    fprintf(e->f, " phase = \"%s\";", k->phase == HP_WATER ? "water" : "oil");
  for (int n = HP_CONTROL_BHP; n < HP_CONTROL_COUNT; ++n) {
    const bool other = k->injector && hp_control_is_rate(n) && n != HP_CONTROL_RESV && n != rate_of(k);
    if ((v->given >> n & 1u) && !other) hp_export_limit(e, k, n);
  }
  for (int n = 0; (key = hp_config_next("wells[]", HP_IN_CONTROL, key)) != NULL; ++n)
    if (v->given >> (HP_GIVEN_FIRST + n) & 1u)
      hp_export_setting(e, key, strchr(key->path, '.') + 1, hp_config_value(key, k));
  if ((v->given & HP_GIVEN_CONTROL) && v->wanted != HP_CONTROL_SHUT)
    fprintf(e->f, " control = \"%s\";", control_name(k, v->wanted));
  if (v->given & HP_GIVEN_STATUS) fprintf(e->f, " status = \"%s\";", open ? "open" : "shut");
}

/* The event that holds at time zero: the last one there. */
static const hp_well_event *first_event(const hp_case *c, int well) {
  const hp_well_event *found = NULL;
  for (int n = 0; n < c->nevent && c->event[n].time <= 0.0; ++n)
    if (c->event[n].well == well) found = &c->event[n];
  return found;
}

/* ---- where a well is ---- */

/* Perforations that are never open are left out. */
static bool is_there(const hp_perf_spec *p) { return p->open || p->later; }

static int there(const hp_well_spec *s) {
  int count = 0;
  for (int q = 0; q < s->nperf; ++q) count += is_there(&s->perf[q]);
  return count;
}

/* All that there are, one below the other in one column. */
static bool is_column(const hp_well_spec *s, int span[2]) {
  const hp_perf_spec *last = NULL;
  for (int q = 0; q < s->nperf; ++q) {
    const hp_perf_spec *p = &s->perf[q];
    if (!is_there(p)) continue;
    if (p->dir != HP_DIR_K || (last != NULL && (p->i != last->i || p->j != last->j || p->k != last->k + 1)))
      return false;
    if (last == NULL) span[0] = p->k + 1;
    span[1] = p->k + 1;
    last = p;
  }
  return last != NULL;
}

/* All have the connection factor that follows from one radius and skin. */
static bool by_bore(const hp_well_spec *s) {
  const hp_perf_spec *first = NULL;
  for (int q = 0; q < s->nperf; ++q) {
    const hp_perf_spec *p = &s->perf[q];
    if (!is_there(p)) continue;
    if (first == NULL) first = p;
    if (!isnan(p->transmissibility) || !isnan(p->kh) || !isnan(p->r0) || !isnan(p->length[0]) ||
        p->radius != first->radius || p->skin != first->skin || !(p->radius > 0.0))
      return false;
  }
  return first != NULL;
}

static void places(hp_export *e, const hp_well_spec *s) {
  static const char *const direction[HP_DIRS] = {[HP_DIR_K] = "z", [HP_DIR_J] = "y", [HP_DIR_I] = "x"};
  int span[2] = {0, 0}, count = 0;
  if (is_column(s, span)) {
    const hp_perf_spec *p = s->perf;
    while (!is_there(p)) ++p;
    fprintf(e->f, "i = %d; j = %d; k = ", p->i + 1, p->j + 1);
    fprintf(e->f, span[0] == span[1] ? "%d;" : "[%d, %d];", span[0], span[1]);
    return;
  }
  fputs("cells = (", e->f);
  for (int q = 0; q < s->nperf; ++q) {
    const hp_perf_spec *p = &s->perf[q];
    if (!is_there(p)) continue;
    fputs(count == 0 ? "" : count % 6 == 0 ? ",\n      " : ", ", e->f);
    count += 1;
    if (p->dir == HP_DIR_K) fprintf(e->f, "[%d, %d, %d]", p->i + 1, p->j + 1, p->k + 1);
    else fprintf(e->f, "(%d, %d, %d, \"%s\")", p->i + 1, p->j + 1, p->k + 1, direction[p->dir]);
  }
  fputs(");", e->f);
}

static hp_status index_of(const hp_export *e, const hp_perf_spec *p, double *wi) {
  return hp_well_index(e->c->grid, hp_grid_cell(e->c->grid, p->i, p->j, p->k), p, wi);
}

static hp_status bore(hp_export *e, const hp_well_spec *s) {
  const int count = there(s);
  if (by_bore(s)) {
    const hp_perf_spec *p = s->perf;
    while (!is_there(p)) ++p;
    hp_export_assign(e, "radius", HP_UNIT_LENGTH, p->radius);
    if (p->skin != 0.0) hp_export_assign(e, "skin", HP_UNIT_NONE, p->skin);
    return HP_OK;
  }
  double *wi;
  int n = 0;
  HP_TRY(HP_ALLOC(wi, count));
  hp_status status = HP_OK;
  for (int q = 0; q < s->nperf && status == HP_OK; ++q)
    if (is_there(&s->perf[q])) status = index_of(e, &s->perf[q], &wi[n++]);
  fputs("\n    connection_factors = ", e->f);
  if (status == HP_OK) hp_export_list(e, HP_UNIT_CONNECTION, count, wi, 5, "      ");
  fputs(";", e->f);
  HP_FREE(wi);
  return status;
}

/* One for each perforation that is there. */
static hp_status seats(hp_export *e, const hp_well_spec *s) {
  const int count = there(s);
  double *depth;
  int n = 0;
  HP_TRY(HP_ALLOC(depth, count));
  fputs("\n    segment_of = [", e->f);
  for (int q = 0; q < s->nperf; ++q) {
    const hp_perf_spec *p = &s->perf[q];
    if (!is_there(p)) continue;
    fprintf(e->f, "%s%d", n == 0 ? "" : n % 20 == 0 ? ",\n      " : ", ", p->segment);
    depth[n++] = isnan(p->depth) ? s->segment[hp_segment_find(s->nsegment, s->segment, p->segment)].depth : p->depth;
  }
  fputs("];\n    segment_depths = ", e->f);
  hp_export_list(e, HP_UNIT_LENGTH, count, depth, 10, "      ");
  fputs(";", e->f);
  HP_FREE(depth);
  return HP_OK;
}

/* All but the first one, which the well's reference depth says. */
static hp_status segments(hp_export *e, const hp_well_spec *s) {
  static const char *const drops[] = {
#define NAME(name, text) text,
      HP_DROPS_LIST(NAME)
#undef NAME
  };
  if (s->nsegment == 0) return HP_OK;
  fprintf(e->f, "\n    pressure_drops = \"%s\";\n    segments = (", drops[s->drops]);
  bool some = false;
  for (int n = 0; n < s->nsegment; ++n) {
    const hp_segment_spec *g = &s->segment[n];
    if (g->number == 1) continue;
    fprintf(e->f, "%s\n      { number = %d; outlet = %d; branch = %d;", some ? "," : "", g->number, g->outlet,
            g->branch);
    some = true;
    hp_export_assign(e, "depth", HP_UNIT_LENGTH, g->depth);
    hp_export_assign(e, "length", HP_UNIT_LENGTH, g->length);
    hp_export_assign(e, "diameter", HP_UNIT_LENGTH, g->diameter);
    hp_export_assign(e, "roughness", HP_UNIT_LENGTH, g->roughness);
    if (g->area != hp_segment_round(g->diameter)) hp_export_assign(e, "area", HP_UNIT_AREA, g->area);
    fputs(" }", e->f);
  }
  fputs(");", e->f);
  return seats(e, s);
}

/* Saturation tables of perforations. */
static void tables(hp_export *e, const hp_well_spec *s) {
  bool any = false;
  for (int q = 0; q < s->nperf; ++q) any = any || (is_there(&s->perf[q]) && s->perf[q].table > 0);
  if (!any) return;
  fputs("\n    saturations = [", e->f);
  const char *between = "";
  for (int q = 0; q < s->nperf; ++q) {
    if (!is_there(&s->perf[q])) continue;
    fprintf(e->f, "%s%d", between, s->perf[q].table);
    between = ", ";
  }
  fputs("];", e->f);
}

static hp_status well(hp_export *e, int w) {
  const hp_well_spec *s = &e->c->well[w];
  const hp_well_event *first = first_event(e->c, w);
  if (first == NULL) return hp_fail(HP_ERR_INTERNAL, "well %s has no control at time zero", s->name);
  const hp_well_control *k = &first->control;
  fputs("  { name = ", e->f);
  hp_export_quoted(e, s->name);
  fprintf(e->f, "; type = \"%s\";", k->injector ? "injector" : "producer");
  if (k->injector) fprintf(e->f, " phase = \"%s\";", k->phase == HP_WATER ? "water" : "oil");
  if (!s->crossflow) fputs(" crossflow = false;", e->f);
  if (s->preferred != HP_PREFERRED_OIL)
    fprintf(e->f, " preferred = \"%s\";", s->preferred == HP_PREFERRED_WATER ? "water" : "liquid");
  fputs("\n    ", e->f);
  places(e, s);
  HP_TRY(bore(e, s));
  tables(e, s);
  if (!isnan(s->ref_depth)) hp_export_assign(e, "reference_depth", HP_UNIT_LENGTH, s->ref_depth);
  HP_TRY(segments(e, s));
  fputs("\n   ", e->f);
  hp_well_control was = hp_well_control_default(k->injector);
  was.phase = k->phase;
  control(e, first, HP_GIVEN_EVERYTHING, &was);
  fputs(" }", e->f);
  return HP_OK;
}

static void lift_tables(hp_export *e) {
  static const char *const name[HP_LIFT_AXES + 1] = {"flow", "thp", "ratio", "lift", "bhp"};
  static const hp_quantity q[] = {HP_UNIT_RATE, HP_UNIT_PRESSURE, HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_PRESSURE};
  if (e->c->nlift == 0) return;
  fputs("vfp = (\n", e->f);
  for (int n = 0; n < e->c->nlift; ++n) {
    const hp_lift_spec *v = &e->c->lift[n];
    fputs(n > 0 ? ",\n  { name = " : "  { name = ", e->f);
    hp_export_quoted(e, v->name);
    fputs(";", e->f);
    (void)hp_export_settings(e, "", "vfp[]", HP_IN_LIFT, v, NULL);
    for (int axis = 0; axis <= HP_LIFT_AXES; ++axis) {
      const int64_t from = hp_lift_axis(&v->table, axis);
      const int64_t to = axis < HP_LIFT_AXES ? from + v->table.count[axis] : hp_lift_numbers(&v->table);
      fprintf(e->f, "\n    %s = ", name[axis]);
      hp_export_list(e, q[axis], (int)(to - from), v->number + from, 10, "      ");
      fputs(";", e->f);
    }
    fputs(" }", e->f);
  }
  fputs("\n);\n\n", e->f);
}

hp_status hp_export_wells(hp_export *e) {
  lift_tables(e);
  fputs("wells = (\n", e->f);
  for (int w = 0; w < e->c->nwell; ++w) {
    if (w > 0) fputs(",\n", e->f);
    HP_TRY(well(e, w));
  }
  fputs("\n);\n\n", e->f);
  return HP_OK;
}

/* ---- later ---- */

static void head(hp_export *e, double time, int w, bool *some) {
  fputs(*some ? ",\n  { time = " : "schedule = (\n  { time = ", e->f);
  *some = true;
  hp_export_number(e, HP_UNIT_TIME, time);
  fputs("; well = ", e->f);
  hp_export_quoted(e, e->c->well[w].name);
  fputs(";", e->f);
}

hp_status hp_export_change(hp_export *e, const hp_perf_event *v) {
  static const char name[] = "ijk";
  double wi;
  for (int d = 0; d < 3; ++d)
    if (v->first[d] > 0 || v->last[d] < INT_MAX) {
      if (v->first[d] == v->last[d]) fprintf(e->f, " %c = %d;", name[d], v->first[d] + 1);
      else fprintf(e->f, " %c = [%d, %d];", name[d], v->first[d] + 1, v->last[d] + 1);
    }
  if (v->state != HP_PERF_KEEP) fprintf(e->f, " perforations = \"%s\";", v->state == HP_PERF_OPEN ? "open" : "shut");
  if (v->completion > 0) fprintf(e->f, " completion = %d;", v->completion);
  if (v->multiply != 1.0 || (v->state == HP_PERF_KEEP && !v->anew && v->completion == 0))
    hp_export_assign(e, "multiply_index", HP_UNIT_NONE, v->multiply);
  if (v->anew) {
    if (isnan(v->spec.transmissibility)) HP_TRY(index_of(e, &v->spec, &wi));
    else wi = v->spec.transmissibility;
    hp_export_assign(e, "connection_factor", HP_UNIT_CONNECTION, wi);
    if (e->c->fluid.by_perforation && v->spec.table >= 0) fprintf(e->f, " saturation = %d;", v->spec.table);
  }
  return HP_OK;
}

static hp_status well_events(hp_export *e, bool *some) {
  const hp_case *c = e->c;
  hp_well_control *was;
  HP_TRY(HP_ALLOC(was, c->nwell));
  for (int w = 0; w < c->nwell; ++w) {
    const hp_well_event *first = first_event(c, w);
    if (first != NULL) was[w] = first->control;
  }
  for (int n = 0; n < c->nevent; ++n) {
    const hp_well_event *v = &c->event[n];
    if (v->time <= 0.0) continue;
    head(e, v->time, v->well, some);
    control(e, v, v->given, &was[v->well]);
    fputs(" }", e->f);
  }
  HP_FREE(was);
  return HP_OK;
}

static void groups(hp_export *e) {
  const hp_case *c = e->c;
  const hp_group_event nothing = {.control = hp_group_nothing()};
  if (c->ngroup_event == 0) return;
  fputs("groups = (\n", e->f);
  for (int n = 0; n < c->ngroup_event; ++n) {
    fputs(n > 0 ? ",\n  {" : "  {", e->f);
    (void)hp_export_settings(e, "", "groups[]", HP_IN_GROUP, &c->group_event[n], &nothing);
    fputs(" }", e->f);
  }
  fputs("\n);\n\n", e->f);
}

hp_status hp_export_schedule(hp_export *e) {
  const hp_case *c = e->c;
  bool some = false;
  for (int w = 0; w < c->nwell; ++w) /* perforations that open later are shut at first */
    for (int q = 0; q < c->well[w].nperf; ++q) {
      const hp_perf_spec *p = &c->well[w].perf[q];
      if (p->open || !p->later) continue;
      head(e, 0.0, w, &some);
      fprintf(e->f, " i = %d; j = %d; k = %d; perforations = \"shut\"; }", p->i + 1, p->j + 1, p->k + 1);
    }
  for (int n = 0; n < c->nperf_event; ++n) {
    head(e, c->perf_event[n].time, c->perf_event[n].well, &some);
    HP_TRY(hp_export_change(e, &c->perf_event[n]));
    fputs(" }", e->f);
  }
  HP_TRY(well_events(e, &some));
  if (some) fputs("\n);\n\n", e->f);
  groups(e);
  return HP_OK;
}
