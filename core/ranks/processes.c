/* Which process of a run has ended: rank 0 knows the processes of its host by their numbers. */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/ranks/impl.h"

/* Processes know each other's numbers where host and, in containers, space of numbers are the same. */
typedef struct {
  char host[64];
  int64_t space, number;
} process;

static process find_mine(void) {
  struct stat space;
  process p;
  memset(&p, 0, sizeof p);
  if (gethostname(p.host, sizeof p.host - 1) != 0) p.host[0] = '\0';
  p.space = stat("/proc/self/ns/pid", &space) == 0 ? (int64_t)space.st_ino : 0;
  p.number = getpid();
  return p;
}

static bool is_there(int64_t number) { return kill((pid_t)number, 0) == 0 || errno != ESRCH; }

hp_status hp_ranks_know_processes(hp_ranks *K) {
  const process mine = find_mine();
  process *all = NULL;
  const bool root = K->rank == 0;
  hp_status s = HP_ALLOC(K->process, root ? K->size : 0);
  if (s == HP_OK) s = HP_ALLOC(all, root ? K->size : 0);
  s = hp_ranks_agree(K, s);
  if (s == HP_OK) {
    for (int r = 0; r < K->size; ++r) {
      K->count[r] = sizeof mine;
      K->count[K->size + r] = r * (int64_t)sizeof mine;
    }
    K->mpi->gather(0, &mine, sizeof mine, all, K->count, K->count + K->size);
    for (int r = 0; root && r < K->size; ++r) {
      const bool near = strcmp(all[r].host, mine.host) == 0 && all[r].space == mine.space && mine.host[0] != '\0';
      K->process[r] = near && is_there(all[r].number) ? all[r].number : 0;
    }
  }
  HP_FREE(all);
  return s;
}

int hp_ranks_ended(const hp_ranks *K) {
  for (int r = 1; r < K->size; ++r)
    if (K->process[r] != 0 && !is_there(K->process[r])) return r;
  return -1;
}
