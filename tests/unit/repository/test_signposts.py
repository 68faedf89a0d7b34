"""Signposts lead somewhere: files that comments, documentation and messages name are there, and so are the pages and
headings that pages link to."""
import os
import re
import sys

SOURCE = os.environ["HEPTA_SOURCE"]
TOP = ("core", "grid", "linsolve", "amg", "physics", "wells", "io", "sim", "decks", "tests", "docs", "bench", "scripts")
TEXTS = (".c", ".h", ".cu", ".cuh", ".py", ".md", ".txt", ".cmake", ".cfg", ".yml")
PATH = re.compile(r"(?<![\w./*<-])((?:%s)/[\w./-]*\w\.(?:inl\.h|cuh|cu|c|h|py|md|cfg|txt|cmake|DATA))(?![\w*])" % "|".join(TOP))
LINK = re.compile(r"\]\(([^)\s]+)\)")
# what the page on adding a solver writes, and NAME, which stands for any
NOT_HERE = re.compile(r"/(?:mr|l1_block_jacobi)\.inl\.h$|NAME")


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


def main():
    complaints, count = [], 0
    for path in files():
        with open(path, encoding="utf-8", errors="replace") as f:
            text = f.read()
        count += len(PATH.findall(text))
        complaints += check_paths(path, text)
        if path.endswith(".md"):
            complaints += check_links(path, text)
    print("\n".join(complaints))
    return 1 if complaints or count < 500 else 0


if __name__ == "__main__":
    sys.exit(main())
