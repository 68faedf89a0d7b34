#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/ranks/ranks.h"
#include "io/files/hdf5.h"
#include "io/systems/system.h"

enum { VERSION = 1 };

static hp_status write_place(hp_h5 *h, const char *group, const hp_system_place *at) {
  HP_TRY(hp_h5_integer(h, group, "step", at->step));
  HP_TRY(hp_h5_integer(h, group, "attempt", at->attempt));
  return hp_h5_integer(h, group, "newton", at->newton);
}

/* ---- cells, piece by piece ---- */

/* A dataset [count] or [count][..] of a file, filled from its beginning on. */
typedef struct {
  hp_h5 *h;
  hid_t set;
  const char *path;
  hp_h5_type type;
  int rank;
  hsize_t from[4], size[4]; /* the next box, one item of the axis `along` */
  int along;
  int64_t bytes; /* of an item in a piece */
} filled;

static hp_status fill(void *arg, const hp_gh_piece *q, const char *bytes, int64_t size) {
  filled *f = arg;
  const int64_t items = size / f->bytes;
  hp_status s = HP_OK;
  (void)q;
  if (items == 0) return HP_OK;
  f->size[f->along] = (hsize_t)items;
  s = hp_h5_write_box(f->h, f->set, f->path, f->type, f->rank, f->from, f->size, bytes);
  f->from[f->along] += (hsize_t)items;
  return s;
}

/* Entries of wells behind those of cells. */
static hp_status fill_wells(filled *f, int nwell, const double *v) {
  f->bytes = sizeof *v;
  return fill(f, NULL, (const char *)v, nwell * (int64_t)sizeof *v);
}

/* b or x. */
static hp_status write_vector(hp_h5 *h, const hp_gh_source *P, hp_gh_piece_kind kind, const double *of_wells,
                              const char *path) {
  const hp_gh *A = P->A[HP_GH_LATEST];
  const hsize_t n = (hsize_t)(hp_gh_whole_cells(A) * A->q + A->wells.nwell);
  filled f = {.h = h, .path = path, .type = HP_H5_F64, .rank = 1, .bytes = sizeof(double)};
  hp_status s = hp_h5_open_set(h, path, HP_H5_F64, 1, &n, NULL, &f.set);
  if (s == HP_OK) s = hp_gh_source_read(P, kind, HP_GH_LATEST, 0, fill, &f);
  if (s == HP_OK) s = fill_wells(&f, A->wells.nwell, of_wells);
  return hp_h5_close_set(h, path, f.set, NULL, s);
}

static hp_status write_active(hp_h5 *h, const hp_gh_source *P) {
  const hsize_t n = (hsize_t)hp_gh_whole_cells(P->A[HP_GH_LATEST]);
  filled f = {.h = h, .path = "/active", .type = HP_H5_U8, .rank = 1, .bytes = 1};
  hp_status s = hp_h5_open_set(h, f.path, HP_H5_U8, 1, &n, NULL, &f.set);
  if (s == HP_OK) s = hp_gh_source_read(P, HP_GH_PIECE_ACTIVE, HP_GH_LATEST, 0, fill, &f);
  return hp_h5_close_set(h, f.path, f.set, NULL, s);
}

/* ---- matrices ---- */

/* [7][q][cells][q] */
static hp_status write_diagonals(hp_h5 *h, const hp_gh_source *P, hp_gh_which which, const char *path) {
  const hp_gh *A = P->A[which];
  const hsize_t q = (hsize_t)A->q, dims[4] = {HP_GH_DIAGS, q, (hsize_t)hp_gh_whole_cells(A), q};
  filled f = {.h = h, .path = path, .type = HP_H5_F64, .rank = 4, .along = 2, .bytes = A->q * (int64_t)sizeof(double)};
  hp_status s = hp_h5_open_set(h, path, HP_H5_F64, 4, dims, NULL, &f.set);
  for (hsize_t of = 0; of < HP_GH_DIAGS * q && s == HP_OK; ++of) {
    const hsize_t from[4] = {of / q, of % q, 0, 0}, size[4] = {1, 1, 0, q};
    memcpy(f.from, from, sizeof from);
    memcpy(f.size, size, sizeof size);
    s = hp_gh_source_read(P, HP_GH_PIECE_H, which, (int)of, fill, &f);
  }
  return hp_h5_close_set(h, path, f.set, NULL, s);
}

/* [entries][q][q] */
static hp_status write_links(hp_h5 *h, const hp_gh_source *P, hp_gh_which which, int64_t count, const char *path) {
  const hsize_t q = (hsize_t)P->A[which]->q, dims[4] = {(hsize_t)count, q, q, 0};
  filled f = {.h = h, .path = path, .type = HP_H5_F64, .rank = 3, .bytes = (int64_t)(q * q * sizeof(double))};
  memcpy(f.size, dims, sizeof dims);
  hp_status s = hp_h5_open_set(h, path, HP_H5_F64, 3, dims, NULL, &f.set);
  if (s == HP_OK) s = hp_gh_source_read(P, HP_GH_PIECE_LINKS, which, 0, fill, &f);
  return hp_h5_close_set(h, path, f.set, NULL, s);
}

/* The columns of wells, which the owners of their cells have. */
static hp_status write_well_columns(hp_h5 *h, const hp_gh_source *P, hp_gh_which which, const char *path) {
  const hp_gh *A = P->A[which];
  const char *bytes;
  int64_t size;
  hp_gh_piece q;
  memset(&q, 0, sizeof q);
  q.kind = HP_GH_PIECE_WT;
  q.which = which;
  HP_TRY(P->get(P->arg, &q, &bytes, &size));
  return hp_h5_array(h, path, HP_H5_F64, 2, (const int64_t[]){A->wells.nperf, A->q}, bytes, NULL);
}

/* The values of a matrix; count: entries of its connections. */
static hp_status write_values(hp_h5 *h, const char *group, const hp_gh_source *P, hp_gh_which which, int64_t count) {
  const hp_gh *A = P->A[which];
  const hp_gh_wells *W = &A->wells;
  static const char *const name[] = {"h", "w", "wt", "link", "d"};
  char path[5][32];
  for (int n = 0; n < 5; ++n) snprintf(path[n], sizeof path[n], "%s/%s", group, name[n]);
  HP_TRY(write_diagonals(h, P, which, path[0]));
  HP_TRY(hp_h5_array(h, path[1], HP_H5_F64, 2, (const int64_t[]){W->nperf, A->q}, W->w, NULL));
  HP_TRY(write_well_columns(h, P, which, path[2]));
  if (count > 0) HP_TRY(write_links(h, P, which, count, path[3]));
  return hp_h5_array(h, path[4], HP_H5_F64, 1, (const int64_t[]){W->nwell}, W->dd, NULL);
}

static hp_status write_matrix(hp_h5 *h, const char *group, const hp_gh_source *P, hp_gh_which which, int64_t count,
                              const hp_system_place *at) {
  HP_TRY(hp_h5_group(h, group));
  HP_TRY(write_place(h, group, at));
  return write_values(h, group, P, which, count);
}

/* first: [nwell+1]; cell: [nperf][3], i, j, k from 0, in the order of w and wt. */
static hp_status write_structure(hp_h5 *h, const hp_gh *A, int32_t *first, int32_t *cell) {
  const hp_gh_wells *W = &A->wells;
  int size[3];
  hp_gh_whole_size(A, size);
  if (W->nperf > INT32_MAX) return hp_fail(HP_ERR_UNSUPPORTED, "%s: more than 2^31 perforations", h->path);
  for (int w = 0; w < W->nwell; ++w) {
    int64_t p = first[w];
    for (int r = W->run_begin[w]; r < W->run_begin[w + 1]; ++r)
      for (int64_t n = 0; n < W->c[r]; ++n, ++p) {
        const int64_t m = hp_gh_whole_cell(A, W->b[r] + n), areal = m / size[0];
        cell[3 * p] = (int32_t)(areal / size[1]);
        cell[3 * p + 1] = (int32_t)(areal % size[1]);
        cell[3 * p + 2] = (int32_t)(m % size[0]);
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

/* Numbers of cells, in the order of h. */
static hp_status fill_pairs(void *arg, const hp_gh_piece *q, const char *bytes, int64_t size) {
  const int64_t numbers = size / (int64_t)sizeof(int64_t);
  int32_t *pair = NULL;
  int64_t cell;
  HP_TRY(HP_ALLOC_UNSET(pair, numbers));
  for (int64_t n = 0; n < numbers; ++n) {
    memcpy(&cell, bytes + n * (int64_t)sizeof cell, sizeof cell);
    pair[n] = (int32_t)cell;
  }
  const hp_status s = fill(arg, q, (const char *)pair, numbers * (int64_t)sizeof *pair);
  HP_FREE(pair);
  return s;
}

/* [count][2] */
static hp_status write_connections(hp_h5 *h, const hp_gh_source *P, int64_t count) {
  const hsize_t dims[4] = {(hsize_t)count, 2, 0, 0};
  filled f = {.h = h, .path = "/connections/cell", .type = HP_H5_I32, .rank = 2, .bytes = 2 * sizeof(int32_t)};
  if (count == 0) return HP_OK;
  if (hp_gh_whole_cells(P->A[HP_GH_LATEST]) > INT32_MAX)
    return hp_fail(HP_ERR_UNSUPPORTED, "%s: connections of more than 2^31 cells", h->path);
  HP_TRY(hp_h5_integer(h, "/", "nconnection", count));
  HP_TRY(hp_h5_group(h, "/connections"));
  memcpy(f.size, dims, sizeof dims);
  hp_status s = hp_h5_open_set(h, f.path, HP_H5_I32, 2, dims, NULL, &f.set);
  if (s == HP_OK) s = hp_gh_source_read(P, HP_GH_PIECE_PAIRS, HP_GH_LATEST, 0, fill_pairs, &f);
  return hp_h5_close_set(h, f.path, f.set, NULL, s);
}

static hp_status write_description(hp_h5 *h, const hp_system *S, const hp_gh *A) {
  int size[3];
  hp_gh_whole_size(A, size);
  const struct {
    const char *name, *text;
  } texts[] = {{"format", "hepta system"}, {"version", S->version}, {"commit", S->commit}, {"deck", S->deck},
               {"solver", S->solver},      {"machine", S->machine}, {"reason", S->reason}};
  const struct {
    const char *name;
    int64_t value;
  } whole[] = {{"format_version", VERSION},
               {"nx", size[2]},
               {"ny", size[1]},
               {"nz", size[0]},
               {"q", A->q},
               {"nwell", A->wells.nwell},
               {"nperf", A->wells.nperf},
               {"cpr", S->uses_cpr},
               {"iterations", S->iterations}};
  const struct {
    const char *name;
    double value;
  } numbers[] = {
      {"time", S->time}, {"dt", S->dt}, {"residual", S->residual}, {"norm_b", S->norm_b}, {"tolerance", S->tolerance}};
  for (size_t n = 0; n < sizeof texts / sizeof *texts; ++n)
    HP_TRY(hp_h5_text(h, "/", texts[n].name, texts[n].text != NULL ? texts[n].text : ""));
  for (size_t n = 0; n < sizeof whole / sizeof *whole; ++n)
    HP_TRY(hp_h5_integer(h, "/", whole[n].name, whole[n].value));
  for (size_t n = 0; n < sizeof numbers / sizeof *numbers; ++n)
    HP_TRY(hp_h5_number(h, "/", numbers[n].name, numbers[n].value));
  return HP_OK;
}

static hp_status write_system(hp_h5 *h, const hp_system *S, const hp_gh_source *P) {
  const hp_gh *A = P->A[HP_GH_LATEST];
  int64_t count[2];
  HP_TRY(write_description(h, S, A));
  HP_TRY(hp_gh_source_count(P, HP_GH_LATEST, count));
  HP_TRY(write_active(h, P));
  HP_TRY(write_wells(h, A));
  HP_TRY(write_connections(h, P, count[1] / 2));
  HP_TRY(write_matrix(h, "/matrix", P, HP_GH_LATEST, count[1], &S->place));
  HP_TRY(write_vector(h, P, HP_GH_PIECE_B, P->b_well, "/b"));
  HP_TRY(write_vector(h, P, HP_GH_PIECE_X, P->x_well, "/x"));
  if (S->numbers != NULL) HP_TRY(write_matrix(h, "/numbers", P, HP_GH_NUMBERS, count[1], &S->numbers_of));
  if (S->pattern != NULL) HP_TRY(write_matrix(h, "/pattern", P, HP_GH_PATTERN, count[1], &S->pattern_of));
  return HP_OK;
}

static hp_status write_file(const hp_system *S, const hp_gh_source *P, const char *path) {
  hp_h5 h;
  HP_TRY(hp_ranks_world() != NULL ? hp_h5_create_on_disk(&h, path, 0) : hp_h5_create(&h, path, 0));
  const hp_status s = write_system(&h, S, P);
  if (s == HP_OK) return hp_h5_place(&h);
  hp_h5_discard(&h);
  return s;
}

hp_status hp_system_write(const hp_system *S, const char *path) {
  if (S->pieces != NULL) return write_file(S, S->pieces, path);
  hp_gh_here H = {.A = {S->A, S->numbers, S->pattern}, .b = S->b, .x = S->x, .active = S->active};
  const hp_gh_source all = hp_gh_here_source(&H);
  const hp_status s = write_file(S, &all, path);
  hp_gh_here_clear(&H);
  return s;
}

void hp_system_clear_texts(hp_system *S) {
  HP_FREE(S->deck);
  HP_FREE(S->version);
  HP_FREE(S->commit);
  HP_FREE(S->solver);
  HP_FREE(S->machine);
  HP_FREE(S->reason);
}
