"""Every .inl.h compiles alone, as C11 and as C++17, without warnings and extensions: the subset that nvcc takes too."""
import concurrent.futures
import os
import shutil
import subprocess
import sys

SKIPPED = 77
SOURCE = os.environ["HEPTA_SOURCE"]
COMMON = ["-fsyntax-only", "-I" + SOURCE, "-Wall", "-Wextra", "-Wshadow", "-Werror", "-pedantic-errors"]
LANGUAGES = (("gcc", ["-xc", "-std=c11"]), ("g++", ["-xc++", "-std=c++17"]))


def headers():
    for folder, folders, files in os.walk(SOURCE):
        folders[:] = [f for f in folders if not f.startswith((".", "build"))]
        for name in files:
            if name.endswith(".inl.h"):
                yield os.path.join(folder, name)


def check(job):
    compiler, flags, header = job
    done = subprocess.run([compiler, *flags, *COMMON, header], capture_output=True, text=True)
    return "" if done.returncode == 0 else f"{compiler} {' '.join(flags)} {header}:\n{done.stderr[:3000]}"


def main():
    if any(shutil.which(compiler) is None for compiler, _ in LANGUAGES):
        print("gcc and g++ are needed")
        return SKIPPED
    jobs = [(compiler, flags, header) for header in sorted(headers()) for compiler, flags in LANGUAGES]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        complaints = [text for text in pool.map(check, jobs) if text]
    print("\n".join(complaints))
    return 1 if complaints or len(jobs) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
