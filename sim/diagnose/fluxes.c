#include "sim/diagnose/fluxes.h"

#include <math.h>
#include <stdio.h>

#include "core/memory.h"
#include "physics/aquifer.inl.h"
#include "physics/assembly.inl.h"

/* ---- the state ---- */

/* Properties of the state that steps go on from, and B_a in `scale`. */
static hp_status evaluate(hp_sim *S, double *pores) {
  const hp_backend *B = S->backend;
  hp_reservoir *r = S->res;
  HP_TRY(hp_reservoir_make(r, HP_ARRAY_BIT(HP_ARRAY_SCALE)));
  const double *p = hp_backend_cell(B, HP_ARRAY_OWN_PRESSURE), *s = hp_backend_cell(B, HP_ARRAY_OWN_WATER);
  for (int64_t m = 0; m < r->ncell; ++m) {
    hp_cell_props c;
    hp_cell_mass mass;
    hp_reservoir_eval(r, m, p[m], s[m], &c, &mass);
    hp_props_store(&r->props, m, &c);
    for (int a = 0; a < HP_PHASES; ++a) r->scale[m * HP_PHASES + a] = 1.0 / mass.b[a];
    pores[m] = r->active[m] ? r->pore_volume[m] * hp_reservoir_rock(r, m, p[m]).v : 0.0;
  }
  return HP_OK;
}

/* ---- between cells ---- */

/* Pairs of cells and their rates, as hp_flux_graph_create takes them. */
typedef struct {
  int64_t count, *a, *b;
  double *rate;
  const double *s; /* the state's saturations */
} pair_list;

static hp_cell_props props_of(const pair_list *L, const hp_reservoir *r, int64_t m, int face) {
  hp_cell_props c = hp_reservoir_props(r, m);
  hp_reservoir_direct(r, m, face, L->s[m], &c);
  return c;
}

/* Volume of both phases at the conditions of the cell that each leaves. */
static void add_pair(pair_list *L, const hp_reservoir *r, int64_t m, int64_t n, double T, int face, hp_threshold t) {
  if (T == 0.0 || !r->active[m] || !r->active[n]) return;
  const hp_cell_props own = props_of(L, r, m, face), other = props_of(L, r, n, hp_face_across(face));
  hp_flux f[HP_PHASES];
  hp_flux_face(T, HP_GRAVITY * (r->depth[m] - r->depth[n]), t, &own, &other, f);
  double rate = 0.0;
  for (int a = 0; a < HP_PHASES; ++a) rate += f[a].v * r->scale[(f[a].v >= 0.0 ? m : n) * HP_PHASES + a];
  L->a[L->count] = m;
  L->b[L->count] = n;
  L->rate[L->count++] = rate;
}

static void add_links(pair_list *L, const hp_reservoir *r) {
  const hp_links *links = &r->links;
  for (int64_t row = 0; row < links->nrow; ++row)
    for (int64_t e = links->begin[row]; e < links->begin[row + 1]; ++e) {
      const int64_t m = links->cell[row], n = links->other[e], of = links->of[e];
      if (n > m)
        add_pair(L, r, m, n, r->link_trans[of], hp_link_face(r, m, n, of),
                 hp_cells_threshold(r, m, n, r->link_threshold, of));
    }
}

static hp_status create_graph(const hp_reservoir *r, const double *s_now, hp_flux_graph *out) {
  const int64_t stride[HP_DIRS] = {[HP_DIR_K] = 1, [HP_DIR_J] = r->nz, [HP_DIR_I] = (int64_t)r->nz * r->ny};
  const int64_t most = HP_DIRS * r->ncell + r->links.count / 2;
  pair_list L = {.s = s_now};
  hp_status s = HP_ALLOC_UNSET(L.a, most);
  if (s == HP_OK) s = HP_ALLOC_UNSET(L.b, most);
  if (s == HP_OK) s = HP_ALLOC_UNSET(L.rate, most);
  for (int64_t m = 0; s == HP_OK && m < r->ncell; ++m)
    for (int d = 0; d < HP_DIRS; ++d) {
      const int64_t n = m + stride[d];
      if (n < r->ncell) add_pair(&L, r, m, n, r->trans[d][m], d, hp_face_threshold(r, m, n, d, m));
    }
  if (s == HP_OK) add_links(&L, r);
  if (s == HP_OK) s = hp_flux_graph_create(r->ncell, L.count, L.a, L.b, L.rate, out);
  HP_FREE(L.a);
  HP_FREE(L.b);
  HP_FREE(L.rate);
  return s;
}

/* ---- wells and aquifers ---- */

/* Terms of wells are numbered as wells, those of aquifers behind them: analytic ones, then numerical ones. */
static void add_term(hp_fluxes *F, int64_t cell, int of, double rate) {
  if (rate == 0.0) return;
  F->term[F->nterm++] = (hp_flux_term){.cell = cell, .end = {of, of}, .rate = rate};
}

static void add_wells(const hp_sim *S, hp_fluxes *F) {
  const hp_wells *W = S->wells;
  for (int64_t q = 0; q < W->nperf; ++q) {
    const double *B = &S->res->scale[W->cell[q] * HP_PHASES], *rate = W->rate[q].q;
    const double volume = B[HP_OIL] * rate[HP_OIL] + B[HP_WATER] * rate[HP_WATER];
    add_term(F, W->cell[q], W->of[q], -hp_well_efficiency(W, W->of[q]) * volume);
  }
}

/* Rates of connections as at the start of a short step from this state; their sums by aquifer. */
static void rate_aquifers(const hp_reservoir *r, hp_aquifers *A, double *sum) {
  const double instant = 1.0; /* [s] */
  hp_aquifers_set_step(A, instant);
  for (int64_t row = 0; row < A->nrow; ++row) {
    const double pw = A->pressure[row] = hp_reservoir_props(r, A->cell[row]).pw;
    for (int64_t e = A->begin[row]; e < A->begin[row + 1]; ++e) {
      double slope;
      A->rate[e] = hp_aquifer_rate(r, A, row, e, pw, &slope);
      sum[A->of[e]] += A->rate[e];
    }
  }
}

/* An aquifer's rate is that of the last step: what those rates lack of it is divided by the connections' shares. */
static hp_status add_aquifers(const hp_sim *S, hp_fluxes *F) {
  hp_aquifers *A = S->aquifers;
  double *sum;
  if (A == NULL) return HP_OK;
  HP_TRY(HP_ALLOC(sum, A->count));
  rate_aquifers(S->res, A, sum);
  for (int64_t row = 0; row < A->nrow; ++row) {
    const int64_t m = A->cell[row];
    for (int64_t e = A->begin[row]; e < A->begin[row + 1]; ++e) {
      const double missing = A->state[A->of[e]].rate - sum[A->of[e]];
      const double rate = A->rate[e] + A->share[e] * missing;
      add_term(F, m, S->wells->nwell + A->of[e], S->res->scale[m * HP_PHASES + HP_WATER] * rate);
    }
  }
  HP_FREE(sum);
  return HP_OK;
}

/* ---- storage ---- */

/* Sums up what flows through each cell, and what balances it. */
static void balance(hp_fluxes *F) {
  hp_flux_graph *G = &F->graph;
  for (int64_t m = 0; m < G->ncell; ++m)
    for (int64_t e = G->begin[m]; e < G->begin[m + 1]; ++e) {
      F->storage[m] += G->rate[e];
      if (G->rate[e] > 0.0) G->through[m] += G->rate[e];
    }
  for (int64_t t = 0; t < F->nterm; ++t) {
    const double rate = F->term[t].rate;
    F->storage[F->term[t].cell] -= rate;
    if (rate < 0.0) G->through[F->term[t].cell] -= rate;
  }
  for (int64_t m = 0; m < G->ncell; ++m)
    if (F->storage[m] < 0.0) G->through[m] -= F->storage[m];
}

/* The store of a numerical aquifer's cells is the aquifer. */
static void take_numerical(const hp_sim *S, hp_fluxes *F) {
  const hp_case *c = S->c;
  for (int n = 0; n < c->nnumerical; ++n)
    for (int64_t i = 0; i < c->numerical[n].ncell; ++i) {
      const int64_t m = c->numerical[n].cell[i];
      add_term(F, m, S->wells->nwell + c->naquifer + n, F->storage[m]);
      F->storage[m] = F->pores[m] = 0.0;
    }
}

/* ---- sources and sinks ---- */

static void name_end(const hp_case *c, int n, hp_flux_end *out) {
  const int aquifer = n - c->nwell;
  if (aquifer < 0) {
    snprintf(out->name, sizeof out->name, "%s", c->well[n].name);
    return;
  }
  const int number = aquifer < c->naquifer ? c->aquifer[aquifer].number : c->numerical[aquifer - c->naquifer].number;
  out->kind = HP_END_AQUIFER;
  snprintf(out->name, sizeof out->name, "aquifer %d", number);
}

static double side_of(int side, double rate) { return side == HP_SOURCES ? rate : -rate; }

/* Wells and aquifers that have a flow of that sign, and storage. */
static hp_status list_ends(const hp_case *c, hp_fluxes *F, int side) {
  const int all = c->nwell + c->naquifer + c->nnumerical;
  double *rate;
  int *place = NULL;
  hp_status s = HP_ALLOC(rate, all + 1);
  if (s == HP_OK) s = HP_ALLOC(place, all + 1);
  if (s == HP_OK) s = HP_ALLOC(F->end[side], all + 1);
  for (int64_t t = 0; s == HP_OK && t < F->nterm; ++t)
    if (side_of(side, F->term[t].rate) > 0.0) rate[F->term[t].end[side]] += fabs(F->term[t].rate);
  for (int n = 0; s == HP_OK && n < all; ++n) {
    place[n] = -1;
    if (!(rate[n] > 0.0)) continue;
    hp_flux_end *end = &F->end[side][place[n] = F->count[side]++];
    name_end(c, n, end);
    end->rate = rate[n];
  }
  for (int64_t t = 0; s == HP_OK && t < F->nterm; ++t) {
    int32_t *end = &F->term[t].end[side];
    *end = side_of(side, F->term[t].rate) > 0.0 ? place[*end] : -1;
  }
  HP_FREE(rate);
  HP_FREE(place);
  HP_TRY(s);
  hp_flux_end *storage = &F->end[side][F->count[side]++];
  storage->kind = HP_END_STORAGE;
  snprintf(storage->name, sizeof storage->name, side == HP_SOURCES ? "expansion" : "compression");
  for (int64_t m = 0; m < F->graph.ncell; ++m) storage->rate += fmax(0.0, side_of(side, F->storage[m]));
  return HP_OK;
}

static hp_status create(hp_sim *S, hp_fluxes *F) {
  const hp_case *c = S->c;
  const int64_t ncell = S->res->ncell;
  int64_t most = S->wells->nperf + (S->aquifers != NULL ? S->aquifers->nconnection : 0);
  for (int n = 0; n < c->nnumerical; ++n) most += c->numerical[n].ncell;
  HP_TRY(HP_ALLOC(F->pores, ncell));
  HP_TRY(HP_ALLOC(F->storage, ncell));
  HP_TRY(HP_ALLOC(F->term, most));
  HP_TRY(evaluate(S, F->pores));
  HP_TRY(create_graph(S->res, hp_backend_cell(S->backend, HP_ARRAY_OWN_WATER), &F->graph));
  add_wells(S, F);
  HP_TRY(add_aquifers(S, F));
  balance(F);
  take_numerical(S, F);
  for (int side = 0; side < HP_SIDES; ++side) HP_TRY(list_ends(c, F, side));
  if (F->count[HP_SOURCES] == 1 && F->count[HP_SINKS] == 1)
    return hp_fail(HP_ERR_USAGE, "%s: no well and no aquifer flows at time step %d: there is nothing to trace", S->base,
                   S->step);
  return hp_flux_graph_order(&F->graph);
}

hp_status hp_fluxes_create(hp_sim *S, hp_fluxes *out) {
  *out = (hp_fluxes){.nterm = 0};
  if (S->step == 0) return hp_fail(HP_ERR_USAGE, "%s: nothing flows yet at report step 0: name a later one", S->base);
  const hp_status s = create(S, out);
  if (s != HP_OK) hp_fluxes_destroy(out);
  return s;
}

void hp_fluxes_destroy(hp_fluxes *F) {
  hp_flux_graph_destroy(&F->graph);
  for (int side = 0; side < HP_SIDES; ++side) HP_FREE(F->end[side]);
  HP_FREE(F->term);
  HP_FREE(F->storage);
  HP_FREE(F->pores);
}
