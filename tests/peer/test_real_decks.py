"""Decks that others wrote, unchanged but for their SUMMARY and, where it says so, keywords that hepta does not have:
hepta and OPM Flow, both at small steps, to within a tenth of a percent of totals and of the field's pressure."""
import os
import re
import shutil
import subprocess
import sys

import flow
import runs

flow.need()
checks = runs.Checks(say=True)
VECTORS = ("FOPT", "FWPT", "FWIT", "FPR")


def without(*keywords):
    """The text without lists of records that end with a lone slash."""
    def edit(text):
        for name in keywords:
            text = re.sub(r"(?ms)^%s\s.*?^\s*/\s*$\n" % name, "", text)
        return text
    return edit


def last_multz(text):
    """Of several MULTZ behind each other the last: so they count, where Flow 2022.10 multiplies those of EDIT."""
    return re.sub(r"(?m)^MULTZ[^/]*/[^\n]*\n(?=MULTZ)", "", text)


def first_steps(count):
    """The first steps of TSTEP."""
    def edit(text):
        return re.sub(r"(?m)^(TSTEP[^\n]*\n)((?:\s*\d+){%d})[\s\d]*/" % count, r"\1\2 /", text)
    return edit


# (folder, step in days, limit of every vector, for Flow alone, for both)
DECKS = (
    ("mult2d_base", 10, 0.001, None, None),
    ("mult2d_edit1", 10, 0.001, None, None),
    ("mult2d_edit2", 10, 0.001, last_multz, None),
    ("mult2d_grid2_edit2", 10, 0.001, last_multz, None),
    ("mult3d_trans_grid", 10, 0.001, None, None),
    ("fieldopt_5spot", 0.02, 0.001, None, None),
    ("fieldopt_cube", 0.05, 0.003, None, None),
    ("fetkovich_2d", 5, 0.001, None, None),
    ("ow_ctaquifer", 5, 0.001, None, None),
    ("ert_eightcells", 10, 0.001, None, None),
    ("model6_msw", 2, 0.002, None, first_steps(4)),
    ("model6_base", 2, 0.002, None, first_steps(4)),
    ("model6_aquct", 2, 0.002, None, first_steps(6)),
    ("model6_rocktab", 2, 0.002, None, first_steps(4)),
)


def prepare(folder, name):
    """A copy of the deck's folder, and the text of the deck with a SUMMARY of its own."""
    source = runs.shared("data", "real", name)
    copy = os.path.join(folder, name)
    shutil.copytree(source, copy)
    subprocess.run(["chmod", "-R", "u+w", copy], check=True)
    path = [os.path.join(copy, f) for f in os.listdir(copy) if f.upper().endswith(".DATA")][0]
    with open(path, errors="replace") as f:
        text = f.read()
    return path, re.sub(r"(?ms)^SUMMARY\b.*?(?=^SCHEDULE\b)", "SUMMARY\n%s\n" % "\n".join(VECTORS), text)


def write(path, text, *edits):
    for edit in edits:
        text = edit(text) if edit is not None else text
    with open(path, "w") as f:
        f.write(text)


def differences(name, mine, theirs):
    """The largest of each vector at the times that both have; of water to no less than a twentieth of the oil."""
    table = runs.Table(mine.base + ".summary.csv")
    for v in VECTORS:
        times, values = flow.vector(theirs, v)
        size = max(abs(x) for x in values) or 1.0
        if v == "FWPT":
            size = max(size, 0.05 * max(flow.vector(theirs, "FOPT")[1]))
        at = {round(t, 3): x for t, x in zip(table["TIME"], table[v])}
        both = [(at[round(t, 3)], x) for t, x in zip(times, values) if round(t, 3) in at]
        assert len(both) >= 2, (name, v)
        yield v, max(abs(a - b) / size for a, b in both)


def compare(folder, name, step, limit, of_flow, of_both):
    path, text = prepare(folder, name)
    write(path, text, of_both, of_flow)
    out = flow.run_flow(path, os.path.join(folder, name + ".flow"), step, ("--tolerance-wells=1e-7",))
    write(path, text, of_both)
    mine = runs.run(path, folder, name=name, options=["timestep.max=%g" % step, "timestep.accuracy=0", "timestep.initial=%g" % min(0.5, step), "tuning=()",
                                                      "newton.tolerance_cnv=1e-3", "newton.tolerance_mb=1e-8"])
    worst = dict(differences(name, mine, os.path.join(out, os.path.basename(path)[:-5])))
    checks.true("%s: %s (limit %g %%)" % (name, ", ".join("%s %.3f %%" % (v, 100 * d) for v, d in worst.items()),
                                          100 * limit), max(worst.values()) < limit)
    return mine


only = sys.argv[1:]
with runs.folder() as folder:
    done = {}
    for deck in DECKS:
        if not only or deck[0] in only:
            done[deck[0]] = compare(folder, *deck)
    if "mult2d_base" in done and "mult2d_grid2_edit2" in done:
        fields = [runs.Table(done[name].base + ".summary.csv")["FOPT"] for name in ("mult2d_base", "mult2d_grid2_edit2")]
        checks.true("0.01 in GRID times 100 in EDIT is 1", fields[0] == fields[1])
sys.exit(checks.result())
