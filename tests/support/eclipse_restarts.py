"""Decks that begin with a report step of another run (RESTART), made from decks of flow.py; and files for them.

    later(deck, "BASE", 4)               SKIPREST: the schedule of the whole run
    forecast(deck, "BASE", 4, schedule)  the schedule from that report step on
"""
import struct

SIZE = {"INTE": "i", "REAL": "f", "DOUB": "d", "LOGI": "i"}


def _with(text, root, report, more=""):
    a, b = text.index("SOLUTION\n"), text.index("SUMMARY\n")
    return text[:a] + "SOLUTION\nRESTART\n '%s' %d /\n%s" % (root, report, more) + text[b:]


def later(deck, root, report, more=""):
    return _with(deck.text(), root, report, more).replace("SCHEDULE\n", "SCHEDULE\nSKIPREST\n").replace(
        "UNIFOUT\n", "UNIFOUT\nUNIFIN\n")


def forecast(deck, root, report, schedule, more=""):
    text = _with(deck.text(), root, report, more).replace("UNIFOUT\n", "UNIFOUT\nUNIFIN\n")
    return text[:text.index("SCHEDULE\n")] + "SCHEDULE\n" + schedule + "END\n"


def binary(arrays):
    """The bytes of a file of arrays (name, type, values) as eclipse_files.read gives them."""
    out = b""
    for name, kind, values in arrays:
        out += struct.pack(">i8si4si", 16, name.ljust(8).encode(), len(values), kind.encode(), 16)
        block = 105 if kind == "CHAR" else 1000
        for n in range(0, len(values), block):
            part = values[n:n + block]
            body = (b"".join(v.ljust(8).encode() for v in part) if kind == "CHAR"
                    else struct.pack(">%d%s" % (len(part), SIZE[kind]), *part))
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
