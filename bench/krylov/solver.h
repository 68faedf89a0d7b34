/* Solvers that the laboratory alone has, used as those of sim/linear/linear.h, on a team of the CPU (hub) or on a GPU (D):
 *
 *     reordered      BiCG-Stab and QMR with reordered synchronization (bench/krylov/reordered.inl.h)
 *     a box          a Krylov method with the products of a box of 27 points (bench/box/box.h)
 *     a matrix       the same with any square matrix as csr, bsr, sell or hyb (bench/bsr/bsr.h makes them), or a form of GH-h
 *                    (bench/half/forms.h)
 */
#ifndef HP_BENCH_KRYLOV_SOLVER_H
#define HP_BENCH_KRYLOV_SOLVER_H

#include "bench/box/box.h"
#include "sim/linear/linear.h"

HP_EXTERN_C_BEGIN

typedef struct hp_own_choice {
  bool reordered;
  /* the host's, must outlive the solver; NULL: in->A is multiplied. With a box that is GH of its cells, whose wells are the box's; else a
   * shape without values, 1 x 1 x rows cells with q = 1 */
  const hp_sparse *product;
} hp_own_choice;

/* Whether it takes a solver of this header. */
HP_INLINE bool hp_own_is(const hp_own_choice *choice) { return choice->reordered || choice->product != NULL; }

/* NULL, or why there is no such solver for options that go together otherwise, which run on the CPU or on a GPU. */
const char *hp_own_refusal(const hp_krylov_options *opt, const hp_own_choice *choice, const hp_gh *A, bool on_gpu);

/* HP_ERR_USAGE with the refusal. */
hp_status hp_own_create(const hp_linear_input *in, const hp_own_choice *choice, hp_linear_solver **out) HP_MUST_USE;

/* Only in builds with CUDA. */
HP_GPU hp_status hp_own_device_create(const hp_linear_input *in, const hp_own_choice *choice,
                                      hp_linear_solver **out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
