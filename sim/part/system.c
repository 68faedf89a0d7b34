#include "sim/part/system.h"

#include <string.h>

#include "core/memory.h"

void hp_whole_system_clear(hp_whole_system *S) {
  hp_gh_destroy(&S->J);
  HP_FREE(S->R);
  HP_FREE(S->b);
  HP_FREE(S->x);
  HP_FREE(S->place);
  HP_FREE(S->perf_of);
  HP_FREE(S->local);
  hp_subdomain_list_destroy(&S->perfs);
  hp_subdomain_list_destroy(&S->entry);
  S->ready = false;
}

/* ---- what is gathered ---- */

static bool is_own(const hp_subdomain *D, int64_t cell) {
  return hp_subdomain_owner(D, D->part.global[cell]) == hp_ranks_rank(D->K);
}

static hp_status list_perforations(hp_subdomain *D, hp_whole_system *S) {
  const hp_wells *W = D->wells;
  hp_status s = HP_ALLOC(S->perfs.mine, W->nperf);
  if (s == HP_OK) s = HP_ALLOC(S->perf_of, W->nperf);
  int64_t count = 0;
  for (int64_t q = 0; q < W->nperf && s == HP_OK; ++q) {
    if (!is_own(D, W->cell[q])) continue;
    S->perf_of[count] = W->slot[q];
    S->perfs.mine[count++] = q;
  }
  HP_TRY(hp_ranks_agree(D->K, s));
  return hp_subdomain_list_create(D->K, count, &S->perfs);
}

static hp_status list_entries(hp_subdomain *D, const hp_gh *J, hp_whole_system *S) {
  const hp_links *L = &J->links;
  hp_status s = HP_ALLOC(S->entry.mine, L->count);
  if (s == HP_OK) s = HP_ALLOC(S->local, L->count);
  int64_t count = 0;
  for (int64_t row = 0; row < L->nrow && s == HP_OK; ++row)
    for (int64_t e = L->begin[row]; e < L->begin[row + 1] && is_own(D, L->cell[row]); ++e) {
      const bool upper = D->part.global[L->cell[row]] > D->part.global[L->other[e]];
      S->local[count] = e;
      S->entry.mine[count++] = 2 * D->links.mine[L->of[e]] + upper;
    }
  HP_TRY(hp_ranks_agree(D->K, s));
  return hp_subdomain_list_create(D->K, count, &S->entry);
}

/* The matrix of the run, by rank 0. */
static hp_status create_whole(const hp_grid *g, const hp_wells *W, hp_whole_system *S) {
  HP_TRY(hp_gh_create(g->nx, g->ny, g->nz, HP_PHASES, &S->J));
  S->slot = W->slot;
  HP_TRY(hp_gh_set_wells(S->J, W->nwell, W->begin, W->cell, S->slot));
  HP_TRY(hp_gh_set_links(S->J, g->connection.count, g->connection.a, g->connection.b));
  HP_TRY(HP_ALLOC(S->R, S->J->n));
  HP_TRY(HP_ALLOC(S->b, S->J->n));
  HP_TRY(HP_ALLOC(S->x, S->J->n));
  const hp_links *L = &S->J->links;
  HP_TRY(HP_ALLOC(S->place, L->count));
  for (int64_t row = 0; row < L->nrow; ++row)
    for (int64_t e = L->begin[row]; e < L->begin[row + 1]; ++e)
      S->place[2 * L->of[e] + (L->cell[row] > L->other[e])] = e;
  return HP_OK;
}

static hp_status prepare(hp_subdomain *D, const hp_gh *J, const hp_grid *g, const hp_wells *W, hp_whole_system *S) {
  if (S->ready) return HP_OK;
  HP_TRY(list_perforations(D, S));
  HP_TRY(list_entries(D, J, S));
  HP_TRY(hp_ranks_agree(D->K, hp_ranks_rank(D->K) == 0 ? create_whole(g, W, S) : HP_OK));
  S->ready = true;
  return HP_OK;
}

/* ---- numbers ---- */

/* L->value [count] of all ranks into L->packed of rank 0. */
static void gather(hp_ranks *K, hp_subdomain_list *L) {
  hp_ranks_gather(K, 0, L->value, L->packed, L->begin, sizeof *L->value);
}

static void get_wells(hp_subdomain *D, const hp_gh *J, hp_whole_system *S) {
  const hp_wells *W = D->wells;
  const int q = J->q;
  for (int a = 0; a < q; ++a) { /* columns, which the owners of cells have */
    for (int64_t n = 0; n < S->perfs.count; ++n) S->perfs.value[n] = J->wells.wt[S->perf_of[n] * q + a];
    gather(D->K, &S->perfs);
    if (S->J == NULL) continue;
    for (int64_t n = 0; n < S->perfs.begin[hp_ranks_size(D->K)]; ++n)
      S->J->wells.wt[S->slot[S->perfs.all[n]] * q + a] = S->perfs.packed[n];
  }
  if (S->J == NULL) return;
  for (int64_t p = 0; p < W->nperf; ++p) /* rows, which every rank has */
    for (int a = 0; a < q; ++a) S->J->wells.w[S->slot[p] * q + a] = J->wells.w[W->slot[p] * q + a];
  memcpy(S->J->wells.dd, J->wells.dd, (size_t)W->nwell * sizeof *J->wells.dd);
}

static void get_entries(hp_subdomain *D, const hp_gh *J, hp_whole_system *S) {
  const int numbers = J->q * J->q;
  for (int n = 0; n < numbers; ++n) {
    for (int64_t e = 0; e < S->entry.count; ++e) S->entry.value[e] = J->link[S->local[e] * numbers + n];
    gather(D->K, &S->entry);
    if (S->J == NULL) continue;
    for (int64_t e = 0; e < S->entry.begin[hp_ranks_size(D->K)]; ++e)
      S->J->link[S->place[S->entry.all[e]] * numbers + n] = S->entry.packed[e];
  }
}

/* Rows of cells, and of wells, whose entries all ranks have alike. */
static void get_vector(hp_subdomain *D, const hp_gh *J, const double *here, double *whole) {
  hp_subdomain_get(D, here, whole, (size_t)J->q * sizeof *here);
  if (whole != NULL && J->wells.nwell > 0)
    memcpy(whole + D->part.whole * J->q, here + J->rows, (size_t)J->wells.nwell * sizeof *here);
}

hp_status hp_whole_system_get(hp_subdomain *D, const hp_gh *J, const double *R, const double *b, const double *x,
                              const hp_grid *grid, const hp_wells *wells, bool matrix, double *scale,
                              hp_whole_system *S) {
  HP_TRY(prepare(D, J, grid, wells, S));
  get_vector(D, J, R, S->R);
  get_vector(D, J, b, S->b);
  hp_subdomain_get(D, D->res->scale, scale, HP_PHASES * sizeof *scale);
  if (!matrix) return HP_OK;
  get_vector(D, J, x, S->x);
  for (int c = 0; c < HP_GH_DIAGS * J->q; ++c)
    hp_subdomain_get(D, J->h + c * J->ld, S->J != NULL ? S->J->h + c * S->J->ld : NULL, (size_t)J->q * sizeof *J->h);
  get_wells(D, J, S);
  get_entries(D, J, S);
  return HP_OK;
}
