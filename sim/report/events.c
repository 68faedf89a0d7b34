#include "sim/report/events.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/folders.h"
#include "core/memory.h"
#include "core/profile.h"
#include "core/program.h"
#include "core/show.h"
#include "io/files/text.h"
#include "sim/report/terminal.h"

enum { DEPTH = 8 };

struct hp_events {
  FILE *f;
  const char *path;
  double began;
  hp_text line;
  bool unread; /* the reader at the other end of a pipe has gone, which is no error */
  bool first;  /* of the object or list at hand */
  int depth;
  char close[DEPTH];
};

hp_status hp_events_open(const hp_inputs *read, const char *path, bool append, double began, hp_events **out) {
  hp_events *E;
  *out = NULL;
  if (path == NULL) return HP_OK;
  if (strcmp(path, "-") != 0) {
    HP_TRY(hp_inputs_check(read, "--json", path, HP_INPUTS_TEXT));
    if (hp_make_folders_of(path) != HP_OK) return HP_ERR_USAGE;
  }
  HP_TRY(HP_ALLOC(E, 1));
  E->path = path;
  E->began = began;
  E->f = strcmp(path, "-") == 0 ? stdout : fopen(path, append ? "a" : "w");
  if (E->f == NULL) {
    HP_FREE(E);
    return hp_fail(HP_ERR_USAGE, "--json=%s: cannot be opened for writing", path);
  }
  *out = E;
  return HP_OK;
}

hp_status hp_events_close(hp_events **slot) {
  hp_events *E = *slot;
  if (E == NULL) return HP_OK;
  bool bad = fflush(E->f) != 0 || ferror(E->f) != 0 || E->line.status != HP_OK;
  if (E->f != stdout && fclose(E->f) != 0) bad = true;
  bad = bad && !E->unread;
  const char *path = E->path;
  hp_text_clear(&E->line);
  HP_FREE(*slot);
  return bad ? hp_fail(HP_ERR_FILE, "--json=%s: not all events could be written", path) : HP_OK;
}

/* ---- one line ---- */

/* A character that would not show, as JSON writes it. */
static const char *utf16_escape(const char *s, int length, char out[16]) {
  char one[5] = "";
  memcpy(one, s, (size_t)length);
  hp_escape(one, out, 16);
  return strlen(out) == 6 ? out : "\\ufffd";
}

static void add_string(hp_text *t, const char *s) {
  hp_text_add(t, "\"");
  while (*s != '\0') {
    const unsigned char c = (unsigned char)*s;
    const int length = hp_utf8_length(s);
    char escaped[16];
    if (length == 0) hp_text_add(t, "\\ufffd");
    else if (c == '"' || c == '\\') hp_text_add(t, "\\%c", c);
    else if (c < 32 || c == 127) hp_text_add(t, "\\u%04x", (unsigned)c);
    else if (hp_shown_length(s) == 0) hp_text_add(t, "%s", utf16_escape(s, length, escaped));
    else hp_text_add(t, "%.*s", length, s);
    s += length > 0 ? length : 1;
  }
  hp_text_add(t, "\"");
}

static void add_key(hp_events *E, const char *key) {
  if (!E->first) hp_text_add(&E->line, ", ");
  E->first = false;
  if (key == NULL) return;
  add_string(&E->line, key);
  hp_text_add(&E->line, ": ");
}

static void open_part(hp_events *E, const char *key, char open, char close) {
  if (E == NULL || E->depth == DEPTH) return;
  add_key(E, key);
  hp_text_add(&E->line, "%c", open);
  E->close[E->depth++] = close;
  E->first = true;
}

void hp_event_object(hp_events *E, const char *key) { open_part(E, key, '{', '}'); }
void hp_event_list(hp_events *E, const char *key) { open_part(E, key, '[', ']'); }

void hp_event_up(hp_events *E) {
  if (E == NULL) return;
  hp_text_add(&E->line, "%c", E->close[--E->depth]);
  E->first = false;
}

void hp_event_begin(hp_events *E, const char *name) {
  if (E == NULL) return;
  E->line.length = 0;
  E->first = true;
  open_part(E, NULL, '{', '}');
  hp_event_text(E, "event", name);
  hp_event_number(E, "seconds", round(1e6 * (hp_now() - E->began)) * 1e-6);
}

void hp_event_end(hp_events *E) {
  if (E == NULL) return;
  hp_event_up(E);
  hp_text_add(&E->line, "\n");
  if (E->f == stdout) hp_terminal_check_reader(STDOUT_FILENO);
  if (E->line.status == HP_OK) fwrite(E->line.s, 1, (size_t)E->line.length, E->f);
  /* who reads along sees whole lines; a failure is found at the end, by ferror */
  if (fflush(E->f) != 0 && errno == EPIPE) E->unread = true;
}

void hp_event_integer(hp_events *E, const char *key, int64_t value) {
  if (E == NULL) return;
  add_key(E, key);
  hp_text_add(&E->line, "%lld", (long long)value);
}

void hp_event_number(hp_events *E, const char *key, double value) {
  if (E == NULL) return;
  add_key(E, key);
  if (isfinite(value)) hp_text_add(&E->line, "%.10g", value);
  else hp_text_add(&E->line, "null");
}

void hp_event_text(hp_events *E, const char *key, const char *value) {
  if (E == NULL) return;
  add_key(E, key);
  if (value != NULL) add_string(&E->line, value);
  else hp_text_add(&E->line, "null");
}

/* ---- events of several commands ---- */

void hp_event_error(hp_events *E, const char *text) {
  hp_event_begin(E, "error");
  hp_event_text(E, "text", text);
  hp_event_end(E);
}

void hp_event_diag(hp_events *E, const hp_diag *diag) {
  for (int n = 0; n < diag->count; ++n) {
    const hp_diag_item *it = &diag->item[n];
    hp_event_begin(E, it->error ? "error" : "warning");
    if (it->file != NULL) hp_event_text(E, "file", it->file);
    if (it->line > 0) hp_event_integer(E, "line", it->line);
    hp_event_text(E, "text", it->text);
    hp_event_end(E);
  }
}

/* go_on: the command with which it goes on, NULL: none. */
void hp_event_ended(hp_events *E, int exit_code, const char *go_on) {
  hp_event_begin(E, "end");
  hp_event_text(E, "status",
                exit_code == HP_EXIT_OK            ? "done"
                : exit_code == HP_EXIT_INTERRUPTED ? "interrupted"
                : exit_code == HP_EXIT_USAGE       ? "refused"
                                                   : "failed");
  hp_event_integer(E, "exit_code", exit_code);
  if (go_on != NULL) hp_event_text(E, "go_on", go_on);
  hp_event_end(E);
}
