/* Processes around rank 0, by their numbers: which rank of its host has ended, and whether the starter's output has readers. */
#define _DEFAULT_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/digits.h"
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

/* The parent of a process, 0 outside of what this one sees, -1: not known; name [64]: that of the process. */
static int64_t parent_of(int64_t number, char *name) {
  char path[48], text[256];
  snprintf(path, sizeof path, "/proc/%lld/stat", (long long)number);
  FILE *f = fopen(path, "r");
  const size_t length = f != NULL ? fread(text, 1, sizeof text - 1, f) : 0; /* "17 (mpirun) S 16 ..." */
  if (f != NULL) fclose(f);
  text[length] = '\0';
  char *begin = strchr(text, '('), *end = strrchr(text, ')');
  if (begin == NULL || end == NULL || end < begin || strlen(end) < 4) return -1;
  *end = '\0';
  snprintf(name, 64, "%.63s", begin + 1);
  return strtoll(end + 3, NULL, 10);
}

static const char *const starters[] = {"mpirun", "mpiexec", "orterun", "prterun", NULL}; /* and mpiexec.hydra */
static const char *const proxies[] = {"hydra_pmi_proxy", "orted", "prted", NULL}; /* of a starter, which read for it */

static bool is_among(const char *name, const char *const *known) {
  while (*known != NULL && strncmp(name, *known, strlen(*known)) != 0) ++known;
  return *known != NULL;
}

/* Whether process `number` reads what is written to `fd`: it has the same pipe; or that is a terminal, as starters make for ranks. */
static bool is_read_by(int64_t number, int fd) {
  char path[320];
  struct stat mine, st;
  bool found = false;
  if (fstat(fd, &mine) != 0 || !S_ISFIFO(mine.st_mode)) return isatty(fd) != 0;
  snprintf(path, sizeof path, "/proc/%lld/fd", (long long)number);
  DIR *of = opendir(path);
  for (struct dirent *e = of != NULL ? readdir(of) : NULL; e != NULL && !found; e = readdir(of)) {
    snprintf(path, sizeof path, "/proc/%lld/fd/%s", (long long)number, e->d_name);
    found = stat(path, &st) == 0 && st.st_ino == mine.st_ino && st.st_dev == mine.st_dev;
  }
  if (of != NULL) closedir(of);
  return found;
}

/* Fills K->starter and K->passed: the nearest starter among the ancestors, and which streams it, or its proxy, reads. */
static void find_starter(hp_ranks *K) {
  enum { FAR = 8 };
  char name[64];
  int64_t number = getppid(), reader = 0;
  for (int n = 0; n < FAR && number > 0 && K->starter == 0; ++n) {
    const int64_t parent = parent_of(number, name);
    if (parent < 0) return;
    if (reader == 0 && (is_among(name, starters) || is_among(name, proxies))) reader = number;
    if (is_among(name, starters)) K->starter = number;
    number = parent;
  }
  for (int fd = STDOUT_FILENO; K->starter != 0 && fd <= STDERR_FILENO; ++fd) K->passed[fd] = is_read_by(reader, fd);
}

/* "/proc/17/fd/1", without functions that handlers of signals must not call. */
static void stream_path(int64_t number, int fd, char out[40]) {
  char *end = hp_digits(out + strlen(strcpy(out, "/proc/")), number);
  hp_digits(end + strlen(strcpy(end, "/fd/")), fd);
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
  if (K->dropped[fd] || !K->passed[fd]) return K->dropped[fd];
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
  if (root) find_starter(K);
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
