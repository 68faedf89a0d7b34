#include "core/test_hooks.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define UNSET(member, name, number, least, most) -1,
static hp_test_hooks hooks = {HP_TEST_HOOK_LIST(UNSET) NULL};

#ifdef HEPTA_TEST_HOOKS

static hp_status read_number(const char *name, int number, int64_t least, int64_t most, int64_t *out) {
  const char *text = getenv(name), *at = text;
  char *end;
  for (int n = 0; at != NULL && n < number; ++n) {
    at = strchr(at, ',');
    if (at != NULL) ++at;
  }
  if (at == NULL) return HP_OK;
  errno = 0;
  const long long value = strtoll(at, &end, 10);
  if (end == at || (*end != '\0' && *end != ',') || errno != 0 || value < least || value > most)
    return hp_fail(HP_ERR_USAGE, "%s=%s: takes a whole number of %lld to %lld", name, text, (long long)least,
                   (long long)most);
  *out = value;
  return HP_OK;
}

hp_status hp_test_hooks_read(hp_test_hooks *out) {
  *out = (hp_test_hooks){HP_TEST_HOOK_LIST(UNSET) getenv("HEPTA_TEST_GPUS")};
#define READ(member, name, number, least, most) \
  HP_TRY(read_number("HEPTA_TEST_" name, number, least, most, &out->member));
  HP_TEST_HOOK_LIST(READ)
#undef READ
  return HP_OK;
}

#else

hp_status hp_test_hooks_read(hp_test_hooks *out) {
  *out = hooks;
  return HP_OK;
}

#endif

void hp_test_hooks_renew(void) {
  hp_test_hooks read;
  if (hp_test_hooks_read(&read) == HP_OK) hooks = read;
}

const hp_test_hooks *hp_test_hooks_get(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, hp_test_hooks_renew);
  return &hooks;
}
