/* The way of ghosts from GPU to GPU between ranks with a GPU each (core/device/part.h).
 *
 *     nccl   from GPU to GPU in the stream of the kernels, without the host: NCCL, opened when the run begins. Not where two
 *            ranks share a GPU
 *     mpi    messages of MPI in the GPU's memory, by an MPI that says that it reaches it (MPIX_Query_cuda_support)
 *     host   messages of MPI in pinned memory of the host, by any MPI
 *     auto   the first of these that there is
 *
 * All ranks have the same one. Bits do not depend on it.
 */
#ifndef HP_CORE_DEVICE_WAY_H
#define HP_CORE_DEVICE_WAY_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

/* X(NAME, "deck name") */
#define HP_WAY_LIST(X) \
  X(AUTO, "auto")      \
  X(HOST, "host")      \
  X(MPI, "mpi")        \
  X(NCCL, "nccl")

typedef enum {
#define HP_WAY_ENUM(name, text) HP_WAY_##name,
  HP_WAY_LIST(HP_WAY_ENUM)
#undef HP_WAY_ENUM
      HP_WAY_COUNT
} hp_way;

const char *hp_way_name(hp_way w);

/* The same on all ranks. */
typedef struct hp_way_facts {
  int ranks;
  bool shared; /* two of them have one GPU */
  bool mpi;    /* MPI reaches a GPU's memory */
  bool nccl;   /* NCCL is there on all */
} hp_way_facts;

/* HP_ERR_UNSUPPORTED for a way that is asked for and is not there. A single rank has nobody to exchange with: host. */
hp_status hp_way_choose(hp_way asked, const hp_way_facts *f, hp_way *out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
