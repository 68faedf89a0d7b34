/* Memory of a run on GPUs as it is predicted: in all, and on each GPU of several (core/device/pages.h). */
#include <string.h>

#include "amg/cpr/device.h"
#include "linsolve/krylov/device.h"
#include "linsolve/precond/device.h"
#include "sim/backend/backend.h"

/* ---- parts ---- */

/* All bytes but `vectors` in all; vectors: how many of a length of all rows stand one behind the other. */
typedef struct {
  int64_t fixed;           /* the team's, the solver's history, least pools */
  int64_t words, pairs;    /* arrays of one and of two numbers a cell */
  int64_t flags;           /* bytes a cell in arrays of one */
  int64_t scratch;         /* what does not fit into the solver's vectors */
  int64_t matrix, vectors; /* matrix: planes of as many numbers as rows */
  int64_t inverse, pack;   /* of dilu */
  int64_t other;           /* the matrix in another format */
  int64_t pressure, connections;
} parts;

/* On a device: inverse blocks, which cpr's set-up has among the vectors, and packed blocks for all places. */
static int64_t inverse_bytes(const hp_grid *g, const hp_krylov_options *l, bool cpr) {
  const bool inside = cpr && hp_precond_pack_bytes(l->preconditioner, l->precision, HP_PHASES) > 0;
  return inside ? 0 : g->ncell * hp_precond_inverse_bytes(l->preconditioner, HP_PHASES);
}

static int64_t pack_bytes(const hp_grid *g, const hp_krylov_options *l) {
  return hp_precond_pack_bytes(l->preconditioner, l->precision, HP_PHASES) *
         hp_precond_device_places(l->ordering, g->nx, g->ny, g->nz);
}

/* On a device: connections of cells that are not neighbours, in the matrix and in cpr's levels, and the row of each
 * cell. */
static int64_t connection_bytes(const hp_grid *g, bool cpr) {
  enum { PRESSURE = 60 /* of an entry: its number twice, A_p's rows, what it adds to the coarse levels */ };
  const int64_t q = HP_PHASES, word = sizeof(double), entries = 2 * g->connection.count;
  if (entries == 0) return 0;
  const int64_t row = 2 * word, entry = (q * q + 3) * word + (cpr ? PRESSURE : 0);
  return entries * (row + entry) + g->connection.count * word + g->ncell * (int64_t)sizeof(int32_t);
}

/* SHARED: what a refresh of cpr makes shares the solver's vectors; APART: it does not (hp_pool_overlay in
 * amg/setup/cuda/setup.cuh); OF_RANK: the host makes patterns (amg/cpr/cuda/part.cuh). */
typedef enum { SHARED, APART, OF_RANK } setup_kind;

static int64_t pressure_bytes(const hp_grid *g, const hp_cpr_options *cpr, const parts *p, setup_kind kind) {
  enum { MORE = 105 /* bytes a cell by which all arrays of a refresh are more than those that live at once */ };
  const int64_t vectors = g->ncell * (p->vectors + 1) * HP_PHASES * (int64_t)sizeof(double);
  if (cpr == NULL) return 0;
  if (kind == OF_RANK) return hp_cpr_device_part_estimate(cpr, g->ncell, g->nactive, HP_PHASES);
  return hp_cpr_device_estimate(cpr, g->ncell, g->nactive, HP_PHASES,
                                kind == APART ? -MORE * g->nactive : p->inverse + p->pack + vectors);
}

static parts parts_of(const hp_grid *g, const hp_linear_options *linear, hp_arrays has, setup_kind kind) {
  const hp_krylov_options *l = &linear->krylov;
  const hp_cpr_options *cpr = linear->uses_cpr ? &linear->cpr : NULL;
  const int64_t q = HP_PHASES, word = sizeof(double), pair = q * word;
  const bool as_csr = l->execution == HP_EXECUTION_LIBRARY && l->matrix == HP_SPARSE_GH;
  parts p = {.fixed = 720000, .flags = 1, .matrix = HP_GH_DIAGS * q};
  p.words = 2 + HP_DIRS; /* depth, pore volume; transmissibilities */
  p.pairs = 2;           /* b, x */
  HP_FOR_ARRAYS(a, has & ~HP_ARRAY_BIT(HP_ARRAY_MASS)) {
    p.words += hp_array_bytes((hp_array)a) == word;
    p.pairs += hp_array_bytes((hp_array)a) == pair;
  }
  p.vectors = hp_krylov_vectors(l->method, l->restart);
  const int64_t scratch = (2 * HP_CELL_PAIRS + 2 * q) * word; /* properties, R, mass: in the solver's vectors */
  p.scratch = scratch > p.vectors * pair ? g->ncell * (scratch - p.vectors * pair) : 0;
  p.inverse = inverse_bytes(g, l, cpr != NULL && kind != OF_RANK);
  p.pack = pack_bytes(g, l);
  p.other = hp_sparse_estimate(as_csr ? HP_SPARSE_CSR : l->matrix, g->ncell, (int)q);
  p.pressure = pressure_bytes(g, cpr, &p, kind);
  p.connections = connection_bytes(g, cpr != NULL);
  return p;
}

static int64_t all_of(const hp_grid *g, const parts *p) {
  const int64_t word = sizeof(double), pair = HP_PHASES * word;
  const int64_t cells = p->words * word + p->pairs * pair + p->flags + (p->matrix + p->vectors) * pair;
  return p->fixed + g->ncell * cells + p->scratch + p->inverse + p->pack + p->other + p->pressure + p->connections;
}

int64_t hp_backend_device_bytes(const hp_grid *g, const hp_linear_options *linear, hp_arrays has) {
  const parts p = parts_of(g, linear, has, SHARED);
  return all_of(g, &p);
}

int64_t hp_backend_part_bytes(const hp_grid *g, const hp_linear_options *linear, hp_arrays has) {
  const parts p = parts_of(g, linear, has, OF_RANK);
  return all_of(g, &p);
}

/* ---- on each GPU ---- */

static void add(const hp_owned *a, int64_t count, int gpus, int64_t *bytes) {
  int64_t one[HP_GPUS_MAX] = {0};
  hp_owned_add_bytes(a, gpus, HP_PAGE_BYTES, one);
  for (int g = 0; g < gpus; ++g) bytes[g] += count * one[g];
}

static void add_bytes(int64_t size, int gpus, int64_t *bytes) {
  const hp_owned a = hp_owned_plain(size, 1);
  if (size > 0) add(&a, 1, gpus, bytes);
}

/* cpr's hierarchy: its levels take about such parts of it and of the rows (hepta bench amg --view), each in ten arrays of entries
 * and twenty of a number a row. Small levels and small arrays are all on the first GPU. */
static void add_hierarchy(const hp_amg_options *opt, int64_t rows, int64_t whole, int gpus, int64_t *bytes) {
  enum { LEVELS = 4, OF_ENTRIES = 10, OF_A_ROW = 20 };
  static const double part[LEVELS] = {0.44, 0.42, 0.115, 0.025}, of_rows[LEVELS] = {1.0, 0.27, 0.07, 0.02};
  int64_t left = whole;
  for (int l = 0; l < LEVELS; ++l) {
    const int64_t count = (int64_t)(of_rows[l] * (double)rows), row = count * (int64_t)sizeof(float);
    const int64_t entry = ((int64_t)(part[l] * (double)whole) - OF_A_ROW * row) / OF_ENTRIES;
    const hp_owned entries = hp_owned_plain(entry, 1), numbers = hp_owned_plain(count, sizeof(float));
    if (entry <= 0 || !hp_owned_is_spread(&entries, gpus, HP_PAGE_BYTES)) break;
    if (hp_amg_is_on_first(opt, count)) break;
    add(&entries, OF_ENTRIES, gpus, bytes);
    add(&numbers, OF_A_ROW, gpus, bytes);
    left -= entry * OF_ENTRIES + row * OF_A_ROW;
  }
  bytes[0] += left;
}

/* Whether what a refresh makes gets memory of its own: where three times as much is free before the cycle's arrays are there
 * (hp_pool_overlay in amg/setup/cuda/setup.cu). */
static bool is_apart(const hp_grid *g, const parts *shared, int64_t more, int gpus, int64_t memory) {
  enum { MADE = 350, CYCLE = 230 /* bytes a cell */ };
  if (gpus < 2) return false;
  return memory == 0 || gpus * memory - all_of(g, shared) - more + CYCLE * g->nactive > 3 * MADE * g->nactive;
}

/* Bytes between the diagonals of cpr's matrix, which are whole pages apart. */
static int64_t pressure_gaps(const hp_cpr_options *cpr, int64_t ncell) {
  const int64_t real = cpr->amg.precision == HP_PRECISION_SINGLE ? sizeof(float) : sizeof(double);
  return HP_GH_DIAGS * real * (hp_owned_stride(ncell, sizeof(float), HP_PAGE_BYTES, false) - ncell);
}

void hp_backend_bytes_by_gpu(const hp_grid *g, const hp_linear_options *linear, hp_arrays has, int64_t more, int gpus,
                             int64_t memory, int64_t *bytes) {
  const parts shared = parts_of(g, linear, has, SHARED);
  const parts p = is_apart(g, &shared, more, gpus, memory) ? parts_of(g, linear, has, APART) : shared;
  const int64_t word = sizeof(double), n = g->ncell, rows = n * HP_PHASES;
  const hp_owned number = hp_owned_plain(n, sizeof(double)), pair = hp_owned_plain(rows, sizeof(double));
  const hp_owned flag = hp_owned_plain(n, 1);
  const int64_t behind = linear->uses_cpr ? p.pack : 0;
  const int64_t vectors = p.vectors + (linear->uses_cpr ? 1 : 0); /* with x */
  const int64_t column = gpus > 1 ? hp_owned_stride(rows, sizeof(double), HP_PAGE_BYTES, false) : rows;
  const hp_owned matrix = {rows, rows, word, column * word, p.matrix, 0};
  const int64_t vector = gpus > 1 ? hp_krylov_device_stride(rows, true) * word : rows * word;
  const hp_owned work = {rows, rows, word, vector, vectors, behind};
  memset(bytes, 0, (size_t)gpus * sizeof *bytes);
  bytes[0] = p.fixed;
  add(&number, p.words, gpus, bytes);
  add(&pair, p.pairs - (vectors - p.vectors), gpus, bytes);
  add(&flag, p.flags, gpus, bytes);
  add(&matrix, 1, gpus, bytes);
  add(&work, 1, gpus, bytes);
  add_bytes(p.scratch, gpus, bytes);
  add_bytes(p.inverse, gpus, bytes);
  add_bytes(p.pack - behind, gpus, bytes);
  add_bytes(p.other, gpus, bytes);
  add_bytes(p.connections, gpus, bytes);
  add_bytes(more, gpus, bytes);
  if (linear->uses_cpr && gpus > 1) add_bytes(pressure_gaps(&linear->cpr, n), gpus, bytes);
  add_hierarchy(&linear->cpr.amg, g->nactive, p.pressure, gpus, bytes);
}
