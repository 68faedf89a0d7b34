/* The few words a C test needs: a silent main, one line for each failure.
 *
 *     int main(void) { CHECK(1 + 1 == 2); CHECK_NEAR(x, 2.0, 1e-12); return check_result(); }
 */
#ifndef HP_TESTS_SUPPORT_CHECK_H
#define HP_TESTS_SUPPORT_CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/status.h"

enum { CHECK_SKIPPED = 77 };

static int check_failures;

#define CHECK(cond)                                                      \
  do {                                                                   \
    if (!(cond)) {                                                       \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #cond); \
      check_failures += 1;                                               \
    }                                                                    \
  } while (0)

#define CHECK_NEAR(value, expected, tolerance)                                                                         \
  do {                                                                                                                 \
    const double check_v = (value), check_e = (expected), check_t = (tolerance);                                       \
    if (!(fabs(check_v - check_e) <= check_t)) {                                                                       \
      fprintf(stderr, "%s:%d: %s = %.17g, expected %.17g within %.3g\n", __FILE__, __LINE__, #value, check_v, check_e, \
              check_t);                                                                                                \
      check_failures += 1;                                                                                             \
    }                                                                                                                  \
  } while (0)

#define CHECK_OK(expr)                                                               \
  do {                                                                               \
    const hp_status check_s = (expr);                                                \
    if (check_s != HP_OK) {                                                          \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #expr, hp_fail_text()); \
      check_failures += 1;                                                           \
    }                                                                                \
  } while (0)

/* A sanitizer makes cases many times slower and sees in few what it sees in all: of a long row of them each n-th is
 * run then. HEPTA_TEST_EVERY in the environment is this n whatever the build; 1 runs all. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { CHECK_SANITIZED = 1 };
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { CHECK_SANITIZED = 1 };
#else
enum { CHECK_SANITIZED = 0 };
#endif
#else
enum { CHECK_SANITIZED = 0 };
#endif

static inline int check_every(int sanitized) {
  const char *asked = getenv("HEPTA_TEST_EVERY");
  const int n = asked != NULL ? atoi(asked) : CHECK_SANITIZED ? sanitized : 1;
  return n > 1 ? n : 1;
}

static inline int check_result(void) { return check_failures == 0 ? 0 : 1; }

#endif
