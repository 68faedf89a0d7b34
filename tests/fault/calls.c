/* Preloaded into the program: the n-th call that changes files fails, is torn, or is the last; or the n-th block of
 * memory is refused. With HEPTA_FAULT=
 *
 *   kill                 the process is killed before the call
 *   torn                 half of what is to be written is, then the process is killed; other calls as kill
 *   ENOSPC EDQUOT EIO    the call and all later ones that need room fail so (a disk that is full stays full)
 *   room                 HEPTA_FAULT_AT is no number of a call but the bytes that a disk has room for; files that are
 *                        removed or replaced give theirs back
 *   memory               posix_memalign, which all of the program's arrays come from, has no more memory, once;
 *                        at the end blocks that were not freed are reported on standard error
 *   library              so have malloc, calloc and realloc, by which libraries ask (core/memory_guard.c stands before
 *                        these, so their inner names are taken here)
 *
 * at call number HEPTA_FAULT_AT, from 1; those are counted that concern files, not descriptors 0 to 2, with
 * HEPTA_FAULT_OF=pwrite only those of pwrite. Nothing here has to survive a power cut: fsync does nothing. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *kind = "";
static long target, calls;
static int code;
static bool of_pwrite;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
  const char *at = getenv("HEPTA_FAULT_AT"), *what = getenv("HEPTA_FAULT");
  if (what == NULL) return;
  kind = what;
  target = at != NULL ? atol(at) : 0;
  of_pwrite = getenv("HEPTA_FAULT_OF") != NULL && strcmp(getenv("HEPTA_FAULT_OF"), "pwrite") == 0;
  code = strcmp(what, "ENOSPC") == 0   ? ENOSPC
         : strcmp(what, "EDQUOT") == 0 ? EDQUOT
         : strcmp(what, "EIO") == 0    ? EIO
                                       : 0;
}

/* ---- files ---- */

/* Counts a call; true: it is to fail. needs_room: fails on a full disk. */
static bool counted_goes_wrong(bool needs_room, int fd, const void *data, size_t size) {
  const bool other = strcmp(kind, "memory") == 0 || strcmp(kind, "library") == 0 || strcmp(kind, "room") == 0;
  if (target == 0 || other) return false;
  pthread_mutex_lock(&lock);
  const long n = ++calls;
  pthread_mutex_unlock(&lock);
  if (n < target) return false;
  if (code != 0) {
    errno = code;
    return needs_room;
  }
  if (strcmp(kind, "torn") == 0 && data != NULL && syscall(SYS_write, fd, data, size / 2) < 0) abort();
  raise(SIGKILL);
  return true;
}

/* Of calls but pwrite. */
static bool goes_wrong(bool needs_room, int fd, const void *data, size_t size) {
  return !of_pwrite && counted_goes_wrong(needs_room, fd, data, size);
}

/* ---- a small disk ---- */

static bool is_small(void) { return strcmp(kind, "room") == 0; }

/* Takes up to `size` bytes of what is left; the bytes taken. */
static size_t allow(size_t size) {
  pthread_mutex_lock(&lock);
  const size_t left = calls < target ? (size_t)(target - calls) : 0, allowed = size < left ? size : left;
  calls += (long)allowed;
  pthread_mutex_unlock(&lock);
  return allowed;
}

static void give_back(long size) {
  pthread_mutex_lock(&lock);
  calls -= size;
  pthread_mutex_unlock(&lock);
}

static long size_at(const char *path) {
  struct stat st;
  return is_small() && stat(path, &st) == 0 && S_ISREG(st.st_mode) ? (long)st.st_size : 0;
}

static ssize_t write_small(int fd, const void *data, size_t size) {
  const size_t allowed = allow(size);
  if (allowed > 0 || size == 0) return syscall(SYS_write, fd, data, allowed);
  errno = ENOSPC;
  return -1;
}

/* ---- the calls ---- */

/* Not a pipe or the like, by which threads and MPI's processes wake each other. */
static bool is_file(int fd) {
  struct stat st;
  return fd > 2 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

ssize_t write(int fd, const void *data, size_t size) {
  const bool file = is_file(fd);
  if (file && is_small()) return write_small(fd, data, size);
  if (file && goes_wrong(true, fd, data, size)) return -1;
  return syscall(SYS_write, fd, data, size);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
  if (is_file(fd) && counted_goes_wrong(true, fd, NULL, size)) return -1;
  return syscall(SYS_pwrite64, fd, data, size, at);
}

int ftruncate(int fd, off_t size) {
  struct stat st;
  if (goes_wrong(true, fd, NULL, 0)) return -1;
  if (is_small() && fstat(fd, &st) == 0 && st.st_size > size) give_back((long)(st.st_size - size));
  return (int)syscall(SYS_ftruncate, fd, size);
}

int fsync(int fd) { return goes_wrong(true, fd, NULL, 0) ? -1 : 0; }

int rename(const char *from, const char *to) {
  if (goes_wrong(true, -1, NULL, 0)) return -1;
  give_back(size_at(to));
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlink(const char *path) {
  if (goes_wrong(false, -1, NULL, 0)) return -1;
  give_back(size_at(path));
  return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int mkdir(const char *path, mode_t mode) {
  return goes_wrong(true, -1, NULL, 0) ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int open(const char *path, int flags, ...) {
  va_list ap;
  va_start(ap, flags);
  const unsigned mode = (flags & O_CREAT) != 0 ? va_arg(ap, unsigned) : 0;
  va_end(ap);
  if ((flags & O_CREAT) != 0 && goes_wrong(true, -1, NULL, 0)) return -1;
  if ((flags & O_TRUNC) != 0) give_back(size_at(path));
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/* ---- memory ---- */

enum { LIVE = 1 << 14 }; /* many times the blocks of a small run; all are looked at in the end */
static void *live[LIVE]; /* blocks by their address; (void *)1: one was here */

static size_t place(const void *p) { return (size_t)(((uintptr_t)p >> 6) * 0x9e3779b97f4a7c15u >> 50); }

int posix_memalign(void **out, size_t align, size_t size) {
  static int (*real)(void **, size_t, size_t);
  bool refused = false;
  if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "posix_memalign");
  pthread_mutex_lock(&lock);
  if (strcmp(kind, "memory") == 0) refused = ++calls == target;
  const int r = refused ? ENOMEM : real(out, align, size);
  if (r == 0 && strcmp(kind, "memory") == 0) { /* not those of libraries that start before this one */
    size_t at = place(*out);
    while ((uintptr_t)live[at] > 1) at = (at + 1) % LIVE;
    live[at] = *out;
  }
  pthread_mutex_unlock(&lock);
  return r;
}

void free(void *p) {
  static void (*real)(void *);
  if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "free");
  if (p != NULL && strcmp(kind, "memory") == 0) {
    pthread_mutex_lock(&lock);
    for (size_t at = place(p); live[at] != NULL; at = (at + 1) % LIVE)
      if (live[at] == p) {
        live[at] = (void *)1;
        break;
      }
    pthread_mutex_unlock(&lock);
  }
  real(p);
}

/* Counts a block that a library asks for; true: it is refused. */
static bool library_refused(void) {
  if (strcmp(kind, "library") != 0) return false;
  pthread_mutex_lock(&lock);
  const bool refused = ++calls == target;
  pthread_mutex_unlock(&lock);
  if (refused) errno = ENOMEM;
  return refused;
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

void *__libc_malloc(size_t size) {
  static void *(*real)(size_t);
  if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "__libc_malloc");
  return library_refused() ? NULL : real(size);
}

void *__libc_calloc(size_t count, size_t size) {
  static void *(*real)(size_t, size_t);
  if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "__libc_calloc");
  return library_refused() ? NULL : real(count, size);
}

void *__libc_realloc(void *block, size_t size) {
  static void *(*real)(void *, size_t);
  if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "__libc_realloc");
  return library_refused() ? NULL : real(block, size);
}

__attribute__((destructor)) static void end(void) {
  long left = 0;
  if (strcmp(kind, "library") == 0) fprintf(stderr, "blocks: %ld asked for by libraries\n", calls);
  if (strcmp(kind, "memory") != 0) return;
  for (size_t at = 0; at < LIVE; ++at) left += (uintptr_t)live[at] > 1;
  fprintf(stderr, "blocks: %ld asked for, %ld not freed\n", calls, left);
}
