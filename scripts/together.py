"""Sources that can be compiled as one text, which spares the compiler most of their headers:

    python3 scripts/together.py ROOT SOURCE ...

prints the group of each, a line "SOURCE;GROUP": sources of a group are of one folder, and no name that one of them
defines for itself (functions, types, constants, macros) is another's. Sources that include a text for several kinds of
numbers (_real.inl.h) or for others than it is written for (bench/single/real.h), or ask for other functions of the system or
of CUDA than most, stay alone.
"""
import os
import re
import sys

OF_SYSTEM = {"_GNU_SOURCE", "_POSIX_C_SOURCE"}


def top(text):
    """The text outside of braces, "{}" for what they hold, which begins a segment of its own; and the bodies of enums."""
    outside, depth, begin, enums = [], 0, 0, []
    for n, c in enumerate(text):
        if c == "{":
            if depth == 0:
                outside.append(text[begin:n])
                begin = n + 1
            depth += 1
        elif c == "}":
            depth -= 1
            if depth == 0:
                if re.search(r"\benum\b[^;()]*$", outside[-1]):
                    enums.append(text[begin:n])
                outside.append("{}")
                begin = n + 1
    outside.append(text[begin:])
    return "".join(outside), enums


class Source:
    """defined: names that it defines, macros among them; words: all that it uses."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        self.alone = re.search(r'^#include ".*((_real|numbers|both)\.inl|/real)\.h"|^#define _DEFAULT_SOURCE|^#undef HP_WITHOUT', text, re.M) is not None
        text = re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", " ", text, flags=re.S).replace("\\\n", " ")
        self.macros = {name: " ".join(body.split()) for name, body in re.findall(r"^#\s*define\s+(\w+)(.*)", text, re.M)
                       if name not in OF_SYSTEM}
        code = re.sub(r"^#.*", "", text, flags=re.M)
        self.words = set(re.findall(r"[A-Za-z_]\w*", code))
        outside, enums = top(code)
        before = None
        while outside != before:  # what stands in parentheses and brackets
            before, outside = outside, re.sub(r"\([^()]*\)|\[[^\[\]]*\]", "@", outside)
        outside = re.sub(r"\btemplate\s*<[^<>]*>", "", outside)
        found = {word for body in enums for word in re.findall(r"(?:^|,)\s*(\w+)", body)}
        found.update(re.findall(r"\b(?:struct|union|class|enum)\s+(\w+)\s*\{\}", outside))
        found.update(re.findall(r"(\w+)\s*(?=@|=|,|;|$)", outside))
        self.defined = {n for n in found if not re.match(r"hp_|HP_|cuda|__|\d", n)}

    def changes(self, other):
        """Whether macros of this source change the other's text; those that both define alike do not."""
        return any(name in other.words | other.defined | other.macros.keys() for name, body in self.macros.items()
                   if other.macros.get(name) != body)

    def fits(self, other):
        """Whether both can be one text."""
        return not (self.alone or other.alone or self.defined & other.defined or self.changes(other) or other.changes(self))


def groups(root, sources):
    """{folder: [[(name, source), ...] of each group]}"""
    found = {}
    for name in sources:
        source = Source(os.path.join(root, name))
        here = found.setdefault(os.path.dirname(name), [])
        group = next((g for g in here if all(source.fits(other) for _, other in g)), None)
        if group is None:
            group = []
            here.append(group)
        group.append((name, source))
    return found


def main():
    root, sources = sys.argv[1], sys.argv[2:]
    for folder, here in groups(root, sources).items():
        for n, group in enumerate(here):
            for name, _ in group:
                print("%s;%s%s" % (name, folder.replace("/", "_"), "_%d" % n if n > 0 else ""))


main()
