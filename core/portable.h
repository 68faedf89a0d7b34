/* Macros that let one text compile as C11, as C++ and as CUDA C++.
 *
 * Headers named *.inl.h hold code that the C compiler and nvcc both compile:
 * point functions of the physics and the team programs of the solvers. They
 * stay inside the common subset: no VLAs, no compound literals, no implicit
 * conversion from void *, no <stdatomic.h>.
 */
#ifndef HP_CORE_PORTABLE_H
#define HP_CORE_PORTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__CUDACC__)
#define HP_HD __host__ __device__
#else
#define HP_HD
#endif

/* Unrolls a kernel's loop of few and constant turns, so that its arrays stay in registers. */
#if defined(__CUDA_ARCH__)
#define HP_UNROLL _Pragma("unroll")
#else
#define HP_UNROLL
#endif

/* The same for a number of turns that is a constant only in kernels compiled for one matrix. */
#if defined(HP_CONSTANT_N)
#define HP_UNROLL_CONSTANT _Pragma("unroll")
#else
#define HP_UNROLL_CONSTANT
#endif

/* A static function in a header: every user has its own copy and need not call it. */
#if defined(__GNUC__) || defined(__CUDACC__)
#define HP_INLINE static inline __attribute__((unused))
#else
#define HP_INLINE static inline
#endif

/* Inlines a body into every caller, whose arguments are constants. */
#if defined(__GNUC__) && !defined(__CUDACC__)
#define HP_INLINE_ALWAYS static inline __attribute__((unused, always_inline))
#else
#define HP_INLINE_ALWAYS HP_INLINE
#endif

/* A function of numbers whose result may be a constant in C++, such as a template's argument. */
#if defined(__cplusplus)
#define HP_CONSTEXPR constexpr
#else
#define HP_CONSTEXPR
#endif

/* Marks a pointer whose memory the program writes through no other pointer. */
#define HP_RESTRICT __restrict__

#if defined(__cplusplus)
#define HP_EXTERN_C_BEGIN extern "C" {
#define HP_EXTERN_C_END }
#else
#define HP_EXTERN_C_BEGIN
#define HP_EXTERN_C_END
#endif

/* The number of parts of `length` that hold n things. */
HP_INLINE HP_HD int64_t hp_parts(int64_t n, int64_t length) { return (n + length - 1) / length; }

HP_INLINE int64_t hp_larger(int64_t a, int64_t b) { return a > b ? a : b; }
HP_INLINE int64_t hp_smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* Division of numbers below 2^31 by a constant of the run, without dividing
 * (Granlund & Montgomery 1994): d = ceil(2^(31+s) / divisor), 2^s >= divisor. */
typedef struct hp_divisor {
  uint32_t factor, shift;
} hp_divisor;

HP_INLINE hp_divisor hp_divisor_of(uint32_t divisor) {
  hp_divisor d;
  uint32_t s = 0;
  while (s < 31 && (UINT32_C(1) << s) < divisor) ++s;
  d.shift = 31 + s;
  d.factor = (uint32_t)(((UINT64_C(1) << d.shift) + divisor - 1) / divisor);
  return d;
}

HP_INLINE HP_HD uint32_t hp_divide(uint32_t n, hp_divisor d) { return (uint32_t)(((uint64_t)n * d.factor) >> d.shift); }

/* The finalizer of splitmix64 (Steele, Lea & Flood 2014): every bit of the result depends on every bit of x. */
HP_INLINE HP_HD uint64_t hp_mix64(uint64_t x) {
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

#if defined(__GNUC__)
#define HP_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define HP_MUST_USE __attribute__((warn_unused_result))
#else
#define HP_PRINTF(fmt, args)
#define HP_MUST_USE
#endif

/* Declares a function of a GPU, which a build without CUDA may lack, because hp_device_create refuses there. */
#if defined(HEPTA_HAVE_CUDA) || !defined(__GNUC__)
#define HP_GPU
#else
#define HP_GPU __attribute__((weak))
#endif

#endif
