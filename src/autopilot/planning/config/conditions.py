"""What `.planning/config.json` says of the conditions of checks: services, and less than the user's settings allow."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from autopilot.model.conditions import WIDTH, Conditions, Daemon, Reach
from autopilot.planning.config.reader import Reader
from autopilot.text.naming import name_some

SERVICES = ("verify", "services")
KNOWN_OF_SERVICE = ("start", "ready", "port", "ready_s", "env")
MOST_SERVICES = 8
LONGEST_READY_S = 300.0
LONGEST = 100_000  # bytes of all descriptions together: the kernel limits a word of a command line to 128 kB
MOST_NAMED = 5  # of a list that a message names
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
# The sandbox sets these itself, or they would choose which programs a check runs.
OURS = frozenset({"PATH", "HOME", "SHELL", "USER", "LOGNAME", "REPORT_FD", "BASH_ENV", "ENV"})
SETTINGS = "of your settings"

Name = TypeVar("Name", str, int)


class Wanted(Struct, frozen=True):
    """As the file says it; None where it says nothing."""

    services: tuple[Daemon, ...] = ()
    network: Reach | None = None
    ports: tuple[int, ...] | None = None
    env: tuple[str, ...] | None = None
    setup_env: tuple[str, ...] | None = None


def is_variable(name: str) -> bool:
    """Whether it may be given to a command by name: none that changes what the sandbox is."""
    return bool(VARIABLE.fullmatch(name)) and name not in OURS and not name.startswith("LD_")


def read_wanted(reader: Reader) -> Wanted:
    names = reader.mapping(*SERVICES)
    services = [_read_service(reader, name) for name in list(names)[:MOST_SERVICES]]
    for name in list(names)[MOST_SERVICES:]:
        reader.complain(f"is more than the {MOST_SERVICES} services that there may be: ignored", *SERVICES, name)
    network = reader.choice(tuple(Reach), "verify", "network")
    return Wanted(
        _limit_length(reader, tuple(service for service in services if service is not None)),
        Reach(network) if network else None,
        _ports(reader),
        _names(reader, "verify", "env"),
        _names(reader, "setup", "env"),
    )


def _limit_length(reader: Reader, services: tuple[Daemon, ...]) -> tuple[Daemon, ...]:
    if len(msgspec.json.encode(services)) <= LONGEST:
        return services
    reader.complain(f"is longer than {LONGEST:,} bytes, more than a command line takes: ignored", *SERVICES)
    return ()


def _read_service(reader: Reader, name: str) -> Daemon | None:
    keys = (*SERVICES, name)
    described = reader.mapping(*keys)
    start, ready = reader.text(*keys, "start"), reader.text(*keys, "ready")
    port = reader.number(*keys, "port", above_zero=True)
    problem = ""
    if not NAME.fullmatch(name):
        problem = "is no name of letters, digits, - and _: ignored"
    elif not start:
        problem = "has no `start`, the command that starts it: ignored"
    elif "\0" in start + ready:
        problem = "has a command with a NUL, which no shell takes: ignored"
    elif port > 65535:
        problem = f"has the port {port:.15g}, and there is none above 65535: ignored"
    elif not port.is_integer():
        problem = f"has the port {port:.15g}, which is not a whole number: ignored"
    elif not ready and not port:
        problem = "has neither `ready`, a command that succeeds when it is ready, nor `port`: ignored"
    elif unknown := [key for key in described if key not in KNOWN_OF_SERVICE]:
        reader.complain(f"is unknown (known: {', '.join(KNOWN_OF_SERVICE)}): ignored", *keys, unknown[0])
    if problem:
        reader.complain(problem, *keys)
        return None
    ready_s = reader.number(*keys, "ready_s", above_zero=True) or Daemon("", "").ready_s
    if ready_s > LONGEST_READY_S:
        reader.complain(f"is {ready_s:g}, above {LONGEST_READY_S:g}: {LONGEST_READY_S:g} is used", *keys, "ready_s")
    return Daemon(name, start, ready, int(port), min(ready_s, LONGEST_READY_S), _variables(reader, *keys, "env"))


def _variables(reader: Reader, *keys: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in reader.mapping(*keys).items():
        if not isinstance(value, str) or "\0" in value:
            reader.complain("is not a string: ignored", *keys, name)
        elif not is_variable(name):
            reader.complain("is a variable that no service may set: ignored", *keys, name)
        else:
            found[name] = value
    return found


def _ports(reader: Reader) -> tuple[int, ...] | None:
    written: Any = reader.mapping("verify").get("ports")
    if written is None:
        return None
    if not isinstance(written, list) or not all(type(port) is int and 0 < port < 65536 for port in written):
        reader.complain("is not a list of ports: ignored", "verify", "ports")
        return None
    return tuple(written)


def _names(reader: Reader, *keys: str) -> tuple[str, ...] | None:
    if keys[-1] not in reader.mapping(*keys[:-1]):
        return None
    return reader.texts(*keys)


def narrow_conditions(
    allowed: Conditions, wanted: Wanted, complain: Callable[[str], None] = lambda _: None
) -> Conditions:
    """A service runs where the checks run, so describing one widens nothing; all else can only become less."""
    network, ports = _narrow_network(allowed, wanted, complain)
    return Conditions(
        wanted.services,
        network,
        ports,
        _narrow_names("verify", allowed.env, wanted.env, complain),
        _narrow_names("setup", allowed.setup_env, wanted.setup_env, complain),
    )


def _narrow_network(
    allowed: Conditions, wanted: Wanted, complain: Callable[[str], None]
) -> tuple[Reach, tuple[int, ...]]:
    network = wanted.network or allowed.network
    if WIDTH[network] > WIDTH[allowed.network]:
        complain(
            f"verify.network is `{network}`, more than the `{allowed.network}` {SETTINGS}, which is used: "
            f'write network = "{network}" below [verify] in settings.toml, or remove it here'
        )
        network = allowed.network
    if network is Reach.OPEN and wanted.ports is None:
        return network, ()
    known = allowed.ports if network is Reach.LOOPBACK and allowed.network is Reach.LOOPBACK else ()
    if network is not Reach.NONE and allowed.network is Reach.OPEN:
        known = wanted.ports or ()
    if wanted.ports is not None:
        _refuse_ports(_not_in(wanted.ports, known), complain)
        known = tuple(port for port in known if port in wanted.ports)
    return (Reach.LOOPBACK if known else Reach.NONE), known


def _refuse_ports(refused: Collection[int], complain: Callable[[str], None]) -> None:
    if refused:
        named = name_some([str(port) for port in refused], MOST_NAMED)
        complain(f"verify.ports names {named}, which the [verify] ports {SETTINGS} do not: not reached by checks")


def _narrow_names(
    table: str, allowed: tuple[str, ...], wanted: tuple[str, ...] | None, complain: Callable[[str], None]
) -> tuple[str, ...]:
    if wanted is None:
        return allowed
    if refused := _not_in(wanted, allowed):
        named, given = (
            name_some([f"`{name[:100]}`" for name in refused], MOST_NAMED),
            "it is" if len(refused) == 1 else "they are",
        )
        complain(f"{table}.env names {named}, which the [{table}] env {SETTINGS} does not: {given} not given")
    return tuple(name for name in allowed if name in wanted)


def _not_in(wanted: Collection[Name], allowed: Collection[Name]) -> list[Name]:
    return [entry for entry in wanted if entry not in allowed]
