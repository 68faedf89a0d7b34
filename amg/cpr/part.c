/* The pressure system of a rank's part: the rows of its own cells and wells. Ghosts that they read and that the rows of their
 * owners count are columns behind these, and so are wells of others in own cells. */
#include "amg/cpr/cpr.h"
#include "amg/hypre/ranks.h"
#include "core/memory.h"

hp_status hp_cpr_part_create(const hp_gh *A, hp_cpr *C) {
  hp_cpr_part *P;
  HP_TRY(HP_ALLOC(P, 1));
  C->part = P;
  HP_TRY(HP_ALLOC(P->owned, A->wells.nwell));
  HP_TRY(HP_ALLOC(P->well, A->wells.nwell));
  HP_TRY(HP_ALLOC(P->number, A->ncell + A->wells.nwell));
  HP_TRY(HP_ALLOC(P->owner, A->part->nghost + A->wells.nwell));
  return C->opt.whose == HP_CPR_AMG_HYPRE ? hp_hypre_ranks_create(A->part->K, &C->opt.amg, &P->hypre)
                                          : hp_amg_ranks_create(A->part->K, &C->opt.amg, &P->H);
}

void hp_cpr_part_destroy(hp_cpr_part **slot) {
  hp_cpr_part *P = *slot;
  if (P == NULL) return;
  hp_amg_ranks_destroy(&P->H);
  hp_hypre_ranks_destroy(&P->hypre);
  HP_FREE(P->owned);
  HP_FREE(P->well);
  HP_FREE(P->number);
  HP_FREE(P->owner);
  HP_FREE(*slot);
}

/* After the own cells have been numbered. A ghost is a column if its owner has a row for it. */
hp_status hp_cpr_part_number(hp_cpr *C, const hp_gh *A) {
  const hp_part *p = A->part;
  hp_cpr_part *P = C->part;
  hp_exchange_run(p->cells, C->number, sizeof *C->number);
  for (int64_t n = 0; n < C->ncp; ++n) P->number[n] = p->global[C->cell[n]];
  P->nowned = P->nghost = 0;
  for (int w = 0; w < p->nwell; ++w) {
    if (!p->owns_well[w]) continue;
    P->number[C->ncp + P->nowned] = p->whole + w;
    P->well[w] = C->ncp + P->nowned;
    P->owned[P->nowned++] = w;
  }
  const int32_t rows = C->ncp + P->nowned;
  for (int64_t n = 0; n < p->nghost; ++n) {
    int32_t *number = &C->number[p->ghost[n]];
    if (!p->is_read[n]) *number = -1;
    if (*number < 0) continue;
    P->number[rows + P->nghost] = p->global[p->ghost[n]];
    P->owner[P->nghost] = p->owner[n];
    *number = rows + P->nghost++;
  }
  for (int w = 0; w < p->nwell; ++w) {
    if (p->owns_well[w]) continue;
    P->well[w] = -1;
    if (!p->reads_well[w]) continue;
    P->number[rows + P->nghost] = p->whole + w;
    P->owner[P->nghost] = p->well_owner[w];
    P->well[w] = rows + P->nghost++;
  }
  return HP_OK;
}

hp_status hp_cpr_part_build(hp_team *t, hp_cpr *C) {
  hp_cpr_part *P = C->part;
  const hp_amg_ranks_rows rows = {
      .A = C->Ap, .ncell = C->ncp, .nwell = P->nowned, .nghost = P->nghost, .number = P->number, .owner = P->owner};
  if (P->hypre == NULL) return hp_amg_ranks_build_by(t, P->H, &rows);
  if (t->rank == 0) P->status = hp_hypre_ranks_build(P->hypre, &rows);
  hp_team_sync(t); /* status */
  return P->status;
}

void hp_cpr_part_refresh(hp_team *t, const hp_cpr *C) {
  hp_cpr_part *P = C->part;
  if (P->hypre == NULL) {
    hp_amg_ranks_refresh_by(t, P->H);
    return;
  }
  if (t->rank == 0) P->status = hp_hypre_ranks_set_up(P->hypre);
  hp_team_sync(t); /* status */
}

hp_status hp_cpr_part_status(const hp_cpr *C) { return C->part->status; }

/* x_p of own rows. */
static void cycle(hp_team *t, const hp_cpr *C) {
  const hp_cpr_part *P = C->part;
  if (P->hypre == NULL) {
    hp_amg_ranks_cycle_by(t, P->H, C->rp, C->xp);
    return;
  }
  if (t->rank == 0) hp_hypre_ranks_cycle(P->hypre, C->rp, C->xp);
  hp_team_sync(t); /* x_p */
}

void hp_cpr_part_cycle(hp_team *t, const hp_cpr *C, const hp_gh *A) {
  const hp_cpr_part *P = C->part;
  cycle(t, C);
  HP_TEAM_FOR(t, m, A->ncell) C->xc[m] = C->number[m] >= 0 && C->number[m] < C->ncp ? C->xp[C->number[m]] : 0.0;
  for (int w = t->rank; w < A->wells.nwell; w += t->size)
    C->xc[A->ncell + w] = A->part->owns_well[w] ? C->xp[P->well[w]] : 0.0;
  hp_team_sync(t); /* x_p of own cells and wells */
  hp_team_renew(t, A->part, C->xc, 1);
}

static void describe_hypre(const hp_hypre_ranks *H, hp_cpr_state *out) {
  const hp_hypre_result *R = hp_hypre_ranks_result(H);
  out->levels = R->levels;
  out->complexity = R->operators;
  out->bytes += R->bytes;
}

void hp_cpr_part_describe(const hp_cpr *C, hp_cpr_state *out) {
  const hp_amg_ranks *H = C->part->H;
  if (H == NULL) {
    describe_hypre(C->part->hypre, out);
    return;
  }
  out->levels = hp_amg_ranks_levels(H);
  out->complexity = out->levels > 0 ? hp_amg_ranks_complexity(H) : 0.0;
  out->bytes += hp_amg_ranks_bytes(H);
  if (out->levels == 0) return;
  out->spread = hp_amg_ranks_list_messages(H, out->messages);
  hp_amg_size size[HP_AMG_LEVELS_MAX];
  hp_amg_ranks_sizes(H, size);
  out->apply_bytes = C->apply_bytes +
                     hp_amg_cycle_traffic(&C->opt.amg, false, hp_amg_ranks_is_direct(H), out->levels, size);
}
