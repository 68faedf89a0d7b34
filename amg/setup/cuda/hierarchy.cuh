/* The hierarchy on a GPU, which amg/setup/cuda/hierarchy.cu builds and amg/cycle/cuda/refresh.cu refreshes. */
#ifndef HP_AMG_SETUP_CUDA_HIERARCHY_CUH
#define HP_AMG_SETUP_CUDA_HIERARCHY_CUH

#include "amg/setup/cuda/setup.cuh"

struct hp_amg_device {
  hp_device *D;
  hp_amg_options opt;
  hp_setup S;
  int nlevel;
  hp_amg_device_level level[HP_AMG_LEVELS_MAX];
  hp_amg_device_direct direct;
  bool begun;       /* cleared for the next build */
  bool first_early; /* the memory of the first level's A is reused after A P: hp_amg_device_compact */
  int64_t builds;
  bool watch;
  cudaEvent_t event[HP_AMG_LEVELS_MAX][HP_AMG_DEVICE_PHASE_COUNT + 1];
  unsigned recorded[HP_AMG_LEVELS_MAX]; /* a bit an event that was recorded */
};

#endif
