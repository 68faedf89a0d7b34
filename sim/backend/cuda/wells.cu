#include "sim/backend/cuda/wells.cuh"

#include <string.h>

#include "core/memory.h"

static int64_t fixed_bytes(const hp_wells *W) {
  int64_t bytes = 0;
#define ADD(field, count) bytes += HP_WELLS_ROUNDED(field, count);
  HP_WELLS_FIXED(ADD)
#undef ADD
  return bytes;
}

/* Sets the pointers of the device's wells into their two pieces of memory. */
static void place_wells(const hp_wells *W, char *fixed, char *state, hp_wells *out) {
  *out = *W;
#define PLACE(at, field, count) out->field = (decltype(out->field))(void *)(at), (at) += HP_WELLS_ROUNDED(field, count);
#define PLACE_FIXED(field, count) PLACE(fixed, field, count)
#define PLACE_STATE(field, count) PLACE(state, field, count)
  HP_WELLS_FIXED(PLACE_FIXED)
  HP_WELLS_STATE(PLACE_STATE)
#undef PLACE
#undef PLACE_FIXED
#undef PLACE_STATE
}

hp_status hp_wells_device_create(hp_device *D, const hp_wells *W, hp_wells_device *P, hp_wells *out) {
  P->D = D;
  P->fixed_bytes = fixed_bytes(W);
  P->state_bytes = hp_wells_state_bytes(W);
  HP_TRY(hp_device_alloc(D, &P->fixed, P->fixed_bytes, 1, "wells"));
  HP_TRY(hp_device_alloc(D, &P->state, P->state_bytes, 1, "state of the wells"));
  HP_TRY(HP_ALLOC(P->staging, P->state_bytes));
  place_wells(W, (char *)P->fixed, (char *)P->state, out);
  char *fixed = NULL;
  HP_TRY(HP_ALLOC(fixed, P->fixed_bytes));
  char *at = fixed;
#define PACK(field, count)                                                   \
  if ((count) > 0) memcpy(at, W->field, (size_t)(count) * sizeof *W->field); \
  at += HP_WELLS_ROUNDED(field, count);
  HP_WELLS_FIXED(PACK)
#undef PACK
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
  hp_wells_pack_state(W, P->staging);
  return hp_device_upload(P->D, P->state, P->staging, P->state_bytes);
}

hp_status hp_wells_device_get(hp_wells_device *P, hp_wells *W) {
  HP_TRY(hp_device_download(P->D, P->staging, P->state, P->state_bytes));
  hp_wells_unpack_state(W, P->staging);
  return HP_OK;
}
