/* Memory of the hierarchy of a pressure system, found by setting one up: of transmissibilities alone, which the
 * couplings of the first system are in proportion to where mobilities are even. Of a large grid a box in its middle. */
#include <math.h>

#include "amg/cpr/memory.h"
#include "amg/ranks/ranks.h"
#include "amg/setup/setup_impl.h"
#include "core/memory.h"

enum { BOX_CELLS = 1 << 16 };

typedef struct {
  const hp_cpr_memory_input *in;
  int size[3], from[3]; /* by direction, as HP_DIR_K.. */
  int64_t ncell;        /* of the box */
  int32_t nrow, nwell;  /* active cells, wells that have one */
  int64_t nperf;
  int32_t *row;  /* [ncell] -1: none */
  int32_t *well; /* [in->nwell] */
} box;

static void cut(box *b) {
  const hp_grid *g = b->in->grid;
  const int all[3] = {g->nz, g->ny, g->nx};
  const int nz = all[HP_DIR_K] < BOX_CELLS ? all[HP_DIR_K] : BOX_CELLS, columns = BOX_CELLS / nz;
  const int side = (int)sqrt((double)columns), i = all[HP_DIR_I] < side ? all[HP_DIR_I] : side;
  const int j = all[HP_DIR_J] < columns / i ? all[HP_DIR_J] : columns / i;
  b->size[HP_DIR_K] = nz;
  b->size[HP_DIR_J] = j;
  b->size[HP_DIR_I] = all[HP_DIR_I] < columns / j ? all[HP_DIR_I] : columns / j;
  for (int d = 0; d < HP_DIRS; ++d) b->from[d] = (all[d] - b->size[d]) / 2;
  b->ncell = (int64_t)b->size[0] * b->size[1] * b->size[2];
}

/* The grid's cell of the box's cell n. */
static int64_t cell_of(const box *b, int64_t n) {
  const int64_t k = n % b->size[0], j = n / b->size[0] % b->size[1], i = n / b->size[0] / b->size[1];
  return hp_grid_cell(b->in->grid, (int)(i + b->from[2]), (int)(j + b->from[1]), (int)(k + b->from[0]));
}

/* The row of a cell of the grid, -1: none in the box. */
static int32_t row_of(const box *b, int64_t m) {
  int ijk[3];
  hp_grid_ijk(b->in->grid, m, ijk);
  for (int d = 0; d < HP_DIRS; ++d) {
    ijk[2 - d] -= b->from[d];
    if (ijk[2 - d] < 0 || ijk[2 - d] >= b->size[d]) return -1;
  }
  return b->row[ijk[2] + (int64_t)b->size[0] * (ijk[1] + (int64_t)b->size[1] * ijk[0])];
}

static void number(box *b) {
  const hp_cpr_memory_input *in = b->in;
  for (int64_t n = 0; n < b->ncell; ++n) b->row[n] = in->grid->active[cell_of(b, n)] ? b->nrow++ : -1;
  for (int w = 0; w < in->nwell; ++w) {
    const int64_t before = b->nperf;
    for (int64_t q = in->begin[w]; q < in->begin[w + 1]; ++q) b->nperf += row_of(b, in->cell[q]) >= 0;
    b->well[w] = b->nperf > before ? b->nwell++ : -1;
  }
}

static void add(hp_csr *A, int32_t row, int32_t column, double value, int32_t *at) {
  if (at != NULL) {
    A->column[at[row]] = column;
    A->value[at[row]++] = value;
  } else {
    A->begin[row + 1] += 1;
  }
}

/* The neighbour of the box's cell n on side u = -3..3, -1: there is none, and the face between them. */
static int32_t neighbour(const box *b, int64_t n, int u, double *trans) {
  const int d = (u < 0 ? -u : u) - 1;
  const int64_t h = d == 0 ? 1 : d == 1 ? b->size[0] : (int64_t)b->size[0] * b->size[1];
  const int64_t at = n / h % b->size[d], far = u < 0 ? n - h : n + h;
  if (u < 0 ? at == 0 : at + 1 == b->size[d]) return -1;
  *trans = b->in->grid->trans[d][cell_of(b, u < 0 ? far : n)];
  return b->row[far];
}

/* The row of the box's cell n; columns rise. */
static void couple_cell(const box *b, int64_t n, hp_csr *A, int32_t *at) {
  enum { SIDES = 7, SELF = 3 };
  int32_t other[SIDES];
  double value[SIDES] = {0.0}, sum = 0.0;
  for (int u = -SELF; u <= SELF; ++u) {
    other[u + SELF] = u == 0 ? b->row[n] : neighbour(b, n, u, &value[u + SELF]);
    if (other[u + SELF] >= 0) sum += value[u + SELF];
  }
  for (int u = 0; u < SIDES; ++u)
    if (other[u] >= 0) add(A, b->row[n], other[u], u != SELF ? -value[u] : sum > 0.0 ? sum : 1.0, at);
}

/* Counts the entries of the rows (at NULL), or puts them there. */
static void couple(const box *b, hp_csr *A, int32_t *at) {
  const hp_cpr_memory_input *in = b->in;
  for (int64_t n = 0; n < b->ncell; ++n)
    if (b->row[n] >= 0) couple_cell(b, n, A, at);
  for (int w = 0; w < in->nwell; ++w) {
    double sum = 0.0;
    for (int64_t q = in->begin[w]; q < in->begin[w + 1]; ++q) {
      const int32_t row = row_of(b, in->cell[q]);
      if (row < 0) continue;
      add(A, row, b->nrow + b->well[w], -in->wi[q], at);
      add(A, b->nrow + b->well[w], row, -in->wi[q], at);
      sum += in->wi[q];
    }
    if (b->well[w] >= 0) add(A, b->nrow + b->well[w], b->nrow + b->well[w], sum > 0.0 ? sum : 1.0, at);
  }
}

static hp_status fill(const box *b, hp_csr *A) {
  int32_t *at;
  HP_TRY(HP_ALLOC(at, A->nrow));
  couple(b, A, NULL);
  for (int32_t i = 0; i < A->nrow; ++i) {
    A->begin[i + 1] += A->begin[i];
    at[i] = (int32_t)A->begin[i];
  }
  couple(b, A, at);
  HP_FREE(at);
  return HP_OK;
}

/* Levels that every rank would have as a whole. */
static void measure_whole(const hp_amg *H, hp_cpr_memory *out) {
  int l = 0;
  while (l < H->nlevel && H->level[l].A->nrow > HP_AMG_RANKS_WHOLE) ++l;
  if (l == H->nlevel) return;
  const hp_csr *A = H->level[l].A;
  out->whole = hp_amg_bytes_from(H, l) + (l == 0 ? hp_csr_bytes(A) : 0);
  out->gathered = hp_csr_count(A) * (int64_t)sizeof *A->value + A->nrow * (int64_t)(sizeof(int32_t) + sizeof(double));
}

/* Bytes of A's hierarchy with A, and the most while it is made. */
static hp_status build(const box *b, hp_csr *A, int64_t matrix, hp_cpr_memory *out) {
  hp_amg *H = NULL;
  hp_amg_alone one;
  HP_TRY(hp_amg_alone_begin(&one, 0));
  const int64_t before = hp_memory_now();
  hp_memory_restart_peak();
  hp_status s = hp_amg_create(&b->in->opt->amg, &H);
  if (s == HP_OK) s = hp_amg_build_by(&one.t, H, A, b->nwell);
  out->held = matrix + hp_memory_now() - before;
  out->building = matrix + hp_memory_peak() - before;
  if (s == HP_OK) measure_whole(H, out);
  hp_amg_destroy(&H);
  hp_amg_alone_end(&one);
  return s;
}

/* Of hypre's, what it is given: the pressure system, and columns as ranks number them on the way. */
static void measure_hypre(const hp_csr *A, int64_t matrix, hp_cpr_memory *out) {
  out->held = matrix;
  out->building = matrix + (hp_csr_count(A) + A->nrow) * (int64_t)sizeof(int64_t);
}

static hp_status measure(box *b, hp_cpr_memory *out) {
  hp_csr *A = NULL;
  HP_TRY(HP_ALLOC(b->row, b->ncell));
  HP_TRY(HP_ALLOC(b->well, b->in->nwell));
  number(b);
  if (b->nrow == 0) return HP_OK;
  const int64_t before = hp_memory_now(), n = b->nrow + (int64_t)b->nwell;
  HP_TRY(hp_csr_create(n, n, 7 * (int64_t)b->nrow + 2 * b->nperf + b->nwell, &A));
  const int64_t matrix = hp_memory_now() - before;
  hp_status s = fill(b, A);
  if (s == HP_OK && b->in->opt->whose == HP_CPR_AMG_HYPRE) measure_hypre(A, matrix, out);
  else if (s == HP_OK) s = build(b, A, matrix, out);
  hp_csr_destroy(&A);
  return s;
}

hp_status hp_cpr_measure_memory(const hp_cpr_memory_input *in, hp_cpr_memory *out) {
  box b = {.in = in};
  *out = (hp_cpr_memory){.held = 0};
  cut(&b);
  const hp_status s = measure(&b, out);
  const double share = b.nrow > 0 ? (double)in->grid->nactive / b.nrow : 0.0;
  out->held = (int64_t)(share * (double)out->held);
  out->building = (int64_t)(share * (double)out->building);
  /* the setup's work space of each member but the first */
  out->building += (in->threads - 1) * 2 * (int64_t)sizeof(int32_t) * (in->grid->nactive + in->nwell + 1);
  HP_FREE(b.row);
  HP_FREE(b.well);
  return s;
}
