/* Launches whose blocks are spread over GPUs (core/device/cuda/blocks.cuh): each block runs once, items fall to one GPU each,
 * sums and largest values of all GPUs are whole, and resident blocks of all GPUs can wait for each other. One GPU counts as two
 * or three; where there are several, all are taken, too. */
#include <string.h>

#include "core/device/cuda/blocks.cuh"
#include "core/memory.h"
#include "tests/support/check.h"

enum { THREADS = 64, BLOCKS = 1000, ITEMS = 7919, CHAIN = 4096, SHARED = 60 * 1024 };

static hp_device *device;
static bool alone; /* kernels of two GPUs may not run at once */

/* visits [BLOCKS], seen [ITEMS], all [3]: blocks, sum of the items' numbers, the largest one. */
static __global__ void count_kernel(hp_blocks blocks, int *visits, int *seen, unsigned long long *all) {
  extern __shared__ int room[];
  room[SHARED / 4 - 1 - threadIdx.x] = (int)threadIdx.x;
  if (threadIdx.x == 0) {
    atomicAdd_system(&visits[hp_block(blocks)], 1);
    hp_blocks_add(blocks, &all[0], 1ull);
  }
  const hp_blocks_share mine = hp_blocks_share_of(blocks, ITEMS);
  const int64_t step = (int64_t)gridDim.x * THREADS;
  for (int64_t i = mine.begin + (int64_t)blockIdx.x * THREADS + threadIdx.x; i < mine.end; i += step) {
    atomicAdd_system(&seen[i], 1);
    hp_blocks_add(blocks, &all[1], (unsigned long long)i);
    hp_blocks_max(blocks, (long long *)&all[2], (long long)i);
  }
}

static void test_count(int64_t blocks, bool one_gpu) {
  int *visits = NULL, *seen = NULL, host[ITEMS];
  unsigned long long *all = NULL, sums[3];
  CHECK_OK(HP_DEVICE_ALLOC(device, visits, BLOCKS));
  CHECK_OK(HP_DEVICE_ALLOC(device, seen, ITEMS));
  CHECK_OK(HP_DEVICE_ALLOC(device, all, 3));
  void *list[] = {NULL, &visits, &seen, &all};
  const hp_blocks_launch L = {(const void *)count_kernel, blocks, THREADS, SHARED, one_gpu, false, list, "counting"};
  CHECK_OK(hp_blocks_run(device, &L));
  CHECK_OK(hp_device_download(device, host, visits, BLOCKS * (int64_t)sizeof *visits));
  for (int n = 0; n < BLOCKS; ++n) CHECK(host[n] == (n < blocks ? 1 : 0));
  CHECK_OK(hp_device_download(device, host, seen, sizeof host));
  for (int n = 0; n < ITEMS; ++n) CHECK(host[n] == 1);
  CHECK_OK(hp_device_download(device, sums, all, sizeof sums));
  CHECK(sums[0] == (unsigned long long)blocks && sums[1] == ITEMS * (ITEMS - 1ull) / 2 && sums[2] == ITEMS - 1);
  HP_DEVICE_FREE(device, visits);
  HP_DEVICE_FREE(device, seen);
  HP_DEVICE_FREE(device, all);
}

/* A chain through all items that alternates between the two halves, which different GPUs have: each item waits for the one
 * before it in the chain. */
static __global__ void chain_kernel(hp_blocks blocks, volatile int *done) {
  const hp_blocks_share mine = hp_blocks_share_of(blocks, CHAIN);
  if (threadIdx.x != 0) return;
  for (bool waits = true; waits;) {
    waits = false;
    for (int64_t i = mine.begin + blockIdx.x; i < mine.end; i += gridDim.x) {
      const int64_t place = i < CHAIN / 2 ? 2 * i : 2 * (i - CHAIN / 2) + 1; /* in the chain */
      const int64_t before = place % 2 == 0 ? place / 2 + CHAIN / 2 - 1 : place / 2;
      if (done[i]) continue;
      if (place == 0 || done[before]) done[i] = 1;
      else waits = true;
    }
  }
}

static void test_chain() {
  int *done = NULL, host[CHAIN];
  CHECK_OK(HP_DEVICE_ALLOC(device, done, CHAIN));
  void *list[] = {NULL, &done};
  const hp_blocks_launch L = {(const void *)chain_kernel, INT32_MAX, THREADS, 0, false, true, list, "a chain"};
  CHECK_OK(hp_blocks_run(device, &L));
  CHECK_OK(hp_device_download(device, host, done, sizeof host));
  for (int n = 0; n < CHAIN; ++n) CHECK(host[n] == 1);
  HP_DEVICE_FREE(device, done);
}

static void test_on(const hp_device_options *opt) {
  CHECK_OK(hp_device_create(opt, &device));
  if (device == NULL) return;
  const int64_t before = hp_device_get_traffic(device).launches;
  test_count(BLOCKS, false);
  test_count(BLOCKS, true);
  test_count(1, false);
  test_count(2, false);
  test_count(7, false);
  CHECK(hp_device_get_traffic(device).launches == before + 5);
  const hp_blocks_launch none = {(const void *)count_kernel, 0, THREADS, 0, false, false, NULL, "nothing"};
  CHECK_OK(hp_blocks_run(device, &none));
  const hp_blocks_launch many = {
      (const void *)count_kernel, INT64_C(1) << 31, THREADS, 0, false, false, NULL, "too much"};
  CHECK(hp_blocks_run(device, &many) == HP_ERR_UNSUPPORTED && strstr(hp_fail_text(), "too much") != NULL);
  if (!alone || opt->gpus <= 1) test_chain();
  hp_device_destroy(&device);
}

int main(void) {
  int visible = 0;
  const hp_status s = hp_device_count(&visible);
  if (s != HP_OK) {
    printf("skipped: %s\n", hp_fail_text());
    return CHECK_SKIPPED;
  }
  alone = getenv("HEPTA_TEST_SMALL") != NULL; /* a sanitizer may run one kernel at a time */
  hp_device_options opt;
  memset(&opt, 0, sizeof opt);
  for (int gpus = 1; gpus <= 3; ++gpus) {
    opt.gpus = gpus;
    test_on(&opt);
  }
  memset(&opt, 0, sizeof opt);
  opt.gpus = HP_DEVICE_ALL_GPUS;
  if (visible > 1) test_on(&opt);
  return check_result();
}
