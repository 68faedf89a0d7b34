/* GRID and EDIT: blocks or corners; multipliers where the numbers follow from them, else pore volumes and
 * transmissibilities; connections of cells that are not neighbours. */
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "io/case/connections.h"
#include "io/case/faults.h"
#include "io/export/eclipse/impl.h"

static const char *const perm[HP_DIRS] = {"PERMZ", "PERMY", "PERMX"},
                         *const mult[HP_DIRS] = {"MULTZ", "MULTY", "MULTX"},
                         *const tran[HP_DIRS] = {"TRANZ", "TRANY", "TRANX"};

/* The array with another number in inactive cells, which mean nothing. */
static hp_status sound_cells(hp_deck_out *o, const char *keyword, hp_quantity q, const double *v, double inactive) {
  const hp_grid *g = o->c->grid;
  double *copy;
  HP_TRY(HP_ALLOC(copy, g->ncell));
  for (int64_t m = 0; m < g->ncell; ++m) copy[m] = g->active[m] ? v[m] : inactive;
  hp_out_cells(o, keyword, q, copy);
  HP_FREE(copy);
  return HP_OK;
}

static double of_first_active(const hp_grid *g, const double *v) {
  int64_t m = 0;
  while (m < g->ncell - 1 && !g->active[m]) ++m;
  return v[m];
}

static bool all_are(const hp_grid *g, const double *v, double value) {
  for (int64_t m = 0; m < g->ncell; ++m)
    if (g->active[m] && v[m] != value) return false;
  return true;
}

static bool alike(const hp_grid *g, const double *a, const double *b) {
  for (int64_t m = 0; m < g->ncell; ++m)
    if (g->active[m] && a[m] != b[m]) return false;
  return true;
}

/* ---- cells ---- */

/* Tops of the first layer, where all others follow from thicknesses; else of all cells. */
static hp_status tops(hp_deck_out *o) {
  const hp_grid *g = o->c->grid;
  const int64_t columns = (int64_t)g->nx * g->ny;
  double *top;
  bool follow = true;
  HP_TRY(HP_ALLOC(top, g->ncell));
  for (int64_t m = 0; m < g->ncell; ++m) {
    const double z = g->depth[m] - 0.5 * g->dz[m];
    top[m] = z;
    if (m % g->nz > 0 && fabs(top[m - 1] + g->dz[m - 1] - z) > 1e-12 * fabs(z)) follow = false;
  }
  hp_grid_to_natural(g->nx, g->ny, g->nz, top, o->natural);
  hp_out_array(o, "TOPS", HP_UNIT_LENGTH, follow ? columns : g->ncell, o->natural);
  HP_FREE(top);
  return HP_OK;
}

static void corners(hp_deck_out *o) {
  const hp_case *c = o->c;
  const hp_grid *g = c->grid;
  const hp_pillar_systems *s = &c->systems;
  const int64_t pillars = (int64_t)(g->nx + 1) * (g->ny + 1) * hp_pillar_systems_sets(s);
  fprintf(o->f, "SPECGRID\n %d %d %d %d F /\n", g->nx, g->ny, g->nz, hp_pillar_systems_sets(s));
  if (s->count > 1) {
    fputs("COORDSYS\n", o->f);
    for (int n = 0; n < s->count; ++n)
      fprintf(o->f, " %d %d INCOMP %s %d %d /\n", s->at[n].first + 1, s->at[n].last + 1,
              s->at[n].joined ? "JOIN" : "SEPARATE", s->at[n].beside[0] + 1, s->at[n].beside[1] + 1);
  }
  hp_out_array(o, "COORD", HP_UNIT_LENGTH, 6 * pillars, c->coord);
  hp_out_array(o, "ZCORN", HP_UNIT_LENGTH, 8 * g->ncell, c->zcorn);
}

static hp_status shape(hp_deck_out *o) {
  const hp_grid *g = o->c->grid;
  double *a;
  if (o->c->coord != NULL) corners(o);
  else {
    hp_out_cells(o, "DX", HP_UNIT_LENGTH, g->dx);
    hp_out_cells(o, "DY", HP_UNIT_LENGTH, g->dy);
    hp_out_cells(o, "DZ", HP_UNIT_LENGTH, g->dz);
    HP_TRY(tops(o));
  }
  if (g->nactive == g->ncell) return HP_OK;
  HP_TRY(HP_ALLOC(a, g->ncell));
  for (int64_t m = 0; m < g->ncell; ++m) a[m] = g->active[m] != 0;
  hp_out_cells(o, "ACTNUM", HP_UNIT_NONE, a);
  HP_FREE(a);
  return HP_OK;
}

/* An active cell that the default of MINPV would drop. */
static void least_volume(hp_deck_out *o) {
  const hp_grid *g = o->c->grid;
  double least = INFINITY;
  for (int64_t m = 0; m < g->ncell; ++m)
    if (g->active[m]) least = fmin(least, g->pore_volume[m]);
  if (least >= 2e-6 * o->units.factor[HP_UNIT_RESERVOIR_VOLUME]) return;
  fputs("MINPV\n", o->f);
  hp_out_number(o, HP_UNIT_RESERVOIR_VOLUME, 0.5 * least);
  fputs(" /\n", o->f);
}

/* Whether the numbers of a block-centred grid are those of cells and multipliers. */
static bool follows(const hp_case *c) {
  return c->coord == NULL && c->porv == NULL && c->tran[0] == NULL && c->tran[1] == NULL && c->tran[2] == NULL &&
         c->connection.count == 0;
}

hp_status hp_out_grid(hp_deck_out *o) {
  const hp_case *c = o->c;
  const hp_grid *g = c->grid;
  HP_TRY(shape(o));
  HP_TRY(sound_cells(o, "PORO", HP_UNIT_NONE, g->porosity, of_first_active(g, g->porosity)));
  if (!all_are(g, g->ntg, 1.0)) HP_TRY(sound_cells(o, "NTG", HP_UNIT_NONE, g->ntg, 1.0));
  for (int d = HP_DIR_I; d >= HP_DIR_K; --d)
    if (d == HP_DIR_I || !alike(g, g->perm[d], g->perm[HP_DIR_I]))
      HP_TRY(sound_cells(o, perm[d], HP_UNIT_PERMEABILITY, g->perm[d], of_first_active(g, g->perm[d])));
  if (follows(c)) {
    if (c->mult_pv != NULL && !all_are(g, c->mult_pv, 1.0))
      HP_TRY(sound_cells(o, "MULTPV", HP_UNIT_NONE, c->mult_pv, 1.0));
    for (int d = HP_DIR_I; d >= HP_DIR_K; --d)
      if (c->mult[d] != NULL && !all_are(g, c->mult[d], 1.0))
        HP_TRY(sound_cells(o, mult[d], HP_UNIT_NONE, c->mult[d], 1.0));
  }
  hp_out_include(o);
  for (int d = HP_DIR_J; d >= HP_DIR_K; --d)
    if (alike(g, g->perm[d], g->perm[HP_DIR_I])) fprintf(o->f, "COPY\n PERMX %s /\n/\n", perm[d]);
  least_volume(o);
  hp_out_faults(o);
  return HP_OK;
}

/* ---- EDIT ---- */

static bool near_to(double a, double b) { return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b)); }

static void pair(hp_deck_out *o, const char *keyword, bool *some, int64_t a, int64_t b, hp_quantity q, double v) {
  if (!*some) fprintf(o->f, "%s\n", keyword);
  *some = true;
  for (int end = 0; end < 2; ++end) {
    int at[3];
    hp_grid_ijk(o->c->grid, end == 0 ? a : b, at);
    fprintf(o->f, " %d %d %d", at[0] + 1, at[1] + 1, at[2] + 1);
  }
  hp_out_number(o, q, v);
  fputs(" /\n", o->f);
}

/* Numbers that a reader finds in the geometry of a corner-point grid alone. */
typedef struct {
  double *porv, *tran[HP_DIRS];
  int64_t links;
  hp_cell_pair *link; /* [links] rising */
} geometry;

static void clear_geometry(geometry *by) {
  HP_FREE(by->porv);
  for (int d = 0; d < HP_DIRS; ++d) HP_FREE(by->tran[d]);
  HP_FREE(by->link);
}

static hp_status find_geometry(const hp_case *c, geometry *by) {
  hp_case plain = *c; /* without multipliers; its new arrays are those of `by` */
  hp_case_links links = {0};
  plain.porv = plain.mult_pv = NULL;
  for (int d = 0; d < HP_DIRS; ++d) plain.tran[d] = plain.mult[d] = NULL;
  hp_status s = c->coord != NULL ? hp_case_fill_corners(&plain, HP_CASE_MATCH, &links) : HP_OK;
  by->porv = plain.porv;
  for (int d = 0; d < HP_DIRS; ++d) by->tran[d] = plain.tran[d];
  if (s == HP_OK) s = HP_ALLOC(by->link, links.count);
  for (int64_t n = 0; n < links.count && s == HP_OK; ++n)
    by->link[by->links++] = (hp_cell_pair){links.at[n].a, links.at[n].b, links.at[n].trans};
  hp_case_links_clear(&links);
  if (s == HP_OK && by->links > 1) qsort(by->link, (size_t)by->links, sizeof *by->link, hp_cell_pair_compare);
  return s;
}

static bool volumes_follow(const hp_grid *g, const geometry *by) {
  for (int64_t m = 0; m < g->ncell && by->porv != NULL; ++m)
    if (g->active[m] && !near_to(by->porv[m], g->pore_volume[m])) return false;
  return by->porv != NULL;
}

static bool faces_follow(const hp_grid *g, const double *by, int d) {
  const int n[3] = {g->nx, g->ny, g->nz};
  for (int64_t m = 0; m < g->ncell && by != NULL; ++m) {
    int at[3];
    hp_grid_ijk(g, m, at);
    if (at[2 - d] + 1 == n[2 - d] || !g->active[m] || !g->active[m + hp_grid_stride(g, d)]) continue;
    if (!near_to(isnan(by[m]) ? 0.0 : by[m], g->trans[d][m])) return false;
  }
  return by != NULL;
}

/* Connections that the geometry does not give; goes along both rising lists. */
static void nnc(hp_deck_out *o, const geometry *by) {
  const hp_grid_connections *list = &o->c->grid->connection;
  bool some = false;
  for (int64_t n = 0, at = 0; n < list->count; ++n) {
    const hp_cell_pair one = {list->a[n], list->b[n], list->trans[n]};
    while (at < by->links && hp_cell_pair_compare(&by->link[at], &one) < 0) ++at;
    if (at < by->links && hp_cell_pair_compare(&by->link[at], &one) == 0) continue;
    pair(o, "NNC", &some, one.a, one.b, HP_UNIT_CONNECTION, one.value);
  }
  if (some) fputs("/\n", o->f);
}

/* Factors of those that it gives. */
static void editnnc(hp_deck_out *o, const geometry *by) {
  const hp_grid_connections *list = &o->c->grid->connection;
  const double least = HP_CASE_LEAST * o->units.factor[HP_UNIT_CONNECTION];
  bool some = false;
  for (int64_t n = 0, at = 0; n < by->links; ++n) {
    const hp_cell_pair *one = &by->link[n];
    double trans = 0.0;
    for (; at < list->count; ++at) {
      const hp_cell_pair kept = {list->a[at], list->b[at], list->trans[at]};
      const int order = hp_cell_pair_compare(&kept, one);
      if (order == 0) trans = kept.value;
      if (order >= 0) break;
    }
    if (near_to(trans, one->value) || (trans == 0.0 && one->value < least)) continue;
    pair(o, "EDITNNC", &some, one->a, one->b, HP_UNIT_NONE, trans / one->value);
  }
  if (some) fputs("/\n", o->f);
}

hp_status hp_out_edit(hp_deck_out *o) {
  const hp_case *c = o->c;
  const hp_grid *g = c->grid;
  geometry by = {0};
  if (follows(c)) return HP_OK;
  hp_status s = find_geometry(c, &by);
  if (s == HP_OK) {
    nnc(o, &by);
    hp_out_section(o, "EDIT");
    if (!volumes_follow(g, &by)) hp_out_cells(o, "PORV", HP_UNIT_RESERVOIR_VOLUME, g->pore_volume);
    for (int d = HP_DIR_I; d >= HP_DIR_K; --d)
      if (!faces_follow(g, by.tran[d], d)) hp_out_cells(o, tran[d], HP_UNIT_CONNECTION, g->trans[d]);
    editnnc(o, &by);
    hp_out_include(o);
  }
  clear_geometry(&by);
  return s;
}
