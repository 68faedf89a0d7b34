/* Solid-fuel ignition on a GPU against the CPU: the same Newton and linear iterations in cubes, the solution to 1e-12
 * (exp has other last bits there), without and with multigrid, in every format of the matrix, for several launch shapes. */
#include <stdlib.h>
#include <string.h>

#include "bench/bratu/bratu.h"
#include "core/memory.h"
#include "tests/support/check.h"

static hp_team_hub *hub;
static int
    small; /* HEPTA_TEST_SMALL: 1, small systems; 2, one, in two formats, with the barrier of cooperative groups */

static hp_bratu_report solve(const hp_bratu_options *o, hp_device *D, double *u, double *norm) {
  hp_bratu_solver *B = NULL;
  hp_bratu_report r;
  memset(&r, 0, sizeof r);
  CHECK_OK(hp_bratu_create(o, D == NULL ? hub : NULL, D, &B));
  if (B == NULL) return r;
  for (int again = 0; again < (small > 1 ? 1 : 2); ++again)
    CHECK_OK(hp_bratu_solve(B, u, &r)); /* the second refreshes what the first built */
  for (int n = 0; n <= r.newton && n < 8; ++n) norm[n] = r.history[n].norm;
  CHECK_OK(hp_bratu_divide(B, &r));
  for (int p = 0; p < HP_BRATU_PARTS; ++p) CHECK(r.seconds[p] >= 0.0 && r.seconds[p] <= r.total);
  if (D != NULL) {
    const int64_t n = (int64_t)o->nx * o->ny * o->nz;
    CHECK(r.bytes == 8 * (n + (r.newton + 1) + 2 * r.newton)); /* the solution and sums: nothing else is copied */
    CHECK(r.seconds[HP_BRATU_TRANSFER] > 0.0);
  }
  r.history = NULL;
  hp_bratu_destroy(&B);
  return r;
}

/* Counts and residuals are the same unless sums have another order: in cycles of multigrid, and in the products of cuSPARSE
 * and of hyb. Then a solve may take an iteration more or less. Without, a difference of the last bit of exp leaves 1e-16 in
 * cubes and up to 1e-11 in plane problems, whose systems are worse. */
static void compare(hp_device *D, const hp_bratu_options *o, bool by_library) {
  const int64_t n = (int64_t)o->nx * o->ny * o->nz;
  const bool restarts =
      n > 100000; /* of a system that hardly moves for dozens of cycles: rounding decides, see lowell.md */
  const bool bits = !by_library && !o->uses_amg && !restarts, flat = o->nx == 1 || o->ny == 1 || o->nz == 1;
  double *cpu = NULL, *gpu = NULL, norm[2][8], worst = 0.0;
  CHECK_OK(HP_ALLOC(cpu, n));
  CHECK_OK(HP_ALLOC(gpu, n));
  const hp_bratu_report a = solve(o, NULL, cpu, norm[0]), b = solve(o, D, gpu, norm[1]);
  for (int64_t m = 0; m < n; ++m) worst = fmax(worst, fabs(cpu[m] - gpu[m]));
  bool same = a.end == HP_NEWTON_CONVERGED && b.end == HP_NEWTON_CONVERGED && a.newton == b.newton;
  same = same &&
         abs(a.linear - b.linear) <= (bits                       ? 0
                                      : restarts && !o->uses_amg ? a.linear / 100
                                                                 : a.newton) &&
         worst <= (!bits  ? 1e-8
                   : flat ? 1e-10
                          : 1e-12);
  same = same && (!bits || (a.products == b.products && a.applications == b.applications));
  for (int k = 0; bits && k < a.newton && k < 8; ++k) /* the last is what rounding leaves */
    same = same && fabs(norm[0][k] - norm[1][k]) <= 1e-6 * norm[0][k];
  if (!same)
    fprintf(stderr, "%d x %d x %d, %s, %s: CPU %d Newton, %d linear; GPU %d, %d; solutions differ by %.2e\n", o->nx,
            o->ny, o->nz, hp_sparse_name(o->matrix), o->uses_amg ? "amg" : "none", a.newton, a.linear, b.newton,
            b.linear, worst);
  CHECK(same);
  HP_FREE(cpu);
  HP_FREE(gpu);
}

static void compare_sizes(hp_device *D) {
  static const int size[][3] = {{9, 9, 9},   {14, 11, 13}, {1, 1, 65},   {1, 40, 37},
                                {33, 29, 1}, {33, 33, 33}, {64, 64, 64}, {3, 3, 3}};
  for (size_t s = 0; s < sizeof size / sizeof *size; ++s)
    for (int amg = 0; amg < 2; ++amg)
      for (int matrix = 0; matrix < HP_SPARSE_COUNT; ++matrix) {
        hp_bratu_options o = hp_bratu_default_options(size[s][0], size[s][1], size[s][2], true);
        const bool by_library = matrix == HP_SPARSE_CSR || matrix == HP_SPARSE_SELL || matrix == HP_SPARSE_HYB ||
                                matrix == HP_SPARSE_BSR;
        const int nodes = size[s][0] * size[s][1] * size[s][2];
        if (small && nodes > 2000) continue;
        if (small > 1 && (s > 0 || (matrix != HP_SPARSE_GH && (amg || matrix != HP_SPARSE_SGDIA)))) continue;
        if (nodes > 20000 && matrix != HP_SPARSE_GH) continue;  /* the CPU takes long */
        if (size[s][0] == 1 && size[s][1] == 1) o.lambda = 3.0; /* the interval's last is 3.51 */
        o.uses_amg = amg;
        o.matrix = (hp_sparse_kind)matrix;
        if (hp_bratu_refusal(&o, true) != NULL) continue;
        compare(D, &o, by_library);
      }
}

/* No solution, and the shapes of the team. */
static void compare_shapes(hp_device *D) {
  hp_bratu_options o = hp_bratu_default_options(17, 18, 19, true);
  const hp_device_shape before = hp_device_get_shape(D);
  double u[17 * 18 * 19], norm[8];
  for (int blocks = 1; blocks <= 2; ++blocks)
    for (int chip = 0; chip <= 8; chip += 4) {
      hp_device_shape shape = before;
      shape.blocks = blocks;
      shape.chip = chip;
      CHECK_OK(hp_device_set_shape(D, &shape));
      compare(D, &o, false);
    }
  CHECK_OK(hp_device_set_shape(D, &before));
  o.lambda = 60.0;
  o.newton_iterations = 5;
  CHECK(solve(&o, D, u, norm).end != HP_NEWTON_CONVERGED);
}

int main(void) {
  hp_device *D;
  hp_device_shape shape = hp_device_default_shape();
  const hp_device_options opt = {.shape = &shape};
  small = getenv("HEPTA_TEST_SMALL") != NULL ? atoi(getenv("HEPTA_TEST_SMALL")) : 0;
  shape.barrier = HP_BARRIER_COOPERATIVE;
  shape.blocks = 1;
  const hp_status s = hp_device_create(small > 1 ? &opt : NULL, &D);
  if (s != HP_OK) {
    printf("skipped: %s\n", hp_fail_text());
    return CHECK_SKIPPED;
  }
  CHECK_OK(hp_team_hub_create(2, NULL, &hub));
  const int64_t before = hp_device_bytes(D);
  compare_sizes(D);
  if (small < 2) compare_shapes(D);
  CHECK(hp_device_bytes(D) == before);
  hp_device_destroy(&D);
  hp_team_hub_destroy(&hub);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
