/* Block rows: a square matrix of q x q blocks in any pattern, and its product (Abdelfattah, Ltaief, Keyes & Dongarra
 * 2016 [1], section 5).
 *
 *     row m: blocks begin[m] .. begin[m+1]-1, block p stands in block column column[p]; its entry (a, b) is
 *     value[p q q + b q + a]: blocks by columns, so that the threads of a GPU that have a row each read along a
 *     column
 *
 * Pieces. If rows differ much in length, hp_bsr_cut cuts long ones into pieces of at most `longest` blocks (the lambda
 * of [1], section 5.5). A piece is multiplied like a row; the pieces of a row are then added in order. Without a cut
 * every row is one piece.
 *
 * Order of sums, the same on a CPU and on a GPU, hence the same bits: column c of a piece (of all its blocks, counted
 * through) belongs to class c mod C; a class is summed by rising columns, the classes are added as hp_bsr_order says.
 */
#ifndef HP_LINSOLVE_BSR_BSR_H
#define HP_LINSOLVE_BSR_BSR_H

#include "linsolve/matrix/gh.h"
#include "linsolve/matrix/sparse.h"

HP_EXTERN_C_BEGIN

enum { HP_BSR_Q_MAX = 1024 };

/* The multiplication of a piece: threads of a GPU, with two neighbouring rows each, process a strip of its rows. Up to
 * q = 16 these are lanes of a warp, with `across` columns at once; above, `threads` threads with as many columns as
 * they hold. */
typedef struct hp_bsr_order {
  int strips, height; /* strips of a block row; rows of each but the last, even where there are several */
  int tall;           /* threads of a column of a strip */
  int across;         /* a power of two: these classes are added by halves; or */
  int groups;         /* these first to last */
  int threads;        /* of a strip; 32: of one strip or several */
} hp_bsr_order;

enum {
  HP_BSR_WARP_Q = 16,     /* the largest q for the lanes of a warp */
  HP_BSR_CLASSES_MAX = 28 /* of 256 threads, 9 a column */
};

/* The order for `threads` threads (64, 128 or 256; without effect up to HP_BSR_WARP_Q). The number of classes is even
 * for odd q. */
HP_INLINE HP_HD HP_CONSTEXPR hp_bsr_order hp_bsr_order_with(int q, int threads) {
  const int most = q % 2 == 0 ? 64 : 62; /* rows of a strip: 32 threads, one more row above where q is odd */
  const int strips = q <= 64 ? 1 : (q + most - 1) / most;
  const int height = strips == 1 ? q : (q / 2 + strips - 1) / strips * 2 + (q % 2) * 2;
  const int tall = strips == 1 ? (q + 1) / 2 : height / 2 + q % 2;
  const bool large = q > HP_BSR_WARP_Q;
  const int across = large ? 1 : q == 6 ? 8 : q == 2 || q == 3 || q == 5 || q == 9 ? 2 : 4;
  const int groups = !large ? 1 : q % 2 == 0 ? threads / tall : threads / tall / 2 * 2;
  const hp_bsr_order o = {strips, height, tall, across, groups, large ? threads : 32};
  return o;
}

/* The order that was fastest on an H100 (docs/laboratory/block-rows.md). */
HP_INLINE HP_HD HP_CONSTEXPR hp_bsr_order hp_bsr_order_of(int q) {
  return hp_bsr_order_with(q, q < 20 ? 64 : q < 24 ? 128 : 256);
}

typedef struct hp_bsr {
  int q;
  hp_bsr_order order;    /* of sums; hp_bsr_order_of(q) unless set */
  int64_t nrow, nblock;  /* of blocks */
  int32_t *begin;        /* [nrow+1] */
  int32_t *column;       /* [nblock] */
  double *value;         /* [nblock q q] */
  int longest;           /* blocks of a piece at most; 0: rows are whole, and there are no arrays of pieces */
  int64_t npiece, nslot; /* pieces; those of rows with several */
  int32_t *piece_begin;  /* [npiece+1] first block */
  int32_t *piece_row;    /* [npiece] the row of a piece that is all of it; -1 - slot: goes to partial sum `slot` */
  int64_t nlong;         /* rows of several pieces: */
  int32_t *long_row;     /* [nlong] */
  int32_t *long_begin;   /* [nlong+1] first slot */
} hp_bsr;

/* HP_ERR_USAGE for a q that is not 1 .. HP_BSR_Q_MAX, HP_ERR_UNSUPPORTED for more rows or blocks than 32-bit numbers
 * count. */
hp_status hp_bsr_check_size(int q, int64_t nrow, int64_t nblock) HP_MUST_USE;

/* A matrix of nrow block rows with the pattern begin [nrow+1], column (rising in every row), values zero. Errors of
 * hp_bsr_check_size. */
hp_status hp_bsr_create(int q, int64_t nrow, const int32_t *begin, const int32_t *column, hp_bsr **out) HP_MUST_USE;
void hp_bsr_destroy(hp_bsr **B);

/* The cells' rows of a GH matrix with all their blocks, connections included, without the wells' borders. Values are zero;
 * linsolve/bsr/fill.inl.h sets them. */
hp_status hp_bsr_pattern(const hp_gh *A, hp_bsr **out) HP_MUST_USE;

/* Blocks of the longest row. */
int64_t hp_bsr_longest_row(const hp_bsr *B);

/* Cuts rows longer than `longest` blocks into pieces; 0: makes them whole again. */
hp_status hp_bsr_cut(hp_bsr *B, int longest) HP_MUST_USE;

HP_EXTERN_C_END

#endif
