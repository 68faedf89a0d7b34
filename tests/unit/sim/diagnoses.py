"""Runs of small decks whose flow `hepta diagnose` describes, and what it says; for the tests of flow diagnostics."""
import csv
import os

import runs

DAY = runs.DAY
# One fluid in two colours, which nothing compresses: the mobility of both together is the same at every saturation.
FLUIDS = """
fluids = {
  water = { density = 1000.0; reference_pressure = 200.0; compressibility = 0.0; viscosity = 1.0; };
  oil = { density = 1000.0; reference_pressure = 200.0; compressibility = 0.0; viscosity = 1.0; };
};
saturation = { model = "corey"; swc = 0.0; sor = 0.0; krw_max = 1.0; kro_max = 1.0; nw = 1.0; no = 1.0; };
rock = { reference_pressure = 200.0; compressibility = 0.0; };
initial = { pressure = 200.0; saturation = 0.2; };
report = { every = 1.0; end = 1.0; };
timestep = { initial = 1.0; max = 1.0; accuracy = 0.0; };
newton = { tolerance_cnv = 1.0e-9; tolerance_mb = 1.0e-12; };
linear = { tolerance = 1.0e-9; };
output = { double = true; };
"""


class Diagnosis:
    """Of the run NAME: fields [nz][ny][nx], times in days; tables as lists and arrays."""

    def __init__(self, where, name, step="", arguments=()):
        done = runs.hepta("diagnose", name + (":%s" % step if step else ""), *arguments, where=where)
        assert done.returncode == 0, done.stdout + done.stderr
        self.said = done.stdout
        with runs.h5py.File(os.path.join(where, name + ".flow.h5"), "r") as f:
            at = f["steps/%06d" % f["step"][-1]]
            self.fields = {n: at[n][:] for n in at if isinstance(at[n], runs.h5py.Dataset)}
            self.units = {n: at[n].attrs.get("unit", "") for n in self.fields}
            self.ends = {side: [n.decode() for n in at[side + "/NAME"][:]] for side in ("sources", "sinks")}
            self.rates = {side: dict(zip(self.ends[side], at[side + "/RATE"][:])) for side in ("sources", "sinks")}
            self.volumes = {side: dict(zip(self.ends[side], at[side + "/" + column][:]))
                            for side, column in (("sources", "FLOODED"), ("sinks", "DRAINED"))}
            self.curve = {n: at["curve"][n][:] for n in at["curve"]} if "curve" in at else {}
            self.numbers = dict(at["curve"].attrs) if "curve" in at else {}
        with open(os.path.join(where, name + ".flow.csv"), newline="") as f:
            self.head, *self.rows = list(csv.reader(f))
        self.pairs = {(r[0], r[1]): [float(v) for v in r[2:]] for r in self.rows}


def make(where, text, name="case", arguments=()):
    """Runs the text of a deck."""
    path = os.path.join(where, name + ".cfg")
    with open(path, "w") as f:
        f.write(text)
    return runs.run(path, where, name=name, arguments=arguments)


def check_balance(checks, what, d, tolerance=2e-6):
    """Shares add up to one where anything flows, allocated rates to those of their ends, pore volumes of pairs to those of each side."""
    for side, head in (("sources", "from_"), ("sinks", "to_")):
        shares = [v for n, v in d.fields.items() if n.startswith(head)]
        whole = sum(s.astype(float) for s in shares)
        flows = whole != 0.0
        checks.true(what + ": something flows", flows.any())
        checks.near("%s: shares of %s" % (what, side), abs(whole[flows] - 1.0).max(), 0.0, tolerance)
        checks.true(what + ": no share below 0", min(s.min() for s in shares) >= 0.0)
        all_of_it = sum(d.rates[side].values())
        for end, rate in d.rates[side].items():
            own = sum(v[0] for pair, v in d.pairs.items() if pair[side == "sinks"] == end)
            checks.near("%s: allocation of %s" % (what, end), own / all_of_it, rate / all_of_it, tolerance)
            volume = sum(v[3] for pair, v in d.pairs.items() if pair[side == "sinks"] == end)
            checks.near("%s: pore volume of %s" % (what, end), volume, d.volumes[side][end], 5e-6 * sum(d.volumes[side].values()))
    checks.near(what + ": what enters leaves", sum(d.rates["sources"].values()), sum(d.rates["sinks"].values()),
                1e-9 * sum(d.rates["sinks"].values()))
