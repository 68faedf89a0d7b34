/* All errors of a deck at once: faults planted into a sound deck, each alone and
 * every two that have nothing to do with each other.
 *
 *     static const pair_fault fault[] = {{"dx = 20", "dx = -20", "dx: -20 m", GRID, 0}, ...};
 *     const int pairs = pairs_try(sound, fault, sizeof fault / sizeof *fault, read);
 *
 * `read` reads the text, checks the messages and calls pairs_fail if a message is missing.
 */
#ifndef HP_TESTS_SUPPORT_PAIRS_H
#define HP_TESTS_SUPPORT_PAIRS_H

#include <stdbool.h>
#include <string.h>

#include "tests/support/check.h"

typedef struct {
  const char *from, *to; /* the first `from` of the sound deck becomes `to` */
  const char *message;   /* a part of the message that must come then */
  unsigned spoils;       /* what is unknown behind this fault, bits that a test names */
  unsigned needs;        /* what must be known for the message */
} pair_fault;

/* One fault alone: a == b. */
typedef void pair_reader(const char *text, const pair_fault *a, const pair_fault *b);

enum { PAIRS_ROOM = 1 << 14 };

/* The sound deck with the faults a at `at_a` and b at `at_b`, which do not overlap. */
static void pairs_plant(const char *sound, const pair_fault *a, const char *at_a, const pair_fault *b, const char *at_b,
                        char out[PAIRS_ROOM]) {
  const char *behind_a = at_a + strlen(a->from), *behind_b = at_b + strlen(b->from);
  if (a == b) snprintf(out, PAIRS_ROOM, "%.*s%s%s", (int)(at_a - sound), sound, a->to, behind_a);
  else if (at_b < at_a) pairs_plant(sound, b, at_b, a, at_a, out);
  else
    snprintf(out, PAIRS_ROOM, "%.*s%s%.*s%s%s", (int)(at_a - sound), sound, a->to, (int)(at_b - behind_a), behind_a,
             b->to, behind_b);
}

static bool pairs_independent(const pair_fault *a, const char *at_a, const pair_fault *b, const char *at_b) {
  if ((a->spoils & b->needs) != 0 || (b->spoils & a->needs) != 0) return false;
  return a == b || at_a >= at_b + strlen(b->from) || at_b >= at_a + strlen(a->from);
}

/* Every deck with one fault or two, under a sanitizer each third of two; stops after 20 failures. Returns how many
 * with two there are. */
static int pairs_try(const char *sound, const pair_fault *fault, int count, pair_reader *read) {
  static char text[PAIRS_ROOM];
  const int every = check_every(6);
  int pairs = 0;
  CHECK(strlen(sound) < PAIRS_ROOM - 1024); /* nothing is cut off: no two faults add more */
  for (int a = 0; a < count && check_failures < 20; ++a)
    for (int b = a; b < count; ++b) {
      const char *at_a = strstr(sound, fault[a].from), *at_b = strstr(sound, fault[b].from);
      CHECK(at_a != NULL && at_b != NULL);
      if (at_a == NULL || at_b == NULL || !pairs_independent(&fault[a], at_a, &fault[b], at_b)) continue;
      pairs += a != b;
      if (a != b && (a + b) % every != 0) continue;
      pairs_plant(sound, &fault[a], at_a, &fault[b], at_b, text);
      read(text, &fault[a], &fault[b]);
    }
  return pairs;
}

/* A failure: these faults were planted and all of `messages` was reported. */
static void pairs_fail(const pair_fault *a, const pair_fault *b, const char *messages) {
  fprintf(stderr, "planted: %s\n    and: %s\n expected: %s\n     and: %s\n reported:\n%s", a->to, b->to, a->message,
          b->message, messages);
  CHECK(false);
}

#endif
