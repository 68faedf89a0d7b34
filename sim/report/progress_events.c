/* The events of a run. Numbers are in the deck's units, as the event "start" names them. */
#include "core/program.h"
#include "sim/report/progress_columns.h"
#include "sim/report/progress_impl.h"

static double in_time(const hp_sim *S, double seconds) { return seconds / S->c->units.factor[HP_UNIT_TIME]; }

static void add_date(hp_events *E, const hp_sim *S, double time) {
  if (S->c->start[0] != '\0') hp_event_text(E, "date", hp_date_at(S->c->start, time, true).s);
}

static void add_units(hp_events *E, const hp_units *u) {
  hp_event_object(E, "units");
  hp_event_text(E, "time", u->label[HP_UNIT_TIME]);
  hp_event_text(E, "rate", u->label[HP_UNIT_RATE]);
  hp_event_text(E, "volume", u->label[HP_UNIT_VOLUME]);
  hp_event_text(E, "pressure", u->label[HP_UNIT_PRESSURE]);
  hp_event_up(E);
}

static void add_solver(hp_events *E, const hp_sim *S) {
  char precond[160], where[1024];
  hp_linear_describe_precond(&S->linear, precond, sizeof precond);
  S->backend->ops->describe(S->backend, where, sizeof where);
  hp_event_text(E, "backend", hp_backend_name(S->opt.backend));
  hp_event_text(E, "machine", where);
  hp_event_object(E, "solver");
  hp_event_text(E, "method", hp_krylov_method_name(S->linear.krylov.method));
  hp_event_text(E, "preconditioner", precond);
  hp_event_number(E, "tolerance", S->linear.krylov.tolerance);
  hp_event_up(E);
}

void hp_progress_event_start(const hp_sim *S) {
  hp_events *E = S->progress->events;
  const hp_case *c = S->c;
  hp_event_begin(E, "start");
  hp_event_integer(E, "schema", HP_EVENTS_SCHEMA);
  hp_event_text(E, "version", hp_version);
  hp_event_text(E, "deck", c->deck);
  hp_event_text(E, "title", c->title != NULL ? c->title : "");
  hp_event_text(E, "results", S->base);
  hp_event_list(E, "grid");
  hp_event_integer(E, NULL, c->grid->nx);
  hp_event_integer(E, NULL, c->grid->ny);
  hp_event_integer(E, NULL, c->grid->nz);
  hp_event_up(E);
  hp_event_integer(E, "active", c->grid->nactive);
  hp_event_list(E, "wells");
  for (int w = 0; w < c->nwell; ++w) hp_event_text(E, NULL, c->well[w].name);
  hp_event_up(E);
  hp_event_integer(E, "reports", c->nreport);
  hp_event_number(E, "end", in_time(S, c->report[c->nreport - 1]));
  hp_event_integer(E, "step", S->step);
  hp_event_number(E, "time", in_time(S, S->time));
  add_date(E, S, S->time);
  add_units(E, &c->units);
  add_solver(E, S);
  hp_event_end(E);
}

void hp_progress_event_newton(const hp_sim *S, double dt, const hp_newton_report *r, const hp_krylov_report *k) {
  static const char *const cnv[HP_PHASES] = {"cnv_oil", "cnv_water"}, *const mb[HP_PHASES] = {"mb_oil", "mb_water"};
  hp_events *E = S->progress->events;
  hp_event_begin(E, "newton");
  hp_event_integer(E, "step", S->step + 1);
  hp_event_number(E, "dt", in_time(S, dt));
  hp_event_integer(E, "iteration", r->iterations);
  for (int a = 0; a < HP_PHASES; ++a) hp_event_number(E, cnv[a], r->norms.cnv[a]);
  for (int a = 0; a < HP_PHASES; ++a) hp_event_number(E, mb[a], r->norms.mb[a]);
  hp_event_number(E, "flow", r->norms.flow);
  hp_event_number(E, "well", r->well_residual);
  if (k != NULL) {
    hp_event_integer(E, "linear", k->iterations);
    hp_event_number(E, "residual", k->norm_b > 0.0 ? k->residual / k->norm_b : 0.0);
    hp_event_text(E, "reason", hp_krylov_reason_text(k->reason));
  }
  hp_event_end(E);
}

void hp_progress_event_cut(const hp_sim *S, const hp_newton_report *r, double next) {
  hp_events *E = S->progress->events;
  hp_event_begin(E, "cut");
  hp_event_integer(E, "step", S->step + 1);
  hp_event_number(E, "time", in_time(S, S->time));
  hp_event_number(E, "dt", in_time(S, S->dt));
  hp_event_number(E, "next", in_time(S, next));
  hp_event_integer(E, "newton", r->iterations);
  hp_event_integer(E, "linear", r->linear);
  hp_event_text(E, "reason", r->why);
  hp_event_end(E);
}

static void add_vectors(hp_events *E, const hp_sim *S, const hp_report_row *row) {
  for (int v = 0; v < hp_progress_column_count; ++v)
    if (hp_progress_columns[v].key != NULL)
      hp_event_number(E, hp_progress_columns[v].key, hp_progress_value(&hp_progress_columns[v], &S->c->units, row));
}

void hp_progress_event_step(const hp_sim *S, const hp_report_row *row) {
  hp_events *E = S->progress->events;
  hp_event_begin(E, "step");
  hp_event_integer(E, "step", row->step);
  hp_event_number(E, "time", in_time(S, row->time));
  add_date(E, S, row->time);
  hp_event_number(E, "dt", in_time(S, row->dt));
  hp_event_integer(E, "newton", row->newton);
  hp_event_integer(E, "linear", row->linear);
  hp_event_integer(E, "cuts", row->cuts);
  hp_event_number(E, "max_ds", row->max_ds);
  add_vectors(E, S, row);
  hp_event_end(E);
}

void hp_progress_event_control(const hp_sim *S, int w, hp_control from, hp_control to) {
  hp_events *E = S->progress->events;
  hp_event_begin(E, "control");
  hp_event_integer(E, "step", S->step);
  hp_event_number(E, "time", in_time(S, S->time));
  hp_event_text(E, "well", S->c->well[w].name);
  hp_event_text(E, "from", hp_control_name(from));
  hp_event_text(E, "to", hp_control_name(to));
  hp_event_text(E, "asked", hp_control_name(S->wells->control[w].control));
  hp_event_end(E);
}

void hp_progress_event_still(const hp_sim *S, int w, bool still) {
  hp_events *E = S->progress->events;
  hp_event_begin(E, still ? "still" : "flows");
  hp_event_integer(E, "step", S->step);
  hp_event_number(E, "time", in_time(S, S->time));
  hp_event_text(E, "well", S->c->well[w].name);
  hp_event_number(E, "bhp", S->flow[w].bhp / S->c->units.factor[HP_UNIT_PRESSURE]);
  hp_event_end(E);
}

void hp_progress_event_report(const hp_sim *S, const hp_report_row *row, int report) {
  hp_events *E = S->progress->events;
  hp_event_begin(E, "report");
  hp_event_integer(E, "report", report + 1);
  hp_event_integer(E, "reports", S->c->nreport);
  hp_event_integer(E, "step", S->step);
  hp_event_number(E, "time", in_time(S, row->time));
  add_date(E, S, row->time);
  add_vectors(E, S, row);
  hp_event_end(E);
}

void hp_progress_event_waits(const hp_sim *S, int report) {
  hp_events *E = S->progress->events;
  hp_event_begin(E, "waits");
  hp_event_integer(E, "report", report);
  hp_event_integer(E, "reports", S->c->nreport);
  hp_event_integer(E, "step", S->step);
  hp_event_number(E, "time", in_time(S, S->time));
  add_date(E, S, S->time);
  hp_event_end(E);
}

void hp_progress_event_told(const hp_sim *S, const char *event, const char *text) {
  hp_events *E = S->progress->events;
  hp_event_begin(E, event);
  hp_event_number(E, "time", in_time(S, S->time));
  hp_event_text(E, "text", text);
  hp_event_end(E);
}

static double relative(double value, double total) { return total > 0.0 ? value / total : 0.0; }

static void report_correction(const hp_sim *S) {
  hp_events *E = S->progress->events;
  hp_event_begin(E, "correction");
  hp_event_number(E, "oil",
                  relative(hp_time_error_correction(S, false, HP_OIL), hp_time_error_whole(S, false, HP_OIL)));
  hp_event_number(E, "water",
                  relative(hp_time_error_correction(S, false, HP_WATER), hp_time_error_whole(S, false, HP_WATER)));
  hp_event_end(E);
}

void hp_progress_event_totals(const hp_sim *S, double seconds) {
  hp_events *E = S->progress->events;
  const hp_counts *n = &S->counts;
  double error[HP_PHASES];
  hp_sim_mass_balance(S, error);
  hp_event_begin(E, "totals");
  hp_event_number(E, "time", in_time(S, S->time));
  hp_event_integer(E, "steps", n->steps);
  hp_event_integer(E, "newton", n->newton);
  hp_event_integer(E, "linear", n->linear);
  hp_event_integer(E, "cuts", n->cuts);
  hp_event_integer(E, "wasted_newton", n->wasted_newton);
  hp_event_integer(E, "wasted_linear", n->wasted_linear);
  hp_event_integer(E, "unconverged_linear", n->unconverged_linear);
  hp_event_number(E, "mass_balance_oil", error[HP_OIL]);
  hp_event_number(E, "mass_balance_water", error[HP_WATER]);
  if (S->time_error.on) {
    hp_event_number(E, "time_error_oil",
                    relative(hp_time_error_left(S, false, HP_OIL), hp_time_error_whole(S, false, HP_OIL)));
    hp_event_number(E, "time_error_water",
                    relative(hp_time_error_left(S, false, HP_WATER), hp_time_error_whole(S, false, HP_WATER)));
  }
  hp_event_number(E, "wall", seconds);
  hp_event_end(E);
  if (S->time_error.on) report_correction(S);
}
