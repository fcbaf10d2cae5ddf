"""``autopilot agents``: list agents, sign them in and out, certify them."""

from __future__ import annotations

import argparse
import getpass
import re
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from autopilot.api.agents import (
    PLAYS_A_SCRIPT,
    AgentFacts,
    find_installed_agents,
    name_roles,
    read_profile,
    survey_agents,
)
from autopilot.api.login import save_key, sign_in, sign_out
from autopilot.cli.output import print_json, print_output
from autopilot.model.profile import Tier, roles_by_tier
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.reports.live.columns import shorten_to_width
from autopilot.reports.markdown import aligned
from autopilot.settings.reading import Settings, read_settings
from autopilot.text.naming import plural

HEADINGS = ("NAME", "WHAT IT IS", "VERSION", "SIGNED IN", "ROLES")
LONG_HEADINGS = ("MAY REACH", "LIMITS OF", "PROGRAM")  # with --long
MAX_WIDTHS = (16, 20, 13, 9)  # all columns but the last, which has the rest
COLUMNS = 80
OWN_MODEL = "its own"  # the one that the agent chooses itself
UNKNOWN_MODEL = "none known"
NOTICE_AFTER_S = 0.5
NUMBER = re.compile(r"(?<!\d)\d+(?:\.\d+)+[\w.+-]*")


def main(options: argparse.Namespace) -> int:
    match options.action:
        case "login":
            return _login(options)
        case "logout":
            print_output(sign_out(read_settings(), options.name) + "\n")
        case "test":
            from autopilot.cli.commands import conformance  # Late: it imports a server.

            return conformance.main(options)
        case _:
            settings = read_settings()
            _show(_survey_with_notice(settings), read_profile(Path.cwd(), settings), options)
    return 0


def _login(options: argparse.Namespace) -> int:
    settings = read_settings()
    message = save_key(settings, options.name, _read_key()) if options.key else sign_in(settings, options.name)
    print_output(message + "\n")
    return 0


def _read_key() -> str:
    """Read from the terminal without echo or from a pipe; a command line is visible to other users."""
    return getpass.getpass("key: ") if sys.stdin.isatty() else sys.stdin.read()


def _survey_with_notice(settings: Settings) -> Sequence[AgentFacts]:
    """Survey the agents; after half a second a message at the terminal says why it takes time."""
    timer = threading.Timer(NOTICE_AFTER_S, _print_wait, (len(find_installed_agents(settings)),))
    timer.daemon = True
    if sys.stderr.isatty():
        timer.start()
    try:
        return survey_agents(Path.cwd(), settings)
    finally:
        timer.cancel()


def _print_wait(count: int) -> None:
    sys.stderr.write(f"asking {plural(count, 'agent')} for their versions…\n")


def _show(agents: Sequence[AgentFacts], profile: str, options: argparse.Namespace) -> None:
    if options.json:
        print_json([msgspec.to_builtins(facts) for facts in agents])
        return
    print_output((render_long(agents) if options.long else render(agents)) + render_models(agents, profile))


def render(agents: Sequence[AgentFacts]) -> str:
    """A table whose lines fit into 80 columns."""
    rows = [HEADINGS, *(tuple(map(_clean_cell, _row(facts))) for facts in agents)]
    cells = [(*map(shorten_to_width, row, MAX_WIDTHS), row[-1]) for row in rows]
    return "".join(shorten_to_width(line, COLUMNS) + "\n" for line in aligned(cells))


def render_models(agents: Sequence[AgentFacts], profile: str) -> str:
    """Which class of model the profile gives each role, and what each agent calls a model of that class."""
    classes = [f"  {tier}: {name_roles(roles)}" for tier, roles in roles_by_tier(profile).items()]
    heading = f"Models by profile {profile}{'' if classes else ': every agent uses the model that it chooses itself'}"
    rows = [("MODELS", *(tier.upper() for tier in Tier))]
    for facts in agents:
        if facts.models is not None:
            rows.append((facts.name, *(_model_cell(facts.models, tier) for tier in Tier)))
    table = aligned([tuple(map(_clean_cell, row)) for row in rows]) if classes else []
    return "".join(line + "\n" for line in ("", heading, *classes, *table))


def _model_cell(models: Mapping[str, str], tier: Tier) -> str:
    return models.get(tier, UNKNOWN_MODEL) or OWN_MODEL


def render_long(agents: Sequence[AgentFacts]) -> str:
    """A block for each agent: what a table of this width would not show."""
    return "\n".join(map(_block, agents))


def _block(facts: AgentFacts) -> str:
    _, about, _, signed_in, roles = _row(facts)
    cells = (about, facts.version, signed_in, roles, facts.reaches, facts.provider, _program(facts))
    rows = zip((*HEADINGS[1:], *LONG_HEADINGS), cells, strict=True)
    lines = aligned([(f"  {name.lower()}:", _clean_cell(cell)) for name, cell in rows if cell])
    return "".join(f"{line}\n" for line in (_clean_cell(facts.name), *lines))


def _program(facts: AgentFacts) -> str:
    if facts.problem and facts.about == PLAYS_A_SCRIPT:
        return "built in; needs --script FILE"
    return f"{facts.program or 'not installed'}: {facts.problem}" if facts.problem else facts.program


def _row(facts: AgentFacts) -> tuple[str, ...]:
    main = name_roles(facts.leads) if facts.leads else ""
    fallback = f"fallback: {name_roles(facts.follows)}" if facts.follows else ""
    roles = "; ".join(part for part in (main, fallback) if part).replace("every role", "all")
    # A program that is missing cannot be signed in: what it needs first is said alone.
    signed_in = facts.signed_in if facts.program else ""
    return (facts.name, facts.about, _version_number(facts), signed_in, roles)


def _version_number(facts: AgentFacts) -> str:
    if facts.problem and facts.about == PLAYS_A_SCRIPT:
        return ""  # it is part of Autopilot and only needs a script
    if facts.problem:
        return "unusable" if facts.program else "not installed"
    match = NUMBER.search(facts.version)
    return match[0] if match else facts.version.rpartition(" ")[2][:8]  # enough of a digest to tell two apart


def _clean_cell(cell: str) -> str:
    return strip_controls(cell).replace("\n", " ") or "-"
