/* A thousand random decks whose wells meet their limits: no time step ends beyond one (tests/support/limits.h).
 *
 *     test_limits                 all of them; under a sanitizer the first of each eight
 *     test_limits FIRST COUNT     some
 *     test_limits deck SEED DAYS  prints one, for tests/peer/test_limits.py */
#define _DEFAULT_SOURCE
#include "tests/support/limits.h"

int main(int argc, char **argv) {
  static char text[LIMITS_TEXT];
  if (argc == 4 && strcmp(argv[1], "deck") == 0) {
    limits_deck((uint32_t)atoi(argv[2]), atof(argv[3]), text, sizeof text);
    fputs(text, stdout);
    return 0;
  }
  const bool some = argc == 3;
  limits_check(HP_BACKEND_CPU, some ? (uint32_t)atoi(argv[1]) : 1, some ? (uint32_t)atoi(argv[2]) : 1000,
               some ? 1 : (uint32_t)check_every(24));
  return check_result();
}
