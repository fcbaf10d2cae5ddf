"""``autopilot agents`` and what can be done with one of them."""

from __future__ import annotations

import argparse
import getpass
import json
import re
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from autopilot.api.agents import PLAYS, AgentFacts, find_agents, name_roles, survey_agents
from autopilot.api.login import keep_key, sign_in, sign_out
from autopilot.cli.saying import say
from autopilot.cli.screen import fit
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.reports.markdown import plural
from autopilot.settings.reading import Settings, read_settings

HEADINGS = ("NAME", "WHAT IT IS", "VERSION", "SIGNED IN", "ROLES")
MORE = ("LIMITS OF", "PROGRAM")  # with --long
WIDEST = (16, 20, 12, 9)  # all columns but the last, which has the rest
COLUMNS = 80
A_MOMENT_S = 0.5
NUMBER = re.compile(r"\d+(?:\.\d+)+[\w.+-]*")


def main(options: argparse.Namespace) -> int:
    match options.action:
        case "login":
            return _login(options)
        case "logout":
            say(sign_out(read_settings(), options.name) + "\n")
        case "test":
            from autopilot.cli.commands import conformance  # Late: it brings a server along.

            return conformance.main(options)
        case _:
            _show(_survey(read_settings()), options)
    return 0


def _login(options: argparse.Namespace) -> int:
    settings = read_settings()
    said = keep_key(settings, options.name, _read_key()) if options.key else sign_in(settings, options.name)
    say(said + "\n")
    return 0


def _read_key() -> str:
    """From the terminal without echo, or from whatever is piped in; never from the command line, which others see."""
    return getpass.getpass("key: ") if sys.stdin.isatty() else sys.stdin.read()


def _survey(settings: Settings) -> Sequence[AgentFacts]:
    """Whoever waits at a terminal is told for what."""
    waiting = threading.Timer(A_MOMENT_S, _tell_wait, (len(find_agents(settings)),))
    waiting.daemon = True
    if sys.stderr.isatty():
        waiting.start()
    try:
        return survey_agents(Path.cwd(), settings)
    finally:
        waiting.cancel()


def _tell_wait(number: int) -> None:
    sys.stderr.write(f"asking {plural(number, 'agent')} for their versions…\n")


def _show(found: Sequence[AgentFacts], options: argparse.Namespace) -> None:
    if options.json:
        say(json.dumps([msgspec.to_builtins(facts) for facts in found], indent=2) + "\n")
        return
    say(_render_long(found) if options.long else render(found))


def render(found: Sequence[AgentFacts]) -> str:
    """No line is wider than a terminal usually is."""
    rows = [HEADINGS, *(tuple(map(_clean, _row(facts))) for facts in found)]
    shown = [(*map(fit, row, WIDEST), row[-1]) for row in rows]
    return "".join(fit(line, COLUMNS) + "\n" for line in _aligned(shown))


def _render_long(found: Sequence[AgentFacts]) -> str:
    rows = [(*HEADINGS, *MORE)]
    for facts in found:
        there = f"{facts.program or 'not found'}: {facts.problem}" if facts.problem else facts.program
        name, about, _, signed_in, roles = _row(facts)
        rows.append((name, about, facts.version, signed_in, roles, facts.provider, there))
    return "".join(line + "\n" for line in _aligned([tuple(map(_clean, row)) for row in rows]))


def _row(facts: AgentFacts) -> tuple[str, ...]:
    leads = name_roles(facts.leads) if facts.leads else ""
    follows = f"next for {name_roles(facts.follows)}" if facts.follows else ""
    roles = "; ".join(words for words in (leads, follows) if words).replace("every role", "all")
    return (facts.name, facts.about, _number(facts), facts.signed_in, roles)


def _number(facts: AgentFacts) -> str:
    if facts.problem and facts.about == PLAYS:
        return ""  # it is always there, and only lacks a script to play
    if facts.problem:
        return "unusable" if facts.program else "not found"
    found = NUMBER.search(facts.version)
    return found[0] if found else facts.version.rpartition(" ")[2][:8]  # enough of a digest to tell two apart


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip()


def _clean(word: str) -> str:
    return strip_controls(word).replace("\n", " ") or "-"
