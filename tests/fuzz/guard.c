/* Calls to the system that a deck must never cause, in place of the C library's own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

static const char *watched; /* the folder, NULL: nothing is watched */
static long refused;

void fuzz_guard(const char *folder) { watched = folder; }
long fuzz_guard_refused(void) { return refused; }

static bool inside(const char *path) {
  const size_t n = strlen(watched);
  return strncmp(path, watched, n) == 0 && (path[n] == '/' || path[n] == '\0') && strstr(path, "..") == NULL;
}

/* Whether the file may be opened; writing is no choice at all. */
static bool may_open(const char *path, bool write) {
  if (watched == NULL) return true;
  if (write) fuzz_fail("a file opened for writing", path);
  if (inside(path)) return true;
  refused += 1;
  errno = EACCES;
  return false;
}

static bool writes(const char *mode) { return strpbrk(mode, "wa+") != NULL; }
static bool changes(int flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0; }

/* The next definition of `name`: the C library's, or a sanitizer's. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

FILE *fopen(const char *path, const char *mode) {
  return may_open(path, writes(mode)) ? REAL(fopen)(path, mode) : NULL;
}
FILE *fopen64(const char *path, const char *mode) {
  return may_open(path, writes(mode)) ? REAL(fopen64)(path, mode) : NULL;
}

#define OPEN(name)                                                              \
  int name(const char *path, int flags, ...) {                                  \
    va_list ap;                                                                 \
    va_start(ap, flags);                                                        \
    const int mode = (flags & O_CREAT) != 0 ? va_arg(ap, int) : 0;              \
    va_end(ap);                                                                 \
    return may_open(path, changes(flags)) ? REAL(name)(path, flags, mode) : -1; \
  }
OPEN(open)
OPEN(open64)

static void forbid(const char *what, const char *about) {
  if (watched != NULL) fuzz_fail(what, about);
}

int creat(const char *path, mode_t mode) {
  forbid("creat", path);
  return REAL(creat)(path, mode);
}
int unlink(const char *path) {
  forbid("unlink", path);
  return REAL(unlink)(path);
}
int remove(const char *path) {
  forbid("remove", path);
  return REAL(remove)(path);
}
int rename(const char *from, const char *to) {
  forbid("rename", from);
  return REAL(rename)(from, to);
}
int mkdir(const char *path, mode_t mode) {
  forbid("mkdir", path);
  return REAL(mkdir)(path, mode);
}
int system(const char *command) {
  forbid("system", command);
  return REAL(system)(command);
}
FILE *popen(const char *command, const char *mode) {
  forbid("popen", command);
  return REAL(popen)(command, mode);
}
pid_t fork(void) {
  forbid("fork", "");
  return REAL(fork)();
}
int execve(const char *path, char *const argv[], char *const envp[]) {
  forbid("execve", path);
  return REAL(execve)(path, argv, envp);
}
int execv(const char *path, char *const argv[]) {
  forbid("execv", path);
  return REAL(execv)(path, argv);
}
int execvp(const char *path, char *const argv[]) {
  forbid("execvp", path);
  return REAL(execvp)(path, argv);
}
