/* A GH matrix as MatrixMarket files, for looking at it and for other programs. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "linsolve/matrix/pieces.h"

/* An entry of a well's row; with f == NULL it is only counted. */
static void put(FILE *f, int64_t row, int64_t column, double value, int64_t *count) {
  if (value == 0.0) return;
  *count += 1;
  if (f != NULL) fprintf(f, "%" PRId64 " %" PRId64 " %.17g\n", row + 1, column + 1, value);
}

static int64_t put_wells(FILE *f, const hp_gh *A) {
  const hp_gh_wells *W = &A->wells;
  const int64_t rows = hp_gh_whole_cells(A) * A->q;
  int64_t count = 0;
  for (int w = 0; w < W->nwell; ++w) {
    for (int r = W->run_begin[w]; r < W->run_begin[w + 1]; ++r)
      for (int64_t n = 0; n < W->c[r]; ++n)
        for (int b = 0; b < A->q; ++b)
          put(f, rows + w, hp_gh_whole_cell(A, W->b[r] + n) * A->q + b, W->w[(W->a[r] + n) * A->q + b], &count);
    put(f, rows + w, rows + w, W->dd[w], &count);
  }
  return count;
}

static hp_status close_checked(FILE *f, const char *path, hp_status s) {
  const bool bad = ferror(f) != 0;
  if (fclose(f) != 0 || bad) return s != HP_OK ? s : hp_fail(HP_ERR_FILE, "%s: cannot be written", path);
  return s;
}

static hp_status put_text(void *arg, const hp_gh_piece *q, const char *bytes, int64_t size) {
  (void)q;
  if (size > 0) fwrite(bytes, 1, (size_t)size, arg); /* what fails is seen at the end */
  return HP_OK;
}

static hp_status put_numbers(void *arg, const hp_gh_piece *q, const char *bytes, int64_t size) {
  double v;
  (void)q;
  for (int64_t at = 0; at < size; at += (int64_t)sizeof v) {
    memcpy(&v, bytes + at, sizeof v);
    fprintf(arg, "%.17g\n", v);
  }
  return HP_OK;
}

static hp_status put_matrix(FILE *f, const hp_gh_source *S) {
  const hp_gh *A = S->A[HP_GH_LATEST];
  const int64_t n = hp_gh_whole_cells(A) * A->q + A->wells.nwell;
  int size[3];
  int64_t count[2];
  hp_gh_whole_size(A, size);
  HP_TRY(hp_gh_source_count(S, HP_GH_LATEST, count));
  fprintf(f, "%%%%MatrixMarket matrix coordinate real general\n");
  fprintf(f, "%% hepta: %d x %d x %d cells (vertical fastest), %d unknowns per cell, then %d wells\n", size[2], size[1],
          size[0], A->q, A->wells.nwell);
  fprintf(f, "%" PRId64 " %" PRId64 " %" PRId64 "\n", n, n, count[0] + put_wells(NULL, A));
  HP_TRY(hp_gh_source_read(S, HP_GH_PIECE_ROWS, HP_GH_LATEST, 0, put_text, f));
  put_wells(f, A);
  return HP_OK;
}

static hp_status put_rhs(FILE *f, const hp_gh_source *S) {
  const hp_gh *A = S->A[HP_GH_LATEST];
  fprintf(f, "%%%%MatrixMarket matrix array real general\n%" PRId64 " 1\n",
          hp_gh_whole_cells(A) * A->q + A->wells.nwell);
  HP_TRY(hp_gh_source_read(S, HP_GH_PIECE_B, HP_GH_LATEST, 0, put_numbers, f));
  for (int w = 0; w < A->wells.nwell; ++w) fprintf(f, "%.17g\n", S->b_well[w]);
  return HP_OK;
}

static hp_status write_file(const hp_gh_source *S, hp_status (*what)(FILE *, const hp_gh_source *), const char *path) {
  FILE *f = fopen(path, "w");
  if (f == NULL) return hp_fail(HP_ERR_FILE, "%s: cannot be opened for writing", path);
  return close_checked(f, path, what(f, S));
}

hp_status hp_gh_source_write_mtx(const hp_gh_source *S, const char *path) {
  HP_TRY(write_file(S, put_matrix, path));
  if (S->b_well == NULL) return HP_OK;
  char *rhs = NULL;
  const size_t size = strlen(path) + sizeof ".rhs";
  HP_TRY(HP_ALLOC(rhs, size));
  snprintf(rhs, size, "%s.rhs", path);
  const hp_status s = write_file(S, put_rhs, rhs);
  HP_FREE(rhs);
  return s;
}

hp_status hp_gh_write_mtx(const hp_gh *A, const double *b, const char *path) {
  hp_gh_here H = {.A = {A}, .b = b};
  const hp_gh_source S = hp_gh_here_source(&H);
  const hp_status s = hp_gh_source_write_mtx(&S, path);
  hp_gh_here_clear(&H);
  return s;
}
