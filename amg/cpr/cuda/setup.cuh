/* The setup of cpr on a GPU (amg/cpr/device.h): the pressure system's rows, and all numbers, mostly in one launch. */
#ifndef HP_AMG_CPR_CUDA_SETUP_CUH
#define HP_AMG_CPR_CUDA_SETUP_CUH

#include "amg/cpr/cuda/pieces.cuh"
#include "amg/cycle/cuda/refresh.cuh"

/* Arrays of a setup. */
struct hp_cpr_setup {
  const hp_cpr_pressure *pressure; /* the host's */
  /* A_p, columns and values in H's work space: for a build with room for all entries there can be */
  hp_csr_device rows;
  hp_amg_device *H;
  hp_amg_device_cycle *cycle;
  hp_refresh_args *refresh; /* on the device */
  size_t shared;            /* memory of a block for that */
  bool in_one;              /* it is one launch with the rest where that is plain */
};

/* The weights, where they are stored: a build needs them before its numbers. */
hp_status hp_cpr_weigh(hp_setup *S, const hp_gh *A, const hp_cpr_pressure *C) HP_MUST_USE;
/* Finds the cells that take part, and A_p's pattern with what makes each row's sum zero for numbers, where `rows` has room.
 * Waits once. */
hp_status hp_cpr_number_rows(hp_setup *S, const hp_gh *A, const hp_cpr_pressure *C, hp_csr_device *rows) HP_MUST_USE;
/* A_p's rows, columns and numbers, alone, where a build has left them no memory with contents. */
hp_status hp_cpr_make_rows(hp_setup *S, const hp_cpr_setup *C, const hp_gh *A) HP_MUST_USE;
/* Called after a build of the hierarchy and the preparation of its cycle. */
hp_status hp_cpr_prepare(hp_setup *S, hp_cpr_setup *C) HP_MUST_USE;
/* The values of the second stage, and if `fresh` first those of weights, A_p and the hierarchy. One launch, except for
 * smoothers with separate kernels and for coarse rows that are too long for plans. */
hp_status hp_cpr_set_up(hp_setup *S, const hp_cpr_setup *C, const hp_gh *A, bool fresh, int64_t *singular) HP_MUST_USE;
/* Loads its kernels before they are launched. */
void hp_cpr_load_setup(void);

#endif
