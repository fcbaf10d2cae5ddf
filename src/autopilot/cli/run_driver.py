"""Drives a run in a terminal: prints progress while it runs and the outcome when it stops."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from autopilot.adapters.git.checkout.documents import read_document
from autopilot.api.assembly import Assembly, Repository, assemble, find_repository
from autopilot.api.people.answers_file import AnswersFile, read_answers
from autopilot.api.people.inbox import read_state
from autopilot.api.recalling import recall_agents
from autopilot.api.run_report import (
    RunReport,
    build_report,
    check_target,
    write_code_quality,
    write_junit,
    write_sarif,
    write_summary,
)
from autopilot.api.running import ignore_state, run
from autopilot.api.telemetry.live import traced
from autopilot.cli.ci_job import begin_job, leave, take_up
from autopilot.cli.conversation import ask_open_gates
from autopilot.cli.footer import Footer
from autopilot.cli.output import print_json, print_warning
from autopilot.cli.run_options import agent_options, named_caps, recall_options, repeated_options, with_caps
from autopilot.cli.screen import Screen, print_outcome
from autopilot.cli.terminal import is_terminal
from autopilot.engine.ledger import Recorded
from autopilot.events.state import RunState
from autopilot.model.errors import AutopilotError, UsageError
from autopilot.model.run import RunRequest, RunStatus, StopKind
from autopilot.planning.people.replies import written_so_far
from autopilot.reports.progress.lines import progress_lines
from autopilot.reports.progress.outcomes import outcome_lines
from autopilot.reports.run.completion import head_line
from autopilot.reports.run.ending import render_ending
from autopilot.reports.run.ways_on import CommandOptions, with_higher_cap
from autopilot.reports.status.files import completion_path
from autopilot.reports.status.gates import landing_words, wait_for_verdict
from autopilot.reports.status.state_json import state_document
from autopilot.reports.status.status import status_document
from autopilot.settings.reading import Settings, read_settings

SCRIPTED = "scripted"
# What a run leaves for CI systems: the option, and what writes it.
FILES = {"junit": write_junit, "summary": write_summary, "sarif": write_sarif, "code_quality": write_code_quality}
EVENTS = 2  # how often more is to be asked for until every event is shown


def drive_run(request: RunRequest, options: argparse.Namespace, command: str) -> int:
    settings = read_settings()
    repository = find_repository(Path.cwd(), settings)
    _must_have_script(options)
    _refuse_idle_script(settings, options)
    for file in filter(None, (getattr(options, name) for name in FILES)):
        check_target(Path(file), repository.path)  # nobody waits a night for a report that cannot be written
    request = _with_recalled_agents(request, repository, options)
    settings = with_options(settings, options)
    job = begin_job(settings, options) if options.ci else None
    assembly = assemble(repository, settings)
    if options.artefact:
        take_up(assembly, settings, Path(options.artefact))
    assembly.interruption.install()
    with traced(assembly, settings, print_warning):
        state = _drive_and_ask(request, settings, assembly, options, command)
    report = build_report(assembly.ports.journal, state.run)
    _write_files(report, options, assembly.repository.path)
    artefact = options.artefact if options.artefact and leave(assembly, settings, Path(options.artefact)) else ""
    if job is not None:
        job.end(report, artefact)
    if options.json:
        status = status_document(state, state_document(state, ()), landing_words(state))
        print_json(status)
    else:
        call, has_report = next_call(state, settings, options), _has_report(state, assembly.repository.path)
        print_outcome(render_ending(state, call, report.trend, has_report=has_report))
    return state.session.exit_status if state.session.exit_status is not None else 70


def _must_have_script(options: argparse.Namespace) -> None:
    """Refuse a script that is not there before anything else: a suggested call would repeat it."""
    if options.script is not None and (not Path(options.script).exists() or Path(options.script).is_dir()):
        named = f'--script "{options.script}" names no file'
        raise UsageError(named, "name the script of the scripted agent, or leave --script out to use your own agents")


def _refuse_idle_script(settings: Settings, options: argparse.Namespace) -> None:
    """Refuse a script that no agent would play: the agents of this call would spend what the user meant to save."""
    if not (options.script and options.agent):
        return
    tables = (settings.agents, *settings.profiles.values())
    of_roles = [choice for table in tables for role, choice in table.items() if role != "default"]
    chains = ((choice,) if isinstance(choice, str) else choice for choice in (options.agent.split(","), *of_roles))
    if SCRIPTED not in {name.strip().partition(":")[0] for chain in chains for name in chain}:
        wrong = f"--script is played by the scripted agent alone, and --agent {options.agent} chooses another"
        raise UsageError(wrong, "leave one of the two out")


def _has_report(state: RunState, checkout: Path) -> bool:
    """Whether what the last lines name is there, and is about this run: one of an earlier run may stand there."""
    if not state.is_of_roadmap:
        return True
    with suppress(AutopilotError):
        return (read_document(checkout, completion_path(state.now)) or b"").startswith(head_line(state.run).encode())
    return False


def _with_recalled_agents(request: RunRequest, repository: Repository, options: argparse.Namespace) -> RunRequest:
    """A resumed run keeps the agents it was started with, unless this call names others."""
    if options.agent or options.script:
        return request
    recall_options(options, recall_agents(repository, request))
    return replace(request, repeated_options=repeated_options(options))


def _drive_and_ask(
    request: RunRequest, settings: Settings, assembly: Assembly, options: argparse.Namespace, command: str
) -> RunState:
    """Drive the run and ask the user its questions, until it stops for another reason or the user skips them."""
    answers = AnswersFile(read_answers(options.answers), assembly) if options.answers else None
    state = drive_with_progress(request, settings, assembly, options, command, answers)
    skipped: set[str] = set()
    while _can_ask_here(state, skipped, options):
        outcome = ask_open_gates(state, assembly, skipped, written_so_far(answers.answers, state) if answers else {})
        skipped.update(outcome.put_off)
        state = read_state(assembly, state.run)
        # Another process may have answered and completed the run meanwhile; a rejected checkpoint pauses it.
        is_over = state.archived or state.status in (RunStatus.COMPLETED, RunStatus.PAUSED)
        if outcome.left or not outcome.settled or is_over:
            return state
        request = RunRequest(resume_only=True, run=state.run, repeated_options=request.repeated_options)
        state = drive_with_progress(request, settings, assembly, options, command, answers)
    return state


def _can_ask_here(state: RunState, skipped: Collection[str], options: argparse.Namespace) -> bool:
    """Whether the run waits for an answer that the user at this terminal can give and has not skipped."""
    open_names = {gate.asked.gate for gate in state.open_gates} | {phase.id for phase in wait_for_verdict(state)}
    is_waiting = state.status is RunStatus.WAITING and not open_names <= set(skipped)
    return is_waiting and is_terminal() and not (options.json or options.quiet or options.ci)


def _write_files(report: RunReport, options: argparse.Namespace, checkout: Path) -> None:
    """Write the files for CI systems; a failure to write them does not change the result of the run."""
    for name, write in FILES.items():
        try:
            if file := getattr(options, name):
                write(report, Path(file), checkout)
        except AutopilotError as error:
            print_warning(str(error))


def drive_with_progress(
    request: RunRequest,
    settings: Settings,
    assembly: Assembly,
    options: argparse.Namespace,
    command: str,
    answers: AnswersFile | None = None,
) -> RunState:
    state, footer = RunState(), Footer(assembly.repository.home, assembly.ports.clock)
    policy = settings.policy()
    with Screen(quiet=options.quiet, below=footer.lines, plain=options.ci) as screen:
        for doubt in settings.doubts():
            screen.warn(f"{settings.source}: {doubt}")
        listen = answers.start(screen.warn) if answers else ignore_state
        for recorded in run(request, policy, assembly, command, screen.warn, listen):
            footer.update(recorded.state)
            show_progress(recorded, screen, options.verbose)
            state = recorded.state
        if answers:
            answers.end()
    return state


def show_progress(recorded: Recorded, screen: Screen, verbose: int) -> None:
    """Where live lines show the steps, outcomes alone; else every step. Each ``-v`` shows more: steps, then events."""
    level = verbose if screen.is_live else verbose + 1
    for stored in recorded.entries:
        if level >= EVENTS:
            screen.line(f"  #{stored.seq} {stored.key}")
        state, is_whole = recorded.state, level >= EVENTS
        for line in progress_lines(stored, state, verbose=is_whole) if level else outcome_lines(stored, state):
            screen.line(line)


def next_call(state: RunState, settings: Settings, options: argparse.Namespace) -> CommandOptions:
    """The options of this call that the next call must repeat."""
    call = CommandOptions(after=agent_options(options), caps=settings.source, host=options.host)
    return with_higher_cap(state, call) if state.session.stop_kind is StopKind.CAP else call


def with_options(settings: Settings, options: argparse.Namespace) -> Settings:
    """Options of this call override the settings file."""
    script = Path(options.script).absolute() if options.script else settings.script
    chosen = tuple(name.strip() for name in options.agent.split(",")) if options.agent else ()
    if options.script and not chosen:
        chosen = (SCRIPTED,)
    settings = replace(settings, budget=with_caps(settings.budget, options), named_caps=named_caps(options))
    settings = replace(settings, agent_options=agent_options(options))
    if not chosen:
        return replace(settings, script=script)
    # A profile's own default would override the agent of this call.
    profiles = {
        name: {role: choice for role, choice in table.items() if role != "default"}
        for name, table in settings.profiles.items()
    }
    return replace(settings, agents={**settings.agents, "default": chosen}, profiles=profiles, script=script)
