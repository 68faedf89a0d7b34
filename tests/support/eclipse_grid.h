/* Eclipse decks whose cells are looked at. */
#ifndef HP_TESTS_ECLIPSE_GRID_H
#define HP_TESTS_ECLIPSE_GRID_H

#include "tests/support/eclipse_deck.h"

#define MILLIDARCY 9.869232667160e-16
#define SIZES "DX\n 12*100 /\nDY\n 12*50 /\nDZ\n 12*10 /\nTOPS\n 6*2000 /\n"

/* deck_base with a GRID section of blocks of 100 x 50 x 10 m, and `rest`. */
static inline deck with_rock(const char *rest) {
  static char grid[4096];
  deck d = deck_base();
  snprintf(grid, sizeof grid, "%s%s", SIZES, rest);
  d.grid = grid;
  return d;
}

/* Of cell i, j, k, counted from 1. */
static inline double at(const hp_case *c, const double *a, int i, int j, int k) {
  return a[hp_grid_cell(c->grid, i - 1, j - 1, k - 1)];
}

#endif
