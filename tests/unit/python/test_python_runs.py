"""hepta.run, start, check of the package for Python: the bits of `hepta run`, also where a run is stepped; errors and stops."""
import os
import pathlib
import signal
import sys

import python_package
import runs
from python_package import DECK, PRODUCER, content, write_deck

import hepta


def raised(call, kind=hepta.HeptaError):
    try:
        call()
    except kind as error:
        return error
    return None


def check_bits(checks, where):
    deck = write_deck(where)
    changed = DECK.replace("rate = 80.0; } );", 'rate = 80.0; }, { time = 60.0; well = "*2"; bhp = 120.5; }, { time = 60.0; '
                           'well = "IN 1"; rate = 70.0; } );\ngroups = ( { time = 60.0; liquid_rate = 65.0; } );\ntuning = ( { time = 60.0; max = 8.0; } );')
    for name, text in (("plain", DECK), ("told", changed)):
        done = runs.hepta("run", write_deck(where, name + ".cfg", text), "-q", where=where)
        checks.true("hepta run", done.returncode == 0, done.stderr)
    plain, told = (content(os.path.join(where, name)) for name in ("plain", "told"))
    here = os.getcwd()
    os.mkdir(os.path.join(where, "an other"))
    os.chdir(os.path.join(where, "an other"))
    result = hepta.run(pathlib.Path(deck), output="größe/mit Namen")
    checks.true("run: the bits", content("größe/mit Namen") == plain)
    checks.true("run: where the result is", result.path == os.path.join(where, "an other", "größe", "mit Namen.h5"), result.path)
    os.rename("größe", "-g")
    os.chdir("-g")
    os.rename(deck, "-n.cfg")
    checks.true("a deck that begins with -", hepta.run("-n.cfg", set={"report.end": 20.0}).times[-1] == 20.0)
    deck = os.path.abspath("-n.cfg")
    os.chdir(here)
    told_events = []
    with hepta.start(deck, output=os.path.join(where, "stepped"), stepping=True, progress=told_events.append) as run:
        for now in run.reports():
            state = run.result
            checks.true("at %g: the state" % now.time, state.times[-1] == now.time and len(state.steps) == now.report + 1, state.times)
            checks.true("at %g: the table" % now.time, now.report == 0 or state.vector("TIME")[-1] == now.time)
    checks.true("stepped without a word: the bits", content(os.path.join(where, "stepped")) == plain and run.exit_code == 0)
    checks.true("its reports", [e.time for e in told_events if e["event"] == "waits"] == [0, 20, 40, 60, 80])
    with hepta.start(deck, output=os.path.join(where, "changed"), stepping=True) as run:
        for now in run.reports():
            if now.time == 60:
                error = raised(lambda: run.change(PRODUCER, bhp=-1.0))
                checks.true("a change that is refused", error is not None and "must be > 0" in error.message, error)
                run.change("*2", bhp=120.5)
                run.change("IN 1", rate=70)
                run.change_group(liquid_rate=65.0, oil_rate=None)
                run.tune(max=8.0)
    checks.true("changed as the schedule does: the bits", content(os.path.join(where, "changed")) == told and told != plain)
    with hepta.start(deck, output=os.path.join(where, "again"), stepping=True, restart=os.path.join(where, "changed:%d" % run.result.steps[4])) as run:
        first = run.advance()
        checks.true("a stepped restart", first.time == 80 and first.report == 4, first)
        list(run.reports())
    checks.true("a restart: the table", content(os.path.join(where, "again"))["summary"] == told["summary"])
    return deck


def check_events(checks, where, deck):
    events = list(hepta.start(deck, output=os.path.join(where, "events")))
    checks.true("events", events[0]["event"] == "start" and events[-1]["event"] == "end" and events[0].wells == ["IN 1", PRODUCER], events[0])
    steps = [e.FOPR for e in events if e["event"] == "step"]
    column = hepta.open(os.path.join(where, "events")).vector("FOPR")
    checks.true("a vector of each step", len(steps) == len(column) > 5 and max(abs(column - steps)) < 1e-4 * max(column), (steps, column))
    checks.true("no such key", "has no 'nothing'" in str(raised(lambda: events[0].nothing, AttributeError)))
    silent = hepta.start(deck, output=os.path.join(where, "events"), stepping=True)
    checks.true("events of a stepping run that is not stepped", sum(e["event"] == "waits" for e in silent) == 5 and silent.exit_code == 0)
    checks.true("change before it waits", "stepping=True" in str(raised(lambda: silent.advance() or hepta.start(deck).change("X"), ValueError)))


def check_stops(checks, where, deck):
    base = os.path.join(where, "stopped")
    run = hepta.start(deck, output=base, set={"report.end": 1e5, "report.every": 1e3})
    for event in run:
        if event["event"] == "step" and event.step == 5:
            break
    run.close()
    checks.true("closed", run.exit_code == 130 and run.events[-1].status == "interrupted" and run.result.steps[-1] >= 5, run.events[-1])
    try:
        with hepta.start(deck, output=base, stepping=True) as run:
            run.advance()
            run.advance()
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        pass
    checks.true("an interrupt while it waits", run.exit_code == 130 and list(run.result.times) == [0.0, 20.0], run.events[-1])
    done = hepta.run(deck, output=base + "2", restart=base)
    checks.true("it goes on", content(base + "2")["summary"] == content(os.path.join(where, "plain"))["summary"] and done.times[-1] == 100.0)
    for sent, kind, code in ((signal.SIGTERM, hepta.Interrupted, 130), (signal.SIGKILL, hepta.HeptaError, -signal.SIGKILL)):
        run = hepta.start(deck, output=base, set={"report.end": 1e5, "report.every": 1e3})
        next(run)
        next(run)
        run._process.send_signal(sent)
        error = raised(run.wait, kind)
        checks.true("signal %d" % sent, error is not None and error.exit_code == code, error)
        checks.true("signal %d: how to go on" % sent, kind is hepta.HeptaError or "--restart" in (error.go_on or ""), error)


def check_errors(checks, where, deck):
    error = raised(lambda: hepta.run(deck, set={"grid.porosty": 0.2, "wells[1].bhp": -1.0}))
    found = [(d.kind, d.text) for d in error.diagnostics]
    checks.true("a wrong deck", error.exit_code == 2 and "did you mean" in error.message and any("must be > 0" in text for _, text in found), error)
    error = raised(lambda: hepta.run(os.path.join(where, "no such.cfg")))
    checks.true("no deck", error.exit_code == 2 and "no such.cfg: no such file" in error.message, error)
    error = raised(lambda: hepta.run(deck, options=["--nothing"]))
    checks.true("no such option", error.exit_code == 2 and "there is no option '--nothing'" in error.message, error)
    error = raised(lambda: hepta.run(deck, output=os.path.join(where, "failed"), set={
        "newton": {"max_iterations": 1, "min_iterations": 1}, "timestep.initial": 10.0, "timestep.min": 9.0, "linear.method": "gmres"}))
    checks.true("a run that fails", error.exit_code == 1 and "shorter than timestep.min" in error.message and
                any(e["event"] == "cut" for e in error.events) and "--restart" in error.go_on, error)
    environment = dict(os.environ)
    for name, path, why in (("/nowhere/hepta", environment["PATH"], "HEPTA names '/nowhere/hepta'"), ("", "/nowhere", "no program hepta on PATH")):
        os.environ.update(HEPTA=name, PATH=path)
        error = raised(lambda: hepta.run(deck), hepta.ProgramMissing)
        checks.true("no program", error is not None and why in str(error), error)
        os.environ.update(environment)
    checks.true("its version", runs.hepta("--version").stdout.split()[1] == hepta.version())


def check_check(checks, deck):
    found = hepta.check(deck)
    checks.true("a right deck", found.ok and not [d for d in found if d.kind == "error"] and "8 x 8 x 2 = 128 cells" in found.text, found.text)
    found = hepta.check(deck, set={"rock.colour": 1, "report.end": -5})
    checks.true("a wrong one", not found.ok and sorted(str(d) for d in found if d.kind == "error") == [
        "--set report.end=-5: -5 day: must be > 0", "--set rock.colour=1: unknown key"], list(found))
    text = DECK.replace("porosity = 0.2", "porosity = 2.0")
    wrong = write_deck(os.path.dirname(deck), "wrong.cfg", text)
    found = hepta.check(wrong)
    line = 1 + text[:text.index("porosity = 2.0")].count("\n")
    checks.true("file and line", [(d.file, d.line) for d in found if d.kind == "error"] == [(wrong, line)] and str(found[0]).startswith(wrong + ":%d: " % line), found)
    error = raised(lambda: hepta.check(deck, options=["--nothing"]))
    checks.true("no such option of check", error.exit_code == 2, error)


def check_launcher(checks, where, deck):
    """By two ranks, stepped."""
    mpirun = os.environ.get("HEPTA_MPIRUN")
    if not mpirun:
        return
    with hepta.start(deck, output=os.path.join(where, "ranks"), stepping=True, launcher=[mpirun, "-n", "2"]) as run:
        checks.true("by two ranks", [now.time for now in run.reports()] == [0, 20, 40, 60, 80], run.events)
    oil = [hepta.open(os.path.join(where, name)).vector("FOPT")[-1] for name in ("ranks", "plain")]
    checks.near("by two ranks: oil", oil[0], oil[1], 1e-3 * oil[1])


def check_bundled(checks, where):
    """An Eclipse deck, and one of hepta's own, that come with it."""
    result = hepta.run(runs.deck("FIVE_SPOT.DATA"), output=os.path.join(where, "FIVE"), set={"report.end": 30.0})
    checks.true("FIVE_SPOT.DATA", result.times[-1] == 30.0 and set(result.wells) == {"INJ", "P1", "P2", "P3", "P4"}, result.wells)
    result = hepta.run(runs.deck("buckley_leverett"), output=os.path.join(where, "bl"), set={"report.end": 50.0}, threads=1)
    checks.true("buckley_leverett.cfg", result.field("sw").values.max() > 0.5)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        where = os.path.realpath(where)
        deck = check_bits(checks, where)
        check_events(checks, where, deck)
        check_stops(checks, where, deck)
        check_errors(checks, where, deck)
        check_check(checks, deck)
        check_launcher(checks, where, deck)
        check_bundled(checks, where)
        checks.true("types", os.path.isfile(os.path.join(python_package.PACKAGE, "hepta", "py.typed")))
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
