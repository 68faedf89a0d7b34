/* NAME.view.py: a script that opens a result in ParaView.
 *
 * The script stands alone, so that it can be copied away with the result files; what it knows about the result are the
 * few constants at its top. tests/paraview runs it.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "io/output_impl.h"

static const char *const body =
    "\n"
    "\n"
    "def colour_by(display, view, name, bar=True):\n"
    "    \"\"\"Saturations are coloured from 0 to 1, permeability on a log scale, the rest by range.\"\"\"\n"
    "    ColorBy(display, (\"CELLS\", name))\n"
    "    table = GetColorTransferFunction(name)\n"
    "    table.UseLogScale = 0\n"
    "    table.ApplyPreset(\"Viridis (matplotlib)\", True)\n"
    "    low, high = display.Input.CellData[name].GetRange()\n"
    "    if name in (\"sw\", \"so\"):\n"
    "        low, high = 0.0, 1.0\n"
    "    logarithmic = name.startswith(\"perm\") and high > 0.0\n"
    "    if logarithmic:\n"
    "        low = max(low, 1e-6 * high)\n"
    "    if low < high:\n"
    "        table.RescaleTransferFunction(low, high)\n"
    "        if logarithmic:\n"
    "            table.MapControlPointsToLogSpace()\n"
    "            table.UseLogScale = 1\n"
    "    scale = GetScalarBar(table, view)\n"
    "    scale.Title = TITLES.get(name, name)\n"
    "    scale.ComponentTitle = \"\"\n"
    "    scale.TitleColor = scale.LabelColor = [0.0, 0.0, 0.0]\n"
    "    scale.TitleFontSize, scale.LabelFontSize = 18, 16\n"
    "    scale.AutomaticLabelFormat = 0\n"
    "    scale.LabelFormat = scale.RangeLabelFormat = \"%-.4g\"\n"
    "    scale.WindowLocation, scale.Position, scale.ScalarBarLength = \"Any Location\", [0.9, 0.08], 0.4\n"
    "    display.SetScalarBarVisibility(view, bar)\n"
    "\n"
    "\n"
    "def show_reservoir(view):\n"
    "    reservoir = OpenDataFile(os.path.join(FOLDER, NAME + \".xdmf2\"))\n"
    "    RenameSource(\"reservoir\", reservoir)\n"
    "    reservoir.UpdatePipelineInformation()\n"
    "    scene = GetAnimationScene()\n"
    "    scene.UpdateAnimationUsingDataTimeSteps()\n"
    "    if len(reservoir.TimestepValues) > 0:\n"
    "        scene.AnimationTime = view.ViewTime = reservoir.TimestepValues[-1]\n"
    "    reservoir.UpdatePipeline(view.ViewTime)\n"
    "    small = reservoir.GetDataInformation().GetNumberOfCells() <= 30000\n"
    "    display = Show(reservoir, view)\n"
    "    display.Representation = \"Surface With Edges\" if small else \"Surface\"\n"
    "    display.EdgeColor, display.Ambient = [0.3, 0.3, 0.3], 0.3\n"
    "    display.Scale = [1.0, 1.0, EXAGGERATION]\n"
    "    names = reservoir.CellData.keys()\n"
    "    # Permeability is given its log scale now, for the time when somebody picks it.\n"
    "    for name in names:\n"
    "        if name.startswith(\"perm\"):\n"
    "            colour_by(display, view, name, bar=False)\n"
    "    colour_by(display, view, COLOUR if COLOUR in names else \"permx\")\n"
    "    return reservoir\n"
    "\n"
    "\n"
    "def show_wells(view, size):\n"
    "    \"\"\"Tubes, injectors blue and producers black, each with its name at the top.\"\"\"\n"
    "    wells = OpenDataFile(os.path.join(FOLDER, NAME + \".wells.vtp\"))\n"
    "    RenameSource(\"wells\", wells)\n"
    "    wells.UpdatePipeline()\n"
    "    if wells.GetDataInformation().GetNumberOfCells() == 0:\n"
    "        return\n"
    "    scaled = Transform(registrationName=\"wells, exaggerated\", Input=wells)\n"
    "    scaled.Transform.Scale = [1.0, 1.0, EXAGGERATION]\n"
    "    tubes = Tube(registrationName=\"wells as tubes\", Input=scaled)\n"
    "    tubes.Scalars, tubes.Vectors = [\"POINTS\", \"\"], [\"POINTS\", \"\"]\n"
    "    tubes.Radius, tubes.NumberofSides = 0.004 * size, 12\n"
    "    display = Show(tubes, view)\n"
    "    ColorBy(display, (\"CELLS\", \"injector\"))\n"
    "    table = GetColorTransferFunction(\"injector\")\n"
    "    table.InterpretValuesAsCategories = 1\n"
    "    table.Annotations = [\"0\", \"producer\", \"1\", \"injector\"]\n"
    "    table.IndexedColors = [0.1, 0.1, 0.1, 0.1, 0.4, 1.0]\n"
    "    display.SetScalarBarVisibility(view, False)\n"
    "    Hide3DWidgets(proxy=scaled.Transform)\n"
    "\n"
    "    lines = servermanager.Fetch(wells)\n"
    "    names, tops = lines.GetCellData().GetAbstractArray(\"well\"), {}\n"
    "    for cell in range(lines.GetNumberOfCells()):\n"
    "        points, name = lines.GetCell(cell).GetPoints(), names.GetValue(cell)\n"
    "        for x, y, z in (points.GetPoint(p) for p in range(points.GetNumberOfPoints())):\n"
    "            tops[name] = min((z, x, y), tops.get(name, (z, x, y)))\n"
    "    for name, (z, x, y) in tops.items():\n"
    "        label = Text(registrationName=\"label \" + name, Text=name)\n"
    "        text = Show(label, view)\n"
    "        text.TextPropMode = \"Billboard 3D Text\"\n"
    "        text.BillboardPosition = [x, y, EXAGGERATION * z - 0.015 * size]\n"
    "        text.Color, text.FontSize, text.Bold = [0.0, 0.0, 0.0], 16, 1\n"
    "\n"
    "\n"
    "def main():\n"
    "    view = GetActiveViewOrCreate(\"RenderView\")\n"
    "    view.UseColorPaletteForBackground = 0\n"
    "    view.Background = [1.0, 1.0, 1.0]\n"
    "    view.OrientationAxesLabelColor = [0.0, 0.0, 0.0]\n"
    "    reservoir = show_reservoir(view)\n"
    "    bounds = reservoir.GetDataInformation().GetBounds()\n"
    "    show_wells(view, max(bounds[1] - bounds[0], bounds[3] - bounds[2]))\n"
    "    if len(reservoir.TimestepValues) > 0:\n"
    "        note = AnnotateTimeFilter(registrationName=\"time\", Input=reservoir)\n"
    "        note.Format = \"{time:.6g} \" + (TIME_UNIT if TIME_UNIT == \"s\" else TIME_UNIT + \"s\")\n"
    "        text = Show(note, view)\n"
    "        text.Color, text.FontSize = [0.0, 0.0, 0.0], 24\n"
    "    SetActiveSource(reservoir)\n"
    "    # z is depth, positive down: only the camera is turned, so that the coordinates stay true.\n"
    "    view.CameraFocalPoint = [0.0, 0.0, 0.0]\n"
    "    view.CameraPosition = [0.5, 0.85, -0.6]\n"
    "    view.CameraViewUp = [0.0, 0.0, -1.0]\n"
    "    if PICTURE:\n"
    "        view.ViewSize = [1600, 1000]\n"
    "    ResetCamera(view)\n"
    "    if PICTURE:\n"
    "        SaveScreenshot(PICTURE, view)\n"
    "    else:\n"
    "        Render(view)\n"
    "\n"
    "\n"
    "main()\n";

/* Makes the picture about a third as high as it is wide: 1, 2 or 5 times a power of ten, at least 1. */
static double exaggeration(const hp_case *c) {
  const hp_grid *g = c->grid;
  const double length = fmax(c->x[g->nx] - c->x[0], c->y[g->ny] - c->y[0]);
  double top = INFINITY, bottom = -INFINITY;
  for (int64_t m = 0; m < g->ncell; ++m) {
    if (!g->active[m]) continue;
    top = fmin(top, g->depth[m] - 0.5 * g->dz[m]);
    bottom = fmax(bottom, g->depth[m] + 0.5 * g->dz[m]);
  }
  const double wanted = bottom > top ? 0.35 * length / (bottom - top) : 1.0;
  if (!(wanted > 1.0)) return 1.0;
  const double power = pow(10.0, floor(log10(wanted))), digit = wanted / power;
  return power * (digit >= 5.0 ? 5.0 : digit >= 2.0 ? 2.0 : 1.0);
}

/* The folder of the result files, for programs that do not tell a script where it stands. */
static void add_folder(hp_text *t, const hp_output *o) {
  char here[4096] = ".";
  const char *path = o->path[HP_OUTPUT_VIEW];
  hp_text folder = {0};
  if (path[0] != '/' && getcwd(here, sizeof here) != NULL) hp_text_add(&folder, "%s/", here);
  hp_text_add(&folder, "%.*s", (int)(o->name[HP_OUTPUT_VIEW] - path), path);
  if (folder.status == HP_OK)
    hp_text_add_python(t, folder.s);
  else
    t->status = folder.status;
  hp_text_clear(&folder);
}

hp_status hp_output_write_view(hp_output *o) {
  const char *file = o->name[HP_OUTPUT_VIEW];
  hp_text t = {0}, name = {0};
  hp_text_add(&name, "%.*s", (int)(strlen(file) - strlen(".view.py")), file);
  hp_text_add(&t, "# Shows a result of hepta in ParaView 5.11 or later:\n"
                  "#   paraview --script=NAME.view.py            in the program\n"
                  "#   pvbatch NAME.view.py PICTURE.png [ARRAY]  into a file\n"
                  "import os\nimport sys\n\nfrom paraview.simple import *\n\nNAME = ");
  if (name.s != NULL) hp_text_add_python(&t, name.s);
  hp_text_add(&t, "\nFOLDER = os.path.dirname(os.path.abspath(__file__)) if \"__file__\" in globals() else ");
  add_folder(&t, o);
  hp_text_add(&t, "\nEXAGGERATION = %g  # of depth\nTIME_UNIT = ", exaggeration(o->c));
  hp_text_add_python(&t, o->c->units.label[HP_UNIT_TIME]);
  hp_text_add(&t, "\nPICTURE = sys.argv[1] if len(sys.argv) > 1 and sys.argv[1].endswith(\".png\") else None\n"
                  "COLOUR = sys.argv[2] if PICTURE and len(sys.argv) > 2 else \"sw\"\n"
                  "TITLES = {\"sw\": \"water saturation\", \"so\": \"oil saturation\",\n"
                  "          \"pressure\": \"pressure [Pa]\",\n"
                  "          \"permx\": \"permeability x [mD]\", \"permy\": \"permeability y [mD]\",\n"
                  "          \"permz\": \"permeability z [mD]\", \"depth\": \"depth [m]\",\n"
                  "          \"pore_volume\": \"pore volume [m3]\", \"ntg\": \"net to gross\"}\n%s", body);
  hp_status s = name.status;
  if (s == HP_OK) s = hp_file_replace_text(o->path[HP_OUTPUT_VIEW], &t);
  hp_text_clear(&t);
  hp_text_clear(&name);
  return s;
}
