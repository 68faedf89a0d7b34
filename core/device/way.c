#include "core/device/way.h"

const char *hp_way_name(hp_way w) {
  static const char *const names[] = {
#define HP_WAY_TEXT(name, text) text,
      HP_WAY_LIST(HP_WAY_TEXT)
#undef HP_WAY_TEXT
  };
  return (unsigned)w < HP_WAY_COUNT ? names[w] : "unknown";
}

hp_status hp_way_choose(hp_way asked, const hp_way_facts *f, hp_way *out) {
  const bool nccl = f->nccl && !f->shared;
  *out = HP_WAY_HOST;
  if (f->ranks == 1) return HP_OK;
  if (asked == HP_WAY_NCCL && f->shared)
    return hp_fail(HP_ERR_UNSUPPORTED,
                   "linear.exchange: nccl needs a GPU for each rank, and here two ranks share one: "
                   "start fewer ranks, or leave linear.exchange out");
  if (asked == HP_WAY_NCCL && !nccl)
    return hp_fail(HP_ERR_UNSUPPORTED,
                   "linear.exchange: nccl cannot be had on all ranks (libnccl.so.2): install NCCL, or "
                   "leave linear.exchange out");
  if (asked == HP_WAY_MPI && !f->mpi)
    return hp_fail(HP_ERR_UNSUPPORTED,
                   "linear.exchange: this MPI does not say that it reaches the memory of GPUs: take "
                   "one that was built with CUDA, or leave linear.exchange out");
  if (asked == HP_WAY_AUTO) *out = nccl ? HP_WAY_NCCL : f->mpi ? HP_WAY_MPI : HP_WAY_HOST;
  else *out = asked;
  return HP_OK;
}
