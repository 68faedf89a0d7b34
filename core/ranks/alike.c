/* Whether the ranks' programs are alike. They send each other plain data as it lies in memory, and each evaluates the equations of all
 * wells: another build of hepta is refused. A processor or C library whose functions round otherwise is warned of. */
#define _GNU_SOURCE
#include <math.h>
#include <string.h>
#include <unistd.h>
#if defined(__linux__)
#include <link.h>
#endif

#include "core/ranks/impl.h"

static uint64_t add(uint64_t hash, const void *bytes, size_t size) { /* FNV-1a */
  for (size_t n = 0; n < size; ++n) hash = (hash ^ ((const uint8_t *)bytes)[n]) * 0x100000001B3u;
  return hash;
}

#if defined(__linux__)
/* Build ID of the program, which dl_iterate_phdr names first, from one of its notes. */
static int find_note(struct dl_phdr_info *program, size_t size, void *hash) {
  (void)size;
  for (int n = 0; n < program->dlpi_phnum; ++n) {
    const ElfW(Phdr) *part = &program->dlpi_phdr[n];
    const char *at = (const char *)(program->dlpi_addr + part->p_vaddr), *end = at + part->p_memsz;
    ElfW(Nhdr) note;
    while (part->p_type == PT_NOTE && end - at >= (ptrdiff_t)sizeof note) {
      memcpy(&note, at, sizeof note);
      const char *name = at + sizeof note, *number = name + (note.n_namesz + 3u) / 4u * 4u;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU &&
          memcmp(name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0)
        *(uint64_t *)hash = add(*(uint64_t *)hash, number, note.n_descsz);
      at = number + (note.n_descsz + 3u) / 4u * 4u;
    }
  }
  return 1;
}
#endif

/* Hash of the program's build ID; 0 without one. */
static uint64_t find_build(void) {
  uint64_t hash = 0;
#if defined(__linux__)
  dl_iterate_phdr(find_note, &hash);
#endif
  return hash;
}

/* glibc has variants of pow, exp and log for processors with and without fused multiplications. They differ in the last bit of
 * few values, so it takes many. */
static uint64_t find_rounding(void) {
  enum { VALUES = 1 << 13 };
  uint64_t hash = 0;
  for (int n = 0; n < VALUES; ++n) {
    const double x = (n + 0.5) / VALUES, values[] = {pow(x, 2.3 + x), exp(-5.0 * x), log(x)};
    hash = add(hash, values, sizeof values);
  }
  return hash;
}

void hp_ranks_host_name(char *out) {
  memset(out, 0, HP_RANKS_HOST);
  if (gethostname(out, HP_RANKS_HOST - 1) != 0) out[0] = '\0';
}

hp_status hp_ranks_compare(hp_ranks *K) {
  struct { /* of the same size in all versions, which meet here first, and then in hp_ranks_agree */
    uint64_t build, rounding;
    char host[HP_RANKS_HOST];
  } mine = {.build = find_build(), .rounding = find_rounding()}, first;
  hp_ranks_host_name(mine.host);
  first = mine;
  hp_ranks_broadcast(K, 0, &first, sizeof first);
  HP_TRY(
      hp_ranks_agree(K, mine.build == first.build
                            ? HP_OK
                            : hp_fail(HP_ERR_UNSUPPORTED,
                                      "rank %d on %s runs another build of hepta than rank 0 on %s: install the same "
                                      "on all hosts",
                                      K->rank, mine.host, first.host)));
  double odd = mine.rounding == first.rounding ? -(double)K->size
                                               : -(double)K->rank; /* the largest is that of the first */
  hp_ranks_max(K, &odd, 1);
  K->odd = -odd < (double)K->size ? (int)-odd : -1;
  return HP_OK;
}

int hp_ranks_rounds_otherwise(const hp_ranks *K) { return K->odd; }
