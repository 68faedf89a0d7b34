/* The result NAME.flow: fields of the state beside its pressure and saturations, and tables in the step's file and NAME.flow.csv. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "io/files/table.h"
#include "io/files/text.h"
#include "sim/diagnose/diagnose.h"
#include "sim/simulator/well_paths.h"

/* ---- fields ---- */

typedef struct {
  int count;
  hp_output_field *field; /* [count] */
  char **name;            /* [count] */
  float *scaled[3];       /* times in the case's unit: from sources, to sinks, both */
} field_list;

static void clear_fields(field_list *L) {
  for (int n = 0; n < L->count; ++n) HP_FREE(L->name[n]);
  for (int n = 0; n < 3; ++n) HP_FREE(L->scaled[n]);
  HP_FREE(L->name);
  HP_FREE(L->field);
}

/* Letters that paths in HDF5 and XDMF files may have. */
static void make_plain(char *name) {
  static const char good[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  for (char *at = name; *at != '\0'; ++at)
    if (strchr(good, *at) == NULL) *at = '_';
}

static bool is_taken(const field_list *L, const char *name) {
  for (int n = 0; n < L->count; ++n)
    if (strcmp(L->name[n], name) == 0) return true;
  return false;
}

/* Names of two wells may become the same: the later one gets its number. */
static hp_status add_field(field_list *L, const char *head, const char *name, int number, const char *unit,
                           const float *value, bool whole) {
  char **out = &L->name[L->count];
  HP_TRY(hp_format(out, "%s%s", head, name));
  make_plain(*out);
  if (is_taken(L, *out)) {
    char *longer;
    HP_TRY(hp_format(&longer, "%s_%d", *out, number));
    HP_FREE(*out);
    *out = longer;
  }
  L->field[L->count++] = (hp_output_field){.name = *out, .unit = unit, .value = value, .whole = whole};
  return HP_OK;
}

static hp_status scale_times(const hp_units *u, const hp_diagnosis *D, field_list *L) {
  const float unit = (float)u->factor[HP_UNIT_TIME];
  const int64_t ncell = D->of->graph.ncell;
  for (int n = 0; n < 3; ++n) HP_TRY(HP_ALLOC_UNSET(L->scaled[n], ncell));
  for (int64_t m = 0; m < ncell; ++m) {
    for (int side = 0; side < HP_SIDES; ++side) L->scaled[side][m] = D->time[side][m] / unit;
    L->scaled[2][m] = L->scaled[0][m] + L->scaled[1][m];
  }
  return HP_OK;
}

static hp_status list_fields(const hp_units *u, const hp_diagnosis *D, field_list *L) {
  const hp_fluxes *F = D->of;
  static const char *const head[HP_SIDES] = {"from_", "to_"};
  const char *unit = u->label[HP_UNIT_TIME];
  const int most = 5 + F->count[HP_SOURCES] + F->count[HP_SINKS];
  HP_TRY(HP_ALLOC(L->field, most));
  HP_TRY(HP_ALLOC(L->name, most));
  HP_TRY(scale_times(u, D, L));
  HP_TRY(add_field(L, "", "time_from_injectors", 0, unit, L->scaled[HP_SOURCES], false));
  HP_TRY(add_field(L, "", "time_to_producers", 0, unit, L->scaled[HP_SINKS], false));
  HP_TRY(add_field(L, "", "time_in_all", 0, unit, L->scaled[2], false));
  HP_TRY(add_field(L, "", "flooded_by", 0, "", D->region[HP_SOURCES], true));
  HP_TRY(add_field(L, "", "drained_by", 0, "", D->region[HP_SINKS], true));
  for (int side = 0; side < HP_SIDES; ++side)
    for (int n = 0; n < F->count[side]; ++n)
      HP_TRY(add_field(L, head[side], F->end[side][n].name, n + 1, "", D->share[side] + n * F->graph.ncell, false));
  return HP_OK;
}

/* ---- tables ---- */

typedef struct {
  const hp_diagnosis *D;
  const hp_units *units;
  hp_table pairs;
} table_list;

static hp_status add_pair(table_list *T, int i, int p) {
  const hp_diagnosis *D = T->D;
  const hp_flux_end *from = &D->of->end[HP_SOURCES][i], *to = &D->of->end[HP_SINKS][p];
  const double *factor = T->units->factor;
  const int64_t at = (int64_t)i * D->of->count[HP_SINKS] + p;
  const double rate = D->rate[at], volume = D->between[at];
  if (!(rate > 0.0) && !(volume > 0.0)) return HP_OK;
  HP_TRY(hp_table_begin_row(&T->pairs));
  HP_TRY(hp_table_text(&T->pairs, from->name));
  HP_TRY(hp_table_text(&T->pairs, to->name));
  hp_table_number(&T->pairs, rate / factor[HP_UNIT_RESERVOIR_RATE]);
  hp_table_number(&T->pairs, from->rate > 0.0 ? rate / from->rate : 0.0);
  hp_table_number(&T->pairs, to->rate > 0.0 ? rate / to->rate : 0.0);
  hp_table_number(&T->pairs, volume / factor[HP_UNIT_RESERVOIR_VOLUME]);
  return hp_table_end_row(&T->pairs);
}

static hp_status fill_pairs(table_list *T) {
  const char *const *unit = T->units->summary;
  const int *count = T->D->of->count;
  HP_TRY(hp_table_create(&T->pairs, 6));
  HP_TRY(hp_table_column(&T->pairs, HP_COLUMN_TEXT, "", "FROM"));
  HP_TRY(hp_table_column(&T->pairs, HP_COLUMN_TEXT, "", "TO"));
  HP_TRY(hp_table_column(&T->pairs, HP_COLUMN_NUMBER, unit[HP_UNIT_RESERVOIR_RATE], "RATE"));
  HP_TRY(hp_table_column(&T->pairs, HP_COLUMN_NUMBER, "", "OF_FROM"));
  HP_TRY(hp_table_column(&T->pairs, HP_COLUMN_NUMBER, "", "OF_TO"));
  HP_TRY(hp_table_column(&T->pairs, HP_COLUMN_NUMBER, unit[HP_UNIT_RESERVOIR_VOLUME], "PORE_VOLUME"));
  for (int i = 0; i < count[HP_SOURCES]; ++i)
    for (int p = 0; p < count[HP_SINKS]; ++p) HP_TRY(add_pair(T, i, p));
  return HP_OK;
}

/* Names, rates and pore volumes of one side. */
static hp_status write_ends(const table_list *T, hp_h5 *h, int side, const char *group, const char *volume) {
  const hp_fluxes *F = T->D->of;
  const int count = F->count[side];
  char name[64];
  hp_table ends = {.fd = -1};
  hp_status s = hp_table_create(&ends, 3);
  if (s == HP_OK) s = hp_table_column(&ends, HP_COLUMN_TEXT, "", "NAME");
  if (s == HP_OK) s = hp_table_column(&ends, HP_COLUMN_NUMBER, T->units->label[HP_UNIT_RESERVOIR_RATE], "RATE");
  if (s == HP_OK) s = hp_table_column(&ends, HP_COLUMN_NUMBER, T->units->label[HP_UNIT_RESERVOIR_VOLUME], "%s", volume);
  for (int n = 0; s == HP_OK && n < count; ++n) {
    s = hp_table_begin_row(&ends);
    if (s == HP_OK) s = hp_table_text(&ends, F->end[side][n].name);
    hp_table_number(&ends, F->end[side][n].rate / T->units->factor[HP_UNIT_RESERVOIR_RATE]);
    hp_table_number(&ends, T->D->pores[side][n] / T->units->factor[HP_UNIT_RESERVOIR_VOLUME]);
    if (s == HP_OK) s = hp_table_end_row(&ends);
  }
  snprintf(name, sizeof name, "/%s", group);
  if (s == HP_OK) s = hp_table_write(&ends, h, name);
  hp_table_destroy(&ends);
  return s;
}

static hp_status write_curve(const table_list *T, hp_h5 *h) {
  const hp_flow_curve *c = &T->D->curve;
  const int64_t count = c->count;
  const double volume = T->units->factor[HP_UNIT_RESERVOIR_VOLUME];
  HP_TRY(hp_h5_group(h, "/curve"));
  HP_TRY(hp_h5_number(h, "/curve", "pore_volume", c->pores / volume));
  HP_TRY(hp_h5_number(h, "/curve", "pore_volume_of_all", T->D->whole / volume));
  HP_TRY(hp_h5_number(h, "/curve", "mean_time", c->mean / T->units->factor[HP_UNIT_TIME]));
  HP_TRY(hp_h5_number(h, "/curve", "lorenz", c->lorenz));
  HP_TRY(hp_h5_number(h, "/curve", "swept_at_one", c->at_one));
  HP_TRY(hp_h5_array(h, "/curve/PHI", HP_H5_F64, 1, &count, c->phi, ""));
  HP_TRY(hp_h5_array(h, "/curve/F", HP_H5_F64, 1, &count, c->flow, ""));
  HP_TRY(hp_h5_array(h, "/curve/INJECTED", HP_H5_F64, 1, &count, c->time, ""));
  return hp_h5_array(h, "/curve/SWEPT", HP_H5_F64, 1, &count, c->swept, "");
}

static hp_status write_tables(const void *arg, hp_h5 *h) {
  const table_list *T = arg;
  HP_TRY(hp_table_write(&T->pairs, h, "/pairs"));
  HP_TRY(write_ends(T, h, HP_SOURCES, "sources", "FLOODED"));
  HP_TRY(write_ends(T, h, HP_SINKS, "sinks", "DRAINED"));
  return T->D->curve.count > 0 ? write_curve(T, h) : HP_OK;
}

/* ---- the result ---- */

static hp_status write_result(hp_sim *S, const char *base, const char *command_line, const field_list *L,
                              const table_list *T) {
  hp_well_path *paths = NULL;
  hp_output *o = NULL;
  hp_status s = hp_well_paths_create(S->c, S->wells, &paths);
  if (s == HP_OK) s = hp_output_prepare(S->c, base, command_line, S->c->nwell, paths, NULL, &o);
  if (s == HP_OK) {
    hp_output_use_more(o, L->count, L->field, write_tables, T);
    s = hp_output_begin(S->c->nwell, paths, (hp_output_parts){.ranks = 0}, &o);
  }
  if (s == HP_OK) s = hp_output_fields(o, S->time, S->step, S->res->p, S->res->s);
  if (o != NULL) {
    const hp_failure closed = hp_fail_keep(hp_output_close(&o));
    if (s == HP_OK) s = hp_fail_again(closed);
  }
  hp_well_paths_destroy(&paths, S->c->nwell);
  return s;
}

hp_status hp_diagnosis_write(hp_sim *S, const hp_diagnosis *D, const char *base, const char *command_line) {
  field_list L = {.count = 0};
  table_list T = {.D = D, .units = &S->c->units, .pairs = {.fd = -1}};
  char *path = NULL;
  hp_status s = hp_format(&path, "%s.csv", base);
  if (s == HP_OK) s = list_fields(&S->c->units, D, &L);
  if (s == HP_OK) s = fill_pairs(&T);
  if (s == HP_OK) s = write_result(S, base, command_line, &L, &T);
  if (s == HP_OK) s = hp_table_reopen_csv(&T.pairs, path);
  if (s == HP_OK) s = hp_table_close_csv(&T.pairs);
  hp_table_destroy(&T.pairs);
  clear_fields(&L);
  HP_FREE(path);
  return s;
}
