"""What the steps of an issue know: the issue, the iteration, the anchors, and what an agent may read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from autopilot.events.issue.rooms import Round
from autopilot.events.issue.state import IssueState
from autopilot.model.claim import DecisionClaim
from autopilot.model.evidence.subject import ACCEPTANCE
from autopilot.model.issue.issue import (
    AUDIT_LOG,
    IMPL,
    PINS,
    PLAN_FILE,
    RED_LOG,
    TESTS_FILE,
    Decision,
    Route,
    SeedFinding,
)
from autopilot.model.planning.criterion import Criterion, Form
from autopilot.model.planning.plan import Task
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.issue.test_command import find_test_command
from autopilot.rails.issue.convergence import fingerprint
from autopilot.steps.context import StepContext
from autopilot.steps.observing.texts import text_at

AT = ACCEPTANCE


def issue_of(ctx: StepContext) -> IssueState:
    assert ctx.state.issue is not None, "only the run of an issue has such steps"
    return ctx.state.issue


def round_of(ctx: StepContext) -> Round:
    return issue_of(ctx).convergence.rounds.get(ctx.task, Round())


def iteration_of(ctx: StepContext) -> int:
    """Of the work that is about to be done."""
    return round_of(ctx).iteration + 1


def anchor_at(ctx: StepContext, commit: str, phase: PhaseId) -> str | None:
    """The fingerprint of what a phase must not touch; None where some of it is not there."""
    texts = [ctx.ports.vault.read(commit, path) for path in issue_of(ctx).anchors[phase]]
    if any(text is None for text in texts):
        return None
    return fingerprint("".join((text or b"").decode("utf-8", "replace") for text in texts))


def find_drift(ctx: StepContext, commit: str) -> tuple[str, ...]:
    """Approved anchors, and their pins, that are not what was pinned."""
    issue, phase = issue_of(ctx), ctx.phase.id
    pin = issue.pinned.pins.get(PINS[phase])
    if pin is None:
        return ()
    vault, pins = ctx.ports.vault, [issue.brief.path(name) for name in issue.pinned.pins]
    changed = [path for path in (*pin.files, *pins) if vault.read(commit, path) != vault.read(ctx.tip, path)]
    if anchor_at(ctx, commit, phase) != pin.sha256 and not changed:
        changed = list(pin.files)
    return tuple(changed)


def approved_at(ctx: StepContext) -> str:
    """The commit with the design that was approved last, which a later one may have replaced since the baseline."""
    issue = issue_of(ctx)
    pin = issue.pinned.pins.get(PINS[IMPL])
    return pin.commit if pin is not None and not issue.pinned.repin else ctx.tip


def log_path(ctx: StepContext) -> str:
    return issue_of(ctx).brief.path(AUDIT_LOG)


def red_path(ctx: StepContext) -> str:
    return issue_of(ctx).brief.path(RED_LOG)


def whole_at(ctx: StepContext, commit: str, path: str) -> str:
    """A file however long it is, and whatever is in it: of a record, what was there stays to the byte."""
    return (ctx.ports.vault.read(commit, path) or b"").decode("utf-8", "surrogateescape")


def at_command(ctx: StepContext) -> str:
    """As the user says; else as the approved plan declares it; else the project's own test command."""
    issue = issue_of(ctx)
    if issue.has_cause:
        return shown_by(ctx) or test_command(ctx)
    plan = text_at(ctx, approved_at(ctx))(issue.brief.path(PLAN_FILE)) or ""
    declared = find_test_command(plan) if issue.design.approved_by else ""
    return issue.options.at_command or declared or ctx.policy.commands.test or ""


def test_command(ctx: StepContext) -> str:
    """Of the whole suite, unless the config names another command."""
    return issue_of(ctx).options.at_command or ctx.policy.commands.test or ""


def shown_by(ctx: StepContext) -> str:
    """The very command by which the test of the agreed cause was seen to fail; "" before there is one."""
    issue = issue_of(ctx)
    rate, cause = issue.baseline.rate, issue.cause.agreed
    if rate is None or cause is None or rate.test != cause.test or not issue.design.approved_by:
        return ""
    return rate.command


def at_criterion(ctx: StepContext) -> Criterion:
    return Criterion(AT, "the acceptance tests pass", Form.COMMAND, at_command(ctx))


def issue_task(ctx: StepContext) -> Task:
    """The whole issue as one task: what its plan declares may change, its tests included."""
    issue = issue_of(ctx)
    # Where a cause was agreed, nobody approved a plan.
    plan = "" if issue.has_cause else text_at(ctx, approved_at(ctx))(issue.brief.path(PLAN_FILE)) or ""
    # Of a flaky test its own file may be what is to be fixed, as a person agreed.
    files = issue.cause.agreed.files if issue.cause.agreed and issue.route is Route.FLAKY else ()
    return Task(AT, issue.brief.title, files=files, action=plan, criteria=(at_criterion(ctx),))


def papers(ctx: StepContext, findings: Sequence[SeedFinding]) -> Mapping[str, bytes]:
    """What the agent finds at .autopilot/: the issue, and what it has to fix. Never an opinion."""
    issue = issue_of(ctx)
    facts = {
        "issue": msgspec.to_builtins(issue.brief),
        "route": issue.route,
        "phase": ctx.phase.id,
        "step": ctx.task,
        "iteration": iteration_of(ctx),
        "at_command": at_command(ctx),
        "cause": msgspec.to_builtins(issue.cause.agreed),
    }
    # Of an issue that is known by its folder alone there is no text; an empty file would look like a mistake.
    text = issue.brief.text or f"{issue.brief.title}\n"
    files = {"facts.json": msgspec.json.encode(facts), "issue.md": text.encode()}
    if findings:
        files["findings.json"] = msgspec.json.encode(findings)
    return files


def seeds_of(ctx: StepContext) -> tuple[SeedFinding, ...]:
    """The first iteration of a cycle has what a person or a halt left; every later one what was seen of the last."""
    before = round_of(ctx)
    issue = issue_of(ctx)
    return (*(before.findings if before.iteration else issue.convergence.seeds), *issue.remarks)


def decisions_of(ctx: StepContext, commit: str, claimed: Sequence[DecisionClaim]) -> tuple[Decision, ...]:
    """Only decisions whose file and line exist."""
    read = text_at(ctx, commit)
    found = [c for c in claimed if 1 <= c.line <= len((read(c.file) or "").splitlines())]
    return tuple(Decision(c.file, c.line, c.text) for c in found)


def tests_text(ctx: StepContext, commit: str) -> str:
    return text_at(ctx, commit)(issue_of(ctx).brief.path(TESTS_FILE)) or ""
