/* NAME.steps/restart_000012.h5: all that a run needs to go on from a report
 * step. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/profile.h"
#include "io/results/impl.h"

enum { VERSION = 9, FINGERPRINT_DIGITS = 16 };

static const char *const dataset[HP_RESTART_TABLES] = {
#define HP_RESTART_TABLE_NAME(name, text) "/" text,
    HP_RESTART_TABLE_LIST(HP_RESTART_TABLE_NAME)
#undef HP_RESTART_TABLE_NAME
};

hp_arrays hp_restart_arrays(const hp_case *c, bool shown) {
  return hp_case_arrays(c) & (HP_ARRAY_BIT(HP_STATES) - 1) &
         ~(shown && c->timestep.accuracy > 0.0 ? 0 : HP_ARRAYS_SHOWN);
}

static bool has_cells(const hp_restart *r, int n) { return (r->has >> n & 1) != 0; }

void hp_restart_clear_cells(hp_restart *r) {
  for (int n = 0; n < HP_STATES; ++n) HP_FREE(r->cell[n]);
  if (r->file == NULL) return;
  hp_h5_discard(r->file);
  HP_FREE(r->file->path);
  HP_FREE(r->file);
}

void hp_restart_clear(hp_restart *r) {
  hp_restart_clear_cells(r);
  HP_FREE(r->base);
  for (int t = 0; t < HP_RESTART_TABLES; ++t) HP_FREE(r->rows[t].value);
  HP_FREE(r->fingerprint);
  HP_FREE(r->changes);
  *r = (hp_restart){.ncell = 0};
}

static hp_status copy_array(const double *from, int64_t count, double **to) {
  if (count == 0) return HP_OK;
  if (*to == NULL) HP_TRY(HP_ALLOC(*to, count));
  memcpy(*to, from, (size_t)count * sizeof **to);
  return HP_OK;
}

/* The sizes of what a run keeps do not change, but what was not there before. */
hp_status hp_restart_copy(const hp_restart *from, hp_restart *to) {
  to->step = from->step;
  to->time = from->time;
  to->ncell = from->ncell;
  for (int n = 0; n < HP_STATES; ++n) {
    const size_t bytes = (size_t)(from->ncell * hp_array_bytes((hp_array)n));
    if (from->cell[n] == NULL || bytes == 0) continue;
    if (to->cell[n] == NULL) HP_TRY(hp_alloc_unset(&to->cell[n], (int64_t)bytes, 1, hp_array_entries()[n].name));
    memcpy(to->cell[n], from->cell[n], bytes);
  }
  for (int t = 0; t < HP_RESTART_TABLES; ++t) {
    const hp_restart_rows *rows = &from->rows[t];
    double *value = to->rows[t].value;
    const hp_status s = copy_array(rows->value, rows->value != NULL ? rows->nrow * rows->ncolumn : 0, &value);
    to->rows[t] = *rows;
    to->rows[t].value = value;
    HP_TRY(s);
  }
  HP_FREE(to->changes);
  if (from->changes != NULL) HP_TRY(hp_format(&to->changes, "%s", from->changes));
  if (to->fingerprint == NULL) HP_TRY(HP_ALLOC(to->fingerprint, from->nfingerprint));
  to->nfingerprint = from->nfingerprint;
  if (from->nfingerprint > 0)
    memcpy(to->fingerprint, from->fingerprint, (size_t)from->nfingerprint * sizeof *to->fingerprint);
  return HP_OK;
}

hp_status hp_restart_path(const char *steps, int step, char **path) {
  return hp_format(path, "%s/restart_%06d.h5", steps, step);
}

/* ---- writing ---- */

static hp_status write_fingerprint(const hp_restart *r, hp_h5 *h) {
  char(*hex)[FINGERPRINT_DIGITS + 1] = NULL;
  const char **of = NULL, **value = NULL;
  hp_status s = HP_ALLOC(hex, r->nfingerprint);
  if (s == HP_OK) s = HP_ALLOC(of, r->nfingerprint);
  if (s == HP_OK) s = HP_ALLOC(value, r->nfingerprint);
  for (int n = 0; s == HP_OK && n < r->nfingerprint; ++n) {
    snprintf(hex[n], sizeof hex[n], "%016llx", (unsigned long long)r->fingerprint[n].value);
    of[n] = r->fingerprint[n].of;
    value[n] = hex[n];
  }
  if (s == HP_OK) s = hp_h5_strings(h, "/fingerprint_of", r->nfingerprint, of);
  if (s == HP_OK) s = hp_h5_strings(h, "/fingerprint", r->nfingerprint, value);
  HP_FREE(hex);
  HP_FREE(of);
  HP_FREE(value);
  return s;
}

/* Numbers as doubles: those of floats in memory of their own, *own. */
static hp_status as_doubles(hp_array a, int64_t ncell, void *cell, double **numbers, double **own) {
  *own = NULL;
  *numbers = cell;
  if (hp_array_entries()[a].type == HP_TYPE_double) return HP_OK;
  const int64_t count = hp_array_numbers(a) * ncell;
  HP_TRY(HP_ALLOC_UNSET(*own, count));
  for (int64_t n = 0; n < count; ++n) (*own)[n] = hp_array_number(a, cell, n);
  *numbers = *own;
  return HP_OK;
}

static hp_status write_array(const hp_restart *r, hp_array a, hp_h5 *h) {
  const hp_array_entry *e = &hp_array_entries()[a];
  const hp_h5_type type = e->type == HP_TYPE_float ? HP_H5_F32 : HP_H5_F64;
  double *numbers, *own;
  if (r->remote != NULL) return hp_remote_write_rows(h, r->remote, a, r->size, e->name, type, e->unit);
  HP_TRY(as_doubles(a, r->ncell, r->cell[a], &numbers, &own));
  const int64_t size[2] = {r->ncell, e->numbers};
  const hp_status s = hp_h5_array(h, e->name, type, e->numbers > 1 ? 2 : 1, size, numbers, e->unit);
  HP_FREE(own);
  return s;
}

/* Of several ranks the others hold the parts. */
static hp_status write_cells(const hp_restart *r, hp_h5 *h) {
  for (int n = 0; n < HP_STATES; ++n)
    if (r->remote != NULL ? has_cells(r, n) : r->cell[n] != NULL) HP_TRY(write_array(r, (hp_array)n, h));
  return HP_OK;
}

static hp_status write_restart(const hp_restart *r, hp_h5 *h) {
  HP_TRY(hp_h5_text(h, "/", "format", "hepta restart"));
  HP_TRY(hp_h5_integer(h, "/", "format_version", VERSION));
  HP_TRY(hp_h5_number(h, "/", "time", r->time));
  HP_TRY(hp_h5_integer(h, "/", "step", r->step));
  if (r->changes != NULL) HP_TRY(hp_h5_text(h, "/", "changes", r->changes));
  HP_TRY(write_cells(r, h));
  for (int t = 0; t < HP_RESTART_TABLES; ++t) {
    const hp_restart_rows *rows = &r->rows[t];
    if (rows->value == NULL) continue;
    HP_TRY(hp_h5_array(h, dataset[t], HP_H5_F64, 2, (const int64_t[]){rows->nrow, rows->ncolumn}, rows->value, NULL));
    HP_TRY(hp_h5_text(h, dataset[t], "columns", rows->columns));
  }
  return write_fingerprint(r, h);
}

static hp_status write_file(const hp_output *o, const hp_restart *r) {
  char *path;
  HP_TRY(hp_restart_path(o->path[HP_OUTPUT_STEPS], r->step, &path));
  hp_h5 h;
  hp_status s = hp_h5_create_on_disk(&h, path, 0); /* a copy of it in memory would take time */
  if (s == HP_OK) {
    if (r->remote != NULL) s = hp_remote_open(r->remote, &h);
    if (s == HP_OK) s = write_restart(r, &h);
    if (r->remote != NULL) s = hp_remote_close(r->remote, s);
    if (s == HP_OK) s = hp_h5_place(&h);
    else hp_h5_discard(&h);
  }
  HP_FREE(path);
  return s;
}

/* Bytes of a kept step's cells. */
static int64_t bytes_held(const hp_case *c) { return c->grid->ncell * hp_arrays_bytes(hp_restart_arrays(c, true)); }

/* Whether copies of as many as are kept take little memory. */
static bool may_hold(const hp_case *c) {
  enum { HELD_MOST = 256 << 20 };
  const int keep = c->output.restart;
  return keep > 0 && bytes_held(c) + (int64_t)sizeof(hp_restart) <= HELD_MOST / keep;
}

int hp_output_steps(const hp_case *c) {
  const double every = c->output.interval, end = c->report[c->nreport - 1];
  if (!(every > 0.0)) return c->nreport + 1;
  return (int)fmin(ceil(end / every * (1.0 - 1e-9)), 1e9) + 1;
}

int64_t hp_output_held_bytes(const hp_case *c, int64_t beside) {
  const int keep = c->output.restart, steps = hp_output_steps(c);
  if (!c->output.fields || c->output.refresh <= 0.0 || !may_hold(c)) return 0;
  return (keep < steps ? keep : steps) * (bytes_held(c) + beside) + keep * (int64_t)sizeof(hp_restart);
}

/* In place of the oldest, if there are as many as are kept. */
static hp_status hold(hp_output *o, const hp_restart *r) {
  const int keep = o->c->output.restart;
  if (o->held == NULL) HP_TRY(HP_ALLOC(o->held, keep));
  if (o->nheld == keep) {
    const hp_restart oldest = o->held[0];
    memmove(o->held, o->held + 1, (size_t)(keep - 1) * sizeof *o->held);
    o->held[keep - 1] = oldest;
    o->nheld -= 1;
  }
  HP_TRY(hp_restart_copy(r, &o->held[o->nheld]));
  o->nheld += 1;
  return HP_OK;
}

hp_status hp_output_write_held(hp_output *o) {
  const int first = o->nstep - o->c->output.restart; /* report step whose file stays */
  for (int n = 0; n < o->nheld; ++n)
    if (first <= 0 || o->held[n].step >= o->step[first]) HP_TRY(write_file(o, &o->held[n]));
  o->nheld = 0;
  return HP_OK;
}

void hp_output_free_held(hp_output *o) {
  for (int n = 0; o->held != NULL && n < o->c->output.restart; ++n) hp_restart_clear(&o->held[n]);
  HP_FREE(o->held);
}

/* Those of later steps are held behind it. */
hp_status hp_output_forget_restart(hp_output *o, int step) {
  char *path;
  while (o->nheld > 0 && o->held[o->nheld - 1].step >= step) o->nheld -= 1;
  HP_TRY(hp_restart_path(o->path[HP_OUTPUT_STEPS], step, &path));
  const hp_status s = hp_file_remove(path);
  HP_FREE(path);
  return s;
}

/* Whether the step's file stays when the run has come to its end, so that it may as well be written now. */
static bool stays(const hp_case *c, double time) {
  const double every = c->output.interval;
  const int keep = c->output.restart;
  if (c->nreport == 0 || keep < 1) return false;
  if (every > 0.0) return (c->report[c->nreport - 1] - time) / every < (double)keep - 1e-9;
  return keep > c->nreport || time >= c->report[c->nreport - keep];
}

hp_status hp_output_restart(hp_output *o, const hp_restart *r) {
  const bool wait = (o->naming != NULL || hp_now() - o->published < hp_output_pause(o)) && !stays(o->c, r->time);
  return wait && r->remote == NULL && may_hold(o->c) ? hold(o, r) : write_file(o, r);
}

hp_status hp_output_sync_restart(const hp_output *o, int n) {
  const int keep = o->c->output.restart;
  if (keep >= 0 && n < o->nstep - keep) return HP_OK;
  char *path;
  HP_TRY(hp_restart_path(o->path[HP_OUTPUT_STEPS], (int)o->step[n], &path));
  const hp_status s = access(path, F_OK) == 0 ? hp_file_sync_at(path) : HP_OK;
  HP_FREE(path);
  return s;
}

hp_status hp_output_drop_restart(hp_output *o) {
  const int keep = o->c->output.restart;
  for (; keep >= 0 && o->dropped < o->nnamed - keep; ++o->dropped) {
    char *path;
    HP_TRY(hp_restart_path(o->path[HP_OUTPUT_STEPS], (int)o->step[o->dropped], &path));
    const hp_status s = hp_file_remove(path);
    HP_FREE(path);
    HP_TRY(s);
  }
  return HP_OK;
}

/* ---- reading ---- */

static hp_status damaged(const hp_h5 *h, const char *what) {
  return hp_fail(HP_ERR_FILE, "%s: %s does not have the size that it should have", h->path, what);
}

/* Whether the file has all arrays that are there when this one is; those that a state always has are asked for. */
static bool finds(const hp_h5 *h, int n) {
  const hp_array_when when = hp_array_entries()[n].when;
  bool all = true;
  for (int m = 0; m < HP_STATES && when != HP_WITH_ALWAYS; ++m)
    all = all && (hp_array_entries()[m].when != when || hp_h5_exists(h, hp_array_entries()[m].name));
  return all;
}

/* *r->file is open. */
static hp_status check_cells(hp_restart *r) {
  const hp_h5 *h = r->file;
  HP_TRY(hp_h5_count(h, hp_array_entries()[HP_ARRAY_OWN_PRESSURE].name, &r->ncell));
  r->has = 0;
  for (int n = 0; n < HP_STATES; ++n) {
    const hp_array_entry *e = &hp_array_entries()[n];
    int64_t count = 0;
    if (!finds(h, n)) continue;
    HP_TRY(hp_h5_count(h, e->name, &count));
    if (count != e->numbers * r->ncell) return damaged(h, e->name);
    r->has |= HP_ARRAY_BIT(n);
  }
  return HP_OK;
}

static bool is_sound(hp_array a, int64_t count, const double *value) {
  bool sound = true;
  if (a == HP_ARRAY_ERROR || a == HP_ARRAY_CHANGE)
    return true; /* whatever they are, they only choose lengths of steps */
  for (int64_t n = 0; n < count; ++n)
    sound = sound &&
            (a == HP_ARRAY_OWN_WATER || a == HP_ARRAY_WATER ? value[n] >= 0.0 && value[n] <= 1.0 : isfinite(value[n]));
  return sound;
}

hp_status hp_restart_read_cells(const hp_restart *r, hp_array array, int64_t first, int64_t count, double *to) {
  const int numbers = hp_array_numbers(array);
  HP_TRY(hp_h5_as_usage(hp_h5_read_rows(r->file, hp_array_entries()[array].name, first, count, numbers, to)));
  if (is_sound(array, numbers * count, to)) return HP_OK;
  return hp_fail(HP_ERR_USAGE, "%s: its restart data of report step %d are damaged: pressures or saturations", r->base,
                 r->step);
}

hp_status hp_restart_try_cells(const hp_restart *r) {
  enum { PIECE = 1 << 16, MOST = HP_PHASES };
  double *piece = NULL;
  hp_status s = HP_ALLOC_UNSET(piece, MOST * PIECE);
  for (int n = 0; n < HP_STATES; ++n)
    for (int64_t first = 0; s == HP_OK && has_cells(r, n) && first < r->ncell; first += PIECE)
      s = hp_restart_read_cells(r, (hp_array)n, first, r->ncell - first < PIECE ? r->ncell - first : PIECE, piece);
  HP_FREE(piece);
  return s;
}

/* The columns are known by their number; a version that has others has another
 * number of the format. */
static hp_status read_rows(const hp_h5 *h, hp_restart_table t, hp_restart_rows *rows) {
  char *columns = NULL;
  if (!hp_h5_exists(h, dataset[t])) return HP_OK;
  HP_TRY(hp_h5_read_text(h, dataset[t], "columns", &columns));
  rows->ncolumn = columns[0] != '\0';
  for (const char *c = columns; *c != '\0'; ++c) rows->ncolumn += *c == ' ';
  HP_FREE(columns);
  int64_t count = 0;
  HP_TRY(hp_h5_read(h, dataset[t], &rows->value, &count));
  rows->nrow = rows->ncolumn > 0 ? count / rows->ncolumn : 0;
  return rows->nrow * rows->ncolumn == count ? HP_OK : damaged(h, dataset[t]);
}

static hp_status read_fingerprints(const hp_h5 *h, hp_restart *r) {
  char **of = NULL, **value = NULL;
  int64_t nof = 0, nvalue = 0;
  hp_status s = hp_h5_read_strings(h, "/fingerprint_of", &of, &nof);
  if (s == HP_OK) s = hp_h5_read_strings(h, "/fingerprint", &value, &nvalue);
  if (s == HP_OK && nof != nvalue) s = damaged(h, "/fingerprint");
  if (s == HP_OK) s = HP_ALLOC(r->fingerprint, nof);
  for (int64_t n = 0; s == HP_OK && n < nof; ++n) {
    snprintf(r->fingerprint[n].of, sizeof r->fingerprint[n].of, "%s", of[n]);
    r->fingerprint[n].value = strtoull(value[n], NULL, 16);
    r->nfingerprint = (int)n + 1;
  }
  hp_h5_members_free(&of, nof);
  hp_h5_members_free(&value, nvalue);
  return s;
}

/* Fingerprints match those of the same format alone, so no other one is gone on from. */
static hp_status check_version(const hp_h5 *h) {
  double version;
  HP_TRY(hp_h5_read_number(h, "/", "format_version", &version));
  if (version == VERSION) return HP_OK;
  return hp_fail(
      HP_ERR_USAGE,
      "%s: was written by another version of hepta (format %.0f of restart files, this one goes on from format "
      "%d alone); run the deck anew, without --restart",
      h->path, version, VERSION);
}

static hp_status read_restart(hp_restart *r) {
  const hp_h5 *h = r->file;
  char *format;
  double step;
  bool listed;
  HP_TRY(hp_h5_read_text(h, "/", "format", &format));
  const bool ours = strcmp(format, "hepta restart") == 0;
  HP_FREE(format);
  if (!ours) return hp_fail(HP_ERR_FILE, "%s: holds no state of a run", h->path);
  HP_TRY(check_version(h));
  HP_TRY(hp_h5_verify(h, true, &listed));
  HP_TRY(hp_h5_read_number(h, "/", "time", &r->time));
  HP_TRY(hp_h5_read_number(h, "/", "step", &step));
  if (!hp_result_is_step(step) || !(r->time >= 0.0 && isfinite(r->time)))
    return hp_fail(HP_ERR_FILE, "%s: step %g at %g s is not a report step", h->path, step, r->time);
  r->step = (int)step;
  HP_TRY(hp_h5_read_text(h, "/", "changes", &r->changes));
  HP_TRY(check_cells(r));
  for (int t = 0; t < HP_RESTART_TABLES; ++t) HP_TRY(read_rows(h, (hp_restart_table)t, &r->rows[t]));
  return read_fingerprints(h, r);
}

/* The path becomes the file's. */
static hp_status read_file(char **path, hp_restart *out) {
  HP_TRY(HP_ALLOC(out->file, 1));
  const hp_status s = hp_h5_open(out->file, *path);
  out->file->path = *path;
  *path = NULL;
  return s == HP_OK ? read_restart(out) : s;
}

hp_status hp_restart_read(const char *name, const char *step, hp_restart *out) {
  char *steps = NULL, *path = NULL;
  int chosen = -1;
  double time = 0.0;
  *out = (hp_restart){.ncell = 0};
  const size_t n = strlen(name);
  const bool whole = n > 3 && strcmp(name + n - 3, ".h5") == 0;
  hp_status s = hp_format(&out->base, "%.*s", (int)(whole ? n - 3 : n), name);
  if (s == HP_OK) s = hp_result_find_step(out->base, step, false, &chosen, &time);
  if (s == HP_OK) s = hp_format(&steps, "%s.steps", out->base);
  if (s == HP_OK) s = hp_restart_path(steps, chosen, &path);
  if (s == HP_OK) s = read_file(&path, out);
  if (s == HP_OK) s = hp_result_check_step(out->file, chosen, time);
  HP_FREE(steps);
  HP_FREE(path);
  if (s != HP_OK) hp_restart_clear(out);
  return s;
}

/* ---- several ranks ---- */

/* An array of rank 0 becomes that of all. */
static hp_status share(hp_ranks *K, void **array, int64_t bytes) {
  HP_TRY(hp_ranks_agree(K, hp_ranks_is_first(K) ? HP_OK : hp_alloc_unset(array, bytes, 1, "what rank 0 has read")));
  hp_ranks_broadcast(K, 0, *array, bytes);
  return HP_OK;
}

hp_status hp_restart_share(hp_ranks *K, hp_restart *r) {
  if (hp_ranks_size(K) == 1) return HP_OK;
  const bool first = hp_ranks_is_first(K);
  hp_restart plain = *r;
  int64_t length[2] = {first ? (int64_t)strlen(r->base) + 1 : 0, first ? (int64_t)strlen(r->changes) + 1 : 0};
  hp_ranks_broadcast(K, 0, &plain, sizeof plain);
  hp_ranks_broadcast(K, 0, length, sizeof length);
  if (!first) {
    *r = (hp_restart){.step = plain.step, .time = plain.time, .ncell = plain.ncell, .has = plain.has};
    r->nfingerprint = plain.nfingerprint;
  }
  HP_TRY(share(K, (void **)&r->base, length[0]));
  HP_TRY(share(K, (void **)&r->changes, length[1]));
  HP_TRY(share(K, (void **)&r->fingerprint, r->nfingerprint * (int64_t)sizeof *r->fingerprint));
  for (int t = 0; t < HP_RESTART_TABLES; ++t) {
    const hp_restart_rows *rows = &plain.rows[t];
    if (!first) r->rows[t] = (hp_restart_rows){.nrow = rows->nrow, .ncolumn = rows->ncolumn};
    if (rows->value != NULL)
      HP_TRY(share(K, (void **)&r->rows[t].value, rows->nrow * rows->ncolumn * (int64_t)sizeof *rows->value));
  }
  return HP_OK;
}
