/* The solve's kernel compiled for one matrix: linsolve/krylov/cuda/kernel.cuh, or what an external preconditioner has in its
 * place, with the constants of linsolve/stencil/stencil.h and, beside them, the options of the solver and the device:
 *
 *     hp_precond     kind, ordering, precision          hp_solve        unroll
 *     hp_team_grid   barrier
 *
 * Operations and their order are those of the kernel of the build, and so are the bits.
 */
#ifndef HP_LINSOLVE_KRYLOV_CUDA_SPECIAL_CUH
#define HP_LINSOLVE_KRYLOV_CUDA_SPECIAL_CUH

#include "core/compile/device.h"
#include "linsolve/krylov/device.h"
#include "linsolve/stencil/stencil.h"

HP_EXTERN_C_BEGIN

typedef struct hp_special hp_special;

/* form: of hp_solve_kernel; P: the solver's preconditioner. HP_ERR_UNSUPPORTED with the reason where there is none. */
hp_status hp_special_create(hp_device *D, const hp_gh *A, const hp_krylov_options *opt, const hp_precond *P, int form,
                            hp_special **out) HP_MUST_USE;
/* The same of another family of matrices, by a source with its texts. */
hp_status hp_special_create_of(hp_device *D, const hp_stencil_family *family, const hp_precond_special *source,
                               const hp_kernel_text *texts, const hp_krylov_options *opt, const hp_precond *P, int form,
                               hp_special **out) HP_MUST_USE;
void hp_special_destroy(hp_special **S);

/* The kernel if it was compiled for this matrix, form and shape of the device, else NULL. */
const void *hp_special_kernel(const hp_special *S, hp_device *D, const hp_gh *A, int form);
/* A kernel that is there. */
void hp_special_describe(const hp_special *S, hp_krylov_special *report);

HP_EXTERN_C_END

#endif
