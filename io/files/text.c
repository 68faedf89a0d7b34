#include "io/files/text.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/show.h"

static bool grow(hp_text *t, int64_t capacity) {
  char *grown;
  t->status = hp_alloc((void **)&grown, capacity, 1, "text");
  if (t->status != HP_OK) return false;
  if (t->s != NULL) memcpy(grown, t->s, (size_t)t->length + 1);
  HP_FREE(t->s);
  t->s = grown;
  t->capacity = capacity;
  return true;
}

static bool reserve(hp_text *t, int64_t length) {
  if (t->status != HP_OK) return false;
  if (length < t->capacity) return true;
  int64_t capacity = t->capacity > 0 ? t->capacity : 256;
  while (capacity <= length) capacity *= 2;
  return grow(t, capacity);
}

void hp_text_reserve(hp_text *t, int64_t length) {
  if (t->status == HP_OK && length >= t->capacity) grow(t, length + 1);
}

static void add_va(hp_text *t, const char *fmt, va_list ap) {
  va_list again;
  va_copy(again, ap);
  const int n = vsnprintf(NULL, 0, fmt, ap);
  if (n < 0) {
    if (t->status == HP_OK) t->status = hp_fail(HP_ERR_INTERNAL, "cannot format '%s'", fmt);
  } else if (reserve(t, t->length + n)) {
    vsnprintf(t->s + t->length, (size_t)n + 1, fmt, again);
    t->length += n;
  }
  va_end(again);
}

void hp_text_add(hp_text *t, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  add_va(t, fmt, ap);
  va_end(ap);
}

void hp_text_add_xml(hp_text *t, const char *s) {
  for (int length; *s != '\0'; s += length) {
    char shown[12], one[5] = "";
    length = hp_utf8_length(s) > 0 ? hp_utf8_length(s) : 1;
    memcpy(one, s, (size_t)length);
    switch (*s) {
      case '&': hp_text_add(t, "&amp;"); break;
      case '<': hp_text_add(t, "&lt;"); break;
      case '>': hp_text_add(t, "&gt;"); break;
      case '"': hp_text_add(t, "&quot;"); break;
      case '\'': hp_text_add(t, "&apos;"); break;
      default: hp_text_add(t, "%s", hp_escape(one, shown, sizeof shown)); /* what XML cannot hold is shown */
    }
  }
}

void hp_text_add_python(hp_text *t, const char *s) {
  hp_text_add(t, "\"");
  for (; *s != '\0'; ++s) {
    if (*s == '"' || *s == '\\') hp_text_add(t, "\\%c", *s);
    else if ((unsigned char)*s < 32 || *s == 127) hp_text_add(t, "\\x%02x", (unsigned)*s);
    else if (hp_utf8_length(s) == 0) /* as Python takes the bytes of a file's name */
      hp_text_add(t, "\\udc%02x", (unsigned)(unsigned char)*s);
    else if (hp_utf8_length(s) > 1) {
      hp_text_add(t, "%.*s", hp_utf8_length(s), s);
      s += hp_utf8_length(s) - 1;
    } else hp_text_add(t, "%c", *s);
  }
  hp_text_add(t, "\"");
}

void hp_text_add_quoted(hp_text *t, const char *s) {
  hp_text_add(t, "\"");
  for (; *s != '\0'; ++s) hp_text_add(t, "%s%c", *s == '"' || *s == '\\' ? "\\" : "", *s);
  hp_text_add(t, "\"");
}

void hp_text_add_csv(hp_text *t, const char *s) {
  if (strpbrk(s, ",\"\r\n") == NULL) {
    hp_text_add(t, "%s", s);
    return;
  }
  hp_text_add(t, "\"");
  for (; *s != '\0'; ++s) hp_text_add(t, *s == '"' ? "\"\"" : "%c", *s);
  hp_text_add(t, "\"");
}

bool hp_text_is_shell(const char *s) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./=:,+%@";
  return s[0] != '\0' && s[strspn(s, plain)] == '\0';
}

void hp_text_add_shell(hp_text *t, const char *s) {
  if (hp_text_is_shell(s)) {
    hp_text_add(t, "%s", s);
    return;
  }
  hp_text_add(t, "'");
  for (; *s != '\0'; ++s) hp_text_add(t, *s == '\'' ? "'\\''" : "%c", *s);
  hp_text_add(t, "'");
}

void hp_text_clear(hp_text *t) {
  HP_FREE(t->s);
  *t = (hp_text){0};
}

hp_status hp_format(char **out, const char *fmt, ...) {
  hp_text t = {0};
  va_list ap;
  va_start(ap, fmt);
  add_va(&t, fmt, ap);
  va_end(ap);
  *out = t.s;
  return t.status;
}
