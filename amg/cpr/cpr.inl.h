/* CPR's setup and application: team programs with the contract of linsolve/precond/precond.h.
 * The hierarchy's pattern is made by a team of the CPU (amg/cpr/cpr.c). */
#ifndef HP_AMG_CPR_CPR_INL_H
#define HP_AMG_CPR_CPR_INL_H

#include "amg/cpr/weights.inl.h"
#include "amg/cycle/numbers.inl.h"
#include "amg/cycle/program.h"
#include "core/profile.h"
#include "linsolve/krylov/precond.inl.h"
#include "linsolve/product/spmv.inl.h"

/* ---- setup ---- */

/* The column of well w in the pressure system, and the well of row i >= ncp. */
HP_INLINE HP_HD int32_t hp_cpr_well_column(const hp_cpr *C, int w) {
#if !defined(__CUDA_ARCH__)
  if (C->part != NULL) return C->part->well[w];
#endif
  return C->ncp + w;
}
HP_INLINE HP_HD int hp_cpr_well_of(const hp_cpr *C, int64_t i) {
#if !defined(__CUDA_ARCH__)
  if (C->part != NULL) return C->part->owned[i - C->ncp];
#endif
  return (int)(i - C->ncp);
}

/* Row ncp + w of the pressure system: its columns, values, and where these come from (hp_cpr_well_number), where not NULL;
 * returns how many. */
HP_INLINE HP_HD int32_t hp_cpr_well_row(const hp_cpr *C, const hp_gh *A, int w, int32_t *column, double *value,
                                        int32_t *source) {
  const hp_gh_wells *W = &A->wells;
  int32_t count = 0;
  for (int r = W->run_begin[w]; r < W->run_begin[w + 1]; ++r)
    for (int64_t n = 0; n < W->c[r]; ++n, ++count) {
      if (column != NULL) column[count] = C->number[W->b[r] + n];
      if (value != NULL) value[count] = W->w[(W->a[r] + n) * A->q];
      if (source != NULL) source[count] = (int32_t)(W->a[r] + n);
    }
  if (column != NULL) column[count] = hp_cpr_well_column(C, w);
  if (value != NULL) value[count] = W->dd[w];
  if (source != NULL) source[count] = -1;
  return count + 1;
}

/* The place of a cell among the columns of a row: of a part that in the whole grid. */
HP_INLINE HP_HD int64_t hp_cpr_place(const hp_gh *A, int64_t cell) {
#if !defined(__CUDA_ARCH__)
  if (A->part != NULL) return A->part->global[cell];
#endif
  return cell;
}

/* The same of cell m's neighbour in diagonal u, which need not be there. */
HP_INLINE HP_HD int64_t hp_cpr_place_of(const hp_gh *A, int64_t m, int u) {
#if !defined(__CUDA_ARCH__)
  if (A->part != NULL) {
    const int64_t line = A->part->size[0], far[] = {0, 1, line, line * A->part->size[1]};
    return A->part->global[m] + (u < 0 ? -far[-u] : far[u]);
  }
#endif
  return m + hp_gh_offset(A, u);
}

/* Whether the cell beside m in diagonal u of the lattice is its neighbour in the whole grid: behind the last plane of a part
 * stand far columns, of wells and connections (core/ranks/part.h). */
HP_INLINE HP_HD bool hp_cpr_is_beside(const hp_gh *A, int64_t m, int u) {
#if !defined(__CUDA_ARCH__)
  if (A->part != NULL) return hp_cpr_place(A, m + hp_gh_offset(A, u)) == hp_cpr_place_of(A, m, u);
#endif
  return true;
}

/* The entries e .. of a cell's connections beyond the diagonals, up to those of the place `before`: as above. */
HP_INLINE HP_HD int32_t hp_cpr_links(const hp_cpr *C, const hp_gh *A, int64_t m, int64_t before, int64_t *e,
                                     int64_t end, int32_t *column, double *value, int32_t *source) {
  int32_t count = 0;
  for (; *e < end && hp_cpr_place(A, A->links.other[*e]) < before; ++*e) {
    const int32_t other = C->number[A->links.other[*e]];
    if (other < 0) continue;
    if (column != NULL) column[count] = other;
    if (value != NULL) value[count] = hp_cpr_link(A, C->weight, m, *e);
    if (source != NULL) source[count] = (int32_t)(HP_GH_DIAGS + *e);
    count += 1;
  }
  return count;
}

/* Row i of the pressure system, as above (hp_cpr_cell_number); columns rise. */
HP_INLINE HP_HD int32_t hp_cpr_row(const hp_cpr *C, const hp_gh *A, int64_t i, int32_t *column, double *value,
                                   int32_t *source) {
  if (i >= C->ncp) return hp_cpr_well_row(C, A, hp_cpr_well_of(C, i), column, value, source);
  const hp_gh_wells *W = &A->wells;
  const int64_t m = C->cell[i], areal = m / A->nz;
  const int ijk[3] = {(int)(m - areal * A->nz), (int)(areal % A->ny), (int)(areal / A->ny)};
  const int size[3] = {A->nz, A->ny, A->nx};
  int32_t count = 0;
  int64_t e = 0, end = 0;
  if (hp_gh_is_linked(A)) hp_links_of(&A->links, m, &e, &end);
  for (int u = -3; u <= 3; ++u) {
    const int d = (u < 0 ? -u : u) - 1;
    if (e < end)
      count += hp_cpr_links(C, A, m, hp_cpr_place_of(A, m, u), &e, end, column != NULL ? column + count : NULL,
                            value != NULL ? value + count : NULL, source != NULL ? source + count : NULL);
    if (u < 0 ? ijk[d] == 0 : u > 0 && ijk[d] + 1 == size[d]) continue;
    const int32_t other = C->number[m + hp_gh_offset(A, u)];
    if (other < 0 || !hp_cpr_is_beside(A, m, u)) continue;
    if (column != NULL) column[count] = other;
    if (value != NULL) value[count] = hp_cpr_entry(A, C->weight, m, u);
    if (source != NULL) source[count] = u + 3;
    count += 1;
  }
  if (e < end)
    count += hp_cpr_links(C, A, m, INT64_MAX, &e, end, column != NULL ? column + count : NULL,
                          value != NULL ? value + count : NULL, source != NULL ? source + count : NULL);
  for (int r = W->nrun > 0 ? W->d[areal] : -1; r >= 0; r = W->next[r]) {
    const int64_t n = m - W->b[r];
    if (n < 0 || n >= W->c[r]) continue;
    if (column != NULL) column[count] = hp_cpr_well_column(C, W->of[r]);
    if (value != NULL) value[count] = hp_cpr_well_coupling(A, C->weight, m, W->a[r] + n);
    if (source != NULL) source[count] = (int32_t)(HP_GH_DIAGS + A->links.count + W->a[r] + n);
    count += 1;
  }
  return count;
}

/* The numbers of the pressure system and of its hierarchy, which stay in the pattern they have. */
HP_INLINE HP_HD void hp_cpr_refresh(hp_team *t, const hp_cpr *C, const hp_gh *A) {
  HP_TEAM_FOR(t, i, C->Ap->nrow) hp_cpr_row(C, A, i, NULL, C->Ap->value + C->Ap->begin[i], NULL);
  hp_team_sync(t); /* the pressure system */
#if !defined(__CUDA_ARCH__)
  if (C->other != NULL) {
    hp_cpr_other_set_up(t, C);
    return;
  }
  if (C->part != NULL) {
    hp_cpr_part_refresh(t, C);
    return;
  }
#endif
  hp_amg_refresh(t, C->H);
}

/* See hp_krylov_precond_setup. A hierarchy that could not be made counts as a bad first row. */
HP_INLINE int64_t hp_cpr_setup(hp_team *t, hp_cpr *C, const hp_gh *A) {
  const double began = t->rank == 0 ? hp_now() : 0.0;
  const bool stale = C->stale, fresh = hp_cpr_is_due(C);
  if (fresh) HP_TEAM_FOR(t, m, A->ncell) hp_cpr_cell_weights(A, C->opt.weights, m, C->weight + m * A->q);
  hp_team_sync(t); /* the weights; all have read stale and due */
  if (stale) {
    const hp_status made = hp_cpr_make(t, C, A);
    if (t->rank == 0) {
      if (made != C->status) C->status = made; /* others may still read the same */
      C->stale = made != HP_OK;
    }
  } else if (fresh) {
    hp_cpr_refresh(t, C, A);
    if (t->rank == 0 && C->other != NULL) C->status = hp_cpr_other_status(C->other);
    if (t->rank == 0 && C->part != NULL) C->status = hp_cpr_part_status(C);
  }
  if (t->rank == 0) {
    C->pace.fresh = fresh;
    C->pace.due = false;
    C->pace.setups += 1;
  }
  if (t->rank == 0 && fresh) {
    hp_cpr_counts *n = &C->counts;
    *(stale ? &n->builds : &n->refreshes) += 1;
    *(stale ? &n->build_seconds : &n->refresh_seconds) += hp_now() - began;
  }
  const int64_t bad = C->second != NULL ? hp_krylov_precond_setup(t, C->second, A) : -1;
  return C->status == HP_OK ? bad : 0;
}

/* ---- application ---- */

/* residual = r - H_p xc in the rows of cells begin..end-1, all with the diagonals of s; nd (= s->count) is a
 * constant where the caller writes one. */
HP_INLINE HP_HD void hp_cpr_cells(const hp_cpr *C, const hp_gh *A, const hp_gh_stencil *s, int nd, const double *r,
                                  int64_t begin, int64_t end) {
  const double *column[HP_GH_DIAGS], *shifted[HP_GH_DIAGS];
  const int q = A->q;
  for (int d = 0; d < nd; ++d) {
    column[d] = A->h + (int64_t)(s->u[d] + 3) * q * A->ld;
    shifted[d] = C->xc + s->shift[d];
  }
  for (int64_t m = begin; m < end; ++m)
    for (int a = 0; a < q; ++a) {
      double sum = 0.0;
      for (int d = 0; d < nd; ++d) sum += column[d][m * q + a] * shifted[d][m];
      C->residual[m * q + a] = r[m * q + a] - sum;
    }
}

/* The same for q = 2, a cell's two rows as a pair. */
HP_INLINE HP_HD void hp_cpr_cells_pairs(const hp_cpr *C, const hp_gh *A, const hp_gh_stencil *s, int nd,
                                        const double *r, int64_t begin, int64_t end) {
  const double *column[HP_GH_DIAGS], *shifted[HP_GH_DIAGS];
  for (int d = 0; d < nd; ++d) {
    column[d] = A->h + (int64_t)(s->u[d] + 3) * 2 * A->ld;
    shifted[d] = C->xc + s->shift[d];
  }
  for (int64_t m = begin; m < end; ++m) {
    hp_pair sum = hp_pair_both(0.0);
    for (int d = 0; d < nd; ++d)
      sum = hp_pair_add(sum, hp_pair_mul(hp_pair_load_double(column[d] + 2 * m), hp_pair_both(shifted[d][m])));
    hp_pair_store(C->residual + 2 * m, hp_pair_sub(hp_pair_load_double(r + 2 * m), sum));
  }
}

/* residual = r - A x_p, of the member's cells and wells. */
HP_INLINE HP_HD void hp_cpr_residual(hp_team *t, const hp_cpr *C, const hp_gh *A, const double *r) {
  const hp_gh_wells *W = &A->wells;
  const hp_gh_stencil all = hp_gh_stencil_of(A);
  const hp_span cells = hp_team_span(t, A->ncell, 0);
  const int q = A->q;
  const double *xw = C->part != NULL ? C->xc + A->ncell : C->xp + C->ncp;
  double *s = C->residual;
  for (int64_t m = cells.begin, to; m < cells.end; m = to) {
    to = cells.end;
    const hp_gh_stencil near = hp_gh_stencil_at(A, &all, m, &to);
    if (q == 2 && near.count == 7) hp_cpr_cells_pairs(C, A, &near, 7, r, m, to);
    else if (q == 2 && near.count == 5) hp_cpr_cells_pairs(C, A, &near, 5, r, m, to);
    else if (q == 2) hp_cpr_cells_pairs(C, A, &near, near.count, r, m, to);
    else hp_cpr_cells(C, A, &near, near.count, r, m, to);
  }
  const hp_links *L = &A->links;
  for (int64_t row = L->count > 0 ? hp_links_from(L, cells.begin) : 0; row < L->nrow && L->cell[row] < cells.end; ++row)
    for (int64_t e = L->begin[row]; e < L->begin[row + 1]; ++e)
      for (int a = 0; a < q; ++a) s[L->cell[row] * q + a] -= *hp_gh_link(A, e, a, 0) * C->xc[L->other[e]];
  for (int run = 0; run < W->nrun; ++run)
    for (int64_t n = 0; n < W->c[run]; ++n) {
      const int64_t m = W->b[run] + n;
      if (m < cells.begin || m >= cells.end) continue;
      for (int a = 0; a < q; ++a) s[m * q + a] -= W->wt[(W->a[run] + n) * q + a] * xw[W->of[run]];
    }
  for (int w = t->rank; w < W->nwell; w += t->size) {
    double sum = r[A->rows + w] - W->dd[w] * xw[w];
    for (int run = W->run_begin[w]; run < W->run_begin[w + 1]; ++run)
      for (int64_t n = 0; n < W->c[run]; ++n) sum -= W->w[(W->a[run] + n) * q] * C->xc[W->b[run] + n];
    s[A->rows + w] = sum;
  }
}

/* r_p = C r: the cells' weighted sums, the wells' rows. */
HP_INLINE HP_HD void hp_cpr_restrict(hp_team *t, const hp_cpr *C, const hp_gh *A, const double *r) {
  const int q = A->q;
  const bool plain = C->opt.weights == HP_CPR_TRUE_IMPES && q == 2;
  HP_TEAM_FOR(t, i, C->Ap->nrow) {
    if (i >= C->ncp) {
      C->rp[i] = r[A->rows + hp_cpr_well_of(C, i)];
      continue;
    }
    const int64_t m = C->cell[i];
    double sum = plain ? r[2 * m] + r[2 * m + 1] : 0.0;
    for (int a = 0; a < q && !plain; ++a) sum += C->weight[m * q + a] * r[m * q + a];
    C->rp[i] = sum;
  }
}

/* x_p from r_p; ends with a barrier. */
HP_INLINE HP_HD void hp_cpr_cycle(hp_team *t, const hp_cpr *C) {
#if !defined(__CUDA_ARCH__)
  if (C->other != NULL) {
    hp_cpr_other_cycle(t, C);
    return;
  }
#endif
  hp_amg_cycle(t, C->H, C->rp, C->xp);
}

#if !defined(__CUDA_ARCH__)
/* hp_cpr_apply from r_p on, of a rank's part. */
HP_INLINE void hp_cpr_apply_part(hp_team *t, const hp_cpr *C, const hp_gh *A, const double *r, double *z) {
  hp_cpr_part_cycle(t, C, A);
  hp_cpr_residual(t, C, A, r);
  hp_team_sync(t); /* the residual */
  hp_team_drop(t, A->part, C->residual, A->q);
  hp_krylov_precond_apply(t, C->second, A, C->residual, z);
  hp_team_sync(t); /* z */
  HP_TEAM_FOR(t, m, A->ncell) z[m * A->q] += C->xc[m];
  for (int w = t->rank; w < A->wells.nwell; w += t->size) z[A->rows + w] += C->xc[A->ncell + w];
}
#endif

/* See hp_krylov_precond_apply. */
HP_INLINE HP_HD void hp_cpr_apply(hp_team *t, const hp_cpr *C, const hp_gh *A, const double *r, double *z) {
  const int q = A->q;
  hp_cpr_restrict(t, C, A, r);
  hp_team_sync(t); /* r_p */
#if !defined(__CUDA_ARCH__)
  if (C->part != NULL) {
    hp_cpr_apply_part(t, C, A, r, z);
    return;
  }
#endif
  hp_cpr_cycle(t, C);
  HP_TEAM_FOR(t, m, A->ncell) C->xc[m] = C->number[m] >= 0 ? C->xp[C->number[m]] : 0.0;
  hp_team_sync(t); /* x_p by cells */
  hp_cpr_residual(t, C, A, r);
  hp_team_sync(t); /* the residual */
  hp_krylov_precond_apply(t, C->second, A, C->residual, z);
  hp_team_sync(t); /* z */
  HP_TEAM_FOR(t, m, A->ncell) z[m * q] += C->xc[m];
  for (int w = t->rank; w < A->wells.nwell; w += t->size) z[A->rows + w] += C->xp[C->ncp + w];
}

#endif
