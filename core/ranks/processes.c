/* Processes around rank 0, by their numbers: which rank of its host has ended, and whether the starter's output has readers. */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/ranks/impl.h"

/* Processes know each other's numbers where host and, in containers, space of numbers are the same. */
typedef struct {
  char host[HP_RANKS_HOST];
  int64_t space, number;
} process;

static process find_mine(void) {
  struct stat space;
  process p;
  memset(&p, 0, sizeof p);
  hp_ranks_host_name(p.host);
  p.space = stat("/proc/self/ns/pid", &space) == 0 ? (int64_t)space.st_ino : 0;
  p.number = getpid();
  return p;
}

static bool is_there(int64_t number) { return kill((pid_t)number, 0) == 0 || errno != ESRCH; }

/* ---- the starter ---- */

/* The parent of a process, 0: not known; name [64]: that of the process. */
static int64_t parent_of(int64_t number, char *name) {
  char path[48], text[256];
  snprintf(path, sizeof path, "/proc/%lld/stat", (long long)number);
  FILE *f = fopen(path, "r");
  const size_t length = f != NULL ? fread(text, 1, sizeof text - 1, f) : 0; /* "17 (mpirun) S 16 ..." */
  if (f != NULL) fclose(f);
  text[length] = '\0';
  char *begin = strchr(text, '('), *end = strrchr(text, ')');
  if (begin == NULL || end == NULL || end < begin || strlen(end) < 4) return 0;
  *end = '\0';
  snprintf(name, 64, "%.63s", begin + 1);
  return strtoll(end + 3, NULL, 10);
}

static bool is_starter(const char *name) {
  static const char *const known[] = {"mpirun", "mpiexec", "orterun", "prterun"}; /* and mpiexec.hydra */
  for (size_t n = 0; n < sizeof known / sizeof *known; ++n)
    if (strncmp(name, known[n], strlen(known[n])) == 0) return true;
  return false;
}

/* The nearest starter among the processes from whom this one descends, 0: there is none on this host. */
static int64_t find_starter(void) {
  enum { FAR = 8 };
  char name[64];
  int64_t number = getppid();
  for (int n = 0; n < FAR && number > 1; ++n) {
    const int64_t parent = parent_of(number, name);
    if (parent > 0 && is_starter(name)) return number;
    number = parent;
  }
  return 0;
}

/* "/proc/17/fd/1", without functions that handlers of signals must not call. */
static void stream_path(int64_t number, int fd, char out[40]) {
  char digits[24];
  int count = 0;
  size_t at = strlen(strcpy(out, "/proc/"));
  for (; number > 0; number /= 10) digits[count++] = (char)('0' + number % 10);
  while (count > 0) out[at++] = digits[--count];
  strcpy(out + at, "/fd/");
  at += strlen("/fd/");
  out[at] = (char)('0' + fd);
  out[at + 1] = '\0';
}

/* Whether the file is a pipe without a reader. */
static bool has_no_reader(const char *path) {
  struct stat st;
  if (stat(path, &st) != 0 || !S_ISFIFO(st.st_mode)) return false;
  struct pollfd end = {.fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC), .events = POLLOUT};
  if (end.fd < 0) return errno == ENXIO; /* so for pipes that have a name */
  const bool none = poll(&end, 1, 0) == 1 && (end.revents & POLLERR) != 0;
  close(end.fd);
  return none;
}

bool hp_ranks_drop_unread(hp_ranks *K, int fd) {
  char path[40];
  if (K->dropped[fd] || K->starter == 0) return K->dropped[fd];
  const int error = errno;
  stream_path(K->starter, fd, path);
  if (has_no_reader(path)) {
    const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    K->dropped[fd] = null >= 0 && dup2(null, fd) >= 0;
    if (null >= 0) close(null);
  }
  errno = error;
  return K->dropped[fd];
}

/* ---- ranks ---- */

hp_status hp_ranks_know_processes(hp_ranks *K) {
  const process mine = find_mine();
  process *all = NULL;
  const bool root = K->rank == 0;
  K->starter = root ? find_starter() : 0;
  hp_status s = HP_ALLOC(K->process, root ? K->size : 0);
  if (s == HP_OK) s = HP_ALLOC(K->host, root ? K->size : 0);
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
      memcpy(K->host[r], all[r].host, sizeof all[r].host);
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
