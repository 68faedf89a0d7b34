/* Headers of the laboratory's kernels that are compiled while a program runs (core/compile/compile.h). */
#ifndef HP_BENCH_TEXTS_TEXTS_H
#define HP_BENCH_TEXTS_TEXTS_H

#include "core/compile/compile.h"

HP_EXTERN_C_BEGIN

extern const hp_kernel_text hp_bench_kernel_texts[];

HP_EXTERN_C_END

#endif
