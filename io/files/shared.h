/* A file under its temporary name that several processes write, each at places of its own. One of them has created it, with a
 * token as its first bytes, by which others know it: a file of the same path on another host may be another one, or none.
 */
#ifndef HP_IO_FILES_SHARED_H
#define HP_IO_FILES_SHARED_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

typedef struct hp_shared_token {
  int64_t bits[3]; /* process and time of the creator, unlike those of any other file */
} hp_shared_token;

/* Opens `path`.tmp, if it is there and has the token; *fd -1: it is not. HP_ERR_MEMORY. */
hp_status hp_shared_open(const char *path, const hp_shared_token *token, int *fd) HP_MUST_USE;
/* Whether hosts keep pages of it and write them back whole, as those of NFS and FUSE do: bytes that another host has written into a
 * page since would be lost. Also true where the system does not say what kind of file system it is; kinds that are not in the list
 * count as safe. */
bool hp_shared_writes_pages(int fd);
/* Writes `size` bytes at `place`; false: errno says why. */
bool hp_shared_put(int fd, const void *bytes, int64_t size, int64_t place);
/* Likewise; `path` is for messages. */
hp_status hp_shared_write(int fd, const char *path, const void *bytes, int64_t size, int64_t place) HP_MUST_USE;
/* Flushes it to the disk, for other hosts to read. */
hp_status hp_shared_sync(int fd, const char *path) HP_MUST_USE;
/* Nothing to do for -1, which *fd becomes. */
hp_status hp_shared_close(int *fd, const char *path) HP_MUST_USE;

HP_EXTERN_C_END

#endif
