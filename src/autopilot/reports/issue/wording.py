"""An issue as text: its position, its outcome, and the command that continues it."""

from __future__ import annotations

import shlex

from autopilot.events.issue.rooms import Round
from autopilot.events.issue.state import IssueState
from autopilot.events.state import RunState
from autopilot.model.issue.issue import DESIGN, IMPL, Decision, OracleState, SeedFinding
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PhaseStatus
from autopilot.reports.markdown import one_line, shorten

BETWEEN = " · "
SHOWN_CHARS = 160


def name_of(issue: IssueState) -> str:
    return f"issue {issue.brief.number}"


def go_on(issue: IssueState) -> str:
    """The arguments of the command that resumes it."""
    return f"issue {issue.brief.number}"


def where(issue: IssueState, phase: PhaseId, step: str = "", iteration: int = 0) -> str:
    """ "issue 24 · impl · running-atdd-cycle · iteration 2/8"; without a step of its own only the phase."""
    parts = [name_of(issue), str(phase)]
    if step in issue.steps_of(phase):
        now = iteration or iteration_of(issue, step)
        parts += [step, f"iteration {now}/{issue.options.limit(step)}"]
    return BETWEEN.join(parts)


def iteration_of(issue: IssueState, step: str) -> int:
    """The current one: after a row that says FAIL the next begins, unless a rail ended it."""
    now = issue.convergence.rounds.get(step, Round())
    is_next = now.row is not None and not now.passed and issue.ending.halted is None
    return max(1, now.iteration + is_next)


def position(state: RunState) -> tuple[PhaseId, str]:
    """The phase it is in, and the step of its convergence; "" between two of them, and at a gate."""
    issue = state.issue
    assert issue is not None, "only the run of an issue has one"
    phase = IMPL if issue.design.approved_by and issue.steps_of(IMPL) else DESIGN
    if issue.ending.halted is not None:
        return issue.ending.halted.phase, issue.ending.halted.step
    is_over = phase not in state.phases or state.phases[phase].status is PhaseStatus.COMPLETED
    if is_over or not issue.requirements.approved_by:
        return phase, ""
    left = (step for step in issue.steps_of(phase) if not issue.convergence.rounds.get(step, Round()).passed)
    return phase, next(left, "")


def stands_at(state: RunState) -> str:
    """Its position as text; before the first gate is passed there is no phase to speak of."""
    issue = state.issue
    assert issue is not None, "only the run of an issue has one"
    if not issue.requirements.approved_by and issue.ending.halted is None:
        return BETWEEN.join((name_of(issue), "requirements" if issue.route else "route"))
    phase, step = position(state)
    return where(issue, phase, step, halted_at(issue))


def halted_at(issue: IssueState) -> int:
    """The iteration that a rail ended; 0 while none has."""
    halted = issue.ending.halted
    return issue.convergence.rounds.get(halted.step, Round()).iteration if halted else 0


def left_to_fix(state: RunState) -> tuple[SeedFinding, ...]:
    issue = state.issue
    assert issue is not None, "only the run of an issue has one"
    if issue.ending.halted is not None:
        return issue.ending.halted.findings
    if issue.ending.handed_off is not None:
        return ()
    step = position(state)[1]
    # At a gate after the first all of it was taken up.
    given = issue.convergence.seeds if step or not issue.requirements.approved_by else ()
    return (*(issue.convergence.rounds.get(step, Round()).findings or given), *issue.remarks)


def outcome_of(issue: IssueState) -> str:
    """ "" while it is in progress."""
    if issue.ending.halted is not None:
        return "COMPLETED_WITH_DEBT"
    return "CONVERGED" if issue.ending.handed_off is not None else ""


def oracle_words(state: OracleState) -> str:
    terms = (("red", state.red_observed), ("green", state.at_green), ("covered", state.coverage_ok))
    return ", ".join(f"{name} {'yes' if value else 'no'}" for name, value in terms)


def finding_words(finding: SeedFinding) -> str:
    detail = f": {finding.detail}" if finding.detail else ""
    return shorten(one_line(f"{finding.evidence_ref}{detail}"), SHOWN_CHARS)


def decision_words(decision: Decision) -> str:
    return f"`{one_line(decision.file)}:{decision.line}` {shorten(one_line(decision.text), SHOWN_CHARS)}"


def merge_command(branch: str, url: str) -> str:
    """What only the user does."""
    quoted = shlex.quote(url)
    return f"gh pr ready {quoted} && gh pr merge {quoted}" if url else f"git merge --no-ff {shlex.quote(branch)}"


def merge_of(issue: IssueState) -> str:
    """ "" while it is not handed off."""
    done = issue.ending.handed_off
    return merge_command(done.branch, done.url) if done else ""
