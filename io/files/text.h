/* Text built piece by piece, and files read or written as a whole (io/files/text.c, file.c). */
#ifndef HP_IO_FILES_TEXT_H
#define HP_IO_FILES_TEXT_H

#include <stdio.h>

#include "core/status.h"

HP_EXTERN_C_BEGIN

/* Text that grows; the first failure is kept in `status` and later calls do nothing. */
typedef struct hp_text {
  char *s; /* zero-terminated, NULL while empty */
  int64_t length, capacity;
  hp_status status;
} hp_text;

void hp_text_add(hp_text *t, const char *fmt, ...) HP_PRINTF(2, 3);
void hp_text_add_xml(hp_text *t, const char *s);    /* & < > " ' escaped */
void hp_text_add_python(hp_text *t, const char *s); /* with its quotes */
void hp_text_add_quoted(hp_text *t, const char *s); /* with its quotes, as libconfig reads it */
void hp_text_add_csv(hp_text *t, const char *s);    /* quoted where RFC 4180 asks for it */
void hp_text_add_shell(hp_text *t, const char *s);  /* as one word of a shell */
bool hp_text_is_shell(const char *s);               /* whether a shell reads it as one word without quotes */
void hp_text_reserve(hp_text *t, int64_t length);   /* memory for so many characters, and no more */
void hp_text_clear(hp_text *t);

/* A new string, to be freed with HP_FREE. */
hp_status hp_format(char **out, const char *fmt, ...) HP_PRINTF(2, 3) HP_MUST_USE;

/* Reads a whole file with a closing NUL into *text (hp_alloc). HP_ERR_FILE also if it is not a regular file, since a
 * pipe has no end. */
hp_status hp_file_read(const char *path, char **text, size_t *size) HP_MUST_USE;
/* Advice for a missing file, or "". */
const char *hp_file_advice(const char *path);
/* Opens a file for that, or for reading it piece by piece (io/files/stream.h); size may be NULL. */
hp_status hp_file_open(const char *path, FILE **f, int64_t *size) HP_MUST_USE;
/* Makes a new file, for O_WRONLY or O_RDWR, in place of an old file or link, which is not followed. Returns the
 * descriptor, or -1 with errno. */
int hp_file_create(const char *path, int how) HP_MUST_USE;
/* Whether both paths lead to the same existing file. */
bool hp_file_is_same(const char *a, const char *b);

/* Writes `path`.tmp, syncs it, renames it to `path`, and syncs the folder. After a failure the old file remains. */
hp_status hp_file_replace(const char *path, const void *data, size_t size) HP_MUST_USE;
/* The same without syncs, which are left to the caller: the file's, then the folder's. */
hp_status hp_file_place(const char *path, const void *data, size_t size) HP_MUST_USE;
/* The same for the file `path`.tmp, written with the status s; it is removed after a failure of that or of this call.
 * hp_file_drop removes it. */
hp_status hp_file_put(const char *path, hp_status s, bool sync) HP_MUST_USE;
void hp_file_drop(const char *path);
hp_status hp_file_sync_at(const char *path) HP_MUST_USE;
hp_status hp_file_sync_folder_of(const char *path) HP_MUST_USE;
/* The same for a text; they fail if building t failed. */
hp_status hp_file_replace_text(const char *path, hp_text *t) HP_MUST_USE;
hp_status hp_file_place_text(const char *path, hp_text *t) HP_MUST_USE;

HP_EXTERN_C_END

#endif
