/* How much of the files that grow a run keeps that goes on in place: the report steps and logs up to the step that it goes on from. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "io/results/eclipse/eclipse.h"

enum { MARKER = 4, HEADER = 16, HEAD = 2 * MARKER + HEADER, STEP = 67 /* of INTEHEAD: the time step */ };

typedef struct {
  char name[HP_EBIN_NAME + 1], type[5];
  int64_t count, begin, data, end; /* places in the file of its head, of its numbers and behind it */
} array;

static int64_t read_i32(const uint8_t *at) {
  return (int32_t)((uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | (uint32_t)at[3]);
}

/* The array that begins at a place; false: none does as a whole. */
static bool read_array(FILE *f, int64_t begin, int64_t size, array *a) {
  uint8_t head[HEAD];
  if (fseeko(f, (off_t)begin, SEEK_SET) != 0 || fread(head, 1, HEAD, f) != HEAD || read_i32(head) != HEADER)
    return false;
  memcpy(a->name, head + MARKER, HP_EBIN_NAME);
  memcpy(a->type, head + MARKER + HP_EBIN_NAME + 4, 4);
  a->name[HP_EBIN_NAME] = a->type[4] = '\0';
  a->count = read_i32(head + MARKER + HP_EBIN_NAME);
  const bool text = strcmp(a->type, "CHAR") == 0, eight = text || strcmp(a->type, "DOUB") == 0;
  const int64_t block = text ? 105 : 1000, number = strcmp(a->type, "MESS") == 0 ? 0 : eight ? 8 : 4;
  if (a->count < 0) return false;
  const int64_t records = number > 0 ? (a->count + block - 1) / block : 0;
  a->begin = begin;
  a->data = begin + HEAD + MARKER;
  a->end = begin + HEAD + a->count * number + 2 * MARKER * records;
  return a->end <= size;
}

static bool is(const array *a, const char *name) {
  return strncmp(a->name, name, strlen(name)) == 0 &&
         strspn(a->name + strlen(name), " ") == HP_EBIN_NAME - strlen(name);
}

/* 32 bits of number n of the array. */
static bool read_number(FILE *f, const array *a, int n, uint32_t *bits) {
  uint8_t at[4];
  if (n >= a->count || fseeko(f, (off_t)(a->data + 4 * n), SEEK_SET) != 0 || fread(at, 1, 4, f) != 4) return false;
  *bits = (uint32_t)read_i32(at);
  return true;
}

/* Opens a file and finds its size; *f is NULL: there is none. */
static hp_status open_file(const char *path, FILE **f, int64_t *size) {
  *f = fopen(path, "rb");
  *size = 0;
  if (*f == NULL && errno == ENOENT) return HP_OK;
  if (*f == NULL) return hp_fail(HP_ERR_FILE, "%s: cannot be read: %s", path, strerror(errno));
  if (fseeko(*f, 0, SEEK_END) == 0) *size = (int64_t)ftello(*f);
  return HP_OK;
}

hp_status hp_ebin_keep_reports(const char *path, int step, int64_t *kept, int *reports) {
  FILE *f;
  int64_t size, at = 0;
  int count = 0, last = -1;
  array a;
  HP_TRY(open_file(path, &f, &size));
  *kept = 0;
  while (f != NULL && read_array(f, at, size, &a)) {
    uint32_t of;
    if (is(&a, "INTEHEAD") && (!read_number(f, &a, STEP, &of) || (int32_t)of > step)) break;
    if (is(&a, "INTEHEAD")) last = (int32_t)of;
    at = a.end;
    if (!is(&a, "ENDSOL")) continue;
    *kept = at;
    *reports = ++count;
  }
  if (f != NULL) fclose(f);
  if (last == step && count > 0) return HP_OK;
  return hp_fail(
      HP_ERR_USAGE,
      "%s: does not have the report steps up to %d, which a run that goes on in place keeps: name new results "
      "with -o",
      path, step);
}

hp_status hp_ebin_keep_logs(const char *path, float time, int64_t *kept) {
  FILE *f;
  int64_t size, at = 0;
  array a;
  HP_TRY(open_file(path, &f, &size));
  *kept = 0;
  while (f != NULL && read_array(f, at, size, &a)) {
    uint32_t bits = 0;
    float of = 0.0f;
    if (is(&a, "TIME") && read_number(f, &a, 0, &bits)) memcpy(&of, &bits, sizeof of);
    if (of > time) break;
    at = a.end;
    *kept = at;
  }
  if (f != NULL) fclose(f);
  return HP_OK;
}
