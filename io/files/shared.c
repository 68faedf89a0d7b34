#define _DEFAULT_SOURCE
#include "io/files/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/vfs.h>
#endif

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
  *fd = open(temporary, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  HP_FREE(temporary);
  if (*fd < 0) return HP_OK;
  if (pread(*fd, &found, sizeof found, 0) == (ssize_t)sizeof found && memcmp(&found, token, sizeof found) == 0)
    return HP_OK;
  close(*fd);
  *fd = -1;
  return HP_OK;
}

/* By the numbers of linux/magic.h. File systems for clusters (Lustre, GPFS, BeeGFS, CephFS) keep bytes of several hosts apart. */
bool hp_shared_writes_pages(int fd) {
#if defined(__linux__)
  static const uint32_t kinds[] = {0x6969,     /* NFS */
                                   0xFF534D42, /* SMB 1, */
                                   0xFE534D42, /* 2 and later */
                                   0x65735546, /* FUSE */
                                   0x01021997, /* 9P */
                                   0x5346414F, /* AFS, */
                                   0x6B414653 /* the kernel's own */};
  struct statfs found;
  if (fstatfs(fd, &found) != 0) return true;
  for (size_t n = 0; n < sizeof kinds / sizeof *kinds; ++n)
    if ((uint32_t)found.f_type == kinds[n]) return true;
  return false;
#else
  (void)fd;
  return true;
#endif
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
