/* Private to core/device/cuda. */
#ifndef HP_CORE_DEVICE_CUDA_DEVICE_IMPL_CUH
#define HP_CORE_DEVICE_CUDA_DEVICE_IMPL_CUH

#include "core/device/device.h"
#include "core/device/tuned.h"
#include "core/team/team.h"

struct hp_device_block;

/* A GPU of the team. */
struct hp_device_gpu {
  int ordinal;
  cudaStream_t stream; /* of the first: the device's */
  cudaEvent_t done;    /* its part of the latest launch */
  void *memory;        /* of barrier and sums */
  hp_team_grid grid;
};

struct hp_device {
  hp_device_options opt;
  hp_device_info info;
  hp_device_shape shape;
  bool tuned;        /* shape comes from a file of `hepta tune` */
  hp_tuned found;    /* that file */
  char warning[512]; /* of that file; "": none */
  hp_device_traffic traffic;
  cudaStream_t stream;
  cudaEvent_t mark[8];
  int64_t held, calls, allocations;
  bool lost;
  hp_device_block *blocks;
  hp_team_grid_post *post;   /* host memory that the device writes */
  int gpus, multiprocessors; /* of the team; of each of its GPUs, those that are the team's */
  hp_device_gpu gpu[HP_GPUS_MAX];
};

enum { HP_DEVICE_BLOCKS_MAX = 2048 /* of a GPU */ };

/* Allocations are aligned to 256 bytes. */
static inline int64_t hp_device_round_up(int64_t bytes) { return (bytes + 255) / 256 * 256; }

/* core/device/cuda/team.cu: the team's streams and memory, before which D->gpu has its ordinals; releases them. */
hp_status hp_device_create_team(hp_device *D);
void hp_device_destroy_team(hp_device *D);
void hp_device_set_barrier(hp_device *D, const hp_device_shape *shape);
/* Waits for the team's GPUs but the first. */
hp_status hp_device_sync_others(hp_device *D);

#endif
