#define _POSIX_C_SOURCE 200809L
#include "io/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_LENGTH = 4096 };

typedef struct {
  dev_t device;
  ino_t inode;
  bool known;
} identity;

struct hp_input {
  identity file, folder;
  char *path;
};

/* ---- who is who ---- */

static identity identify(const char *path) {
  struct stat st;
  if (stat(path, &st) != 0) return (identity){.known = false};
  return (identity){.device = st.st_dev, .inode = st.st_ino, .known = true};
}

static bool same(identity a, identity b) { return a.known && b.known && a.device == b.device && a.inode == b.inode; }

static const char *name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

static void folder_of(const char *path, char out[PATH_LENGTH]) {
  const long length = (long)(name_of(path) - path);
  snprintf(out, PATH_LENGTH, "%.*s", length > 0 ? (int)length : 1, length > 0 ? path : ".");
}

static identity identify_folder(const char *path) {
  char folder[PATH_LENGTH];
  folder_of(path, folder);
  return identify(folder);
}

static bool is_input(const hp_input *in, const char *path, identity file, identity folder) {
  return same(in->file, file) || (same(in->folder, folder) && strcmp(name_of(in->path), name_of(path)) == 0);
}

static const hp_input *find(const hp_inputs *in, const char *path) {
  const identity file = identify(path), folder = identify_folder(path);
  for (int n = 0; n < in->count; ++n)
    if (is_input(&in->of[n], path, file, folder)) return &in->of[n];
  return NULL;
}

/* ---- the list ---- */

void hp_inputs_clear(hp_inputs *in) {
  for (int n = 0; n < in->count; ++n) free(in->of[n].path);
  free(in->of);
  *in = (hp_inputs){0};
}

void hp_inputs_add(hp_inputs *in, const char *path) {
  if (find(in, path) != NULL) return;
  if (in->count == in->capacity) {
    const int capacity = in->capacity == 0 ? 16 : 2 * in->capacity;
    hp_input *grown = realloc(in->of, (size_t)capacity * sizeof *grown);
    if (grown == NULL) return; /* what reads the file fails for memory, too */
    in->of = grown;
    in->capacity = capacity;
  }
  const size_t size = strlen(path) + 1;
  char *copy = malloc(size);
  if (copy == NULL) return;
  memcpy(copy, path, size);
  in->of[in->count++] = (hp_input){.file = identify(path), .folder = identify_folder(path), .path = copy};
}

void hp_inputs_add_all(hp_inputs *in, const hp_inputs *more) {
  for (int n = 0; n < more->count; ++n) hp_inputs_add(in, more->of[n].path);
}

/* The files of a folder whose names begin with `begin`, one after the other; *dir NULL at first and at the end. */
static bool next_file(DIR **dir, const char *folder, const char *begin, char path[PATH_LENGTH]) {
  if (*dir == NULL) *dir = opendir(folder);
  for (struct dirent *entry; *dir != NULL && (entry = readdir(*dir)) != NULL;) {
    if (entry->d_name[0] == '.' && strspn(entry->d_name, ".") == strlen(entry->d_name)) continue;
    if (strncmp(entry->d_name, begin, strlen(begin)) != 0) continue;
    const int n = snprintf(path, PATH_LENGTH, "%s/%s", folder, entry->d_name);
    if (n > 0 && n < PATH_LENGTH) return true;
  }
  if (*dir != NULL) closedir(*dir);
  *dir = NULL;
  return false;
}

static const char *const endings[] = {".h5",          ".grid.h5",    ".xdmf2",  ".wells.vtp",
                                      ".summary.csv", ".solver.csv", ".view.py"};
enum { ENDINGS = sizeof endings / sizeof *endings, SCRIPTS = 1 };

void hp_inputs_add_result(hp_inputs *in, const char *name) {
  char path[PATH_LENGTH], steps[PATH_LENGTH];
  const size_t n = strlen(name);
  const int stem = (int)(n > 3 && strcmp(name + n - 3, ".h5") == 0 ? n - 3 : n);
  for (size_t e = 0; e < ENDINGS - SCRIPTS; ++e)
    if (snprintf(path, sizeof path, "%.*s%s", stem, name, endings[e]) < PATH_LENGTH) hp_inputs_add(in, path);
  DIR *dir = NULL;
  if (snprintf(steps, sizeof steps, "%.*s.steps", stem, name) < PATH_LENGTH)
    while (next_file(&dir, steps, "", path)) hp_inputs_add(in, path);
}

/* ---- what is to be written ---- */

static bool is_hdf5(const char *path) {
  static const char signature[] = "\x89HDF\r\n\x1a\n";
  char head[8];
  const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  const bool found = fd >= 0 && read(fd, head, sizeof head) == (ssize_t)sizeof head && memcmp(head, signature, 8) == 0;
  if (fd >= 0) close(fd);
  return found;
}

hp_status hp_inputs_check(const hp_inputs *in, const char *option, const char *path, hp_inputs_kind kind) {
  struct stat st;
  const char *lead = option != NULL ? option : "", *blank = option != NULL ? " " : "";
  const bool there = stat(path, &st) == 0;
  if (!there && errno == ENAMETOOLONG) return hp_fail(HP_ERR_USAGE, "%s%s%s: the name is too long", lead, blank, path);
  if (there && !S_ISREG(st.st_mode)) return HP_OK; /* a device, a pipe, a folder: nothing is lost */
  const hp_input *same_file = find(in, path);
  if (same_file != NULL)
    return hp_fail(HP_ERR_USAGE,
                   "%s%s%s: is the file %s, which belongs to this command's other files; refusing to "
                   "overwrite it: give another name",
                   lead, blank, path, same_file->path);
  if (!there || kind == HP_INPUTS_ANY || !is_hdf5(path)) return HP_OK;
  return hp_fail(HP_ERR_USAGE,
                 "%s%s%s: exists and is an HDF5 file, such as a result; refusing to overwrite it: give "
                 "another name, or remove it",
                 lead, blank, path);
}

static bool has_ending(const char *path, const char *ending) {
  const size_t n = strlen(path), length = strlen(ending);
  return n >= length && strcmp(path + n - length, ending) == 0;
}

static hp_status check_all(const hp_inputs *in, const char *option, const char *folder, const char *begin,
                           const char *ending) {
  char path[PATH_LENGTH];
  DIR *dir = NULL;
  hp_status s = HP_OK;
  while (s == HP_OK && next_file(&dir, folder, begin, path))
    if (has_ending(path, ending)) s = hp_inputs_check(in, option, path, HP_INPUTS_ANY);
  if (dir != NULL) closedir(dir);
  return s;
}

hp_status hp_inputs_check_like(const hp_inputs *in, const char *option, const char *base, const char *ending) {
  char folder[PATH_LENGTH];
  folder_of(base, folder);
  return check_all(in, option, folder, name_of(base), ending);
}

hp_status hp_inputs_check_result(const hp_inputs *in, const char *name) {
  char path[PATH_LENGTH];
  for (size_t e = 0; e < ENDINGS; ++e)
    if (snprintf(path, sizeof path, "%s%s", name, endings[e]) < PATH_LENGTH)
      HP_TRY(hp_inputs_check(in, "-o", path, HP_INPUTS_ANY));
  if (snprintf(path, sizeof path, "%s.steps", name) >= PATH_LENGTH) return HP_OK;
  return check_all(in, "-o", path, "", "");
}
