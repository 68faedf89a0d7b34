#define _POSIX_C_SOURCE 200809L
#include "core/profile.h"

#include <time.h>

#include "core/show.h"

double hp_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#define TEXT_OF(name, text, group) text,
#define GROUP_OF(name, text, group) group,
static const char *const texts[] = {HP_PROFILE_LIST(TEXT_OF)}, *const groups[] = {HP_PROFILE_LIST(GROUP_OF)};
HP_WORD_OF(hp_profile_text, hp_profile_op, texts)
HP_WORD_OF(hp_profile_group, hp_profile_op, groups)
