"""Random decks that use all that a deck can say: block-centred grids and corner points with faults, rock over orders of
magnitude, tables and formulas of fluids and rock, regions, capillary pressure, end points, aquifers, wells of every control
with limits, crossflow, schedules that open, shut and convert them, targets of groups, every system of units.

    d = random_decks.Deck(7)              # or rigid=True: rock and fluids are incompressible, but the one that `gives`; tree=True: groups below FIELD
    d.text                                # the deck; results come in metric units
    d.controls(100.0)                     # what the wells are asked for at that time, in metric units
    d.groups(100.0)                       # and the groups: {name: (parent, efficiency, targets)}
    d.group["W1"]                         # where a well is
"""
import random

# Metric units of the deck over those of its system.
LENGTH, TIME, PRESSURE, VISCOSITY, PERMEABILITY, DENSITY, VOLUME = range(7)
SYSTEMS = {
    "metric": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    "field": (1.0 / 0.3048, 1.0, 14.5037737730, 1.0, 1.0, 0.0624279606, 6.28981077),
    "lab": (100.0, 24.0, 0.986923267, 1.0, 1.0, 1e-3, 1e6),
    "si": (1.0, 86400.0, 1e5, 1e-3, 9.869232667160e-16, 1.0, 1.0)}
PRODUCES = ("bhp", "oil-rate", "water-rate", "liquid-rate", "reservoir-rate")
INJECTS = ("bhp", "rate", "reservoir-rate")


def key_of(control):
    return control.replace("-", "_")


class Deck:
    def __init__(self, seed, rigid=False, tree=False, gives=None):
        self.rng = random.Random(seed)
        self.gives = gives  # the fluid of a rigid deck that is compressible, None: neither
        self.rigid, self.tree, self.group = rigid, tree, {}
        self.units = self.rng.choice(["metric", "metric", "metric", "field", "lab", "si"])
        self.scale = SYSTEMS[self.units]
        self.events = []  # (time, well, control)
        self.targets = []  # (time, targets)
        self.text = self.write(seed)

    # ---- numbers ----

    def chance(self, p):
        return self.rng.random() < p

    def amount(self, low, high):
        """Spread evenly over the orders of magnitude."""
        return low * (high / low) ** self.rng.random()

    def number(self, value, *units):
        """As the deck has it: of units (what, power), the powers of metric ones."""
        for what, power in units:
            value *= self.scale[what] ** power
        return "%#.9g" % value

    def length(self, v):
        return self.number(v, (LENGTH, 1))

    def time(self, v):
        return self.number(v, (TIME, 1))

    def pressure(self, v):
        return self.number(v, (PRESSURE, 1))

    def per_pressure(self, v):
        return self.number(v, (PRESSURE, -1))

    def viscosity(self, v):
        return self.number(v, (VISCOSITY, 1))

    def rate(self, v):
        """Of liquid. Surface and reservoir volumes of oil and water have one unit in all systems."""
        return self.number(v, (VOLUME, 1), (TIME, -1))

    def array(self, values, unit=None):
        return "[" + ", ".join(self.number(v, *([(unit, 1)] if unit is not None else [])) for v in values) + "]"

    def integers(self, values):
        return "[" + ", ".join(str(v) for v in values) + "]"

    # ---- grid ----

    def corner_points(self):
        """Pillars that lean a little, layers of changing thickness, a fault along j whose throw is several layers, or none."""
        nx, ny, nz = self.n
        lean = (self.rng.uniform(-0.2, 0.2), self.rng.uniform(-0.2, 0.2)) if self.chance(0.4) else (0.0, 0.0)
        coord = []
        for y in self.y:
            for x in self.x:
                coord += [x, y, 1900.0, x + 400.0 * lean[0], y + 400.0 * lean[1], 2300.0]
        throw = [0.0] * nx
        for i in range(1, nx):
            throw[i] = throw[i - 1] + (self.rng.uniform(-25.0, 25.0) if self.chance(0.3) else 0.0)
        slope = [self.rng.uniform(-0.05, 0.05), self.rng.uniform(-0.05, 0.05)]
        zcorn = []
        for k in range(nz):
            for side in (0, 1):
                for j in range(2 * ny):
                    for i in range(2 * nx):
                        x, y = self.x[(i + 1) // 2], self.y[(j + 1) // 2]
                        zcorn.append(2000.0 + slope[0] * x + slope[1] * y + throw[i // 2] + sum(self.z[:k + side]))
        return " corner_point = { coord = %s; zcorn = %s; };\n" % (self.array(coord, LENGTH), self.array(zcorn, LENGTH))

    def box(self):
        nx, ny, nz = self.n
        dip = self.rng.uniform(-0.05, 0.05) if self.chance(0.5) else 0.0
        tops = [2000.0 + dip * 0.5 * (self.x[i] + self.x[i + 1]) for _ in range(ny) for i in range(nx)]
        steps = lambda edges: [b - a for a, b in zip(edges, edges[1:])]
        thick = [v for v in self.z for _ in range(nx * ny)]
        return " dx = %s; dy = %s; dz = %s;\n top = %s;\n" % (
            self.array([steps(self.x)[i] for _ in range(ny * nz) for i in range(nx)], LENGTH),
            self.array([steps(self.y)[j] for _ in range(nz) for j in range(ny) for i in range(nx)], LENGTH),
            self.array(thick, LENGTH), self.array(tops, LENGTH))

    def grid(self):
        rng = self.rng
        self.n = rng.randint(1, 6), rng.randint(1, 6), rng.randint(1, 5)
        nx, ny, nz = self.n
        if nx * ny == 1:
            self.n = nx, ny, nz = 5, 1, nz
        self.cells = nx * ny * nz
        edges = lambda n, low, high: [sum(part[:m]) for part in [[self.amount(low, high) for _ in range(n)]] for m in range(n + 1)]
        self.x, self.y = edges(nx, 20.0, 120.0), edges(ny, 20.0, 120.0)
        self.z = [self.amount(1.0, 20.0) for _ in range(nz)]
        spread = rng.choice([0.3, 1.0, 2.5])
        middle = self.amount(5.0, 1000.0)
        permx = [middle * 2.718281828 ** rng.gauss(0.0, spread) for _ in range(self.cells)]
        if self.chance(0.1):
            permx = [0.0 if self.chance(0.05) else k for k in permx]
        across = 10.0 ** rng.uniform(-3.0, 0.0)
        self.active = [1] * self.cells
        if self.chance(0.3):
            self.active = [0 if self.chance(0.08) else 1 for _ in range(self.cells)]
        text = "grid = {\n size = [%d, %d, %d];\n" % self.n + (self.corner_points() if self.chance(0.5) else self.box())
        text += " porosity = %s;\n permx = %s;\n permz = %s;\n active = %s;\n" % (
            self.array([min(0.4, max(0.02, rng.gauss(0.2, 0.05))) for _ in permx]), self.array(permx, PERMEABILITY),
            self.array([across * k for k in permx], PERMEABILITY), self.integers(self.active))
        if self.chance(0.3):
            text += " ntg = %s;\n" % self.array([rng.uniform(0.3, 1.0) for _ in permx])
        for name in ("multx", "multy", "multz"):
            if self.chance(0.15):
                text += " %s = %s;\n" % (name, self.array([rng.choice([0.0, 0.1, 0.5, 1.0, 1.0, 1.0, 2.0]) for _ in permx]))
        return text + "};\n"

    # ---- rock and fluids ----

    def fluid(self, table):
        rng = self.rng
        squeeze = lambda v, phase: 0.0 if self.rigid and phase != self.gives else v
        b_oil, c_oil = rng.uniform(1.0, 1.3), squeeze(self.amount(2e-5, 3e-4), "oil")
        text = ("{ water = { density = %s; reference_pressure = %s; formation_volume_factor = %.6g; compressibility = %s; "
                "viscosity = %s; };\n  " % (self.number(rng.uniform(1000.0, 1120.0), (DENSITY, 1)), self.pressure(200.0),
                                          rng.uniform(1.0, 1.05), self.per_pressure(squeeze(self.amount(3e-5, 6e-5), "water")),
                                          self.viscosity(rng.uniform(0.25, 1.0))))
        text += "oil = { density = %s; " % self.number(rng.uniform(750.0, 950.0), (DENSITY, 1))
        thick = self.amount(0.3, 30.0)
        if table:
            rows, b, mu = [], b_oil, 0.8 * thick
            for p in (50.0, 150.0, 250.0, 400.0, 700.0):
                rows.append("[%s, %#.7g, %s]" % (self.pressure(p), b, self.viscosity(mu)))
                b *= 1.0 - rng.uniform(0.001, 0.02)
                mu *= rng.uniform(1.02, 1.1)
            return text + "table = ( %s ); }; }" % ", ".join(rows)
        return text + ("reference_pressure = %s; formation_volume_factor = %.6g; compressibility = %s; viscosity = %s; "
                       "viscosibility = %s; }; }" % (self.pressure(200.0), b_oil, self.per_pressure(c_oil), self.viscosity(thick),
                                                     self.per_pressure(squeeze(rng.choice([0.0, 1e-4]), "oil"))))

    def saturation(self):
        rng = self.rng
        swc, sor, pc = rng.uniform(0.05, 0.25), rng.uniform(0.05, 0.3), rng.choice([0.0, 0.0, rng.uniform(0.05, 1.5)])
        model = rng.choice(["corey", "let", "brooks-corey", "van-genuchten", "table"])
        if model == "table":
            rows = []
            for n in range(7):
                e = n / 6.0
                rows.append("[%#.6g, %#.6g, %#.6g, %s]" % (swc + e * (1.0 - swc - sor), 0.5 * e ** 2.5, 0.9 * (1.0 - e) ** 2.0,
                                                       self.pressure(pc * (1.0 - e) ** 2)))
            return '{ model = "table"; table = ( %s ); }' % ", ".join(rows)
        text = '{ model = "%s"; swc = %.6g; sor = %.6g; krw_max = %.6g; kro_max = %.6g; pc_entry = %s; ' % (
            model, swc, sor, rng.uniform(0.2, 0.9), rng.uniform(0.5, 1.0), self.pressure(pc))
        return text + {"corey": "nw = %.6g; no = %.6g;" % (rng.uniform(1.0, 4.0), rng.uniform(1.0, 4.0)),
                       "let": "lw = 2.0; ew = 2.5; tw = 1.2; lo = 1.9; eo = 2.4; to = 1.9;",
                       "brooks-corey": "lambda = %.6g; pc_max = %s;" % (rng.uniform(0.8, 4.0), self.pressure(5.0)),
                       "van-genuchten": "m = %.6g; pc_max = %s;" % (rng.uniform(0.4, 0.8), self.pressure(5.0))}[model] + " }"

    def rock(self):
        if self.rigid:
            return "{ compressibility = 0.0; }"
        if self.chance(0.2):
            rows = ", ".join("[%s, %#g, %#g]" % (self.pressure(p), v, t) for p, v, t in
                             ((50.0, 0.95, 0.7), (150.0, 0.985, 0.9), (200.0, 1.0, 1.0), (350.0, 1.02, 1.1)))
            return "{ table = ( %s ); irreversible = %s; }" % (rows, self.rng.choice(["true", "false"]))
        return "{ reference_pressure = %s; compressibility = %s; }" % (self.pressure(200.0),
                                                                      self.per_pressure(self.amount(1e-6, 1e-4)))

    def properties(self):
        rng = self.rng
        many = {name: 2 if self.chance(0.25) else 1 for name in ("saturation", "pvt", "rock", "equilibrium")}
        if self.rigid:
            many["pvt"] = 1  # what flows between two changes its volume, and nothing gives way
        table = not self.rigid and self.chance(0.35)
        text = "fluids = ( %s );\n" % ", ".join(self.fluid(table) for _ in range(many["pvt"]))
        text += "saturation = ( %s );\n" % ", ".join(self.saturation() for _ in range(many["saturation"]))
        text += "rock = ( %s );\n" % ", ".join(self.rock() for _ in range(many["rock"]))
        initial = []
        for _ in range(many["equilibrium"]):
            initial.append("{ datum_depth = %s; datum_pressure = %s; contact_depth = %s; accuracy = %d; }" % (
                self.length(2000.0), self.pressure(rng.uniform(150.0, 300.0)),
                self.length(rng.choice([1950.0, 2010.0, 2020.0, 2100.0])), rng.choice([0, 0, -5])))
        text += "initial = ( %s );\n" % ", ".join(initial)
        nx, ny, nz = self.n
        half = [1 if m % nx < (nx + 1) // 2 else 2 for m in range(self.cells)]
        layer = [1 if m // (nx * ny) < (nz + 1) // 2 else 2 for m in range(self.cells)]
        number = {"saturation": layer, "pvt": half, "rock": half, "equilibrium": half}
        regions = {name: number[name] for name, count in many.items() if count > 1}
        used = set(half)
        if any(set(r) != {1, 2} for r in regions.values()) or (many["pvt"] > 1 and many["equilibrium"] == 1):
            regions = {name: r for name, r in regions.items() if set(r) == {1, 2} and name != "pvt"}
        if regions:
            text += "regions = { %s };\n" % " ".join("%s = %s;" % (name, self.integers(r)) for name, r in regions.items())
        if self.chance(0.2):
            text += "endpoints = { swl = %s; };\n" % self.array([rng.uniform(0.05, 0.25) for _ in range(self.cells)])
        if self.chance(0.3) and not self.rigid:
            text += self.aquifer()
        return text

    def aquifer(self):
        kind = self.rng.choice(["fetkovich", "carter-tracy", "flux"])
        faces = 'faces = ( { i = 1; face = "i-"; inner = true; } );'
        if kind == "flux":
            return 'aquifers = ( { type = "flux"; flux = %s; %s } );\n' % (
                self.number(self.rng.uniform(-0.001, 0.02), (VOLUME, 1), (TIME, -1), (LENGTH, -2)), faces)
        text = 'aquifers = ( { type = "%s"; datum_depth = %s; compressibility = %s; ' % (kind, self.length(2010.0),
                                                                                      self.per_pressure(8e-5))
        if kind == "fetkovich":
            return text + "volume = %s; productivity = %s; %s } );\n" % (
                self.number(self.amount(1e5, 1e7), (VOLUME, 1)),
                self.number(self.amount(0.1, 50.0), (VOLUME, 1), (TIME, -1), (PRESSURE, -1)), faces)
        return text + "permeability = %s; porosity = 0.2; radius = %s; thickness = %s; angle = 90.0; %s } );\n" % (
            self.number(self.amount(10.0, 1000.0), (PERMEABILITY, 1)), self.length(500.0), self.length(20.0), faces)

    # ---- wells ----

    def column(self):
        """Cells of a well, upright or along i, and the direction of its bore."""
        nx, ny, nz = self.n
        for _ in range(100):
            i, j, k = self.rng.randint(1, nx), self.rng.randint(1, ny), self.rng.randint(1, nz)
            if self.chance(0.7):
                first = self.rng.randint(1, k)
                cells = [(i, j, m, "z") for m in range(first, k + 1)]
            else:
                cells = [(m, j, k, "x") for m in range(1, i + 1)]
            cells = [c for c in cells if self.active[c[0] - 1 + nx * (c[1] - 1 + ny * (c[2] - 1))]]
            if cells and (i, j) not in self.taken:
                self.taken.add((i, j))
                return cells
        return None

    def control(self, injector):
        """A target, perhaps limits of other rates, and mostly one of the bhp; of an injector always one that rock would bear."""
        rng = self.rng
        c = {"injector": injector, "control": rng.choice(INJECTS if injector else PRODUCES), "limits": {}}
        for name in INJECTS if injector else PRODUCES:
            if name != "bhp" and (name == c["control"] or self.chance(0.2)):
                c["limits"][name] = self.amount(1.0, 1000.0)
        if c["control"] == "bhp" or self.chance(0.75):
            c["limits"]["bhp"] = rng.uniform(200.0, 480.0) if injector else rng.uniform(20.0, 180.0)
        elif injector:
            c["limits"]["bhp"] = 500.0
        if injector:
            c["phase"] = rng.choice(["water"] * 5 + ["oil"])
        return c

    def controlled(self, c):
        text = 'control = "%s"; ' % c["control"]
        for name, value in c["limits"].items():
            text += "%s = %s; " % (key_of(name), self.pressure(value) if name == "bhp" else self.rate(value))
        return text + ('phase = "%s"; ' % c["phase"] if c["injector"] else "")

    def well(self, n):
        cells = self.column()
        if cells is None:
            return None
        injector = self.chance(0.4)
        c = self.control(injector)
        c["open"] = not self.chance(0.1)
        c["in_field"] = not self.chance(0.15)
        c["efficiency"] = self.rng.uniform(0.5, 1.0) if self.chance(0.15) else 1.0
        name = "W%d" % n
        self.events.append((0.0, name, c))
        text = '{ name = "%s"; type = "%s"; radius = %s; skin = %.1f; cells = ( %s ); crossflow = %s; status = "%s"; ' % (
            name, "injector" if injector else "producer", self.length(self.rng.uniform(0.05, 0.2)),
            self.rng.choice([-1.0, 0.0, 2.0]), ", ".join('(%d, %d, %d, "%s")' % cell for cell in cells),
            "true" if self.chance(0.6) else "false", "open" if c["open"] else "shut")
        if self.tree:
            self.group[name] = self.rng.choice(self.names[1:])
            text += 'group = "%s"; ' % self.group[name]
        text += "in_field = %s; efficiency = %.6g; " % ("true" if c["in_field"] else "false", c["efficiency"])
        if self.chance(0.2):
            text += "guide_rate = %s; " % self.rate(self.amount(1.0, 100.0))
        if self.chance(0.2):
            text += "reference_depth = %s; " % self.length(self.rng.uniform(1980.0, 2050.0))
        self.economic = self.economic or (not injector and self.chance(0.1))
        if not injector and self.economic and self.chance(0.5):
            text += 'max_water_cut = %.3g; workover = "%s"; ' % (self.rng.uniform(0.5, 0.98),
                                                               self.rng.choice(["well", "perforation", "below"]))
        return text + self.controlled(c) + "}"

    def event(self, time):
        """A change of one well: shut, opened, another control, another job, another index."""
        name = self.rng.choice(sorted({w for _, w, _ in self.events}))
        last = [c for _, w, c in self.events if w == name][-1]
        what = self.rng.random()
        head = '{ time = %s; well = "%s"; ' % (self.time(time), name)
        if what < 0.15:
            return head + "multiply_index = %.4g; }" % self.amount(0.3, 4.0)
        if what < 0.4:
            c = dict(last, open=what >= 0.27)
            self.events.append((time, name, c))
            return head + 'status = "%s"; }' % ("open" if c["open"] else "shut")
        c = self.control(last["injector"] if what < 0.75 else not last["injector"])
        if c["injector"] == last["injector"]:
            c["limits"] = dict(last["limits"], **c["limits"])
        c.update(open=True, in_field=last["in_field"], efficiency=last["efficiency"])
        self.events.append((time, name, c))
        return head + 'type = "%s"; ' % ("injector" if c["injector"] else "producer") + self.controlled(c) + "}"

    def asked(self):
        targets = {}
        if self.chance(0.7):
            for name in ("oil_rate", "water_rate", "liquid_rate", "reservoir_rate"):
                if self.chance(0.35):
                    targets[name] = self.amount(1.0, 500.0)
        if self.chance(0.7):
            name = self.rng.choice(["voidage", "voidage", "reinjection", "injection_rate", "injection_volume"])
            targets[name] = self.rng.uniform(0.5, 1.3) if name in ("voidage", "reinjection") else self.amount(1.0, 500.0)
        return targets

    def entry(self, time, name, parent, efficiency, asked):
        text = "{ time = %s; " % self.time(time)
        if self.tree and name != "FIELD":
            text += 'name = "%s"; parent = "%s"; efficiency = %.6g; ' % (name, parent, efficiency)
        return text + "".join("%s = %s; " % (k, "%.6g" % v if k in ("voidage", "reinjection") else self.rate(v))
                              for k, v in asked.items()) + "}"

    def tree_of_groups(self):
        """Each group is in one of those named before it, and may change its place and targets once."""
        for n, name in enumerate(self.names):
            for t in [0.0] + ([round(self.rng.uniform(0.1, 0.9) * self.end, 2)] if self.chance(0.3) else []):
                asked = self.asked() if self.chance(0.5) else {}
                self.targets.append((t, name, self.rng.choice(self.names[:n] or ["FIELD"]),
                                     self.rng.uniform(0.5, 1.0) if n > 0 and self.chance(0.2) else 1.0, asked))
        return "groups = ( %s );\n" % ",\n ".join(self.entry(*e) for e in self.targets)

    def write(self, seed):
        rng = self.rng
        text = 'title = "random %d"; units = "%s";\n' % (seed, self.units) + self.grid() + self.properties()
        self.taken, self.economic = set(), False
        self.names = ["FIELD"] + ["G%d" % n for n in range(rng.randint(2, 5))] if self.tree else ["FIELD"]
        wells = [w for w in (self.well(n) for n in range(rng.randint(3, 8) if self.tree else rng.randint(1, 5))) if w is not None]
        if not wells:
            self.active = [1] * self.cells
            wells = [self.well(0)]
        text += "wells = ( %s );\n" % ",\n ".join(wells)
        self.end = rng.choice([100.0, 1000.0, 3000.0])
        if self.tree:
            text += self.tree_of_groups()
        elif self.chance(0.35):
            times = [0.0] + ([round(rng.uniform(0.1, 0.9) * self.end, 2)] if self.chance(0.3) else [])
            self.targets = [(t, "FIELD", "FIELD", 1.0, self.asked()) for t in times]
            text += "groups = ( %s );\n" % ", ".join(self.entry(*e) for e in self.targets)
        times = sorted(round(rng.uniform(0.0, 0.95) * self.end, 2) for _ in range(rng.choice([0, 1, 2, 4])))
        if times:
            text += "schedule = ( %s );\n" % ",\n ".join(self.event(t) for t in times)
        text += "report = { end = %s; every = %s; };\n" % (self.time(self.end), self.time(self.end / rng.randint(2, 6)))
        return text + 'output = { double = true; units = "metric"; restart = 0; vectors = ["WVPR", "WVIR"]; };\n'

    # ---- what it asks for ----

    def controls(self, time):
        """The control of each well that holds in a step ending at `time`."""
        return {w: c for t, w, c in self.events if t < time * (1.0 - 1e-9) or t == 0.0}

    def groups(self, time):
        found = {"FIELD": ("FIELD", 1.0, {})}
        for t, name, *rest in sorted(self.targets, key=lambda e: e[0]):
            if t < time * (1.0 - 1e-9) or t == 0.0:
                found[name] = rest
        return found


if __name__ == "__main__":
    import sys
    print(Deck(int(sys.argv[1]), "rigid" in sys.argv).text, end="")
