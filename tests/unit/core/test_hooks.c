/* core/test_hooks.h: variables of the environment are read as numbers of their range, and not at all by a build without hooks. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "core/test_hooks.h"
#include "tests/support/check.h"

/* The same file as a build without hooks compiles it. */
#undef HEPTA_TEST_HOOKS
#define hp_test_hooks_read read_without
#define hp_test_hooks_get get_without
#define hp_test_hooks_renew renew_without
hp_status read_without(hp_test_hooks *out);
const hp_test_hooks *get_without(void);
void renew_without(void);
#include "core/test_hooks.c"
#undef hp_test_hooks_read
#undef hp_test_hooks_get
#undef hp_test_hooks_renew

static void test_values(void) {
  hp_test_hooks h;
  setenv("HEPTA_TEST_RANKS_LEVELS", "0,60", 1);
  setenv("HEPTA_TEST_TEAM", "5", 1);
  setenv("HEPTA_TEST_RANKS_CUT", "0", 1);
  setenv("HEPTA_TEST_GPUS", "0,1", 1);
  CHECK_OK(hp_test_hooks_read(&h));
  CHECK(h.ranks_least_rows == 0 && h.ranks_whole_rows == 60);
  CHECK(h.team_rotate == 5 && h.team_skip_barrier == -1);
  CHECK(h.ranks_cut == 0 && h.ranks_shake == -1 && h.gpus != NULL && strcmp(h.gpus, "0,1") == 0);
  CHECK(hp_test_hooks_get()->ranks_whole_rows == 60);
  setenv("HEPTA_TEST_RANKS_LEVELS", "1,2", 1);
  CHECK(hp_test_hooks_get()->ranks_whole_rows == 60); /* read once */
}

static void test_mistakes(void) {
  static const char *const wrong[] = {"", "x", "3", "-1", "1 ", "1.5", "99999999999999999999"};
  hp_test_hooks h;
  for (size_t n = 0; n < sizeof wrong / sizeof *wrong; ++n) {
    setenv("HEPTA_TEST_RANKS_HOSTS", wrong[n], 1);
    CHECK(hp_test_hooks_read(&h) == HP_ERR_USAGE && strstr(hp_fail_text(), "HEPTA_TEST_RANKS_HOSTS") != NULL);
  }
}

static void test_without(void) {
  hp_test_hooks h;
  CHECK_OK(read_without(&h));
  CHECK(h.ranks_whole_rows == -1 && h.ranks_hosts == -1 && h.gpus == NULL && get_without()->ranks_cut == -1);
}

int main(void) {
  test_values();
  test_mistakes();
  test_without();
  return check_result();
}
