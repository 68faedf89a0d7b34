/* Files of compiled kernels. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/compile/compile.h"
#include "core/compile/sha256.h"
#include "core/folders.h"
#include "core/memory.h"

/* Start of a file; the code follows, and nothing else. */
typedef struct {
  char magic[16];
  int64_t bytes;
  uint8_t check[HP_SHA256_BYTES]; /* of name and code */
  char name[sizeof((hp_cubin *)0)->name];
} head;

static const char magic[16] = "hepta kernel 2\n";

/* ---- digests ---- */

/* With its length, so that what is added ends nowhere else. */
static void add_bytes(hp_sha256 *H, const void *data, size_t size) {
  const uint64_t length = size;
  hp_sha256_add(H, &length, sizeof length);
  hp_sha256_add(H, data, size);
}

static void add_text(hp_sha256 *H, const char *text) { add_bytes(H, text, strlen(text)); }

static void check_of(const hp_cubin *C, uint8_t check[HP_SHA256_BYTES]) {
  hp_sha256 H;
  hp_sha256_begin(&H);
  add_bytes(&H, C->name, sizeof C->name);
  add_bytes(&H, C->code, (size_t)C->bytes);
  hp_sha256_end(&H, check);
}

hp_status hp_cubin_path(const hp_compile_job *job, int version, char *out, size_t size) {
  enum { DIGITS = 2 * HP_SHA256_BYTES };
  char name[DIGITS + 16], hex[DIGITS + 1], target[64];
  uint8_t digest[HP_SHA256_BYTES];
  hp_sha256 H;
  hp_sha256_begin(&H);
  snprintf(target, sizeof target, "nvrtc %d, sm_%d%d", version, job->major, job->minor);
  add_text(&H, target);
  add_text(&H, job->unit);
  add_text(&H, job->kernel);
  add_text(&H, job->constants);
  if (job->options != NULL) add_text(&H, job->options);
  for (const hp_kernel_text *t = job->texts; t->name != NULL; ++t) {
    add_text(&H, t->name);
    add_text(&H, t->text);
  }
  hp_sha256_end(&H, digest);
  for (int n = 0; n < HP_SHA256_BYTES; ++n) snprintf(hex + 2 * n, 3, "%02x", digest[n]);
  snprintf(name, sizeof name, "kernel-%s.cubin", hex);
  return hp_cache_path(name, out, size);
}

/* ---- files ---- */

static hp_status read_open(FILE *f, const char *path, hp_cubin *out) {
  head h;
  struct stat st;
  if (fstat(fileno(f), &st) != 0 || !S_ISREG(st.st_mode)) return hp_fail(HP_ERR_FILE, "%s: is not a file", path);
  if (st.st_uid != geteuid() || (st.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return hp_fail(HP_ERR_FILE, "%s: others may have written it", path);
  if (fread(&h, sizeof h, 1, f) != 1 || memcmp(h.magic, magic, sizeof magic) != 0 || h.bytes < 1 ||
      h.bytes != (int64_t)st.st_size - (int64_t)sizeof h || h.name[sizeof h.name - 1] != '\0')
    return hp_fail(HP_ERR_FILE, "%s: is damaged", path);
  memcpy(out->name, h.name, sizeof out->name);
  out->bytes = h.bytes;
  HP_TRY(HP_ALLOC(out->code, out->bytes));
  uint8_t check[HP_SHA256_BYTES] = {0};
  const bool read = fread(out->code, 1, (size_t)out->bytes, f) == (size_t)out->bytes;
  if (read) check_of(out, check);
  return read && memcmp(check, h.check, sizeof check) == 0 ? HP_OK : hp_fail(HP_ERR_FILE, "%s: is damaged", path);
}

hp_status hp_cubin_read(const char *path, hp_cubin *out) {
  memset(out, 0, sizeof *out);
  const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  FILE *f = fd >= 0 ? fdopen(fd, "rb") : NULL;
  if (f == NULL && fd >= 0) close(fd);
  if (f == NULL) return hp_fail(HP_ERR_FILE, "%s: %s", path, strerror(errno));
  const hp_status s = read_open(f, path, out);
  fclose(f);
  if (s != HP_OK) hp_cubin_free(out);
  return s;
}

hp_status hp_cubin_write(const char *path, const hp_cubin *C) {
  char partial[1100];
  head h;
  memset(&h, 0, sizeof h);
  memcpy(h.magic, magic, sizeof magic);
  h.bytes = C->bytes;
  memcpy(h.name, C->name, sizeof h.name);
  check_of(C, h.check);
  HP_TRY(hp_make_folders_of(path));
  FILE *f;
  HP_TRY(hp_partial_begin(path, partial, sizeof partial, &f));
  return hp_partial_end(path, partial, f,
                        fwrite(&h, sizeof h, 1, f) == 1 && fwrite(C->code, 1, (size_t)C->bytes, f) == (size_t)C->bytes);
}

hp_status hp_compile_kept(const hp_compile_job *job, hp_cubin *out, bool *kept, char *note, size_t size) {
  static const char unkept[] = "the compiled kernel is not kept for later runs";
  char path[1024];
  int version;
  note[0] = '\0';
  *kept = false;
  memset(out, 0, sizeof *out);
  HP_TRY(hp_compiler_version(&version));
  const bool place = hp_cubin_path(job, version, path, sizeof path) == HP_OK && hp_cache_guard(path) == HP_OK;
  if (!place) snprintf(note, size, "%s: %s", unkept, hp_fail_text());
  *kept = place && hp_cubin_read(path, out) == HP_OK;
  if (*kept) return HP_OK;
  HP_TRY(hp_compile(job, out));
  if (place && hp_cubin_write(path, out) != HP_OK) snprintf(note, size, "%s: %s", unkept, hp_fail_text());
  return HP_OK;
}
