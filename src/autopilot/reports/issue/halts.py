"""What ended the convergence of an issue: what happened, why it matters, and what you do about it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from msgspec import Struct

from autopilot.events.issue.happened import ConvergenceHalted
from autopilot.events.issue.rooms import Round
from autopilot.events.issue.state import IssueState
from autopilot.events.state import RunState
from autopilot.model.agent import Ending
from autopilot.model.issue.issue import HaltReason
from autopilot.reports.issue.wording import finding_words, go_on


class Stopped(Struct, frozen=True):
    happened: str
    why: str
    to_do: tuple[str, ...]  # ``{on}``: the command that takes the issue up, ``{after}``: what it has to say again


ON = "`{on}{after}`"
SAY = '`{on} --finding "TEXT"{after}`'
NAME = '`{on} --at-command "COMMAND"{after}`'
# Their detail says the same in other words.
WITHOUT_DETAIL = (HaltReason.SAMENESS, HaltReason.STUCK, HaltReason.UNVERIFIABLE)
HALTS: Mapping[HaltReason, Stopped] = {
    HaltReason.DRIFT: Stopped(
        "a document that you approved was changed",
        "work cannot be proven against requirements that changed while it was done",
        (f"to continue with the approved documents: {ON}", "if the change is right, open a new issue for it"),
    ),
    HaltReason.INTEGRITY: Stopped(
        "something other than Autopilot changed the audit log",
        "an audit log that others can write proves nothing",
        (
            "Autopilot rejected the commit that changed it: {branch} holds only Autopilot's own rows",
            f"to continue from them: {ON}",
        ),
    ),
    HaltReason.MAX_ITERATIONS: Stopped(
        "the limit of iterations was reached",
        "another iteration without new information from you would probably fail again, and costs money",
        (
            f"to retry with the findings that are left: {ON}; with a finding of yours: {SAY}",
            "with a higher limit: `{on} --max-iterations {more}{after}`",
        ),
    ),
    HaltReason.SAMENESS: Stopped(
        "two iterations failed in exactly the same way",
        "the agent does not learn from the failure, so a third iteration would fail too",
        (f"to tell the agent what it overlooks: {SAY}",),
    ),
    HaltReason.STUCK: Stopped(
        "the iterations alternate between the same failures",
        "each iteration fixes one failure by causing another, so the loop would not end",
        (f"to tell the agent what comes first: {SAY}",),
    ),
    HaltReason.UNVERIFIABLE: Stopped(
        "the tests pass and cover every criterion, but never failed without the implementation",
        "a test that cannot fail proves nothing",
        (
            f"check whether the tests ask for anything new, and tell the agent: {SAY}",
            'if they passed before, let the design mark them [regression]: `{on} --design --finding "TEXT"{after}`',
        ),
    ),
    HaltReason.FREEZE: Stopped(
        "a file or command that the phase needs is missing",
        "without it Autopilot cannot tell what must be met, or whether it is met",
        (f"if a file is missing: put it back, then {ON}", f"if a command is missing: {NAME}"),
    ),
    HaltReason.PIN: Stopped(
        "the documents differ from the ones that you approved",
        "work for one set of requirements cannot be measured against another",
        (f"restore the approved documents, then {ON}", "for other requirements, open a new issue"),
    ),
    HaltReason.RECORD: Stopped(
        "the audit row could not be written",
        "Autopilot decides nothing that is not recorded",
        (f"fix the problem named above, then {ON}",),
    ),
    HaltReason.RAILS: Stopped(
        "the limits of the loop could not be read",
        "without them nothing would stop the loop",
        (f"fix the problem named above, then {ON}",),
    ),
}


PROGRAM_FAILED = Stopped(
    "the program of the agent failed both times",
    "a third call would probably fail too: the cause is in the program, its sign-in or its time limit",
    ("to find the cause: `{before}autopilot doctor`", f"then {ON}"),
)
_BROKEN = (Ending.CRASHED, Ending.REFUSED, Ending.TIMED_OUT, Ending.STALLED, Ending.NOT_FOUND)


def halt_of_run(state: RunState, issue: IssueState, before: str = "", after: str = "") -> list[str]:
    """The lines for the halt of a run; [] if it has none."""
    halted = issue.ending.halted
    if halted is None:
        return []
    stopped = PROGRAM_FAILED if _did_program_fail(state, issue, halted) else None
    return halt_lines(issue, halted, before, after, stopped)


def _did_program_fail(state: RunState, issue: IssueState, halted: ConvergenceHalted) -> bool:
    """Nothing was committed, and the last two calls did not end by themselves."""
    last = issue.convergence.rounds.get(halted.step, Round()).work
    if halted.reason is not HaltReason.SAMENESS or last is None or last.commit or halted.phase not in state.phases:
        return False
    endings = [asked.ending for asked in state.phase(halted.phase).agents.asked if asked.task == halted.step][-2:]
    return len(endings) == 2 and all(ending in _BROKEN for ending in endings)


def halt_lines(
    issue: IssueState, halted: ConvergenceHalted, before: str = "", after: str = "", stopped: Stopped | None = None
) -> list[str]:
    """What happened, why it matters, what is left, what to do. ``before``, ``after``: around each of our commands."""
    stopped = stopped or HALTS[halted.reason]
    facts = {
        "on": f"{before}autopilot {go_on(issue)}",
        "before": before,
        "after": after,
        "branch": shlex.quote(issue.branch),
        "more": 2 * issue.options.limit(halted.step),
    }
    seen = f" ({halted.detail})" if halted.detail and halted.reason not in WITHOUT_DETAIL else ""
    left = (f"left to fix: {finding_words(finding)}" for finding in halted.findings)
    to_do = (f"what to do: {line.format(**facts)}" for line in stopped.to_do)
    return [f"what happened: {stopped.happened}{seen}", f"why it matters: {stopped.why}", *left, *to_do]
