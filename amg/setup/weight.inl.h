/* Weights of points in PMIS and CLJP: a count plus a random number below one, the same on a CPU and on a GPU. */
#ifndef HP_AMG_SETUP_WEIGHT_INL_H
#define HP_AMG_SETUP_WEIGHT_INL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/portable.h"

/* A number in [0, 1) that depends on seed and index alone: splitmix64's finalizer. */
HP_INLINE HP_HD double hp_amg_random(uint64_t seed, uint64_t i) {
  uint64_t x = seed + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

/* Whether point i of weight a comes before point j of weight b. */
HP_INLINE HP_HD bool hp_amg_is_heavier(double a, int64_t i, double b, int64_t j) { return a > b || (a == b && i < j); }

#endif
