/* Files of kernels compiled at run time: what is written comes back, whatever is damaged is refused, the name follows what
 * the code depends on. NVRTC, where there is one (else skipped): every C header compiles, the cubin is for the GPU that was
 * asked for, a second call reads the file, a damaged file is made again, a folder that cannot be written costs a note, and a
 * text with an error is refused with the compiler's words. */
#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/texts/texts.h"
#include "core/compile/sha256.h"
#include "core/folders.h"
#include "core/memory.h"
#include "core/profile.h"
#include "tests/support/check.h"

static char folder[] = "/tmp/hepta-compile-XXXXXX";

static const hp_compile_job small = {.unit =
                                         "#include \"hp_constants.h\"\n"
                                         "template <int N> __global__ void fill(double *x) {\n"
                                         "  for (int n = 0; n < N; ++n) x[n] = FACTOR * n;\n"
                                         "}\n",
                                     .kernel = "fill<3>",
                                     .constants = "#define FACTOR 2.0\n",
                                     .major = 9,
                                     .minor = 0,
                                     .texts = hp_kernel_texts};

static hp_cubin some_code(int64_t bytes) {
  hp_cubin C = {.bytes = bytes, .name = "_Z4fillILi3EEvPd"};
  CHECK_OK(HP_ALLOC(C.code, bytes));
  for (int64_t n = 0; n < bytes; ++n) C.code[n] = (char)hp_mix64((uint64_t)n);
  return C;
}

static bool same_code(const hp_cubin *a, const hp_cubin *b) {
  return a->bytes == b->bytes && strcmp(a->name, b->name) == 0 && memcmp(a->code, b->code, (size_t)a->bytes) == 0;
}

static int64_t size_of(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 ? (int64_t)st.st_size : -1;
}

/* The file with the byte `at` changed, or cut off there. */
static void damage(const char *path, int64_t at, bool cut) {
  if (cut) {
    CHECK(truncate(path, at) == 0);
    return;
  }
  FILE *f = fopen(path, "r+b");
  CHECK(f != NULL && fseek(f, at, SEEK_SET) == 0);
  const int c = fgetc(f);
  CHECK(fseek(f, at, SEEK_SET) == 0 && fputc(c ^ 1, f) != EOF && fclose(f) == 0);
}

/* FIPS 180-4's own examples, and lengths around a block. */
static void test_digest(void) {
  static const char million[] = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
  static const struct {
    const char *text, *hex;
  } known[] = {{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
               {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
               {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"}};
  for (size_t n = 0; n <= sizeof known / sizeof *known; ++n) {
    const bool last = n == sizeof known / sizeof *known;
    uint8_t digest[HP_SHA256_BYTES];
    char hex[2 * HP_SHA256_BYTES + 1];
    hp_sha256 h;
    hp_sha256_begin(&h);
    if (!last) hp_sha256_add(&h, known[n].text, strlen(known[n].text));
    for (int k = 0; last && k < 1000; ++k) {
      char a[1000];
      memset(a, 'a', sizeof a);
      hp_sha256_add(&h, a, sizeof a);
    }
    hp_sha256_end(&h, digest);
    for (int k = 0; k < HP_SHA256_BYTES; ++k) snprintf(hex + 2 * k, 3, "%02x", digest[k]);
    CHECK(strcmp(hex, last ? million : known[n].hex) == 0);
  }
}

/* The folder is its owner's alone, whatever it was; a kernel that others may write is none. */
static void test_owner(void) {
  char path[256], cache[128];
  struct stat st;
  snprintf(cache, sizeof cache, "%s/open", folder);
  snprintf(path, sizeof path, "%s/some.cubin", cache);
  const mode_t mask = umask(0);
  CHECK_OK(hp_cache_guard(path));
  CHECK(stat(cache, &st) == 0 && (st.st_mode & 0777) == 0700);
  CHECK(chmod(cache, 0777) == 0);
  CHECK_OK(hp_cache_guard(path));
  CHECK(stat(cache, &st) == 0 && (st.st_mode & 0777) == 0700);
  hp_cubin C = some_code(100), back;
  CHECK_OK(hp_cubin_write(path, &C));
  CHECK(stat(path, &st) == 0 && (st.st_mode & 0777) == 0600);
  umask(mask);
  CHECK_OK(hp_cubin_read(path, &back));
  hp_cubin_free(&back);
  CHECK(chmod(path, 0666) == 0 && hp_cubin_read(path, &back) == HP_ERR_FILE);
  if (geteuid() == 0) {
    CHECK(chmod(path, 0600) == 0 && chown(path, 12345, 0) == 0 && hp_cubin_read(path, &back) == HP_ERR_FILE);
    CHECK(chown(cache, 12345, 0) == 0 && hp_cache_guard(path) == HP_ERR_FILE);
  }
  CHECK(remove(path) == 0 && rmdir(cache) == 0);
  hp_cubin_free(&C);
}

static void test_files(void) {
  char path[256];
  snprintf(path, sizeof path, "%s/a/b/some.cubin", folder); /* folders that are not there yet */
  hp_cubin C = some_code(10007), back;
  CHECK(hp_cubin_read(path, &back) == HP_ERR_FILE && back.code == NULL);
  CHECK_OK(hp_cubin_write(path, &C));
  CHECK_OK(hp_cubin_read(path, &back));
  CHECK(same_code(&C, &back));
  hp_cubin_free(&back);
  const int64_t size = size_of(path), places[] = {0, 17, 24, 33, 40, 60, size - 10007, size - 5000, size - 1};
  for (size_t n = 0; n < sizeof places / sizeof *places; ++n)
    for (int cut = 0; cut < 2; ++cut) {
      CHECK_OK(hp_cubin_write(path, &C));
      damage(path, places[n], cut != 0);
      CHECK(hp_cubin_read(path, &back) == HP_ERR_FILE && back.code == NULL);
    }
  CHECK_OK(hp_cubin_write(path, &C)); /* in place of a damaged one */
  CHECK_OK(hp_cubin_read(path, &back));
  hp_cubin_free(&back);
  FILE *f = fopen(path, "ab"); /* more than there was */
  CHECK(f != NULL && fputc(0, f) == 0 && fclose(f) == 0);
  CHECK(hp_cubin_read(path, &back) == HP_ERR_FILE);
  CHECK(hp_cubin_read(folder, &back) == HP_ERR_FILE);
  CHECK(hp_cubin_write("/proc/none/x.cubin", &C) == HP_ERR_FILE);
  hp_cubin_free(&C);
}

static bool other_place(hp_compile_job job, int version) {
  char a[1024], b[1024];
  CHECK_OK(hp_cubin_path(&small, 13000, a, sizeof a));
  CHECK_OK(hp_cubin_path(&job, version, b, sizeof b));
  CHECK(strstr(a, "/hepta/kernel-") != NULL && strncmp(a, folder, strlen(folder)) == 0);
  return strcmp(a, b) != 0;
}

static void test_names(void) {
  hp_compile_job job = small;
  CHECK(!other_place(job, 13000));
  CHECK(other_place(job, 13001));
  job.constants = "#define FACTOR 3.0\n";
  CHECK(other_place(job, 13000));
  job = small;
  job.kernel = "fill<4>";
  CHECK(other_place(job, 13000));
  job = small;
  job.minor = 1;
  CHECK(other_place(job, 13000));
  job = small;
  job.unit = "";
  CHECK(other_place(job, 13000));
}

static void compile_kept(const hp_compile_job *job, bool kept, bool noted, hp_cubin *C) {
  char note[600];
  bool from_file;
  const double start = hp_now();
  CHECK_OK(hp_compile_kept(job, C, &from_file, note, sizeof note));
  printf("%s: %s in %.3f s, %lld bytes\n", job->kernel, from_file ? "read" : "compiled", hp_now() - start,
         (long long)C->bytes);
  CHECK(from_file == kept && (note[0] != '\0') == noted);
  CHECK(C->bytes > 100 && memcmp(C->code, "\177ELF", 4) == 0);
}

static void test_kept(int version) {
  char path[1024], cache[64];
  hp_cubin first, second;
  CHECK_OK(hp_cubin_path(&small, version, path, sizeof path));
  compile_kept(&small, false, false, &first);
  CHECK(strcmp(first.name, "_Z4fillILi3EEvPd") == 0);
  compile_kept(&small, true, false, &second);
  CHECK(same_code(&first, &second));
  hp_cubin_free(&second);
  damage(path, size_of(path) / 2, false);
  compile_kept(&small, false, false, &second);
  CHECK(same_code(&first, &second));
  hp_cubin_free(&second);
  compile_kept(&small, true, false, &second);
  hp_cubin_free(&second);
  setenv("XDG_CACHE_HOME", "/proc/none", 1);
  compile_kept(&small, false, true, &second);
  hp_cubin_free(&second);
  snprintf(cache, sizeof cache, "%s/cache", folder);
  setenv("XDG_CACHE_HOME", cache, 1);
  hp_cubin_free(&first);
}

static void test_mistakes(void) {
  hp_cubin C;
  hp_compile_job job = small;
  job.unit = "template <int N> __global__ void fill(double *x) { x[0] = nothing_of_that_name; }\n";
  CHECK(hp_compile(&job, &C) == HP_ERR_UNSUPPORTED && strstr(hp_fail_text(), "nothing_of_that_name") != NULL);
  CHECK(C.code == NULL);
  job = small;
  job.kernel = "empty<3>";
  CHECK(hp_compile(&job, &C) == HP_ERR_UNSUPPORTED && strstr(hp_fail_text(), "empty") != NULL);
  job = small;
  job.major = 3; /* which no compiler of today knows */
  CHECK(hp_compile(&job, &C) == HP_ERR_UNSUPPORTED && C.code == NULL);
}

/* Every header of a table by itself, but those that only others include: none needs a file that is not there. */
static int test_headers(const hp_kernel_text *texts) {
  char unit[256];
  int count = 0;
  for (const hp_kernel_text *t = texts; t->name != NULL; ++t, ++count) {
    if (strstr(t->name, ".cuh") != NULL || strstr(t->name, ".inl.h") != NULL) continue;
    hp_cubin C;
    snprintf(unit, sizeof unit, "#include \"%s\"\n__global__ void nothing() {}\n", t->name);
    const hp_compile_job job = {unit, "nothing", "", 8, 0, NULL, texts};
    CHECK_OK(hp_compile(&job, &C));
    hp_cubin_free(&C);
  }
  return count;
}

int main(void) {
  char cache[64], command[64];
  int version;
  CHECK(mkdtemp(folder) != NULL);
  snprintf(cache, sizeof cache, "%s/cache", folder);
  setenv("XDG_CACHE_HOME", cache, 1);
  test_digest();
  test_owner();
  test_files();
  test_names();
  const bool there = hp_compiler_version(&version) == HP_OK;
  if (there) {
    test_kept(version);
    test_mistakes();
    CHECK(test_headers(hp_kernel_texts) > 20);
    CHECK(test_headers(hp_bench_kernel_texts) > 10);
  } else {
    printf("skipped: %s\n", hp_fail_text());
  }
  CHECK(hp_memory_now() == 0);
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0);
  return check_failures == 0 && !there ? CHECK_SKIPPED : check_result();
}
