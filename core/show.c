#include "core/show.h"

#include <string.h>

int hp_utf8_length(const char *text) {
  const unsigned char *s = (const unsigned char *)text;
  const int length = s[0] < 0x80             ? 1
                     : (s[0] & 0xe0) == 0xc0 ? 2
                     : (s[0] & 0xf0) == 0xe0 ? 3
                     : (s[0] & 0xf8) == 0xf0 ? 4
                                             : 0;
  for (int n = 1; n < length; ++n)
    if ((s[n] & 0xc0) != 0x80) return 0;
  if (length == 2 && s[0] < 0xc2) return 0;
  if (length == 3 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0))) return 0;
  if (length == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || s[0] > 0xf4 || (s[0] == 0xf4 && s[1] >= 0x90))) return 0;
  return length;
}

/* The number of the character whose sequence has `length` bytes. */
static unsigned number_of(const char *text, int length) {
  const unsigned char *s = (const unsigned char *)text;
  unsigned v = length == 1 ? s[0] : length == 2 ? s[0] & 0x1fu : length == 3 ? s[0] & 0x0fu : s[0] & 0x07u;
  for (int n = 1; n < length; ++n) v = v << 6 | (s[n] & 0x3fu);
  return v;
}

/* Controls, separators of lines, marks and overrides of direction, and what XML does not know. */
static bool is_hidden(unsigned v) {
  return v < 0x20 || (v >= 0x7f && v <= 0x9f) || v == 0x61c || v == 0x200e || v == 0x200f ||
         (v >= 0x2028 && v <= 0x202e) || (v >= 0x2066 && v <= 0x2069) || v == 0xfeff || (v & 0xfffeu) == 0xfffeu;
}

int hp_shown_length(const char *s) {
  const int length = hp_utf8_length(s);
  return length > 0 && !is_hidden(number_of(s, length)) ? length : 0;
}

char *hp_escape(const char *s, char *out, size_t size) {
  size_t n = 0;
  while (*s != '\0') {
    char piece[12];
    const int length = hp_shown_length(s), whole = hp_utf8_length(s);
    if (length > 0) snprintf(piece, sizeof piece, "%.*s", length, s);
    else if (whole > 1) snprintf(piece, sizeof piece, "\\u%04x", number_of(s, whole));
    else snprintf(piece, sizeof piece, "\\x%02x", (unsigned)(unsigned char)*s);
    const size_t more = strlen(piece);
    if (n + more >= size) break;
    memcpy(out + n, piece, more);
    n += more;
    s += whole > 0 ? whole : 1;
  }
  out[n] = '\0';
  return out;
}

hp_shown hp_show(const char *s) {
  hp_shown shown;
  hp_escape(s, shown.s, sizeof shown.s);
  return shown;
}

const char *hp_name_fault(const char *name) {
  if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) return "is a folder's name";
  for (const char *s = name; *s != '\0'; s += hp_utf8_length(s)) {
    if (hp_utf8_length(s) == 0) return "is not text in UTF-8";
    if (hp_shown_length(s) == 0) return "has a control character in it";
  }
  return NULL;
}

void hp_show_bytes(double bytes, char *out, size_t size) {
  static const char *const unit[] = {"B", "kB", "MB", "GB", "TB"};
  size_t u = 0;
  for (; bytes >= 999.5 && u + 1 < sizeof unit / sizeof unit[0]; ++u) bytes /= 1000.0;
  snprintf(out, size, u > 0 && bytes < 9.95 ? "%.1f %s" : "%.0f %s", bytes, unit[u]);
}
