#include "linsolve/matrix/gh.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

hp_status hp_gh_create_shape(int nx, int ny, int nz, int q, hp_gh **out) {
  *out = NULL;
  if (nx < 1 || ny < 1 || nz < 1 || q < 1 || q > HP_GH_Q_MAX)
    return hp_fail(HP_ERR_INTERNAL, "GH matrix: %d x %d x %d cells with %d unknowns (1 to %d)", nx, ny, nz, q,
                   HP_GH_Q_MAX);
  hp_gh *A = NULL;
  HP_TRY(HP_ALLOC(A, 1));
  A->nx = nx;
  A->ny = ny;
  A->nz = nz;
  A->q = q;
  A->ncell = (int64_t)nx * ny * nz;
  A->n = A->ld = A->rows = A->ncell * q;
  const hp_status s = hp_gh_set_wells(A, 0, NULL, NULL, NULL);
  if (s != HP_OK) hp_gh_destroy(&A);
  *out = A;
  return s;
}

hp_status hp_gh_allocate(hp_gh *A) {
  HP_FREE(A->h);
  return HP_ALLOC(A->h, (int64_t)HP_GH_DIAGS * A->q * A->ld);
}

hp_status hp_gh_create(int nx, int ny, int nz, int q, hp_gh **out) {
  HP_TRY(hp_gh_create_shape(nx, ny, nz, q, out));
  const hp_status s = hp_gh_allocate(*out);
  if (s != HP_OK) hp_gh_destroy(out);
  return s;
}

static void free_wells(hp_gh_wells *W) {
  HP_FREE(W->run_begin);
  HP_FREE(W->a);
  HP_FREE(W->b);
  HP_FREE(W->c);
  HP_FREE(W->d);
  HP_FREE(W->next);
  HP_FREE(W->of);
  HP_FREE(W->chunk_begin);
  HP_FREE(W->chunk_cell);
  HP_FREE(W->chunk_slot);
  HP_FREE(W->chunk_well);
  HP_FREE(W->w);
  HP_FREE(W->wt);
  HP_FREE(W->dd);
}

void hp_gh_destroy(hp_gh **slot) {
  if (slot == NULL || *slot == NULL) return;
  free_wells(&(*slot)->wells);
  hp_links_destroy(&(*slot)->links);
  HP_FREE((*slot)->link);
  HP_FREE((*slot)->h);
  HP_FREE(*slot);
}

/* ---- the wells' structure ---- */

typedef struct {
  int64_t cell, given; /* the perforation's cell; its number in the caller's order */
  int64_t key;         /* perforations of a well stand in its order: the cell, of a part that in the whole grid */
} perforation;

static int by_cell(const void *x, const void *y) {
  const perforation *a = x, *b = y;
  return (a->key > b->key) - (a->key < b->key);
}

/* p [nperf] becomes the perforations well after well, sorted by cell in each. */
static hp_status sort_perforations(const hp_gh *A, int nwell, const int64_t *begin, const int64_t *cell,
                                   perforation *p) {
  for (int w = 0; w < nwell; ++w) {
    const int64_t count = begin[w + 1] - begin[w];
    for (int64_t n = begin[w]; n < begin[w + 1]; ++n) {
      if (cell[n] < 0 || cell[n] >= A->ncell)
        return hp_fail(HP_ERR_INTERNAL, "GH wells: well %d: cell %lld is not in 0..%lld", w + 1, (long long)cell[n],
                       (long long)A->ncell - 1);
      p[n].cell = cell[n];
      p[n].key = A->part != NULL ? A->part->global[cell[n]] : cell[n];
      p[n].given = n;
    }
    if (count > 1) qsort(p + begin[w], (size_t)count, sizeof *p, by_cell);
    for (int64_t n = begin[w] + 1; n < begin[w + 1]; ++n)
      if (p[n].cell == p[n - 1].cell)
        return hp_fail(HP_ERR_INTERNAL, "GH wells: well %d has cell %lld twice", w + 1, (long long)p[n].cell);
  }
  return HP_OK;
}

/* Whether perforation n continues the run of perforation n-1: the next cell of the same vertical column. */
static bool goes_on(const hp_gh *A, const perforation *p, int64_t n) {
  return p[n].cell == p[n - 1].cell + 1 && p[n].cell / A->nz == p[n - 1].cell / A->nz;
}

static int64_t count_runs(const hp_gh *A, int nwell, const int64_t *begin, const perforation *p) {
  int64_t runs = 0;
  for (int w = 0; w < nwell; ++w)
    for (int64_t n = begin[w]; n < begin[w + 1]; ++n) runs += n == begin[w] || !goes_on(A, p, n);
  return runs;
}

static hp_status alloc_wells(hp_gh_wells *W, const hp_gh *A, int nwell, int64_t nrun, int64_t nperf) {
  if (nrun > INT32_MAX) return hp_fail(HP_ERR_INTERNAL, "GH wells: %lld runs are too many", (long long)nrun);
  W->nwell = nwell;
  W->nrun = (int)nrun;
  W->nperf = nperf;
  HP_TRY(HP_ALLOC(W->run_begin, nwell + 1));
  HP_TRY(HP_ALLOC(W->a, nrun));
  HP_TRY(HP_ALLOC(W->b, nrun));
  HP_TRY(HP_ALLOC(W->c, nrun));
  HP_TRY(HP_ALLOC(W->d, (int64_t)A->nx * A->ny));
  HP_TRY(HP_ALLOC(W->next, nrun));
  HP_TRY(HP_ALLOC(W->of, nrun));
  HP_TRY(HP_ALLOC(W->w, nperf * A->q));
  HP_TRY(HP_ALLOC(W->wt, nperf * A->q));
  return HP_ALLOC(W->dd, nwell);
}

static void fill_runs(hp_gh_wells *W, const hp_gh *A, const int64_t *begin, const perforation *p) {
  int r = 0;
  for (int w = 0; w < W->nwell; ++w) {
    W->run_begin[w] = r;
    for (int64_t n = begin[w]; n < begin[w + 1]; ++n) {
      if (n == begin[w] || !goes_on(A, p, n)) {
        W->a[r] = n;
        W->b[r] = p[n].cell;
        W->of[r] = w;
        r += 1;
      }
      W->c[r - 1] += 1;
    }
  }
  W->run_begin[W->nwell] = r;
}

/* Backwards, so that every column's list ascends. */
static void link_columns(hp_gh_wells *W, const hp_gh *A) {
  for (int64_t column = 0; column < (int64_t)A->nx * A->ny; ++column) W->d[column] = -1;
  for (int r = W->nrun - 1; r >= 0; --r) {
    const int64_t column = W->b[r] / A->nz;
    W->next[r] = W->d[column];
    W->d[column] = r;
  }
}

/* ---- perforations by chunk ---- */

typedef struct {
  int64_t cell, slot;
  int32_t chunk, well;
} listed;

static int by_chunk(const void *x, const void *y) {
  const listed *a = x, *b = y;
  if (a->chunk != b->chunk) return (a->chunk > b->chunk) - (a->chunk < b->chunk);
  if (a->cell != b->cell) return (a->cell > b->cell) - (a->cell < b->cell);
  return (a->slot > b->slot) - (a->slot < b->slot);
}

static int64_t list_runs(const hp_gh *A, const hp_gh_wells *W, const hp_cut *cut, listed *p) {
  int64_t count = 0;
  for (int r = 0; r < W->nrun; ++r)
    for (int32_t c = 0; c < W->c[r]; ++c) {
      const int64_t cell = W->b[r] + c;
      const int last = hp_cut_chunk_of(cut, cell * A->q + A->q - 1);
      for (int chunk = hp_cut_chunk_of(cut, cell * A->q); chunk <= last; ++chunk)
        p[count++] = (listed){cell, W->a[r] + c, chunk, W->of[r]};
    }
  return count;
}

static hp_status list_by_chunk(hp_gh_wells *W, const hp_gh *A) {
  const hp_cut cut = hp_cut_of(A->rows, A->rows);
  const int chunks = cut.chunks;
  listed *p = NULL;
  HP_TRY(HP_ALLOC(p, 2 * W->nperf));
  W->nlisted = list_runs(A, W, &cut, p);
  if (W->nlisted > 1) qsort(p, (size_t)W->nlisted, sizeof *p, by_chunk);
  hp_status s = HP_ALLOC(W->chunk_begin, chunks + 1);
  if (s == HP_OK) s = HP_ALLOC(W->chunk_cell, W->nlisted);
  if (s == HP_OK) s = HP_ALLOC(W->chunk_slot, W->nlisted);
  if (s == HP_OK) s = HP_ALLOC(W->chunk_well, W->nlisted);
  for (int64_t n = 0; s == HP_OK && n < W->nlisted; ++n) {
    W->chunk_cell[n] = p[n].cell;
    W->chunk_slot[n] = p[n].slot;
    W->chunk_well[n] = p[n].well;
    W->chunk_begin[p[n].chunk + 1] = (int32_t)(n + 1);
  }
  for (int c = 0; s == HP_OK && c < chunks; ++c)
    if (W->chunk_begin[c + 1] < W->chunk_begin[c]) W->chunk_begin[c + 1] = W->chunk_begin[c];
  HP_FREE(p);
  return s;
}

hp_status hp_gh_set_wells(hp_gh *A, int nwell, const int64_t *begin, const int64_t *cell, int64_t *slot) {
  const int64_t nperf = nwell > 0 ? begin[nwell] : 0;
  bool rising = nwell >= 0 && (nwell == 0 || begin[0] == 0);
  for (int w = 0; w < nwell; ++w) rising = rising && begin[w] <= begin[w + 1];
  if (!rising) return hp_fail(HP_ERR_INTERNAL, "GH wells: the cells of %d wells are not given in order", nwell);
  perforation *p = NULL;
  HP_TRY(HP_ALLOC(p, nperf));
  hp_gh_wells W;
  memset(&W, 0, sizeof W);
  hp_status s = sort_perforations(A, nwell, begin, cell, p);
  if (s == HP_OK) s = alloc_wells(&W, A, nwell, count_runs(A, nwell, begin, p), nperf);
  if (s == HP_OK) {
    fill_runs(&W, A, begin, p);
    link_columns(&W, A);
    s = list_by_chunk(&W, A);
  }
  if (s == HP_OK) {
    if (slot != NULL)
      for (int64_t n = 0; n < nperf; ++n) slot[p[n].given] = n;
    free_wells(&A->wells);
    A->wells = W;
    A->n = A->rows + nwell;
  } else {
    free_wells(&W);
  }
  HP_FREE(p);
  return s;
}

hp_status hp_gh_set_links(hp_gh *A, int64_t count, const int64_t *a, const int64_t *b) {
  hp_links_destroy(&A->links);
  HP_FREE(A->link);
  for (int64_t n = 0; n < count; ++n)
    if (b[n] >= A->ncell)
      return hp_fail(HP_ERR_INTERNAL, "GH connections: cell %lld is not below %lld", (long long)b[n],
                     (long long)A->ncell);
  HP_TRY(hp_links_create(count, a, b, &A->links));
  if (A->part != NULL) hp_links_order(&A->links, A->part->global);
  const hp_status s = HP_ALLOC(A->link, A->links.count * A->q * A->q);
  if (s != HP_OK) hp_links_destroy(&A->links);
  return s;
}

hp_status hp_gh_require_lattice(const hp_gh *A, const char *what) {
  if (A->links.count == 0) return HP_OK;
  return hp_fail(HP_ERR_UNSUPPORTED,
                 "%s: no place for %lld connections of cells that are not neighbours (faults, pinched-out layers)",
                 what, (long long)A->links.count / 2);
}

hp_status hp_gh_copy_links(const hp_gh *A, hp_gh *to) {
  const int64_t count = A->links.count / 2;
  int64_t *a = NULL, *b = NULL;
  hp_status s = HP_ALLOC(a, count);
  if (s == HP_OK) s = HP_ALLOC(b, count);
  if (s == HP_OK) {
    hp_links_pairs(&A->links, a, b);
    s = hp_gh_set_links(to, count, a, b);
  }
  HP_FREE(a);
  HP_FREE(b);
  return s;
}

int64_t hp_gh_link_bytes(const hp_gh *A) {
  const hp_links *L = &A->links;
  return L->count * (A->q * A->q * (int64_t)sizeof *A->link + (int64_t)sizeof *L->other) +
         L->nrow * (int64_t)(sizeof *L->cell + sizeof *L->begin);
}

int64_t hp_gh_bytes(const hp_gh *A) {
  const hp_gh_wells *W = &A->wells;
  const int64_t numbers = (int64_t)HP_GH_DIAGS * A->q * A->rows + 2 * W->nperf * A->q + W->nwell;
  const int64_t runs = W->nrun *
                       (int64_t)(sizeof *W->a + sizeof *W->b + sizeof *W->c + sizeof *W->next + sizeof *W->of);
  return numbers * (int64_t)sizeof(double) + runs + ((int64_t)A->nx * A->ny + W->nwell + 1) * (int64_t)sizeof(int32_t) +
         hp_gh_link_bytes(A);
}

int64_t hp_gh_product_bytes(const hp_gh *A) { return hp_gh_bytes(A) + 2 * A->n * (int64_t)sizeof(double); }
