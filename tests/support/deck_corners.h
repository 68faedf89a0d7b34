/* Files that decks and options of tests read. Those with the corners of 4 x 3 x 2 cells of 20 x 25 x 2.5 m, for decks with grid.corner_point:
 *
 *     coord.dat, wide.dat                pillars; further apart along i
 *     twice.dat, both.dat                those of coord.dat twice; of coord.dat and wide.dat
 *     zcorn.dat, throw.dat, head.dat     depths; with a fault in the middle; on their head
 *
 * Include after tests/support/deck.h. */
#ifndef HP_TESTS_SUPPORT_DECK_CORNERS_H
#define HP_TESTS_SUPPORT_DECK_CORNERS_H

#include <stdio.h>
#include <string.h>

static inline void write_corners(void) {
  static const struct {
    const char *name;
    int sets, wide; /* the last set is */
  } pillars[] = {{"coord.dat", 1, 0}, {"wide.dat", 1, 1}, {"twice.dat", 2, 0}, {"both.dat", 2, 1}};
  static const char *const depths[] = {"zcorn.dat", "throw.dat", "head.dat"};
  static char text[8192];
  for (size_t n = 0; n < sizeof pillars / sizeof *pillars; ++n) {
    int used = 0;
    for (int p = 0; p < 20 * pillars[n].sets; ++p) {
      const int wide = p / 20 + 1 == pillars[n].sets ? pillars[n].wide : 0;
      const int x = (20 + wide) * (p % 5), y = 25 * (p % 20 / 5);
      used += snprintf(text + used, sizeof text - (size_t)used, "%d %d 1900 %d %d 2100\n", x, y, x, y);
    }
    deck_write(pillars[n].name, text, (size_t)used);
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
  static const char *const name[] = {"coord.dat", "wide.dat",  "twice.dat", "both.dat",
                                     "zcorn.dat", "throw.dat", "head.dat"};
  for (size_t n = 0; n < sizeof name / sizeof *name; ++n) deck_remove(name[n]);
}

/* Files that options of tests/support/cases/config_changes.h read: two rows of numbers, the arrays PERMX and PERMY. */
static inline void write_options(void) {
  static const char raw[] =
      "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24\n"
      "9 8 7 6 5 4 3 2 1 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24\n";
  static const char eclipse[] = "PERMX\n 24*3.0 /\nPERMY\n 12*4.0 12*5.0 /\n";
  deck_write("two.dat", raw, sizeof raw - 1);
  deck_write("two.inc", eclipse, sizeof eclipse - 1);
}

static inline void remove_options(void) {
  deck_remove("two.dat");
  deck_remove("two.inc");
}

#endif
