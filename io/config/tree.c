#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/threads/stage.h"
#include "io/config/impl.h"
#include "io/files/text.h"

/* ---- places ---- */

static void build_path(const hp_setting *s, bool with_index, char out[HP_CONFIG_PATH]) {
  const hp_setting *parent = config_setting_parent(s);
  if (parent == NULL) {
    out[0] = '\0';
    return;
  }
  build_path(parent, with_index, out);
  const size_t used = strlen(out), left = HP_CONFIG_PATH - used;
  const char *name = config_setting_name(s);
  if (name != NULL) snprintf(out + used, left, "%s%s", used > 0 ? "." : "", name);
  else if (with_index) snprintf(out + used, left, "[%d]", config_setting_index(s));
  else snprintf(out + used, left, "[]");
}

void hp_config_path(const hp_setting *s, char out[HP_CONFIG_PATH]) { build_path(s, true, out); }
void hp_config_key_path(const hp_setting *s, char out[HP_CONFIG_PATH]) { build_path(s, false, out); }

const char *hp_config_option(const hp_setting *s) {
  for (; s != NULL; s = config_setting_parent(s))
    if (config_setting_get_hook(s) != NULL) return config_setting_get_hook(s);
  return NULL;
}

/* An option makes the groups on its way, too: those are not given whole. */
bool hp_config_given_whole(const hp_setting *s) {
  static const char lead[] = "--set ";
  for (; s != NULL && config_setting_parent(s) != NULL; s = config_setting_parent(s)) {
    const char *option = config_setting_get_hook(s);
    char path[HP_CONFIG_PATH];
    if (option == NULL || config_setting_type(s) != CONFIG_TYPE_GROUP) continue;
    hp_config_path(s, path);
    const char *set = option + sizeof lead - 1;
    const size_t length = strlen(path);
    if (strncmp(set, path, length) == 0 && set[length] == '=') return true;
  }
  return false;
}

bool hp_config_patched(const hp_config *r, const hp_setting *s) {
  const int type = config_setting_type(s);
  return r->overlay && (type == CONFIG_TYPE_ARRAY || type == CONFIG_TYPE_LIST) && config_setting_get_hook(s) == NULL &&
         !hp_config_given_whole(s);
}

const char *hp_config_file(const hp_config *r, const hp_setting *s) {
  const char *option = hp_config_option(s);
  if (option != NULL) return option;
  const char *file = config_setting_source_file(s);
  return file != NULL ? file : r->path;
}

/* libconfig keeps lines in 16 bits: in a longer file they are unknown beyond. */
int hp_config_line(const hp_setting *s) { return hp_config_option(s) != NULL ? 0 : (int)config_setting_source_line(s); }

static bool same_file(const char *a, const char *b) { return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0; }

/* Whether the message is among the latest, those since reported_from. */
static bool reported_before(const hp_config *r, const char *file, int line, const char *path, const char *text) {
  const hp_diag *d = r->diag;
  char whole[HP_CONFIG_PATH + 800];
  snprintf(whole, sizeof whole, "%s%s%s", path, path[0] != '\0' ? ": " : "", text);
  for (int n = r->reported_from - 1; r->reported_from > 0 && n < d->count; ++n)
    if (d->item[n].line == line && same_file(d->item[n].file, file) && strcmp(d->item[n].text, whole) == 0) return true;
  return false;
}

static void report(hp_config *r, const hp_setting *s, bool error, const char *fmt, va_list ap) {
  char path[HP_CONFIG_PATH], text[768];
  hp_config_path(s, path);
  vsnprintf(text, sizeof text, fmt, ap);
  const char *option = hp_config_option(s), *file = hp_config_file(r, s);
  const int line = hp_config_line(s);
  const size_t length = strlen(path), lead = strlen("--set ");
  const bool named = option != NULL && strncmp(option + lead, path, length) == 0 && option[lead + length] == '=';
  const char *shown = named ? "" : path, *colon = shown[0] != '\0' ? ": " : "";
  if (reported_before(r, file, line, shown, text)) return;
  if (error) hp_diag_error(r->diag, file, line, "%s%s%s", shown, colon, text);
  else hp_diag_note(r->diag, file, line, "%s%s%s", shown, colon, text);
}

void hp_config_error(hp_config *r, const hp_setting *s, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  report(r, s, true, fmt, ap);
  va_end(ap);
}

void hp_config_note(hp_config *r, const hp_setting *s, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  report(r, s, false, fmt, ap);
  va_end(ap);
}

/* ---- reading ---- */

static const char BOM[] = "\xEF\xBB\xBF";

hp_status hp_config_folder_of(const char *path, char **out) {
  const char *slash = strrchr(path, '/');
  if (slash == NULL) return hp_config_copy(".", out);
  const size_t length = slash == path ? 1 : (size_t)(slash - path);
  HP_TRY(hp_alloc((void **)out, (int64_t)length + 1, 1, "folder"));
  memcpy(*out, path, length);
  return HP_OK;
}

static bool begins_with_bom(const char *path) {
  char head[3] = "";
  FILE *f = fopen(path, "rb");
  if (f == NULL) return false;
  const bool found = fread(head, 1, 3, f) == 3 && memcmp(head, BOM, 3) == 0;
  fclose(f);
  return found;
}

/* Frequent mistakes behind libconfig's short texts. */
static const char *advice(const char *error, const char *file) {
  if (strstr(error, "mismatched element type") != NULL)
    return "; an array [ ] holds one type: write 1.0 for 1, or use a list ( )";
  if (strstr(error, "duplicate setting") != NULL) return "; the key is there twice";
  if (file != NULL && begins_with_bom(file)) return "; the file begins with a byte order mark, save it without";
  if (strstr(error, "syntax error") != NULL)
    return "; texts are written in quotes, decimals have a point, settings end with ';', and every { ( [ is closed";
  return "";
}

/* Copies line number `line` (from 1) of text without leading blanks, cut to fit; "" where there is none. */
static void line_of(const char *text, int line, char *out, size_t size) {
  for (int n = 1; n < line && *text != '\0'; ++n) {
    text += strcspn(text, "\n");
    if (*text != '\0') ++text;
  }
  text += strspn(text, " \t");
  size_t length = strcspn(text, "\r\n");
  if (length >= size) length = size - 1;
  memcpy(out, text, length);
  out[length] = '\0';
}

/* Whether there is a text to parse; if not it is reported. body: the text without its byte order mark. */
static bool is_text(hp_config *r, const char *text, const char *body, size_t size) {
  int line = 1;
  if (memchr(text, '\0', size) == NULL) {
    if (body[strspn(body, " \t\r\n")] != '\0') return true;
    hp_diag_error(r->diag, r->path, line, "the file is empty");
  } else if (size >= 8 && memcmp(text, "\x89HDF\r\n\x1a\n", 8) == 0) {
    hp_diag_error(r->diag, r->path, 0, "an HDF5 file, such as a result: a deck is a text, NAME.cfg or NAME.DATA");
  } else {
    for (const char *at = text; *at != '\0'; ++at) line += *at == '\n';
    hp_diag_error(r->diag, r->path, line, "has a zero byte in it: not a text file");
  }
  return false;
}

/* Past a text or a comment that begins at `at`; else `at` itself. *line counts. */
static const char *pass_text(const char *at, int *line) {
  const char *end = at;
  if (*at == '"') {
    for (++end; *end != '\0' && *end != '"'; ++end) end += *end == '\\' && end[1] != '\0';
    if (*end == '"') ++end;
  } else if (*at == '#' || (*at == '/' && at[1] == '/')) {
    end += strcspn(at, "\n");
  } else if (*at == '/' && at[1] == '*') {
    end = strstr(at + 2, "*/");
    end = end != NULL ? end + 2 : at + strlen(at);
  }
  for (; at < end; ++at) *line += *at == '\n';
  return end;
}

bool hp_config_report_brackets(hp_config *r, const char *file, const char *body) {
  enum { DEPTH = 100 };
  static const char opening[] = "({[", closing[] = ")}]";
  struct {
    char c;
    int line;
  } open[DEPTH];
  int depth = 0, line = 1;
  char before = '\0'; /* the last character that is no blank */
  for (const char *at = body; *at != '\0';) {
    const char *end = pass_text(at, &line);
    if (end > at) {
      if (*at == '"') before = '"';
      at = end;
      continue;
    }
    const char *closes = strchr(closing, *at);
    if (strchr(opening, *at) != NULL) {
      if (*at == '{' && (before == '{' || before == '[')) {
        hp_diag_error(r->diag, file, open[depth - 1].line, "'%c' holds groups: a list of groups is ( {..}, {..} )",
                      before);
        return true;
      }
      if (depth == DEPTH) return false;
      open[depth].c = *at;
      open[depth++].line = line;
    } else if (closes != NULL && depth == 0) {
      hp_diag_error(r->diag, file, line, "'%c' closes nothing", *at);
      return true;
    } else if (closes != NULL && open[--depth].c != opening[closes - closing]) {
      hp_diag_error(r->diag, file, open[depth].line, "'%c' is not closed: '%c' follows in line %d", open[depth].c, *at,
                    line);
      return true;
    }
    line += *at == '\n';
    if (*at != ' ' && *at != '\t' && *at != '\r' && *at != '\n') before = *at;
    ++at;
  }
  if (depth > 0) hp_diag_error(r->diag, file, open[0].line, "'%c' is not closed", open[0].c);
  return depth > 0;
}

bool hp_config_report_long_text(hp_config *r, const char *file, const char *body) {
  int line = 1;
  for (const char *at = body; *at != '\0';) {
    const int first = line;
    const char *end = pass_text(at, &line);
    if (*at == '"' && line > first) {
      hp_diag_error(r->diag, file, first, "the text that '\"' opens here ends in line %d: is its '\"' missing?", line);
      return true;
    }
    line += end == at && *at == '\n';
    at = end > at ? end : at + 1;
  }
  return false;
}

static bool report_unclosed(hp_config *r, const char *file, const char *body) {
  return hp_config_report_long_text(r, file, body) || hp_config_report_brackets(r, file, body);
}

/* Of an included file, which libconfig names as the deck does. */
static bool report_unclosed_of(hp_config *r, const char *file) {
  char *path, *text = NULL;
  size_t size;
  if (hp_format(&path, "%s/%s", r->folder, file) != HP_OK) return false;
  const bool found = hp_file_read(path, &text, &size) == HP_OK && report_unclosed(r, file, text);
  HP_FREE(path);
  HP_FREE(text);
  return found;
}

static void report_parse_error(hp_config *r, const char *body) {
  const char *file = config_error_file(&r->tree), *error = config_error_text(&r->tree);
  char line[61] = "";
  if (error == NULL) error = "cannot be parsed";
  if (strstr(error, "syntax error") != NULL &&
      (file != NULL ? report_unclosed_of(r, file) : report_unclosed(r, r->path, body)))
    return;
  if (file == NULL) line_of(body, config_error_line(&r->tree), line, sizeof line);
  hp_diag_error(r->diag, file != NULL ? file : r->path, config_error_line(&r->tree), "%s%s%s%s%s", error,
                line[0] != '\0' ? " at '" : "", line, line[0] != '\0' ? "'" : "", advice(error, file));
}

static hp_status parse(hp_config *r, const char *body, bool *ok) {
  const int errors = r->diag->errors;
  HP_TRY(hp_config_scan(r, body, true));
  if (r->diag->errors > errors) return HP_OK;
  config_set_include_dir(&r->tree, r->folder);
  *ok = config_read_string(&r->tree, body) == CONFIG_TRUE;
  if (*ok) return hp_config_scan(r, body, false);
  report_parse_error(r, body);
  return HP_OK;
}

hp_status hp_config_tree_read(hp_config *r, bool *ok) {
  hp_stage("reading the deck");
  char *text;
  size_t size;
  *ok = false;
  hp_status status = hp_config_folder_of(r->path, &r->folder);
  hp_inputs_add(&r->diag->read, r->path);
  if (status == HP_OK) status = hp_file_read(r->path, &text, &size);
  HP_TRY(status);
  const char *body = strncmp(text, BOM, 3) == 0 ? text + 3 : text;
  if (status == HP_OK && is_text(r, text, body, size)) status = parse(r, body, ok);
  HP_FREE(text);
  return status;
}
