"""Opening the run of an issue: find the issue, pin what is known about it, or resume it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from autopilot import __version__
from autopilot.engine.baseline import with_environment
from autopilot.engine.baseline_stop import Begin, see_baseline
from autopilot.engine.history import History, load_history
from autopilot.engine.inputs import refuse_read_only, refuse_repository, settle_policy
from autopilot.engine.issue.finding import Found, find_issue_brief
from autopilot.engine.issue.reentry import last_asked, print_of, take_up
from autopilot.engine.ledger import Recorded, check_against_anchor
from autopilot.engine.leftovers import clear_leftovers
from autopilot.engine.opening import is_in_head, new_id, settle_messages
from autopilot.engine.pinning import pin_files
from autopilot.engine.planning_files import CONFIG, read_config
from autopilot.engine.resuming import ledger_of, resume_run
from autopilot.engine.written_plans import read_text
from autopilot.events.entry import Entry
from autopilot.events.happened import Event, RunArchived, RunStarted, Warned
from autopilot.events.issue.happened import IssueOpened, IssueReentered, SentBack
from autopilot.events.state import RunState
from autopilot.gates.baseline import Goal
from autopilot.model.errors import RecordBroken, UsageError
from autopilot.model.evidence.observation import Observation
from autopilot.model.git import CheckoutFacts
from autopilot.model.issue.issue import (
    AUDIT_LOG,
    DESIGN,
    IMPL,
    ISSUE_FILE,
    PRD,
    IssueBrief,
    IssueOptions,
    IssueRequest,
    Route,
)
from autopilot.model.policy import Policy
from autopilot.model.run import PhaseBrief, RunRequest, RunStatus, SpecLock
from autopilot.model.step import ISSUE_ROLES
from autopilot.planning.issue.audit_log import parse_log
from autopilot.planning.issue.folder import is_approved
from autopilot.planning.issue.request import check_options
from autopilot.planning.issue.route import recommend
from autopilot.planning.spec.spec import spec_hash
from autopilot.ports.bundle import Ports
from autopilot.steps.asking.agent_check import find_agents
from autopilot.text.naming import name_some


def open_issue(request: RunRequest, asked: IssueRequest, policy: Policy, ports: Ports) -> Iterator[Recorded]:
    """Yield what is recorded to begin; the run to drive is that of the last state."""
    check_against_anchor(ports.journal, ports.vault)
    history = load_history(ports.journal)
    yield from settle_messages(history, ports)
    found = find_issue_brief(asked, history, ports)
    _check(asked.options)
    last = history.of_issue(found.brief.number)
    if last is not None and not request.fresh and not last.archived and last.status is not RunStatus.COMPLETED:
        yield from _reenter(request, asked, last, policy, ports)
        return
    approved = ""
    if last is not None and not request.fresh and not last.archived:
        approved = _must_be_feedback(asked, last, ports, request.repeated_options)
        if not approved:
            yield from _reopen(request, asked, last, policy, ports)
            return
    start = _prepare(asked, found, policy, ports, request.repeated_options)
    clear_leftovers(ports)
    run = new_id(ports.clock.now(), history)
    start = _with_baseline(run, request, start, ports)
    if last is not None and request.fresh and last.status is not RunStatus.COMPLETED and not last.archived:
        given_up = Entry(last.run, f"{last.run}/archived", RunArchived("a fresh run"))
        yield ledger_of(last, ports).store([given_up])
    yield from _start(run, request, asked, replace(start, approved=approved), history, ports)


class Start(Struct, frozen=True):
    """All that is known before anything is made."""

    found: Found
    policy: Policy
    facts: CheckoutFacts
    base: str
    agents: tuple[str, ...]
    warnings: tuple[str, ...]
    written: frozenset[str]  # the commands that the config names
    baseline: tuple[Observation, ...] = ()
    approved: str = ""  # of an issue that comes back: its requirements are those of before


def _check(options: IssueOptions) -> None:
    """Refuse wrong options for steps and limits, whichever route it will be."""
    for phase in (DESIGN, IMPL):
        check_options(options, options.route or Route.FULL, phase)


def _prepare(asked: IssueRequest, found: Found, policy: Policy, ports: Ports, repeated: str) -> Start:
    """``repeated``: the options of this call that a suggested command has to repeat."""
    checkout = ports.checkout
    facts = checkout.facts()
    refuse_repository(facts)
    refuse_read_only(checkout)
    config = read_config(checkout)
    policy, warnings = settle_policy(policy, config, facts, checkout)
    warnings += (*_warn_without_tests(asked, policy), *map(str, config.complaints))
    if asked.options.only == IMPL:
        lacks = _lacks_requirements(asked, found.brief, ports)
        first, step = (" --define", "requirements") if lacks else ("", "design")
        hint = f"`autopilot issue {found.word}{first}{repeated}` starts with the {step}"
        raise UsageError(f"issue {found.brief.number} has no approved design to implement", hint)
    _must_have_requirements(asked, found, ports, repeated)
    available = find_agents(policy, ports.agents, ISSUE_ROLES)
    base = _base(found.brief, facts, ports)
    _must_have_sound_log(found.brief, base, ports)
    own = (CONFIG, *ports.checkout.list(found.brief.folder))
    if left := [path for path in facts.dirty if path not in own]:
        warnings.append(
            f"uncommitted changes ({name_some(left)}) are not part of the issue, "
            f"which begins at commit {facts.head[:12]}: commit them first if they should be"
        )
    return Start(
        found, policy, facts, base, available.agents, (*warnings, *available.warnings), config.commands_written
    )


def _with_baseline(run: str, request: RunRequest, start: Start, ports: Ports) -> Start:
    """An issue that names a red test is about it."""
    brief, accepted = start.found.brief, request.intent.accept_red
    goals = (Goal(f"{brief.title}\n{brief.text}"),)
    begin = Begin(run, start.base, start.policy, start.written, goals, accepted, request.command, is_issue=True)
    baseline, warnings = see_baseline(begin, ports)
    policy = with_environment(run, start.base, start.policy, ports)
    return replace(start, policy=policy, baseline=baseline, warnings=(*start.warnings, *warnings))


def _warn_without_tests(asked: IssueRequest, policy: Policy) -> tuple[str, ...]:
    """An issue has no criteria with commands of their own: its oracle is a test command, or it ends without a check."""
    if asked.options.at_command or policy.commands.test:
        return ()
    message = "no test command is known, and without one the implementation cannot be checked"
    return (f"{message}: write project.commands.test into {CONFIG}, or pass --at-command (a plan may declare one)",)


def _must_have_requirements(asked: IssueRequest, found: Found, ports: Ports, repeated: str) -> None:
    """The first gate is a person's: without a prd.md nothing starts, unless an agent is to draft one."""
    brief = found.brief
    if asked.options.define or not _lacks_requirements(asked, brief, ports):
        return
    drafts = f"autopilot issue {found.word} --define{repeated}"
    hint = f"write that file, or let the agent draft it for you to approve: `{drafts}`"
    message = f"issue {brief.number}, {brief.title}, has no approved requirements yet: {brief.path(PRD)} does not exist"
    raise UsageError(message, hint)


def _lacks_requirements(asked: IssueRequest, brief: IssueBrief, ports: Ports) -> bool:
    """Only the full route needs them in writing."""
    route = asked.options.route or _advice(brief)[0]
    return route in (None, Route.FULL) and ports.checkout.read(brief.path(PRD)) is None


def _must_have_sound_log(brief: IssueBrief, base: str, ports: Ports) -> None:
    """Rows that are there already are what ours are bound to."""
    path = brief.path(AUDIT_LOG)
    try:
        parse_log((ports.vault.read(base, path) or b"").decode("utf-8", "surrogateescape"))
    except RecordBroken as broken:
        raise UsageError(f"{path}: {broken}", f"{broken.hint}; or move the file away") from None


def _advice(brief: IssueBrief) -> tuple[Route | None, tuple[str, ...]]:
    advice = recommend(brief.labels, brief.title, brief.text)
    return advice.route, advice.reasons


def _base(brief: IssueBrief, facts: CheckoutFacts, ports: Ports) -> str:
    """HEAD, with the issue's own files and the config as they stand in the checkout; they are part of the work."""
    subject = f"docs: issue as it stood when the work began (#{brief.number})"
    made = {brief.path(ISSUE_FILE): _issue_text(brief).encode()}
    return pin_files(facts, (CONFIG,), (brief.folder,), subject, ports, made)[0]


def _issue_text(brief: IssueBrief) -> str:
    return brief.text if brief.text.lstrip().startswith("#") else f"# {brief.title}\n\n{brief.text}".rstrip() + "\n"


def _start(
    run: str, request: RunRequest, asked: IssueRequest, start: Start, history: History, ports: Ports
) -> Iterator[Recorded]:
    brief = start.found.brief
    names = ((DESIGN, "design"), (IMPL, "implementation"))
    phases = tuple(PhaseBrief(id, name, brief.title, (), (), brief.folder) for id, name in names)
    prd = read_text(ports.checkout, brief.path(PRD))
    route, reasons = _advice(brief)
    spec = brief.path(PRD if prd else ISSUE_FILE)
    text = (ports.vault.read(start.base, spec) or b"").decode("utf-8", "replace")
    started = RunStarted(
        run=run,
        version=__version__,
        phases=phases,
        outline=phases,
        roadmap="",
        spec=SpecLock(spec, spec_hash(text)),
        policy=replace(start.policy, commit_docs=True),
        branch=start.facts.branch,
        head=start.facts.head,
        base=start.base,
        pinned=(),
        proven=(),
        ticked=(),
        agents=start.agents,
        model=start.policy.model_profile,
        intent=request.intent,
        command=request.command,
        baseline=start.baseline,
    )
    approved = start.approved or (f"{brief.path(PRD)} says so" if prd and is_approved(prd) else "")
    before = last_asked(brief.number, history.runs.values())
    opened = IssueOpened(brief, asked.options, route, reasons, approved, bool(prd.strip()), before)
    events: tuple[Event, ...] = (started, opened)
    if asked.findings:
        events += (IssueReentered(asked.options, asked.findings),)
    ledger = ledger_of(RunState(run=run), ports)
    yield ledger.record(ledger.slot("start"), (*events, *(Warned(text) for text in start.warnings)))


def _reenter(
    request: RunRequest, asked: IssueRequest, last: RunState, policy: Policy, ports: Ports
) -> Iterator[Recorded]:
    issue = last.issue
    assert issue is not None, "it is a run about an issue"
    options = _merged(issue.options, asked.options)
    if asked.options.route not in (None, issue.route):
        message = (
            f"issue {issue.brief.number} already runs on the {issue.route} route: another route needs a fresh start"
        )
        anew = f"autopilot issue {issue.brief.number} --fresh --route {asked.options.route}{request.repeated_options}"
        raise UsageError(message, f"`{anew}` starts over")
    if options.only == IMPL and not issue.design.approved_by:
        hint = f"`autopilot issue {issue.brief.number}{request.repeated_options}` continues with the design"
        raise UsageError(f"the design of issue {issue.brief.number} is not approved yet", hint)
    if asked.findings and last.open_gates:
        gate = last.open_gates[0].asked.gate
        hint = f"autopilot reject {gate} {shlex.quote(asked.findings[0].evidence_ref)}"
        raise UsageError(f"gate {gate} is still open: reject it there with what has to change", hint)
    also: tuple[Event, ...] = (take_up(issue, ports, options, asked.findings),)
    if options.only == DESIGN and issue.design.approved_by:
        if not asked.findings:
            hint = _back_to_design(issue.brief.number, request.repeated_options or last.policy.agent_options)
            raise UsageError("the design is approved: a new round needs a finding that says what has to change", hint)
        also += (SentBack(DESIGN, f"reopened-{last.totals.resumes + 1}", asked.findings),)
    yield from resume_run(last, policy, ports, limits_over=request.skip_cooldown, also=also)


def _merged(old: IssueOptions, new: IssueOptions) -> IssueOptions:
    """The options of this command override those of earlier ones; how far to go is set by each command."""
    named = {
        name: getattr(new, name)
        for name in IssueOptions.__struct_fields__
        if getattr(new, name) != getattr(IssueOptions(), name)
    }
    return replace(old, **{**named, "only": new.only, "hand_off": new.hand_off, "define": new.define})


def _back_to_design(number: int, repeated: str) -> str:
    return f'autopilot issue {number} --design --finding "what has to change"{repeated}'


def _must_be_feedback(asked: IssueRequest, last: RunState, ports: Ports, repeated: str) -> str:
    """After a hand-off: the same anchor goes back to design, with words; another anchor is another issue (AL-5b).

    Returns why its requirements are approved; "" where it is not merged yet, and the same work goes on.
    """
    issue = last.issue
    assert issue is not None and issue.ending.handed_off is not None, "it ended in a hand-off"
    number, done = issue.brief.number, issue.ending.handed_off
    approved = {path: ports.vault.read(done.commit, path) for path in issue.anchors[DESIGN]}
    here = {path: ports.checkout.read(path) for path in approved}
    if moved := [
        path for path, text in here.items() if text is not None and print_of(text) != print_of(approved[path])
    ]:
        message = f"{', '.join(moved)} changed after issue {number} was approved: changed requirements need a new issue"
        raise UsageError(message, 'autopilot issue "TITLE" --define')
    is_merged = _is_merged(issue.brief.path(AUDIT_LOG), done.commit, ports)
    if not asked.findings:
        hint = _back_to_design(number, repeated or last.policy.agent_options)
        if is_merged:
            raise UsageError(f"issue {number} was handed off on {done.branch}: there is nothing left to do", hint)
        merge = f"merge {done.url}" if done.url else f"git merge --no-ff {shlex.quote(done.branch)}"
        raise UsageError(f"issue {number} is ready on {done.branch} for you to merge", f"{merge}; to change it: {hint}")
    return f"as in {last.run}, and unchanged" if is_merged else ""


def _reopen(
    request: RunRequest, asked: IssueRequest, last: RunState, policy: Policy, ports: Ports
) -> Iterator[Recorded]:
    """The last gate is the user's, too: a user who does not merge gives a finding, and the issue is reopened."""
    issue = last.issue
    assert issue is not None, "it is a run about an issue"
    phase = IMPL if asked.options.only == IMPL and issue.steps_of(IMPL) else DESIGN
    entered = take_up(issue, ports, _merged(issue.options, asked.options))
    back = SentBack(phase, f"merge-{issue.brief.number}-{last.totals.resumes + 1}", asked.findings)
    yield from resume_run(last, policy, ports, limits_over=request.skip_cooldown, also=(entered, back))


def _is_merged(log: str, commit: str, ports: Ports) -> bool:
    """By its commit; where it was squashed, by the audit log that came with it."""
    return is_in_head(commit, ports) or ports.checkout.read(log) == ports.vault.read(commit, log)
