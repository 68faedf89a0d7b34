/* The way of ghosts between GPUs of ranks: what is chosen, what is refused and why. */
#include "core/device/way.h"

#include <string.h>

#include "tests/support/check.h"

static void chosen(hp_way asked, int ranks, bool shared, bool mpi, bool nccl, hp_way right) {
  const hp_way_facts f = {ranks, shared, mpi, nccl};
  hp_way way = HP_WAY_COUNT;
  CHECK_OK(hp_way_choose(asked, &f, &way));
  CHECK(way == right);
}

static void refused(hp_way asked, bool shared, bool mpi, bool nccl, const char *words) {
  const hp_way_facts f = {2, shared, mpi, nccl};
  hp_way way;
  CHECK(hp_way_choose(asked, &f, &way) == HP_ERR_UNSUPPORTED);
  CHECK(strstr(hp_fail_text(), words) != NULL);
}

int main(void) {
  for (int facts = 0; facts < 8; ++facts) {
    const bool shared = facts & 1, mpi = facts & 2, nccl = facts & 4;
    for (int way = HP_WAY_AUTO; way < HP_WAY_COUNT; ++way) chosen((hp_way)way, 1, shared, mpi, nccl, HP_WAY_HOST);
    chosen(HP_WAY_HOST, 2, shared, mpi, nccl, HP_WAY_HOST);
    chosen(HP_WAY_AUTO, 2, shared, mpi, nccl, nccl && !shared ? HP_WAY_NCCL : mpi ? HP_WAY_MPI : HP_WAY_HOST);
    if (mpi) chosen(HP_WAY_MPI, 2, shared, mpi, nccl, HP_WAY_MPI);
    else refused(HP_WAY_MPI, shared, mpi, nccl, "built with CUDA");
    if (shared) refused(HP_WAY_NCCL, shared, mpi, nccl, "two ranks share one");
    else if (nccl) chosen(HP_WAY_NCCL, 2, shared, mpi, nccl, HP_WAY_NCCL);
    else refused(HP_WAY_NCCL, shared, mpi, nccl, "install NCCL");
  }
  CHECK(strcmp(hp_way_name(HP_WAY_NCCL), "nccl") == 0 && strcmp(hp_way_name(HP_WAY_COUNT), "unknown") == 0);
  return check_result();
}
