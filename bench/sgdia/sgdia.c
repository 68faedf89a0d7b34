#include "bench/sgdia/device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/portable.h"

static int64_t size_of(bool single) { return single ? (int64_t)sizeof(float) : (int64_t)sizeof(double); }

/* ---- points ---- */

static void add_point(hp_sgdia *A, int x, int y, int z) {
  int *shift = A->shift[A->points];
  shift[0] = x;
  shift[1] = y;
  shift[2] = z;
  A->offset[A->points] = x + A->size[0] * (y + A->size[1] * z);
  A->points += 1;
}

/* In the order of z, y, x, which is that of memory. */
static void choose_points(hp_sgdia *A, hp_sgdia_kind kind) {
  const int reach[3] = {A->size[0] > 1, A->size[1] > 1, A->size[2] > 1};
  for (int z = -reach[2]; z <= reach[2]; ++z)
    for (int y = -reach[1]; y <= reach[1]; ++y)
      for (int x = -reach[0]; x <= reach[0]; ++x)
        if (kind == HP_SGDIA_BOX || x * x + y * y + z * z <= 1) add_point(A, x, y, z);
}

int64_t hp_sgdia_neighbour(const hp_sgdia *A, int64_t m, int p) {
  int64_t place[3] = {m % A->size[0], m / A->size[0] % A->size[1], m / A->size[0] / A->size[1]};
  for (int d = 0; d < 3; ++d) {
    place[d] += A->shift[p][d];
    if (A->periodic) place[d] = (place[d] + A->size[d]) % A->size[d];
    if (place[d] < 0 || place[d] >= A->size[d]) return -1;
  }
  return place[0] + A->size[0] * (place[1] + A->size[1] * place[2]);
}

double hp_sgdia_entry(const hp_sgdia *A, int64_t m, int p, int a, int b) {
  const int64_t at = ((int64_t)p * A->q + b) * A->ld + m * A->q + a;
  return A->single ? (double)((const float *)A->value)[at] : ((const double *)A->value)[at];
}

/* ---- values ---- */

static void set_entry(hp_sgdia *A, int64_t m, int p, int a, int b, double v) {
  const int64_t at = ((int64_t)p * A->q + b) * A->ld + m * A->q + a;
  if (A->single) ((float *)A->value)[at] = (float)v;
  else ((double *)A->value)[at] = v;
}

static double number(uint64_t seed, int64_t m, int p, int a, int b) {
  const uint64_t at = (((uint64_t)m * HP_SGDIA_POINTS_MAX + (uint64_t)p) * 16 + (uint64_t)a) * 16 + (uint64_t)b;
  return (double)(hp_mix64((seed + 1) * UINT64_C(0x9e3779b97f4a7c15) + hp_mix64(at + 1)) >> 11) / 9007199254740992.0;
}

static void draw_cell(hp_sgdia *A, uint64_t seed, int64_t m) {
  for (int a = 0; a < A->q; ++a) {
    double sum = 0.0;
    int diagonal = 0;
    for (int p = 0; p < A->points; ++p) {
      const bool outside = hp_sgdia_neighbour(A, m, p) < 0;
      if (A->offset[p] == 0) diagonal = p;
      for (int b = 0; b < A->q; ++b) {
        const double v = outside || (A->offset[p] == 0 && a == b) ? 0.0 : -number(seed, m, p, a, b);
        set_entry(A, m, p, a, b, v);
        sum -= v;
      }
    }
    set_entry(A, m, diagonal, a, a, 1.001 * sum + (sum == 0.0));
  }
}

/* ---- creation ---- */

static hp_status check(const int size[3], int q, bool periodic) {
  int64_t rows = q;
  if (q < 1 || q > HP_SGDIA_Q_MAX)
    return hp_fail(HP_ERR_USAGE, "a stencil with %d unknowns: expected 1 to %d", q, (int)HP_SGDIA_Q_MAX);
  for (int d = 0; d < 3; ++d) {
    rows *= size[d];
    if (size[d] < 1) return hp_fail(HP_ERR_USAGE, "a grid of %d x %d x %d cells", size[0], size[1], size[2]);
    if (periodic && size[d] == 2)
      return hp_fail(HP_ERR_USAGE, "a periodic grid of %d x %d x %d cells: two neighbours are one cell", size[0],
                     size[1], size[2]);
    if (rows > INT32_MAX)
      return hp_fail(HP_ERR_UNSUPPORTED, "a grid of %d x %d x %d cells has more rows than 32-bit numbers count",
                     size[0], size[1], size[2]);
  }
  return HP_OK;
}

hp_status hp_sgdia_create(hp_sgdia_kind kind, const int size[3], int q, bool periodic, bool single, uint64_t seed,
                          hp_sgdia **out) {
  *out = NULL;
  HP_TRY(check(size, q, periodic));
  hp_sgdia *A = NULL;
  HP_TRY(hp_alloc((void **)&A, 1, sizeof *A, "stencil"));
  memcpy(A->size, size, sizeof A->size);
  A->q = q;
  A->periodic = periodic;
  A->single = single;
  A->ncell = (int64_t)size[0] * size[1] * size[2];
  A->n = A->ncell * q;
  A->ld = hp_parts(A->n, 4) * 4;
  choose_points(A, kind);
  const hp_status s = hp_alloc(&A->value, A->points * q * A->ld, (size_t)size_of(single), "entries of a stencil");
  for (int64_t m = 0; m < A->ncell && s == HP_OK; ++m) draw_cell(A, seed, m);
  if (s == HP_OK) *out = A;
  else hp_sgdia_destroy(&A);
  return s;
}

void hp_sgdia_destroy(hp_sgdia **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_free(&(*slot)->value);
  hp_free(slot);
}

int64_t hp_sgdia_entries(const hp_sgdia *A) {
  int64_t blocks = 0;
  for (int p = 0; p < A->points; ++p) {
    int64_t cells = 1;
    for (int d = 0; d < 3; ++d) cells *= A->size[d] - (A->periodic ? 0 : abs(A->shift[p][d]));
    blocks += cells;
  }
  return blocks * A->q * A->q;
}

int64_t hp_sgdia_bytes(const hp_sgdia *A) { return ((int64_t)A->points * A->q + 2) * A->n * size_of(A->single); }

/* ---- other formats ---- */

static void put(void *values, bool single, int64_t at, double v) {
  if (single) ((float *)values)[at] = (float)v;
  else ((double *)values)[at] = v;
}

static hp_status check_bytes(int64_t bytes, int64_t most, const char *what) {
  if (most <= 0 || bytes <= most) return HP_OK;
  return hp_fail(HP_ERR_UNSUPPORTED, "%s takes %.1f GB, more than is allowed", what, (double)bytes * 1e-9);
}

/* Points of a cell by rising neighbours; how many are inside. */
static int sorted_points(const hp_sgdia *A, int64_t m, int *point, int64_t *cell) {
  int count = 0;
  for (int p = 0; p < A->points; ++p) {
    const int64_t n = hp_sgdia_neighbour(A, m, p);
    if (n < 0) continue;
    int at = count++;
    for (; at > 0 && cell[at - 1] > n; --at) {
      cell[at] = cell[at - 1];
      point[at] = point[at - 1];
    }
    cell[at] = n;
    point[at] = p;
  }
  return count;
}

static void fill_csr(const hp_sgdia *A, hp_sgdia_rows *R) {
  int64_t e = 0;
  for (int64_t m = 0; m < A->ncell; ++m) {
    int point[HP_SGDIA_POINTS_MAX];
    int64_t cell[HP_SGDIA_POINTS_MAX];
    const int count = sorted_points(A, m, point, cell);
    for (int a = 0; a < A->q; ++a) {
      R->begin[m * A->q + a] = (int32_t)e;
      for (int k = 0; k < count; ++k)
        for (int b = 0; b < A->q; ++b, ++e) {
          R->column[e] = (int32_t)(cell[k] * A->q + b);
          put(R->value, A->single, e, hp_sgdia_entry(A, m, point[k], a, b));
        }
    }
  }
  R->begin[A->n] = (int32_t)e;
}

static hp_status create_csr(const hp_sgdia *A, int64_t most, hp_sgdia_rows *R) {
  R->n = A->n;
  R->count = hp_sgdia_entries(A);
  if (R->count > INT32_MAX)
    return hp_fail(HP_ERR_UNSUPPORTED, "%lld entries are more than 32-bit numbers count", (long long)R->count);
  HP_TRY(check_bytes(R->count * (size_of(A->single) + 4), most, "csr"));
  HP_TRY(HP_ALLOC(R->begin, A->n + 1));
  HP_TRY(HP_ALLOC(R->column, R->count));
  HP_TRY(hp_alloc(&R->value, R->count, (size_t)size_of(A->single), "entries"));
  fill_csr(A, R);
  return HP_OK;
}

static int by_value(const void *x, const void *y) {
  const int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
  return (a > b) - (a < b);
}

/* Sorted, each once; how many. */
static int unique(int32_t *v, int count) {
  int kept = 0;
  qsort(v, (size_t)count, sizeof *v, by_value);
  for (int k = 0; k < count; ++k)
    if (k == 0 || v[k] != v[kept - 1]) v[kept++] = v[k];
  return kept;
}

/* Offsets in cells that a point can have: one, or where the grid is periodic those of neighbours across its ends. */
static int offsets_of(const hp_sgdia *A, int32_t *out) {
  const int64_t stride[3] = {1, A->size[0], (int64_t)A->size[0] * A->size[1]};
  int count = 0;
  for (int p = 0; p < A->points; ++p)
    for (int across = 0; across < (A->periodic ? 8 : 1); ++across) {
      int64_t offset = 0;
      bool possible = true;
      for (int d = 0; d < 3; ++d) {
        const int s = A->shift[p][d], wraps = across >> d & 1;
        if (wraps && s == 0) possible = false;
        offset += stride[d] * (s - (wraps ? (s > 0 ? A->size[d] : -A->size[d]) : 0));
      }
      if (possible) out[count++] = (int32_t)offset;
    }
  return unique(out, count);
}

static void fill_dia(const hp_sgdia *A, hp_sgdia_rows *R) {
  for (int64_t m = 0; m < A->ncell; ++m)
    for (int p = 0; p < A->points; ++p) {
      const int64_t n = hp_sgdia_neighbour(A, m, p);
      for (int a = 0; a < A->q && n >= 0; ++a)
        for (int b = 0; b < A->q; ++b) {
          const int32_t offset = (int32_t)((n - m) * A->q + b - a);
          const int32_t *found = bsearch(&offset, R->column, (size_t)R->diagonals, sizeof offset, by_value);
          put(R->value, A->single, (found - R->column) * R->ld + m * A->q + a, hp_sgdia_entry(A, m, p, a, b));
        }
    }
}

static hp_status create_dia(const hp_sgdia *A, int64_t most, hp_sgdia_rows *R) {
  int32_t cells[8 * HP_SGDIA_POINTS_MAX];
  const int count = offsets_of(A, cells);
  R->n = A->n;
  R->ld = A->ld;
  HP_TRY(HP_ALLOC(R->column, count * (2 * A->q - 1)));
  for (int k = 0; k < count; ++k)
    for (int c = 1 - A->q; c < A->q; ++c) R->column[R->diagonals++] = cells[k] * A->q + c;
  R->diagonals = unique(R->column, R->diagonals);
  R->count = R->diagonals * R->ld;
  HP_TRY(check_bytes(R->count * size_of(A->single), most, "dia"));
  HP_TRY(hp_alloc(&R->value, R->count, (size_t)size_of(A->single), "diagonals"));
  fill_dia(A, R);
  return HP_OK;
}

static hp_status create_rows(const hp_sgdia *A, int64_t most, bool dia, hp_sgdia_rows **out) {
  *out = NULL;
  HP_TRY(hp_alloc((void **)out, 1, sizeof **out, "rows of a stencil"));
  const hp_status s = dia ? create_dia(A, most, *out) : create_csr(A, most, *out);
  if (s != HP_OK) hp_sgdia_rows_destroy(out);
  return s;
}

hp_status hp_sgdia_to_csr(const hp_sgdia *A, int64_t most, hp_sgdia_rows **out) {
  return create_rows(A, most, false, out);
}

hp_status hp_sgdia_to_dia(const hp_sgdia *A, int64_t most, hp_sgdia_rows **out) {
  return create_rows(A, most, true, out);
}

void hp_sgdia_rows_destroy(hp_sgdia_rows **slot) {
  if (slot == NULL || *slot == NULL) return;
  HP_FREE((*slot)->begin);
  HP_FREE((*slot)->column);
  hp_free(&(*slot)->value);
  hp_free(slot);
}

int64_t hp_sgdia_rows_bytes(const hp_sgdia *A, const hp_sgdia_rows *R) {
  const int64_t size = size_of(A->single), vectors = 2 * A->n * size;
  if (R->diagonals > 0) return R->diagonals * A->n * size + vectors;
  return R->count * (size + 4) + (A->n + 1) * 4 + vectors;
}

hp_kernel_shape hp_sgdia_untuned_shape(void) {
  const hp_kernel_shape s = {.threads = 256, .unroll = 1, .loads = HP_LOADS_PLAIN, .streams = 1};
  return s;
}
