#include "core/team/barrier.h"

#include <string.h>

static const char *const barrier_names[] = {
#define HP_BARRIER_TEXT(name, text, what) text,
    HP_BARRIER_LIST(HP_BARRIER_TEXT)
#undef HP_BARRIER_TEXT
};

const char *hp_barrier_name(hp_barrier_kind k) { return (unsigned)k < HP_BARRIER_COUNT ? barrier_names[k] : "unknown"; }

bool hp_barrier_find(const char *name, hp_barrier_kind *k) {
  for (int n = 0; n < HP_BARRIER_COUNT; ++n)
    if (strcmp(barrier_names[n], name) == 0) {
      *k = (hp_barrier_kind)n;
      return true;
    }
  return false;
}
