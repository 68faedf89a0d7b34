/* The barriers that a team on a GPU can have. */
#ifndef HP_CORE_TEAM_BARRIER_H
#define HP_CORE_TEAM_BARRIER_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

enum {
  HP_GPUS_MAX = 8, /* of a team */
  HP_ONE_GPU_ROWS =
      65536 /* of several GPUs the first one works on a level of multigrid alone that has so many rows at most */
};

/* How all blocks of a kernel wait for each other. X(NAME, "name", what it is) */
#define HP_BARRIER_LIST(X)                                                                  \
  X(COUNTER, "counter", "all blocks add to one counter and watch it")                       \
  X(FLAGS, "flags", "a flag per block; block 0 watches all, then answers each (lock-free)") \
  X(MESH, "mesh", "a flag per block; every block watches all")                              \
  X(TREE, "tree", "counters of groups of blocks, the last arrival of each adds to a root")  \
  X(COOPERATIVE, "cooperative", "grid.sync() of cooperative groups")

typedef enum {
#define HP_BARRIER_ENUM(name, text, what) HP_BARRIER_##name,
  HP_BARRIER_LIST(HP_BARRIER_ENUM)
#undef HP_BARRIER_ENUM
      HP_BARRIER_COUNT
} hp_barrier_kind;

const char *hp_barrier_name(hp_barrier_kind k);
bool hp_barrier_find(const char *name, hp_barrier_kind *k);

HP_EXTERN_C_END

#endif
