/* Profile of a run: calls, seconds and bytes for each named operation,
 * always compiled in. The table at the end of a run (`--profile` shows all of
 * it) and NAME.solver.csv are made from these counters.
 */
#ifndef HP_CORE_PROFILE_H
#define HP_CORE_PROFILE_H

#include "core/portable.h"

HP_EXTERN_C_BEGIN

/* X(name, text, group): group is the line of the short table it adds to. */
#define HP_PROFILE_LIST(X)                                        \
  X(PROPERTIES, "cell properties", "properties and assembly")     \
  X(ASSEMBLY, "assembly of cell rows", "properties and assembly") \
  X(UPDATE, "Newton update and norms", "properties and assembly") \
  X(WELLS, "wells: controls and rows", "wells")                   \
  X(SETUP, "preconditioner setup", "linear setup")                \
  X(SOLVE, "Krylov iterations", "linear solve")                   \
  X(ERROR, "error in time", "error in time")                      \
  X(BUS, "launches, reports, small copies", "host and device")    \
  X(FIELDS, "fields to the host", "output")                       \
  X(OUTPUT, "output", "output")                                   \
  X(START, "reading and initialisation", "start")

typedef enum {
#define HP_PROFILE_ENUM(name, text, group) HP_PROF_##name,
  HP_PROFILE_LIST(HP_PROFILE_ENUM)
#undef HP_PROFILE_ENUM
      HP_PROF_COUNT
} hp_profile_op;

typedef struct {
  int64_t calls;
  double seconds;
  double bytes; /* moved, as counted by the operation itself; 0 = not counted */
} hp_profile_entry;

typedef struct {
  hp_profile_entry op[HP_PROF_COUNT];
} hp_profile;

/* Wall-clock seconds of a monotonic clock. */
double hp_now(void);

HP_INLINE void hp_profile_add(hp_profile *p, hp_profile_op op, double seconds, double bytes) {
  p->op[op].calls += 1;
  p->op[op].seconds += seconds;
  p->op[op].bytes += bytes;
}

const char *hp_profile_text(hp_profile_op op);
const char *hp_profile_group(hp_profile_op op);

HP_EXTERN_C_END

#endif
