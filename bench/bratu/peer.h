/* Private to bench/bratu: PETSc beside hepta, by the module of bench/bratu/snes.h. */
#ifndef HP_BENCH_BRATU_PEER_H
#define HP_BENCH_BRATU_PEER_H

#include "bench/bratu/snes.h"

HP_EXTERN_C_BEGIN

typedef struct hp_bratu_peer hp_bratu_peer;

/* NULL, or why this build has no peer. Opening starts nothing; the first solve starts MPI, closing ends it. */
const char *hp_bratu_peer_refusal(void);
/* NULL, or why PETSc's examples do not solve this problem. */
const char *hp_bratu_peer_lacks(const hp_bratu_options *o);
hp_status hp_bratu_peer_open(hp_bratu_peer **out) HP_MUST_USE;
void hp_bratu_peer_close(hp_bratu_peer **P);

/* hp_petsc_solve; *R's history is the peer's until the next solve. */
hp_status hp_bratu_peer_solve(hp_bratu_peer *P, const hp_bratu_options *o, double *u, hp_petsc_result *R) HP_MUST_USE;

HP_EXTERN_C_END

#endif
