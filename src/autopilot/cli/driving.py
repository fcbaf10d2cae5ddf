"""Driving a run in a terminal: progress while it goes, the outcome when it rests."""

from __future__ import annotations

import argparse
import json
import shlex
from pathlib import Path

from msgspec.structs import replace

from autopilot.api.assembly import Assembly, assemble, find_repository
from autopilot.api.running import run
from autopilot.cli.footer import Footer
from autopilot.cli.saying import say
from autopilot.cli.screen import Screen
from autopilot.engine.ledger import Recorded
from autopilot.events.state import RunState
from autopilot.model.run import RunRequest
from autopilot.rails.budget import first_tripped, phase_tripped
from autopilot.reports.ending import CONFIG, Again, render_ending
from autopilot.reports.progress import progress_lines
from autopilot.reports.state_json import state_document
from autopilot.reports.status import landing_words, status_document
from autopilot.settings.reading import Settings, read_settings


def drive_here(request: RunRequest, options: argparse.Namespace, command: str) -> int:
    settings = with_options(read_settings(), options)
    assembly = assemble(find_repository(Path.cwd(), settings), settings)
    assembly.interruption.install()
    state = drive_with_progress(request, settings, assembly, options, command)
    if options.json:
        status = status_document(state, state_document(state, ()), landing_words(state))
        say(json.dumps(status, indent=2, ensure_ascii=False) + "\n")
    else:
        say(render_ending(state, again(state, settings, options)))
    return state.exit_status if state.exit_status is not None else 70


def drive_with_progress(
    request: RunRequest, settings: Settings, assembly: Assembly, options: argparse.Namespace, command: str
) -> RunState:
    state, footer = RunState(), Footer(assembly.repository.home.live)
    policy = settings.policy()
    with Screen(quiet=options.quiet, below=footer.lines) as screen:
        for key in settings.unknown:
            screen.warn(f"{settings.source}: nothing is known by the name of {key}; it has no effect")
        for recorded in run(request, policy, assembly, command, screen.warn):
            footer.take(recorded.state)
            show(recorded, screen, options.verbose)
            state = recorded.state
    return state


def show(recorded: Recorded, screen: Screen, verbose: bool) -> None:
    for stored in recorded.entries:
        if verbose:
            screen.line(f"  #{stored.seq} {stored.key}")
        for line in progress_lines(stored, recorded.state, verbose=verbose):
            screen.line(line)


def again(state: RunState, settings: Settings, options: argparse.Namespace) -> Again:
    """What this call said beyond the settings has to be said again by the next one."""
    words = [("--agent", options.agent), ("--script", options.script and str(Path(options.script).absolute()))]
    after = "".join(f" {name} {shlex.quote(value)}" for name, value in words if value)
    # A cap that the user's own settings would not have reached is the repository's.
    policy = settings.policy()
    ours = first_tripped(state, policy, state.now) or phase_tripped(state, policy, state.now)
    return Again(after=after, caps=settings.source if ours else CONFIG)


def with_options(settings: Settings, options: argparse.Namespace) -> Settings:
    """What this call says goes before what the file says."""
    script = Path(options.script).absolute() if options.script else settings.script
    chosen = tuple(word.strip() for word in options.agent.split(",")) if options.agent else ()
    if options.script and not chosen:
        chosen = ("scripted",)
    if not chosen:
        return replace(settings, script=script)
    # A profile's own default would go before the one of this call.
    profiles = {
        name: {role: who for role, who in table.items() if role != "default"}
        for name, table in settings.profiles.items()
    }
    return replace(settings, agents={**settings.agents, "default": chosen}, profiles=profiles, script=script)
