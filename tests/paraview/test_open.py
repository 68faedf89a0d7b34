"""A result with known values, opened by the real ParaView: values, times, hidden cells, wells, and a picture.

The result is written by the C test of the result files (test_unit_output BASE), so that this test needs no simulation.
"""
import os
import shutil
import subprocess
import sys
import tempfile

PVBATCH = shutil.which("pvbatch")
WRITER = os.path.join(os.path.dirname(os.environ["HEPTA"]), "tests", "test_unit_output")
HERE = os.path.dirname(os.path.abspath(__file__))


def pvbatch(*arguments, display=False):
    # -noreset: ParaView closes and reopens its connection, and a server that starts anew when its last client leaves
    # refuses the next one for a moment.
    command = ["xvfb-run", "-a", "-s", "-noreset -screen 0 1280x1024x24"] if display else []
    done = subprocess.run(command + [PVBATCH, *arguments], capture_output=True, text=True, timeout=300)
    text = done.stdout + done.stderr
    assert done.returncode == 0 and "Traceback" not in text and "ERROR" not in text.upper(), text
    return done.stdout


def colours(path):
    """The pixels of a picture as {colour: count}."""
    from matplotlib.image import imread
    import numpy
    pixels = (imread(path)[:, :, :3] * 255).round().astype(int).reshape(-1, 3)
    keys, counts = numpy.unique(pixels @ [65536, 256, 1], return_counts=True)
    return dict(zip(keys.tolist(), counts.tolist()))


def check_picture(path):
    """Not blank: mostly white around a body of many colours; tubes and names of wells are red or blue."""
    seen = colours(path)
    total = sum(seen.values())
    white = seen.get(0xFFFFFF, 0)
    assert 0.2 * total < white < 0.95 * total, f"{white} of {total} pixels are white"
    assert len(seen) > 100, f"only {len(seen)} colours"
    red = sum(n for c, n in seen.items() if (c >> 16) > 120 and (c >> 8 & 255) < 60 and (c & 255) < 60)
    assert red > 1000, f"only {red} red pixels: no producers"
    blue = sum(n for c, n in seen.items() if (c & 255) > 150 and (c >> 16) < 60 and (c >> 8 & 255) < 140)
    assert blue > 300, f"only {blue} blue pixels: no injector"


def main():
    if PVBATCH is None:
        print("no pvbatch")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        for name, kind in (("level", []), ("tilted run", ["tilted"])):
            base = os.path.join(folder, name)
            subprocess.run([WRITER, base, *kind], check=True)
            out = pvbatch(os.path.join(HERE, "open_known.py"), base, *kind)
            assert out.splitlines()[-1] == "all right", out
        if shutil.which("xvfb-run") is None:
            print("no xvfb-run: no picture taken")
            return 0
        # From another folder, and after the result has been moved: the script finds the files beside it.
        moved = os.path.join(folder, "moved")
        os.mkdir(moved)
        for entry in os.listdir(folder):
            if entry.startswith("level"):
                shutil.move(os.path.join(folder, entry), moved)
        keep = os.environ.get("HEPTA_KEEP_PICTURES")
        for script, picture, array in ((os.path.join(moved, "level.view.py"), "sw.png", []),
                                       (os.path.join(folder, "tilted run.view.py"), "permx.png", ["permx"])):
            path = os.path.join(keep or folder, picture)
            pvbatch(script, path, *array, display=True)
            check_picture(path)
    return 0


sys.exit(main())
