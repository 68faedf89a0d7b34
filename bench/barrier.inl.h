/* Rounds of a team's barriers, for `hepta bench barrier` and others, on a CPU and a GPU. Between two barriers of a reduction
 * every member has its share of n additions of five numbers; a small n keeps them out of the time. */
#ifndef HP_BENCH_BARRIER_INL_H
#define HP_BENCH_BARRIER_INL_H

#include "core/device/device.h"
#include "core/team/team.h"

/* Content of a round. */
typedef enum {
  HP_BARRIER_BARE,      /* hp_team_sync */
  HP_BARRIER_SUM,       /* a reduction of five numbers */
  HP_BARRIER_WORK,      /* a reduction, then about a microsecond of other work */
  HP_BARRIER_OVERLAPPED /* the same work between arriving and waiting */
} hp_barrier_test;

enum { HP_BARRIER_SUMS = 5, HP_BARRIER_OUT = 1 + 1024 };

typedef struct hp_barrier_args {
  int what; /* hp_barrier_test */
  int rounds;
  int64_t n;
  double *out; /* [HP_BARRIER_OUT] the sums' total, then what the members' work gave: keeps it from being left out */
} hp_barrier_args;

/* Dependent operations that take about a microsecond on a GPU; nothing else needs their result. */
HP_INLINE HP_HD double hp_barrier_work(double v) {
  for (int n = 0; n < 100; ++n) v = v * 0.999 + 1.0;
  return v;
}

/* Team program. */
HP_INLINE HP_HD void hp_barrier_rounds(hp_team *t, const hp_barrier_args *a) {
  double sum[HP_BARRIER_SUMS], v = t->rank, total = 0.0;
  for (int round = 0; round < a->rounds; ++round) {
    if (a->what == HP_BARRIER_BARE) {
      hp_team_sync(t);
      continue;
    }
    HP_TEAM_REDUCE(t, i, a->n, HP_BARRIER_SUMS) {
      for (int k = 0; k < HP_BARRIER_SUMS; ++k) HP_ACC(k) += (double)(i + k);
    }
    HP_TEAM_REDUCE_END(t);
    hp_team_sum_begin(t);
    if (a->what == HP_BARRIER_OVERLAPPED) v = hp_barrier_work(v);
    hp_team_sum_end(t, a->n, HP_BARRIER_SUMS, sum);
    if (a->what == HP_BARRIER_WORK) v = hp_barrier_work(v);
    total += sum[round % HP_BARRIER_SUMS];
  }
  if (t->rank == 0) a->out[0] = total;
  a->out[1 + t->rank % (HP_BARRIER_OUT - 1)] = v;
}

HP_EXTERN_C_BEGIN

/* Time of one barrier of a GPU's team [s], over `rounds` of them. */
HP_GPU hp_status hp_device_time_barrier(hp_device *D, hp_barrier_test what, int rounds, double *seconds) HP_MUST_USE;
/* The threads per block and the blocks of the team that passes them. */
HP_GPU hp_status hp_device_barrier_team(hp_device *D, int *threads, int *blocks) HP_MUST_USE;

HP_EXTERN_C_END

#endif
