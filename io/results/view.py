import argparse
import glob
import os
import sys
import textwrap
import traceback

from paraview.simple import *

PICTURE_SIZE = [1600, 1000]
EDGES_MAX = 30000  # cells; more are shown without their edges
LABEL = 20         # [points] names of wells
BAR_ROOM = 150     # [pixels] from the colour bar to the right edge: half of its title fits there
TEXTS = 0.86       # of the height: the texts stand above it
BLACK, WHITE = [0.0, 0.0, 0.0], [1.0, 1.0, 1.0]
FROM_SIDE = [0.5, -0.85, 0.6]  # to the camera: from the side of small y, what is right on a map is right
INJECTOR, PRODUCER = [0.0, 0.45, 1.0], [0.85, 0.1, 0.05]  # apart from all colours of cells
TITLES = {"sw": "water saturation", "so": "oil saturation", "pressure": "pressure (Pa)",
          "permx": "permeability x (mD)", "permy": "permeability y (mD)", "permz": "permeability z (mD)",
          "depth": "depth (m)", "pore_volume": "pore volume (m3)", "ntg": "net to gross"}


def find_folder():
    """Beside this script, so that it can be moved with the result, or where the result was when it was written."""
    beside = os.path.dirname(os.path.abspath(__file__)) if "__file__" in globals() else ""
    return beside if os.path.exists(os.path.join(beside, NAME + ".xdmf2")) else FOLDER


def active_range(reservoir, name):
    """Of the active cells at the time at hand: what the files hold for the others is of no matter."""
    active = Threshold(Input=reservoir, Scalars=["CELLS", "active"], LowerThreshold=1, UpperThreshold=1)
    active.UpdatePipeline(GetAnimationScene().AnimationTime)
    low, high = active.CellData[name].GetRange()
    Delete(active)
    return low, high


def range_of(reservoir, name, times):
    """One for all times, so that colours mean the same from picture to picture."""
    if name in ("sw", "so"):
        return 0.0, 1.0
    scene, low, high = GetAnimationScene(), float("inf"), float("-inf")
    now = scene.AnimationTime
    for time in times if name.startswith("pressure") and times else [now]:
        scene.AnimationTime = time
        first, last = active_range(reservoir, name)
        low, high = min(low, first), max(high, last)
    scene.AnimationTime = now
    return low, high


def colour_by(display, view, name, limits, bar=True):
    """Permeability on a log scale; limits: low, high."""
    ColorBy(display, ("CELLS", name))
    table = GetColorTransferFunction(name)
    table.UseLogScale = 0
    table.ApplyPreset("Viridis (matplotlib)", True)
    low, high = limits
    logarithmic = name.startswith("perm") and high > 0.0
    if logarithmic:
        low = max(low, 1e-6 * high)
    if high - low <= 1e-6 * max(abs(low), abs(high)):  # one value everywhere: in the middle
        low, high = (0.5 * low, 2.0 * high) if logarithmic else (0.5 * low, 1.5 * high) if low > 0.0 else (low - 1.0, high + 1.0)
    table.RescaleTransferFunction(low, high)
    if logarithmic:
        table.MapControlPointsToLogSpace()
        table.UseLogScale = 1
    scale = GetScalarBar(table, view)
    scale.Title = TITLES.get(name, name)
    scale.ComponentTitle = ""
    scale.TitleColor = scale.LabelColor = BLACK
    scale.TitleFontSize, scale.LabelFontSize = 20, 18
    scale.AutomaticLabelFormat = 0
    scale.LabelFormat = scale.RangeLabelFormat = "%-.4g"
    scale.Orientation, scale.HorizontalTitle = "Vertical", 1
    scale.WindowLocation, scale.ScalarBarLength = "Any Location", 0.55
    scale.Position = [1.0 - BAR_ROOM / view.ViewSize[0], 0.22]
    display.SetScalarBarVisibility(view, bar)


def open_reservoir():
    reservoir = OpenDataFile(os.path.join(find_folder(), NAME + ".xdmf2"))
    if reservoir is None:
        raise RuntimeError("cannot open " + os.path.join(find_folder(), NAME + ".xdmf2"))
    RenameSource("reservoir", reservoir)
    reservoir.UpdatePipelineInformation()
    scene = GetAnimationScene()
    scene.UpdateAnimationUsingDataTimeSteps()
    if len(reservoir.TimestepValues) > 0:
        scene.AnimationTime = reservoir.TimestepValues[-1]
    reservoir.UpdatePipeline(scene.AnimationTime)
    return reservoir


def visible_bounds(reservoir):
    """Of the cells that are shown: x, y, z [m]."""
    surface = ExtractSurface(Input=reservoir)
    surface.UpdatePipeline(GetAnimationScene().AnimationTime)
    bounds = surface.GetDataInformation().GetBounds()
    Delete(surface)
    return bounds


def exaggeration(bounds, wanted):
    """The given exaggeration, or the one that makes the picture a third as high as it is wide: 1, 2, 5, 10, ...; where the
    field is far higher than wide, the one that makes it twice as high: 1/2, 1/5, ..."""
    if wanted is not None:
        return wanted
    height, width = bounds[5] - bounds[4], max(bounds[1] - bounds[0], bounds[3] - bounds[2])
    limit = 0.35 * width / height if height > 0.0 else 1.0
    if height > 4.0 * width > 0.0:
        return max(m * 10.0**-e for e in range(1, 9) for m in (1, 2, 5) if m * 10.0**-e <= max(2.0 * width / height, 1e-8))
    return max([1.0] + [m * 10.0**e for e in range(8) for m in (1, 2, 5) if m * 10.0**e <= limit])


def in_units(reservoir, name):
    """The source that has the array to be shown: pressure in the deck's unit, all else as it is in the files."""
    if name != "pressure" or PRESSURE_UNIT == "Pa":
        return reservoir, name
    scaled = Calculator(registrationName="pressure in " + PRESSURE_UNIT, Input=reservoir, AttributeType="Cell Data",
                        ResultArrayName="pressure (%s)" % PRESSURE_UNIT, Function="pressure/%.17g" % PRESSURE_FACTOR)
    return scaled, scaled.ResultArrayName


def only(source, shown, low, high):
    """The cells whose values are not below low nor above high, where that is given."""
    if low is None and high is None:
        return source
    big = 1e300
    return Threshold(registrationName="cells of that range", Input=source, Scalars=["CELLS", shown],
                     LowerThreshold=-big if low is None else low, UpperThreshold=big if high is None else high)


def direction(cells, stride, scale):
    """Where the axis points, as it is shown, along which cells follow each other whose numbers differ by stride."""
    numbers = cells.GetCellData().GetArray("number")
    place = {int(numbers.GetValue(n)): n for n in range(cells.GetNumberOfCells())}
    out = [0.0, 0.0, 0.0]
    for m in [m for m in place if m + stride in place][:2000]:
        first, last = (cells.GetCell(place[n]).GetBounds() for n in (m, m + stride))
        for d in range(3):
            out[d] += 0.5 * (last[2 * d] + last[2 * d + 1] - first[2 * d] - first[2 * d + 1])
    return out[0], out[1], UP * scale * out[2]


def read_section(text):
    """(axis, number) of "j=3"; None: no section"""
    if text is None:
        return None
    axis, equals, number = text.partition("=")
    if axis not in SIZE or not number.isdigit() or not 1 <= int(number) <= SIZE[axis]:
        raise RuntimeError("no section '%s': i, j or k = a number; the grid is of %d x %d x %d cells" % (
            text, SIZE["i"], SIZE["j"], SIZE["k"]))
    return axis, int(number)


def cut(source, section, scale):
    """The cells of that i, j or k and those behind them, as seen from the side or from above."""
    axis, number = section
    stride = {"i": 1, "j": SIZE["i"], "k": SIZE["i"] * SIZE["j"]}[axis]
    # Numbering drops the array that ParaView holds for the scalars: this one
    spare = Calculator(registrationName="spare", Input=source, AttributeType="Cell Data", ResultArrayName="spare",
                       Function="0")
    cells = GenerateIds(registrationName="numbers of cells", Input=spare, CellIdsArrayName="number", GeneratePointIds=0)
    numbers = Calculator(registrationName="their " + axis, Input=cells, AttributeType="Cell Data",
                         ResultArrayName="its " + axis, Function="floor(number/%d) - %d*floor(number/%d) + 1" % (
                             stride, SIZE[axis], stride * SIZE[axis]))
    between = lambda below, low, high, **words: Threshold(Input=below, LowerThreshold=low, UpperThreshold=high, **words)
    near = between(numbers, number - 1, number + 1, Scalars=["CELLS", "its " + axis])
    near = between(near, 1, 1, Scalars=["CELLS", "active"])
    near.UpdatePipeline(GetAnimationScene().AnimationTime)
    towards = dot(direction(servermanager.Fetch(near), stride, scale), FROM_SIDE)
    Delete(near)
    low, high = (1, number) if towards > 0.0 else (number, SIZE[axis])
    return between(numbers, low, high, Scalars=["CELLS", "its " + axis], registrationName="section")


def plain_look(display):
    """The colours of the bar, on all sides."""
    display.Ambient, display.Diffuse, display.Specular = 1.0, 0.0, 0.0


def show_frame(view, source, scale, veil):
    """The edges of the field, and where cells inside are shown a veil over it."""
    if veil:
        display = Show(source, view)
        display.Representation, display.Opacity = "Surface", 0.07
        ColorBy(display, None)
        display.AmbientColor = display.DiffuseColor = [0.3, 0.3, 0.35]
        plain_look(display)
        display.BackfaceRepresentation = "Cull Frontface"  # behind the cells, whose colours it would change
        display.Scale = [1.0, 1.0, UP * scale]
    surface = ExtractSurface(registrationName="surface", Input=source)
    edges = Show(FeatureEdges(registrationName="edges of the field", Input=surface), view)
    ColorBy(edges, None)
    edges.AmbientColor = edges.DiffuseColor = [0.6, 0.6, 0.6]  # seen beside dark and bright colours
    edges.LineWidth = 1.5
    plain_look(edges)
    edges.Scale = [1.0, 1.0, UP * scale]


def show_reservoir(view, reservoir, name, scale, limits=(None, None), section=None):
    source, shown = in_units(reservoir, name)
    part = source if section is None else in_units(cut(reservoir, section, scale), name)[0]
    part = only(part, shown, *limits)
    display = Show(part, view)
    small = reservoir.GetDataInformation().GetNumberOfCells() <= EDGES_MAX
    display.Representation = "Surface With Edges" if small and OPACITY == 1.0 else "Surface"
    display.Opacity = OPACITY
    display.EdgeColor = [0.5, 0.5, 0.5]
    plain_look(display)
    show_frame(view, source, scale, limits != (None, None))
    display.Scale = [1.0, 1.0, UP * scale]
    # Permeability is given its log scale now, for the time when somebody picks it.
    for other in reservoir.CellData.keys():
        if other.startswith("perm") and other != shown:
            colour_by(display, view, other, range_of(reservoir, other, []), bar=False)
    colour_by(display, view, shown, range_of(source, shown, reservoir.TimestepValues))
    return source


def top_of_wells(lines):
    """By name: the highest point [x, y, z] and whether it injects; lines: vtkPolyData."""
    names, injector = (lines.GetCellData().GetAbstractArray(array) for array in ("well", "injector"))
    tops = {}
    for cell in range(lines.GetNumberOfCells()):
        points, name = lines.GetCell(cell).GetPoints(), names.GetValue(cell)
        for p in range(points.GetNumberOfPoints()):
            x, y, z = points.GetPoint(p)
            if name not in tops or UP * z > UP * tops[name][0][2]:
                tops[name] = ((x, y, z), injector.GetValue(cell) == 1)
    return tops


def show_wells(view, size, scale):
    """Tubes, injectors blue and producers red, each with its name at the top; the bounds of all."""
    wells = OpenDataFile(os.path.join(find_folder(), NAME + ".wells.vtp"))
    RenameSource("wells", wells)
    wells.UpdatePipeline()
    if wells.GetDataInformation().GetNumberOfCells() == 0:
        return None
    scaled = Transform(registrationName="wells, exaggerated", Input=wells)
    scaled.Transform.Scale = [1.0, 1.0, UP * scale]
    tubes = Tube(registrationName="wells as tubes", Input=scaled)
    tubes.Scalars, tubes.Vectors = ["POINTS", ""], ["POINTS", ""]
    tubes.Radius, tubes.NumberofSides = 0.005 * size, 16
    display = Show(tubes, view)
    display.Ambient = 0.4
    ColorBy(display, ("CELLS", "injector"))
    table = GetColorTransferFunction("injector")
    table.InterpretValuesAsCategories = 1
    table.Annotations = ["0", "producer", "1", "injector"]
    table.IndexedColors = PRODUCER + INJECTOR
    display.SetScalarBarVisibility(view, False)
    Hide3DWidgets(proxy=scaled.Transform)
    return wells


def plain(text):
    """No formula: ParaView's texts take what stands between two $ for one."""
    return text.replace("$", "\\$")


def overlaps(a, b):
    return min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])


def frame(x, y, half, high):
    """Of a name whose lower edge has its middle there."""
    return [x - half, y, x + half, y + high]


def around(x, y, half, high):
    """Places for a name, the nearest to (x, y) first; those below it, which cover its well, later."""
    steps = [(0.5 * a * half, b * high) for a in range(-12, 13) for b in range(-12, 25)]
    return [(x + a, y + b) for a, b in sorted(steps, key=lambda s: (s[0] ** 2 + s[1] ** 2) ** 0.5 + (3 * high if s[1] < 0 else 0))]


def name_wells(view, wells, scale, turns):
    """Each name at the top of its well; one that would cover another or be cut stands beside or higher, with a line.
    turns: the view is the program's, where the camera may move; else it is a picture."""
    tops = top_of_wells(servermanager.Fetch(wells))
    letters = LABEL if len(tops) <= 16 else 14 if len(tops) <= 60 else 10
    back = unit([p - f for p, f in zip(view.CameraPosition, view.CameraFocalPoint)])
    up = list(view.CameraViewUp)
    right = cross(up, back)
    width, height = view.ViewSize
    # the texts at the upper left, the colour bar
    taken = [[0.0, 0.82 * height, 0.5 * width, height], [width - 2.0 * BAR_ROOM, 0.2 * height, width, TEXTS * height]]
    place = lambda x, y, z: [x, y, UP * scale * z]
    order = sorted(tops.items(), key=lambda t: dot(place(*t[1][0]), up))
    for name, (top, injects) in order:
        at = place(*top)
        off = [a - f for a, f in zip(at, view.CameraFocalPoint)]
        if view.CameraParallelProjection:
            pixel = 2.0 * view.CameraParallelScale / height
        else:
            away = dot([p - f for p, f in zip(view.CameraPosition, view.CameraFocalPoint)], back) - dot(off, back)
            pixel = 2.0 * away * 0.2679491924311227 / height
        x, y = 0.5 * width + dot(off, right) / pixel, 0.5 * height + dot(off, up) / pixel
        half, high = 0.34 * letters * max(len(name), 2) + 4, 1.5 * letters
        x_at, y_at = min(max(x, half + 8), width - half - 8), y + 8
        to_x, to_y = next(((a, b) for a, b in around(x_at, y_at, half, high) if half + 8 <= a <= width - half - 8 and
                           0 < b < TEXTS * height - high and not any(overlaps(frame(a, b, half, high), t) for t in taken)),
                          (x_at, y_at))
        taken.append(frame(to_x, to_y, half, high))
        text = Show(Text(registrationName="label " + name, Text=plain(name)), view)
        text.Color, text.FontSize, text.Bold = INJECTOR if injects else PRODUCER, letters, 1
        if turns:  # follows its well
            text.TextPropMode, text.Justification = "Billboard 3D Text", "Left"
            text.BillboardPosition = [a + pixel * ((to_x - half - x) * r + (to_y - y) * u)  # where the text begins
                                      for a, r, u in zip(at, right, up)]
        else:  # before everything, readable on any colour
            text.WindowLocation, text.Position = "Any Location", [(to_x - half) / width, to_y / height]
            text.ShowBorder, text.BackgroundColor = "Always", WHITE + [0.75]
        if to_y != y_at or to_x != x:
            below = [a + pixel * ((to_x - x) * r + (to_y - y) * u) for a, r, u in zip(at, right, up)]
            line = Show(Line(registrationName="line to " + name, Point1=at, Point2=below), view)
            line.ColorArrayName = [None, ""]
            line.AmbientColor = line.DiffuseColor = INJECTOR if injects else PRODUCER
            plain_look(line)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def unit(a):
    length = dot(a, a) ** 0.5
    return [x / length for x in a]


def aim(view, boxes, scale, above):
    """Turns the camera to all boxes (bounds without exaggeration), with room for names and the colour bar: from the side
    of small y, so that what is right on a map is right, or from above, as a map."""
    corners = [[b[i], b[2 + j], UP * scale * b[4 + k]] for b in boxes for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    back = [0.0, 0.0, 1.0] if above else unit(FROM_SIDE)  # from the model to the camera
    right = [1.0, 0.0, 0.0] if above else unit(cross([0.0, 0.0, 1.0], back))
    up = cross(back, right)
    across, high, near = ([dot(c, axis) for c in corners] for axis in (right, up, back))
    middle = [0.5 * (min(v) + max(v)) for v in (across, high, near)]
    middle[0] += 0.05 * (max(across) - min(across))  # to the left of the colour bar
    middle[1] += 0.04 * (max(high) - min(high))  # below the texts
    width, height = view.ViewSize
    tangent = 0.2679491924311227  # of half of ParaView's angle of view, 30 degrees
    room = (0.86 * (1.0 - 2 * BAR_ROOM / width) * tangent * width / height, 0.78 * tangent)
    distance = max(n - middle[2] + max(abs(a - middle[0]) / room[0], abs(h - middle[1]) / room[1])
                   for a, h, n in zip(across, high, near))
    focus = [sum(m * axis[d] for m, axis in zip(middle, (right, up, back))) for d in range(3)]
    view.CameraViewAngle = 30.0
    view.CameraFocalPoint = focus
    view.CameraPosition = [f + distance * b for f, b in zip(focus, back)]
    view.CameraViewUp = up
    view.CameraParallelProjection = 1 if above else 0
    view.CameraParallelScale = tangent * max(max(abs(a - middle[0]) for a in across) / room[0],
                                             max(abs(h - middle[1]) for h in high) / room[1])
    view.CenterOfRotation = focus


def shorten(text, length):
    return text if len(text) <= length else text[:length - 3] + "..."


def annotate(view, reservoir, name, scale, limits, section):
    """First what and when, then how."""
    what = plain("%s: %s" % (shorten(NAME, 40), TITLES.get(name, name).split(" (")[0]))
    if len(reservoir.TimestepValues) > 0:
        note = AnnotateTimeFilter(registrationName="time", Input=reservoir)
        note.Format = what.replace("{", "{{").replace("}", "}}") + " at {time:.6g} " + (
            TIME_UNIT if TIME_UNIT == "s" else TIME_UNIT + "s")
    else:
        note = Text(registrationName="what", Text=what)
    how = ["depth x %g" % scale] if scale != 1.0 else []
    if section is not None:
        how.append("section at %s = %d of %d" % (*section, SIZE[section[0]]))
    low, high = limits
    if low is not None or high is not None:
        how.append("cells" + ("" if low is None else " from %g" % low) + ("" if high is None else " to %g" % high))
    lines = [(note, 28, 0.93)]
    if TITLE:
        title = textwrap.wrap(shorten(TITLE, 240), 120)
        lines += [(Text(registrationName="title", Text=plain(line)), 18, 0.895 - 0.03 * n) for n, line in enumerate(title)]
    if how:
        lines.append((Text(registrationName="exaggeration", Text=", ".join(how)), 18, 0.895 - 0.03 * (len(lines) - 1)))
    for source, size, height in lines:
        text = Show(source, view)
        text.Color, text.FontSize = BLACK, size
        text.WindowLocation, text.Position = "Any Location", [0.02, height]


def show(field, wanted_scale, size=None, above=False, limits=(None, None), section=None):
    """Everything in the view; returns it with the reservoir."""
    view = GetActiveViewOrCreate("RenderView")
    if size is not None:
        view.ViewSize = size
    view.UseColorPaletteForBackground = 0
    view.Background = WHITE
    view.OrientationAxesLabelColor = BLACK
    reservoir = open_reservoir()
    names = reservoir.CellData.keys()
    if field == "sw" and field not in names:
        field = "permx"  # before the first report, and where a deck asks for no fields
    if field not in names:
        raise RuntimeError("there is no array '%s' among: %s" % (field, ", ".join(names)))
    bounds = visible_bounds(reservoir)
    scale = exaggeration(bounds, wanted_scale)
    section = read_section(section)
    shown = show_reservoir(view, reservoir, field, scale, limits, section)
    wells = show_wells(view, max(bounds[1] - bounds[0], bounds[3] - bounds[2]), scale)
    annotate(view, reservoir, field, scale, limits, section)
    aim(view, [bounds] + ([wells.GetDataInformation().GetBounds()] if wells is not None else []), scale, above)
    if wells is not None:
        name_wells(view, wells, scale, size is None)
    SetActiveSource(shown)
    return view, reservoir


def save_frames(view, reservoir, folder):
    """A picture a report time, numbered in their order; those of an earlier call go first."""
    os.makedirs(folder, exist_ok=True)
    for old in glob.glob(os.path.join(glob.escape(folder), glob.escape(NAME) + ".[0-9][0-9][0-9][0-9].png")):
        os.remove(old)
    scene = GetAnimationScene()
    for n, time in enumerate(reservoir.TimestepValues):
        scene.AnimationTime = time
        SaveScreenshot(os.path.join(folder, "%s.%04d.png" % (NAME, n)), view)
    print("wrote %d pictures %s.0000.png ..." % (len(reservoir.TimestepValues), os.path.join(folder, NAME)))


def nearest(times, wanted):
    """The report nearest to the time wanted; said where there is none at that time."""
    time = min(times, key=lambda t: abs(t - wanted))
    if abs(time - wanted) > 1e-6 * max(1.0, abs(wanted)):
        there = ["%.6g" % t for t in times]
        print("no report at %g %s: this is the nearest, %g %s; there are %s" % (
            wanted, TIME_UNIT, time, TIME_UNIT, " ".join(there if len(there) <= 24 else there[:12] + ["..."] + there[-11:])))
    return time


def save(arguments):
    view, reservoir = show(arguments.field, arguments.exaggeration, PICTURE_SIZE, arguments.above,
                           (arguments.low, arguments.high), arguments.section)
    times = reservoir.TimestepValues
    if arguments.frames is not None:
        if len(times) == 0:
            raise RuntimeError("the result has no fields yet")
        save_frames(view, reservoir, arguments.frames)
    if arguments.picture is not None:
        if arguments.time is not None and len(times) > 0:
            GetAnimationScene().AnimationTime = nearest(times, arguments.time)
        SaveScreenshot(arguments.picture, view)
        print("wrote " + arguments.picture)


def parse():
    parser = argparse.ArgumentParser(prog="pvbatch " + os.path.basename(sys.argv[0]))
    parser.add_argument("file", nargs="?", metavar="PICTURE.png", help="as --picture")
    parser.add_argument("--picture", metavar="FILE.png", help="of one time")
    parser.add_argument("field", nargs="?", default=FIELD, help="array that gives the colours (default: %(default)s)")
    parser.add_argument("--time", type=float, metavar=TIME_UNIT.upper(),
                        help="of the picture: the nearest report (default: the last)")
    parser.add_argument("--frames", metavar="FOLDER", help="one picture per report time")
    parser.add_argument("--exaggeration", type=float, default=EXAGGERATION, help="of depth")
    parser.add_argument("--above", action="store_true", default=ABOVE, help="seen from above, as a map")
    parser.add_argument("--from", dest="low", type=float, default=LOW, help="only cells whose values are not below this")
    parser.add_argument("--to", dest="high", type=float, default=HIGH, help="only cells whose values are not above this")
    parser.add_argument("--section", default=SECTION, metavar="j=N", help="cut at the cells of that i, j or k")
    arguments = parser.parse_args()
    arguments.picture = arguments.picture or arguments.file
    return arguments


def main():
    # A program of ParaView's that runs this file as a script, not the window.
    if not sys.argv[0].endswith(".py"):
        show(FIELD, EXAGGERATION, above=ABOVE, limits=(LOW, HIGH), section=SECTION)
        Render()
        return
    try:
        save(parse())
    except Exception:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)  # pvbatch ends with 0 whatever a script raises


main()
