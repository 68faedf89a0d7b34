/* NAME.xdmf2: describes the HDF5 files to ParaView. Its extension picks ParaView's XDMF2 reader.
 *
 * A temporal collection of uniform grids, one a report step, each naming plain datasets: the form that every reader
 * and version reads right. Every grid carries the same arrays.
 */
#include "core/memory.h"
#include "io/results/impl.h"

typedef struct {
  const char *name, *type;
  int precision;
} array;

static void add_item(hp_text *t, const char *dims, const char *type, int precision, const char *file,
                     const char *folder, const char *name) {
  hp_text_add(t, "<DataItem Dimensions=\"%s\" NumberType=\"%s\" Precision=\"%d\" Format=\"HDF\">", dims, type,
              precision);
  hp_text_add_xml(t, file);
  hp_text_add(t, ":%s/%s</DataItem>", folder, name);
}

static void add_arrays(hp_text *t, const char *dims, const char *file, const char *folder, int count, const array *a) {
  for (int n = 0; n < count; ++n) {
    hp_text_add(t, "        <Attribute Name=\"%s\" AttributeType=\"Scalar\" Center=\"Cell\">", a[n].name);
    add_item(t, dims, a[n].type, a[n].precision, file, folder, a[n].name);
    hp_text_add(t, "</Attribute>\n");
  }
}

/* Cells by their nodes (io/results/mesh.c). */
static void add_mesh(const hp_output *o, hp_text *t) {
  const hp_grid *g = o->c->grid;
  const char *file = o->name[HP_OUTPUT_GRID];
  char dims[64];
  hp_text_add(t, "        <Topology TopologyType=\"Hexahedron\" NumberOfElements=\"%lld\">\n          ",
              (long long)g->ncell);
  snprintf(dims, sizeof dims, "%d %d %d 8", g->nz, g->ny, g->nx);
  add_item(t, dims, "Int", 4, file, "/grid", "cells");
  hp_text_add(t, "\n        </Topology>\n        <Geometry GeometryType=\"XYZ\">\n          ");
  if (o->nnode > 0) snprintf(dims, sizeof dims, "%lld 3", (long long)o->nnode);
  else snprintf(dims, sizeof dims, "%d %d %d 3", g->nz + 1, g->ny + 1, g->nx + 1);
  add_item(t, dims, "Float", 8, file, "/grid", "nodes");
  hp_text_add(t, "\n        </Geometry>\n");
}

/* The grid at one report step; step_file NULL: before the first. */
static void add_grid(const hp_output *o, hp_text *t, const char *step_file, double time) {
  static const array masks[] = {{"active", "UChar", 1}, {"vtkGhostType", "UChar", 1}};
  static const array statics[] = {{"porosity", "Float", 4},   {"permx", "Float", 4}, {"permy", "Float", 4},
                                  {"permz", "Float", 4},      {"depth", "Float", 4}, {"ntg", "Float", 4},
                                  {"pore_volume", "Float", 4}};
  static const array ranks[] = {{"rank", "Int", 4}};
  const int real = o->c->output.f64 ? 8 : 4;
  const array fields[] = {{"pressure", "Float", real}, {"sw", "Float", real}, {"so", "Float", real}};
  const hp_grid *g = o->c->grid;
  const char *grid_file = o->name[HP_OUTPUT_GRID];
  char dims[64];
  snprintf(dims, sizeof dims, "%d %d %d", g->nz, g->ny, g->nx);
  hp_text_add(t, "      <Grid Name=\"reservoir\" GridType=\"Uniform\">\n");
  if (step_file != NULL) hp_text_add(t, "        <Time Value=\"%.17g\"/>\n", time);
  add_mesh(o, t);
  if (step_file != NULL) add_arrays(t, dims, step_file, "", sizeof fields / sizeof fields[0], fields);
  for (int n = 0; step_file != NULL && n < o->nmore; ++n) {
    const array more = {o->more[n].name, o->more[n].whole ? "Int" : "Float", 4};
    add_arrays(t, dims, step_file, "", 1, &more);
  }
  add_arrays(t, dims, grid_file, "/static", sizeof statics / sizeof statics[0], statics);
  add_arrays(t, dims, grid_file, "/static", o->has_ranks, ranks);
  add_arrays(t, dims, grid_file, "/grid", sizeof masks / sizeof masks[0], masks);
  hp_text_add(t, "      </Grid>\n");
}

/* The steps' grids are about equally long. */
static hp_status add_steps(const hp_output *o, hp_text *t) {
  enum { MORE = 32 /* digits of the time */ };
  hp_text_add(t, "    <Grid Name=\"steps\" GridType=\"Collection\" CollectionType=\"Temporal\">\n");
  const int64_t before = t->length;
  for (int n = 0; n < o->nstep; ++n) {
    char *file;
    HP_TRY(hp_format(&file, "%s/step_%06d.h5", o->name[HP_OUTPUT_STEPS], (int)o->step[n]));
    add_grid(o, t, file, o->time[n] / o->c->units.factor[HP_UNIT_TIME]);
    HP_FREE(file);
    if (n == 0) hp_text_reserve(t, before + o->nstep * (t->length - before + MORE) + 256);
  }
  hp_text_add(t, "    </Grid>\n");
  return t->status;
}

hp_status hp_output_add_xdmf(const hp_output *o, hp_text *t) {
  hp_text_add(t,
              "<?xml version=\"1.0\" ?>\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n"
              "<Xdmf Version=\"2.0\">\n  <Domain>\n");
  hp_text_add(t, "    <Information Name=\"time unit\" Value=\"%s\"/>\n", o->c->units.label[HP_UNIT_TIME]);
  if (o->nstep > 0) HP_TRY(add_steps(o, t));
  else add_grid(o, t, NULL, 0.0);
  hp_text_add(t, "  </Domain>\n</Xdmf>\n");
  return t->status;
}

hp_status hp_output_write_xdmf(hp_output *o) {
  hp_text t = {0};
  hp_status s = hp_output_add_xdmf(o, &t);
  if (s == HP_OK) s = hp_output_put_text(o, o->path[HP_OUTPUT_XDMF], &t);
  hp_text_clear(&t);
  return s;
}
