/* Cuts a grid's columns into boxes, one for each rank.
 *
 *     +-------+----+         recursive bisection (Berger & Bokhari 1987): a box is cut across either side, in columns, and
 *     |   0   |    |         its ranks are shared out between both parts. Several cuts are tried, and the boxes whose heaviest
 *     +----+--+  3 |         is the lightest are chosen; of those that are nearly as good the ones with the fewest faces
 *     | 1  |2 |    |
 *     +----+--+----+
 */
#ifndef HP_GRID_PARTITION_H
#define HP_GRID_PARTITION_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

/* Columns i0 <= i < i1, j0 <= j < j1. */
typedef struct hp_box {
  int i0, i1, j0, j1;
} hp_box;

typedef struct hp_partition_options {
  int parts;
  int step[2];          /* cuts between columns stand at multiples of these along i and j; 0: 1 */
  const double *weight; /* [nx ny] of column j + ny i, not negative; a column of weight 0 costs nothing */
  /* Pairs of columns that had better stay together, such as those of a well: a cut that separates one counts like a part
   * that is heavier by `slack` of the mean weight. */
  int64_t npair;
  const int64_t *a, *b; /* [npair] */
  double slack;
} hp_partition_options;

/* Fills box [parts], which have all columns, each once; boxes with neighbouring numbers are near each other.
 * HP_ERR_USAGE if there are fewer blocks of step[0] x step[1] columns than parts. At most 64 parts take some ten
 * thousand trial boxes, whatever the number of columns. */
hp_status hp_partition_columns(int nx, int ny, const hp_partition_options *opt, hp_box *box) HP_MUST_USE;

/* The box that has column (i, j), or -1. */
int hp_partition_find(int parts, const hp_box *box, int i, int j);

HP_EXTERN_C_END

#endif
