/* Places of arrays that live for some steps each: none that meet share a byte, none stands across the border, and what
 * they need together lies between the most that lives at one step and the sum of all; chosen cases, where the least
 * is known, and seeded ones. */
#include <stdlib.h>

#include "core/overlay.h"
#include "tests/support/check.h"

enum { ALIGNMENT = 256 };

static int64_t rounded(int64_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

static int64_t most_at_a_step(int count, const hp_overlay_array *a, int steps) {
  int64_t most = 0;
  for (int s = 0; s < steps; ++s) {
    int64_t sum = 0;
    for (int n = 0; n < count; ++n)
      if (a[n].first <= s && s <= a[n].last) sum += rounded(a[n].bytes);
    if (sum > most) most = sum;
  }
  return most;
}

static void check_places(int count, hp_overlay_array *a, int64_t border, int steps) {
  int64_t sum = 0, last = 0;
  const int64_t end = hp_overlay_lay(count, a, border);
  for (int n = 0; n < count; ++n) {
    const int64_t to = a[n].at + a[n].bytes;
    sum += rounded(a[n].bytes);
    if (to > last) last = to;
    CHECK(a[n].at >= 0 && a[n].at % ALIGNMENT == 0);
    CHECK(to <= border || a[n].at >= border);
    for (int m = 0; m < n; ++m) {
      const bool meet = a[n].first <= a[m].last && a[m].first <= a[n].last;
      CHECK(!meet || to <= a[m].at || a[m].at + a[m].bytes <= a[n].at);
    }
  }
  CHECK(end >= last);
  CHECK(end >= most_at_a_step(count, a, steps));
  CHECK(end <= rounded(border) + sum);
}

/* Two that live all the time and one after the other between them. */
static void test_chain(void) {
  hp_overlay_array a[] = {{1000, 0, 9, -1}, {500, 0, 9, -1}, {4096, 1, 2, -1}, {4000, 3, 4, -1}, {3000, 5, 9, -1}};
  CHECK(hp_overlay_lay(5, a, 0) == 1024 + 512 + 4096);
  CHECK(a[2].at == a[3].at && a[3].at == a[4].at);
}

/* The arrays that a refresh of three levels makes: A's columns and numbers, A P, R A P twice. By size alone the last
 * does not fit under what lives with it. */
static void test_refresh(void) {
  hp_overlay_array a[] = {{28 << 10, 0, 6, -1}, {56 << 10, 0, 6, -1}, {79 << 10, 1, 2, -1},
                          {69 << 10, 2, 6, -1}, {64 << 10, 3, 4, -1}, {40 << 10, 4, 6, -1}};
  check_places(6, a, 0, 7);
  CHECK(hp_overlay_lay(6, a, 0) == INT64_C(257) << 10);
}

/* An array that is too long for what is before the border stands behind it, a shorter one before it. */
static void test_border(void) {
  hp_overlay_array a[] = {{600, 0, 1, -1}, {300, 0, 1, -1}};
  CHECK(hp_overlay_lay(2, a, 700) == 768 + 768);
  CHECK(a[0].at == 768 && a[1].at == 0);
  hp_overlay_array none[] = {{0, 0, 1, -1}};
  CHECK(hp_overlay_lay(1, none, 0) == 0);
  CHECK(hp_overlay_lay(0, none, 100) == 0);
}

static void test_many(void) {
  enum { STEPS = 20 };
  srand(5);
  for (int round = 0; round < 2000; ++round) {
    hp_overlay_array a[40];
    const int count = 1 + rand() % 40;
    for (int n = 0; n < count; ++n) {
      a[n].bytes = rand() % 5 == 0 ? rand() % 300 : rand() % 100000;
      a[n].first = rand() % STEPS;
      a[n].last = a[n].first + rand() % (STEPS - a[n].first);
    }
    check_places(count, a, rand() % 2 == 0 ? 0 : rand() % 400000, STEPS);
  }
}

int main(void) {
  test_chain();
  test_refresh();
  test_border();
  test_many();
  return check_result();
}
