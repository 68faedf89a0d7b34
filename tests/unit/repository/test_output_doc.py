"""The h5py example of docs/guide/results.md, run on a result with known values (written by test_unit_output BASE)."""
import os
import re
import subprocess
import sys
import tempfile

SOURCE = os.environ["HEPTA_SOURCE"]
WRITER = os.path.join(os.path.dirname(os.environ["HEPTA"]), "tests", "test_unit_output")
EXPECTED = [
    'Known values <& "quotes"> [0.  1.5 4.  6. ] day',
    "pressure between 200.006 and 211.636 bar",
    "oil rate 60 SM3/DAY",
    "H_2 producer bhp 150.0 control ORAT from [  265.    510.  -2007.5]",
    "INJ injector bhp 300.0 control RATE from [   25.    30. -2000.]",
    "P-1 producer bhp 100.0 control BHP from [  877.5   150.  -2000. ]",
]


def main():
    try:
        import h5py  # noqa: F401
    except ImportError:
        print("no h5py")
        return 77
    with open(os.path.join(SOURCE, "docs", "guide", "results.md"), encoding="utf-8") as f:
        example = re.search(r"```python\n(.*?)```", f.read(), re.DOTALL).group(1)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([WRITER, os.path.join(folder, "NAME")], check=True)
        done = subprocess.run([sys.executable, "-c", example], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    # Rounded to six digits: pressures are 32-bit in the file, rates are converted.
    for n in (1, 2):
        lines[n] = re.sub(r"\d+\.\d+", lambda m: f"{float(m.group()):.6g}", lines[n])
    assert lines == EXPECTED, "\n".join(lines)
    return 0


sys.exit(main())
