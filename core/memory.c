#define _DEFAULT_SOURCE /* madvise */
#include "core/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/parallel.h"

/* The size is kept in a 64-byte header before the block, so that alignment holds. */
enum { HEADER = 64 };

static _Atomic int64_t bytes_now, bytes_peak, bytes_limit;

/* Large pages, where the system has some, are touched in a fifth of the time. */
static void ask_for_large_pages(void *block, size_t bytes) {
#ifdef MADV_HUGEPAGE
  enum { LARGE = 2 << 20 };
  const uintptr_t begin = ((uintptr_t)block + LARGE - 1) / LARGE * LARGE,
                  end = ((uintptr_t)block + bytes) / LARGE * LARGE;
  if (end >= begin + 2 * LARGE) (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
  (void)block, (void)bytes;
#endif
}

hp_status hp_alloc_unset(void **out, int64_t count, size_t size, const char *what) {
  *out = NULL;
  if (count == 0) return HP_OK;
  if (count < 0 || size == 0 || (uint64_t)count > (SIZE_MAX - 2 * HEADER) / size)
    return hp_fail(HP_ERR_MEMORY, "%s: cannot allocate %lld elements of %zu bytes", what, (long long)count, size);
  const size_t bytes = (size_t)count * size;
  char *block = NULL;
  const bool held_back = bytes_limit > 0 && bytes > (uint64_t)(bytes_limit > bytes_now ? bytes_limit - bytes_now : 0);
  if (held_back || posix_memalign((void **)&block, HEADER, bytes + HEADER) != 0)
    return hp_fail(HP_ERR_MEMORY, "%s: out of memory (%.1f MB wanted, %.1f MB held)", what, (double)bytes / 1e6,
                   (double)bytes_now / 1e6);
  memcpy(block, &bytes, sizeof bytes);
  const int64_t now = atomic_fetch_add(&bytes_now, (int64_t)bytes) + (int64_t)bytes;
  int64_t peak = bytes_peak;
  while (now > peak && !atomic_compare_exchange_weak(&bytes_peak, &peak, now)) {
  }
  *out = block + HEADER;
  ask_for_large_pages(*out, bytes);
  return HP_OK;
}

static void clear_range(void *arg, int64_t begin, int64_t end) {
  memset((char *)arg + begin, 0, (size_t)(end - begin));
}

/* The first touch of a large array is most of the cost, and threads share it. */
hp_status hp_alloc(void **out, int64_t count, size_t size, const char *what) {
  enum { GRAIN = 2 << 20 /* bytes */ };
  HP_TRY(hp_alloc_unset(out, count, size, what));
  hp_parallel(count * (int64_t)size, GRAIN, clear_range, *out);
  return HP_OK;
}

static size_t bytes_of(const void *array) {
  size_t bytes = 0;
  if (array != NULL) memcpy(&bytes, (const char *)array - HEADER, sizeof bytes);
  return bytes;
}

void hp_free(void *p) {
  void **slot = p;
  if (slot == NULL || *slot == NULL) return;
  atomic_fetch_sub(&bytes_now, (int64_t)bytes_of(*slot));
  free((char *)*slot - HEADER);
  *slot = NULL;
}

hp_status hp_grow(void **array, int64_t count, int64_t more, size_t size, const char *what) {
  enum { LEAST = 16 };
  const int64_t room = (int64_t)(bytes_of(*array) / size), wanted = count + more;
  if (wanted <= room) return HP_OK;
  void *larger;
  HP_TRY(hp_alloc(&larger, wanted > 2 * room ? (wanted > LEAST ? wanted : LEAST) : 2 * room, size, what));
  if (*array != NULL) memcpy(larger, *array, (size_t)count * size);
  hp_free(array);
  *array = larger;
  return HP_OK;
}

int64_t hp_memory_now(void) { return bytes_now; }
int64_t hp_memory_peak(void) { return bytes_peak; }
void hp_memory_limit(int64_t bytes) { bytes_limit = bytes; }
void hp_memory_restart_peak(void) { bytes_peak = bytes_now; }
