#include "io/case/state_arrays.h"

#include <string.h>

#include "io/case/case.h"

static const hp_state_array list[] = {
#define ENTRY(mnemonic, name, array, quantity) {#mnemonic, name, HP_ARRAY_##array, HP_UNIT_##quantity},
    HP_STATE_ARRAY_LIST(ENTRY)
#undef ENTRY
};
enum { COUNT = sizeof list / sizeof *list };

static const struct {
  const char *mnemonic, *of;
} group[] = {
#define GROUP(mnemonic, of) {#mnemonic, of},
    HP_STATE_GROUP_LIST(GROUP)
#undef GROUP
};

const hp_state_array *hp_state_arrays(int *count) {
  *count = COUNT;
  return list;
}

static bool equals(const char *name, const char *text, size_t n) {
  return strlen(name) == n && strncmp(name, text, n) == 0;
}

bool hp_state_array_ask(hp_case *c, const char *mnemonic, size_t n) {
  bool found = false;
  for (int k = 0; k < COUNT; ++k) {
    if (!equals(list[k].mnemonic, mnemonic, n)) continue;
    c->output.arrays |= 1u << k;
    found = true;
  }
  for (size_t g = 0; g < sizeof group / sizeof *group; ++g) {
    if (!equals(group[g].mnemonic, mnemonic, n)) continue;
    for (const char *at = group[g].of; *at != '\0'; at += strspn(at, " ")) {
      const size_t length = strcspn(at, " ");
      found = hp_state_array_ask(c, at, length);
      at += length;
    }
  }
  return found;
}

bool hp_state_array_is_asked(const hp_case *c, int n) { return (c->output.arrays >> n & 1u) != 0; }

bool hp_state_array_needs(const hp_case *c, hp_array array) {
  for (int n = 0; n < COUNT; ++n)
    if (list[n].array == array && hp_state_array_is_asked(c, n)) return true;
  return false;
}
