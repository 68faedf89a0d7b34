/* Threshold pressures between equilibration regions and of faults (THPRES, THPRESFT of Eclipse decks): a phase flows where
 * its potential difference is larger, and then with what is beyond the threshold. */
#include <math.h>

#include "core/memory.h"
#include "physics/assembly.inl.h"
#include "physics/reservoir.h"

/* The larger of *most and the potential differences of the phases that could flow between m and n. */
static void meet(const hp_reservoir *r, int64_t m, int64_t n, double *most) {
  hp_cell_props own, other;
  hp_cell_mass mass;
  hp_reservoir_eval(r, m, r->p[m], r->s[m], &own, &mass);
  hp_reservoir_eval(r, n, r->p[n], r->s[n], &other, &mass);
  const double h = 0.5 * HP_GRAVITY * (r->depth[m] - r->depth[n]);
  const double oil = own.p - other.p - (own.rho_o + other.rho_o) * h;
  const double water = own.pw - other.pw - (own.rho_w + other.rho_w) * h;
  if ((oil >= 0.0 ? own : other).lam_o > 0.0 && fabs(oil) > *most) *most = fabs(oil);
  if ((water >= 0.0 ? own : other).lam_w > 0.0 && fabs(water) > *most) *most = fabs(water);
}

static int region_of(const hp_reservoir *r, int64_t m) { return r->threshold_of != NULL ? r->threshold_of[m] : 0; }

/* Takes the pair of the cells' regions into `most`, if its threshold is to be found. */
static void visit(const hp_reservoir *r, int64_t m, int64_t n, double *most) {
  const int a = region_of(r, m), b = region_of(r, n), low = a < b ? a : b, high = a < b ? b : a;
  if (a != b && isnan(r->threshold[low * r->nthreshold + high])) meet(r, m, n, &most[low * r->nthreshold + high]);
}

static void visit_all(const hp_reservoir *r, double *most) {
  for (int64_t m = 0; m < r->ncell; ++m)
    for (int d = 0; d < HP_DIRS; ++d) {
      const int64_t stride = d == HP_DIR_K ? 1 : d == HP_DIR_J ? (int64_t)r->nz : (int64_t)r->nz * r->ny;
      if (r->trans[d][m] > 0.0) visit(r, m, m + stride, most);
    }
  for (int64_t row = 0; row < r->links.nrow; ++row)
    for (int64_t e = r->links.begin[row]; e < r->links.begin[row + 1]; ++e)
      visit(r, r->links.cell[row], r->links.other[e], most);
}

hp_status hp_reservoir_set_thresholds(hp_reservoir *r, int n, const double *threshold, const uint16_t *of) {
  double *most = NULL;
  if (threshold == NULL) return HP_OK;
  HP_TRY(HP_ALLOC(r->threshold, (int64_t)n * n));
  HP_TRY(HP_ALLOC(most, (int64_t)n * n));
  for (int e = 0; e < n * n; ++e) r->threshold[e] = threshold[e];
  r->nthreshold = n;
  r->threshold_of = of;
  visit_all(r, most);
  for (int a = 0; a < n; ++a)
    for (int b = a + 1; b < n; ++b)
      if (isnan(r->threshold[a * n + b])) r->threshold[a * n + b] = r->threshold[b * n + a] = most[a * n + b];
  HP_FREE(most);
  return HP_OK;
}

hp_status hp_reservoir_set_fault_thresholds(hp_reservoir *r, int64_t count, const int64_t *a, const int64_t *b,
                                            const double *pressure) {
  if (count == 0) return HP_OK;
  for (int d = 0; d < HP_DIRS; ++d) HP_TRY(HP_ALLOC(r->fault_threshold[d], r->ncell));
  HP_TRY(HP_ALLOC(r->link_threshold, r->connection != NULL ? r->connection->count : 0));
  for (int64_t n = 0; n < count; ++n) {
    int d;
    const int64_t at = hp_reservoir_find_pair(r, a[n], b[n], &d);
    if (at >= 0) (d >= 0 ? r->fault_threshold[d] : r->link_threshold)[at] = pressure[n];
  }
  return HP_OK;
}
