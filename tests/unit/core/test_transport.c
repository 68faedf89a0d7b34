/* The transport of ghosts between GPUs of ranks: what is chosen, what is refused and why. */
#include "core/device/transport.h"

#include <string.h>

#include "tests/support/check.h"

static void chosen(hp_transport asked, int ranks, bool shared, bool mpi, bool nccl, hp_transport right) {
  const hp_transport_facts f = {ranks, shared, mpi, nccl};
  hp_transport transport = HP_TRANSPORT_COUNT;
  CHECK_OK(hp_transport_choose(asked, &f, &transport));
  CHECK(transport == right);
}

static void refused(hp_transport asked, bool shared, bool mpi, bool nccl, const char *words) {
  const hp_transport_facts f = {2, shared, mpi, nccl};
  hp_transport transport;
  CHECK(hp_transport_choose(asked, &f, &transport) == HP_ERR_UNSUPPORTED);
  CHECK(strstr(hp_fail_text(), words) != NULL);
}

int main(void) {
  for (int facts = 0; facts < 8; ++facts) {
    const bool shared = facts & 1, mpi = facts & 2, nccl = facts & 4;
    for (int transport = HP_TRANSPORT_AUTO; transport < HP_TRANSPORT_COUNT; ++transport)
      chosen((hp_transport)transport, 1, shared, mpi, nccl, HP_TRANSPORT_HOST);
    chosen(HP_TRANSPORT_HOST, 2, shared, mpi, nccl, HP_TRANSPORT_HOST);
    chosen(HP_TRANSPORT_AUTO, 2, shared, mpi, nccl,
           nccl && !shared ? HP_TRANSPORT_NCCL
           : mpi           ? HP_TRANSPORT_MPI
                           : HP_TRANSPORT_HOST);
    if (mpi) chosen(HP_TRANSPORT_MPI, 2, shared, mpi, nccl, HP_TRANSPORT_MPI);
    else refused(HP_TRANSPORT_MPI, shared, mpi, nccl, "built with CUDA");
    if (shared) refused(HP_TRANSPORT_NCCL, shared, mpi, nccl, "two ranks share one");
    else if (nccl) chosen(HP_TRANSPORT_NCCL, 2, shared, mpi, nccl, HP_TRANSPORT_NCCL);
    else refused(HP_TRANSPORT_NCCL, shared, mpi, nccl, "install NCCL");
  }
  CHECK(strcmp(hp_transport_name(HP_TRANSPORT_NCCL), "nccl") == 0 &&
        strcmp(hp_transport_name(HP_TRANSPORT_COUNT), "unknown") == 0);
  return check_result();
}
