/* A level as smoothers see it: memory, and views of its pattern. */
#include "amg/smoothers/impl.h"
#include "core/memory.h"

hp_status hp_amg_smooth_numbers(const hp_amg_options *opt, void **out, int64_t count) {
  return hp_alloc(out, count, opt->precision == HP_PRECISION_SINGLE ? sizeof(float) : sizeof(double),
                  "a smoother's numbers");
}

hp_status hp_amg_smooth_prepare(const hp_amg_options *opt, const hp_amg_level *L, hp_amg_smooth *S) {
  static hp_amg_prepare_function *const functions[] = {
#define PREPARE_OF(name, text, setup, sweep, rows, prepare, in_kernel, device, by_host) hp_amg_prepare_##prepare,
      HP_AMG_SMOOTHER_LIST(PREPARE_OF)
#undef PREPARE_OF
  };
  return functions[opt->smoother](opt, L, S);
}

void hp_amg_smooth_clear(hp_amg_smooth *S) {
  static const hp_amg_smooth none;
  HP_FREE(S->scale);
  HP_FREE(S->group);
  HP_FREE(S->order);
  HP_FREE(S->block);
  HP_FREE(S->coefficient);
  HP_FREE(S->eigenvalue);
  HP_FREE(S->inverse.value);
  HP_FREE(S->domain);
  HP_FREE(S->first);
  HP_FREE(S->row);
  HP_FREE(S->begin);
  HP_FREE(S->diagonal);
  HP_FREE(S->column);
  HP_FREE(S->source);
  HP_FREE(S->value);
  HP_FREE(S->work);
  *S = none;
}

int64_t hp_amg_smooth_bytes(const hp_amg_options *opt, const hp_amg_level *L) {
  const hp_amg_smooth *S = &L->smooth;
  const int64_t n = L->A->nrow, real = opt->precision == HP_PRECISION_SINGLE ? 4 : 8, index = 4;
  int64_t bytes = 0;
  if (S->scale != NULL) bytes += real * n;
  if (S->group != NULL) bytes += index * (S->ngroup + (S->order != NULL ? 2 : 1));
  if (S->order != NULL) bytes += index * (S->nblock > 0 ? S->nblock : n);
  if (S->block != NULL) bytes += real * S->nblock * S->width * S->width;
  if (S->coefficient != NULL) bytes += 8 * (2 * opt->order + 1);
  if (S->inverse.value != NULL) bytes += real * S->inverse.begin[(n + (1 << S->inverse.shift) - 1) >> S->inverse.shift];
  if (S->domain != NULL) {
    const int64_t rows = S->domain[S->ndomain], entries = S->begin[rows];
    bytes += index * (2 * S->ndomain + 1 + 3 * rows + 1 + 2 * entries) + real * (entries + rows);
  }
  return bytes;
}
