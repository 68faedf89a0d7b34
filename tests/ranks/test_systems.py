"""--dump-matrix, --dump-systems and --check-jacobian by several ranks: the bytes of one rank, and of one process where its sums do
not count; no rank reads alone or has more memory than the others; what fails is said once and ends all."""
import json
import os
import subprocess
import sys

import h5py

import runs
from rank_runs import FAULTED, differences, numbers, start

SYSTEMS = ["--dump-matrix", "1", "--dump-systems"]


def table(done):
    """The table of --check-jacobian."""
    text = done.stdout + done.stderr
    begin = text.find("hepta: Jacobian against")
    end = text.find("wrote the first system")
    return text[begin:end] if 0 <= begin < end else ""


def files(where, name):
    """Of the matrix, its right-hand side and all systems: texts, and data sets and attributes but for the machine's name."""
    found = {}

    def note(file, key, v):
        found.update({"%s%s@%s" % (file, key, k): str(a) for k, a in v.attrs.items() if k not in ("machine", "checksums")})
        if isinstance(v, h5py.Dataset):
            found[file + key] = (v.shape, str(v.dtype), str(v.chunks), v[()].tobytes())
    for file in sorted(os.listdir(where)):
        path = os.path.join(where, file)
        if not file.startswith(name + ".step") or os.path.isdir(path):
            continue
        if file.endswith(".h5"):
            with h5py.File(path, "r") as f:
                note(file[len(name):], "/", f)
                f.visititems(lambda key, v, file=file: note(file[len(name):], "/" + key, v))
        else:
            with open(path, "rb") as f:
                found[file[len(name):]] = f.read()
    return found


def check_bytes(checks, what, deck, where, options, counts=(1, 2, 3)):
    """Also of one process: its first matrix, which no sum over cells has gone into yet."""
    words = ["run", deck] + options
    alone = runs.hepta(*words, "-o", "alone", "--threads", "1", "--check-jacobian", *SYSTEMS, "alone", where=where)
    checks.true(what + ": one process", alone.returncode == 0, alone.stderr)
    right, first = table(alone), None
    checks.true(what + ": the derivatives agree", right.count("\n") >= 7 and "they agree" in right, alone.stdout + alone.stderr)
    for count in counts:
        done = start(count, words + ["-o", "many", "--check-jacobian", *SYSTEMS, "many"], where)
        checks.true("%s: %d ranks read together" % (what, count), "holds all cells" not in done.stdout + done.stderr, done.stderr)
        checks.true("%s: %d ranks print the table of one process" % (what, count), table(done) == right, "%s\n%s" % (right, table(done)))
        found = files(where, "many")
        first = first or found
        odd = [key for key in sorted(set(first) | set(found)) if first.get(key) != found.get(key)]
        checks.true("%s: %d ranks have the bytes of one" % (what, count), not odd and len(found) > 60, "differ: %s" % odd[:5])
    whole = files(where, "alone")
    of = [key for key in whole if key.startswith(".step1.mtx") or (key.startswith(".step0001.newton01.h5/") and "@" not in key and key[-2:] != "/x")]
    odd = [key for key in of if whole[key] != first.get(key)]
    checks.true(what + ": the first system is that of one process", not odd and len(of) > 8, "differ: %s" % odd)
    return first


def check_faulted(checks, where):
    """Wells cut between ranks, connections that lead far, inactive cells, an aquifer; cpr, whose earlier matrices go with a system."""
    deck = os.path.join(where, "faulted.cfg")
    with open(deck, "w", encoding="utf-8") as f:
        f.write(FAULTED)
    found = check_bytes(checks, "faulted", deck, where, ["--set", "report.end=2", "--set", "linear.preconditioner=cpr"], (1, 2, 3, 5))
    for name in ("connections/cell", "matrix/link", "numbers/h", "pattern/wt", "active"):
        checks.true("faulted: there is " + name, any(key.endswith("/" + name) for key in found), sorted(found)[:60])
    words = ["run", deck, "-q", "--set", "report.end=2", "--set", "linear.preconditioner=cpr", "-o", "cut", "--dump-systems", "cut"]
    start(1, words, where)
    right = files(where, "cut")
    odd = [key for key, v in right.items() if found.get(key) != v]
    checks.true("a check of the Jacobian changes no bit of a system", not odd and len(right) > 60, odd[:5])
    start(3, words, where, HEPTA_TEST_RANKS_CUT="7")
    odd = [key for key, v in files(where, "cut").items() if right.get(key) != v]
    checks.true("systems of a cut by chance", not odd and len(right) > 60, odd[:5])
    return deck


def check_going_on(checks, deck, where):
    """A check of the Jacobian before the first step of a run that goes on changes no bit of it."""
    start(2, ["run", deck, "-q", "-o", "base", "--set", "report.every=4", "--set", "report.end=4"], where)
    for what, ranks in (("one process", 0), ("three ranks", 3)):
        found = []
        for name, check in (("plain", []), ("checked", ["--check-jacobian", "--log", "checked.log"])):
            words = ["run", deck, "-q", "-o", name, "--restart", "base", "--set", "report.every=4", "--set", "report.end=8"] + check
            if ranks > 0:
                start(ranks, words, where)
            else:
                done = runs.hepta(*words, "--threads", "1", where=where)
                checks.true("going on: " + what, done.returncode == 0, done.stderr)
            found.append(numbers(where, name))
        with open(os.path.join(where, "checked.log"), encoding="utf-8") as f:
            checks.true("going on: %s: the Jacobian is compared" % what, "they agree" in f.read())
        odd = differences(*found)
        checks.true("going on: %s: a check of the Jacobian changes no bit" % what, not odd, odd[:5])


def check_field(checks, where):
    """Corner points, faults along both axes, pairs of the deck's, an aquifer of Carter and Tracy."""
    field = os.path.join(where, "FIELD.DATA")
    subprocess.run([sys.executable, os.path.join(runs.SOURCE, "bench", "faulted_field.py"), field, "--size", "12x11x5", "--faults", "4",
                    "--aquifer", "--wells", "4", "--nnc", "20"], check=True)
    check_bytes(checks, "field", field, where, ["--set", "report.end=1"], (1, 3))


def check_no_wells(checks, where):
    """Columns at rest: there are no rows of wells, but there is a right-hand side."""
    deck = os.path.join(where, "rest.cfg")
    with open(deck, "w", encoding="utf-8") as f:
        f.write(runs.FLUIDS + """
grid = { size = [3, 1, 4]; dx = 30.0; dy = 25.0; dz = 5.0; top = 1500.0; porosity = 0.2; permx = 100.0; };
initial = { datum_depth = 1500.0; datum_pressure = 180.0; contact_depth = 1508.0; };
linear = { preconditioner = "block-jacobi"; };
report = { end = 20.0; };
""")
    found = check_bytes(checks, "no wells", deck, where, ["--set", "timestep.initial=2"])
    checks.true("no wells: all rows have a right-hand side", found.get(".step1.mtx.rhs", b"").count(b"\n") == 2 + 2 * 12, sorted(found)[:9])
    done = start(4, ["run", deck, "-q", "-o", "narrow"], where, check=False)
    checks.true("no wells: more ranks than columns", done.returncode == 2 and done.stderr.count("4 parts are too many") == 1, done.stderr)
    left = [f for f in os.listdir(where) if f.startswith("narrow")]
    checks.true("no wells: a run that does not begin leaves nothing", not left, left)


def check_memory(checks, where):
    """Of rank 0, which writes all of it."""
    start(6, ["run", runs.deck("spe10_class"), "--set", "report.end=0.1", "-o", "memory", "--json=memory.json", "--check-jacobian",
              "--dump-matrix", "1", "--dump-systems", "memory:1.1"], where)
    with open(os.path.join(where, "memory.json"), encoding="utf-8") as f:
        memory = [e for e in map(json.loads, f) if e["event"] == "ranks"][0]["memory"]
    checks.true("memory of rank 0", memory[0] < 1.15 * max(memory[1:]), memory)


def check_failures(checks, deck, where):
    words = ["run", deck, "-q", "--set", "report.end=2"]
    os.mkdir(os.path.join(where, "taken.step1.mtx"))
    os.symlink("/dev/full", os.path.join(where, "full.step1.mtx"))
    os.symlink("/dev/full", os.path.join(where, "late.step1.mtx.rhs"))
    os.mkdir(os.path.join(where, "sys.step0001.newton01.h5"))
    for what, name, options, said in (("a folder in the way", "taken", ["--dump-matrix", "1"], "taken.step1.mtx: cannot be opened for writing"),
                                      ("a full disk", "full", ["--dump-matrix", "1"], "full.step1.mtx: cannot be written"),
                                      ("a full disk behind the matrix", "late", ["--dump-matrix", "1"], "late.step1.mtx.rhs: cannot be written"),
                                      ("a folder in the way of a system", "sys", ["--dump-systems", "sys:1.1"], "sys.step0001.newton01.h5")):
        done = start(3, words + ["-o", name] + options, where, check=False)
        checks.true(what, done.returncode != 0 and done.stderr.count(said) == 1, done.stderr)
    left = [f for f in os.listdir(where) if f.startswith("sys.step0001") and f != "sys.step0001.newton01.h5"]
    checks.true("nothing is left of a system that cannot be written", not left, left)
    done = start(2, ["run", deck, "--set", "report.end=2", "-o", "never", "--dump-matrix", "999", "--dump-systems", "never:999"], where)
    checks.true("steps that do not come", "--dump-matrix 999: nothing was written" in done.stderr and
                "--dump-systems: step 999 solved no linear system" in done.stderr, done.stderr)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        deck = check_faulted(checks, where)
        check_going_on(checks, deck, where)
        check_field(checks, where)
        check_no_wells(checks, where)
        check_memory(checks, where)
        check_failures(checks, deck, where)
    return checks.result()


sys.exit(main())
