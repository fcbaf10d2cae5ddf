"""Opening a debug session: a run of its own, or one that is continued."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from msgspec.structs import replace

from autopilot import __version__
from autopilot.engine.debugging.taking_up import full_name, session_taken_up
from autopilot.engine.history import History, load_history
from autopilot.engine.inputs import refuse_read_only, refuse_repository, settle_policy
from autopilot.engine.ledger import Recorded, check_against_anchor
from autopilot.engine.leftovers import clear_leftovers
from autopilot.engine.opening import caps_of_today, must_have_cooled_down, new_id, settle_messages
from autopilot.engine.pinning import pin_files
from autopilot.engine.planning_files import CONFIG, find_roadmap, read_config
from autopilot.engine.resuming import ledger_of, resume_run
from autopilot.events.debugging.handover import sessions_left
from autopilot.events.debugging.happened import SessionContinued, SessionOpened
from autopilot.events.debugging.state import DebugState
from autopilot.events.fold import fold
from autopilot.events.happened import Event, RunStarted, Warned
from autopilot.events.state import RunState
from autopilot.model.debugging.session import FOLDER, SESSION, DebugBrief, DebugRequest
from autopilot.model.errors import UsageError
from autopilot.model.git import CheckoutFacts
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Policy
from autopilot.model.run import PhaseBrief, RunRequest, RunStatus, SpecLock
from autopilot.model.step import DEBUG_ROLES
from autopilot.planning.roadmap.phase_id import ANY_ID, phase_named, slugify
from autopilot.ports.bundle import Ports
from autopilot.reports.debugging.lessons import lessons_of
from autopilot.reports.debugging.session_file import render_session
from autopilot.steps.asking.agent_check import find_agents
from autopilot.text.naming import name_some, render_phases

START_ONE = '`autopilot debug start "what is wrong"` starts one'
NO_PHASE = "leave --phase out if the bug belongs to none"


def open_session(request: RunRequest, asked: DebugRequest, policy: Policy, ports: Ports) -> Iterator[Recorded]:
    """Yield what is recorded to begin; the run to drive is that of the last state."""
    check_against_anchor(ports.journal, ports.vault)
    history = load_history(ports.journal)
    yield from settle_messages(history, ports)
    asked = replace(asked, slug=full_name(asked.slug, history)) if asked.slug else asked
    last = session_taken_up(asked, history)
    if last is not None and asked.slug:
        yield from _continue(request, asked, last, policy, ports)
        return
    if last is not None:
        must_have_cooled_down(request, last, ports.clock.now(), caps_of_today(last, policy, ports))
        yield from resume_run(last, policy, ports, limits_over=request.skip_cooldown)
        return
    yield from _start(request, _brief(asked, history, policy, ports), policy, history, ports)


def _continue(
    request: RunRequest, asked: DebugRequest, last: RunState, policy: Policy, ports: Ports
) -> Iterator[Recorded]:
    session = last.debugging
    assert session is not None, "it is a debug session"
    if session.status.is_settled and last.status is RunStatus.COMPLETED:
        raise UsageError(
            f"debug session {asked.slug} is {session.status.value}: there is nothing left to continue",
            f'`autopilot debug show {asked.slug}` shows it; a new session: `autopilot debug start "what is wrong"`',
        )
    must_have_cooled_down(request, last, ports.clock.now(), caps_of_today(last, policy, ports))
    good = _resolve(asked.good, ports)
    # A session that was only interrupted goes on as it was meant; one that found its cause goes on to the fix.
    find_only = asked.find_only or (session.brief.find_only and session.ending is None)
    taken_up = SessionContinued(asked.text, find_only, good)
    # What only waits for its landing has nothing to find out.
    also: tuple[Event, ...] = () if session.is_proven else (taken_up,)
    also += tuple(Warned(line) for line in _edited(last, session, ports))
    yield from resume_run(last, policy, ports, limits_over=request.skip_cooldown, also=also)


def _edited(last: RunState, session: DebugState, ports: Ports) -> Iterator[str]:
    """A file that no moment of the record would render was edited. After a kill it may be that of an earlier moment."""
    path = session.brief.path
    content, state = ports.checkout.read(path), RunState()
    if content is None or content == render_session(session).encode():
        return
    for stored in ports.journal.read(last.run):
        state = fold(state, stored)
        if state.debugging is not None and render_session(state.debugging).encode() == content:
            return
    yield f"{path} was edited: this has no effect, it is rendered from the journal and written anew"


def _brief(asked: DebugRequest, history: History, policy: Policy, ports: Ports) -> DebugBrief:
    good = _resolve(asked.good, ports)
    if asked.slug:
        left = sessions_left(history.runs.values())
        if asked.slug not in left:
            known = ", ".join((*left, *history.sessions))
            hint = f"`autopilot debug list` lists them: {known}" if known else START_ONE
            raise UsageError(f"there is no debug session {asked.slug}", hint)
        remark = f"; {asked.text}" if asked.text else ""
        return replace(
            left[asked.slug],
            slug=asked.slug,
            text=f"{left[asked.slug].text}{remark}",
            find_only=asked.find_only,
            good=good,
        )
    about = _phase(asked.about, policy, ports) if asked.about else None
    return DebugBrief(_free(slugify(asked.text), history, ports), asked.text, about, asked.find_only, good)


def _phase(word: str, policy: Policy, ports: Ports) -> PhaseId:
    """The phase that a session is about: one of the roadmap, done and archived ones included."""
    about = phase_named(word)
    if ANY_ID.match(word.strip()) is None:
        raise UsageError(f'--phase "{word}" is no number of a phase', "write it as the roadmap does: --phase 3")
    try:
        roadmap = find_roadmap(ports.checkout, policy)
    except UsageError as error:
        raise UsageError(f"--phase {word} names a phase, and {error}", NO_PHASE) from error
    known = [*(phase.id for phase in roadmap.phases), *roadmap.archived]
    if about not in known:
        raise UsageError(f"{roadmap.path} has no phase {word}", f"{render_phases(known)}; {NO_PHASE}")
    return about


def _free(slug: str, history: History, ports: Ports) -> str:
    """A name stands for one session for ever, and takes the place of no file that is there."""
    files = {PurePosixPath(path).stem for path in ports.checkout.list(FOLDER)}
    taken = {*history.sessions, *sessions_left(history.runs.values()), *files}
    return next(name for name in (slug, *(f"{slug}-{n}" for n in range(2, 10_000))) if name not in taken)


def _resolve(good: str, ports: Ports) -> str:
    if not good:
        return ""
    commit = ports.checkout.resolve(good)
    if not commit:
        raise UsageError(f"--good {good} names no commit of this repository", "name one that had no bug: a tag, a hash")
    return commit


def _start(
    request: RunRequest, brief: DebugBrief, policy: Policy, history: History, ports: Ports
) -> Iterator[Recorded]:
    facts = ports.checkout.facts()
    refuse_repository(facts)
    refuse_read_only(ports.checkout)
    config = read_config(ports.checkout)
    policy, warnings = settle_policy(policy, config, facts, ports.checkout)
    available = find_agents(policy, ports.agents, DEBUG_ROLES)
    base, pinned = pin_files(facts, (CONFIG,), (), "docs: config as it stood when the session began", ports)
    if brief.good:
        ports.vault.adopt(brief.good)
    clear_leftovers(ports)
    run = new_id(ports.clock.now(), history)
    phase = PhaseBrief(PhaseId(SESSION), brief.slug, brief.text, (), (), FOLDER)
    started = RunStarted(
        run=run,
        version=__version__,
        phases=(phase,),
        outline=(phase,),
        roadmap="",
        spec=SpecLock("", ""),
        policy=policy,
        branch=facts.branch,
        head=facts.head,
        base=base,
        pinned=pinned,
        proven=(),
        ticked=(),
        agents=available.agents,
        model=policy.model_profile,
        calibration=lessons_of(history.runs.values()),
        intent=request.intent,
        command=request.command,
    )
    lines = (*warnings, *_left_out(facts), *map(str, config.complaints), *available.warnings)
    ledger = ledger_of(RunState(run=run), ports)
    yield ledger.record(ledger.slot("start"), (started, SessionOpened(brief), *(Warned(line) for line in lines)))


def _left_out(facts: CheckoutFacts) -> tuple[str, ...]:
    left = [path for path in facts.dirty if path != CONFIG]
    if not left:
        return ()
    named = f"uncommitted changes ({name_some(left)}) are not part of the session"
    return (f"{named}, which looks at commit {facts.head[:12]}: commit them first if the bug is in them",)
