"""A thousand random decks (random_decks.py) run to their end, with the mass balance closed and every limit of
wells and groups kept in every step, or told: some that once did not, and each fiftieth of the others; HEPTA_TEST_EVERY=1: all. Three
hundred more are incompressible (numbers below 0), two hundred have a tree of groups (numbers from TREES on),
two hundred incompressible rock and one incompressible fluid (from GIVE on). Decks that are refused at their start (REFUSED) are not well posed."""
import concurrent.futures
import os
import shutil
import sys

import random_decks
import runs

COUNT = 1000
ONCE = (32, 63, 74, 110, 127, 160, 171, 197, 335, 362, 489, 497, 20264, 20424, 20444, 20491, 20563, 20701, 20898, 20903, 20912,
        21064, 21074, 21097, 21303, 21311, 21371, 21568, 21805, 21845, 22328, 22433, 23092, 23191, 23395, 24184,
        24437, 24920, 25714,
        27907, 29455, 32107, 36064, 37176, 37499, 37950, 50082, 50430, 64120, 64897, 68198, 70735, 100292, 1000202, 1002803, 1004345)
RIGID = 300
TREES = 1000000
GIVE = 2000000
ONCE_RIGID = (8, 12, 17, 19, 22, 35, 36, 41, 47, 54, 58, 79, 88, 105, 107, 134, 139, 167, 169, 189, 201, 205, 214, 217, 248, 254,
              267, 284, 376, 416, 419, 498, 563, 571, 578, 594, 820, 896, 1137, 1173, 1205, 1339, 1406, 1418, 1453, 1478, 1556, 1583,
              1624, 1666, 1720, 1903, 1941, 1989, 98, 541, 565, 642, 1721, 1780, 1938, 2510, 2829, 3995, 4902, 5262,
              5695, 5800, 9697, 15523, 16390, 2677, 9164, 9401, 13313, 13635, 14952, 15226, 15788)
REFUSED = ("no positive well index: wellbore radius", "grid: no active cell")  # one in a thousand
NOTHING = 1e-3  # sm3/day
WELL = {"oil-rate": "WOPR", "water-rate": "WWPR", "liquid-rate": "WLPR"}
GROUP = {"oil_rate": "OPR", "water_rate": "WPR", "liquid_rate": "LPR", "reservoir_rate": "VPR", "injection_rate": "WIR",
         "injection_volume": "VIR", "reinjection": "WIR", "voidage": "VIR"}


def beyond_wells(deck, r, row, time):
    """(what, is, limit) of wells beyond a limit."""
    for well, c in deck.controls(time).items():
        is_shut = r.vector("WMCTL:" + well)[row] == "SHUT"
        rates = {"rate": ("WWIR" if c.get("phase") == "water" else "WOIR")} if c["injector"] else WELL
        for name, limit in c["limits"].items():
            if name == "bhp":
                bhp = r.vector("WBHP:" + well)[row]
                if not is_shut and (bhp - limit) * (1.0 if c["injector"] else -1.0) > 1.1e-6 * limit:
                    yield well + " bhp", bhp, limit
            elif name in rates and r.vector(rates[name] + ":" + well)[row] > limit * (1.0 + 1.2e-4) + 0.1 * NOTHING:
                yield well + " " + name, r.vector(rates[name] + ":" + well)[row], limit


def beyond_groups(deck, r, row, time):
    """The same of groups all of whose wells take part in what they ask for."""
    controls, groups = deck.controls(time), deck.groups(time)
    for group, (_, _, targets) in groups.items():
        flows = {}  # share of the group's time
        for well, c in controls.items():
            at, flows[well] = deck.group.get(well, "FIELD"), c["efficiency"]
            while at not in (group, "FIELD"):
                flows[well] *= groups[at][1]
                at = groups[at][0]
            if at != group:
                del flows[well]
        if not all(controls[w]["in_field"] and controls[w].get("phase", "water") == "water" for w in flows):
            continue
        for name, asked in targets.items():
            rate = {v: sum(e * r.vector("W%s:%s" % (v, w))[row] for w, e in flows.items()) for v in set(GROUP.values())}
            limit = asked * rate["VPR"] if name == "voidage" else asked * rate["WPR"] if name == "reinjection" else asked
            if rate[GROUP[name]] > limit * (1.0 + 2e-4) + NOTHING:
                yield "%s %s" % (group, name), rate[GROUP[name]], limit


def look(seed, where):
    """Lines about all that is wrong with the run of a seed."""
    gives = ("oil", "water")[seed % 2] if seed >= GIVE else None
    deck = random_decks.Deck(abs(seed), rigid=seed < 0 or seed >= GIVE, tree=TREES <= seed < GIVE, gives=gives)
    path = os.path.join(where, "deck%d" % seed)
    with open(path + ".cfg", "w") as f:
        f.write(deck.text)
    done = runs.hepta("run", path + ".cfg", "-o", path, "--threads", "1", "--progress", "never", "--set", "output.fields=false")
    if done.returncode == 2 and any(why in done.stderr for why in REFUSED):
        return []
    if done.returncode != 0:
        return ["deck %d: %s" % (seed, done.stderr.strip()[-500:])]
    r = runs.Result.__new__(runs.Result)  # without fields
    r.stdout, r.summary = done.stdout, runs.read_csv(path + ".summary.csv")
    place = [float(line.split()[4]) for line in done.stdout[done.stdout.index("Mass balance"):].splitlines()[1:3]]
    found = ["mass balance: %s" % e for e, v in zip(r.mass_balance_errors(), place) if e > 1e-6 and v > 1e-10 * sum(place)]
    for row, time in enumerate(r.vector("TIME")):
        for what, value, limit in list(beyond_wells(deck, r, row, time)) + list(beyond_groups(deck, r, row, time)):
            found.append("day %.6g: %s is %.8g, limit %.8g" % (time, what, value, limit))
    for name in os.listdir(where):
        if name.startswith("deck%d." % seed):
            full = os.path.join(where, name)
            shutil.rmtree(full) if os.path.isdir(full) else os.unlink(full)
    return ["deck %d: %s" % (seed, line) for line in found[:3]]


def main():
    checks = runs.Checks()
    seeds = [int(a) for a in sys.argv[1:]] or sorted(
        set(range(1, COUNT + 1, runs.every(50, 250))) | set(ONCE) | {-n for n in range(1, RIGID + 1, runs.every(50, 250))} |
        {-n for n in ONCE_RIGID} | {TREES + n for n in range(1, 201, runs.every(10, 50))} |
        {GIVE + n for n in range(1, 201, runs.every(20, 67))})
    with runs.folder() as where, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as team:
        for seed, found in zip(seeds, team.map(lambda seed: look(seed, where), seeds)):
            checks.true("deck %d" % seed, not found, "\n".join(found))
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
