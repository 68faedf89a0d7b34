#include "linsolve/precond.h"

#include <string.h>

#include "core/memory.h"

static int64_t element_size(const hp_precond *P) {
  return P->precision == HP_PRECISION_SINGLE ? (int64_t)sizeof(float) : (int64_t)sizeof(double);
}

hp_status hp_precond_create(const hp_gh *A, hp_precond_kind kind, hp_ordering ordering, hp_precision precision,
                            const hp_precond_custom *custom, hp_precond **out) {
  *out = NULL;
  hp_precond *P = NULL;
  HP_TRY(HP_ALLOC(P, 1));
  P->kind = custom != NULL ? HP_PRECOND_NONE : kind;
  P->ordering = ordering;
  P->precision = precision;
  P->custom = custom;
  const int64_t blocks = A->ncell * A->q * A->q;
  hp_status s = HP_OK;
  if (P->kind == HP_PRECOND_JACOBI) s = HP_ALLOC(P->inverse, A->ncell * A->q);
  if (P->kind == HP_PRECOND_BLOCK_JACOBI || P->kind == HP_PRECOND_DILU) s = HP_ALLOC(P->inverse, blocks);
  if (s == HP_OK && P->kind == HP_PRECOND_DILU)
    s = hp_alloc(&P->pack, HP_GH_DIAGS * blocks, (size_t)element_size(P), "packed blocks of the preconditioner");
  if (s == HP_OK && P->kind == HP_PRECOND_DILU) s = HP_ALLOC(P->zero, (int64_t)A->nz * A->q);
  if (s != HP_OK) hp_precond_destroy(&P);
  *out = P;
  return s;
}

void hp_precond_destroy(hp_precond **slot) {
  if (slot == NULL || *slot == NULL) return;
  HP_FREE((*slot)->inverse);
  HP_FREE((*slot)->pack);
  HP_FREE((*slot)->zero);
  HP_FREE(*slot);
}

/* Bytes of the numbers that an application reads; DILU's inverse blocks serve its setup only. */
static int64_t applied_bytes(const hp_precond *P, const hp_gh *A) {
  const int64_t blocks = A->ncell * A->q * A->q;
  switch (P->kind) {
  case HP_PRECOND_JACOBI: return A->ncell * A->q * (int64_t)sizeof(double);
  case HP_PRECOND_BLOCK_JACOBI: return blocks * (int64_t)sizeof(double);
  case HP_PRECOND_DILU: return HP_GH_DIAGS * blocks * element_size(P);
  case HP_PRECOND_NONE:
  case HP_PRECOND_COUNT: break;
  }
  return 0;
}

int64_t hp_precond_bytes(const hp_precond *P, const hp_gh *A) {
  const int64_t setup_only =
      P->kind == HP_PRECOND_DILU ? (A->ncell * A->q * A->q + (int64_t)A->nz * A->q) * (int64_t)sizeof(double) : 0;
  return applied_bytes(P, A) + setup_only;
}

int64_t hp_precond_apply_bytes(const hp_precond *P, const hp_gh *A) {
  if (P->kind == HP_PRECOND_NONE) return 0;
  const int64_t wells = A->wells.nperf * A->q * (int64_t)sizeof(double);
  const int64_t passes = P->kind == HP_PRECOND_DILU && P->ordering == HP_ORDER_NATURAL ? 4 : 2; /* r, y, y, z */
  return applied_bytes(P, A) + wells + passes * A->n * (int64_t)sizeof(double);
}

/* ---- names -------------------------------------------------------------------- */

static const char *const precond_names[] = {
#define HP_PRECOND_TEXT(name, text, setup, apply) text,
    HP_PRECOND_LIST(HP_PRECOND_TEXT)
#undef HP_PRECOND_TEXT
};
static const char *const ordering_names[] = {"natural", "red-black"};
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
