/* Times of work on a GPU: graphs of many runs, replayed. */
#ifndef HP_BENCH_CUDA_REPLAY_CUH
#define HP_BENCH_CUDA_REPLAY_CUH

#include "core/device/device.h"

HP_EXTERN_C_BEGIN

/* Work to be timed: run(self, n) puts its n-th repetition into the stream; repetitions go round `round` copies of the
 * data. */
typedef struct hp_device_replay {
  hp_status (*run)(void *self, int n);
  void *self;
  const char *what;
  int round, launches; /* launches of one run, about */
  double expected;     /* seconds of one run, about */
} hp_device_replay;

/* The median time of one run [s], from `samples` replays of a graph of many runs. */
hp_status hp_device_time_replay(hp_device *D, const hp_device_replay *R, int samples, double *seconds) HP_MUST_USE;

HP_EXTERN_C_END

#endif
