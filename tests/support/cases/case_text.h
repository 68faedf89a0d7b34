/* All of a case in text, so that two can be compared. */
#ifndef HP_TESTS_SUPPORT_CASES_CASE_TEXT_H
#define HP_TESTS_SUPPORT_CASES_CASE_TEXT_H

#include <stdio.h>
#include <stdlib.h>

#include "io/config/config.h"

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
  for (int n = 0; n < HP_ENDS; ++n) print_array(f, "end of imbibition", c->grid->ncell, r->imbibition_end[n]);
  for (int n = 0; n < HP_FACES; ++n) {
    fprintf(f, "face %d:", n);
    for (int64_t m = 0; r->of_face[n] != NULL && m < c->grid->ncell; ++m) fprintf(f, " %d", r->of_face[n][m]);
    fprintf(f, "\n");
  }
  print_array(f, "water", c->grid->ncell, c->initial.water);
  fprintf(f, "three %d\n", r->three_point);
  fprintf(f, "hysteresis %d %d %d %.12g %.12g:", r->hysteresis.oil, r->hysteresis.water, r->hysteresis.pc,
          r->hysteresis.curvature, r->hysteresis.trapping);
  for (int64_t m = 0; r->of_imbibition != NULL && m < c->grid->ncell; ++m) fprintf(f, " %d", r->of_imbibition[m]);
  fprintf(f, "\n");
  fprintf(f, "fip %d:", c->nfip);
  for (int64_t m = 0; c->fip != NULL && m < c->grid->ncell; ++m) fprintf(f, " %d", c->fip[m]);
  for (int n = 0; n < c->output.nvector; ++n) fprintf(f, " %s", c->output.vector[n]);
  fprintf(f, " arrays %x sheets %d %g %d", (unsigned)c->output.arrays, c->output.sheets, c->output.sheets_from,
          c->output.sheets_at_start);
  for (int n = 0; n < c->output.naverage; ++n) {
    const hp_average *a = &c->output.average[n];
    fprintf(f, " average %s %g %g %g %g %d %d", a->well, a->time, a->inner, a->by_factor, a->depth, a->head, a->of);
  }
  for (int n = 0; n < c->output.nrft; ++n)
    fprintf(f, " log %s %g %d %d", c->output.rft[n].well, c->output.rft[n].time, c->output.rft[n].data,
            c->output.rft[n].when);
  fprintf(f, "\n");
}

static void print_lift(FILE *f, const hp_case *c) {
  for (int n = 0; n < c->nlift; ++n) {
    const hp_lift_spec *v = &c->lift[n];
    fprintf(f, "lift table %s injector %d flow %d ratio %d datum %.12g\n", v->name, v->table.injector, v->table.flow,
            v->table.ratio, v->table.datum);
    print_array(f, "numbers", hp_lift_numbers(&v->table), v->number);
  }
}

static inline void print_actions(FILE *f, const hp_case *c) {
  fprintf(f, "quantities %.12g %.12g\n", c->quantity_undefined, c->quantity_epsilon);
  for (int n = 0; n < c->nquantity_entry; ++n) {
    const hp_quantity_entry *v = &c->quantity_entry[n];
    fprintf(f, "quantity %s [%s] %.12g says %d: %s %.12g %d of", c->quantity[v->quantity].name,
            c->quantity[v->quantity].unit, v->time, (int)v->says, v->text != NULL ? v->text : "", v->number,
            (int)v->update);
    for (int k = 0; k < v->names; ++k) fprintf(f, " %s", v->name[k]);
    fputs("\n", f);
  }
  for (int n = 0; n < c->nquantity_table; ++n) {
    fprintf(f, "table %s %d", c->quantity_table[n].name, (int)c->quantity_table[n].how);
    print_array(f, "", c->quantity_table[n].count, c->quantity_table[n].x);
    print_array(f, "", c->quantity_table[n].count, c->quantity_table[n].y);
  }
  for (int n = 0; n < c->naction; ++n) {
    const hp_action *v = &c->action[n];
    fprintf(f, "action %s %.12g times %d every %.12g: %s\n", v->name, v->time, v->times, v->interval, v->condition);
    for (int k = 0; k < v->lines; ++k) fprintf(f, "  %s\n", v->does[k]);
  }
}

static void print_wells(FILE *f, const hp_case *c) {
  for (int n = 0; n < c->nwell; ++n) {
    const hp_well_spec *w = &c->well[n];
    fprintf(f, "well %s ref %.12g crossflow %d preferred %d path %.12g %.12g\n", w->name, w->ref_depth, w->crossflow,
            w->preferred, w->npath > 0 ? w->path_radius : 0.0, w->npath > 0 ? w->path_skin : 0.0);
    for (int q = 0; q < w->nperf; ++q) {
      const hp_perf_spec *p = &w->perf[q];
      fprintf(f, "table %d ", p->table);
      fprintf(f, "perf %d %d %d dir %d open %d %.12g %.12g %.12g %.12g\n", p->i, p->j, p->k, p->dir, p->open, p->radius,
              p->skin, p->transmissibility, p->kh);
    }
    for (int s = 0; s < w->nsegment; ++s) {
      const hp_segment_spec *g = &w->segment[s];
      fprintf(f, "segment %d branch %d outlet %d drops %d %.12g %.12g %.12g %.12g %.12g\n", g->number, g->branch,
              g->outlet, (int)w->drops, g->depth, g->length, g->diameter, g->area, g->roughness);
    }
    for (int q = 0; w->nsegment > 0 && q < w->nperf; ++q)
      fprintf(f, "seat %d %.12g\n", w->perf[q].segment, w->perf[q].depth);
    print_array(f, "path", 3 * (int64_t)w->npath, w->npath > 0 ? &w->path[0][0] : NULL);
  }
  for (int n = 0; n < c->nevent; ++n) {
    const hp_well_event *e = &c->event[n];
    fprintf(f, "event %.12g %d control %d injector %d phase %d", e->time, e->well, (int)e->control.control,
            e->control.injector, e->control.phase);
    print_array(f, "", HP_CONTROL_COUNT, e->control.limit);
    const hp_well_control *y = &e->control;
    fprintf(f, "beside %.12g %d %.12g %.12g %.12g %d %d %.12g %.12g %.12g %.12g %.12g %.12g\n",
            e->control.efficiency > 0.0 ? e->control.efficiency : 1.0, e->control.by_history, y->min_oil_rate,
            y->min_liquid_rate, y->max_water_cut, y->workover, y->end_run, y->test_interval, y->max_tests,
            y->history_oil_rate, y->history_water_rate, y->history_bhp, y->history_thp);
    fprintf(f, "lift table %d %.12g tests %d\n", y->vfp, y->lift, y->tests_of);
    fprintf(f, "group %d in field %d guide %.12g %d\n", e->control.group, e->control.in_field, e->control.guide_rate,
            e->control.guide_by);
  }
  for (int n = 0; n < c->ngroup_event; ++n) {
    const hp_group_control *v = &c->group_event[n].control;
    fprintf(f, "group %s in %s efficiency %.12g takes part %d %d\n", hp_case_group_name(c, c->group_event[n].group),
            hp_case_group_name(c, v->parent), v->efficiency, v->in_production, v->in_injection);
    fprintf(f, "limits %.12g %.12g %d %d\n", v->min_oil_rate, v->max_water_cut, v->workover, v->end_run);
    fprintf(f, "asked for %.12g injection %.12g %.12g %.12g %.12g", c->group_event[n].time, v->injection_rate,
            v->injection_volume, v->reinjection, v->voidage);
    print_array(f, "", HP_CONTROL_COUNT, v->production);
  }
  print_actions(f, c);
  for (int n = 0; n < c->nperf_event; ++n) {
    const hp_perf_event *v = &c->perf_event[n];
    fprintf(f, "change %.12g %d cells %d..%d %d..%d %d..%d state %d times %.12g anew %d completion %d\n", v->time,
            v->well, v->first[0], v->last[0], v->first[1], v->last[1], v->first[2], v->last[2], (int)v->state,
            v->multiply, v->anew, v->completion);
    if (v->anew) fprintf(f, "table %d\n", v->spec.table);
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
  const hp_economics *money = &c->economics;
  const hp_newton_options *n = &c->newton;
  const hp_krylov_options *l = &c->linear;
  const hp_output_options *o = &c->output;
  fprintf(f, "%s %s %s\n", c->title, c->units.name, c->start);
  fprintf(f, "economics %d %.12g %.12g %.12g %.12g %.12g %.12g %.12g %d\n", money->given, money->oil_price,
          money->oil_cost, money->water_cost, money->injection_cost, money->fixed_cost, money->well_cost,
          money->discount_rate, money->end_at_loss);
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
  print_array(f, "driest", c->grid->ncell, c->initial.driest);
  print_aquifers(f, c);
  print_lift(f, c);
  print_wells(f, c);
  print_array(f, "report", c->nreport, c->report);
  fprintf(f, "step %.12g %.12g %.12g %.12g %.12g %d %.12g %.12g %d\n", t->initial, t->max, t->min, t->growth, t->cut,
          t->target_newton, t->target_ds, t->accuracy, t->max_cuts);
  for (int k = 0; k < c->ntuning; ++k)
    fprintf(f, "tuning %.12g: %.12g %.12g %.12g %.12g %.12g %d %d\n", c->tuning[k].time, c->tuning[k].initial,
            c->tuning[k].max, c->tuning[k].min, c->tuning[k].growth, c->tuning[k].cut, c->tuning[k].max_iterations,
            c->tuning[k].min_iterations);
  fprintf(f, "newton %g %g %g %g %d %d %g %g\n", n->tolerance_mb, n->tolerance_cnv, n->tolerance_flow,
          n->tolerance_well, n->max_iterations, n->min_iterations, n->max_ds, n->max_dp_relative);
  fprintf(f, "matrix %d %d %d %d %d\n", (int)l->matrix, (int)l->execution, (int)l->exchange, l->barrier, l->specialise);
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

#endif
