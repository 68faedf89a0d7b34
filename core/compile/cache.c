/* Files of compiled kernels. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/compile/compile.h"
#include "core/folders.h"
#include "core/memory.h"

/* Start of a file; the code follows, and nothing else. */
typedef struct {
  char magic[16];
  int64_t bytes;
  uint64_t check[2]; /* of name and code */
  char name[sizeof((hp_cubin *)0)->name];
} head;

static const char magic[16] = "hepta kernel 1\n";

/* ---- hashes ---- */

/* Two independent sums of 64 bits over all that was added, lengths included. */
typedef struct {
  uint64_t h[2];
} hash;

static void add_bytes(hash *H, const void *data, size_t size) {
  const unsigned char *p = data;
  for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
    uint64_t word = 0;
    memcpy(&word, p + at, size - at < sizeof word ? size - at : sizeof word);
    H->h[0] = hp_mix64(H->h[0] ^ word);
    H->h[1] = hp_mix64(H->h[1] + word);
  }
  H->h[0] = hp_mix64(H->h[0] ^ (uint64_t)size);
  H->h[1] = hp_mix64(H->h[1] + (uint64_t)size);
}

static void add_text(hash *H, const char *text) { add_bytes(H, text, strlen(text)); }

static hash begin(void) { return (hash){{UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344)}}; }

static void check_of(const hp_cubin *C, uint64_t check[2]) {
  hash H = begin();
  add_bytes(&H, C->name, sizeof C->name);
  add_bytes(&H, C->code, (size_t)C->bytes);
  memcpy(check, H.h, sizeof H.h);
}

hp_status hp_cubin_path(const hp_compile_job *job, int version, char *out, size_t size) {
  char name[64], target[64];
  hash H = begin();
  snprintf(target, sizeof target, "nvrtc %d, sm_%d%d", version, job->major, job->minor);
  add_text(&H, target);
  add_text(&H, job->unit);
  add_text(&H, job->kernel);
  add_text(&H, job->constants);
  if (job->options != NULL) add_text(&H, job->options);
  for (const hp_text *t = hp_kernel_texts; t->name != NULL; ++t) {
    add_text(&H, t->name);
    add_text(&H, t->text);
  }
  snprintf(name, sizeof name, "kernel-%016llx%016llx.cubin", (unsigned long long)H.h[0], (unsigned long long)H.h[1]);
  return hp_cache_path(name, out, size);
}

/* ---- files ---- */

static hp_status read_open(FILE *f, const char *path, hp_cubin *out) {
  head h;
  struct stat st;
  if (fstat(fileno(f), &st) != 0 || !S_ISREG(st.st_mode)) return hp_fail(HP_ERR_FILE, "%s: is not a file", path);
  if (fread(&h, sizeof h, 1, f) != 1 || memcmp(h.magic, magic, sizeof magic) != 0 || h.bytes < 1 ||
      h.bytes != (int64_t)st.st_size - (int64_t)sizeof h || h.name[sizeof h.name - 1] != '\0')
    return hp_fail(HP_ERR_FILE, "%s: is damaged", path);
  memcpy(out->name, h.name, sizeof out->name);
  out->bytes = h.bytes;
  HP_TRY(HP_ALLOC(out->code, out->bytes));
  uint64_t check[2] = {0, 0};
  const bool read = fread(out->code, 1, (size_t)out->bytes, f) == (size_t)out->bytes;
  if (read) check_of(out, check);
  return read && memcmp(check, h.check, sizeof check) == 0 ? HP_OK : hp_fail(HP_ERR_FILE, "%s: is damaged", path);
}

hp_status hp_cubin_read(const char *path, hp_cubin *out) {
  memset(out, 0, sizeof *out);
  FILE *f = fopen(path, "rb");
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
  snprintf(partial, sizeof partial, "%s.%ld", path, (long)getpid());
  FILE *f = fopen(partial, "wb");
  if (f == NULL) return hp_fail(HP_ERR_FILE, "%s: cannot be written: %s", partial, strerror(errno));
  bool good = fwrite(&h, sizeof h, 1, f) == 1 && fwrite(C->code, 1, (size_t)C->bytes, f) == (size_t)C->bytes;
  good = fclose(f) == 0 && good;
  if (good && rename(partial, path) == 0) return HP_OK;
  const int why = errno;
  remove(partial);
  return hp_fail(HP_ERR_FILE, "%s: cannot be written: %s", path, strerror(why));
}

hp_status hp_compile_kept(const hp_compile_job *job, hp_cubin *out, bool *kept, char *note, size_t size) {
  static const char unkept[] = "the compiled kernel is not kept for later runs";
  char path[1024];
  int version;
  note[0] = '\0';
  *kept = false;
  memset(out, 0, sizeof *out);
  HP_TRY(hp_compiler_version(&version));
  const bool place = hp_cubin_path(job, version, path, sizeof path) == HP_OK;
  if (!place) snprintf(note, size, "%s: %s", unkept, hp_fail_text());
  *kept = place && hp_cubin_read(path, out) == HP_OK;
  if (*kept) return HP_OK;
  HP_TRY(hp_compile(job, out));
  if (place && hp_cubin_write(path, out) != HP_OK) snprintf(note, size, "%s: %s", unkept, hp_fail_text());
  return HP_OK;
}
