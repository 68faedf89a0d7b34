"""`pip install python/` without a network: the package alone, which finds the program by HEPTA or on PATH; a wheel with the program
of `cmake --install`; the package that `cmake --install` brings, beside its program."""
import glob
import importlib.util
import os
import subprocess
import sys
import zipfile

import runs
from python_package import PACKAGE, write_deck

BUILD = os.environ.get("HEPTA_BUILD", "")
RUN = """
import sys
import hepta
result = hepta.run(sys.argv[1], output="r", set={"report.end": 20.0})
print(hepta.find_program(), hepta.__file__, result.times[-1], sep="|")
"""


def command(*words, where=None, **environment):
    env = {k: v for k, v in os.environ.items() if k not in ("HEPTA", "PYTHONPATH")}
    return subprocess.run(words, cwd=where, capture_output=True, text=True, env={**env, "PIP_DISABLE_PIP_VERSION_CHECK": "1", **environment})


def make_environment(where, name):
    path = os.path.join(where, name)
    done = command(sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", path)
    if done.returncode != 0:
        runs.skip("no virtual environments: " + done.stderr)
    return os.path.join(path, "bin", "python")


def check_run(checks, what, python, where, program, package, **environment):
    """In a folder of its own; program and package: where they must be."""
    folder = os.path.join(where, what)
    os.mkdir(folder)
    done = command(python, "-c", RUN, write_deck(where), where=folder, **environment)
    found = done.stdout.strip().split("|")
    checks.true(what, done.returncode == 0 and found[0].startswith(program) and found[1].startswith(package) and found[2] == "20.0", done.stdout + done.stderr)


def pip(python, *words):
    return command(python, "-m", "pip", "-q", *words)


def check_pure(checks, where):
    python = make_environment(where, "pure")
    done = pip(python, "install", "--no-build-isolation", "--no-index", PACKAGE)
    checks.true("pip install", done.returncode == 0, done.stdout + done.stderr)
    packages = os.path.join(where, "pure", "lib")
    check_run(checks, "by HEPTA", python, where, runs.PROGRAM, packages, HEPTA=runs.PROGRAM)
    check_run(checks, "by PATH", python, where, os.path.dirname(runs.PROGRAM), packages,
              PATH=os.path.dirname(runs.PROGRAM) + os.pathsep + os.environ["PATH"])
    shown = command(python, "-m", "pip", "show", "-f", "hepta").stdout
    version = runs.hepta("--version").stdout.split()[1]
    checks.true("what pip knows", "Version: " + version in shown and "hepta/py.typed" in shown and "numpy" in shown.partition("Requires: ")[2], shown)
    checks.true("nothing is left in the source", not glob.glob(os.path.join(PACKAGE, "*.egg-info")) and not os.path.exists(os.path.join(PACKAGE, "build")))


def check_installed(checks, where):
    """cmake --install: the package finds the program beside it, whatever is on PATH; so does a wheel of both."""
    prefix = os.path.join(where, "prefix")
    done = command("cmake", "--install", BUILD, "--prefix", prefix)
    checks.true("cmake --install", done.returncode == 0, done.stderr)
    packages = os.path.join(prefix, "lib", "python3", "dist-packages")
    check_run(checks, "installed", sys.executable, where, os.path.join(prefix, "bin", "hepta"), packages, PYTHONPATH=packages, PATH="/usr/bin:/bin")
    python = make_environment(where, "whole")
    done = pip(python, "wheel", "--no-build-isolation", "--no-index", "--no-deps", "-w", where, "--config-settings", "program=" + prefix, PACKAGE)
    wheels = glob.glob(os.path.join(where, "*.whl"))
    checks.true("pip wheel", done.returncode == 0 and len(wheels) == 1 and not wheels[0].endswith("-any.whl"), done.stdout + done.stderr)
    with zipfile.ZipFile(wheels[0]) as wheel:
        checks.true("its files", wheel.testzip() is None and not [n for n in wheel.namelist() if "dist-packages" in n], wheel.namelist()[:5])
    done = pip(python, "install", "--no-index", wheels[0])
    checks.true("pip install of it", done.returncode == 0, done.stdout + done.stderr)
    check_run(checks, "a wheel with the program", python, where, os.path.join(where, "whole", "bin", "hepta"), os.path.join(where, "whole", "lib"),
              PATH="/usr/bin:/bin")
    done = pip(python, "wheel", "--no-build-isolation", "--no-index", "--no-deps", "-w", where, "--config-settings", "program=/nowhere", PACKAGE)
    checks.true("a wheel with no program", done.returncode != 0 and "there is no bin/hepta" in done.stdout + done.stderr, done.stdout + done.stderr)


def main():
    if any(importlib.util.find_spec(name) is None for name in ("pip", "setuptools", "venv")):
        runs.skip("needs pip, setuptools and venv")
    checks = runs.Checks()
    with runs.folder() as where:
        where = os.path.realpath(where)
        check_pure(checks, where)
        if BUILD:
            check_installed(checks, where)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
