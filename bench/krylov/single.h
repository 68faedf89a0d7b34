/* Solves of `hepta bench krylov --format gh-single`: BiCG-Stab in single precision (linsolve/single). */
#ifndef HP_BENCH_KRYLOV_SINGLE_H
#define HP_BENCH_KRYLOV_SINGLE_H

#include "bench/krylov/parts.h"
#include "bench/krylov/system.h"

typedef struct hp_bench_single hp_bench_single;

/* NULL, or why there is no such solve. */
const char *hp_bench_single_refusal(const hp_krylov_options *opt, bool reordered);
hp_status hp_bench_single_create(const hp_bench_place *place, const hp_bench_system *S, const hp_krylov_options *opt,
                                 hp_bench_single **out) HP_MUST_USE;
void hp_bench_single_destroy(hp_bench_single **K);
hp_status hp_bench_single_solve(hp_bench_single *K, double *seconds, int64_t *launches,
                                hp_krylov_report *report) HP_MUST_USE;
hp_status hp_bench_single_time_parts(const hp_bench_place *place, const hp_bench_system *S,
                                     const hp_krylov_options *opt, hp_bench_krylov_parts *out) HP_MUST_USE;

#endif
