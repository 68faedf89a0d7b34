"""The sources are as clang-format writes them (.clang-format), a section of a file begins with a line of one form, and a
comment with its subject: "Bytes of ...", "Marks ...", not "What ...", and in headers not "Of ...", "Where ..." either.

Another release of clang-format breaks lines elsewhere: only the one whose number stands in .clang-format is asked."""
import os
import re
import shutil
import subprocess
import sys

SOURCE = os.environ["HEPTA_SOURCE"]
FOLDERS = ("core", "grid", "linsolve", "amg", "physics", "wells", "io", "sim", "bench", "tests", "python")
WHAT = re.compile(r'(/\*+ |""")What ')
OTHERS = re.compile(r"\s*/\* (After|As|Before|Behind|Between|By|For|From|In|Of|On|To|Until|Where|Which|Whose|With|Without) ")
SECTION = re.compile(r"/\* ---- [^-].* ----( \*/)?$")


def sources():
    for top in FOLDERS:
        for folder, _, names in os.walk(os.path.join(SOURCE, top)):
            for name in sorted(names):
                if name.endswith((".c", ".h", ".cu", ".cuh", ".py")):
                    yield os.path.join(folder, name)


def release():
    with open(os.path.join(SOURCE, ".clang-format"), encoding="utf-8") as f:
        return re.search(r"clang-format (\d+)", f.read()).group(1)


def formatter(wanted):
    for name in ("clang-format-" + wanted, "clang-format"):
        path = shutil.which(name)
        if path and f"version {wanted}." in subprocess.run([path, "--version"], capture_output=True, text=True).stdout:
            return path
    return None


def comments(paths):
    for path in paths:
        with open(path, encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                if re.match(r"\s*/\* ---", line) and not SECTION.search(line.rstrip()):
                    yield f"{os.path.relpath(path, SOURCE)}:{number}: a section begins with /* ---- name ---- */"
                if WHAT.search(line):
                    yield f"{os.path.relpath(path, SOURCE)}:{number}: a comment begins with its subject, not with 'What'"
                other = OTHERS.match(line) if path.endswith((".h", ".cuh")) else None
                if other:
                    yield f"{os.path.relpath(path, SOURCE)}:{number}: a comment begins with its subject, not with '{other[1]}'"


def main():
    paths = list(sources())
    complaints = list(comments(paths))
    paths = [p for p in paths if not p.endswith(".py")]
    wanted = release()
    command = formatter(wanted)
    if command:
        run = subprocess.run([command, "--dry-run", "--Werror", *paths], cwd=SOURCE, capture_output=True, text=True)
        complaints += [line for line in run.stderr.splitlines() if "error:" in line]
        if run.returncode != 0:
            complaints.append(f"apply clang-format {wanted}: clang-format -i FILE")
    print("\n".join(complaints))
    if complaints or len(paths) < 100:
        return 1
    if not command:
        print(f"skipped: no clang-format {wanted}")
        return 77
    return 0


if __name__ == "__main__":
    sys.exit(main())
