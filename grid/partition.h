/* Cutting a grid's columns into boxes, one for each rank.
 *
 *     +-------+----+         recursive bisection (Berger & Bokhari 1987): a box is cut across its longer side, in columns,
 *     |   0   |    |         where the weights of both parts are as near as they can be to the shares of ranks that they
 *     +----+--+  3 |         get; then its parts are
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
  /* Pairs of columns that had better stay together, such as those of a well: a cut that parts some of them is taken
   * where it costs at most `slack` of a part's weight less than the best that parts fewer. */
  int64_t npair;
  const int64_t *a, *b; /* [npair] */
  double slack;
} hp_partition_options;

/* box [parts]; together they are all columns, each once. HP_ERR_USAGE: the grid has fewer places to cut than parts. */
hp_status hp_partition_columns(int nx, int ny, const hp_partition_options *opt, hp_box *box) HP_MUST_USE;

/* The box that has column (i, j); -1: none. */
int hp_partition_find(int parts, const hp_box *box, int i, int j);

HP_EXTERN_C_END

#endif
