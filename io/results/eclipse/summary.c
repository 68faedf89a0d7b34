/* NAME.SMSPEC says which vectors there are, NAME.UNSMRY has their values, a time step after the other.
 *
 * The vectors are the columns of the summary's table, whose names say what they are: F..., TIME and the like of the
 * field, W...:WELL of a well, R...:number of a region, A... of an aquifer, C...:WELL:i,j,k of a connection, S...:WELL:number of a segment, B...:i,j,k of a cell. Of columns that hold texts only
 * WMCTL has numbers in Eclipse; "YEARS" follows from the time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/results/eclipse/eclipse.h"

static const char NOBODY[] = ":+:+:+:+";
static const double DAYS_A_YEAR = 365.25, DAY = 86400.0;

typedef struct {
  hp_ebin_name keyword, wgname, unit;
  int32_t num;
} vector;

/* ---- what a column is ---- */

static void copy_name(hp_ebin_name to, const char *from, size_t length) {
  if (length > HP_EBIN_NAME) length = HP_EBIN_NAME;
  memcpy(to, from, length);
  to[length] = '\0';
}

/* The well's name as these files have it. */
static void well_name(const hp_ebin_out *e, const char *name, size_t length, hp_ebin_name out) {
  for (int w = 0; w < e->nwell; ++w)
    if (strlen(e->name[w]) == length && strncmp(e->name[w], name, length) == 0)
      memcpy(out, e->well[w], sizeof(hp_ebin_name));
}

/* "i,j,k", from 1, as one number, i fastest. */
static int32_t block_number(const hp_grid *g, const char *text) {
  int i = 1, j = 1, k = 1;
  sscanf(text, "%d,%d,%d", &i, &j, &k);
  return (int32_t)(i + (int64_t)g->nx * (j - 1 + (int64_t)g->ny * (k - 1)));
}

static void split(const hp_ebin_out *e, const char *name, vector *v) {
  const char *first = strchr(name, ':');
  copy_name(v->keyword, name, first != NULL ? (size_t)(first - name) : strlen(name));
  copy_name(v->wgname, NOBODY, strlen(NOBODY));
  v->num = 0;
  if (first == NULL) return;
  const char *rest = first + 1;
  switch (name[0]) {
    case 'A':
    case 'R': v->num = atoi(rest); return;
    case 'B': v->num = block_number(e->c->grid, rest); return;
    case 'C': {
      const char *last = strrchr(rest, ':'); /* a well's name may have one */
      v->num = block_number(e->c->grid, last + 1);
      well_name(e, rest, (size_t)(last - rest), v->wgname);
      return;
    }
    case 'S': {
      const char *last = strrchr(rest, ':');
      v->num = atoi(last + 1);
      well_name(e, rest, (size_t)(last - rest), v->wgname);
      return;
    }
    default: well_name(e, rest, strlen(rest), v->wgname);
  }
}

/* The files' unit for one of the deck's, and the factor between them: 1 unless the deck is in SI units. */
static double convert_unit(const hp_ebin_out *e, const char *unit, hp_ebin_name out) {
  const hp_units *from = &e->c->units;
  copy_name(out, unit, strlen(unit));
  if (from->system == e->units.system || unit[0] == '\0') return 1.0;
  for (int q = 1; q < HP_UNIT_COUNT; ++q)
    if (strcmp(from->summary[q], unit) == 0) {
      copy_name(out, e->units.summary[q], strlen(e->units.summary[q]));
      return from->factor[q] / e->units.factor[q];
    }
  return 1.0;
}

static bool is_control(const hp_column *c) { return c->kind == HP_COLUMN_NAME && strncmp(c->name, "WMCTL:", 6) == 0; }

/* ---- NAME.SMSPEC ---- */

static void put_names(hp_ebin_bytes *b, const char *name, int count, const vector *v, size_t offset) {
  hp_ebin_name *text = NULL;
  if (b->status == HP_OK) b->status = HP_ALLOC(text, count);
  for (int n = 0; b->status == HP_OK && n < count; ++n) memcpy(text[n], (const char *)&v[n] + offset, sizeof text[n]);
  if (b->status == HP_OK) hp_ebin_put_text(b, name, count, text);
  HP_FREE(text);
}

static hp_status put_numbers(hp_ebin_bytes *b, int count, const vector *v) {
  int32_t *num = NULL;
  HP_TRY(HP_ALLOC(num, count));
  for (int n = 0; n < count; ++n) num[n] = v[n].num;
  hp_ebin_put_int(b, "NUMS", count, num);
  HP_FREE(num);
  return HP_OK;
}

static void put_vectors(hp_ebin_bytes *b, const hp_ebin_out *e, int count, const vector *v) {
  const hp_grid *g = e->c->grid;
  const hp_ebin_date start = hp_ebin_date_at(e->c, 0.0);
  const hp_ebin_name none[9] = {""};
  hp_ebin_put_int(b, "INTEHEAD", 2, (const int32_t[]){hp_ebin_unit_code(e), 100});
  hp_ebin_put_text(b, "RESTART", 9, none);
  hp_ebin_put_int(b, "DIMENS", 6, (const int32_t[]){count, g->nx, g->ny, g->nz, HP_EBIN_MARK, 0});
  put_names(b, "KEYWORDS", count, v, offsetof(vector, keyword));
  put_names(b, "WGNAMES", count, v, offsetof(vector, wgname));
  if (b->status == HP_OK) b->status = put_numbers(b, count, v);
  put_names(b, "UNITS", count, v, offsetof(vector, unit));
  hp_ebin_put_int(b, "STARTDAT", 6,
                  (const int32_t[]){start.day, start.month, start.year, start.hour, start.minute, start.microsecond});
}

hp_status hp_ebin_put_smspec(hp_ebin_bytes *b, hp_ebin_out *e, const hp_table *summary) {
  vector *v = NULL;
  HP_TRY(HP_ALLOC(e->column, summary->ncolumn));
  HP_TRY(HP_ALLOC(e->factor, summary->ncolumn));
  HP_TRY(HP_ALLOC(e->parameter, summary->ncolumn + 1));
  HP_TRY(HP_ALLOC(v, summary->ncolumn + 1));
  int count = 0;
  for (int n = 0; n < summary->ncolumn; ++n) {
    const hp_column *c = &summary->column[n];
    if (!hp_column_has_numbers(c) && !is_control(c)) continue;
    split(e, c->name, &v[count]);
    e->column[count] = n;
    e->factor[count] = convert_unit(e, c->unit, v[count].unit);
    count += 1;
  }
  v[count++] = (vector){.keyword = "YEARS", .wgname = ":+:+:+:+", .unit = "YEARS"};
  e->nvector = count;
  put_vectors(b, e, count, v);
  HP_FREE(v);
  return b->status;
}

/* ---- a time step of NAME.UNSMRY ---- */

/* Eclipse's number of a control; an injector's surface rate has that of its phase. */
static float control_number(const hp_ebin_out *e, const hp_column *c, const char *mode) {
  static const struct {
    const char *text;
    float number;
  } known[] = {{"ORAT", 1}, {"WRAT", 2}, {"LRAT", 4}, {"RESV", 5}, {"THP", 6}, {"BHP", 7}, {"GRUP", -1}};
  for (size_t n = 0; n < sizeof known / sizeof known[0]; ++n)
    if (strcmp(mode, known[n].text) == 0) return known[n].number;
  if (strcmp(mode, "RATE") != 0) return 0;
  for (int w = 0; w < e->nwell; ++w) {
    const hp_well_control *first = e->stepped ? NULL : hp_case_first_control(e->c, w);
    if (strcmp(e->name[w], c->name + 6) != 0) continue;
    return first != NULL ? first->phase == HP_OIL ? 1 : 2 : e->row[w].control == HP_CONTROL_ORAT ? 1 : 2;
  }
  return 2;
}

/* The report step of the deck that a time step ending at `time` belongs to. */
static int report_of(const hp_case *c, int report, double time) {
  if (report < 0) report = 0;
  while (report + 1 < c->nreport && c->report[report] < time * (1.0 - 1e-12)) report += 1;
  return report;
}

void hp_ebin_put_row(hp_ebin_bytes *b, hp_ebin_out *e, const hp_table *summary, int64_t r, double time) {
  const int report = report_of(e->c, e->report, time);
  if (report != e->report) hp_ebin_put_int(b, "SEQHDR", 1, (const int32_t[]){report + 1});
  e->report = report;
  for (int n = 0; n < e->nvector - 1; ++n) {
    const hp_column *c = &summary->column[e->column[n]];
    e->parameter[n] = hp_column_has_numbers(c) ? (float)(c->number[r] * e->factor[n])
                                               : control_number(e, c, c->text[r]);
  }
  e->parameter[e->nvector - 1] = (float)(time / (DAYS_A_YEAR * DAY));
  hp_ebin_put_int(b, "MINISTEP", 1, (const int32_t[]){e->nstep});
  hp_ebin_put_real(b, "PARAMS", e->nvector, e->parameter);
}
