/* The text of one of hepta's own decks without long lists of numbers, for ranks over which cells are spread:
 *
 *     porosity = [ 0.21, 0.19,            porosity = [ "\x01 0 264000 0" ];      number of the gap, how many numbers there are
 *       0.20, 0.22, ... ];
 *     connections = ( [1, 1, 1, ...       connections = ( "\x01 1 4000 7" );     or rows, of so many numbers each
 *
 * Lists that are not long stay as they are. A file that another one includes, and that has such lists, is given to libconfig under
 * another name.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/config/impl.h"
#include "io/files/stream.h"

enum { LONG = 1024 /* bytes of a list */, DEPTH = 10 /* libconfig's own limit */, NAME = 64 };

typedef struct {
  hp_config *r;
  hp_stream in;
  const char *path;
  int depth;
  int64_t position; /* of in.at in the file */
  char *text;       /* [capacity] */
  int64_t size, capacity;
  char name[NAME]; /* the latest one */
  bool value;      /* its value follows */
  bool any;        /* a gap, here or in what is included */
} condenser;

/* A list that is being read. */
typedef struct {
  int64_t start; /* in the text, behind the bracket */
  hp_config_gap gap;
  int64_t lines;
  bool away; /* it is left out */
} list;

typedef enum { NONE, INTEGER, REAL } number_kind;

static hp_status give_up(const condenser *c, const char *why) { return hp_fail(HP_ERR_DECK, "%s: %s", c->path, why); }

static hp_status put(condenser *c, const char *what, int64_t n) {
  if (c->size + n + 1 > c->capacity) {
    const int64_t wanted = 2 * (c->size + n) + 4096;
    char *larger = NULL;
    HP_TRY(hp_alloc_unset((void **)&larger, wanted, 1, "the deck's text"));
    if (c->size > 0) memcpy(larger, c->text, (size_t)c->size);
    HP_FREE(c->text);
    c->text = larger;
    c->capacity = wanted;
  }
  memcpy(c->text + c->size, what, (size_t)n);
  c->size += n;
  c->text[c->size] = '\0';
  return HP_OK;
}

static bool more(condenser *c) { return hp_stream_more(&c->in); }

static hp_status copy(condenser *c, int64_t n) {
  HP_TRY(put(c, c->in.at, n));
  c->in.at += n;
  c->position += n;
  return HP_OK;
}

/* A string; the mark of a gap is not for decks to use. */
static hp_status copy_string(condenser *c) {
  HP_TRY(copy(c, 1));
  while (more(c) && *c->in.at != '"') {
    if (strncmp(c->in.at, "\\x01", 4) == 0 || *c->in.at == '\1') return give_up(c, "a string has a control character");
    HP_TRY(copy(c, *c->in.at == '\\' && c->in.at[1] != '\0' ? 2 : 1));
  }
  return more(c) ? copy(c, 1) : HP_OK;
}

/* Letters that begin a comment here, 0: none does. */
static int64_t comment_here(const condenser *c, bool *block) {
  const char *at = c->in.at;
  const bool line = at[0] == '#' || (at[0] == '/' && at[1] == '/');
  *block = at[0] == '/' && at[1] == '*';
  return line || *block ? 1 + (at[0] == '/') : 0;
}

/* ---- lists of numbers ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool allows_gaps(const char *name) {
  int count;
  const hp_config_key *key = hp_config_keys(&count);
  if (strcmp(name, "connections") == 0) return true;
  for (int n = 0; n < count; ++n) {
    const char *dot = strrchr(key[n].path, '.');
    if (key[n].kind == HP_KEY_CELLS && strcmp(dot != NULL ? dot + 1 : key[n].path, name) == 0) return true;
  }
  return false;
}

/* Of a list: into the text, until it is long. */
static hp_status pass(condenser *c, list *l, int64_t n) {
  for (int64_t k = 0; k < n; ++k) l->lines += c->in.at[k] == '\n';
  if (l->away) {
    c->in.at += n;
    c->position += n;
    return HP_OK;
  }
  HP_TRY(copy(c, n));
  if (c->size - l->start < LONG) return HP_OK;
  l->away = true;
  c->size = l->start;
  return HP_OK;
}

/* Blanks and comments. */
static hp_status pass_blanks(condenser *c, list *l) {
  bool block;
  while (more(c)) {
    int64_t n = comment_here(c, &block);
    if (n == 0 && strchr(" \t\r\n\f", *c->in.at) == NULL) return HP_OK;
    HP_TRY(pass(c, l, n > 0 ? n : 1));
    while (n > 0 && more(c) && (block ? !(c->in.at[0] == '*' && c->in.at[1] == '/') : *c->in.at != '\n'))
      HP_TRY(pass(c, l, 1));
    if (n > 0 && block && more(c)) HP_TRY(pass(c, l, 2));
  }
  return HP_OK;
}

/* The number that stands here, as libconfig reads it, of so many letters. */
static number_kind number_here(const char *text, int64_t *length) {
  const char *at = text + (*text == '-' || *text == '+');
  int digits = 0;
  bool real = false;
  for (; is_digit(*at); ++at) ++digits;
  if (*at == '.') {
    real = true;
    for (++at; is_digit(*at); ++at) ++digits;
  }
  if (digits > 0 && (*at == 'e' || *at == 'E')) {
    const char *power = at + 1 + (at[1] == '-' || at[1] == '+');
    real = true;
    for (at = power; is_digit(*at); ++at) continue;
    if (at == power) return NONE;
  }
  *length = at - text;
  if (digits == 0 || *length > 60 || *at == '\0' || strchr(" \t\r\n\f,[]()#/", *at) == NULL) return NONE;
  if (real) return REAL;
  errno = 0;
  const long long v = strtoll(text, NULL, 10);
  return errno == 0 && v >= INT32_MIN && v <= INT32_MAX ? INTEGER : NONE;
}

static bool is_open(char c) { return c == '[' || c == '('; }
static char closing(char open) { return open == '[' ? ']' : ')'; }

/* Numbers from here to the bracket that closes them, of one kind where it is [ ]; *plain: nothing else is there. */
static hp_status pass_numbers(condenser *c, list *l, char open, int64_t *count, bool *plain) {
  number_kind first = NONE;
  *plain = false;
  for (*count = 0;;) {
    int64_t length = 0;
    HP_TRY(pass_blanks(c, l));
    const number_kind kind = number_here(c->in.at, &length);
    if (kind == NONE || (open == '[' && first != NONE && kind != first)) return HP_OK;
    first = kind;
    *count += 1;
    HP_TRY(pass(c, l, length));
    HP_TRY(pass_blanks(c, l));
    if (*c->in.at == closing(open)) break;
    if (*c->in.at != ',') return HP_OK;
    HP_TRY(pass(c, l, 1));
  }
  *plain = true;
  return HP_OK;
}

static hp_status pass_rows(condenser *c, list *l, bool *plain) {
  *plain = false;
  for (;;) {
    int64_t columns;
    bool row;
    HP_TRY(pass_blanks(c, l));
    const char open = *c->in.at;
    if (!is_open(open)) return HP_OK;
    HP_TRY(pass(c, l, 1));
    HP_TRY(pass_numbers(c, l, open, &columns, &row));
    if (!row || (l->gap.count > 0 && columns != l->gap.columns)) return HP_OK;
    l->gap.columns = columns;
    l->gap.count += 1;
    HP_TRY(pass(c, l, 1));
    HP_TRY(pass_blanks(c, l));
    if (*c->in.at == ')') break;
    if (*c->in.at != ',') return HP_OK;
    HP_TRY(pass(c, l, 1));
  }
  *plain = true;
  return HP_OK;
}

static hp_status add_gap(condenser *c, const list *l) {
  hp_config *r = c->r;
  char mark[120];
  hp_config_gap *larger = NULL;
  if ((r->gaps & (r->gaps - 1)) == 0) { /* full: 0, 1, 2, 4, ... */
    HP_TRY(HP_ALLOC(larger, r->gaps > 0 ? 2 * (int64_t)r->gaps : 1));
    if (r->gaps > 0) memcpy(larger, r->gap, (size_t)r->gaps * sizeof *larger);
    HP_FREE(r->gap);
    r->gap = larger;
  }
  hp_config_gap *gap = &r->gap[r->gaps++];
  *gap = l->gap;
  gap->path = NULL;
  HP_TRY(hp_config_copy(c->path, &gap->path));
  const int n = snprintf(mark, sizeof mark, "\"\\x01 %d %lld %lld\"", r->gaps - 1, (long long)gap->count,
                         (long long)gap->columns);
  HP_TRY(put(c, mark, n));
  for (int64_t k = 0; k < l->lines % 65536; ++k) HP_TRY(put(c, "\n", 1)); /* libconfig keeps 16 bits of them */
  c->any = true;
  return HP_OK;
}

static hp_status copy_list(condenser *c) {
  const char open = *c->in.at;
  bool plain;
  HP_TRY(copy(c, 1));
  list l = {.start = c->size, .gap = {.offset = c->position}};
  HP_TRY(pass_blanks(c, &l));
  if (open == '(' && is_open(*c->in.at)) HP_TRY(pass_rows(c, &l, &plain));
  else HP_TRY(pass_numbers(c, &l, open, &l.gap.count, &plain));
  if (!l.away) return HP_OK;
  return plain ? add_gap(c, &l) : give_up(c, "a list has more than numbers");
}

/* ---- included files ---- */

static hp_status condense(hp_config *r, const char *path, int depth, char **text, int64_t *size, bool *any);

/* The text of a file that `written` names gets a name that libconfig can open: of a temporary file, or text == NULL its own. */
static hp_status name_included(hp_config *r, const char *written, const char *text, int64_t size, char *name,
                               size_t room) {
  hp_config_included *larger = NULL;
  HP_TRY(HP_ALLOC(larger, r->nincluded + 1));
  if (r->nincluded > 0) memcpy(larger, r->included, (size_t)r->nincluded * sizeof *larger);
  HP_FREE(r->included);
  r->included = larger;
  hp_config_included *l = &r->included[r->nincluded++];
  if (text != NULL) {
    l->file = tmpfile();
    const bool made = l->file != NULL && fwrite(text, 1, (size_t)size, l->file) == (size_t)size && fflush(l->file) == 0;
    if (!made) return hp_fail(HP_ERR_FILE, "%s: a temporary file cannot be written", written);
    snprintf(name, room, "/dev/fd/%d", fileno(l->file));
  }
  HP_TRY(hp_config_copy(written, &l->written));
  return hp_config_copy(name, &l->name);
}

/* @include "FILE" with the whole path. */
static hp_status include(condenser *c) {
  enum { ROOM = 2 * HP_STREAM_AHEAD };
  const size_t word = strlen("@include"), blanks = strspn(c->in.at + word, " \t");
  const char *from = c->in.at + word + blanks, *end = from + 1;
  char path[ROOM], name[ROOM];
  if (*from != '"') return copy(c, (int64_t)word);
  const size_t folder = (size_t)snprintf(path, sizeof path, "%s/", c->r->folder);
  size_t n = folder;
  while (*end != '\0' && *end != '"' && *end != '\n' && n + 2 < sizeof path) {
    if (*end == '\\' && end[1] != '\0') ++end;
    path[n++] = *end++;
  }
  path[n < sizeof path ? n : sizeof path - 1] = '\0';
  if (*end != '"' || n + 2 >= sizeof path || c->depth >= DEPTH) return give_up(c, "@include");
  char *text = NULL;
  int64_t size = 0;
  bool any = false;
  hp_status s = condense(c->r, path, c->depth + 1, &text, &size, &any);
  memcpy(name, path, sizeof name);
  if (s == HP_OK) s = name_included(c->r, path + folder, any ? text : NULL, size, name, sizeof name);
  HP_FREE(text);
  HP_TRY(s);
  c->any = c->any || any;
  HP_TRY(put(c, "@include \"", 10));
  for (const char *at = name; *at != '\0'; ++at) {
    if (*at == '"' || *at == '\\') HP_TRY(put(c, "\\", 1));
    HP_TRY(put(c, at, 1));
  }
  c->position += end - c->in.at;
  c->in.at = end;
  return copy(c, 1);
}

/* ---- all ---- */

static bool in_name(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '*';
}

static hp_status copy_comment(condenser *c, bool block) {
  while (more(c) && (block ? !(c->in.at[0] == '*' && c->in.at[1] == '/') : *c->in.at != '\n')) HP_TRY(copy(c, 1));
  return block && more(c) ? copy(c, 2) : HP_OK;
}

static hp_status copy_next(condenser *c) {
  const char letter = *c->in.at;
  bool block;
  const int64_t comment = comment_here(c, &block);
  if (comment > 0) {
    HP_TRY(copy(c, comment));
    return copy_comment(c, block);
  }
  if (strchr(" \t\r\n\f", letter) != NULL) return copy(c, 1);
  if (letter == '=' || letter == ':') {
    c->value = c->name[0] != '\0';
    return copy(c, 1);
  }
  if (c->value && is_open(letter) && allows_gaps(c->name)) {
    c->value = false;
    c->name[0] = '\0';
    return copy_list(c);
  }
  c->value = false;
  c->name[0] = '\0';
  if (letter == '"') return copy_string(c);
  if (strncmp(c->in.at, "@include", 8) == 0) return include(c);
  int64_t n = 0;
  while (n + 1 < NAME && in_name(c->in.at[n])) ++n;
  memcpy(c->name, c->in.at, (size_t)n);
  c->name[n] = '\0';
  return copy(c, n > 0 ? n : 1);
}

static hp_status condense(hp_config *r, const char *path, int depth, char **text, int64_t *size, bool *any) {
  condenser c = {.r = r, .path = path, .depth = depth};
  hp_inputs_add(&r->diag->read, path);
  hp_status s = hp_stream_open(path, &c.in);
  while (s == HP_OK && more(&c)) s = copy_next(&c);
  if (s == HP_OK && c.in.at < c.in.text + c.in.size) s = give_up(&c, "has a zero byte in it");
  const hp_status closed = hp_stream_close(&c.in);
  if (s == HP_OK) s = closed;
  if (s == HP_OK && c.text == NULL) s = give_up(&c, "is empty");
  if (s != HP_OK) {
    HP_FREE(c.text);
    return s == HP_ERR_FILE ? HP_ERR_DECK : s;
  }
  *text = c.text;
  *size = c.size;
  *any = c.any;
  return HP_OK;
}

hp_status hp_config_condense(hp_config *r, char **text, size_t *size) {
  int64_t bytes = 0;
  bool any;
  r->condensed = true;
  HP_TRY(condense(r, r->path, 0, text, &bytes, &any));
  *size = (size_t)bytes;
  return HP_OK;
}

const char *hp_config_written_name(const hp_config *r, const char *name) {
  for (int n = 0; name != NULL && n < r->nincluded; ++n)
    if (strcmp(r->included[n].name, name) == 0) return r->included[n].written;
  return name;
}

void hp_config_gaps_clear(hp_config *r) {
  for (int n = 0; n < r->nincluded; ++n) {
    if (r->included[n].file != NULL) fclose(r->included[n].file);
    HP_FREE(r->included[n].written);
    HP_FREE(r->included[n].name);
  }
  for (int n = 0; n < r->gaps; ++n) HP_FREE(r->gap[n].path);
  HP_FREE(r->included);
  HP_FREE(r->gap);
  HP_FREE(r->given);
}
