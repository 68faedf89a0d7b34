#include "io/case/case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/plural.h"
#include "io/files/text.h"
#include "wells/wells.h"

hp_tuning hp_tuning_nothing(void) {
  return (hp_tuning){
      .initial = NAN, .max = NAN, .min = NAN, .growth = NAN, .cut = NAN, .max_iterations = -1, .min_iterations = -1};
}

void hp_tuning_apply(const hp_tuning *t, hp_timestep_options *step, hp_newton_options *newton) {
  if (!isnan(t->max)) {
    step->max = t->max;
    step->min = fmin(step->min, t->max);
  }
  if (!isnan(t->min)) {
    step->min = t->min;
    step->max = fmax(step->max, t->min);
  }
  if (!isnan(t->growth)) step->growth = t->growth;
  if (!isnan(t->cut)) step->cut = t->cut;
  if (t->max_iterations >= 0) {
    newton->max_iterations = t->max_iterations;
    if (newton->min_iterations > t->max_iterations) newton->min_iterations = t->max_iterations;
  }
  if (t->min_iterations >= 0) {
    newton->min_iterations = t->min_iterations;
    if (newton->max_iterations < t->min_iterations) newton->max_iterations = t->min_iterations;
  }
}

const hp_well_control *hp_case_first_control(const hp_case *c, int well) {
  for (int e = 0; e < c->nevent; ++e)
    if (c->event[e].well == well && c->event[e].control.control != HP_CONTROL_SHUT) return &c->event[e].control;
  return NULL;
}

hp_status hp_case_fip(hp_case *c, const double *number, int64_t *fault) {
  const int64_t ncell = c->grid->ncell;
  HP_FREE(c->fip);
  HP_TRY(HP_ALLOC(c->fip, ncell));
  c->nfip = 1;
  *fault = -1;
  for (int64_t m = 0; m < ncell && *fault < 0; ++m) {
    if (!(number[m] <= UINT16_MAX && number[m] == floor(number[m]))) *fault = m;
    else if (number[m] > 0.0) c->fip[m] = (uint16_t)number[m];
    if (c->fip[m] > c->nfip) c->nfip = c->fip[m];
  }
  double largest = c->nfip;
  HP_TRY(hp_spread_max(c->grid->spread, &largest, 1));
  c->nfip = (int)largest;
  return HP_OK;
}

bool hp_case_threshold_one_way(const hp_initial *o, int a, int b) {
  const double there = o->threshold[a * o->nthreshold + b], back = o->threshold[b * o->nthreshold + a];
  return there != back && !(isnan(there) && isnan(back));
}

hp_status hp_case_vector(hp_case *c, const char *text) {
  hp_output_options *o = &c->output;
  for (int n = 0; n < o->nvector; ++n)
    if (strcmp(o->vector[n], text) == 0) return HP_OK;
  if ((o->nvector & (o->nvector - 1)) == 0) { /* full: 0, 1, 2, 4, ... */
    char **more;
    HP_TRY(HP_ALLOC(more, o->nvector > 0 ? 2 * (int64_t)o->nvector : 1));
    for (int n = 0; n < o->nvector; ++n) more[n] = o->vector[n];
    HP_FREE(o->vector);
    o->vector = more;
  }
  HP_TRY(hp_format(&o->vector[o->nvector], "%s", text));
  o->nvector += 1;
  return HP_OK;
}

hp_status hp_case_file(hp_case *c, const char *path, const char **kept) {
  for (int n = c->nfile - 1; n >= 0; --n)
    if (strcmp(c->file[n], path) == 0) {
      *kept = c->file[n];
      return HP_OK;
    }
  char **more = NULL, *copy = NULL;
  HP_TRY(HP_ALLOC(more, c->nfile + 1));
  const hp_status status = hp_format(&copy, "%s", path);
  if (status != HP_OK) {
    HP_FREE(more);
    return status;
  }
  for (int n = 0; c->file != NULL && n < c->nfile; ++n) more[n] = c->file[n];
  more[c->nfile] = copy;
  HP_FREE(c->file);
  c->file = more;
  c->nfile += 1;
  *kept = copy;
  return HP_OK;
}

hp_status hp_case_finish_grid(hp_case *c, bool drops_small) {
  const double *const mult[HP_DIRS] = {c->mult[0], c->mult[1], c->mult[2]};
  const hp_grid_given given = {
      .pore_volume = c->porv, .trans = {c->tran[0], c->tran[1], c->tran[2]}, .minpv = drops_small ? c->minpv_of : NULL};
  HP_TRY(hp_grid_finish(c->grid, drops_small ? c->minpv : 0.0, c->mult_pv, mult, &given));
  return hp_grid_connect(c->grid, c->connection.count, c->connection.a, c->connection.b, c->connection.trans);
}

/* ---- the mesh ---- */

static bool near(double a, double b, double scale) { return fabs(a - b) <= 1e-6 * scale; }

/* Sums of cell sizes along a direction, of each index. */
typedef struct {
  const hp_grid *g;
  int dir;
  double *sum; /* [cells along dir] */
} sizes;

/* Own cells, in their order. */
static void add_sizes(void *arg) {
  const sizes *s = arg;
  const hp_grid *g = s->g;
  const double *size = s->dir == HP_DIR_I ? g->dx : s->dir == HP_DIR_J ? g->dy : g->dz;
  for (int i = g->planes.first; i < g->planes.first + g->planes.owned; ++i)
    for (int j = 0; j < g->ny; ++j)
      for (int k = 0; k < g->nz; ++k)
        s->sum[s->dir == HP_DIR_I ? i : s->dir == HP_DIR_J ? j : k] += size[hp_grid_place(g, hp_grid_cell(g, i, j, k))];
}

/* Node coordinates along one direction from the mean cell size of each index. */
static hp_status nodes(const hp_grid *g, int dir, double origin, double **out) {
  const int n = dir == HP_DIR_I ? g->nx : dir == HP_DIR_J ? g->ny : g->nz;
  HP_FREE(*out);
  HP_TRY(HP_ALLOC(*out, n + 1));
  double *x = *out;
  sizes s = {g, dir, x + 1};
  HP_TRY(hp_spread_chain(g->spread, s.sum, n * (int64_t)sizeof *s.sum, true, add_sizes, &s));
  x[0] = origin;
  for (int a = 1; a <= n; ++a) x[a] = x[a - 1] + x[a] * n / (double)hp_grid_cells(g);
  return HP_OK;
}

typedef struct {
  const hp_case *c;
  _Atomic bool astray; /* a cell is not where a rectilinear mesh puts it */
} alignment;

/* Slices i = begin .. end-1 among those that are held. */
static void look_along(void *arg, int64_t begin, int64_t end) {
  alignment *l = arg;
  const hp_case *c = l->c;
  const hp_grid *g = c->grid;
  for (int i = g->planes.first + (int)begin; i < g->planes.first + end; ++i)
    for (int j = 0; j < g->ny; ++j)
      for (int k = 0; k < g->nz; ++k) {
        const int64_t m = hp_grid_place(g, hp_grid_cell(g, i, j, k));
        const double dx = c->x[i + 1] - c->x[i], dy = c->y[j + 1] - c->y[j], dz = c->z[k + 1] - c->z[k];
        if (near(g->dx[m], dx, dx) && near(g->dy[m], dy, dy) && near(g->dz[m], dz, dz) &&
            near(g->depth[m], 0.5 * (c->z[k + 1] + c->z[k]), dz))
          continue;
        l->astray = true;
        return;
      }
}

/* All cells are where a rectilinear mesh puts them, up to a millionth of their size. */
static hp_status line_up(const hp_case *c, bool *all) {
  const hp_grid *g = c->grid;
  alignment l = {c, false};
  hp_parallel(g->planes.held, 1 + HP_PARALLEL_GRAIN / ((int64_t)g->ny * g->nz), look_along, &l);
  *all = !l.astray;
  return hp_spread_all(g->spread, all);
}

typedef struct {
  const hp_case *c;
  double sum;
} tops;

static void add_tops(void *arg) {
  tops *t = arg;
  const hp_grid *g = t->c->grid;
  for (int64_t n = 0; n < (int64_t)g->planes.owned * g->ny; ++n) t->sum += t->c->top[n];
}

hp_status hp_case_mesh(hp_case *c) {
  const hp_grid *g = c->grid;
  const int64_t columns = (int64_t)g->planes.held * g->ny;
  tops t = {.c = c};
  if (c->top == NULL) {
    HP_TRY(HP_ALLOC(c->top, columns));
    for (int64_t n = 0; n < columns; ++n) c->top[n] = g->depth[n * g->nz] - 0.5 * g->dz[n * g->nz];
  }
  HP_TRY(hp_spread_chain(g->spread, &t.sum, sizeof t.sum, true, add_tops, &t));
  HP_TRY(nodes(g, HP_DIR_I, 0.0, &c->x));
  HP_TRY(nodes(g, HP_DIR_J, 0.0, &c->y));
  HP_TRY(nodes(g, HP_DIR_K, t.sum / (double)((int64_t)g->nx * g->ny), &c->z));
  return line_up(c, &c->rectilinear);
}

void hp_case_depths(const hp_case *c, double *top, double *bottom) {
  const hp_grid *g = c->grid;
  *top = 1e300;
  *bottom = -1e300;
  for (int64_t m = 0; m < g->ncell; ++m) {
    if (!g->active[m]) continue;
    if (g->depth[m] - 0.5 * g->dz[m] < *top) *top = g->depth[m] - 0.5 * g->dz[m];
    if (g->depth[m] + 0.5 * g->dz[m] > *bottom) *bottom = g->depth[m] + 0.5 * g->dz[m];
  }
}

/* ---- wells ---- */

static char in_files(char letter) { return letter == '/' ? '_' : letter; }

bool hp_case_names_clash(const char *a, const char *b) {
  for (; *a != '\0' && in_files(*a) == in_files(*b); ++a) ++b;
  return *a == *b;
}

/* The first of so many late ones stands there. */
static void note_late(const hp_case *c, hp_diag *diag, const char *file, int line, int late, const char *what,
                      const char *of, double end) {
  hp_diag_note(diag, file, line, "%d %s%s%s from this one on %s no effect: the last report step ends at %.6g %s", late,
               what, hp_plural(late), of, late == 1 ? "has" : "have", end / c->units.factor[HP_UNIT_TIME],
               c->units.label[HP_UNIT_TIME]);
}

void hp_case_drop_late(hp_case *c, hp_diag *diag) {
  const double end = c->nreport > 0 ? c->report[c->nreport - 1] : 0.0;
  const hp_well_event *first = NULL;
  int perfs = 0, groups = 0, kept = 0, late = 0;
  if (!(end > 0.0)) return;
  while (perfs < c->nperf_event && c->perf_event[perfs].time < end) ++perfs;
  while (groups < c->ngroup_event && c->group_event[groups].time < end) ++groups;
  if (perfs < c->nperf_event)
    note_late(c, diag, c->perf_event[perfs].file, c->perf_event[perfs].line, c->nperf_event - perfs, "change",
              " of perforations", end);
  if (groups < c->ngroup_event)
    note_late(c, diag, c->group_event[groups].file, c->group_event[groups].line, c->ngroup_event - groups, "change",
              " of groups", end);
  c->nperf_event = perfs;
  c->ngroup_event = groups;
  while (c->ntuning > 0 && c->tuning[c->ntuning - 1].time >= end) c->ntuning -= 1; /* as if it were not there */
  for (int n = 0; n < c->nevent; ++n) late += c->event[n].time >= end;
  for (int n = c->nevent - 1; n >= 0; --n)
    if (c->event[n].time >= end) first = &c->event[n];
  if (late > 0) note_late(c, diag, first->file, first->line, late, "well control", "", end);
  for (int n = 0; n < c->nevent; ++n)
    if (c->event[n].time < end) c->event[kept++] = c->event[n];
  c->nevent = kept;
}

hp_status hp_case_well_fault(const hp_grid *g, const hp_well_spec *w, bool bore, char why[HP_CASE_WHY]) {
  hp_well_perforations all;
  why[0] = '\0';
  HP_TRY(hp_well_perforations_of(g, w, &all));
  const hp_perf_spec *perf = all.at;
  const int count = all.count;
  int active = 0;
  hp_status status = hp_wells_learn(g, count, perf);
  for (int q = 0; q < count && status == HP_OK && why[0] == '\0'; ++q) {
    const int64_t m = hp_grid_cell(g, perf[q].i, perf[q].j, perf[q].k);
    double wi;
    if (!hp_grid_rock_of(g, m).active || !(perf[q].open || perf[q].later)) continue;
    active += 1;
    if (bore) status = hp_well_index(g, m, &perf[q], &wi);
    if (status != HP_ERR_DECK) continue;
    snprintf(why, HP_CASE_WHY, "well %s: %s", w->name, hp_fail_text());
    status = HP_OK;
  }
  if (w->npath >= 2 && active == 0)
    snprintf(why, HP_CASE_WHY, "well %s: its path does not meet %s", w->name,
             count == 0 ? "the grid" : "an active cell of the grid");
  HP_FREE(all.cut);
  return status;
}

/* ---- groups ---- */

const char *hp_case_group_name(const hp_case *c, int g) { return g > 0 ? c->group[g - 1] : "FIELD"; }

int hp_case_group(const hp_case *c, const char *name) {
  for (int g = 0; g <= c->ngroup; ++g)
    if (strcmp(name, hp_case_group_name(c, g)) == 0) return g;
  return -1;
}

hp_status hp_case_group_add(hp_case *c, const char *name, int *g) {
  char(*more)[HP_WELL_NAME];
  *g = hp_case_group(c, name);
  if (*g >= 0) return HP_OK;
  HP_TRY(HP_ALLOC(more, c->ngroup + 1));
  if (c->ngroup > 0) memcpy(more, c->group, (size_t)c->ngroup * sizeof *more);
  HP_FREE(c->group);
  c->group = more;
  snprintf(c->group[c->ngroup], sizeof *c->group, "%s", name);
  *g = ++c->ngroup;
  return HP_OK;
}

const hp_group_control *hp_case_group_control(const hp_case *c, int count, int g) {
  for (int n = count - 1; n >= 0; --n)
    if (c->group_event[n].group == g) return &c->group_event[n].control;
  return NULL;
}

bool hp_case_group_is_below(const hp_case *c, int count, int g, int above) {
  for (int step = 0; g > 0 && g != above && step <= c->ngroup; ++step) {
    const hp_group_control *control = hp_case_group_control(c, count, g);
    g = control != NULL ? control->parent : 0;
  }
  return g == above;
}

/* ---- lift tables ---- */

int hp_case_lift(const hp_case *c, const char *name) {
  for (int n = 0; n < c->nlift; ++n)
    if (strcmp(name, c->lift[n].name) == 0) return n + 1;
  return -1;
}

hp_status hp_case_lift_add(hp_case *c, const hp_lift_spec *table) {
  hp_lift_spec *more;
  HP_TRY(HP_ALLOC(more, c->nlift + 1));
  if (c->nlift > 0) memcpy(more, c->lift, (size_t)c->nlift * sizeof *more);
  HP_FREE(c->lift);
  c->lift = more;
  c->lift[c->nlift++] = *table;
  return c->nlift > 1 ? HP_OK : hp_case_vector(c, "WTHP");
}

void hp_case_lift_fault(const hp_case *c, const hp_well_control *k, char why[HP_CASE_WHY]) {
  const hp_lift_spec *v = k->vfp > 0 ? &c->lift[k->vfp - 1] : NULL;
  why[0] = '\0';
  if (v == NULL && k->limit[HP_CONTROL_THP] >= 0.0)
    snprintf(why, HP_CASE_WHY, "a tubing-head pressure needs a lift table");
  if (v == NULL) return;
  if (v->table.injector != k->injector)
    snprintf(why, HP_CASE_WHY, "lift table %s is for %s", v->name, v->table.injector ? "injectors" : "producers");
  else if (k->injector && hp_lift_control(&v->table) != (k->phase == HP_WATER ? HP_CONTROL_WRAT : HP_CONTROL_ORAT))
    snprintf(why, HP_CASE_WHY, "lift table %s is for injectors of %s", v->name, k->phase == HP_WATER ? "oil" : "water");
}

/* ---- destroying ---- */

/* Memory may have run out between a count and its array. */
static void destroy_wells(hp_case *c) {
  for (int w = 0; c->well != NULL && w < c->nwell; ++w) {
    HP_FREE(c->well[w].perf);
    HP_FREE(c->well[w].path);
    HP_FREE(c->well[w].segment);
  }
  HP_FREE(c->well);
  for (int n = 0; c->lift != NULL && n < c->nlift; ++n) HP_FREE(c->lift[n].number);
  HP_FREE(c->lift);
  HP_FREE(c->event);
  HP_FREE(c->group);
  HP_FREE(c->group_event);
  HP_FREE(c->tuning);
  HP_FREE(c->perf_event);
  for (int n = 0; n < c->ntrans_event; ++n) {
    HP_FREE(c->trans_event[n].a);
    HP_FREE(c->trans_event[n].b);
    HP_FREE(c->trans_event[n].by);
  }
  HP_FREE(c->trans_event);
  for (int n = 0; n < c->nfile; ++n) HP_FREE(c->file[n]);
  HP_FREE(c->file);
}

void hp_case_destroy(hp_case **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_case *c = *slot;
  hp_grid_destroy(&c->grid);
  hp_spread_destroy(&c->spread);
  hp_case_actions_clear(c);
  HP_FREE(c->deck);
  HP_FREE(c->title);
  HP_FREE(c->left_out);
  HP_FREE(c->text);
  HP_FREE(c->x);
  HP_FREE(c->y);
  HP_FREE(c->z);
  HP_FREE(c->top);
  HP_FREE(c->facts.well_top);
  HP_FREE(c->facts.perf_place);
  hp_case_nodes_clear(&c->facts.nodes);
  hp_case_split_clear(&c->facts.split);
  HP_FREE(c->coord);
  HP_FREE(c->zcorn);
  HP_FREE(c->systems.at);
  HP_FREE(c->given_active);
  HP_FREE(c->minpv_of);
  HP_FREE(c->mult_pv);
  HP_FREE(c->porv);
  for (int d = 0; d < HP_DIRS; ++d) {
    HP_FREE(c->mult[d]);
    HP_FREE(c->tran[d]);
  }
  hp_grid_connections_clear(&c->connection);
  HP_FREE(c->fault);
  hp_fluid_spec_clear(&c->fluid);
  for (int n = 0; n < c->naquifer; ++n) hp_aquifer_spec_clear(&c->aquifer[n]);
  HP_FREE(c->aquifer);
  for (int n = 0; n < c->nnumerical; ++n) HP_FREE(c->numerical[n].cell);
  HP_FREE(c->numerical);
  HP_FREE(c->initial.region);
  HP_FREE(c->initial.of);
  HP_FREE(c->initial.threshold);
  HP_FREE(c->initial.oil);
  HP_FREE(c->fault_threshold.a);
  HP_FREE(c->fault_threshold.b);
  HP_FREE(c->fault_threshold.value);
  HP_FREE(c->initial.flooded);
  HP_FREE(c->initial.flooded_pressure);
  HP_FREE(c->initial.water);
  HP_FREE(c->initial.pressure);
  HP_FREE(c->initial.sw);
  HP_FREE(c->initial.driest);
  destroy_wells(c);
  HP_FREE(c->report);
  HP_FREE(c->output.name);
  for (int n = 0; c->output.vector != NULL && n < c->output.nvector; ++n) HP_FREE(c->output.vector[n]);
  HP_FREE(c->output.vector);
  HP_FREE(c->output.rft);
  HP_FREE(c->output.average);
  HP_FREE(c->fip);
  HP_FREE(*slot);
}

const void *hp_case_array(const hp_case *c, hp_array a) {
  const hp_grid *g = c->grid;
  switch (a) {
    case HP_ARRAY_POROSITY: return g->porosity;
    case HP_ARRAY_PERMX: return g->perm[HP_DIR_I];
    case HP_ARRAY_PERMY: return g->perm[HP_DIR_J];
    case HP_ARRAY_PERMZ: return g->perm[HP_DIR_K];
    case HP_ARRAY_DEPTH: return g->depth;
    case HP_ARRAY_NTG: return g->ntg;
    case HP_ARRAY_PORES: return g->pore_volume;
    case HP_ARRAY_DX: return g->dx;
    case HP_ARRAY_DY: return g->dy;
    case HP_ARRAY_DZ: return g->dz;
    case HP_ARRAY_TRANX: return g->trans[HP_DIR_I];
    case HP_ARRAY_TRANY: return g->trans[HP_DIR_J];
    case HP_ARRAY_TRANZ: return g->trans[HP_DIR_K];
    case HP_ARRAY_EQUILIBRIUM: return c->initial.of;
    case HP_ARRAY_PVT: return c->fluid.of_pvt;
    case HP_ARRAY_SATURATION: return c->fluid.of_sat;
    case HP_ARRAY_ACTIVE: return g->active;
    case HP_ARRAY_NODES: return c->facts.nodes.place;
    case HP_ARRAY_CORNERS: return c->facts.split.number;
    default: return NULL;
  }
}

hp_arrays hp_case_arrays(const hp_case *c) {
  return hp_arrays_of(c->timestep.accuracy > 0.0, hp_arrays_of_fluids(&c->fluid));
}
