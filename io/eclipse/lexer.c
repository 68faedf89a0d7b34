#include "io/eclipse/lexer.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/files/text.h"

enum { SHOWN = 40, NUMBER_MOST = 24 };

/* files */

static hp_status check_depth(const hp_ecl_lexer *lx, const char *file) {
  if (lx->depth == HP_ECL_DEPTH)
    return hp_fail(HP_ERR_DECK, "%s: more than %d files inside each other; does a file include itself?", file,
                   HP_ECL_DEPTH);
  if (lx->opened >= HP_ECL_FILES)
    return hp_fail(HP_ERR_DECK, "%s: more than %d files are included", file, HP_ECL_FILES);
  return HP_OK;
}

hp_status hp_ecl_push(hp_ecl_lexer *lx, char *text, int64_t size, int64_t gaps, hp_ecl_gap *gap, const char *file) {
  const hp_status s = check_depth(lx, file);
  if (s != HP_OK) {
    HP_FREE(text);
    HP_FREE(gap);
    return s;
  }
  const bool mark = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0; /* byte order mark of UTF-8 */
  lx->source[lx->depth] = (hp_ecl_source){
      .text = text, .size = size, .at = mark ? 3 : 0, .line = 1, .file = file, .gaps = gaps, .gap = gap};
  lx->depth += 1;
  lx->opened += 1;
  return HP_OK;
}

hp_status hp_ecl_open(hp_ecl_lexer *lx, const char *path, const char *file) {
  char *text;
  size_t size;
  HP_TRY(check_depth(lx, file));
  HP_TRY(hp_file_read(path, &text, &size));
  return hp_ecl_push(lx, text, (int64_t)size, 0, NULL, file);
}

void hp_ecl_close(hp_ecl_lexer *lx) {
  if (lx->depth == 0) return;
  lx->depth -= 1;
  HP_FREE(lx->source[lx->depth].text);
  HP_FREE(lx->source[lx->depth].gap);
}

void hp_ecl_close_all(hp_ecl_lexer *lx) {
  while (lx->depth > 0) hp_ecl_close(lx);
}

/* characters */

static hp_ecl_source *top(hp_ecl_lexer *lx) { return &lx->source[lx->depth - 1]; }

/* Control characters (a Ctrl-Z of old editors, a stray zero) count as blanks. */
static bool is_blank(char c) { return (unsigned char)c <= ' ' || c == ','; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
static char upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }
static bool is_quote(char c) { return c == '\'' || c == '"'; }

static bool at_comment(const hp_ecl_source *s) { return s->text[s->at] == '-' && s->text[s->at + 1] == '-'; }

/* The line's end, not the newline itself. */
static void skip_to_line_end(hp_ecl_source *s) {
  const char *end = memchr(s->text + s->at, '\n', (size_t)(s->size - s->at));
  s->at = end != NULL ? end - s->text : s->size;
}

/* The gap at which the text stands, NULL: none. Its character is a blank elsewhere. */
static const hp_ecl_gap *gap_here(const hp_ecl_source *s) {
  int64_t low = 0, high = s->gaps;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (s->gap[middle].at < s->at) low = middle + 1;
    else high = middle;
  }
  return low < s->gaps && s->gap[low].at == s->at ? &s->gap[low] : NULL;
}

static void pass_gap(hp_ecl_source *s, const hp_ecl_gap *gap) {
  s->at += 1;
  s->line += (int)gap->lines;
}

/* Blanks, newlines and comments. */
static void skip_blanks(hp_ecl_source *s) {
  while (s->at < s->size) {
    const char c = s->text[s->at];
    if (c == '\n') s->line += 1;
    else if (at_comment(s)) {
      skip_to_line_end(s);
      continue;
    } else if (!is_blank(c) || (s->gaps > 0 && gap_here(s) != NULL)) return;
    s->at += 1;
  }
}

static hp_ecl_token token_at(const hp_ecl_source *s, hp_ecl_kind kind) {
  return (hp_ecl_token){.kind = kind, .count = 1, .text = s->text + s->at, .file = s->file, .line = s->line};
}

/* A word ends at a blank, '/', a quote or a comment. */
static void read_word(hp_ecl_source *s, hp_ecl_token *t) {
  const int64_t from = s->at;
  while (s->at < s->size && !is_blank(s->text[s->at]) && s->text[s->at] != '/' && !is_quote(s->text[s->at]) &&
         !at_comment(s))
    s->at += 1;
  t->text = s->text + from;
  t->length = s->at - from > INT_MAX ? INT_MAX : (int)(s->at - from);
}

void hp_ecl_replace_text(hp_ecl_lexer *lx, char *text, int64_t size, int line, hp_ecl_source *kept) {
  hp_ecl_source *s = top(lx);
  *kept = *s;
  *s = (hp_ecl_source){.text = text, .size = size, .line = line, .file = kept->file};
}

void hp_ecl_restore_text(hp_ecl_lexer *lx, const hp_ecl_source *kept) { *top(lx) = *kept; }

bool hp_ecl_has_more(const hp_ecl_lexer *lx) {
  hp_ecl_source s = lx->source[lx->depth - 1];
  skip_blanks(&s);
  return s.at < s.size;
}

bool hp_ecl_pass_records_gap(hp_ecl_lexer *lx, hp_ecl_gap *gap, int *line) {
  hp_ecl_source *s = top(lx), ahead = *s;
  if (s->gaps == 0) return false;
  skip_blanks(&ahead);
  const hp_ecl_gap *here = ahead.at < ahead.size ? gap_here(&ahead) : NULL;
  if (here == NULL || here->bytes == 0) return false;
  *gap = *here;
  *line = ahead.line;
  pass_gap(&ahead, here);
  *s = ahead;
  return true;
}

/* keywords */

/* Decoration glued to a keyword (SOLUTION=====) belongs to the rest of the line. */
static void read_keyword(hp_ecl_source *s, hp_ecl_token *t) {
  while (s->at < s->size && (is_letter(s->text[s->at]) || is_digit(s->text[s->at]) ||
                             (strchr("+-_", s->text[s->at]) != NULL && s->text[s->at] != '\0' && !at_comment(s)))) {
    s->at += 1;
    if (t->length < INT_MAX) t->length += 1;
  }
}

hp_status hp_ecl_keyword(hp_ecl_lexer *lx, hp_ecl_token *keyword, hp_ecl_token *rest) {
  memset(keyword, 0, sizeof *keyword);
  memset(rest, 0, sizeof *rest);
  hp_ecl_source *s = NULL;
  while (lx->depth > 0) {
    s = top(lx);
    skip_blanks(s);
    if (s->at >= s->size) hp_ecl_close(lx);
    else if (s->text[s->at] == '/') skip_to_line_end(s);
    else break;
  }
  if (lx->depth == 0) return HP_OK;

  *keyword = token_at(s, HP_ECL_WORD);
  const bool letter = is_letter(s->text[s->at]);
  read_keyword(s, keyword);
  *rest = token_at(s, HP_ECL_END);
  while (s->at < s->size && s->text[s->at] != '\n' && is_blank(s->text[s->at])) s->at += 1;
  const int64_t from = s->at;
  int64_t to = from;
  for (; s->at < s->size && s->text[s->at] != '\n' && !at_comment(s); s->at += 1)
    if (!is_blank(s->text[s->at])) to = s->at + 1;
  skip_to_line_end(s);
  if (to > from) {
    rest->kind = HP_ECL_WORD;
    rest->text = s->text + from;
    rest->length = to - from > INT_MAX ? INT_MAX : (int)(to - from);
  }
  if (letter) return HP_OK;
  hp_diag_error(lx->diag, keyword->file, keyword->line, "a keyword is expected here, found %s",
                hp_ecl_show(lx, keyword->length > 0 ? keyword : rest, "'").s);
  return hp_fail(HP_ERR_DECK, "%s:%d: a keyword is expected", keyword->file, keyword->line);
}

/* Numbers, and what may be a keyword or the name of a well. */
static bool is_telling(const hp_ecl_token *t) {
  int numeric = 0, plain = 0, digits = 0;
  for (int n = 0; n < t->length; ++n) {
    const bool digit = is_digit(t->text[n]);
    digits += digit;
    numeric += digit || (t->text[n] != '\0' && strchr("+-.*EeDd", t->text[n]) != NULL);
    plain += digit || is_letter(t->text[n]) || (t->text[n] != '\0' && strchr("+-_*?", t->text[n]) != NULL);
  }
  return (digits > 0 && numeric == t->length && t->length <= NUMBER_MOST) ||
         (plain == t->length && t->length <= HP_ECL_KEYWORD);
}

hp_shown hp_ecl_show(const hp_ecl_lexer *lx, const hp_ecl_token *t, const char *quote) {
  hp_shown out;
  const char *deck = lx->source[0].file;
  const bool own = deck == NULL || t->file == NULL || strcmp(t->file, deck) == 0;
  if (own || is_telling(t))
    snprintf(out.s, sizeof out.s, "%s%.*s%s", quote, t->length > SHOWN ? SHOWN : t->length, t->text, quote);
  else snprintf(out.s, sizeof out.s, "a text of %d letters", t->length);
  return out;
}

bool hp_ecl_peek(const hp_ecl_lexer *lx, hp_ecl_token *word) {
  if (lx->depth == 0) return false;
  hp_ecl_source s = lx->source[lx->depth - 1];
  skip_blanks(&s);
  if (s.at >= s.size || !is_letter(s.text[s.at])) return false;
  *word = token_at(&s, HP_ECL_WORD);
  read_keyword(&s, word);
  return word->length <= HP_ECL_KEYWORD;
}

bool hp_ecl_alone(const hp_ecl_lexer *lx, const hp_ecl_token *t) {
  hp_ecl_source s = lx->source[lx->depth - 1];
  for (int64_t at = t->text - s.text; at > 0 && s.text[at - 1] != '\n'; --at)
    if (!is_blank(s.text[at - 1])) return false;
  skip_blanks(&s);
  return s.at >= s.size || s.line > t->line;
}

int64_t hp_ecl_position(const hp_ecl_lexer *lx) { return lx->depth > 0 ? lx->source[lx->depth - 1].at : 0; }

void hp_ecl_line(hp_ecl_lexer *lx, hp_ecl_token *line) {
  hp_ecl_source *s = top(lx);
  skip_blanks(s);
  *line = token_at(s, s->at < s->size ? HP_ECL_WORD : HP_ECL_END);
  const int64_t from = s->at;
  const hp_ecl_gap *gap = s->gaps > 0 ? gap_here(s) : NULL;
  if (gap != NULL) pass_gap(s, gap);
  skip_to_line_end(s);
  int64_t to = s->at;
  while (to > from && is_blank(s->text[to - 1])) to -= 1;
  line->length = to - from > INT_MAX ? INT_MAX : (int)(to - from);
}

void hp_ecl_line_start(hp_ecl_lexer *lx, int64_t floor) {
  if (lx->depth == 0) return;
  hp_ecl_source *s = top(lx);
  int64_t at = s->at;
  while (at > 0 && s->text[at - 1] != '\n') at -= 1;
  if (at >= floor) s->at = at;
}

/* items */

/* "12*" at the front of a word, with or without a value behind it. */
static bool read_repeat(hp_ecl_source *s, hp_ecl_token *t) {
  int64_t at = s->at, count = 0;
  while (at < s->size && is_digit(s->text[at]) && count < INT64_MAX / 20) count = 10 * count + (s->text[at++] - '0');
  if (at == s->at || at >= s->size || s->text[at] != '*') return false;
  t->count = count;
  s->at = at + 1;
  return true;
}

static hp_status read_quoted(hp_ecl_lexer *lx, hp_ecl_source *s, hp_ecl_token *t) {
  const char quote = s->text[s->at++];
  const int64_t from = s->at;
  while (s->at < s->size && s->text[s->at] != quote && s->text[s->at] != '\n') s->at += 1;
  if (s->at >= s->size || s->text[s->at] != quote) {
    hp_diag_error(lx->diag, s->file, s->line, "the quote opened here is not closed on its line");
    return hp_fail(HP_ERR_DECK, "%s:%d: quote not closed", s->file, s->line);
  }
  t->kind = HP_ECL_QUOTED;
  t->text = s->text + from;
  t->length = s->at - from > INT_MAX ? INT_MAX : (int)(s->at - from);
  s->at += 1;
  return HP_OK;
}

hp_status hp_ecl_next(hp_ecl_lexer *lx, hp_ecl_token *t) {
  hp_ecl_source *s = top(lx);
  skip_blanks(s);
  *t = token_at(s, HP_ECL_END);
  if (s->at >= s->size) return HP_OK;
  t->gap = s->gaps > 0 ? gap_here(s) : NULL;
  if (t->gap != NULL) {
    t->kind = HP_ECL_GAP;
    t->length = 1;
    pass_gap(s, t->gap);
    return HP_OK;
  }
  if (s->text[s->at] == '/') {
    t->kind = HP_ECL_SLASH;
    t->length = 1;
    skip_to_line_end(s);
    return HP_OK;
  }
  t->kind = HP_ECL_WORD;
  const bool repeat = read_repeat(s, t);
  if (is_quote(s->text[s->at])) return read_quoted(lx, s, t);
  read_word(s, t);
  t->defaulted = repeat && t->length == 0;
  if (repeat && t->count < 1) {
    hp_diag_error(lx->diag, t->file, t->line, "a repeat count must be at least 1");
    return hp_fail(HP_ERR_DECK, "%s:%d: repeat count", t->file, t->line);
  }
  return HP_OK;
}

/* values */

/* Up to 19 digits and a small power of ten give the nearest double by one
 * exact product or quotient (Clinger 1990); the rest goes to strtod. */
static bool exact_number(const char *c, const char *end, double *out) {
  static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const bool minus = c < end && *c == '-';
  if (c < end && (*c == '-' || *c == '+')) ++c;
  uint64_t mantissa = 0;
  int exponent = 0, digits = 0;
  for (; c < end && is_digit(*c); ++c, ++digits) mantissa = 10 * mantissa + (uint64_t)(*c - '0');
  if (c < end && *c == '.')
    for (++c; c < end && is_digit(*c); ++c, ++digits, --exponent) mantissa = 10 * mantissa + (uint64_t)(*c - '0');
  if (digits == 0 || digits > 18) return false;
  if (c < end && (upper(*c) == 'E' || upper(*c) == 'D')) {
    ++c;
    const bool down = c < end && *c == '-';
    if (c < end && (*c == '-' || *c == '+')) ++c;
    int e = 0, n = 0;
    for (; c < end && is_digit(*c) && n < 4; ++c, ++n) e = 10 * e + (*c - '0');
    if (n == 0) return false;
    exponent += down ? -e : e;
  }
  if (c != end || mantissa > (UINT64_C(1) << 53) || exponent < -22 || exponent > 22) return false;
  const double v = exponent < 0 ? (double)mantissa / power[-exponent] : (double)mantissa * power[exponent];
  *out = minus ? -v : v;
  return true;
}

bool hp_ecl_number(const hp_ecl_token *t, double *out) {
  if (t->kind != HP_ECL_WORD || t->defaulted || t->length < 1) return false;
  if (exact_number(t->text, t->text + t->length, out)) return true;
  char buffer[64];
  if ((size_t)t->length >= sizeof buffer) return false;
  for (int n = 0; n < t->length; ++n) {
    const char c = t->text[n];
    buffer[n] = upper(c) == 'D' ? 'E' : c;
    if (!is_digit(c) && strchr("+-.EeDd", c) == NULL) return false; /* no hexadecimal, inf or nan */
  }
  buffer[t->length] = '\0';
  char *end;
  const double v = strtod(buffer, &end);
  if (end == buffer || *end != '\0' || v > 1e300 || v < -1e300) return false;
  *out = v;
  return true;
}

bool hp_ecl_integer(const hp_ecl_token *t, int64_t *out) {
  if (t->kind != HP_ECL_WORD || t->defaulted) return false;
  int n = t->length > 0 && (t->text[0] == '-' || t->text[0] == '+') ? 1 : 0;
  if (n == t->length || t->length > 18) return false;
  int64_t v = 0;
  for (; n < t->length; ++n) {
    if (!is_digit(t->text[n])) return false;
    v = 10 * v + (t->text[n] - '0');
  }
  *out = t->text[0] == '-' ? -v : v;
  return true;
}

bool hp_ecl_equals(const hp_ecl_token *t, const char *text) {
  if (t->defaulted || strlen(text) != (size_t)t->length) return false;
  for (int n = 0; n < t->length; ++n)
    if (upper(t->text[n]) != upper(text[n])) return false;
  return true;
}

void hp_ecl_copy(const hp_ecl_token *t, char *out, size_t size) {
  const size_t n = (size_t)t->length < size - 1 ? (size_t)t->length : size - 1;
  memcpy(out, t->text, n);
  out[n] = '\0';
}
