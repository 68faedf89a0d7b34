/* Counts of a grid of 250 million cells with two unknowns, beyond 32 bits: the shape of its matrix, loops over its rows, memory of
 * preconditioners; and what refuses to count further. Shapes alone: no values. */
#include <string.h>

#include "amg/cpr/device.h"
#include "amg/csr.h"
#include "core/memory.h"
#include "linsolve/matrix/gh.h"
#include "linsolve/precond/device.h"
#include "linsolve/precond/precond.h"
#include "tests/support/check.h"

enum { NX = 500, NY = 1000, NZ = 500, Q = 2 };
static const int64_t CELLS = (int64_t)NX * NY * NZ, ROWS = Q * (int64_t)NX * NY * NZ;

static void test_matrix(void) {
  hp_gh *A = NULL;
  const int64_t begin[] = {0, NZ};
  int64_t cell[NZ];
  for (int k = 0; k < NZ; ++k) cell[k] = CELLS - NZ + k; /* the last column */
  CHECK_OK(hp_gh_create_shape(NX, NY, NZ, Q, &A));
  CHECK(A->ncell == CELLS && A->rows == ROWS && A->n == ROWS);
  CHECK_OK(hp_gh_set_wells(A, 1, begin, cell, NULL));
  CHECK(A->n == ROWS + 1 && A->wells.nrun == 1 && A->wells.b[0] == CELLS - NZ);
  CHECK(hp_gh_bytes(A) >= INT64_C(7) * Q * ROWS * 8 && hp_gh_bytes(A) < INT64_C(7) * Q * ROWS * 8 + 3000000);
  for (int u = -3; u <= 3; ++u)
    CHECK(hp_gh_offset(A, u) == (u < 0 ? -1 : 1) * (u == 0 ? 0 : u * u == 1 ? 1 : u * u == 4 ? NZ : NZ * NY));
  hp_gh_destroy(&A);
}

/* Every chunk of a loop begins where the one before ends, the last at the end. */
static void test_loop(int64_t n, int64_t split) {
  hp_team t;
  memset(&t, 0, sizeof t);
  hp_team_split(&t, split, n);
  const hp_cut c = hp_team_cut(&t, n);
  int64_t at = 0;
  CHECK(c.chunks <= HP_CHUNKS_MAX);
  for (int k = 0; k < c.chunks; ++k) {
    CHECK(hp_cut_begin(&c, k) == at && hp_cut_end(&c, k) > at);
    at = hp_cut_end(&c, k);
    CHECK(at - hp_cut_begin(&c, k) <= (k < c.first ? c.length : c.few));
  }
  CHECK(at == n);
}

static void test_memory(void) {
  hp_cpr_options cpr = hp_cpr_default_options();
  cpr.ordering = HP_ORDER_BRICKS;
  const int64_t places = hp_precond_device_places(HP_ORDER_BRICKS, NX, NY, NZ);
  CHECK(places >= CELLS && places < CELLS + CELLS / 10);
  CHECK(hp_precond_pack_bytes(HP_PRECOND_DILU, HP_PRECISION_SINGLE, Q) == 7 * Q * Q * 4);
  const int64_t bytes = hp_cpr_device_estimate(&cpr, CELLS, CELLS, Q, 0);
  CHECK(bytes > 500 * CELLS && bytes < 1000 * CELLS);
}

/* Entries of rows are counted by 32 bits: more are refused with their number. */
static void test_refusals(void) {
  hp_csr *A = NULL;
  CHECK(hp_csr_create(10, 10, INT64_C(1) << 32, &A) == HP_ERR_UNSUPPORTED && A == NULL);
  CHECK(strstr(hp_fail_text(), "4294967296") != NULL);
  CHECK(hp_csr_create(INT64_C(3) << 30, 10, 10, &A) == HP_ERR_UNSUPPORTED && A == NULL);
}

int main(void) {
  test_matrix();
  test_loop(ROWS, ROWS);
  test_loop(ROWS + 40, ROWS);
  test_loop(28 * CELLS, 28 * CELLS);
  test_loop(HP_CUT_PARTED, HP_CUT_PARTED);
  test_loop(HP_CUT_PARTED + 13, HP_CUT_PARTED + 7);
  test_loop(HP_CUT_PARTED - 1, HP_CUT_PARTED - 1);
  test_memory();
  test_refusals();
  CHECK(hp_memory_now() == 0);
  return check_result();
}
