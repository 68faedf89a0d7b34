#define _POSIX_C_SOURCE 200809L
#include "io/files/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "io/files/text.h"

static hp_status fail(const char *path) {
  return hp_fail(HP_ERR_FILE, "%s.tmp: cannot write: %s", path, strerror(errno));
}

hp_status hp_shared_open(const char *path, const hp_shared_token *token, int *fd) {
  char *temporary;
  hp_shared_token found;
  *fd = -1;
  HP_TRY(hp_format(&temporary, "%s.tmp", path));
  *fd = open(temporary, O_RDWR | O_CLOEXEC);
  HP_FREE(temporary);
  if (*fd < 0) return HP_OK;
  if (pread(*fd, &found, sizeof found, 0) == (ssize_t)sizeof found && memcmp(&found, token, sizeof found) == 0)
    return HP_OK;
  close(*fd);
  *fd = -1;
  return HP_OK;
}

bool hp_shared_put(int fd, const void *bytes, int64_t size, int64_t place) {
  const char *at = bytes;
  while (size > 0) {
    const ssize_t n = pwrite(fd, at, (size_t)size, (off_t)place);
    if (n < 0 && errno != EINTR) return false;
    if (n < 0) continue;
    at += n;
    place += n;
    size -= n;
  }
  return true;
}

hp_status hp_shared_write(int fd, const char *path, const void *bytes, int64_t size, int64_t place) {
  return hp_shared_put(fd, bytes, size, place) ? HP_OK : fail(path);
}

hp_status hp_shared_sync(int fd, const char *path) { return fsync(fd) == 0 ? HP_OK : fail(path); }

hp_status hp_shared_close(int *fd, const char *path) {
  const int r = *fd >= 0 ? close(*fd) : 0;
  *fd = -1;
  return r == 0 ? HP_OK : fail(path);
}
