/* The result files of a run: which are written when, and in which order. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/program.h"
#include "core/show.h"
#include "io/results/eclipse/eclipse.h"
#include "io/results/impl.h"

/* ---- opening ---- */

hp_status hp_output_check_name(const char *base) {
  const char *slash = strrchr(base, '/'), *last = slash != NULL ? slash + 1 : base;
  struct stat st;
  if (*last == '\0' || strcmp(last, ".") == 0 || strcmp(last, "..") == 0)
    return hp_fail(HP_ERR_USAGE, "%s: the result files need a name, not a folder", base);
  const char *fault = hp_name_fault(base);
  if (fault != NULL) return hp_fail(HP_ERR_USAGE, "%s: the name of result files %s", base, fault);
  /* XDMF ends a file's name at the first colon. */
  if (strchr(last, ':') != NULL) return hp_fail(HP_ERR_USAGE, "%s: the name of result files cannot hold ':'", base);
  static const char *const longest[] = {".summary.csv.tmp", ".steps/restart_2147483647.h5.tmp"};
  for (size_t n = 0; n < sizeof longest / sizeof *longest; ++n) {
    char *path;
    HP_TRY(hp_format(&path, "%s%s", base, longest[n]));
    const bool too_long = lstat(path, &st) != 0 && errno == ENAMETOOLONG;
    HP_FREE(path);
    if (too_long) return hp_fail(HP_ERR_USAGE, "%s: the name is too long for the result files", base);
  }
  return HP_OK;
}

static hp_status set_names(hp_output *o, const char *base) {
  static const char *const suffix[HP_OUTPUT_FILES] = {
#define HP_OUTPUT_FILE_SUFFIX(name, text) text,
      HP_OUTPUT_FILE_LIST(HP_OUTPUT_FILE_SUFFIX)
#undef HP_OUTPUT_FILE_SUFFIX
  };
  HP_TRY(hp_output_check_name(base));
  const char *slash = strrchr(base, '/'), *last = slash != NULL ? slash + 1 : base;
  for (int f = 0; f < HP_OUTPUT_FILES; ++f) {
    HP_TRY(hp_format(&o->path[f], "%s%s", base, suffix[f]));
    o->name[f] = o->path[f] + (last - base);
  }
  return HP_OK;
}

/* Removes the files of an earlier run of the same name, those that name others first, so that none names a missing
 * one. */
static hp_status remove_earlier(const hp_output *o) {
  static const hp_output_file order[] = {HP_OUTPUT_XDMF, HP_OUTPUT_MASTER,  HP_OUTPUT_GRID,  HP_OUTPUT_WELLS,
                                         HP_OUTPUT_VIEW, HP_OUTPUT_SUMMARY, HP_OUTPUT_SOLVER};
  for (size_t n = 0; n < sizeof order / sizeof order[0]; ++n) {
    char *temporary;
    HP_TRY(hp_file_remove(o->path[order[n]]));
    if (order[n] == HP_OUTPUT_GRID && o->grid.on_disk) continue; /* that is this run's */
    HP_TRY(hp_format(&temporary, "%s.tmp", o->path[order[n]]));
    const hp_status s = hp_file_remove(temporary);
    HP_FREE(temporary);
    HP_TRY(s);
  }
  return hp_folder_clear(o->path[HP_OUTPUT_STEPS], -1);
}

/* Half an earlier result would be lost where some of its files can be removed and others not. */
static hp_status check_writable(const hp_output *o) {
  for (int f = 0; f < HP_OUTPUT_FILES; ++f)
    HP_TRY(f == HP_OUTPUT_STEPS ? hp_folder_may_write(o->path[f]) : hp_file_may_replace(o->path[f]));
  return HP_OK;
}

/* A file of the master's name that is no result, such as an array that the deck reads, is not ours to remove, nor is one of a
 * step's name. Without a master, which a killed run may lack, the others are looked at, too. */
static hp_status check_earlier(const hp_output *o) {
  const char *master = o->path[HP_OUTPUT_MASTER];
  if (access(master, F_OK) == 0) HP_TRY(hp_result_may_replace(master));
  else HP_TRY(hp_result_may_replace_beside(o->path));
  return hp_folder_check(o->path[HP_OUTPUT_STEPS]);
}

static hp_status create_tables(hp_output *o) {
  const hp_case *c = o->c;
  HP_TRY(hp_solver_columns(&o->solver, &c->units, c->start));
  if (!c->output.summary) return HP_OK;
  return hp_summary_columns(&o->summary, &c->units, c->start, o->nwell, o->well, &o->vectors);
}

static hp_status open_tables(hp_output *o) {
  if (o->tables != NULL) return HP_OK;
  HP_TRY(hp_table_open_csv(&o->solver, o->path[HP_OUTPUT_SOLVER]));
  return o->c->output.summary ? hp_table_open_csv(&o->summary, o->path[HP_OUTPUT_SUMMARY]) : HP_OK;
}

static hp_status reopen_tables(hp_output *o) {
  HP_TRY(hp_table_reopen_csv(&o->solver, o->path[HP_OUTPUT_SOLVER]));
  return o->c->output.summary ? hp_table_reopen_csv(&o->summary, o->path[HP_OUTPUT_SUMMARY]) : HP_OK;
}

static hp_status name_all(hp_output *o, const char *base, int nwell, const hp_well_path *path) {
  HP_TRY(set_names(o, base));
  HP_TRY(HP_ALLOC(o->well, nwell));
  for (; o->nwell < nwell; ++o->nwell) HP_TRY(hp_format(&o->well[o->nwell], "%s", path[o->nwell].name));
  HP_TRY(hp_summary_vectors_create(o->c, nwell, path, &o->vectors));
  HP_TRY(HP_ALLOC(o->value, o->vectors.count));
  o->nnode = o->c->facts.split.count;
  if (o->c->spread != NULL) return create_tables(o);
  hp_case_split nodes;
  HP_TRY(hp_case_split_nodes(o->c, true, &nodes));
  o->nnode = nodes.count;
  hp_case_split_clear(&nodes);
  return create_tables(o);
}

/* Names and wells; nothing of an earlier run is touched, and nobody else may. */
static hp_status prepare(hp_output *o, const char *base, int nwell, const hp_well_path *path) {
  HP_TRY(name_all(o, base, nwell, path));
  if (o->c->output.compression == 0 && o->remote == NULL) HP_TRY(HP_ALLOC(o->natural, o->c->grid->ncell));
  hp_output_note_depths(o);
  HP_TRY(check_earlier(o));
  HP_TRY(check_writable(o));
  if (o->c->output.eclipse) HP_TRY(hp_ebin_check_earlier(base));
  return hp_folder_lock(o->path[HP_OUTPUT_STEPS], &o->lock, &o->made_folder);
}

static hp_status write_first(hp_output *o, int nwell, const hp_well_path *path) {
  HP_TRY(hp_output_write_grid(o));
  if (o->eclipse != NULL) HP_TRY(hp_ebin_out_begin(o->eclipse, &o->summary));
  HP_TRY(hp_output_write_wells(o, nwell, path));
  HP_TRY(hp_output_write_view(o));
  HP_TRY(hp_output_write_master(o, true));
  return hp_output_write_xdmf(o);
}

/* Nothing of an earlier result is replaced, so that these files get onto the disk beside the run. */
static hp_status start(hp_output *o, int nwell, const hp_well_path *path) {
  o->unsynced = true;
  o->replaces = access(o->path[HP_OUTPUT_MASTER], F_OK) == 0;
  HP_TRY(remove_earlier(o));
  HP_TRY(open_tables(o));
  return write_first(o, nwell, path);
}

/* The files of a run that goes on stay whole at all times; rows and files after the step are made again. */
static hp_status go_on(hp_output *o, int nwell, const hp_well_path *path, const hp_restart *from, bool *in_place) {
  HP_TRY(hp_output_load(o, from, in_place));
  const int keep = o->c->output.restart;
  o->nnamed = o->nstep;
  o->dropped = keep >= 0 && o->nstep > keep ? o->nstep - keep : 0; /* what the earlier run kept stays */
  if (*in_place && o->eclipse != NULL) HP_TRY(hp_ebin_out_go_on(o->eclipse, from->step, from->time));
  HP_TRY(*in_place ? hp_folder_clear(o->path[HP_OUTPUT_STEPS], from->step) : remove_earlier(o));
  HP_TRY(reopen_tables(o));
  return write_first(o, nwell, path);
}

void hp_output_destroy(hp_output **out) {
  hp_output *o = *out;
  hp_output_publish_end(o);
  if (o->grid_built) hp_h5_discard(&o->grid); /* whose path is among those below */
  hp_table_destroy(&o->summary);
  hp_summary_vectors_destroy(&o->vectors);
  HP_FREE(o->value);
  hp_table_destroy(&o->solver);
  hp_text_clear(&o->said_before);
  hp_output_free_held(o);
  hp_ebin_out_destroy(&o->eclipse);
  for (int f = 0; f < HP_OUTPUT_FILES; ++f) HP_FREE(o->path[f]);
  for (int w = 0; w < o->nwell; ++w) HP_FREE(o->well[w]);
  HP_FREE(o->well);
  HP_FREE(o->time);
  HP_FREE(o->step);
  HP_FREE(o->natural);
  if (o->lock >= 0) close(o->lock);
  HP_FREE(*out);
}

/* Of a run that does not begin; a folder with files in it stays. */
static void give_up(hp_output **out) {
  if ((*out)->made_folder) rmdir((*out)->path[HP_OUTPUT_STEPS]);
  hp_output_destroy(out);
}

static hp_status create(const hp_case *c, hp_output **out) {
  hp_output *o = NULL;
  *out = NULL;
  HP_TRY(HP_ALLOC(o, 1));
  o->c = c;
  o->threads = 1;
  o->summary.fd = o->solver.fd = o->lock = -1;
  o->published = -INFINITY; /* the first report step at once */
  *out = o;
  return HP_OK;
}

hp_status hp_output_create_empty(const hp_case *c, const char *base, int nwell, const hp_well_path *path,
                                 hp_output **out) {
  HP_TRY(create(c, out));
  const hp_status s = name_all(*out, base, nwell, path);
  if (s != HP_OK) hp_output_destroy(out);
  return s;
}

hp_status hp_output_prepare(const hp_case *c, const char *base, const char *command_line, int nwell,
                            const hp_well_path *path, const hp_remote *remote, hp_output **out) {
  hp_output *o = NULL;
  *out = NULL;
  HP_TRY(create(c, &o));
  o->remote = remote;
  hp_status s = prepare(o, base, nwell, path);
  if (s == HP_OK) s = hp_output_build_grid(o, command_line, nwell, path);
  if (s == HP_OK && c->output.eclipse) s = hp_ebin_out_prepare(c, base, nwell, path, remote, &o->eclipse);
  if (o->grid.on_disk) HP_FREE(o->natural); /* of several ranks: memory is for the parts to come */
  if (s != HP_OK) give_up(&o);
  *out = o;
  return s;
}

void hp_output_give_up(hp_output **out) {
  if (out != NULL && *out != NULL) give_up(out);
}

bool hp_output_replaces(const hp_output *o) { return o != NULL && o->replaces; }

hp_status hp_output_begin(int nwell, const hp_well_path *path, hp_output_parts parts, hp_output **out) {
  hp_status s = hp_output_add_ranks(*out, parts);
  if (s == HP_OK) s = start(*out, nwell, path);
  if (s != HP_OK) give_up(out);
  return s;
}

hp_status hp_output_open(const hp_case *c, const char *base, const char *command_line, int nwell,
                         const hp_well_path *path, hp_output **out) {
  HP_TRY(hp_output_prepare(c, base, command_line, nwell, path, NULL, out));
  return hp_output_begin(nwell, path, (hp_output_parts){.ranks = 0}, out);
}

hp_status hp_output_continue(int nwell, const hp_well_path *path, const hp_restart *from, hp_output_parts parts,
                             bool *in_place, hp_output **out) {
  *in_place = false;
  hp_status s = hp_output_add_ranks(*out, parts);
  if (s == HP_OK) s = go_on(*out, nwell, path, from, in_place);
  if (s != HP_OK) give_up(out);
  return s;
}

hp_status hp_output_put_text(const hp_output *o, const char *path, hp_text *t) {
  return o->unsynced ? hp_file_place_text(path, t) : hp_file_replace_text(path, t);
}

/* ---- the master ---- */

hp_status hp_output_describe(const hp_output *o, hp_h5 *h) {
  const hp_case *c = o->c;
  HP_TRY(hp_h5_text(h, "/", "format", "hepta result"));
  HP_TRY(hp_h5_integer(h, "/", "format_version", 2));
  HP_TRY(hp_h5_text(h, "/", "version", hp_version));
  HP_TRY(hp_h5_text(h, "/", "title", c->title != NULL ? c->title : ""));
  HP_TRY(hp_h5_text(h, "/", "deck", c->deck != NULL ? c->deck : ""));
  HP_TRY(hp_h5_text(h, "/", "start", c->start));
  HP_TRY(hp_h5_text(h, "/", "units", c->units.name));
  HP_TRY(hp_h5_text(h, "/", "time_unit", c->units.label[HP_UNIT_TIME]));
  return hp_h5_number(h, "/", "time_factor", c->units.factor[HP_UNIT_TIME]);
}

static hp_status link_steps(hp_output *o, hp_h5 *h) {
  HP_TRY(hp_h5_group(h, "/steps"));
  for (int n = 0; n < o->nstep; ++n) {
    char link[32], *target;
    snprintf(link, sizeof link, "/steps/%06d", (int)o->step[n]);
    HP_TRY(hp_format(&target, "%s/step_%06d.h5", o->name[HP_OUTPUT_STEPS], (int)o->step[n]));
    const hp_status s = hp_h5_link(h, link, target, "/");
    HP_FREE(target);
    HP_TRY(s);
  }
  return HP_OK;
}

/* Lines of the run before and of this one. */
static hp_status write_said(const hp_output *o, hp_h5 *h) {
  const char *const part[] = {o->said_before.s, o->said != NULL ? o->said->s : NULL};
  hp_text all = {0};
  for (int n = 0; n < 2; ++n)
    if (part[n] != NULL) hp_text_add(&all, "%s", part[n]);
  hp_status s = all.status;
  if (s == HP_OK && all.s != NULL) s = hp_h5_strings(h, "/said", 1, (const char *const[]){all.s});
  hp_text_clear(&all);
  return s;
}

hp_status hp_output_fill_master(hp_output *o, hp_h5 *h, bool with_tables) {
  const int64_t nstep = o->nstep;
  HP_TRY(hp_output_describe(o, h));
  if (o->oil_at_start > 0.0)
    HP_TRY(hp_h5_number(h, "/", "oil_at_start", o->oil_at_start / o->c->units.factor[HP_UNIT_VOLUME]));
  HP_TRY(hp_h5_array(h, "/time", HP_H5_F64, 1, &nstep, o->time, "s"));
  HP_TRY(hp_h5_array(h, "/step", HP_H5_I32, 1, &nstep, o->step, NULL));
  HP_TRY(link_steps(o, h));
  HP_TRY(hp_h5_link(h, "/grid", o->name[HP_OUTPUT_GRID], "/grid"));
  HP_TRY(hp_h5_link(h, "/static", o->name[HP_OUTPUT_GRID], "/static"));
  HP_TRY(hp_h5_link(h, "/wells", o->name[HP_OUTPUT_GRID], "/wells"));
  if (!with_tables || o->tables != NULL) return HP_OK;
  HP_TRY(write_said(o, h));
  if (o->c->output.summary) HP_TRY(hp_table_write(&o->summary, h, "/summary"));
  return hp_table_write(&o->solver, h, "/solver");
}

/* ---- a report step ---- */

/* Not compressed: through one array in the file's order. */
static hp_status write_plain(hp_output *o, hp_h5 *h, int count, const hp_h5_source *field, hp_h5_type type) {
  const hp_grid *g = o->c->grid;
  const int dims[3] = {g->nz, g->ny, g->nx};
  for (int f = 0; f < count; ++f) {
    hp_grid_to_natural(g->nx, g->ny, g->nz, field[f].data, o->natural);
    for (int64_t n = 0; field[f].less_one && n < g->ncell; ++n) o->natural[n] = 1.0 - o->natural[n];
    HP_TRY(hp_h5_field(h, field[f].name, type, dims, o->natural, field[f].unit));
  }
  return HP_OK;
}

enum { FIELDS = 3 };
static hp_h5_type field_type(const hp_case *c) { return c->output.f64 ? HP_H5_F64 : HP_H5_F32; }

int64_t hp_output_packing_bytes(const hp_case *c, int threads) {
  const int dims[3] = {c->grid->nz, c->grid->ny, c->grid->nx};
  return c->output.fields && c->output.compression > 0 ? hp_h5_fields_bytes(FIELDS, field_type(c), dims, threads) : 0;
}

static hp_status write_remote(const hp_output *o, hp_h5 *h) {
  const hp_grid *g = o->c->grid;
  const hp_remote_fields f = {.size = {g->nz, g->ny, g->nx},
                              .type = field_type(o->c),
                              .level = h->compression,
                              .count = FIELDS,
                              .array = {HP_ARRAY_PRESSURE, HP_ARRAY_WATER, HP_ARRAY_WATER},
                              .less_one = {false, false, true}};
  return hp_remote_write_fields(h, o->remote, &f, (const char *const[]){"/pressure", "/sw", "/so"},
                                (const char *const[]){"Pa", "", ""});
}

/* A field of hp_output_use_more, for rows of the file. */
typedef struct {
  const hp_grid *grid;
  const hp_output_field *field;
} more_source;

static void make_row(const void *data, int k, int j, int64_t from, int64_t n, void *to) {
  const more_source *source = data;
  const hp_grid *g = source->grid;
  for (int64_t i = 0; i < n; ++i) {
    const float value = source->field->value[k + g->nz * (j + g->ny * (from + i))];
    if (source->field->whole) ((int32_t *)to)[i] = (int32_t)value;
    else ((double *)to)[i] = value;
  }
}

static hp_status write_more(const hp_output *o, hp_h5 *h) {
  const hp_grid *g = o->c->grid;
  const int dims[3] = {g->nz, g->ny, g->nx};
  for (int n = 0; n < o->nmore; ++n) {
    const hp_output_field *f = &o->more[n];
    const more_source source = {g, f};
    const hp_h5_type type = f->whole ? HP_H5_I32 : HP_H5_F32;
    char *name;
    HP_TRY(hp_format(&name, "/%s", f->name));
    const hp_h5_source one = {.name = name, .unit = f->unit, .data = &source, .row = make_row};
    const hp_status s = h->compression > 0 ? hp_h5_fields(h, 1, &one, type, dims, o->threads)
                                           : hp_h5_rows(h, &one, type, dims);
    HP_FREE(name);
    HP_TRY(s);
  }
  return o->tables != NULL ? o->tables(o->tables_arg, h) : HP_OK;
}

static hp_status write_fields(hp_output *o, hp_h5 *h, double time, int step, const double *p, const double *sw) {
  const hp_grid *g = o->c->grid;
  const int dims[3] = {g->nz, g->ny, g->nx};
  const hp_h5_type type = field_type(o->c);
  const hp_h5_source field[FIELDS] = {{.name = "/pressure", .unit = "Pa", .data = p, .by_cell = true},
                                      {.name = "/sw", .unit = "", .data = sw, .by_cell = true},
                                      {.name = "/so", .unit = "", .data = sw, .by_cell = true, .less_one = true}};
  HP_TRY(hp_h5_number(h, "/", "time", time));
  HP_TRY(hp_h5_text(h, "/", "time_unit", "s"));
  HP_TRY(hp_h5_integer(h, "/", "step", step));
  if (o->remote != NULL) return write_remote(o, h);
  HP_TRY(h->compression > 0 ? hp_h5_fields(h, FIELDS, field, type, dims, o->threads)
                            : write_plain(o, h, FIELDS, field, type));
  return write_more(o, h);
}

hp_status hp_output_step_path(const hp_output *o, int step, char **path) {
  return hp_format(path, "%s/step_%06d.h5", o->path[HP_OUTPUT_STEPS], step);
}

static hp_status write_step_file(hp_output *o, double time, int step, const double *p, const double *sw) {
  char *path;
  HP_TRY(hp_output_step_path(o, step, &path));
  hp_h5 h;
  hp_status s = o->remote != NULL ? hp_h5_create_on_disk(&h, path, o->c->output.compression)
                                  : hp_h5_create(&h, path, o->c->output.compression);
  if (s == HP_OK) {
    if (o->remote != NULL) s = hp_remote_open(o->remote, &h);
    if (s == HP_OK) s = write_fields(o, &h, time, step, p, sw);
    if (o->remote != NULL) s = hp_remote_close(o->remote, s);
    if (s == HP_OK) s = hp_h5_place(&h);
    else hp_h5_discard(&h);
  }
  HP_FREE(path);
  return s;
}

/* Without its fields what is needed to go on from the step is of no use, and may stand in a full disk's way. */
static hp_status write_step(hp_output *o, double time, int step, const double *p, const double *sw) {
  const hp_failure written = hp_fail_keep(write_step_file(o, time, step, p, sw));
  if (written.status == HP_OK) return HP_OK;
  return hp_fail_both(written, hp_fail_keep(hp_output_forget_restart(o, step)));
}

hp_status hp_output_note_step(hp_output *o, double time, int step) {
  HP_TRY(HP_GROW(o->time, o->nstep, 1));
  HP_TRY(HP_GROW(o->step, o->nstep, 1));
  o->time[o->nstep] = time;
  o->step[o->nstep] = step;
  o->nstep += 1;
  return HP_OK;
}

hp_status hp_output_fields(hp_output *o, double time, int step, const double *p, const double *sw) {
  const int last = o->nstep - 1;
  if (last >= 0 && !(time > o->time[last] && step > o->step[last]))
    return hp_fail(HP_ERR_INTERNAL, "report step %d at %.17g s does not follow step %d at %.17g s", step, time,
                   (int)o->step[last], o->time[last]);
  if (o->c->output.fields) {
    HP_TRY(write_step(o, time, step, p, sw));
    if (o->eclipse != NULL) HP_TRY(hp_ebin_out_fields(o->eclipse, o->remote, time, step, p, sw));
    HP_TRY(hp_output_note_step(o, time, step));
  }
  return hp_output_publish_due(o);
}

/* ---- a time step ---- */

int hp_output_vectors(const hp_output *o) { return o->c->output.summary ? o->vectors.count : 0; }

void hp_output_values(hp_output *o, const hp_summary_row *row, double *value) {
  if (o->c->output.summary) hp_summary_vectors_values(&o->vectors, row, value);
}

hp_status hp_output_summary(hp_output *o, const hp_summary_row *row) {
  o->oil_at_start = row->oil_at_start;
  if (row->more == NULL) hp_output_values(o, row, o->value);
  const double *value = row->more != NULL ? row->more : o->value;
  if (o->c->output.summary) HP_TRY(hp_summary_add(&o->summary, &o->c->units, o->nwell, row, &o->vectors, value));
  return o->eclipse != NULL ? hp_ebin_out_row(o->eclipse, &o->summary, row) : HP_OK;
}

void hp_output_use_remote(hp_output *o, const hp_remote *remote) { o->remote = remote; }

void hp_output_use_more(hp_output *o, int count, const hp_output_field *field,
                        hp_status (*tables)(const void *arg, hp_h5 *h), const void *arg) {
  o->nmore = count;
  o->more = field;
  o->tables = tables;
  o->tables_arg = arg;
}

bool hp_output_finds_blind(hp_output *o, int *rank) {
  *rank = o->remote != NULL ? o->remote->blind(o->remote->arg) : -1;
  if (*rank < 0 || o->blind_found) return false;
  o->blind_found = true;
  return true;
}

hp_status hp_output_use_start(hp_output *o, const double *threshold, const hp_region_row *region) {
  hp_ebin_out *e = o->eclipse;
  if (e == NULL) return HP_OK;
  e->threshold = threshold;
  if (region == NULL) return HP_OK;
  HP_TRY(HP_ALLOC(e->oil_at_start, o->c->nfip));
  for (int n = 0; n < o->c->nfip; ++n) e->oil_at_start[n] = region[n].oil_at_start / e->units.factor[HP_UNIT_VOLUME];
  return HP_OK;
}

void hp_output_use_derived(hp_output *o, double *const *array, const hp_link_flow *link) {
  if (o->eclipse == NULL) return;
  o->eclipse->derived = array;
  o->eclipse->link_flow = link;
}

void hp_output_use_threads(hp_output *o, int threads) { o->threads = threads; }

hp_status hp_output_wells(hp_output *o, const hp_wells *wells) {
  return o->eclipse != NULL ? hp_ebin_out_wells(o->eclipse, wells) : HP_OK;
}

hp_status hp_output_rft(hp_output *o, double time, const unsigned *due, const hp_cell_row *cell) {
  return o->eclipse != NULL ? hp_ebin_out_rft(o->eclipse, time, due, cell) : HP_OK;
}

hp_status hp_output_solver(hp_output *o, const hp_solver_row *row) {
  HP_TRY(hp_solver_add(&o->solver, &o->c->units, row));
  return o->nnamed < o->nstep ? hp_output_publish_due(o) : HP_OK;
}

void hp_output_use_said(hp_output *o, const hp_text *said) { o->said = said; }

/* ---- closing ---- */

static hp_status finish(hp_output *o) {
  HP_TRY(hp_output_publish(o, true));
  HP_TRY(hp_table_close_csv(&o->summary));
  HP_TRY(hp_table_close_csv(&o->solver));
  HP_TRY(hp_ebin_out_close(&o->eclipse));
  return hp_folder_unlock(o->path[HP_OUTPUT_STEPS], &o->lock);
}

hp_status hp_output_close(hp_output **out) {
  if (out == NULL || *out == NULL) return HP_OK;
  const hp_status s = finish(*out);
  hp_output_destroy(out);
  return s;
}
