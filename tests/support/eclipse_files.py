"""A reader of Eclipse's binary files for the tests, strict about their records, and a writer.

    arrays = eclipse_files.read("CASE.INIT")        [(name, type, values), ...] in the order of the file
    eclipse_files.one(arrays, "PORV")               the values of the only array of that name
    for report in eclipse_files.reports("CASE.UNRST"): report["SWAT"]
    eclipse_files.Summary("CASE").vector("WOPR", "P1")
    eclipse_files.binary(arrays), formatted(arrays)  the content of a file
"""
import struct

SIZE = {"INTE": 4, "REAL": 4, "DOUB": 8, "LOGI": 4, "CHAR": 8, "MESS": 0}
CODE = {"INTE": "i", "REAL": "f", "DOUB": "d", "LOGI": "i"}


def records(data):
    """The Fortran records: their lengths stand before and after them."""
    at = 0
    while at < len(data):
        length, = struct.unpack_from(">i", data, at)
        body = data[at + 4:at + 4 + length]
        assert len(body) == length and struct.unpack_from(">i", data, at + 4 + length)[0] == length, "torn record at %d" % at
        yield body
        at += 8 + length


def read(path):
    with open(path, "rb") as f:
        source = records(f.read())
    arrays = []
    for header in source:
        assert len(header) == 16, "header of %d bytes" % len(header)
        name, count, kind = header[:8].decode("ascii"), struct.unpack(">i", header[8:12])[0], header[12:].decode("ascii")
        size, block = SIZE[kind], 105 if kind == "CHAR" else 1000
        data, left = b"", count if size > 0 else 0
        while left > 0:
            body = next(source)
            assert len(body) == size * min(left, block), "%s: a record of %d bytes" % (name, len(body))
            data += body
            left -= min(left, block)
        if kind == "CHAR":
            values = [data[8 * n:8 * n + 8].decode("ascii").rstrip() for n in range(count)]
        else:
            values = list(struct.unpack(">%d%s" % (count, CODE[kind]), data)) if size > 0 else []
        arrays.append((name.rstrip(), kind, values))
    return arrays


def one(arrays, name):
    found = [values for n, _, values in arrays if n == name]
    assert len(found) == 1, "%s is there %d times" % (name, len(found))
    return found[0]


def reports(path):
    """The report steps of a unified restart file, each a dictionary."""
    steps = []
    for name, _, values in read(path):
        if name == "SEQNUM":
            steps.append({})
        assert name not in steps[-1], name
        steps[-1][name] = values
    return steps


def binary(arrays):
    """The bytes of a file of arrays (name, type, values) as read() gives them."""
    out = b""
    for name, kind, values in arrays:
        out += struct.pack(">i8si4si", 16, name.ljust(8).encode(), len(values), kind.encode(), 16)
        block = 105 if kind == "CHAR" else 1000
        for n in range(0, len(values), block):
            part = values[n:n + block]
            body = (b"".join(v.ljust(8).encode() for v in part) if kind == "CHAR"
                    else struct.pack(">%d%s" % (len(part), CODE[kind]), *part))
            out += struct.pack(">i", len(body)) + body + struct.pack(">i", len(body))
    return out


def formatted(arrays):
    text = []
    for name, kind, values in arrays:
        text.append(" '%-8s' %11d '%s'" % (name, len(values), kind))
        show = {"CHAR": "'%-8s'", "REAL": "%.9E", "DOUB": "%.17E", "LOGI": "%s", "INTE": "%d"}.get(kind)
        for n in range(0, len(values), 6):
            shown = [show % (("T" if v else "F") if kind == "LOGI" else v) for v in values[n:n + 6]]
            text.append(" " + " ".join(s.replace("E", "D") if kind == "DOUB" else s for s in shown))
    return "\n".join(text) + "\n"


def split(arrays):
    """The report steps of a unified file: {number: arrays without SEQNUM}."""
    steps, current = {}, None
    for array in arrays:
        if array[0] == "SEQNUM":
            current = steps.setdefault(array[2][0], [])
        else:
            current.append(array)
    return steps


class Summary:
    def __init__(self, base, consecutive=True):
        """consecutive: no time step is left out, as Flow does with those that it repeats."""
        spec = read(base + ".SMSPEC")
        self.head = {name: values for name, _, values in spec}
        self.keys = list(zip(self.head["KEYWORDS"], self.head["WGNAMES"], self.head["NUMS"]))
        self.rows, self.report = [], []  # values of a time step, and its report step
        report, step = 0, 0
        for name, _, values in read(base + ".UNSMRY"):
            if name == "SEQHDR":
                report = values[0]
            elif name == "MINISTEP":
                assert values == [step] or not consecutive, values
                step += 1
            else:
                assert name == "PARAMS" and len(values) == len(self.keys) == self.head["DIMENS"][0]
                self.rows.append(values)
                self.report.append(report)

    def index(self, keyword, who=":+:+:+:+", number=0):
        return self.keys.index((keyword, who, number))

    def vector(self, *key):
        n = self.index(*key)
        return [row[n] for row in self.rows]

    def unit(self, *key):
        return self.head["UNITS"][self.index(*key)]
