"""Runs: started, followed by their events, stepped from report time to report time, stopped."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from typing import Any, Callable, Iterable, Iterator, List, Mapping, Union

from .program import Diagnostic, HeptaError, Interrupted, deck_argument, find_program, set_options, value_text
from .results import Result


Path = Union[str, "os.PathLike[str]"]
Progress = Union[None, bool, Callable[["Event"], Any]]


class Event(dict):
    """An event of the program (docs/reference/terminal.md), whose keys are attributes, too.

    >>> Event({"event": "step", "time": 12.5}).time
    12.5
    """

    def __getattr__(self, key: str) -> Any:
        try:
            return self[key]
        except KeyError:
            raise AttributeError("an event '%s' has no '%s'; it has %s" % (self["event"], key, ", ".join(self))) from None


def _print_progress(event: Event) -> None:
    if event["event"] == "report":
        print("%6.1f %%  time %g  oil %.6g  water cut %.4f" % (100.0 * event["report"] / event["reports"], event["time"],
                                                               event["FOPR"], event["FWCT"]), flush=True)


class Run:
    """A run of the program: an iterator over its events. hepta.start() makes it.

    Leaving `with`, or close(), stops it cleanly: it finishes its time step, and its files are complete.
    """

    def __init__(self, arguments: list[str], stepping: bool = False, progress: Progress = None, launcher: Iterable[str] = ()) -> None:
        self.events: list[Event] = []
        self.exit_code: int | None = None
        self.waiting: Event | None = None
        self._stepping, self._stopped, self._said = stepping, False, ""
        self._results: str | None = None
        self._tell = _print_progress if progress is True else progress
        self.command = [*launcher, find_program(), "run"] + arguments + ["--json", "--quiet"] + (["--control", "-"] if stepping else [])
        self._errors = tempfile.TemporaryFile()
        # in a session of its own: Ctrl-C reaches this process alone, which stops the run
        self._process = subprocess.Popen(self.command, stdin=subprocess.PIPE if stepping else subprocess.DEVNULL,
                                         stdout=subprocess.PIPE, stderr=self._errors, start_new_session=True)

    # ---- events ----

    def _read(self) -> Event | None:
        """The next event, None: there are no more."""
        line = self._process.stdout.readline()
        if not line.endswith(b"\n"):
            self._end()
            return None
        try:
            event = Event(json.loads(line))
        except ValueError:
            if not self._stopped:
                raise
            return Event(event="torn")  # a line that Ctrl-C has interrupted
        self.events.append(event)
        self.waiting = event if event["event"] == "waits" else None if event["event"] != "refused" else self.waiting
        if event["event"] == "start":
            self._results = os.path.abspath(event["results"])
        if self._tell is not None:
            self._tell(event)
        return event

    def _end(self) -> None:
        if self.exit_code is None:
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            self.exit_code = self._process.wait()
            self._errors.seek(0)
            self._said = self._errors.read().decode("utf-8", "replace").strip()
            self._errors.close()

    def _check(self) -> None:
        if self.exit_code == 0 or self._stopped:
            return
        kind = Interrupted if self.exit_code == 130 else HeptaError
        lines = [str(Diagnostic(event)) for event in self.events if event["event"] == "error"]
        message = self._said or "\n".join(lines) or "hepta ended by signal %d" % -self.exit_code
        raise kind(message, self.exit_code, self.events)

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        event = self._read() if self.exit_code is None else None
        if event is None:
            self._check()
            raise StopIteration
        if event["event"] == "waits":
            self._say("continue")
        return event

    def wait(self) -> Result:
        """Reads all events and returns the result. A failure is an exception: HeptaError."""
        for _ in self:
            pass
        return self.result

    @property
    def result(self) -> Result:
        """The result as far as it has been written; when the run waits, up to that time."""
        while self._results is None and self._read() is not None:
            pass
        if self._results is None:
            self._check()
            raise HeptaError("the run has written no result", self.exit_code, self.events)
        return Result(self._results + ".h5")

    # ---- stepping ----

    def _say(self, line: str) -> None:
        try:
            self._process.stdin.write((line + "\n").encode())
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError):  # it has ended: its events say how
            pass

    def _need_waiting(self, what: str) -> None:
        if not self._stepping:
            raise ValueError("%s: start the run with stepping=True" % what)
        if self.waiting is None:
            raise ValueError("%s: the run does not wait: it has not begun, or has come to its end" % what)

    def advance(self) -> Event | None:
        """Goes on to where the run waits next, the start or a report time, and returns that event; None: it has ended."""
        if not self._stepping:
            raise ValueError("advance: start the run with stepping=True")
        if self.waiting is not None:
            self.waiting = None
            self._say("continue")
        while self.exit_code is None:
            event = self._read()
            if event is not None and event["event"] == "waits":
                return event
        self._check()
        return None

    def reports(self) -> Iterator[Event]:
        """Steps through the run: an event "waits" at the start and at each report time but the last.

        for now in run.reports():
            if now.time >= 100:
                run.change("P1", bhp=150)
        """
        while True:
            event = self.advance()
            if event is None:
                return
            yield event

    def _change(self, kind: str, name: str | None, keys: Mapping[str, Any]) -> None:
        self._need_waiting("change")
        where = self.waiting
        words = [kind] + ([] if name is None else [value_text(name)]) + ["%s=%s" % (k, value_text(v)) for k, v in keys.items()]
        self._say(" ".join(words))
        event = self._read()
        while event is not None and event["event"] not in ("change", "refused"):
            event = self._read()
        if event is None:
            self._check()
            raise HeptaError("the run has ended", self.exit_code, self.events)
        self.waiting = where
        if event["event"] == "refused":
            raise HeptaError(event["text"], None, [event])

    def change(self, well: str, **keys: Any) -> None:
        """Asks a well, or all that fit a pattern, for something else from now on: keys of the deck's `schedule`, in its units.

        run.change("P*", control="bhp", bhp=150.0)

        HeptaError: the program refuses it and says why; the run still waits, and goes on without it.
        """
        self._change("well", well, keys)

    def change_group(self, group: str = "FIELD", **keys: Any) -> None:
        """Gives a group these targets from now on, and no others: keys of the deck's `groups`.

        run.change_group("FIELD", liquid_rate=300.0)
        """
        self._change("group", group, keys)

    def tune(self, **keys: Any) -> None:
        """Changes the control of time steps from now on: keys of the deck's `tuning`.

        run.tune(max=5.0, initial=0.1)
        """
        self._change("tuning", None, keys)

    # ---- the end ----

    def close(self) -> None:
        """Stops the run, if it goes on, and waits until its files are complete."""
        if self.exit_code is not None:
            return
        self._stopped = True
        if self.waiting is not None:
            self._say("stop")
        elif self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        while self._read() is not None:
            if self.waiting is not None:
                self._say("stop")

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_process", None) is not None:
            self.close()


def start(deck: Path, set: Mapping[str, Any] | None = None, output: Path | None = None, restart: Path | None = None,
          threads: int | None = None, options: Iterable[str] = (), stepping: bool = False, progress: Progress = None,
          launcher: Iterable[str] = ()) -> Run:
    """Starts a run and returns it: an iterator over its events (docs/reference/terminal.md).

    deck      a file, hepta's own or Eclipse's
    set       {"timestep.max": 6, ...}: keys of the deck that are overridden (docs/reference/deck.md)
    output    path and base name of the results (default: the deck's name in the current folder; "FOLDER/" takes it there)
    restart   "NAME" or "NAME:STEP" of an earlier result
    options   further ones of `hepta run`, such as ["--backend", "cuda"]
    stepping  it waits at the start and at each report time (Run.reports, Run.change)
    progress  True: a line for each report time; a function: is called with each event
    launcher  words before the program's, such as ["mpirun", "-n", "4"]

    for event in hepta.start("case.cfg"):
        if event["event"] == "step":
            print(event.time, event.FWCT)
    """
    arguments = [deck_argument(deck)] + set_options(set)
    for option, value in (("--output", output), ("--restart", restart), ("--threads", threads)):
        if value is not None:
            arguments += [option, str(value)]
    return Run(arguments + [str(option) for option in options], stepping, progress, launcher)


def run(deck: Path, set: Mapping[str, Any] | None = None, output: Path | None = None, restart: Path | None = None,
        threads: int | None = None, options: Iterable[str] = (), progress: Progress = None, launcher: Iterable[str] = ()) -> Result:
    """Runs a deck and returns its result (hepta.open); the arguments are those of start(). A failure is an exception: HeptaError."""
    with start(deck, set, output, restart, threads, options, progress=progress, launcher=launcher) as going:
        return going.wait()


class Diagnostics(List[Diagnostic]):
    """Of check(): a list of Diagnostic; `ok`: the deck can be run; `text`: what a run would do."""

    def __init__(self, found: Iterable[Diagnostic], ok: bool, text: str) -> None:
        super().__init__(found)
        self.ok, self.text = ok, text


def check(deck: Path, set: Mapping[str, Any] | None = None, options: Iterable[str] = ()) -> Diagnostics:
    """Finds faults and surprises of a deck; nothing is run.

    for found in hepta.check("case.cfg"):
        print(found.kind, found.file, found.line, found.text)
    """
    command = [find_program(), "check", deck_argument(deck)] + set_options(set) + [str(option) for option in options] + ["--json"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    events, said = [Event(json.loads(line)) for line in done.stdout.splitlines()], done.stderr.decode("utf-8", "replace")
    found = [Diagnostic(event) for event in events if event["event"] in ("error", "warning")]
    if done.returncode not in (0, 2) or (done.returncode == 2 and not found):
        raise HeptaError(said.strip(), done.returncode, events)
    return Diagnostics(found, done.returncode == 0, said if done.returncode == 0 else "")
