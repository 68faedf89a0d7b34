"""Expressions of quantities beside Python's own arithmetic, through a run of one step; texts that are faulty, too long or too deep are
refused with their place."""
import math
import os
import random
import re
import sys

import runs

DECK = """grid = { size = [4, 1, 1]; dx = 20.0; dy = 20.0; dz = 5.0; porosity = 0.2; permx = 100.0; };
fluids = { water = { density = 1000.0; viscosity = 0.5; }; oil = { density = 800.0; viscosity = 2.0; }; };
saturation = { model = "corey"; swc = 0.2; sor = 0.2; }; rock = { compressibility = 5e-5; };
initial = { pressure = 200.0; saturation = 0.3; };
wells = ( { name = "I"; type = "injector"; i = 1; j = 1; radius = 0.1; control = "rate"; rate = 2.0; },
          { name = "P1"; type = "producer"; i = 4; j = 1; radius = 0.1; control = "bhp"; bhp = 180.0; },
          { name = "P2"; type = "producer"; i = 3; j = 1; radius = 0.1; control = "bhp"; bhp = 190.0; } );
report = { every = 1.0; end = 1.0; }; timestep = { initial = 1.0; }; start = "2020-02-28";
"""
WELLS = {"I": 3.0, "P1": -2.5, "P2": None}  # of WUA; P2 has no value
FUNCTIONS = {"ABS": abs, "EXP": math.exp, "LN": math.log, "LOG": math.log10, "NINT": lambda x: float(math.floor(abs(x) + 0.5)) * (1 if x >= 0 else -1)}


def grow(rng, depth):
    """An expression as the deck has it, and as Python has."""
    kind = rng.randrange(8) if depth > 0 else 0
    if kind <= 1:
        x = rng.choice(("%d", "%.3f", "%.4e")) % rng.uniform(0.1, 9)
        return x, x
    a, b = grow(rng, depth - 1), grow(rng, depth - 1)
    if kind <= 4:
        of = rng.choice("+-*/^")
        return "%s %s %s" % (a[0], of, b[0]), "%s %s %s" % (a[1], of.replace("^", "**"), b[1])
    if kind == 5:
        return "-%s" % a[0], "-%s" % a[1]
    if kind == 6:
        name = rng.choice(list(FUNCTIONS))
        return "%s(%s)" % (name, a[0]), "%s(%s)" % (name, a[1])
    return "(%s)" % a[0], "(%s)" % a[1]


def value(text):
    """None: there is no value."""
    try:
        x = eval(text, {"__builtins__": {}}, FUNCTIONS)
    except (ZeroDivisionError, OverflowError, ValueError):
        return None
    return x if not isinstance(x, complex) and math.isfinite(x) and abs(x) < 1e30 else None


def run_all(where, expressions, more=""):
    """Values after the step of expressions, FU0, FU1, ..."""
    lists = "".join('{ name = "FU%d"; define = "%s"; },\n' % (n, e) for n, e in enumerate(expressions))
    path = os.path.join(where, "deck.cfg")
    with open(path, "w", encoding="utf-8") as f:
        f.write(DECK + more + 'quantity_undefined = -999.0;\nquantities = ( { name = "WUA"; assign = 3.0; of = "I"; },\n'
                '{ name = "WUA"; assign = -2.5; of = ["P1"]; },\n' + lists + '{ name = "FULAST"; assign = 1.0; } );\n')
    found = runs.run(path, where, ["output.vectors=[%s]" % ",".join('"FU%d"' % n for n in range(len(expressions))) if expressions else "title=x"])
    table = runs.read_csv(found.base + ".summary.csv")
    return [table["FU%d" % n][-1] for n in range(len(expressions))], table


def check_numbers(checks, where):
    rng, texts = random.Random(4), []
    while len(texts) < 300:
        one = grow(rng, 4)
        if value(one[1]) is not None:
            texts.append(one)
    found, _ = run_all(where, [t[0] for t in texts])
    odd = [(t[0], value(t[1]), x) for t, x in zip(texts, found) if abs(x - value(t[1])) > 1e-9 * max(1e-3, abs(value(t[1])))]
    checks.true("300 expressions are Python's", not odd, odd[:3])


def check_sets(checks, where):
    """By hand, of 3, -2.5 and none."""
    cases = {"SUM(WUA)": 0.5, "AVEA(WUA)": 0.25, "MAX(WUA)": 3, "MIN(WUA)": -2.5, "NORM1(WUA)": 5.5, "NORM2(WUA)": math.sqrt(15.25),
             "NORMI(WUA)": 3, "PROD(WUA)": -7.5, "AVEG(ABS(WUA))": math.sqrt(7.5), "AVEH(ABS(WUA))": 2 / (1 / 3 + 1 / 2.5), "SUM(IDV(WUA))": 2,
             "SUM(DEF(WUA))": 2, "SUM(UNDEF(WUA))": 1, "SUM(SORTA(WUA) * WUA)": 3.5, "SUM(SORTD(WUA) * WUA)": -2, "WUA 'P1'": -2.5,
             "SUM(WUA 'P*')": -2.5, "SUM(WUA 'I' 'P1')": 0.5, "WUA 'P2'": -999, "1 / 0": -999, "1 / (WUA 'P2')": -999, "LN(0 - 1)": -999,
             "SUM(WUA UADD 1)": 3.5, "SUM(WUA UMUL 2)": 3, "SUM(WUA UMAX 0)": 3, "SUM(WUA UMIN 0)": -2.5, "SUM(WUA > 0)": 1,
             "2 < 3": 1, "2 >= 3": 0, "2 != 2.0001": 0, "2 == 2.01": 0, "1 + 2 < 4": 1, "2 ^ 3 ^ 2": 512, "-2 ^ 2": -4, "7 - 2 - 1": 4,
             "TIME": 1, "DAY": 29, "MNTH": 2, "YEAR": 2020, "TUNEAR[1.4]": 10, "TUNEAR[1.6]": 20, "TUNEAR[9]": 30, "TUFLAT[9]": 30, "TUFLAT[1.5]": 15,
             "TULINE[5]": 50, "TULINE[0]": 0, "1.5D1": 15}
    table = "".join('{ name = "%s"; how = "%s"; points = [1.0, 2.0, 3.0]; values = [10.0, 20.0, 30.0]; },' % x
                    for x in (("TUNEAR", "nearest"), ("TUFLAT", "constant"), ("TULINE", "linear")))
    found, table = run_all(where, list(cases), "quantity_tables = ( %s );\n" % table[:-1])
    for (text, expected), x in zip(cases.items(), found):
        checks.near(text, x, expected, 1e-9 * max(1, abs(expected)))
    vectors = {"FOPR": "FOPR", "WBHP 'P1'": "WBHP:P1", "SUM(WWPR)": "FWPR", "SUM(WOPT 'P*')": "FOPT", "FPR": "FPR"}
    found, table = run_all(where, list(vectors))
    for (text, name), x in zip(vectors.items(), found):
        checks.near(text, x, table[name][-1], 1e-9 * max(1, abs(x)))


def check_faults(checks, where):
    define = {"1 +": "it ends where", "FOPR FWPR": "an operator or the end", "SUM WOPR": "argument in brackets", "(1": "a ')' is missing",
              "RANDN(1)": "random numbers", "1 / + 2": "a '+' without", "SUM(WOPR + GOPR)": "wells on one side and groups", "FNONE": "no such vector",
              "FUNONE": "there is no quantity", "TUNO[1]": "there is no table", "WOPR": "is one number: SUM", "RPR 9": "region", "BPR 1 2": "cell, I J K",
              "CUX": "CU quantities are not supported", "WOPR 'P1": "not closed", "(" * 60 + "1" + ")" * 60: "inside each other", "1" + "+1" * 2500: "characters",
              "-" * 60 + "1": "inside each other", "system('x')": "operator or the end", "1; 2": "a quantity of at most", "`ls`": "quantity", "1" + "+1" * 600: "parts"}
    condition = {"FOPR": "one of > <", "FOPR > 1 AND": "it ends", "WWCT 'X' > 1": None, "( FOPR > 1": "missing", "FOPR > 1 FWPR > 2": "AND, OR",
                 "FOPR + 1 > 2": "expected"}
    for kind, cases in (("define", define), ("condition", condition)):
        for text, expected in cases.items():
            entry = ('quantities = ( { name = "FUX"; define = "%s"; } );' if kind == "define" else
                     'actions = ( { name = "A"; condition = "%s"; does = "well P1 status=shut"; } );') % text
            path = os.path.join(where, "faulty.cfg")
            with open(path, "w", encoding="utf-8") as f:
                f.write(DECK + entry + "\n")
            done = runs.hepta("check", path)
            if expected is None:
                checks.true(text, done.returncode == 0 and "can never hold" in done.stderr and "no well is meant by 'X'" in done.stderr, done.stderr)
            else:
                checks.true(text[:40], done.returncode == 2 and expected in done.stderr and re.search(r"faulty.cfg:\d+", done.stderr), done.stderr)


ACTION = 'actions = ( { name = "A"; condition = "%s"; does = %s; } );'


def check_lists(checks, where):
    """Entries of the lists that are at fault, and those that do nothing."""
    quantity, table = 'quantities = ( { name = "%s"; %s } );', 'quantity_tables = ( { %s } );'
    faults = {
        quantity % ("FUX", 'define = "1"; assign = 2.0;'): "give one of define, assign and update",
        quantity % ("FUX", ""): "says nothing: give define, assign or update",
        quantity % ("FUX", 'define = "1"; of = "P1";'): "is for assign",
        quantity % ("FUX", 'assign = 1.0; of = [""];'): "a name has 1 to",
        quantity % ("FUX", 'assign = 1.0; unit = "%s";' % ("m" * 40)): "unit: at most",
        quantity % ("XUX", "assign = 1.0;"): "a quantity's name begins with FU, WU or GU",
        quantity % ("FUX", 'define = "WMCTL \'P1\'";'): "WMCTL is no number",
        table % 'name = "TUX"; values = [1.0];': "points is missing: numbers of the table",
        table % 'name = "TUX"; points = [1.0, 2.0]; values = [1.0];': "2 points and 1 values",
        table % 'name = "TUX"; points = [2.0, 1.0]; values = [1.0, 2.0];': "points must rise",
        table % 'name = "X"; points = [1.0]; values = [1.0];': "a table's name begins with TU",
        'actions = ( { name = "A"; condition = "FOPR > 1"; } );': "does is missing",
        ACTION % ("FOPR > 1", '"well NO status=shut"'): "action A: 'well NO status=shut'",
        ACTION % ("FOPR > 1", '"well P1 statuss=shut"'): "action A: 'well P1 statuss=shut'",
        ACTION % ("FOPR > 1", "( 5 )"): "must be text in quotes",
        'quantities = ( { name = "GUX"; assign = 1.0; } ); wells = ( { name = "P"; type = "producer"; i = 1; j = 1; radius = 0.1; '
        'control = "liquid-rate"; liquid_rate = "GUX"; } );': "GUX belongs to groups"}
    notes = {ACTION % ("FOPR > 1", '"well ? status=shut"'): "is about no well: its condition asks for none", ACTION % ("FOPR > 1", "()"): "nothing is done when it runs"}
    path = os.path.join(where, "lists.cfg")
    for cases, code in ((faults, 2), (notes, 0)):
        for entry, expected in cases.items():
            with open(path, "w", encoding="utf-8") as f:
                f.write((DECK[:DECK.index("wells = (")] + DECK[DECK.index("report = "):] if "wells = (" in entry else DECK) + entry + "\n")
            done = runs.hepta("check", path)
            checks.true(entry[:90], done.returncode == code and expected in done.stderr and re.search(r"lists.cfg:\d+", done.stderr), done.stderr)
    with open(path, "w", encoding="utf-8") as f:
        f.write(DECK.replace('start = "2020-02-28";', "") + ACTION % ("DAY > 1", '"well P1 status=shut"') + "\n")
    done = runs.hepta("check", path)
    checks.true("no date", done.returncode == 2 and "DAY needs the date of time zero: give start" in done.stderr, done.stderr)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        check_numbers(checks, where)
        check_sets(checks, where)
        check_faults(checks, where)
        check_lists(checks, where)
    return checks.result()


sys.exit(main())
