#include "core/overlay.h"

#include <stdbool.h>
#include <string.h>

enum { ALIGNMENT = 256 };

static int64_t size_of(const hp_overlay_array *a) { return (a->bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

static bool meet(const hp_overlay_array *a, const hp_overlay_array *b) {
  return a->first <= b->last && b->first <= a->last;
}

/* Where `a`, at `at`, is in the way of an array placed before or of the border, where it could stand instead; else
 * -1. */
static int64_t beyond(const hp_overlay_array *a, int64_t at, const hp_overlay_array *const *placed, int count,
                      int64_t border) {
  if (at < border && at + size_of(a) > border) return (border + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  for (int n = 0; n < count; ++n) {
    const hp_overlay_array *b = placed[n];
    if (meet(a, b) && at < b->at + size_of(b) && b->at < at + size_of(a)) return b->at + size_of(b);
  }
  return -1;
}

static int64_t lay(int count, hp_overlay_array *const *array, int64_t border) {
  int64_t end = 0;
  for (int n = 0; n < count; ++n) {
    hp_overlay_array *a = array[n];
    a->at = 0;
    for (int64_t next = 0; next >= 0; a->at = next < 0 ? a->at : next)
      next = beyond(a, a->at, (const hp_overlay_array *const *)array, n, border);
    if (a->at + size_of(a) > end) end = a->at + size_of(a);
  }
  return end;
}

static bool is_larger(const hp_overlay_array *a, const hp_overlay_array *b) { return a->bytes > b->bytes; }

static bool lives_longer(const hp_overlay_array *a, const hp_overlay_array *b) {
  const int life_a = a->last - a->first, life_b = b->last - b->first;
  return life_a > life_b || (life_a == life_b && a->bytes > b->bytes);
}

/* By insertion: of equal ones the first stays first. */
static void sort(int count, hp_overlay_array **array,
                 bool (*before)(const hp_overlay_array *, const hp_overlay_array *)) {
  for (int n = 1; n < count; ++n) {
    hp_overlay_array *const a = array[n];
    int k = n;
    for (; k > 0 && before(a, array[k - 1]); --k) array[k] = array[k - 1];
    array[k] = a;
  }
}

int64_t hp_overlay_lay(int count, hp_overlay_array *array, int64_t border) {
  hp_overlay_array *order[HP_OVERLAY_MAX] = {NULL};
  for (int n = 0; n < count; ++n) order[n] = &array[n];
  sort(count, order, lives_longer);
  const int64_t by_life = lay(count, order, border);
  sort(count, order, is_larger);
  const int64_t by_size = lay(count, order, border);
  if (by_size <= by_life) return by_size;
  sort(count, order, lives_longer);
  return lay(count, order, border);
}
