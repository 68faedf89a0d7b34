#define _XOPEN_SOURCE 700
#include "core/rehearse.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Seconds of processor time: many times what a file takes that is not damaged. */
static rlim_t seconds_for(int64_t bytes, int64_t files) {
  enum { LEAST = 2, BYTES_A_SECOND = 16 << 20, FILES_A_SECOND = 200 };
  return (rlim_t)(LEAST + bytes / BYTES_A_SECOND + files / FILES_A_SECOND);
}

static void rehearse(rlim_t seconds, void (*work)(void *arg), void *arg) {
  const struct rlimit none = {0, 0}, most = {seconds, seconds + 1};
  const int nowhere = open("/dev/null", O_RDONLY); /* what libraries say at their end */
  if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
  if (setrlimit(RLIMIT_CORE, &none) == 0 && setrlimit(RLIMIT_CPU, &most) == 0) work(arg);
  _exit(0);
}

hp_rehearsal hp_rehearse(int64_t bytes, int64_t files, void (*work)(void *arg), void *arg) {
  fflush(NULL);
  const pid_t child = fork();
  if (child < 0) return HP_REHEARSED;
  if (child == 0) rehearse(seconds_for(bytes, files), work, arg);
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return HP_REHEARSED;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return HP_REHEARSED;
  if (WIFEXITED(status)) return HP_REHEARSAL_MEMORY; /* core/memory_guard.c */
  const bool endless = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
  return endless ? HP_REHEARSAL_ENDLESS : HP_REHEARSAL_CRASHED;
}

const char *hp_rehearsal_text(hp_rehearsal r) {
  if (r == HP_REHEARSAL_MEMORY) return "takes more memory than there is";
  return r == HP_REHEARSAL_ENDLESS ? "does not come to an end" : "crashes";
}
