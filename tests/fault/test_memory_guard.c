/* core/memory_guard.c: sizes that no machine has are refused as ever, and leave the block that was to grow; where there
 * is no more memory the program ends with a sentence and exit code 1. tests/fault/test_memory.py has the libraries. */
#define _DEFAULT_SOURCE
#include <features.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/check.h"

#if defined(MEMORY_GUARD) && defined(__GLIBC__)

/* Sizes and blocks that the compiler does not know. */
static const volatile size_t huge = (size_t)1 << 41, most = SIZE_MAX / 2 + 1, some = (size_t)1 << 30;
static void *volatile block;

static void check_sizes(void) {
  block = malloc(100);
  CHECK(block != NULL);
  memset(block, 7, 100);
  CHECK(malloc(huge) == NULL);
  CHECK(calloc(most, 2) == NULL && calloc(huge, 1) == NULL);
  CHECK(realloc(block, huge) == NULL);
  CHECK(((char *)block)[99] == 7);
  block = realloc(block, 200);
  CHECK(block != NULL && ((char *)block)[99] == 7);
  free(block);
  block = calloc(0, 8);
  free(block);
}

static void exhaust(int how) {
  const struct rlimit little = {256 << 20, 256 << 20};
  if (setrlimit(RLIMIT_AS, &little) != 0) _exit(CHECK_SKIPPED);
  block = how == 0 ? malloc(some) : how == 1 ? calloc(some / 8, 8) : realloc(malloc(8), some);
  _exit(0);
}

/* By each of the three. */
static void check_end(int how) {
  int ends[2], status = 0;
  char said[400];
  CHECK(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    exhaust(how);
  }
  close(ends[1]);
  const ssize_t n = read(ends[0], said, sizeof said - 1);
  said[n > 0 ? n : 0] = '\0';
  close(ends[0]);
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
  CHECK(strstr(said, "hepta: out of memory: a library asked for 1073741824 bytes") == said);
}

int main(void) {
  check_sizes();
  for (int how = 0; how < 3; ++how) check_end(how);
  return check_result();
}

#else

int main(void) {
  puts("skipped: a sanitizer or another C library has its own memory");
  return CHECK_SKIPPED;
}

#endif
