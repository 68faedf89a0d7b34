"""The notebooks of python/examples and the code of docs/guide/python.md: executed by jupyter nbconvert where
it is (each third: it takes seconds to start), else plainly."""
import contextlib
import glob
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import traceback

import runs
from python_package import PACKAGE

PAGE = os.path.join(runs.SOURCE, "docs", "guide", "python.md")


def execute(checks, name, pieces):
    """One after the other, with the same names; figures are drawn."""
    names = {"__name__": "__main__"}
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            for n, text in enumerate(pieces):
                exec(compile(text, "%s, code %d" % (name, n + 1), "exec"), names)
            from matplotlib import pyplot

            for number in pyplot.get_fignums():
                pyplot.figure(number).canvas.draw()
            pyplot.close("all")
    except Exception:
        checks.true(name, False, traceback.format_exc())


def check_notebook(checks, path, by_jupyter, where):
    name = os.path.basename(path)
    with open(path, encoding="utf-8") as f:
        notebook = json.load(f)
    code = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    checks.true(name + ": has code, and no outputs", len(code) > 1 and not any(cell.get("outputs") for cell in notebook["cells"]))
    if by_jupyter:
        done = subprocess.run([sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--output-dir", where, path], capture_output=True,
                              text=True, env={**os.environ, "PYTHONPATH": PACKAGE + os.pathsep + os.environ.get("PYTHONPATH", "")})
        checks.true(name, done.returncode == 0, done.stderr)
    else:
        execute(checks, name, code)


def main():
    if any(importlib.util.find_spec(name) is None for name in ("pandas", "matplotlib")):
        runs.skip("needs pandas and matplotlib")
    import matplotlib

    matplotlib.use("Agg")
    by_jupyter = all(importlib.util.find_spec(name) is not None for name in ("nbconvert", "ipykernel"))
    checks = runs.Checks()
    with runs.folder() as where:
        os.environ["TMPDIR"] = where
        os.chdir(where)
        os.symlink(os.path.join(runs.SOURCE, "decks"), "decks")
        notebooks = sorted(glob.glob(os.path.join(PACKAGE, "examples", "*.ipynb")))
        checks.true("notebooks", len(notebooks) == 3, notebooks)
        for n, path in enumerate(notebooks):
            check_notebook(checks, path, by_jupyter and n % runs.every(3, 3) == 0, where)
        with open(PAGE, encoding="utf-8") as f:
            pieces = re.findall(r"^```python\n(.*?)^```", f.read(), re.M | re.S)
        checks.true("code of the guide", len(pieces) > 3, len(pieces))
        execute(checks, "docs/guide/python.md", pieces)
        os.chdir("/")
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
