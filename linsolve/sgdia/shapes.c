#include <stdio.h>

#include "linsolve/sgdia/device.h"
#include "linsolve/sgdia/tile.h"

enum { SHARED_MOST = 48 * 1024 /* bytes that every kernel may have */ };

const char *hp_sgdia_kind_name(hp_sgdia_kind kind) { return kind == HP_SGDIA_STAR ? "star" : "box"; }

bool hp_sgdia_shape_fits(const hp_sgdia *A, const hp_kernel_shape *s) {
  if (!s->shared) return true;
  const hp_sgdia_tile t = hp_sgdia_tile_of(A, s->threads * hp_sgdia_rows_of(A->single, s->loads));
  return t.bytes <= SHARED_MOST;
}

hp_kernel_shape hp_sgdia_possible_shape(const hp_sgdia *A, const hp_kernel_shape *shape) {
  hp_kernel_shape s = *shape;
  if (A->ld % (A->single ? 4 : 2) != 0) s.loads = HP_LOADS_PLAIN;
  if (!hp_sgdia_shape_fits(A, &s)) s.shared = false;
  return s;
}

void hp_sgdia_kernel_name(const hp_sgdia *A, char *out, size_t size) {
  const int dimensions = (A->size[0] > 1) + (A->size[1] > 1) + (A->size[2] > 1);
  const bool star = A->points <= 2 * dimensions + 1;
  snprintf(out, size, "sg-dia %s %dd q%d %s %s", hp_sgdia_kind_name(star ? HP_SGDIA_STAR : HP_SGDIA_BOX), dimensions,
           A->q, A->single ? "single" : "double", A->periodic ? "periodic" : "open");
}

void hp_sgdia_kernel_expression(const hp_sgdia *A, const hp_kernel_shape *s, char *out, size_t size) {
  snprintf(out, size, "stencil_kernel<%s, %s, %s, %d, %d>", A->single ? "float" : "double",
           A->periodic ? "true" : "false", s->shared ? "true" : "false", s->unroll, (int)s->loads);
}
