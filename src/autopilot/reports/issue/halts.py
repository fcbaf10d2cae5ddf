"""What ended the convergence of an issue: what happened, why it matters, and what you do about it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from msgspec import Struct

from autopilot.events.issue.happened import ConvergenceHalted
from autopilot.events.issue.state import IssueState
from autopilot.model.issue.issue import HaltReason
from autopilot.reports.issue.wording import finding_words, go_on


class Stopped(Struct, frozen=True):
    what: str
    why: str
    to_do: tuple[str, ...]  # ``{on}``: the command that takes the issue up, ``{after}``: what it has to say again


ON = "`{on}{after}`"
SAY = '`{on} --finding "TEXT"{after}`'
NAME = '`{on} --at-command "COMMAND"{after}`'
# Their detail says the same in other words.
SAID_ALREADY = (HaltReason.SAMENESS, HaltReason.STUCK, HaltReason.UNVERIFIABLE)
HALTS: Mapping[HaltReason, Stopped] = {
    HaltReason.DRIFT: Stopped(
        "what you approved was changed",
        "nothing may be proven against requirements that moved while they were being met",
        (f"to go on with what you approved: {ON}", "if the change is right, it is a new issue"),
    ),
    HaltReason.INTEGRITY: Stopped(
        "the audit log was changed by somebody else than Autopilot",
        "a record that others can write is no record",
        ("nothing of the commit that touched it was taken: {branch} holds our own rows", f"to go on from them: {ON}"),
    ),
    HaltReason.MAX_ITERATIONS: Stopped(
        "every iteration was used up",
        "trying on without you would only cost",
        (
            f"to try again with what is left to mend: {ON}; with a word of yours: {SAY}",
            "with more room: `{on} --max-iterations {more}{after}`",
        ),
    ),
    HaltReason.SAMENESS: Stopped(
        "two iterations failed in exactly the same way",
        "it does not learn from what it sees, so a third would do the same",
        (f"say what it overlooks: {SAY}",),
    ),
    HaltReason.STUCK: Stopped(
        "the iterations alternate between the same failures",
        "each iteration mends one thing by breaking another, so it will not end by itself",
        (f"decide what goes first: {SAY}",),
    ),
    HaltReason.UNVERIFIABLE: Stopped(
        "the tests pass and cover everything, but were never seen to fail without the implementation",
        "a test that cannot fail proves nothing",
        (
            f"see whether the tests ask for anything new, and say so: {SAY}",
            'where they held before, have the design mark them [regression]: `{on} --design --finding "TEXT"{after}`',
        ),
    ),
    HaltReason.FREEZE: Stopped(
        "what the phase needs to begin is not there",
        "without it nothing says what is to be met, or whether it is",
        (f"a file that is missing: put it back, then {ON}", f"a command that is missing: {NAME}"),
    ),
    HaltReason.PIN: Stopped(
        "what was approved is not what stands there now",
        "work for one set of requirements is not measured by another",
        (f"put it back as it was approved, then {ON}", "other requirements are a new issue"),
    ),
    HaltReason.RECORD: Stopped(
        "the audit row could not be written",
        "nothing is decided that is not on record",
        (f"see the reason above, then {ON}",),
    ),
    HaltReason.RAILS: Stopped(
        "the rails could not be read",
        "without them nothing would end a loop",
        (f"see the reason above, then {ON}",),
    ),
}


def halt_lines(issue: IssueState, halted: ConvergenceHalted, before: str = "", after: str = "") -> list[str]:
    """What happened, why it matters, what is left, what to do. ``before``, ``after``: around each of our commands."""
    told = HALTS[halted.reason]
    facts = {
        "on": f"{before}autopilot {go_on(issue)}",
        "after": after,
        "branch": shlex.quote(issue.branch),
        "more": 2 * issue.wishes.limit(halted.step),
    }
    seen = f" ({halted.detail})" if halted.detail and halted.reason not in SAID_ALREADY else ""
    left = (f"left to mend: {finding_words(finding)}" for finding in halted.findings)
    to_do = (f"what to do: {line.format(**facts)}" for line in told.to_do)
    return [f"what happened: {told.what}{seen}", f"why it matters: {told.why}", *left, *to_do]
