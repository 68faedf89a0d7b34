#define _GNU_SOURCE /* CPU_COUNT */
#include "core/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static _Atomic int limit;

typedef struct {
  void (*body)(void *arg, int64_t begin, int64_t end);
  void *arg;
  int64_t begin, end;
} range;

static void *run_range(void *p) {
  const range *r = p;
  r->body(r->arg, r->begin, r->end);
  return NULL;
}

void hp_parallel_limit(int threads) { atomic_store(&limit, threads); }

int hp_processors(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    const int n = CPU_COUNT(&set);
    return n < 1 ? 1 : n > HP_THREADS_MAX ? HP_THREADS_MAX : n;
  }
  return 1;
}

int hp_parallel_threads(void) {
  const int set = atomic_load(&limit), most = set > 0 ? set : hp_processors();
  return most < HP_THREADS_MAX ? most : HP_THREADS_MAX;
}

static int threads_for(int64_t n, int64_t grain) {
  const int most = hp_parallel_threads();
  const int64_t full = n / (grain > 0 ? grain : 1);
  return full < 1 ? 1 : full < most ? (int)full : most;
}

/* Where a thread cannot be had the caller does its range. */
void hp_parallel(int64_t n, int64_t grain, void (*body)(void *arg, int64_t begin, int64_t end), void *arg) {
  pthread_t thread[HP_THREADS_MAX];
  range part[HP_THREADS_MAX];
  bool started[HP_THREADS_MAX];
  const int size = threads_for(n, grain);
  if (n <= 0) return;
  for (int r = size - 1; r >= 0; --r) {
    part[r] = (range){body, arg, n * r / size, n * (r + 1) / size};
    started[r] = r > 0 && pthread_create(&thread[r], NULL, run_range, &part[r]) == 0;
    if (!started[r]) run_range(&part[r]);
  }
  for (int r = 1; r < size; ++r)
    if (started[r]) pthread_join(thread[r], NULL);
}
