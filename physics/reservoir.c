#include "physics/reservoir.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"

/* Copies `rows` values into the store and returns where they stand there. */
static const double *keep(double **store, const double *src, int rows) {
  double *at = *store;
  memcpy(at, src, (size_t)rows * sizeof *at);
  *store += rows;
  return at;
}

static void pvt_create(const hp_pvt_spec *spec, double **store, hp_pvt *out) {
  out->density = spec->density;
  out->rows = spec->rows;
  if (spec->rows > 0) {
    double *b = *store, *bmu = b + spec->rows;
    for (int n = 0; n < spec->rows; ++n) {
      b[n] = 1.0 / spec->b[n];
      bmu[n] = 1.0 / (spec->mu[n] * spec->b[n]);
      out->b_least = n == 0 ? b[n] : fmin(out->b_least, b[n]);
      out->bmu_least = n == 0 ? bmu[n] : fmin(out->bmu_least, bmu[n]);
    }
    out->b_least *= HP_TABLE_LEAST;
    out->bmu_least *= HP_TABLE_LEAST;
    *store += 2 * spec->rows;
    out->b = b;
    out->bmu = bmu;
    out->p = keep(store, spec->p, spec->rows);
    return;
  }
  out->p_ref = spec->p_ref;
  out->b_ref = 1.0 / spec->b_ref;
  out->bmu_ref = 1.0 / (spec->viscosity * spec->b_ref);
  out->c = spec->compressibility;
  out->c_minus_cv = spec->compressibility - spec->viscosibility;
}

/* Rows up to and from where a phase flows no better than this. */
static int last_water(const hp_sat_spec *spec, double k) {
  int n = 0;
  while (n + 1 < spec->rows && spec->krw[n + 1] <= k) ++n;
  return n;
}

static int first_oil(const hp_sat_spec *spec, double k) {
  int n = spec->rows - 1;
  while (n > 0 && spec->kro[n - 1] <= k) --n;
  return n;
}

/* hp_satfunc.s_pc_max of a formula: the least saturation at which pc has its slope. */
static double end_of_pc_max(const hp_satfunc *f) {
  double low = f->s_min, high = f->s_oil_immobile;
  const double most = f->par.pc_max;
  if (!(most > 0.0) || hp_sat_eval(f, low).pc.v < most || hp_sat_eval(f, high).pc.v >= most) return -1.0;
  for (double s = 0.5 * (low + high); s > low && s < high; s = 0.5 * (low + high))
    *(hp_sat_eval(f, s).pc.v < most ? &high : &low) = s;
  return high;
}

static void satfunc_create(const hp_sat_spec *spec, double **store, hp_satfunc *out) {
  out->model = spec->model;
  out->par = *spec;
  out->par.s = out->par.krw = out->par.kro = out->par.pc = NULL;
  if (spec->model != HP_SAT_TABLE) {
    out->s_min = out->s_water_mobile = spec->swc;
    out->s_oil_immobile = 1.0 - spec->sor;
    out->s_max = spec->sw_max > out->s_oil_immobile ? spec->sw_max : out->s_oil_immobile;
    out->s_water_critical = out->s_water_mobile;
    out->s_oil_critical = out->s_oil_immobile;
    out->s_pc_max = end_of_pc_max(out);
    return;
  }
  out->s_pc_max = -1.0;
  const int rows = out->rows = spec->rows;
  out->s = keep(store, spec->s, rows);
  out->krw = keep(store, spec->krw, rows);
  out->kro = keep(store, spec->kro, rows);
  out->pc = keep(store, spec->pc, rows);
  out->s_min = spec->s[0];
  out->s_max = spec->s[rows - 1];
  out->s_water_mobile = spec->s[last_water(spec, 0.0)];
  out->s_oil_immobile = spec->s[first_oil(spec, 0.0)];
  out->s_water_critical = spec->s[last_water(spec, HP_SAT_CRITICAL)];
  out->s_oil_critical = spec->s[first_oil(spec, HP_SAT_CRITICAL)];
}

hp_status hp_fluid_create(const hp_pvt_spec pvt[HP_PHASES], const hp_sat_spec *sat, const hp_rock_spec *rock,
                          hp_fluid *out) {
  memset(out, 0, sizeof *out);
  const int64_t count = 3 * (int64_t)(pvt[HP_OIL].rows + pvt[HP_WATER].rows) + 4 * (int64_t)sat->rows;
  HP_TRY(HP_ALLOC(out->store, count));
  double *store = out->store;
  for (int a = 0; a < HP_PHASES; ++a) pvt_create(&pvt[a], &store, &out->phase[a]);
  satfunc_create(sat, &store, &out->sat);
  out->rock.p_ref = rock->p_ref;
  out->rock.c = rock->compressibility;
  return HP_OK;
}

void hp_fluid_destroy(hp_fluid *f) {
  if (f != NULL) HP_FREE(f->store);
}

/* The fluids that cells have in common: every combination of tables that occurs, in the order of cells. */
static hp_status create_regions(const hp_fluid_spec *g, hp_reservoir *r) {
  const int64_t combinations = (int64_t)g->nsat * g->npvt * g->nrock;
  int *number = NULL;
  if (g->of_sat == NULL && g->of_pvt == NULL && g->of_rock == NULL) return HP_OK;
  HP_TRY(HP_ALLOC(r->region_of, r->ncell));
  HP_TRY(HP_ALLOC(r->region, combinations));
  HP_TRY(HP_ALLOC(number, combinations));
  hp_status status = HP_OK;
  for (int64_t m = 0; m < r->ncell && status == HP_OK; ++m) {
    const int s = g->of_sat != NULL ? g->of_sat[m] : 0, p = g->of_pvt != NULL ? g->of_pvt[m] : 0;
    const int k = g->of_rock != NULL ? g->of_rock[m] : 0;
    int *n = &number[((int64_t)s * g->npvt + p) * g->nrock + k];
    if (*n == 0) {
      status = r->nregion < UINT16_MAX ? hp_fluid_create(g->pvt[p], &g->sat[s], &g->rock[k], &r->region[r->nregion])
                                       : hp_fail(HP_ERR_DECK, "more than %d combinations of tables", UINT16_MAX);
      r->region[r->nregion].sat.number = s;
      *n = ++r->nregion;
    }
    r->region_of[m] = (uint16_t)(*n - 1);
  }
  HP_FREE(number);
  return status;
}

/* ---- hysteresis ---- */

hp_status hp_hysteresis_create(const hp_fluid_spec *spec, hp_hysteresis **out) {
  hp_hysteresis *h;
  *out = NULL;
  if (!hp_hysteresis_is_on(&spec->hysteresis)) return HP_OK;
  HP_TRY(HP_ALLOC(h, 1));
  hp_status s = HP_ALLOC(h->fluid, spec->nsat);
  h->par = spec->hysteresis;
  h->of = spec->of_imbibition != NULL ? spec->of_imbibition : spec->of_sat;
  for (int n = 0; n < spec->nsat && s == HP_OK; ++n) {
    s = hp_fluid_create(spec->pvt[0], &spec->sat[n], &spec->rock[0], &h->fluid[n]);
    h->count = n + 1;
  }
  if (s == HP_OK) *out = h;
  else hp_hysteresis_destroy(&h);
  return s;
}

void hp_hysteresis_destroy(hp_hysteresis **slot) {
  if (slot == NULL || *slot == NULL) return;
  for (int n = 0; n < (*slot)->count; ++n) hp_fluid_destroy(&(*slot)->fluid[n]);
  HP_FREE((*slot)->fluid);
  HP_FREE((*slot)->end_points);
  HP_FREE(*slot);
}

/* ---- end points ---- */

static hp_sat_scale of_table(const hp_satfunc *f) {
  return (hp_sat_scale){.swl = f->s_min,
                        .swcr = f->s_water_critical,
                        .swu = f->s_max,
                        .so = f->s_oil_critical,
                        .krw = 1.0,
                        .kro = 1.0,
                        .pc = 1.0};
}

hp_status hp_reservoir_end_points(hp_reservoir *r) {
  if (r->end_points != NULL) return HP_OK;
  HP_TRY(HP_ALLOC(r->end_points, r->ncell));
  for (int64_t m = 0; m < r->ncell; ++m) r->end_points[m] = of_table(&hp_reservoir_fluid(r, m)->sat);
  return HP_OK;
}

int64_t hp_reservoir_region_bytes(const hp_reservoir *r) {
  const size_t number = r->region_of != NULL ? sizeof *r->region_of : 0;
  size_t faces = 0;
  for (int n = 0; n < HP_FACES; ++n) { /* one towards minus may be that towards plus */
    const bool shared = n > hp_face_across(n) && r->face_table[n] == r->face_table[hp_face_across(n)];
    faces += r->face_table[n] != NULL && !shared ? sizeof *r->face_table[n] : 0;
  }
  const bool imbibed = r->hysteresis != NULL && r->hysteresis->end_points != NULL;
  return (int64_t)(number + faces + ((r->end_points != NULL) + imbibed) * sizeof *r->end_points);
}

/* Values are stretched to the end point given by that of the table. */
static double factor(double given, double of_the_table) { return of_the_table != 0.0 ? given / of_the_table : 1.0; }

/* The end point that the deck gives and that breaks a rule, HP_ENDS: none. Those of a table alone break none. A given
 * swl may be above the table's swcr: water flows at it. */
static hp_end end_at_fault(const double *end, const hp_sat_scale *c, bool formula) {
  const struct {
    bool holds;
    hp_end a, b;
  } rule[] = {{c->swl <= c->swcr || isnan(end[HP_END_SWCR]), HP_END_SWL, HP_END_SWCR},
              {c->swcr < c->swu, HP_END_SWCR, HP_END_SWU},
              {c->swl < c->so, HP_END_SWL, HP_END_SOWCR},
              {c->so <= c->swu, HP_END_SOWCR, HP_END_SWU},
              {c->swu <= 1.0, HP_END_SWU, HP_END_SWU},
              {!formula || c->swcr < c->so, HP_END_SWCR, HP_END_SOWCR}};
  for (size_t n = 0; n < sizeof rule / sizeof *rule; ++n)
    if (!rule[n].holds) return !isnan(end[rule[n].a]) ? rule[n].a : rule[n].b;
  return HP_ENDS;
}

static hp_status end_point_error(const double *end, const hp_sat_scale *c, bool formula) {
  static const char *const name[] = {"swl", "swcr", "swu", "sowcr"}; /* in the order of hp_end */
  char of_table[64] = "";
  size_t length = 0;
  for (int n = 0; n < 4; ++n)
    if (isnan(end[n]))
      length += (size_t)snprintf(of_table + length, sizeof of_table - length, "%s%s", length > 0 ? ", " : "", name[n]);
  return hp_fail(HP_ERR_DECK,
                 "end points of a cell: swl %g <= swcr %g < swu %g <= 1 and swl < 1 - sowcr %g <= swu "
                 "must hold%s%s%s",
                 c->swl, c->swcr, c->swu, c->so, formula ? ", and swcr < 1 - sowcr of a formula" : "",
                 length > 0 ? "; of its table: " : "", of_table);
}

/* The bend of a function whose table has the value `table` where a cell's is to be `given`, and the largest one `most` where
 * the cell's is to be `end`; *scale: factor of the values up to it. NULL, or what is wrong. */
static const char *bend(double given, double table, double end, double most, double *scale, hp_sat_bend *out) {
  if (!(given > 0.0)) return "must be > 0";
  if (!(table > 0.0)) return "the table has 0 there";
  if (given > end) return "must not exceed that at the end of the function";
  *scale = given / table;
  out->value = given;
  out->rise = most > table ? (end - given) / ((most - table) * *scale) : -end;
  return NULL;
}

/* Values at the other phase's critical saturation, KRWR and KRORW. */
static hp_status bend_cell(const double *end, const hp_satfunc *f, hp_sat_scale *c, hp_end *fault) {
  const char *why = NULL;
  double d;
  if (!isnan(end[HP_END_KRWR])) {
    const double at = hp_sat_eval(f, hp_sat_place_water(f, c, c->so, &d)).krw.v, most = hp_sat_eval(f, f->s_max).krw.v;
    *fault = HP_END_KRWR;
    why = hp_sat_has_water_zone(f) ? "of a formula krw is that at 1 - sowcr"
                                   : bend(end[*fault], at, c->krw * most, most, &c->krw, &c->krw_bend);
    if (why != NULL) return hp_fail(HP_ERR_DECK, "krwr %g, krw at 1 - sowcr: %s", end[*fault], why);
  }
  if (!isnan(end[HP_END_KRORW])) {
    const double at = hp_sat_eval(f, hp_sat_place_oil(f, c, c->swcr, &d)).kro.v, most = hp_sat_eval(f, f->s_min).kro.v;
    *fault = HP_END_KRORW;
    why = bend(end[*fault], at, c->kro * most, most, &c->kro, &c->kro_bend);
    if (why != NULL) return hp_fail(HP_ERR_DECK, "krorw %g, kro at swcr: %s", end[*fault], why);
  }
  return HP_OK;
}

static hp_status scale_cell(double *const *given, bool three_point, int64_t m, const hp_satfunc *f, hp_sat_scale *c,
                            hp_end *fault) {
  double end[HP_ENDS];
  for (int n = 0; n < HP_ENDS; ++n) end[n] = given[n] != NULL ? given[n][m] : NAN;
  c->three_point = three_point;
  if (!isnan(end[HP_END_SWL])) c->swl = end[HP_END_SWL];
  if (!isnan(end[HP_END_SWCR])) c->swcr = end[HP_END_SWCR];
  if (!isnan(end[HP_END_SWU])) c->swu = end[HP_END_SWU];
  if (!isnan(end[HP_END_SOWCR])) c->so = 1.0 - end[HP_END_SOWCR];
  const double last = hp_sat_has_water_zone(f) ? f->s_oil_critical : f->s_max;
  c->has_krw = given[HP_END_KRW] != NULL;
  c->has_kro = given[HP_END_KRO] != NULL;
  if (!isnan(end[HP_END_KRW])) c->krw = factor(end[HP_END_KRW], hp_sat_eval(f, last).krw.v);
  if (!isnan(end[HP_END_KRO])) c->kro = factor(end[HP_END_KRO], hp_sat_eval(f, f->s_min).kro.v);
  if (!isnan(end[HP_END_PCW])) c->pc = factor(end[HP_END_PCW], hp_sat_eval(f, f->s_min).pc.v);
  const bool formula = hp_sat_has_water_zone(f);
  *fault = end_at_fault(end, c, formula);
  if (*fault != HP_ENDS) return end_point_error(end, c, formula);
  if (!isnan(end[HP_END_SWLPC])) {
    *fault = HP_END_SWLPC;
    c->pc_shift = end[*fault] - c->swl;
    if (!(end[*fault] < (formula ? c->so : c->swu)))
      return hp_fail(HP_ERR_DECK, "swlpc %g: must be < %s %g", end[*fault], formula ? "1 - sowcr" : "swu",
                     formula ? c->so : c->swu);
  }
  HP_TRY(bend_cell(end, f, c, fault));
  *fault = HP_ENDS;
  return HP_OK;
}

static bool has_any_end(double *const *end) {
  for (int n = 0; n < HP_ENDS; ++n)
    if (end[n] != NULL) return true;
  return false;
}

/* Those of drainage, and of imbibition where there is hysteresis. */
static hp_status create_end_points(const hp_grid *grid, const hp_fluid_spec *g, hp_reservoir *r, hp_end_fault *fault) {
  hp_hysteresis *h = r->hysteresis;
  const bool imbibed = h != NULL && has_any_end(g->imbibition_end);
  if (has_any_end(g->end)) HP_TRY(hp_reservoir_end_points(r));
  if (imbibed) HP_TRY(HP_ALLOC(h->end_points, r->ncell));
  for (int64_t m = 0; imbibed && m < r->ncell; ++m) h->end_points[m] = of_table(hp_hysteresis_table(h, m));
  for (int n = 0; n < 2; ++n) {
    hp_sat_scale *scale = n == 0 ? r->end_points : imbibed ? h->end_points : NULL;
    double *const *end = n == 0 ? g->end : g->imbibition_end;
    fault->imbibition = n == 1;
    for (int64_t m = 0; scale != NULL && m < r->ncell; ++m) {
      if (!r->active[m]) continue;
      const hp_satfunc *f = n == 0 ? &hp_reservoir_fluid(r, m)->sat : hp_hysteresis_table(h, m);
      const hp_status s = scale_cell(end, g->three_point, m, f, &scale[m], &fault->end);
      if (s == HP_OK) continue;
      int ijk[3];
      hp_grid_ijk(grid, grid->first + m, ijk);
      return hp_fail(s, "cell (%d,%d,%d): %s%s", ijk[0] + 1, ijk[1] + 1, ijk[2] + 1, n == 1 ? "of imbibition: " : "",
                     hp_fail_text());
    }
  }
  return HP_OK;
}

/* The deck's tables, where faces or perforations name any. */
static hp_status create_tables(const hp_fluid_spec *spec, hp_reservoir *r) {
  bool any = spec->by_perforation;
  for (int n = 0; n < HP_FACES; ++n) {
    const int across = hp_face_across(n);
    r->face_table[n] = spec->of_face[n] == NULL && n > across ? spec->of_face[across] : spec->of_face[n];
    any = any || r->face_table[n] != NULL;
    r->directed = r->directed || r->face_table[n] != NULL;
  }
  if (!any) return HP_OK;
  HP_TRY(HP_ALLOC(r->table, spec->nsat));
  for (; r->ntable < spec->nsat; ++r->ntable)
    HP_TRY(hp_fluid_create(spec->pvt[0], &spec->sat[r->ntable], &spec->rock[0], &r->table[r->ntable]));
  return HP_OK;
}

hp_status hp_end_points_check(const hp_grid *g, const hp_fluid_spec *spec, hp_end_fault *fault) {
  hp_reservoir *r = NULL;
  *fault = (hp_end_fault){.end = HP_ENDS};
  HP_TRY(HP_ALLOC(r, 1));
  r->ncell = g->ncell;
  r->active = g->active;
  hp_status s = hp_fluid_create(spec->pvt[0], &spec->sat[0], &spec->rock[0], &r->fluid);
  if (s == HP_OK) s = create_regions(spec, r);
  if (s == HP_OK) s = hp_hysteresis_create(spec, &r->hysteresis);
  if (s == HP_OK) s = create_end_points(g, spec, r, fault);
  hp_reservoir_destroy(&r);
  return s;
}

typedef struct {
  const hp_grid *g;
  double volume;
} pores;

static void add_pores(void *arg) {
  pores *p = arg;
  for (int64_t m = 0; m < p->g->owned; ++m) p->volume += p->g->pore_volume[m];
}

static hp_status reservoir_fill(const hp_grid *g, const hp_fluid_spec *spec, hp_reservoir *r) {
  hp_end_fault fault;
  pores all = {.g = g};
  r->spread = g->spread;
  r->nx = g->nx;
  r->ny = g->ny;
  r->nz = g->nz;
  r->ncell = g->ncell;
  r->active = g->active;
  r->depth = g->depth;
  r->pore_volume = g->pore_volume;
  for (int d = 0; d < HP_DIRS; ++d) r->trans[d] = g->trans[d];
  r->link_trans = g->connection.trans;
  r->connection = &g->connection;
  if (g->spread == NULL) /* else parts have them */
    HP_TRY(hp_links_create(g->connection.count, g->connection.a, g->connection.b, &r->links));
  HP_TRY(hp_spread_chain(g->spread, &all.volume, sizeof all.volume, true, add_pores, &all));
  r->total_pore_volume = all.volume;
  HP_TRY(hp_fluid_create(spec->pvt[0], &spec->sat[0], &spec->rock[0], &r->fluid));
  HP_TRY(create_regions(spec, r));
  HP_TRY(hp_compaction_create(spec, &r->compaction));
  HP_TRY(hp_hysteresis_create(spec, &r->hysteresis));
  HP_TRY(create_end_points(g, spec, r, &fault));
  r->directed = r->compaction != NULL;
  HP_TRY(create_tables(spec, r));
  HP_TRY(hp_reservoir_make(r, HP_ARRAYS_STATE & hp_arrays_of(false, hp_arrays_of_fluids(spec))));
  for (int64_t m = 0; r->driest != NULL && m < r->ncell; ++m) r->driest[m] = 1.0; /* not drained yet */
  return HP_OK;
}

hp_status hp_reservoir_create(const hp_grid *g, const hp_fluid_spec *spec, hp_reservoir **out) {
  *out = NULL;
  hp_reservoir *r = NULL;
  HP_TRY(HP_ALLOC(r, 1));
  const hp_status s = reservoir_fill(g, spec, r);
  if (s != HP_OK) {
    hp_reservoir_destroy(&r);
    return s;
  }
  *out = r;
  return HP_OK;
}

void hp_reservoir_destroy(hp_reservoir **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_reservoir *r = *slot;
  hp_fluid_destroy(&r->fluid);
  for (int n = 0; n < r->nregion; ++n) hp_fluid_destroy(&r->region[n]);
  HP_FREE(r->region);
  HP_FREE(r->region_of);
  for (int n = 0; n < r->ntable; ++n) hp_fluid_destroy(&r->table[n]);
  HP_FREE(r->table);
  HP_FREE(r->end_points);
  HP_FREE(r->held);
  hp_links_destroy(&r->links);
  HP_FREE(r->threshold);
  for (int d = 0; d < HP_DIRS; ++d) HP_FREE(r->fault_threshold[d]);
  HP_FREE(r->link_threshold);
  HP_FREE(r->link_face);
  hp_compaction_destroy(&r->compaction);
  hp_hysteresis_destroy(&r->hysteresis);
  for (int d = 0; d < HP_DIRS; ++d) HP_FREE(r->variable_trans[d]);
  HP_FREE(r->variable_link_trans);
  HP_FREE(r->props.at);
  hp_reservoir_drop(r, HP_ARRAYS_ALL);
  HP_FREE(*slot);
}
