/* The cost of a GPU's barriers. */
#include "bench/barrier.inl.h"
#include "core/team/cuda/team.cuh"

HP_TEAM_KERNEL(barrier_kernel, hp_barrier_args, hp_barrier_rounds(&t, &a))

hp_status hp_device_barrier_team(hp_device *D, int *threads, int *blocks) {
  return hp_team_launch_shape(D, (const void *)barrier_kernel, 0, threads, blocks);
}

hp_status hp_device_time_barrier(hp_device *D, hp_barrier_test what, int rounds, double *seconds) {
  hp_barrier_args a = {(int)what, rounds, 65536, NULL};
  *seconds = 0.0;
  HP_TRY(hp_device_alloc(D, (void **)&a.out, HP_BARRIER_OUT, sizeof(double), "barrier test"));
  hp_status s = hp_team_launch(D, (const void *)barrier_kernel, &a, 0, "measuring barriers");
  if (s == HP_OK) s = hp_device_mark(D, 6);
  if (s == HP_OK) s = hp_team_launch(D, (const void *)barrier_kernel, &a, 0, "measuring barriers");
  if (s == HP_OK) s = hp_device_mark(D, 7);
  if (s == HP_OK) s = hp_device_elapsed(D, 6, 7, seconds);
  *seconds /= rounds;
  if (s == HP_OK) s = hp_device_sync(D);
  hp_device_free(D, &a.out);
  return s;
}
