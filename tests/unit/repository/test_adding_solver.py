"""docs/developer/adding-a-solver.md, followed word by word: its files are written and its commands run in a copy of the sources.
This test chooses how much is optimized, how many jobs build and how many threads run. It builds once, when all changes are made, and
takes objects that none of them reaches from HEPTA_BUILD; then it runs the programs of the page in their order."""
import filecmp
import glob
import os
import re
import shutil
import subprocess
import sys

import runs

FOLDERS = ("amg", "core", "grid", "io", "linsolve", "physics", "sim", "wells", "decks", "scripts")
QUICK = "cmake -S . -B build/dev -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS_RELWITHDEBINFO=-O0 -DHEPTA_WERROR=ON -DHEPTA_CUDA=OFF " \
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
            named = re.search(r"`(linsolve/[\w/]+\.inl\.h)`:$", line)
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


def reuse(root):
    """Puts the objects of HEPTA_BUILD whose sources and headers are as they were into the copy's build folder, and takes those
    away again that a later change reaches: what is left for the compiler is what the page changes. Returns how many there are."""
    theirs = os.path.join(os.environ.get("HEPTA_BUILD", "none"), "CMakeFiles", "hepta_lib.dir")
    here = os.path.join(root, "build", "dev", "CMakeFiles", "hepta_lib.dir")
    with_cuda = False
    if os.path.exists(os.path.join(theirs, "flags.make")):
        with open(os.path.join(theirs, "flags.make")) as f:
            with_cuda = "HEPTA_HAVE_CUDA" in f.read()
    gpu = gpu_functions() if with_cuda else set()
    count = 0
    for listed in glob.glob(os.path.join(theirs, "**", "*.c.o.d"), recursive=True):
        with open(listed) as f:
            read = f.read().replace("\\\n", " ").split()[1:]
        names = [os.path.relpath(n, runs.SOURCE) for n in read if n.startswith(runs.SOURCE + os.sep)]
        built = os.path.getmtime(listed[:-2])
        same = bool(names) and all(os.path.exists(os.path.join(root, n)) and
                                   os.path.getmtime(os.path.join(runs.SOURCE, n)) <= built and
                                   filecmp.cmp(os.path.join(root, n), os.path.join(runs.SOURCE, n), False) for n in names)
        same = same and not (with_cuda and differs_without_cuda(listed[:-2], os.path.join(runs.SOURCE, names[0]), gpu))
        target = os.path.join(here, os.path.relpath(listed[:-2], theirs))
        if same and not os.path.exists(target):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(listed[:-2], target)
        elif not same and os.path.exists(target):
            os.remove(target)
        count += same
    return count


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
    checks.true("two builds, three runs", builds == 2 and sum(c.startswith("build/dev/hepta") for c in commands) == 3, commands)
    for what in commands:
        command = re.sub(r"^cmake --preset dev", QUICK, what)
        command = command.replace("cmake --build --preset dev", "cmake --build build/dev").replace(" -j", " -j 2")
        if command.startswith("build/dev/hepta"):
            command += " --threads 1"
        if " --build " in command:
            print("reused objects:", reuse(root))
        done = subprocess.run(command, shell=True, cwd=root, capture_output=True, text=True, timeout=1400)
        checks.true(command, done.returncode == 0, done.stdout[-1500:] + done.stderr[-1500:])
        if done.returncode != 0:
            return outputs
        outputs[what] = done.stdout + done.stderr
    return outputs


def main():
    checks = runs.Checks(say=True)
    with open(os.path.join(runs.SOURCE, "docs", "developer", "adding-a-solver.md"), encoding="utf-8") as f:
        page = f.read()
    with runs.folder() as root:
        for name in FOLDERS:
            shutil.copytree(os.path.join(runs.SOURCE, name), os.path.join(root, name))
        for name in ("CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "CHANGELOG.md"):
            shutil.copy(os.path.join(runs.SOURCE, name), root)
        for name in ("bench/bench_linsolve.c",):
            os.makedirs(os.path.join(root, os.path.dirname(name)))
            shutil.copy(os.path.join(runs.SOURCE, name), os.path.join(root, name))
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
        checks.true("a line of work each", len(work) == 2 and float(work[0]) < 5.0 < float(work[1]) < 150.0, work)
    return checks.result()


sys.exit(main())
