#include "linsolve/precond/precond.h"

#include <string.h>

#include "core/memory.h"

int64_t hp_precond_apply_bytes(const hp_gh *A, hp_precond_kind kind, hp_ordering ordering, hp_precision precision) {
  const int64_t blocks = A->ncell * A->q * A->q, word = sizeof(double);
  const int64_t element = precision == HP_PRECISION_SINGLE ? (int64_t)sizeof(float) : word;
  const bool dilu = kind == HP_PRECOND_DILU, twice = dilu && ordering != HP_ORDER_RED_BLACK;
  if (kind == HP_PRECOND_NONE || kind == HP_PRECOND_COUNT) return 0;
  const int64_t own = dilu                        ? HP_GH_DIAGS * blocks * element
                      : kind == HP_PRECOND_JACOBI ? A->ncell * A->q * word
                                                  : blocks * word;
  return own + (twice ? 4 : 2) * A->n * word + A->wells.nperf * A->q * word;
}

/* The inverse blocks serve DILU's setup only; it applies the pack. */
static hp_status allocate(hp_precond *P, const hp_gh *A) {
  const int64_t blocks = A->ncell * A->q * A->q;
  const size_t element = P->precision == HP_PRECISION_SINGLE ? sizeof(float) : sizeof(double);
  int64_t inverse = 0, pack = 0, zero = 0;
  switch (P->kind) {
    case HP_PRECOND_JACOBI: inverse = A->ncell * A->q; break;
    case HP_PRECOND_BLOCK_JACOBI: inverse = blocks; break;
    case HP_PRECOND_DILU:
      inverse = blocks;
      pack = HP_GH_DIAGS * blocks;
      zero = (int64_t)A->nz * A->q;
      break;
    case HP_PRECOND_NONE:
    case HP_PRECOND_COUNT: return HP_OK;
  }
  HP_TRY(HP_ALLOC(P->inverse, inverse));
  HP_TRY(hp_alloc(&P->pack, pack, element, "packed blocks of the preconditioner"));
  HP_TRY(HP_ALLOC(P->zero, zero));
  HP_TRY(HP_ALLOC(P->idle, zero > 0 ? (int64_t)A->nx * A->ny : 0));
  P->bytes = (inverse + zero) * (int64_t)sizeof(double) + pack * (int64_t)element;
  P->apply_bytes = hp_precond_apply_bytes(A, P->kind, P->ordering, P->precision);
  return HP_OK;
}

hp_status hp_precond_create(const hp_gh *A, hp_precond_kind kind, hp_ordering ordering, hp_precision precision,
                            double relaxation, const hp_precond_custom *custom, hp_precond **out) {
  *out = NULL;
  hp_precond *P = NULL;
  HP_TRY(HP_ALLOC(P, 1));
  P->kind = custom != NULL ? HP_PRECOND_NONE : kind;
  P->ordering = ordering;
  P->precision = precision;
  P->relaxation = relaxation;
  P->custom = custom;
  P->bricks = hp_dilu_bricks_of(A->nx, A->ny, A->nz);
  const hp_status s = allocate(P, A);
  if (s != HP_OK) hp_precond_destroy(&P);
  *out = P;
  return s;
}

void hp_precond_destroy(hp_precond **slot) {
  if (slot == NULL || *slot == NULL) return;
  HP_FREE((*slot)->inverse);
  HP_FREE((*slot)->pack);
  HP_FREE((*slot)->zero);
  HP_FREE((*slot)->idle);
  HP_FREE(*slot);
}

/* ---- names ---- */

static const char *const precond_names[] = {
#define HP_PRECOND_TEXT(name, text, setup, apply, transposed) text,
    HP_PRECOND_LIST(HP_PRECOND_TEXT)
#undef HP_PRECOND_TEXT
};
static const char *const ordering_names[] = {"natural", "red-black", "bricks"};
static const char *const precision_names[] = {"double", "single"};

/* Index of `name` in list, -1 if it is not there. */
static int find(const char *const *list, int count, const char *name) {
  for (int n = 0; n < count; ++n)
    if (strcmp(list[n], name) == 0) return n;
  return -1;
}

const char *hp_precond_name(hp_precond_kind k) { return (unsigned)k < HP_PRECOND_COUNT ? precond_names[k] : "unknown"; }

const char *hp_ordering_name(hp_ordering o) { return (unsigned)o < HP_ORDER_COUNT ? ordering_names[o] : "unknown"; }

const char *hp_precision_name(hp_precision p) {
  return (unsigned)p < HP_PRECISION_COUNT ? precision_names[p] : "unknown";
}

bool hp_precond_find(const char *name, hp_precond_kind *k) {
  const int n = find(precond_names, HP_PRECOND_COUNT, name);
  if (n >= 0) *k = (hp_precond_kind)n;
  return n >= 0;
}

bool hp_ordering_find(const char *name, hp_ordering *o) {
  const int n = find(ordering_names, HP_ORDER_COUNT, name);
  if (n >= 0) *o = (hp_ordering)n;
  return n >= 0;
}

bool hp_precision_find(const char *name, hp_precision *p) {
  const int n = find(precision_names, HP_PRECISION_COUNT, name);
  if (n >= 0) *p = (hp_precision)n;
  return n >= 0;
}
