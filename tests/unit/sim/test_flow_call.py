"""hepta under the names of OPM Flow's programs: results and NAME.PRT are where and as programs that start Flow look for them, options that
have a counterpart count, the others are noted; what is wrong is counted in NAME.PRT."""
import os
import re
import subprocess
import sys

import eclipse_files
import runs

# What ERT reads of a PRT file: messages and their number
MESSAGE = re.compile(r"^\s@--  ERROR\s+AT TIME\s+(\d+\.\d+)\s+DAYS\s+\((.+):\s*$(\s^\s@.+$)*", re.M)


def counted(text, what):
    found = re.findall(r"^\s*%s\s+(\d+)\s*$" % what, text, re.M)
    return int(found[-1]) if found else None


def call(where, name, *arguments):
    link = os.path.join(where, name)
    if not os.path.islink(link):
        os.symlink(runs.PROGRAM, link)
    return subprocess.run([link] + list(arguments), cwd=where, capture_output=True, text=True, timeout=600)


def prt(where, *path):
    with open(os.path.join(where, *path), encoding="utf-8") as f:
        return f.read()


def check_results(checks, where, text):
    with open(os.path.join(where, "five.data"), "w") as f:
        f.write(text)
    base = runs.hepta("run", "five.data", "-o", "BASE", "--set", "output.eclipse=true", "--threads", "1", where=where)
    done = call(where, "flow", "five", "--threads-per-process=1", "--linear-solver=ilu0", "--enable-terminal-output=false")
    checks.true("flow", base.returncode == done.returncode == 0, base.stderr + done.stderr)
    checks.true("an option that has no effect", done.stderr.count("note:") == 1 and "--linear-solver=ilu0: an option of Flow" in done.stderr and
                "day  oil" not in done.stderr and done.stdout == "", done.stderr + done.stdout)
    own, flow = (eclipse_files.Summary(os.path.join(where, name)) for name in ("BASE", "FIVE"))
    checks.true("the same summary", own.keys == flow.keys and own.rows == flow.rows, flow.keys)
    checks.true("files of Eclipse", all(os.path.exists(os.path.join(where, "FIVE." + e)) for e in ("EGRID", "INIT", "UNRST", "SMSPEC", "PRT")))
    text = prt(where, "FIVE.PRT")
    checks.true("PRT of a run", counted(text, "Errors") == counted(text, "Bugs") == 0 and "\nEnd of simulation\n" in text and not MESSAGE.search(text) and
                "Mass balance" in text and "report 1 of" in text, text[-1500:])
    checks.true("notes are counted", counted(text, "Warnings") == text.count(" @--WARNING") >= 1, text[:1500])
    for name, arguments in (("flowrun", ["--version", "daily", "five.data", "-np", "1", "--output-mode=none"]), ("hepta-flow", ["./five.data"])):
        os.remove(os.path.join(where, "FIVE.PRT"))
        done = call(where, name, "--output-dir=sub/" + name, *arguments)
        checks.true(name + ": in a folder", done.returncode == 0 and "End of simulation" in prt(where, "sub", name, "FIVE.PRT") and
                    not os.path.exists(os.path.join(where, "FIVE.PRT")), done.stderr)
        call(where, name, "five.data", "--output-mode=none")


def check_options(checks, where, text):
    done = call(where, "flow", "five.data", "--output-dir=o", "--tolerance-cnv=2e-3", "--tolerance-mb=3e-8", "--newton-max-iterations=9", "--threads-per-process=-1")
    command = prt(where, "o", "FIVE.PRT").split("\n")[0]
    checks.true("options with a counterpart", done.returncode == 0 and all(w in command for w in (
        "newton.tolerance_cnv=2e-3", "newton.tolerance_mb=3e-8", "newton.max_iterations=9")), command)
    with open(os.path.join(where, "ODD.DATA"), "w") as f:
        f.write(text.replace("SCHEDULE\n", "SCHEDULE\nNONSENSE\n 1 /\n", 1))
    for strictness, code in (("normal", 2), ("low", 0), ("high", 2)):
        done = call(where, "flow", "ODD", "--parsing-strictness=" + strictness, "--output-dir=" + strictness)
        checks.true("strictness " + strictness, done.returncode == code, done.stderr)
    checks.true("versions", call(where, "flowrun", "--report-versions").stdout.strip() == call(where, "flow", "--version").stdout.split()[1])
    checks.true("help", "usage: hepta-flow" in call(where, "flow", "--help").stdout)
    for arguments, words in (([], "which deck"), (["none"], "no such deck"), (["five", "ODD"], "one deck at a time"), (["five", "--tolerance-mb=x"], "tolerance_mb")):
        done = call(where, "flow", *arguments)
        checks.true("refused: " + words, done.returncode == 2 and words in done.stderr, done.stderr)


def check_errors(checks, where, text):
    with open(os.path.join(where, "BAD.DATA"), "w") as f:
        f.write(text.replace("OIL\n", "", 1).replace("SCHEDULE\n", "SCHEDULE\nNONSENSE\n 1 /\n", 1).replace("'P1' OPEN ORAT 60", "'P1' OPEN ORAT x", 1))
    with open(os.path.join(where, "BAD.PRT"), "w") as f:
        f.write("of another program\nErrors 0\nBugs 0\nEnd of simulation\n")
    done = call(where, "flow", "BAD")
    text_of = prt(where, "BAD.PRT")
    found = [m.group(0) for m in MESSAGE.finditer(text_of)]
    checks.true("errors of a deck", done.returncode == 2 and counted(text_of, "Errors") == len(found) >= 3 and counted(text_of, "Bugs") == 0 and
                any("NONSENSE: unknown keyword" in m for m in found) and "End of simulation" not in text_of, text_of)
    with open(os.path.join(where, "STOP.DATA"), "w") as f:
        f.write(text)
    done = subprocess.run([runs.PROGRAM, "run", "STOP.DATA", "-o", "STOP", "--log", "stop.prt", "--set", "newton.max_iterations=1", "--set", "timestep.min=0.2",
                           "--set", "timestep.initial=0.3", "-q"], cwd=where, capture_output=True, text=True, timeout=600)
    text_of = prt(where, "stop.prt")
    found = [m for m in MESSAGE.finditer(text_of)]
    checks.true("a run that stops", done.returncode == 1 and counted(text_of, "Errors") == len(found) == 1 and re.search(r"\d{4}-\d\d-\d\d", found[0].group(2)) and
                "End of simulation" not in text_of, text_of[-2000:] + done.stderr)


def main():
    checks = runs.Checks()
    with open(runs.deck("FIVE_SPOT.DATA")) as f:
        text = re.sub(r"11\*30.5 /", "2*30.5 /", f.read()).replace("12*30.5", "1*30.5")
    with runs.folder() as where:
        for part in (check_results, check_options, check_errors):
            part(checks, where, text)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
