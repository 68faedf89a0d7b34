/* What lets one text compile as C11, as C++ and as CUDA C++.
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

/* `static` in a header: every user has its own copy, none of them must be used. */
#if defined(__GNUC__) || defined(__CUDACC__)
#define HP_INLINE static inline __attribute__((unused))
#else
#define HP_INLINE static inline
#endif

/* Never on a vector that the same program writes through another pointer. */
#define HP_RESTRICT __restrict__

#if defined(__cplusplus)
#define HP_EXTERN_C_BEGIN extern "C" {
#define HP_EXTERN_C_END }
#else
#define HP_EXTERN_C_BEGIN
#define HP_EXTERN_C_END
#endif

#if defined(__GNUC__)
#define HP_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define HP_MUST_USE __attribute__((warn_unused_result))
#else
#define HP_PRINTF(fmt, args)
#define HP_MUST_USE
#endif

#endif
