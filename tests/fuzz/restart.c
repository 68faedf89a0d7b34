/* Results to go on from, changed by a short description in place of their bytes: HDF5 itself does not stand every
 * broken file (1.10.8 has known faults of that kind), and is not what is tested here.
 *
 * A small run writes its files once. A case puts them back, makes its changes with HDF5 and goes on from the result up
 * to the end of a time step; then it is printed as `hepta info` does. A change is eight bytes:
 *
 *     0  object: one of `objects`      1  how     2, 3  index or size      4 to 7  which value, or a float of single
 * bits
 */
#define _POSIX_C_SOURCE 200809L
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/deck/deck.h"
#include "sim/checkpoint/checkpoint.h"
#include "sim/newton/newton.h"
#include "sim/run/run.h"
#include "sim/simulator/simulator.h"
#include "tests/fuzz/fuzz.h"

static const char step[] = "2"; /* that is gone on from */
enum { FILES = 2, CHANGE = 8, CHANGES_MAX = 16, CHANGE_RAW = 255 };

static const char *const file_name[FILES] = {"run.steps/restart_000002.h5", "run.h5"};
static struct {
  char *bytes;
  size_t size;
} image[FILES];

static hp_case *run_case;
static FILE *nowhere;

/* attribute NULL: the dataset itself */
static const struct {
  int file;
  const char *name, *attribute;
} objects[] = {{0, "/run", NULL},
               {0, "/wells", NULL},
               {0, "/perforations", NULL},
               {0, "/first_wells", NULL},
               {0, "/first_perforations", NULL},
               {0, "/pressure", NULL},
               {0, "/sw", NULL},
               {0, "/balance", NULL},
               {0, "/fingerprint_of", NULL},
               {0, "/fingerprint", NULL},
               {0, "/", "format"},
               {0, "/", "format_version"},
               {0, "/", "time"},
               {0, "/", "step"},
               {0, "/run", "columns"},
               {0, "/wells", "columns"},
               {0, "/perforations", "columns"},
               {0, "/first_wells", "columns"},
               {1, "/step", NULL},
               {1, "/time", NULL},
               {1, "/", "format"},
               {1, "/", "units"},
               {1, "/solver", NULL},
               {1, "/summary", NULL},
               {1, "/wells", NULL},
               {1, "/static", NULL}};
enum { OBJECTS = sizeof objects / sizeof *objects };

static double value_of(const uint8_t *b) {
  static const double sharp[] = {0.0,    -1.0, 1.0,          2.0,          3.0,           5.0,  0.5,   1e-300, 1e300,
                                 -1e300, 1e9,  2147483647.0, 2147483648.0, -2147483649.0, 1e19, 255.0, 256.0,  65536.0};
  enum { SHARP = sizeof sharp / sizeof *sharp };
  if (b[0] == CHANGE_RAW) {
    float f;
    memcpy(&f, (const uint8_t[4]){b[1], b[2], b[3], b[1]}, sizeof f);
    return f;
  }
  const int n = b[0] % (SHARP + 3);
  return n < SHARP ? sharp[n] : n == SHARP ? NAN : n == SHARP + 1 ? INFINITY : -INFINITY;
}

/* ---- what changes are made of ---- */

typedef struct {
  hid_t type, space;
  void *data;
  double number[1024];
  char text[4096];
  char *word[64];
} content;

/* Numbers, texts of one width, texts of any width, integers; of rank 0, 1, 2 or none at all. */
static void make_content(content *c, int how, unsigned size, double value) {
  const hsize_t n = how % 16 == 15 ? 0 : 1 + size % 60, two[2] = {n, 1 + size / 60 % 16};
  const int rank = how / 16 % 4;
  for (size_t k = 0; k < sizeof c->number / sizeof *c->number; ++k) c->number[k] = value;
  memset(c->text, 'x', sizeof c->text);
  for (size_t k = 0; k < sizeof c->word / sizeof *c->word; ++k) c->word[k] = "a word";
  const int kind = how % 4;
  c->type = H5Tcopy(kind == 0 ? H5T_NATIVE_DOUBLE : kind == 3 ? H5T_NATIVE_INT : H5T_C_S1);
  if (kind == 1) H5Tset_size(c->type, 1 + size % 4);
  if (kind == 2) H5Tset_size(c->type, H5T_VARIABLE);
  c->data = kind == 2 ? (void *)c->word : kind == 1 ? (void *)c->text : (void *)c->number;
  const bool flat = rank == 2 && kind != 2;
  c->space = rank == 0 ? H5Screate(how % 16 == 15 ? H5S_NULL : H5S_SCALAR)
                       : H5Screate_simple(flat ? 2 : 1, flat ? two : &n, NULL);
}

static void change_attribute(hid_t file, const char *object, const char *name, const uint8_t *b) {
  static content c;
  const hid_t owner = H5Oopen(file, object, H5P_DEFAULT);
  if (owner < 0) return;
  if (H5Aexists(owner, name) > 0) H5Adelete(owner, name);
  if (b[1] % 32 != 31) {
    make_content(&c, b[1], b[2] + 256u * b[3], value_of(b + 4));
    const hid_t a = H5Acreate2(owner, name, c.type, c.space, H5P_DEFAULT, H5P_DEFAULT);
    if (a >= 0 && H5Sget_simple_extent_type(c.space) != H5S_NULL) H5Awrite(a, c.type, c.data);
    if (a >= 0) H5Aclose(a);
    H5Sclose(c.space);
    H5Tclose(c.type);
  }
  H5Oclose(owner);
}

/* One number of a dataset. */
static void change_element(hid_t file, const char *name, unsigned index, double value) {
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  const hid_t space = set >= 0 ? H5Dget_space(set) : -1, one = H5Screate(H5S_SCALAR);
  const hssize_t n = space >= 0 ? H5Sget_simple_extent_npoints(space) : 0;
  hsize_t dims[H5S_MAX_RANK] = {1}, at[H5S_MAX_RANK];
  const int rank = n > 0 ? H5Sget_simple_extent_dims(space, dims, NULL) : 0;
  hsize_t rest = n > 0 ? index % (hsize_t)n : 0;
  for (int d = rank - 1; d >= 0; --d) {
    at[d] = rest % dims[d];
    rest /= dims[d];
  }
  if (rank > 0 && H5Sselect_elements(space, H5S_SELECT_SET, 1, at) >= 0)
    H5Dwrite(set, H5T_NATIVE_DOUBLE, one, space, H5P_DEFAULT, &value);
  H5Sclose(one);
  if (space >= 0) H5Sclose(space);
  if (set >= 0) H5Dclose(set);
}

/* Another dataset of that name, or a group, or nothing. */
static void replace(hid_t file, const char *name, const uint8_t *b) {
  static content c;
  if (H5Lexists(file, name, H5P_DEFAULT) > 0) H5Ldelete(file, name, H5P_DEFAULT);
  if (b[1] % 32 == 31) return;
  if (b[1] % 32 == 30) {
    const hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group >= 0) H5Gclose(group);
    return;
  }
  make_content(&c, b[1], b[2] + 256u * b[3], value_of(b + 4));
  const hid_t set = H5Dcreate2(file, name, c.type, c.space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (set >= 0 && H5Sget_simple_extent_type(c.space) != H5S_NULL)
    H5Dwrite(set, c.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, c.data);
  if (set >= 0) H5Dclose(set);
  H5Sclose(c.space);
  H5Tclose(c.type);
}

static void change(const hid_t file[FILES], const uint8_t *b) {
  const int o = b[0] % OBJECTS;
  const hid_t f = file[objects[o].file];
  if (objects[o].attribute != NULL) change_attribute(f, objects[o].name, objects[o].attribute, b);
  else if (b[1] >= 128) change_element(f, objects[o].name, b[2] + 256u * b[3], value_of(b + 4));
  else replace(f, objects[o].name, b);
}

/* ---- the run ---- */

static void keep_image(int n) {
  FILE *f = fopen(fuzz_path(file_name[n]), "rb");
  if (f == NULL || fseek(f, 0, SEEK_END) != 0) exit(2);
  image[n].size = (size_t)ftell(f);
  rewind(f);
  image[n].bytes = malloc(image[n].size);
  if (image[n].bytes == NULL || fread(image[n].bytes, 1, image[n].size, f) != image[n].size) exit(2);
  fclose(f);
}

static void free_all(void) {
  hp_case_destroy(&run_case);
  for (int n = 0; n < FILES; ++n) free(image[n].bytes);
  fclose(nowhere);
}

static const hp_run_options options = {.threads = 1, .command_line = "fuzz"};

static hp_status run(const char *base) {
  hp_sim *S = NULL;
  hp_status s = hp_sim_create(run_case, &options, base, &S);
  if (s == HP_OK) s = hp_output_open(run_case, base, "fuzz", 0, NULL, &S->output);
  if (s == HP_OK) s = hp_sim_run(S);
  if (s == HP_OK) s = hp_output_close(&S->output);
  hp_sim_destroy(&S);
  return s;
}

void fuzz_restart_prepare(void) {
  static const char *const set[] = {"output.restart=-1",         "output.compression=0",
                                    "output.refresh=0.0",        "timestep={initial=10.0;max=10.0;accuracy=1.0;}",
                                    "linear.preconditioner=cpr", "linear.cpr.rebuild=run",
                                    "report.every=10.0"};
  hp_diag diag;
  hp_diag_init(&diag);
  nowhere = fopen("/dev/null", "w");
  char deck[160], base[160];
  snprintf(deck, sizeof deck, "%s", fuzz_path("base.cfg"));
  snprintf(base, sizeof base, "%s", fuzz_path("run"));
  if (hp_case_read(deck, sizeof set / sizeof *set, set, &diag, &run_case) != HP_OK || run(base) != HP_OK) {
    hp_diag_print(&diag, stderr);
    fuzz_fail("the run to go on from", hp_fail_text());
  }
  hp_diag_clear(&diag);
  for (int n = 0; n < FILES; ++n) keep_image(n);
  atexit(free_all);
}

/* Up to the end of a time step of a day, which need not converge. */
static hp_status go_on(const char *base, hp_restart *from) {
  hp_newton_report report;
  hp_sim *S = NULL;
  hp_status s = hp_sim_create(run_case, &options, base, &S);
  if (s == HP_OK) s = hp_checkpoint_resume(S, from);
  if (s == HP_OK) s = hp_newton_begin(S);
  if (s == HP_OK) s = hp_newton_solve(S, 86400.0, &report);
  hp_sim_destroy(&S);
  return s;
}

void fuzz_restart(const uint8_t *data, size_t size, bool renewed) {
  hid_t file[FILES];
  char base[160];
  snprintf(base, sizeof base, "%s", fuzz_path("run"));
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  for (int n = 0; n < FILES; ++n) {
    fuzz_write(file_name[n], image[n].bytes, image[n].size);
    file[n] = H5Fopen(fuzz_path(file_name[n]), H5F_ACC_RDWR, H5P_DEFAULT);
    if (file[n] < 0) fuzz_fail("the result to be changed", fuzz_path(file_name[n]));
  }
  for (size_t n = 0; n < CHANGES_MAX && (n + 1) * CHANGE <= size; ++n) change(file, data + n * CHANGE);
  for (int n = 0; n < FILES; ++n) {
    H5Fclose(file[n]);
    if (renewed) fuzz_renew_sums(fuzz_path(file_name[n]));
  }

  const int64_t held = hp_memory_now();
  hp_restart from;
  hp_memory_limit(held + FUZZ_HELD);
  fuzz_guard(fuzz_folder());
  hp_status s = hp_restart_read(base, step, &from);
  if (s == HP_OK) s = go_on(base, &from);
  hp_restart_clear(&from);
  if (s != HP_OK && hp_fail_text()[0] == '\0') fuzz_fail("refused without a reason", hp_status_text(s));
  if (s != HP_OK && s != HP_ERR_USAGE && s != HP_ERR_FILE && s != HP_ERR_MEMORY && s != HP_ERR_NUMERIC)
    fuzz_fail(hp_status_text(s), hp_fail_text());
  const hp_status status = hp_output_info(fuzz_path("run.h5"), nowhere);
  if (status != HP_OK && hp_fail_text()[0] == '\0') fuzz_fail("refused without a reason", hp_status_text(status));
  fuzz_guard(NULL);
  hp_memory_limit(0);
  fuzz_sound += s == HP_OK;
  if (hp_memory_now() != held) fuzz_fail("memory is lost", "restart");
}
