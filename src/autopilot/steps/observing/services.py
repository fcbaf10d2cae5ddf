"""A check whose services failed: whose doing that is, found by starting them on a tree known to be good."""

from __future__ import annotations

from pathlib import PurePosixPath

from msgspec.structs import replace

from autopilot.model.evidence.observation import Seen
from autopilot.ports.sandbox import CommandSpec, DaemonLost, Exited, NeverRan, Outcome, Sandbox, run
from autopilot.steps.observing.ends import stop_if_killed

REMEDY = "correct verify.services in .planning/config.json, or install what it needs; `autopilot doctor` tries it"


def has_failed_service(outcome: Outcome) -> bool:
    return isinstance(outcome.ended, DaemonLost) or (isinstance(outcome.ended, NeverRan) and bool(outcome.ended.daemon))


def judge_services(
    sandbox: Sandbox, spec: CommandSpec, outcome: Outcome, good: PurePosixPath | None
) -> tuple[Seen, str]:
    """``good``: a checkout of a tree whose services were ready before; None where the tree itself is such a one.

    A service that is not ready, although it is on that tree, was broken by what changed; so was one that was ready and
    is gone when the command has ended. Everything else lies with this machine or the description: nothing was seen.
    """
    ended = outcome.ended
    assert isinstance(ended, DaemonLost | NeverRan), "only asked of a service that failed"
    if good is None:
        return Seen.NOTHING, f"{ended.reason}; {REMEDY}"
    if isinstance(ended, DaemonLost):
        return Seen.FAILED, ended.reason
    control = run(sandbox, replace(spec, argv=("true",), backing=good, report=False, watched=False))
    stop_if_killed(control)
    if control.ended != Exited(0):
        return Seen.NOTHING, f"{ended.reason}; {REMEDY}"
    return Seen.FAILED, f"{ended.reason}; before the change it is ready"
