#include "grid/structure.h"

#include <math.h>

/* (1 - r^2)^2, r in radii: smooth at the top and at the rim. */
static double lift_of_dome(const hp_structure *s, const double at[2]) {
  const double x = (at[0] - s->centre[0]) / s->radius[0], y = (at[1] - s->centre[1]) / s->radius[1];
  const double inside = 1.0 - x * x - y * y;
  return inside > 0.0 ? s->height * inside * inside : 0.0;
}

static double throw_of_fault(const hp_structure *s, const int size[3], double *const node[2], const int ij[2],
                             const double at[2]) {
  const int across = s->d == HP_DIR_I ? 0 : 1, along = 1 - across;
  if (ij[across] < s->after) return 0.0;
  const double part = at[along] / node[along][size[along]] * (s->nthrow - 1);
  const int n = (int)fmin(part, s->nthrow - 2.0);
  const double sinks = s->nthrow == 1 ? s->throws[0] : s->throws[n] + (part - n) * (s->throws[n + 1] - s->throws[n]);
  return sinks * fmax(0.0, 1.0 - (at[across] - node[across][s->after]) / s->reach);
}

double hp_structure_depth(int count, const hp_structure *shape, const int size[3], double *const node[2],
                          const int ij[2], const double at[2]) {
  double z = 0.0;
  for (int n = 0; n < count; ++n) switch (shape[n].kind) {
      case HP_STRUCTURE_DOME: z -= lift_of_dome(&shape[n], at); break;
      case HP_STRUCTURE_DIP: z += shape[n].slope[0] * at[0] + shape[n].slope[1] * at[1]; break;
      default: z += throw_of_fault(&shape[n], size, node, ij, at);
    }
  return z;
}

static void fill_pillars(const int size[3], int first, int held, double *const node[2], const double *layer,
                         double *coord) {
  for (int j = 0; j <= size[1]; ++j)
    for (int i = first; i <= first + held; ++i)
      for (int end = 0; end < 2; ++end) {
        *coord++ = node[0][i];
        *coord++ = node[1][j];
        *coord++ = layer[end == 0 ? 0 : size[2]];
      }
}

void hp_structure_fill(int count, const hp_structure *shape, const int size[3], int first, int held,
                       double *const node[2], const double *layer, double *coord, double *zcorn) {
  fill_pillars(size, first, held, node, layer, coord);
  for (int j = 0; j < 2 * size[1]; ++j)
    for (int i = 2 * first; i < 2 * (first + held); ++i) {
      const int ij[2] = {i / 2, j / 2};
      const double at[2] = {node[0][(i + 1) / 2], node[1][(j + 1) / 2]};
      const double z = hp_structure_depth(count, shape, size, node, ij, at);
      double *to = zcorn + (int64_t)j * 2 * held + (i - 2 * first);
      for (int k = 0; k < 2 * size[2]; ++k) to[(int64_t)k * 2 * size[1] * 2 * held] = layer[(k + 1) / 2] + z;
    }
}
