/* Gauss-Seidel by groups of rows or blocks, and block Jacobi, all of whose blocks are one group:
 * amg/smoothers/groups.inl.h, amg/smoothers/block.inl.h. A row's group, a colour or a dependency level, follows from the
 * groups of the rows before it. */
#include "amg/rows/form.inl.h"
#include "amg/smoothers/impl.h"
#include "amg/smoothers/pass.h"
#include "core/memory.h"

/* Which units (blocks of `width` rows) touch a unit: those that its rows depend on or that depend on them. */
typedef struct {
  const hp_csr *A;
  hp_csr *T; /* A^T */
  int width;
  int32_t *group; /* [units] */
  int32_t *seen;  /* [units+1] unit + 1 that saw a group last */
  int32_t units;
} grouping;

typedef int32_t choose_function(const grouping *g, int32_t unit);

static int32_t rows_end(const grouping *g, int32_t unit) {
  const int64_t end = (int64_t)(unit + 1) * g->width;
  return end < g->A->nrow ? (int32_t)end : g->A->nrow;
}

static void mark_colours(const grouping *g, const hp_csr *A, int32_t unit) {
  for (int64_t k = A->begin[unit * g->width]; k < A->begin[rows_end(g, unit)]; ++k) {
    const int32_t other = A->column[k] / g->width;
    if (other < unit) g->seen[g->group[other]] = unit + 1;
  }
}

/* The smallest colour that no earlier neighbour has. */
static int32_t choose_colour(const grouping *g, int32_t unit) {
  int32_t colour = 0;
  mark_colours(g, g->A, unit);
  mark_colours(g, g->T, unit);
  while (g->seen[colour] == unit + 1) ++colour;
  return colour;
}

static int32_t level_after(const grouping *g, const hp_csr *A, int32_t unit, int32_t level) {
  for (int64_t k = A->begin[unit * g->width]; k < A->begin[rows_end(g, unit)]; ++k) {
    const int32_t other = A->column[k] / g->width;
    if (other < unit && g->group[other] >= level) level = g->group[other] + 1;
  }
  return level;
}

/* One more than the highest level of the earlier neighbours. */
static int32_t choose_level(const grouping *g, int32_t unit) {
  return level_after(g, g->T, unit, level_after(g, g->A, unit, 0));
}

/* ngroup, group and order of S from every unit's group. */
static hp_status sort_groups(const int32_t *group, int32_t units, hp_amg_smooth *S) {
  for (int32_t u = 0; u < units; ++u)
    if (group[u] >= S->ngroup) S->ngroup = group[u] + 1;
  HP_TRY(HP_ALLOC(S->group, S->ngroup + 2));
  HP_TRY(HP_ALLOC(S->order, units));
  for (int32_t u = 0; u < units; ++u) S->group[group[u] + 2] += 1;
  for (int32_t c = 1; c <= S->ngroup; ++c) S->group[c + 1] += S->group[c];
  for (int32_t u = 0; u < units; ++u) S->order[S->group[group[u] + 1]++] = u;
  return HP_OK;
}

hp_status hp_amg_triangle_groups(int32_t n, const uint32_t *from, const uint32_t *to, const int32_t *column, bool upper,
                                 hp_amg_smooth *S) {
  int32_t *level = NULL;
  HP_TRY(HP_ALLOC(level, n));
  for (int32_t k = 0; k < n; ++k) {
    const int32_t i = upper ? n - 1 - k : k;
    for (int64_t e = from[i]; e < to[i]; ++e)
      if (level[column[e]] >= level[i]) level[i] = level[column[e]] + 1;
  }
  const hp_status s = sort_groups(level, n, S);
  HP_FREE(level);
  return s;
}

static hp_status group_units(const hp_csr *A, int width, choose_function *choose, hp_amg_smooth *S) {
  grouping g = {.A = A, .width = width, .units = (A->nrow + width - 1) / width};
  hp_status s = hp_csr_transpose(A, &g.T);
  if (s == HP_OK) s = HP_ALLOC(g.group, g.units);
  if (s == HP_OK) s = HP_ALLOC(g.seen, g.units + 1);
  for (int32_t u = 0; u < g.units && s == HP_OK; ++u) g.group[u] = choose(&g, u);
  if (s == HP_OK) s = sort_groups(g.group, g.units, S);
  hp_csr_destroy(&g.T);
  HP_FREE(g.group);
  HP_FREE(g.seen);
  return s;
}

hp_status hp_amg_prepare_colours(const hp_amg_options *opt, const hp_amg_level *L, hp_amg_smooth *S) {
  HP_TRY(hp_amg_prepare_point(opt, L, S));
  return group_units(L->A, 1, choose_colour, S);
}

hp_status hp_amg_prepare_levels(const hp_amg_options *opt, const hp_amg_level *L, hp_amg_smooth *S) {
  HP_TRY(hp_amg_prepare_point(opt, L, S));
  return group_units(L->A, 1, choose_level, S);
}

/* ---- blocks ---- */

static hp_status blocks_create(const hp_amg_options *opt, const hp_amg_level *L, hp_amg_smooth *S) {
  S->width = opt->block;
  S->nblock = (L->A->nrow + S->width - 1) / S->width;
  return hp_amg_smooth_numbers(opt, &S->block, (int64_t)S->nblock * S->width * S->width);
}

/* All in one group, in their order. */
hp_status hp_amg_prepare_blocks(const hp_amg_options *opt, const hp_amg_level *L, hp_amg_smooth *S) {
  HP_TRY(blocks_create(opt, L, S));
  HP_TRY(HP_ALLOC(S->group, 2));
  S->ngroup = 1;
  S->group[1] = S->nblock;
  return HP_OK;
}

hp_status hp_amg_prepare_block_levels(const hp_amg_options *opt, const hp_amg_level *L, hp_amg_smooth *S) {
  HP_TRY(blocks_create(opt, L, S));
  return group_units(L->A, S->width, choose_level, S);
}

/* ---- sweeps ---- */

/* In place. From zero the first group has no products, and its pass clears the other rows. */
hp_status hp_amg_groups_sweep(hp_amg_writer *W, int l, bool forward, const void *b, hp_amg_iterate *v) {
  const hp_amg_groups G = hp_amg_groups_of(W, l);
  for (int g = 0; g < G.ngroup; ++g) {
    const bool zero = v->state == HP_AMG_ZERO && g == 0;
    const void *x = zero ? NULL : v->x;
    HP_TRY(hp_amg_add_group(W, l, &G, forward ? g : G.ngroup - 1 - g, x, x, b, NULL, v->x, zero));
  }
  v->state = HP_AMG_STORED;
  return HP_OK;
}

hp_status hp_amg_block_jacobi_sweep(hp_amg_writer *W, int l, bool forward, const void *b, hp_amg_iterate *v) {
  const hp_amg_groups G = hp_amg_groups_of(W, l);
  const void *x = v->state == HP_AMG_ZERO ? NULL : v->x;
  void *out = v->other;
  (void)forward;
  HP_TRY(hp_amg_add_group(W, l, &G, 0, x, x, b, NULL, out, false));
  v->other = v->x;
  v->x = out;
  v->state = HP_AMG_STORED;
  return HP_OK;
}
