"""Signposts lead somewhere: files that comments, documentation and messages name are there, and so are the functions, types
and macros of hepta's, and the pages and headings that pages link to."""
import os
import re
import sys

SOURCE = os.environ["HEPTA_SOURCE"]
TOP = ("core", "grid", "linsolve", "amg", "physics", "wells", "io", "sim", "decks", "tests", "docs", "bench", "scripts", "python")
TEXTS = (".c", ".h", ".cu", ".cuh", ".py", ".md", ".txt", ".cmake", ".cfg", ".yml")
PATH = re.compile(r"(?<![\w./*<-])((?:%s)/[\w./-]*\w\.(?:inl\.h|cuh|cu|c|h|py|md|cfg|txt|cmake|DATA))(?![\w*])" % "|".join(TOP))
LINK = re.compile(r"\]\(([^)\s]+)\)")
NAME = re.compile(r"\b(?:hp|HP|HEPTA)_\w+")
CODE = (".c", ".h", ".cu", ".cuh")
COMMENT = re.compile(r"/\*[\s\S]*?\*/|//[^\n]*")
# a beginning of names, a name with a part in capitals that stands for any, and those of the page on adding a solver
ANY_NAME = re.compile(r"_$|^hp_\w*_[A-Z]+$|_name$|^(?:hp|HP_LINSOLVE)_(?:mr|MR|l1|L1)(?:_|$)|(?i:_chierici)")
# what the page on adding a solver writes, and NAME, which stands for any
NOT_HERE = re.compile(r"/(?:mr|l1_block_jacobi|chierici)\.inl\.h$|NAME")


def files():
    for folder, folders, names in os.walk(SOURCE):
        folders[:] = [f for f in folders if not f.startswith((".", "build")) and f not in ("corpus", "golden")]
        for name in names:
            if name.endswith(TEXTS):
                yield os.path.join(folder, name)


def anchors(path):
    """Of the headings of a page, as GitHub makes them."""
    with open(path, encoding="utf-8") as f:
        headings = re.findall(r"^#+ +(.*)$", f.read(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


def check_paths(path, text):
    for number, line in enumerate(text.splitlines(), 1):
        for name in PATH.findall(line):
            if not NOT_HERE.search(name) and not os.path.exists(os.path.join(SOURCE, name)):
                yield "%s:%d: there is no %s" % (os.path.relpath(path, SOURCE), number, name)


def check_links(path, text):
    for number, line in enumerate(text.splitlines(), 1):
        for link in LINK.findall(line):
            if "://" in link:
                continue
            page, _, anchor = link.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(path), page)) if page else path
            where = "%s:%d: " % (os.path.relpath(path, SOURCE), number)
            if not os.path.exists(target):
                yield where + "there is no " + link
            elif anchor and anchor not in anchors(target):
                yield where + "%s has no heading '%s'" % (page, anchor)


def names_of(path, text):
    """Of hepta's: those that the file's code has, and those that its comments have, or a page."""
    if path.endswith(CODE):
        return set(NAME.findall(COMMENT.sub("", text).replace("##", ""))), set(NAME.findall(" ".join(COMMENT.findall(text))))
    return (set(), set(NAME.findall(text))) if path.endswith(".md") else (set(NAME.findall(text)), set())


def main():
    complaints, count, known, named = [], 0, set(), {}
    for path in files():
        with open(path, encoding="utf-8", errors="replace") as f:
            text = f.read()
        count += len(PATH.findall(text))
        complaints += check_paths(path, text)
        code, others = names_of(path, text)
        known |= code
        named.update((name, path) for name in others)
        if path.endswith(".md"):
            complaints += check_links(path, text)
    complaints += ["%s: there is no %s" % (os.path.relpath(path, SOURCE), name) for name, path in sorted(named.items())
                   if name not in known and not ANY_NAME.search(name)]
    print("\n".join(complaints))
    return 1 if complaints or count < 500 or len(named) < 500 else 0


if __name__ == "__main__":
    sys.exit(main())
