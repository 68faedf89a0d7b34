/* Checksums of a changed file, renewed: what lies behind them is reached then (io/files/sums.h has their form). */
#define _POSIX_C_SOURCE 200809L
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/files/hdf5.h"
#include "tests/fuzz/fuzz.h"

enum { DIGITS = 16 };

/* The bytes of numbers and fixed texts, as the file has them; *bytes NULL: hepta lists none of that kind. */
static void read_set(hid_t file, const char *name, char **bytes, size_t *size) {
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  const hid_t type = set >= 0 ? H5Dget_type(set) : -1, space = set >= 0 ? H5Dget_space(set) : -1;
  const hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : 0;
  *bytes = NULL;
  if (type >= 0 && H5Tis_variable_str(type) == 0) {
    *size = (size_t)(count > 0 ? count : 0) * H5Tget_size(type);
    *bytes = calloc(*size + 1, 1);
    if (*bytes != NULL && count > 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *bytes) < 0) {
      free(*bytes);
      *bytes = NULL;
    }
  }
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (set >= 0) H5Dclose(set);
}

static void read_attribute(const hp_h5 *h, const char *object, const char *name, char **bytes, size_t *size) {
  const hid_t owner = H5Oopen(h->file, object, H5P_DEFAULT);
  const hid_t a = owner >= 0 && H5Aexists(owner, name) > 0 ? H5Aopen(owner, name, H5P_DEFAULT) : -1;
  const hid_t type = a >= 0 ? H5Aget_type(a) : -1, space = a >= 0 ? H5Aget_space(a) : -1;
  const bool single = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
  char *text = NULL;
  *bytes = NULL;
  if (single && H5Tget_class(type) == H5T_STRING) {
    if (hp_h5_read_text(h, object, name, &text) == HP_OK) {
      *size = strlen(text);
      *bytes = strdup(text);
    }
    HP_FREE(text);
  } else if (single && H5Tget_size(type) == sizeof(double)) {
    *size = sizeof(double);
    *bytes = calloc(*size, 1);
    if (*bytes != NULL) H5Aread(a, type, *bytes);
  }
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (a >= 0) H5Aclose(a);
  if (owner >= 0) H5Oclose(owner);
}

/* The line of the list, with the checksum of what the file has now; without a line where there is none. */
static size_t renew_line(const hp_h5 *h, const char *line, size_t length, char *to) {
  char copy[1024], *bytes = NULL, *what = copy + DIGITS + 1;
  size_t size = 0;
  if (length <= DIGITS + 1 || length >= sizeof copy) return 0;
  memcpy(copy, line, length);
  copy[length] = '\0';
  memcpy(to, line, length + 1);
  if (strncmp(what, "link ", 5) == 0) return length + 1;
  char *object = strchr(what, ' ');
  if (object != NULL) *object++ = '\0';
  if (object != NULL) read_attribute(h, object, what, &bytes, &size);
  else read_set(h->file, what, &bytes, &size);
  if (bytes == NULL) return 0;
  snprintf(copy, sizeof copy, "%016llx", (unsigned long long)hp_sum_of(bytes, size));
  memcpy(to, copy, DIGITS);
  free(bytes);
  return length + 1;
}

static void write_list(const char *path, const char *list) {
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), type = H5Tcopy(H5T_C_S1), one = H5Screate(H5S_SCALAR);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  const hid_t root = file >= 0 ? H5Oopen(file, "/", H5P_DEFAULT) : -1;
  if (root < 0 || H5Adelete(root, "checksums") < 0) fuzz_fail("no checksums to renew", path);
  const hid_t a = H5Acreate2(root, "checksums", type, one, H5P_DEFAULT, H5P_DEFAULT);
  if (a < 0 || H5Awrite(a, type, &list) < 0) fuzz_fail("the checksums cannot be renewed", path);
  H5Aclose(a);
  H5Oclose(root);
  H5Sclose(one);
  H5Tclose(type);
  H5Fclose(file);
}

void fuzz_renew_sums(const char *path) {
  hp_h5 h = {.file = -1};
  char *text = NULL, *list;
  size_t at = 0;
  if (hp_h5_open(&h, path) != HP_OK || hp_h5_read_text(&h, "/", "checksums", &text) != HP_OK)
    fuzz_fail("no checksums to renew", path);
  list = calloc(strlen(text) + DIGITS + 2, 1);
  if (list == NULL) exit(2);
  for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
    at += renew_line(&h, line, strcspn(line, "\n"), list + at);
  snprintf(list + at, DIGITS + 2, "%016llx\n", (unsigned long long)hp_sum_of(list, at));
  HP_FREE(text);
  hp_h5_discard(&h);
  write_list(path, list);
  free(list);
}
