"""Pages are for readers: a row of a table fits a screen, no page names commits, chapters have the numbers and titles of the
table of contents, and the figures of performance.md show the numbers of its tables."""
import csv
import glob
import os
import re
import sys

SOURCE = os.environ["HEPTA_SOURCE"]
WIDTH = 200
COMMIT = re.compile(r"\bcommits? `?[0-9a-f]{7,40}\b", re.IGNORECASE)


def complaints(path):
    name, fenced = os.path.relpath(path, SOURCE), False
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f.read().splitlines(), 1):
            fenced ^= line.startswith("```")
            if line.startswith("|") and not fenced and len(line) > WIDTH:
                yield "%s:%d: a row of %d characters, %d fit" % (name, number, len(line), WIDTH)
            if COMMIT.search(line):
                yield "%s:%d: %s: pages state the present" % (name, number, COMMIT.search(line).group())


def measured(name):
    with open(os.path.join(SOURCE, "bench", "measured", name), newline="", encoding="utf-8") as f:
        return list(csv.DictReader(line for line in f if not line.startswith("#")))


def drawn():
    """The numbers that bench/performance_figures.py draws, as a table would have them."""
    for row in measured("runs.csv"):
        yield from (row[key] for key in ("steps", "newton", "linear", "whole", "least", "most", "processor") if row[key])
    for row in measured("gpus.csv"):
        yield from (row[key] for key in ("in_steps", "steps_faster"))
    for row in measured("spmv.csv"):
        yield "%.3g" % (1e6 * float(row["seconds"]))
    for row in measured("solve.csv"):
        yield from ("%.3g" % (1e3 * float(row[key])) for key in ("refresh", "solve"))


def check_figures():
    page = os.path.join("docs", "laboratory", "performance.md")
    with open(os.path.join(SOURCE, page), encoding="utf-8") as f:
        numbers = {float(n) for n in re.findall(r"(?<![\w.])\d+(?:\.\d+)?", f.read())}
    return ["%s: %s is drawn and in no table" % (page, n) for n in drawn() if float(n) not in numbers]


def check_chapters():
    docs = os.path.join(SOURCE, "docs")
    with open(os.path.join(docs, "README.md"), encoding="utf-8") as f:
        chapters = re.findall(r"^(\d+)\. \[([^]]+)\]\(([^)]+)\)", f.read(), re.MULTILINE)
    for number, title, name in chapters:
        with open(os.path.join(docs, name), encoding="utf-8") as f:
            first = f.readline().strip()
        if first != "# %s. %s" % (number, title):
            yield "docs/%s: begins with '%s', and docs/README.md has it as '%s. %s'" % (name, first, number, title)
    if len(chapters) < 5:
        yield "docs/README.md: few chapters are found"


def main():
    pages = [os.path.join(SOURCE, "README.md")] + glob.glob(os.path.join(SOURCE, "docs", "**", "*.md"), recursive=True)
    found = [c for page in pages for c in complaints(page)] + check_figures() + list(check_chapters())
    print("\n".join(found))
    return 1 if found or len(pages) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
