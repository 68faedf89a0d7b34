/* Gauss-Seidel by groups of rows that do not depend on each other:
 *
 *     coloured         groups are the colours of a greedy colouring; another order of the rows
 *     level-scheduled  groups are the dependency levels of the natural order: the same bits as one row after
 *                      the other (the triangular solves of Liu, Yu & Chen 2013)
 *
 * Backward: the groups in the opposite order. Blocks: amg/smoothers/block.inl.h. Here is how a CPU runs the pass of a
 * group; a GPU: amg/cycle/cuda/program_group.cuh.
 */
#include "amg/rows/rows.inl.h"
#include "amg/smoothers/block.inl.h"
#include "amg/smoothers/pass.h"

#ifndef HP_REAL
#define HP_REAL double
#define HP_AMG_NAME(name) name##_double
#endif

/* A group of rows. */
HP_INLINE void HP_AMG_NAME(hp_amg_group_rows)(hp_team *t, const hp_amg_level *L, const hp_amg_pass *p, const HP_REAL *b,
                                              const HP_REAL *x, HP_REAL *out) {
  const HP_REAL *s = (const HP_REAL *)p->s;
  HP_TEAM_FOR(t, k, p->end - p->begin) {
    const int64_t place = p->begin + k, i = p->at[place];
    if (place < p->first || place >= p->last) out[i] = 0;
    else if (x == NULL) out[i] = s[i] * b[i];
    else out[i] = x[i] + s[i] * (b[i] - HP_AMG_NAME(hp_amg_dot_nonzeros)(L, i, x));
  }
}

/* A group of blocks. */
HP_INLINE void HP_AMG_NAME(hp_amg_group_blocks)(hp_team *t, const hp_amg_level *L, const hp_amg_pass *p,
                                                const HP_REAL *b, const HP_REAL *x, HP_REAL *out) {
  HP_TEAM_FOR(t, k, p->end - p->begin) {
    const int64_t place = p->begin + k, c = p->at != NULL ? p->at[place] : place;
    if (place >= p->first && place < p->last) HP_AMG_NAME(hp_amg_block_solve)(L, c, b, x, out);
    else HP_AMG_NAME(hp_amg_block_clear)(L, c, out);
  }
}

HP_INLINE void HP_AMG_NAME(hp_amg_group_pass)(hp_team *t, const hp_amg_level *L, const hp_amg_pass *p, const HP_REAL *b,
                                              const HP_REAL *x, HP_REAL *out) {
  if (L->smooth.block != NULL) HP_AMG_NAME(hp_amg_group_blocks)(t, L, p, b, x, out);
  else HP_AMG_NAME(hp_amg_group_rows)(t, L, p, b, x, out);
}
