/* Exchanges of ghosts (core/ranks/ranks.h), and those of a part (core/ranks/part.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/profile.h"
#include "core/ranks/impl.h"
#include "core/ranks/part.h"

enum { SIZES = 6 /* of entries, in one exchange */ };

/* Messages of entries of one size. */
typedef struct {
  size_t size; /* 0: none yet */
  hp_mpi_requests *requests;
  char *sent, *received;
  bool left_out; /* tests: the latest */
} messages;

struct hp_exchange {
  hp_ranks *K;
  int nto, nfrom;
  int *to, *from;                    /* [nto], [nfrom] ranks */
  int64_t *send_begin, *ghost_begin; /* [nto+1], [nfrom+1] */
  int64_t nsend, nghost;
  int64_t *send, *ghost; /* [nsend], [nghost] entries sent, ghosts received */
  int64_t *gather;       /* [ranks + 1] of a gather: where each rank's begin in `ghost`, nto = nfrom = 0. NULL: none */
  messages of[SIZES];
  int64_t runs, skip;
};

static void free_messages(const hp_exchange *E, messages *m) {
  E->K->mpi->free(m->requests);
  HP_FREE(m->sent);
  HP_FREE(m->received);
}

void hp_exchange_destroy(hp_exchange **slot) {
  hp_exchange *E = *slot;
  if (E == NULL) return;
  for (int n = 0; n < SIZES; ++n)
    if (E->of[n].size > 0) free_messages(E, &E->of[n]);
  HP_FREE(E->to);
  HP_FREE(E->from);
  HP_FREE(E->send_begin);
  HP_FREE(E->ghost_begin);
  HP_FREE(E->send);
  HP_FREE(E->ghost);
  HP_FREE(E->gather);
  HP_FREE(*slot);
}

/* Ranks with entries in begin [size+1] of the ranks, and where these begin. */
static hp_status pick(int size, const int64_t *begin, int *count, int **rank, int64_t **of) {
  *count = 0;
  for (int r = 0; r < size; ++r) *count += begin[r + 1] > begin[r];
  HP_TRY(HP_ALLOC(*rank, *count));
  HP_TRY(HP_ALLOC(*of, *count + 1));
  for (int r = 0, n = 0; r < size; ++r) {
    if (begin[r + 1] == begin[r]) continue;
    (*rank)[n] = r;
    (*of)[++n] = begin[r + 1];
  }
  return HP_OK;
}

static hp_status create(hp_exchange *E, int64_t n, const int64_t *wanted, const int *owner, const int64_t *there,
                        int64_t *begin) {
  const int size = E->K->size;
  int64_t *asked = begin + size + 1;
  hp_status s = HP_OK;
  for (int64_t i = 0; i < n && s == HP_OK; ++i) {
    if (owner[i] < 0 || owner[i] >= size || owner[i] == E->K->rank || (i > 0 && owner[i] < owner[i - 1]))
      s = hp_fail(HP_ERR_INTERNAL, "an exchange: ghost %lld is of rank %d", (long long)i, owner[i]);
    else begin[owner[i] + 1] += 1;
  }
  HP_TRY(hp_ranks_agree(E->K, s));
  for (int r = 0; r < size; ++r) begin[r + 1] += begin[r];
  HP_TRY(hp_ranks_all_to_all(E->K, there, begin, sizeof *there, (void **)&E->send, asked));
  s = pick(size, begin, &E->nfrom, &E->from, &E->ghost_begin);
  if (s == HP_OK) s = pick(size, asked, &E->nto, &E->to, &E->send_begin);
  if (s == HP_OK) s = HP_ALLOC(E->ghost, n);
  if (s == HP_OK && n > 0) memcpy(E->ghost, wanted, (size_t)n * sizeof *wanted);
  E->nghost = n;
  E->nsend = asked[size];
  return hp_ranks_agree(E->K, s);
}

hp_status hp_exchange_create(hp_ranks *K, int64_t n, const int64_t *wanted, const int *owner, const int64_t *there,
                             hp_exchange **out) {
  int64_t *begin = NULL;
  hp_exchange *E = NULL;
  *out = NULL;
  hp_status s = HP_ALLOC(E, 1);
  if (s == HP_OK) s = HP_ALLOC(begin, 2 * (int64_t)K->size + 2);
  s = hp_ranks_agree(K, s);
  if (s == HP_OK) {
    E->K = K;
    s = create(E, n, wanted, owner, there, begin);
  }
  HP_FREE(begin);
  if (s != HP_OK) hp_exchange_destroy(&E);
  *out = E;
  return s;
}

hp_status hp_exchange_create_gather(hp_ranks *K, const int64_t *begin, const int64_t *place, hp_exchange **out) {
  const int64_t all = begin[K->size], *mine = place + begin[K->rank];
  hp_exchange *E = NULL;
  hp_status s = HP_ALLOC(E, 1);
  if (s == HP_OK) {
    E->K = K;
    E->nsend = begin[K->rank + 1] - begin[K->rank];
    E->nghost = all;
    s = HP_ALLOC(E->send, E->nsend);
  }
  if (s == HP_OK) s = HP_ALLOC(E->ghost, all);
  if (s == HP_OK) s = HP_ALLOC(E->gather, (int64_t)K->size + 1);
  if (s == HP_OK) {
    if (E->nsend > 0) memcpy(E->send, mine, (size_t)E->nsend * sizeof *mine);
    if (all > 0) memcpy(E->ghost, place, (size_t)all * sizeof *place);
    memcpy(E->gather, begin, ((size_t)K->size + 1) * sizeof *begin);
  }
  s = hp_ranks_agree(K, s);
  if (s != HP_OK) hp_exchange_destroy(&E);
  *out = E;
  return s;
}

bool hp_exchange_is_gather(const hp_exchange *E) { return E->gather != NULL; }

/* Begins in bytes. */
static int64_t *scaled(int count, const int64_t *begin, size_t size) {
  int64_t *at = NULL;
  if (HP_ALLOC(at, count + 1) != HP_OK) return NULL;
  for (int n = 0; n <= count; ++n) at[n] = begin[n] * (int64_t)size;
  return at;
}

/* Creates the requests for entries of this size; NULL: out of memory. */
static hp_mpi_requests *request(const hp_exchange *E, size_t size, void *sent, void *received) {
  int64_t *send_at = scaled(E->nto, E->send_begin, size), *receive_at = scaled(E->nfrom, E->ghost_begin, size);
  hp_mpi_requests *found = NULL;
  if (send_at != NULL && receive_at != NULL)
    found = E->K->mpi->requests(E->nto, E->to, send_at, sent, E->nfrom, E->from, receive_at, received,
                                16 + E->K->tag++ % 16000);
  HP_FREE(send_at);
  HP_FREE(receive_at);
  return found;
}

/* Ends all ranks, because the others wait for messages. */
static void end_without_messages(const hp_ranks *K, const char *why) {
  fprintf(stderr, "hepta: error: rank %d: messages to other ranks: %s\n", K->rank, why);
  hp_ranks_end_alone(K);
}

/* The messages of a size, made when they are first asked for: the order of first uses is the same on all ranks, so that
 * tags are, too. */
static messages *messages_of(hp_exchange *E, size_t size) {
  int n = 0;
  while (n < SIZES && E->of[n].size != 0 && E->of[n].size != size) ++n;
  if (n == SIZES) end_without_messages(E->K, "entries of too many sizes");
  messages *m = &E->of[n];
  if (m->size == size) return m;
  bool good = HP_ALLOC(m->sent, E->nsend * (int64_t)size) == HP_OK &&
              HP_ALLOC(m->received, E->nghost * (int64_t)size) == HP_OK;
  if (good && E->gather == NULL) {
    m->requests = request(E, size, m->sent, m->received);
    good = m->requests != NULL;
  }
  if (!good) end_without_messages(E->K, "out of memory");
  m->size = size;
  return m;
}

/* Entries at[n] of x one after the other, or these back to their places; `size` is a constant where the caller writes one. */
HP_INLINE_ALWAYS void gather(size_t size, int64_t n, const int64_t *at, const char *x, char *out) {
  for (int64_t i = 0; i < n; ++i) memcpy(out + (size_t)i * size, x + (size_t)at[i] * size, size);
}

HP_INLINE_ALWAYS void scatter(size_t size, int64_t n, const int64_t *at, const char *in, char *x) {
  for (int64_t i = 0; i < n; ++i) memcpy(x + (size_t)at[i] * size, in + (size_t)i * size, size);
}

static void gather_entries(size_t size, int64_t n, const int64_t *at, const char *x, char *out) {
  if (size == sizeof(float)) gather(sizeof(float), n, at, x, out);
  else if (size == sizeof(double)) gather(sizeof(double), n, at, x, out);
  else if (size == 2 * sizeof(double)) gather(2 * sizeof(double), n, at, x, out);
  else gather(size, n, at, x, out);
}

static void scatter_entries(size_t size, int64_t n, const int64_t *at, const char *in, char *x) {
  if (size == sizeof(float)) scatter(sizeof(float), n, at, in, x);
  else if (size == sizeof(double)) scatter(sizeof(double), n, at, in, x);
  else if (size == 2 * sizeof(double)) scatter(2 * sizeof(double), n, at, in, x);
  else scatter(size, n, at, in, x);
}

void hp_exchange_begin(hp_exchange *E, const void *x, size_t size) {
  const double since = hp_now();
  messages *m = messages_of(E, size);
  m->left_out = !hp_exchange_announce(E);
  if (m->left_out) return;
  hp_ranks_shake(E->K);
  gather_entries(size, E->nsend, E->send, x, m->sent);
  if (E->gather != NULL) hp_ranks_gather_uncounted(E->K, m->sent, m->received, E->gather, size);
  else E->K->mpi->begin(m->requests);
  E->K->spent[HP_RANKS_GHOSTS].seconds += hp_now() - since;
}

void hp_exchange_end(hp_exchange *E, void *x, size_t size) {
  const double since = hp_now();
  messages *m = messages_of(E, size);
  if (m->left_out) return;
  if (E->gather == NULL) E->K->mpi->end(m->requests);
  scatter_entries(size, E->nghost, E->ghost, m->received, x);
  E->K->spent[HP_RANKS_GHOSTS].seconds += hp_now() - since;
}

void hp_exchange_run(hp_exchange *E, void *x, size_t size) {
  hp_exchange_begin(E, x, size);
  hp_exchange_end(E, x, size);
}

int64_t hp_exchange_sent(const hp_exchange *E) { return E->nsend; }
int64_t hp_exchange_received(const hp_exchange *E) { return E->nghost; }
const int64_t *hp_exchange_sent_entries(const hp_exchange *E) { return E->send; }
const int64_t *hp_exchange_received_entries(const hp_exchange *E) { return E->ghost; }

/* ---- other ways ---- */

int hp_exchange_to(const hp_exchange *E, const int **rank, const int64_t **begin) {
  *rank = E->to;
  *begin = E->send_begin;
  return E->nto;
}

int hp_exchange_from(const hp_exchange *E, const int **rank, const int64_t **begin) {
  *rank = E->from;
  *begin = E->ghost_begin;
  return E->nfrom;
}

bool hp_exchange_announce(hp_exchange *E) {
  E->runs += 1;
  E->K->exchanges += 1;
  E->K->spent[HP_RANKS_GHOSTS].calls += 1;
  return E->runs != E->skip && E->K->exchanges != E->K->skip;
}

struct hp_exchange_apart {
  hp_ranks *K;
  hp_exchange *E;
  size_t size;
  void *sent, *received;
  hp_mpi_requests *requests; /* NULL: a gather */
  bool under_way;
};

hp_exchange_apart *hp_exchange_apart_create(hp_exchange *E, size_t size, void *sent, void *received) {
  hp_exchange_apart *M = NULL;
  bool good = HP_ALLOC(M, 1) == HP_OK;
  if (good) *M = (hp_exchange_apart){.K = E->K, .E = E, .size = size, .sent = sent, .received = received};
  if (good && E->gather == NULL) {
    M->requests = request(E, size, sent, received);
    good = M->requests != NULL;
  }
  if (!good) end_without_messages(E->K, "out of memory");
  return M;
}

void hp_exchange_apart_destroy(hp_exchange_apart **slot) {
  hp_exchange_apart *M = *slot;
  if (M == NULL) return;
  M->K->mpi->free(M->requests);
  HP_FREE(*slot);
}

void hp_exchange_apart_begin(hp_exchange_apart *M) {
  const double since = hp_now();
  M->under_way = hp_exchange_announce(M->E);
  if (!M->under_way) return;
  hp_ranks_shake(M->K);
  if (M->requests != NULL) M->K->mpi->begin(M->requests);
  else hp_ranks_gather_uncounted(M->K, M->sent, M->received, M->E->gather, M->size);
  M->K->spent[HP_RANKS_GHOSTS].seconds += hp_now() - since;
}

void hp_exchange_apart_end(hp_exchange_apart *M) {
  const double since = hp_now();
  if (M->under_way && M->requests != NULL) M->K->mpi->end(M->requests);
  M->K->spent[HP_RANKS_GHOSTS].seconds += hp_now() - since;
}

int hp_exchange_neighbours(const hp_exchange *E) {
  int count = E->nto;
  for (int n = 0; n < E->nfrom; ++n) {
    int i = 0;
    while (i < E->nto && E->to[i] != E->from[n]) ++i;
    count += i == E->nto;
  }
  return count;
}

void hp_exchange_skip(hp_exchange *E, int64_t run) { E->skip = run; }

/* ---- a part ---- */

void hp_part_renew(const hp_part *p, double *x, int q, bool wells) {
  hp_exchange_begin(p->cells, x, (size_t)q * sizeof *x);
  if (wells && p->nwell > 0) hp_exchange_run(p->wells, x + p->ncell * q, sizeof *x);
  hp_exchange_end(p->cells, x, (size_t)q * sizeof *x);
}

void hp_part_renew_perforated(const hp_part *p, double *x, int q) {
  hp_exchange_run(p->perforated, x, (size_t)q * sizeof *x);
}

void hp_part_renew_all(const hp_part *p, double *x, int q, bool wells) {
  hp_exchange_begin(p->cells, x, (size_t)q * sizeof *x);
  if (p->nwell > 0) hp_exchange_run(p->all_perforated, x, (size_t)q * sizeof *x);
  if (wells && p->nwell > 0) hp_exchange_run(p->all_wells, x + p->ncell * q, sizeof *x);
  hp_exchange_end(p->cells, x, (size_t)q * sizeof *x);
}

void hp_part_drop(const hp_part *p, double *x, int q) {
  for (int64_t n = 0; n < p->nghost; ++n)
    for (int b = 0; b < q; ++b) x[p->ghost[n] * q + b] = 0.0;
  for (int w = 0; w < p->nwell; ++w)
    if (!p->owns_well[w]) x[p->ncell * q + w] = 0.0;
}

int64_t hp_part_global(const hp_part *p, int64_t index) {
  return index < 0 ? -1 : index < p->ncell ? p->global[index] : p->whole + (index - p->ncell);
}
