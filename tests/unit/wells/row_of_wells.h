/* Wells in a row of columns, one each, with perforations in the first `depth` cells below each other. */
#ifndef HP_TESTS_UNIT_WELLS_ROW_OF_WELLS_H
#define HP_TESTS_UNIT_WELLS_ROW_OF_WELLS_H

#include "tests/support/check.h"
#include "wells/wells.h"

static hp_wells *row_of_wells(int wells, int depth) {
  enum { MOST = 16, DEEPEST = 2 };
  const double *none[HP_DIRS] = {NULL, NULL, NULL};
  hp_grid *g = NULL;
  hp_wells *W = NULL;
  hp_well_spec spec[MOST];
  hp_perf_spec perf[MOST][DEEPEST];
  CHECK(wells <= MOST && depth <= DEEPEST);
  CHECK_OK(hp_grid_create(wells, 1, depth, &g));
  for (int64_t m = 0; m < g->ncell; ++m) {
    g->dx[m] = g->dy[m] = 100.0;
    g->dz[m] = 10.0;
    g->depth[m] = 1005.0 + 10.0 * (double)(m % depth);
    g->porosity[m] = 0.2;
    for (int d = 0; d < HP_DIRS; ++d) g->perm[d][m] = 1e-13;
  }
  CHECK_OK(hp_grid_finish(g, 1e-6, NULL, none, NULL));
  for (int w = 0; w < wells; ++w) {
    spec[w] = (hp_well_spec){.name = "W", .ref_depth = NAN, .crossflow = true, .nperf = depth, .perf = perf[w]};
    for (int q = 0; q < depth; ++q)
      perf[w][q] = (hp_perf_spec){.i = w,
                                  .k = q,
                                  .dir = HP_DIR_K,
                                  .open = true,
                                  .transmissibility = 1e-12,
                                  .kh = NAN,
                                  .r0 = NAN,
                                  .length = {NAN, NAN, NAN}};
  }
  CHECK_OK(hp_wells_create(g, wells, spec, &W));
  hp_grid_destroy(&g);
  return W;
}

#endif
