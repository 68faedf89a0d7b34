/* Eight numbers side by side: the rows of a slice on a CPU. Registers of AVX2 where there is AVX2 (x86-64-v3), an array
 * elsewhere; the same operations in the same order, hence the same bits.
 *
 *     hp_eight_gather_float(x, column)   x[column[0]], .., x[column[7]]
 */
#ifndef HP_AMG_ROWS_EIGHT_INL_H
#define HP_AMG_ROWS_EIGHT_INL_H

#include "core/portable.h"

enum { HP_AMG_SLICE = 8 };

#define HP_EIGHT_ARRAY(type, name)                                                         \
  typedef struct {                                                                         \
    type at[HP_AMG_SLICE];                                                                 \
  } hp_eight_##name;                                                                       \
  HP_INLINE hp_eight_##name hp_eight_zero_##name(void) {                                   \
    hp_eight_##name z;                                                                     \
    for (int l = 0; l < HP_AMG_SLICE; ++l) z.at[l] = 0;                                    \
    return z;                                                                              \
  }                                                                                        \
  HP_INLINE hp_eight_##name hp_eight_load_##name(const type *from) {                       \
    hp_eight_##name z;                                                                     \
    for (int l = 0; l < HP_AMG_SLICE; ++l) z.at[l] = from[l];                              \
    return z;                                                                              \
  }                                                                                        \
  HP_INLINE hp_eight_##name hp_eight_gather_##name(const type *x, const int32_t *column) { \
    hp_eight_##name z;                                                                     \
    for (int l = 0; l < HP_AMG_SLICE; ++l) z.at[l] = x[column[l]];                         \
    return z;                                                                              \
  }                                                                                        \
  HP_INLINE hp_eight_##name hp_eight_add_##name(hp_eight_##name x, hp_eight_##name y) {    \
    for (int l = 0; l < HP_AMG_SLICE; ++l) x.at[l] += y.at[l];                             \
    return x;                                                                              \
  }                                                                                        \
  HP_INLINE hp_eight_##name hp_eight_mul_##name(hp_eight_##name x, hp_eight_##name y) {    \
    for (int l = 0; l < HP_AMG_SLICE; ++l) x.at[l] *= y.at[l];                             \
    return x;                                                                              \
  }                                                                                        \
  HP_INLINE void hp_eight_store_##name(type *to, hp_eight_##name x) {                      \
    for (int l = 0; l < HP_AMG_SLICE; ++l) to[l] = x.at[l];                                \
  }

#if defined(__AVX2__) && !defined(__CUDACC__)
#include <immintrin.h>

typedef __m256 hp_eight_float;

HP_INLINE hp_eight_float hp_eight_zero_float(void) { return _mm256_setzero_ps(); }
HP_INLINE hp_eight_float hp_eight_load_float(const float *from) { return _mm256_loadu_ps(from); }
HP_INLINE hp_eight_float hp_eight_gather_float(const float *x, const int32_t *column) {
  return _mm256_i32gather_ps(x, _mm256_loadu_si256((const __m256i *)(const void *)column), 4);
}
HP_INLINE hp_eight_float hp_eight_add_float(hp_eight_float x, hp_eight_float y) { return _mm256_add_ps(x, y); }
HP_INLINE hp_eight_float hp_eight_mul_float(hp_eight_float x, hp_eight_float y) { return _mm256_mul_ps(x, y); }
HP_INLINE void hp_eight_store_float(float *to, hp_eight_float x) { _mm256_storeu_ps(to, x); }
#else
HP_EIGHT_ARRAY(float, float)
#endif
HP_EIGHT_ARRAY(double, double)

#endif
