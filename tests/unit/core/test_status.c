/* core/status.h: a failure that is kept, and one that follows it. */
#include <string.h>

#include "tests/support/check.h"

static hp_failure failure_of(hp_status s, const char *text) {
  return s == HP_OK ? hp_fail_keep(HP_OK) : hp_fail_keep(hp_fail(s, "%s", text));
}

static bool says(const char *text) { return strcmp(hp_fail_text(), text) == 0; }

int main(void) {
  const hp_failure none = failure_of(HP_OK, ""), disk = failure_of(HP_ERR_FILE, "a.h5: disk full"),
                   memory = failure_of(HP_ERR_MEMORY, "no memory");
  CHECK(hp_fail_again(none) == HP_OK && hp_fail_both(none, none) == HP_OK);
  CHECK(hp_fail_again(disk) == HP_ERR_FILE && says("a.h5: disk full"));
  CHECK(hp_fail_both(none, memory) == HP_ERR_MEMORY && says("no memory"));
  CHECK(hp_fail_both(disk, none) == HP_ERR_FILE && says("a.h5: disk full"));
  CHECK(hp_fail_both(disk, memory) == HP_ERR_FILE && says("a.h5: disk full; then: no memory"));
  CHECK(hp_fail_both(disk, disk) == HP_ERR_FILE && says("a.h5: disk full"));
  return check_result();
}
