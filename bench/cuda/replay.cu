#include "bench/cuda/replay.cuh"

#include <stdlib.h>

enum { SAMPLES_MAX = 99 };

static hp_status record(hp_device *D, const hp_device_replay *R, int count, cudaGraphExec_t *out) {
  cudaGraph_t graph = NULL;
  hp_status s = HP_OK;
  HP_CUDA_TRY(D, cudaStreamBeginCapture(hp_device_stream(D), cudaStreamCaptureModeThreadLocal));
  for (int n = 0; n < count && s == HP_OK; ++n) s = R->run(R->self, n);
  const cudaError_t end = cudaStreamEndCapture(hp_device_stream(D), &graph);
  if (s == HP_OK) s = hp_device_check(D, end, R->what);
  if (s == HP_OK) s = hp_device_check(D, cudaGraphInstantiate(out, graph, 0), R->what);
  if (graph != NULL) cudaGraphDestroy(graph);
  return s;
}

static hp_status replay(hp_device *D, cudaGraphExec_t graph, double *seconds) {
  HP_TRY(hp_device_mark(D, 0));
  HP_CUDA_TRY(D, cudaGraphLaunch(graph, hp_device_stream(D)));
  HP_TRY(hp_device_mark(D, 1));
  return hp_device_elapsed(D, 0, 1, seconds);
}

static int by_value(const void *x, const void *y) {
  const double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

/* Whole rounds, of about a millisecond, of few launches. */
static int times_of(const hp_device_replay *R) {
  const int launches = R->launches > 0 ? R->launches : 1;
  const double wanted = 1e-3 / R->expected;
  const int most = 512 / launches, count = wanted < most ? (int)wanted + 1 : most;
  return (count < R->round ? 1 : count / R->round) * R->round;
}

hp_status hp_device_time_replay(hp_device *D, const hp_device_replay *R, int samples, double *seconds) {
  double sample[SAMPLES_MAX], first;
  cudaGraphExec_t graph = NULL;
  const int count = times_of(R);
  if (samples > SAMPLES_MAX) samples = SAMPLES_MAX;
  HP_TRY(R->run(R->self, 0)); /* loads what the first call loads */
  HP_TRY(record(D, R, count, &graph));
  hp_status s = replay(D, graph, &first); /* warms up */
  for (int n = 0; n < samples && s == HP_OK; ++n) s = replay(D, graph, &sample[n]);
  cudaGraphExecDestroy(graph);
  HP_TRY(s);
  qsort(sample, (size_t)samples, sizeof *sample, by_value);
  *seconds = sample[samples / 2] / count;
  return HP_OK;
}
