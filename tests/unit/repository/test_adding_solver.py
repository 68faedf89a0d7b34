"""docs/developer/adding-a-solver.md, followed word by word: its files are written and its commands run in a copy of the sources.
This test chooses how much is optimized, how many jobs build, how many threads run and how long. It builds once, when all changes are made, and
takes objects that none of them changes from HEPTA_BUILD; then it runs the programs of the page in their order."""
import filecmp
import functools
import glob
import json
import os
import re
import shutil
import subprocess
import sys

import h5py
import runs

FOLDERS = ("amg", "bench", "core", "grid", "io", "linsolve", "physics", "sim", "wells", "decks", "scripts")
QUICK = "cmake -S . -B build/dev -G 'Unix Makefiles' -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS_RELWITHDEBINFO=-O0 -DHEPTA_WERROR=ON -DHEPTA_CUDA=OFF " \
        "-DHEPTA_HYPRE=OFF -DHEPTA_PETSC=OFF -DBUILD_TESTING=OFF"


def steps(page):
    """(file, contents) and (None, command) in the order of the page, up to what is for later."""
    found, name, code = [], None, None
    for line in page[:page.index("## Before it stays")].splitlines():
        if code is not None and line == "```":
            found.append((name, "\n".join(code) + "\n"))
            code = None
        elif code is not None:
            code.append(line)
        elif line == "```c":
            code = []
        elif line.startswith("    "):
            found.append((None, line.strip()))
        else:
            named = re.search(r"`((?:linsolve|physics)/[\w/]+\.inl\.h)`:$", line)
            name = named.group(1) if named else name
    return found


def gpu_functions():
    """Names of the functions that only a build with CUDA has (HP_GPU in core/portable.h)."""
    names = set()
    for header in glob.glob(os.path.join(runs.SOURCE, "**", "*.h"), recursive=True):
        with open(header, encoding="utf-8") as f:
            names.update(re.findall(r"^HP_GPU [^;(]*?(\w+)\(", f.read(), re.M))
    return names


def differs_without_cuda(built, source, names):
    """Whether an object of a build with CUDA is not what a build without it makes: weak references to functions of a GPU
    are strong ones there, and the source may ask for CUDA."""
    with open(source, encoding="utf-8") as f:
        if "HEPTA_HAVE_CUDA" in f.read():
            return True
    undefined = subprocess.run(["nm", "-u", built], capture_output=True, text=True, check=True).stdout.split()
    return not names.isdisjoint(undefined)


def files_read(build):
    """(object, [source, headers ...]) of the library in a build folder."""
    if os.path.exists(os.path.join(build, "build.ninja")):
        said = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True).stdout
        for part in re.split(r"\n(?=\S)", said):
            head, *read = part.split("\n")
            name = head.split(":")[0]
            if re.match(r"(bench/)?CMakeFiles/hepta(_bench)?_lib\.dir/.*\.c\.o$", name):
                yield os.path.join(build, name), [os.path.join(build, r.strip()) for r in read if r.strip()]
    for listed in glob.glob(os.path.join(build, "**", "hepta*_lib.dir", "**", "*.c.o.d"), recursive=True):
        with open(listed) as f:
            yield listed[:-2], f.read().replace("\\\n", " ").split()[1:]


def text_of(path, texts={}):
    """A file without comments."""
    if path not in texts:
        with open(path, encoding="utf-8") as f:
            texts[path] = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
    return texts[path]


@functools.cache
def names_of_table(root, name):
    """A pattern of the names that a table of a header makes (HP_KRYLOV_LIST: HP_KRYLOV_...), where no more is changed than that
    this table has rows in addition, and the rest of the header uses none of them. Else None; so is a table of struct members."""
    if name == "physics/arrays.h":
        return None
    old, new = (text_of(os.path.join(tree, name)).split("\n") for tree in (runs.SOURCE, root))
    added = [n for n, line in enumerate(new) if line not in old]
    if not added or [line for n, line in enumerate(new) if n not in added] != old:
        return None
    table = re.findall(r"^#define (HP_\w+)_LIST\(", "\n".join(new[:added[0]]), re.M)
    if not table or not all(line.startswith("  X(") for line in new[added[0]:added[-1] + 1]):
        return None
    names = re.compile(r"\b%s_\w+" % table[-1])
    rest = re.sub(r"^#.*(\\\n.*)*", "", "\n".join(old), flags=re.M)
    return None if names.search(re.sub(r"\benum\b[^{};()]*\{[^}]*\}", "", rest)) else names


def reads_no_new_row(root, names, changed):
    """Whether of what an object is made of no more is changed than tables, whose names the rest does not use: it stays as it is."""
    tables = [names_of_table(root, n) for n in changed]
    rest = [n for n in names if n not in changed]
    return None not in tables and not any(t.search(text_of(os.path.join(root, n))) for t in tables for n in rest)


def reuse(root):
    """Puts the objects of HEPTA_BUILD that are as they were into the copy's build folder: what is left for the compiler is what
    the page changes. Returns how many there are."""
    build = os.environ.get("HEPTA_BUILD", "none")
    here = os.path.join(root, "build", "dev")
    if not os.path.exists(os.path.join(build, "compile_commands.json")):
        return 0
    with open(os.path.join(build, "compile_commands.json")) as f:
        with_cuda = any("-DHEPTA_HAVE_CUDA" in c["command"] for c in json.load(f) if "/hepta_lib.dir/" in c["command"])
    gpu = gpu_functions() if with_cuda else set()

    @functools.cache
    def kept(name):
        """(when a file was written, whether the copy's is the same); None: the copy has none."""
        here, there = os.path.join(root, name), os.path.join(runs.SOURCE, name)
        return (os.path.getmtime(there), filecmp.cmp(here, there, False)) if os.path.exists(here) else None

    def is_same(item):
        listed, read = item
        names = [n[len(runs.SOURCE) + 1:] for n in map(os.path.normpath, read) if n.startswith(runs.SOURCE + os.sep)]
        built = os.path.getmtime(listed)
        if not names or not all(kept(n) is not None and kept(n)[0] <= built for n in names):
            return False
        if gpu and differs_without_cuda(listed, os.path.join(runs.SOURCE, names[0]), gpu):
            return False
        changed = [n for n in names if not kept(n)[1]]
        return not changed or reads_no_new_row(root, names, changed)

    same = [item[0] for item in files_read(build) if is_same(item)]
    for listed in same:
        target = os.path.join(here, os.path.relpath(listed, build))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(listed, target)
    return len(same)


def in_order(page):
    """The commands: changes and configurations, one build, runs. Files are written before."""
    commands = [c for path, what in steps(page) if path is None for c in what.split(" && ")]
    builds = [c for c in commands if " --build " in c]
    runs_of = [c for c in commands if c.startswith("build/dev/hepta")]
    return [c for c in commands if c not in builds and c not in runs_of] + builds[-1:] + runs_of, len(builds)


def follow(checks, root, page):
    outputs = {}
    for path, what in steps(page):
        if path is not None:
            with open(os.path.join(root, path), "w") as f:
                f.write(what)
    commands, builds = in_order(page)
    checks.true("four builds, five runs", builds == 4 and sum(c.startswith("build/dev/hepta") for c in commands) == 5, commands)
    for what in commands:
        command = re.sub(r"^cmake --preset dev", QUICK, what)
        command = command.replace("cmake --build --preset dev", "cmake --build build/dev").replace(" -j", " -j 2")
        if command.startswith("build/dev/hepta"):
            command = command.replace("report.end=50", "report.end=10").replace("report.end=300", "report.end=80") + " --threads 1"
        if " --build " in command:
            print("reused objects:", reuse(root))
        done = subprocess.run(command, shell=True, cwd=root, capture_output=True, text=True, timeout=1400)
        checks.true(command, done.returncode == 0, done.stdout[-1500:] + done.stderr[-1500:])
        if done.returncode != 0:
            return outputs
        outputs[what] = done.stdout + done.stderr
    return outputs


def changed_files(root):
    """Those of the copy that the page has changed or made, by what it adds."""
    found = {}
    for name in ("physics", "wells", "sim", "io"):
        for folder, _, files in os.walk(os.path.join(root, name)):
            for file in files:
                path = os.path.relpath(os.path.join(folder, file), root)
                old = os.path.join(runs.SOURCE, path)
                if not os.path.exists(old) or not filecmp.cmp(old, os.path.join(root, path), False):
                    found[path] = os.path.exists(old)
    return found


def check_array(checks, root, hepta, deck):
    """An array of the state is in restart files, from which a run goes on with the same bits, and asked for there."""
    def state(name):
        steps = os.path.join(root, name + ".steps")
        with h5py.File(os.path.join(steps, max(n for n in os.listdir(steps) if n.startswith("restart_")))) as f:
            return {n: f[n][()].tobytes() for n in ("highest_sw", "pressure", "sw")}, f["highest_sw"][()], f["sw"][()]

    all_of = [hepta("run", *deck, "-o", "through"), hepta("run", *deck, "--set", "report.end=10", "-o", "half"),
              hepta("run", *deck, "--restart", "half", "-o", "other_half")]
    checks.true("runs with the array", all(d.returncode == 0 for d in all_of), [d.stderr for d in all_of])
    (bits, highest, sw), (again, *_) = state("through"), state("other_half")
    checks.true("the highest saturation is no less than the last one", (highest >= sw).all() and highest.max() > 0.5, highest.max())
    checks.true("a restart has the same bits", bits == again, None)
    steps = os.path.join(root, "half.steps")
    for name in os.listdir(steps):
        if name.startswith("restart_"):
            with h5py.File(os.path.join(steps, name), "a") as f:
                del f["highest_sw"]
    done = hepta("run", *deck, "--restart", "half", "-o", "none")
    checks.true("a restart without it is refused", done.returncode != 0 and "highest_sw" in done.stderr, done.stderr)


def check_entries(checks, root):
    """A model is a function and entries of lists, a setting of wells an entry and the lines that use it; and each of them is read,
    imported, kept and compared."""
    changed = changed_files(root)
    array = {"physics/arrays.h", "sim/step/step.inl.h"}
    setting = {"wells/well.h", "sim/run/economy.c"}
    model = {"physics/chierici.inl.h", "physics/fluid.h", "physics/satfunc.inl.h"}
    checks.true("a model: the function and two files, a setting and an array of the state: two files each",
                set(changed) == array | setting | model and not changed["physics/chierici.inl.h"], changed)

    def hepta(*words):
        return subprocess.run(["build/dev/hepta", *words], cwd=root, capture_output=True, text=True, timeout=600)

    model = 'saturation={model="chierici"; swc=0.2; sor=0.2; ca=1.0; cl=0.8; cb=2.0; cm=%s;}'
    deck = ["decks/quarter_five_spot.cfg", "--set", "grid.size=[10, 10, 1]", "--set", "wells[1].i=10", "--set", "wells[1].j=10",
            "--set", "report={every=10.0; end=20.0;}", "--threads", "1"]
    own = deck + ["--set", model % "0.6", "--set", "wells.PROD.max_water_total=%s"]
    done = hepta("run", *(w.replace("%s", "20") for w in own), "-o", "kept")
    checks.true("both run", done.returncode == 0, done.stderr)
    checks.true("the well is shut by its new limit", "more water than 20" in done.stdout + done.stderr, done.stdout + done.stderr)
    for what, words, named in (("model's parameter", deck + ["--set", model % "0.7", "--set", "wells.PROD.max_water_total=20"], "relative permeabilities"),
                               ("well's setting", [w.replace("%s", "30") for w in own], "well PROD's schedule")):
        done = hepta("run", *words, "--set", "report.end=30", "--restart", "kept", "-o", "other")
        checks.true("a restart with another %s is refused" % what, done.returncode == 2 and named in done.stderr, done.stderr)
    done = hepta("run", *(w.replace("%s", "20") for w in own), "--set", "report.end=30", "--restart", "kept", "-o", "other")
    checks.true("with the same it goes on", done.returncode == 0, done.stderr)
    check_array(checks, root, hepta, deck)
    done = hepta("check", "decks/quarter_five_spot.cfg", "--set", "wells.PROD.max_water_total=-1")
    checks.true("its range is looked at", "max_water_total: -1 sm3: must be >= 0" in done.stderr, done.stderr)


def main():
    checks = runs.Checks(say=True)
    with open(os.path.join(runs.SOURCE, "docs", "developer", "adding-a-solver.md"), encoding="utf-8") as f:
        page = f.read()
    with runs.folder() as root:
        for name in FOLDERS:
            shutil.copytree(os.path.join(runs.SOURCE, name), os.path.join(root, name))
        for name in ("CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "CHANGELOG.md"):
            shutil.copy(os.path.join(runs.SOURCE, name), root)
        outputs = follow(checks, root, page)
        if checks.failures > 0:
            return checks.result()
        text = "\n".join(outputs.values())
        checks.true("mr ran", "solver   mr, cpr" in text)
        checks.true("l1-block-jacobi ran", "bicgstab, l1-block-jacobi" in text)
        row = re.search(r"^mr +finished +\d+ +\d+ +([\d.]+)", text, re.M)
        first = re.search(r"^bicgstab +finished +\d+ +\d+ +([\d.]+)", text, re.M)
        checks.true("mr solved the systems", row is not None and first is not None)
        if row is not None and first is not None:
            checks.between("times the iterations of BiCG-Stab", float(row.group(1)) / float(first.group(1)), 1.5, 2.0)
        work = re.findall(r"^Work: .*\(([\d.]+) per Newton iteration\)", text, re.M)
        check_entries(checks, root)
        checks.true("a line of work each", len(work) == 4 and float(work[0]) < 5.0 < float(work[1]) < 150.0, work)
    return checks.result()


sys.exit(main())
