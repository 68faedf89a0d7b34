#define _POSIX_C_SOURCE 200809L
#include "core/device/tuned.h"

#include <errno.h>
#include <libconfig.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/folders.h"

enum { RUNS_Q = 2, Q_MAX = 1024, BLOCKS_MAX = 32, DELAY_MAX = 1000000, SIZE_MAX_ = 1 << 24 };

/* ---- places ---- */

/* The device's name with what a file name should not have replaced. */
static void file_name(const hp_device_info *info, char *out, size_t size) {
  snprintf(out, size, "tune-%s-%d.%d.cfg", info->name, info->major, info->minor);
  for (char *c = out; *c != '\0'; ++c)
    if (strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-", *c) == NULL) *c = '-';
}

hp_status hp_tuned_path(const hp_device_info *info, char *out, size_t size) {
  char name[256];
  file_name(info, name, sizeof name);
  return hp_cache_path(name, out, size);
}

/* ---- reading ---- */

/* A file that is read: where messages point to. */
typedef struct {
  const char *path;
  const config_setting_t *row;
} place;

static hp_status wrong(const place *at, const char *key, const char *what) {
  return hp_fail(HP_ERR_FILE, "%s:%u: %s: %s", at->path, config_setting_source_line(at->row), key, what);
}

static hp_status read_int(const place *at, const char *key, int least, int most, int *out) {
  char range[64];
  snprintf(range, sizeof range, "expected a whole number of %d to %d", least, most);
  if (config_setting_lookup_int(at->row, key, out) != CONFIG_TRUE) return wrong(at, key, range);
  return *out >= least && *out <= most ? HP_OK : wrong(at, key, range);
}

static hp_status read_bool(const place *at, const char *key, bool *out) {
  int v;
  if (config_setting_lookup_bool(at->row, key, &v) != CONFIG_TRUE) return wrong(at, key, "expected true or false");
  *out = v != 0;
  return HP_OK;
}

static hp_status read_seconds(const place *at, const char *key, double *out) {
  if (config_setting_lookup_float(at->row, key, out) != CONFIG_TRUE || !(*out > 0.0) || isinf(*out))
    return wrong(at, key, "expected a time above 0");
  return HP_OK;
}

static hp_status read_size(const place *at, int size[3]) {
  const config_setting_t *s = config_setting_get_member(at->row, "size");
  if (s == NULL || config_setting_type(s) != CONFIG_TYPE_ARRAY || config_setting_length(s) != 3)
    return wrong(at, "size", "expected three whole numbers");
  for (int d = 0; d < 3; ++d) {
    size[d] = config_setting_get_int_elem(s, d);
    if (size[d] < 1 || size[d] > SIZE_MAX_) return wrong(at, "size", "expected three whole numbers above 0");
  }
  return HP_OK;
}

/* A number that earlier releases did not write, for it was `value`. */
static hp_status read_later_int(const place *at, const char *key, int least, int most, int value, int *out) {
  *out = value;
  return config_setting_get_member(at->row, key) != NULL ? read_int(at, key, least, most, out) : HP_OK;
}

/* Earlier releases had none, the build's. */
static hp_status read_compile(const place *at, hp_kernel_compile *out) {
  const char *name = "build";
  (void)config_setting_lookup_string(at->row, "compile", &name);
  if (hp_kernel_compile_find(name, out)) return HP_OK;
  return wrong(at, "compile", "expected one of build, again, registers-32, registers-64, optimize-1, optimize-2");
}

/* Earlier releases had a key `reorder`, which means nothing any more. */
static hp_status read_row(const place *at, hp_tuned_row *row) {
  const char *barrier;
  HP_TRY(read_size(at, row->size));
  HP_TRY(read_later_int(at, "q", 1, Q_MAX, RUNS_Q, &row->q));
  HP_TRY(read_later_int(at, "gpus", 1, HP_GPUS_MAX, 1, &row->gpus));
  HP_TRY(read_later_int(at, "one_gpu_rows", 0, INT32_MAX, HP_ONE_GPU_ROWS, &row->shape.one_gpu_rows));
  HP_TRY(read_int(at, "blocks", 1, BLOCKS_MAX, &row->shape.blocks));
  if (config_setting_lookup_string(at->row, "barrier", &barrier) != CONFIG_TRUE ||
      !hp_barrier_find(barrier, &row->shape.barrier))
    return wrong(at, "barrier", "expected the name of a barrier");
  HP_TRY(read_int(at, "delay", 0, DELAY_MAX, &row->shape.delay));
  HP_TRY(read_int(at, "chip", 0, HP_CHIP_MAX, &row->shape.chip));
  HP_TRY(read_bool(at, "wide", &row->shape.wide));
  HP_TRY(read_int(at, "unroll", 1, 4, &row->shape.unroll));
  if (row->shape.unroll == 3) return wrong(at, "unroll", "expected 1, 2 or 4");
  HP_TRY(read_bool(at, "recompute", &row->shape.recompute));
  HP_TRY(read_later_int(at, "threads", 1, 1024, HP_DEVICE_THREADS, &row->shape.threads));
  HP_TRY(read_compile(at, &row->shape.compile));
  if (hp_device_check_shape(&row->shape) != HP_OK)
    return wrong(at, "threads, blocks, compile", "expected what a solve's kernel can have");
  HP_TRY(read_seconds(at, "seconds", &row->seconds));
  return read_seconds(at, "default_seconds", &row->default_seconds);
}

static hp_status read_kernel(const place *at, hp_tuned_kernel *k) {
  const char *name, *loads;
  long long n;
  if (config_setting_lookup_string(at->row, "kernel", &name) != CONFIG_TRUE || name[0] == '\0' ||
      strlen(name) >= sizeof k->name)
    return wrong(at, "kernel", "expected the name of a kernel");
  snprintf(k->name, sizeof k->name, "%s", name);
  if (config_setting_lookup_int64(at->row, "n", &n) != CONFIG_TRUE || n < 1)
    return wrong(at, "n", "expected a whole number above 0");
  k->n = n;
  HP_TRY(read_int(at, "threads", 1, HP_KERNEL_THREADS_MAX, &k->shape.threads));
  HP_TRY(read_int(at, "blocks", 0, HP_KERNEL_BLOCKS_MAX, &k->shape.blocks));
  HP_TRY(read_int(at, "unroll", 1, HP_KERNEL_UNROLL_MAX, &k->shape.unroll));
  if (config_setting_lookup_string(at->row, "loads", &loads) != CONFIG_TRUE ||
      !hp_kernel_loads_find(loads, &k->shape.loads))
    return wrong(at, "loads", "expected plain, wide or stream");
  HP_TRY(read_int(at, "streams", 1, HP_KERNEL_STREAMS_MAX, &k->shape.streams));
  HP_TRY(read_bool(at, "last", &k->shape.last));
  HP_TRY(read_bool(at, "shared", &k->shape.shared));
  HP_TRY(read_compile(at, &k->shape.compile));
  HP_TRY(read_later_int(at, "cut", 0, HP_KERNEL_CUT_MAX, 0, &k->shape.cut));
  if (hp_kernel_check_shape(&k->shape) != HP_OK)
    return wrong(at, "threads, unroll", "expected powers of two, from 32 on");
  HP_TRY(read_seconds(at, "seconds", &k->seconds));
  return read_seconds(at, "default_seconds", &k->default_seconds);
}

/* The element number n of a list of groups. */
static hp_status group_of(const config_setting_t *list, int n, const char *path, place *at) {
  at->path = path;
  at->row = config_setting_get_elem(list, (unsigned)n);
  if (config_setting_type(at->row) == CONFIG_TYPE_GROUP) return HP_OK;
  return wrong(at, config_setting_name(list), "expected groups { ... }");
}

/* Earlier releases wrote no such list. */
static hp_status read_kernels(const config_t *tree, const char *path, hp_tuned *out) {
  const config_setting_t *list = config_lookup(tree, "kernels");
  if (list == NULL) return HP_OK;
  if (config_setting_type(list) != CONFIG_TYPE_LIST) return hp_fail(HP_ERR_FILE, "%s: 'kernels' is not a list", path);
  const int count = config_setting_length(list);
  if (count > HP_TUNED_KERNELS_MAX)
    return hp_fail(HP_ERR_FILE, "%s: more than %d kernels", path, (int)HP_TUNED_KERNELS_MAX);
  for (int n = 0; n < count; ++n) {
    place at;
    HP_TRY(group_of(list, n, path, &at));
    HP_TRY(read_kernel(&at, &out->kernel[n]));
  }
  out->kernels = count;
  return HP_OK;
}

static hp_status read_tree(const config_t *tree, const char *path, const hp_device_info *info, hp_tuned *out) {
  const char *device, *capability;
  char present[32];
  snprintf(present, sizeof present, "%d.%d", info->major, info->minor);
  if (config_lookup_string(tree, "device", &device) != CONFIG_TRUE ||
      config_lookup_string(tree, "capability", &capability) != CONFIG_TRUE)
    return hp_fail(HP_ERR_FILE, "%s: does not say which device it is for", path);
  if (strcmp(device, info->name) != 0 || strcmp(capability, present) != 0)
    return hp_fail(HP_ERR_FILE, "%s: is for %s (%s), not for %s (%s)", path, device, capability, info->name, present);
  const config_setting_t *list = config_lookup(tree, "shapes");
  if (list == NULL || config_setting_type(list) != CONFIG_TYPE_LIST)
    return hp_fail(HP_ERR_FILE, "%s: has no list 'shapes'", path);
  const int count = config_setting_length(list);
  if (count > HP_TUNED_MAX) return hp_fail(HP_ERR_FILE, "%s: more than %d shapes", path, (int)HP_TUNED_MAX);
  for (int n = 0; n < count; ++n) {
    place at;
    HP_TRY(group_of(list, n, path, &at));
    HP_TRY(read_row(&at, &out->row[n]));
  }
  out->count = count;
  return read_kernels(tree, path, out);
}

hp_status hp_tuned_read(const char *path, const hp_device_info *info, hp_tuned *out) {
  memset(out, 0, sizeof *out);
  FILE *f = fopen(path, "r");
  if (f == NULL && (errno == ENOENT || errno == ENOTDIR)) return HP_OK;
  if (f == NULL) return hp_fail(HP_ERR_FILE, "%s: %s", path, strerror(errno));
  struct stat st;
  if (fstat(fileno(f), &st) != 0 || !S_ISREG(st.st_mode)) { /* libconfig's scanner would end the program */
    fclose(f);
    return hp_fail(HP_ERR_FILE, "%s: is not a file", path);
  }
  config_t tree;
  config_init(&tree);
  hp_status s = HP_OK;
  if (config_read(&tree, f) != CONFIG_TRUE)
    s = hp_fail(HP_ERR_FILE, "%s:%d: %s", path, config_error_line(&tree), config_error_text(&tree));
  if (s == HP_OK) s = read_tree(&tree, path, info, out);
  config_destroy(&tree);
  fclose(f);
  if (s != HP_OK) out->count = out->kernels = 0;
  return s;
}

/* ---- the table ---- */

static double log_cells(const int size[3]) { return log(size[0]) + log(size[1]) + log(size[2]); }

/* The nearest among rows of that q and so many GPUs, 0: of any; -1 where there are none. */
static int nearest(const hp_tuned *t, double log_wanted, int q, int gpus) {
  int best = -1;
  for (int n = 0; n < t->count; ++n) {
    const double apart = fabs(log_cells(t->row[n].size) - log_wanted);
    if ((q != 0 && t->row[n].q != q) || (gpus != 0 && t->row[n].gpus != gpus)) continue;
    if (best < 0 || apart < fabs(log_cells(t->row[best].size) - log_wanted)) best = n;
  }
  return best;
}

const hp_tuned_row *hp_tuned_nearest(const hp_tuned *t, int64_t cells, int q, int gpus) {
  const int n = nearest(t, log((double)(cells > 0 ? cells : 1)), q, gpus);
  return n >= 0 ? &t->row[n] : NULL;
}

void hp_tuned_put_kernel(hp_tuned *t, const hp_tuned_kernel *kernel) {
  for (int n = 0; n < t->kernels; ++n)
    if (t->kernel[n].n == kernel->n && strcmp(t->kernel[n].name, kernel->name) == 0) {
      t->kernel[n] = *kernel;
      return;
    }
  t->kernel[t->kernels < HP_TUNED_KERNELS_MAX ? t->kernels++ : 0] = *kernel;
}

const hp_tuned_kernel *hp_tuned_nearest_kernel(const hp_tuned *t, const char *name, int64_t n) {
  const hp_tuned_kernel *best = NULL;
  const double wanted = log((double)(n > 0 ? n : 1));
  double least = 0.0;
  for (int k = 0; k < t->kernels; ++k) {
    const double apart = fabs(log((double)t->kernel[k].n) - wanted);
    if (strcmp(t->kernel[k].name, name) != 0 || (best != NULL && apart >= least)) continue;
    best = &t->kernel[k];
    least = apart;
  }
  return best;
}

void hp_tuned_load(const hp_device_info *info, int64_t cells, hp_tuned *out, char *warning, size_t size) {
  char path[1024];
  warning[0] = '\0';
  out->count = out->kernels = 0;
  if (cells <= 0 || hp_tuned_path(info, path, sizeof path) != HP_OK) return;
  if (hp_tuned_read(path, info, out) != HP_OK)
    snprintf(warning, size, "the tuned launch shapes are not used: %s", hp_fail_text());
}
