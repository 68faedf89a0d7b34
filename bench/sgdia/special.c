/* SG-DIA's kernel compiled for one matrix: its constants. */
#include <stdio.h>
#include <string.h>

#include "bench/sgdia/device.h"
#include "linsolve/sgdia/tile.h"
#include "linsolve/stencil/stencil.h"

/* The family with the matrix's points in their order; x of the grid is k of the family. */
static hp_status family_of(const hp_sgdia *A, hp_stencil_family *F) {
  memset(F, 0, sizeof *F);
  F->stencil = hp_stencil_of(A->points == HP_SGDIA_POINTS_MAX ? HP_STENCIL_BOX_27 : HP_STENCIL_STAR_7);
  F->nx = A->size[2];
  F->ny = A->size[1];
  F->nz = A->size[0];
  F->q = A->q;
  bool same = F->stencil.count == A->points;
  for (int p = 0; p < A->points && same; ++p) {
    same = hp_stencil_shift(F, p) == A->offset[p];
    for (int d = 0; d < 3; ++d) same = same && F->stencil.offset[p][2 - d] == A->shift[p][d];
  }
  return same ? HP_OK
              : hp_fail(HP_ERR_UNSUPPORTED, "no family of kernels has the points of this stencil in their order");
}

/* "#define HP_CONSTANT_name {a, b, ...}" behind what *used bytes of text are. */
static void add_list(char *text, size_t size, size_t *used, const char *name, int count, const int *number) {
  *used += (size_t)snprintf(text + *used, size - *used, "#define HP_CONSTANT_%s {", name);
  for (int n = 0; n < count; ++n)
    *used += (size_t)snprintf(text + *used, size - *used, "%s%d", n > 0 ? ", " : "", number[n]);
  *used += (size_t)snprintf(text + *used, size - *used, "}\n");
}

static void add_divisor(char *text, size_t size, size_t *used, const char *name, int number) {
  const hp_divisor d = hp_divisor_of((uint32_t)number);
  *used += (size_t)snprintf(text + *used, size - *used, "#define HP_CONSTANT_%s {%uu, %uu}\n", name, d.factor, d.shift);
}

/* Far below `size` for every stencil. */
static void tile_constants(const hp_sgdia *A, const hp_kernel_shape *s, char *text, size_t size) {
  const hp_sgdia_tile tile = hp_sgdia_tile_of(A, s->threads * hp_sgdia_rows_of(A->single, s->loads));
  size_t used = (size_t)snprintf(text, size,
                                 "#define HP_CONSTANT_THREADS %d\n#define HP_CONSTANT_COLUMN %lldl\n"
                                 "#define HP_CONSTANT_LINES %d\n#define HP_CONSTANT_LENGTH %d\n",
                                 s->threads, (long long)A->ld, tile.lines, tile.length);
  add_divisor(text, size, &used, "BY_Q", A->q);
  add_divisor(text, size, &used, "BY_X", A->size[0]);
  add_divisor(text, size, &used, "BY_Y", A->size[1]);
  add_list(text, size, &used, "POINTS", 3 * A->points, &A->shift[0][0]);
  add_list(text, size, &used, "LINE", tile.lines, tile.line);
  add_list(text, size, &used, "LINE_OF", A->points, tile.line_of);
}

hp_status hp_sgdia_constants(const hp_sgdia *A, const hp_kernel_shape *s, char *out, size_t size) {
  enum { MORE = 2048 };
  hp_stencil_family F;
  char more[MORE];
  HP_TRY(family_of(A, &F));
  tile_constants(A, s, more, sizeof more);
  return hp_stencil_constants(&F, more, out, size);
}
