/* The smoother hybrid on a GPU: amg/smoothers/hybrid.inl.h. Gauss-Seidel inside
 * the domains, from old values outside of them, is a triangular solve for the
 * correction,
 *
 *     r = b - A x,   d_i = s_i (r_i - sum_j a_ij d_j),   x + d       j before i
 * (backward: after i) in its domain,
 *
 * level after level of its dependencies (Liu, Yu & Chen 2013), all domains at
 * the same time. The levels are found on the host.
 */
#include "amg/rows/rows.inl.h"
#include "amg/smoothers/cuda/slots.cuh"
#include "amg/smoothers/impl.h"
#include "core/memory.h"

/* Where in row i of A its domain's entries before the diagonal begin and end,
 * and those after it. */
enum { LOWER, LOWER_END, UPPER, UPPER_END, ENDS };

static void find_ends(const hp_csr *A, int64_t domains, uint32_t *end[ENDS]) {
  const int64_t n = A->nrow;
  for (int64_t c = 0; c < domains; ++c) {
    const int64_t begin = n * c / domains, after = n * (c + 1) / domains;
    for (int64_t i = begin; i < after; ++i) {
      uint32_t k = A->begin[i];
      const uint32_t last = A->begin[i + 1];
      while (k < last && A->column[k] < begin) ++k;
      end[LOWER][i] = k;
      while (k < last && A->column[k] < i) ++k;
      end[LOWER_END][i] = k;
      end[UPPER][i] = k < last && A->column[k] == i ? ++k : k;
      while (k < last && A->column[k] < after) ++k;
      end[UPPER_END][i] = k;
    }
  }
}

/* One of the two triangles: which = LOWER or UPPER. */
static hp_status make_triangle(hp_amg_device_cycle *C, const hp_csr *A, const hp_csr_device *on_device, uint32_t **end,
                               int which, hp_amg_groups *G) {
  const int64_t n = A->nrow, bytes = n * (int64_t)sizeof(uint32_t);
  uint32_t *from = NULL, *to = NULL;
  int64_t count = 0;
  hp_amg_smooth groups;
  memset(&groups, 0, sizeof groups);
  HP_TRY(HP_POOL_ALLOC(&C->S.keep, from, n));
  HP_TRY(HP_POOL_ALLOC(&C->S.keep, to, n));
  HP_TRY(hp_device_upload(C->D, from, end[which], bytes));
  HP_TRY(hp_device_upload(C->D, to, end[which + 1], bytes));
  for (int64_t i = 0; i < n; ++i) count += end[which + 1][i] - end[which][i];
  const hp_amg_entries E = {from, to, on_device->at.column, count};
  hp_status s = hp_amg_triangle_groups((int32_t)n, end[which], end[which + 1], A->column, which == UPPER, &groups);
  if (s == HP_OK) s = hp_amg_groups_create(C, &E, n, 1, &groups, HP_AMG_FACTOR, G);
  hp_amg_smooth_clear(&groups);
  return s;
}

static hp_status make_triangles(hp_amg_device_cycle *C, int l, const hp_csr *A) {
  hp_amg_smoothing *M = &C->smoothing[l];
  uint32_t *end[ENDS] = {NULL, NULL, NULL, NULL};
  hp_status s = HP_OK;
  for (int k = 0; k < ENDS && s == HP_OK; ++k) s = HP_ALLOC_UNSET(end[k], A->nrow);
  if (s == HP_OK) find_ends(A, hp_amg_domains(&C->host.H.opt, A->nrow), end);
  if (s == HP_OK) s = make_triangle(C, A, &M->A, end, LOWER, &M->lower);
  if (s == HP_OK) s = make_triangle(C, A, &M->A, end, UPPER, &M->upper);
  for (int k = 0; k < ENDS; ++k) HP_FREE(end[k]);
  return s;
}

static hp_status prepare(hp_amg_device_cycle *C, int l) {
  hp_csr *A = NULL;
  HP_TRY(hp_amg_cycle_alloc_scale(C, l));
  HP_TRY(hp_csr_device_download(C->D, &C->smoothing[l].A, &A));
  const hp_status s = make_triangles(C, l, A);
  hp_csr_destroy(&A);
  return s;
}

static hp_status numbers(hp_amg_device_cycle *C, int l) {
  const hp_amg_smoothing *M = &C->smoothing[l];
  const void *scale = C->host.H.level[l].smooth.scale;
  HP_TRY(hp_amg_groups_fill(C, &M->lower, M->A.at.value, true));
  HP_TRY(hp_amg_groups_fill(C, &M->upper, M->A.at.value, true));
  HP_TRY(hp_amg_groups_set_factor(C, &M->lower, scale, NULL));
  return hp_amg_groups_set_factor(C, &M->upper, scale, NULL);
}

const hp_amg_device_smoother hp_amg_device_hybrid = {.prepare = prepare, .numbers = numbers};
