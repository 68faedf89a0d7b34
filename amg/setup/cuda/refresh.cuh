/* The refresh of a hierarchy on a GPU (amg/setup/cuda/refresh.cu) as a part of other team programs: what it works on.
 * The program itself: amg/setup/cuda/refresh_program.cuh. */
#ifndef HP_AMG_SETUP_CUDA_REFRESH_CUH
#define HP_AMG_SETUP_CUDA_REFRESH_CUH

#include "amg/cycle/device.h"
#include "amg/setup/cuda/numbers.cuh"

enum { HP_REFRESH_PRODUCTS = 2 * (HP_AMG_LEVELS_MAX - 1) };

typedef struct hp_refresh_args {
  hp_product product[HP_REFRESH_PRODUCTS];
  int products;
  hp_csr last;
  hp_amg_device_direct direct; /* n = 0: the last level has no factors */
  const hp_amg *cycle;         /* whose numbers are made too; NULL: none */
  bool first_early;            /* those of the first level before the products: its A is not needed after A P */
} hp_refresh_args;

/* The same for a kernel with so many threads a block and *shared bytes of shared memory. False: not all of it can be
 * done in one launch. */
bool hp_setup_refresh_args(const hp_setup *S, const hp_amg_device_level *level, int nlevel,
                           const hp_amg_device_direct *direct, const hp_amg *cycle, int threads, hp_refresh_args *a,
                           size_t *shared);
bool hp_amg_device_refresh_args(const hp_amg_device *H, const hp_amg *cycle, int threads, hp_refresh_args *a,
                                size_t *shared);
/* Of hp_amg_device_cycle_refresh. */
bool hp_amg_device_cycle_refresh_args(const hp_amg_device_cycle *C, const hp_amg_device *H, int threads,
                                      hp_refresh_args *a, size_t *shared);

#endif
