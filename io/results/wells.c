/* NAME.wells.vtp: the wells as polylines with their names, which XDMF cannot carry.
 *
 * Cell arrays: "well" (text), "injector" and "riser" (0 or 1). A riser is drawn from the start of a well's path to half
 * the grid's thickness above the grid, so that the well can be seen from outside; a path that starts higher has none.
 * Points are x, y, z = -depth, as those of the mesh.
 */
#include <string.h>

#include "core/memory.h"
#include "io/results/impl.h"

typedef struct {
  const char *name;
  bool injector, riser;
  int n;
  const double (*point)[3];
  double riser_point[2][3];
} line;

void hp_output_note_depths(hp_output *o) {
  if (o->c->spread == NULL) {
    hp_case_depths(o->c, &o->top, &o->bottom);
    return;
  }
  o->top = o->c->facts.top;
  o->bottom = o->c->facts.bottom;
}

/* lines [2 nwell]: each well that has a length, and its riser. */
static int collect(const hp_output *o, int nwell, const hp_well_path *path, line *lines) {
  const double head = o->top - 0.5 * (o->bottom - o->top);
  int count = 0;
  for (int w = 0; w < nwell; ++w) {
    if (path[w].n < 2) continue;
    lines[count] = (line){.name = path[w].name, .injector = path[w].injector, .n = path[w].n, .point = path[w].point};
    count += 1;
    if (path[w].point[0][2] <= head) continue;
    line *riser = &lines[count++];
    *riser = (line){.name = path[w].name, .injector = path[w].injector, .riser = true, .n = 2};
    for (int p = 0; p < 2; ++p) memcpy(riser->riser_point[p], path[w].point[0], sizeof riser->riser_point[p]);
    riser->riser_point[0][2] = head;
    riser->point = (const double(*)[3])riser->riser_point;
  }
  return count;
}

static void add_points(hp_text *t, int count, const line *lines) {
  hp_text_add(t, "      <Points>\n        <DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n");
  for (int l = 0; l < count; ++l)
    for (int p = 0; p < lines[l].n; ++p)
      hp_text_add(t, "          %.10g %.10g %.10g\n", lines[l].point[p][0], lines[l].point[p][1],
                  0.0 - lines[l].point[p][2]);
  hp_text_add(t, "        </DataArray>\n      </Points>\n");
}

static void add_lines(hp_text *t, int count, const line *lines) {
  hp_text_add(t, "      <Lines>\n        <DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">\n         ");
  int64_t end = 0;
  for (int l = 0; l < count; ++l)
    for (int p = 0; p < lines[l].n; ++p) hp_text_add(t, " %lld", (long long)end++);
  hp_text_add(t,
              "\n        </DataArray>\n"
              "        <DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">\n         ");
  end = 0;
  for (int l = 0; l < count; ++l) hp_text_add(t, " %lld", (long long)(end += lines[l].n));
  hp_text_add(t, "\n        </DataArray>\n      </Lines>\n");
}

/* A string array in VTK's ASCII form: the codes of the characters, each string ended by 0. */
static void add_cell_data(hp_text *t, int count, const line *lines) {
  hp_text_add(t,
              "      <CellData>\n"
              "        <DataArray type=\"String\" Name=\"well\" NumberOfTuples=\"%d\" format=\"ascii\">\n",
              count);
  for (int l = 0; l < count; ++l) {
    hp_text_add(t, "         ");
    for (const char *c = lines[l].name; *c != '\0'; ++c) hp_text_add(t, " %d", (unsigned char)*c);
    hp_text_add(t, " 0\n");
  }
  hp_text_add(t,
              "        </DataArray>\n"
              "        <DataArray type=\"UInt8\" Name=\"injector\" format=\"ascii\">\n         ");
  for (int l = 0; l < count; ++l) hp_text_add(t, " %d", lines[l].injector);
  hp_text_add(t,
              "\n        </DataArray>\n"
              "        <DataArray type=\"UInt8\" Name=\"riser\" format=\"ascii\">\n         ");
  for (int l = 0; l < count; ++l) hp_text_add(t, " %d", lines[l].riser);
  hp_text_add(t, "\n        </DataArray>\n      </CellData>\n");
}

hp_status hp_output_write_wells(hp_output *o, int nwell, const hp_well_path *path) {
  line *lines;
  HP_TRY(HP_ALLOC(lines, 2 * nwell));
  const int count = collect(o, nwell, path, lines);
  int64_t npoint = 0;
  for (int l = 0; l < count; ++l) npoint += lines[l].n;

  hp_text t = {0};
  hp_text_add(&t,
              "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
              "header_type=\"UInt64\">\n  <PolyData>\n");
  hp_text_add(&t,
              "    <Piece NumberOfPoints=\"%lld\" NumberOfVerts=\"0\" NumberOfLines=\"%d\" NumberOfStrips=\"0\" "
              "NumberOfPolys=\"0\">\n",
              (long long)npoint, count);
  add_points(&t, count, lines);
  add_lines(&t, count, lines);
  add_cell_data(&t, count, lines);
  hp_text_add(&t, "    </Piece>\n  </PolyData>\n</VTKFile>\n");
  const hp_status s = hp_output_put_text(o, o->path[HP_OUTPUT_WELLS], &t);
  hp_text_clear(&t);
  HP_FREE(lines);
  return s;
}
