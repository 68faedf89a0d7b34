/* Ranks talk: sums, parts, failures, and ghosts by random plans against the entries of their owners. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/ranks/ranks.h"
#include "tests/support/check.h"

enum { OWNED = 500, GHOSTS = 300 };

static uint32_t random_of(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

/* Entry i of rank r. */
static double value_of(int r, int64_t i) { return 1000.0 * r + (double)i; }

static void check_exchange(hp_ranks *K, uint32_t seed) {
  const int rank = hp_ranks_rank(K), size = hp_ranks_size(K);
  uint32_t state = seed + 77u * (uint32_t)rank;
  int64_t wanted[GHOSTS], there[GHOSTS];
  int owner[GHOSTS];
  int64_t n = 0;
  for (int r = 0; r < size; ++r) {
    const int64_t more = r == rank ? 0 : (int64_t)(random_of(&state) % (GHOSTS / (unsigned)size));
    for (int64_t i = 0; i < more; ++i, ++n) {
      wanted[n] = OWNED + n;
      owner[n] = r;
      there[n] = (int64_t)(random_of(&state) % OWNED);
    }
  }
  hp_exchange *E = NULL;
  CHECK_OK(hp_exchange_create(K, n, wanted, owner, there, &E));
  CHECK(hp_exchange_received(E) == n);
  static double one[OWNED + GHOSTS], pairs[OWNED + GHOSTS][2];
  static float single[OWNED + GHOSTS];
  for (int again = 0; again < 3; ++again) {
    for (int64_t i = 0; i < OWNED + GHOSTS; ++i) {
      one[i] = i < OWNED ? value_of(rank, i) + again : -1.0;
      pairs[i][0] = one[i];
      pairs[i][1] = 2.0 * one[i];
      single[i] = (float)one[i];
    }
    hp_exchange_run(E, one, sizeof *one);
    hp_exchange_begin(E, pairs, sizeof *pairs);
    hp_exchange_run(E, single, sizeof *single);
    hp_exchange_end(E, pairs, sizeof *pairs);
    int wrong = 0;
    for (int64_t i = 0; i < n; ++i) {
      const double right = value_of(owner[i], there[i]) + again;
      wrong += one[wanted[i]] != right || pairs[wanted[i]][0] != right || pairs[wanted[i]][1] != 2.0 * right ||
               single[wanted[i]] != (float)right;
    }
    for (int64_t i = OWNED + n; i < OWNED + GHOSTS; ++i) wrong += one[i] != -1.0;
    CHECK(wrong == 0);
  }
  hp_exchange_destroy(&E);
}

/* Messages beside the host's, two of a size at once, and what somebody needs who carries entries himself. */
static void check_apart(hp_ranks *K) {
  const int rank = hp_ranks_rank(K), size = hp_ranks_size(K), from = (rank + size - 1) % size;
  const int64_t wanted[] = {5, 4}, there[] = {1, 3};
  const int owner[] = {from, from}, *ranks;
  const int64_t n = size > 1 ? 2 : 0, *begin;
  double x[] = {0.0, value_of(rank, 1), 0.0, value_of(rank, 3), -1.0, -1.0}, sent[2] = {0.0, 0.0},
         received[2] = {-2.0, -2.0}, other[2] = {0.0, 0.0}, others[2] = {-3.0, -3.0};
  hp_exchange *E = NULL;
  CHECK_OK(hp_exchange_create(K, n, wanted, owner, there, &E));
  hp_exchange_run(E, x, sizeof *x);
  for (int64_t k = 0; k < n; ++k) CHECK(x[wanted[k]] == value_of(from, there[k]));
  hp_exchange_apart *L = hp_exchange_apart_create(E, sizeof *x, other, others);
  hp_exchange_apart *M = hp_exchange_apart_create(E, sizeof *x, sent, received);
  CHECK(hp_exchange_to(E, &ranks, &begin) == (size > 1) &&
        (size == 1 || (ranks[0] == (rank + 1) % size && begin[1] == 2)));
  CHECK(hp_exchange_from(E, &ranks, &begin) == (size > 1) && (size == 1 || (ranks[0] == from && begin[1] == 2)));
  for (int run = 1; run <= 3; ++run) {
    for (int64_t k = 0; k < hp_exchange_sent(E); ++k) sent[k] = x[hp_exchange_sent_entries(E)[k]] + 1000.0 * run;
    for (int64_t k = 0; k < hp_exchange_sent(E); ++k) other[k] = -sent[k];
    hp_exchange_skip(E, run == 2 ? 4 : 0); /* counts runs of all kinds */
    hp_exchange_apart_begin(M);
    hp_exchange_apart_begin(L);
    hp_exchange_apart_end(L);
    hp_exchange_apart_end(M);
    for (int64_t k = 0; k < n; ++k) {
      CHECK(received[k] == value_of(from, there[k]) + 1000.0 * (run == 2 ? 1 : run));
      CHECK(others[k] == -value_of(from, there[k]) - 1000.0 * run);
    }
  }
  hp_exchange_apart_destroy(&L);
  for (int64_t k = 0; k < n; ++k) x[wanted[k]] = -1.0;
  hp_exchange_run(E, x, sizeof *x);
  for (int64_t k = 0; k < n; ++k) CHECK(x[wanted[k]] == value_of(from, there[k]));
  hp_exchange_skip(E, 9);
  CHECK(!hp_exchange_announce(E) && hp_exchange_announce(E));
  hp_exchange_apart_destroy(&M);
  hp_exchange_destroy(&E);
}

/* Copies that all ranks have, by a gather: rank r's are r + 1 entries, of which it has the first ones last. */
static void check_gather(hp_ranks *K) {
  const int rank = hp_ranks_rank(K), size = hp_ranks_size(K);
  const int64_t all = (int64_t)size * (size + 1) / 2;
  int64_t *begin = NULL, *place = NULL;
  double *x = NULL, *sent = NULL, *received = NULL;
  int wrong = 0;
  hp_exchange *E = NULL;
  CHECK_OK(HP_ALLOC(begin, size + 1));
  CHECK_OK(HP_ALLOC(place, all));
  CHECK_OK(HP_ALLOC(x, all + 1));
  CHECK_OK(HP_ALLOC(sent, rank + 1));
  CHECK_OK(HP_ALLOC(received, all));
  for (int r = 0; r < size; ++r) begin[r + 1] = begin[r] + r + 1;
  for (int64_t i = 0; i < all; ++i) place[i] = (all - 1 - i + rank) % all;
  CHECK_OK(hp_exchange_create_gather(K, begin, place, &E));
  CHECK(hp_exchange_is_gather(E) && hp_exchange_neighbours(E) == 0);
  CHECK(hp_exchange_sent(E) == rank + 1 && hp_exchange_received(E) == all);
  hp_exchange_skip(E, 2);
  for (int run = 1; run <= 3; ++run) {
    for (int64_t i = 0; i <= all; ++i) x[i] = -1.0;
    for (int64_t i = begin[rank]; i < begin[rank + 1]; ++i) x[place[i]] = value_of(rank, i) + run;
    hp_exchange_run(E, x, sizeof *x);
    for (int r = 0; r < size; ++r)
      for (int64_t i = begin[r]; i < begin[r + 1]; ++i)
        wrong += x[place[i]] != (run == 2 && r != rank ? -1.0 : value_of(r, i) + run);
    wrong += x[all] != -1.0;
  }
  hp_exchange_apart *M = hp_exchange_apart_create(E, sizeof *x, sent, received);
  for (int64_t k = 0; k < hp_exchange_sent(E); ++k) sent[k] = x[hp_exchange_sent_entries(E)[k]] + 0.5;
  hp_exchange_apart_begin(M);
  hp_exchange_apart_end(M);
  hp_exchange_apart_destroy(&M);
  for (int r = 0; r < size; ++r)
    for (int64_t i = begin[r]; i < begin[r + 1]; ++i) wrong += received[i] != value_of(r, i) + 3.5;
  CHECK(wrong == 0);
  hp_exchange_destroy(&E);
  HP_FREE(begin);
  HP_FREE(place);
  HP_FREE(x);
  HP_FREE(sent);
  HP_FREE(received);
}

static void check_parts(hp_ranks *K) {
  const int rank = hp_ranks_rank(K), size = hp_ranks_size(K);
  int64_t *begin = NULL, *mine = NULL, *all = NULL;
  CHECK_OK(HP_ALLOC(begin, size + 1));
  hp_ranks_begins(K, 3 + 2 * rank, begin);
  CHECK(begin[size] == 3 * size + size * (size - 1));
  CHECK_OK(HP_ALLOC(mine, 3 + 2 * rank));
  CHECK_OK(HP_ALLOC(all, begin[size]));
  for (int64_t i = begin[rank]; i < begin[rank + 1]; ++i) mine[i - begin[rank]] = 7 * i;
  hp_ranks_gather_to_all(K, mine, all, begin, sizeof *all);
  int wrong = 0;
  for (int64_t i = 0; i < begin[size]; ++i) wrong += all[i] != 7 * i;
  CHECK(wrong == 0);
  memset(all, 0, (size_t)begin[size] * sizeof *all);
  hp_ranks_gather(K, size - 1, mine, all, begin, sizeof *all);
  for (int64_t i = 0; i < begin[size]; ++i) wrong += all[i] != (rank == size - 1 ? 7 * i : 0);
  CHECK(wrong == 0);
  HP_FREE(begin);
  HP_FREE(mine);
  HP_FREE(all);
}

/* From rank r to rank q 3 r + q + 1 numbers, but none from the last to the first. */
static int64_t count_of(int r, int q, int size) { return r == size - 1 && q == 0 && size > 1 ? 0 : 3 * r + q + 1; }

static void check_all_to_all(hp_ranks *K) {
  const int rank = hp_ranks_rank(K), size = hp_ranks_size(K);
  int64_t *begin = NULL, *from = NULL, *mine = NULL, *got = NULL;
  int wrong = 0;
  CHECK_OK(HP_ALLOC(begin, size + 1));
  CHECK_OK(HP_ALLOC(from, size + 1));
  for (int q = 0; q < size; ++q) begin[q + 1] = begin[q] + count_of(rank, q, size);
  CHECK_OK(HP_ALLOC(mine, begin[size]));
  for (int q = 0; q < size; ++q)
    for (int64_t n = begin[q]; n < begin[q + 1]; ++n) mine[n] = 10000 * rank + 100 * q + n - begin[q];
  CHECK_OK(hp_ranks_all_to_all(K, mine, begin, sizeof *mine, (void **)&got, from));
  for (int r = 0; r < size; ++r) {
    wrong += from[r + 1] - from[r] != count_of(r, rank, size);
    for (int64_t n = from[r]; n < from[r + 1]; ++n) wrong += got[n] != 10000 * r + 100 * rank + n - from[r];
  }
  CHECK(wrong == 0);
  HP_FREE(begin);
  HP_FREE(from);
  HP_FREE(mine);
  HP_FREE(got);
}

static void check_sums(hp_ranks *K) {
  const int rank = hp_ranks_rank(K), size = hp_ranks_size(K);
  int64_t v[2] = {rank + 1, INT64_C(1) << 40};
  hp_ranks_sum(K, v, 2);
  CHECK(v[0] == size * (size + 1) / 2 && v[1] == size * (INT64_C(1) << 40));
  double largest = -5.0 + (rank == 0);
  int64_t where = rank == 0 ? 12 : 3;
  hp_ranks_max_at(K, &largest, &where);
  CHECK(largest == -4.0 && where == 12);
  largest = 2.0;
  where = 100 - rank; /* the smallest index of equal values */
  hp_ranks_max_at(K, &largest, &where);
  CHECK(largest == 2.0 && where == 101 - size);
  where = -1;
  hp_ranks_max_at(K, &largest, &where);
  CHECK(where == -1 && largest == 0.0);
  char text[12] = "";
  if (rank == size - 1) strcpy(text, "from last");
  hp_ranks_broadcast(K, size - 1, text, sizeof text);
  CHECK(strcmp(text, "from last") == 0);
}

static void check_agreement(hp_ranks *K) {
  const int last = hp_ranks_size(K) - 1;
  CHECK_OK(hp_ranks_agree(K, HP_OK));
  const hp_status mine = hp_ranks_rank(K) == last ? hp_fail(HP_ERR_FILE, "the disk of rank %d", last) : HP_OK;
  char text[40];
  snprintf(text, sizeof text, "the disk of rank %d", last);
  CHECK(hp_ranks_agree(K, mine) == HP_ERR_FILE && strcmp(hp_fail_text(), text) == 0);
}

int main(void) {
  if (hp_ranks_refusal() != NULL) return CHECK_SKIPPED;
  hp_ranks *K = NULL;
  setenv("HEPTA_TEST_RANKS_PIECE", "44", 0); /* what other tests send as one message are several here */
  CHECK_OK(hp_ranks_open(&K));
  check_sums(K);
  check_parts(K);
  check_all_to_all(K);
  check_agreement(K);
  for (uint32_t seed = 1; seed <= 20; ++seed) check_exchange(K, seed);
  check_apart(K);
  check_gather(K);
  hp_ranks_close(&K);
  return check_result();
}
