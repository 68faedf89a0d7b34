"""Pages are for readers: a row of a table fits a screen, and no page tells of commits."""
import glob
import os
import re
import sys

SOURCE = os.environ["HEPTA_SOURCE"]
WIDTH = 220
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


def main():
    pages = [os.path.join(SOURCE, "README.md")] + glob.glob(os.path.join(SOURCE, "docs", "**", "*.md"), recursive=True)
    found = [c for page in pages for c in complaints(page)]
    print("\n".join(found))
    return 1 if found or len(pages) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
