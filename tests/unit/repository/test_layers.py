"""The layers are one-way: no file includes a header of a higher layer, no two headers share an include guard, and no folder,
those of the tests too, holds more files than a reader overlooks."""
import os
import re
import sys

MOST_FILES = 25
LAYERS = ("core", "grid", "linsolve", "amg", "physics", "wells", "io", "sim")
SOURCE = os.environ["HEPTA_SOURCE"]
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
GUARD = re.compile(r"^\s*#\s*ifndef\s+(HP_\w+_H)\s*$", re.MULTILINE)


def files():
    for layer in LAYERS:
        for folder, _, names in os.walk(os.path.join(SOURCE, layer)):
            for name in names:
                if name.endswith((".c", ".h", ".cu", ".cuh")):
                    yield layer, os.path.relpath(os.path.join(folder, name), SOURCE)


def check_includes(layer, path, lines):
    for number, line in enumerate(lines, 1):
        found = INCLUDE.match(line)
        if not found:
            continue
        target = found.group(1)
        other = target.split("/")[0]
        if other not in LAYERS or "/" not in target:
            yield f'{path}:{number}: "{target}" is not written from the root, or of no layer'
        elif LAYERS.index(other) > LAYERS.index(layer):
            yield f'{path}:{number}: {layer} must not include "{target}"'
        elif not os.path.exists(os.path.join(SOURCE, target)):
            yield f'{path}:{number}: "{target}" does not exist'


def main():
    complaints, guards, count, held = [], {}, 0, {}
    for layer, path in files():
        with open(os.path.join(SOURCE, path), encoding="utf-8") as f:
            text = f.read()
        count += 1
        held[os.path.dirname(path)] = held.get(os.path.dirname(path), 0) + 1
        complaints += check_includes(layer, path, text.splitlines())
        if path.endswith((".h", ".cuh")):
            for guard in GUARD.findall(text)[:1]:
                if guard in guards:
                    complaints.append(f"{path}: has the include guard of {guards[guard]}")
                guards[guard] = path
    for folder, _, names in os.walk(os.path.join(SOURCE, "tests")):
        if "corpus" not in folder and "golden" not in folder:
            held[os.path.relpath(folder, SOURCE)] = len([n for n in names if not n.endswith(".pyc")])
    complaints += [f"{folder}: {n} files, more than {MOST_FILES}" for folder, n in held.items() if n > MOST_FILES]
    print("\n".join(complaints))
    return 1 if complaints or count < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
