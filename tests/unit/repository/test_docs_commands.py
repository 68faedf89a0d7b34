"""Every command that README.md and docs show is run, in the order of its page, in a folder of its own.

A command is a line of a code block that begins with `hepta` (also build/.../hepta) or another program of PROGRAMS. What is
run in a smaller or another form stands in INSTEAD with its reason; what cannot be run here at all in NOT_RUN: of those every
option must be one that `--help` of the command knows. A command that reads nothing that was written here is run once: where it
stands again, its files are copied. Of those that measure and write no file, and of those by ranks, each twelfth is run (SAMPLED);
HEPTA_TEST_EVERY=1: all.
"""
import functools
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import drawing
import runs

TINY = " --set 'grid.size=[8, 8, 1]' --set wells.PROD.i=8 --set wells.PROD.j=8"
SMALL = TINY + " --set report.end=100 --set report.every=50"
SHORT = TINY + " --set report.end=1 --set report.every=0.5"  # ranks wait for each other

# (pattern, replacement, why), tried in this order on every command
INSTEAD = [
    (r"^build/\w+/hepta\b", "hepta", "the program under test"),
    (r" --backend cuda\b", "", "no GPU here: the same on the CPU"),
    (r' --case "hypre: .*?"', "" if os.environ["HEPTA_HAVE_HYPRE"] == "OFF" else r"\g<0>", "likewise"),
    (r" --peer hypre\b", "" if os.environ["HEPTA_HAVE_HYPRE"] == "OFF" else " --peer hypre", "a build without it refuses"),
    (r" --peer petsc\b", "" if os.environ["HEPTA_HAVE_PETSC"] == "OFF" else " --peer petsc", "likewise"),
    (r"\bEgg_Model_ECL\.DATA\b", "decks/FIVE_SPOT.DATA", "the Egg model is not part of the repository"),
    (r"\bDECK\b", "decks/schedule.cfg", "stands for any deck"),
    (r" \(dilu\)", "", "the other of the two that were measured"),
    (r" --smoother NAME$", " --smoother damped-jacobi", "stands for any smoother"),
    (r" NAME:12\b", " NAME", "from the latest step: which ones are kept depends on the deck"),
    (r" NAME:2030-01-01\b", " NAME", "likewise"),
    (r"^(hepta compare )(?:decks/(?:schedule|five_spot_channels)\.cfg|SPE10_L84_85\.DATA)", r"\1decks/quarter_five_spot.cfg",
     "which is easily made small"),
    (r" \| my_program$", "", "stands for any program"),
    (r"\bSPE10_L84_85\.DATA\b", "decks/FIVE_SPOT.DATA", "nor are the SPE10 layers"),
    (r"\b(egg|spe10|cls):\d+", r"\1:1", "a step that a short run makes"),
    (r" NAME\.step[\d*.]+(?:newton\d+\.)?h5", r" NAME.step0003.newton01.h5", "no shell here: one of the files"),
    (r" (egg|spe10|cls)\.step[\d*.]+(?:newton\d+\.)?h5", r" \1.step0001.newton01.h5", "likewise"),
    (r" \.\.\.", "", "options of the command above"),
    (r"^(python3 bench/faulted_field\.py .*--size )[\dx]+ --years \d+", r"\1 12x12x4 --years 1", "576 cells, a year"),
    (r"^(python3 bench/faulted_field\.py .*)--size [\dx]+ (.*)--nnc \d+", r"\1--size 12x12x3 \2--nnc 300", "432 cells"),
    (r"^(python3 bench/lists\.py .*--size )[\dx]+", r"\1 12x12x4", "576 cells"),
    (r"^(python3 bench/whole_runs\.py )(?:decks/spe10_class\.cfg.*|decks/FIVE_SPOT\.DATA)(?= --c)",
     r"\1FIVE_SPOT.DATA --samples 1", "two short runs of 900 cells"),
    (r"^(flow|hepta run) decks/FIVE_SPOT\.DATA(?= --output-dir| --set output\.eclipse)", r"\1 FIVE_SPOT.DATA", "its first 30 days"),
    (r" --flow\b", " --flow" if shutil.which("flow") else "", "where OPM Flow is"),
    (r"^(hepta compare .*)$", r"\1" + SMALL, "64 cells instead of 2500"),
    (r"^hepta bench amg$", "hepta bench amg --problem poisson --size 8", "one small system instead of four large ones"),
    (r"^hepta bench amg( --precision single)$", r"hepta bench amg --problem poisson --size 8\1", "likewise"),
    (r"^(hepta bench amg .*--size )[\dx,]+", r"\1 8x8x4", "256 cells"),
    (r"^(hepta bench (?:spmv|krylov) .*--size )[\dx,]+", r"\1 8", "512 cells"),
    (r"^(hepta bench (?:spmv|krylov)(?!.*--size).*)$", r"\1 --size 8", "512 cells"),
    (r"^(hepta bench bsr .*)--size \d+", r"\1--size 6", "216 block rows"),
    (r"^(hepta bench bsr (?!.*--size).*)$", r"\1 --size 4", "128 block rows"),
    (r"^(hepta bench bsr .*)$", r"\1 --seconds 0.001", "nothing is measured here"),
    (r" --search (?:exhaustive|random)| --trials \d+| --log launches\.csv| --save\b| --tuned\b", "", "searches are of a GPU"),
    (r"^(hepta bench .*) --compile\b", r"\1", "likewise"),
    (r"^(hepta bench vectors.*)$", r"\1 --size 1e3 --seconds 0.001", "short ones: nothing is measured here"),
    (r"^(hepta bench sgdia.*)$", r"\1 --size 8x8x1,6 --seconds 0.001", "small grids: nothing is measured here"),
    (r"^(hepta bench bratu .*--size )[\dx,]+", r"\1 9", "729 nodes"),
    (r"^(hepta bench bratu(?!.*--size).*)$", r"\1 --size 9", "729 nodes"),
    (r"^(hepta bench paper \S+)$", r"\1 --small --threads 1", "small matrices"),
    (r"^(hepta bench step .*)grid\.size=\[100,100,100\]", r"\1grid.size=[60,60,2]", "7200 cells"),
    (r"^(hepta bench spmv .*)--cache cold(.*)$", r"\1--cache hot\2", "tests/unit/sim has a cold one: it fills all caches before each product"),
    (r"^(hepta bench spmv (?!.*--cache).*)$", r"\1 --cache hot", "nothing is measured here"),
    (r"^(hepta bench spmv .*)$", r"\1 --seconds 0.01", "nothing is measured here"),
    (r"^(hepta bench barrier)(?: --gpus \S+)?( --csv \S+)?$", r"\1\2 --backend cpu --threads 2", "no GPU here: the CPU's barriers"),
    (r"^(hepta bench barrier .*)$", r"\1 --rounds 20 --repeat 3", "nothing is measured here"),
    (r"^(hepta bench solve .*)$", r"\1 --samples 1", "one sample: nothing is measured here"),
    (r" --chip [\d,]+| --kernel [\w,-]+| --unroll \d+", "", "shared memory and kernels of a GPU"),
    (r" --gpus \S+", "", "no GPU here"),
    (r" --specialise\b|,gh-special\b| --case linear\.specialise=\w+", "", "kernels of a GPU"),
    (r" --execution [\w,-]+", "", "executions are of a GPU"),
    (r" --(samples|repeat) \d+", r" --\1 1", "one sample: nothing is measured here"),
    (r" --iterations \d+", r" --iterations 2", "likewise"),
    (r"^(hepta bench krylov (?!.*--iterations).*)$", r"\1 --iterations 4", "likewise"),
    (r"^(hepta bench krylov (?!.*--samples).*)$", r"\1 --samples 1", "likewise"),
    (r"^(hepta bench (?:krylov|spmv) (?!.*--threads).*)$", r"\1 --threads 1", "a team would wait at barriers beside other tests"),
    (r"^(hepta run decks/spe10_class\.cfg .*)$", r"\1 --set grid.size=[60,220,2] --set report.every=1 --set report.end=1 "
     "--set timestep.initial=1", "26,400 cells and a step instead of a million and years"),
    (r"^(hepta run decks/spe10_class\.cfg .*?) --set grid\.refine=\S+", r"\1", "which would make 32 of each"),
    (r"^python3 bench/ranks\.py .*$", "python3 bench/ranks.py decks/quarter_five_spot.cfg --ranks 1,2 --samples 1 --mpirun "
     + os.environ.get("HEPTA_MPIRUN", "") + SHORT, "64 cells, two ranks"),
    (r"^python3 bench/gpus\.py .*$", "python3 bench/gpus.py --threads 1 --cells 0.026 --set report.end=1 --set grid.size=[12,12,2] "
     "--set wells.INJ.i=6 --set wells.INJ.j=6 --set wells.P2.i=12 --set wells.P3.i=12 --set wells.P3.j=12 --set wells.P4.j=12",
     "288 cells on a thread of the CPU"),
    (r"^(hepta compare (?!.*--threads).*)$", r"\1 --threads 1", "quick beside other tests"),
    (r"^(mpirun .*?)build/\w+/hepta\b", r"\1hepta", "the program under test"),
    (r"^(mpirun .*) --set grid\.size=\S+", r"\1", "64 cells, see below"),
    (r"^(mpirun .*) --set report\.end=\S+", r"\1 --set report.end=0.5", "before the day of others"),
    (r"^mpirun .*?\bhepta (run|compare) decks/\w+\.cfg", r"mpirun -n 2 hepta \1 decks/quarter_five_spot.cfg" + SHORT,
     "two ranks, no hosts, 64 cells and a day"),
    (r"^(mpirun .*?hepta run CASE\.DATA)", r"\1 --set report.end=5", "900 cells"),
    (r"^mpirun -n \d+ ", "mpirun -n 2 ", "two processors"),
    (r"^(hepta run .*)$", r"\1 --threads 1 --progress never", "quiet, and quick beside other tests"),
]

# (pattern, why)
NOT_RUN = [
    (r"^hepta bench amg --paper(?!.*--size)", "the four examples of a paper: minutes"),
    (r"^hepta bench paper \S+ --small(?!.*--csv)", "tests/unit/bench/test_bench_paper.py runs each"),
    (r"^hepta tune", "measures a GPU"),
    (r"^python3 bench/time_error\.py", "runs all bundled decks twice: minutes"),
    (r"^python3 bench/busy\.py", "measures: of a program built for speed, alone on the machine"),
    (r"^hepta report results/", "what scripts/demo prints"),
    (r"^hepta (compare|plot) five_spot FIVE_SPOT_FLOW", "needs results of OPM Flow: tests/unit/sim/test_compare_results.py"),
    (r"^hepta paraview .*--(open|frames|picture)", "needs ParaView: tests/paraview"),
]

# Of these, whose numbers nobody reads here, each n-th is run; of the others the options are looked up.
SAMPLED = r"^(hepta (bench|compare)|mpirun|python3 bench/ranks\.py) (?!.*(--(csv|json|save|dump)| -o )).*|^python3 bench/whole_runs\.py .* --csv runs\.csv$"
EVERY = runs.every(24, 24)
sampled = []

# other programs: None: run; else why not here
PROGRAMS = {
    "python3": None, "mpirun": None, "srun": "needs Slurm", "summary": None, "convertECL": None, "compareECL": None, "mkdir": None,
    "paraview": "tests/paraview opens results", "pvbatch": "tests/paraview opens results",
    "scripts/demo": "continuous integration", "scripts/test": "continuous integration",
    "scripts/sanitize-gpu": "needs a GPU", "scripts/sanitize-ranks": "takes minutes", "cmake": "builds", "ctest": "this is a test", "git": "a clone",
    "sudo": "installs packages", "flow": None, "sed": "tests/unit/repository/test_adding_solver.py",
}
KEPT = {"": None}  # commands: folders with what they have written; "": the folder of these
FOLLOWED_ELSEWHERE = {"adding-a-solver.md": "tests/unit/repository/test_adding_solver.py"}
NO_SCRIPT = r"^python3 -m pip"


def commands(page):
    """Commands of the page's code blocks; lines that end in a backslash go on in the next one."""
    found, fence, held = [], None, ""
    for line in page.splitlines():
        if line.startswith("```"):
            fence = None if fence is not None else line[3:].strip()
            continue
        if not (fence in ("", "sh", "console") or (fence is None and line.startswith("    "))):
            held = ""
            continue
        text = held + line.strip()
        held = text[:-1] if text.endswith("\\") else ""
        if held:
            continue
        first = text.split(" ")[0]
        if re.match(r"(build/\w+/)?hepta$", first) or first in PROGRAMS:
            found.append(without_comment(text))
    return found


def without_comment(text):
    """Up to a blank and #, or two blanks: comments are set apart so."""
    quote = None
    for n, c in enumerate(text):
        if quote is None and (text[n:n + 2] == "  " or text[n:n + 2] == " #"):
            return text[:n]
        if c in "'\"" and quote in (None, c):
            quote = c if quote is None else None
    return text


def blocks(page, language):
    return re.findall(r"^```%s\n(.*?)^```" % language, page, re.S | re.M)


def own_files(folder):
    """{name: state} of the files in a folder, the links of prepare() left out."""
    found = {}
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            found[os.path.relpath(path, folder)] = (os.stat(path).st_mtime_ns, os.stat(path).st_ino)
    return found


def run(command, words, folder):
    """The finished process. A command none of whose words begins the name of a file here runs once (KEPT)."""
    before = own_files(folder)
    parts = [part for word in words[1:] for part in re.split("[,:=]", word) if part]
    alone = not any(name.startswith(part) for name in before for part in parts)
    if alone and command in KEPT:
        shutil.copytree(KEPT[command], folder, dirs_exist_ok=True)
        return subprocess.CompletedProcess(command, 0, "", "")
    done = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900)
    if alone and done.returncode == 0:
        KEPT[command] = tempfile.mkdtemp(dir=KEPT[""])
        for name, state in own_files(folder).items():
            if before.get(name) != state:
                os.makedirs(os.path.dirname(os.path.join(KEPT[command], name)), exist_ok=True)
                shutil.copy2(os.path.join(folder, name), os.path.join(KEPT[command], name))
    return done


def hepta(command, folder):
    return run(command, [runs.PROGRAM] + shlex.split(command)[1:], folder)


def prepare(folder, page):
    """The files that commands of the pages name, those that a page itself shows among them."""
    for name in ("bench", "decks", "docs", "scripts"):
        os.symlink(os.path.join(runs.SOURCE, name), os.path.join(folder, name))
    with open(runs.deck("FIVE_SPOT.DATA"), encoding="utf-8") as f:
        text = f.read()
    start = text[:text.index("TSTEP")] + "TSTEP\n 1 4 10 15 /\nEND\n"
    for name, deck in (("CASE.DATA", text), ("FIVE_SPOT.DATA", start)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(deck)
    for name, found in (("my_field.cfg", [b for b in blocks(page, "libconfig") if "title" in b]),
                        ("solvers.cfg", [b for b in blocks(page, "libconfig") if b.startswith("compare")]),
                        ("measured.csv", blocks(page, "csv"))):
        if found:
            with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
                f.write(found[0])
    if "CASE.cfg" in page:
        with open(runs.deck("quarter_five_spot"), encoding="utf-8") as f:
            text = f.read().replace("size = [50, 50, 1]", "size = [8, 8, 1]").replace("i = 50; j = 50", "i = 8; j = 8")
        with open(os.path.join(folder, "CASE.cfg"), "w", encoding="utf-8") as f:
            f.write(text.replace("end = 1000.0", "end = 200.0"))
        done = hepta("hepta run CASE.cfg -o NAME --threads 1 --set 'report.times=[50.0, 100.0]'", folder)
        assert done.returncode == 0, done.stderr
    os.makedirs(os.path.join(folder, "flow"))
    shown = " ".join(commands(page))
    for name in ("quarter_five_spot", "coarse"):
        if name + ".h5" in shown:
            done = hepta("hepta run decks/quarter_five_spot.cfg -o %s --threads 1%s" % (name, SMALL if name == "coarse" else ""), folder)
            assert done.returncode == 0, done.stderr
    if "a.mtx" in shown:
        done = hepta("hepta run decks/quarter_five_spot.cfg --dump-matrix 1 -o dumped --threads 1" + SMALL, folder)
        matrices = glob.glob(os.path.join(folder, "*.mtx"))
        assert done.returncode == 0 and len(matrices) == 1, done.stderr
        shutil.move(matrices[0], os.path.join(folder, "a.mtx"))
        shutil.move(matrices[0] + ".rhs", os.path.join(folder, "b.mtx"))
    if "flow/CASE" in shown:  # stands for OPM Flow's results: tests/peer/eclipse/test_eclipse_output.py has real ones
        done = hepta("hepta run CASE.DATA -o flow/CASE --threads 1 --set output.eclipse=true", folder)
        assert done.returncode == 0, done.stderr
    if "both/FIVE_SPOT" in shown and shutil.which("flow") is None:  # stands for it
        os.makedirs(os.path.join(folder, "both"))
        done = hepta("hepta run FIVE_SPOT.DATA -o both/FIVE_SPOT --threads 1 --set output.eclipse=true", folder)
        assert done.returncode == 0, done.stderr


@functools.lru_cache(None)
def printed(*words):
    return subprocess.run(words, capture_output=True, text=True).stdout


def unknown_options(command):
    """Options that --help of the command's words, or of the script, does not know."""
    program, *words = shlex.split(command)
    if program == "python3":
        asked = [sys.executable, os.path.join(runs.SOURCE, words[0])]
    else:
        asked = [runs.PROGRAM] + [w for w in words[:2] if re.fullmatch(r"[a-z]+", w)]
    text = printed(*asked, "--help")
    unknown = [w for w in words if w.startswith("--") and w not in text]
    if words[:2] == ["bench", "paper"] and len(words) > 2:  # which lists its tables
        listed = printed(runs.PROGRAM, "bench", "paper")
        unknown += [w for w in words[2:3] if not re.search(r"^  %s " % re.escape(w), listed, re.M)]
    return unknown


def check_command(checks, name, command, folder):
    program = command.split(" ")[0]
    if program in PROGRAMS and (PROGRAMS[program] is not None or re.match(NO_SCRIPT, command)):
        return
    if program == "flow" and "--output-dir" not in command:  # what was measured; it would write beside the deck
        return
    line = command
    for pattern, replacement, _ in INSTEAD:
        line = re.sub(pattern, replacement, line)
    for pattern, why in NOT_RUN:
        if re.match(pattern, line):
            unknown = unknown_options(line)
            checks.true("%s: %s (not run: %s)" % (name, command, why), not unknown, "unknown: %s" % unknown)
            return
    if re.match(SAMPLED, line):
        sampled.append(line)
        if len(sampled) % EVERY != 0:
            unknown = unknown_options(line if program == "python3" else line[line.index("hepta "):])
            checks.true("%s: %s (not run: one of many)" % (name, command), not unknown, "unknown: %s" % unknown)
            return
    if line.startswith("python3 bench/ranks.py") and not os.environ.get("HEPTA_MPIRUN"):
        return
    if program in PROGRAMS:
        words = shlex.split(line)
        if program == "mpirun":
            at = words.index("hepta")
            if not os.environ.get("HEPTA_MPIRUN"):
                unknown = unknown_options(shlex.join(words[at:]))
                checks.true("%s: %s (not run: no MPI)" % (name, command), not unknown, "unknown: %s" % unknown)
                return
            words = [os.environ["HEPTA_MPIRUN"]] + words[1:at] + [runs.PROGRAM] + words[at + 1:]
            program = words[0]
        if shutil.which(program) is None:
            return
        if program == "python3":
            words[0] = sys.executable
        done = run(line, words, folder)
    else:
        done = hepta(line, folder)
    checks.true("%s: %s" % (name, command), done.returncode == 0,
                "" if done.returncode == 0 else "run as %s: exit code %d\n%s" % (line, done.returncode, done.stderr[-800:]))


def follow(checks, name, page):
    """Number of commands."""
    shown = commands(page)
    with runs.folder() as folder:
        if shown:
            prepare(folder, page)
        for command in shown:
            check_command(checks, name, command, folder)
    return len(shown)


def main():
    checks = runs.Checks(say=True)
    count = 0
    pages = [os.path.join(runs.SOURCE, "README.md")] + sorted(glob.glob(os.path.join(runs.SOURCE, "docs", "**", "*.md"), recursive=True))
    with runs.folder() as KEPT[""], drawing.python() as os.environ["HEPTA_PYTHON"]:
        for path in pages:
            if os.path.basename(path) not in FOLLOWED_ELSEWHERE:
                with open(path, encoding="utf-8") as f:
                    count += follow(checks, os.path.relpath(path, runs.SOURCE), f.read())
    checks.true("commands were found", count > 60, count)
    for path in pages:
        check_links(checks, path)
    return checks.result()


def check_links(checks, path):
    """Links between the pages lead somewhere."""
    with open(path, encoding="utf-8") as f:
        page = f.read()
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", re.sub(r"```.*?```|`[^`]*`", "", page, flags=re.S)):
        checks.true("%s: link to %s" % (os.path.basename(path), target),
                    os.path.exists(os.path.join(os.path.dirname(path), target)))


sys.exit(main())
