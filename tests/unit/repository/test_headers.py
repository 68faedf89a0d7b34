"""Every .inl.h compiles alone as C11, and as C++17, without warnings and extensions: the subset that nvcc takes too. As C++ those
that a file includes once are compiled together, which takes a tenth of the time.
"""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
SOURCE = os.environ["HEPTA_SOURCE"]
COMMON = ["-fsyntax-only", "-I" + SOURCE, "-Wall", "-Wextra", "-Wshadow", "-Werror", "-pedantic-errors"]
C, CXX = ("gcc", ["-xc", "-std=c11"]), ("g++", ["-xc++", "-std=c++17"])


def headers():
    for folder, folders, files in os.walk(SOURCE):
        folders[:] = [f for f in folders if not f.startswith((".", "build"))]
        for name in files:
            if name.endswith(".inl.h"):
                yield os.path.join(folder, name)


def is_guarded(header):
    with open(header) as f:
        return re.search(r"^#(ifndef \w+_H|pragma once)$", f.read(), re.M) is not None


def check(job):
    compiler, flags, header = job
    done = subprocess.run([compiler, *flags, *COMMON, header], capture_output=True, text=True)
    return "" if done.returncode == 0 else f"{compiler} {' '.join(flags)} {header}:\n{done.stderr[:3000]}"


def main():
    if any(shutil.which(compiler) is None for compiler, _ in (C, CXX)):
        print("gcc and g++ are needed")
        return SKIPPED
    found = sorted(headers())
    guarded = [h for h in found if is_guarded(h)]
    with tempfile.NamedTemporaryFile("w", suffix=".cc") as together:
        together.write("".join('#include "%s"\n' % h for h in guarded))
        together.flush()
        jobs = [(*CXX, together.name)] + [(*C, h) for h in found] + [(*CXX, h) for h in found if h not in guarded]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            complaints = [text for text in pool.map(check, jobs) if text]
    print("\n".join(complaints))
    return 1 if complaints or len(guarded) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
