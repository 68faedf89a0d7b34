/* Single files and folders: locks, permissions, bytes on the disk. Whole files are in io/files/text.h. */
#ifndef HP_IO_FILES_FILE_H
#define HP_IO_FILES_FILE_H

#include "core/status.h"

/* Removes a file; a missing one is not an error. */
hp_status hp_file_remove(const char *path) HP_MUST_USE;
/* Write all bytes to an open file, and flush it to the disk; `path` is for messages. */
hp_status hp_file_write(int fd, const char *path, const void *data, size_t size) HP_MUST_USE;
hp_status hp_file_sync(int fd, const char *path) HP_MUST_USE;

/* Whether `path` cannot be replaced by a file of so many bytes because a disk or quota is full. */
bool hp_file_lacks_room(const char *path, int64_t size);

/* Check, before anything is removed, that this process may replace or make `path`, and put files into `folder`.
 * HP_ERR_USAGE with the reason if not. */
hp_status hp_file_may_replace(const char *path) HP_MUST_USE;
/* Whether a regular file is empty, as torn ones are, or has one of the words near its beginning; first: as its first
 * letters, which may be cut short. */
bool hp_file_has_word(const char *path, bool first, int count, const char *const *word);
/* Whether hepta has written the HDF5 file, whole or in part. */
bool hp_file_is_hdf5_of_hepta(const char *path);
/* HP_ERR_USAGE: somebody else's file stands where hepta writes its own. */
hp_status hp_file_is_foreign(const char *path) HP_MUST_USE;
hp_status hp_folder_may_write(const char *folder) HP_MUST_USE;

/* HP_ERR_FILE if another program holds a lock on the file. */
hp_status hp_file_locked(const char *path) HP_MUST_USE;

/* Makes `folder` if it is missing (*made), and locks it while *fd is open. HP_ERR_USAGE if another process has locked
 * it. */
hp_status hp_folder_lock(const char *folder, int *fd, bool *made) HP_MUST_USE;
hp_status hp_folder_unlock(const char *folder, int *fd) HP_MUST_USE;
/* HP_ERR_USAGE if a file in `folder` has the name of a step but is not hepta's. A missing folder is sound. */
hp_status hp_folder_check(const char *folder) HP_MUST_USE;
/* Removes an earlier run's files of steps after `last` and temporary files from `folder`, but no file that hepta has
 * not written. */
hp_status hp_folder_clear(const char *folder, int last) HP_MUST_USE;

#endif
