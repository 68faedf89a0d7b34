/* Recursive bisection with a small look-ahead: of a box with few parts several cuts are tried, each down to single parts.
 *
 * The cost of a trial is that of waiting for its heaviest part: what this weighs above a limit, times the number of parts;
 * and a cell for each face that is cut. In a first search the limit is the mean weight. In the second it is what the
 * heaviest part of the first weighs and 2 % of the mean, so that lighter parts are cut for few faces alone. A table keeps
 * what was found for a box, since trials share most boxes.
 */
#include "grid/partition.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"

enum {
  FEW = 64,          /* parts of a box of which several cuts are tried */
  WIDEST = 12,       /* so many at most */
  BOXES = 16384,     /* that the table keeps; beyond, one cut of a box is tried */
  PLACES = 2 * BOXES /* of the table */
};

static const double FACE = 1.0;  /* cost of a face that is cut, in cells: that of two ghosts, which have no rows */
static const double NEAR = 0.02; /* of the mean weight */

/* The parts of a box, as far as their cost is concerned. */
typedef struct {
  double most;  /* weight of the heaviest part */
  double faces; /* weights of the lighter column at each face that is cut; what pairs add, and parts without weight */
} outcome;

/* A cut of a box before line `at`, with `lower` of its parts before it. */
typedef struct {
  bool along_i;
  int at, lower;
} cut;

typedef struct {
  cut c;
  outcome least; /* of the cut itself: nothing better follows from it */
  double score;  /* an estimate of the cost, with all later cuts */
} choice;

typedef struct {
  hp_box b;
  int parts, search; /* another search: the place is free */
  outcome best;
  cut c;
} node;

typedef struct {
  const hp_partition_options *opt;
  int nx, ny;
  double mean;      /* weight of a part */
  double limit;     /* parts that weigh less cost nothing */
  bool last;        /* the limit is that of the heaviest part */
  double *before;   /* [nx + 1][ny + 1] weight of the columns before i and before j */
  double *faces_i;  /* [nx + 1][ny + 1] faces between columns i - 1 and i, of columns before j */
  double *faces_j;  /* [nx + 1][ny + 1] between j - 1 and j, of columns before i */
  node *table;      /* [PLACES] */
  int search, used; /* number of the search whose boxes the table has; how many */
} work;

static int64_t at_corner(const work *W, int i, int j) { return j + ((int64_t)W->ny + 1) * i; }

static double sum_of(const work *W, const double *table, int i0, int i1, int j0, int j1) {
  return (table[at_corner(W, i1, j1)] - table[at_corner(W, i0, j1)]) -
         (table[at_corner(W, i1, j0)] - table[at_corner(W, i0, j0)]);
}

static double weight_of(const work *W, hp_box b) { return sum_of(W, W->before, b.i0, b.i1, b.j0, b.j1); }

/* Of the cut of box b before line l. */
static double faces_of(const work *W, hp_box b, bool along_i, int l) {
  return along_i ? W->faces_i[at_corner(W, l, b.j1)] - W->faces_i[at_corner(W, l, b.j0)]
                 : W->faces_j[at_corner(W, b.i1, l)] - W->faces_j[at_corner(W, b.i0, l)];
}

/* A pair of columns adds to the faces on a way between them, along i and then along j: a cut that separates them has one. */
static void add_pair(work *W, int64_t a, int64_t b, double cost) {
  const int ia = (int)(a / W->ny), ja = (int)(a % W->ny), ib = (int)(b / W->ny), jb = (int)(b % W->ny);
  for (int i = (ia < ib ? ia : ib) + 1; i <= (ia < ib ? ib : ia); ++i) W->faces_i[at_corner(W, i, ja + 1)] += cost;
  for (int j = (ja < jb ? ja : jb) + 1; j <= (ja < jb ? jb : ja); ++j) W->faces_j[at_corner(W, ib + 1, j)] += cost;
}

/* Tables of sums, from which those of any box follow. */
static void sum_up(work *W) {
  const hp_partition_options *o = W->opt;
  for (int i = 0; i < W->nx; ++i)
    for (int j = 0; j < W->ny; ++j) {
      const double w = o->weight[j + (int64_t)W->ny * i];
      const int64_t m = at_corner(W, i + 1, j + 1);
      W->before[m] = w;
      if (i > 0) W->faces_i[at_corner(W, i, j + 1)] = fmin(w, o->weight[j + (int64_t)W->ny * (i - 1)]);
      if (j > 0) W->faces_j[at_corner(W, i + 1, j)] = fmin(w, o->weight[j - 1 + (int64_t)W->ny * i]);
      W->mean += w / o->parts;
    }
  for (int64_t n = 0; n < o->npair; ++n) add_pair(W, o->a[n], o->b[n], o->slack * W->mean / FACE);
  for (int i = 0; i <= W->nx; ++i)
    for (int j = 0; j <= W->ny; ++j) {
      if (j > 0) W->before[at_corner(W, i, j)] += W->before[at_corner(W, i, j - 1)];
      if (j > 0) W->faces_i[at_corner(W, i, j)] += W->faces_i[at_corner(W, i, j - 1)];
      if (i > 0) W->faces_j[at_corner(W, i, j)] += W->faces_j[at_corner(W, i - 1, j)];
    }
  for (int i = 1; i <= W->nx; ++i)
    for (int j = 0; j <= W->ny; ++j) W->before[at_corner(W, i, j)] += W->before[at_corner(W, i - 1, j)];
}

/* Places to cut a side from..to at multiples of `step`, its ends not counted. */
static int places(int from, int to, int step) {
  const int first = (from / step + 1) * step;
  return first < to ? (to - 1 - first) / step + 1 : 0;
}

/* How many parts box b can be cut into. */
static int64_t room(const work *W, hp_box b) {
  return (int64_t)(places(b.i0, b.i1, W->opt->step[0]) + 1) * (places(b.j0, b.j1, W->opt->step[1]) + 1);
}

static double cost_of(const work *W, outcome o, int parts) {
  return fmax(o.most - W->limit, 0.0) * (W->last ? W->opt->parts : parts) + FACE * o.faces;
}

static bool is_better(const work *W, int parts, outcome a, outcome b) {
  const double one = cost_of(W, a, parts), two = cost_of(W, b, parts);
  return one != two ? one < two : a.most < b.most;
}

static void split(hp_box b, cut c, hp_box *before, hp_box *behind) {
  *before = *behind = b;
  *(c.along_i ? &before->i1 : &before->j1) = *(c.along_i ? &behind->i0 : &behind->j0) = c.at;
}

/* Faces that cuts of box b will have, were its parts alike and near to squares. */
static double expected_faces(hp_box b, double weight, int parts) {
  const double i = b.i1 - b.i0, j = b.j1 - b.j0;
  const double along_i = fmin(fmax(sqrt(parts * i / j), 1.0), parts);
  return ((along_i - 1.0) * j + (parts / along_i - 1.0) * i) * weight / (i * j);
}

static choice rate(const work *W, hp_box b, int parts, cut c) {
  hp_box before, behind;
  split(b, c, &before, &behind);
  const double w = weight_of(W, before), rest = weight_of(W, behind);
  const outcome least = {fmax(w / c.lower, rest / (parts - c.lower)), faces_of(W, b, c.along_i, c.at)};
  const double later = expected_faces(before, w, c.lower) + expected_faces(behind, rest, parts - c.lower);
  return (choice){c, least, least.most * parts + FACE * (least.faces + later)};
}

/* Puts a cut in its place among the `count` best of a list of at most `width`, best first; the new count. */
static int insert(choice *list, int count, int width, choice n) {
  int at = count;
  for (int l = 0; l < count; ++l)
    if (list[l].c.along_i == n.c.along_i && list[l].c.at == n.c.at && list[l].c.lower == n.c.lower) return count;
  for (; at > 0 && n.score < list[at - 1].score; --at)
    if (at < width) list[at] = list[at - 1];
  if (at < width) list[at] = n;
  return count < width ? count + 1 : count;
}

/* Lines where a side of a box may be cut: (first + n) step, 0 <= n < count. */
typedef struct {
  int first, count, step;
} lines;

static lines lines_of(const work *W, hp_box b, bool along_i) {
  const int from = along_i ? b.i0 : b.j0, to = along_i ? b.i1 : b.j1, step = W->opt->step[along_i ? 0 : 1];
  return (lines){from / step + 1, places(from, to, step), step};
}

/* How many of the lines have at most `share` of the weight of box b before them. */
static int count_before(const work *W, hp_box b, bool along_i, lines L, double share) {
  int low = 0, high = L.count;
  while (low < high) {
    const int middle = (low + high) / 2;
    hp_box before = b;
    *(along_i ? &before.i1 : &before.j1) = (L.first + middle) * L.step;
    if (weight_of(W, before) <= share) low = middle + 1;
    else high = middle;
  }
  return low;
}

static int within(int from, int value, int to) { return value < from ? from : value > to ? to : value; }

/* Adds to the list cuts along one side with `lower` parts before them: on both sides of their exact share of weight, and
 * the best farther off of those which are worse by `slack` at most. */
static int find_along(const work *W, hp_box b, int parts, cut c, choice *list, int count, int width) {
  const lines L = lines_of(W, b, c.along_i);
  const int across = lines_of(W, b, !c.along_i).count + 1;
  const int first = (c.lower + across - 1) / across - 1;              /* before it there is no room for the parts, */
  const int last = L.count - (parts - c.lower + across - 1) / across; /* and behind this one for the others */
  if (first > last) return count;
  const int exact = count_before(W, b, c.along_i, L, weight_of(W, b) * c.lower / parts);
  choice near = {.score = INFINITY}, best;
  for (int n = exact - 1; n <= exact; ++n) {
    c.at = (L.first + within(first, n, last)) * L.step;
    const choice one = rate(W, b, parts, c);
    count = insert(list, count, width, one);
    if (one.score < near.score) near = one;
  }
  best = near;
  for (int way = -1; way <= 1; way += 2)
    for (int n = within(first, exact, last) + way; n >= first && n <= last; n += way) {
      c.at = (L.first + n) * L.step;
      const choice one = rate(W, b, parts, c);
      if (one.least.most > near.least.most + W->opt->slack * W->mean) break;
      if (one.score < best.score) best = one;
    }
  return insert(list, count, width, best);
}

/* The best cuts of box b. A fifth of its parts at least is on either side, so that boxes are no strips: if the box has room
 * for its parts, there are such cuts, as in the middle of a side. */
static int find_cuts(const work *W, hp_box b, int parts, choice *list, int width) {
  const int fifth = (parts + 4) / 5;
  int count = 0;
  for (int lower = fifth; lower <= parts - fifth; ++lower)
    for (int side = 0; side < 2; ++side)
      count = find_along(W, b, parts, (cut){.along_i = side == 0, .lower = lower}, list, count, width);
  return count;
}

/* The place of a box in the table, or a free one for it. */
static node *look_up(work *W, hp_box b, int parts) {
  const int key[] = {b.i0, b.i1, b.j0, b.j1, parts};
  uint64_t hash = 0;
  for (int n = 0; n < 5; ++n) {
    hash = (hash ^ (uint64_t)key[n]) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  for (;; ++hash) {
    node *n = &W->table[hash % PLACES];
    if (n->search != W->search || (n->parts == parts && memcmp(&n->b, &b, sizeof b) == 0)) return n;
  }
}

/* How many cuts of box b are tried: more where there are few places, since cuts are then far from their shares. */
static int width_of(const work *W, hp_box b, int parts) {
  if (W->used >= BOXES) return 1;
  if (room(W, b) <= 8 * (int64_t)parts) return parts > 16 ? 6 : WIDEST;
  return parts > 16 ? 3 : parts > 4 ? 6 : 8;
}

/* The best outcome of box b, and its first cut. */
static outcome try_cuts(work *W, hp_box b, int parts, cut *c) {
  const double nothing = 1e-9 * W->mean; /* as far as differences of sums say */
  const int width = width_of(W, b, parts);
  outcome best = {INFINITY, INFINITY};
  choice list[WIDEST];
  if (parts == 1) return (outcome){weight_of(W, b), weight_of(W, b) > nothing ? 0.0 : W->mean};
  node *place = look_up(W, b, parts);
  if (place->search == W->search) {
    *c = place->c;
    return place->best;
  }
  const int count = find_cuts(W, b, parts, list, width);
  for (int n = 0; n < count; ++n) {
    hp_box before, behind;
    outcome o = list[n].least;
    cut inner;
    if (!is_better(W, parts, o, best)) continue;
    split(b, list[n].c, &before, &behind);
    const outcome one = try_cuts(W, before, list[n].c.lower, &inner);
    o = (outcome){fmax(o.most, one.most), o.faces + one.faces};
    if (!is_better(W, parts, o, best)) continue;
    const outcome two = try_cuts(W, behind, parts - list[n].c.lower, &inner);
    o = (outcome){fmax(o.most, two.most), o.faces + two.faces};
    if (!is_better(W, parts, o, best)) continue;
    best = o;
    *c = list[n].c;
  }
  if (W->used >= BOXES) return best;
  W->used += 1;
  place = look_up(W, b, parts); /* trials may have filled the place */
  *place = (node){b, parts, W->search, best, *c};
  return best;
}

/* Cuts box b into `parts`, which it has room for; the weight of the heaviest. Of many parts the first cuts are the best ones
 * by their scores; a search begins at each box with few. */
static double bisect(work *W, hp_box b, int parts, bool few, hp_box *box) {
  choice best;
  hp_box before, behind;
  if (parts == 1) {
    *box = b;
    return weight_of(W, b);
  }
  if (parts > FEW) {
    find_cuts(W, b, parts, &best, 1);
  } else {
    if (!few) W->search += 1;
    if (!few) W->used = 0;
    try_cuts(W, b, parts, &best.c);
  }
  split(b, best.c, &before, &behind);
  const double one = bisect(W, before, best.c.lower, parts <= FEW, box);
  return fmax(one, bisect(W, behind, parts - best.c.lower, parts <= FEW, box + best.c.lower));
}

static hp_status create(work *W) {
  const int64_t corners = ((int64_t)W->nx + 1) * (W->ny + 1);
  HP_TRY(HP_ALLOC(W->before, corners));
  HP_TRY(HP_ALLOC(W->faces_i, corners));
  HP_TRY(HP_ALLOC(W->faces_j, corners));
  return HP_ALLOC(W->table, PLACES);
}

hp_status hp_partition_columns(int nx, int ny, const hp_partition_options *opt, hp_box *box) {
  hp_partition_options o = *opt;
  const hp_box all = {0, nx, 0, ny};
  for (int s = 0; s < 2; ++s)
    if (o.step[s] < 1) o.step[s] = 1;
  work W = {.opt = &o, .nx = nx, .ny = ny};
  if (room(&W, all) < o.parts)
    return hp_fail(
        HP_ERR_USAGE,
        "%d parts are too many: %d x %d columns can be cut at %d places along i and %d along j. Start fewer ranks",
        o.parts, nx, ny, places(0, nx, o.step[0]), places(0, ny, o.step[1]));
  const hp_status s = create(&W);
  if (s == HP_OK) {
    sum_up(&W);
    W.limit = W.mean;
    W.limit = bisect(&W, all, o.parts, false, box) + NEAR * W.mean;
    W.last = true;
    bisect(&W, all, o.parts, false, box);
  }
  HP_FREE(W.before);
  HP_FREE(W.faces_i);
  HP_FREE(W.faces_j);
  HP_FREE(W.table);
  return s;
}

int hp_partition_find(int parts, const hp_box *box, int i, int j) {
  for (int r = 0; r < parts; ++r)
    if (i >= box[r].i0 && i < box[r].i1 && j >= box[r].j0 && j < box[r].j1) return r;
  return -1;
}
