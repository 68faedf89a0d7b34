/* Files of a deck whose cells are spread over ranks: rank 0 opens them, and all ranks get their text without the numbers of
 * cells, which follow piece by piece when they are asked for. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/eclipse/impl.h"
#include "io/files/stream.h"
#include "io/files/text.h"

hp_status hp_ecl_no_planes(hp_ecl *e, const char *what) {
  char text[sizeof e->c->whole];
  snprintf(text, sizeof text, "%s%s%s", e->name, e->name[0] != '\0' && what[0] != '\0' ? " " : "", what);
  if (e->c->whole[0] == '\0') memcpy(e->c->whole, text, sizeof text);
  return hp_spread_refuse(e->c->spread, text);
}

/* ---- the text ---- */

/* Those whose handlers know gaps or keep the records of their cells alone, and those whose data nobody looks at. */
static hp_ecl_gaps_of gaps_of(const hp_ecl_token *keyword) {
  const hp_ecl_keyword_entry *entry = hp_ecl_find(keyword);
  if (entry == NULL) return HP_ECL_NO_GAPS;
  if (entry->handler == hp_ecl_do_nnc || entry->handler == hp_ecl_do_aquancon) return HP_ECL_RECORDS;
  const bool corners = entry->handler == hp_ecl_do_coord || entry->handler == hp_ecl_do_zcorn;
  const bool skipped = entry->fate == HP_ECL_SKIPPED && entry->shape == HP_ECL_RECORD;
  return corners || skipped || entry->handler == hp_ecl_do_cells ? HP_ECL_NUMBERS : HP_ECL_NO_GAPS;
}

/* As it is sent; size < 0: there is no such text, for a reason that one process tells. */
typedef struct {
  int64_t size, gaps;
} announcement;

hp_status hp_ecl_open_all(hp_ecl *e, const char *path, const char *file) {
  hp_spread *P = e->c->spread;
  announcement a = {-1, 0};
  char *text = NULL;
  hp_ecl_gap *gap = NULL;
  if (P == NULL) return hp_ecl_open(&e->lexer, path, file);
  hp_status read = HP_OK;
  if (hp_spread_opens_files(P)) read = hp_ecl_condense(path, gaps_of, &text, &a.size, &gap, &a.gaps);
  hp_status s = read == HP_OK || read == HP_ERR_FILE || read == HP_ERR_DECK ? HP_OK : read;
  if (s == HP_OK) s = hp_spread_share(P, &a, sizeof a);
  if (s == HP_OK && a.size < 0) s = hp_spread_refuse(P, HP_SPREAD_ERRORS);
  if (s == HP_OK && text == NULL) s = hp_alloc((void **)&text, a.size + 1, 1, "text of the deck");
  if (s == HP_OK && gap == NULL) s = HP_ALLOC(gap, a.gaps);
  if (s == HP_OK) s = hp_spread_share(P, text, a.size + 1);
  if (s == HP_OK) s = hp_spread_share(P, gap, a.gaps * (int64_t)sizeof *gap);
  if (s == HP_OK) return hp_ecl_push(&e->lexer, text, a.size, a.gaps, gap, file);
  HP_FREE(text);
  HP_FREE(gap);
  return s;
}

hp_status hp_ecl_share_path(hp_ecl *e, hp_status found, char **path) {
  hp_spread *P = e->c->spread;
  int64_t size = found == HP_OK && *path != NULL ? (int64_t)strlen(*path) + 1 : 0;
  if (P == NULL || (found != HP_OK && found != HP_ERR_DECK)) return found;
  HP_TRY(hp_spread_share(P, &size, sizeof size));
  if (size == 0) return hp_spread_refuse(P, HP_SPREAD_ERRORS);
  if (*path == NULL) HP_TRY(hp_alloc((void **)path, size, 1, "path of a file"));
  return hp_spread_share(P, *path, size);
}

/* ---- records ---- */

enum { RECORDS = 1 << 16 /* bytes of records that are sent at once */ };

/* Whole records at the begin of a text: their bytes, with the rest of the last line. */
static int64_t whole_records(const char *text, int64_t size) {
  int64_t end = 0;
  char quote = '\0';
  for (int64_t n = 0; n < size; ++n) {
    const bool comment = quote == '\0' && text[n] == '-' && n + 1 < size && text[n + 1] == '-', slash = text[n] == '/';
    if (quote != '\0') {
      if (text[n] == quote || text[n] == '\n') quote = '\0';
    } else if (text[n] == '\'' || text[n] == '"') {
      quote = text[n];
    } else if (comment || slash) {
      const char *line = memchr(text + n, '\n', (size_t)(size - n));
      if (line == NULL) return end; /* the line goes on behind this text */
      n = line - text;
      if (slash) end = n + 1;
    }
  }
  return end;
}

/* The next records of the gap's text in `piece`, which is read from rank 0's file; *size < 0: they cannot be. */
static hp_status next_records(hp_ecl *e, FILE *f, int64_t left, char *piece, int64_t *size) {
  hp_spread *P = e->c->spread;
  const int64_t wanted = left < RECORDS ? left : RECORDS;
  if (hp_spread_opens_files(P)) {
    const bool read = f != NULL && (int64_t)fread(piece, 1, (size_t)wanted, f) == wanted;
    *size = !read ? -1 : wanted == left ? left : whole_records(piece, wanted);
    if (*size == 0 || (read && fseeko(f, (off_t)(*size - wanted), SEEK_CUR) != 0)) *size = -1;
  }
  HP_TRY(hp_spread_share(P, size, sizeof *size));
  if (*size < 0) return hp_spread_refuse(P, HP_SPREAD_ERRORS);
  HP_TRY(hp_spread_share(P, piece, *size));
  piece[*size] = '\0';
  return HP_OK;
}

hp_status hp_ecl_read_gap_records(hp_ecl *e, const hp_ecl_gap *gap, int line, hp_status (*read)(hp_ecl *e)) {
  char *piece = NULL;
  int64_t size = 0;
  FILE *f = hp_spread_opens_files(e->c->spread) ? fopen(e->lexer.source[e->lexer.depth - 1].file, "rb") : NULL;
  if (f != NULL && fseeko(f, (off_t)gap->offset, SEEK_SET) != 0) {
    fclose(f);
    f = NULL;
  }
  hp_status s = HP_ALLOC_UNSET(piece, RECORDS + 1);
  for (int64_t at = 0; at < gap->bytes && s == HP_OK; at += size) {
    hp_ecl_source kept;
    s = next_records(e, f, gap->bytes - at, piece, &size);
    if (s != HP_OK) break;
    hp_ecl_replace_text(&e->lexer, piece, size, line, &kept);
    while (s == HP_OK && hp_ecl_has_more(&e->lexer)) s = read(e);
    hp_ecl_restore_text(&e->lexer, &kept);
    for (int64_t n = 0; n < size; ++n) line += piece[n] == '\n';
  }
  if (f != NULL) fclose(f);
  HP_FREE(piece);
  return s;
}

/* ---- numbers ---- */

enum { PIECE = 1 << 13 /* numbers that are sent at once */ };

hp_status hp_ecl_gap_open(hp_ecl *e, const hp_ecl_token *t, hp_ecl_gap_numbers *g) {
  memset(g, 0, sizeof *g);
  g->P = e->c->spread;
  g->words = t->gap->words;
  HP_TRY(HP_ALLOC_UNSET(g->value, PIECE));
  if (!hp_spread_opens_files(g->P)) return HP_OK;
  HP_TRY(hp_stream_open(t->file, &g->in));
  return fseeko(g->in.file, (off_t)t->gap->offset, SEEK_SET) == 0
             ? HP_OK
             : hp_fail(HP_ERR_FILE, "%s: cannot be read to its end", t->file);
}

/* To the next word, past blanks and comments. */
static bool skip_blanks(hp_stream *in) {
  while (hp_stream_more(in) || in->at < in->text + in->size) {
    if (in->at[0] == '-' && in->at[1] == '-')
      while (hp_stream_more(in) && *in->at != '\n') ++in->at;
    else if ((unsigned char)*in->at <= ' ' || *in->at == ',') ++in->at;
    else return true;
  }
  return false;
}

/* The next word by the rules of the lexer. */
static bool next_word(hp_ecl_gap_numbers *g) {
  hp_diag dropped;
  hp_ecl_lexer one = {.diag = &dropped, .depth = 1};
  hp_ecl_token t;
  double x = NAN;
  if (!skip_blanks(&g->in)) return false;
  const int64_t left = g->in.text + g->in.size - g->in.at;
  one.source[0] = (hp_ecl_source){.text = (char *)(uintptr_t)g->in.at,
                                  .size = left < HP_STREAM_AHEAD ? left : HP_STREAM_AHEAD};
  hp_diag_init(&dropped);
  const bool sound = hp_ecl_next(&one, &t) == HP_OK && (t.defaulted || hp_ecl_number(&t, &x));
  hp_diag_clear(&dropped);
  g->in.at += one.source[0].at;
  g->words -= 1;
  g->repeat = t.count;
  g->repeated = t.defaulted ? NAN : x;
  return sound;
}

/* Numbers into the piece until it is full, or there are no more. */
static bool fill(hp_ecl_gap_numbers *g) {
  g->count = 0;
  while (g->count < PIECE) {
    if (g->repeat == 0 && g->words == 0) return true;
    if (g->repeat == 0 && !next_word(g)) return false;
    for (; g->repeat > 0 && g->count < PIECE; --g->repeat) g->value[g->count++] = g->repeated;
  }
  return true;
}

hp_status hp_ecl_gap_next(hp_ecl_gap_numbers *g) {
  if (hp_spread_opens_files(g->P) && !fill(g)) return hp_spread_refuse(g->P, HP_SPREAD_ERRORS);
  HP_TRY(hp_spread_share(g->P, &g->count, sizeof g->count));
  return hp_spread_share(g->P, g->value, g->count * (int64_t)sizeof *g->value);
}

void hp_ecl_gap_close(hp_ecl_gap_numbers *g) {
  const hp_status s = hp_stream_close(&g->in); /* a file that cannot be read to its end has had too few words */
  (void)s;
  HP_FREE(g->value);
}
