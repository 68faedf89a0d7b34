/* Files of report steps, unformatted and formatted. The first are drawn in io/results/eclipse/eclipse.h; the second are
 * the same as text: 'NAME    ' count 'TYPE', then the values, as many as there are. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/eclipse/restart/restart.h"
#include "io/files/text.h"

static const char *const wanted[] = {
#define NAME(name) #name,
    HP_ECL_STEP_LIST(NAME)
#undef NAME
};

typedef struct {
  const char *path;
  FILE *f;
  bool formatted;
  int64_t size; /* of the file, bytes */
} source;

/* The head of an array. */
typedef struct {
  char name[9], type[5]; /* without blanks behind them */
  int64_t count;
  int size; /* bytes an element in unformatted files */
} head;

static hp_status torn(const source *s, const char *what) {
  return hp_fail(HP_ERR_FILE, "%s: not a whole Eclipse file: %s near byte %lld", s->path, what,
                 (long long)ftello(s->f));
}

static void trim(char *text) {
  size_t n = strlen(text);
  while (n > 0 && isspace((unsigned char)text[n - 1])) text[--n] = '\0';
}

static int32_t integer_at(const uint8_t *b) {
  return (int32_t)((uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]);
}

/* Bytes of an element: 0 of MESS, N of C0NN, -1 of what no such file has. */
static int size_of(const char *type) {
  static const struct {
    const char *type;
    int size;
  } known[] = {{"INTE", 4}, {"REAL", 4}, {"DOUB", 8}, {"LOGI", 4}, {"CHAR", 8}, {"MESS", 0}};
  for (size_t n = 0; n < sizeof known / sizeof *known; ++n)
    if (strcmp(known[n].type, type) == 0) return known[n].size;
  const int letters = type[0] == 'C' ? atoi(type + 1) : 0;
  return letters > 0 ? letters : -1;
}

static hp_status check_head(const source *s, head *h) {
  trim(h->name);
  h->size = size_of(h->type);
  if (h->size < 0) return torn(s, "a type that it cannot have");
  const int64_t least = s->formatted ? 2 : h->size; /* bytes of the file an element takes at least */
  if (h->count < 0 || (least > 0 && h->count > s->size / least)) return torn(s, "an array longer than the file");
  return HP_OK;
}

/* ---- unformatted ---- */

static hp_status read_head_binary(const source *s, head *h, bool *more) {
  uint8_t b[24];
  const size_t got = fread(b, 1, sizeof b, s->f);
  *more = got > 0;
  if (got == 0 && !ferror(s->f)) return HP_OK;
  if (got < sizeof b || integer_at(b) != 16 || integer_at(b + 20) != 16) return torn(s, "the head of an array");
  memcpy(h->name, b + 4, 8);
  h->name[8] = '\0';
  h->count = integer_at(b + 12);
  memcpy(h->type, b + 16, 4);
  h->type[4] = '\0';
  return check_head(s, h);
}

static double number_at(const uint8_t *b, const char *type) {
  if (strcmp(type, "REAL") == 0) {
    const int32_t bits = integer_at(b);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
  }
  if (strcmp(type, "DOUB") == 0) {
    const uint64_t bits = (uint64_t)(uint32_t)integer_at(b) << 32 | (uint32_t)integer_at(b + 4);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
  }
  return integer_at(b);
}

/* How far an array has been read: elements, and those that are left of a record of so many bytes. */
typedef struct {
  int64_t done, left, length;
} progress;

static hp_status begin_record(const source *s, const head *h, progress *p) {
  uint8_t mark[4];
  if (fread(mark, 1, 4, s->f) != 4) return torn(s, h->name);
  p->length = integer_at(mark);
  p->left = p->length / h->size;
  return p->length <= 0 || p->length % h->size != 0 || p->left > h->count - p->done ? torn(s, h->name) : HP_OK;
}

/* `count` elements of the record are done. */
static hp_status pass(const source *s, const head *h, progress *p, int64_t count) {
  uint8_t mark[4];
  p->done += count;
  p->left -= count;
  if (p->left > 0) return HP_OK;
  return fread(mark, 1, 4, s->f) != 4 || integer_at(mark) != p->length ? torn(s, h->name) : HP_OK;
}

/* The next `count` elements, into value or text, or past them where both are NULL. */
static hp_status read_binary(const source *s, const head *h, progress *p, int64_t count, double *value,
                             char (*text)[9]) {
  enum { MOST = 65536 };
  uint8_t b[MOST];
  for (int64_t n = 0; h->size > 0 && n < count;) {
    if (p->left == 0) HP_TRY(begin_record(s, h, p));
    const bool skips = value == NULL && text == NULL;
    int64_t some = p->left < count - n ? p->left : count - n;
    if (!skips && some > MOST / h->size) some = MOST / h->size;
    const size_t bytes = (size_t)(some * h->size);
    if (some == 0) return torn(s, h->name);
    if (skips ? fseeko(s->f, (off_t)bytes, SEEK_CUR) != 0 : fread(b, 1, bytes, s->f) != bytes) return torn(s, h->name);
    for (int64_t k = 0; !skips && k < some; ++k) {
      if (value != NULL) value[n + k] = number_at(b + k * h->size, h->type);
      if (text == NULL) continue;
      memcpy(text[n + k], b + k * h->size, 8);
      text[n + k][8] = '\0';
      trim(text[n + k]);
    }
    HP_TRY(pass(s, h, p, some));
    n += some;
  }
  return HP_OK;
}

/* ---- formatted ---- */

/* The next word, without its quotes; false: the file's end. */
static bool read_word(FILE *f, char *out, size_t size) {
  int c = fgetc(f);
  size_t n = 0;
  while (c != EOF && isspace(c)) c = fgetc(f);
  if (c == EOF) return false;
  const bool quoted = c == '\'';
  if (quoted) c = fgetc(f);
  for (; c != EOF && (quoted ? c != '\'' && c != '\n' : !isspace(c)); c = fgetc(f))
    if (n + 1 < size) out[n++] = (char)c;
  out[n] = '\0';
  return true;
}

static hp_status read_head_text(const source *s, head *h, bool *more) {
  char count[32], *end;
  *more = read_word(s->f, h->name, sizeof h->name);
  if (!*more) return HP_OK;
  if (!read_word(s->f, count, sizeof count) || !read_word(s->f, h->type, sizeof h->type))
    return torn(s, "the head of an array");
  h->count = strtoll(count, &end, 10);
  return end == count || *end != '\0' ? torn(s, "the head of an array") : check_head(s, h);
}

static hp_status read_text(const source *s, const head *h, int64_t count, double *value, char (*text)[9]) {
  char word[128];
  for (int64_t n = 0; h->size > 0 && n < count; ++n) {
    if (!read_word(s->f, word, sizeof word)) return torn(s, h->name);
    if (text != NULL) {
      snprintf(text[n], sizeof *text, "%.8s", word);
      trim(text[n]);
    }
    if (value == NULL) continue;
    char *end = word;
    for (char *c = word; *c != '\0'; ++c)
      if (*c == 'D' || *c == 'd') *c = 'E';
    if (strcmp(h->type, "LOGI") == 0) value[n] = word[0] == 'T';
    else value[n] = strcmp(h->type, "REAL") == 0 ? strtof(word, &end) : strtod(word, &end);
    if (end == word && strcmp(h->type, "LOGI") != 0) return torn(s, h->name);
  }
  return HP_OK;
}

/* ---- files ---- */

static hp_status read_head(const source *s, head *h, bool *more) {
  return s->formatted ? read_head_text(s, h, more) : read_head_binary(s, h, more);
}

static hp_status read_array(const source *s, const head *h, double *value, char (*text)[9]) {
  progress p = {0};
  return s->formatted ? read_text(s, h, h->count, value, text) : read_binary(s, h, &p, h->count, value, text);
}

static hp_status open_source(const char *path, bool formatted, source *s) {
  *s = (source){.path = path, .formatted = formatted};
  HP_TRY(hp_file_open(path, &s->f, NULL));
  if (fseeko(s->f, 0, SEEK_END) == 0) s->size = ftello(s->f);
  rewind(s->f);
  return HP_OK;
}

/* ICAQNUM, ICAQ, SCAQ: once for each aquifer. *done: it was one of them. */
static hp_status keep_faces(const source *s, const head *h, hp_ecl_step *out, bool *done) {
  static const char *const part[] = {"ICAQ", "SCAQ"};
  hp_ecl_step_faces *last = out->faces_count > 0 ? &out->faces[out->faces_count - 1] : NULL;
  *done = strcmp(h->name, "ICAQNUM") == 0 && h->count == 1 && h->type[0] == 'I';
  if (*done) {
    double number;
    HP_TRY(read_array(s, h, &number, NULL));
    HP_TRY(HP_GROW(out->faces, out->faces_count, 1));
    out->faces[out->faces_count++] = (hp_ecl_step_faces){.number = (int)number};
    return HP_OK;
  }
  for (int n = 0; n < 2 && !*done && last != NULL; ++n) {
    *done = strcmp(h->name, part[n]) == 0 && last->value[n] == NULL && (h->type[0] == 'I' || h->type[0] == 'R');
    if (!*done) continue;
    HP_TRY(HP_ALLOC(last->value[n], h->count));
    last->count[n] = h->count;
    return read_array(s, h, last->value[n], NULL);
  }
  return HP_OK;
}

static const char *const of_cells[] = {
#define NAME(name) #name,
    HP_ECL_STEP_CELLS_LIST(NAME)
#undef NAME
};

/* It stays in the file. *done: it was one of those that are wanted. */
static hp_status keep_cells(const source *s, const head *h, hp_ecl_step_cells_array which, hp_ecl_step *out,
                            bool *done) {
  hp_ecl_step_cells *a = &out->cells[which];
  *done = strcmp(of_cells[which], h->name) == 0 && h->type[0] != 'C' && h->size > 0 && a->offset == 0;
  if (!*done) return HP_OK;
  *a = (hp_ecl_step_cells){h->count, ftello(s->f), s->size, h->size, s->formatted, {0}, {0}};
  memcpy(a->name, h->name, sizeof a->name);
  memcpy(a->type, h->type, sizeof a->type);
  return read_array(s, h, NULL, NULL);
}

/* An array of the step, of which the first of a name counts: those of refined parts of the grid stand behind it. */
static hp_status keep(const source *s, const head *h, hp_ecl_step *out) {
  const bool text = h->type[0] == 'C';
  int at = 0;
  bool done;
  HP_TRY(keep_faces(s, h, out, &done));
  if (!done) HP_TRY(keep_cells(s, h, HP_ECL_STEP_CELLS_PRESSURE, out, &done));
  if (!done) HP_TRY(keep_cells(s, h, HP_ECL_STEP_CELLS_SWAT, out, &done));
  if (!done) HP_TRY(keep_cells(s, h, HP_ECL_STEP_CELLS_SGAS, out, &done));
  if (!done) HP_TRY(keep_cells(s, h, HP_ECL_STEP_CELLS_SOMAX, out, &done));
  if (done) return HP_OK;
  while (at < HP_ECL_STEP_ARRAYS && strcmp(wanted[at], h->name) != 0) ++at;
  const bool of_use = at < HP_ECL_STEP_ARRAYS && out->value[at] == NULL && text == (at == HP_ECL_STEP_ZWEL) &&
                      !(text && (out->name != NULL || h->size != 8));
  if (!of_use) return read_array(s, h, NULL, NULL);
  if (text) HP_TRY(HP_ALLOC(out->name, h->count));
  else HP_TRY(HP_ALLOC(out->value[at], h->count));
  out->count[at] = h->count;
  return read_array(s, h, out->value[at], text ? out->name : NULL);
}

/* Reports that a unified file has, for the message about one that it has not. */
typedef struct {
  int count, first, last;
} reports;

static hp_status read_number(const source *s, const head *h, int *number) {
  double value = -1.0;
  if (h->count != 1 || strcmp(h->type, "INTE") != 0) return torn(s, h->name);
  HP_TRY(read_array(s, h, &value, NULL));
  *number = (int)value;
  return HP_OK;
}

static hp_status read_step(const source *s, bool unified, int report, hp_ecl_step *out) {
  reports has = {0};
  bool inside = !unified, found = !unified, more;
  head h;
  for (;;) {
    HP_TRY(read_head(s, &h, &more));
    if (!more) break;
    if (strcmp(h.name, "SEQNUM") == 0) {
      int number = -1;
      HP_TRY(read_number(s, &h, &number));
      if (has.count++ == 0) has.first = number;
      has.last = number;
      if (unified && found) return HP_OK;
      inside = inside || number == report;
      found = inside;
    } else if (inside) HP_TRY(keep(s, &h, out));
    else HP_TRY(read_array(s, &h, NULL, NULL));
  }
  if (found) return HP_OK;
  if (has.count == 0) return hp_fail(HP_ERR_FILE, "%s: has no report steps (SEQNUM)", s->path);
  return hp_fail(HP_ERR_FILE, "%s: has no report step %d, of its %d the first is %d and the last is %d", s->path,
                 report, has.count, has.first, has.last);
}

hp_status hp_ecl_step_read(const char *path, bool formatted, bool unified, int report, hp_ecl_step *out) {
  source s;
  HP_TRY(open_source(path, formatted, &s));
  const hp_status status = read_step(&s, unified, report, out);
  fclose(s.f);
  return status;
}

static hp_status find_active(const source *s, hp_ecl_step *out) {
  bool more, done;
  head h;
  for (;;) {
    HP_TRY(read_head(s, &h, &more));
    if (!more) return HP_OK;
    if (strcmp(h.name, "ACTNUM") != 0 || strcmp(h.type, "INTE") != 0) {
      HP_TRY(read_array(s, &h, NULL, NULL));
      continue;
    }
    return keep_cells(s, &h, HP_ECL_STEP_CELLS_ACTNUM, out, &done);
  }
}

hp_status hp_ecl_step_active(const char *path, hp_ecl_step *out) {
  source s;
  HP_TRY(open_source(path, false, &s));
  const hp_status status = find_active(&s, out);
  fclose(s.f);
  return status;
}

void hp_ecl_step_clear(hp_ecl_step *s) {
  for (int n = 0; n < HP_ECL_STEP_ARRAYS; ++n) HP_FREE(s->value[n]);
  for (int n = 0; n < s->faces_count; ++n)
    for (int k = 0; k < 2; ++k) HP_FREE(s->faces[n].value[k]);
  HP_FREE(s->faces);
  HP_FREE(s->name);
}

/* ---- arrays of cells ---- */

struct hp_ecl_cells_stream {
  source s;
  head h;
  progress p;
};

hp_status hp_ecl_cells_open(const char *path, const hp_ecl_step_cells *a, hp_ecl_cells_stream **out) {
  hp_ecl_cells_stream *c = NULL;
  *out = NULL;
  HP_TRY(HP_ALLOC(c, 1));
  hp_status s = open_source(path, a->formatted, &c->s);
  c->h = (head){.count = a->count, .size = a->width};
  memcpy(c->h.name, a->name, sizeof a->name);
  memcpy(c->h.type, a->type, sizeof a->type);
  if (s == HP_OK && (c->s.size != a->size || fseeko(c->s.f, (off_t)a->offset, SEEK_SET) != 0))
    s = hp_fail(HP_ERR_FILE, "%s: was changed while it was read", path);
  *out = c;
  if (s != HP_OK) hp_ecl_cells_close(out);
  return s;
}

hp_status hp_ecl_cells_next(hp_ecl_cells_stream *c, int64_t count, double *to) {
  return c->s.formatted ? read_text(&c->s, &c->h, count, to, NULL) : read_binary(&c->s, &c->h, &c->p, count, to, NULL);
}

void hp_ecl_cells_close(hp_ecl_cells_stream **slot) {
  if (*slot == NULL) return;
  if ((*slot)->s.f != NULL) fclose((*slot)->s.f);
  HP_FREE(*slot);
}

/* ---- items ---- */

/* Items of INTEHEAD: how many wells and connections there are, and entries of each. */
enum { NWELLS = 16, NCWMAX = 17, NIWEL = 24, NSWEL = 25, NXWEL = 26, NZWEL = 27, NICON = 32, NSCON = 33 };

double hp_ecl_step_head(const hp_ecl_step *s, hp_ecl_step_array which, int at) {
  return s->value[which] != NULL && at < s->count[which] ? s->value[which][at] : 0.0;
}

static int64_t head_count(const hp_ecl_step *s, int at) {
  const double n = hp_ecl_step_head(s, HP_ECL_STEP_INTEHEAD, at);
  return n > 0.0 ? (int64_t)n : 0;
}

/* How many entries a well or a connection has in an array. */
static int64_t stride_of(const hp_ecl_step *s, hp_ecl_step_array which) {
  switch (which) {
    case HP_ECL_STEP_IWEL: return head_count(s, NIWEL);
    case HP_ECL_STEP_SWEL: return head_count(s, NSWEL);
    case HP_ECL_STEP_XWEL: return head_count(s, NXWEL);
    case HP_ECL_STEP_ZWEL: return head_count(s, NZWEL);
    case HP_ECL_STEP_ICON: return head_count(s, NICON);
    default: return head_count(s, NSCON);
  }
}

static double item(const hp_ecl_step *s, hp_ecl_step_array which, int64_t row, int at) {
  const int64_t stride = stride_of(s, which), place = row * stride + at;
  return s->value[which] != NULL && at < stride && place < s->count[which] ? s->value[which][place] : 0.0;
}

double hp_ecl_step_well(const hp_ecl_step *s, hp_ecl_step_array which, int well, int at) {
  return item(s, which, well, at);
}

double hp_ecl_step_connection(const hp_ecl_step *s, hp_ecl_step_array which, int well, int connection, int at) {
  const int64_t most = head_count(s, NCWMAX);
  return connection < most ? item(s, which, well * most + connection, at) : 0.0;
}

int hp_ecl_step_wells(const hp_ecl_step *s) {
  const int64_t said = head_count(s, NWELLS), stride = stride_of(s, HP_ECL_STEP_ZWEL);
  const int64_t named = stride > 0 && s->name != NULL ? s->count[HP_ECL_STEP_ZWEL] / stride : 0;
  return (int)(said < named ? said : named);
}

const char *hp_ecl_step_name(const hp_ecl_step *s, int well) { return s->name[well * stride_of(s, HP_ECL_STEP_ZWEL)]; }
