"""What checks are given besides the code: services beside them, what they reach, variables of the user's."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct


class Reach(StrEnum):
    """What checks reach besides their own sandbox."""

    NONE = "none"
    LOOPBACK = "loopback"  # named ports of this machine
    OPEN = "open"  # any host, and every service of this machine


WIDTH = {Reach.NONE: 0, Reach.LOOPBACK: 1, Reach.OPEN: 2}


class Daemon(Struct, frozen=True):
    """A service that checks need. It runs beside each of them in the same sandbox, and begins anew for each."""

    name: str
    start: str  # a command of the shell, run in the project's folder
    ready: str = ""  # a command of the shell that succeeds as soon as it can be used
    port: int = 0  # of the sandbox: free before it starts; where no command says it, ready when it accepts connections
    ready_s: float = 30.0
    env: Mapping[str, str] = {}  # for the checks and all services


class Conditions(Struct, frozen=True):
    """The services are described by the repository; all else is what the user's settings allow."""

    services: tuple[Daemon, ...] = ()
    network: Reach = Reach.NONE
    ports: tuple[int, ...] = ()  # of this machine's loopback, with ``Reach.LOOPBACK``
    env: tuple[str, ...] = ()  # names of variables of the user's that checks are given
    setup_env: tuple[str, ...] = ()  # the same, of setup

    def describe_reach(self) -> str:
        """Why evidence is weaker: what checks may have asked outside of the tree; "" where that is nothing."""
        if self.network is Reach.OPEN:
            return "any host and every service of this machine"
        ports = ", ".join(f"127.0.0.1:{port}" for port in self.ports) if self.network is Reach.LOOPBACK else ""
        return f"{ports} of this machine" if ports else ""


# The project's own programs. Who works in a project has activated its environment: `python` is that of `.venv`, and so
# it is for commands. An agent must not gain a say in what a name means by that: the base of a run decides.


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
            for name, kind in sorted(here.programs.items())
            if (known[name] != kind if name in known else name in here.shadows)
        ),
        "",
    )
