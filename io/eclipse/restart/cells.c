/* Arrays of cells of a report step become those of the deck's cells, some at a time, so that nobody holds them whole.
 *
 *     rank 0                                                       every rank
 *     which cells have a value: those of ACTNUM  -- bits -->       or <-- bits --> those that are active here
 *     their values, from the file                -- numbers -->    keeps those of its planes
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "io/eclipse/restart/restart.h"

enum { PIECE = 1 << 15 /* cells */, BITS = 64 };

typedef struct {
  hp_ecl *e;
  const hp_grid *g;
  const char *name;
  bool by_grid;                        /* cells that have a value are those that are active in the deck */
  hp_ecl_cells_stream *value, *active; /* of who opens files */
  int64_t bit[PIECE / BITS];
  double number[PIECE];
  double first; /* of all */
} reader;

static bool is_set(const reader *r, int64_t n) { return ((uint64_t)r->bit[n / BITS] >> (n % BITS) & 1u) != 0; }
static void set(reader *r, int64_t n) { r->bit[n / BITS] |= (int64_t)((uint64_t)1 << (n % BITS)); }

/* The place of the n-th cell in the file's order among those that are held; -1: it is not. */
static int64_t place_of(const hp_grid *g, int64_t n, int at[3]) {
  at[0] = (int)(n % g->nx);
  at[1] = (int)(n / g->nx % g->ny);
  at[2] = (int)(n / g->nx / g->ny);
  const int64_t m = hp_grid_cell(g, at[0], at[1], at[2]);
  return hp_grid_holds(g, m) ? hp_grid_place(g, m) : -1;
}

/* Which of the cells from `begin` on have a value; *found: how many. */
static hp_status find_bits(reader *r, int64_t begin, int64_t count, int64_t *found) {
  hp_spread *P = r->e->c->spread;
  memset(r->bit, 0, sizeof r->bit);
  if (r->by_grid) {
    for (int64_t n = 0; n < count; ++n) {
      int at[3];
      const int64_t m = place_of(r->g, begin + n, at);
      if (m >= 0 && m < r->g->owned && r->g->active[m]) set(r, n);
    }
    HP_TRY(hp_spread_sum(P, r->bit, PIECE / BITS)); /* each bit is one rank's */
  } else {
    if (hp_spread_opens_files(P)) HP_TRY(hp_ecl_cells_next(r->active, count, r->number));
    for (int64_t n = 0; hp_spread_opens_files(P) && n < count; ++n)
      if (r->number[n] != 0.0) set(r, n);
    HP_TRY(hp_spread_share(P, r->bit, sizeof r->bit));
  }
  *found = 0;
  for (int64_t n = 0; n < count; ++n) *found += is_set(r, n);
  return HP_OK;
}

static hp_status keep(reader *r, int64_t begin, int64_t count, double factor, double *out) {
  hp_ecl *e = r->e;
  for (int64_t n = 0, at = 0; n < count; ++n) {
    int ijk[3];
    const int64_t m = place_of(r->g, begin + n, ijk);
    const double v = is_set(r, n) ? r->number[at++] * factor : NAN;
    if (m < 0) continue;
    out[m] = v;
    if (isnan(v) && m < r->g->owned && r->g->active[m])
      return HP_ECL_RESTART_ERROR(e, "%s: cell (%d,%d,%d) is active here, and has no %s in it", e->restart->path,
                                  ijk[0] + 1, ijk[1] + 1, ijk[2] + 1, r->name);
  }
  return HP_OK;
}

static hp_status read_all(reader *r, double factor, double *out) {
  const int64_t all = hp_grid_cells(r->g);
  hp_spread *P = r->e->c->spread;
  for (int64_t begin = 0, count, found; begin < all; begin += PIECE) {
    count = all - begin < PIECE ? all - begin : PIECE;
    HP_TRY(find_bits(r, begin, count, &found));
    if (hp_spread_opens_files(P)) HP_TRY(hp_ecl_cells_next(r->value, found, r->number));
    HP_TRY(hp_spread_share(P, r->number, found * (int64_t)sizeof *r->number));
    if (isnan(r->first) && found > 0) r->first = r->number[0] * factor;
    HP_TRY(keep(r, begin, count, factor, out));
  }
  for (int64_t m = 0; m < r->g->ncell; ++m)
    if (isnan(out[m])) out[m] = r->first;
  return HP_OK;
}

/* How many cells ACTNUM has, by who opens files, for all. */
static hp_status count_active(reader *r, int64_t *active) {
  const hp_ecl_restart *R = r->e->restart;
  const hp_ecl_step_cells *a = &R->step.cells[HP_ECL_STEP_CELLS_ACTNUM];
  hp_ecl_cells_stream *s = NULL;
  *active = 0;
  if (hp_spread_opens_files(r->e->c->spread) && a->count > 0) {
    HP_TRY(hp_ecl_cells_open(R->egrid, a, &s));
    hp_status status = HP_OK;
    for (int64_t begin = 0, count; status == HP_OK && begin < a->count; begin += PIECE) {
      count = a->count - begin < PIECE ? a->count - begin : PIECE;
      status = hp_ecl_cells_next(s, count, r->number);
      for (int64_t n = 0; status == HP_OK && n < count; ++n) *active += r->number[n] != 0.0;
    }
    hp_ecl_cells_close(&s);
    HP_TRY(status);
  }
  return hp_spread_share(r->e->c->spread, active, sizeof *active);
}

static hp_status open_both(reader *r, hp_ecl_step_cells_array which) {
  const hp_ecl_restart *R = r->e->restart;
  if (!hp_spread_opens_files(r->e->c->spread)) return HP_OK;
  HP_TRY(hp_ecl_cells_open(R->path, &R->step.cells[which], &r->value));
  if (r->by_grid) return HP_OK;
  return hp_ecl_cells_open(R->egrid, &R->step.cells[HP_ECL_STEP_CELLS_ACTNUM], &r->active);
}

static hp_status check(reader *r, int64_t count) {
  hp_ecl *e = r->e;
  const hp_ecl_restart *R = e->restart;
  const int64_t of_file = R->step.cells[HP_ECL_STEP_CELLS_ACTNUM].count;
  int64_t active;
  if (count == 0) return HP_ECL_RESTART_ERROR(e, "%s: its report step %d has no %s", R->path, R->report, r->name);
  r->by_grid = count == r->g->nactive;
  if (r->by_grid) return HP_OK;
  HP_TRY(count_active(r, &active));
  if (of_file == hp_grid_cells(r->g) && active == count) return HP_OK;
  return HP_ECL_RESTART_ERROR(e, "%s: %lld values of %s, and this deck has %lld active cells%s", R->path,
                              (long long)count, r->name, (long long)r->g->nactive,
                              of_file == 0 ? "; an EGRID file beside it would say which cells these are" : "");
}

hp_status hp_ecl_restart_cells(hp_ecl *e, hp_ecl_step_cells_array which, double factor, double **out) {
  reader *r = NULL;
  HP_TRY(HP_ALLOC(r, 1));
  r->e = e;
  r->g = e->c->grid;
  static const char *const name[] = {
#define CELLS_NAME(id) #id,
      HP_ECL_STEP_CELLS_LIST(CELLS_NAME)
#undef CELLS_NAME
  };
  r->name = name[which];
  r->first = NAN;
  hp_status s = check(r, e->restart->step.cells[which].count);
  if (s == HP_OK) s = HP_ALLOC(*out, r->g->ncell);
  if (s == HP_OK) s = open_both(r, which);
  if (s == HP_OK) s = read_all(r, factor, *out);
  hp_ecl_cells_close(&r->value);
  hp_ecl_cells_close(&r->active);
  HP_FREE(r);
  return hp_ecl_restart_fault(e, s);
}

/* ---- the step, of rank 0 for all ---- */

static hp_status share_numbers(hp_spread *P, int64_t count, double **value) {
  bool there = *value != NULL;
  HP_TRY(hp_spread_share(P, &there, sizeof there));
  if (!there) return HP_OK;
  if (*value == NULL) HP_TRY(HP_ALLOC(*value, count));
  return hp_spread_share(P, *value, count * (int64_t)sizeof **value);
}

static hp_status share_faces(hp_spread *P, hp_ecl_step *s) {
  HP_TRY(hp_spread_share(P, &s->faces_count, sizeof s->faces_count));
  if (s->faces == NULL) HP_TRY(HP_ALLOC(s->faces, s->faces_count));
  for (int n = 0; n < s->faces_count; ++n) {
    hp_ecl_step_faces *f = &s->faces[n];
    HP_TRY(hp_spread_share(P, &f->number, sizeof f->number));
    HP_TRY(hp_spread_share(P, f->count, sizeof f->count));
    for (int k = 0; k < 2; ++k) HP_TRY(share_numbers(P, f->count[k], &f->value[k]));
  }
  return HP_OK;
}

hp_status hp_ecl_step_share(hp_spread *P, hp_ecl_step *s) {
  const int64_t name_bytes = (int64_t)sizeof *s->name;
  bool named = s->name != NULL;
  if (P == NULL) return HP_OK;
  HP_TRY(hp_spread_share(P, s->count, sizeof s->count));
  HP_TRY(hp_spread_share(P, s->cells, sizeof s->cells));
  for (int n = 0; n < HP_ECL_STEP_ARRAYS; ++n) HP_TRY(share_numbers(P, s->count[n], &s->value[n]));
  HP_TRY(hp_spread_share(P, &named, sizeof named));
  if (named && s->name == NULL) HP_TRY(HP_ALLOC(s->name, s->count[HP_ECL_STEP_ZWEL]));
  if (named) HP_TRY(hp_spread_share(P, s->name, s->count[HP_ECL_STEP_ZWEL] * name_bytes));
  return share_faces(P, s);
}
