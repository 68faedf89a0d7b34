/* Private to core/device/cuda. */
#ifndef HP_CORE_DEVICE_CUDA_DEVICE_IMPL_CUH
#define HP_CORE_DEVICE_CUDA_DEVICE_IMPL_CUH

#include "core/device/device.h"
#include "core/device/pages.h"
#include "core/device/part.h"
#include "core/device/tuned.h"
#include "core/team/team.h"

/* An array held. */
struct hp_device_block {
  void *p;
  int64_t bytes, count;   /* count: of the pieces, 0: it is one, of the first GPU */
  int64_t lead;           /* of the array in it (core/device/pages.h) */
  hp_device_piece *piece; /* [count] */
  hp_device_block *next;
};

/* A GPU of the team. */
struct hp_device_gpu {
  int ordinal;
  int64_t held, free;  /* bytes held now, of the first place of one that is named twice; free at creation */
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
  int64_t page;                /* [bytes] */
  int64_t npieced;             /* blocks of several pieces */
  struct hp_device_part *part; /* core/device/cuda/part.cu; NULL: none */
};

enum { HP_DEVICE_BLOCKS_MAX = 2048 /* of a GPU */ };

/* Allocations are aligned to 256 bytes. */
static inline int64_t hp_device_round_up(int64_t bytes) { return (bytes + 255) / 256 * 256; }

/* core/device/cuda/team.cu: creates the team's streams and memory, for the ordinals in D->gpu, and releases them. */
hp_status hp_device_create_team(hp_device *D);
void hp_device_destroy_team(hp_device *D);
void hp_device_set_barrier(hp_device *D, const hp_device_shape *shape);
/* Waits for the team's GPUs but the first. */
hp_status hp_device_sync_others(hp_device *D);

/* core/device/cuda/team.cu: launches of a kernel on each of several GPUs. fork precedes them: the other GPUs begin when
 * the device's stream gets here. join follows with their error e: the stream goes on when they have ended, and the
 * first GPU is current again. */
struct hp_device_gpu_launch {
  const void *kernel;
  void **arguments;
  int threads, blocks;
  size_t shared; /* [bytes] a block */
  bool cooperative;
};
cudaError_t hp_device_fork(hp_device *D);
cudaError_t hp_device_launch_on(hp_device *D, int g, const hp_device_gpu_launch *L);
cudaError_t hp_device_join(hp_device *D, cudaError_t e);

/* The first place of the GPU that is number g of the team. */
static inline int hp_device_same_as(const hp_device *D, int g) {
  int first = 0;
  while (D->gpu[first].ordinal != D->gpu[g].ordinal) ++first;
  return first;
}
/* Whether large arrays lie on several GPUs, or are placed as if they did. */
static inline bool hp_device_is_spread(const hp_device *D) {
  for (int g = 1; g < D->gpus; ++g)
    if (D->gpu[g].ordinal != D->gpu[0].ordinal) return true;
  return D->opt.pages > 0;
}

/* core/device/cuda/part.cu */
void hp_device_drop_part(hp_device *D);

/* core/device/cuda/memory.cu: notes the free memory of each GPU, before anything is allocated. */
void hp_device_note_free(hp_device *D);
/* core/device/cuda/pages.cu: D->page; a block of pages for an array, and back. */
hp_status hp_device_open_pages(hp_device *D);
hp_status hp_device_place(hp_device *D, const hp_owned *a, hp_device_block *b, const char *what);
void hp_device_unplace(hp_device *D, hp_device_block *b);

#endif
