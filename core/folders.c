#define _POSIX_C_SOURCE 200809L
#include "core/folders.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_LENGTH = 4096 };

static bool is_folder(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static hp_status fail_home(const char *path) {
  return hp_fail(HP_ERR_FILE, "%s: ~ stands for a home folder in a shell only, and not in quotes: write its path",
                 path);
}

hp_status hp_make_folders_of(const char *path) {
  char folder[PATH_LENGTH];
  const char *last = strrchr(path, '/');
  if (strcmp(path, "~") == 0) return fail_home(path);
  if (last == NULL || last == path) return HP_OK;
  if ((size_t)(last - path) >= sizeof folder)
    return hp_fail(HP_ERR_FILE, "%.60s...: the name is longer than %d characters", path, PATH_LENGTH - 1);
  snprintf(folder, sizeof folder, "%.*s", (int)(last - path), path);
  if (is_folder(folder)) return HP_OK;
  if (path[0] == '~') return fail_home(path);
  for (char *slash = folder; slash != NULL; *slash = '/') {
    slash = strchr(slash + 1, '/');
    if (slash != NULL) *slash = '\0';
    if (!is_folder(folder) && mkdir(folder, 0777) != 0 && !is_folder(folder))
      return hp_fail(HP_ERR_FILE, "%s: cannot make the folder '%s': %s", path, folder,
                     errno == EEXIST ? "a file of that name is there" : strerror(errno));
    if (slash == NULL) break;
  }
  return HP_OK;
}

hp_status hp_cache_guard(const char *path) {
  char folder[PATH_LENGTH];
  struct stat st;
  HP_TRY(hp_make_folders_of(path));
  snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
  if (stat(folder, &st) != 0) return hp_fail(HP_ERR_FILE, "%s: %s", folder, strerror(errno));
  if (st.st_uid != geteuid()) return hp_fail(HP_ERR_FILE, "%s: belongs to somebody else", folder);
  if ((st.st_mode & 077) == 0 || chmod(folder, 0700) == 0) return HP_OK;
  return hp_fail(HP_ERR_FILE, "%s: others may write there: %s", folder, strerror(errno));
}

hp_status hp_cache_path(const char *name, char *out, size_t size) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int n;
  if (cache != NULL && cache[0] == '/') /* a relative one is void (XDG Base Directory Specification) */
    n = snprintf(out, size, "%s/hepta/%s", cache, name);
  else if (home != NULL && home[0] != '\0') n = snprintf(out, size, "%s/.cache/hepta/%s", home, name);
  else
    return hp_fail(
        HP_ERR_FILE,
        "neither XDG_CACHE_HOME nor HOME is set, so there is no place for what later runs use: set one of them");
  return n > 0 && (size_t)n < size ? HP_OK : hp_fail(HP_ERR_FILE, "the name of the cache folder is too long");
}

hp_status hp_partial_begin(const char *path, char *name, size_t size, FILE **f) {
  snprintf(name, size, "%s.%ld", path, (long)getpid());
  remove(name); /* of a process that was killed */
  const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  *f = fd >= 0 ? fdopen(fd, "wb") : NULL;
  if (*f == NULL && fd >= 0) close(fd);
  return *f != NULL ? HP_OK : hp_fail(HP_ERR_FILE, "%s: cannot be written: %s", name, strerror(errno));
}

hp_status hp_partial_end(const char *path, const char *name, FILE *f, bool good) {
  good = fflush(f) == 0 && !ferror(f) && good;
  good = fclose(f) == 0 && good;
  if (good && rename(name, path) == 0) return HP_OK;
  const int why = errno;
  remove(name);
  return hp_fail(HP_ERR_FILE, "%s: cannot be written: %s", path, strerror(why));
}
