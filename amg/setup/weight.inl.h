/* Weights of points in PMIS and CLJP: a count plus a random number below one, the same on a CPU and on a GPU. */
#ifndef HP_AMG_SETUP_WEIGHT_INL_H
#define HP_AMG_SETUP_WEIGHT_INL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/portable.h"

/* A number in [0, 1) that depends on seed and index alone. */
HP_INLINE HP_HD double hp_amg_random(uint64_t seed, uint64_t i) {
  return (double)(hp_mix64(seed + (i + 1) * UINT64_C(0x9e3779b97f4a7c15)) >> 11) * 0x1p-53;
}

/* Whether point i of weight a comes before point j of weight b. */
HP_INLINE HP_HD bool hp_amg_is_heavier(double a, int64_t i, double b, int64_t j) { return a > b || (a == b && i < j); }

#endif
