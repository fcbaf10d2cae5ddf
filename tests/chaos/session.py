"""A story is told in sessions: a run, and what its user does once it has come to rest. Each is a process of its own."""

from __future__ import annotations

import gc
import importlib
import pkgutil
from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from msgspec.structs import replace

from autopilot.adapters.clock import SteppedClock
from autopilot.api.assembly import Assembly
from autopilot.api.people.gate_answers import record_answer
from autopilot.api.people.verdicts import record_verdict
from autopilot.api.running import run
from autopilot.cli.commands.debug import read_request
from autopilot.cli.issue.options import read_findings, read_issue_options
from autopilot.cli.parser import build_parser
from autopilot.events.people import HumanAnswered
from autopilot.model.debugging.session import DebugRequest
from autopilot.model.issue.issue import IssueRequest
from autopilot.model.planning.draft import DraftRequest
from autopilot.model.run import RunRequest
from autopilot.ports.clock import Clock
from tests.chaos.record import Watch, WatchedJournal, read_record
from tests.scenario import stories
from tests.scenario.kit.world import World
from tests.scenario.stories.story import Story

STEP, BETWEEN = timedelta(milliseconds=1), timedelta(seconds=2)


class Session(NamedTuple):
    """One call of the command line, and the status it must end with."""

    words: Sequence[str]
    status: int


def all_stories() -> tuple[Story, ...]:
    """Those of every group, so that a new one is crash-tested by itself."""
    groups = (importlib.import_module(f"{stories.__name__}.{found.name}") for found in found_modules())
    return tuple(story for group in groups for story in getattr(group, "STORIES", ()))


def found_modules() -> list[pkgutil.ModuleInfo]:
    return sorted(pkgutil.iter_modules(stories.__path__), key=lambda found: found.name)


def sessions_of(story: Story) -> tuple[Session, ...]:
    return (Session(story.first, story.exit_status), *(Session(*each) for each in story.after))


def ignore(_: str) -> None: ...


def hold_session(world: World, session: Session, watch: Watch = ignore, most: int | None = None) -> list[list[str]]:
    """What each append brought. After the first ``most`` that brought something new it is over, as with a kill."""
    assembly = world.assemble(_clock(world))
    journal = WatchedJournal(assembly.ports.journal, watch)
    assembly = replace(assembly, ports=replace(assembly.ports, journal=journal))
    status = _perform(world, session.words, assembly, journal, most)
    assert status in (None, session.status), f"{session.words} ended with {status}"
    # With the last reference the lock is freed and the vault's git reader ends, as they do with a process.
    del assembly
    gc.collect()
    return journal.batches


def _clock(world: World) -> Clock:
    """How long a run takes is no part of a story, and some findings are about just that. A new session is later."""
    recorded = read_record(world)
    return SteppedClock(recorded[-1].time + BETWEEN, STEP) if recorded else SteppedClock(step=STEP)


def _perform(
    world: World, words: Sequence[str], assembly: Assembly, journal: WatchedJournal, most: int | None
) -> int | None:
    """Its status; None when it did not come to its end."""
    match tuple(words):
        case ("verdict", phase, verdict, *options):
            record_verdict(assembly, phase, verdict, tuple(options[1::2]), "you")
            return 0
        case ("run", *phases):
            request = RunRequest(phases=tuple(phases))
        case ("approve", gate):
            record_answer(assembly, HumanAnswered(gate, {}, "you", approved=True))
            return 0
        case ("reject", gate, comment):
            record_answer(assembly, HumanAnswered(gate, {}, "you", approved=False, comment=comment))
            return 0
        case ("answer", gate, question, text):
            record_answer(assembly, HumanAnswered(gate, {question: text}, "you"))
            return 0
        case ("git", *words):
            world.git(*words)  # by the user
            return 0
        case ("issue", *options):
            request = RunRequest(issue=read_issue_words(options))
        case ("debug", *options):
            request = RunRequest(debug=read_debug_words(options))
        case ("plan", *wanted):
            request = RunRequest(draft=DraftRequest(" ".join(wanted)))
        case ("resume", *options):
            request = RunRequest(resume_only=True, skip_cooldown="--now" in options)
        case _:
            raise AssertionError(f"no session is known that begins with {words[0]}")
    # One part of a split phase at a time: side by side, their appends come in no certain order.
    policy = world.settings.policy()
    policy = replace(policy, parallel=replace(policy.parallel, parts=1))
    status = None
    for recorded in run(request, policy, assembly, "a test"):
        status = recorded.state.session.exit_status
        if len(brought(journal.batches)) == most:
            break
    return status


def read_issue_words(words: Sequence[str]) -> IssueRequest:
    options = build_parser().parse_args(["issue", *words])
    return IssueRequest(" ".join(options.issue), read_issue_options(options), read_findings(options))


def brought(batches: list[list[str]]) -> list[list[str]]:
    """Only what brought something new. What a run warns of when it starts may differ from one start to the next: a
    test that fails now and then is red at one of them."""
    kept = ([event for event in batch if not event.startswith("start/Warned/")] for batch in batches)
    return [batch for batch in kept if batch]


def read_debug_words(words: Sequence[str]) -> DebugRequest:
    return read_request(build_parser().parse_args(["debug", *words]))
