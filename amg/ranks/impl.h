/* Private to amg/ranks.
 *
 * Two orders of a level's points on a rank:
 *
 *     vectors   [ owned points rising | points of other ranks, as they were met ]     what a cycle reads
 *     rising    [ owned points and those of other ranks by number               ]     where rows are made, so that entries
 *                                                                                      have the order of one process
 */
#ifndef HP_AMG_RANKS_IMPL_H
#define HP_AMG_RANKS_IMPL_H

#include "amg/ranks/ranks.h"
#include "amg/setup/setup_impl.h"

HP_EXTERN_C_BEGIN

/* ---- points (points.c) ---- */

/* A point of a level by its number in the whole level and its rank, in this order. */
enum { HP_AMG_RANK_BITS = 20 };
HP_INLINE int64_t hp_amg_point(int64_t number, int rank) { return number << HP_AMG_RANK_BITS | rank; }
HP_INLINE int64_t hp_amg_point_number(int64_t point) { return point >> HP_AMG_RANK_BITS; }
HP_INLINE int hp_amg_point_rank(int64_t point) { return (int)(point & ((1 << HP_AMG_RANK_BITS) - 1)); }

/* The place of `point` in v [n], which rises; -1: none. */
int64_t hp_amg_find_point(const int64_t *v, int64_t n, int64_t point);
/* Sorts v [n] and drops what stands there twice; returns how many are left. */
int64_t hp_amg_sort_points(int64_t *v, int64_t n);

/* Own points and those of other ranks in rising order. */
typedef struct hp_amg_rising {
  int32_t nowned, nghost, n;
  const int64_t *owned;         /* [nowned] the caller's */
  int64_t *ghost;               /* [nghost] rising */
  int64_t *point;               /* [n] both */
  int32_t *owned_at, *ghost_at; /* [nowned], [nghost] places in `point` */
} hp_amg_rising;

/* ghost [nghost], sorted here, becomes the result's, also after a failure. */
hp_status hp_amg_rising_create(const int64_t *owned, int64_t nowned, int64_t *ghost, int64_t nghost,
                               hp_amg_rising *out) HP_MUST_USE;
void hp_amg_rising_free(hp_amg_rising *r);
/* The place of a point that is there. */
int32_t hp_amg_rising_at(const hp_amg_rising *r, int rank, int64_t point);

/* number [n] of owned points, rising and below `range`, becomes how many points of all ranks are below each. */
hp_status hp_amg_number_points(hp_ranks *K, int64_t n, int64_t *number, int64_t range) HP_MUST_USE;

/* Exchange of the entries of point [n], which stand at place[n]; those owned, [nowned], stand at owned_at[nowned], NULL: in their
 * order. */
hp_status hp_amg_exchange_points(hp_ranks *K, const int64_t *owned, int64_t nowned, const int32_t *owned_at, int64_t n,
                                 const int64_t *point, const int64_t *place, hp_exchange **out) HP_MUST_USE;

typedef struct hp_amg_entry {
  int64_t point; /* of the column */
  double value;
} hp_amg_entry;

/* Rows of other ranks. */
typedef struct hp_amg_fetched {
  int64_t *first, *length; /* [n] row i is entry[first[i]] .. */
  hp_amg_entry *entry;
} hp_amg_fetched;

/* Rows of point [n] of a matrix whose rows of owned points [nowned] are M's; column: points of M's columns. */
hp_status hp_amg_fetch_rows(hp_ranks *K, const int64_t *owned, int64_t nowned, const hp_csr *M, const int64_t *column,
                            int64_t n, const int64_t *point, hp_amg_fetched *out) HP_MUST_USE;
void hp_amg_fetched_free(hp_amg_fetched *f);

/* Room for n items for each rank's part of a message: begin [ranks+1] from counts in begin[r+1]. */
void hp_amg_scan_counts(int64_t *begin, int n);

/* ---- levels ---- */

/* A level besides hp_amg_level, whose matrices have the rows of owned points. */
typedef struct hp_amg_part {
  int32_t nowned, ncell; /* owned points; cells among them */
  int32_t nghost;        /* points of other ranks in vectors */
  int32_t ncolumn;       /* the first of these, which are columns of A */
  int64_t *point;        /* [nowned + nghost] in the order of vectors */
  int64_t rows, cells;   /* of the whole level */
  int every;             /* its rows are on ranks 0, every, 2 every, ... */
  int64_t entries, interpolation;
  hp_exchange *for_a, *for_r, *for_p; /* before a product with A, with R, and with P of the level before */
  /* to the next level: */
  hp_csr *P;                     /* [nowned + ncolumn] rows of other ranks, too */
  hp_csr *AP;                    /* [nowned + nghost] the same; columns are not kept */
  hp_csr_plan plan_ap, plan_rap; /* of owned rows of A P and of R (A P) */
  hp_exchange *products;         /* of AP's entries in rows of other ranks */
} hp_amg_part;

/* Finds the places in vectors, place [n], of point [n] of other ranks, each once. Those that are not there yet are put behind
 * the others, by rank. */
hp_status hp_amg_part_place(hp_amg_part *p, int64_t n, const int64_t *point, int32_t *place) HP_MUST_USE;

/* The first level that all ranks have as a whole. */
typedef struct hp_amg_whole {
  hp_csr *A;            /* which the hierarchy has, and owns but for level 0's */
  hp_csr *mine;         /* owned rows; level 0: the caller's */
  int64_t *row_begin;   /* [ranks+1] of ranks' rows, one after the other */
  int64_t *value_begin; /* [ranks+1] the same of entries */
  int32_t *number;      /* [rows] of these rows */
  double *value;        /* [entries] */
  double *vector;       /* [rows] numbers of a cycle in that order, or floats */
  double *b, *x;        /* [rows] where level 0 is whole */
} hp_amg_whole;

/* Called before a pass of a cycle, and after it. */
typedef struct hp_amg_step {
  hp_exchange *exchange; /* of `from`; NULL: none */
  bool gather;           /* its result goes to all ranks */
} hp_amg_step;

/* The level that is being made coarser (extended.c). */
typedef struct hp_amg_extended {
  hp_amg_rising points;
  hp_csr *A; /* rows of owned points and of their neighbours; others are empty */
  int32_t ncell;
  int64_t *number;
  uint8_t *owned, *state;  /* state: coarse or fine */
  hp_exchange *near, *all; /* neighbours; all points of other ranks */
  hp_amg_share share;
  hp_csr *P;           /* owned rows, the others are empty; columns are coarse points in rising order */
  int64_t *coarse;     /* [columns of P] their points on the next level */
  int64_t *next_owned; /* [nnext] the next level's points of this rank, rising */
  int64_t nnext;
  int every;                         /* of the next level's part */
  int64_t coarse_rows, coarse_cells; /* of all ranks */
  bool made;                         /* P: the level could be made coarser */
} hp_amg_extended;

struct hp_amg_ranks {
  hp_ranks *K;
  hp_amg *H;
  hp_amg_alone one;
  hp_amg_extended extended;
  struct hp_amg_transfer *transfer; /* product.c */
  int64_t whole_rows, least_rows;
  int parted; /* levels that are spread over ranks; those from here on are whole */
  hp_amg_part part[HP_AMG_LEVELS_MAX];
  hp_amg_whole whole;
  hp_amg_step *step; /* [H->passes] */
  int exchanges, skip;
  hp_amg_ranks_messages messages[HP_AMG_LEVELS_MAX];
};

/* Member 0's s, or another rank's failure, on all members of all ranks. */
hp_status hp_amg_ranks_agree(hp_team *t, hp_amg_ranks *H, hp_status s) HP_MUST_USE;

/* Makes, by a team, H->extended, with coarse points of level l and P if it can be made coarser. */
hp_status hp_amg_extended_make(hp_team *t, hp_amg_ranks *H, int l) HP_MUST_USE;
void hp_amg_extended_free(hp_amg_extended *E);

/* Computes, by a team, R A P (product.c), matrices of level l for the next, whose A and part it makes. */
hp_status hp_amg_ranks_product(hp_team *t, hp_amg_ranks *H, int l) HP_MUST_USE;
/* New numbers in level l + 1's A. Team program; ends with a barrier. */
void hp_amg_ranks_refresh_product(hp_team *t, hp_amg_ranks *H, int l);

/* New numbers in the levels that are whole, from those of owned rows of the first one. Team program; ends with a barrier. */
void hp_amg_ranks_refresh_whole(hp_team *t, hp_amg_ranks *H);

/* Fills H->messages. */
void hp_amg_ranks_count_messages(hp_amg_ranks *H);

/* `every` of the part of a level of so many rows, below one whose part has the given (fewer.c). */
int hp_amg_fewer_every(const hp_amg_ranks *H, int every, int64_t rows);
/* The rank that has the coarse points of rank r's fine points. */
HP_INLINE int hp_amg_fewer_rank(int r, int every) { return r - r % every; }
/* Coarse points of own fine points, point [n], which rise, to their rank: *out [*count] those of this rank, rising. */
hp_status hp_amg_fewer_move(hp_ranks *K, int every, int64_t n, const int64_t *point, int64_t **out,
                            int64_t *count) HP_MUST_USE;

/* Level l as a whole on every rank (whole.c), and columns of P of the level before. */
hp_status hp_amg_whole_make(hp_amg_ranks *H, int l) HP_MUST_USE;
void hp_amg_whole_free(hp_amg_whole *W, int l); /* of level l */
/* New numbers in it from owned rows. By one member. */
void hp_amg_whole_refresh(hp_amg_ranks *H);
/* all [rows], in the order of the level, from `mine` of owned rows, floats or doubles. By one member. */
void hp_amg_whole_gather(hp_amg_ranks *H, const void *mine, void *all, bool single);

HP_EXTERN_C_END

#endif
