/* Cell arrays: declarations shared by arrays.c, which reads them, and operations.c, which changes them. */
#ifndef HP_IO_ECLIPSE_ARRAYS_IMPL_H
#define HP_IO_ECLIPSE_ARRAYS_IMPL_H

#include <string.h>

#include "io/eclipse/impl.h"

/* Records where the array is set. A multiplier of EDIT starts anew at 1 and multiplies that of GRID. */
hp_status hp_ecl_array_touch(hp_ecl *e, hp_ecl_array_id id, const char *file, int line) HP_MUST_USE;

/* A walk through a box, i fastest, with places in arrays of planes. */
typedef struct hp_ecl_walk {
  int box[6];
  int i, j, k;
  int64_t first, held, layer;
} hp_ecl_walk;

static inline hp_ecl_walk hp_ecl_walk_start(const hp_ecl *e, const int box[6]) {
  const int64_t held = e->planes.held;
  hp_ecl_walk w = {
      .i = box[0], .j = box[2], .k = box[4], .first = e->planes.first, .held = held, .layer = held * e->ny};
  memcpy(w.box, box, sizeof w.box);
  return w;
}

static inline int64_t hp_ecl_walk_index(const hp_ecl_walk *w) {
  return w->i - w->first + w->held * w->j + w->layer * w->k;
}

static inline bool hp_ecl_walk_on(hp_ecl_walk *w) {
  if (++w->i <= w->box[1]) return true;
  w->i = w->box[0];
  if (++w->j <= w->box[3]) return true;
  w->j = w->box[2];
  return ++w->k <= w->box[5];
}

/* The same through the part of the box held here; *any: there is one. */
static inline hp_ecl_walk hp_ecl_walk_held(const hp_ecl *e, const int box[6], bool *any) {
  const int last = e->planes.first + e->planes.held - 1;
  int held[6];
  memcpy(held, box, sizeof held);
  if (held[0] < e->planes.first) held[0] = e->planes.first;
  if (held[1] > last) held[1] = last;
  *any = held[0] <= held[1];
  return hp_ecl_walk_start(e, held);
}

#endif
