/* Whose Eclipse's files are that stand where a run is to write its own. hepta's have a mark in a number that is zero in
 * others and that readers do not look at; those of another simulator are not ours to remove. */
#define _XOPEN_SOURCE 700 /* POSIX 2008, and strcasecmp */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "core/memory.h"
#include "io/results/eclipse/eclipse.h"

/* ---- the mark ---- */

enum { MARKER = 4, HEADER = 16 };
enum { HEAD = 4096 }; /* bytes of a file that are looked at: its first arrays */

static int64_t read_i32(const uint8_t *at) {
  return (int32_t)((uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | (uint32_t)at[3]);
}

/* Element `index` of the array `name` of integers among the first ones, all of one record; false: it is not there. */
static bool find_integer(const uint8_t *data, int64_t size, const char *name, int index, int64_t *value) {
  int64_t at = 0;
  while (at + 2 * MARKER + HEADER + MARKER <= size && read_i32(data + at) == HEADER) {
    const bool found = memcmp(data + at + MARKER, name, HP_EBIN_NAME) == 0;
    const int64_t count = read_i32(data + at + MARKER + HP_EBIN_NAME), body = at + 2 * MARKER + HEADER;
    const int64_t length = read_i32(data + body), place = body + MARKER + 4 * index;
    if (found) *value = place + 4 <= size && index < count ? read_i32(data + place) : 0;
    if (found) return true;
    if (length < 0) return false;
    at = body + 2 * MARKER + length;
  }
  return false;
}

/* Where each file has its mark; rows of UNSMRY have no place for one, they go with SMSPEC, logs of wells with EGRID. */
static bool has_mark(const char *path, hp_ebin_file f) {
  static const struct {
    const char *name;
    int index;
  } place[HP_EBIN_FILES] = {[HP_EBIN_FILE_EGRID] = {"FILEHEAD", HP_EBIN_MARK_FILEHEAD},
                            [HP_EBIN_FILE_INIT] = {"INTEHEAD", HP_EBIN_MARK_INTEHEAD},
                            [HP_EBIN_FILE_UNRST] = {"INTEHEAD", HP_EBIN_MARK_INTEHEAD},
                            [HP_EBIN_FILE_SMSPEC] = {"DIMENS  ", HP_EBIN_MARK_DIMENS}};
  uint8_t data[HEAD];
  int64_t value = 0;
  FILE *file;
  if (hp_file_open(path, &file, NULL) != HP_OK) return false;
  const int64_t size = (int64_t)fread(data, 1, sizeof data, file);
  fclose(file);
  return find_integer(data, size, place[f].name, place[f].index, &value) && value == HP_EBIN_MARK;
}

/* ---- what stands there ---- */

static hp_status check_file(char *const *path, hp_ebin_file f) {
  struct stat st;
  if (lstat(path[f], &st) != 0) return HP_OK;
  HP_TRY(hp_file_may_replace(path[f]));
  const hp_ebin_file marked = f == HP_EBIN_FILE_UNSMRY ? HP_EBIN_FILE_SMSPEC
                              : f == HP_EBIN_FILE_RFT  ? HP_EBIN_FILE_EGRID
                                                       : f;
  if ((S_ISREG(st.st_mode) && st.st_size == 0) || has_mark(path[marked], marked)) return HP_OK;
  return hp_fail(HP_ERR_USAGE,
                 "%s: exists and is not a hepta result; refusing to overwrite it: name the results with "
                 "-o, or remove it",
                 path[f]);
}

/* Whether `entry` is the folder of steps of a result whose name differs from `name` in case alone. */
static bool differs_in_case(const char *entry, const char *name) {
  const size_t n = strlen(name);
  return strncasecmp(entry, name, n) == 0 && strncmp(entry, name, n) != 0 && strcmp(entry + n, ".steps") == 0;
}

/* Such results would share their files in capital letters. */
static hp_status check_case(const char *base) {
  const char *slash = strrchr(base, '/'), *name = slash != NULL ? slash + 1 : base;
  char *folder;
  HP_TRY(hp_format(&folder, "%.*s", slash != NULL ? (int)(slash - base + 1) : 1, slash != NULL ? base : "."));
  hp_status s = HP_OK;
  DIR *dir = opendir(folder);
  for (struct dirent *entry; dir != NULL && s == HP_OK && (entry = readdir(dir)) != NULL;)
    if (differs_in_case(entry->d_name, name))
      s = hp_fail(HP_ERR_USAGE,
                  "%s: Eclipse's files (output.eclipse) have names in capital letters, which would "
                  "overwrite those of the result %.*s: name the results with -o",
                  base, (int)strlen(name), entry->d_name);
  if (dir != NULL) closedir(dir);
  HP_FREE(folder);
  return s;
}

hp_status hp_ebin_check_earlier(const char *base) {
  char *path[HP_EBIN_FILES] = {NULL};
  struct stat st;
  bool any = false;
  hp_status s = hp_ebin_paths(base, path);
  for (int f = 0; s == HP_OK && f < HP_EBIN_FILES; ++f) {
    any = any || lstat(path[f], &st) == 0;
    s = check_file(path, (hp_ebin_file)f);
  }
  if (s == HP_OK && any) s = check_case(base);
  for (int f = 0; f < HP_EBIN_FILES; ++f) HP_FREE(path[f]);
  return s;
}
