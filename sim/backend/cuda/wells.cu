#include "sim/backend/cuda/wells.cuh"

#include <string.h>

#include "core/memory.h"

#define BYTES(field, count) ((int64_t)(count) * (int64_t)sizeof *W->field)
#define ROUNDED(field, count) ((BYTES(field, count) + 15) / 16 * 16)

static int64_t fixed_bytes(const hp_wells *W) {
  int64_t bytes = 0;
#define ADD(field, count) bytes += ROUNDED(field, count);
  HP_WELLS_FIXED(ADD)
  return bytes;
}

static int64_t state_bytes(const hp_wells *W) {
  int64_t bytes = 0;
  HP_WELLS_STATE(ADD)
#undef ADD
  return bytes;
}

/* Sets the pointers of the device's wells into their two pieces of memory. */
static void place_wells(const hp_wells *W, char *fixed, char *state, hp_wells *out) {
  *out = *W;
#define PLACE(at, field, count) out->field = (decltype(out->field))(void *)(at), (at) += ROUNDED(field, count);
#define PLACE_FIXED(field, count) PLACE(fixed, field, count)
#define PLACE_STATE(field, count) PLACE(state, field, count)
  HP_WELLS_FIXED(PLACE_FIXED)
  HP_WELLS_STATE(PLACE_STATE)
#undef PLACE
#undef PLACE_FIXED
#undef PLACE_STATE
}

#define PACK(field, count) memcpy(at, W->field, (size_t)BYTES(field, count)), at += ROUNDED(field, count);
#define UNPACK(field, count) memcpy(W->field, at, (size_t)BYTES(field, count)), at += ROUNDED(field, count);

hp_status hp_wells_device_create(hp_device *D, const hp_wells *W, hp_wells_device *P, hp_wells *out) {
  P->D = D;
  P->fixed_bytes = fixed_bytes(W);
  P->state_bytes = state_bytes(W);
  HP_TRY(hp_device_alloc(D, &P->fixed, P->fixed_bytes, 1, "wells"));
  HP_TRY(hp_device_alloc(D, &P->state, P->state_bytes, 1, "state of the wells"));
  HP_TRY(HP_ALLOC(P->staging, P->state_bytes));
  place_wells(W, (char *)P->fixed, (char *)P->state, out);
  char *fixed = NULL;
  HP_TRY(HP_ALLOC(fixed, P->fixed_bytes));
  char *at = fixed;
  HP_WELLS_FIXED(PACK)
  const hp_status s = hp_device_upload(D, P->fixed, fixed, P->fixed_bytes);
  HP_FREE(fixed);
  return s;
}

void hp_wells_device_destroy(hp_wells_device *P) {
  HP_FREE(P->staging);
  if (P->D == NULL) return;
  HP_DEVICE_FREE(P->D, P->fixed);
  HP_DEVICE_FREE(P->D, P->state);
}

hp_status hp_wells_device_put(hp_wells_device *P, const hp_wells *W) {
  char *at = P->staging;
  HP_WELLS_STATE(PACK)
  return hp_device_upload(P->D, P->state, P->staging, P->state_bytes);
}

hp_status hp_wells_device_get(hp_wells_device *P, hp_wells *W) {
  HP_TRY(hp_device_download(P->D, P->staging, P->state, P->state_bytes));
  const char *at = P->staging;
  HP_WELLS_STATE(UNPACK)
  return HP_OK;
}
