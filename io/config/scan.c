/* libconfig 1.5 lets an integer of more than 32 bits wrap in silence: the text is looked through for such numbers after
 * the parser, included files too. Before it, included files are looked at: libconfig ends the program at one that
 * cannot be read, and finds what a file that was cut lacks in the one around it. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/config/impl.h"
#include "io/files/text.h"

enum { INCLUDE_DEPTH = 10 };   /* libconfig's own limit */
enum { INCLUDES_MAX = 10000 }; /* files of one deck, each as often as it is read */

typedef struct scan {
  hp_config *r;
  const struct scan *outer; /* of the file that includes this one; NULL: the deck */
  int *included;            /* files so far; NULL: numbers are looked at, in files that are sound */
  const char *file;
  const char *text, *at;
  int line;
  int depth;
  int open; /* brackets not closed */
} scan;

static hp_status scan_text(scan s);

/* libconfig 1.5 loses memory at a text that the file ends in. */
static void skip_string(scan *s) {
  const int line = s->line;
  for (++s->at; *s->at != '\0' && *s->at != '"'; ++s->at) {
    if (*s->at == '\\' && s->at[1] != '\0') ++s->at;
    if (*s->at == '\n') s->line += 1;
  }
  if (*s->at == '"') ++s->at;
  else if (s->included != NULL && !hp_config_report_long_text(s->r, s->file, s->text))
    hp_diag_error(s->r->diag, s->file, line, "the text that '\"' opens here is not closed");
}

static void skip_line(scan *s) {
  while (*s->at != '\0' && *s->at != '\n') ++s->at;
}

/* libconfig takes the end of the file for that of the comment. */
static void skip_comment(scan *s) {
  const int line = s->line;
  for (s->at += 2; *s->at != '\0' && !(s->at[0] == '*' && s->at[1] == '/'); ++s->at)
    if (*s->at == '\n') s->line += 1;
  if (*s->at != '\0') s->at += 2;
  else if (s->included != NULL)
    hp_diag_error(s->r->diag, s->file, line, "the comment that '/*' opens here is not closed");
}

enum { CUT_MAX = 1000 };

static hp_status keep_cut(scan *s, long long v) {
  hp_config *r = s->r;
  if (r->ncut == CUT_MAX) return HP_OK;
  if (r->cut == NULL) HP_TRY(HP_ALLOC(r->cut, CUT_MAX));
  hp_config_cut *c = &r->cut[r->ncut];
  c->line = s->line;
  c->value = (int)(uint32_t)((unsigned long long)v & 0xffffffffu);
  if (s->file != r->path) HP_TRY(hp_config_copy(s->file, &c->file));
  r->ncut += 1;
  return HP_OK;
}

/* libconfig keeps lines in 16 bits. */
bool hp_config_is_cut(const hp_config *r, const hp_setting *s) {
  const char *file = config_setting_source_file(s);
  for (int n = 0; n < r->ncut; ++n) {
    const hp_config_cut *c = &r->cut[n];
    const bool same_file = c->file == NULL ? file == NULL || strcmp(file, r->path) == 0
                                           : file != NULL && strcmp(file, c->file) == 0;
    if (same_file && (c->line & 0xffff) == (int)config_setting_source_line(s) && c->value == config_setting_get_int(s))
      return true;
  }
  return false;
}

/* Reads n letters only: the text behind them may be a file of numbers. */
static bool is_float(const char *token, size_t n) {
  return memchr(token, '.', n) != NULL || memchr(token, 'e', n) != NULL || memchr(token, 'E', n) != NULL;
}

/* A token that begins with a digit or sign. */
static hp_status check_number(scan *s) {
  const char *begin = s->at;
  size_t n = strspn(begin, "+-0123456789abcdefABCDEFxX.lL");
  s->at += n > 0 ? n : 1;
  if (s->included != NULL) return HP_OK;
  const bool hex = begin[0] == '0' && (begin[1] == 'x' || begin[1] == 'X');
  if (!hex && is_float(begin, n)) return HP_OK;
  if (begin[n - 1] == 'L' || begin[n - 1] == 'l') return HP_OK;
  errno = 0;
  const long long v = strtoll(begin, NULL, hex ? 16 : 10);
  if (errno == 0 && v >= -2147483647LL - 1 && v <= (hex ? 4294967295LL : 2147483647LL)) return HP_OK;
  hp_diag_error(s->r->diag, s->file, s->line, "%.*s: an integer must fit in 32 bits; write it as 1e10, or with an L",
                (int)(n < 40 ? n : 40), begin);
  return keep_cut(s, v);
}

/* Why the file must not be included, NULL: nothing against it. */
static const char *include_fault(scan *s, const char *path) {
  for (const scan *o = s; o != NULL; o = o->outer)
    if (hp_file_is_same(o->file, path)) return "the file includes itself, or one that includes it";
  if (s->depth >= INCLUDE_DEPTH) return "more than 10 files inside each other";
  return ++*s->included > INCLUDES_MAX ? "more than 10000 files are included" : NULL;
}

static hp_status follow(scan *s, const char *path) {
  hp_diag *diag = s->r->diag;
  const int errors = diag->errors;
  const char *fault = s->included != NULL ? include_fault(s, path) : NULL;
  char *text = NULL;
  size_t size = 0;
  if (s->included != NULL) hp_inputs_add(&diag->read, path);
  hp_status status = fault == NULL ? hp_file_read(path, &text, &size) : HP_OK;
  if (text != NULL && memchr(text, '\0', size) != NULL) fault = "has a zero byte in it: not a text file";
  if (fault != NULL) hp_diag_error(diag, s->file, s->line, "@include: %s: %s", path, fault);
  else if (status == HP_OK)
    status = scan_text((scan){.r = s->r,
                              .outer = s,
                              .included = s->included,
                              .file = path,
                              .text = text,
                              .at = text,
                              .line = 1,
                              .depth = s->depth + 1});
  else if (status == HP_ERR_FILE)
    hp_diag_error(diag, s->file, s->line, "@include: %s; paths are relative to the deck's folder", hp_fail_text());
  HP_FREE(text);
  if (s->included != NULL && diag->errors > errors) { /* one is enough */
    s->at = "";
    s->open = 0;
  }
  return status == HP_ERR_FILE ? HP_OK : status;
}

/* @include "FILE", with libconfig's escapes \\ and \". */
static hp_status include(scan *s) {
  const char *from = s->at + strcspn(s->at, "\"\n");
  char *path = NULL;
  if (*from != '"') {
    s->at += 8;
    return HP_OK; /* libconfig reports it */
  }
  const char *end = from + 1;
  while (*end != '\0' && *end != '"') end += *end == '\\' && end[1] != '\0' ? 2 : 1;
  if (from[1] == '/' && s->included != NULL) { /* libconfig puts the folder before it */
    hp_diag_error(s->r->diag, s->file, s->line,
                  "@include: the path begins with '/', but must be relative to the deck's folder");
    s->at = *end == '"' ? end + 1 : end;
    return HP_OK;
  }
  const size_t folder = strlen(s->r->folder);
  HP_TRY(hp_alloc((void **)&path, (int64_t)(folder + (size_t)(end - from)) + 2, 1, "include"));
  char *to = path + snprintf(path, folder + 2, "%s/", s->r->folder);
  for (const char *c = from + 1; c < end; ++c) {
    if (*c == '\\' && c + 1 < end) ++c;
    *to++ = *c;
  }
  s->at = *end == '"' ? end + 1 : end;
  const hp_status status = follow(s, path);
  HP_FREE(path);
  return status;
}

static hp_status scan_text(scan s) {
  while (*s.at != '\0') {
    const char c = *s.at;
    if (c == '"') skip_string(&s);
    else if (c == '#' || (c == '/' && s.at[1] == '/')) skip_line(&s);
    else if (c == '/' && s.at[1] == '*') skip_comment(&s);
    else if (isdigit((unsigned char)c) || ((c == '-' || c == '+') && isdigit((unsigned char)s.at[1])))
      HP_TRY(check_number(&s));
    else if (strncmp(s.at, "@include", 8) == 0) HP_TRY(include(&s));
    else if (isalpha((unsigned char)c) || c == '*' || c == '_')
      while (isalnum((unsigned char)*s.at) || (*s.at != '\0' && strchr("-_*", *s.at) != NULL)) ++s.at;
    else {
      if (c == '\n') s.line += 1;
      s.open += strchr("({[", c) != NULL;
      s.open -= strchr(")}]", c) != NULL;
      ++s.at;
    }
  }
  if (s.included != NULL && s.depth > 0 && s.open > 0 && !hp_config_report_brackets(s.r, s.file, s.text))
    hp_diag_error(s.r->diag, s.file, s.line, "the file ends where a bracket is still open: is it cut off?");
  return HP_OK;
}

hp_status hp_config_scan(hp_config *r, const char *text, bool before) {
  int included = 0;
  return scan_text(
      (scan){.r = r, .included = before ? &included : NULL, .file = r->path, .text = text, .at = text, .line = 1});
}
