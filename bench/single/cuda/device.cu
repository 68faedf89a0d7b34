#include "bench/single/device.h"

#include <string.h>

#include "bench/single/cuda/kernels.h"
#include "core/memory.h"
#include "linsolve/matrix/device.h"

struct hp_single_device {
  hp_device *D;
  hp_gh A; /* its arrays of values are float: */
  float *h, *w, *wt, *dd, *link;
  float *b, *x, *work;
  int64_t n;
  hp_single_report *report;
};

static hp_status upload_values(hp_single_device *K, const float *from, int64_t count, float **own, double **as) {
  hp_device *D = K->D;
  if (count == 0) return HP_OK;
  HP_DEVICE_FREE(D, *as);
  HP_TRY(HP_DEVICE_ALLOC(D, *own, count));
  *as = (double *)(void *)*own;
  return hp_device_upload(D, *own, from, count * (int64_t)sizeof *from);
}

static hp_status create(hp_single_device *K, const hp_single *S) {
  hp_device *D = K->D;
  const hp_gh *A = S->of;
  const hp_gh_wells *W = &A->wells;
  hp_gh shape = *A; /* its values are replaced */
  shape.h = NULL;
  K->n = A->n;
  HP_TRY(hp_gh_device_upload(D, &shape, &K->A));
  if (K->A.ld != A->ld) return hp_fail(HP_ERR_UNSUPPORTED, "single precision is for one GPU");
  HP_TRY(upload_values(K, S->h, (int64_t)HP_GH_DIAGS * A->q * A->ld, &K->h, &K->A.h));
  HP_TRY(upload_values(K, S->w, W->nperf * A->q, &K->w, &K->A.wells.w));
  HP_TRY(upload_values(K, S->wt, W->nperf * A->q, &K->wt, &K->A.wells.wt));
  HP_TRY(upload_values(K, S->dd, W->nwell, &K->dd, &K->A.wells.dd));
  HP_TRY(upload_values(K, S->link, A->links.count * A->q * A->q, &K->link, &K->A.link));
  HP_TRY(HP_DEVICE_ALLOC(D, K->b, A->n));
  HP_TRY(HP_DEVICE_ALLOC(D, K->x, A->n));
  HP_TRY(HP_DEVICE_ALLOC(D, K->report, 1));
  return HP_DEVICE_ALLOC(D, K->work, HP_SINGLE_VECTORS * ((A->n + 31) / 32 * 32));
}

hp_status hp_single_device_create(hp_device *D, const hp_single *S, hp_single_device **out) {
  *out = NULL;
  if (hp_device_gpus(D) > 1) return hp_fail(HP_ERR_UNSUPPORTED, "single precision is for one GPU");
  HP_TRY(HP_ALLOC(*out, 1));
  (*out)->D = D;
  const hp_status s = create(*out, S);
  if (s != HP_OK) hp_single_device_destroy(out);
  return s;
}

void hp_single_device_destroy(hp_single_device **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_single_device *K = *slot;
  hp_gh_device_free(K->D, &K->A); /* with the arrays of values */
  HP_DEVICE_FREE(K->D, K->b);
  HP_DEVICE_FREE(K->D, K->x);
  HP_DEVICE_FREE(K->D, K->work);
  HP_DEVICE_FREE(K->D, K->report);
  HP_FREE(*slot);
}

/* Seconds of the launch of a kernel. */
static hp_status launch(hp_single_device *K, const void *kernel, const void *args, const char *what, double *seconds) {
  HP_TRY(hp_device_mark(K->D, 0));
  HP_TRY(hp_team_launch(K->D, kernel, args, 0, what));
  HP_TRY(hp_device_mark(K->D, 1));
  HP_TRY(hp_device_elapsed(K->D, 0, 1, seconds));
  return hp_device_sync(K->D);
}

hp_status hp_single_device_products(hp_single_device *K, const float *x, float *y, int rounds, double *seconds) {
  const int64_t bytes = K->n * (int64_t)sizeof *x;
  const hp_single_product_args a = {K->A, K->x, K->b, rounds};
  HP_TRY(hp_device_upload(K->D, K->x, x, bytes));
  HP_TRY(launch(K, hp_single_product_kernel(), &a, "multiplying in single precision", seconds));
  *seconds /= rounds;
  return hp_device_download(K->D, y, K->b, bytes);
}

hp_status hp_single_device_solve(hp_single_device *K, float tolerance, int max_iterations, const float *b, float *x,
                                 hp_single_report *report, double *seconds) {
  const hp_gh *A = &K->A;
  const int64_t bytes = K->n * (int64_t)sizeof *x;
  const hp_device_shape shape = hp_device_get_shape(K->D);
  const bool two = A->q == 2 && A->nx > 1 && A->ny > 1 && A->nz > 1;
  const bool fly = shape.recompute &&
                   4 * bytes < hp_device_get_info(K->D)->l2; /* as in linsolve/krylov/cuda/krylov.cu */
  const hp_single_solve_args a = {*A,        K->b,           K->x,         K->work,  (K->n + 31) / 32 * 32,
                                  tolerance, max_iterations, shape.unroll, K->report};
  HP_TRY(hp_device_upload(K->D, K->b, b, bytes));
  HP_TRY(launch(K, hp_single_solve_kernel(two, fly), &a, "solving in single precision", seconds));
  HP_TRY(hp_device_download(K->D, report, K->report, sizeof *report));
  return hp_device_download(K->D, x, K->x, bytes);
}
