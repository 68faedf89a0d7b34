"""Runs by several ranks, for the tests of them on processors and on GPUs: how they are started, whether two have the same bits and
say the same."""
import csv
import json
import os
import re
import shutil
import subprocess

import h5py

import runs

MPIRUN = os.environ.get("HEPTA_MPIRUN") or runs.skip("this build has no MPI")
HYDRA = "hydra" in os.path.realpath(MPIRUN)  # MPICH's starter

CUDA = ["--backend", "cuda"]
WITHOUT_POW = ["saturation.nw=2"]  # whose last bits differ on a GPU

FAULTED = """
title = "Layers that slid by each other, thresholds, an aquifer, rock that stays compacted, regions of which some ranks have no cell";
grid = {
  size = [14, 42, 4]; dx = 60.0; dy = 15.0; dz = 5.0; top = 1500.0;
  porosity = { generator = "normal"; seed = 3; mean = 0.2; stddev = 0.03; min = 0.05; max = 0.35; };
  permx = { generator = "lognormal"; seed = 4; mean = 150.0; log_stddev = 1.0; correlation = [3.0, 3.0, 1.0]; };
  boxes = ( { i = 6; j = [4, 5]; set = { active = 0; }; } );
  connections = ( (1, 1, 1, 14, 42, 4, 3.0), (7, 2, 1, 8, 2, 3, 2.0), (7, 3, 1, 8, 3, 3, 2.0), (2, 39, 2, 13, 1, 2, 1.5), (2, 39, 2, 12, 8, 2, 1.1) );
};
fluids = {
  water = { density = 1020.0; reference_pressure = 180.0; compressibility = 4.4e-5; viscosity = 0.5; };
  oil = { density = 850.0; reference_pressure = 180.0; compressibility = 1.2e-4; viscosity = 1.5; };
};
saturation = { model = "corey"; swc = 0.2; sor = 0.2; krw_max = 0.5; nw = 2.0; no = 2.0; pc_entry = 0.3; };
rock = { reference_pressure = 180.0; compressibility = 4.0e-5; };
initial = { datum_depth = 1500.0; datum_pressure = 180.0; contact_depth = 1514.0; };
wells = (
  { name = "INJ"; type = "injector"; i = 1; j = 1; radius = 0.1; control = "rate"; rate = 120.0; bhp = 300.0; },
  { name = "LONG"; type = "producer"; radius = 0.1; control = "liquid-rate"; liquid_rate = 60.0; bhp = 100.0;
    cells = ( %s ); },
  { name = "BHP"; type = "producer"; i = 14; j = 42; radius = 0.1; control = "bhp"; bhp = 150.0; },
  { name = "LATER"; type = "producer"; i = 12; j = 3; radius = 0.1; status = "shut"; control = "bhp"; bhp = 140.0; }
);
schedule = ( { time = 60.0; well = "LATER"; status = "open"; }, { time = 120.0; well = "BHP"; status = "shut"; } );
regions = { fip = [ %s ]; };
output = { vectors = [ "RPR", "ROIP", "RWIP", "RWPT", "COPR", "CWIT", "BPR:9,20,2", "BWSAT:14,42,4", "BOSAT:6,4,1", "ROE:3" ]; };
report = { every = 60.0; end = 180.0; };
timestep = { initial = 2.0; max = 20.0; };
""" % (", ".join('(9, %d, 2, "y")' % j for j in range(6, 37)), # region 2 has no cell, some cells have no region
       ", ".join("%d" % (0 if j == 20 else 4 if k == 3 else 1 if i < 3 else 3) for k in range(4) for j in range(42) for i in range(14)))


def start(ranks, arguments, where, check=True, program=runs.PROGRAM, **environment):
    done = subprocess.run([MPIRUN, "-n", str(ranks), program] + arguments, cwd=where, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=240, env=dict(os.environ, **environment))
    if check and done.returncode != 0:
        raise RuntimeError("%d ranks, %s: exit code %d\n%s" % (ranks, arguments, done.returncode, done.stderr[-2000:]))
    return done


def visible_gpus():
    """GPUs that a program sees, as CUDA_VISIBLE_DEVICES names them."""
    if "CUDA_VISIBLE_DEVICES" in os.environ:
        return os.environ["CUDA_VISIBLE_DEVICES"].split(",")
    found = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True).stdout if shutil.which("nvidia-smi") else ""
    number = sum(line.startswith("GPU") for line in found.splitlines())
    return list(map(str, range(max(number, 1))))


def sets(options):
    return [word for option in options for word in ("--set", option)]


def numbers(where, name):
    """All numbers of a result: the summary, and the data sets of its steps."""
    with open(os.path.join(where, name + ".summary.csv"), encoding="utf-8") as f:
        found = {"summary": f.read()}
    steps = os.path.join(where, name + ".steps")
    for file in sorted(os.listdir(steps)):
        with h5py.File(os.path.join(steps, file), "r") as f:
            f.visititems(lambda key, v: found.update({file + "/" + key: v[()].tobytes()}) if isinstance(v, h5py.Dataset) else None)
    return found


def operations(text):
    """Names and calls in the table of operations of --profile; barriers are not work."""
    lines = iter(text.splitlines())
    next((line for line in lines if line.startswith("Operation ")), None)
    for line in lines:
        if line == "":
            return
        found = re.match(r"  (\S.*?)  +(\d+)  ", line)
        if found and not found.group(1).startswith("barriers"):
            yield found.group(1), int(found.group(2))


def hierarchy(text):
    """Of the line on multigrid what is no time or memory; its text, or None."""
    found = re.search(r"^Multigrid: set up (.*?) in [\d.]+ s, numbers refreshed (.*?) in [\d.]+ s; (\d+ levels?, operator complexity [\d.]+),", text, re.M)
    return found and "; ".join(found.groups())


def statements(where, base, said, shown):
    """{name: text} of all that a run with --profile and --json=BASE.json says, but times, memory, messages between ranks and, on
    standard error, its first lines."""
    found = {}
    report = said[:said.index("Where the time went")]
    for n, line in enumerate(line for line in report.splitlines() if not line.startswith("Multigrid")):
        level = re.match(r"( +\d+ +\d+) +\d+ +\d+ +\d+ +\d+ +[\d.]+$", line)  # its ranks and messages are left out
        found["report, line %d" % n] = level.group(1) if level else line
    found["report, multigrid"] = hierarchy(said)
    found.update({"calls, " + name: count for name, count in operations(said)})
    progress = [line for line in shown.splitlines() if re.match(r"  [\d.]+ \w+  ", line)]
    found.update({"progress, line %d" % n: re.sub(r"[\d.]+ s$", "", line) for n, line in enumerate(progress)})
    with open(os.path.join(where, base + ".json"), encoding="utf-8") as f:
        events = [event for event in map(json.loads, f)
                  if event["event"] != "ranks" and "for so many ranks" not in event.get("text", "")]
    for n, event in enumerate(events):
        for key in ("seconds", "wall", "machine", "results"):
            event.pop(key, None)
        found["event %d" % n] = json.dumps(event)
    with open(os.path.join(where, base + ".solver.csv"), newline="", encoding="utf-8") as f:
        for n, row in enumerate(csv.DictReader(f)):
            found.update({"solver.csv, row %d, %s" % (n, key): value for key, value in row.items() if not key.endswith("[s]")})
    return found


def differences(one, other):
    odd = [key for key in one if key not in other or one[key] != other[key]]
    return odd + [key for key in other if key not in one]


def same_bits(checks, deck, name, where, options, kinds):
    """kinds: (ranks, threads). What the runs say is compared, too. Returns the numbers of the first."""
    first = first_said = None
    for ranks, threads in kinds:
        base = "%s_%d_%d" % (name, ranks, threads)
        done = start(ranks, ["run", deck, "--profile", "--json=%s.json" % base, "-o", base, "--threads", str(threads)] + sets(options), where)
        found = numbers(where, base)
        first = first or found
        said = statements(where, base, done.stdout, done.stderr)
        first_said = first_said or said
        odd = ["%s: %s, not %s" % (key, said.get(key), first_said.get(key)) for key in differences(first_said, said)]
        checks.true("%s: %d ranks of %d threads say the same" % (name, ranks, threads), not odd and len(said) > 50, "\n".join(odd[:5]))
        odd = differences(first, found)
        checks.true("%s: %d ranks of %d threads" % (name, ranks, threads), not odd, "other bits: %s" % odd[:5])
    return first
