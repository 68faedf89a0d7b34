#include "core/device/transport.h"

#include "core/show.h"

#define TEXT_OF(name, text) text,
static const char *const words[] = {HP_TRANSPORT_LIST(TEXT_OF)};
HP_WORD_OF(hp_transport_name, hp_transport, words)

hp_status hp_transport_choose(hp_transport asked, const hp_transport_facts *f, hp_transport *out) {
  const bool nccl = f->nccl && !f->shared;
  *out = HP_TRANSPORT_HOST;
  if (f->ranks == 1) return HP_OK;
  if (asked == HP_TRANSPORT_NCCL && f->shared)
    return hp_fail(HP_ERR_UNSUPPORTED,
                   "linear.exchange: nccl needs a GPU for each rank, and here two ranks share one: "
                   "start fewer ranks, or leave linear.exchange out");
  if (asked == HP_TRANSPORT_NCCL && !nccl)
    return hp_fail(HP_ERR_UNSUPPORTED,
                   "linear.exchange: nccl cannot be had on all ranks (libnccl.so.2): install NCCL, or "
                   "leave linear.exchange out");
  if (asked == HP_TRANSPORT_MPI && !f->mpi)
    return hp_fail(HP_ERR_UNSUPPORTED,
                   "linear.exchange: this MPI does not say that it reaches the memory of GPUs: take "
                   "one that was built with CUDA, or leave linear.exchange out");
  if (asked == HP_TRANSPORT_AUTO) *out = nccl ? HP_TRANSPORT_NCCL : f->mpi ? HP_TRANSPORT_MPI : HP_TRANSPORT_HOST;
  else *out = asked;
  return HP_OK;
}
