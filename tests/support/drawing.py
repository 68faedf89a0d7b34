"""A Python for HEPTA_PYTHON in which matplotlib is loaded and has drawn before: `hepta plot` starts it as it starts any other,
and a process that waits for that runs the script and passes on its exit code. Loading and a first picture take most of the time
of a small one.

    with drawing.python() as python:
        runs.hepta("plot", "a.h5", environment=dict(os.environ, HEPTA_PYTHON=python))

A script that forgets to load a part of matplotlib works in it, too: a test draws some pictures with a plain Python.
drawing.Page reads the pages of hepta report and hepta compare.
"""
import base64
import contextlib
import html.parser
import json
import os
import runpy
import select
import socket
import subprocess
import sys
import tempfile
import traceback

# The Python that hepta starts: it hands over its arguments, its folder and its streams.
CALLER = """#!%s -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as s:
    s.connect(%r)
    socket.send_fds(s, [json.dumps([os.getcwd(), sys.argv[1:]]).encode()], [0, 1, 2])
    code = s.recv(16)
sys.exit(int(code))
"""


@contextlib.contextmanager
def python():
    """The path of such a Python; it ends with the block."""
    with tempfile.TemporaryDirectory(prefix="hepta-test-") as folder:
        place, caller = os.path.join(folder, "socket"), os.path.join(folder, "python3")
        with open(caller, "w") as f:
            f.write(CALLER % (sys.executable, place))
        os.chmod(caller, 0o755)
        with subprocess.Popen([sys.executable, os.path.abspath(__file__), place], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as server:
            assert server.stdout.readline() == b"listens\n"
            try:
                yield caller
            finally:
                server.stdin.close()


class Page(html.parser.HTMLParser):
    """Tables by their rows of texts, pictures by their alternative texts, what stands in <pre>, and all tags."""

    def __init__(self, path):
        super().__init__()
        self.rows, self.pictures, self.said, self.tags, self.inside, self.links, self.text = [], {}, "", set(), None, [], ""
        with open(path, encoding="utf-8") as f:
            self.feed(f.read())

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.add(tag)
        self.links += [v for k, v in attrs.items() if k in ("href", "src") and not v.startswith("data:")]
        if tag == "img":
            self.pictures[attrs["alt"]] = attrs["src"]
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        self.inside = tag if tag in ("td", "th", "pre") else "td" if tag == "br" else self.inside

    def handle_endtag(self, tag):
        self.inside = None if tag in ("td", "th", "pre") else self.inside

    def handle_data(self, data):
        self.text += data
        if self.inside == "pre":
            self.said += data
        elif self.inside:
            self.rows[-1][-1] += data

    def row(self, first):
        return next((r for r in self.rows if r and r[0] == first), [])

    def picture(self, alt):
        kind, data = self.pictures[alt].split(";base64,")
        return kind[len("data:"):], base64.b64decode(data)


def load():
    """Draws into nothing: fonts and tables of matplotlib are in memory then."""
    import io

    import h5py  # noqa: F401
    import matplotlib.backends.backend_agg
    import matplotlib.figure
    figure = matplotlib.figure.Figure(figsize=(1, 1))
    axes = figure.add_subplot()
    axes.plot([0, 1], [0, 1])
    figure.savefig(io.BytesIO(), format="svg")


def run(words):
    """Runs a script with its arguments, as Python does, and forgets the modules that lie beside it: its exit code."""
    before, folder = set(sys.modules), os.path.dirname(words[0])
    sys.argv, sys.path[0] = words, folder
    try:
        runpy.run_path(words[0], run_name="__main__")
        return 0
    except SystemExit as end:
        return int(end.code or 0)
    except Exception:
        traceback.print_exc()
        return 1
    finally:
        for name in set(sys.modules) - before:
            if os.path.dirname(getattr(sys.modules[name], "__file__", None) or "") == folder:
                del sys.modules[name]


def answer(connection, own):
    """Does what a caller asks for, with its streams in place of `own`."""
    text, streams, _, _ = socket.recv_fds(connection, 1 << 20, 3)
    where, words = json.loads(text)
    for n, stream in enumerate(streams):
        os.dup2(stream, n)
        os.close(stream)
    os.chdir(where)
    code = run(words)
    sys.stdout.flush()
    sys.stderr.flush()
    os.chdir("/")
    for n, stream in enumerate(own):
        os.dup2(stream, n)
    connection.sendall(b"%d" % code)


def serve(place):
    """Until the test closes its end of the standard input, or is gone."""
    load()
    own = [os.dup(n) for n in range(3)]
    with socket.socket(socket.AF_UNIX) as s:
        s.bind(place)
        s.listen()
        print("listens", flush=True)
        while s in select.select([s, own[0]], [], [])[0]:
            connection, _ = s.accept()
            with connection:
                answer(connection, own)


if __name__ == "__main__":
    serve(sys.argv[1])
