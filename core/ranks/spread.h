/* The cells of a grid spread over ranks before there are parts: each rank holds its own planes of i and the plane
 * behind them.
 *
 *     i ->      0   1   2   3   4   5   6
 *     rank 0    o   o   o   g              o: its own, g: the plane behind, which another rank owns
 *     rank 1                o   o   g
 *     rank 2                        o   o
 *
 * All ranks run one program, such as reading a deck, each on its planes; they all have whatever does not belong to
 * cells. Results over all cells come from the calls below, between hp_spread_begin and hp_spread_end, which all ranks
 * make in the same order. Only rank 0 opens files.
 *
 * A program that cannot do something on planes returns hp_spread_refuse, or any other failure, on any of the ranks.
 * Rank 0 announces each call, so that a rank that has left the program takes part, in hp_spread_end, in the calls of
 * the others without a share of its own; there all ranks get the failure.
 *
 * P == NULL means one process with all cells: the calls then return its own values.
 */
#ifndef HP_CORE_RANKS_SPREAD_H
#define HP_CORE_RANKS_SPREAD_H

#include "core/ranks/ranks.h"

HP_EXTERN_C_BEGIN

typedef struct hp_spread hp_spread;

hp_status hp_spread_create(hp_ranks *K, hp_spread **out) HP_MUST_USE;
void hp_spread_destroy(hp_spread **P);

hp_ranks *hp_spread_ranks(const hp_spread *P);
/* Whether this process opens files; true for P == NULL. */
bool hp_spread_opens_files(const hp_spread *P);

/* Planes of i that a rank holds. Ranks beyond the number of planes hold the last one, or the first part of it, and own none. */
typedef struct hp_spread_planes {
  int first, owned, held; /* held: own ones and the one behind, if there is one */
} hp_spread_planes;
hp_spread_planes hp_spread_planes_of(const hp_spread *P, int rank, int nx);
/* Replaces each plane by `parts` planes of the same rank. */
void hp_spread_refine(hp_spread *P, int parts);

void hp_spread_begin(hp_spread *P);
/* Returns the same status on all ranks: that of the lowest rank whose status is not HP_OK. */
hp_status hp_spread_end(hp_spread *P, hp_status s) HP_MUST_USE;

/* The reason to refuse a deck whose errors one process must report. */
#define HP_SPREAD_ERRORS "a deck with errors"

/* HP_ERR_WHOLE, with what the program cannot do on planes; HP_OK where P == NULL. */
hp_status hp_spread_refuse(const hp_spread *P, const char *what) HP_MUST_USE;

/* Each v[n] becomes the sum, the largest or the smallest of all ranks'. */
hp_status hp_spread_sum(hp_spread *P, int64_t *v, int64_t count) HP_MUST_USE;
hp_status hp_spread_max(hp_spread *P, double *v, int64_t count) HP_MUST_USE;
hp_status hp_spread_min(hp_spread *P, double *v, int64_t count) HP_MUST_USE;
/* *b becomes whether any, or all, of the ranks' *b are true. */
hp_status hp_spread_any(hp_spread *P, bool *b) HP_MUST_USE;
hp_status hp_spread_all(hp_spread *P, bool *b) HP_MUST_USE;
/* Rank 0's bytes become all ranks'. */
hp_status hp_spread_share(hp_spread *P, void *p, int64_t bytes) HP_MUST_USE;

/* step(arg) by one rank after the other in the order of planes: p [bytes] goes from each to the next, which is how sums get
 * the order of cells. `all`: in the end all ranks have what the last one made of it. */
hp_status hp_spread_chain(hp_spread *P, void *p, int64_t bytes, bool all, void (*step)(void *arg),
                          void *arg) HP_MUST_USE;
/* Numbers the items of all ranks in the order of planes: this rank's `mine` items begin at *begin, of *all. */
hp_status hp_spread_number(hp_spread *P, int64_t mine, int64_t *begin, int64_t *all) HP_MUST_USE;
/* Asks about items: value [count][words] of those that this rank names. Each item is one rank's, whose find(arg, item, value)
 * says so and fills its words in. A few thousand of all ranks at a time. */
hp_status hp_spread_ask(hp_spread *P, int64_t count, const int64_t *item, int64_t words,
                        bool (*find)(void *arg, int64_t item, int64_t *value), void *arg, int64_t *value) HP_MUST_USE;
/* keep(arg, item) of all items of all ranks, of `words` int64_t each, in the order of hp_spread_number: likewise in pieces. */
hp_status hp_spread_distribute(hp_spread *P, const void *mine, int64_t count, int64_t words,
                               hp_status (*keep)(void *arg, const int64_t *item), void *arg) HP_MUST_USE;

HP_EXTERN_C_END

#endif
