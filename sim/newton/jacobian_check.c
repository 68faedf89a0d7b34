/* The table of --check-jacobian. */
#include <math.h>
#include <stdio.h>

#include "sim/newton/newton.h"

static const char *const kind_name[HP_JACOBIAN_KINDS] = {
#define KIND_NAME(name, text) text,
    HP_JACOBIAN_LIST(KIND_NAME)
#undef KIND_NAME
};

/* The scale of an entry's kind: the largest entry by the same unknown (p, s, bhp) in rows of the same sort, so that a kind of
 * rounding errors counts as such. */
static double size_of(const hp_jacobian_errors *c, int kind) {
  enum { CELL = HP_JACOBIAN_OIL_P, BHP = HP_JACOBIAN_OIL_BHP };
  if (kind >= HP_JACOBIAN_CONTROL_P) return c->size[kind];
  if (kind >= BHP) return fmax(c->size[BHP], c->size[BHP + 1]);
  return fmax(c->size[CELL + kind % 2], c->size[CELL + 2 + kind % 2]);
}

static void print_where(const hp_sim *S, int kind, int64_t where, FILE *f) {
  int ijk[3];
  if (where < 0) {
    fputs("-\n", f);
  } else if (kind >= HP_JACOBIAN_CONTROL_P) {
    fprintf(f, "well %s\n", S->c->well[where].name);
  } else {
    hp_grid_ijk(S->c->grid, where, ijk);
    fprintf(f, "cell (%d, %d, %d)\n", ijk[0] + 1, ijk[1] + 1, ijk[2] + 1);
  }
}

static void print_check(const hp_sim *S, const hp_jacobian_errors *c, FILE *f, double *largest) {
  const double limit = 1e-6;
  *largest = 0.0;
  fprintf(
      f,
      "hepta: Jacobian against central differences, at random saturations, pressures within 2 bar of the initial ones\n"
      "  %-26s %12s %12s   %s\n",
      "entry (SI, scaled rows)", "largest", "difference", "where");
  for (int k = 0; k < HP_JACOBIAN_KINDS; ++k) {
    const double size = size_of(c, k);
    if (c->size[k] == 0.0 && c->error[k] == 0.0) continue;
    const double relative = size > 0.0 ? c->error[k] / size : c->error[k];
    if (relative > *largest) *largest = relative;
    fprintf(f, "  %-26s %12.4e %12.2e   ", kind_name[k], c->size[k], relative);
    print_where(S, k, c->where[k], f);
  }
  fprintf(f, "  differences are relative to the largest entry of the unknown: %s\n",
          *largest <= limit ? "they agree" : "they do NOT agree to 1e-6");
  if (c->kinks > 0)
    fprintf(f, "  %lld entries stand at a kink (upstream direction, table row) and were left out\n",
            (long long)c->kinks);
}

hp_status hp_jacobian_check(hp_sim *S, double dt, bool off_kinks, FILE *f, double *largest) {
  hp_jacobian_errors found;
  HP_TRY(hp_backend_jacobian(S->backend, dt, off_kinks, &found));
  print_check(S, &found, f, largest);
  return HP_OK;
}
