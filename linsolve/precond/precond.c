#include "linsolve/precond/precond.h"

#include <string.h>

#include "core/memory.h"
#include "core/show.h"

static hp_precond_storage storage_of(hp_precond_kind kind) {
  static const hp_precond_storage storage[] = {
#define HP_PRECOND_STORAGE(name, text, storage, setup, apply, transposed) HP_STORES_##storage,
      HP_PRECOND_LIST(HP_PRECOND_STORAGE)
#undef HP_PRECOND_STORAGE
  };
  return (unsigned)kind < HP_PRECOND_COUNT ? storage[kind] : HP_STORES_NOTHING;
}

int64_t hp_precond_inverse_bytes(hp_precond_kind kind, int q) {
  const hp_precond_storage s = storage_of(kind);
  return s == HP_STORES_NOTHING ? 0 : (s == HP_STORES_DIAGONAL ? q : q * q) * (int64_t)sizeof(double);
}

int64_t hp_precond_pack_bytes(hp_precond_kind kind, hp_precision precision, int q) {
  const size_t element = precision == HP_PRECISION_SINGLE ? sizeof(float) : sizeof(double);
  return storage_of(kind) == HP_STORES_PACK ? HP_GH_DIAGS * q * q * (int64_t)element : 0;
}

/* A preconditioner with a pack applies only the pack; its inverse blocks serve the setup. */
int64_t hp_precond_apply_bytes(const hp_gh *A, hp_precond_kind kind, hp_ordering ordering, hp_precision precision) {
  const int64_t word = sizeof(double), pack = hp_precond_pack_bytes(kind, precision, A->q);
  const int64_t cell = pack > 0 ? pack : hp_precond_inverse_bytes(kind, A->q);
  const bool twice = pack > 0 && ordering != HP_ORDER_RED_BLACK;
  if (cell == 0) return 0;
  return A->ncell * cell + (twice ? 4 : 2) * A->n * word + A->wells.nperf * A->q * word;
}

static hp_status allocate(hp_precond *P, const hp_gh *A) {
  const int64_t inverse = A->ncell * hp_precond_inverse_bytes(P->kind, A->q);
  const int64_t pack = A->ncell * hp_precond_pack_bytes(P->kind, P->precision, A->q);
  const int64_t zero = pack > 0 ? (int64_t)A->nz * A->q : 0;
  if (inverse == 0) return HP_OK;
  HP_TRY(HP_ALLOC(P->inverse, inverse / (int64_t)sizeof *P->inverse));
  HP_TRY(hp_alloc(&P->pack, pack, 1, "packed blocks of the preconditioner"));
  HP_TRY(HP_ALLOC(P->zero, zero));
  HP_TRY(HP_ALLOC(P->idle, zero > 0 ? (int64_t)A->nx * A->ny : 0));
  P->bytes = inverse + pack + zero * (int64_t)sizeof *P->zero;
  P->apply_bytes = hp_precond_apply_bytes(A, P->kind, P->ordering, P->precision);
  return HP_OK;
}

/* A ring of ghosts before the first cells has negative places: a multiple is added. */
hp_dilu_bricks hp_precond_bricks(const hp_gh *A) {
  const hp_part *p = A->part;
  const int n[3] = {A->nz, A->ny, A->nx};
  if (p == NULL) return hp_dilu_bricks_of(A->nx, A->ny, A->nz);
  hp_dilu_bricks b = hp_dilu_bricks_of(p->size[2], p->size[1], p->size[0]);
  for (int axis = 0; axis < 3; ++axis) {
    b.first[axis] = (p->first[axis] % b.size[axis] + b.size[axis]) % b.size[axis];
    b.count[axis] = (b.first[axis] + n[axis] + b.size[axis] - 1) / b.size[axis];
  }
  return b;
}

hp_status hp_precond_create(const hp_gh *A, hp_precond_kind kind, hp_ordering ordering, hp_precision precision,
                            double relaxation, const hp_precond_external *external, hp_precond **out) {
  *out = NULL;
  hp_precond *P = NULL;
  HP_TRY(HP_ALLOC(P, 1));
  P->kind = external != NULL ? HP_PRECOND_NONE : kind;
  P->ordering = ordering;
  P->precision = precision;
  P->relaxation = relaxation;
  P->external = external;
  P->bricks = hp_precond_bricks(A);
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
#define HP_PRECOND_TEXT(name, text, storage, setup, apply, transposed) text,
    HP_PRECOND_LIST(HP_PRECOND_TEXT)
#undef HP_PRECOND_TEXT
};
static const char *const ordering_names[] = {"natural", "red-black", "bricks"};
static const char *const precision_names[] = {"double", "single"};

HP_WORD_OF(hp_precond_name, hp_precond_kind, precond_names)
HP_WORD_OF(hp_ordering_name, hp_ordering, ordering_names)
HP_WORD_OF(hp_precision_name, hp_precision, precision_names)
HP_WORD_FIND(hp_precision_find, hp_precision, precision_names)
