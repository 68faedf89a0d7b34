/* Files with the corners of 4 x 3 x 2 cells of 20 x 25 x 2.5 m, for decks with grid.corner_point:
 *
 *     coord.dat, wide.dat                pillars; further apart along i
 *     zcorn.dat, throw.dat, head.dat     depths; with a fault in the middle; on their head
 *
 * Include after tests/support/deck.h. */
#ifndef HP_TESTS_SUPPORT_DECK_CORNERS_H
#define HP_TESTS_SUPPORT_DECK_CORNERS_H

#include <stdio.h>
#include <string.h>

static inline void write_corners(void) {
  static const char *const pillars[] = {"coord.dat", "wide.dat"}, *const depths[] = {"zcorn.dat", "throw.dat",
                                                                                     "head.dat"};
  static char text[8192];
  for (int wide = 0; wide < 2; ++wide) {
    int used = 0;
    for (int p = 0; p < 20; ++p) {
      const int x = (20 + wide) * (p % 5), y = 25 * (p / 5);
      used += snprintf(text + used, sizeof text - (size_t)used, "%d %d 1900 %d %d 2100\n", x, y, x, y);
    }
    deck_write(pillars[wide], text, (size_t)used);
  }
  for (int kind = 0; kind < 3; ++kind) {
    int used = 0;
    for (int n = 0; n < 192; ++n) {
      const double below = (kind == 2 ? -1.0 : 2.5) * ((n / 48 + 1) / 2), thrown = kind == 1 && n % 8 >= 4 ? 1.5 : 0.0;
      used += snprintf(text + used, sizeof text - (size_t)used, "%g\n", 2000.0 + below + thrown);
    }
    deck_write(depths[kind], text, (size_t)used);
  }
}

static inline void remove_corners(void) {
  static const char *const name[] = {"coord.dat", "wide.dat", "zcorn.dat", "throw.dat", "head.dat"};
  for (size_t n = 0; n < sizeof name / sizeof *name; ++n) deck_remove(name[n]);
}

#endif
