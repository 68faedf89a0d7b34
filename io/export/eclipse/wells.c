/* Where wells are, and their lift tables. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/export/eclipse/impl.h"
#include "wells/wells.h"

const hp_well_event *hp_out_first_event(const hp_case *c, int well) {
  const hp_well_event *found = NULL;
  for (int n = 0; n < c->nevent && c->event[n].time <= 0.0; ++n)
    if (c->event[n].well == well) found = &c->event[n];
  return found;
}

/* An Eclipse deck has no wells in FIELD itself: a group that no other has. */
static const char *group_of_wells(const hp_case *c) {
  static const char *const name[] = {"WELLS", "WELLS_1", "WELLS_2"};
  for (size_t n = 0; n < sizeof name / sizeof name[0]; ++n)
    if (hp_case_group(c, name[n]) < 0) return name[n];
  return "FIELD";
}

/* Perforations that are never open are left out. */
static bool is_there(const hp_perf_spec *p) { return p->open || p->later; }

static const hp_perf_spec *first_perf(const hp_well_spec *s) {
  for (int q = 0; q < s->nperf; ++q)
    if (is_there(&s->perf[q])) return &s->perf[q];
  return NULL;
}

/* From top to bottom of a column: both programs mean the first one by the highest, and the same order. */
static bool goes_down(const hp_well_spec *s) {
  for (int q = 1; q < s->nperf; ++q)
    if (s->perf[q].dir != HP_DIR_K || s->perf[q].i != s->perf[0].i || s->perf[q].j != s->perf[0].j ||
        s->perf[q].k <= s->perf[q - 1].k)
      return false;
  return s->nperf == 0 || s->perf[0].dir == HP_DIR_K;
}

/* That of the first connection, where others take another one. */
static double reference_depth(const hp_deck_out *o, const hp_well_spec *s) {
  const hp_grid *g = o->c->grid;
  if (!isnan(s->ref_depth) || goes_down(s)) return s->ref_depth;
  for (int q = 0; q < s->nperf; ++q) {
    const int64_t m = hp_grid_cell(g, s->perf[q].i, s->perf[q].j, s->perf[q].k);
    if (g->active[m]) return g->depth[m];
  }
  return NAN;
}

void hp_out_well_head(hp_deck_out *o, int w, int g) {
  const hp_well_spec *s = &o->well[w];
  const hp_perf_spec *first = first_perf(s);
  const hp_well_control *k = hp_case_first_control(o->c, w);
  const int i = s->head_i >= 0 || first == NULL ? s->head_i : first->i;
  const int j = s->head_j >= 0 || first == NULL ? s->head_j : first->j;
  const bool water = k != NULL && k->injector && k->phase == HP_WATER;
  fprintf(o->f, "WELSPECS\n '%s' '%s' %d %d", s->name, g > 0 ? hp_case_group_name(o->c, g) : group_of_wells(o->c),
          (i >= 0 ? i : 0) + 1, (j >= 0 ? j : 0) + 1);
  hp_out_number(o, HP_UNIT_LENGTH, reference_depth(o, s));
  fprintf(o->f, " %s 3* %s /\n/\n", water ? "WATER" : "OIL", s->crossflow ? "YES" : "NO");
}

/* Wells of the case, paths cut into cells. */
hp_status hp_out_find_wells(hp_deck_out *o) {
  const hp_case *c = o->c;
  HP_TRY(HP_ALLOC(o->well, c->nwell));
  for (int w = 0; w < c->nwell; ++w) {
    hp_well_spec *s = &o->well[w];
    *s = c->well[w];
    if (s->npath == 0 || s->nperf > 0) continue;
    s->perf = NULL;
    HP_TRY(hp_well_path_cut(c->grid, s->npath, (const double(*)[3])s->path, s->path_radius, s->path_skin, &s->perf,
                            &s->nperf));
  }
  return HP_OK;
}

void hp_out_wells_clear(hp_deck_out *o) {
  for (int w = 0; w < o->c->nwell && o->well != NULL; ++w)
    if (o->well[w].perf != o->c->well[w].perf) HP_FREE(o->well[w].perf);
  HP_FREE(o->well);
}

/* By Peaceman's formula, of the whole cell: radius and skin say it. */
static bool by_bore(const hp_perf_spec *p) {
  return isnan(p->transmissibility) && isnan(p->kh) && isnan(p->r0) && isnan(p->length[0]) && p->radius > 0.0;
}

static hp_status connection(hp_deck_out *o, const char *well, const hp_perf_spec *p, int last_k, bool open) {
  static const char *const direction[HP_DIRS] = {[HP_DIR_K] = "Z", [HP_DIR_J] = "Y", [HP_DIR_I] = "X"};
  double factor = NAN;
  if (!by_bore(p)) HP_TRY(hp_well_index(o->c->grid, hp_grid_cell(o->c->grid, p->i, p->j, p->k), p, &factor));
  fprintf(o->f, " '%s' %d %d %d %d %s", well, p->i + 1, p->j + 1, p->k + 1, last_k + 1, open ? "OPEN" : "SHUT");
  fprintf(o->f, p->table > 0 ? " %d" : " 1*", p->table);
  hp_out_number(o, HP_UNIT_CONNECTION, factor);
  hp_out_number(o, HP_UNIT_LENGTH, p->radius > 0.0 ? 2.0 * p->radius : NAN);
  fputs(" 1*", o->f);
  hp_out_number(o, HP_UNIT_NONE, by_bore(p) ? p->skin : 0.0);
  fprintf(o->f, " 1* %s /\n", direction[p->dir]);
  return HP_OK;
}

/* A perforation in the cell below, the same otherwise. */
static bool goes_on(const hp_perf_spec *p, const hp_perf_spec *next) {
  return by_bore(p) && by_bore(next) && next->i == p->i && next->j == p->j && next->k == p->k + 1 &&
         next->dir == p->dir && next->radius == p->radius && next->skin == p->skin && next->open == p->open &&
         next->table == p->table && is_there(next);
}

static hp_status perforations(hp_deck_out *o, const hp_well_spec *s) {
  bool some = false;
  for (int q = 0, next; q < s->nperf; q = next) {
    next = q + 1;
    if (!is_there(&s->perf[q])) continue;
    while (next < s->nperf && goes_on(&s->perf[next - 1], &s->perf[next])) ++next;
    if (!some) fputs("COMPDAT\n", o->f);
    some = true;
    HP_TRY(connection(o, s->name, &s->perf[q], s->perf[next - 1].k, s->perf[q].open));
  }
  if (some) fputs("/\n", o->f);
  some = false;
  for (int q = 0; q < s->nperf; ++q) {
    const hp_perf_spec *p = &s->perf[q];
    if (!is_there(p) || p->completion <= 0) continue;
    if (!some) fputs("COMPLUMP\n", o->f);
    some = true;
    fprintf(o->f, " '%s' %d %d %d %d %d /\n", s->name, p->i + 1, p->j + 1, p->k + 1, p->k + 1, p->completion);
  }
  if (some) fputs("/\n", o->f);
  return HP_OK;
}

/* The middle of each connection is at the end of its segment, at a depth of its own. */
static void segments(hp_deck_out *o, const hp_well_spec *s) {
  static const char *const drops[HP_DROPS] = {"H--", "HF-", "HFA"};
  if (s->nsegment == 0) return;
  fprintf(o->f, "WELSEGS\n '%s'", s->name);
  hp_out_number(o, HP_UNIT_LENGTH, s->segment[hp_segment_find(s->nsegment, s->segment, 1)].depth);
  fprintf(o->f, " 0 1* INC '%s' HO /\n", drops[s->drops]);
  for (int n = 0; n < s->nsegment; ++n) {
    const hp_segment_spec *g = &s->segment[n];
    if (g->number == 1) continue;
    fprintf(o->f, " %d %d %d %d", g->number, g->number, g->branch, g->outlet);
    hp_out_number(o, HP_UNIT_LENGTH, g->length);
    hp_out_number(o, HP_UNIT_LENGTH, g->depth - s->segment[hp_segment_find(s->nsegment, s->segment, g->outlet)].depth);
    hp_out_number(o, HP_UNIT_LENGTH, g->diameter);
    hp_out_number(o, HP_UNIT_LENGTH, g->roughness);
    hp_out_number(o, HP_UNIT_AREA, g->area);
    fputs(" /\n", o->f);
  }
  fprintf(o->f, "/\nCOMPSEGS\n '%s' /\n", s->name);
  for (int q = 0; q < s->nperf; ++q) {
    const hp_perf_spec *p = &s->perf[q];
    const int n = hp_segment_find(s->nsegment, s->segment, p->segment);
    if (!is_there(p) || n < 0) continue;
    const hp_segment_spec *g = &s->segment[n];
    const double end = hp_segment_length_at(s->nsegment, s->segment, n);
    fprintf(o->f, " %d %d %d %d", p->i + 1, p->j + 1, p->k + 1, g->branch);
    hp_out_number(o, HP_UNIT_LENGTH, end - 0.5 * g->length);
    hp_out_number(o, HP_UNIT_LENGTH, end + (g->length > 0.0 ? 0.5 * g->length : 1e-3));
    fputs(" 2*", o->f);
    hp_out_number(o, HP_UNIT_LENGTH, isnan(p->depth) ? g->depth : p->depth);
    fprintf(o->f, " 1* %d /\n", g->number);
  }
  fputs("/\n", o->f);
}

hp_status hp_out_perforations(hp_deck_out *o) {
  for (int w = 0; w < o->c->nwell; ++w) {
    const hp_well_spec *s = &o->well[w];
    if (!goes_down(s)) fprintf(o->f, "COMPORD\n '%s' INPUT /\n/\n", s->name);
    HP_TRY(perforations(o, s));
    segments(o, s);
  }
  return HP_OK;
}

/* ---- later ---- */

static void state(hp_deck_out *o, const char *well, const hp_perf_spec *p, const hp_perf_event *v) {
  const int i = p->i + 1, j = p->j + 1, k = p->k + 1;
  if (v->completion > 0) fprintf(o->f, "COMPLUMP\n '%s' %d %d %d %d %d /\n/\n", well, i, j, k, k, v->completion);
  if (v->state != HP_PERF_KEEP && !v->anew)
    fprintf(o->f, "WELOPEN\n '%s' %s %d %d %d /\n/\n", well, v->state == HP_PERF_OPEN ? "OPEN" : "SHUT", i, j, k);
  if (v->multiply == 1.0) return;
  fprintf(o->f, "WPIMULT\n '%s'", well);
  hp_out_number(o, HP_UNIT_NONE, v->multiply);
  fprintf(o->f, " %d %d %d /\n/\n", i, j, k);
}

/* Perforation p behind event v, which makes it anew and may keep its state and saturation table. */
static hp_perf_spec renewed(const hp_case *c, const hp_perf_event *v, const hp_perf_spec *p) {
  hp_perf_spec now = v->spec;
  now.i = p->i;
  now.j = p->j;
  now.k = p->k;
  now.table = p->table;
  now.open = p->open;
  for (const hp_perf_event *n = c->perf_event; n <= v; ++n) {
    if (n->well != v->well || !hp_perf_event_means(n, p)) continue;
    if (n->anew && n->spec.table >= 0) now.table = n->spec.table;
    if (n->state != HP_PERF_KEEP) now.open = n->state == HP_PERF_OPEN;
  }
  return now;
}

hp_status hp_out_perf_event(hp_deck_out *o, const hp_perf_event *v) {
  const hp_well_spec *s = &o->well[v->well];
  for (int q = 0; q < s->nperf; ++q) {
    const hp_perf_spec *p = &s->perf[q];
    if (!is_there(p) || !hp_perf_event_means(v, p)) continue;
    if (v->anew) {
      const hp_perf_spec now = renewed(o->c, v, p);
      fputs("COMPDAT\n", o->f);
      HP_TRY(connection(o, s->name, &now, now.k, now.open));
      fputs("/\n", o->f);
    }
    state(o, s->name, p, v);
  }
  return HP_OK;
}

/* ---- lift tables ---- */

/* The number that is its name, where all are numbers; else its place. */
int hp_out_lift_number(const hp_case *c, int table) {
  for (int n = 0; n < c->nlift; ++n) {
    char *end;
    const char *text = c->lift[n].name + strcspn(c->lift[n].name, "0123456789");
    const long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || number < 1 || number > 100000) return table + 1;
    for (int m = 0; m < n; ++m)
      if (c->lift[m].table.injector == c->lift[n].table.injector &&
          strcmp(c->lift[m].name + strcspn(c->lift[m].name, "0123456789"), text) == 0)
        return table + 1;
  }
  return atoi(c->lift[table].name + strcspn(c->lift[table].name, "0123456789"));
}

static void lift_axis(hp_deck_out *o, const hp_lift_spec *v, int axis, hp_quantity q) {
  hp_out_list(o, q, v->table.count[axis], v->number + hp_lift_axis(&v->table, axis));
}

void hp_out_lift_tables(hp_deck_out *o) {
  static const char *const flow[] = {"OIL", "WAT", "LIQ"};
  for (int n = 0; n < o->c->nlift; ++n) {
    const hp_lift_spec *v = &o->c->lift[n];
    const hp_lift_table *t = &v->table;
    fprintf(o->f, "%s\n %d", t->injector ? "VFPINJ" : "VFPPROD", hp_out_lift_number(o->c, n));
    hp_out_number(o, HP_UNIT_LENGTH, t->datum);
    fprintf(o->f, " %s", flow[t->flow]);
    if (!t->injector) fprintf(o->f, " %s GOR", t->ratio == HP_LIFT_CUT ? "WCT" : "WOR");
    fprintf(o->f, " THP%s 1* BHP /\n", t->injector ? "" : " 1*");
    lift_axis(o, v, HP_LIFT_FLOW, HP_UNIT_RATE);
    lift_axis(o, v, HP_LIFT_THP, HP_UNIT_PRESSURE);
    if (!t->injector) {
      lift_axis(o, v, HP_LIFT_RATIO, HP_UNIT_NONE);
      fputs(" 0 /\n", o->f);
      lift_axis(o, v, HP_LIFT_LIFT, HP_UNIT_NONE);
    }
    const double *bhp = v->number + hp_lift_axis(t, HP_LIFT_AXES);
    for (int l = 0; l < t->count[HP_LIFT_LIFT]; ++l)
      for (int r = 0; r < t->count[HP_LIFT_RATIO]; ++r)
        for (int p = 0; p < t->count[HP_LIFT_THP]; ++p) {
          const int64_t row = ((int64_t)l * t->count[HP_LIFT_RATIO] + r) * t->count[HP_LIFT_THP] + p;
          if (t->injector) fprintf(o->f, " %d", p + 1);
          else fprintf(o->f, " %d %d 1 %d", p + 1, r + 1, l + 1);
          hp_out_list(o, HP_UNIT_PRESSURE, t->count[HP_LIFT_FLOW], bhp + row * t->count[HP_LIFT_FLOW]);
        }
  }
}
