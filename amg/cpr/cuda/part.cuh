/* CPR of a rank's part on a GPU (amg/cpr/device.h), in the execution per-operation. The host makes patterns, coarse points
 * and interpolation with the text that ranks on processors have; numbers, cycles and the second stage are the GPU's.
 *
 *     new pattern     matrix --> host;  pressure system and multigrid over ranks (amg/cpr/part.c) --> GPU
 *     fresh numbers   weights; A_p, entry by entry from where the host has found it; its levels (amg/ranks/device.h)
 *     every setup     factors of dilu in bricks
 *     application     r_p; the cycle (amg/ranks/device.h); x_p with ghosts; r - A x_p; dilu; the sum
 *
 * Every operation is that of amg/cpr/cpr.inl.h in its order, and so are the bits.
 */
#ifndef HP_AMG_CPR_CUDA_PART_CUH
#define HP_AMG_CPR_CUDA_PART_CUH

#include "amg/cpr/device.h"

HP_EXTERN_C_BEGIN

typedef struct hp_cpr_device_part hp_cpr_device_part;

/* host: A on the host, which outlives C; its values' memory is allocated where it has none. threads: of the host. */
hp_status hp_cpr_device_part_create(hp_device *D, const hp_gh *A, hp_gh *host, int threads, const hp_cpr_options *opt,
                                    hp_cpr_device_part **out) HP_MUST_USE;
void hp_cpr_device_part_destroy(hp_cpr_device_part **C);
const hp_precond_external *hp_cpr_device_part_precond(const hp_cpr_device_part *C);
/* The first stage, for hp_cpr_rebuild and the like. */
hp_cpr *hp_cpr_device_part_first(hp_cpr_device_part *C);
/* The state of the host's part, with bytes on the device. */
hp_cpr_state hp_cpr_device_part_state(const hp_cpr_device_part *C);

HP_EXTERN_C_END

#endif
