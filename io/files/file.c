/* Files that are read or replaced as a whole; folders. */
#define _GNU_SOURCE /* POSIX 2008, S_ISVTX, memmem */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/show.h"
#include "io/files/file.h"
#include "io/files/text.h"

static hp_status file_error(const char *path, const char *what) {
  return hp_fail(HP_ERR_FILE, "%s: cannot %s: %s", path, what, strerror(errno));
}

const char *hp_file_advice(const char *path) {
  const bool home = path[0] == '~' || strstr(path, "/~") != NULL;
  return home ? "; ~ stands for a home folder in a shell only: write its path" : "";
}

hp_status hp_file_open(const char *path, FILE **f, int64_t *size) {
  struct stat st;
  *f = NULL;
  /* a pipe without a writer would keep it waiting, and what the system shows as a file would do so when it is read */
  const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0 && errno == ENOENT) return hp_fail(HP_ERR_FILE, "%s: no such file%s", path, hp_file_advice(path));
  if (fd < 0)
    return errno == ENXIO ? hp_fail(HP_ERR_FILE, "%s: not a file that can be read", path) : file_error(path, "open");
  const bool regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
  if (regular) *f = fdopen(fd, "rb");
  if (size != NULL) *size = regular ? (int64_t)st.st_size : 0;
  if (*f != NULL) return HP_OK;
  close(fd);
  return hp_fail(HP_ERR_FILE, "%s: not a file that can be read", path);
}

int hp_file_create(const char *path, int how) {
  const int flags = how | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  int fd = open(path, flags, 0666);
  if (fd < 0 && errno == EEXIST && unlink(path) == 0) fd = open(path, flags, 0666);
  return fd;
}

hp_status hp_file_read(const char *path, char **text, size_t *size) {
  int64_t bytes = 0;
  FILE *f;
  *text = NULL;
  *size = 0;
  HP_TRY(hp_file_open(path, &f, &bytes));
  hp_status s = hp_alloc((void **)text, bytes + 1, 1, path);
  if (s == HP_OK) *size = fread(*text, 1, (size_t)bytes, f);
  if (s == HP_OK && *size != (size_t)bytes) {
    s = hp_fail(HP_ERR_FILE, "%s: cannot be read to its end", path);
    HP_FREE(*text);
  }
  fclose(f);
  return s;
}

hp_status hp_file_locked(const char *path) {
  return hp_fail(HP_ERR_FILE, "%s: is locked: another program has it open for writing; close it there", path);
}

bool hp_file_is_same(const char *a, const char *b) {
  struct stat x, y;
  return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

hp_status hp_file_write(int fd, const char *path, const void *data, size_t size) {
  const char *at = data;
  while (size > 0) {
    const ssize_t n = write(fd, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return file_error(path, "write");
    at += n;
    size -= (size_t)n;
  }
  return HP_OK;
}

hp_status hp_file_sync(int fd, const char *path) {
  /* Pipes and devices have no disk behind them; EINVAL says so. */
  if (fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP) return file_error(path, "flush to the disk");
  return HP_OK;
}

/* The folder that `path` stands in. */
static hp_status folder_of(const char *path, char **folder) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? hp_format(folder, ".") : hp_format(folder, "%.*s", (int)(slash - path + 1), path);
}

hp_status hp_file_sync_folder_of(const char *path) {
  char *folder;
  HP_TRY(folder_of(path, &folder));
  hp_status s = HP_OK;
  const int fd = open(folder, O_RDONLY);
  if (fd < 0) {
    s = file_error(folder, "open the folder");
  } else {
    s = hp_file_sync(fd, folder);
    if (close(fd) != 0 && s == HP_OK) s = file_error(folder, "close the folder");
  }
  HP_FREE(folder);
  return s;
}

hp_status hp_file_sync_at(const char *path) {
  const int fd = open(path, O_RDONLY);
  if (fd < 0) return file_error(path, "open");
  hp_status s = hp_file_sync(fd, path);
  if (close(fd) != 0 && s == HP_OK) s = file_error(path, "close");
  return s;
}

static hp_status write_whole(const char *path, const void *data, size_t size, bool sync) {
  const int fd = hp_file_create(path, O_WRONLY);
  if (fd < 0) return file_error(path, "create");
  hp_status s = hp_file_write(fd, path, data, size);
  if (s == HP_OK && sync) s = hp_file_sync(fd, path);
  if (close(fd) != 0 && s == HP_OK) s = file_error(path, "close");
  return s;
}

/* The temporary file of `path` gets its name, or, where `s` is a failure, goes. */
static hp_status put(const char *path, const char *temporary, hp_status s) {
  if (s == HP_OK && rename(temporary, path) != 0) s = file_error(path, "put in place");
  if (s != HP_OK) unlink(temporary); /* the failure is reported already */
  return s;
}

static hp_status place(const char *path, const void *data, size_t size, bool sync) {
  char *temporary;
  HP_TRY(hp_format(&temporary, "%s.tmp", path));
  const hp_status s = put(path, temporary, write_whole(temporary, data, size, sync));
  HP_FREE(temporary);
  return s;
}

hp_status hp_file_put(const char *path, hp_status s, bool sync) {
  char *temporary;
  HP_TRY(hp_format(&temporary, "%s.tmp", path));
  if (s == HP_OK && sync) s = hp_file_sync_at(temporary);
  s = put(path, temporary, s);
  HP_FREE(temporary);
  return s == HP_OK && sync ? hp_file_sync_folder_of(path) : s;
}

void hp_file_drop(const char *path) {
  char *temporary;
  if (hp_format(&temporary, "%s.tmp", path) != HP_OK) return;
  unlink(temporary);
  HP_FREE(temporary);
}

hp_status hp_file_place(const char *path, const void *data, size_t size) { return place(path, data, size, false); }

hp_status hp_file_replace(const char *path, const void *data, size_t size) {
  HP_TRY(place(path, data, size, true));
  return hp_file_sync_folder_of(path);
}

hp_status hp_file_replace_text(const char *path, hp_text *t) {
  HP_TRY(t->status);
  return hp_file_replace(path, t->s, (size_t)t->length);
}

hp_status hp_file_place_text(const char *path, hp_text *t) {
  HP_TRY(t->status);
  return hp_file_place(path, t->s, (size_t)t->length);
}

static bool is_room(int error) { return error == ENOSPC || error == EDQUOT; }

bool hp_file_lacks_room(const char *path, int64_t size) {
  static const char piece[1 << 16];
  char *temporary;
  if (hp_format(&temporary, "%s.tmp", path) != HP_OK) return false;
  const int fd = hp_file_create(temporary, O_WRONLY);
  int error = fd < 0 ? errno : 0;
  while (error == 0 && size > 0) {
    const ssize_t n = write(fd, piece, size < (int64_t)sizeof piece ? (size_t)size : sizeof piece);
    if (n < 0 && errno != EINTR) error = errno;
    if (n > 0) size -= n;
  }
  if (error == 0 && fsync(fd) != 0) error = errno; /* some file systems allot room then */
  if (fd >= 0) close(fd);
  unlink(temporary);
  HP_FREE(temporary);
  return is_room(error);
}

hp_status hp_file_remove(const char *path) {
  if (unlink(path) != 0 && errno != ENOENT) return file_error(path, "remove the earlier file");
  return HP_OK;
}

/* The number in step_000012.h5 or restart_000012.h5, INT_MAX in a temporary one; -1: not a file of ours. */
static int step_of(const char *name) {
  const size_t n = strlen(name);
  const bool temporary = n >= 4 && strcmp(name + n - 4, ".tmp") == 0;
  const char *end = temporary ? name + n - 4 : name + n;
  const char *digits = strncmp(name, "step_", 5) == 0 ? name + 5 : strncmp(name, "restart_", 8) == 0 ? name + 8 : NULL;
  if (digits == NULL || end - digits <= 3 || strncmp(end - 3, ".h5", 3) != 0) return -1;
  const size_t count = (size_t)(end - 3 - digits);
  if (strspn(digits, "0123456789") != count || count < 6 || (count > 6 && digits[0] == '0')) return -1;
  return temporary ? INT_MAX : (int)strtol(digits, NULL, 10);
}

/* In a folder with the sticky bit, such as /tmp, only the owner of the file or of the folder may. */
static bool may_remove(const struct stat *file, const struct stat *folder) {
  const uid_t user = geteuid();
  return (folder->st_mode & S_ISVTX) == 0 || user == 0 || user == file->st_uid || user == folder->st_uid;
}

hp_status hp_file_may_replace(const char *path) {
  struct stat st, around;
  char *folder;
  if (lstat(path, &st) != 0) return HP_OK;
  if (S_ISDIR(st.st_mode))
    return hp_fail(HP_ERR_USAGE, "%s: is a folder, and a file of this name is to be written: name the results with -o",
                   path);
  HP_TRY(folder_of(path, &folder));
  const bool refused = stat(folder, &around) == 0 && !may_remove(&st, &around);
  HP_FREE(folder);
  if (!refused) return HP_OK;
  return hp_fail(HP_ERR_USAGE, "%s: belongs to somebody else and cannot be replaced: name the results with -o", path);
}

hp_status hp_folder_may_write(const char *folder) {
  struct stat st;
  if (lstat(folder, &st) != 0) return HP_OK;
  if (stat(folder, &st) == 0 && !S_ISDIR(st.st_mode))
    return hp_fail(HP_ERR_USAGE,
                   "%s: exists and is not a folder, which the step files need: name the results with "
                   "-o, or remove it",
                   folder);
  if (access(folder, R_OK | W_OK | X_OK) != 0)
    return hp_fail(HP_ERR_USAGE, "%s: cannot write in the folder of the step files: %s: name the results with -o",
                   folder, strerror(errno));
  return HP_OK;
}

hp_status hp_folder_lock(const char *folder, int *fd, bool *made) {
  *fd = -1;
  *made = mkdir(folder, 0777) == 0;
  if (*made) HP_TRY(hp_file_sync_folder_of(folder));
  else if (errno != EEXIST) return file_error(folder, "make the folder");
  *fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (*fd < 0) return file_error(folder, "open the folder");
  if (flock(*fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return HP_OK; /* not every file system has locks */
  close(*fd);
  *fd = -1;
  return hp_fail(HP_ERR_USAGE, "%s: another run is still writing its results here: wait until it ends, or use -o",
                 folder);
}

hp_status hp_folder_unlock(const char *folder, int *fd) {
  const int r = close(*fd);
  *fd = -1;
  return r == 0 ? HP_OK : file_error(folder, "close the folder");
}

bool hp_file_has_word(const char *path, bool first, int count, const char *const *word) {
  enum { HEAD = 1 << 16 };
  char head[HEAD];
  struct stat st;
  const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  const bool regular = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
  const ssize_t size = regular ? pread(fd, head, sizeof head, 0) : -1;
  bool found = regular && st.st_size == 0; /* a torn one */
  for (int n = 0; size > 0 && n < count; ++n) {
    const size_t length = strlen(word[n]), most = length < (size_t)size ? length : (size_t)size;
    found = found || (first ? memcmp(head, word[n], most) == 0 : memmem(head, (size_t)size, word[n], length) != NULL);
  }
  if (fd >= 0) close(fd);
  return found;
}

hp_status hp_file_is_foreign(const char *path) {
  return hp_fail(
      HP_ERR_USAGE,
      "%s: exists and is not a file of hepta; refusing to overwrite it: name the results with -o, or remove it", path);
}

bool hp_file_is_hdf5_of_hepta(const char *path) {
  static const char *const words[] = {"checksums", "hepta restart", "time_unit"};
  return hp_file_has_word(path, false, sizeof words / sizeof *words, words);
}

hp_status hp_folder_check(const char *folder) {
  DIR *dir = opendir(folder);
  hp_status s = HP_OK;
  for (struct dirent *entry; dir != NULL && s == HP_OK && (entry = readdir(dir)) != NULL;) {
    char *path;
    if (step_of(entry->d_name) < 0 || step_of(entry->d_name) == INT_MAX) continue;
    s = hp_format(&path, "%s/%s", folder, entry->d_name);
    if (s == HP_OK && !hp_file_is_hdf5_of_hepta(path)) s = hp_file_is_foreign(path);
    HP_FREE(path);
  }
  if (dir != NULL) closedir(dir);
  return s;
}

hp_status hp_folder_clear(const char *folder, int last) {
  DIR *dir = opendir(folder);
  if (dir == NULL) return file_error(folder, "open the folder");
  hp_status s = HP_OK;
  for (struct dirent *entry; s == HP_OK && (entry = readdir(dir)) != NULL;) {
    if (step_of(entry->d_name) <= last) continue;
    char *path;
    s = hp_format(&path, "%s/%s", folder, entry->d_name);
    if (s == HP_OK && (step_of(entry->d_name) == INT_MAX || hp_file_is_hdf5_of_hepta(path))) s = hp_file_remove(path);
    HP_FREE(path);
  }
  closedir(dir);
  return s;
}
