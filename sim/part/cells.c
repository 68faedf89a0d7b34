/* Arrays of cells of the run become those of parts. */
#include <string.h>

#include "sim/part/subdomain.h"

void hp_subdomain_fill(const hp_subdomain *D, size_t size, void *array) {
  const hp_box *b = &D->boxes[D->rank];
  char *here = array;
  if (b->i1 <= b->i0 || b->j1 <= b->j0) return;
  const int64_t first = D->part.size[0] * (b->j0 + (int64_t)D->part.size[1] * b->i0);
  const char *owned = here + (size_t)hp_subdomain_place(D, first) * size;
  for (int64_t m = 0; m < D->part.ncell; ++m)
    if (D->part.global[m] < 0) memcpy(here + (size_t)m * size, owned, size);
}

static void put_whole(const hp_subdomain *D, const char *whole, char *here, size_t size) {
  for (int64_t m = 0; m < D->part.ncell; ++m)
    if (D->part.global[m] >= 0) memcpy(here + (size_t)m * size, whole + (size_t)D->part.global[m] * size, size);
}

hp_status hp_subdomain_put(hp_subdomain *D, const void *whole, void *here, size_t size) {
  if (D->planes != NULL) HP_TRY(hp_subdomain_planes_put(D, whole, here, size));
  else put_whole(D, whole, here, size);
  hp_subdomain_fill(D, size, here);
  return HP_OK;
}

void hp_subdomain_leave_planes(hp_subdomain *D) {
  hp_subdomain_planes_destroy(D);
  D->spread = NULL;
}
