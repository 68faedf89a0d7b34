/* A text file that is read piece by piece as if it were in memory.
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

/* Opens a file; HP_ERR_FILE as in hp_file_read, also if it is not a regular file. */
hp_status hp_stream_open(const char *path, hp_stream *s) HP_MUST_USE;
/* Reads on if less than HP_STREAM_AHEAD bytes are left, and drops the text before s->at. False at the end of the text,
 * a NUL. */
bool hp_stream_more(hp_stream *s);
/* Closes the file; HP_ERR_FILE if it could not be read to its end. */
hp_status hp_stream_close(hp_stream *s) HP_MUST_USE;

#endif
