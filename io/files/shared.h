/* A file under its temporary name that several processes write, each at its own places. Its creator puts a token into
 * the first bytes, by which the others recognise it: the same path may be another file on another host.
 */
#ifndef HP_IO_FILES_SHARED_H
#define HP_IO_FILES_SHARED_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

typedef struct hp_shared_token {
  int64_t bits[3]; /* process and time of the creator, unlike those of any other file */
} hp_shared_token;

/* Opens `path`.tmp if it has the token, else sets *fd to -1. HP_ERR_MEMORY. */
hp_status hp_shared_open(const char *path, const hp_shared_token *token, int *fd) HP_MUST_USE;
/* Whether hosts write back whole pages, as with NFS and FUSE, so that bytes that another host has written into a page
 * are lost. True also if the kind of file system is not known; kinds that are not listed count as safe. */
bool hp_shared_writes_pages(int fd);
/* Writes `size` bytes at `place`; false: errno says why. */
bool hp_shared_put(int fd, const void *bytes, int64_t size, int64_t place);
/* Likewise; `path` is for messages. */
hp_status hp_shared_write(int fd, const char *path, const void *bytes, int64_t size, int64_t place) HP_MUST_USE;
/* Flushes the file to the disk, for other hosts to read. */
hp_status hp_shared_sync(int fd, const char *path) HP_MUST_USE;
/* Closes *fd, unless it is -1, and sets it to -1. */
hp_status hp_shared_close(int *fd, const char *path) HP_MUST_USE;

HP_EXTERN_C_END

#endif
