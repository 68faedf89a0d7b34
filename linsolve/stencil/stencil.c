#include "linsolve/stencil/stencil.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- dependence graphs ---- */

static const struct {
  const char *name;
  int most; /* numbers of an offset that are not 0 */
} kinds[HP_STENCIL_COUNT] = {{"star-7", 1}, {"box-27", 3}};

const char *hp_stencil_name(hp_stencil_kind kind) {
  return (unsigned)kind < HP_STENCIL_COUNT ? kinds[kind].name : "unknown";
}

hp_stencil hp_stencil_of(hp_stencil_kind kind) {
  hp_stencil S = {.name = kinds[kind].name};
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      for (int k = -1; k <= 1; ++k) {
        if (i * i + j * j + k * k > kinds[kind].most) continue;
        const int8_t offset[3] = {(int8_t)i, (int8_t)j, (int8_t)k};
        for (int d = 0; d < 3; ++d) S.offset[S.count][d] = offset[d];
        S.count += 1;
      }
  return S;
}

hp_stencil_family hp_stencil_family_of(const hp_gh *A) {
  return (hp_stencil_family){.stencil = hp_stencil_of(HP_STENCIL_STAR_7),
                             .nx = A->nx,
                             .ny = A->ny,
                             .nz = A->nz,
                             .q = A->q,
                             .nwell = A->wells.nwell,
                             .listed = A->wells.nwell > 0 || hp_gh_is_linked(A)};
}

int64_t hp_stencil_shift(const hp_stencil_family *F, int u) {
  const int8_t *o = F->stencil.offset[u];
  return o[2] + (int64_t)F->nz * (o[1] + (int64_t)F->ny * o[0]);
}

bool hp_stencil_exists(const hp_stencil_family *F, int u) {
  const int length[3] = {F->nx, F->ny, F->nz};
  for (int d = 0; d < 3; ++d)
    if (F->stencil.offset[u][d] != 0 && length[d] == 1) return false;
  return true;
}

void hp_stencil_cells(const hp_stencil_family *F, int u, int64_t *begin, int64_t *end) {
  const int64_t ncell = (int64_t)F->nx * F->ny * F->nz, shift = hp_stencil_shift(F, u);
  *begin = *end = 0;
  if (!hp_stencil_exists(F, u)) return;
  *begin = shift < 0 ? -shift : 0;
  *end = shift > 0 ? ncell - shift : ncell;
  if (*end < *begin) *begin = *end = 0;
}

/* ---- constants ---- */

/* A text that grows in [size] bytes. */
typedef struct {
  char *at;
  size_t left;
  bool full;
} text;

static void add(text *T, const char *format, ...) HP_PRINTF(2, 3);
static void add(text *T, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(T->at, T->left, format, args);
  va_end(args);
  if (n < 0 || (size_t)n >= T->left) {
    T->full = true;
    return;
  }
  T->at += n;
  T->left -= (size_t)n;
}

static void add_diagonals(text *T, const hp_stencil_family *F) {
  const int count = F->stencil.count;
  add(T, "/*  u  offset (i, j, k)  shift  cells\n");
  for (int u = 0; u < count; ++u) {
    const int8_t *o = F->stencil.offset[u];
    int64_t begin, end;
    hp_stencil_cells(F, u, &begin, &end);
    add(T, "   %2d  %2d %2d %2d  %lld  ", u, o[0], o[1], o[2], (long long)hp_stencil_shift(F, u));
    if (begin < end) add(T, "%lld .. %lld\n", (long long)begin, (long long)end - 1);
    else add(T, "none\n");
  }
  add(T, "*/\n#define HP_CONSTANT_DIAGS %d\n#define HP_CONSTANT_SHIFTS {", count);
  for (int u = 0; u < count; ++u) add(T, "%s%lld", u > 0 ? ", " : "", (long long)hp_stencil_shift(F, u));
  add(T, "}\n#define HP_CONSTANT_EXISTS {");
  for (int u = 0; u < count; ++u) add(T, "%s%s", u > 0 ? ", " : "", hp_stencil_exists(F, u) ? "true" : "false");
  add(T, "}\n");
}

hp_status hp_stencil_constants(const hp_stencil_family *F, const char *more, char *out, size_t size) {
  const int64_t ncell = (int64_t)F->nx * F->ny * F->nz, rows = ncell * F->q;
  text T = {out, size, false};
  add(&T, "/* %s on %d x %d x %d cells, q = %d, %d wells */\n#pragma once\n", F->stencil.name, F->nx, F->ny, F->nz,
      F->q, F->nwell);
  add(&T, "#define HP_CONSTANT_NX %d\n#define HP_CONSTANT_NY %d\n#define HP_CONSTANT_NZ %d\n#define HP_CONSTANT_Q %d\n",
      F->nx, F->ny, F->nz, F->q);
  add(&T, "#define HP_CONSTANT_NCELL %lldl\n#define HP_CONSTANT_ROWS %lldl\n#define HP_CONSTANT_N %lldl\n",
      (long long)ncell, (long long)rows, (long long)rows + F->nwell);
  add(&T, "#define HP_CONSTANT_NWELL %d\n#define HP_CONSTANT_LISTED %s\n", F->nwell, F->listed ? "true" : "false");
  add_diagonals(&T, F);
  add(&T, "%s", more);
  return T.full ? hp_fail(HP_ERR_INTERNAL, "no room for the constants of a stencil in %zu bytes", size) : HP_OK;
}
