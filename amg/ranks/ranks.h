/* Multigrid over ranks (core/ranks/ranks.h): each rank has some rows of every level.
 *
 *     hp_amg_ranks *H;
 *     HP_TRY(hp_amg_ranks_create(K, &opt, &H));      opt that hp_amg_refusal takes for ranks
 *     HP_TRY(hp_amg_ranks_build(H, &rows));          coarse points, interpolation, all levels
 *     hp_amg_ranks_cycle(H, r, x);                   x = M^-1 r, from zero
 *     HP_TRY(hp_amg_ranks_refresh(H));               rows.A->value has changed
 *
 * All calls are collective, by the thread that opened the ranks. Coarse points, P, coarse matrices and cycles are those of one process (amg/amg.h), with the same
 * bits, however rows are spread over ranks.
 *
 *     points.c      names of points, their numbers on the next level, rows of other ranks
 *     extended.c    own rows and those of neighbours as one matrix, in which amg/setup finds coarse points and P
 *     product.c     R A P with rows of other ranks
 *     fewer.c       levels of few rows per rank, which fewer ranks have
 *     whole.c       small levels, which every rank has as a whole
 *     hierarchy.c   all of that, level after level; cycles with their exchanges
 *     messages.c    what a cycle sends, for reports
 *
 * A level of few rows is gathered: from there on all ranks compute the same.
 */
#ifndef HP_AMG_RANKS_RANKS_H
#define HP_AMG_RANKS_RANKS_H

#include "amg/amg.h"
#include "core/ranks/ranks.h"

HP_EXTERN_C_BEGIN

typedef struct hp_amg_ranks hp_amg_ranks;

/* This rank's rows of the whole matrix: its cells rising, then its wells rising. `number` counts cells of the whole system in
 * an order that does not depend on ranks, and behind all of them the wells; numbers may be left out. */
typedef struct hp_amg_ranks_rows {
  hp_csr *A; /* [ncell + nwell][ncell + nwell + nghost] */
  int32_t ncell, nwell;
  int32_t nghost;        /* columns of other ranks' rows, in any order */
  const int64_t *number; /* [ncell + nwell + nghost] */
  const int *owner;      /* [nghost] rank */
} hp_amg_ranks_rows;

/* Numbers [ncell + nwell + nghost] of the rows as hypre counts them: those of rank 0, then those of rank 1, ...; begin
 * [ranks+1]: where each rank's begin. */
hp_status hp_amg_ranks_number(hp_ranks *K, const hp_amg_ranks_rows *r, int64_t *number, int64_t *begin) HP_MUST_USE;

/* Empty. HP_ERR_USAGE for options that are refused or make no sense. */
hp_status hp_amg_ranks_create(hp_ranks *K, const hp_amg_options *opt, hp_amg_ranks **out) HP_MUST_USE;
void hp_amg_ranks_destroy(hp_amg_ranks **H);

/* All levels. A must outlive the hierarchy or the next build, the arrays the call. The same status on all ranks; after a
 * failure the hierarchy is empty. */
hp_status hp_amg_ranks_build(hp_amg_ranks *H, const hp_amg_ranks_rows *rows) HP_MUST_USE;

/* A's values have changed in their pattern: all levels with the coarse points and P that there are. */
void hp_amg_ranks_refresh(hp_amg_ranks *H);

/* x = M^-1 r, one cycle from zero. r, x [ncell + nwell]. */
void hp_amg_ranks_cycle(hp_amg_ranks *H, const double *r, double *x);

/* The same by a CPU team of each rank, whose member 0 is the thread that opened the ranks, with the same bits. Before: A, or r,
 * is visible. The same status on all members, the message on member 0. Ends with a barrier. */
hp_status hp_amg_ranks_build_by(hp_team *t, hp_amg_ranks *H, const hp_amg_ranks_rows *rows) HP_MUST_USE;
void hp_amg_ranks_refresh_by(hp_team *t, hp_amg_ranks *H);
void hp_amg_ranks_cycle_by(hp_team *t, hp_amg_ranks *H, const double *r, double *x);

/* Levels of the whole system: their number, size [levels], whether the last is solved directly. */
int hp_amg_ranks_levels(const hp_amg_ranks *H);
void hp_amg_ranks_sizes(const hp_amg_ranks *H, hp_amg_size *size);
bool hp_amg_ranks_is_direct(const hp_amg_ranks *H);
double hp_amg_ranks_complexity(const hp_amg_ranks *H);
/* Bytes of this rank. */
int64_t hp_amg_ranks_bytes(const hp_amg_ranks *H);

/* A level that is spread over ranks, and what a cycle sends for it. */
typedef struct hp_amg_ranks_messages {
  int64_t rows;
  int ranks;               /* that have some of them */
  int64_t exchanges;       /* of ghosts */
  int64_t messages, bytes; /* of all ranks */
  int64_t most;            /* messages of the rank that sends or receives most in each exchange, added up */
} hp_amg_ranks_messages;
/* Levels of the latest build into out [HP_AMG_LEVELS_MAX]; returns how many are spread. */
int hp_amg_ranks_list_messages(const hp_amg_ranks *H, hp_amg_ranks_messages *out);

/* Levels of at most so many rows stand on every rank as a whole: a cycle from there takes as long as its exchanges over ranks
 * would. */
enum { HP_AMG_RANKS_WHOLE = 1000 };
/* Levels of at most so many rows are whole on every rank, from the next build on. */
void hp_amg_ranks_set_whole(hp_amg_ranks *H, int64_t rows);
/* Levels of less rows per rank that has some go to fewer ranks (fewer.c), because a cycle's messages take longer there than its
 * work does. */
enum { HP_AMG_RANKS_LEAST = 50 };
/* Levels of less rows per rank go to fewer ranks, from the next build on; 0: none does. */
void hp_amg_ranks_set_least(hp_amg_ranks *H, int64_t rows);
/* Tests: each cycle leaves out its exchange with this number, from 1; 0: none. */
void hp_amg_ranks_skip(hp_amg_ranks *H, int exchange);
/* Exchanges of a cycle. */
int hp_amg_ranks_exchanges(const hp_amg_ranks *H);

HP_EXTERN_C_END

#endif
