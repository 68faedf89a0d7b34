/* The list of a cycle's passes, written by the host when the levels are prepared, and the image of the levels on chip
 * (amg/cycle/program.h). The order of passes is that of hp_amg_run in amg/cycle/real.inl.h. */
#include <string.h>

#include "amg/cycle/cuda/cycle.cuh"
#include "amg/cycle/form.inl.h"
#include "core/memory.h"

static hp_status grow(hp_amg_device_cycle *C) {
  hp_amg_pass *list = NULL;
  const int room = C->room > 0 ? 2 * C->room : 64;
  HP_TRY(HP_ALLOC(list, room));
  if (C->count > 0) memcpy(list, C->list, (size_t)C->count * sizeof *list);
  HP_FREE(C->list);
  C->list = list;
  C->room = room;
  return HP_OK;
}

hp_amg_pass hp_amg_pass_of(int what, int kind, const void *from, void *out, int64_t n) {
  hp_amg_pass p;
  memset(&p, 0, sizeof p);
  p.what = what;
  p.kind = kind;
  p.from = from;
  p.out = out;
  p.n = n;
  return p;
}

hp_status hp_amg_add_pass(hp_amg_device_cycle *C, hp_amg_pass p) {
  if (C->count == C->room) HP_TRY(grow(C));
  C->list[C->count++] = p;
  return HP_OK;
}

hp_amg_pass hp_amg_pass_of_level(const hp_amg_device_cycle *C, int l, int kind, const void *from, void *out) {
  const hp_amg_level *L = &C->host.H.level[l];
  const int what = L->finest.A != NULL ? HP_AMG_PASS_FINEST : HP_AMG_PASS_ROWS;
  hp_amg_pass p = hp_amg_pass_of(what, kind, from, out, hp_amg_cycle_rows(C, l));
  p.rows = L->a;
  p.s = L->smooth.scale;
  return p;
}

hp_status hp_amg_add_residual(hp_amg_device_cycle *C, int l, const void *b, const void *x) {
  hp_amg_pass p = hp_amg_pass_of_level(C, l, HP_AMG_FORM_RESIDUAL, x, C->host.H.level[l].y);
  p.b = b;
  return hp_amg_add_pass(C, p);
}

hp_status hp_amg_add_sum(hp_amg_device_cycle *C, const void *x, const void *from, const int32_t *own, void *out,
                         int64_t n) {
  hp_amg_pass p = hp_amg_pass_of(HP_AMG_PASS_SUM, HP_AMG_FORM_PRODUCT, from, out, n);
  p.x = x;
  p.own = own;
  return hp_amg_add_pass(C, p);
}

/* The next level's b and x as level l's passes know them: of the first level on chip those in the device's memory,
 * whose place the passes' level has taken. */
static const hp_amg_level *below(const hp_amg_device_cycle *C, int l) {
  return l + 1 == C->host.H.chip_level ? &C->near[l + 1] : &C->host.H.level[l + 1];
}

static hp_status solve_last(hp_amg_device_cycle *C, int l, const void *b, void *x) {
  const int64_t n = hp_amg_cycle_rows(C, l);
  if (C->host.H.inverse != NULL) {
    hp_amg_pass p = hp_amg_pass_of(HP_AMG_PASS_INVERSE, HP_AMG_FORM_PRODUCT, b, x, n);
    p.s = C->near_inverse;
    return hp_amg_add_pass(C, p);
  }
  hp_amg_device_iterate v = {x, C->host.H.level[l].z, HP_AMG_ZERO, HP_AMG_ZERO};
  for (int k = 0; k < HP_AMG_SWEEPS_LAST; ++k) HP_TRY(hp_amg_cycle_smoother(C)->sweep(C, l, k % 2 == 0, b, &v));
  return v.x == x ? HP_OK : hp_amg_add_sum(C, NULL, v.x, NULL, x, n);
}

static hp_status descend(hp_amg_device_cycle *C, int l, const void *b, hp_amg_device_iterate *v) {
  const hp_amg_level *L = &C->host.H.level[l];
  const void *r = b;
  for (int n = 0; n < C->host.H.opt.pre; ++n) HP_TRY(hp_amg_cycle_smoother(C)->sweep(C, l, true, b, v));
  if (v->state != HP_AMG_ZERO) {
    const bool scaled = v->state == HP_AMG_SCALED;
    hp_amg_pass p = hp_amg_pass_of_level(C, l, HP_AMG_FORM_RESIDUAL, scaled ? b : v->x, v->other);
    p.scale_from = scaled ? L->smooth.scale : NULL;
    p.b = b;
    r = v->other;
    HP_TRY(hp_amg_add_pass(C, p));
  }
  hp_amg_pass p = hp_amg_pass_of(HP_AMG_PASS_ROWS, HP_AMG_FORM_PRODUCT, r, below(C, l)->b, hp_amg_cycle_rows(C, l + 1));
  p.rows = L->r;
  return hp_amg_add_pass(C, p);
}

static hp_status ascend(hp_amg_device_cycle *C, int l, const void *b, void *x, hp_amg_device_iterate *v) {
  const hp_amg_level *L = &C->host.H.level[l];
  const int by_smoother = hp_amg_cycle_smoother(C)->moves;
  const int moves = by_smoother == HP_AMG_BY_ORDER ? C->host.H.opt.order : by_smoother;
  const bool away = C->host.H.opt.post * moves % 2 != 0;
  hp_amg_pass p = hp_amg_pass_of(HP_AMG_PASS_ROWS, HP_AMG_FORM_CORRECT, below(C, l)->x, away ? L->z : x,
                                 hp_amg_cycle_rows(C, l));
  p.rows = L->p;
  p.x_state = v->state;
  p.x = v->x;
  p.s = L->smooth.scale;
  p.b = b;
  HP_TRY(hp_amg_add_pass(C, p));
  v->x = p.out;
  v->other = away ? x : L->z;
  v->state = HP_AMG_STORED;
  const int before = C->count;
  for (int n = 0; n < C->host.H.opt.post; ++n) HP_TRY(hp_amg_cycle_smoother(C)->sweep(C, l, false, b, v));
  if (C->host.H.opt.post > 0) C->sweep_passes[l] = (C->count - before) / C->host.H.opt.post;
  return HP_OK;
}

static hp_status visit(hp_amg_device_cycle *C, int l, hp_amg_cycle_kind kind, int state, const void *b, void *x);

/* A visit of level l from zero and, if W and F cycles go there again before they leave the level above, the next. */
static hp_status visits(hp_amg_device_cycle *C, int l, hp_amg_cycle_kind kind, bool again, const void *b, void *x) {
  HP_TRY(visit(C, l, kind, HP_AMG_ZERO, b, x));
  return again ? visit(C, l, kind == HP_AMG_W ? HP_AMG_W : HP_AMG_V, HP_AMG_STORED, b, x) : HP_OK;
}

template <class T>
static void exchange(T *a, T *b) {
  const T c = *a;
  *a = *b;
  *b = c;
}

/* From the list of all to that on chip, and back. */
static void exchange_lists(hp_amg_device_cycle *C) {
  exchange(&C->list, &C->chip_list);
  exchange(&C->count, &C->chip_count);
  exchange(&C->room, &C->chip_list_room);
}

/* The visits of the first level on chip as one pass; b and x in the device's memory. */
static hp_status visits_on_chip(hp_amg_device_cycle *C, hp_amg_cycle_kind kind, bool again, const void *b, void *x) {
  const int l = C->host.H.chip_level;
  const hp_amg_level *L = &C->host.H.level[l];
  int *segment = C->segment[2 * (int)kind + (again ? 1 : 0)];
  if (segment[0] < 0) {
    exchange_lists(C);
    segment[0] = C->count;
    const hp_status s = visits(C, l, kind, again, L->b, L->x);
    segment[1] = C->count;
    exchange_lists(C);
    HP_TRY(s);
  }
  hp_amg_pass p = hp_amg_pass_of(HP_AMG_PASS_CHIP, HP_AMG_FORM_PRODUCT, b, x, hp_amg_cycle_rows(C, l));
  p.b = L->b;
  p.x = L->x;
  p.begin = segment[0];
  p.end = segment[1];
  return hp_amg_add_pass(C, p);
}

/* A visit of level l whose x is zero or stored. */
static hp_status visit(hp_amg_device_cycle *C, int l, hp_amg_cycle_kind kind, int state, const void *b, void *x) {
  const hp_amg *H = &C->host.H;
  const hp_amg_level *N = below(C, l);
  const bool again = kind != HP_AMG_V && l + 2 < H->nlevel;
  if (l + 1 == H->nlevel) return solve_last(C, l, b, x);
  hp_amg_device_iterate v = {x, H->level[l].z, state, HP_AMG_ZERO};
  HP_TRY(descend(C, l, b, &v));
  HP_TRY(l + 1 == H->chip_level ? visits_on_chip(C, kind, again, N->b, N->x)
                                : visits(C, l + 1, kind, again, N->b, N->x));
  return ascend(C, l, b, x, &v);
}

/* The lists, with the levels from H.chip_level on as they are on chip. */
static hp_status write_passes(hp_amg_device_cycle *C) {
  hp_amg *H = &C->host.H;
  const bool single = H->opt.precision == HP_PRECISION_SINGLE;
  const hp_amg_level *L = H->chip_level == 0 ? &C->near[0] : &H->level[0];
  void *b = single ? L->b : HP_AMG_CYCLES_B, *x = single ? L->x : HP_AMG_CYCLES_X;
  const hp_amg_pass in = hp_amg_pass_of(HP_AMG_PASS_IN, HP_AMG_FORM_PRODUCT, NULL, b, hp_amg_cycle_rows(C, 0));
  const hp_amg_pass out = hp_amg_pass_of(HP_AMG_PASS_OUT, HP_AMG_FORM_PRODUCT, x, NULL, hp_amg_cycle_rows(C, 0));
  C->count = C->chip_count = 0;
  memset(C->segment, -1, sizeof C->segment);
  if (single) HP_TRY(hp_amg_add_pass(C, in));
  HP_TRY(H->chip_level == 0 ? visits_on_chip(C, H->opt.cycle, false, b, x)
                            : visit(C, 0, H->opt.cycle, HP_AMG_ZERO, b, x));
  return single ? hp_amg_add_pass(C, out) : HP_OK;
}

/* ---- levels on chip ---- */

/* Room for `count` of so many bytes; returns the distance. */
static void *place(hp_amg_device_cycle *C, int64_t count, int64_t bytes) {
  void *at = (void *)(uintptr_t)C->chip_bytes;
  C->chip_bytes += (count * bytes + 15) / 16 * 16;
  return at;
}

/* The same for a piece of the image. */
static void *piece(hp_amg_device_cycle *C, int kind, const void *from, int64_t count) {
  static const int wide[] = {4, 2, 0, 0, 8};
  void *at = place(C, count, wide[kind] > 0 ? wide[kind] : hp_amg_cycle_real_bytes(C));
  const hp_amg_chip_piece p = {from, kind, (int32_t)(uintptr_t)at, (int32_t)count};
  C->piece[C->pieces++] = p;
  return at;
}

/* The rows of A; as many lanes a row as there are threads. */
static hp_amg_rows near_rows(hp_amg_device_cycle *C, const hp_device_csr *A) {
  hp_amg_rows R;
  memset(&R, 0, sizeof R);
  R.nrow = A->at.nrow;
  while (R.lanes < 5 && (int64_t)R.nrow << (R.lanes + 1) <= HP_BLOCK_MAX) R.lanes += 1;
  R.begin = (int32_t *)piece(C, HP_AMG_CHIP_INT32, A->at.begin, (int64_t)R.nrow + 1);
  R.column = (int32_t *)piece(C, HP_AMG_CHIP_UINT16, A->at.column, A->count);
  R.value = piece(C, HP_AMG_CHIP_NUMBERS, A->at.value, A->count);
  return R;
}

static void near_level(hp_amg_device_cycle *C, const hp_amg_device *H, int l) {
  const hp_amg_device_level *from = hp_amg_device_get_level(H, l);
  const hp_amg_device_direct *direct = hp_amg_device_get_direct(H);
  const hp_amg_level *L = &C->host.H.level[l];
  hp_amg_level *N = &C->near[l];
  memset(N, 0, sizeof *N);
  if (l + 1 == C->host.H.nlevel && direct != NULL) {
    C->near_inverse = piece(C, HP_AMG_CHIP_DOUBLES, direct->inverse, (int64_t)direct->n * direct->n);
    return;
  }
  N->a = near_rows(C, &from->A);
  N->smooth.scale = piece(C, HP_AMG_CHIP_REALS, L->smooth.scale, from->A.at.nrow);
  if (L->smooth.coefficient != NULL) /* of a polynomial */
    N->smooth.coefficient = (double *)piece(C, HP_AMG_CHIP_DOUBLES, L->smooth.coefficient, 2 * HP_AMG_ORDER_MAX);
  if (l + 1 == C->host.H.nlevel) return;
  N->p = near_rows(C, &from->P);
  N->r = near_rows(C, &from->R);
}

/* The levels from H.chip_level on, behind a list of so many passes, and the lists. */
static hp_status write_program(hp_amg_device_cycle *C, const hp_amg_device *H, int passes) {
  const int first = C->host.H.chip_level, nlevel = C->host.H.nlevel;
  C->chip_bytes = HP_AMG_CHIP_LIST;
  place(C, passes, sizeof(hp_amg_pass));
  C->pieces = 0;
  C->near_inverse = NULL;
  for (int l = first; l < nlevel; ++l) near_level(C, H, l);
  C->host.H.chip_bytes = first < nlevel ? (int32_t)C->chip_bytes : 0;
  for (int l = first; l < nlevel; ++l) {
    const int64_t n = hp_amg_cycle_rows(C, l), bytes = hp_amg_cycle_real_bytes(C);
    C->near[l].b = place(C, n, bytes);
    C->near[l].x = place(C, n, bytes);
    if (!hp_amg_smoother_is_diagonal(C->host.H.opt.smoother)) C->near[l].y = place(C, n, bytes);
    C->near[l].z = place(C, n, bytes);
  }
  for (int l = first; l < nlevel; ++l) exchange(&C->host.H.level[l], &C->near[l]);
  const hp_status s = write_passes(C);
  for (int l = first; l < nlevel; ++l) exchange(&C->host.H.level[l], &C->near[l]);
  return s;
}

/* Whether level l could be on chip at all: columns of 16 bits. */
static bool may_fit(const hp_amg_device_cycle *C, const hp_amg_device *H, int l) {
  const hp_device_csr *A = &hp_amg_device_get_level(H, l)->A;
  return A->at.nrow <= UINT16_MAX && A->count * (2 + hp_amg_cycle_real_bytes(C)) < C->chip_room;
}

/* As many levels as fit. */
static hp_status choose_levels(hp_amg_device_cycle *C, const hp_amg_device *H) {
  hp_amg *to = &C->host.H;
  for (to->chip_level = 0; to->chip_level < to->nlevel; ++to->chip_level) {
    if (!may_fit(C, H, to->chip_level)) continue;
    HP_TRY(write_program(C, H, 0)); /* how many passes there are does not depend on where things stand */
    HP_TRY(write_program(C, H, C->chip_count));
    if (C->chip_bytes <= C->chip_room) return HP_OK;
  }
  return write_program(C, H, 0);
}

/* Lists, pieces and an empty image in the device's memory. */
static hp_status upload(hp_amg_device_cycle *C) {
  hp_amg *H = &C->host.H;
  hp_amg_pass *list = NULL;
  hp_amg_chip_piece *pieces = NULL;
  unsigned char *image = NULL;
  HP_TRY(HP_TAKE(&C->S.keep, list, C->count));
  H->program = list;
  H->passes = C->count;
  HP_TRY(hp_device_upload(C->D, list, C->list, C->count * (int64_t)sizeof *list));
  H->chip_pieces = C->pieces;
  if (C->pieces == 0) return HP_OK;
  HP_TRY(HP_TAKE(&C->S.keep, pieces, C->pieces));
  HP_TRY(HP_TAKE(&C->S.keep, image, H->chip_bytes));
  H->chip_piece = pieces;
  H->chip = image;
  HP_TRY(hp_device_upload(C->D, pieces, C->piece, C->pieces * (int64_t)sizeof *pieces));
  return hp_device_upload(C->D, image + HP_AMG_CHIP_LIST, C->chip_list, C->chip_count * (int64_t)sizeof *C->chip_list);
}

hp_status hp_amg_cycle_write_program(hp_amg_device_cycle *C, const hp_amg_device *H) {
  HP_TRY(choose_levels(C, H));
  return upload(C);
}
