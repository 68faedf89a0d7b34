/* Aquifers of a rank: all of them, with the connections of its own cells. */
#include <string.h>

#include "core/memory.h"
#include "core/ranks/exact.h"
#include "sim/part/subdomain.h"

/* A connection on its way to the rank that owns its cell. */
typedef struct {
  int64_t cell, of; /* in the whole grid; the aquifer */
  double share;
} connection;

/* Sends connections that are here, if these count, to the owners of their cells; *mine [*count] has those of own cells, in the order
 * of all, because ranks are in that of planes. */
static hp_status send_connections(hp_subdomain *D, const hp_aquifers *here, bool counts, connection **mine,
                                  int64_t *count) {
  const int size = D->ranks;
  const int64_t all = counts ? here->nconnection : 0, rows = counts ? here->nrow : 0;
  int64_t *begin = NULL, *next = NULL, *from = NULL;
  connection *send = NULL;
  hp_status s = HP_ALLOC(begin, size + 1);
  if (s == HP_OK) s = HP_ALLOC(next, size + 1);
  if (s == HP_OK) s = HP_ALLOC(from, size + 1);
  if (s == HP_OK) s = HP_ALLOC(send, all);
  s = hp_ranks_agree(D->K, s);
  for (int64_t row = 0; row < rows && s == HP_OK; ++row)
    begin[hp_subdomain_owner(D, here->cell[row]) + 1] += here->begin[row + 1] - here->begin[row];
  for (int r = 0; r < size && s == HP_OK; ++r) next[r + 1] = begin[r + 1] += begin[r];
  for (int64_t row = 0; row < rows && s == HP_OK; ++row)
    for (int64_t e = here->begin[row]; e < here->begin[row + 1]; ++e)
      send[next[hp_subdomain_owner(D, here->cell[row])]++] = (connection){here->cell[row], here->of[e], here->share[e]};
  if (s == HP_OK) s = hp_ranks_all_to_all(D->K, send, begin, sizeof *send, (void **)mine, from);
  *count = s == HP_OK ? from[size] : 0;
  HP_FREE(begin);
  HP_FREE(next);
  HP_FREE(from);
  HP_FREE(send);
  return s;
}

static hp_status allocate(hp_aquifers *A) {
  HP_TRY(HP_ALLOC(A->cell, A->nrow));
  HP_TRY(HP_ALLOC(A->begin, A->nrow + 1));
  HP_TRY(HP_ALLOC(A->of, A->nconnection));
  HP_TRY(HP_ALLOC(A->share, A->nconnection));
  HP_TRY(HP_ALLOC(A->pressure, A->nrow));
  HP_TRY(HP_ALLOC(A->rate, A->nconnection));
  HP_TRY(HP_ALLOC(A->error, A->nconnection));
  return HP_ALLOC(A->mobile, A->nconnection);
}

static hp_status place(hp_subdomain *D, int64_t count, const connection *mine) {
  hp_aquifers *A = D->aquifers;
  A->nrow = 0;
  A->nconnection = count;
  for (int64_t e = 0; e < count; ++e) A->nrow += e == 0 || mine[e].cell != mine[e - 1].cell;
  HP_TRY(hp_ranks_agree(D->K, allocate(A)));
  int64_t row = 0;
  for (int64_t e = 0; e < count; ++e) {
    if (e == 0 || mine[e].cell != mine[e - 1].cell) {
      A->cell[row] = hp_subdomain_place(D, mine[e].cell);
      A->begin[row++] = e;
    }
    A->of[e] = (int32_t)mine[e].of;
    A->share[e] = mine[e].share;
  }
  A->begin[row] = count;
  return HP_OK;
}

hp_status hp_subdomain_aquifers(hp_subdomain *D, const hp_aquifers *run, bool counts) {
  if (run == NULL) return HP_OK;
  HP_TRY(hp_ranks_agree(D->K, HP_ALLOC(D->aquifers, 1)));
  hp_aquifers *A = D->aquifers;
  *A = *run; /* states and coefficients are the run's */
  A->cell = A->begin = NULL;
  A->of = NULL;
  A->share = A->pressure = A->rate = A->error = A->mobile = NULL;
  connection *mine = NULL;
  int64_t connections;
  hp_status s = send_connections(D, run, counts, &mine, &connections);
  if (s == HP_OK) s = place(D, connections, mine);
  HP_FREE(mine);
  return s;
}

void hp_subdomain_aquifers_destroy(hp_subdomain *D) {
  hp_aquifers *A = D->aquifers;
  if (A == NULL) return;
  HP_FREE(A->cell);
  HP_FREE(A->begin);
  HP_FREE(A->of);
  HP_FREE(A->share);
  HP_FREE(A->pressure);
  HP_FREE(A->rate);
  HP_FREE(A->error);
  HP_FREE(A->mobile);
  HP_FREE(D->aquifers);
}

/* Aquifer n's sum of value [nconnection] on all ranks: exactly, so that it does not depend on the parts. */
static double sum_of(hp_subdomain *D, int n, const double *value) {
  const hp_aquifers *A = D->aquifers;
  hp_exact sum = {{0}};
  for (int64_t e = 0; e < A->nconnection; ++e)
    if (A->of[e] == n) hp_exact_add(&sum, value[e]);
  hp_ranks_sum(D->K, sum.place, HP_EXACT_PLACES);
  return hp_exact_value(&sum);
}

void hp_subdomain_add_rates(hp_subdomain *D) {
  for (int n = 0; D->aquifers != NULL && n < D->aquifers->count; ++n)
    D->aquifers->state[n].rate = sum_of(D, n, D->aquifers->rate);
}

void hp_subdomain_add_errors(hp_subdomain *D, double *out) {
  for (int n = 0; D->aquifers != NULL && n < D->aquifers->count; ++n) {
    out[n] = sum_of(D, n, D->aquifers->error);
    D->aquifers->state[n].mobile = sum_of(D, n, D->aquifers->mobile);
  }
}
