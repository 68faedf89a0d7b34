#include "linsolve/precond/device.h"

#include <string.h>

/* hp_precond.pack [7][places][q*q]: red-black stores the cells of each colour per column; bricks need padding. */
int64_t hp_precond_device_places(hp_ordering ordering, int nx, int ny, int nz) {
  const hp_dilu_bricks bricks = hp_dilu_bricks_of(nx, ny, nz);
  return ordering == HP_ORDER_BRICKS ? hp_dilu_bricks_places(&bricks) : 2 * (int64_t)nx * ny * ((nz + 1) / 2);
}

int64_t hp_precond_device_pack_bytes(const hp_gh *A, hp_precond_kind kind, hp_ordering ordering,
                                     hp_precision precision) {
  const hp_dilu_bricks bricks = hp_precond_bricks(A);
  const int64_t places = ordering == HP_ORDER_BRICKS ? hp_dilu_bricks_places(&bricks)
                                                     : hp_precond_device_places(ordering, A->nx, A->ny, A->nz);
  return places * hp_precond_pack_bytes(kind, precision, A->q);
}

static hp_status allocate(hp_device *D, const hp_gh *A, bool packs, hp_precond *P) {
  const int64_t half = (A->nz + 1) / 2, columns = (int64_t)A->nx * A->ny;
  const int64_t inverse = A->ncell * hp_precond_inverse_bytes(P->kind, A->q);
  const int64_t pack = packs ? hp_precond_device_pack_bytes(A, P->kind, P->ordering, P->precision) : 0;
  if (columns * half >= INT32_MAX || A->ncell >= INT32_MAX)
    return hp_fail(HP_ERR_UNSUPPORTED, "the GPU's solver takes at most %d cells", INT32_MAX);
  P->bytes = inverse + pack;
  HP_TRY(HP_DEVICE_ALLOC(D, P->inverse, inverse / (int64_t)sizeof *P->inverse));
  const bool by_colour = pack > 0 && P->kind == HP_PRECOND_DILU && P->ordering == HP_ORDER_RED_BLACK;
  const int64_t real = (int64_t)(P->precision == HP_PRECISION_SINGLE ? sizeof(float) : sizeof(double));
  const int64_t places = columns * half, size = A->q * real;
  const hp_owned colours = {places, places, size, places * size, pack / (places * size), 0};
  const hp_owned bricks = {A->n, A->rows, 1, A->n, 0, pack}, owned = by_colour ? colours : bricks;
  return hp_device_alloc_owned(D, &P->pack, &owned, "packed blocks of the preconditioner");
}

hp_status hp_precond_device_create(hp_device *D, const hp_gh *A, hp_precond_kind kind, hp_ordering ordering,
                                   hp_precision precision, double relaxation, bool packs, hp_precond *P) {
  memset(P, 0, sizeof *P);
  P->kind = kind;
  P->ordering = ordering;
  P->precision = precision;
  P->relaxation = relaxation;
  P->bricks = hp_precond_bricks(A);
  P->by_half = hp_divisor_of((uint32_t)((A->nz + 1) / 2));
  P->by_ny = hp_divisor_of((uint32_t)A->ny);
  const hp_status s = allocate(D, A, packs, P);
  if (s != HP_OK) hp_precond_device_free(D, P);
  return s;
}

void hp_precond_device_free(hp_device *D, hp_precond *P) {
  HP_DEVICE_FREE(D, P->inverse);
  HP_DEVICE_FREE(D, P->pack);
}
