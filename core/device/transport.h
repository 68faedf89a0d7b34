/* Transports of ghosts between the GPUs of ranks (core/device/part.h).
 *
 *     nccl   from GPU to GPU in the stream of the kernels, without the host: NCCL, opened when the run begins. Not where two
 *            ranks share a GPU
 *     mpi    messages of MPI in the GPU's memory, by an MPI that says that it reaches it (MPIX_Query_cuda_support)
 *     host   messages of MPI in pinned memory of the host, by any MPI
 *     auto   the first of these that there is
 *
 * All ranks have the same one; bits do not depend on it.
 */
#ifndef HP_CORE_DEVICE_TRANSPORT_H
#define HP_CORE_DEVICE_TRANSPORT_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

/* X(NAME, "deck name") */
#define HP_TRANSPORT_LIST(X) \
  X(AUTO, "auto")            \
  X(HOST, "host")            \
  X(MPI, "mpi")              \
  X(NCCL, "nccl")

typedef enum {
#define HP_TRANSPORT_ENUM(name, text) HP_TRANSPORT_##name,
  HP_TRANSPORT_LIST(HP_TRANSPORT_ENUM)
#undef HP_TRANSPORT_ENUM
      HP_TRANSPORT_COUNT
} hp_transport;

const char *hp_transport_name(hp_transport w);

/* The same on all ranks. */
typedef struct hp_transport_facts {
  int ranks;
  bool shared; /* two of them have one GPU */
  bool mpi;    /* MPI reaches a GPU's memory */
  bool nccl;   /* NCCL is there on all */
} hp_transport_facts;

/* Chooses a transport; host for a single rank. HP_ERR_UNSUPPORTED if the one asked for is missing. */
hp_status hp_transport_choose(hp_transport asked, const hp_transport_facts *f, hp_transport *out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
