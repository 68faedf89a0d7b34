/* How much memory a program on this machine can have: what is built in and the swap space, less where a control group
 * or a limit of the process (ulimit -v) gives less. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/sysinfo.h>
#endif

#include "core/memory.h"

static int64_t built_in(void) {
#if defined(__linux__)
  struct sysinfo info;
  if (sysinfo(&info) == 0) return (int64_t)(info.totalram + info.totalswap) * (int64_t)info.mem_unit;
#endif
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? (int64_t)pages * size : INT64_MAX;
}

/* The number in a file; INT64_MAX: none, or no such file. */
static int64_t number_in(const char *path) {
  long long value;
  FILE *f = fopen(path, "r");
  if (f == NULL) return INT64_MAX;
  const bool found = fscanf(f, "%lld", &value) == 1 && value > 0;
  fclose(f);
  return found ? (int64_t)value : INT64_MAX;
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* The limit of the control group at the root that is seen here, or of the process's own. */
static int64_t of_group(void) {
  char line[512], path[640];
  int64_t most = number_in("/sys/fs/cgroup/memory.max");
  most = smaller(most, number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
  FILE *f = fopen("/proc/self/cgroup", "r");
  while (f != NULL && fgets(line, sizeof line, f) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, "0::", 3) != 0) continue;
    snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.max", line + 3);
    most = smaller(most, number_in(path));
  }
  if (f != NULL) fclose(f);
  return most;
}

int64_t hp_memory_machine(void) {
  struct rlimit limit;
  int64_t most = smaller(built_in(), of_group());
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur <= (rlim_t)INT64_MAX)
    most = smaller(most, (int64_t)limit.rlim_cur);
  return most;
}
