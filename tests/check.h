/* The few words a C test needs: a silent main, one line for each failure.
 *
 *     int main(void) { CHECK(1 + 1 == 2); CHECK_NEAR(x, 2.0, 1e-12); return check_result(); }
 */
#ifndef HP_TESTS_CHECK_H
#define HP_TESTS_CHECK_H

#include <math.h>
#include <stdio.h>

#include "core/status.h"

enum { CHECK_SKIPPED = 77 };

static int check_failures;

#define CHECK(cond)                                                          \
  do {                                                                       \
    if (!(cond)) {                                                           \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #cond);     \
      check_failures += 1;                                                   \
    }                                                                        \
  } while (0)

#define CHECK_NEAR(value, expected, tolerance)                                                        \
  do {                                                                                                \
    const double check_v = (value), check_e = (expected), check_t = (tolerance);                      \
    if (!(fabs(check_v - check_e) <= check_t)) {                                                      \
      fprintf(stderr, "%s:%d: %s = %.17g, expected %.17g within %.3g\n", __FILE__, __LINE__, #value,  \
              check_v, check_e, check_t);                                                             \
      check_failures += 1;                                                                            \
    }                                                                                                 \
  } while (0)

#define CHECK_OK(expr)                                                                       \
  do {                                                                                       \
    const hp_status check_s = (expr);                                                        \
    if (check_s != HP_OK) {                                                                  \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #expr, hp_fail_text());         \
      check_failures += 1;                                                                   \
    }                                                                                        \
  } while (0)

static inline int check_result(void) { return check_failures == 0 ? 0 : 1; }

#endif
