#include "core/ranks/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { PIECE = 1 << 16 /* bytes of a message at most */ };

typedef enum { SUM, MAX, SHARE, CHAIN, END } call_kind;

/* As rank 0 announces it: plain data. */
typedef struct {
  int64_t kind, bytes, all;
} call;

struct hp_spread {
  hp_ranks *K;
  int rank;
  int parts;   /* that planes are cut into (hp_spread_refine) */
  bool left;   /* the program: what another rank calls is not what this one does, or it is over */
  bool over;   /* hp_spread_end has been announced */
  char *piece; /* [PIECE] */
};

hp_status hp_spread_create(hp_ranks *K, hp_spread **out) {
  hp_spread *P = NULL;
  *out = NULL;
  hp_status s = HP_ALLOC(P, 1);
  if (s == HP_OK) s = HP_ALLOC_UNSET(P->piece, PIECE);
  s = hp_ranks_agree(K, s);
  if (s != HP_OK) {
    hp_spread_destroy(&P);
    return s;
  }
  P->K = K;
  P->rank = hp_ranks_rank(K);
  P->parts = 1;
  P->left = P->over = true;
  *out = P;
  return HP_OK;
}

void hp_spread_destroy(hp_spread **P) {
  if (*P == NULL) return;
  HP_FREE((*P)->piece);
  HP_FREE(*P);
}

hp_ranks *hp_spread_ranks(const hp_spread *P) { return P->K; }
bool hp_spread_opens_files(const hp_spread *P) { return P == NULL || P->rank == 0; }

hp_spread_planes hp_spread_planes_of(const hp_spread *P, int rank, int nx) {
  if (P == NULL) return (hp_spread_planes){0, nx, nx};
  const int parts = P->parts, all = nx / parts, size = hp_ranks_size(P->K), ranks = size < all ? size : all;
  if (rank >= ranks) return (hp_spread_planes){nx - parts, 0, 1};
  const int first = (int)((int64_t)all * rank / ranks) * parts, end = (int)((int64_t)all * (rank + 1) / ranks) * parts;
  return (hp_spread_planes){first, end - first, end - first + (end < nx)};
}

void hp_spread_refine(hp_spread *P, int parts) {
  if (P != NULL) P->parts = parts;
}

/* ---- the calls ---- */

/* Of this rank's share, NULL: it has none, and the call goes by. */
static void carry_out(hp_spread *P, const call *c, char *p, void (*step)(void *arg), void *arg) {
  const int before = P->rank - 1, behind = P->rank + 1, ranks = hp_ranks_size(P->K);
  const bool chained = c->kind == CHAIN;
  for (int64_t at = 0; chained && before >= 0 && at < c->bytes; at += PIECE) {
    const int64_t n = c->bytes - at < PIECE ? c->bytes - at : PIECE;
    hp_ranks_receive(P->K, before, p != NULL ? p + at : P->piece, n);
    if (p == NULL && behind < ranks) hp_ranks_send(P->K, behind, P->piece, n);
  }
  if (chained && p != NULL) step(arg);
  if (chained && p != NULL && behind < ranks)
    for (int64_t at = 0; at < c->bytes; at += PIECE)
      hp_ranks_send(P->K, behind, p + at, c->bytes - at < PIECE ? c->bytes - at : PIECE);
  if (c->kind == CHAIN && c->all == 0) return;
  for (int64_t at = 0; at < c->bytes; at += PIECE) {
    const int64_t n = c->bytes - at < PIECE ? c->bytes - at : PIECE;
    const int numbers = (int)(n / (int64_t)sizeof(double));
    char *share = p != NULL ? p + at : P->piece;
    if (p == NULL && c->kind == SUM) memset(share, 0, (size_t)n);
    if (p == NULL && c->kind == MAX)
      for (int k = 0; k < numbers; ++k) ((double *)(void *)share)[k] = -INFINITY;
    if (c->kind == SUM) hp_ranks_sum(P->K, (int64_t *)(void *)share, numbers);
    else if (c->kind == MAX) hp_ranks_max(P->K, (double *)(void *)share, numbers);
    else hp_ranks_broadcast(P->K, c->kind == CHAIN ? ranks - 1 : 0, share, n);
  }
}

/* The call that rank 0 makes. */
static call announced(hp_spread *P, call mine) {
  hp_ranks_broadcast(P->K, 0, &mine, sizeof mine);
  P->over = P->over || mine.kind == END;
  return mine;
}

static hp_status left(hp_spread *P) {
  P->left = true;
  return hp_fail(HP_ERR_WHOLE, "another rank has given up");
}

static hp_status make(hp_spread *P, call_kind kind, void *p, int64_t bytes, bool all, void (*step)(void *arg),
                      void *arg) {
  if (P == NULL) {
    if (step != NULL) step(arg);
    return HP_OK;
  }
  if (P->left) return left(P);
  const call mine = {kind, bytes, all}, c = announced(P, mine);
  if (P->over) return left(P);
  const bool same = c.kind == mine.kind && c.bytes == mine.bytes && c.all == mine.all;
  carry_out(P, &c, same ? p : NULL, step, arg);
  return same ? HP_OK : left(P);
}

hp_status hp_spread_sum(hp_spread *P, int64_t *v, int64_t count) {
  return make(P, SUM, v, count * (int64_t)sizeof *v, true, NULL, NULL);
}

hp_status hp_spread_max(hp_spread *P, double *v, int64_t count) {
  return make(P, MAX, v, count * (int64_t)sizeof *v, true, NULL, NULL);
}

hp_status hp_spread_min(hp_spread *P, double *v, int64_t count) {
  if (P == NULL) return HP_OK;
  for (int64_t n = 0; n < count; ++n) v[n] = -v[n];
  const hp_status s = hp_spread_max(P, v, count);
  for (int64_t n = 0; n < count; ++n) v[n] = -v[n];
  return s;
}

hp_status hp_spread_any(hp_spread *P, bool *b) {
  int64_t count = *b;
  HP_TRY(hp_spread_sum(P, &count, 1));
  *b = count > 0;
  return HP_OK;
}

hp_status hp_spread_all(hp_spread *P, bool *b) {
  int64_t count = !*b;
  HP_TRY(hp_spread_sum(P, &count, 1));
  *b = count == 0;
  return HP_OK;
}

hp_status hp_spread_share(hp_spread *P, void *p, int64_t bytes) { return make(P, SHARE, p, bytes, true, NULL, NULL); }

hp_status hp_spread_chain(hp_spread *P, void *p, int64_t bytes, bool all, void (*step)(void *arg), void *arg) {
  return make(P, CHAIN, p, bytes, all, step, arg);
}

/* ---- items of all ranks ---- */

typedef struct {
  int64_t mine, all, begin;
} numbering;

static void add_mine(void *arg) {
  numbering *n = arg;
  n->begin = n->all;
  n->all += n->mine;
}

hp_status hp_spread_number(hp_spread *P, int64_t mine, int64_t *begin, int64_t *all) {
  numbering n = {.mine = mine};
  HP_TRY(hp_spread_chain(P, &n.all, sizeof n.all, true, add_mine, &n));
  *begin = n.begin;
  *all = n.all;
  return HP_OK;
}

/* Items of all ranks, a piece at a time. */
typedef struct {
  int64_t begin, all, most, first, count; /* this rank's begin; of all; in a piece; in this one */
} pieces;

static hp_status begin_pieces(hp_spread *P, int64_t mine, pieces *p) {
  enum { ITEMS = 1 << 12 };
  *p = (pieces){.first = 0};
  HP_TRY(hp_spread_number(P, mine, &p->begin, &p->all));
  p->most = p->all < ITEMS ? p->all : ITEMS;
  return HP_OK;
}

static bool next_piece(pieces *p) {
  p->first += p->count;
  p->count = p->all - p->first < p->most ? p->all - p->first : p->most;
  return p->count > 0;
}

/* Items of `mine` [count] into the piece, to [p->count][words], zeros elsewhere. */
static void fill_piece(const pieces *p, const int64_t *mine, int64_t count, int64_t words, int64_t *to) {
  memset(to, 0, (size_t)(p->count * words) * sizeof *to);
  for (int64_t n = 0; n < p->count; ++n) {
    const int64_t at = p->first + n - p->begin;
    if (at >= 0 && at < count) memcpy(to + n * words, mine + at * words, (size_t)words * sizeof *to);
  }
}

static hp_status ask_piece(hp_spread *P, const pieces *p, int64_t words,
                           bool (*find)(void *arg, int64_t item, int64_t *value), void *arg, int64_t *name,
                           int64_t *found) {
  HP_TRY(hp_spread_sum(P, name, p->count));
  for (int64_t n = 0; n < p->count; ++n)
    if (!find(arg, name[n], found + n * words)) memset(found + n * words, 0, (size_t)words * sizeof *found);
  return hp_spread_sum(P, found, p->count * words);
}

hp_status hp_spread_ask(hp_spread *P, int64_t count, const int64_t *item, int64_t words,
                        bool (*find)(void *arg, int64_t item, int64_t *value), void *arg, int64_t *value) {
  pieces p;
  int64_t *name = NULL, *found = NULL;
  HP_TRY(begin_pieces(P, count, &p));
  hp_status s = HP_ALLOC(name, p.most);
  if (s == HP_OK) s = HP_ALLOC(found, p.most * words);
  while (s == HP_OK && next_piece(&p)) {
    fill_piece(&p, item, count, 1, name);
    s = ask_piece(P, &p, words, find, arg, name, found);
    for (int64_t n = 0; n < p.count && s == HP_OK; ++n) {
      const int64_t at = p.first + n - p.begin;
      if (at >= 0 && at < count) memcpy(value + at * words, found + n * words, (size_t)words * sizeof *value);
    }
  }
  HP_FREE(name);
  HP_FREE(found);
  return s;
}

hp_status hp_spread_distribute(hp_spread *P, const void *mine, int64_t count, int64_t words,
                               hp_status (*keep)(void *arg, const int64_t *item), void *arg) {
  pieces p;
  int64_t *piece = NULL;
  HP_TRY(begin_pieces(P, count, &p));
  hp_status s = HP_ALLOC(piece, p.most * words);
  while (s == HP_OK && next_piece(&p)) {
    fill_piece(&p, mine, count, words, piece);
    s = hp_spread_sum(P, piece, p.count * words);
    for (int64_t n = 0; n < p.count && s == HP_OK; ++n) s = keep(arg, piece + n * words);
  }
  HP_FREE(piece);
  return s;
}

/* ---- begin and end ---- */

void hp_spread_begin(hp_spread *P) {
  if (P == NULL) return;
  P->left = P->over = false;
}

hp_status hp_spread_refuse(const hp_spread *P, const char *what) {
  return P == NULL ? HP_OK : hp_fail(HP_ERR_WHOLE, "%s", what);
}

hp_status hp_spread_end(hp_spread *P, hp_status s) {
  if (P == NULL) return s;
  const bool odd = P->left && s == HP_OK; /* it did not notice */
  if (P->rank == 0) announced(P, (call){.kind = END});
  while (!P->over) {
    const call c = announced(P, (call){.kind = END});
    if (!P->over) carry_out(P, &c, NULL, NULL, NULL);
  }
  P->left = true;
  if (odd) s = hp_fail(HP_ERR_WHOLE, "ranks have not read the same");
  return hp_ranks_agree(P->K, s);
}
