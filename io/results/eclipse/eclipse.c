/* Eclipse's files of a run: which is written when, and how those that grow stay whole. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "io/results/eclipse/eclipse.h"

/* ---- names ---- */

/* In capital letters, as Eclipse has them: readers built on libecl take a name in letters of one case only. */
hp_status hp_ebin_paths(const char *base, char *path[HP_EBIN_FILES]) {
  static const char *const suffix[HP_EBIN_FILES] = {
#define SUFFIX(name, text) text,
      HP_EBIN_FILE_LIST(SUFFIX)
#undef SUFFIX
  };
  for (int f = 0; f < HP_EBIN_FILES; ++f) {
    HP_TRY(hp_format(&path[f], "%s%s", base, suffix[f]));
    char *last = strrchr(path[f], '/');
    for (char *at = last != NULL ? last : path[f]; *at != '\0'; ++at) *at = (char)toupper((unsigned char)*at);
  }
  return HP_OK;
}

static bool is_taken(const hp_ebin_out *e, int count, const char *name) {
  for (int w = 0; w < count; ++w)
    if (strcmp(e->well[w], name) == 0) return true;
  return false;
}

/* Names of more than 8 letters are cut; one that is taken ends in a number. */
static hp_status name_wells(hp_ebin_out *e, int nwell, const hp_well_path *path) {
  HP_TRY(HP_ALLOC(e->well, nwell));
  HP_TRY(HP_ALLOC(e->name, nwell));
  HP_TRY(HP_ALLOC(e->injects, nwell));
  HP_TRY(HP_ALLOC(e->row, nwell));
  HP_TRY(HP_ALLOC(e->aquifer, e->c->naquifer));
  HP_TRY(HP_ALLOC(e->numerical, e->c->nnumerical));
  e->nwell = nwell;
  for (int w = 0; w < nwell; ++w) {
    snprintf(e->well[w], sizeof e->well[w], "%.*s", HP_EBIN_NAME, path[w].name);
    const size_t length = strlen(e->well[w]);
    for (int n = 2; is_taken(e, w, e->well[w]); ++n) {
      char end[HP_EBIN_NAME];
      const size_t more = (size_t)snprintf(end, sizeof end, "~%d", n % 1000000);
      memcpy(e->well[w] + (length + more > HP_EBIN_NAME ? HP_EBIN_NAME - more : length), end, more + 1);
    }
    snprintf(e->name[w], sizeof e->name[w], "%s", path[w].name);
    e->injects[w] = path[w].injector;
  }
  return HP_OK;
}

/* ---- files that grow ---- */

static hp_status growing_open(hp_ebin_growing *f, const char *path) {
  f->path = path;
  f->size = 0;
  f->fd = hp_file_create(path, O_WRONLY | O_APPEND);
  return f->fd >= 0 ? HP_OK : hp_fail(HP_ERR_FILE, "%s: cannot create: %s", path, strerror(errno));
}

/* A file that is there already, or a new one, of which `keep` bytes stay. */
static hp_status growing_reopen(hp_ebin_growing *f, const char *path, int64_t keep) {
  if (keep == 0) return growing_open(f, path);
  f->path = path;
  f->size = keep;
  f->fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (f->fd >= 0 && ftruncate(f->fd, keep) == 0) return HP_OK;
  return hp_fail(HP_ERR_FILE, "%s: cannot be continued: %s", path, strerror(errno));
}

/* The end of a piece of f; one that could not be written whole is cut off again, so that readers find whole arrays. */
static hp_status growing_add(hp_ebin_growing *f, hp_ebin_bytes *b) {
  const hp_status s = hp_ebin_flush(b);
  if (s == HP_OK) f->size += b->written;
  else if (ftruncate(f->fd, f->size) != 0)
    return hp_fail(s, "%s: cannot write, nor cut off what was written in part: %s", f->path, strerror(errno));
  return s;
}

static hp_status growing_sync(const hp_ebin_growing *f) { return f->fd >= 0 ? hp_file_sync(f->fd, f->path) : HP_OK; }

static hp_status growing_close(hp_ebin_growing *f) {
  if (f->fd < 0) return HP_OK;
  hp_status s = growing_sync(f);
  if (close(f->fd) != 0 && s == HP_OK) s = hp_fail(HP_ERR_FILE, "%s: cannot close: %s", f->path, strerror(errno));
  f->fd = -1;
  return s;
}

/* ---- opening and closing ---- */

/* A file under its temporary name, which hp_file_put knows. */
static hp_status build(const hp_ebin_out *e, const hp_ebin_cells *C, hp_ebin_file which,
                       void (*put)(hp_ebin_bytes *b, const hp_ebin_out *e, const hp_ebin_cells *C)) {
  hp_ebin_growing f = {.fd = -1};
  hp_ebin_bytes b = {.file = &f};
  char *temporary = NULL;
  HP_TRY(hp_format(&temporary, "%s.tmp", e->path[which]));
  hp_status s = growing_open(&f, temporary);
  if (s == HP_OK) {
    put(&b, e, C);
    s = hp_ebin_flush(&b);
    if (close(f.fd) != 0 && s == HP_OK) s = hp_fail(HP_ERR_FILE, "%s: cannot close: %s", temporary, strerror(errno));
  }
  hp_ebin_bytes_clear(&b);
  HP_FREE(temporary);
  return s;
}

static hp_status place_fixed(hp_ebin_out *e) {
  HP_TRY(hp_file_put(e->path[HP_EBIN_FILE_EGRID], HP_OK, true));
  HP_TRY(hp_file_put(e->path[HP_EBIN_FILE_INIT], HP_OK, true));
  e->built = false;
  return HP_OK;
}

static hp_status write_spec(hp_ebin_out *e, const hp_table *summary) {
  hp_ebin_bytes b = {0};
  hp_status s = hp_ebin_put_smspec(&b, e, summary);
  if (s == HP_OK) s = hp_ebin_replace(e->path[HP_EBIN_FILE_SMSPEC], &b);
  hp_ebin_bytes_clear(&b);
  return s;
}

static hp_status prepare(hp_ebin_out *e, const hp_ebin_cells *C, const char *base, int nwell,
                         const hp_well_path *path) {
  HP_TRY(hp_ebin_paths(base, e->path));
  HP_TRY(name_wells(e, nwell, path));
  HP_TRY(hp_ebin_known_create(e, C, nwell, path));
  e->built = true;
  HP_TRY(build(e, C, HP_EBIN_FILE_EGRID, hp_ebin_put_egrid));
  return build(e, C, HP_EBIN_FILE_INIT, hp_ebin_put_init);
}

/* The rows of the steps before, as the table has them. */
static hp_status write_rows(hp_ebin_out *e, const hp_table *summary) {
  const hp_column *time = &summary->column[0];
  hp_ebin_bytes b = {.file = &e->unsmry};
  for (int64_t r = 0; r < summary->nrow; ++r, ++e->nstep)
    hp_ebin_put_row(&b, e, summary, r, time->number[r] * e->c->units.factor[HP_UNIT_TIME]);
  const hp_status s = growing_add(&e->unsmry, &b);
  hp_ebin_bytes_clear(&b);
  return s;
}

hp_status hp_ebin_out_go_on(hp_ebin_out *e, int step, double time) {
  const float reached = (float)(time / e->units.factor[HP_UNIT_TIME]);
  int reports = 0;
  if (e->c->output.fields) HP_TRY(hp_ebin_keep_reports(e->path[HP_EBIN_FILE_UNRST], step, &e->kept_unrst, &reports));
  if (e->c->output.nrft > 0) HP_TRY(hp_ebin_keep_logs(e->path[HP_EBIN_FILE_RFT], reached, &e->kept_rft));
  e->nsequence += reports;
  e->goes_on = true;
  return HP_OK;
}

hp_status hp_ebin_out_begin(hp_ebin_out *e, const hp_table *summary) {
  for (int f = HP_EBIN_FILES - 1; f >= 0; --f) /* UNSMRY before SMSPEC's mark */
    if (!e->goes_on || (f == HP_EBIN_FILE_RFT && e->c->output.nrft == 0)) HP_TRY(hp_file_remove(e->path[f]));
  HP_TRY(place_fixed(e));
  if (e->c->output.fields) HP_TRY(growing_reopen(&e->unrst, e->path[HP_EBIN_FILE_UNRST], e->kept_unrst));
  if (e->c->output.nrft > 0) HP_TRY(growing_reopen(&e->rft, e->path[HP_EBIN_FILE_RFT], e->kept_rft));
  if (!e->c->output.summary) return HP_OK;
  HP_TRY(write_spec(e, summary));
  HP_TRY(growing_open(&e->unsmry, e->path[HP_EBIN_FILE_UNSMRY]));
  return e->goes_on ? write_rows(e, summary) : HP_OK;
}

hp_status hp_ebin_out_prepare(const hp_case *c, const char *base, int nwell, const hp_well_path *path,
                              const hp_remote *remote, hp_ebin_out **out) {
  const hp_ebin_cells cells = {.c = c, .remote = remote};
  *out = NULL;
  hp_ebin_out *e;
  HP_TRY(HP_ALLOC(e, 1));
  e->c = c;
  e->units = hp_units_of(c->units.system == HP_UNITS_SI ? HP_UNITS_METRIC : c->units.system);
  e->unrst.fd = e->unsmry.fd = e->rft.fd = -1;
  e->report = -1;
  e->nsequence = c->begin > 0.0 ? c->begin_report : 0;
  const hp_status s = prepare(e, &cells, base, nwell, path);
  if (s != HP_OK) hp_ebin_out_destroy(&e);
  *out = e;
  return s;
}

static void clear_wells(hp_ebin_wells *W) {
  HP_FREE(W->begin);
  HP_FREE(W->perf);
  HP_FREE(W->wi);
  HP_FREE(W->head);
  HP_FREE(W->rate);
  HP_FREE(W->ref_depth);
  HP_FREE(W->crossflow);
  HP_FREE(W->control);
  HP_FREE(W->mode);
  HP_FREE(W->bhp);
}

void hp_ebin_out_destroy(hp_ebin_out **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_ebin_out *e = *slot;
  if (e->unrst.fd >= 0) close(e->unrst.fd);
  if (e->unsmry.fd >= 0) close(e->unsmry.fd);
  if (e->rft.fd >= 0) close(e->rft.fd);
  if (e->built) hp_file_drop(e->path[HP_EBIN_FILE_EGRID]);
  if (e->built) hp_file_drop(e->path[HP_EBIN_FILE_INIT]);
  for (int f = 0; f < HP_EBIN_FILES; ++f) HP_FREE(e->path[f]);
  hp_ebin_known_destroy(e);
  clear_wells(&e->wells);
  HP_FREE(e->well);
  HP_FREE(e->name);
  HP_FREE(e->injects);
  HP_FREE(e->row);
  HP_FREE(e->aquifer);
  HP_FREE(e->numerical);
  HP_FREE(e->column);
  HP_FREE(e->factor);
  HP_FREE(e->parameter);
  HP_FREE(e->oil_at_start);
  HP_FREE(*slot);
}

hp_status hp_ebin_out_sync(hp_ebin_out *e) {
  HP_TRY(growing_sync(&e->rft));
  return growing_sync(&e->unsmry);
}

hp_status hp_ebin_out_close(hp_ebin_out **slot) {
  if (slot == NULL || *slot == NULL) return HP_OK;
  hp_status s = growing_close(&(*slot)->unsmry);
  if (s == HP_OK) s = growing_close(&(*slot)->unrst);
  if (s == HP_OK) s = growing_close(&(*slot)->rft);
  hp_ebin_out_destroy(slot);
  return s;
}

/* ---- steps ---- */

hp_status hp_ebin_out_row(hp_ebin_out *e, const hp_table *summary, const hp_summary_row *row) {
  if (e->nwell > 0) memcpy(e->row, row->well, (size_t)e->nwell * sizeof *e->row);
  if (row->aquifer != NULL) memcpy(e->aquifer, row->aquifer, (size_t)e->c->naquifer * sizeof *e->aquifer);
  if (row->numerical != NULL) memcpy(e->numerical, row->numerical, (size_t)e->c->nnumerical * sizeof *e->numerical);
  e->stepped = true;
  if (e->unsmry.fd < 0) return HP_OK;
  hp_ebin_bytes b = {.file = &e->unsmry};
  hp_ebin_put_row(&b, e, summary, summary->nrow - 1, row->time);
  const hp_status s = growing_add(&e->unsmry, &b);
  hp_ebin_bytes_clear(&b);
  e->nstep += 1;
  return s;
}

/* Room for the wells, at the first time. */
static hp_status allocate_wells(hp_ebin_wells *S, const hp_wells *W) {
  HP_TRY(HP_ALLOC(S->begin, W->nwell + 1));
  HP_TRY(HP_ALLOC(S->perf, W->nperf));
  HP_TRY(HP_ALLOC(S->wi, W->nperf));
  HP_TRY(HP_ALLOC(S->head, W->nperf));
  HP_TRY(HP_ALLOC(S->rate, W->nperf));
  HP_TRY(HP_ALLOC(S->ref_depth, W->nwell));
  HP_TRY(HP_ALLOC(S->crossflow, W->nwell));
  HP_TRY(HP_ALLOC(S->control, W->nwell));
  HP_TRY(HP_ALLOC(S->mode, W->nwell));
  HP_TRY(HP_ALLOC(S->bhp, W->nwell));
  S->nperf = W->nperf;
  return HP_OK;
}

/* Rates of the connections of well w add up to those of its row, which are corrected. */
static void report_rates(hp_ebin_wells *S, int w, const hp_flow *f) {
  for (int a = 0; a < HP_PHASES; ++a) {
    double sum = 0.0;
    for (int64_t q = S->begin[w]; q < S->begin[w + 1]; ++q) sum += S->rate[q][a];
    for (int64_t q = S->begin[w]; q < S->begin[w + 1] && sum != 0.0; ++q)
      S->rate[q][a] *= (f->rate[a] - f->injection_rate[a]) / sum;
  }
}

hp_status hp_ebin_out_wells(hp_ebin_out *e, const hp_wells *W) {
  hp_ebin_wells *S = &e->wells;
  if (W->nwell != e->nwell)
    return hp_fail(HP_ERR_INTERNAL, "%d wells in the run, %d in its result files", W->nwell, e->nwell);
  if (W->nperf != e->nperf)
    return hp_fail(HP_ERR_INTERNAL, "%lld perforations in the run, %lld in its result files", (long long)W->nperf,
                   (long long)e->nperf);
  if (S->begin == NULL) HP_TRY(allocate_wells(S, W));
  for (int w = 0; w < W->nwell; ++w) {
    S->begin[w + 1] = W->begin[w + 1];
    S->ref_depth[w] = W->ref_depth[w];
    S->crossflow[w] = W->crossflow[w];
    S->control[w] = W->control[w];
    S->mode[w] = W->mode[w];
    S->bhp[w] = e->stepped && e->row[w].control != HP_CONTROL_SHUT ? e->row[w].bhp : W->bhp[w];
  }
  for (int64_t q = 0; q < W->nperf; ++q) {
    S->perf[q] = W->spec[q];
    S->wi[q] = W->wi[q];
    S->head[q] = W->head[q];
    for (int a = 0; a < HP_PHASES; ++a) S->rate[q][a] = W->rate[q].q[a];
  }
  for (int w = 0; w < W->nwell && e->stepped; ++w) report_rates(S, w, &e->row[w].flow);
  return HP_OK;
}

hp_status hp_ebin_out_rft(hp_ebin_out *e, double time, const unsigned *due, const hp_cell_row *cell) {
  hp_ebin_bytes b = {.file = &e->rft};
  for (int w = 0; w < e->nwell; ++w)
    if (due[w] != 0) hp_ebin_put_log(&b, e, time, w, due[w], cell);
  const hp_status s = growing_add(&e->rft, &b);
  hp_ebin_bytes_clear(&b);
  return s;
}

hp_status hp_ebin_out_fields(hp_ebin_out *e, const hp_remote *remote, double time, int step, const double *p,
                             const double *sw) {
  const hp_ebin_cells cells = {.c = e->c, .remote = remote, .p = p, .sw = sw, .derived = e->derived};
  if (e->unrst.fd < 0) return HP_OK;
  if (e->nwell > 0 && e->wells.begin == NULL) return hp_fail(HP_ERR_INTERNAL, "fields before the wells");
  hp_ebin_bytes b = {.file = &e->unrst};
  hp_ebin_put_report(&b, e, &cells, time, step);
  hp_status s = growing_add(&e->unrst, &b);
  hp_ebin_bytes_clear(&b);
  e->nsequence += 1;
  if (s == HP_OK) s = growing_sync(&e->unrst);
  return s;
}
