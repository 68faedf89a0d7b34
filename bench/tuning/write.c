#define _POSIX_C_SOURCE 200809L
#include "bench/tuning/write.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/folders.h"

static const char *truth(bool v) { return v ? "true" : "false"; }

static void print_rows(FILE *f, const hp_device_info *info, const hp_tuned *t) {
  fputs("# Launch shapes found by `hepta tune`; runs on this kind of GPU use them. Delete the file for the defaults.\n",
        f);
  fprintf(f, "device = \"%s\";\ncapability = \"%d.%d\";\nshapes = (\n", info->name, info->major, info->minor);
  for (int n = 0; n < t->count; ++n) {
    const hp_tuned_row *r = &t->row[n];
    fprintf(
        f,
        "  { size = [%d, %d, %d]; q = %d; gpus = %d; blocks = %d; barrier = \"%s\"; delay = %d; chip = %d; wide = %s;\n"
        "    unroll = %d; recompute = %s; one_gpu_rows = %d; threads = %d; compile = \"%s\"; seconds = %.4e;\n"
        "    default_seconds = %.4e; }%s\n",
        r->size[0], r->size[1], r->size[2], r->q, r->gpus, r->shape.blocks, hp_barrier_name(r->shape.barrier),
        r->shape.delay, r->shape.chip, truth(r->shape.wide), r->shape.unroll, truth(r->shape.recompute),
        r->shape.one_gpu_rows, r->shape.threads, hp_kernel_compile_name(r->shape.compile), r->seconds,
        r->default_seconds, n + 1 < t->count ? "," : "");
  }
  fputs(");\nkernels = (\n", f);
  for (int n = 0; n < t->kernels; ++n) {
    const hp_tuned_kernel *k = &t->kernel[n];
    char cut[32] = "";
    if (k->shape.cut > 0) snprintf(cut, sizeof cut, " cut = %d;", k->shape.cut);
    fprintf(f,
            "  { kernel = \"%s\"; n = %lld%s; threads = %d; blocks = %d; unroll = %d; loads = \"%s\"; streams = %d;\n"
            "    last = %s; shared = %s; compile = \"%s\";%s seconds = %.4e; default_seconds = %.4e; }%s\n",
            k->name, (long long)k->n, k->n > INT32_MAX ? "L" : "", k->shape.threads, k->shape.blocks, k->shape.unroll,
            hp_kernel_loads_name(k->shape.loads), k->shape.streams, truth(k->shape.last), truth(k->shape.shared),
            hp_kernel_compile_name(k->shape.compile), cut, k->seconds, k->default_seconds,
            n + 1 < t->kernels ? "," : "");
  }
  fputs(");\n", f);
}

/* The folder that a path is in, in place of it. */
static void go_up(char *path) {
  char *slash = strrchr(path, '/');
  if (slash == NULL) strcpy(path, ".");
  else slash[slash == path ? 1 : 0] = '\0';
}

hp_status hp_tuned_check_path(const char *path) {
  char folder[1024];
  struct stat st;
  int found;
  const size_t length = strlen(path);
  if (length >= sizeof folder) return hp_fail(HP_ERR_FILE, "%s: the name is too long", path);
  if (length == 0 || path[length - 1] == '/' || (stat(path, &st) == 0 && !S_ISREG(st.st_mode)))
    return hp_fail(HP_ERR_FILE, "%s: is not a file", path);
  memcpy(folder, path, length + 1);
  do {
    go_up(folder);
    found = stat(folder, &st);
  } while (found != 0 && errno == ENOENT && strcmp(folder, ".") != 0);
  if (found != 0) return hp_fail(HP_ERR_FILE, "%s: cannot use the folder '%s': %s", path, folder, strerror(errno));
  if (!S_ISDIR(st.st_mode)) return hp_fail(HP_ERR_FILE, "%s: '%s' is not a folder", path, folder);
  if (access(folder, W_OK | X_OK) == 0) return HP_OK;
  return hp_fail(HP_ERR_FILE, "%s: cannot write in the folder '%s': %s", path, folder, strerror(errno));
}

hp_status hp_tuned_write(const char *path, const hp_device_info *info, const hp_tuned *t) {
  char partial[1100], kept[1024];
  const bool in_cache = hp_tuned_path(info, kept, sizeof kept) == HP_OK && strcmp(kept, path) == 0;
  HP_TRY(in_cache ? hp_cache_guard(path) : hp_make_folders_of(path));
  FILE *f;
  HP_TRY(hp_partial_begin(path, partial, sizeof partial, &f));
  print_rows(f, info, t);
  return hp_partial_end(path, partial, f, true);
}

void hp_tuned_put(hp_tuned *t, const hp_tuned_row *row) {
  for (int n = 0; n < t->count; ++n)
    if (memcmp(t->row[n].size, row->size, sizeof row->size) == 0 && t->row[n].q == row->q &&
        t->row[n].gpus == row->gpus) {
      t->row[n] = *row;
      return;
    }
  const int64_t cells = (int64_t)row->size[0] * row->size[1] * row->size[2];
  t->row[t->count < HP_TUNED_MAX ? t->count++ : hp_tuned_nearest(t, cells, 0, 0) - t->row] = *row;
}
