/* Productivity indices and average pressures around wells, for vectors that ask for them. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/case/vectors.h"
#include "sim/simulator/simulator.h"

/* A cell around a perforation. */
typedef enum { CENTRE, ACROSS_FACE, ACROSS_EDGE, KINDS } kind;

/* Contents of a cell, as words that ranks can add. */
typedef struct {
  double pressure, density, pore_volume; /* [Pa], [kg/m3], [m3] 0: inactive */
} content;

struct hp_averages {
  int64_t *begin; /* [nperf + 1] cells of a perforation in */
  int64_t *place; /* [count] of the whole grid; once there is a backend, in its reservoir, -1: not here */
  uint8_t *kind;  /* [count] */
  content *cell;  /* [count] */
  int64_t count;
};

/* ---- the cells ---- */

static int axis_of(int d) { return HP_DIR_I - d; } /* place of a direction in i, j, k */

static void add_cell(struct hp_averages *A, const hp_grid *g, const int at[3], kind k) {
  const int n[3] = {g->nx, g->ny, g->nz};
  for (int d = 0; d < 3; ++d)
    if (at[d] < 0 || at[d] >= n[d]) return;
  A->kind[A->count] = (uint8_t)k;
  A->place[A->count++] = at[2] + g->nz * (at[1] + (int64_t)g->ny * at[0]);
}

static void list_around(struct hp_averages *A, const hp_grid *g, const hp_perf_spec *p) {
  const int d = hp_perf_direction(p), a = axis_of((d + 1) % HP_DIRS), b = axis_of((d + 2) % HP_DIRS);
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y) {
      int at[3] = {p->i, p->j, p->k};
      at[a] += x;
      at[b] += y;
      add_cell(A, g, at, x == 0 && y == 0 ? CENTRE : x == 0 || y == 0 ? ACROSS_FACE : ACROSS_EDGE);
    }
}

static hp_status create_averages(hp_sim *S) {
  enum { MOST = 9 };
  const hp_wells *W = S->wells;
  HP_TRY(HP_ALLOC(S->averages, 1));
  struct hp_averages *A = S->averages;
  HP_TRY(HP_ALLOC(A->begin, W->nperf + 1));
  HP_TRY(HP_ALLOC(A->place, MOST * W->nperf));
  HP_TRY(HP_ALLOC(A->kind, MOST * W->nperf));
  HP_TRY(HP_ALLOC(A->cell, MOST * W->nperf));
  for (int64_t q = 0; q < W->nperf; ++q) {
    list_around(A, S->c->grid, &W->spec[q]);
    A->begin[q + 1] = A->count;
  }
  return HP_OK;
}

hp_status hp_sim_averages_create(hp_sim *S) {
  const hp_case *c = S->c;
  if (!c->output.summary) return HP_OK;
  const bool index = hp_summary_vectors_ask(c, HP_SUMMARY_VECTOR_WPI, HP_SUMMARY_VECTOR_WPIL) ||
                     hp_summary_vectors_ask(c, HP_SUMMARY_VECTOR_CPI, HP_SUMMARY_VECTOR_CPI);
  if (index) HP_TRY(HP_ALLOC(S->productivity, S->wells->nperf));
  return hp_summary_vectors_ask(c, HP_SUMMARY_VECTOR_WBP, HP_SUMMARY_VECTOR_WBP9) ? create_averages(S) : HP_OK;
}

void hp_sim_averages_place(hp_sim *S) {
  struct hp_averages *A = S->averages;
  for (int64_t n = 0; A != NULL && n < A->count; ++n) A->place[n] = hp_backend_place_of(S->backend, A->place[n]);
}

void hp_sim_averages_destroy(hp_sim *S) {
  HP_FREE(S->productivity);
  if (S->averages == NULL) return;
  HP_FREE(S->averages->begin);
  HP_FREE(S->averages->place);
  HP_FREE(S->averages->kind);
  HP_FREE(S->averages->cell);
  HP_FREE(S->averages);
}

/* The cells' contents, of several ranks as the bits of the one that has a cell. */
static hp_status look(hp_sim *S) {
  enum { WORDS = sizeof(content) / sizeof(int64_t) };
  struct hp_averages *A = S->averages;
  HP_TRY(hp_backend_get(S->backend, HP_ARRAYS_STATE));
  const hp_reservoir *r = S->backend->res;
  for (int64_t n = 0; n < A->count; ++n) {
    const int64_t m = A->place[n];
    A->cell[n] = (content){0.0, 0.0, 0.0};
    if (m < 0 || r->active[m] == HP_CELL_INACTIVE) continue;
    hp_cell_props c;
    hp_cell_mass mass;
    hp_reservoir_eval(r, m, r->p[m], r->s[m], &c, &mass);
    A->cell[n] = (content){r->p[m], r->s[m] * c.rho_w + (1.0 - r->s[m]) * c.rho_o, r->pore_volume[m]};
  }
  hp_ranks_sum(S->K, (int64_t *)(void *)A->cell, (int)(A->count * WORDS));
  return HP_OK;
}

/* ---- means ---- */

typedef struct {
  double sum, weight;
} mean;

static void add(mean *m, double value, double weight) {
  m->sum += weight * value;
  m->weight += weight;
}
static void add_mean(mean *m, const mean *of, double weight) {
  if (of->weight > 0.0) add(m, of->sum / of->weight, weight);
}
static void add_all(mean *m, const mean *of) {
  m->sum += of->sum;
  m->weight += of->weight;
}

/* Of the means of each kind of cells: WBP, WBP4, WBP5, WBP9. inner < 0: as they are weighted already. */
static void combine(const mean of[KINDS], double inner, mean out[HP_AVERAGES]) {
  mean around = of[ACROSS_FACE];
  memset(out, 0, HP_AVERAGES * sizeof *out);
  add_all(&around, &of[ACROSS_EDGE]);
  add_all(&out[HP_AVERAGE_1], &of[CENTRE]);
  add_all(&out[HP_AVERAGE_4], &of[ACROSS_FACE]);
  if (inner < 0.0) {
    add_all(&out[HP_AVERAGE_5], &of[CENTRE]);
    add_all(&out[HP_AVERAGE_5], &of[ACROSS_FACE]);
    add_all(&out[HP_AVERAGE_9], &of[CENTRE]);
    add_all(&out[HP_AVERAGE_9], &around);
    return;
  }
  add_mean(&out[HP_AVERAGE_5], &of[CENTRE], inner);
  add_mean(&out[HP_AVERAGE_5], &of[ACROSS_FACE], 1.0 - inner);
  add_mean(&out[HP_AVERAGE_9], &of[CENTRE], inner);
  add_mean(&out[HP_AVERAGE_9], &around, 1.0 - inner);
}

/* The head that is added to pressures around perforation q [Pa]. */
static double head_of(const hp_sim *S, const hp_average *how, int w, int64_t q) {
  const struct hp_averages *A = S->averages;
  const hp_wells *W = S->wells;
  const double depth = isnan(how->depth) ? W->ref_depth[w] : how->depth;
  mean density = {0.0, 0.0};
  if (how->head == HP_AVERAGE_HEAD_NONE) return 0.0;
  for (int64_t n = A->begin[q]; n < A->begin[q + 1]; ++n) add(&density, A->cell[n].density, A->cell[n].pore_volume);
  const double of_cells = density.weight > 0.0 ? density.sum / density.weight : 0.0;
  const bool by_well = how->head == HP_AVERAGE_HEAD_WELL && W->density[q] > 0.0;
  return (by_well ? W->density[q] : of_cells) * HP_GRAVITY * (depth - W->depth[q]);
}

static void average(const hp_sim *S, int w, double out[HP_AVERAGES]) {
  const struct hp_averages *A = S->averages;
  const hp_wells *W = S->wells;
  const hp_average how = hp_average_at(S->c, w, S->time);
  mean by_factor[HP_AVERAGES] = {{0.0, 0.0}}, by_volume[HP_AVERAGES], volumes[KINDS] = {{0.0, 0.0}};
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
    const double factor = how.of == HP_AVERAGE_OF_ALL ? W->wi_open[q] * W->multiplier[q] : W->wi[q];
    const double head = head_of(S, &how, w, q);
    mean of[KINDS] = {{0.0, 0.0}}, here[HP_AVERAGES];
    if (!(factor > 0.0)) continue;
    for (int64_t n = A->begin[q]; n < A->begin[q + 1]; ++n) {
      const content *cell = &A->cell[n];
      if (!(cell->pore_volume > 0.0)) continue;
      add(&of[A->kind[n]], cell->pressure + head, how.inner < 0.0 ? cell->pore_volume : 1.0);
      add(&volumes[A->kind[n]], cell->pressure + head, cell->pore_volume);
    }
    combine(of, how.inner, here);
    for (int n = 0; n < HP_AVERAGES; ++n) add_mean(&by_factor[n], &here[n], factor);
  }
  combine(volumes, -1.0, by_volume);
  for (int n = 0; n < HP_AVERAGES; ++n) {
    const mean *f = &by_factor[n], *v = &by_volume[n];
    out[n] = f->weight > 0.0 ? how.by_factor * f->sum / f->weight : 0.0;
    if (v->weight > 0.0) out[n] += (1.0 - how.by_factor) * v->sum / v->weight;
  }
}

/* ---- productivity ---- */

/* Surface rates per pressure: of each phase into a producer, of the injected one into the cell. */
static void find_productivity(hp_sim *S) {
  const hp_wells *W = S->wells;
  for (int w = 0; w < W->nwell; ++w)
    for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
      double *to = S->productivity[q];
      to[HP_OIL] = to[HP_WATER] = 0.0;
      if (W->mode[w] == HP_CONTROL_SHUT) continue;
      if (W->control[w].injector) to[W->control[w].phase] = W->rate[q].receivable;
      else memcpy(to, W->rate[q].producible, sizeof W->rate[q].producible);
    }
}

hp_status hp_sim_averages(hp_sim *S, hp_well_row *row) {
  const hp_wells *W = S->wells;
  if (S->productivity == NULL && S->averages == NULL) return HP_OK;
  HP_TRY(hp_backend_get(S->backend, HP_SET_WELLS));
  if (S->productivity != NULL) find_productivity(S);
  if (S->averages == NULL) return HP_OK;
  HP_TRY(look(S));
  for (int w = 0; w < W->nwell; ++w) average(S, w, row[w].average);
  return HP_OK;
}
