/* Blocks of consecutive rows (a stretch of a vertical column on the finest level), each solved exactly:
 *
 *     block-jacobi        M = diag(A_BB) / damping: all blocks from the same x
 *     block-gauss-seidel  M = the block lower triangle, one block after the other; blocks that do not depend
 *                         on each other at the same time (dependency levels of the triangular solve, as in
 *                         Liu, Yu & Chen 2013); backward in the opposite order
 *
 * A block that is singular counts as the identity times its diagonal.
 */
#include "amg/rows/rows.inl.h"
#include "linsolve/matrix/block.inl.h"

#ifndef HP_REAL
#define HP_REAL double
#define HP_AMG_NAME(name) name##_double
#endif

/* to [w*w] = factor A_BB^-1 for rows begin .. begin + w - 1; work [w*(2*w+1)]. */
HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_block_one)(const hp_csr *A, int64_t begin, int w, double factor, double *work,
                                                   HP_REAL *to) {
  double *block = work, *inverse = block + w * w, *diagonal = inverse + w * w;
  for (int e = 0; e < w * w; ++e) block[e] = 0.0;
  for (int a = 0; a < w; ++a)
    for (int64_t k = A->begin[begin + a]; k < A->begin[begin + a + 1]; ++k) {
      const int64_t c = A->column[k] - begin;
      if (c >= 0 && c < w) block[c * w + a] = A->value[k];
    }
  for (int a = 0; a < w; ++a) diagonal[a] = block[a * w + a];
  const bool regular = hp_block_invert(w, block, inverse);
  for (int a = 0; a < w && !regular; ++a) inverse[a * w + a] = diagonal[a] != 0.0 ? 1.0 / diagonal[a] : 0.0;
  for (int e = 0; e < w * w; ++e) to[e] = (HP_REAL)(factor * inverse[e]);
}

HP_INLINE HP_HD int HP_AMG_NAME(hp_amg_block_width)(const hp_amg_level *L, int64_t block) {
  const int64_t left = L->A->nrow - block * L->smooth.width;
  return left < L->smooth.width ? (int)left : L->smooth.width;
}

HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_block_all)(hp_team *t, const hp_amg_level *L, double factor) {
  const int64_t w = L->smooth.width;
  HP_REAL *block = (HP_REAL *)L->smooth.block;
  double work[HP_GH_Q_MAX * (2 * HP_GH_Q_MAX + 1)];
  HP_TEAM_FOR(t, c, L->smooth.nblock)
  HP_AMG_NAME(hp_amg_block_one)(L->A, c * w, HP_AMG_NAME(hp_amg_block_width)(L, c), factor, work, block + c * w * w);
}

HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_block_jacobi_setup)(hp_team *t, const hp_amg *H, const hp_amg_level *L) {
  HP_AMG_NAME(hp_amg_block_all)(t, L, H->opt.damping);
}

HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_block_gauss_seidel_setup)(hp_team *t, const hp_amg *H, const hp_amg_level *L) {
  (void)H;
  HP_AMG_NAME(hp_amg_block_all)(t, L, 1.0);
}

#if !defined(__CUDA_ARCH__)
/* out = x + (factor) A_BB^-1 (b - A x) in the rows of one block; x NULL: zero. out may be x. */
HP_INLINE void HP_AMG_NAME(hp_amg_block_solve)(const hp_amg_level *L, int64_t c, const HP_REAL *b, const HP_REAL *x,
                                               HP_REAL *out) {
  const int width = L->smooth.width, w = HP_AMG_NAME(hp_amg_block_width)(L, c);
  const HP_REAL *inverse = (const HP_REAL *)L->smooth.block + c * width * width;
  const int64_t begin = c * width;
  HP_REAL r[HP_GH_Q_MAX];
  for (int a = 0; a < w; ++a)
    r[a] = x != NULL ? b[begin + a] - HP_AMG_NAME(hp_amg_dot_nonzeros)(L, begin + a, x) : b[begin + a];
  for (int a = 0; a < w; ++a) {
    HP_REAL sum = x != NULL ? x[begin + a] : 0;
    for (int k = 0; k < w; ++k) sum += inverse[k * w + a] * r[k];
    out[begin + a] = sum;
  }
}

HP_INLINE void HP_AMG_NAME(hp_amg_block_clear)(const hp_amg_level *L, int64_t c, HP_REAL *out) {
  const int width = HP_AMG_NAME(hp_amg_block_width)(L, c);
  for (int a = 0; a < width; ++a) out[c * L->smooth.width + a] = 0;
}
#endif
