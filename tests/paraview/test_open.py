"""A result with known values, opened by the real ParaView: values, times, hidden cells, wells, and a picture.

The result is written by the C test of the result files (test_unit_output BASE), so that this test needs no simulation.
"""
import os
import shutil
import subprocess
import sys
import tempfile

import pvscripts

PVBATCH = shutil.which("pvbatch")
WRITER = os.path.join(os.path.dirname(os.environ["HEPTA"]), "tests", "test_unit_output")
HERE = os.path.dirname(os.path.abspath(__file__))


def run(folder, *groups, window=True):
    done, _ = pvscripts.run(folder, *groups, window=window)
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
    window = shutil.which("xvfb-run") is not None
    if not window:
        print("no xvfb-run: no picture taken")
    with tempfile.TemporaryDirectory() as folder:
        for name, kind in (("level", []), ("tilted run", ["tilted"])):
            subprocess.run([WRITER, os.path.join(folder, name), *kind], check=True)
        # From another folder, and after the result has been moved: the script finds the files beside it.
        moved = os.path.join(folder, "moved")
        os.mkdir(moved)
        for entry in os.listdir(folder):
            if entry.startswith("level"):
                shutil.move(os.path.join(folder, entry), moved)
        known = os.path.join(HERE, "open_known.py")
        groups = [[(known, [os.path.join(moved, "level")])], [(known, [os.path.join(folder, "tilted run"), "tilted"])]]
        keep, pictures = os.environ.get("HEPTA_KEEP_PICTURES") or folder, []
        for script, picture, array in ((os.path.join(moved, "level.view.py"), "sw.png", []),
                                       (os.path.join(folder, "tilted run.view.py"), "permx.png", ["permx"])):
            if window:
                pictures.append(os.path.join(keep, picture))
                groups.append([(script, [pictures[-1], *array])])
        out = run(folder, *groups, window=window)
        assert out.splitlines().count("all right") == 2, out
        for path in pictures:
            check_picture(path)
    return 0


sys.exit(main())
