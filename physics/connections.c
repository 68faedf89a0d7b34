/* Connections beyond the grid's transmissibilities. Threshold pressures between equilibration regions and of faults (THPRES,
 * THPRESFT of Eclipse decks): a phase flows where its potential difference is larger, and then with what is beyond the
 * threshold. Transmissibilities that change in a run: those of the grid until then, and products of them. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "physics/assembly.inl.h"
#include "physics/reservoir.h"

/* A cell as its neighbours see it: numbers only. */
typedef struct {
  double p, pw, rho_o, rho_w, lam_o, lam_w, depth, region;
} seen;

static seen see(const hp_reservoir *r, int64_t m) {
  hp_cell_props c;
  hp_cell_mass mass;
  hp_reservoir_eval(r, m, r->p[m], r->s[m], &c, &mass);
  return (seen){c.p,     c.pw,    c.rho_o,     c.rho_w,
                c.lam_o, c.lam_w, r->depth[m], r->threshold_of != NULL ? r->threshold_of[m] : 0.0};
}

/* Potential differences of the phases that could flow from one to the other or back, where they are larger than `most` between
 * their regions in that direction. */
static void meet(const hp_reservoir *r, const seen *own, const seen *other, double *most) {
  double *there = &most[(int)own->region * r->nthreshold + (int)other->region];
  double *back = &most[(int)other->region * r->nthreshold + (int)own->region];
  const double h = 0.5 * HP_GRAVITY * (own->depth - other->depth);
  const double oil = own->p - other->p - (own->rho_o + other->rho_o) * h;
  const double water = own->pw - other->pw - (own->rho_w + other->rho_w) * h;
  double *by_oil = oil >= 0.0 ? there : back, *by_water = water >= 0.0 ? there : back;
  if ((oil >= 0.0 ? own : other)->lam_o > 0.0) *by_oil = fmax(*by_oil, fabs(oil));
  if ((water >= 0.0 ? own : other)->lam_w > 0.0) *by_water = fmax(*by_water, fabs(water));
}

static int region_of(const hp_reservoir *r, int64_t m) { return r->threshold_of != NULL ? r->threshold_of[m] : 0; }

/* Whether a threshold between the regions is to be found. */
static bool is_open(const hp_reservoir *r, int a, int b) {
  return a != b && (isnan(r->threshold[a * r->nthreshold + b]) || isnan(r->threshold[b * r->nthreshold + a]));
}

static void visit_faces(const hp_reservoir *r, double *most) {
  for (int64_t m = 0; m < r->ncell; ++m)
    for (int d = 0; d < HP_DIRS; ++d) {
      const int64_t stride = d == HP_DIR_K ? 1 : d == HP_DIR_J ? (int64_t)r->nz : (int64_t)r->nz * r->ny;
      if (!(r->trans[d][m] > 0.0) || !is_open(r, region_of(r, m), region_of(r, m + stride))) continue;
      const seen own = see(r, m), other = see(r, m + stride);
      meet(r, &own, &other, most);
    }
}

/* The cells that this rank has. */
typedef struct {
  const hp_reservoir *r;
  int64_t first, owned, held;
} here;

static here cells_of(const hp_reservoir *r) {
  const hp_spread *P = r->spread;
  const int64_t plane = (int64_t)r->ny * r->nz;
  const hp_spread_planes mine = hp_spread_planes_of(P, P != NULL ? hp_ranks_rank(hp_spread_ranks(P)) : 0, r->nx);
  return (here){r, mine.first * plane, mine.owned * plane, mine.held * plane};
}

static bool find_cell(void *arg, int64_t cell, int64_t *value) {
  const here *h = arg;
  const int64_t at = cell - h->first;
  if (at < 0 || at >= h->owned) return false;
  const seen one = see(h->r, at);
  memcpy(value, &one, sizeof one);
  return true;
}

static bool is_here(const here *h, int64_t cell) { return cell >= h->first && cell < h->first + h->held; }

/* Connections begin in own cells; where they end in cells of others, these tell. */
static hp_status visit_connections(const hp_reservoir *r, double *most) {
  enum { NUMBERS = sizeof(seen) / sizeof(double) };
  const hp_grid_connections *c = r->connection;
  const int64_t count = c != NULL ? c->count : 0;
  here h = cells_of(r);
  int64_t remote = 0, at = 0, *cell = NULL;
  seen *other = NULL; /* [remote] */
  for (int64_t n = 0; n < count; ++n) remote += !is_here(&h, c->b[n]);
  hp_status s = HP_ALLOC(cell, remote);
  if (s == HP_OK) s = HP_ALLOC(other, remote);
  for (int64_t n = 0; n < count && s == HP_OK; ++n)
    if (!is_here(&h, c->b[n])) cell[at++] = c->b[n];
  if (s == HP_OK) s = hp_spread_ask(r->spread, remote, cell, NUMBERS, find_cell, &h, (int64_t *)(void *)other);
  at = 0;
  for (int64_t n = 0; n < count && s == HP_OK; ++n) {
    const seen one = see(r, c->a[n] - h.first), two = is_here(&h, c->b[n]) ? see(r, c->b[n] - h.first) : other[at++];
    if (is_open(r, (int)one.region, (int)two.region)) meet(r, &one, &two, most);
  }
  HP_FREE(cell);
  HP_FREE(other);
  return s;
}

hp_status hp_reservoir_set_thresholds(hp_reservoir *r, int n, const double *threshold, const uint16_t *of) {
  double *most = NULL;
  if (threshold == NULL) return HP_OK;
  HP_TRY(HP_ALLOC(r->threshold, (int64_t)n * n));
  HP_TRY(HP_ALLOC(most, (int64_t)n * n));
  for (int e = 0; e < n * n; ++e) r->threshold[e] = threshold[e];
  r->nthreshold = n;
  r->threshold_of = of;
  visit_faces(r, most);
  hp_status s = visit_connections(r, most);
  if (s == HP_OK) s = hp_spread_max(r->spread, most, (int64_t)n * n);
  for (int a = 0; a < n; ++a)
    for (int b = a + 1; b < n; ++b) {
      double *there = &r->threshold[a * n + b], *back = &r->threshold[b * n + a];
      const double both = fmax(most[a * n + b], most[b * n + a]);
      const bool alone = isnan(*there) != isnan(*back);
      if (isnan(*there)) *there = alone ? most[a * n + b] : both;
      if (isnan(*back)) *back = alone ? most[b * n + a] : both;
    }
  HP_FREE(most);
  return s;
}

hp_status hp_reservoir_set_fault_thresholds(hp_reservoir *r, int64_t count, const int64_t *a, const int64_t *b,
                                            const double *pressure) {
  const int64_t first = cells_of(r).first;
  int64_t all = count;
  HP_TRY(hp_spread_sum(r->spread, &all, 1));
  if (all == 0) return HP_OK;
  for (int d = 0; d < HP_DIRS; ++d) HP_TRY(HP_ALLOC(r->fault_threshold[d], r->ncell));
  HP_TRY(HP_ALLOC(r->link_threshold, r->connection != NULL ? r->connection->count : 0));
  for (int64_t n = 0; n < count; ++n) {
    int d;
    const int64_t at = hp_reservoir_find_pair(r, a[n], b[n], &d);
    if (d < 0 && at >= 0) r->link_threshold[at] = pressure[n];
    if (d >= 0 && at >= first && at < first + r->ncell) r->fault_threshold[d][at - first] = pressure[n];
  }
  return HP_OK;
}

/* ---- transmissibilities that change ---- */

hp_status hp_reservoir_change_trans(hp_reservoir *r) {
  for (int d = 0; d < HP_DIRS; ++d) {
    HP_TRY(HP_ALLOC(r->variable_trans[d], r->ncell));
    memcpy(r->variable_trans[d], r->trans[d], (size_t)r->ncell * sizeof *r->variable_trans[d]);
    r->trans[d] = r->variable_trans[d];
  }
  const int64_t count = r->connection != NULL ? r->connection->count : 0;
  HP_TRY(HP_ALLOC(r->variable_link_trans, count));
  if (count > 0) memcpy(r->variable_link_trans, r->link_trans, (size_t)count * sizeof *r->variable_link_trans);
  r->link_trans = r->variable_link_trans;
  return HP_OK;
}

int64_t hp_reservoir_find_pair(const hp_reservoir *r, int64_t a, int64_t b, int *d) {
  const int64_t column = r->nz, slice = (int64_t)r->nz * r->ny;
  *d = b == a + 1 && b % column != 0               ? HP_DIR_K
       : b == a + column && a / slice == b / slice ? HP_DIR_J
       : b == a + slice                            ? HP_DIR_I
                                                   : -1;
  if (*d >= 0) return a;
  const hp_grid_connections *c = r->connection;
  int64_t low = 0, high = c != NULL ? c->count : 0;
  while (low < high) {
    const int64_t mid = low + (high - low) / 2;
    if (c->a[mid] < a || (c->a[mid] == a && c->b[mid] < b)) low = mid + 1;
    else high = mid;
  }
  return c != NULL && low < c->count && c->a[low] == a && c->b[low] == b ? low : -1;
}

void hp_reservoir_multiply_trans(hp_reservoir *r, int64_t count, const int64_t *a, const int64_t *b,
                                 const double *factor) {
  for (int64_t n = 0; n < count; ++n) {
    int d;
    const int64_t at = hp_reservoir_find_pair(r, a[n], b[n], &d);
    if (at >= 0) (d >= 0 ? r->variable_trans[d] : r->variable_link_trans)[at] *= factor[n];
  }
}
