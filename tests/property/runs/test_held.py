"""Cells without flow, without a well and without compressibility: reported, kept in place, solved with any preconditioner.

7 x 5 x 2 cells, all incompressible, two wells at a bhp in i = 1 .. 4. Cells of permeability 0 at i = 5 are alone,
i = 6 .. 7 is a group of its own, where water lies over oil and sinks.
"""
import sys

import numpy

import runs

DECK = """
grid = { size = [7, 5, 2]; dx = 10.0; dy = 10.0; dz = 2.0; top = 1500.0; porosity = 0.2; permx = 200.0; permz = 20.0;
  boxes = ( %s ); };
fluids = {
  water = { density = 1000.0; reference_pressure = 150.0; viscosity = 0.5; };
  oil = { density = 800.0; reference_pressure = 150.0; viscosity = 1.5; };
};
saturation = { model = "corey"; swc = 0.2; sor = 0.2; krw_max = 0.6; };
rock = { reference_pressure = 150.0; compressibility = %g; };
initial = { pressure = 150.0; saturation = { layers = ( { k = 1; value = 0.7; }, { k = 2; value = 0.2; } ); }; };
%s
report = { every = 10.0; end = 40.0; };
timestep = { initial = 0.5; max = 5.0; accuracy = 1.0; target_newton = 50; };
"""
ONE = "{ i = 3; j = 3; k = 1; set = { permx = 0.0; permz = 0.0; }; }"
WALL = "{ i = 5; set = { permx = 0.0; permz = 0.0; }; }"
WELLS = """wells = (
  { name = "INJ"; type = "injector"; i = 1; j = 1; radius = 0.1; control = "rate"; rate = 5.0; bhp = 1000.0; },
  { name = "PROD"; type = "producer"; i = 4; j = 5; radius = 0.1; control = "bhp"; bhp = 100.0; },
  { name = "SHUT"; type = "producer"; i = 7; j = 5; radius = 0.1; status = "shut"; }
);"""
SOLVERS = (["linear.preconditioner=dilu"], ["linear.preconditioner=dilu", "linear.precision=double"],
           ["linear.preconditioner=cpr"], ["linear.preconditioner=cpr", "linear.cpr.weights=quasi-impes"],
           ["linear.preconditioner=block-jacobi", "linear.max_iterations=1000"])
WORDS = "no well and no compressibility: the pressure there is held"


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        def run(name, boxes, rock=0.0, wells=WELLS, options=(), arguments=()):
            path = "%s/%s.cfg" % (where, name)
            with open(path, "w") as f:
                f.write(DECK % (boxes, rock, wells))
            options = ["output.double=true", "newton.tolerance_cnv=1e-6", "linear.tolerance=1e-6"] + list(options)
            r = runs.run(path, where, options, name, arguments)
            worst = max(r.mass_balance_errors())
            checks.true("%s %s: mass balance" % (name, options), worst < 1e-6, "%.1e" % worst)
            return r

        def start(r):
            """Oil and water in place at the start, as the report has them."""
            lines = r.stdout[r.stdout.index("Mass balance"):].splitlines()[1:3]
            return [float(line.split()[1]) for line in lines]

        whole = run("whole", "")
        checks.true("a well holds the pressure: nothing is reported", WORDS not in whole.stderr, whole.stderr)
        for options in SOLVERS:
            r = run("one", ONE, options=options)
            reported = "cell (3,3,1) has no flow to the rest (its permeability is 0), " + WORDS
            checks.true("one cell is reported", reported in r.stderr, r.stderr)
            checks.true("one cell stays in place", start(r) == start(whole), start(r))
            checks.near("and keeps its pressure", r.field("pressure")[0, 2, 2], 150e5, 1.0)
            checks.near("and its saturation", r.field("sw")[0, 2, 2], 0.7, 1e-12)
        checked = runs.hepta("check", where + "/one.cfg")
        checks.true("check reports it, too", "note     cell (3,3,1) has no flow" in checked.stdout, checked.stdout)

        # 10 cells alone and a group of 20, against one that gives way a little and needs no help.
        soft = run("soft", WALL, 1e-9, options=["linear.preconditioner=dilu", "linear.precision=double"])
        checks.true("compressible cells are left alone", WORDS not in soft.stderr, soft.stderr)
        for options in SOLVERS:
            r = run("groups", WALL, options=options)
            reported = ("30 cells in 11 groups, the first with cell (5,1,1), have no flow to the rest "
                    "(its permeability is 0), ")
            checks.true("groups are reported", reported + WORDS in r.stderr, r.stderr)
            checks.true("groups stay in place", start(r) == start(whole), start(r))
            moved = r.field("sw")[:, :, 5:] - r.field("sw", 0)[:, :, 5:]
            checks.true("water sinks in the group", (moved[1] > 0.05).all() and (moved[0] < -0.05).all(), moved)
            away = numpy.abs(r.field("sw") - soft.field("sw")).max()
            checks.near("%s: saturations as with a little compressibility" % options, away, 0.0, 1e-4)
            checks.near("the held cell keeps its pressure", r.field("pressure")[0, 0, 5], 150e5, 10.0)
        bits = [runs.datasets(run("bits", WALL, arguments=["--threads", n]).base + ".h5") for n in ("1", "2")]
        checks.true("the same bits with one thread and two", bits[0] == bits[1])
        jacobian = run("jacobian", WALL, arguments=["--check-jacobian"])
        checks.true("the Jacobian is right elsewhere", "they agree" in jacobian.stdout + jacobian.stderr,
                    jacobian.stdout + jacobian.stderr)
        alone = run("alone", "", wells="wells = ();")
        checks.true("a field without wells", "70 cells in 1 group, the first with cell (1,1,1), have" in alone.stderr,
                    alone.stderr)
        checks.true("where water sinks", (alone.field("sw")[1] > alone.field("sw", 0)[1] + 0.05).all())
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
