/* Place of a bench of products: the CPU's team or a GPU, the bandwidth of a copy there, and products timed on the CPU. */
#ifndef HP_BENCH_PLACE_H
#define HP_BENCH_PLACE_H

#include "core/device/device.h"
#include "core/team/team.h"
#include "linsolve/matrix/gh.h"
#include "sim/backend/backend.h"

enum { HP_BENCH_TIMES_MAX = 1000 };

typedef struct hp_bench_place {
  hp_device *device; /* GPU, else NULL */
  hp_team_hub *hub;  /* CPU, else NULL */
  double *flush;     /* [flush_count] CPU: larger than the caches */
  int64_t flush_count;
  double copy; /* [bytes/s] read and written */
  double peak; /* [1/s] operations in double precision, of all GPUs or cores; 0: not measured */
} hp_bench_place;

/* threads: of the CPU, 0: one per processor; device: of a GPU, NULL: all defaults. Prints where it is and what a copy moves. A place of zeros may be closed. */
hp_status hp_bench_place_open(hp_backend_kind backend, int threads, const hp_device_options *device,
                              hp_bench_place *place) HP_MUST_USE;
/* Measures `peak`: multiplications and additions in registers, as compilers made them for this machine. */
hp_status hp_bench_place_peak(hp_bench_place *place) HP_MUST_USE;
void hp_bench_place_close(hp_bench_place *place);

/* Median time [s] of product(team, arg) on the CPU, repeated for `limit` seconds, five times at least and
 * HP_BENCH_TIMES_MAX at most, after two to warm up; *count is how often. cold: everything leaves the caches before each. */
hp_status hp_bench_place_time(const hp_bench_place *place, void (*product)(hp_team *team, void *arg), void *arg,
                              bool cold, double limit, double *median, int *count) HP_MUST_USE;

/* Entries of A inside its grid, with wells and connections. */
int64_t hp_bench_entries(const hp_gh *A);

#endif
