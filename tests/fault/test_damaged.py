"""Damaged results: bytes of master, grid, step and restart files changed, cut off or made zero by a seed. `info`, `--restart`,
`paraview`, `plot` and a new run of that name end in time, with exit code 0, 1 or 2, a sentence where it is not 0, and never
by a signal, whatever HDF5 does with the file. HEPTA_DAMAGED says how many cases, and from which one on. Results that HDF5
reads without an end are read by two commands; HEPTA_TEST_EVERY=1: by all."""
import os
import random
import re
import shutil
import struct
import sys
import time

import h5py

import restarts
import runs

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import faults  # noqa: E402

FOUND = ("damaged_result_crash", "damaged_result_loop")
LIMIT = 60.0  # seconds by the clock, on a busy machine
FILES = (".h5", ".h5", ".h5", ".grid.h5", ".steps/restart_000006.h5", ".steps/step_000006.h5")


def ends(checks, what, arguments, where, codes=(0, 1, 2)):
    began = time.time()
    try:
        done = runs.hepta(*arguments, where=where, timeout=LIMIT)
    except Exception as e:  # subprocess.TimeoutExpired, or output that is no text
        checks.true("%s: %s ends" % (what, arguments[0]), False, e)
        return None
    reported = done.stderr.strip().splitlines()
    checks.true("%s: %s: exit code" % (what, " ".join(arguments)), done.returncode in codes, (done.returncode, reported[-1:]))
    checks.true("%s: %s: in time" % (what, arguments[0]), time.time() - began < LIMIT)
    checks.true("%s: %s: a sentence" % (what, arguments[0]), done.returncode == 0 or (reported and "hepta" in reported[-1]), reported)
    return done


def damage(rng, data):
    """The bytes of a file with some of them changed."""
    data = bytearray(data)
    if rng.random() < 0.15:
        return data[:rng.randrange(len(data))]
    for _ in range(rng.choice((1, 1, 2, 4, 16, 64))):
        # where HDF5 keeps what it needs: the front and, in a master, the heaps of its texts
        at = rng.randrange(min(len(data), rng.choice((200, 3000, len(data)))))
        n = rng.choice((1, 1, 2, 4, 8, 8, 16))
        kind = rng.randrange(5)
        new = (bytes(n) if kind == 0 else b"\xff" * n if kind == 1 else rng.randbytes(n) if kind == 2 else
               bytes([data[at] ^ 1 << rng.randrange(8)]) if kind == 3 else (1 << rng.randrange(48)).to_bytes(8, "little"))
        data[at:at + len(new)] = new[:len(data) - at]
    return data


def put_back(pristine, where):
    for name in os.listdir(where):
        path = os.path.join(where, name)
        (shutil.rmtree if os.path.isdir(path) else os.remove)(path)
    shutil.copytree(pristine, where, dirs_exist_ok=True)


def mutations(checks, pristine, where, deck, first, count):
    refused = 0
    for case in range(first, first + count):
        rng = random.Random(case)
        put_back(pristine, where)
        for _ in range(rng.choice((1, 1, 2))):
            path = os.path.join(where, "base" + rng.choice(FILES))
            with open(path, "rb") as f:
                data = f.read()
            with open(path, "wb") as f:
                f.write(damage(rng, data))
        what = "case %d" % case
        done = ends(checks, what, ["info", "base.h5"], where)
        refused += done is None or done.returncode != 0
        ends(checks, what, ["run", deck, "--restart", "base", "-o", "other", "-q"], where)
        if case % 4 == 0:
            ends(checks, what, ["paraview", "base.h5", "--field", "sw"], where)
            ends(checks, what, ["run", deck, "--restart", "base:4", "-q"], where)
        if case % 4 == 1:
            ends(checks, what, ["run", deck, "-o", "base", "-q"], where)
        if case % 50 == 2:
            ends(checks, what, ["plot", "base.h5"], where)
        if case % 50 == 3:
            ends(checks, what, ["plot", "base.h5", "--map", "sw"], where)
        if checks.failures > 5:
            break
    print("%d cases, %d of them refused by info" % (count, refused))
    checks.true("some are refused, some are not", 0.2 * count < refused < 0.95 * count, refused)


def found(checks, where, deck):
    """Results that HDF5 crashes on, or reads without an end; a new run may take their place."""
    for name in FOUND:
        source = runs.find_shared("data", "found", name)
        if source is None:
            print("no", name)
            continue
        shutil.copytree(source, where, dirs_exist_ok=True)
        os.system("chmod -R u+w '%s'" % where)
        commands = (["info", "base.h5"], ["run", deck, "--restart", "base", "-o", "other"], ["plot", "base.h5"], ["paraview", "base.h5"],
                    ["run", deck, "--restart", "base:4"])
        few = name.endswith("loop") and runs.every(2, 2) > 1  # each takes the whole limit of processor time
        for arguments in commands[:2] if few else commands:
            done = ends(checks, name, arguments, where, (2,))
            checks.true("%s: %s: damaged" % (name, arguments[0]), done is not None and "is damaged" in done.stderr)
        ends(checks, name, ["run", deck, "-o", "base", "-q"], where, (0,))
        ends(checks, name + ", run anew", ["info", "base.h5"], where, (0,))


def stored(path):
    """(dataset, place, bytes) of all numbers that stand in a file."""
    found = []

    def visit(name, data):
        if isinstance(data, h5py.Dataset) and data.chunks is None and data.id.get_storage_size() > 0:
            found.append((data.name, data.id.get_offset(), data.id.get_storage_size()))
        elif isinstance(data, h5py.Dataset) and data.chunks is not None:
            chunks = [data.id.get_chunk_info(n) for n in range(data.id.get_num_chunks())]
            found.extend((data.name, c.byte_offset, c.size) for c in chunks)

    with h5py.File(path, "r") as f:
        f.visititems(visit)
    return found


def flips(checks, pristine, where, deck, plain):
    """One bit of each dataset turned over: whoever reads it names file and dataset."""
    rng, turned = random.Random(8), 0
    restart = ["run", deck, "--restart", "base", "-o", "other", "-q"]
    put_back(pristine, where)
    if plain:
        restarts.start(deck, os.path.join(where, "base"), ["output.compression=0", "report.end=3.0"])
    steps = sorted(os.listdir(os.path.join(where, "base.steps")))
    for file, command in (("base.h5", ["info", "base.h5"]), ("base.h5", restart), ("base.grid.h5", ["info", "base.h5"]),
                          ("base.steps/" + steps[0], restart), ("base.steps/" + steps[-1], ["paraview", "base.h5"])):
        if "restart_" in file:
            file = "base.steps/" + [name for name in steps if name.startswith("restart_")][-1]
        path = os.path.join(where, file)
        with open(path, "rb") as f:
            whole = f.read()
        every = runs.every(27 if file == "base.h5" else 5, 27)
        for name, place, size in stored(path)[rng.randrange(every)::every]:
            data, at = bytearray(whole), rng.randrange(place, place + size)
            data[at] ^= 1 << rng.randrange(8)
            with open(path, "wb") as f:
                f.write(data)
            done = ends(checks, "%s of %s" % (name, file), command, where, (2,))
            checks.true("%s of %s, byte %d: named by %s" % (name, file, at, command[0]), done is not None and
                        file + ": " + name + " is damaged" in done.stderr, done and done.stderr)
            turned += 1
        with open(path, "wb") as f:
            f.write(whole)
        ends(checks, file + " as it was", command, where, (0,))
    if plain:  # packed numbers are looked at by HDF5, these by plot itself
        path = os.path.join(where, "base.steps", steps[-1])
        name, place, size = next(entry for entry in stored(path) if entry[0] == "/sw")
        with open(path, "r+b") as f:
            f.seek(place + size // 2)
            f.write(b"\x3d")
        done = ends(checks, "plot", ["plot", "base.h5", "--map", "sw", "-o", "map.png"], where, (2, 1))
        checks.true("plot: named", done is not None and (steps[-1] + ": /sw is damaged" in done.stderr or done.returncode == 1),
                    done and done.stderr)
    print("%d bits turned over" % turned)


def earlier(checks, pristine, where, deck):
    """A result without checksums, as earlier versions wrote them, is read with a note; one that has lost them is damaged."""
    put_back(pristine, where)
    files = [os.path.join(where, "base" + name) for name in (".h5", ".grid.h5")]
    with h5py.File(files[1], "r+") as f:
        del f.attrs["checksums"]
    done = ends(checks, "no checksums", ["info", "base.h5"], where, (2,))
    checks.true("no checksums: damaged", done is not None and "base.grid.h5: checksums is damaged" in done.stderr, done and done.stderr)
    for path in files:
        with runs.edited(path):
            pass
    done = ends(checks, "earlier version", ["info", "base.h5"], where, (0,))
    checks.true("earlier version: noted", done is not None and "without checksums" in done.stderr, done and done.stderr)
    restart = os.path.join(where, "base.steps", "restart_000006.h5")
    with h5py.File(restart, "r+") as f:
        del f.attrs["checksums"]
        own = int(f.attrs["format_version"])
    command = ["run", deck, "--restart", "base:6", "-o", "other"]
    done = ends(checks, "a restart file without checksums", command, where, (2,))
    checks.true("a restart file without checksums: damaged", done is not None and "checksums is damaged" in done.stderr,
                done and done.stderr)
    for version in (3, own - 1, own + 1):
        with h5py.File(restart, "r+") as f:
            f.attrs.modify("format_version", version)
        done = ends(checks, "format %d" % version, command, where, (2,))
        checks.true("format %d: why, and what to do" % version, done is not None and
                    "another version of hepta (format %d of" % version in done.stderr and "run the deck anew" in done.stderr,
                    done and done.stderr)


def copied(checks, pristine, where, deck):
    """A file under the name of another step's, and one of another run: every command that reads it says so."""
    put_back(pristine, where)
    with h5py.File(os.path.join(where, "base.h5"), "r") as f:
        time = f["time"][list(f["step"]).index(6)] / f.attrs["time_factor"]
    for kind, command in (("step", ["paraview", "base.h5"]), ("step", ["plot", "base.h5", "--map", "sw", "--time", "%r" % float(time)]),
                          ("restart", ["run", deck, "--restart", "base:6", "-o", "other"])):
        paths = [os.path.join(where, "base.steps", kind + "_00000%d.h5" % n) for n in (4, 6)]
        with open(paths[1], "rb") as f:
            whole = f.read()
        shutil.copy(*paths)
        said = "base.steps/%s_000006.h5: is of report step 4" % kind
        done = ends(checks, "copied", command, where, (1, 2))  # 1: plot without a module
        checks.true("copied: %s" % command[0], done.returncode == 1 or (said in done.stderr and "copied or renamed" in done.stderr), done.stderr)
        done = ends(checks, "copied", ["info", "base.h5"], where, (0,))
        rows = [line for line in done.stdout.splitlines() if "of another step" in line]
        checks.true("copied: info", len(rows) == 1 and rows[0].split()[0] == "6" and ("a run can go on" in rows[0]) == (kind == "step"), rows)
        with open(paths[1], "wb") as f:
            f.write(whole)
        with h5py.File(paths[1], "r+") as f:
            f.attrs.modify("time", 1.5 * f.attrs["time"])
        done = ends(checks, "of another run", ["info", "base.h5"], where, (0,))
        checks.true("of another run: info", done.stdout.count("of another step") == 1, done.stdout)
        with open(paths[1], "wb") as f:
            f.write(whole)


def sizes(checks, pristine, where):
    """A dataset that claims more numbers than the file has bytes for: no memory is asked for."""
    put_back(pristine, where)
    with runs.edited(os.path.join(where, "base.h5")) as f:
        del f["time"]
        f.create_dataset("time", shape=(1 << 40,), dtype="f8", chunks=(1 << 16,))  # allotted when written
    done = ends(checks, "a dataset of 8 TB", ["info", "base.h5"], where, (2,))
    checks.true("a dataset of 8 TB: reported", done is not None and "not in the file" in done.stderr, done and done.stderr)


def locked(checks, pristine, where, deck):
    """Another program has the master open for writing."""
    put_back(pristine, where)
    with h5py.File(os.path.join(where, "base.h5"), "r+"):
        for arguments in (["info", "base.h5"], ["run", deck, "--restart", "base"], ["run", deck, "-o", "base"],
                          ["paraview", "base.h5"]):
            done = ends(checks, "locked", arguments, where, (2,))
            checks.true("locked: %s says so" % arguments[0], done is not None and "is locked" in done.stderr,
                        done and done.stderr)
    ends(checks, "no longer locked", ["info", "base.h5"], where, (0,))
    with h5py.File(os.path.join(where, "base.h5"), "r"):
        ends(checks, "open for reading", ["info", "base.h5"], where, (0,))
        ends(checks, "open for reading", ["run", deck, "-o", "base", "-q"], where, (0,))


def words(checks, pristine, where, deck):
    """Unsound values of a restart are reported in words, not as the name of a column."""
    for table, column, said in (("wells", "given_up", "limits of a well have shut it"), ("wells", "in_field", "takes part in targets of groups"),
                                ("run", "events_done", "place in the schedule")):
        put_back(pristine, where)
        with runs.edited(os.path.join(where, "base.steps", "restart_000006.h5")) as f:
            n = f[table].attrs["columns"].split().index(column)
            f[table][0, n] = -7.5
        done = ends(checks, column, ["run", deck, "--restart", "base", "-o", "other"], where, (2,))
        checks.true(column + ": in words", done is not None and said in done.stderr and column not in done.stderr,
                    done and done.stderr)


def elsewhere(checks, pristine, where, deck):
    """Links of a result that lead to a pipe, out of its folder or through one more link, and numbers that stand in another file, are
    refused by every command, and nobody waits."""
    def link(name, file, path="/"):
        def put(f):
            del f[name]
            f[name] = h5py.ExternalLink(file, path)
        return "base.h5", put

    def storage(name, file):
        def put(f):
            shape = f[name].shape
            del f[name]
            f.create_dataset(name, shape=shape, dtype="f8", external=[(file, 0, h5py.h5f.UNLIMITED)])
        return "base.h5", put

    def through(f):
        del f["wells"]
        f["wells"] = h5py.ExternalLink("pipe", "/wells")

    step = "steps/000006"
    for what, (file, change), said in (("a step in a pipe", link(step, "pipe"), "is no file"),
                                       ("a grid in a pipe", link("grid", "pipe", "/grid"), "is no file"),
                                       ("a grid of another folder", link("grid", "../pristine/base.grid.h5", "/grid"), "out of the folder"),
                                       ("a step of the root's", link(step, "/dev/zero"), "out of the folder"),
                                       ("times in a pipe", storage("time", "pipe"), "in other files"),
                                       ("one link more", ("base.grid.h5", through), "link to another file"),
                                       ("a step that is a link", ("base.steps/step_000006.h5", link("pressure", "pipe", "/p")[1]), "link to another file")):
        put_back(pristine, where)
        os.mkfifo(os.path.join(where, "pipe"))
        with runs.edited(os.path.join(where, file)) as f:
            change(f)
        commands = [["info", "base.h5"], ["plot", "base.h5", "-o", "p.png"], ["report", "base.h5"], ["plot", "base.h5", "--map", "sw",
                    "-o", "m.png"], ["compare", "base.h5", "base.h5", "-o", "c.html"]]
        if file == "base.h5":
            commands += [["run", deck, "--restart", "base", "-o", "other"], ["paraview", "base.h5"]]
        for arguments in commands:
            done = ends(checks, what, arguments, where, (0, 1, 2))
            told = done is not None and said in done.stderr + done.stdout
            checks.true("%s: %s says so" % (what, " ".join(arguments)), told, done and (done.returncode, done.stderr, done.stdout[-300:]))


def not_ours(checks, where, deck):
    """A file of the master's name that only mentions hepta stays, damaged or not; a pipe does not keep anybody waiting."""
    os.mkdir(where)
    path = os.path.join(where, "rock.h5")
    with h5py.File(path, "w") as f:
        f.attrs["source"] = "made of a hepta result"
    with open(path, "rb") as f:
        before = f.read()
    for data in (before, before[:700], b"hepta result", b""):
        with open(path, "wb") as f:
            f.write(data)
        done = ends(checks, "not ours", ["run", deck, "-o", "rock"], where, (2,))
        checks.true("not ours: refused", done is not None and "not a hepta result" in done.stderr, done and done.stderr)
        with open(path, "rb") as f:
            checks.true("not ours: untouched", f.read() == data)
    os.mkfifo(os.path.join(where, "pipe.h5"))
    for arguments in (["info", "pipe.h5"], ["run", deck, "--restart", "pipe"], ["run", deck, "-o", "pipe"]):
        ends(checks, "a pipe", arguments, where, (2,))


def arrays(checks, where):
    """A deck's array in an HDF5 file that is damaged: HDF5 before 1.14 crashes on some of these."""
    os.mkdir(where)
    good, bad = os.path.join(where, "good.h5"), os.path.join(where, "rock.h5")
    with h5py.File(good, "w") as f:
        f.create_dataset("a/b/porosity", data=[[[0.1 + 0.01 * (i + j) for i in range(12)] for j in range(8)]] * 3,
                         chunks=(1, 4, 6), compression="gzip")
        for n in range(20):
            f["a/b"].attrs["text%d" % n] = "x" * n
        for n in range(12):
            f.create_dataset("a/b/x%d" % n, data=[1.0] * (n + 1))
    deck = """grid = { size = [12, 8, 3]; dx = 10.0; dy = 10.0; dz = 5.0; top = 1800.0; permx = 100.0;
         porosity = { file = "rock.h5"; format = "hdf5"; dataset = "a/b/porosity"; }; };
""" + runs.FLUIDS + """initial = { pressure = 180.0; saturation = 0.2; };
wells = ({ name = "P"; type = "producer"; i = 1; j = 1; radius = 0.1; control = "bhp"; bhp = 150.0; });
report = { end = 1.0; };
"""
    with open(os.path.join(where, "rock.cfg"), "w") as f:
        f.write(deck)
    with open(good, "rb") as f:
        data = f.read()
    damaged = 0
    # the sizes of chunks, where HDF5 is led beyond its memory; then anywhere
    sizes_at, rng = data.index(struct.pack("<4I", 1, 4, 6, 8)), random.Random(5)
    places = list(range(sizes_at, sizes_at + 16)) + [rng.randrange(len(data)) for _ in range(10)]
    for at in [None] + places:
        text = bytearray(data)
        if at is not None:
            text[at] = 255
        with open(bad, "wb") as f:
            f.write(text)
        done = runs.hepta("check", "rock.cfg", where=where, timeout=LIMIT)
        reported = done.returncode == 2 and "rock.cfg:2: grid.porosity: " in done.stderr
        checks.true("array, byte %s" % at, done.returncode == 0 or (reported and at is not None), (done.returncode, done.stderr))
        damaged += "is damaged: reading it" in done.stderr
    if re.search(r"^HDF5 1\.1[02]\.", runs.hepta("--version").stdout, re.M):
        checks.true("arrays on which HDF5 crashes", damaged > 0, damaged)
    print("%d of %d arrays reported as damaged by how reading ends" % (damaged, len(places)))


def main():
    checks = runs.Checks()
    chosen = [int(n) for n in os.environ.get("HEPTA_DAMAGED", "24,0").split(",")]
    with runs.folder() as top:
        deck = restarts.write_deck(top, faults.DECK)
        pristine, where = os.path.join(top, "pristine"), os.path.join(top, "work")
        os.mkdir(pristine)
        os.mkdir(where)
        done = restarts.start(deck, os.path.join(pristine, "base"), ["output.restart=-1", "timestep.max=1.0", "report.every=1.0"])
        checks.true("the result", done.returncode == 0, done.stderr)
        sizes(checks, pristine, where)
        locked(checks, pristine, where, deck)
        words(checks, pristine, where, deck)
        flips(checks, pristine, where, deck, False)
        flips(checks, pristine, where, deck, True)
        earlier(checks, pristine, where, deck)
        copied(checks, pristine, where, deck)
        elsewhere(checks, pristine, where, deck)
        mutations(checks, pristine, where, deck, chosen[1] if len(chosen) > 1 else 0, chosen[0])
        found(checks, os.path.join(top, "found"), deck)
        arrays(checks, os.path.join(top, "array"))
        not_ours(checks, os.path.join(top, "rock"), deck)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
