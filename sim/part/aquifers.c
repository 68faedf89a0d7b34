/* Aquifers of a rank: all of them, with the connections of its own cells. */
#include <string.h>

#include "core/memory.h"
#include "sim/part/subdomain.h"

/* Broadcast from rank 0: which cells are connected, to what. Every rank picks its own. */
typedef struct {
  int64_t nrow, nconnection, *cell, *begin;
  int32_t *of;
  double *share, *pressure;
} connected;

static hp_status share(hp_ranks *K, const hp_aquifers *all, connected *c) {
  int64_t count[2] = {0, 0};
  if (all != NULL) {
    *c = (connected){all->nrow, all->nconnection, all->cell, all->begin, all->of, all->share, all->pressure};
    count[0] = c->nrow;
    count[1] = c->nconnection;
  }
  hp_ranks_broadcast(K, 0, count, sizeof count);
  c->nrow = count[0];
  c->nconnection = count[1];
  HP_TRY(hp_subdomain_share(K, (void **)&c->cell, c->nrow, sizeof *c->cell));
  HP_TRY(hp_subdomain_share(K, (void **)&c->begin, c->nrow + 1, sizeof *c->begin));
  HP_TRY(hp_subdomain_share(K, (void **)&c->of, c->nconnection, sizeof *c->of));
  return hp_subdomain_share(K, (void **)&c->share, c->nconnection, sizeof *c->share);
}

static void drop(hp_ranks *K, connected *c) {
  if (hp_ranks_rank(K) == 0) return;
  HP_FREE(c->cell);
  HP_FREE(c->begin);
  HP_FREE(c->of);
  HP_FREE(c->share);
}

static bool is_own(const hp_subdomain *D, int64_t cell) { return hp_subdomain_owner(D, cell) == hp_ranks_rank(D->K); }

static hp_status allocate(hp_aquifers *A, hp_subdomain_list *L) {
  HP_TRY(HP_ALLOC(A->cell, A->nrow));
  HP_TRY(HP_ALLOC(A->begin, A->nrow + 1));
  HP_TRY(HP_ALLOC(A->of, A->nconnection));
  HP_TRY(HP_ALLOC(A->share, A->nconnection));
  HP_TRY(HP_ALLOC(A->pressure, A->nrow));
  HP_TRY(HP_ALLOC(A->rate, A->nconnection));
  return HP_ALLOC(L->mine, A->nconnection);
}

/* Own connected cells in the order of the whole list. */
static hp_status pick(hp_subdomain *D, const connected *c) {
  hp_aquifers *A = D->aquifers;
  A->nrow = A->nconnection = 0;
  for (int64_t row = 0; row < c->nrow; ++row) {
    if (!is_own(D, c->cell[row])) continue;
    A->nrow += 1;
    A->nconnection += c->begin[row + 1] - c->begin[row];
  }
  HP_TRY(hp_ranks_agree(D->K, allocate(A, &D->influx)));
  int64_t r = 0, e = 0;
  for (int64_t row = 0; row < c->nrow; ++row) {
    if (!is_own(D, c->cell[row])) continue;
    A->cell[r] = hp_subdomain_place(D, c->cell[row]);
    A->begin[r++] = e;
    for (int64_t n = c->begin[row]; n < c->begin[row + 1]; ++n, ++e) {
      A->of[e] = c->of[n];
      A->share[e] = c->share[n];
      D->influx.mine[e] = n;
    }
  }
  A->begin[r] = e;
  return hp_subdomain_list_create(D->K, e, &D->influx);
}

hp_status hp_subdomain_aquifers(hp_subdomain *D, hp_aquifers *all) {
  hp_ranks *K = D->K;
  int64_t count = all != NULL ? all->count : 0;
  hp_ranks_broadcast(K, 0, &count, sizeof count);
  if (count == 0) return HP_OK;
  HP_TRY(hp_ranks_agree(K, HP_ALLOC(D->aquifers, 1)));
  hp_aquifers *A = D->aquifers;
  D->all_aquifers = all;
  if (all != NULL) *A = *all;
  A->cell = A->begin = NULL;
  A->of = NULL;
  A->share = A->pressure = A->rate = NULL;
  A->count = (int)count;
  HP_TRY(hp_subdomain_share(K, (void **)&A->aquifer, count, sizeof *A->aquifer));
  HP_TRY(hp_subdomain_share(K, (void **)&A->state, count, sizeof *A->state));
  HP_TRY(hp_subdomain_share(K, (void **)&A->step, count, sizeof *A->step));
  connected c = {0};
  hp_status s = share(K, all, &c);
  if (s == HP_OK) s = pick(D, &c);
  drop(K, &c);
  return s;
}

void hp_subdomain_aquifers_destroy(hp_subdomain *D) {
  hp_aquifers *A = D->aquifers;
  hp_subdomain_list_destroy(&D->influx);
  if (A == NULL) return;
  HP_FREE(A->cell);
  HP_FREE(A->begin);
  HP_FREE(A->of);
  HP_FREE(A->share);
  HP_FREE(A->pressure);
  HP_FREE(A->rate);
  if (hp_ranks_rank(D->K) != 0) {
    HP_FREE(A->aquifer);
    HP_FREE(A->state);
    HP_FREE(A->step);
  }
  HP_FREE(D->aquifers);
}

void hp_subdomain_put_aquifers(hp_subdomain *D) {
  hp_aquifers *A = D->aquifers;
  if (A == NULL) return;
  hp_ranks_broadcast(D->K, 0, A->state, A->count * (int64_t)sizeof *A->state);
  hp_ranks_broadcast(D->K, 0, A->step, A->count * (int64_t)sizeof *A->step);
}

void hp_subdomain_get_rates(hp_subdomain *D) {
  const hp_subdomain_list *L = &D->influx;
  if (D->aquifers == NULL) return;
  hp_ranks_gather(D->K, 0, D->aquifers->rate, L->packed, L->begin, sizeof *L->packed);
  if (hp_ranks_rank(D->K) != 0) return;
  for (int64_t n = 0; n < L->begin[hp_ranks_size(D->K)]; ++n) D->all_aquifers->rate[L->all[n]] = L->packed[n];
}
