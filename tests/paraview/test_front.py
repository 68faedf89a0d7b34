"""`hepta paraview`: the pictures of a waterflood show its front where the files have it, moving from report to report.

A quarter of a five-spot in one layer, with cells that are not active: the state, pictures with one command, what is
said where ParaView is missing, and the program itself with the script. HEPTA_TEST_EVERY=1: also cells that are seen
through, and a picture of one time.
"""
import os
import shutil
import stat
import subprocess
import sys

import pvscripts
import runs

numpy = runs.numpy
CELLS = 30
# A corner is not active, and its permeability must not widen the range of colours. Vertical permeability, of no matter
# in one layer, spans four decades.
DECK = """
title = "Quarter of a five-spot"; units = "metric";
grid = { size = [30, 30, 1]; dx = 20.0; dy = 20.0; dz = 4.0; top = 1800.0; porosity = 0.2; permx = 150.0;
         boxes = ({ i = [1, 15]; set = { permz = 0.15; }; }, { i = [16, 30]; set = { permz = 1500.0; }; },
                  { i = [21, 30]; j = [1, 10]; set = { active = false; permz = 1e-9; }; }); };
fluids = {
  water = { density = 1020.0; reference_pressure = 180.0; compressibility = 4.4e-5; viscosity = 0.5; };
  oil = { density = 850.0; reference_pressure = 180.0; compressibility = 1.2e-4; viscosity = 1.0; };
};
saturation = { model = "corey"; swc = 0.2; sor = 0.2; krw_max = 0.3; nw = 2.0; no = 2.0; };
rock = { reference_pressure = 180.0; compressibility = 4.0e-5; };
initial = { pressure = 180.0; saturation = 0.2; };
wells = (
  { name = "INJ"; type = "injector"; i = 1; j = 30; radius = 0.1; control = "rate"; rate = 400.0; bhp = 900.0; },
  { name = "P1"; type = "producer"; i = 30; j = 30; radius = 0.1; control = "bhp"; bhp = 150.0; }
);
report = { every = 40.0; end = 240.0; };
timestep = { initial = 0.5; };
"""


def write(path, text):
    with open(path, "w") as f:
        f.write(text)


def picture(path):
    """[height][width][3] of every second pixel along both, 0 to 1."""
    from matplotlib.image import imread
    return imread(path)[::2, ::2, :3]


def body(pixels):
    """Where cells are drawn: colours of Viridis, without the colour bar, texts, tubes and the white behind."""
    red, green, blue = (pixels[:, :, c] for c in range(3))
    spread = pixels.max(axis=2) - pixels.min(axis=2)
    mask = (spread > 0.06) & (red < 0.75) & ~((red > 0.4) & (green < 0.25)) & ~((blue > 0.6) & (red < 0.2))
    mask[:, int(0.84 * pixels.shape[1]):] = False
    mask[int(0.85 * pixels.shape[0]):, :int(0.14 * pixels.shape[1])] = False  # the axes
    mask[:int(0.13 * pixels.shape[0]), :int(0.2 * pixels.shape[1])] = False  # the time
    return mask


def flooded(pixels):
    """Green rather than blue: more water than about 0.45."""
    return body(pixels) & (pixels[:, :, 1] > 1.02 * pixels[:, :, 2])


def check_front(checks, result, folder):
    names = sorted(os.listdir(folder))
    checks.true("a picture a report time", names == ["flood.%04d.png" % n for n in range(len(result.times))], names)
    shares, distances = [], []
    for n, name in enumerate(names):
        pixels = picture(os.path.join(folder, name))
        mask, wet = body(pixels), flooded(pixels)
        checks.between(name + ": share of the picture that is reservoir", mask.mean(), 0.15, 0.6)
        shares.append(wet.sum() / mask.sum())
        where = numpy.argwhere(wet)
        if n == 0:
            checks.true(name + ": no water yet", shares[0] < 0.005, shares[0])
            continue
        # the injector is at the upper left, the producer at the upper right: the front runs to the right
        distances.append(numpy.percentile(where[:, 1], 99))
        checks.true(name + ": more water than before", shares[-1] > shares[-2] + 0.01, shares)
        with runs.h5py.File(result.base + ".grid.h5") as f:
            active = f["grid/active"][0] == 1
        cells = (result.field("sw", n)[0][active] > 0.45).mean()
        checks.near(name + ": share of the flooded cells", shares[-1], cells, 0.06)
    moves = all(b > a for a, b in zip(distances, distances[1:]))
    checks.true("the front moves away from the injector", moves, distances)


def check_colours(checks, pixels, low, high):
    """Colours of cells are those of the scale between two saturations, top and sides."""
    import matplotlib
    scale = matplotlib.colormaps["viridis"](numpy.linspace(0, 1, 256))[:, :3].astype(numpy.float32)
    cells = pixels[body(pixels)]
    cells = cells[(cells.max(axis=1) - cells.min(axis=1)) > 0.2]  # without edges, axes and the veil
    off = numpy.linalg.norm(cells[::19, None, :] - scale[None], axis=2)
    exact = off.min(axis=1) < 0.015
    at = off.argmin(axis=1)[exact] / 255.0
    checks.true("sides have the colours of the bar", exact.mean() > 0.6, exact.mean())
    checks.true("cells of the range only", len(at) > 300 and ((at > low) & (at < high)).mean() > 0.99, (len(at), at.min()))


def check_edited(checks, where):
    """A script that somebody has edited stays as it is."""
    own, other = os.path.join(where, "flood.view.py"), os.path.join(where, "flood.view-2.py")
    with open(own) as f:
        text = f.read()
    done = runs.hepta("paraview", "flood.h5", where=where)
    checks.true("not edited: written again", done.returncode == 0 and "wrote flood.view.py" in done.stdout and
                not os.path.exists(other), done.stdout + done.stderr)
    edited = text.replace("PICTURE_SIZE = [1600, 1000]", "PICTURE_SIZE = [800, 500]")
    write(own, edited)
    for _ in range(2):
        done = runs.hepta("paraview", "flood", "--field", "so", where=where)
        checks.true("edited: another name, and it is said", done.returncode == 0 and "wrote flood.view-2.py" in done.stdout and
                    "flood.view.py has been edited" in done.stderr, done.stdout + done.stderr)
    with open(own) as f:
        checks.true("edited: as it was", f.read() == edited)
    done = runs.hepta("paraview", "flood", "-o", "flood.view.py", where=where)
    checks.true("edited: not by -o either", done.returncode == 2 and "refusing to overwrite" in done.stderr, done.stderr)
    write(own, text)
    os.remove(other)


def check_pictures(checks, where, result):
    base = os.path.join(where, "flood")
    frames = os.path.join(where, "frames of the run")
    os.mkdir(frames)
    write(os.path.join(frames, "flood.0099.png"), "left by a longer run")
    done = runs.hepta("paraview", base + ".h5", "--frames", frames, "--above", where="/")
    checks.true("--frames", done.returncode == 0, done.stdout + done.stderr)
    if done.returncode == 0:
        check_front(checks, result, frames)
    # one picture of a time between two reports is the nearest report's frame, and lands where it is asked for
    if runs.every(2, 2) == 1:
        one = os.path.join(where, "one.png")
        done = runs.hepta("paraview", "flood.h5", "--picture", one, "--time", "95", "--above", "-o", "above.py", where=where)
        checks.true("--picture", done.returncode == 0, done.stdout + done.stderr)
        same = numpy.abs(picture(one) - picture(os.path.join(frames, "flood.0002.png"))).max()
        checks.true("--time 95: the report at 80", same < 0.02, same)
        checks.true("--time 95: which there are", "no report at 95 day: this is the nearest, 80 day; there are 0 40 80 120 160 "
                    "200 240" in done.stdout, done.stdout)
    # the others: written by the program as scripts, which one pvbatch runs
    scripts, drawn = [], {}
    whole = runs.every(2, 2) == 1
    for name, script, options in (("wet", "wet.py", ["--from", "0.5"]), ("usual", "other.py", []),
                                  ("clear", "clear.py", ["--opacity", "0.4"]),
                                  ("perm", "flood.view.py", ["--field", "permx", "--exaggeration", "4"])):
        done = runs.hepta("paraview", "flood.h5", *options, *([] if name == "perm" else ["-o", script]), where=where)
        checks.true(name + ": the script", done.returncode == 0, done.stdout + done.stderr)
        if whole or name in ("wet", "usual"):
            drawn[name] = os.path.join(where, name + ".png")
            scripts.append((os.path.join(where, script), ["--picture", drawn[name]]))
    state = write_state(where)
    done, said = pvscripts.run(where, *[[s] for s in scripts], [(state, [])])
    checks.true("the scripts", done.returncode == 0 and all(os.path.exists(p) for p in drawn.values()), done.stdout + done.stderr)
    wet, usual = drawn["wet"], drawn["usual"]
    check_state(checks, said.get(state, ""), done.stderr)
    # only the flooded cells, with the colours of the bar on all sides, in a veil of the rest
    check_colours(checks, picture(wet), 0.49, 1.0)
    if not whole:
        checks.true("the usual one has cells", body(picture(usual)).mean() > 0.1, body(picture(usual)).mean())
        return
    shallow, deep = body(picture(drawn["perm"])), body(picture(usual))
    rows = [numpy.ptp(numpy.argwhere(mask)[:, 0]) for mask in (shallow, deep)]
    checks.true("--exaggeration 4: flatter than the usual one", rows[0] < 0.95 * rows[1], rows)
    # of the producer more is seen through the cells than stands out of them
    red = [int((p[..., 0] - p[..., 1:3].max(axis=-1) > 0.2).sum()) for p in (picture(usual), picture(drawn["clear"]))]
    checks.true("--opacity 0.4: the wells inside are seen", 0 < 1.3 * red[0] < red[1], red)


def write_state(where):
    """A script that says what the program's puts into ParaView."""
    script = os.path.join(where, "asked.py")
    with open(os.path.join(where, "flood.view.py")) as f:
        text = f.read()
    assert text.endswith("\nmain()\n")
    write(script, text[:-len("main()\n")] + """
view, reservoir = show("permz", None, PICTURE_SIZE)
table = GetColorTransferFunction("permz")
points = list(table.RGBPoints)[::4]
bar = GetScalarBar(table, view)
surface = ExtractSurface(Input=reservoir)
surface.UpdatePipeline(GetAnimationScene().AnimationTime)
print("cells", surface.GetDataInformation().GetNumberOfCells())
print("log", table.UseLogScale, points[0], points[len(points) // 2], points[-1])
print("bar", bar.Visibility, bar.Title)
print("scene", GetAnimationScene().AnimationTime, *GetAnimationScene().TimeKeeper.TimestepValues)
for source in GetSources().values():
    print("source", source.SMProxy.GetXMLName())
names = [s.Text for s in GetSources().values() if s.SMProxy.GetXMLName() == "TextSource"]
print("names", *sorted(names))
print("times", *reservoir.TimestepValues)
print("scale", *GetDisplayProperties(reservoir, view).Scale)
""")
    return script


def check_state(checks, out, errors):
    """Objects that the script puts into ParaView, as ParaView lists them."""
    checks.true("the state", "scale" in out and "Traceback" not in errors, out + errors)
    words = dict(line.split(" ", 1) for line in out.splitlines() if " " in line)
    faces = 2 * (CELLS * CELLS - 100) + 4 * CELLS
    checks.true("inactive cells are hidden", words["cells"] == str(faces), words["cells"])
    log, low, middle, high = [float(w) for w in words["log"].split()]
    checks.true("permeability is on a log scale", log == 1.0, words["log"])
    checks.near("its range is that of active cells: from", low, 0.15, 1e-6)
    checks.near("its range is that of active cells: to", high, 1500.0, 1e-3)
    checks.between("colours stand at equal ratios", middle, 10.0, 25.0)
    checks.true("the colour bar names array and unit", words["bar"] == "1 permeability z (mD)", words["bar"])
    times = ["0.0", "40.0", "80.0", "120.0", "160.0", "200.0", "240.0"]
    checks.true("all report times", words["times"].split() == times, words["times"])
    checks.true("the scene plays them, the last is shown", words["scene"].split() == ["240.0"] + times, words["scene"])
    checks.true("the wells have their names", words["names"].split()[:2] == ["INJ", "P1"], words["names"])
    checks.true("the wells are tubes", "source TubeFilter" in out, out)
    checks.true("depth is exaggerated, nothing else", words["scale"] == "1.0 1.0 50.0", words["scale"])


def check_words(checks, where):
    """Mistakes, and what is said where ParaView is missing."""
    for arguments, words in ((["flood.h5", "--field", "colour"], "has no array 'colour'"),
                             (["flood.h5", "--field", "../grid/x"], "has no array"),
                             (["flood.h5", "--exaggeration", "-3"], "not a value"),
                             (["flood.h5", "--opacity", "1.5"], "not a value"),
                             (["flood.h5", "--time", "3"], "--time is for --picture"),
                             (["flood.h5", "-o", "state.pvsm"], "ends in .py"),
                             (["flood.h5", "--picture", "a.jpg"], "ends in .png"),
                             (["flood.h5", "--open", "--frames", "x"], "one of them"),
                             (["flood.h5", "other.h5"], "one result"), ([], "which result file?"),
                             (["missing.h5"], "missing.h5: No such file")):
        done = runs.hepta("paraview", *arguments, where=where)
        checks.true("paraview " + " ".join(arguments), done.returncode == 2 and words in done.stderr, done.stderr)
    alone = os.path.join(where, "alone")
    os.mkdir(alone)
    for ending in (".h5", ".grid.h5"):
        shutil.copy(os.path.join(where, "flood" + ending), alone)
    done = runs.hepta("paraview", "flood.h5", where=alone)
    missing = done.returncode == 1 and "flood.xdmf2" in done.stderr
    checks.true("files that belong to it are missing", missing, done.stderr)
    nowhere = dict(os.environ, PATH=alone)
    for option, code in (([], 0), (["--open"], 1), (["--frames", "x"], 1)):
        done = runs.hepta("paraview", "flood.h5", *option, where=where, environment=nowhere)
        what = "without ParaView: " + " ".join(option)
        said = done.stdout + done.stderr
        checks.true(what, done.returncode == code and done.stdout.startswith("wrote flood.view.py\n"), said)
        checks.true(what + ": what to do", ("File > Load State" if code == 0 else "apt install paraview") in said, said)


def check_open(checks, where):
    """--open starts `paraview` with the script as one argument, and passes on that it failed."""
    programs = os.path.join(where, "programs")
    os.mkdir(programs)
    fake = os.path.join(programs, "paraview")
    write(fake, "#!/bin/sh\nprintf '%s|' \"$@\" >\"$SEEN\"\nexit $CODE\n")
    os.chmod(fake, os.stat(fake).st_mode | stat.S_IXUSR)
    for code in ("0", "3"):
        seen = os.path.join(where, "seen")
        environment = dict(os.environ, PATH=programs + ":" + os.environ["PATH"], SEEN=seen, CODE=code)
        done = runs.hepta("paraview", "flood.h5", "--open", "-o", "a state.py", where=where, environment=environment)
        with open(seen) as f:
            said = f.read()
        checks.true("--open", said == "--script=a state.py|" and done.returncode == (1 if code == "3" else 0),
                    said + done.stderr)


def settings(where):
    """A home for ParaView 5.11 without the greeting that waits for a click."""
    home = os.path.join(where, "home")
    folder = os.path.join(home, ".config", "ParaView")
    os.makedirs(folder)
    os.chmod(home, 0o700)
    version = subprocess.run(["pvbatch", "--version"], capture_output=True, text=True).stdout.split()[-1]
    write(os.path.join(folder, "ParaView%s.ini" % version), "[General]\nGeneralSettings.ShowWelcomeDialog=false\n")
    return dict(os.environ, HOME=home, XDG_RUNTIME_DIR=home, QT_QPA_PLATFORM="xcb")


def check_program(checks, where):
    """The script in ParaView's window."""
    if shutil.which("paraview") is None:
        return
    shot, state = os.path.join(where, "window.png"), os.path.join(where, "window.py")
    with open(os.path.join(where, "other.py")) as f:
        text = f.read()
    write(state, text + "\nSaveScreenshot(%r, GetActiveView())\nos._exit(0)\n" % shot)
    try:
        done = subprocess.run(pvscripts.screen() + ["paraview", "--script=" + state], capture_output=True, timeout=120, text=True,
                              env=settings(where))
        said = done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        said = "still open after two minutes"
    checks.true("in the program: a picture", os.path.exists(shot), said[-2000:])
    if os.path.exists(shot):
        checks.between("in the program: reservoir", body(picture(shot)).mean(), 0.1, 0.7)
        checks.true("in the program: flooded", flooded(picture(shot)).mean() > 0.05)


def main():
    if shutil.which("pvbatch") is None:
        runs.skip("no pvbatch")
    if not pvscripts.screen() or shutil.which(pvscripts.screen()[0]) is None:
        runs.skip("no xvfb-run, or a display of somebody's")
    checks = runs.Checks()
    with runs.folder() as where:
        write(os.path.join(where, "flood.cfg"), DECK)
        result = runs.run(os.path.join(where, "flood.cfg"), where)
        check_words(checks, where)
        check_edited(checks, where)
        check_pictures(checks, where, result)
        check_open(checks, where)
        check_program(checks, where)
        keep = os.environ.get("HEPTA_KEEP_PICTURES")
        if keep:
            shutil.copytree(os.path.join(where, "frames of the run"), keep, dirs_exist_ok=True)
            for name in ("one.png", "usual.png", "clear.png", "perm.png", "window.png"):
                if os.path.exists(os.path.join(where, name)):
                    shutil.copy(os.path.join(where, name), keep)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
