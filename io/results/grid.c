/* NAME.grid.h5: what does not change during a run. */
#define _POSIX_C_SOURCE 200809L
#include <libconfig.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/program.h"
#include "core/ranks/ranks.h"
#include "io/results/impl.h"

#define MILLIDARCY 9.869232667160e-16 /* [m2] */

enum { HIDDEN_CELL = 32 }; /* vtkDataSetAttributes::HIDDENCELL */

/* ---- the mesh ---- */

static hp_status write_mesh(hp_output *o, hp_h5 *h) {
  const hp_case *c = o->c;
  const hp_grid *g = c->grid;
  double *z;
  HP_TRY(HP_ALLOC(z, g->nz + 1));
  for (int k = 0; k <= g->nz; ++k) z[k] = -c->z[k];
  hp_status s = hp_h5_array(h, "/grid/x", HP_H5_F64, 1, (const int64_t[]){g->nx + 1}, c->x, "m");
  if (s == HP_OK) s = hp_h5_array(h, "/grid/y", HP_H5_F64, 1, (const int64_t[]){g->ny + 1}, c->y, "m");
  if (s == HP_OK) s = hp_h5_array(h, "/grid/z", HP_H5_F64, 1, (const int64_t[]){g->nz + 1}, z, "m");
  HP_FREE(z);
  if (s == HP_OK) s = hp_h5_text(h, "/grid", "positive", "up");
  return s == HP_OK ? hp_output_write_mesh(c, o->remote, h) : s;
}

/* ---- cell arrays ---- */

/* By all processors: the run has not begun. Of several ranks by one, which needs memory for one packed chunk alone. */
int hp_output_grid_threads(const hp_h5 *h) { return h->on_disk ? 1 : hp_parallel_threads(); }

static hp_status write_field(hp_h5 *h, const char *name, hp_h5_type type, const int dims[3], const void *data,
                             const char *unit) {
  const hp_h5_source field = {.name = name, .unit = unit, .data = data};
  return h->compression > 0 ? hp_h5_fields(h, 1, &field, type, dims, hp_output_grid_threads(h))
                            : hp_h5_field(h, name, type, dims, data, unit);
}

static hp_status write_masks(const hp_grid *g, hp_h5 *h, const int dims[3]) {
  uint8_t *active = NULL, *ghost = NULL;
  hp_status s = HP_ALLOC(active, g->ncell);
  if (s == HP_OK) s = HP_ALLOC(ghost, g->ncell);
  int64_t n = 0;
  for (int k = 0; s == HP_OK && k < g->nz; ++k)
    for (int j = 0; j < g->ny; ++j)
      for (int i = 0; i < g->nx; ++i, ++n) {
        active[n] = g->active[hp_grid_cell(g, i, j, k)];
        ghost[n] = active[n] ? 0 : HIDDEN_CELL;
      }
  if (s == HP_OK) s = write_field(h, "/grid/active", HP_H5_U8, dims, active, NULL);
  if (s == HP_OK) s = write_field(h, "/grid/vtkGhostType", HP_H5_U8, dims, ghost, NULL);
  HP_FREE(active);
  HP_FREE(ghost);
  return s;
}

typedef struct {
  const char *name, *unit;
  double factor;
  hp_array array;
} static_array;

static const static_array statics[] = {
    {"/static/porosity", "", 0.0, HP_ARRAY_POROSITY},    {"/static/permx", "mD", MILLIDARCY, HP_ARRAY_PERMX},
    {"/static/permy", "mD", MILLIDARCY, HP_ARRAY_PERMY}, {"/static/permz", "mD", MILLIDARCY, HP_ARRAY_PERMZ},
    {"/static/depth", "m", 0.0, HP_ARRAY_DEPTH},         {"/static/ntg", "", 0.0, HP_ARRAY_NTG},
    {"/static/pore_volume", "m3", 0.0, HP_ARRAY_PORES}};
enum { STATICS = sizeof statics / sizeof *statics };

/* Fields of cells that others hold. */
static hp_status write_remote(const hp_output *o, hp_h5 *h) {
  const hp_grid *g = o->c->grid;
  hp_remote_fields f = {.size = {g->nz, g->ny, g->nx}, .type = HP_H5_F32, .level = h->compression, .count = 1};
  for (int a = 0; a < STATICS; ++a) {
    f.array[0] = statics[a].array;
    f.divisor[0] = statics[a].factor;
    HP_TRY(hp_remote_write_fields(h, o->remote, &f, &statics[a].name, &statics[a].unit));
  }
  f.type = HP_H5_U8;
  f.array[0] = HP_ARRAY_ACTIVE;
  f.divisor[0] = 0.0;
  f.form = HP_REMOTE_FLAG;
  HP_TRY(hp_remote_write_fields(h, o->remote, &f, (const char *const[]){"/grid/active"}, (const char *const[]){NULL}));
  f.form = HP_REMOTE_HIDDEN;
  return hp_remote_write_fields(h, o->remote, &f, (const char *const[]){"/grid/vtkGhostType"},
                                (const char *const[]){NULL});
}

static hp_status write_static(hp_output *o, hp_h5 *h) {
  const hp_grid *g = o->c->grid;
  const int dims[3] = {g->nz, g->ny, g->nx};
  if (o->remote != NULL) return write_remote(o, h);
  for (int a = 0; a < STATICS; ++a) {
    const static_array *s = &statics[a];
    const double *value = hp_case_array(o->c, s->array);
    const hp_h5_source packed = {
        .name = s->name, .unit = s->unit, .data = value, .by_cell = true, .divisor = s->factor};
    if (h->compression > 0) {
      HP_TRY(hp_h5_fields(h, 1, &packed, HP_H5_F32, dims, hp_output_grid_threads(h)));
      continue;
    }
    hp_grid_to_natural(g->nx, g->ny, g->nz, value, o->natural);
    for (int64_t n = 0; n < g->ncell && s->factor != 0.0; ++n) o->natural[n] /= s->factor;
    HP_TRY(write_field(h, s->name, HP_H5_F32, dims, o->natural, s->unit));
  }
  return write_masks(g, h, dims);
}

/* Ranks of columns, the same in all layers. */
typedef struct {
  int64_t nx;
  int32_t *rank; /* [ny][nx] */
} columns;

static void rank_row(const void *data, int k, int j, int64_t from, int64_t n, void *to) {
  const columns *c = data;
  (void)k;
  memcpy(to, c->rank + c->nx * j + from, (size_t)n * sizeof *c->rank);
}

hp_status hp_output_add_ranks(hp_output *o, hp_output_parts parts) {
  const hp_grid *g = o->c->grid;
  const int dims[3] = {g->nz, g->ny, g->nx};
  columns c = {.nx = g->nx};
  const hp_h5_source field = {.name = "/static/rank", .row = rank_row, .data = &c};
  if (parts.ranks < 2) return HP_OK;
  HP_TRY(HP_ALLOC(c.rank, (int64_t)g->nx * g->ny));
  for (int r = 0; r < parts.ranks; ++r)
    for (int j = parts.box[r].j0; j < parts.box[r].j1; ++j)
      for (int i = parts.box[r].i0; i < parts.box[r].i1; ++i) c.rank[i + c.nx * j] = r;
  const hp_status s = o->grid.compression > 0
                          ? hp_h5_fields(&o->grid, 1, &field, HP_H5_I32, dims, hp_output_grid_threads(&o->grid))
                          : hp_h5_rows(&o->grid, &field, HP_H5_I32, dims);
  o->has_ranks = s == HP_OK;
  HP_FREE(c.rank);
  return s;
}

/* ---- connections of cells that are not neighbours ---- */

/* Of several ranks, each of which has some. */
static hp_status write_remote_connections(const hp_output *o, hp_h5 *h) {
  const hp_grid *g = o->c->grid;
  const int64_t count = o->c->facts.connections;
  const int size[3] = {g->nx, g->ny, g->nz};
  if (count == 0) return HP_OK;
  HP_TRY(hp_h5_group(h, "/grid/connections"));
  HP_TRY(hp_remote_write_ends(h, o->remote, count, 0, size, "/grid/connections/cell"));
  HP_TRY(hp_remote_write_ends(h, o->remote, count, 1, size, "/grid/connections/other"));
  return hp_remote_write_trans(h, o->remote, count, "/grid/connections/transmissibility", "m3");
}

static hp_status write_connections(const hp_grid *g, hp_h5 *h) {
  const hp_grid_connections *c = &g->connection;
  const int64_t cells[2] = {c->count, 3}; /* i, j, k from 1 */
  int32_t(*cell)[3] = NULL;
  if (c->count == 0) return HP_OK;
  HP_TRY(HP_ALLOC(cell, c->count));
  hp_status s = hp_h5_group(h, "/grid/connections");
  for (int end = 0; end < 2 && s == HP_OK; ++end) {
    for (int64_t n = 0; n < c->count; ++n) {
      int at[3];
      hp_grid_ijk(g, end == 0 ? c->a[n] : c->b[n], at);
      for (int x = 0; x < 3; ++x) cell[n][x] = at[x] + 1;
    }
    s = hp_h5_array(h, end == 0 ? "/grid/connections/cell" : "/grid/connections/other", HP_H5_I32, 2, cells, cell,
                    NULL);
  }
  if (s == HP_OK) s = hp_h5_array(h, "/grid/connections/transmissibility", HP_H5_F64, 1, cells, c->trans, "m3");
  HP_FREE(cell);
  return s;
}

/* ---- faults ---- */

static hp_status write_fault_numbers(const hp_case *c, hp_h5 *h, int32_t *count, double *value) {
  const int64_t faults = c->nfault;
  for (int n = 0; n < c->nfault; ++n) count[n] = (int32_t)c->fault[n].faces;
  HP_TRY(hp_h5_array(h, "/grid/faults/faces", HP_H5_I32, 1, &faults, count, NULL));
  for (int n = 0; n < c->nfault; ++n) count[n] = (int32_t)c->fault[n].connections;
  HP_TRY(hp_h5_array(h, "/grid/faults/connections", HP_H5_I32, 1, &faults, count, NULL));
  for (int n = 0; n < c->nfault; ++n) value[n] = c->fault[n].factor;
  HP_TRY(hp_h5_array(h, "/grid/faults/multiplier", HP_H5_F64, 1, &faults, value, ""));
  for (int n = 0; n < c->nfault; ++n) value[n] = c->fault[n].threshold * 1e-5;
  return hp_h5_array(h, "/grid/faults/threshold", HP_H5_F64, 1, &faults, value, "bar");
}

static hp_status write_faults(const hp_case *c, hp_h5 *h) {
  const char **name = NULL;
  int32_t *count = NULL;
  double *value = NULL;
  if (c->nfault == 0) return HP_OK;
  HP_TRY(hp_h5_group(h, "/grid/faults"));
  hp_status s = HP_ALLOC(name, c->nfault);
  if (s == HP_OK) s = HP_ALLOC(count, c->nfault);
  if (s == HP_OK) s = HP_ALLOC(value, c->nfault);
  for (int n = 0; s == HP_OK && n < c->nfault; ++n) name[n] = c->fault[n].name;
  if (s == HP_OK) s = hp_h5_strings(h, "/grid/faults/name", c->nfault, name);
  if (s == HP_OK) s = write_fault_numbers(c, h, count, value);
  HP_FREE(name);
  HP_FREE(count);
  HP_FREE(value);
  return s;
}

/* ---- wells and where the result comes from ---- */

static hp_status write_well(hp_h5 *h, int index, const hp_well_path *path) {
  char *group = NULL, *points = NULL;
  double(*point)[3] = NULL;
  HP_TRY(HP_ALLOC(point, path->n));
  for (int p = 0; p < path->n; ++p) {
    memcpy(point[p], path->point[p], sizeof point[p]);
    point[p][2] = -path->point[p][2];
  }
  hp_status s = hp_h5_name(&group, "/wells/", path->name);
  if (s == HP_OK) s = hp_format(&points, "%s/path", group);
  if (s == HP_OK) s = hp_h5_group(h, group);
  if (s == HP_OK) s = hp_h5_array(h, points, HP_H5_F64, 2, (const int64_t[]){path->n, 3}, point, "m");
  if (s == HP_OK) s = hp_h5_integer(h, group, "index", index);
  if (s == HP_OK) s = hp_h5_text(h, group, "name", path->name);
  if (s == HP_OK) s = hp_h5_text(h, group, "type", path->injector ? "injector" : "producer");
  HP_FREE(group);
  HP_FREE(points);
  HP_FREE(point);
  return s;
}

void hp_text_add_machine(hp_text *t) {
  struct utsname u;
  if (uname(&u) == 0) hp_text_add(t, "%s; %s %s %s; ", u.nodename, u.sysname, u.release, u.machine);
  FILE *f = fopen("/proc/cpuinfo", "r");
  char line[256];
  while (f != NULL && fgets(line, sizeof line, f) != NULL)
    if (strncmp(line, "model name", 10) == 0 && strchr(line, ':') != NULL) {
      line[strcspn(line, "\n")] = '\0';
      hp_text_add(t, "%s; ", strchr(line, ':') + 1 + strspn(strchr(line, ':') + 1, " "));
      break;
    }
  if (f != NULL) fclose(f);
  hp_text_add(t, "%ld processors", sysconf(_SC_NPROCESSORS_ONLN));
}

void hp_text_add_versions(hp_text *t) {
  unsigned major = 0, minor = 0, patch = 0;
#if defined(__clang__)
  const char *compiler = "clang";
#elif defined(__GNUC__)
  const char *compiler = "gcc";
#else
  const char *compiler = "compiler";
#endif
#ifdef HEPTA_HAVE_CUDA
  const char *cuda = HEPTA_CUDA_VERSION;
#else
  const char *cuda = "none";
#endif
  if (H5get_libversion(&major, &minor, &patch) < 0) major = minor = patch = 0;
  hp_text_add(t, "hepta %s; %s %s; HDF5 %u.%u.%u; libconfig %d.%d.%d; CUDA %s", hp_version, compiler, __VERSION__,
              major, minor, patch, LIBCONFIG_VER_MAJOR, LIBCONFIG_VER_MINOR, LIBCONFIG_VER_REVISION, cuda);
}

static hp_status write_origin(const hp_case *c, hp_h5 *h, const char *command_line) {
  char now[32] = "";
  const time_t seconds = time(NULL);
  struct tm utc;
  if (gmtime_r(&seconds, &utc) != NULL) strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", &utc);
  HP_TRY(hp_h5_text(h, "/", "deck_text", c->text != NULL ? c->text : ""));
  HP_TRY(hp_h5_text(h, "/", "command_line", command_line != NULL ? command_line : ""));
  HP_TRY(hp_h5_text(h, "/", "written", now));
  hp_text machine = {0};
  hp_text_add_machine(&machine);
  hp_status s = machine.status;
  if (s == HP_OK) s = hp_h5_text(h, "/", "machine", machine.s);
  hp_text_clear(&machine);
  return s;
}

static hp_status write_all(hp_output *o, hp_h5 *h, const char *command_line, int nwell, const hp_well_path *path) {
  HP_TRY(hp_h5_group(h, "/grid"));
  HP_TRY(hp_h5_group(h, "/static"));
  HP_TRY(hp_h5_group(h, "/wells"));
  HP_TRY(hp_output_describe(o, h));
  HP_TRY(write_origin(o->c, h, command_line));
  HP_TRY(write_mesh(o, h));
  HP_TRY(write_static(o, h));
  HP_TRY(o->remote != NULL ? write_remote_connections(o, h) : write_connections(o->c->grid, h));
  HP_TRY(write_faults(o->c, h));
  for (int w = 0; w < nwell; ++w) HP_TRY(write_well(h, w, &path[w]));
  return HP_OK;
}

hp_status hp_output_build_grid(hp_output *o, const char *command_line, int nwell, const hp_well_path *path) {
  const int level = o->c->output.compression;
  HP_TRY(hp_ranks_world() != NULL ? hp_h5_create_on_disk(&o->grid, o->path[HP_OUTPUT_GRID], level)
                                  : hp_h5_create(&o->grid, o->path[HP_OUTPUT_GRID], level));
  o->grid_built = true;
  hp_status s = o->remote != NULL ? hp_remote_open(o->remote, &o->grid) : HP_OK;
  if (s == HP_OK) s = write_all(o, &o->grid, command_line, nwell, path);
  return o->remote != NULL ? hp_remote_close(o->remote, s) : s;
}

hp_status hp_output_write_grid(hp_output *o) {
  o->grid_built = false;
  return o->unsynced ? hp_h5_place(&o->grid) : hp_h5_commit(&o->grid);
}
