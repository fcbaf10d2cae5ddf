"""The project's own programs: what setup installed in it, and where that stands among the programs of the machine.

Who works in a project has activated its environment: `python` is that of `.venv`. Commands are run as they would run
them. An agent must not gain a say in what a name means by that, so the base of a run decides.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Environment(Struct, frozen=True):
    """What the setup of one commit installed."""

    folder: str = ""  # the virtual environment, from the top of the project
    programs: Mapping[str, str] = {}  # of it, by name; each with what it is
    tools: tuple[str, ...] = ()  # folders of other programs: node_modules/.bin, vendor/bin
    shadows: tuple[str, ...] = ()  # names of ``programs`` that the machine has a program for as well


class SearchPath(Struct, frozen=True):
    """Folders of the project, from its top, among those in which programs are looked for."""

    first: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    environment: str = ""  # the virtual environment that is active
    usurped: str = ""  # the program for whose sake the environment stands last; "" where none is


def activate(at_base: Environment, here: Environment) -> SearchPath:
    """The search path of a command, by what setup made at the base of the run and what it made here.

    No name that led to a program at the base, the machine's or the environment's own, leads to another one here.
    """
    tools = tuple(folder for folder in here.tools if folder in at_base.tools)
    if not here.folder or here.folder != at_base.folder:
        return SearchPath(last=tools)
    place = f"{here.folder}/bin"
    if usurped := _find_usurped(at_base, here):
        return SearchPath(last=(place, *tools), usurped=usurped)
    return SearchPath(first=(place,), last=tools, environment=here.folder)


def describe_usurped(search: SearchPath) -> str:
    """Why a command did not find the project's own programs first; "" where it did, or there are none."""
    if not search.usurped:
        return ""
    return (
        f"{search.last[0]} is searched last, for after this work setup puts another {search.usurped} there than its "
        "name led to before"
    )


def _find_usurped(at_base: Environment, here: Environment) -> str:
    known = at_base.programs
    return next(
        (
            name
            for name, what in sorted(here.programs.items())
            if (known[name] != what if name in known else name in here.shadows)
        ),
        "",
    )
