/* Two numbers side by side: a cell's two unknowns in two-phase flow. One SSE2
 * register where there is SSE2 (every x86-64), a struct elsewhere; the same
 * operations in the same order, hence the same bits. Compilers do not find
 * these pairs by themselves inside a recurrence.
 */
#ifndef HP_LINSOLVE_MATRIX_PAIR_INL_H
#define HP_LINSOLVE_MATRIX_PAIR_INL_H

#include "core/portable.h"

#if defined(__SSE2__) && !defined(__CUDACC__)
#include <emmintrin.h>

typedef __m128d hp_pair;

HP_INLINE hp_pair hp_pair_load_double(const double *p) { return _mm_loadu_pd(p); }
HP_INLINE hp_pair hp_pair_load_float(const float *p) {
  return _mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)p)));
}
HP_INLINE void hp_pair_store(double *p, hp_pair x) { _mm_storeu_pd(p, x); }
HP_INLINE void hp_pair_store_float(float *p, hp_pair x) {
  _mm_storel_epi64((__m128i *)(void *)p, _mm_castps_si128(_mm_cvtpd_ps(x)));
}
HP_INLINE hp_pair hp_pair_both(double v) { return _mm_set1_pd(v); }
HP_INLINE hp_pair hp_pair_first(hp_pair x) { return _mm_unpacklo_pd(x, x); }
HP_INLINE hp_pair hp_pair_second(hp_pair x) { return _mm_unpackhi_pd(x, x); }
HP_INLINE hp_pair hp_pair_mul(hp_pair x, hp_pair y) { return _mm_mul_pd(x, y); }
HP_INLINE hp_pair hp_pair_add(hp_pair x, hp_pair y) { return _mm_add_pd(x, y); }
HP_INLINE hp_pair hp_pair_sub(hp_pair x, hp_pair y) { return _mm_sub_pd(x, y); }

#else

typedef struct {
  double a, b;
} hp_pair;

HP_INLINE HP_HD hp_pair hp_pair_of(double a, double b) {
  hp_pair x;
  x.a = a;
  x.b = b;
  return x;
}

HP_INLINE HP_HD hp_pair hp_pair_load_double(const double *p) { return hp_pair_of(p[0], p[1]); }
HP_INLINE HP_HD hp_pair hp_pair_load_float(const float *p) { return hp_pair_of((double)p[0], (double)p[1]); }
HP_INLINE HP_HD void hp_pair_store(double *p, hp_pair x) {
  p[0] = x.a;
  p[1] = x.b;
}
HP_INLINE HP_HD void hp_pair_store_float(float *p, hp_pair x) {
  p[0] = (float)x.a;
  p[1] = (float)x.b;
}
HP_INLINE HP_HD hp_pair hp_pair_both(double v) { return hp_pair_of(v, v); }
HP_INLINE HP_HD hp_pair hp_pair_first(hp_pair x) { return hp_pair_of(x.a, x.a); }
HP_INLINE HP_HD hp_pair hp_pair_second(hp_pair x) { return hp_pair_of(x.b, x.b); }
HP_INLINE HP_HD hp_pair hp_pair_mul(hp_pair x, hp_pair y) { return hp_pair_of(x.a * y.a, x.b * y.b); }
HP_INLINE HP_HD hp_pair hp_pair_add(hp_pair x, hp_pair y) { return hp_pair_of(x.a + y.a, x.b + y.b); }
HP_INLINE HP_HD hp_pair hp_pair_sub(hp_pair x, hp_pair y) { return hp_pair_of(x.a - y.a, x.b - y.b); }

#endif

#endif
