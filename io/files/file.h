/* Single files and folders: locks, permissions, bytes on the disk. Whole files are in io/files/text.h. */
#ifndef HP_IO_FILES_FILE_H
#define HP_IO_FILES_FILE_H

#include "core/status.h"

/* Removes a file; one that is not there is no error. */
hp_status hp_file_remove(const char *path) HP_MUST_USE;
/* Writes all bytes to an open file / flushes it to the disk; `path` is for messages. */
hp_status hp_file_write(int fd, const char *path, const void *data, size_t size) HP_MUST_USE;
hp_status hp_file_sync(int fd, const char *path) HP_MUST_USE;

/* Whether it is for want of room (a full disk, a quota) that `path` cannot be replaced by a file of so many bytes. */
bool hp_file_lacks_room(const char *path, int64_t size);

/* Whether this process may replace what stands at `path`, and put files into `folder`; what is not there is to be made.
 * Asked before anything is removed. HP_ERR_USAGE: it may not, with the reason. */
hp_status hp_file_may_replace(const char *path) HP_MUST_USE;
hp_status hp_folder_may_write(const char *folder) HP_MUST_USE;

/* HP_ERR_FILE: another program holds a lock on the file. */
hp_status hp_file_locked(const char *path) HP_MUST_USE;

/* Makes `folder` if it is missing (*made), and locks it for as long as *fd is open; HP_ERR_USAGE: somebody else has. */
hp_status hp_folder_lock(const char *folder, int *fd, bool *made) HP_MUST_USE;
hp_status hp_folder_unlock(const char *folder, int *fd) HP_MUST_USE;
/* HP_ERR_USAGE: a file in `folder` has a name that steps have, and is not one of hepta. A folder that is missing is sound. */
hp_status hp_folder_check(const char *folder) HP_MUST_USE;
/* Removes what an earlier run left in `folder`: files of steps after `last`, and temporaries; not what hepta has not
 * written. */
hp_status hp_folder_clear(const char *folder, int last) HP_MUST_USE;

#endif
