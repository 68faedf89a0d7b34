/* Products with matrices of stencils on a GPU (linsolve/sgdia/sgdia.h) in variants (core/device/kernels.h): threads, blocks,
 * entries of a row in flight together (unroll), loads of one row's entries or of 16 bytes of rows, x by way of shared memory.
 * Every variant has the CPU's bits.
 */
#ifndef HP_LINSOLVE_SGDIA_DEVICE_H
#define HP_LINSOLVE_SGDIA_DEVICE_H

#include "core/compile/device.h"
#include "core/device/device.h"
#include "linsolve/sgdia/sgdia.h"

HP_EXTERN_C_BEGIN

/* Whether the variant's shared memory fits. */
bool hp_sgdia_shape_fits(const hp_sgdia *A, const hp_kernel_shape *shape);

enum { HP_SGDIA_NAME_MAX = 48 };

/* The nearest possible shape for a matrix: loads of one entry if its columns are not aligned to 16 bytes, and x in
 * memory if a tile's does not fit into shared memory. */
hp_kernel_shape hp_sgdia_possible_shape(const hp_sgdia *A, const hp_kernel_shape *shape);

/* The name of its launches in the tune file: "sg-dia box 3d q2 double periodic". */
void hp_sgdia_kernel_name(const hp_sgdia *A, char *out, size_t size);

/* The C++ name of this shape's kernel. */
void hp_sgdia_kernel_expression(const hp_sgdia *A, const hp_kernel_shape *shape, char *out, size_t size);

HP_EXTERN_C_END

#endif
