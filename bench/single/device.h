/* bench/single/single.h on a GPU: both are kernels of the team. */
#ifndef HP_BENCH_SINGLE_DEVICE_H
#define HP_BENCH_SINGLE_DEVICE_H

#include "bench/single/single.h"
#include "core/device/device.h"

HP_EXTERN_C_BEGIN

/* A copy with vectors for x, y and a solve. */
typedef struct hp_single_device hp_single_device;

HP_GPU hp_status hp_single_device_create(hp_device *D, const hp_single *S, hp_single_device **out) HP_MUST_USE;
HP_GPU void hp_single_device_destroy(hp_single_device **K);

/* y = A x, `rounds` times in one launch with a barrier after each; x, y [n] on the host. seconds: of one. */
HP_GPU hp_status hp_single_device_products(hp_single_device *K, const float *x, float *y, int rounds,
                                           double *seconds) HP_MUST_USE;
/* b, x [n] on the host; copies are not timed. */
HP_GPU hp_status hp_single_device_solve(hp_single_device *K, float tolerance, int max_iterations, const float *b,
                                        float *x, hp_single_report *report, double *seconds) HP_MUST_USE;

HP_EXTERN_C_END

#endif
