/* Part of the program `hepta` alone, not of the library: malloc, calloc and realloc for the libraries in it.
 *
 * libconfig does not look whether it got the memory that it asked for, HDF5 not everywhere: refused a block they write
 * through a null pointer. So whoever asks by these names gets a block or does not come back: a sentence goes to
 * standard error and the program ends with exit code 1. What report steps of a run the master file names stays whole,
 * as it does when the program is killed. Arrays of our own come from hp_alloc (posix_memalign), whose callers get an
 * error.
 *
 * Sizes that no machine has are refused in the usual way: a damaged file says them, and HDF5 looks at the answer.
 *
 * The blocks are those of the C library, by the names that glibc gives its own functions; free stays as it is. With
 * another C library, or a sanitizer (which has its own), nothing here is compiled. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/memory.h"

#if defined(__GLIBC__)

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

static void *answer(void *block, size_t count, size_t size) {
  static const size_t most = (size_t)1 << 40; /* bytes */
  if (block != NULL || count == 0 || size == 0 || size > most / count) return block;
  char text[200];
  const int n = snprintf(
      text, sizeof text,
      "hepta: out of memory: a library asked for %zu bytes, %.1f MB are held by arrays; 'hepta check' "
      "says what a run needs\n",
      count * size, (double)hp_memory_now() / 1e6);
  const ssize_t written = write(STDERR_FILENO, text, (size_t)n);
  (void)written; /* there is nowhere else to report it */
  _exit(EXIT_FAILURE);
}

void *malloc(size_t size) { return answer(__libc_malloc(size), 1, size); }
void *calloc(size_t count, size_t size) { return answer(__libc_calloc(count, size), count, size); }
void *realloc(void *block, size_t size) { return answer(__libc_realloc(block, size), 1, size); }

#endif
