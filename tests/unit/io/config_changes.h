/* A case in text, and for every key of the table a --set option that changes
 * it: for the tests that try them on a hepta deck and on an Eclipse deck.
 *
 * Include after tests/support/deck_base.h and io/config/config.h. */
#ifndef HP_TESTS_UNIT_IO_CONFIG_CHANGES_H
#define HP_TESTS_UNIT_IO_CONFIG_CHANGES_H

#include <stdio.h>
#include <stdlib.h>

#include "io/config/config.h"

/* All of a case in text, so that two can be compared. */
static void print_array(FILE *f, const char *name, int64_t n, const double *v) {
  fprintf(f, "%s:", name);
  for (int64_t m = 0; v != NULL && m < n; ++m) fprintf(f, " %.12g", v[m]);
  fprintf(f, "\n");
}

static void print_grid(FILE *f, const hp_case *c) {
  const hp_grid *g = c->grid;
  fprintf(f, "size %d %d %d active %lld rectilinear %d\n", g->nx, g->ny, g->nz, (long long)g->nactive, c->rectilinear);
  print_array(f, "dx", g->ncell, g->dx);
  print_array(f, "dy", g->ncell, g->dy);
  print_array(f, "dz", g->ncell, g->dz);
  print_array(f, "depth", g->ncell, g->depth);
  print_array(f, "porosity", g->ncell, g->porosity);
  print_array(f, "ntg", g->ncell, g->ntg);
  print_array(f, "pore volume", g->ncell, g->pore_volume);
  for (int d = 0; d < HP_DIRS; ++d) {
    print_array(f, "perm", g->ncell, g->perm[d]);
    print_array(f, "trans", g->ncell, g->trans[d]);
  }
  for (int64_t n = 0; n < g->connection.count; ++n)
    fprintf(f, "connection %lld %lld\n", (long long)g->connection.a[n], (long long)g->connection.b[n]);
  print_array(f, "connections", g->connection.count, g->connection.trans);
  print_array(f, "x", g->nx + 1, c->x);
  print_array(f, "y", g->ny + 1, c->y);
  print_array(f, "z", g->nz + 1, c->z);
  print_array(f, "top", (int64_t)g->nx * g->ny, c->top);
}

static void print_fluid(FILE *f, const hp_fluid_spec *s) {
  for (int a = 0; a < HP_PHASES; ++a) {
    const hp_pvt_spec *p = &s->pvt[0][a];
    fprintf(f, "pvt %.12g %.12g %.12g %.12g %.12g %.12g\n", p->density, p->p_ref, p->b_ref, p->compressibility,
            p->viscosity, p->viscosibility);
    print_array(f, "p", p->rows, p->p);
    print_array(f, "b", p->rows, p->b);
    print_array(f, "mu", p->rows, p->mu);
  }
  const hp_sat_spec *t = &s->sat[0];
  const double number[] = {t->swc,      t->sor,    t->krw_max, t->kro_max, t->nw,      t->no, t->lambda,
                           t->m,        t->lw,     t->ew,      t->tw,      t->lo,      t->eo, t->to,
                           t->pc_entry, t->pc_max, t->npc,     t->sw_max,  t->krw_full};
  fprintf(f, "saturation %d\n", (int)t->model);
  print_array(f, "parameters", 19, number);
  print_array(f, "s", t->rows, t->s);
  print_array(f, "krw", t->rows, t->krw);
  print_array(f, "kro", t->rows, t->kro);
  print_array(f, "pc", t->rows, t->pc);
  fprintf(f, "limit %.12g %d\n", t->swatinit_pc_max, t->swatinit_swl);
  fprintf(f, "rock %.12g %.12g\n", s->rock[0].p_ref, s->rock[0].compressibility);
}

static void print_regions(FILE *f, const hp_case *c) {
  const hp_fluid_spec *r = &c->fluid;
  const uint16_t *const of[] = {r->of_sat, r->of_pvt, r->of_rock, c->initial.of};
  for (int n = 0; n < r->nsat; ++n)
    fprintf(f, "sat %d %.12g %.12g\n", (int)r->sat[n].model, r->sat[n].swc, r->sat[n].sor);
  for (int n = 0; n < r->npvt; ++n) fprintf(f, "pvt %.12g %.12g\n", r->pvt[n][0].viscosity, r->pvt[n][1].viscosity);
  for (int n = 0; n < r->nrock; ++n) fprintf(f, "rock %.12g\n", r->rock[n].compressibility);
  for (int n = 0; n < r->nrock; ++n)
    for (int row = 0; row < r->rock[n].rows; ++row)
      fprintf(f, "rock table %d %.12g %.12g %d %.12g\n", r->rock[n].irreversible, r->rock[n].p[row], r->rock[n].pv[row],
              r->rock[n].columns, r->rock[n].columns > 0 ? r->rock[n].trans[0][row] : 1.0);
  for (int n = 0; n < 4; ++n) {
    fprintf(f, "of %d:", n);
    for (int64_t m = 0; of[n] != NULL && m < c->grid->ncell; ++m) fprintf(f, " %d", of[n][m]);
    fprintf(f, "\n");
  }
  for (int n = 0; n < HP_ENDS; ++n) print_array(f, "end", c->grid->ncell, r->end[n]);
  print_array(f, "water", c->grid->ncell, c->initial.water);
  fprintf(f, "three %d\n", r->three_point);
  fprintf(f, "fip %d:", c->nfip);
  for (int64_t m = 0; c->fip != NULL && m < c->grid->ncell; ++m) fprintf(f, " %d", c->fip[m]);
  for (int n = 0; n < c->output.nvector; ++n) fprintf(f, " %s", c->output.vector[n]);
  fprintf(f, "\n");
}

static void print_wells(FILE *f, const hp_case *c) {
  for (int n = 0; n < c->nwell; ++n) {
    const hp_well_spec *w = &c->well[n];
    fprintf(f, "well %s ref %.12g crossflow %d path %.12g %.12g\n", w->name, w->ref_depth, w->crossflow,
            w->npath > 0 ? w->path_radius : 0.0, w->npath > 0 ? w->path_skin : 0.0);
    for (int q = 0; q < w->nperf; ++q) {
      const hp_perf_spec *p = &w->perf[q];
      fprintf(f, "perf %d %d %d dir %d open %d %.12g %.12g %.12g %.12g\n", p->i, p->j, p->k, p->dir, p->open, p->radius,
              p->skin, p->transmissibility, p->kh);
    }
    print_array(f, "path", 3 * (int64_t)w->npath, w->npath > 0 ? &w->path[0][0] : NULL);
  }
  for (int n = 0; n < c->nevent; ++n) {
    const hp_well_event *e = &c->event[n];
    fprintf(f, "event %.12g %d control %d injector %d phase %d", e->time, e->well, (int)e->control.control,
            e->control.injector, e->control.phase);
    print_array(f, "", HP_CONTROL_COUNT, e->control.limit);
    const hp_well_economy *y = &e->control.economy;
    fprintf(f, "beside %.12g %d %.12g %.12g %.12g %d %d\n", e->control.efficiency > 0.0 ? e->control.efficiency : 1.0,
            e->control.by_history, y->min_oil_rate, y->min_liquid_rate, y->max_water_cut, (int)y->workover, y->end_run);
    fprintf(f, "in field %d guide %.12g %d\n", e->control.in_field, e->control.guide_rate, (int)e->control.guide_by);
  }
  for (int n = 0; n < c->nfield; ++n) {
    const hp_field_control *v = &c->field[n].control;
    fprintf(f, "field %.12g injection %.12g %.12g %.12g %.12g", c->field[n].time, v->injection_rate,
            v->injection_volume, v->reinjection, v->voidage);
    print_array(f, "", HP_CONTROL_COUNT, v->production);
  }
  for (int n = 0; n < c->nperf_event; ++n) {
    const hp_perf_event *v = &c->perf_event[n];
    fprintf(f, "change %.12g %d cells %d..%d %d..%d %d..%d state %d times %.12g anew %d\n", v->time, v->well,
            v->first[0], v->last[0], v->first[1], v->last[1], v->first[2], v->last[2], (int)v->state, v->multiply,
            v->anew);
  }
}

static void print_aquifers(FILE *f, const hp_case *c) {
  for (int n = 0; n < c->naquifer; ++n) {
    const hp_aquifer_spec *a = &c->aquifer[n];
    fprintf(f, "aquifer %d %d %.12g %.12g %.12g %d %.12g %.12g %.12g %.12g %.12g %.12g %.12g %.12g\n", a->number,
            (int)a->kind, a->datum_depth, a->pressure, a->compressibility, a->pvt, a->permeability, a->porosity,
            a->radius, a->thickness, a->angle, a->volume, a->productivity, a->flux);
    print_array(f, "td", a->rows, a->td);
    print_array(f, "pd", a->rows, a->pd);
    for (int64_t k = 0; k < a->nconnection; ++k) fprintf(f, "to %lld\n", (long long)a->cell[k]);
    print_array(f, "weights", a->nconnection, a->weight);
  }
  for (int n = 0; n < c->nnumerical; ++n)
    for (int64_t k = 0; k < c->numerical[n].ncell; ++k)
      fprintf(f, "numerical %d %lld\n", c->numerical[n].number, (long long)c->numerical[n].cell[k]);
  for (int n = 0; n < c->ntrans_event; ++n) {
    const hp_trans_event *t = &c->trans_event[n];
    fprintf(f, "multiplier %s %.12g", t->what, t->time);
    for (int64_t k = 0; k < t->count; ++k)
      fprintf(f, " %lld %lld %.12g", (long long)t->a[k], (long long)t->b[k], t->by[k]);
    fprintf(f, "\n");
  }
  print_array(f, "flooded", c->initial.nflooded, c->initial.flooded_pressure);
  const hp_pair_values *pairs = &c->fault_threshold;
  for (int64_t n = 0; n < pairs->count; ++n)
    fprintf(f, "threshold %lld %lld %.12g\n", (long long)pairs->a[n], (long long)pairs->b[n], pairs->value[n]);
  print_array(f, "thresholds", (int64_t)c->initial.nthreshold * c->initial.nthreshold, c->initial.threshold);
}

static char *print_case(const hp_case *c) {
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  if (f == NULL) abort();
  const hp_timestep_options *t = &c->timestep;
  const hp_newton_options *n = &c->newton;
  const hp_krylov_options *l = &c->linear;
  const hp_output_options *o = &c->output;
  fprintf(f, "%s %s %s\n", c->title, c->units.name, c->start);
  print_grid(f, c);
  print_fluid(f, &c->fluid);
  print_regions(f, c);
  for (int e = 0; e < c->initial.nregion; ++e) {
    const hp_equilibrium *q = &c->initial.region[e];
    fprintf(f, "equilibrium %.12g %.12g %.12g %.12g %d\n", q->datum_depth, q->datum_pressure, q->contact_depth,
            q->contact_pc, q->accuracy);
  }
  print_array(f, "pressure", c->grid->ncell, c->initial.pressure);
  print_array(f, "saturation", c->grid->ncell, c->initial.sw);
  print_aquifers(f, c);
  print_wells(f, c);
  print_array(f, "report", c->nreport, c->report);
  fprintf(f, "step %.12g %.12g %.12g %.12g %.12g %d %.12g %.12g %d\n", t->initial, t->max, t->min, t->growth, t->cut,
          t->target_newton, t->target_ds, t->accuracy, t->max_cuts);
  for (int k = 0; k < c->ntuning; ++k)
    fprintf(f, "tuning %.12g: %.12g %.12g %.12g %.12g %.12g %d %d\n", c->tuning[k].time, c->tuning[k].initial,
            c->tuning[k].max, c->tuning[k].min, c->tuning[k].growth, c->tuning[k].cut, c->tuning[k].max_iterations,
            c->tuning[k].min_iterations);
  fprintf(f, "newton %g %g %g %d %d %g %g\n", n->tolerance_mb, n->tolerance_cnv, n->tolerance_well, n->max_iterations,
          n->min_iterations, n->max_ds, n->max_dp_relative);
  fprintf(f, "matrix %d %d %d %d\n", (int)l->matrix, (int)l->execution, (int)l->exchange, l->specialise);
  fprintf(f, "linear %d %d %d %d %g %g %d %d\n", (int)l->method, (int)l->preconditioner, (int)l->ordering,
          (int)l->precision, l->relaxation, l->tolerance, l->max_iterations, l->restart);
  const hp_amg_options *m = &c->cpr_options.amg;
  fprintf(f, "cpr %d %d %d %d %d given %d %d %d %d %d\n", c->cpr, (int)c->cpr_options.whose,
          (int)c->cpr_options.weights, (int)c->cpr_options.rebuild, (int)c->cpr_options.refresh, c->refresh_given,
          c->sweeps_given, c->ordering_given, c->relaxation_given, c->preconditioner_given);
  fprintf(f, "multigrid %d %d %d %d %g %g %d %g %d %d %d %d %llu\n", (int)m->coarsening, (int)m->interpolation,
          (int)m->smoother, (int)m->cycle, m->strength, m->truncation, m->max_weights, m->damping, m->pre, m->post,
          m->coarsest, m->max_levels, (unsigned long long)m->seed);
  fprintf(f, "smoother %d %d %d %d %d %d\n", m->block, m->order, m->domain, m->domains, (int)m->precision,
          (int)m->format);
  fprintf(f, "output %s %d %d %d %d %d %g %g\n", o->name != NULL ? o->name : "", o->fields, o->f64, o->compression,
          o->summary, o->eclipse, o->interval, o->refresh);
  fprintf(f, "restart %d\n", o->restart);
  fclose(f);
  return text;
}

/* ---- one option for every key ---- */

#define LOGNORMAL(more) "grid.permx={generator=\"lognormal\";mean=10.0;log_stddev=1.0;" more "}"
#define NORMAL(more) "grid.permx={generator=\"normal\";mean=10.0;stddev=1.0;" more "}"
#define CHANNELS(more) "grid.permx={generator=\"channels\";background=1.0;channel=9.0;width=1.0;thickness=1.0;" more "}"
#define FILE_RAW(more) "grid.permx={file=\"two.dat\";" more "}"
#define BOX(more) "grid.boxes=({set={permx=7.0;};" more "})"
#define CPR "linear.preconditioner=cpr"
#define LET "saturation={model=\"let\";lw=2.0;ew=2.0;tw=1.0;lo=2.0;eo=2.0;to=1.0;pc_entry=0.1;}"
#define BROOKS "saturation={model=\"brooks-corey\";lambda=2.0;pc_entry=0.1;pc_max=1.0;}"
#define GENUCHTEN "saturation={model=\"van-genuchten\";m=0.5;}"
#define ONE_FLUID(viscosity) "{water={density=1000.0;viscosity=0.5;};oil={density=800.0;viscosity=" viscosity ";};}"
#define ONE_START(contact) "{datum_depth=2000.0;datum_pressure=200.0;contact_depth=" contact ";}"
#define CORNERS(coord, zcorn, more)                                                                            \
  "grid={size=[4,3,2];porosity=0.2;permx=100.0;corner_point={coord={file=\"" coord "\";};zcorn={file=\"" zcorn \
  "\";};" more "};}"
#define SYSTEMS(coord, first, second) CORNERS(coord, "throw.dat", "systems=({k=1;" first "},{k=[2,2];" second "});")
#define PINCHED(more)                                                                                                  \
  "grid={size=[4,3,3];dx=20.0;dy=25.0;dz=[2.0,0.5,3.0];top=2000.0;porosity=0.2;permx=100.0;multz=[0.5,0.1,1.0];minpv=" \
  "60.0;pinch={" more "};}"
#define ON_FACES "faces=({i=1;face=\"i-\";});"
#define CARTER_TRACY(datum, compressibility, permeability, porosity, radius, thickness, more) \
  "aquifers=({type=\"carter-tracy\";datum_depth=" datum ";compressibility=" compressibility   \
  ";permeability=" permeability ";porosity=" porosity ";radius=" radius ";thickness=" thickness ";" ON_FACES more "})"
#define CARTER(more) CARTER_TRACY("2001.0", "1e-4", "100.0", "0.2", "100.0", "10.0", more)
#define FETKOVICH(volume, productivity, faces)                                                                         \
  "aquifers=({type=\"fetkovich\";datum_depth=2001.0;compressibility=1e-4;volume=" volume ";productivity=" productivity \
  ";" faces "})"
#define FACE(more) FETKOVICH("1e6", "10.0", "faces=({" more "});")
#define FLUX(flux) "aquifers=({type=\"flux\";flux=" flux ";" ON_FACES "})"
#define NUMERICAL(cell, face) "aquifers=({type=\"numerical\";cells=({" cell "});faces=({" face "});})"
#define CELL(area, length, permeability, more) \
  "i=1;j=1;k=2;area=" area ";length=" length ";permeability=" permeability ";" more
#define OF_CELL(area, length, permeability, more) NUMERICAL(CELL(area, length, permeability, more), "k=1;face=\"k-\";")
#define TWO_STARTS "initial=(" ONE_START("2400.0") "," ONE_START("2500.0") ")"
#define FAULT(multiplier, face) "faults=({name=\"F\";multiplier=" multiplier ";faces=({" face "});})"
#define ONE_FAULT FAULT("0.5", "i=2;face=\"i+\";")
#define CHANGE(more) "multipliers=({time=5.0;" more "})"
#define EVENT(more) "schedule=({time=10.0;well=\"I1\";rate=5.0;" more "})"

/* `before` is set in both of the compared cases. `deck` says that the key
 * needs what a deck has and an overlay has not: it is tried on the deck only. */
static const struct {
  const char *key, *before, *option;
  bool deck;
} change[] = {
    {"title", NULL, "title=other", false},
    {"units", NULL, "units=si", false},
    {"start", NULL, "start=2027-01-01", false},
    {"grid.size", NULL, "grid.size=[5,3,2]", true},
    {"grid.refine", NULL, "grid.refine=[2,1,3]", true},
    {"grid.dx", NULL, "grid.dx=[1.0,2.0,3.0,4.0]", false},
    {"grid.dy", NULL, "grid.dy=[1.0,2.0,3.0]", false},
    {"grid.dz", NULL, "grid.dz=1.5", false},
    {"grid.top", NULL, "grid.top=1900.0", false},
    {"grid.tops", NULL, "grid.tops=[1900.0,1950.0]", false},
    {"grid.depth", NULL, "grid.depth=[1900.0,1950.0]", false},
    {"grid.porosity", NULL, "grid.porosity=0.25", false},
    {"grid.permx", NULL, "grid.permx=55.0", false},
    {"grid.permy", NULL, "grid.permy=55.0", false},
    {"grid.permz", NULL, "grid.permz=55.0", false},
    {"grid.ntg", NULL, "grid.ntg=0.5", false},
    {"grid.active", NULL, "grid.active=[1,1,1,1,1,1,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", false},
    {"grid.multpv", NULL, "grid.multpv=2.0", false},
    {"grid.multx", NULL, "grid.multx=2.0", false},
    {"grid.multy", NULL, "grid.multy=2.0", false},
    {"grid.multz", NULL, "grid.multz=2.0", false},
    {"grid.pore_volume", NULL, "grid.boxes=({i=2;set={pore_volume=9.0;};})", false},
    {"grid.tranx", NULL, "grid.tranx=7.0", false},
    {"grid.trany", NULL, "grid.boxes=({i=2;set={trany=9.0;};})", false},
    {"grid.tranz", NULL, "grid.tranz=0.0", false},
    {"grid.connections", NULL, "grid.connections=((1,1,1,3,1,1,2.5))", false},
    {"grid.minpv", "grid.boxes=({i=2;j=2;k=1;set={porosity=0.01;};})", "grid.minpv=20.0", false},
    {"grid.boxes[].i", BOX(""), BOX("i=2;"), true},
    {"grid.boxes[].j", BOX(""), BOX("j=[1,2];"), true},
    {"grid.boxes[].k", BOX(""), BOX("k=2;"), true},
    {"grid.boxes[].set", NULL, "grid.boxes=({set={dz=9.0;};})", false},
    {"grid.boxes[].multiply", NULL, "grid.boxes=({multiply={porosity=0.5;};})", false},
    {"grid.boxes[].add", NULL, "grid.boxes=({add={ntg=-0.5;multz=1.0;};})", false},
    {"array.file", NULL, FILE_RAW(""), true},
    {"array.format", FILE_RAW(""), "grid.permx={file=\"two.inc\";format=\"eclipse\";keyword=\"PERMX\";}", true},
    {"array.keyword", "grid.permx={file=\"two.inc\";format=\"eclipse\";keyword=\"PERMX\";}",
     "grid.permx={file=\"two.inc\";format=\"eclipse\";keyword=\"PERMY\";}", true},
    {"array.dataset", NULL, NULL, true}, /* tests/unit/io/test_config_arrays.c */
    {"array.index", FILE_RAW(""), FILE_RAW("index=1;"), true},
    {"array.multiply", FILE_RAW(""), FILE_RAW("multiply=2.0;"), true},
    {"array.units", FILE_RAW(""), FILE_RAW("units=\"si\";"), true},
    {"array.min", FILE_RAW(""), FILE_RAW("min=5.0;"), true},
    {"array.max", FILE_RAW(""), FILE_RAW("max=5.0;"), true},
    {"array.generator", NULL, NORMAL(""), false},
    {"array.seed", LOGNORMAL(""), LOGNORMAL("seed=2;"), false},
    {"array.mean", LOGNORMAL(""), "grid.permx={generator=\"lognormal\";mean=20.0;log_stddev=1.0;}", false},
    {"array.stddev", NORMAL(""), "grid.permx={generator=\"normal\";mean=10.0;stddev=2.0;}", false},
    {"array.log_stddev", LOGNORMAL(""), "grid.permx={generator=\"lognormal\";mean=10.0;log_stddev=2.0;}", false},
    {"array.correlation", LOGNORMAL(""), LOGNORMAL("correlation=[3.0,3.0,1.0];"), false},
    {"array.covariance", LOGNORMAL("correlation=[3.0,3.0,1.0];"),
     LOGNORMAL("correlation=[3.0,3.0,1.0];covariance=\"gaussian\";"), false},
    {"array.background", CHANNELS(""),
     "grid.permx={generator=\"channels\";background=2.0;channel=9.0;width=1.0;thickness=1.0;}", false},
    {"array.channel", CHANNELS(""),
     "grid.permx={generator=\"channels\";background=1.0;channel=8.0;width=1.0;thickness=1.0;}", false},
    {"array.fraction", CHANNELS(""), CHANNELS("fraction=0.8;"), false},
    {"array.width", CHANNELS("fraction=0.3;"),
     "grid.permx={generator=\"channels\";background=1.0;channel=9.0;width=3.0;thickness=1.0;fraction=0.3;}", false},
    {"array.thickness", NULL, NULL, false}, /* a grid of two layers shows no difference: test_config_arrays.c */
    {"array.wavelength", NULL, NULL, false},
    {"array.amplitude", NULL, NULL, false},
    {"array.variability", NULL, NULL, false},
    {"array.layers", NULL, "grid.permx={layers=({k=1;value=1.0;},{k=2;value=2.0;});}", false},
    {"array.layers[].k", "grid.permx={layers=({k=1;value=1.0;},{k=2;value=2.0;});}",
     "grid.permx={layers=({k=2;value=1.0;},{k=1;value=2.0;});}", false},
    {"array.layers[].value", "grid.permx={layers=({k=[1,2];value=1.0;});}",
     "grid.permx={layers=({k=[1,2];value=3.0;});}", false},
    {"fluids.water.density", NULL, "fluids.water.density=1100.0", false},
    {"fluids.water.reference_pressure", NULL, "fluids.water.reference_pressure=100.0", false},
    {"fluids.water.formation_volume_factor", NULL, "fluids.water.formation_volume_factor=1.1", false},
    {"fluids.water.compressibility", NULL, "fluids.water.compressibility=1e-5", false},
    {"fluids.water.viscosity", NULL, "fluids.water.viscosity=0.7", false},
    {"fluids.water.viscosibility", NULL, "fluids.water.viscosibility=1e-5", false},
    {"fluids.oil.density", NULL, "fluids.oil.density=700.0", false},
    {"fluids.oil.reference_pressure", NULL, "fluids.oil.reference_pressure=100.0", false},
    {"fluids.oil.formation_volume_factor", NULL, "fluids.oil.formation_volume_factor=1.1", false},
    {"fluids.oil.compressibility", NULL, "fluids.oil.compressibility=1e-5", false},
    {"fluids.oil.viscosity", NULL, "fluids.oil.viscosity=7", false},
    {"fluids.oil.viscosibility", NULL, "fluids.oil.viscosibility=1e-5", false},
    {"fluids.oil.table", NULL, "fluids.oil={density=800.0;table=([1.0,1.1,2.0],[2.0,1.0,2.0]);}", true},
    {"saturation.model", NULL, "saturation={model=\"let\";lw=2.0;ew=2.0;tw=1.0;lo=2.0;eo=2.0;to=1.0;}", false},
    {"saturation.table", NULL, "saturation={model=\"table\";table=([0.1,0.0,1.0],[0.9,1.0,0.0]);}", false},
    {"saturation.swc", NULL, "saturation.swc=0.1", false},
    {"saturation.sor", NULL, "saturation.sor=0.1", false},
    {"saturation.krw_max", NULL, "saturation.krw_max=0.5", false},
    {"saturation.kro_max", NULL, "saturation.kro_max=0.5", false},
    {"saturation.sw_max", NULL, "saturation.sw_max=0.9", false},
    {"saturation.krw_full", "saturation.krw_max=0.5", "saturation.krw_full=0.9", false},
    {"saturation.nw", NULL, "saturation.nw=3", false},
    {"saturation.no", NULL, "saturation.no=3", false},
    {"saturation.lambda", BROOKS, "saturation.lambda=3.0", false},
    {"saturation.m", GENUCHTEN, "saturation.m=0.6", false},
    {"saturation.lw", LET, "saturation.lw=3.0", false},
    {"saturation.ew", LET, "saturation.ew=3.0", false},
    {"saturation.tw", LET, "saturation.tw=3.0", false},
    {"saturation.lo", LET, "saturation.lo=3.0", false},
    {"saturation.eo", LET, "saturation.eo=3.0", false},
    {"saturation.to", LET, "saturation.to=3.0", false},
    {"saturation.pc_entry", NULL, "saturation.pc_entry=0.2", false},
    {"saturation.npc", NULL, "saturation.npc=3", false},
    {"saturation.pc_max", BROOKS, "saturation.pc_max=2.0", false},
    {"saturation.swatinit_pc_max", NULL, "saturation.swatinit_pc_max=2.0", false},
    {"saturation.swatinit_swl", NULL, "saturation.swatinit_swl=true", false},
    {"rock.reference_pressure", NULL, "rock.reference_pressure=100.0", false},
    {"rock.compressibility", NULL, "rock.compressibility=1e-5", false},
    {"rock.table", NULL, "rock.table=([100.0,0.9,0.8],[300.0,1.0,1.0])", false},
    {"rock.irreversible", "rock.table=([100.0,0.9],[300.0,1.0])", "rock.irreversible=true", false},
    {"initial.datum_depth", NULL, "initial.datum_depth=1999.0", false},
    {"initial.datum_pressure", NULL, "initial.datum_pressure=190.0", false},
    {"initial.contact_depth", NULL, "initial.contact_depth=2002.0", false},
    {"initial.contact_capillary_pressure", NULL, "initial.contact_capillary_pressure=0.1", false},
    {"initial.accuracy", NULL, "initial.accuracy=-5", false},
    {"initial.pressure", "initial={pressure=200.0;saturation=0.3;}", "initial.pressure=[210.0,211.0]", false},
    {"initial.saturation", "initial={pressure=200.0;saturation=0.3;}", "initial.saturation=0.4", false},
    {"wells[].name", "schedule=()", "wells.P1.name=P9", false},
    {"wells[].type", "schedule=()", "wells.P1.type=injector", true},
    {"wells[].phase", NULL, "wells.I1.phase=oil", false},
    {"wells[].i", NULL, "wells.P1.i=2", false},
    {"wells[].j", NULL, "wells.P1.j=2", false},
    {"wells[].k", NULL, "wells.P1.k=2", false},
    {"wells[].cells", "wells=({name=\"P1\";type=\"producer\";cells=([1,1,1]);radius=0.1;control=\"bhp\";bhp=1.0;})",
     "wells.P1.cells=((2,1,1,\"x\"),(3,1,1,\"y\"))", false},
    {"wells[].path",
     "wells=({name=\"P1\";type=\"producer\";path=([1.0,1.0,2000.0],[9.0,9.0,2001.0]);radius=0.1;control=\"bhp\";"
     "bhp=1.0;})",
     "wells.P1.path=([1.0,1.0,2000.0],[19.0,9.0,2001.0])", false},
    {"wells[].radius", NULL, "wells.P1.radius=0.2", false},
    {"wells[].diameter", NULL, "wells.P1.diameter=0.5", false},
    {"wells[].skin", NULL, "wells.P1.skin=2", false},
    {"wells[].connection_factor", NULL, "wells.P1.connection_factor=2.0", false},
    {"wells[].kh", NULL, "wells.P1.kh=2.0", false},
    {"wells[].reference_depth", NULL, "wells.P1.reference_depth=1990.0", false},
    {"wells[].crossflow", NULL, "wells.P1.crossflow=false", false},
    {"wells[].status", "schedule=()", "wells.P1.status=shut", false},
    {"wells[].control", "wells.P1.oil_rate=5.0", "wells.P1.control=oil-rate", false},
    {"wells[].bhp", "schedule=()", "wells.P1.bhp=120", false},
    {"wells[].oil_rate", NULL, "wells.P1.oil_rate=120", false},
    {"wells[].water_rate", NULL, "wells.P1.water_rate=120", false},
    {"wells[].liquid_rate", NULL, "wells.P1.liquid_rate=120", false},
    {"wells[].reservoir_rate", NULL, "wells.P1.reservoir_rate=120", false},
    {"wells[].observed_oil_rate", NULL, "wells.P1.observed_oil_rate=120", false},
    {"wells[].observed_water_rate", NULL, "wells.P1.observed_water_rate=120", false},
    {"wells[].rate", NULL, "wells.I1.rate=120", false},
    {"regions.saturation", "saturation=({model=\"corey\";},{model=\"corey\";swc=0.1;})", "regions.saturation=[1,2]",
     false},
    {"regions.pvt", "fluids=(" ONE_FLUID("1.0") "," ONE_FLUID("2.0") ")", "regions.pvt=2", false},
    {"regions.rock", "rock=({compressibility=1e-5;},{compressibility=2e-5;})", "regions.rock=[1,2]", false},
    {"regions.equilibrium", "initial=(" ONE_START("2400.0") "," ONE_START("2500.0") ")", "regions.equilibrium=[1,2]",
     false},
    {"endpoints.swl", NULL, "endpoints.swl=0.01", false},
    {"endpoints.swcr", NULL, "endpoints.swcr=[0.41,-1.0]", false},
    {"endpoints.swu", NULL, "endpoints.swu=0.99", false},
    {"endpoints.sowcr", NULL, "endpoints.sowcr=0.25", false},
    {"endpoints.krw", NULL, "endpoints.krw=0.3", false},
    {"endpoints.kro", NULL, "endpoints.kro=0.7", false},
    {"endpoints.pcw", NULL, "endpoints.pcw=2.5", false},
    {"endpoints.three_point", NULL, "endpoints.three_point=true", false},
    {"regions.fip", NULL, "regions.fip=[1,3]", false},
    {"output.vectors", NULL, "output.vectors=[\"FOIP\",\"WVPR:P*\"]", false},
    {"initial.swatinit", NULL, "initial.swatinit=[0.5,-1.0]", false},
    {"grid.corner_point.coord", CORNERS("coord.dat", "zcorn.dat", ""), CORNERS("wide.dat", "zcorn.dat", ""), false},
    {"grid.corner_point.zcorn", CORNERS("coord.dat", "zcorn.dat", ""), CORNERS("coord.dat", "throw.dat", ""), false},
    {"grid.corner_point.connect", CORNERS("coord.dat", "throw.dat", ""),
     CORNERS("coord.dat", "throw.dat", "connect=false;"), false},
    {"grid.corner_point.systems[].k", CORNERS("coord.dat", "throw.dat", ""), SYSTEMS("both.dat", "", ""), false},
    {"grid.corner_point.systems[].joined", SYSTEMS("both.dat", "", ""), SYSTEMS("both.dat", "joined=true;", ""), false},
    {"grid.corner_point.systems[].beside", SYSTEMS("twice.dat", "", ""),
     SYSTEMS("twice.dat", "beside=[1,2];", "beside=[1,2];"), false},
    {"grid.pinch.thickness", PINCHED("only_thin=true;"), PINCHED("only_thin=true;thickness=1.0;"), false},
    {"grid.pinch.only_thin", PINCHED(""), PINCHED("only_thin=true;"), false},
    {"grid.pinch.gap", PINCHED(""), PINCHED("gap=0.1;"), false},
    {"grid.pinch.through", PINCHED(""), PINCHED("through=true;"), false},
    {"grid.pinch.smallest", PINCHED(""), PINCHED("smallest=true;"), false},
    {"faults[].name", ONE_FAULT, CHANGE("fault=\"F\";by=0.5;"), true},
    {"faults[].multiplier", ONE_FAULT, FAULT("0.25", "i=2;face=\"i+\";"), true},
    {"faults[].threshold", ONE_FAULT, "faults=({name=\"F\";multiplier=0.5;threshold=2.0;faces=({i=2;face=\"i+\";});})",
     true},
    {"faults[].faces[].i", ONE_FAULT, FAULT("0.5", "i=3;face=\"i+\";"), true},
    {"faults[].faces[].j", ONE_FAULT, FAULT("0.5", "i=2;j=1;face=\"i+\";"), true},
    {"faults[].faces[].k", ONE_FAULT, FAULT("0.5", "i=2;k=1;face=\"i+\";"), true},
    {"faults[].faces[].face", ONE_FAULT, FAULT("0.5", "i=2;face=\"i-\";"), true},
    {"multipliers[].time", CHANGE("face=\"k+\";by=0.5;"), "multipliers=({time=6.0;face=\"k+\";by=0.5;})", true},
    {"multipliers[].by", CHANGE("face=\"k+\";by=0.5;"), CHANGE("face=\"k+\";by=0.25;"), true},
    {"multipliers[].fault", ONE_FAULT, CHANGE("fault=\"F\";by=0.5;"), true},
    {"multipliers[].face", CHANGE("face=\"k+\";by=0.5;"), CHANGE("face=\"i-\";by=0.5;"), true},
    {"multipliers[].i", CHANGE("face=\"k+\";by=0.5;"), CHANGE("face=\"k+\";by=0.5;i=2;"), true},
    {"multipliers[].j", CHANGE("face=\"k+\";by=0.5;"), CHANGE("face=\"k+\";by=0.5;j=2;"), true},
    {"multipliers[].k", CHANGE("face=\"i+\";by=0.5;"), CHANGE("face=\"i+\";by=0.5;k=2;"), true},
    {"multipliers[].connections", NULL, CHANGE("connections=((1,1,1,1,1,2,0.5));"), true},
    {"multipliers[].name", CHANGE("face=\"k+\";by=0.5;"), CHANGE("face=\"k+\";by=0.5;name=\"wall\";"), true},
    {"thresholds[].regions", TWO_STARTS, "thresholds=({regions=[2,1];})", false},
    {"thresholds[].connections", NULL, "thresholds=({connections=((1,1,1,2,1,1,3.0),(4,3,2,4,3,1,2.0));})", false},
    {"thresholds[].pressure", TWO_STARTS, "thresholds=({regions=[1,2];pressure=3.0;})", false},
    {"aquifers[].number", CARTER(""), CARTER("number=3;"), false},
    {"aquifers[].type", NULL, FLUX("0.1"), false},
    {"aquifers[].datum_depth", CARTER(""), CARTER_TRACY("2002.0", "1e-4", "100.0", "0.2", "100.0", "10.0", ""), false},
    {"aquifers[].pressure", CARTER(""), CARTER("pressure=230.0;"), false},
    {"aquifers[].compressibility", CARTER(""), CARTER_TRACY("2001.0", "2e-4", "100.0", "0.2", "100.0", "10.0", ""),
     false},
    {"aquifers[].pvt", "fluids=(" ONE_FLUID("1.0") "," ONE_FLUID("2.0") ")", CARTER("pvt=2;"), false},
    {"aquifers[].permeability", CARTER(""), CARTER_TRACY("2001.0", "1e-4", "101.0", "0.2", "100.0", "10.0", ""), false},
    {"aquifers[].porosity", CARTER(""), CARTER_TRACY("2001.0", "1e-4", "100.0", "0.21", "100.0", "10.0", ""), false},
    {"aquifers[].radius", CARTER(""), CARTER_TRACY("2001.0", "1e-4", "100.0", "0.2", "101.0", "10.0", ""), false},
    {"aquifers[].thickness", CARTER(""), CARTER_TRACY("2001.0", "1e-4", "100.0", "0.2", "100.0", "11.0", ""), false},
    {"aquifers[].angle", CARTER(""), CARTER("angle=90.0;"), false},
    {"aquifers[].table", CARTER(""), CARTER("table=([0.1,0.2],[1.0,0.9]);"), false},
    {"aquifers[].volume", FETKOVICH("1e6", "10.0", ON_FACES), FETKOVICH("2e6", "10.0", ON_FACES), false},
    {"aquifers[].productivity", FETKOVICH("1e6", "10.0", ON_FACES), FETKOVICH("1e6", "11.0", ON_FACES), false},
    {"aquifers[].flux", FLUX("0.1"), FLUX("0.2"), false},
    {"aquifers[].connections", CARTER(""), CARTER("connections=((4,3,2,10.0),(1,1,1,2.0));"), false},
    {"aquifers[].faces[].i", FACE("face=\"k+\";"), FACE("face=\"k+\";i=2;"), false},
    {"aquifers[].faces[].j", FACE("face=\"k+\";"), FACE("face=\"k+\";j=[2,3];"), false},
    {"aquifers[].faces[].k", FACE("face=\"i+\";"), FACE("face=\"i+\";k=2;"), false},
    {"aquifers[].faces[].face", FACE("face=\"i-\";"), FACE("face=\"j+\";"), false},
    {"aquifers[].faces[].inner", FACE("face=\"i-\";"), FACE("face=\"i-\";inner=true;"), false},
    {"aquifers[].faces[].coefficient", FACE("face=\"i-\";"), FACE("face=\"i-\";coefficient=12.0;"), false},
    {"aquifers[].faces[].multiplier", FACE("face=\"i-\";"), FACE("face=\"i-\";multiplier=2.0;"), false},
    {"aquifers[].faces[].of_face", NUMERICAL(CELL("100.0", "10.0", "50.0", ""), "i=2;face=\"j+\";"),
     NUMERICAL(CELL("100.0", "10.0", "50.0", ""), "i=2;face=\"j+\";of_face=true;"), true},
    {"aquifers[].cells[].i", NULL, NUMERICAL("i=2;j=1;k=2;area=100.0;length=10.0;permeability=50.0;", "face=\"i-\";"),
     true},
    {"aquifers[].cells[].j", NULL, NUMERICAL("i=1;j=2;k=2;area=100.0;length=10.0;permeability=50.0;", "face=\"i-\";"),
     true},
    {"aquifers[].cells[].k", NULL, NUMERICAL("i=1;j=1;k=1;area=100.0;length=10.0;permeability=50.0;", "face=\"i-\";"),
     true},
    {"aquifers[].cells[].area", OF_CELL("100.0", "10.0", "50.0", ""), OF_CELL("101.0", "10.0", "50.0", ""), true},
    {"aquifers[].cells[].length", OF_CELL("100.0", "10.0", "50.0", ""), OF_CELL("100.0", "11.0", "50.0", ""), true},
    {"aquifers[].cells[].permeability", OF_CELL("100.0", "10.0", "50.0", ""), OF_CELL("100.0", "10.0", "51.0", ""),
     true},
    {"aquifers[].cells[].porosity", OF_CELL("100.0", "10.0", "50.0", ""),
     OF_CELL("100.0", "10.0", "50.0", "porosity=0.3;"), true},
    {"aquifers[].cells[].depth", OF_CELL("100.0", "10.0", "50.0", ""),
     OF_CELL("100.0", "10.0", "50.0", "depth=2050.0;"), true},
    {"aquifers[].cells[].pressure", OF_CELL("100.0", "10.0", "50.0", ""),
     OF_CELL("100.0", "10.0", "50.0", "pressure=250.0;"), true},
    {"aquifers[].cells[].pvt", "fluids=(" ONE_FLUID("1.0") "," ONE_FLUID("2.0") ")",
     OF_CELL("100.0", "10.0", "50.0", "pvt=1;"), true},
    {"aquifers[].cells[].saturation", "saturation=({model=\"corey\";},{model=\"corey\";swc=0.1;})",
     OF_CELL("100.0", "10.0", "50.0", "saturation=2;"), true},
    {"wells[].efficiency", NULL, "wells.P1.efficiency=0.5", false},
    {"wells[].min_oil_rate", NULL, "wells.P1.min_oil_rate=5.0", false},
    {"wells[].min_liquid_rate", NULL, "wells.P1.min_liquid_rate=5.0", false},
    {"wells[].max_water_cut", NULL, "wells.P1.max_water_cut=0.5", false},
    {"wells[].workover", NULL, "wells.P1.workover=below", false},
    {"wells[].end_run", NULL, "wells.P1.end_run=true", false},
    {"schedule[].efficiency", EVENT(""), EVENT("efficiency=0.5;"), false},
    {"schedule[].min_oil_rate", EVENT(""), EVENT("min_oil_rate=0.5;"), false},
    {"schedule[].min_liquid_rate", EVENT(""), EVENT("min_liquid_rate=0.5;"), false},
    {"schedule[].max_water_cut", EVENT(""), EVENT("max_water_cut=0.5;"), false},
    {"schedule[].workover", EVENT(""), EVENT("workover=\"well\";"), false},
    {"schedule[].end_run", EVENT(""), EVENT("end_run=true;"), false},
    {"wells[].in_field", NULL, "wells.P1.in_field=false", false},
    {"wells[].guide_rate", NULL, "wells.P1.guide_rate=7.0", false},
    {"wells[].guide_by", NULL, "wells.P1.guide_by=liquid", false},
    {"schedule[].in_field", EVENT(""), EVENT("in_field=false;"), false},
    {"schedule[].guide_rate", EVENT(""), EVENT("guide_rate=7.0;"), false},
    {"schedule[].guide_by", EVENT(""), EVENT("guide_by=\"water\";"), false},
    {"field[].time", "field=({oil_rate=9.0;},{oil_rate=8.0;})", "field=({oil_rate=9.0;},{time=5.0;oil_rate=8.0;})",
     false},
    {"field[].oil_rate", NULL, "field=({oil_rate=9.0;})", false},
    {"field[].water_rate", "field=({})", "field[0].water_rate=9.0", false},
    {"field[].liquid_rate", NULL, "field=({liquid_rate=9.0;})", false},
    {"field[].reservoir_rate", NULL, "field=({reservoir_rate=9.0;})", false},
    {"field[].injection_rate", NULL, "field=({injection_rate=9.0;})", false},
    {"field[].injection_volume", NULL, "field=({injection_volume=9.0;})", false},
    {"field[].reinjection", NULL, "field=({reinjection=0.9;})", false},
    {"field[].voidage", NULL, "field=({voidage=1.0;})", false},
    {"wells[].connection_factors", NULL, "wells.P1.connection_factors=[2.0,3.0]", false},
    {"schedule[].i", NULL, "schedule=({time=10.0;well=\"P1\";perforations=\"shut\";i=[1,9];})", false},
    {"schedule[].j", NULL, "schedule=({time=10.0;well=\"P1\";perforations=\"shut\";j=[1,9];})", false},
    {"schedule[].connection_factor", NULL, "schedule=({time=10.0;well=\"P1\";connection_factor=3.0;})", false},
    {"output.units", NULL, "output.units=si", false},
    {"schedule[].k", EVENT("perforations=\"shut\";"), EVENT("perforations=\"shut\";k=2;"), false},
    {"schedule[].perforations", EVENT(""), EVENT("perforations=\"shut\";"), false},
    {"schedule[].multiply_index", EVENT(""), EVENT("multiply_index=0.5;"), false},
    {"schedule[].time", EVENT(""), "schedule=({time=11.0;well=\"I1\";rate=5.0;})", false},
    {"schedule[].well", EVENT(""), "schedule=({time=10.0;well=[\"I?\"];rate=5.0;},{time=10.0;well=\"P*\";bhp=9.0;})",
     false},
    {"schedule[].status", EVENT(""), EVENT("status=\"shut\";"), false},
    {"schedule[].type", EVENT(""), "schedule=({time=10.0;well=\"I1\";type=\"producer\";control=\"bhp\";bhp=10.0;})",
     false},
    {"schedule[].phase", EVENT(""), EVENT("phase=\"oil\";"), false},
    {"schedule[].control", EVENT("bhp=300.0;"), EVENT("bhp=300.0;control=\"bhp\";"), false},
    {"schedule[].bhp", EVENT(""), EVENT("bhp=300.0;"), false},
    {"schedule[].oil_rate", EVENT(""), "schedule=({time=10.0;well=\"P1\";oil_rate=5.0;})", false},
    {"schedule[].water_rate", EVENT(""), "schedule=({time=10.0;well=\"P1\";water_rate=5.0;})", false},
    {"schedule[].liquid_rate", EVENT(""), "schedule=({time=10.0;well=\"P1\";liquid_rate=5.0;})", false},
    {"schedule[].reservoir_rate", EVENT(""), EVENT("reservoir_rate=5.0;"), false},
    {"schedule[].observed_oil_rate", EVENT(""), "schedule=({time=10.0;well=\"P1\";observed_oil_rate=5.0;})", false},
    {"schedule[].observed_water_rate", EVENT(""), "schedule=({time=10.0;well=\"P1\";observed_water_rate=5.0;})", false},
    {"schedule[].rate", EVENT(""), "schedule=({time=10.0;well=\"I1\";rate=6.0;})", false},
    {"report.end", NULL, "report.end=25.0", false},
    {"report.every", NULL, "report.every=7.0", false},
    {"report.times", NULL, "report={times=[1.0,2.0];}", false},
    {"timestep.initial", NULL, "timestep.initial=2.0", false},
    {"timestep.max", NULL, "timestep.max=20.0", false},
    {"timestep.min", NULL, "timestep.min=0.1", false},
    {"timestep.growth", NULL, "timestep.growth=4", false},
    {"timestep.cut", NULL, "timestep.cut=0.3", false},
    {"timestep.target_newton", NULL, "timestep.target_newton=5", false},
    {"timestep.accuracy", NULL, "timestep.accuracy=0.002", false},
    {"timestep.target_saturation_change", NULL, "timestep.target_saturation_change=0.1", false},
    {"timestep.max_cuts", NULL, "timestep.max_cuts=5", false},
    {"tuning[].time", "tuning=({time=9.0;max=8.0;})", "tuning[0].time=8.0", false},
    {"tuning[].initial", NULL, "tuning=({time=9.0;initial=8.0;})", false},
    {"tuning[].max", NULL, "tuning=({time=9.0;max=8.0;})", false},
    {"tuning[].min", NULL, "tuning=({time=9.0;min=8.0;})", false},
    {"tuning[].growth", NULL, "tuning=({time=9.0;growth=8.0;},{time=3.0;growth=5.0;})", false},
    {"tuning[].cut", NULL, "tuning=({time=9.0;cut=0.8;})", false},
    {"tuning[].max_iterations", NULL, "tuning=({time=9.0;max_iterations=8;})", false},
    {"tuning[].min_iterations", NULL, "tuning=({time=9.0;min_iterations=8;})", false},
    {"newton.tolerance_mb", NULL, "newton.tolerance_mb=1e-8", false},
    {"newton.tolerance_cnv", NULL, "newton.tolerance_cnv=1e-3", false},
    {"newton.tolerance_well", NULL, "newton.tolerance_well=1e-5", false},
    {"newton.max_iterations", NULL, "newton.max_iterations=20", false},
    {"newton.min_iterations", NULL, "newton.min_iterations=2", false},
    {"newton.max_saturation_change", NULL, "newton.max_saturation_change=0.1", false},
    {"newton.max_pressure_change", NULL, "newton.max_pressure_change=0.1", false},
    {"linear.method", NULL, "linear.method=gmres", false},
    {"linear.preconditioner", NULL, "linear.preconditioner=jacobi", false},
    {"linear.ordering", NULL, "linear.ordering=red-black", false},
    {"linear.precision", NULL, "linear.precision=double", false},
    {"linear.relaxation", NULL, "linear.relaxation=0.3", false},
    {"linear.tolerance", NULL, "linear.tolerance=1e-4", false},
    {"linear.max_iterations", NULL, "linear.max_iterations=50", false},
    {"linear.restart", NULL, "linear.restart=10", false},
    {"linear.matrix", NULL, "linear.matrix=csr", false},
    {"linear.execution", NULL, "linear.execution=graph", false},
    {"linear.exchange", NULL, "linear.exchange=host", false},
    {"linear.specialise", NULL, "linear.specialise=true", false},
    {"linear.cpr", CPR, "linear.cpr={strength=0.5;}", false},
    {"linear.cpr.amg", CPR, "linear.cpr.amg=hypre", false},
    {"linear.cpr.weights", CPR, "linear.cpr.weights=row-sum", false},
    {"linear.cpr.rebuild", CPR, "linear.cpr.rebuild=step", false},
    {"linear.cpr.refresh", CPR, "linear.cpr.refresh=solve", false},
    {"linear.cpr.coarsening", CPR, "linear.cpr.coarsening=rs", false},
    {"linear.cpr.interpolation", CPR, "linear.cpr.interpolation=direct", false},
    {"linear.cpr.smoother", CPR, "linear.cpr.smoother=hybrid", false},
    {"linear.cpr.cycle", CPR, "linear.cpr.cycle=f", false},
    {"linear.cpr.strength", CPR, "linear.cpr.strength=0.5", false},
    {"linear.cpr.truncation", CPR, "linear.cpr.truncation=0.1", false},
    {"linear.cpr.max_weights", CPR, "linear.cpr.max_weights=6", false},
    {"linear.cpr.damping", CPR, "linear.cpr.damping=0.7", false},
    {"linear.cpr.block", CPR, "linear.cpr.block=2", false},
    {"linear.cpr.order", CPR, "linear.cpr.order=3", false},
    {"linear.cpr.domain", CPR, "linear.cpr.domain=100", false},
    {"linear.cpr.domains", CPR, "linear.cpr.domains=4", false},
    {"linear.cpr.precision", CPR, "linear.cpr.precision=double", false},
    {"linear.cpr.format", CPR, "linear.cpr.format=csr", false},
    {"linear.cpr.pre", CPR, "linear.cpr.pre=2", false},
    {"linear.cpr.post", CPR, "linear.cpr.post=2", false},
    {"linear.cpr.coarsest", CPR, "linear.cpr.coarsest=100", false},
    {"linear.cpr.max_levels", CPR, "linear.cpr.max_levels=3", false},
    {"linear.cpr.seed", CPR, "linear.cpr.seed=7", false},
    {"output.name", NULL, "output.name=results/run1", false},
    {"output.fields", NULL, "output.fields=false", false},
    {"output.double", NULL, "output.double=true", false},
    {"output.compression", NULL, "output.compression=4", false},
    {"output.summary", NULL, "output.summary=false", false},
    {"output.eclipse", NULL, "output.eclipse=true", false},
    {"output.restart", NULL, "output.restart=5", false},
    {"output.interval", NULL, "output.interval=10.0", false},
    {"output.refresh", NULL, "output.refresh=2.0", false},
};
enum { CHANGES = sizeof change / sizeof change[0] };

#endif
