/* The factorization of a cell in block DILU, shared by all orders, any number of unknowns, CPU and GPU. The loops over
 * cells and the places of blocks are in linsolve/precond/dilu/dilu.inl.h, cuda/dilu.cuh and cuda/bricks_setup.cuh. Two
 * unknowns on a CPU and in a GPU's bricks have separate code with the same operations in pairs. */
#ifndef HP_LINSOLVE_PRECOND_DILU_FACTOR_INL_H
#define HP_LINSOLVE_PRECOND_DILU_FACTOR_INL_H

#include "linsolve/matrix/block.inl.h"
#include "linsolve/precond/dilu/pack.inl.h"

/* Whether eliminating cell n fills towards its neighbour in diagonal u: always, except for couplings that bricks leave
 * out. */
HP_INLINE HP_HD bool hp_dilu_fills(const hp_precond *P, const hp_gh *A, int64_t n, int u) {
  return P->ordering != HP_ORDER_BRICKS || hp_dilu_sees_from(P, A, n, u);
}

/* block -= A_mn D_n^-1 (A_nm + relaxed fill) for the neighbour n of cell m in
 * diagonal u. The fill A_mn D_n^-1 A_no that elimination would make between m
 * and n's other neighbours o, eliminated after n, has no place; `relaxation`
 * of its first column (pressure) goes to the diagonal. Blocks cut off by the
 * boundary are zero. */
HP_INLINE HP_HD void hp_dilu_eliminate(const hp_precond *P, const hp_gh *A, int q, int64_t m, int u, double *block) {
  double amn[HP_GH_Q_MAX * HP_GH_Q_MAX], anm[HP_GH_Q_MAX * HP_GH_Q_MAX], product[HP_GH_Q_MAX * HP_GH_Q_MAX];
  const int64_t n = m + hp_gh_offset(A, u);
  const int first = P->ordering == HP_ORDER_RED_BLACK ? -3 : 1;
  hp_block_load(A, q, m, u, amn);
  hp_block_load(A, q, n, -u, anm);
  for (int other = first; other <= 3 && P->relaxation > 0.0; ++other)
    for (int a = 0; a < q && other != 0 && other != -u && hp_dilu_fills(P, A, n, other); ++a)
      anm[a] += P->relaxation * *hp_gh_entry(A, n, other, a, 0);
  hp_block_mul(q, amn, P->inverse + n * q * q, product);
  hp_block_mul_subtract(q, product, anm, block);
}

/* A cell in the course of a factorization. */
typedef struct hp_dilu_cell {
  int64_t m;
  int i, j, k;
  bool red_black, odd; /* the order, and there the colour: even cells come first */
} hp_dilu_cell;

HP_INLINE HP_HD bool hp_dilu_is_eliminated(const hp_dilu_cell *c, int u) { return c->red_black ? c->odd : u < 0; }

/* inverse = D_m^-1, also in P->inverse; its eliminated neighbours are done. False: singular. */
HP_INLINE HP_HD bool hp_dilu_factor(const hp_precond *P, const hp_gh *A, int q, const hp_dilu_cell *c,
                                    double *inverse) {
  double block[HP_GH_Q_MAX * HP_GH_Q_MAX];
  hp_block_diagonal(A, q, c->m, block);
  for (int u = -3; u <= 3; ++u)
    if (u != 0 && hp_dilu_is_eliminated(c, u) && hp_dilu_sees(P, A, c->i, c->j, c->k, u))
      hp_dilu_eliminate(P, A, q, c->m, u, block);
  const bool regular = hp_block_invert(q, block, inverse);
  for (int e = 0; e < q * q; ++e) P->inverse[c->m * q * q + e] = inverse[e];
  return regular;
}

/* scaled = what the application multiplies the neighbour in diagonal u by: D_m^-1 A_mn, and D_m^-1 A_mn D_n^-1 where it
 * reads n's right-hand side; zero where there is no neighbour. */
HP_INLINE HP_HD void hp_dilu_scaled(const hp_precond *P, const hp_gh *A, int q, const hp_dilu_cell *c, int u,
                                    const double *inverse, double *scaled) {
  double block[HP_GH_Q_MAX * HP_GH_Q_MAX];
  for (int e = 0; e < q * q; ++e) scaled[e] = 0.0;
  if (!hp_dilu_sees(P, A, c->i, c->j, c->k, u)) return;
  hp_block_load(A, q, c->m, u, block);
  hp_block_mul(q, inverse, block, scaled);
  if (!c->red_black || !c->odd) return;
  hp_block_mul(q, scaled, P->inverse + (c->m + hp_gh_offset(A, u)) * q * q, block);
  for (int e = 0; e < q * q; ++e) scaled[e] = block[e];
}

/* Diagonal of the pack's block n = 1 .. 6. */
HP_INLINE HP_HD int hp_dilu_diagonal_of(bool red_black, int n) { return n > 3 ? n - 3 : red_black ? n - 4 : -n; }

#endif
