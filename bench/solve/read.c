#include "bench/solve/read.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/files/hdf5.h"
#include "io/files/text.h"

enum { VERSION = 1 };

void hp_system_clear(hp_system *S) {
  hp_system_clear_texts(S);
  HP_FREE(S->active);
  HP_FREE(S->b);
  HP_FREE(S->x);
  hp_gh_destroy((hp_gh **)&S->A);
  hp_gh_destroy((hp_gh **)&S->numbers);
  hp_gh_destroy((hp_gh **)&S->pattern);
  *S = (hp_system){.time = 0.0};
}

/* ---- datasets ---- */

/* Whether numbers of the file's type are those of `type`, without a loss. */
static bool is_of(hid_t file, hp_h5_type type) {
  const H5T_class_t kind = H5Tget_class(file);
  const size_t size = H5Tget_size(file);
  switch (type) {
    case HP_H5_F32: return kind == H5T_FLOAT && size == 4;
    case HP_H5_F64: return kind == H5T_FLOAT && size == 8;
    case HP_H5_I32: return kind == H5T_INTEGER && size == 4 && H5Tget_sign(file) == H5T_SGN_2;
    default: return kind == H5T_INTEGER && size == 1 && H5Tget_sign(file) == H5T_SGN_NONE;
  }
}

static hp_status check_set(const hp_h5 *h, const char *name, hid_t set, hp_h5_type type, int64_t count) {
  static const char *const text[] = {"32-bit numbers", "64-bit numbers", "32-bit integers", "8-bit integers"};
  const hid_t space = H5Dget_space(set), stored = H5Dget_type(set);
  const hssize_t n = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
  hp_status s = HP_OK;
  if (n < 0 || stored < 0) s = hp_h5_fail(h, name);
  else if (!is_of(stored, type)) s = hp_fail(HP_ERR_FILE, "%s: %s is not of %s", h->path, name, text[type]);
  else if (n != count)
    s = hp_fail(HP_ERR_FILE, "%s: %s holds %lld numbers where %lld are expected", h->path, name, (long long)n,
                (long long)count);
  else s = hp_h5_check_stored(h, name, set, (double)count, (double)H5Tget_size(stored));
  if (space >= 0) H5Sclose(space);
  if (stored >= 0) H5Tclose(stored);
  return s;
}

static hp_status open_and_read(const hp_h5 *h, const char *name, hp_h5_type type, int64_t count, bool read,
                               void *data) {
  const hid_t set = H5Dopen2(h->file, name, H5P_DEFAULT);
  if (set < 0) return hp_h5_fail(h, name);
  hp_status s = check_set(h, name, set, type, count);
  if (s == HP_OK && read && count > 0 && H5Dread(set, hp_h5_memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
    s = hp_h5_fail(h, name);
  H5Dclose(set);
  return s;
}

hp_status hp_h5_check_count(const hp_h5 *h, const char *name, hp_h5_type type, int64_t count) {
  return open_and_read(h, name, type, count, false, NULL);
}

hp_status hp_h5_read_into(const hp_h5 *h, const char *name, hp_h5_type type, int64_t count, void *data) {
  return open_and_read(h, name, type, count, true, data);
}

/* ---- attributes ---- */

/* A whole number min .. max. */
static hp_status read_whole(const hp_h5 *h, const char *object, const char *name, double min, double max,
                            int64_t *out) {
  double v = 0.0;
  HP_TRY(hp_h5_read_number(h, object, name, &v));
  if (!(v >= min && v <= max && v == floor(v)))
    return hp_fail(HP_ERR_FILE, "%s: %s of %s is %g, not a whole number from %g to %g", h->path, name, object, v, min,
                   max);
  *out = (int64_t)v;
  return HP_OK;
}

static hp_status read_int(const hp_h5 *h, const char *object, const char *name, int min, int max, int *out) {
  int64_t v = 0;
  HP_TRY(read_whole(h, object, name, min, max, &v));
  *out = (int)v;
  return HP_OK;
}

static hp_status check_format(const hp_h5 *h) {
  char *format;
  int version;
  HP_TRY(hp_h5_read_text(h, "/", "format", &format));
  const bool ours = strcmp(format, "hepta system") == 0;
  HP_FREE(format);
  if (!ours)
    return hp_fail(HP_ERR_FILE, "%s: holds no linear system; `hepta run DECK --dump-systems NAME` writes such files",
                   h->path);
  HP_TRY(read_int(h, "/", "format_version", 0, INT32_MAX, &version));
  return version == VERSION ? HP_OK
                            : hp_fail(HP_ERR_FILE,
                                      "%s: was written by another version of hepta (format %d, this one "
                                      "reads %d)",
                                      h->path, version, VERSION);
}

static hp_status read_description(const hp_h5 *h, hp_system *S) {
  int cpr;
  HP_TRY(hp_h5_read_text(h, "/", "deck", &S->deck));
  HP_TRY(hp_h5_read_text(h, "/", "version", &S->version));
  HP_TRY(hp_h5_read_text(h, "/", "commit", &S->commit));
  HP_TRY(hp_h5_read_text(h, "/", "solver", &S->solver));
  HP_TRY(hp_h5_read_text(h, "/", "machine", &S->machine));
  HP_TRY(hp_h5_read_text(h, "/", "reason", &S->reason));
  HP_TRY(hp_h5_read_number(h, "/", "time", &S->time));
  HP_TRY(hp_h5_read_number(h, "/", "dt", &S->dt));
  HP_TRY(hp_h5_read_number(h, "/", "residual", &S->residual));
  HP_TRY(hp_h5_read_number(h, "/", "norm_b", &S->norm_b));
  HP_TRY(hp_h5_read_number(h, "/", "tolerance", &S->tolerance));
  HP_TRY(read_int(h, "/", "iterations", 0, INT32_MAX, &S->iterations));
  HP_TRY(read_int(h, "/", "cpr", 0, 1, &cpr));
  S->uses_cpr = cpr == 1;
  return HP_OK;
}

static hp_status read_place(const hp_h5 *h, const char *group, hp_system_place *at) {
  HP_TRY(read_int(h, group, "step", 1, INT32_MAX, &at->step));
  HP_TRY(read_int(h, group, "attempt", 1, INT32_MAX, &at->attempt));
  return read_int(h, group, "newton", 1, INT32_MAX, &at->newton);
}

/* ---- the matrix ---- */

static hp_status check_finite(const hp_h5 *h, const char *name, int64_t count, const double *v) {
  for (int64_t i = 0; i < count; ++i)
    if (!isfinite(v[i]))
      return hp_fail(HP_ERR_FILE, "%s: %s: number %lld of %lld is not finite", h->path, name, (long long)i + 1,
                     (long long)count);
  return HP_OK;
}

/* Blocks that the boundary cuts off hold zeros: products read them (linsolve/matrix/gh.h). */
static hp_status check_boundary(const hp_h5 *h, const char *name, const hp_gh *A) {
  for (int64_t m = 0; m < A->ncell; ++m) {
    const int64_t areal = m / A->nz;
    const int at[3] = {(int)(m % A->nz), (int)(areal % A->ny), (int)(areal / A->ny)}, size[3] = {A->nz, A->ny, A->nx};
    for (int u = -3; u <= 3; ++u) {
      const int d = (u < 0 ? -u : u) - 1;
      if (u == 0 || (u < 0 ? at[d] > 0 : at[d] + 1 < size[d])) continue;
      for (int e = 0; e < A->q * A->q; ++e)
        if (*hp_gh_entry(A, m, u, e % A->q, e / A->q) != 0.0)
          return hp_fail(HP_ERR_FILE, "%s: %s: cell (%d, %d, %d) is coupled to one outside the grid", h->path, name,
                         at[2] + 1, at[1] + 1, at[0] + 1);
    }
  }
  return HP_OK;
}

static hp_status read_numbers(const hp_h5 *h, const char *group, const char *name, int64_t count, double *to) {
  char *path;
  HP_TRY(hp_format(&path, "%s/%s", group, name));
  hp_status s = hp_h5_read_into(h, path, HP_H5_F64, count, to);
  if (s == HP_OK) s = check_finite(h, path, count, to);
  HP_FREE(path);
  return s;
}

/* The wells of a file. */
typedef struct {
  int64_t nwell, nperf;
  int64_t *begin, *cell, *slot; /* [nwell+1], [nperf], [nperf]; see hp_gh_set_wells */
  double *value;                /* [nperf*q] in the file's order */
  int64_t nconnection;          /* beyond the diagonals */
  int64_t *a, *b;               /* [nconnection] see hp_gh_set_links */
} structure;

static void place_values(const structure *w, int q, double *to) {
  for (int64_t p = 0; p < w->nperf; ++p)
    for (int b = 0; b < q; ++b) to[w->slot[p] * q + b] = w->value[p * q + b];
}

static hp_status read_values(const hp_h5 *h, const char *group, const structure *w, hp_gh *A) {
  char *name;
  HP_TRY(read_numbers(h, group, "h", (int64_t)HP_GH_DIAGS * A->q * A->ld, A->h));
  HP_TRY(read_numbers(h, group, "w", w->nperf * A->q, w->value));
  place_values(w, A->q, A->wells.w);
  HP_TRY(read_numbers(h, group, "wt", w->nperf * A->q, w->value));
  place_values(w, A->q, A->wells.wt);
  HP_TRY(read_numbers(h, group, "d", w->nwell, A->wells.dd));
  if (w->nconnection > 0) HP_TRY(read_numbers(h, group, "link", A->links.count * A->q * A->q, A->link));
  HP_TRY(hp_format(&name, "%s/h", group));
  const hp_status s = check_boundary(h, name, A);
  HP_FREE(name);
  return s;
}

/* A matrix with the wells' structure, if its group is there. */
static hp_status read_matrix(const hp_h5 *h, const char *group, const int size[3], int q, const structure *w,
                             hp_system_place *at, const hp_gh **out) {
  hp_gh *A = NULL;
  HP_TRY(read_place(h, group, at));
  HP_TRY(hp_gh_create(size[0], size[1], size[2], q, &A));
  *out = A;
  const hp_status s = hp_gh_set_wells(A, (int)w->nwell, w->begin, w->cell, w->slot);
  if (s == HP_ERR_INTERNAL) /* a cell twice in a well */
    return hp_fail(HP_ERR_FILE, "%s: /wells/cell: %s", h->path, hp_fail_text());
  HP_TRY(s);
  HP_TRY(hp_gh_set_links(A, w->nconnection, w->a, w->b));
  return read_values(h, group, w, A);
}

/* Numbers from the file as wells' cells, all in the grid. */
static hp_status read_cells(const hp_h5 *h, const int size[3], const int32_t *first, const int32_t *cell,
                            structure *w) {
  bool rising = first[0] == 0 && first[w->nwell] == w->nperf;
  for (int64_t n = 0; n < w->nwell; ++n) rising = rising && first[n] <= first[n + 1];
  if (!rising) return hp_fail(HP_ERR_FILE, "%s: /wells/begin does not rise from 0 to nperf", h->path);
  for (int64_t n = 0; n <= w->nwell; ++n) w->begin[n] = first[n];
  for (int64_t p = 0; p < w->nperf; ++p) {
    const int32_t *ijk = cell + 3 * p;
    for (int d = 0; d < 3; ++d)
      if (ijk[d] < 0 || ijk[d] >= size[d])
        return hp_fail(HP_ERR_FILE,
                       "%s: /wells/cell: perforation %lld is in cell (%d, %d, %d), outside the grid of "
                       "%d x %d x %d",
                       h->path, (long long)p + 1, ijk[0] + 1, ijk[1] + 1, ijk[2] + 1, size[0], size[1], size[2]);
    w->cell[p] = ijk[2] + (int64_t)size[2] * (ijk[1] + (int64_t)size[1] * ijk[0]);
  }
  return HP_OK;
}

static hp_status read_structure(const hp_h5 *h, const int size[3], int q, structure *w) {
  int32_t *first = NULL, *cell = NULL;
  HP_TRY(read_whole(h, "/", "nwell", 0, INT32_MAX - 1, &w->nwell));
  HP_TRY(read_whole(h, "/", "nperf", 0, INT32_MAX, &w->nperf));
  HP_TRY(hp_h5_check_count(h, "/wells/begin", HP_H5_I32, w->nwell + 1)); /* before there is memory for them */
  HP_TRY(hp_h5_check_count(h, "/wells/cell", HP_H5_I32, 3 * w->nperf));
  HP_TRY(HP_ALLOC(w->begin, w->nwell + 1));
  HP_TRY(HP_ALLOC(w->cell, w->nperf));
  HP_TRY(HP_ALLOC(w->slot, w->nperf));
  HP_TRY(HP_ALLOC(w->value, w->nperf * q));
  hp_status s = HP_ALLOC(first, w->nwell + 1);
  if (s == HP_OK) s = HP_ALLOC(cell, 3 * w->nperf);
  if (s == HP_OK) s = hp_h5_read_into(h, "/wells/begin", HP_H5_I32, w->nwell + 1, first);
  if (s == HP_OK) s = hp_h5_read_into(h, "/wells/cell", HP_H5_I32, 3 * w->nperf, cell);
  if (s == HP_OK) s = read_cells(h, size, first, cell, w);
  HP_FREE(first);
  HP_FREE(cell);
  return s;
}

static hp_status read_pairs(const hp_h5 *h, int64_t ncell, int32_t *pair, structure *w) {
  HP_TRY(hp_h5_read_into(h, "/connections/cell", HP_H5_I32, 2 * w->nconnection, pair));
  for (int64_t n = 0; n < w->nconnection; ++n) {
    w->a[n] = pair[2 * n];
    w->b[n] = pair[2 * n + 1];
    const bool rises = n == 0 || w->a[n] > w->a[n - 1] || (w->a[n] == w->a[n - 1] && w->b[n] > w->b[n - 1]);
    if (w->a[n] < 0 || w->a[n] >= w->b[n] || w->b[n] >= ncell || !rises)
      return hp_fail(HP_ERR_FILE, "%s: /connections/cell: number %lld joins cells %lld and %lld: they rise, below %lld",
                     h->path, (long long)n + 1, (long long)w->a[n], (long long)w->b[n], (long long)ncell);
  }
  return HP_OK;
}

/* Older files, and those of lattices without faults, have none. */
static hp_status read_connections(const hp_h5 *h, const int size[3], structure *w) {
  if (!hp_h5_exists(h, "/connections")) return HP_OK;
  int32_t *pair = NULL;
  HP_TRY(read_whole(h, "/", "nconnection", 1, INT32_MAX, &w->nconnection));
  HP_TRY(hp_h5_check_count(h, "/connections/cell", HP_H5_I32, 2 * w->nconnection));
  HP_TRY(HP_ALLOC(w->a, w->nconnection));
  HP_TRY(HP_ALLOC(w->b, w->nconnection));
  HP_TRY(HP_ALLOC(pair, 2 * w->nconnection));
  const hp_status s = read_pairs(h, (int64_t)size[0] * size[1] * size[2], pair, w);
  HP_FREE(pair);
  return s;
}

/* ---- the file ---- */

static hp_status read_active(const hp_h5 *h, hp_system *S) {
  HP_TRY(HP_ALLOC(S->active, S->A->ncell));
  HP_TRY(hp_h5_read_into(h, "/active", HP_H5_U8, S->A->ncell, (void *)S->active));
  for (int64_t m = 0; m < S->A->ncell; ++m)
    if (S->active[m] > 1)
      return hp_fail(HP_ERR_FILE, "%s: /active: cell %lld is %d, neither 0 nor 1", h->path, (long long)m + 1,
                     S->active[m]);
  return HP_OK;
}

static hp_status read_vectors(const hp_h5 *h, hp_system *S) {
  const int64_t n = S->A->n;
  HP_TRY(HP_ALLOC(S->b, n));
  HP_TRY(HP_ALLOC(S->x, n));
  HP_TRY(hp_h5_read_into(h, "/b", HP_H5_F64, n, (void *)S->b));
  HP_TRY(check_finite(h, "/b", n, S->b));
  return hp_h5_read_into(h, "/x", HP_H5_F64, n, (void *)S->x);
}

/* Sizes first: what does not fit them takes no memory. */
static hp_status read_size(const hp_h5 *h, int size[3], int *q) {
  static const char *const name[3] = {"nx", "ny", "nz"};
  double ncell = 1.0;
  for (int d = 0; d < 3; ++d) {
    HP_TRY(read_int(h, "/", name[d], 1, INT32_MAX, &size[d]));
    ncell *= size[d];
  }
  HP_TRY(read_int(h, "/", "q", 1, HP_GH_Q_MAX, q));
  if (ncell > INT32_MAX)
    return hp_fail(HP_ERR_FILE, "%s: %d x %d x %d are more than 2^31 cells", h->path, size[0], size[1], size[2]);
  const int64_t cells = (int64_t)size[0] * size[1] * size[2];
  HP_TRY(hp_h5_check_count(h, "/active", HP_H5_U8, cells));
  return hp_h5_check_count(h, "/matrix/h", HP_H5_F64, HP_GH_DIAGS * (int64_t)*q * *q * cells);
}

static hp_status read_matrices(const hp_h5 *h, const int size[3], int q, const structure *w, hp_system *S) {
  HP_TRY(read_matrix(h, "/matrix", size, q, w, &S->place, &S->A));
  S->numbers_of = S->place;
  if (hp_h5_exists(h, "/numbers")) HP_TRY(read_matrix(h, "/numbers", size, q, w, &S->numbers_of, &S->numbers));
  S->pattern_of = S->numbers_of;
  return hp_h5_exists(h, "/pattern") ? read_matrix(h, "/pattern", size, q, w, &S->pattern_of, &S->pattern) : HP_OK;
}

static hp_status read_system(const hp_h5 *h, hp_system *S) {
  int size[3], q;
  structure w = {.nwell = 0};
  HP_TRY(check_format(h));
  HP_TRY(read_description(h, S));
  HP_TRY(read_size(h, size, &q));
  hp_status s = read_structure(h, size, q, &w);
  if (s == HP_OK) s = read_connections(h, size, &w);
  if (s == HP_OK) s = read_matrices(h, size, q, &w, S);
  HP_FREE(w.begin);
  HP_FREE(w.cell);
  HP_FREE(w.slot);
  HP_FREE(w.value);
  HP_FREE(w.a);
  HP_FREE(w.b);
  if (s == HP_OK) s = read_active(h, S);
  return s == HP_OK ? read_vectors(h, S) : s;
}

hp_status hp_system_read(const char *path, hp_system *out) {
  hp_h5 h;
  *out = (hp_system){.time = 0.0};
  HP_TRY(hp_h5_open(&h, path));
  const hp_status s = read_system(&h, out);
  hp_h5_discard(&h);
  if (s != HP_OK) hp_system_clear(out);
  return s;
}
