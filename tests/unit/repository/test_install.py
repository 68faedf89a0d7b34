"""Contents of `cmake --install` and `cpack -G DEB`: the program, which draws and runs from there, its manual (a page per
command with every option of --help), completion, decks and documentation. The files are those of the build at hand."""
import gzip
import os
import re
import shutil
import subprocess
import sys

import runs

BUILD = os.environ.get("HEPTA_BUILD", "")


def command(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, timeout=300, **more)


def help_of(program, *words):
    return command(program, *words, "--help").stdout


def names(text):
    return re.findall(r"^  ([a-z]+)  *\S", text, re.M)


def page_names(program):
    found = ["hepta"] + ["hepta-" + name for name in names(help_of(program))]
    return found + ["hepta-bench-" + name for name in names(help_of(program, "bench"))]


def check_manual(checks, folder, program):
    """A page per command, which says all that its --help says, and which man reads without a word."""
    pages = page_names(program)
    checks.true("manual: a page per command", sorted(os.listdir(folder)) == sorted(p + ".1.gz" for p in pages),
                os.listdir(folder))
    for name in pages:
        path = os.path.join(folder, name + ".1.gz")
        with gzip.open(path, "rt") as f:
            text = f.read()
        said = help_of(program, *name.split("-")[1:])
        plain = re.sub(r"\\f[BIR]|\\&", "", text).replace("\\-", "-").replace("\\e", "\\").replace("\n", " ")
        missing = [w for w in re.findall(r"--[a-z-]+", said) if w not in plain]
        words = [w for w in re.findall(r"[A-Za-z]{4,}", said) if w not in plain and w not in ("usage", "Exit", "codes")]
        checks.true(name + ": all that --help says", not missing and not words, (missing, words))
        sections = re.findall(r"^\.SH (.*)$", text, re.M)
        checks.true(name + ": sections", sections[:3] == ["NAME", "SYNOPSIS", "DESCRIPTION"] and
                    sections[-1] == "SEE ALSO" and ("OPTIONS" in sections) == ("\n  -" in said or "\n   " in said and
                                                                              "--" in said), sections)
        checks.true(name + ": exit codes have a section", ("EXIT STATUS" in sections) == ("Exit codes: " in said))
        if shutil.which("mandoc"):
            done = command("mandoc", "-T", "lint", "-W", "warning", path)
            checks.true(name + ": mandoc", done.returncode == 0 and not done.stdout, done.stdout)
        if shutil.which("groff"):
            done = command("groff", "-ww", "-man", "-Tutf8", "-z", input=text)
            checks.true(name + ": groff", done.returncode == 0 and not done.stderr, done.stderr)


def check_program(checks, what, program, share, where, draws=True):
    """Runs a deck that came with it, and draws with the script that came with it."""
    deck = os.path.join(share, "hepta", "decks", "quarter_five_spot.cfg")
    done = command(program, "run", deck, "-q", "--threads", "1", "--set", "report.end=50", cwd=where)
    checks.true(what + ": runs its deck", done.returncode == 0 and not done.stderr, done.stderr)
    checks.true(what + ": results beside the user", os.path.exists(os.path.join(where, "quarter_five_spot.h5")))
    if not draws:
        return
    done = command(program, "plot", "quarter_five_spot.h5", cwd=where)
    if "without matplotlib" not in done.stderr and "without h5py" not in done.stderr:
        picture = os.path.join(where, "quarter_five_spot.png")
        checks.true(what + ": draws", done.returncode == 0 and os.path.exists(picture), done.stderr)


def check_ranks(checks, what, program, where):
    """By several ranks, with the module that came with it, not that of the build."""
    mpirun = os.environ.get("HEPTA_MPIRUN")
    if not mpirun:
        return
    root = os.path.dirname(os.path.dirname(program))
    found = [os.path.join(at, name) for at, _, names in os.walk(root)
             for name in names if name.startswith("hepta_mpi")]
    checks.true(what + ": one module for MPI", len(found) == 1, found)
    deck = runs.deck("quarter_five_spot")
    ask = [mpirun, "-n", "2", program, "run", deck, "-q", "-o", "ranks", "--set", "report.end=50", "--json=ranks.json"]
    done = command(*ask, cwd=where)
    with open(os.path.join(where, "ranks.json")) as f:
        checks.true(what + ": two ranks", done.returncode == 0 and '"event": "ranks", ' in f.read(), done.stderr)
    with open(found[0], "r+b") as f:  # which is the one that is opened
        f.truncate(100)
    done = command(*ask, cwd=where)
    checks.true(what + ": its own module", done.returncode != 0 and "bin/../%s: " % os.path.relpath(found[0], root) in done.stderr, done.stderr)


def same_file(one, other):
    with open(one, "rb") as a, open(other, "rb") as b:
        return a.read() == b.read()


def check_files(checks, what, share):
    """Decks and documentation, whole."""
    for folder, installed in (("decks", "hepta/decks"), ("docs", "doc/hepta/docs")):
        own = os.path.join(runs.SOURCE, folder)
        names = [os.path.relpath(os.path.join(at, name), own) for at, _, found in os.walk(own) for name in found]
        missing = [name for name in names if not os.path.isfile(os.path.join(share, installed, name)) or
                   not same_file(os.path.join(own, name), os.path.join(share, installed, name))]
        checks.true("%s: %s" % (what, folder), not missing, missing)
    for name in ("doc/hepta/README.md", "bash-completion/completions/hepta"):
        checks.true("%s: %s" % (what, name), os.path.isfile(os.path.join(share, name)))


def check_libraries(checks, folder):
    """Nobody's libraries are loaded but those of the system and of absolute folders: an empty entry is the current one."""
    looked = 0
    for at, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "CMakeFiles"]
        for path in (os.path.join(at, name) for name in names):
            with open(path, "rb") as f:
                if os.path.islink(path) or f.read(4) != b"\x7fELF" or path.endswith((".o", ".a")):
                    continue
            entries = re.findall(r"R(?:UN)?PATH\).*\[(.*)\]", command("readelf", "-d", path).stdout)
            bad = [e for e in ":".join(entries).split(":") if entries and not e.startswith(("/", "$ORIGIN"))]
            checks.true(path + ": where libraries are looked for", not bad, entries)
            looked += 1
    checks.true(folder + ": programs", looked > 0, looked)


def check_install(checks, where):
    root = os.path.join(where, "root")
    mask = os.umask(0)
    done = command("cmake", "--install", BUILD, "--prefix", root)
    os.umask(mask)
    open_to_all = [os.path.join(at, name) for at, folders, names in os.walk(root) for name in folders + names
                   if os.lstat(os.path.join(at, name)).st_mode & 0o022 and not os.path.islink(os.path.join(at, name))]
    checks.true("installed under umask 0: written by its owner alone", not open_to_all, open_to_all[:5])
    if shutil.which("readelf"):
        check_libraries(checks, root)
        check_libraries(checks, BUILD)
    checks.true("cmake --install", done.returncode == 0, done.stderr)
    share, program = os.path.join(root, "share"), os.path.join(root, "bin", "hepta")
    checks.true("installed: --version", command(program, "--version").stdout.startswith("hepta "))
    check_files(checks, "installed", share)
    for name in ("doc/hepta/LICENSE", "doc/hepta/CHANGELOG.md", "zsh/site-functions/_hepta"):
        checks.true("installed: " + name, os.path.isfile(os.path.join(share, name)))
    check_manual(checks, os.path.join(share, "man", "man1"), program)
    check_program(checks, "installed", program, share, where)
    check_ranks(checks, "installed", program, where)


def check_package(checks, where):
    done = command("cpack", "-G", "DEB", "-B", os.path.join(where, "package"), cwd=BUILD)
    checks.true("cpack", done.returncode == 0, done.stdout + done.stderr)
    package = sorted(os.path.join(where, "package", n) for n in os.listdir(os.path.join(where, "package")) if n.endswith(".deb"))
    checks.true("two packages", len(package) == 2 and re.search(r"/hepta_\d+\.\d+\.\d+_\w+\.deb$", package[1]) and
                package[0] == package[1].replace("/hepta_", "/hepta-bench_"), package)
    fields = command("dpkg-deb", "-f", package[0]).stdout
    for words in (r"^Package: hepta-bench$", r"^Depends: .*\bhepta \(= \d", r"^Description: [a-z].*[^.]$"):
        checks.true("package of hepta-bench: " + words, re.search(words, fields, re.M), fields)
    fields = command("dpkg-deb", "-f", package[1]).stdout
    for words in (r"^Package: hepta$", r"^Section: science$", r"^Priority: optional$", r"^Maintainer: .+ <.+@.+>$",
                  r"^Depends: .*\blibc6 \(>= .*\blibconfig\d.*\blibhdf5-.*\bzlib1g\b", r"^Recommends: .*python3-h5py",
                  r"^Description: [a-z].*[^.]$"):
        checks.true("package: " + words, re.search(words, fields, re.M), fields)
    root = os.path.join(where, "unpacked")
    done = command("dpkg-deb", "-x", package[1], root)
    checks.true("dpkg-deb -x", done.returncode == 0, done.stderr)
    done = command(os.path.join(root, "usr", "bin", "hepta"), "tune", "--help", env={"PATH": "/nowhere"})
    checks.true("package: hepta-bench is missing", done.returncode == 1 and not done.stdout and
                "install the package hepta-bench" in done.stderr, done.stdout + done.stderr)
    done = command("dpkg-deb", "-x", package[0], root)
    checks.true("dpkg-deb -x of hepta-bench", done.returncode == 0, done.stderr)
    done = command(os.path.join(root, "usr", "bin", "hepta"), "tune", "--help", env={"PATH": "/nowhere"})
    checks.true("package: hepta-bench beside hepta", done.returncode == 0 and done.stdout.startswith("usage: hepta tune"), done.stderr)
    share, program = os.path.join(root, "usr", "share"), os.path.join(root, "usr", "bin", "hepta")
    check_files(checks, "package", share)
    for name in ("doc/hepta/copyright", "doc/hepta/changelog.gz", "zsh/vendor-completions/_hepta", "man/man1/hepta.1.gz",
                 "doc/hepta-bench/copyright", "man/man1/hepta-bench-krylov.1.gz", "man/man1/hepta-tune.1.gz"):
        checks.true("package: " + name, os.path.isfile(os.path.join(share, name)))
    packages = os.path.join(root, "usr", "lib", "python3", "dist-packages")
    done = command(sys.executable, "-c", "import hepta; print(hepta.find_program(), hepta.__file__)", cwd=where,
                   env={"PATH": "/usr/bin:/bin", "PYTHONPATH": packages, "PYTHONDONTWRITEBYTECODE": "1"})
    checks.true("package: for Python", done.stdout.split() == [program, os.path.join(packages, "hepta", "__init__.py")], done.stdout + done.stderr)
    folder = os.path.join(where, "from-package")
    os.mkdir(folder)
    check_program(checks, "package", program, share, folder, runs.every(2, 2) == 1)
    check_ranks(checks, "package", program, folder)
    if shutil.which("lintian"):
        done = command("lintian", "--fail-on", "error", "--allow-root", *package)
        checks.true("lintian: no errors", done.returncode == 0, done.stdout + done.stderr)


def hdf5_is_packaged(program):
    """Whether a package can depend on the HDF5 library that the program loads; true where it loads none."""
    found = re.search(r"libhdf5\S* => (\S+)", command("ldd", program).stdout)
    return found is None or os.path.realpath(found.group(1)).startswith(("/usr/lib", "/lib"))


def check_changelog(checks):
    with open(os.path.join(runs.SOURCE, "CHANGELOG.md")) as f:
        heads = re.findall(r"^## (.*)$", f.read(), re.M)
    version = runs.hepta("--version").stdout.split()[1]
    checks.true("changelog: begins with what comes next, and has this version", heads[0] == "Unreleased" and
                any(head.split(" ")[0] == version for head in heads), heads)


def main():
    checks = runs.Checks()
    if not os.path.isdir(os.path.join(BUILD, "share", "man")):
        runs.skip("a build without manual pages, as with sanitizers")
    check_changelog(checks)
    with runs.folder() as where:
        check_install(checks, where)
        if not hdf5_is_packaged(os.path.join(where, "root", "bin", "hepta")):
            print("without the package: this build's HDF5 is none of Debian's")
        elif all(shutil.which(program) for program in ("cpack", "dpkg-deb", "dpkg-shlibdeps")):
            check_package(checks, where)
        else:
            print("without the package: there is no cpack, dpkg-deb or dpkg-shlibdeps")
    return checks.result()


sys.exit(main())
