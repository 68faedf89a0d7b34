"""The layers are one-way, and so are the rooms of a layer: no file includes a header of a higher one, no two folders include
each other, and what a header declares is defined in its folder or below. No headers include each other in a circle and no two
share an include guard. No folder, those of the tests too, holds more files than a reader overlooks."""
import os
import re
import subprocess
import sys

MOST_FILES = 25
LAYERS = ("core", "grid", "linsolve", "amg", "physics", "wells", "io", "sim", "bench")  # the last is a program of its own, the laboratory
# The sub-folders of a layer, the lowest first; "" are the files of the layer's own folder. A folder cuda belongs to the one
# that it is in.
ROOMS = {
    "io": ("", "files", "actions", "case", "config", "export", "eclipse", "deck", "systems", "results"),
    "core": ("", "threads", "ranks", "team", "device", "compile"),
    "linsolve": ("vectors", "matrix", "bsr", "stencil", "sgdia", "product", "precond", "krylov"),
    "amg": ("", "rows", "setup", "smoothers", "cycle", "ranks", "hypre", "cpr"),
    "sim": ("step", "part", "linear", "backend", "simulator", "checkpoint", "report", "newton", "run", "diagnose", "compare", "cli", "commands", ""),
}
SOURCE = os.environ["HEPTA_SOURCE"]
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
DECLARED = re.compile(r"^(?!typedef|static|return)[A-Za-z_][\w *]*?[ *](hp_\w+)\([^;{}]*?\)[^;{}]*;", re.MULTILINE)
DEFINED = re.compile(r"^(?!typedef|static)[A-Za-z_][\w *]*?[ *](hp_\w+)\([^;{}]*?\)\s*\{", re.MULTILINE)
GUARD = re.compile(r"^\s*#\s*ifndef\s+(HP_\w+_H)\s*$", re.MULTILINE)


def files():
    for layer in LAYERS:
        for folder, _, names in os.walk(os.path.join(SOURCE, layer)):
            for name in names:
                if name.endswith((".c", ".h", ".cu", ".cuh")):
                    yield layer, os.path.relpath(os.path.join(folder, name), SOURCE)


def room(path):
    parts = [p for p in path.split("/")[1:-1] if p != "cuda"]
    return parts[0] if parts else ""


def folder_of(path):
    return "/".join(p for p in os.path.dirname(path).split("/") if p != "cuda")


def circles(includes):
    """Folders, those inside of rooms too, of which each includes headers of the other."""
    for (here, there), path in sorted(includes.items()):
        if here < there and (there, here) in includes:
            yield f"{path} and {includes[there, here]}: {here} and {there} include each other"


def header_circles(targets):
    """Headers that include each other, by way of others too; targets: what each file includes."""
    done = set()

    def visit(path, trail):
        if path in trail:
            yield " -> ".join(trail[trail.index(path):] + [path])
        elif path not in done:
            for target in sorted(targets.get(path, ())):
                yield from visit(target, trail + [path])
            done.add(path)

    for path in sorted(targets):
        yield from visit(path, [])


def strays(declared, defined):
    """Functions that a header of one folder declares and a file of another one, which is not inside, defines."""
    for name, header in sorted(declared.items()):
        for path in sorted(defined.get(name, ())):
            if not (folder_of(path) + "/").startswith(folder_of(header) + "/"):
                yield f"{path}: {name} is declared in {header}"


def check_rooms(layer, path, target):
    """Of an include within one layer."""
    rooms = ROOMS.get(layer)
    if rooms is None:
        return
    unknown = [r for r in (room(path), room(target)) if r not in rooms]
    if unknown:
        yield f"{path}: {layer}/{unknown[0]} is not among the rooms of {layer}"
    elif rooms.index(room(target)) > rooms.index(room(path)):
        yield f'{path}: {layer}/{room(path)} must not include "{target}"'


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
        elif layer == "bench" and other != layer and "_impl." in target:
            yield f'{path}:{number}: "{target}" is private to its folder'
        elif not os.path.exists(os.path.join(SOURCE, target)):
            yield f'{path}:{number}: "{target}" does not exist'
        elif other == layer:
            yield from check_rooms(layer, path, target)


TOP = set(".ci .clang-format .gitignore CHANGELOG.md CMakeLists.txt CMakePresets.json LICENSE README.md amg bench core decks docs "
          "grid io linsolve physics python scripts sim tests wells".split())


def strangers():
    """Names that git keeps at the top level besides the folders and files above."""
    listed = subprocess.run(["git", "-C", SOURCE, "ls-files"], capture_output=True, text=True)
    names = {line.split("/")[0] for line in listed.stdout.splitlines()} if listed.returncode == 0 else set()
    return [f"{name}: nothing else stands at the top level" for name in sorted(names - TOP)]


def main():
    complaints, guards, count, held = strangers(), {}, 0, {}
    includes, targets, declared, defined = {}, {}, {}, {}
    for layer, path in files():
        with open(os.path.join(SOURCE, path), encoding="utf-8") as f:
            text = f.read()
        count += 1
        held[os.path.dirname(path)] = held.get(os.path.dirname(path), 0) + 1
        complaints += check_includes(layer, path, text.splitlines())
        for target in (found.group(1) for found in map(INCLUDE.match, text.splitlines()) if found):
            includes.setdefault((folder_of(path), folder_of(target)), path)
            targets.setdefault(path, set()).add(target)
        bare = COMMENT.sub("", text)
        if path.endswith((".h", ".cuh")):
            declared.update((name, path) for name in DECLARED.findall(bare))
        else:
            for name in DEFINED.findall(bare):
                defined.setdefault(name, []).append(path)
        if path.endswith((".h", ".cuh")):
            for guard in GUARD.findall(text)[:1]:
                if guard in guards:
                    complaints.append(f"{path}: has the include guard of {guards[guard]}")
                guards[guard] = path
    complaints += list(circles(includes)) + list(header_circles(targets)) + list(strays(declared, defined))
    if len(declared.keys() & defined.keys()) < 500:
        complaints.append("few functions are found both declared and defined: the expressions no longer match")
    for folder, _, names in os.walk(os.path.join(SOURCE, "tests")):
        if "corpus" not in folder and "golden" not in folder:
            held[os.path.relpath(folder, SOURCE)] = len([n for n in names if not n.endswith(".pyc")])
    complaints += [f"{folder}: {n} files, more than {MOST_FILES}" for folder, n in held.items() if n > MOST_FILES]
    print("\n".join(complaints))
    return 1 if complaints or count < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
