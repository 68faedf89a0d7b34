#include "linsolve/bsr/device.h"

#include <stdio.h>
#include <string.h>

/* A copy of an array, if there is one. */
static hp_status copy(hp_device *D, int32_t **to, const int32_t *from, int64_t count) {
  *to = NULL;
  if (from == NULL) return HP_OK;
  HP_TRY(hp_device_alloc(D, (void **)to, count, sizeof *from, "pattern of the block rows"));
  return count > 0 ? hp_device_upload(D, *to, from, count * (int64_t)sizeof *from) : HP_OK;
}

/* The kernels read 16 bytes at once: there is a value more than the blocks have. */
static hp_status copy_all(hp_device *D, const hp_bsr *B, bool with_values, hp_bsr_device *out) {
  const int64_t values = B->nblock * B->q * B->q, size = sizeof *B->value;
  HP_TRY(copy(D, &out->B.begin, B->begin, B->nrow + 1));
  HP_TRY(copy(D, &out->B.column, B->column, B->nblock));
  HP_TRY(copy(D, &out->B.piece_begin, B->piece_begin, B->npiece + 1));
  HP_TRY(copy(D, &out->B.piece_row, B->piece_row, B->npiece));
  HP_TRY(copy(D, &out->B.long_row, B->long_row, B->nlong));
  HP_TRY(copy(D, &out->B.long_begin, B->long_begin, B->nlong + 1));
  HP_TRY(hp_device_alloc(D, (void **)&out->partial, B->nslot * B->q, sizeof *out->partial, "sums of pieces"));
  HP_TRY(hp_device_alloc(D, (void **)&out->B.value, values + 1, (size_t)size, "values of the block rows"));
  return with_values && values > 0 ? hp_device_upload(D, out->B.value, B->value, values * size) : HP_OK;
}

hp_status hp_bsr_device_upload(hp_device *D, const hp_bsr *B, bool with_values, hp_bsr_device *out) {
  memset(out, 0, sizeof *out);
  out->B = *B;
  out->B.begin = out->B.column = out->B.piece_begin = out->B.piece_row = out->B.long_row = out->B.long_begin = NULL;
  out->B.value = NULL;
  const hp_status s = copy_all(D, B, with_values, out);
  if (s != HP_OK) hp_bsr_device_free(D, out);
  return s;
}

void hp_bsr_device_free(hp_device *D, hp_bsr_device *B) {
  HP_DEVICE_FREE(D, B->B.begin);
  HP_DEVICE_FREE(D, B->B.column);
  HP_DEVICE_FREE(D, B->B.piece_begin);
  HP_DEVICE_FREE(D, B->B.piece_row);
  HP_DEVICE_FREE(D, B->B.long_row);
  HP_DEVICE_FREE(D, B->B.long_begin);
  HP_DEVICE_FREE(D, B->B.value);
  HP_DEVICE_FREE(D, B->partial);
}

hp_kernel_shape hp_bsr_usual_shape(int q) {
  const hp_bsr_order o = hp_bsr_order_of(q);
  return (hp_kernel_shape){
      .threads = q > HP_BSR_WARP_Q ? o.threads : 256, .unroll = 1, .loads = HP_LOADS_WIDE, .streams = 1};
}

int hp_bsr_unroll_of(const hp_kernel_shape *shape) { return shape->unroll == 1 ? 0 : shape->unroll; }

void hp_bsr_kernel_name(int q, const char *pattern, char *out, size_t size) {
  snprintf(out, size, "blocks q%d%s%s", q, pattern != NULL ? " " : "", pattern != NULL ? pattern : "");
}
