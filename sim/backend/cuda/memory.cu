#include "sim/backend/cuda/memory.cuh"

#include <stdio.h>
#include <string.h>

#include "core/show.h"

static int64_t threshold_bytes(const hp_reservoir *r) {
  const int64_t regions = r->threshold_of != NULL ? r->ncell * (int64_t)sizeof *r->threshold_of : 0;
  const int64_t faults = r->fault_threshold[0] != NULL ? HP_DIRS * r->ncell + r->links.count / 2 : 0;
  return regions + faults * (int64_t)sizeof(double);
}

/* On each of several GPUs. */
static hp_status check_gpus(hp_device *D, const hp_backend_input *in, int64_t more) {
  int gpu[HP_GPUS_MAX];
  int64_t needed[HP_GPUS_MAX];
  const int gpus = hp_device_gpu_list(D, gpu);
  int64_t held, left, least = INT64_MAX;
  for (int g = 0; g < gpus; ++g) {
    hp_device_gpu_memory(D, gpu[g], &held, &left);
    least = left < least ? left : least;
  }
  hp_backend_bytes_by_gpu(in->grid, in->linear, hp_backend_input_arrays(in), more, gpus, least, needed);
  for (int g = 0; g < gpus; ++g) {
    char wanted[32], have[32];
    hp_device_gpu_memory(D, gpu[g], &held, &left);
    if (needed[g] <= left) continue;
    hp_show_bytes((double)needed[g], wanted, sizeof wanted);
    hp_show_bytes((double)left, have, sizeof have);
    return hp_fail(HP_ERR_MEMORY, "this run needs about %s (%lld bytes) on GPU %d (%s), where %s (%lld bytes) are free",
                   wanted, (long long)needed[g], gpu[g], hp_device_get_info(D)->name, have, (long long)left);
  }
  return HP_OK;
}

/* The same, or in all on one. */
hp_status hp_backend_device_check_memory(hp_device *D, const hp_backend_input *in) {
  const hp_device_info *info = hp_device_get_info(D);
  const int64_t regions = in->grid->ncell * hp_reservoir_region_bytes(in->res);
  const int64_t thresholds = threshold_bytes(in->res);
  const hp_aquifers *A = in->aquifers;
  const int64_t aquifers = A != NULL ? hp_aquifers_bytes(A->count, A->nconnection) : 0;
  const hp_compaction *tables = in->res->compaction;
  const int64_t rock = tables != NULL && tables->of != NULL ? in->grid->ncell * (int64_t)sizeof *tables->of : 0;
  const hp_hysteresis *turns = in->res->hysteresis;
  const int64_t imbibition = turns != NULL && turns->of != NULL ? in->grid->ncell * (int64_t)sizeof *turns->of : 0;
  const int64_t features = regions + thresholds + aquifers + rock + imbibition;
  const hp_arrays has = hp_backend_input_arrays(in);
  if (in->part == NULL && hp_device_spreads(D)) HP_TRY(check_gpus(D, in, features));
  const int64_t needed = features + (in->part != NULL ? hp_backend_part_bytes(in->grid, in->linear, has)
                                                      : hp_backend_device_bytes(in->grid, in->linear, has));
  const int64_t left = hp_device_free_bytes(D);
  if (needed <= left) return HP_OK;
  char wanted[32], have[32];
  hp_show_bytes((double)needed, wanted, sizeof wanted);
  hp_show_bytes((double)left, have, sizeof have);
  return hp_fail(HP_ERR_MEMORY, "this run needs about %s (%lld bytes) on the GPU (%s), where %s (%lld bytes) are free",
                 wanted, (long long)needed, info->name, have, (long long)left);
}

void hp_backend_device_describe_memory(const hp_device *D, char *out, size_t size) {
  char held[32], memory[32];
  int gpu[HP_GPUS_MAX];
  const int gpus = hp_device_gpu_list(D, gpu);
  out[0] = '\0';
  for (int g = 0; g < gpus; ++g) {
    int64_t here = hp_device_bytes(D), left = hp_device_get_info(D)->free;
    if (gpus > 1) hp_device_gpu_memory(D, gpu[g], &here, &left);
    hp_show_bytes((double)here, held, sizeof held);
    hp_show_bytes((double)left, memory, sizeof memory);
    const size_t at = strlen(out);
    snprintf(out + at, size - at, "%s%s taken of %s%s", g > 0 ? " and " : "", held, memory,
             g == 0 ? " that were free" : "");
    const size_t end = strlen(out);
    if (gpus > 1) snprintf(out + end, size - end, " on GPU %d", gpu[g]);
  }
}
