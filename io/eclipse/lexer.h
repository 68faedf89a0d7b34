/* Words of an Eclipse deck.
 *
 *     -- a comment                          ends at the line's end
 *     COMPDAT   text behind it is ignored   a keyword: first word of a line
 *       'P1' 2* 1 7 OPEN 2*0.2 / ignored    items of a record, ended by '/'
 *     /                                     an empty record
 *
 * The reader asks for what it expects: hp_ecl_keyword between records,
 * hp_ecl_next inside them. Commas count as blanks; N*v repeats v, N* is N
 * defaults; quotes protect blanks, '/', '*' and '--'. Files stand on a stack
 * (INCLUDE); every file is read whole and stays in memory until its end is
 * passed, so the text of a token lives as long as its record is worked on.
 *
 * With cells spread over ranks a text has gaps: numbers of cells and long lists of records, such as those of NNC, are
 * left out and come from the file on demand (io/eclipse/spread).
 */
#ifndef HP_IO_ECLIPSE_LEXER_H
#define HP_IO_ECLIPSE_LEXER_H

#include "core/show.h"
#include "io/diag.h"

HP_EXTERN_C_BEGIN

enum { HP_ECL_DEPTH = 16, HP_ECL_FILES = 10000, HP_ECL_KEYWORD = 8 };

typedef enum {
  HP_ECL_END,    /* of the file, or of the deck where a keyword was asked for */
  HP_ECL_SLASH,  /* end of a record; the rest of its line is dropped */
  HP_ECL_WORD,   /* without quotes */
  HP_ECL_QUOTED, /* without its quotes */
  HP_ECL_GAP     /* words that are left out of the text */
} hp_ecl_kind;

/* Plain data that can be sent. */
typedef struct hp_ecl_gap {
  int64_t at;            /* the place in the text, of one character */
  int64_t offset, words; /* in the file, where the first word begins; how many they are */
  int64_t lines;         /* ends of lines among them */
  int64_t bytes;         /* of whole records; 0: numbers are left out */
} hp_ecl_gap;

/* Kinds of data of a keyword that may be left to gaps. */
typedef enum { HP_ECL_NO_GAPS, HP_ECL_NUMBERS, HP_ECL_RECORDS } hp_ecl_gaps_of;

typedef struct hp_ecl_token {
  hp_ecl_kind kind;
  int64_t count;    /* N of N*v and N*, else 1 */
  bool defaulted;   /* N*: no text */
  const char *text; /* [length], not ended by a zero */
  int length;
  const char *file;
  int line;
  const hp_ecl_gap *gap; /* of HP_ECL_GAP */
} hp_ecl_token;

typedef struct hp_ecl_source {
  char *text;       /* [size], then a zero */
  int64_t size, at; /* at: the next character */
  int line;         /* of `at`, from 1 */
  const char *file; /* kept by the caller */
  int64_t gaps;
  hp_ecl_gap *gap; /* [gaps] rising */
} hp_ecl_source;

typedef struct hp_ecl_lexer {
  hp_diag *diag;
  int depth;  /* files open */
  int opened; /* files read so far, each as often as it was */
  hp_ecl_source source[HP_ECL_DEPTH];
} hp_ecl_lexer;

/* Puts a file on the stack. `file` is its name for messages and must outlive
 * the lexer. HP_ERR_FILE: cannot be read; HP_ERR_DECK: too many files inside each other. */
hp_status hp_ecl_open(hp_ecl_lexer *lx, const char *path, const char *file) HP_MUST_USE;

/* Puts a text [size + 1], with its zero and its gaps, on the stack; the lexer owns it from then on. */
hp_status hp_ecl_push(hp_ecl_lexer *lx, char *text, int64_t size, int64_t gaps, hp_ecl_gap *gap,
                      const char *file) HP_MUST_USE;
/* Reads a file piece by piece, without numbers or records of HP_ECL_GAP_BYTES and more that follow keywords with gaps
 * (`takes`). HP_ERR_FILE if it cannot be read, HP_ERR_DECK for a word of thousands of characters. */
enum { HP_ECL_GAP_BYTES = 1024 };
hp_status hp_ecl_condense(const char *path, hp_ecl_gaps_of (*takes)(const hp_ecl_token *keyword), char **text,
                          int64_t *size, hp_ecl_gap **gap, int64_t *gaps) HP_MUST_USE;

/* Replaces the innermost file's text by text [size + 1], whose first line is `line`; hp_ecl_restore_text puts *kept
 * back. */
void hp_ecl_replace_text(hp_ecl_lexer *lx, char *text, int64_t size, int line, hp_ecl_source *kept);
void hp_ecl_restore_text(hp_ecl_lexer *lx, const hp_ecl_source *kept);
/* Whether the innermost file has more than blanks and comments left. */
bool hp_ecl_has_more(const hp_ecl_lexer *lx);
/* Whether a gap of records comes next; if so, passes over it and sets *gap and its first line *line. */
bool hp_ecl_pass_records_gap(hp_ecl_lexer *lx, hp_ecl_gap *gap, int *line);

/* Closes the innermost file (ENDINC), or all (END, clean-up). */
void hp_ecl_close(hp_ecl_lexer *lx);
void hp_ecl_close_all(hp_ecl_lexer *lx);

/* The next keyword: first word of a line, up to a blank, comma or '/'. Blank
 * lines and lone slashes are passed, files that end are closed. Afterwards the
 * lexer stands behind the keyword's line; `rest` receives what else is on it
 * (kind END: nothing, comments left out). HP_ERR_DECK: the line starts with
 * something that is no word (already reported). */
hp_status hp_ecl_keyword(hp_ecl_lexer *lx, hp_ecl_token *keyword, hp_ecl_token *rest) HP_MUST_USE;

/* The next item of a record. HP_ERR_DECK: malformed (already reported). */
hp_status hp_ecl_next(hp_ecl_lexer *lx, hp_ecl_token *token) HP_MUST_USE;

/* The next line that is neither blank nor a comment, whole, without the blanks
 * around it; kind END at the file's end. */
void hp_ecl_line(hp_ecl_lexer *lx, hp_ecl_token *line);

/* Whether the next line that is not blank starts with a word of at most HP_ECL_KEYWORD characters; consumes nothing. */
bool hp_ecl_peek(const hp_ecl_lexer *lx, hp_ecl_token *word);

/* Whether the last token read is alone on its line but for blanks and comments. */
bool hp_ecl_alone(const hp_ecl_lexer *lx, const hp_ecl_token *t);

/* The lexer's place in the innermost file. */
int64_t hp_ecl_position(const hp_ecl_lexer *lx);

/* Moves to the start of the line on which the lexer stands, unless that is
 * before position `floor` of the file: then nothing happens. */
void hp_ecl_line_start(hp_ecl_lexer *lx, int64_t floor);

/* Reads a number: digits, point, exponent with E, e, D or d. False if it is none, or too large. hp_ecl_integer takes
 * integers only. */
bool hp_ecl_number(const hp_ecl_token *t, double *out);
bool hp_ecl_integer(const hp_ecl_token *t, int64_t *out);

/* Compares without regard to case. */
bool hp_ecl_equals(const hp_ecl_token *t, const char *text);

/* The first letters of a word for messages, between quotes. Of files that the deck includes, which may be no decks, only
 * what is short or a number is shown, else how long it is. */
hp_shown hp_ecl_show(const hp_ecl_lexer *lx, const hp_ecl_token *t, const char *quote);

/* Copies the text with its zero; cut to size-1 characters. */
void hp_ecl_copy(const hp_ecl_token *t, char *out, size_t size);

HP_EXTERN_C_END

#endif
