/* Boxes of columns, and what the rank of each gets. */
#include "sim/part/bisection.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/test_hooks.h"
#include "linsolve/precond/bricks.h"
#include "sim/part/subdomain.h"

enum { SUM_ROWS = 64 };

/* Cells of a sum: whole columns side by side, enough for the lanes of a sum to be worth their while. */
static int64_t chunk_of(const hp_grid *g, bool bricks) {
  const int64_t rows = (int64_t)g->nz * HP_PHASES;
  int64_t columns = 1;
  if (2 * rows >= SUM_ROWS) return g->nz;
  if (bricks) return (int64_t)hp_dilu_bricks_of(g->nx, g->ny, g->nz).size[1] * g->nz;
  while (columns * rows < SUM_ROWS && columns < g->ny) columns *= 2;
  return columns * g->nz;
}

static int64_t common(int64_t a, int64_t b) { return b == 0 ? a : common(b, a % b); }

/* Weights of columns, in active cells. */
static void weigh(const hp_bisection_input *in, double *weight) {
  const hp_grid *g = in->grid;
  const double perforation = 1.0, link = 0.15; /* shares of what a cell costs, roughly */
  for (int64_t m = 0; in->active != NULL && m < g->ncell; ++m) weight[m / g->nz] += in->active[m] != 0;
  for (int64_t c = 0; in->active == NULL && c < (int64_t)g->nx * g->ny; ++c) weight[c] = in->count[c];
  for (int64_t q = 0; q < in->wells->nperf; ++q) weight[in->wells->cell[q] / g->nz] += perforation;
  for (int64_t n = 0; in->ends == NULL && n < g->connection.count; ++n) {
    weight[g->connection.a[n] / g->nz] += link;
    weight[g->connection.b[n] / g->nz] += link;
  }
  for (int64_t c = 0; in->ends != NULL && c < (int64_t)g->nx * g->ny; ++c)
    for (int32_t n = 0; n < in->ends[c]; ++n) weight[c] += link; /* the same roundings */
}

static double random_of(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) / 16777216.0;
}

/* Tests: lines of columns weigh more or less by chance, so that cuts stand anywhere (docs/developer/checking.md). */
static void weigh_by_chance(const hp_bisection_input *in, double *weight) {
  const int64_t seed = hp_test_hooks_get()->ranks_cut;
  const hp_grid *g = in->grid;
  if (seed < 0) return;
  uint32_t state = (uint32_t)seed * 2654435761u;
  for (int i = 0; i < g->nx; ++i) {
    const double factor = pow(100.0, -random_of(&state));
    for (int j = 0; j < g->ny; ++j) weight[j + (int64_t)g->ny * i] *= factor;
  }
  for (int j = 0; j < g->ny; ++j) {
    const double factor = pow(100.0, -random_of(&state));
    for (int i = 0; i < g->nx; ++i) weight[j + (int64_t)g->ny * i] *= factor;
  }
}

static void weigh_boxes(const hp_bisection_input *in, const double *weight, int ranks, const hp_box *boxes,
                        hp_bisection_outcome *out) {
  for (int r = 0; r < ranks; ++r) {
    double sum = 0.0;
    for (int i = boxes[r].i0; i < boxes[r].i1; ++i)
      for (int j = boxes[r].j0; j < boxes[r].j1; ++j) sum += weight[j + (int64_t)in->grid->ny * i];
    out->largest = fmax(out->largest, sum);
    out->mean += sum / ranks;
  }
}

/* Columns of neighbouring perforations of a well, which had better stay together. */
static int64_t find_pairs(const hp_bisection_input *in, int64_t *a, int64_t *b) {
  const hp_wells *W = in->wells;
  int64_t count = 0;
  for (int64_t q = 1; q < W->nperf; ++q) {
    const int64_t one = W->cell[q - 1] / in->grid->nz, two = W->cell[q] / in->grid->nz;
    if (W->of[q] != W->of[q - 1] || one == two) continue;
    a[count] = one;
    b[count++] = two;
  }
  return count;
}

/* Cuts stand between chunks of sums and between bricks, so that no number of ranks changes either. A grid with fewer
 * pieces than ranks has no cells for the last ones. */
static hp_status cut(const hp_bisection_input *in, const double *weight, int64_t npair, const int64_t *a,
                     const int64_t *b, int ranks, hp_box *boxes, hp_bisection_outcome *out) {
  const hp_grid *g = in->grid;
  const hp_dilu_bricks bricks = hp_dilu_bricks_of(g->nx, g->ny, g->nz);
  const int64_t chunk = out->chunk / g->nz, side = in->bricks ? bricks.size[1] : 1;
  const int step[] = {in->bricks ? bricks.size[2] : 1, (int)(side / common(side, chunk) * chunk)};
  const int64_t pieces = hp_parts(g->nx, step[0]) * hp_parts(g->ny, step[1]);
  hp_partition_options o = {.parts = ranks, .weight = weight, .npair = npair, .a = a, .b = b, .slack = 0.05};
  if (ranks > (int64_t)g->nx * g->ny) return hp_partition_columns(g->nx, g->ny, &o, boxes); /* which refuses */
  o.step[0] = step[0];
  o.step[1] = step[1];
  if (pieces < ranks) o.parts = (int)pieces;
  for (int r = o.parts; r < ranks; ++r) boxes[r] = (hp_box){.i0 = 0, .i1 = 0, .j0 = 0, .j1 = 1};
  out->empty = ranks - o.parts;
  return hp_partition_columns(g->nx, g->ny, &o, boxes);
}

hp_status hp_bisect_columns(const hp_bisection_input *in, int ranks, hp_box *boxes, hp_bisection_outcome *out) {
  const hp_grid *g = in->grid;
  const int64_t nperf = in->wells->nperf;
  double *weight = NULL;
  int64_t *pair = NULL;
  *out = (hp_bisection_outcome){.chunk = chunk_of(g, in->bricks)};
  hp_status s = HP_ALLOC(weight, (int64_t)g->nx * g->ny);
  if (s == HP_OK) s = HP_ALLOC(pair, 2 * nperf);
  if (s == HP_OK) {
    weigh(in, weight);
    weigh_by_chance(in, weight);
    s = cut(in, weight, find_pairs(in, pair, pair + nperf), pair, pair + nperf, ranks, boxes, out);
  }
  if (s == HP_OK) weigh_boxes(in, weight, ranks, boxes, out);
  HP_FREE(weight);
  HP_FREE(pair);
  return s;
}

void hp_bisection_warn(const hp_bisection_outcome *cut, int ranks, char *out, size_t size) {
  out[0] = '\0';
  if (cut->empty > 0)
    snprintf(out, size, "the grid is too small for so many ranks: %d of %d %s no cells", cut->empty, ranks,
             cut->empty == 1 ? "has" : "have");
}

/* ---- what a rank gets ---- */

typedef struct {
  const hp_bisection_input *in;
  int ranks;
  const hp_box *boxes;
  const hp_bisection_outcome *cut;
  int *owner;              /* [nx ny] ranks of columns */
  bool *near;              /* [ranks ranks] ranks that exchange cells */
  int64_t *sent;           /* [ranks] ghosts of others that are read, by their owners */
  hp_subdomain_link *link; /* [connections of the grid] of a rank */
} measurement;

static int owner_of(const measurement *M, int64_t cell) { return M->owner[cell / M->in->grid->nz]; }

static int64_t pick_links(const measurement *M, int rank) {
  const hp_grid_connections *c = &M->in->grid->connection;
  int64_t count = 0;
  for (int64_t n = 0; n < c->count; ++n)
    if (owner_of(M, c->a[n]) == rank || owner_of(M, c->b[n]) == rank)
      M->link[count++] = (hp_subdomain_link){.a = c->a[n], .b = c->b[n], .of = n};
  return count;
}

/* Between cell m and the next one along d. */
static bool is_cut(const measurement *M, int rank, int64_t m, int d) {
  const hp_grid *g = M->in->grid;
  const int64_t next = m + hp_grid_stride(g, d);
  return g->trans[d][m] > 0.0 && (owner_of(M, m) == rank) != (owner_of(M, next) == rank);
}

/* Of the box, of those behind it only the faces to it. */
static int64_t count_cut_faces(const measurement *M, int rank) {
  const hp_grid *g = M->in->grid;
  const hp_box b = M->boxes[rank];
  int64_t count = 0;
  for (int i = b.i0 > 0 ? b.i0 - 1 : 0; i < b.i1; ++i)
    for (int j = b.j0 > 0 ? b.j0 - 1 : 0; j < b.j1; ++j)
      for (int k = 0; k < g->nz; ++k) {
        const int64_t m = hp_grid_cell(g, i, j, k);
        count += i + 1 < g->nx && is_cut(M, rank, m, HP_DIR_I);
        count += j + 1 < g->ny && is_cut(M, rank, m, HP_DIR_J);
      }
  return count;
}

static hp_status measure_part(measurement *M, int rank, hp_part_counts *out) {
  const hp_bisection_input *in = M->in;
  const hp_grid *g = in->grid;
  const hp_box b = M->boxes[rank];
  hp_subdomain D = {.rank = rank, .ranks = M->ranks, .boxes = (hp_box *)M->boxes};
  D.part = (hp_part){.size = {g->nz, g->ny, g->nx}, .chunk = M->cut->chunk, .whole = g->ncell};
  *out = (hp_part_counts){.columns = (int64_t)(b.i1 - b.i0) * (b.j1 - b.j0), .connections = pick_links(M, rank)};
  out->cut_faces = count_cut_faces(M, rank);
  for (int64_t n = 0; n < out->connections; ++n)
    out->cut_faces += owner_of(M, M->link[n].a) != owner_of(M, M->link[n].b);
  for (int64_t q = 0; q < in->wells->nperf; ++q) out->perforations += owner_of(M, in->wells->cell[q]) == rank;
  for (int i = b.i0; i < b.i1; ++i)
    for (int64_t m = g->nz * (b.j0 + (int64_t)g->ny * i), n = 0; n < (int64_t)g->nz * (b.j1 - b.j0); ++n)
      out->active += in->active[m + n] != HP_CELL_INACTIVE;
  const hp_status s = hp_subdomain_lay_out(&D, in->wells, out->connections, M->link);
  out->ghosts = D.part.nghost;
  out->cells = D.cells;
  out->lattice[0] = D.nx;
  out->lattice[1] = D.ny;
  out->lattice[2] = g->nz;
  for (int64_t n = 0; n < D.part.nghost && s == HP_OK; ++n)
    if (D.part.is_read[n]) {
      out->read += 1;
      M->sent[D.part.owner[n]] += 1;
      M->near[(int64_t)rank * M->ranks + D.part.owner[n]] = M->near[(int64_t)D.part.owner[n] * M->ranks + rank] = true;
    }
  hp_subdomain_drop_columns(&D);
  return s;
}

static int64_t count_cut_wells(const measurement *M) {
  const hp_wells *W = M->in->wells;
  int64_t count = 0;
  for (int w = 0; w < W->nwell; ++w) {
    bool cut_here = false;
    for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q)
      cut_here = cut_here || owner_of(M, W->cell[q]) != owner_of(M, W->cell[W->begin[w]]);
    count += cut_here;
  }
  return count;
}

hp_status hp_bisection_measure(const hp_bisection_input *in, int ranks, const hp_box *boxes,
                               const hp_bisection_outcome *of, hp_part_counts *part, int64_t *cut_wells) {
  const hp_grid *g = in->grid;
  measurement M = {.in = in, .ranks = ranks, .boxes = boxes, .cut = of};
  hp_status s = HP_ALLOC(M.owner, (int64_t)g->nx * g->ny);
  if (s == HP_OK) s = HP_ALLOC(M.near, (int64_t)ranks * ranks);
  if (s == HP_OK) s = HP_ALLOC(M.sent, ranks);
  if (s == HP_OK) s = HP_ALLOC(M.link, g->connection.count);
  for (int r = 0; r < ranks && s == HP_OK; ++r)
    for (int i = boxes[r].i0; i < boxes[r].i1; ++i)
      for (int j = boxes[r].j0; j < boxes[r].j1; ++j) M.owner[j + (int64_t)g->ny * i] = r;
  for (int r = 0; r < ranks && s == HP_OK; ++r) s = measure_part(&M, r, &part[r]);
  for (int r = 0; r < ranks && s == HP_OK; ++r) part[r].sent = M.sent[r];
  for (int r = 0; r < ranks && s == HP_OK; ++r)
    for (int o = 0; o < ranks; ++o) part[r].neighbours += M.near[(int64_t)r * ranks + o];
  if (s == HP_OK) *cut_wells = count_cut_wells(&M);
  HP_FREE(M.owner);
  HP_FREE(M.near);
  HP_FREE(M.sent);
  HP_FREE(M.link);
  return s;
}
