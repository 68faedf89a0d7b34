#define _POSIX_C_SOURCE 200809L
#include "sim/run/steering.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "io/config/config.h"
#include "sim/checkpoint/write_behind.h"
#include "sim/report/progress.h"
#include "sim/simulator/files.h"

enum { LINE_MOST = 4096, LOOK_MS = 100 /* between looks at whether the run is to stop */ };

struct hp_steering {
  const char *path;
  int file;       /* -1 on ranks but the first */
  bool regular;   /* nobody is there who could correct a line */
  bool ended;     /* no more lines */
  int line;       /* its number, of the last one read */
  int begin, end; /* in text: what has been read, and not been taken */
  char text[2 * LINE_MOST];
};

/* ---- the channel ---- */

static hp_status open_channel(hp_steering *T) {
  struct stat is;
  T->file = strcmp(T->path, "-") == 0 ? dup(STDIN_FILENO) : open(T->path, O_RDONLY | O_CLOEXEC);
  if (T->file < 0 || fstat(T->file, &is) != 0)
    return hp_fail(HP_ERR_USAGE, "--control %s: cannot be opened: %s", T->path, strerror(errno));
  if (S_ISDIR(is.st_mode)) return hp_fail(HP_ERR_USAGE, "--control %s: is a folder", T->path);
  T->regular = S_ISREG(is.st_mode);
  return HP_OK;
}

hp_status hp_steering_open(const char *path, hp_ranks *K, hp_steering **out) {
  HP_TRY(HP_ALLOC(*out, 1));
  (*out)->path = path;
  (*out)->file = -1;
  return hp_ranks_agree(K, hp_ranks_is_first(K) ? open_channel(*out) : HP_OK);
}

void hp_steering_close(hp_steering **T) {
  if (*T != NULL && (*T)->file >= 0) close((*T)->file);
  HP_FREE(*T);
}

/* ---- lines ---- */

typedef enum { A_LINE, NO_MORE, ASKED_TO_STOP, TOO_LONG } what;

/* Takes the next line from what has been read; false: it is not whole yet. */
static bool take_line(hp_steering *T, char line[LINE_MOST], what *found) {
  char *at = T->text + T->begin, *newline = memchr(at, '\n', (size_t)(T->end - T->begin));
  int length = newline != NULL ? (int)(newline - at) : T->end - T->begin;
  if (newline == NULL && !T->ended && length < LINE_MOST) return false;
  if (newline == NULL && length == 0) {
    *found = NO_MORE;
    return true;
  }
  T->begin += length + (newline != NULL);
  T->line += 1;
  *found = length < LINE_MOST ? A_LINE : TOO_LONG;
  if (length >= LINE_MOST) length = 0;
  memcpy(line, at, (size_t)length);
  while (length > 0 && strchr(" \t\r", line[length - 1]) != NULL) length -= 1;
  line[length] = '\0';
  return true;
}

static void read_more(hp_steering *T) {
  memmove(T->text, T->text + T->begin, (size_t)(T->end - T->begin));
  T->end -= T->begin;
  T->begin = 0;
  struct pollfd is = {.fd = T->file, .events = POLLIN};
  if (poll(&is, 1, LOOK_MS) <= 0) return; /* nothing, or a signal */
  const ssize_t got = read(T->file, T->text + T->end, sizeof T->text - (size_t)T->end);
  if (got > 0) T->end += (int)got;
  else if (got == 0 || errno != EINTR) T->ended = true;
}

static what next_line(hp_steering *T, char line[LINE_MOST]) {
  what found;
  while (!take_line(T, line, &found)) {
    if (hp_sim_interrupted != 0) return ASKED_TO_STOP;
    read_more(T);
  }
  return found;
}

/* The first rank's line, on all. */
static what shared_line(hp_ranks *K, hp_steering *T, char line[LINE_MOST]) {
  struct {
    what found;
    char line[LINE_MOST];
  } read;
  memset(&read, 0, sizeof read);
  if (hp_ranks_is_first(K)) read.found = next_line(T, read.line);
  hp_ranks_broadcast(K, 0, &read, sizeof read);
  memcpy(line, read.line, LINE_MOST);
  return read.found;
}

/* ---- changes ---- */

/* Adds `text` without its place in a list, schedule[0], which the reader does not know. */
static void add_without_place(hp_text *t, const char *text) {
  static const char *const place[] = {"schedule[0]", "groups[0]", "tuning[0]", "quantities[0]"};
  while (*text != '\0') {
    size_t length = 0;
    for (size_t n = 0; n < sizeof place / sizeof *place; ++n)
      if (strncmp(text, place[n], strlen(place[n])) == 0) length = strlen(place[n]);
    if (length > 0) text += length + strspn(text + length, ".: ");
    else hp_text_add(t, "%c", *text++);
  }
}

/* "well P1 bhp=-5: bhp: -5 bar: must be > 0" of each fault. */
static hp_status add_faults(const hp_diag *diag, hp_text *why) {
  static const char option[] = "--control ";
  for (int n = 0; n < diag->count; ++n) {
    const hp_diag_item *it = &diag->item[n];
    const char *file = it->file != NULL ? it->file : "";
    if (!it->error) continue;
    if (strncmp(file, option, sizeof option - 1) == 0) file += sizeof option - 1;
    hp_text_add(why, "%s%s%s", why->length > 0 ? "; " : "", file, file[0] != '\0' ? ": " : "");
    add_without_place(why, it->text);
  }
  return why->status;
}

/* Changes of the schedule at the same time, though rounded otherwise, come before. */
static double time_of_change(const hp_sim *S) {
  const hp_case *c = S->c;
  double time = S->time;
  if (S->at.event > 0) time = fmax(time, c->event[S->at.event - 1].time);
  if (S->at.perforations > 0) time = fmax(time, c->perf_event[S->at.perforations - 1].time);
  if (S->at.group > 0) time = fmax(time, c->group_event[S->at.group - 1].time);
  if (S->at.tuning > 0) time = fmax(time, c->tuning[S->at.tuning - 1].time);
  if (S->at.quantity > 0) time = fmax(time, c->quantity_entry[S->at.quantity - 1].time);
  return time;
}

static hp_status remember(hp_sim *S, double time, const char *line) {
  char *before = S->kept.changes;
  S->kept.changes = NULL;
  const hp_status s = hp_format(&S->kept.changes, "%s%.17g %s\n", before != NULL ? before : "", time, line);
  HP_FREE(before);
  return s;
}

hp_status hp_steering_change(hp_sim *S, const char *line, hp_text *why) {
  const double time = time_of_change(S);
  hp_diag diag;
  hp_diag_init(&diag);
  hp_status s = hp_config_add_entry(S->told, time, line, S->held.groups == 0, &diag);
  if (s == HP_ERR_DECK && diag.errors > 0) s = add_faults(&diag, why);
  else if (s == HP_OK) s = remember(S, time, line);
  hp_diag_clear(&diag);
  return s;
}

/* Whether the line is the word, or with `more` begins with it. */
static bool says(const char *line, const char *word, bool more) {
  const size_t length = strlen(word);
  return strncmp(line, word, length) == 0 && (line[length] == '\0' || (more && strchr(" \t", line[length]) != NULL));
}

static hp_status refuse(hp_sim *S, const hp_text *why) {
  hp_steering *T = S->steering;
  HP_TRY(why->status);
  if (T->regular)
    return hp_fail(HP_ERR_USAGE, "%s:%d: %s. The run stops here; results up to here are complete", T->path, T->line,
                   why->s);
  hp_progress_refuses(S, why->s);
  return HP_OK;
}

static hp_status obey(hp_sim *S, what found, const char *line, bool *goes_on) {
  const bool changes = says(line, "well", true) || says(line, "group", true) || says(line, "tuning", true) ||
                       says(line, "quantity", true);
  hp_text why = {0};
  hp_status s = HP_OK;
  if (found == TOO_LONG) hp_text_add(&why, "a line has at most %d characters", LINE_MOST - 1);
  else if (line[0] == '\0' || line[0] == '#') return HP_OK;
  else if (changes) s = hp_steering_change(S, line, &why);
  else if (says(line, "continue", false)) *goes_on = true;
  else if (says(line, "stop", false)) hp_sim_interrupted = HP_SIM_ASKED;
  else
    hp_text_add(&why,
                "%s: must be one of 'well NAME KEY=VALUE ...', 'group NAME ...', 'tuning ...', 'quantity NAME ...', "
                "'continue', 'stop'",
                line);
  if (s == HP_OK && (why.length > 0 || why.status != HP_OK)) s = refuse(S, &why);
  else if (s == HP_OK && changes) hp_progress_change(S, line);
  hp_text_clear(&why);
  return s;
}

/* ---- before a restart ---- */

static hp_status restore_one(const hp_restart *from, hp_case *c, const char *line) {
  char *text;
  const double time = strtod(line, &text);
  hp_diag diag;
  hp_text why = {0};
  if (!(time >= 0.0 && time <= from->time * (1.0 + 1e-9) + 1e-6) || text[0] != ' ')
    return hp_fail(HP_ERR_USAGE, "%s: its restart data of report step %d are damaged: changes by --control", from->base,
                   from->step);
  hp_diag_init(&diag);
  hp_status s = hp_config_add_entry(c, time, text + 1, true, &diag);
  if (s == HP_ERR_DECK) {
    s = add_faults(&diag, &why);
    if (s == HP_OK)
      s = hp_fail(
          HP_ERR_USAGE,
          "%s cannot be continued with this deck, which does not take what an action or --control said at %.6g %s: %s",
          from->base, time / c->units.factor[HP_UNIT_TIME], c->units.label[HP_UNIT_TIME], why.s);
  }
  hp_text_clear(&why);
  hp_diag_clear(&diag);
  return s;
}

hp_status hp_steering_restore(const hp_restart *from, hp_case *c) {
  char *lines = NULL, *rest, *line;
  if (from->changes == NULL) return HP_OK;
  HP_TRY(hp_format(&lines, "%s", from->changes));
  hp_status s = HP_OK;
  for (line = strtok_r(lines, "\n", &rest); s == HP_OK && line != NULL; line = strtok_r(NULL, "\n", &rest))
    s = restore_one(from, c, line);
  HP_FREE(lines);
  return s;
}

/* ---- waiting ---- */

bool hp_steering_waits(const hp_sim *S) {
  const bool last = S->time >= S->c->report[S->c->nreport - 1];
  return S->steering != NULL && !S->steering->ended && !last && !S->ending;
}

static hp_status show(void *arg) {
  hp_sim *S = arg;
  HP_TRY(hp_write_behind_wait(S->writer));
  return hp_output_show(S->output);
}

hp_status hp_steering_wait(hp_sim *S, int report) {
  char line[LINE_MOST];
  const size_t known = S->kept.changes != NULL ? strlen(S->kept.changes) : 0;
  HP_TRY(hp_sim_write(S, show, S));
  hp_progress_waits(S, report);
  for (bool goes_on = false; !goes_on;) {
    const what found = shared_line(S->K, S->steering, line);
    if (found == NO_MORE) goes_on = S->steering->ended = true;
    else if (found != ASKED_TO_STOP) HP_TRY(obey(S, found, line, &goes_on));
    if (!hp_sim_is_interrupted(S)) continue;
    if (S->kept.changes != NULL) S->kept.changes[known] = '\0'; /* none of this time has been made */
    return hp_sim_stopped(S);
  }
  return HP_OK;
}
