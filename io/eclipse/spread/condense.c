/* The text of a file without long runs of numbers, nor of records:
 *
 *     PORO                     PORO
 *      0.21 0.19 3*0.2 ...      .            a gap: where the numbers begin in the file, and how many words they are
 *      0.20 0.22 /              /
 *     NNC                      NNC
 *      1 1 1 2 2 1 0.5 /        .            or how many bytes the records
 *      ...
 *     /                        /
 */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "core/memory.h"
#include "io/eclipse/lexer.h"
#include "io/files/stream.h"

enum { MARK = '\1' };

typedef struct {
  hp_stream in;
  int64_t position; /* of in.at in the file */
  hp_ecl_gaps_of (*takes)(const hp_ecl_token *keyword);
  hp_ecl_gaps_of taken; /* by the latest keyword */
  bool fresh;           /* the line has had blanks only so far */
  bool within;          /* a record has begun */
  char *text;           /* [capacity] */
  int64_t size, capacity;
  hp_ecl_gap *gap; /* [gap_capacity] */
  int64_t gaps, gap_capacity;
  hp_ecl_gap run; /* numbers that are being read: at < 0: none */
  bool away;      /* they are left out */
} condenser;

static bool is_blank(char c) { return (unsigned char)c <= ' ' || c == ','; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
static bool at_comment(const char *c) { return c[0] == '-' && c[1] == '-'; }

/* A zero that stands in a file is a blank. */
static bool more(condenser *c) { return hp_stream_more(&c->in) || c->in.at < c->in.text + c->in.size; }

static hp_status grow(void **array, int64_t count, int64_t *capacity, size_t size) {
  void *larger = NULL;
  if (count < *capacity) return HP_OK;
  const int64_t wanted = *capacity == 0 ? 1 << 12 : 2 * *capacity;
  HP_TRY(hp_alloc_unset(&larger, wanted, size, "the deck's text"));
  if (count > 0) memcpy(larger, *array, (size_t)count * size);
  hp_free(array);
  *array = larger;
  *capacity = wanted;
  return HP_OK;
}

static hp_status put(condenser *c, char letter) {
  HP_TRY(grow((void **)&c->text, c->size, &c->capacity, 1));
  c->text[c->size++] = letter;
  return HP_OK;
}

/* The next n characters; those of a long run are left out. */
static hp_status copy(condenser *c, int64_t n) {
  for (int64_t k = 0; k < n; ++k, ++c->in.at, ++c->position) {
    c->run.lines += *c->in.at == '\n';
    if (!c->away) HP_TRY(put(c, *c->in.at));
  }
  if (c->run.at < 0 || c->away || c->taken == HP_ECL_NO_GAPS || c->size - c->run.at < HP_ECL_GAP_BYTES) return HP_OK;
  c->away = true;
  c->size = c->run.at;
  return HP_OK;
}

static hp_status copy_line(condenser *c) {
  while (more(c) && *c->in.at != '\n') HP_TRY(copy(c, 1));
  return HP_OK;
}

/* The text behind a gap stays at the begin of a line, or behind one. */
static hp_status end_run(condenser *c) {
  const bool away = c->away;
  hp_ecl_gap run = c->run;
  c->run.at = -1;
  c->away = false;
  c->within = false;
  if (!away) return HP_OK;
  if (c->fresh) run.lines -= 1;
  if (c->taken == HP_ECL_RECORDS) run.bytes = c->position - run.offset;
  HP_TRY(grow((void **)&c->gap, c->gaps, &c->gap_capacity, sizeof *c->gap));
  c->gap[c->gaps++] = run;
  HP_TRY(put(c, MARK));
  return put(c, c->fresh ? '\n' : ' ');
}

static bool is_number(const char *c, int64_t n) {
  if (!is_digit(c[0]) && strchr("+-.", c[0]) == NULL) return false;
  for (int64_t k = 1; k < n; ++k)
    if (!is_digit(c[k]) && strchr("+-.*eEdD", c[k]) == NULL) return false;
  return true;
}

static hp_status copy_word(condenser *c) {
  const char *at = c->in.at;
  int64_t n = 0;
  while (n < HP_STREAM_AHEAD && !is_blank(at[n]) && strchr("/'\"", at[n]) == NULL && !at_comment(at + n)) ++n;
  if (n == HP_STREAM_AHEAD)
    return hp_fail(HP_ERR_DECK, "%s: a word of more than %d characters", c->in.path, HP_STREAM_AHEAD - 1);
  if (!is_number(at, n) && c->taken != HP_ECL_RECORDS) {
    HP_TRY(end_run(c));
  } else {
    c->within = true;
    if (c->run.at < 0) c->run = (hp_ecl_gap){.at = c->size, .offset = c->position};
    c->run.words += 1;
  }
  c->fresh = false;
  return copy(c, n);
}

static hp_status copy_quoted(condenser *c) {
  const char quote = *c->in.at;
  if (c->taken != HP_ECL_RECORDS || c->run.at < 0) HP_TRY(end_run(c));
  c->fresh = false;
  HP_TRY(copy(c, 1));
  while (more(c) && *c->in.at != quote && *c->in.at != '\n') HP_TRY(copy(c, 1));
  return more(c) && *c->in.at == quote ? copy(c, 1) : HP_OK;
}

/* A line that begins with a letter has no data of a keyword before, and none of its own. */
static hp_status copy_keyword(condenser *c) {
  hp_ecl_token name = {.kind = HP_ECL_WORD, .count = 1, .text = c->in.at};
  HP_TRY(end_run(c));
  while (name.length <= HP_ECL_KEYWORD && !at_comment(name.text + name.length) &&
         (is_letter(name.text[name.length]) || is_digit(name.text[name.length]) ||
          (name.text[name.length] != '\0' && strchr("+-_", name.text[name.length]) != NULL)))
    name.length += 1;
  c->taken = c->takes(&name);
  c->fresh = false;
  return copy_line(c);
}

static hp_status copy_next(condenser *c) {
  const char letter = *c->in.at;
  if (letter == '\n') {
    c->fresh = true;
    return copy(c, 1);
  }
  if (is_blank(letter)) return copy(c, 1);
  if (at_comment(c->in.at)) return copy_line(c);
  if (letter == '/') {
    if (c->taken != HP_ECL_RECORDS || !c->within) HP_TRY(end_run(c));
    c->within = false;
    c->fresh = false;
    return copy_line(c);
  }
  if (letter == '\'' || letter == '"') return copy_quoted(c);
  return c->fresh && is_letter(letter) ? copy_keyword(c) : copy_word(c);
}

hp_status hp_ecl_condense(const char *path, hp_ecl_gaps_of (*takes)(const hp_ecl_token *keyword), char **text,
                          int64_t *size, hp_ecl_gap **gap, int64_t *gaps) {
  condenser c = {.takes = takes, .fresh = true, .run = {.at = -1}};
  hp_status s = hp_stream_open(path, &c.in);
  while (s == HP_OK && more(&c)) s = copy_next(&c);
  if (s == HP_OK) s = end_run(&c);
  if (s == HP_OK) s = put(&c, '\0');
  const hp_status closed = hp_stream_close(&c.in);
  if (s == HP_OK) s = closed;
  if (s != HP_OK) {
    HP_FREE(c.text);
    HP_FREE(c.gap);
    return s;
  }
  *text = c.text;
  *size = c.size - 1;
  *gap = c.gap;
  *gaps = c.gaps;
  return HP_OK;
}
