"""No option for output may name a file that the command reads, or a result: not the deck, nothing that it includes, no
array, no file of a result, through links or another spelling of its name. Exit code 2, a sentence, and all bytes stay.
Each file by its name and by one of five other spellings in turn; HEPTA_TEST_EVERY=1: by all."""
import os
import shutil
import subprocess
import sys

import h5py
import numpy

import restarts
import runs

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import faults  # noqa: E402

MATRIX = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.0\n2 2 2.0\n"


def contents(where):
    """All files below a folder by name, links as what they are."""
    found = {}
    for folder, _, names in os.walk(where):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as f:
                found[os.path.relpath(path, where)] = f.read()
    return found


def spellings(where, name):
    """The file by its name, by others, and by links to it, which are made."""
    path = os.path.join(where, name)
    links = os.path.join(where, "links")
    os.makedirs(links, exist_ok=True)
    plain = name.replace("/", "_")
    symbolic, hard = os.path.join(links, "symbolic_" + plain), os.path.join(links, "hard_" + plain)
    if not os.path.lexists(symbolic):
        os.symlink(path, symbolic)
        os.link(path, hard)
    return [name, path, "./" + name, "links/../" + name, "links/symbolic_" + plain, "links/hard_" + plain]


def prepare(where):
    text = faults.DECK.replace("porosity = 0.2", 'porosity = { file = "por.inc"; }')
    text = text.replace("permx = 100.0;", 'permx = { file = "perm.h5"; format = "hdf5"; dataset = "permx"; };')
    text = text.replace("report = {", '@include "times.inc"\n#').replace("timestep = {", "\ntimestep = {")
    restarts.write_deck(where, text, "own")
    with open(os.path.join(where, "times.inc"), "w") as f:
        f.write("report = { every = 2.0; end = 6.0; };\n")
    with open(os.path.join(where, "por.inc"), "w") as f:
        f.write("0.2\n" * 24)
    with h5py.File(os.path.join(where, "perm.h5"), "w") as f:
        f["permx"] = numpy.full((2, 3, 4), 100.0)
    shutil.copy(runs.deck("FIVE_SPOT.DATA"), os.path.join(where, "E.DATA"))
    with open(os.path.join(where, "E.DATA")) as f:
        text = f.read()
    cut = text.index("GRID\n") + len("GRID\n")
    with open(os.path.join(where, "grid.inc"), "w") as f:
        f.write("-- nothing\n")
    with open(os.path.join(where, "E.DATA"), "w") as f:
        f.write(text[:cut] + "INCLUDE\n 'GRID.INC' /\n" + text[cut:])
    with open(os.path.join(where, "m.mtx"), "w") as f:
        f.write(MATRIX)
    with open(os.path.join(where, "data.csv"), "w") as f:
        f.write("TIME,FOPR\n1,2\n")
    with open(os.path.join(where, "cases.cfg"), "w") as f:
        f.write('compare = ( { name = "a"; }, { name = "b"; } );\n')
    done = runs.hepta("run", "own.cfg", "-o", "old", "--dump-systems", "sys:1.1", "-q", where=where)
    if done.returncode != 0:
        print(done.stderr)
        sys.exit(1)
    with open(os.path.join(where, "broken.cfg"), "w") as f:
        f.write('grid = { size = [4, 3, 2]; porosity = { file = "por.inc"; }; } }')


class Refusals:
    def __init__(self, checks, where):
        self.checks, self.where, self.count, self.calls = checks, where, 0, 0

    def __call__(self, arguments, name, ending="", said="refusing"):
        """Spellings of a file; `ending` is what the program asks the name of a file to end in."""
        self.calls += 1
        plain, *others = spellings(self.where, name)
        step = runs.every(7, 7)
        for spelling in [plain] + others[self.calls % step::step]:
            if ending and not spelling.endswith(ending):
                link = os.path.join(self.where, "links", "to" + ending)
                if os.path.lexists(link):
                    os.remove(link)
                os.symlink(os.path.join(self.where, spelling), link)
                spelling = link
            before = contents(self.where)
            command = [spelling if a == "@" else a.replace("=@", "=" + spelling) for a in arguments]
            done = runs.hepta(*command, where=self.where)
            what = " ".join(command)
            self.count += 1
            self.checks.true(what + ": 2", done.returncode == 2 and said in done.stderr, (done.returncode, done.stderr))
            after = contents(self.where)
            changed = [n for n in before if after.get(n) != before[n]]
            new = [n for n in after if n not in before]
            self.checks.true(what + ": nothing is changed", not changed and not new, (changed, new))
            if changed or new:
                sys.exit(1)


def runs_of_decks(refuse):
    own = ["own.cfg", "times.inc", "por.inc", "perm.h5"]
    for name in own + ["old.h5", "old.grid.h5", "old.summary.csv", "old.steps/step_000000.h5"]:
        for option in (["--log", "@"], ["--json=@"]):
            if name.startswith("old") and not name.endswith(".h5"):
                refuse(["run", "own.cfg", "-o", "old", *option], name)  # what the run itself writes
            else:
                refuse(["run", "own.cfg", "-o", "new", *option], name)
    for name in ("E.DATA", "grid.inc"):
        refuse(["run", "E.DATA", "-o", "new", "--log", "@"], name)
    for name in ("old.h5", "old.summary.csv", "old.steps/step_000000.h5", "old.xdmf2"):
        refuse(["run", "own.cfg", "--restart", "old", "-o", "new", "--log", "@"], name)
    refuse(["run", "own.cfg", "-o", "new", "--log", "both", "--json=both"], "own.cfg")
    for name in ("por.inc", "own.cfg"):  # read before what is wrong with the deck, and not
        refuse(["run", "broken.cfg", "-o", "new", "--log", "@"], name, said="stays as it is")
        refuse(["run", "missing.cfg", "-o", "new", "--json=@"], name, said="stays as it is")


def results(refuse, where):
    """Results whose files would take the place of what the deck reads."""
    with open(os.path.join(where, "own.cfg")) as f:
        text = f.read()
    os.link(os.path.join(where, "por.inc"), os.path.join(where, "r.summary.csv"))
    refuse(["run", "own.cfg", "-o", "r"], "por.inc")
    for new in ("n.grid.h5", "n.steps/step_000000.h5"):
        os.makedirs(os.path.join(where, "n.steps"), exist_ok=True)
        shutil.copy(os.path.join(where, "perm.h5"), os.path.join(where, new))
        with open(os.path.join(where, "n.cfg"), "w") as f:
            f.write(text.replace("perm.h5", new))
        refuse(["run", "n.cfg", "-o", "n"], new)
    os.symlink(os.path.join(where, "own.cfg"), os.path.join(where, "d.step0001.newton01.h5"))
    refuse(["run", "own.cfg", "-o", "new", "--dump-systems", "d:1.1"], "own.cfg")
    os.symlink(os.path.join(where, "own.cfg"), os.path.join(where, "new.step1.mtx"))
    refuse(["run", "own.cfg", "-o", "new", "--dump-matrix", "1"], "own.cfg")


def other_commands(refuse, where):
    folder = os.path.join(where, "folder")
    os.mkdir(folder)
    for name in ("E.DATA", "grid.inc"):
        refuse(["import", "E.DATA", "-f", "-o", "@"], name)
    refuse(["import", "E.DATA", "-f", "-o", "@"], "old.h5")
    refuse(["export", "E.DATA", "-f", "-o", "@"], "E.DATA")
    for name in ("own.cfg", "por.inc", "cases.cfg"):
        target = os.path.join(folder, "compare.csv")
        os.symlink(os.path.join(where, name), target)
        refuse(["compare", "own.cfg", "--cases", "cases.cfg", "-o", "folder"], name)
        os.remove(target)
    for name in ("old.h5", "old.grid.h5", "data.csv"):
        refuse(["plot", "old.h5", "--data", "data.csv", "-o", "@"], name, ".png")
    os.symlink(os.path.join(where, "old.h5"), os.path.join(where, "old.png"))
    refuse(["plot", "old.h5"], "old.h5")
    os.remove(os.path.join(where, "old.png"))
    for name in ("old.h5", "old.xdmf2", "old.steps/step_000000.h5"):
        refuse(["paraview", "old.h5", "-o", "@"], name, ".py")
        refuse(["paraview", "old.h5", "--picture", "@"], name, ".png")
    os.symlink(os.path.join(where, "old.h5"), os.path.join(folder, "old.0000.png"))
    refuse(["paraview", "old.h5", "--frames", "folder"], "old.h5")
    for option in (["--csv", "@"], ["--json=@"]):
        refuse(["bench", "solve", "sys.step0001.newton01.h5", *option], "sys.step0001.newton01.h5")
    refuse(["bench", "solve", "sys.step0001.newton01.h5", "--csv", "@"], "old.h5")
    for option in ("--csv", "--write"):
        refuse(["bench", "amg", "--matrix", "m.mtx", option, "@"], "m.mtx")
    for verb in ("spmv", "krylov"):
        refuse(["bench", verb, "--csv", "@"], "old.h5")


def still_work(checks, where):
    """Devices, pipes, an earlier log, standard output that is a file."""
    end = ["--set", "report.end=2.0", "-o", "fine"]
    for path in ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/fd/1"):
        for option in ("--log=", "--json="):
            done = runs.hepta("run", "own.cfg", *end, option + path, where=where)
            checks.true(option + path, done.returncode == 0, done.stderr)
    done = runs.hepta("run", "own.cfg", *end, "--json=/dev/stdout", "-q", where=where)
    checks.true("events on /dev/stdout", done.stdout.startswith('{"event": '), done.stdout[:200])
    with open(os.path.join(where, "out"), "w") as f:
        done = subprocess.run([runs.PROGRAM, "run", "own.cfg", *end, "--log", "/dev/stdout"], cwd=where, stdout=f)
    checks.true("a log to a file behind /dev/stdout", done.returncode == 0)
    for _ in range(2):
        done = runs.hepta("run", "own.cfg", *end, "--log", "run.log", "--json=run.json", where=where)
        checks.true("log and events, again", done.returncode == 0, done.stderr)
    done = runs.hepta("run", "broken.cfg", *end, "--log", "run.log", "--json=run.json", where=where)
    with open(os.path.join(where, "run.log")) as f, open(os.path.join(where, "run.json")) as g:
        log, events = f.read(), g.read()
    checks.true("a deck with errors: in an earlier log, too", done.returncode == 2 and "broken.cfg" in log and
                log.startswith("hepta ") and "broken.cfg" in events and '"refused"' in events, (log, events))
    done = runs.hepta("run", "own.cfg", "--restart", "fine", "--set", "report.end=4.0", "--log", "run.log", where=where)
    checks.true("going on in place", done.returncode == 0, done.stderr)
    done = runs.hepta("run", "own.cfg", *end, "--log", "own.cfg/run.log", where=where)
    checks.true("a file where a folder is to be", done.returncode == 2, done.stderr)
    checks.true("plots", runs.hepta("paraview", "fine.h5", "--frames", "x" * 300, where=where).returncode == 2)


def strangers(checks, where):
    """Files that hepta has not written stay, and links of the names that it takes are not followed."""
    steps = os.path.join(where, "mine.steps")
    os.mkdir(steps)
    mine = {"step_000000.h5": b"not of hepta", "step_1.h5": b"nor this", "restart_000007.h5": b"nor that"}
    for name, data in mine.items():
        with open(os.path.join(steps, name), "wb") as f:
            f.write(data)

    def check(what, code, names):
        done = runs.hepta("run", "own.cfg", "-o", "mine", "-q", where=where)
        kept = all(contents(steps).get(name) == mine[name] for name in names)
        checks.true("strangers: " + what, done.returncode == code and kept, (done.returncode, done.stderr))
        return done.stderr

    said = check("refused", 2, mine)
    checks.true("strangers: named", "is not a file of hepta; refusing to overwrite it" in said, said)
    os.remove(os.path.join(steps, "step_000000.h5"))
    os.remove(os.path.join(steps, "restart_000007.h5"))
    check("a name that no step has", 0, ["step_1.h5"])
    for name in ("restart_999999.h5", "step_888888.h5"):
        mine[name] = b"beside a result"
        with open(os.path.join(steps, name), "wb") as f:
            f.write(mine[name])
    check("beside a result", 2, ["restart_999999.h5", "step_888888.h5"])
    for name in ("restart_999999.h5", "step_888888.h5"):
        os.remove(os.path.join(steps, name))
    victim = os.path.join(where, "victim")
    with open(victim, "w") as f:
        f.write("stays")
    os.chmod(victim, 0o666)
    for name in [".h5.tmp", ".grid.h5.tmp", ".xdmf2.tmp", ".steps/step_000002.h5.tmp", ".summary.csv", ".solver.csv", ".view.py.tmp"]:
        os.system("rm -f '%s'; ln -s '%s' '%s'" % (where + "/mine" + name, victim, where + "/mine" + name))
    check("links", 0, [])
    with open(victim) as f:
        checks.true("strangers: what links lead to", f.read() == "stays")


def beside(checks, where):
    """Files of a stranger beside which there is no master stay; those of a run that lost its master do not."""
    own = os.path.join(where, "beside")

    def run(*arguments):
        return runs.hepta("run", "own.cfg", "-o", "beside", "-q", *arguments, where=where)

    for ending, data in ((".summary.csv", b"mine\n"), (".summary.csv", b"DATE,FOPR\n"), (".solver.csv", b"step;time\n"), (".view.py", b"print(1)\n"),
                         (".wells.vtp", b'<?xml version="1.0"?>\n<VTKFile type="PolyData" version="1.0">\n'),
                         (".xdmf2", b'<?xml version="1.0" ?>\n<Xdmf Version="2.0"/>\n'), (".grid.h5", b"\x89HDF\r\n\x1a\nmine"), (".PRT", b"mine\n")):
        with open(own + ending, "wb") as f:
            f.write(data)
        done = run(*(["--log", own + ".PRT"] if ending == ".PRT" else []))
        with open(own + ending, "rb") as f:
            checks.true("beside: " + ending, done.returncode == 2 and f.read() == data and "beside" + ending + ": exists and is not a" in done.stderr and
                        not os.path.exists(own + ".h5"), (done.returncode, done.stderr))
        os.remove(own + ending)
    for n in range(2):  # a run, and another one that finds its files without the master, one of them torn
        done = run("--log", own + ".PRT")
        checks.true("beside: own files", done.returncode == 0 and os.path.exists(own + ".h5"), done.stderr)
        os.remove(own + ".h5")
        with open(own + ".summary.csv", "r+b") as f:
            f.truncate(3)


def secrets(checks, where):
    """Messages show nothing of files that are not the deck's; what would never end is not read."""
    with open(os.path.join(where, "own.cfg")) as f:
        text = f.read()
    with open(os.path.join(where, "secret"), "w") as f:
        f.write("root:TOPSECRET:0:0\n")
    os.mkfifo(os.path.join(where, "pipe"))
    with h5py.File(os.path.join(where, "far.h5"), "w") as f:
        f.create_dataset("permx", (2, 3, 4), dtype="u1", external=[(os.path.join(where, "secret"), 0, h5py.h5f.UNLIMITED)])
        layout = h5py.VirtualLayout(shape=(2, 3, 4), dtype="f8")
        layout[...] = h5py.VirtualSource(os.path.join(where, "perm.h5"), "permx", shape=(2, 3, 4))
        f.create_virtual_dataset("virtual", layout)
        for name, file, place in (("link", "perm.h5", "permx"), ("group", os.path.join(where, "perm.h5"), "/"), ("waits", "pipe", "permx")):
            f[name] = h5py.ExternalLink(file, place)
        f["soft"] = h5py.SoftLink("/group/permx")
    os.mkdir(os.path.join(where, "closed"), 0o700)
    for old, new, said in (("por.inc", "secret", "secret:1: a word that is not a number"), ("por.inc", "pipe", "not a file that can be read"),
                           ("por.inc", "/dev/zero", "not a file that can be read"), ("por.inc", "/proc/kmsg", "own2.cfg:"),
                           ("perm.h5", "/proc/kmsg", "own2.cfg:"), ("perm.h5", "pipe", "pipe: is not HDF5"),
                           ("perm.h5", "far.h5", "stand in other files"),
                           ('perm.h5"; format = "hdf5"; dataset = "permx', 'far.h5"; format = "hdf5"; dataset = "virtual', "stand in other files"),
                           ('perm.h5"; format = "hdf5"; dataset = "permx', 'far.h5"; format = "hdf5"; dataset = "link', "dataset link is linked to the file 'perm.h5'"),
                           ('perm.h5"; format = "hdf5"; dataset = "permx', 'far.h5"; format = "hdf5"; dataset = "group/permx', "/perm.h5': name the file"),
                           ('perm.h5"; format = "hdf5"; dataset = "permx', 'far.h5"; format = "hdf5"; dataset = "soft', "/perm.h5': name the file"),
                           ('perm.h5"; format = "hdf5"; dataset = "permx', 'far.h5"; format = "hdf5"; dataset = "waits', "linked to the file 'pipe'"),
                           ("perm.h5", "none.h5", "none.h5: no such file")):
        restarts.write_deck(where, text.replace(old, new), "own2")
        try:
            done = runs.hepta("check", "own2.cfg", where=where, timeout=20)
        except subprocess.TimeoutExpired:
            checks.true(new + ": ends", False)
            continue
        checks.true(new + ": refused", done.returncode == 2 and said in done.stderr and "TOPSECRET" not in done.stderr, done.stderr)
    for held, said in (("-----BEGIN KEY-----\nTOPSECRETTOPSECRETx==\n", "included:2: a text of 19 letters: unknown keyword"),
                       ("# TOPSECRET\n", "included:1: a keyword is expected here, found a text of 11 letters"), ("NOTSUCH\n", "included:1: NOTSUCH: unknown keyword"),
                       ("PORO\n TOPSECRET=TOPSECRET 0.1.2 zz /\n", "included:2: PORO: a text of 19 letters is not a number"), ("PORO\n 0.1.2 /\n", "'0.1.2' is not a number"),
                       ("MINPV\n TOPSECRET /\n", "a text of 9 letters"), ("PORO TOPSECRET of somebody\n 2*0.2 /\n", "ignored on the keyword's line: a text of 21 letters")):
        with open(os.path.join(where, "included"), "w") as f:
            f.write(held)
        with open(os.path.join(where, "i.DATA"), "w") as f:
            f.write("RUNSPEC\nDIMENS\n 2 1 1 /\nOIL\nWATER\nGRID\nINCLUDE\n included /\nEND\n")
        done = runs.hepta("check", "i.DATA", where=where)
        checks.true("included: " + said, done.returncode == 2 and said in done.stderr and "TOPSECRET" not in done.stdout + done.stderr, done.stderr)
    with open(os.path.join(where, "i.DATA"), "w") as f:
        f.write("RUNSPEC\nDIMENS\n 2 1 1 /\nOIL\nWATER\nGRID\n=LONGANDNOWORD\nEND\n")
    done = runs.hepta("check", "i.DATA", where=where)
    checks.true("the deck itself", "found '=LONGANDNOWORD'" in done.stderr, done.stderr)
    with open(os.path.join(where, "o.DATA"), "w") as f:
        f.write("RUNSPEC\nDIMENS\n 2 1 1 /\nOIL\nWATER\nGRID\nOPERNUM\n 2*1 /\nOPERATER\n PORO 1 MULTX NTG 0.5 /\n/\n"
                "OPERATER\n SATNUM 1 MULTX NTG 2.5 /\n/\nEND\n")
    done = runs.hepta("check", "o.DATA", where=where)
    checks.true("an array of OPERATER: places", done.returncode == 2 and "\n:" not in done.stderr and not done.stderr.startswith(":"),
                done.stderr)
    if os.geteuid() == 0:
        return
    os.chmod(os.path.join(where, "perm.h5"), 0)
    for name in ("own.cfg",):
        done = runs.hepta("check", name, where=where)
        checks.true("no permission", "Permission denied" in done.stderr and "no such file" not in done.stderr, done.stderr)
    os.chmod(os.path.join(where, "perm.h5"), 0o600)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        where = os.path.realpath(where)
        prepare(where)
        refuse = Refusals(checks, where)
        runs_of_decks(refuse)
        results(refuse, where)
        other_commands(refuse, where)
        still_work(checks, where)
        print(refuse.count, "refusals")
    with runs.folder() as where:
        where = os.path.realpath(where)
        prepare(where)
        strangers(checks, where)
        beside(checks, where)
        secrets(checks, where)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
