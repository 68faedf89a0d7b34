/* sim/bench/cuda/amg.c in a build without CUDA. */
#include "sim/bench/amg.h"

const hp_amg_bench_gpu *const hp_amg_bench_on_gpu = NULL;
