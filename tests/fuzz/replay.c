/* The suite's part of fuzzing, with any compiler: the corpus, then seeded changes of it. Run it longer, or from another
 * seed, with
 *
 *     test_fuzz [CASES [SEED]]      test_fuzz FILE... replays single inputs      test_fuzz --dictionary  for libFuzzer
 */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <hdf5.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "io/config/config.h"
#include "io/eclipse/impl.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/check.h"

enum { CASES = 4000, SEEDS_MAX = 256, ROOM = 1 << 15, HANG_SECONDS = 10 };

static struct seed {
  uint8_t *bytes;
  size_t size;
  char name[256];
} seed[SEEDS_MAX];
static int seeds;

static uint64_t state;

/* splitmix64 (Steele, Lea & Flood, OOPSLA 2014) */
static uint32_t draw(size_t below) {
  state += UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)((hp_mix64(state) >> 32) % (below > 0 ? below : 1));
}

/* ---- words of the decks ---- */

/* clang-format off */
static const char *const word[] = {
    "1000000000000*1", "99999999999999999999*", "0*5", "1*", "-1", "0", "2147483648", "1e308", "1e-400", "nan", "inf",
    "1e999", "/\n", "\n/\n", "'", "\"", "--", "/*", "*/", "#", "((((", "))))", "{{{{", "}", ";", ",", "=", "\r\n",
    "\xEF\xBB\xBF", "\x1a", "\nINCLUDE\n 'a.inc' /\n", "\nINCLUDE\n 'DECK.DATA' /\n", "\n@include \"a.inc\"\n",
    "\n@include \"deck.cfg\"\n", "\n@include \".\"\n", "\n%%\n", "../", "/etc/passwd", "$", "*", "nx*ny", "wells.",
    "[0]", "[1000000000]", "true"};
/* clang-format on */
enum { WORDS = sizeof word / sizeof *word };

static size_t insert(uint8_t *b, size_t n, size_t at, const void *what, size_t size) {
  if (n + size > ROOM) return n;
  memmove(b + at + size, b + at, n - at);
  memcpy(b + at, what, size);
  return n + size;
}

/* Another number in the place of one at `at` or behind it: of a region, a table, a cell, which decks count by. */
static size_t change_number(uint8_t *b, size_t n, size_t at) {
  static const char *const number[] = {"0", "-1", "1", "2", "3", "9", "1.5", "65536", "65537", "2147483647"};
  while (at < n && !isdigit(b[at])) ++at;
  size_t end = at;
  while (end < n && isdigit(b[end])) ++end;
  if (at == end) return n;
  memmove(b + at, b + end, n - end);
  const char *w = number[draw(sizeof number / sizeof *number)];
  return insert(b, n - (end - at), at, w, strlen(w));
}

/* Three of four results get checksums of what they hold after the changes; in two of these single numbers of the restart file
 * alone are changed (restart.c), which nothing but their meaning refuses. */
static size_t renew(uint8_t *b, size_t n) {
  enum { DATASETS = 8, CHANGE = 8, ELEMENT = 128 };
  if (n == 0 || (b[0] != 'r' && b[0] != 'R')) return n;
  const uint32_t how = draw(4);
  b[0] = how == 0 ? 'r' : 'R';
  if (how < 2) return n;
  n = 1;
  for (uint32_t changes = 1 + draw(3); changes > 0; --changes) {
    for (int k = 0; k < CHANGE; ++k) b[n + (size_t)k] = (uint8_t)draw(256);
    b[n] = (uint8_t)draw(DATASETS);
    b[n + 1] |= ELEMENT;
    n += CHANGE;
  }
  return n;
}

/* One change; the first byte, which says what the input is, stays. */
static size_t mutate(uint8_t *b, size_t n) {
  const size_t at = 1 + draw(n);
  const size_t stretch = at < n ? 1 + draw(n - at < 40 ? n - at : 40) : 0;
  switch (draw(8)) {
    case 0:
      if (at < n) b[at] = (uint8_t)draw(256);
      return n;
    case 1:
      if (at < n) b[at] ^= (uint8_t)(1u << draw(8));
      return n;
    case 2: memmove(b + at, b + at + stretch, n - at - stretch); return n - stretch;
    case 3: return draw(8) == 0 ? at : n;
    case 4: {
      uint8_t copy[40];
      memcpy(copy, b + at, stretch);
      return insert(b, n, 1 + draw(n), copy, stretch);
    }
    case 5: { /* a stretch of another seed */
      const int s = (int)draw((size_t)seeds);
      const size_t from = draw(seed[s].size), left = seed[s].size - from;
      return insert(b, n, at, seed[s].bytes + from, left < 60 ? left : 60);
    }
    case 6: return change_number(b, n, at);
    default: {
      const char *w = word[draw(WORDS)];
      return insert(b, n, at, w, strlen(w));
    }
  }
}

/* ---- files ---- */

static void load(const char *path) {
  FILE *f = fopen(path, "rb");
  if (f == NULL || seeds == SEEDS_MAX) {
    fprintf(stderr, "%s: cannot be read\n", path);
    exit(2);
  }
  uint8_t *bytes = malloc(ROOM);
  if (bytes == NULL) exit(2);
  seed[seeds].size = fread(bytes, 1, ROOM, f);
  seed[seeds].bytes = bytes;
  snprintf(seed[seeds++].name, sizeof seed[0].name, "%s", path);
  fclose(f);
}

static int by_name(const void *a, const void *b) {
  const struct seed *x = a, *y = b;
  return strcmp(x->name, y->name);
}

static void load_corpus(void) {
  const char *source = getenv("HEPTA_SOURCE");
  char path[1024];
  snprintf(path, sizeof path, "%s/tests/fuzz/corpus", source != NULL ? source : ".");
  DIR *d = opendir(path);
  if (d == NULL) exit(2);
  for (const struct dirent *e = readdir(d); e != NULL; e = readdir(d)) {
    char file[1400];
    snprintf(file, sizeof file, "%s/%s", path, e->d_name);
    if (e->d_name[0] != '.') load(file);
  }
  closedir(d);
  qsort(seed, (size_t)seeds, sizeof seed[0], by_name);
}

static int count_entries(const char *path) {
  int n = 0;
  DIR *d = opendir(path);
  if (d == NULL) return -1;
  for (const struct dirent *e = readdir(d); e != NULL; e = readdir(d)) n += e->d_name[0] != '.';
  closedir(d);
  return n;
}

/* ---- cases ---- */

static const uint8_t *current;
static size_t current_size;

/* Keeps the input that crashed or hung, to be looked at. */
static void on_end(int sig) {
  fuzz_guard(NULL);
  char name[64];
  snprintf(name, sizeof name, "/tmp/hepta-fuzz-%s-%d", sig == SIGALRM ? "hang" : "crash", (int)getpid());
  FILE *f = fopen(name, "wb");
  if (f != NULL) {
    fwrite(current, 1, current_size, f);
    fclose(f);
  }
  fprintf(stderr, "fuzz: signal %d: the input is in %s\n", sig, name);
  _exit(1);
}

static void one(const uint8_t *bytes, size_t size) {
  current = bytes;
  current_size = size;
  alarm(HANG_SECONDS);
  LLVMFuzzerTestOneInput(bytes, size);
  alarm(0);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void changed_cases(int cases, uint64_t from) {
  static uint8_t bytes[ROOM];
  const double began = now();
  int n = 0;
  for (; n < cases; ++n) {
    state = from * 1000003u + (uint64_t)n;
    const int s = n % seeds;
    size_t size = seed[s].size;
    memcpy(bytes, seed[s].bytes, size);
    for (uint32_t m = 1 + draw(5); m > 0 && size > 0; --m) size = mutate(bytes, size);
    size = renew(bytes, size);
    one(bytes, size);
  }
  printf("%d changed cases, %ld of all sound, %ld files outside asked for, %.1f s\n", n, fuzz_sound,
         fuzz_guard_refused(), now() - began);
}

static void print_dictionary(void) {
  int count;
  const hp_config_key *key = hp_config_keys(&count);
  for (int n = 0; n < count; ++n) {
    const char *dot = strrchr(key[n].path, '.');
    printf("\"%s\"\n", dot != NULL ? dot + 1 : key[n].path);
  }
  const hp_ecl_keyword_entry *keyword = hp_ecl_table(&count);
  for (int n = 0; n < count; ++n) printf("\"\\x0a%s\\x0a\"\n", keyword[n].name);
  for (int n = 0; n < WORDS; ++n) {
    printf("\"");
    for (const char *c = word[n]; *c != '\0'; ++c) printf("\\x%02x", (unsigned char)*c);
    printf("\"\n");
  }
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--dictionary") == 0) {
    print_dictionary();
    return 0;
  }
  /* HDF5 would give back half a megabyte for each file that is closed; AddressSanitizer takes long to map that anew. */
  const int all = 64 << 20, list = 8 << 20;
  if (H5set_free_list_limits(all, list, all, list, all, list) < 0) return 2;
  char here[] = "/tmp/hepta-fuzz-here-XXXXXX";
  const bool numbers = argc < 2 || isdigit((unsigned char)argv[1][0]);
  if (!numbers)
    for (int n = 1; n < argc; ++n) load(argv[n]);
  else load_corpus();
  LLVMFuzzerInitialize(&argc, &argv);
  if (mkdtemp(here) == NULL || chdir(here) != 0) return 2;
  const int entries = count_entries(fuzz_folder());
  signal(SIGALRM, on_end);
  signal(SIGABRT, on_end);
  signal(SIGSEGV, on_end);
  for (int n = 0; n < seeds; ++n) one(seed[n].bytes, seed[n].size);
  if (numbers) {
    CHECK(seeds >= 20 && fuzz_sound >= 5);
    changed_cases(argc > 1 ? atoi(argv[1]) : CASES / check_every(4), argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
    /* deck.cfg, DECK.DATA and the two that they include, and nothing where the program runs */
    const int left = count_entries(fuzz_folder());
    CHECK(left >= entries && left <= entries + 4);
  }
  CHECK(count_entries(".") == 0);
  CHECK(chdir("/") == 0 && rmdir(here) == 0);
  CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
  for (int n = 0; n < seeds; ++n) free(seed[n].bytes);
  return check_result();
}
