"""A generated field with faults: the result's cells have the deck's own corners, right-handed, shared where they meet;
maps show the faults and sections the throws; teams and a restart give the same bits."""
import os
import subprocess
import sys

import runs

numpy = runs.numpy
checks = runs.Checks()

SIZE = (12, 9, 4)


def make(folder, name, *options):
    path = os.path.join(folder, name + ".DATA")
    script = os.path.join(os.environ["HEPTA_SOURCE"], "bench", "faulted_field.py")
    subprocess.run([sys.executable, script, path, "--size", "%dx%dx%d" % SIZE, "--years", "1", "--wells", "3", "--faults", "4", *options],
                   check=True)
    return path


def run(path, base, *options):
    done = runs.hepta("run", path, "-o", base, "-q", *options)
    checks.true(os.path.basename(base) + " runs", done.returncode == 0)
    return base


def corners(path):
    """[nz][ny][nx][2 c][2 b][2 a] depths of the deck."""
    nx, ny, nz = SIZE
    with open(path) as f:
        text = f.read().split("ZCORN\n")[1].split("/")[0]
    return numpy.array([float(t) for t in text.split()]).reshape(nz, 2, ny, 2, nx, 2).transpose(0, 2, 4, 1, 3, 5)


def check_mesh(path, base, split):
    with runs.h5py.File(base + ".grid.h5", "r") as f:
        nodes, cells = f["grid/nodes"][:].reshape(-1, 3), f["grid/cells"][:]
        checks.true("nodes of their own" if split else "nodes of the lattice", (f["grid/nodes"].ndim == 2) == split)
    at = nodes[cells]  # [nz][ny][nx][8][3]
    depth = corners(path)
    around = ((0, 0), (1, 0), (1, 1), (0, 1))  # a, b
    apart = max(abs(at[..., 4 * (1 - c) + p, 2] + depth[..., c, b, a]).max() for c in (0, 1) for p, (a, b) in enumerate(around))
    checks.true("corners are the deck's: %.1e m apart" % apart, apart < 1e-3)
    edges = [at[..., n, :] - at[..., 0, :] for n in (1, 3, 4)]
    checks.true("right-handed", (numpy.einsum("...i,...i", numpy.cross(edges[0], edges[1]), edges[2]) > 0.0).all())
    checks.true("a node a place", len(nodes) == len(numpy.unique(nodes, axis=0)) and len(nodes) == len(numpy.unique(cells)))
    with open(base + ".xdmf2") as f:
        dims = "%d 3" % len(nodes) if split else "%d %d %d 3" % (SIZE[2] + 1, SIZE[1] + 1, SIZE[0] + 1)
        checks.true("the xdmf2 file says how many", 'Dimensions="%s"' % dims in f.read())


def check_pictures(folder, base, split):
    for view, word in ((("--layer", "2"), "layer"), (("--j", "4"), "section along i"), (("--i", "6"), "section along j"))[::runs.every(1, 3)]:
        out = os.path.join(folder, word + ".svg")
        done = runs.hepta("plot", base + ".h5", "--map", "sw", *view, "-o", out)
        if done.returncode != 0 and "matplotlib" in done.stderr:
            return
        checks.true("%s: drawn%s" % (word, done.stderr), done.returncode == 0)
        with open(out) as f:
            text = f.read()
        group = text.split('id="faults"')[1].split("</g>")[0] if 'id="faults"' in text else ""
        checks.true("%s: traces of faults" % word, (group.count("<path") > 4) == (split and word == "layer"))


def check_bits(path, base, folder):
    texts = []
    for threads in ("1", "2"):
        other = run(path, os.path.join(folder, "t" + threads), "--threads", threads, "--set", "linear.preconditioner=cpr")
        texts.append(open(other + ".summary.csv").read())
    checks.true("teams give the same bits", texts[0] == texts[1])
    with runs.h5py.File(base + ".h5", "r") as f:
        steps = f["step"][:]
    done = runs.hepta("run", path, "--restart", "%s:%d" % (base, steps[-2]), "-o", os.path.join(folder, "again"), "-q")
    checks.true("goes on: " + done.stderr, done.returncode == 0)
    last = [open(name + ".summary.csv").read().splitlines()[-1] for name in (base, os.path.join(folder, "again"))]
    checks.true("to the same bits", last[0] == last[1])


with runs.folder() as folder:
    faulted, whole = make(folder, "F"), make(folder, "N", "--no-faults")
    check_mesh(faulted, run(faulted, os.path.join(folder, "f")), True)
    check_mesh(whole, run(whole, os.path.join(folder, "n")), False)
    check_pictures(folder, os.path.join(folder, "f"), True)
    check_pictures(folder, os.path.join(folder, "n"), False)
    check_bits(faulted, os.path.join(folder, "f"), folder)
    base = run(make(folder, "A", "--aquifer"), os.path.join(folder, "a"))
    with open(base + ".summary.csv") as f:
        lines = f.read().splitlines()
    checks.true("an aquifer below it", max(float(v) for v in runs.read_csv(base + ".summary.csv")["FPR"]) > 100.0 and
                "aquifers 1" in runs.hepta("check", os.path.join(folder, "A.DATA")).stdout, lines[-1])
    said = runs.hepta("check", faulted)
    checks.true("the check counts them", "connections of cells that are not neighbours" in said.stdout + said.stderr)
    checks.true("and says how cells are drawn", "result files draw cells by their corners" in said.stdout, said.stdout)
sys.exit(checks.result())
