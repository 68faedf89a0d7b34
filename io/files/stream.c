#define _POSIX_C_SOURCE 200809L
#include "io/files/stream.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "core/memory.h"
#include "io/files/text.h"

enum { PIECE = 1 << 16 };

hp_status hp_stream_open(const char *path, hp_stream *s) {
  *s = (hp_stream){.path = path};
  HP_TRY(hp_file_open(path, &s->file, NULL));
  HP_TRY(HP_ALLOC(s->text, PIECE + 1));
  s->at = s->text;
  return HP_OK;
}

bool hp_stream_more(hp_stream *s) {
  const size_t left = s->size - (size_t)(s->at - s->text);
  if (left >= HP_STREAM_AHEAD || s->over) return *s->at != '\0';
  memmove(s->text, s->at, left);
  s->size = left + fread(s->text + left, 1, PIECE - left, s->file);
  s->text[s->size] = '\0';
  s->at = s->text;
  s->over = s->size < PIECE;
  s->bad = s->bad || ferror(s->file) != 0;
  return *s->at != '\0';
}

hp_status hp_stream_close(hp_stream *s) {
  if (s->file != NULL) fclose(s->file);
  s->file = NULL;
  HP_FREE(s->text);
  return s->bad ? hp_fail(HP_ERR_FILE, "%s: cannot be read to its end", s->path) : HP_OK;
}
