/* A text file that is read piece by piece, as if it stood in memory.
 *
 *     HP_TRY(hp_stream_open(path, &s));
 *     while (hp_stream_more(&s)) ...          s.at: what comes next, HP_STREAM_AHEAD bytes of it or all there is, then a NUL
 *     HP_TRY(hp_stream_close(&s));
 */
#ifndef HP_IO_FILES_STREAM_H
#define HP_IO_FILES_STREAM_H

#include <stdio.h>

#include "core/status.h"

enum { HP_STREAM_AHEAD = 4096 };

typedef struct hp_stream {
  const char *at;
  const char *path; /* borrowed */
  FILE *file;
  char *text; /* a piece, closed by a NUL */
  size_t size;
  bool over; /* the file has no more */
  bool bad;  /* it cannot be read to its end */
} hp_stream;

/* HP_ERR_FILE, as of hp_file_read, also for what is no regular file. */
hp_status hp_stream_open(const char *path, hp_stream *s) HP_MUST_USE;
/* Reads on where less than HP_STREAM_AHEAD bytes are left, whereupon what stood before s->at is gone. False: a NUL stands
 * there, which ends the text. */
bool hp_stream_more(hp_stream *s);
/* HP_ERR_FILE: the file could not be read to its end. */
hp_status hp_stream_close(hp_stream *s) HP_MUST_USE;

#endif
