"""The examples of deck.md and writing-a-deck.md are decks: each is put into a small one, in place of the keys that it has, and read."""
import os
import re

import runs

BASE = {
    "grid": "grid = { size = [10, 10, 12]; dx = 20.0; dy = 20.0; dz = 5.0; top = 2000.0; porosity = 0.2; permx = 100.0; EXAMPLE };",
    "fluids": "fluids = { water = { density = 1000.0; viscosity = 0.5; }; oil = { density = 850.0; viscosity = 2.0; }; EXAMPLE };",
    "saturation": 'saturation = { model = "corey"; swc = 0.2; sor = 0.2; };',
    "initial": "initial = { datum_depth = 2000.0; datum_pressure = 200.0; contact_depth = 2100.0; };",
    "wells": "wells = ( %s );" % ", ".join('{ name = "%s"; type = "producer"; i = %d; j = 10; radius = 0.1; control = "bhp"; bhp = 150.0; }' % (name, 2 + 2 * n)
                                          for n, name in enumerate(("P", "P1", "P2", "P3"))),
    "report": "report = { end = 1000.0; every = 100.0; };"}
# what an example needs from its surroundings, or does not say
WITH = {"thresholds": 'regions = { equilibrium = { layers = ( { k = [1, 4]; value = 1; }, { k = [5, 8]; value = 2; }, { k = [9, 12]; value = 3; } ); }; };'
                      " initial = ( %s );" % ", ".join([BASE["initial"][len("initial = "):-1]] * 3)}
checks = runs.Checks()


def examples(text):
    """Blocks of lines with four blanks before them, or between fences, that are neither commands nor messages."""
    found = re.findall(r"^```libconfig\n(.*?)^```", text, re.M | re.S)
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.M):
        lines = [line[4:] for line in block.splitlines()]
        if re.match(r"[a-z_]+ *[=:] ", "\n".join(lines).strip()):
            found.append("\n".join(lines).strip())
    return found


def keys(text):
    """The keys of a text's first level."""
    depth, found = 0, []
    for word in re.findall(r'"[^"]*"|#[^\n]*|[({\[]|[)}\]]|[a-z_]+(?= *[=:])', text):
        if word in "({[":
            depth += 1
        elif word in ")}]":
            depth -= 1
        elif depth == 0 and word[0] not in '"#':
            found.append(word)
    return found


with runs.folder() as where, open(os.path.join(runs.SOURCE, "docs", "reference", "deck.md"), encoding="utf-8") as page, \
        open(os.path.join(runs.SOURCE, "docs", "guide", "writing-a-deck.md"), encoding="utf-8") as guide:
    inside = re.compile(r"^\| `(grid|fluids)\.(\w+)", re.M)
    text = page.read()
    group_of = {key: group for group, key in inside.findall(text)}
    found = examples(text) + examples(guide.read())
    checks.true("examples", len(found) >= 18, len(found))
    for example in found:
        own = keys(example)
        group = None if own[0] in BASE else group_of.get(own[0])
        parts = {name: part for name, part in BASE.items() if name not in own}
        for name in own:
            parts.update({"with": WITH[name]} if name in WITH else {})
        if "initial" in parts.get("with", ""):
            del parts["initial"]
        if group is None:
            parts["example"] = example
        else:
            for name in own:
                parts[group] = re.sub(r"\b%s = (\{.*?\}|[^;{]*); ?" % name, "", parts[group], count=1)
            parts[group] = parts[group].replace("EXAMPLE", "\n" + example + "\n")
        with open(os.path.join(where, "example.cfg"), "w") as f:
            deck = "\n".join(parts.values()).replace("EXAMPLE", "") + "\n"
            f.write(deck.replace("[10, 10, 12]", "[10, 10, 5]") if "regions" in own else deck)
        done = runs.hepta("check", "example.cfg", where=where)
        wrong = [line for line in done.stderr.splitlines() if re.match(r"example\.cfg:\d*:? (?!note:)", line) and
                 not re.search("no such file|not used with corner_point", line)]
        checks.true("example of " + " ".join(own), not wrong and (done.returncode == 0 or "no such file" in done.stderr), example + "\n" + done.stderr)
raise SystemExit(checks.result())
