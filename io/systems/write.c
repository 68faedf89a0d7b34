#include "core/memory.h"
#include "io/files/hdf5.h"
#include "io/files/text.h"
#include "io/systems/system.h"

enum { VERSION = 1 };

static hp_status write_place(hp_h5 *h, const char *group, const hp_system_place *at) {
  HP_TRY(hp_h5_integer(h, group, "step", at->step));
  HP_TRY(hp_h5_integer(h, group, "attempt", at->attempt));
  return hp_h5_integer(h, group, "newton", at->newton);
}

static hp_status write_array(hp_h5 *h, const char *group, const char *name, int rank, const int64_t *dims,
                             const double *data) {
  char *path;
  HP_TRY(hp_format(&path, "%s/%s", group, name));
  const hp_status s = hp_h5_array(h, path, HP_H5_F64, rank, dims, data, NULL);
  HP_FREE(path);
  return s;
}

/* The values of a matrix. */
static hp_status write_matrix(hp_h5 *h, const char *group, const hp_gh *A, const hp_system_place *at) {
  const hp_gh_wells *W = &A->wells;
  HP_TRY(hp_h5_group(h, group));
  HP_TRY(write_place(h, group, at));
  HP_TRY(write_array(h, group, "h", 4, (const int64_t[]){HP_GH_DIAGS, A->q, A->ncell, A->q}, A->h));
  HP_TRY(write_array(h, group, "w", 2, (const int64_t[]){W->nperf, A->q}, W->w));
  HP_TRY(write_array(h, group, "wt", 2, (const int64_t[]){W->nperf, A->q}, W->wt));
  if (A->links.count > 0)
    HP_TRY(write_array(h, group, "link", 3, (const int64_t[]){A->links.count, A->q, A->q}, A->link));
  return write_array(h, group, "d", 1, (const int64_t[]){W->nwell}, W->dd);
}

/* first: [nwell+1]; cell: [nperf][3], i, j, k from 0, in the order of w and wt. */
static hp_status write_structure(hp_h5 *h, const hp_gh *A, int32_t *first, int32_t *cell) {
  const hp_gh_wells *W = &A->wells;
  if (W->nperf > INT32_MAX) return hp_fail(HP_ERR_UNSUPPORTED, "%s: more than 2^31 perforations", h->path);
  for (int w = 0; w < W->nwell; ++w) {
    int64_t p = first[w];
    for (int r = W->run_begin[w]; r < W->run_begin[w + 1]; ++r)
      for (int64_t n = 0; n < W->c[r]; ++n, ++p) {
        const int64_t m = W->b[r] + n, areal = m / A->nz;
        cell[3 * p] = (int32_t)(areal / A->ny);
        cell[3 * p + 1] = (int32_t)(areal % A->ny);
        cell[3 * p + 2] = (int32_t)(m % A->nz);
      }
    first[w + 1] = (int32_t)p;
  }
  HP_TRY(hp_h5_group(h, "/wells"));
  HP_TRY(hp_h5_array(h, "/wells/begin", HP_H5_I32, 1, (const int64_t[]){W->nwell + 1}, first, NULL));
  return hp_h5_array(h, "/wells/cell", HP_H5_I32, 2, (const int64_t[]){W->nperf, 3}, cell, NULL);
}

static hp_status write_wells(hp_h5 *h, const hp_gh *A) {
  int32_t *first = NULL, *cell = NULL;
  hp_status s = HP_ALLOC(first, A->wells.nwell + 1);
  if (s == HP_OK) s = HP_ALLOC(cell, 3 * A->wells.nperf);
  if (s == HP_OK) s = write_structure(h, A, first, cell);
  HP_FREE(first);
  HP_FREE(cell);
  return s;
}

/* pair: [count][2], the connections' cells as numbers in the order of h. */
static hp_status write_pairs(hp_h5 *h, const hp_links *L, int64_t *a, int64_t *b, int32_t *pair) {
  const int64_t count = L->count / 2;
  hp_links_pairs(L, a, b);
  for (int64_t n = 0; n < count; ++n) {
    pair[2 * n] = (int32_t)a[n];
    pair[2 * n + 1] = (int32_t)b[n];
  }
  HP_TRY(hp_h5_integer(h, "/", "nconnection", count));
  HP_TRY(hp_h5_group(h, "/connections"));
  return hp_h5_array(h, "/connections/cell", HP_H5_I32, 2, (const int64_t[]){count, 2}, pair, NULL);
}

static hp_status write_connections(hp_h5 *h, const hp_gh *A) {
  const int64_t count = A->links.count / 2;
  int64_t *a = NULL, *b = NULL;
  int32_t *pair = NULL;
  if (count == 0) return HP_OK;
  if (A->ncell > INT32_MAX) return hp_fail(HP_ERR_UNSUPPORTED, "%s: connections of more than 2^31 cells", h->path);
  hp_status s = HP_ALLOC(a, count);
  if (s == HP_OK) s = HP_ALLOC(b, count);
  if (s == HP_OK) s = HP_ALLOC(pair, 2 * count);
  if (s == HP_OK) s = write_pairs(h, &A->links, a, b, pair);
  HP_FREE(a);
  HP_FREE(b);
  HP_FREE(pair);
  return s;
}

static hp_status write_description(hp_h5 *h, const hp_system *S) {
  const hp_gh *A = S->A;
  const struct {
    const char *name, *text;
  } texts[] = {{"format", "hepta system"}, {"version", S->version}, {"commit", S->commit}, {"deck", S->deck},
               {"solver", S->solver},      {"machine", S->machine}, {"reason", S->reason}};
  const struct {
    const char *name;
    int64_t value;
  } whole[] = {{"format_version", VERSION},
               {"nx", A->nx},
               {"ny", A->ny},
               {"nz", A->nz},
               {"q", A->q},
               {"nwell", A->wells.nwell},
               {"nperf", A->wells.nperf},
               {"cpr", S->uses_cpr},
               {"iterations", S->iterations}};
  const struct {
    const char *name;
    double value;
  } numbers[] = {{"time", S->time}, {"dt", S->dt}, {"residual", S->residual}, {"norm_b", S->norm_b}};
  for (size_t n = 0; n < sizeof texts / sizeof *texts; ++n)
    HP_TRY(hp_h5_text(h, "/", texts[n].name, texts[n].text != NULL ? texts[n].text : ""));
  for (size_t n = 0; n < sizeof whole / sizeof *whole; ++n)
    HP_TRY(hp_h5_integer(h, "/", whole[n].name, whole[n].value));
  for (size_t n = 0; n < sizeof numbers / sizeof *numbers; ++n)
    HP_TRY(hp_h5_number(h, "/", numbers[n].name, numbers[n].value));
  return HP_OK;
}

static hp_status write_system(hp_h5 *h, const hp_system *S) {
  const hp_gh *A = S->A;
  HP_TRY(write_description(h, S));
  HP_TRY(hp_h5_array(h, "/active", HP_H5_U8, 1, &A->ncell, S->active, NULL));
  HP_TRY(write_wells(h, A));
  HP_TRY(write_connections(h, A));
  HP_TRY(write_matrix(h, "/matrix", A, &S->place));
  HP_TRY(hp_h5_array(h, "/b", HP_H5_F64, 1, &A->n, S->b, NULL));
  HP_TRY(hp_h5_array(h, "/x", HP_H5_F64, 1, &A->n, S->x, NULL));
  if (S->numbers != NULL) HP_TRY(write_matrix(h, "/numbers", S->numbers, &S->numbers_of));
  return S->pattern != NULL ? write_matrix(h, "/pattern", S->pattern, &S->pattern_of) : HP_OK;
}

hp_status hp_system_write(const hp_system *S, const char *path) {
  hp_h5 h;
  HP_TRY(hp_h5_create(&h, path, 0));
  const hp_status s = write_system(&h, S);
  if (s == HP_OK) return hp_h5_place(&h);
  hp_h5_discard(&h);
  return s;
}
