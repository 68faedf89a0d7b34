#include "grid/partition.h"

#include <math.h>

#include "core/memory.h"

typedef struct {
  const hp_partition_options *opt;
  int nx, ny;
  double *line;    /* [max(nx, ny) + 1] weight before each line of columns across the side that is cut */
  int64_t *parted; /* [max(nx, ny) + 1] pairs that a cut before each line parts */
  hp_box *box;
} work;

static double weight_of(const work *W, int i, int j) { return W->opt->weight[j + (int64_t)W->ny * i]; }

/* Sums of the lines of box b along i or j, from its first one. */
static void add_lines(work *W, hp_box b, bool along_i) {
  const int from = along_i ? b.i0 : b.j0, to = along_i ? b.i1 : b.j1;
  W->line[0] = 0.0;
  for (int l = from; l < to; ++l) {
    double sum = 0.0;
    for (int o = along_i ? b.j0 : b.i0; o < (along_i ? b.j1 : b.i1); ++o)
      sum += along_i ? weight_of(W, l, o) : weight_of(W, o, l);
    W->line[l - from + 1] = W->line[l - from] + sum;
  }
}

static bool is_inside(const work *W, hp_box b, int64_t column) {
  const int64_t i = column / W->ny, j = column % W->ny;
  return i >= b.i0 && i < b.i1 && j >= b.j0 && j < b.j1;
}

/* Pairs inside box b that a cut before each of its lines parts. */
static void count_parted(work *W, hp_box b, bool along_i) {
  const hp_partition_options *o = W->opt;
  const int from = along_i ? b.i0 : b.j0, to = along_i ? b.i1 : b.j1;
  for (int l = 0; l <= to - from; ++l) W->parted[l] = 0;
  for (int64_t n = 0; n < o->npair; ++n) {
    if (!is_inside(W, b, o->a[n]) || !is_inside(W, b, o->b[n])) continue;
    const int64_t one = along_i ? o->a[n] / W->ny : o->a[n] % W->ny;
    const int64_t two = along_i ? o->b[n] / W->ny : o->b[n] % W->ny;
    for (int64_t l = one < two ? one + 1 : two + 1; l <= (one < two ? two : one); ++l) W->parted[l - from] += 1;
  }
}

/* Places to cut a side from..to at multiples of `step`, its ends not counted. */
static int places(int from, int to, int step) {
  const int first = (from / step + 1) * step;
  return first < to ? (to - 1 - first) / step + 1 : 0;
}

/* The line before which box b is cut so that `share` of its weight stands before it; parts before and behind it need so
 * many lines' steps each. -1: there is none. */
static int choose(work *W, hp_box b, bool along_i, double share, double most) {
  const int from = along_i ? b.i0 : b.j0, to = along_i ? b.i1 : b.j1, step = W->opt->step[along_i ? 0 : 1];
  const double all = W->line[to - from];
  int best = -1;
  double best_cost = INFINITY;
  for (int at = (from / step + 1) * step; at < to; at += step) {
    const double off = fabs(W->line[at - from] - share * all);
    const double cost = off + (W->parted[at - from] > 0 ? W->opt->slack * most : 0.0);
    if (cost < best_cost) {
      best_cost = cost;
      best = at;
    }
  }
  return best;
}

static int64_t cells_of(hp_box b) { return (int64_t)(b.i1 - b.i0) * (b.j1 - b.j0); }

/* How many parts box b can be cut into. */
static int64_t room(const work *W, hp_box b) {
  return (int64_t)(places(b.i0, b.i1, W->opt->step[0]) + 1) * (places(b.j0, b.j1, W->opt->step[1]) + 1);
}

/* The cut between two boxes is before line `at`. */
static void stand(bool along_i, int at, hp_box *before, hp_box *behind) {
  *(along_i ? &before->i1 : &before->j1) = *(along_i ? &behind->i0 : &behind->j0) = at;
}

/* Cuts box b into `parts`, numbered from `first` on. */
static hp_status bisect(work *W, hp_box b, int first, int parts) {
  if (parts == 1) {
    W->box[first] = b;
    return HP_OK;
  }
  const int lower = parts / 2;
  const bool longer_i = b.i1 - b.i0 > b.j1 - b.j0;
  for (int turn = 0; turn < 2; ++turn) { /* the other side, where the longer one has no place */
    const bool along_i = turn == 0 ? longer_i : !longer_i;
    add_lines(W, b, along_i);
    count_parted(W, b, along_i);
    const double all = W->line[along_i ? b.i1 - b.i0 : b.j1 - b.j0];
    int at = choose(W, b, along_i, (double)lower / parts, all / parts);
    hp_box before = b, behind = b;
    if (at < 0) continue;
    const int step = W->opt->step[along_i ? 0 : 1];
    stand(along_i, at, &before, &behind); /* both parts must have room */
    while (room(W, before) < lower && at + step < (along_i ? b.i1 : b.j1)) stand(along_i, at += step, &before, &behind);
    while (room(W, behind) < parts - lower && at - step > (along_i ? b.i0 : b.j0))
      stand(along_i, at -= step, &before, &behind);
    if (cells_of(before) <= 0 || cells_of(behind) <= 0 || room(W, before) < lower || room(W, behind) < parts - lower)
      continue;
    HP_TRY(bisect(W, before, first, lower));
    return bisect(W, behind, first + lower, parts - lower);
  }
  return hp_fail(
      HP_ERR_USAGE,
      "%d parts are too many: %d x %d columns can be cut at %d places along i and %d along j. Start fewer ranks",
      W->opt->parts, W->nx, W->ny, places(0, W->nx, W->opt->step[0]), places(0, W->ny, W->opt->step[1]));
}

hp_status hp_partition_columns(int nx, int ny, const hp_partition_options *opt, hp_box *box) {
  hp_partition_options o = *opt;
  for (int s = 0; s < 2; ++s)
    if (o.step[s] < 1) o.step[s] = 1;
  work W = {.opt = &o, .nx = nx, .ny = ny, .box = box};
  const hp_box all = {0, nx, 0, ny};
  hp_status s = HP_ALLOC(W.line, (nx > ny ? nx : ny) + 1);
  if (s == HP_OK) s = HP_ALLOC(W.parted, (nx > ny ? nx : ny) + 1);
  if (s == HP_OK) s = bisect(&W, all, 0, o.parts);
  HP_FREE(W.line);
  HP_FREE(W.parted);
  return s;
}

int hp_partition_find(int parts, const hp_box *box, int i, int j) {
  for (int r = 0; r < parts; ++r)
    if (i >= box[r].i0 && i < box[r].i1 && j >= box[r].j0 && j < box[r].j1) return r;
  return -1;
}
