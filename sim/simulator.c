#include "sim/simulator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "sim/newton.h"

volatile int hp_sim_interrupted;

static hp_status initialise(hp_sim *S) {
  const hp_case *c = S->c;
  hp_reservoir *r = S->res;
  if (c->initial.equilibrium) {
    const hp_equilibrium e = {.datum_depth = c->initial.datum_depth,
                              .datum_pressure = c->initial.datum_pressure,
                              .contact_depth = c->initial.contact_depth,
                              .contact_pc = c->initial.contact_pc,
                              .accuracy = c->initial.accuracy};
    return hp_equilibrate(&r->fluid, &e, r->ncell, c->grid->depth, c->grid->dz, r->p, r->s);
  }
  memcpy(r->p, c->initial.pressure, (size_t)r->ncell * sizeof *r->p);
  memcpy(r->s, c->initial.sw, (size_t)r->ncell * sizeof *r->s);
  return HP_OK;
}

static hp_status create_system(hp_sim *S) {
  const hp_grid *g = S->c->grid;
  HP_TRY(hp_gh_create(g->nx, g->ny, g->nz, HP_PHASES, &S->J));
  HP_TRY(hp_gh_set_wells(S->J, S->wells->nwell, S->wells->begin, S->wells->cell, S->wells->slot));
  HP_TRY(hp_krylov_create(S->hub, S->J, &S->c->linear, &S->krylov));
  HP_TRY(HP_ALLOC(S->R, S->J->n));
  HP_TRY(HP_ALLOC(S->b, S->J->n));
  HP_TRY(HP_ALLOC(S->x, S->J->n));
  HP_TRY(HP_ALLOC(S->history, S->c->linear.max_iterations + 1));
  HP_TRY(HP_ALLOC(S->p_old, g->ncell));
  HP_TRY(HP_ALLOC(S->s_old, g->ncell));
  HP_TRY(HP_ALLOC(S->totals, S->wells->nwell));
  HP_TRY(HP_ALLOC(S->row, S->wells->nwell));
  HP_TRY(HP_ALLOC(S->report, S->c->nreport));
  return HP_OK;
}

/* mass_old of the initial state: what is in place at time zero. */
static hp_status start_balance(hp_sim *S) {
  hp_norms norms;
  HP_TRY(hp_newton_assemble(S, 1.0, false, false, &norms));
  memcpy(S->res->mass_old, S->res->mass, (size_t)(S->res->ncell * HP_PHASES) * sizeof(double));
  HP_TRY(hp_sim_in_place(S, &S->start));
  S->now = S->start;
  return HP_OK;
}

static hp_status create(hp_sim *S) {
  const hp_case *c = S->c;
  const int threads = S->opt.threads > 0 ? S->opt.threads : hp_team_default_size();
  const hp_team_options team = {.rotate = S->opt.rotate};
  HP_TRY(hp_team_hub_create(threads, &team, &S->hub));
  HP_TRY(hp_reservoir_create(c->grid, &c->fluid, &S->res));
  HP_TRY(hp_wells_create(c->grid, c->nwell, c->well, &S->wells));
  HP_TRY(create_system(S));
  HP_TRY(initialise(S));
  HP_TRY(start_balance(S));
  S->wish = c->timestep.initial;
  S->fields_step = -1;
  return HP_OK;
}

hp_status hp_sim_create(const hp_case *c, const hp_run_options *opt, const char *base, hp_sim **out) {
  *out = NULL;
  hp_sim *S = NULL;
  HP_TRY(HP_ALLOC(S, 1));
  const double t0 = hp_now();
  S->c = c;
  S->opt = *opt;
  snprintf(S->base, sizeof S->base, "%s", base);
  const hp_status s = create(S);
  if (s != HP_OK) {
    hp_sim_destroy(&S);
    return s;
  }
  memset(&S->profile, 0, sizeof S->profile);
  hp_profile_add(&S->profile, HP_PROF_START, hp_now() - t0, 0.0);
  *out = S;
  return HP_OK;
}

void hp_sim_destroy(hp_sim **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_sim *S = *slot;
  hp_krylov_destroy(&S->krylov);
  hp_gh_destroy(&S->J);
  hp_wells_destroy(&S->wells);
  hp_reservoir_destroy(&S->res);
  hp_team_hub_destroy(&S->hub);
  HP_FREE(S->R);
  HP_FREE(S->b);
  HP_FREE(S->x);
  HP_FREE(S->history);
  HP_FREE(S->p_old);
  HP_FREE(S->s_old);
  HP_FREE(S->totals);
  HP_FREE(S->row);
  HP_FREE(S->report);
  HP_FREE(*slot);
}

typedef struct {
  hp_sim *S;
  hp_in_place *out;
} in_place_job;

static void sum_in_place(hp_team *t, void *arg) {
  const in_place_job *j = arg;
  const hp_reservoir *r = j->S->res;
  double sum[6];
  HP_TEAM_REDUCE(t, m, r->ncell, 6) {
    if (r->active[m]) {
      const double pv = r->pore_volume[m] * hp_rock_eval(&r->fluid.rock, r->p[m]).v;
      HP_ACC(0) += r->mass[m * HP_PHASES + HP_OIL];
      HP_ACC(1) += r->mass[m * HP_PHASES + HP_WATER];
      HP_ACC(2) += pv * (1.0 - r->s[m]) * r->p[m];
      HP_ACC(3) += pv * (1.0 - r->s[m]);
      HP_ACC(4) += pv * r->p[m];
      HP_ACC(5) += pv;
    }
  }
  HP_TEAM_REDUCE_END(t);
  hp_team_sum(t, r->ncell, 6, sum);
  if (t->rank != 0) return;
  j->out->mass[HP_OIL] = sum[0];
  j->out->mass[HP_WATER] = sum[1];
  /* without oil: weighted by the whole pore volume */
  j->out->pressure = sum[3] > 1e-12 * sum[5] ? sum[2] / sum[3] : sum[4] / sum[5];
}

hp_status hp_sim_in_place(hp_sim *S, hp_in_place *out) {
  in_place_job j = {S, out};
  return hp_team_run(S->hub, sum_in_place, &j);
}

hp_flow hp_sim_field_flow(const hp_sim *S) {
  hp_flow f;
  memset(&f, 0, sizeof f);
  for (int w = 0; w < S->wells->nwell; ++w)
    for (int a = 0; a < HP_PHASES; ++a) {
      f.rate[a] += S->totals[w].rate[a];
      f.total[a] += S->totals[w].total[a];
      f.injection_rate[a] += S->totals[w].injection_rate[a];
      f.injection_total[a] += S->totals[w].injection_total[a];
    }
  return f;
}

void hp_sim_mass_balance(const hp_sim *S, double error[HP_PHASES]) {
  const hp_flow f = hp_sim_field_flow(S);
  for (int a = 0; a < HP_PHASES; ++a) {
    const double change = S->now.mass[a] - S->start.mass[a];
    const double size = fmax(S->start.mass[a], S->now.mass[a]);
    error[a] = size > 0.0 ? (change - f.injection_total[a] + f.total[a]) / size : 0.0;
  }
}

static bool same_volume(const hp_pvt_spec *f) {
  for (int n = 1; n < f->rows; ++n)
    if (f->b[n] != f->b[0]) return false;
  return f->rows > 0 || f->compressibility == 0.0;
}

bool hp_sim_incompressible(const hp_case *c) {
  return c->fluid.rock.compressibility == 0.0 && same_volume(&c->fluid.phase[HP_OIL]) &&
         same_volume(&c->fluid.phase[HP_WATER]);
}

/* Work vectors of a Krylov method (HP_KRYLOV_LIST); m: restart length. */
static int64_t krylov_vectors(hp_krylov_method method, int64_t m) {
  const int64_t vectors[] = {
#define KRYLOV_VECTORS(name, text, f, vectors) vectors,
      HP_KRYLOV_LIST(KRYLOV_VECTORS)
#undef KRYLOV_VECTORS
  };
  (void)m;
  return vectors[method];
}

int64_t hp_sim_memory(const hp_case *c) {
  const int64_t n = c->grid->ncell, q = HP_PHASES;
  const int64_t grid = 12 * 8 + 1, reservoir = 8 * (HP_CELL_NFIELDS + 2 + 3 * q) + 8 * 2;
  const int64_t matrix = 8 * 7 * q * q, vectors = 8 * q * (3 + krylov_vectors(c->linear.method, c->linear.restart));
  const int64_t preconditioner = c->linear.preconditioner == HP_PRECOND_DILU           ? 8 * 7 * q * q
                                 : c->linear.preconditioner == HP_PRECOND_BLOCK_JACOBI ? 8 * q * q
                                                                                       : 8 * q;
  return n * (grid + reservoir + matrix + vectors + preconditioner);
}
