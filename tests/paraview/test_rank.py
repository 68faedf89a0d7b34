"""The field `rank` of a run by three ranks, in the real ParaView: every cell has its owner's number, whole columns in boxes; and a
picture in which each rank has a colour."""
import os
import re
import shutil
import subprocess
import sys

import pvscripts
import runs

MPIRUN = os.environ.get("HEPTA_MPIRUN") or runs.skip("this build has no MPI")
RANKS = 3
SHORT = ["--set", "report.every=10", "--set", "report.end=10"]
VIRIDIS = ((68, 1, 84), (33, 145, 140), (253, 231, 37))  # of ranks 0, 1 and 2


def shares(path):
    """Parts of the picture that have the colour of each rank."""
    from matplotlib.image import imread
    import numpy
    pixels = (imread(path)[:, :, :3] * 255).round().astype(int)
    return [float((abs(pixels - colour).max(axis=2) < 30).mean()) for colour in VIRIDIS]


def main():
    if shutil.which("pvbatch") is None:
        runs.skip("no pvbatch")
    window = shutil.which("xvfb-run") is not None
    checks = runs.Checks()
    with runs.folder() as where:
        deck = runs.deck("five_spot_channels")
        said = runs.hepta("check", deck, "--ranks", str(RANKS), *SHORT, where=where).stdout
        columns = [m.group(1) for m in re.finditer(r"^ {9} *\d+ +(\d+) ", said, re.M)]
        done = subprocess.run([MPIRUN, "-n", str(RANKS), runs.PROGRAM, "run", deck, "-q", "-o", "parts"] + SHORT, cwd=where,
                              capture_output=True, text=True, stdin=subprocess.DEVNULL)
        checks.true("run by ranks", done.returncode == 0 and len(columns) == RANKS, done.stderr + said)
        base = os.path.join(where, "parts")
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "open_rank.py")
        groups = [[(script, [base, str(RANKS), *columns])]]
        picture = os.path.join(os.environ.get("HEPTA_KEEP_PICTURES") or where, "rank.png")
        if window:
            groups.append([(base + ".view.py", [picture, "rank"])])
        done, _ = pvscripts.run(where, *groups, window=window)
        text = done.stdout + done.stderr
        checks.true("ParaView reads rank", done.returncode == 0 and "all right" in text and "Traceback" not in text, text[-3000:])
        if window:
            checks.true("a colour for each rank", min(shares(picture)) > 0.005, shares(picture))
    return checks.result()


sys.exit(main())
