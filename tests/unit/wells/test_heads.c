/* Heads in the wellbore on the CPU (tests/support/heads.h; tests/gpu/test_simulation.c has them on a GPU). */
#define _DEFAULT_SOURCE
#include "tests/support/heads.h"

int main(void) {
  heads_check(HP_BACKEND_CPU);
  return check_result();
}
