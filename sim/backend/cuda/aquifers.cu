#include "sim/backend/cuda/aquifers.cuh"

#include <string.h>

#include "core/memory.h"

/* X(field, elements), A the aquifers: what the host writes once (the device changes pressure, rate, error and mobile), and what it
 * writes for each step. */
#define AQUIFERS_FIXED(X)   \
  X(aquifer, A->count)      \
  X(cell, A->nrow)          \
  X(begin, A->nrow + 1)     \
  X(share, A->nconnection)  \
  X(pressure, A->nrow)      \
  X(rate, A->nconnection)   \
  X(error, A->nconnection)  \
  X(mobile, A->nconnection) \
  X(of, A->nconnection)
#define AQUIFERS_STEP(X) \
  X(state, A->count)     \
  X(step, A->count)

#define BYTES(field, count) ((int64_t)(count) * (int64_t)sizeof *A->field)
#define ROUNDED(field, count) ((BYTES(field, count) + 15) / 16 * 16)
#define ADD(field, count) +ROUNDED(field, count)
#define PLACE(field, count) out->field = (decltype(out->field))(void *)at, at += ROUNDED(field, count);
#define PACK(field, count)                                                 \
  if (A->field != NULL) memcpy(at, A->field, (size_t)BYTES(field, count)); \
  at += ROUNDED(field, count);

hp_status hp_aquifers_device_create(hp_device *D, const hp_aquifers *A, hp_aquifers_device *P, hp_aquifers *out) {
  memset(out, 0, sizeof *out);
  if (A == NULL) return HP_OK;
  const int64_t fixed_bytes = 0 AQUIFERS_FIXED(ADD);
  char *fixed = NULL;
  P->D = D;
  P->step_bytes = 0 AQUIFERS_STEP(ADD);
  HP_TRY(hp_device_alloc(D, &P->fixed, fixed_bytes, 1, "aquifers"));
  HP_TRY(hp_device_alloc(D, &P->step, P->step_bytes, 1, "state of the aquifers"));
  HP_TRY(HP_ALLOC(P->staging, P->step_bytes));
  *out = *A;
  char *at = (char *)P->fixed;
  AQUIFERS_FIXED(PLACE)
  at = (char *)P->step;
  AQUIFERS_STEP(PLACE)
  P->rate = out->rate;
  P->error = out->error;
  P->mobile = out->mobile;
  HP_TRY(HP_ALLOC(fixed, fixed_bytes));
  at = fixed;
  AQUIFERS_FIXED(PACK)
  const hp_status s = hp_device_upload(D, P->fixed, fixed, fixed_bytes);
  HP_FREE(fixed);
  return s;
}

void hp_aquifers_device_destroy(hp_aquifers_device *P) {
  HP_FREE(P->staging);
  if (P->D == NULL) return;
  HP_DEVICE_FREE(P->D, P->fixed);
  HP_DEVICE_FREE(P->D, P->step);
}

void hp_aquifers_device_renew(hp_aquifers_device *P) { P->dt = 0.0; }

hp_status hp_aquifers_device_set_step(hp_aquifers_device *P, hp_aquifers *A, double dt) {
  if (A == NULL || P->dt == dt) return HP_OK;
  hp_aquifers_set_step(A, dt);
  P->dt = dt;
  return hp_aquifers_device_put(P, A);
}

hp_status hp_aquifers_device_put(hp_aquifers_device *P, const hp_aquifers *A) {
  if (A == NULL) return HP_OK;
  char *at = P->staging;
  AQUIFERS_STEP(PACK)
  return hp_device_upload(P->D, P->step, P->staging, P->step_bytes);
}

hp_status hp_aquifers_device_get(hp_aquifers_device *P, hp_aquifers *A) {
  if (A == NULL) return HP_OK;
  return hp_device_download(P->D, A->rate, P->rate, A->nconnection * (int64_t)sizeof *A->rate);
}

hp_status hp_aquifers_device_get_errors(hp_aquifers_device *P, hp_aquifers *A) {
  if (A == NULL) return HP_OK;
  const int64_t bytes = A->nconnection * (int64_t)sizeof *A->error;
  HP_TRY(hp_device_download(P->D, A->error, P->error, bytes));
  return hp_device_download(P->D, A->mobile, P->mobile, bytes);
}

hp_status hp_aquifers_device_accept(hp_aquifers_device *P, hp_aquifers *A, double dt) {
  if (A == NULL) return HP_OK;
  HP_TRY(hp_aquifers_device_get(P, A));
  hp_aquifers_accept(A, dt);
  hp_aquifers_device_renew(P);
  return HP_OK;
}
