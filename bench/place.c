#define _POSIX_C_SOURCE 200809L
#include "bench/place.h"

#include <stdio.h>

#include "bench/bench.h"
#include "bench/product/device.h"
#include "core/memory.h"
#include "core/plural.h"
#include "core/profile.h"

static hp_status open_cpu(int threads, hp_bench_place *place) {
  place->flush_count = hp_bench_past_caches();
  HP_TRY(hp_team_hub_create(threads > 0 ? threads : hp_processors(), NULL, &place->hub));
  HP_TRY(HP_ALLOC(place->flush, place->flush_count));
  return hp_bench_copy(place->hub, place->flush, place->flush_count, &place->copy);
}

static hp_status open_gpu(const hp_device_options *device, hp_bench_place *place) {
  HP_TRY(hp_device_create(device, &place->device));
  return hp_spmv_device_copy(place->device, INT64_C(1) << 30, &place->copy);
}

hp_status hp_bench_place_open(hp_backend_kind backend, int threads, const hp_device_options *device,
                              hp_bench_place *place) {
  char where[256];
  HP_TRY(backend == HP_BACKEND_CUDA ? open_gpu(device, place) : open_cpu(threads, place));
  if (place->device != NULL) {
    hp_device_describe(place->device, where, sizeof where);
    printf("%s", where);
  }
  if (place->device == NULL)
    printf("CPU, %d thread%s", hp_team_hub_size(place->hub), hp_plural(hp_team_hub_size(place->hub)));
  const bool several = place->device != NULL && hp_device_gpus(place->device) > 1;
  printf("; a copy%s moves %.1f GB/s (read and written)\n", several ? " on one" : "", place->copy * 1e-9);
  return HP_OK;
}

hp_status hp_bench_place_peak(hp_bench_place *place) {
  if (place->device == NULL) HP_TRY(hp_bench_peak(place->hub, &place->peak));
  else HP_TRY(hp_spmv_device_peak(place->device, &place->peak));
  if (place->device != NULL) place->peak *= hp_device_gpus(place->device);
  printf("multiplications and additions in registers: %.1f GFLOP/s\n", place->peak * 1e-9);
  return HP_OK;
}

void hp_bench_place_close(hp_bench_place *place) {
  HP_FREE(place->flush);
  hp_team_hub_destroy(&place->hub);
  hp_device_destroy(&place->device);
}

typedef struct {
  const hp_bench_place *place;
  void (*product)(hp_team *team, void *arg);
  void *arg;
  bool cold;
  double limit;
  int count;
  double sample[HP_BENCH_TIMES_MAX];
} job;

static void time_body(hp_team *team, void *arg) {
  job *j = arg;
  double began = 0.0;
  for (int n = -2; n < HP_BENCH_TIMES_MAX; ++n) { /* two to warm up */
    if (j->cold) HP_TEAM_FOR_OWNED(team, i, j->place->flush_count) j->place->flush[i] += 1.0;
    hp_team_sync(team);
    const double start = hp_now();
    if (n == 0) began = start;
    j->product(team, j->arg);
    hp_team_sync(team);
    const double end = hp_now();
    if (team->rank == 0 && n >= 0) {
      j->sample[n] = end - start;
      j->count = n + 1;
    }
    /* member 0's clock decides for all */
    const double stop = team->rank == 0 && n >= 4 && end - began > j->limit ? 1.0 : 0.0;
    double any;
    int64_t who;
    hp_team_max(team, stop, team->rank, &any, &who);
    if (any > 0.0) break;
  }
}

hp_status hp_bench_place_time(const hp_bench_place *place, void (*product)(hp_team *team, void *arg), void *arg,
                              bool cold, double limit, double *median, int *count) {
  job j = {.place = place, .product = product, .arg = arg, .cold = cold, .limit = limit};
  HP_TRY(hp_team_run(place->hub, time_body, &j));
  *median = hp_bench_median(j.sample, j.count);
  *count = j.count;
  return HP_OK;
}

int64_t hp_bench_entries(const hp_gh *A) {
  const int64_t nx = A->nx, ny = A->ny, nz = A->nz;
  const int64_t faces = (nx - 1) * ny * nz + nx * (ny - 1) * nz + nx * ny * (nz - 1);
  return (A->ncell + 2 * faces + A->links.count) * A->q * A->q + 2 * A->wells.nperf * A->q + A->wells.nwell;
}
