/* Block DILU in bricks on a GPU (linsolve/precond/dilu/cuda/bricks.cuh): the set-up. */
#ifndef HP_LINSOLVE_PRECOND_DILU_CUDA_BRICKS_SETUP_CUH
#define HP_LINSOLVE_PRECOND_DILU_CUDA_BRICKS_SETUP_CUH

#include "linsolve/precond/dilu/cuda/bricks.cuh"

/* ---- setup, any q ---- */

template <typename REAL>
static __device__ __forceinline__ void hp_brick_put(const hp_precond *P, int q, int64_t place, const double *block) {
  REAL *to = (REAL *)P->pack + place * q * q;
  for (int e = 0; e < q * q; ++e) to[e] = (REAL)block[e];
}

/* Factorizes a cell, whose lower neighbours in the brick are done. */
template <typename REAL>
static __device__ __forceinline__ bool hp_brick_cell(const hp_precond *P, const hp_gh *A, const hp_brick_line *L,
                                                     int step, const hp_dilu_cell *c) {
  const int q = A->q;
  double inverse[HP_GH_Q_MAX * HP_GH_Q_MAX], scaled[HP_GH_Q_MAX * HP_GH_Q_MAX];
  const bool regular = hp_dilu_factor(P, A, q, c, inverse);
  hp_brick_put<REAL>(P, q, hp_brick_place(L, step, 0), inverse);
  for (int n = 1; n < HP_DILU_BLOCKS; ++n) {
    hp_dilu_scaled(P, A, q, c, hp_dilu_diagonal_of(false, n), inverse, scaled);
    hp_brick_put<REAL>(P, q, hp_brick_place(L, step, n), scaled);
  }
  return regular;
}

template <typename REAL>
static __device__ __noinline__ int64_t hp_dilu_bricks_factorize(const hp_team *t, const hp_precond *P, const hp_gh *A) {
  const hp_dilu_bricks *B = &P->bricks;
  int64_t bad = -1;
  const hp_team_share part = hp_team_share_of(t, hp_dilu_bricks_count(B), A->rows, false);
  for (int64_t brick = part.begin + part.rank / HP_BRICK_LANES; brick < part.end; brick += part.size / HP_BRICK_LANES) {
    const hp_brick_line L = hp_brick_line_of(A, B, brick, t->rank % HP_BRICK_LANES);
    int at[3] = {L.at[0], L.at[1], L.at[2]};
    for (int step = 0; step < B->steps; ++step) {
      const int c = step - L.delay;
      __syncwarp(); /* the inverse blocks of the step before */
      if (c < 0 || c >= L.count) continue;
      const hp_dilu_cell cell = {L.first + c * L.stride, at[2], at[1], at[0], false, false};
      if (!hp_brick_cell<REAL>(P, A, &L, step, &cell) && (bad < 0 || cell.m < bad)) bad = cell.m;
      at[B->march] += 1;
    }
  }
  return bad;
}

/* ---- setup, q = 2 ---- */

/* A 2 x 2 block: its columns as pairs. */
struct hp_brick_block {
  double2 c0, c1;
};

static __device__ __forceinline__ double2 hp_brick_shift_up(double2 v, int lanes) {
  return make_double2(__shfl_up_sync(~0u, v.x, lanes), __shfl_up_sync(~0u, v.y, lanes));
}
static __device__ __forceinline__ hp_brick_block hp_brick_block_up(hp_brick_block x, int lanes) {
  return {hp_brick_shift_up(x.c0, lanes), hp_brick_shift_up(x.c1, lanes)};
}

/* x times the column y, and x y, in hp_block_mul's order. */
static __device__ __forceinline__ double2 hp_brick_column(hp_brick_block x, double2 y) {
  return make_double2((0.0 + x.c0.x * y.x) + x.c1.x * y.y, (0.0 + x.c0.y * y.x) + x.c1.y * y.y);
}
static __device__ __forceinline__ hp_brick_block hp_brick_mul(hp_brick_block x, hp_brick_block y) {
  return {hp_brick_column(x, y.c0), hp_brick_column(x, y.c1)};
}

/* block -= fill */
static __device__ __forceinline__ void hp_brick_less(hp_brick_block *block, hp_brick_block fill) {
  block->c0 = make_double2(block->c0.x - fill.c0.x, block->c0.y - fill.c0.y);
  block->c1 = make_double2(block->c1.x - fill.c1.x, block->c1.y - fill.c1.y);
}

static __device__ __forceinline__ hp_brick_block hp_brick_zero() {
  return {make_double2(0.0, 0.0), make_double2(0.0, 0.0)};
}

/* Values along k, j and i from those along the march and the two sides, and back. */
template <typename T>
struct hp_brick_axes {
  T k, j, i;
};

template <typename T>
static __device__ __forceinline__ hp_brick_axes<T> hp_brick_axes_of(int march, T own, T a, T b) {
  hp_brick_axes<T> v;
  v.k = march == 0 ? own : a;
  v.j = march == 1 ? own : march == 0 ? a : b;
  v.i = march == 2 ? own : b;
  return v;
}

/* A row's blocks as they come from memory: the diagonal, then below [1 + r] and above [4 + r] along the march and the
 * two sides r; in registers, or in shared memory. */
struct hp_brick_row {
  hp_brick_block block[HP_DILU_BLOCKS];
  int run; /* of the column's wells, -1: none */
  __device__ __forceinline__ hp_brick_block get(int n) const { return block[n]; }
};
struct hp_brick_row_on_chip {
  const double2 *column; /* of the lane: block n has 2 n and 2 n + 1, HP_BRICK_LANES apart */
  int run;
  __device__ __forceinline__ hp_brick_block get(int n) const {
    return {column[2 * n * HP_BRICK_LANES], column[(2 * n + 1) * HP_BRICK_LANES]};
  }
};

/* A lane's state of its line in the setup. */
struct hp_brick_setup {
  const double *h, *below[3], *above[3]; /* diagonals */
  int64_t ld;
  int start, stride, delay, count;
  bool has_below[3], has_above[3]; /* of the sides; along the march: by the step */
};

static __device__ __forceinline__ hp_brick_block hp_brick_load_block(const double *column, int64_t ld) {
  return {hp_load_matrix(column), hp_load_matrix(column + ld)};
}

static __device__ __forceinline__ hp_brick_setup hp_brick_setup_of(const hp_precond *P, const hp_gh *A,
                                                                   const hp_brick_line *L) {
  const hp_dilu_bricks *B = &P->bricks;
  const int axis[3] = {B->march, B->side[0], B->side[1]};
  hp_brick_setup s;
  s.h = A->h + 6 * A->ld;
  s.ld = A->ld;
  s.stride = (int)L->stride;
  s.delay = L->delay;
  s.count = L->count;
  s.start = (int)L->first - s.delay * s.stride;
#pragma unroll
  for (int r = 0; r < 3; ++r) {
    s.below[r] = A->h + (2 - axis[r]) * 2 * A->ld;
    s.above[r] = A->h + (4 + axis[r]) * 2 * A->ld;
    s.has_below[r] = hp_dilu_sees(P, A, L->at[2], L->at[1], L->at[0], -1 - axis[r]);
    s.has_above[r] = hp_dilu_sees(P, A, L->at[2], L->at[1], L->at[0], 1 + axis[r]);
  }
  return s;
}

/* The first run of wells' perforations in cell m's column; -1: none. */
static __device__ __forceinline__ int hp_brick_run(const hp_gh *A, int m) {
  return A->wells.nrun > 0 ? A->wells.d[m / A->nz] : -1;
}

static __device__ __forceinline__ void hp_brick_load_row(const hp_gh *A, const hp_brick_setup *s, int step,
                                                         hp_brick_row *row) {
  if ((unsigned)(step - s->delay) >= (unsigned)s->count) return;
  const int m = s->start + step * s->stride;
  row->block[0] = hp_brick_load_block(s->h + 2 * (int64_t)m, s->ld);
#pragma unroll
  for (int r = 0; r < 3; ++r) {
    row->block[1 + r] = hp_brick_load_block(s->below[r] + 2 * (int64_t)m, s->ld);
    row->block[4 + r] = hp_brick_load_block(s->above[r] + 2 * (int64_t)m, s->ld);
  }
  row->run = hp_brick_run(A, m);
}

template <typename REAL>
static __device__ __forceinline__ void hp_brick_put_block(REAL *to, hp_brick_block x) {
  if (sizeof(REAL) == sizeof(float)) {
    *(float4 *)to = make_float4((float)x.c0.x, (float)x.c0.y, (float)x.c1.x, (float)x.c1.y);
  } else {
    *(double2 *)to = x.c0;
    *((double2 *)to + 1) = x.c1;
  }
}

/* The blocks that cells above will want of a cell: A_n,above with the relaxed fill of hp_dilu_eliminate in its first
 * column; by march and sides. */
template <class ROW>
static __device__ __forceinline__ void hp_brick_fill(int march, double relaxation, const ROW *row, const bool *has,
                                                     hp_brick_block *e) {
#pragma unroll
  for (int r = 0; r < 3; ++r) e[r] = row->get(4 + r);
  if (!(relaxation > 0.0)) return;
  const hp_brick_axes<double2> c = hp_brick_axes_of(march, e[0].c0, e[1].c0, e[2].c0);
  const hp_brick_axes<bool> is = hp_brick_axes_of(march, has[0], has[1], has[2]);
  const auto add = [&](double2 to, bool there, double2 v) {
    return there ? make_double2(to.x + relaxation * v.x, to.y + relaxation * v.y) : to;
  };
  const double2 k = add(add(c.k, is.j, c.j), is.i, c.i), j = add(add(c.j, is.k, c.k), is.i, c.i),
                i = add(add(c.i, is.k, c.k), is.j, c.j);
  e[0].c0 = march == 0 ? k : march == 1 ? j : i;
  e[1].c0 = march == 0 ? j : k;
  e[2].c0 = march == 2 ? j : i;
}

/* Factorizes a cell; `inverse`: of the neighbours below on entry of [0..2], by march and sides, of the cell afterwards
 * in [0]; e as hp_brick_fill makes it, likewise. Its blocks go to `to`. */
template <typename REAL, class ROW>
static __device__ __forceinline__ bool hp_brick_factor(const hp_precond *P, const hp_gh *A, int m, const ROW *row,
                                                       const bool *below, const bool *above, hp_brick_block *inverse,
                                                       hp_brick_block *e, REAL *to) {
  const hp_dilu_bricks *B = &P->bricks;
  const int axis[3] = {B->march, B->side[0], B->side[1]};
  hp_brick_block block = row->get(0), fill[3];
  double d[4], x[4];
  if (row->run >= 0) {
    hp_block_diagonal(A, 2, m, d);
    block = {make_double2(d[0], d[1]), make_double2(d[2], d[3])};
  }
#pragma unroll
  for (int r = 0; r < 3; ++r)
    fill[r] = below[r] ? hp_brick_mul(hp_brick_mul(row->get(1 + r), inverse[r]), e[r]) : hp_brick_zero();
  const hp_brick_axes<hp_brick_block> f = hp_brick_axes_of(B->march, fill[0], fill[1], fill[2]);
  hp_brick_less(&block, f.i);
  hp_brick_less(&block, f.j);
  hp_brick_less(&block, f.k);
  d[0] = block.c0.x, d[1] = block.c0.y, d[2] = block.c1.x, d[3] = block.c1.y;
  const bool regular = hp_block_invert_pairs(d, x);
  inverse[0] = {make_double2(x[0], x[1]), make_double2(x[2], x[3])};
  hp_brick_fill(B->march, P->relaxation, row, above, e);
  hp_brick_put_block(to, inverse[0]);
#pragma unroll
  for (int r = 0; r < 3; ++r) {
    REAL *low = to + (1 + axis[r]) * (HP_BRICK_LANES * 4), *high = low + 3 * (HP_BRICK_LANES * 4);
    hp_brick_put_block(low, below[r] ? hp_brick_mul(inverse[0], row->get(1 + r)) : hp_brick_zero());
    hp_brick_put_block(high, above[r] ? hp_brick_mul(inverse[0], row->get(4 + r)) : hp_brick_zero());
  }
  return regular;
}

/* The rows of the next step are under way while a lane works on one: for few warps with many registers. What it needs
 * of the cells below is in its own registers and those of the lanes beside it. */
template <typename REAL>
static __device__ __noinline__ int64_t hp_dilu_bricks_factorize_pairs(const hp_team *t, const hp_precond *P,
                                                                      const hp_gh *A) {
  enum { SLOTS = 2 };
  const hp_dilu_bricks *B = &P->bricks;
  const int across = B->lanes[0], steps = B->steps;
  int64_t bad = -1;
  const hp_team_share part = hp_team_share_of(t, hp_dilu_bricks_count(B), A->rows, false);
  for (int64_t brick = part.begin + part.rank / HP_BRICK_LANES; brick < part.end; brick += part.size / HP_BRICK_LANES) {
    const hp_brick_line L = hp_brick_line_of(A, B, brick, t->rank % HP_BRICK_LANES);
    const hp_brick_setup s = hp_brick_setup_of(P, A, &L);
    REAL *pack = (REAL *)P->pack + L.place * 4;
    const int turn = hp_brick_turn(&L);
    hp_brick_block inverse[3], e[3];
    hp_brick_row row[SLOTS];
    inverse[0] = e[0] = e[1] = e[2] = hp_brick_zero();
    hp_brick_load_row(A, &s, 0, &row[0]);
    for (int base = 0; base < steps; base += SLOTS)
#pragma unroll
      for (int slot = 0; slot < SLOTS; ++slot) {
        const int step = base + slot, c = step - s.delay, m = s.start + step * s.stride;
        const bool below[3] = {c > 0, s.has_below[1], s.has_below[2]};
        const bool above[3] = {c + 1 < s.count, s.has_above[1], s.has_above[2]};
        hp_brick_load_row(A, &s, step + SLOTS - 1, &row[SLOTS - 1 - slot]);
        inverse[1] = hp_brick_block_up(inverse[0], 1);
        inverse[2] = hp_brick_block_up(inverse[0], across);
        e[1] = hp_brick_block_up(e[1], 1);
        e[2] = hp_brick_block_up(e[2], across);
        if ((unsigned)c >= (unsigned)s.count) continue;
        if (!hp_brick_factor(P, A, m, &row[slot], below, above, inverse, e,
                             pack + hp_brick_offset(step, turn, L.size)) &&
            (bad < 0 || m < bad))
          bad = m;
      }
  }
  return bad;
}

/* ---- setup, q = 2, rows on their way to shared memory ---- */

/* Asynchronous copies bring the row of the next step into shared memory, in kernels with few registers a thread. */
enum { HP_BRICK_SLOTS = 2, HP_BRICK_COLUMNS = HP_BRICK_CHIP / (2 * HP_BRICK_LANES * (int)sizeof(double2)) };
static_assert((int)HP_BRICK_COLUMNS == 2 * HP_DILU_BLOCKS, "a block has two columns");

static __device__ __forceinline__ void hp_brick_copy(double2 *to, const double *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from)
               : "memory");
}

/* Both columns of cell m's block, whose first is at `column`. */
static __device__ __forceinline__ void hp_brick_copy_block(double2 *to, const double *column, int64_t ld) {
  hp_brick_copy(to, column);
  hp_brick_copy(to + HP_BRICK_LANES, column + ld);
}

/* Asks for a lane's row of a step, and counts as one group of copies, also where there is none. */
static __device__ __forceinline__ int hp_brick_send_row(const hp_gh *A, const hp_brick_setup *s, int step,
                                                        double2 *to) {
  int run = -1;
  if ((unsigned)(step - s->delay) < (unsigned)s->count) {
    const int m = s->start + step * s->stride;
    hp_brick_copy_block(to, s->h + 2 * (int64_t)m, s->ld);
#pragma unroll
    for (int r = 0; r < 3; ++r) {
      hp_brick_copy_block(to + 2 * (1 + r) * HP_BRICK_LANES, s->below[r] + 2 * (int64_t)m, s->ld);
      hp_brick_copy_block(to + 2 * (4 + r) * HP_BRICK_LANES, s->above[r] + 2 * (int64_t)m, s->ld);
    }
    run = hp_brick_run(A, m);
  }
  asm volatile("cp.async.commit_group;" ::: "memory");
  return run;
}

/* The first `warps` warps of each block do it, with HP_BRICK_CHIP bytes of chip each. */
template <typename REAL>
static __device__ __noinline__ int64_t hp_dilu_bricks_factorize_on_chip(const hp_team *t, const hp_precond *P,
                                                                        const hp_gh *A, int warps, double2 *chip) {
  const hp_dilu_bricks *B = &P->bricks;
  const int across = B->lanes[0], steps = B->steps, warp = (int)(threadIdx.x / HP_BRICK_LANES);
  int64_t bad = -1;
  if (warp >= warps) return bad;
  double2 *own = chip + warp * (HP_BRICK_SLOTS * HP_BRICK_COLUMNS * HP_BRICK_LANES) + threadIdx.x % HP_BRICK_LANES;
  const hp_team_share part = hp_team_share_of(t, hp_dilu_bricks_count(B), A->rows, false);
  for (int64_t brick = part.begin + part.rank / HP_BRICK_LANES; brick < part.end; brick += warps * (int)gridDim.x) {
    const hp_brick_line L = hp_brick_line_of(A, B, brick, t->rank % HP_BRICK_LANES);
    const hp_brick_setup s = hp_brick_setup_of(P, A, &L);
    REAL *pack = (REAL *)P->pack + L.place * 4;
    const int turn = hp_brick_turn(&L);
    hp_brick_block inverse[3], e[3];
    inverse[0] = e[0] = e[1] = e[2] = hp_brick_zero();
    int next_run = hp_brick_send_row(A, &s, 0, own);
    for (int step = 0; step < steps; ++step) {
      const int c = step - s.delay, m = s.start + step * s.stride;
      const bool below[3] = {c > 0, s.has_below[1], s.has_below[2]};
      const bool above[3] = {c + 1 < s.count, s.has_above[1], s.has_above[2]};
      const hp_brick_row_on_chip row = {own + (step & 1) * (HP_BRICK_COLUMNS * HP_BRICK_LANES), next_run};
      next_run = hp_brick_send_row(A, &s, step + 1, own + (~step & 1) * (HP_BRICK_COLUMNS * HP_BRICK_LANES));
      asm volatile("cp.async.wait_group 1;" ::: "memory");
      inverse[1] = hp_brick_block_up(inverse[0], 1);
      inverse[2] = hp_brick_block_up(inverse[0], across);
      e[1] = hp_brick_block_up(e[1], 1);
      e[2] = hp_brick_block_up(e[2], across);
      if ((unsigned)c >= (unsigned)s.count) continue;
      if (!hp_brick_factor(P, A, m, &row, below, above, inverse, e, pack + hp_brick_offset(step, turn, L.size)) &&
          (bad < 0 || m < bad))
        bad = m;
    }
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  return bad;
}

static __device__ __forceinline__ int64_t hp_dilu_bricks_setup_on_chip_cuda(const hp_team *t, const hp_precond *P,
                                                                            const hp_gh *A, int warps, void *chip) {
  return P->precision == HP_PRECISION_SINGLE
             ? hp_dilu_bricks_factorize_on_chip<float>(t, P, A, warps, (double2 *)chip)
             : hp_dilu_bricks_factorize_on_chip<double>(t, P, A, warps, (double2 *)chip);
}

/* ---- setup ---- */

static __device__ __forceinline__ int64_t hp_dilu_bricks_setup_cuda(hp_team *t, const hp_precond *P, const hp_gh *A) {
  const bool single = P->precision == HP_PRECISION_SINGLE;
  if (A->q == 2)
    return single ? hp_dilu_bricks_factorize_pairs<float>(t, P, A) : hp_dilu_bricks_factorize_pairs<double>(t, P, A);
  return single ? hp_dilu_bricks_factorize<float>(t, P, A) : hp_dilu_bricks_factorize<double>(t, P, A);
}

#endif
