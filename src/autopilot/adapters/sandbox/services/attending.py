"""A command with services beside it: how it is spelled, and what its end means."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from autopilot.adapters.sandbox.report import open_descriptor
from autopilot.adapters.sandbox.services import inside
from autopilot.model.conditions import Conditions, Reach
from autopilot.model.egress import Egress
from autopilot.model.secrecy.redaction import Redactor
from autopilot.ports.sandbox import CommandSpec, DaemonLost, DaemonRun, Ended, Exited, NeverRan, Profile

SHOWN_LINES = 3
SHOWN_CHARS = 300  # of one line that a service printed
FLOOD = 10 << 20  # bytes from which on a service prints more than anyone reads
LONGEST_REPORT = 1 << 20  # bytes: what a service printed last, and what its probe did, are a part of that
MOST_LINES = 16
UNKNOWN = "what became of the services is not known: the program that started them was ended from inside"


class _Problem(Struct, frozen=True):
    name: str
    kind: str
    detail: str = ""
    last: str = ""
    printed: int = 0


class _Line(Struct, frozen=True):
    ready: tuple[tuple[str, int], ...] | None = None
    problem: _Problem | None = None
    printed: tuple[int, ...] | None = None


def grant(spec: CommandSpec, granted: Mapping[str, str], allowed: Conditions | None = None) -> CommandSpec:
    """With the variables of the user's that it names, as far as they are set, and allowed to its kind today."""
    may_have = spec.grants if allowed is None else _grants_of(allowed, spec.profile)
    given = {name: granted[name] for name in spec.grants if name in granted and name in may_have}
    return replace(spec, env={**given, **spec.env}) if given else spec


def _grants_of(allowed: Conditions, profile: Profile) -> tuple[str, ...]:
    return {Profile.VERIFY: allowed.env, Profile.SETUP: allowed.setup_env}.get(profile, ())


def limit(spec: CommandSpec, allowed: Conditions | None) -> CommandSpec:
    """A check, with no more to reach than is allowed today: its run keeps the conditions that it began with."""
    if spec.profile is not Profile.VERIFY or allowed is None or allowed.network is Reach.OPEN:
        return spec
    ports = tuple(port for port in (spec.egress.local_ports if spec.egress else ()) if port in allowed.ports)
    return replace(spec, network=False, egress=Egress(local_ports=ports, is_proxied=False) if ports else None)


def attend(spec: CommandSpec) -> tuple[int, CommandSpec]:
    """The descriptor over which we learn of its services, -1 where it has none, and the command with them."""
    if not spec.services:
        return -1, spec
    report_fd = open_descriptor()
    return report_fd, _spell(spec, report_fd)


def _spell(spec: CommandSpec, report_fd: int) -> CommandSpec:
    """The program that starts the services and becomes the parent of the command."""
    described = msgspec.json.encode(spec.services).decode()
    python = str(Path(sys.base_prefix, "bin", "python3"))
    text = Path(inside.__file__).read_text(encoding="utf-8")
    # Set by that program for what it starts: a variable of the repository's must not change what programs of ours do
    # before. One that names character sets, for example, has code loaded by every program, and they hold our sockets.
    given = {name: value for daemon in spec.services for name, value in daemon.env.items() if name not in spec.env}
    arguments = (str(report_fd), described, msgspec.json.encode(given).decode())
    return replace(spec, argv=(python, "-I", "-S", "-c", text, *arguments, *spec.argv))


def are_ready(report_fd: int) -> bool:
    """Whether the command itself has begun: until then its own time limit does not count."""
    return os.pread(report_fd, 9, 0) == b'{"ready":'


def judge(spec: CommandSpec, ended: Ended, report: bytes) -> tuple[Ended, tuple[DaemonRun, ...]]:
    """Only of a command that ended by itself: what we ended says nothing about its services."""
    lines = _read(report, {daemon.name for daemon in spec.services})
    ready = next((line.ready for line in lines if line.ready is not None), ())
    printed = next((line.printed for line in lines if line.printed is not None), None)
    runs = tuple(
        DaemonRun(name, ms, printed[i] if printed and i < len(printed) else 0) for i, (name, ms) in enumerate(ready)
    )
    problem = next((line.problem for line in lines if line.problem is not None), None)
    if not isinstance(ended, Exited):
        return ended, runs
    if problem is not None and problem.kind == "lost":
        return DaemonLost(_describe(spec, problem), ended.code), runs
    if problem is not None:
        return NeverRan(_describe(spec, problem), problem.name), runs
    return (ended if printed is not None else DaemonLost(UNKNOWN)), runs


def _read(report: bytes, names: set[str]) -> list[_Line]:
    """What is no line of ours is none; the end is then not known. The command can write there, as the same user."""
    lines: list[_Line] = []
    if len(report) > LONGEST_REPORT:
        return lines
    for line in report.splitlines()[:MOST_LINES]:
        try:
            lines.append(msgspec.json.decode(line, type=_Line))
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return []
    named = {name for line in lines for name, _ in line.ready or ()}
    named |= {line.problem.name for line in lines if line.problem is not None}
    return lines if named <= names else []


def _describe(spec: CommandSpec, problem: _Problem) -> str:
    problem = _redact(spec, problem)
    name = problem.name
    daemon = next((daemon for daemon in spec.services if daemon.name == name), None)
    port = daemon.port if daemon else 0
    limit = f"{daemon.ready_s:g} s" if daemon else "its time"
    texts = {
        "taken": f"port {port} of the service {name} is taken before it is started, {_taker(spec, port)}",
        "closed": f"port {port} of the service {name} cannot be listened on ({problem.detail}): write one from 1024 on",
        "answers": f"something answers in place of the service {name} before it is started",
        "ended": f"the service {name} ended with exit status {problem.detail} before it was ready",
        "late": f"the service {name} was not ready within {limit} ({problem.detail or 'no probe ended'})",
        "lost": f"the service {name} was gone when the command ended: it {problem.detail}",
    }
    text = texts.get(problem.kind, f"the service {name} could not be used")
    return text if problem.kind in ("taken", "closed", "answers") else f"{text}{_printed(problem)}"


def _redact(spec: CommandSpec, problem: _Problem) -> _Problem:
    """Without the values that it was given, before anything is cut: half of a value is not known as one afterwards."""
    redactor = Redactor({name: spec.env[name] for name in spec.grants if name in spec.env})
    detail = redactor.clean(problem.detail)[:SHOWN_CHARS]
    return replace(problem, detail=detail, last=redactor.clean(problem.last))


def _taker(spec: CommandSpec, port: int) -> str:
    if spec.network:
        return "by a program of this machine, which the checks share their network with"
    if spec.egress and port in spec.egress.local_ports:
        return "by the port of this machine that your settings name ([verify] ports)"
    return "by another service"


def _printed(problem: _Problem) -> str:
    """The last lines; a flood is named as such, for the cause may be in what was not kept."""
    lines = [line.strip()[:SHOWN_CHARS] for line in problem.last.splitlines() if line.strip()][-SHOWN_LINES:]
    flood = f"; it printed {problem.printed >> 20} MB, of which only the end is kept" if problem.printed > FLOOD else ""
    return f"{flood}; it printed: {' / '.join(lines)}" if lines else f"{flood}; it printed nothing"
