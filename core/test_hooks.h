/* Test hooks: environment variables that change a run for tests (docs/developer/checking.md). They are read at the
 * first call; builds with -DHEPTA_TEST_HOOKS=OFF have none.
 *
 *     const hp_test_hooks *hooks = hp_test_hooks_get();
 *     if (hooks->ranks_cut >= 0) ...
 */
#ifndef HP_CORE_TEST_HOOKS_H
#define HP_CORE_TEST_HOOKS_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

/* X(member, "variable behind HEPTA_TEST_", which of its numbers, with commas between, least, most) */
#define HP_TEST_HOOK_LIST(X)                                                                            \
  X(gpu_fail_at, "GPU_FAIL_AT", 0, 1, INT64_MAX)           /* the call that fails */                    \
  X(gpu_memory, "GPU_MEMORY", 0, 1, INT64_MAX)             /* bytes */                                  \
  X(gpu_memory_after, "GPU_MEMORY_AFTER", 0, 1, INT64_MAX) /* allocations */                            \
  X(gpu_pages, "GPU_PAGES", 0, 1, INT64_MAX)               /* of a piece */                             \
  X(gpu_rows, "GPU_ROWS", 0, 1, INT32_MAX)                 /* of levels that the first GPU has alone */ \
  X(gpu_shake, "GPU_SHAKE", 0, 1, UINT32_MAX)              /* seed of pauses */                         \
  X(ranks_shake, "RANKS_SHAKE", 0, 1, UINT32_MAX)          /* likewise */                               \
  X(ranks_skip, "RANKS_SKIP", 0, 1, INT64_MAX)             /* exchange that is left out */              \
  X(ranks_piece, "RANKS_PIECE", 0, 1, INT32_MAX)           /* bytes of a message at most */             \
  X(ranks_yield, "RANKS_YIELD", 0, 1, 1)                   /* waits do not block */                     \
  X(ranks_cut, "RANKS_CUT", 0, 0, UINT32_MAX)              /* seed of cuts by chance */                 \
  X(ranks_blind, "RANKS_BLIND", 0, 0, INT32_MAX)           /* rank that does not find a file */         \
  X(ranks_hosts, "RANKS_HOSTS", 0, 1, 2)                   /* 1: several hosts, 2: that write pages */  \
  X(ranks_whole, "RANKS_WHOLE", 0, 1, 1)                   /* each rank reads the whole deck */         \
  X(ranks_least_rows, "RANKS_LEVELS", 0, 0, INT64_MAX)     /* rows of a rank that keep it at a level */ \
  X(ranks_whole_rows, "RANKS_LEVELS", 1, 0, INT64_MAX)     /* rows of a level that all ranks have */    \
  X(team_rotate, "TEAM", 0, 0, UINT32_MAX)                 /* of a run's hp_team_options */             \
  X(team_skip_barrier, "TEAM", 1, 0, INT64_MAX)            /* likewise */                               \
  X(team_gpus, "TEAM", 2, 0, INT32_MAX)                    /* likewise */

/* -1: not asked for. */
typedef struct hp_test_hooks {
#define HP_TEST_HOOK_MEMBER(member, name, number, least, most) int64_t member;
  HP_TEST_HOOK_LIST(HP_TEST_HOOK_MEMBER)
#undef HP_TEST_HOOK_MEMBER
  const char *gpus; /* HEPTA_TEST_GPUS: as how many GPUs one counts, or a list; NULL: not asked for */
} hp_test_hooks;

/* Reads them. HP_ERR_USAGE for a value that is out of range or not a number. */
hp_status hp_test_hooks_read(hp_test_hooks *out) HP_MUST_USE;
/* The hooks that the first call read; none if one is wrong, which the functions that open GPUs and ranks report. */
const hp_test_hooks *hp_test_hooks_get(void);
/* Reads them again, for tests that change the environment. */
void hp_test_hooks_renew(void);

HP_EXTERN_C_END

#endif
