/* A deck of a million cells: four arrays of plain numbers, each value found
 * where it belongs, in seconds. The time is printed with HEPTA_VERBOSE set. */
#define _POSIX_C_SOURCE 200809L
#include "tests/support/eclipse_deck.h"

#include "core/profile.h"

enum { NX = 60, NY = 220, NZ = 85 };

/* The double nearest to a number of three decimals. */
static double value(int64_t n) { return (double)(1 + n * 7919 % 299993) / 1000.0; }

static void write_array(FILE *f, const char *name) {
  fprintf(f, "%s\n", name);
  for (int64_t n = 0; n < (int64_t)NX * NY * NZ; ++n) fprintf(f, "%.3f%c", value(n), n % 6 == 5 ? '\n' : ' ');
  fprintf(f, "/\n");
}

int main(void) {
  const char *path = deck_write("rock.inc", "");
  FILE *f = fopen(path, "wb");
  if (f == NULL) return 2;
  write_array(f, "PERMX");
  write_array(f, "PERMY");
  write_array(f, "PERMZ");
  write_array(f, "NTG");
  if (fclose(f) != 0) return 2;
  deck d = deck_base();
  d.runspec = "DIMENS\n 60 220 85 /\nOIL\nWATER\n";
  d.grid =
      "DXV\n 60*6 /\nDYV\n 220*3 /\nDZV\n 85*1 /\nTOPS\n 13200*2000 /\nPORO\n 1122000*0.2 /\nINCLUDE\n 'rock.inc' /\n";
  d.schedule = "TSTEP\n 1 /\n";
  const double start = hp_now();
  hp_case *c = deck_case(&d);
  const double seconds = hp_now() - start;
  if (getenv("HEPTA_VERBOSE") != NULL) printf("%d cells, four arrays of numbers: %.2f s\n", NX * NY * NZ, seconds);
  CHECK(seconds < 30.0); /* about 0.5 s; the limit leaves room for sanitizers and busy machines */
  if (c != NULL) {
    int64_t wrong = 0;
    for (int64_t n = 0; n < c->grid->ncell; ++n) {
      const int64_t m = hp_grid_cell(c->grid, (int)(n % NX), (int)(n / NX % NY), (int)(n / ((int64_t)NX * NY)));
      wrong += c->grid->ntg[m] != value(n);
      wrong += c->grid->perm[HP_DIR_K][m] != value(n) * c->units.factor[HP_UNIT_PERMEABILITY];
    }
    CHECK(wrong == 0);
  }
  hp_case_destroy(&c);
  return deck_end();
}
