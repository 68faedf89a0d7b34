"""The program hepta: where it is, its arguments, and what it says when it fails."""
from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
from typing import Any, Iterable, Mapping


class HeptaError(Exception):
    """The program failed, or refused its deck or arguments.

    message    what it said
    exit_code  1: the run failed, 2: deck or arguments are wrong, 130: it was interrupted; None: it did not start
    events     those of the run (docs/reference/terminal.md)
    """

    def __init__(self, message: str, exit_code: int | None = None, events: Iterable[Mapping[str, Any]] = ()) -> None:
        super().__init__(message)
        self.message, self.exit_code, self.events = message, exit_code, list(events)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Faults and surprises, with files and lines where they are known."""
        return [Diagnostic(event) for event in self.events if event["event"] in ("error", "warning")]

    @property
    def go_on(self) -> str | None:
        """The command with which a run that stopped goes on, None: it cannot."""
        return next((event.get("go_on") for event in self.events if event["event"] == "end"), None)


class Interrupted(HeptaError):
    """The run was stopped by a signal; its files are complete up to its last step."""


class ProgramMissing(HeptaError):
    """There is no program hepta where it was looked for."""


class MissingPackage(ImportError):
    """A package that this needs is not installed."""


class Diagnostic:
    """A fault ("error") or a surprise ("warning") of a deck or a run: kind, text, file and line; these are None where unknown."""

    def __init__(self, event: Mapping[str, Any]) -> None:
        self.kind: str = event["event"]
        self.text: str = event["text"]
        self.file: str | None = event.get("file")
        self.line: int | None = event.get("line")

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        return "%s%s%s" % (place + ": " if place else "", "" if self.kind == "error" else "note: ", self.text)

    def __repr__(self) -> str:
        return "<%s %s>" % (self.kind, self)


def need(name: str, what: str) -> Any:
    """A package that is imported when it is used."""
    try:
        return __import__(name, fromlist=["_"])
    except ImportError:
        raise MissingPackage("%s needs the package %s: pip install %s" % (what, name.split(".")[0], name.split(".")[0])) from None


def find_program() -> str:
    """The path of the program: HEPTA of the environment, the one installed with this package, the one on PATH."""
    named = os.environ.get("HEPTA")
    if named:
        found = shutil.which(named)
        if found is None:
            raise ProgramMissing("the environment variable HEPTA names '%s', which is no program" % named)
        return found
    above = pathlib.Path(__file__).resolve().parents  # PREFIX/lib/python3/dist-packages/hepta/program.py
    places = [sysconfig.get_path("scripts"), str(pathlib.Path(sys.executable).parent), str(above[min(4, len(above) - 1)] / "bin")]
    for path in (os.pathsep.join(places), None):
        found = shutil.which("hepta", path=path)
        if found is not None:
            return found
    raise ProgramMissing("there is no program hepta on PATH: install it, or set the environment variable HEPTA to its path")


def version() -> str:
    """The program's version.

    >>> version().split(".")[0].isdigit()
    True
    """
    said = subprocess.run([find_program(), "--version"], stdout=subprocess.PIPE, check=True, text=True).stdout
    return said.split()[1]


def value_text(value: Any) -> str:
    """A value as decks write it.

    >>> value_text(True), value_text(1.5), value_text("gmres"), value_text([1, 2]), value_text({"max": 6}), value_text(None)
    ('true', '1.5', '"gmres"', '[1, 2]', '{ max = 6; }', '"none"')
    """
    if value is None:
        return '"none"'
    if hasattr(value, "tolist"):  # of numpy
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"%s"' % value.replace("\\", "\\\\").replace('"', '\\"')
    if isinstance(value, dict):
        return "{ %s }" % " ".join("%s = %s;" % (key, value_text(v)) for key, v in value.items())
    if isinstance(value, (list, tuple)):
        kinds = {bool if isinstance(v, bool) else int if isinstance(v, int) else type(v) for v in value}
        plain = len(kinds) <= 1 and not kinds & {list, tuple, dict}
        return ("[%s]" if plain else "( %s )") % ", ".join(value_text(v) for v in value)
    return repr(value)


def set_options(settings: Mapping[str, Any] | None) -> list[str]:
    """Options --set of a dictionary of keys of decks and their values."""
    return [word for key, value in (settings or {}).items() for word in ("--set", "%s=%s" % (key, value_text(value)))]


def deck_argument(deck: str | os.PathLike[str]) -> str:
    """A deck's path as an argument that is no option."""
    path = os.fspath(deck)
    return os.path.join(".", path) if path.startswith("-") else path
