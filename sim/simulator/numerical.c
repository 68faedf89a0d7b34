/* Numerical aquifers: what they give in a time step, for the vectors of the summary (physics/outflow.h). */
#include "core/memory.h"
#include "sim/simulator/simulator.h"

static hp_status list_cells(hp_sim *S) {
  const hp_case *c = S->c;
  hp_outflow *o = &S->outflow;
  int64_t cells = 0;
  for (int n = 0; n < c->nnumerical; ++n) cells += c->numerical[n].ncell;
  HP_TRY(HP_ALLOC(o->begin, c->nnumerical + 1));
  HP_TRY(HP_ALLOC(o->cell, cells));
  for (int n = 0; n < c->nnumerical; ++n) {
    const hp_numerical_aquifer *a = &c->numerical[n];
    for (int64_t k = 0; k < a->ncell; ++k) o->cell[o->begin[n] + k] = a->cell[k];
    o->begin[n + 1] = o->begin[n] + a->ncell;
  }
  o->count = c->nnumerical;
  HP_TRY(HP_ALLOC(S->outflow_place, cells));
  return HP_ALLOC(S->outflow_value, hp_outflow_numbers(o));
}

hp_status hp_sim_numerical_create(hp_sim *S) {
  const hp_case *c = S->c;
  const hp_grid *g = c->grid;
  double rate;
  if (c->nnumerical == 0) return HP_OK;
  HP_TRY(HP_ALLOC(S->numerical, c->nnumerical));
  HP_TRY(list_cells(S));
  for (int64_t n = 0; n < hp_outflow_cells(&S->outflow); ++n) {
    const int64_t at = hp_grid_place(g, S->outflow.cell[n]);
    S->outflow_place[n] = at >= 0 && at < g->owned ? at : -1;
  }
  hp_outflow_terms(&S->outflow, S->res, S->outflow_place, false, S->outflow_value);
  const int64_t numbers = hp_outflow_numbers(&S->outflow);
  HP_TRY(hp_spread_sum(c->spread, (int64_t *)(void *)S->outflow_value, numbers)); /* bits of one rank each */
  for (int n = 0; n < c->nnumerical; ++n) {
    S->numerical[n].influx = c->numerical[n].before;
    hp_outflow_add(&S->outflow, S->outflow_value, n, &rate, &S->numerical[n].pressure);
  }
  return HP_OK;
}

void hp_sim_numerical_place(hp_sim *S) {
  for (int64_t n = 0; n < hp_outflow_cells(&S->outflow); ++n)
    S->outflow_place[n] = hp_backend_place_of(S->backend, S->outflow.cell[n]);
}

hp_status hp_sim_numerical(hp_sim *S) {
  const hp_case *c = S->c;
  if (c->nnumerical == 0) return HP_OK;
  HP_TRY(hp_backend_get(S->backend, HP_ARRAYS_STATE));
  hp_outflow_terms(&S->outflow, S->backend->res, S->outflow_place, true, S->outflow_value);
  const int64_t numbers = hp_outflow_numbers(&S->outflow);
  hp_ranks_sum(S->K, (int64_t *)(void *)S->outflow_value, (int)numbers); /* bits of one rank each */
  for (int n = 0; n < c->nnumerical; ++n) {
    hp_aquifer_state *now = &S->numerical[n];
    const double before = now->rate;
    hp_outflow_add(&S->outflow, S->outflow_value, n, &now->rate, &now->pressure);
    /* of the corrected state: second order, as that is */
    now->influx += S->dt * (S->time_error.on ? 0.5 * (before + now->rate) : now->rate);
  }
  return HP_OK;
}

void hp_sim_numerical_destroy(hp_sim *S) {
  hp_outflow_clear(&S->outflow);
  HP_FREE(S->outflow_place);
  HP_FREE(S->outflow_value);
  HP_FREE(S->numerical);
}
