#define _POSIX_C_SOURCE 200809L
#include "core/profile.h"

#include <time.h>

double hp_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

const char *hp_profile_text(hp_profile_op op) {
  static const char *const text[] = {
#define HP_PROFILE_TEXT(name, text, group) text,
      HP_PROFILE_LIST(HP_PROFILE_TEXT)
#undef HP_PROFILE_TEXT
  };
  return text[op];
}

const char *hp_profile_group(hp_profile_op op) {
  static const char *const group[] = {
#define HP_PROFILE_GROUP(name, text, group) group,
      HP_PROFILE_LIST(HP_PROFILE_GROUP)
#undef HP_PROFILE_GROUP
  };
  return group[op];
}
