"""What the end of a command means for what was seen."""

from __future__ import annotations

from autopilot.model.errors import Interrupted
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.subject import SubjectKind, parse_subject
from autopilot.model.evidence.testing import By, Tally
from autopilot.model.planning.criterion import Expectation, Want
from autopilot.planning.plan.criterion import judge_output
from autopilot.ports.sandbox import (
    DaemonLost,
    Exited,
    Killed,
    NeverRan,
    Outcome,
    OverLimit,
    Stalled,
    TimedOut,
    describe_ended,
)

Lines = tuple[tuple[str, bool], ...]  # PASS and FAIL lines of a script


def stop_if_killed(outcome: Outcome) -> None:
    if isinstance(outcome.ended, Killed):
        raise Interrupted("stopped while a command ran", outcome.ended.reason)


def judge_end(expectation: Expectation, outcome: Outcome, text: str, lines: Lines | None) -> tuple[Seen, str]:
    """``lines``: of a script, None of any other command."""
    match outcome.ended:
        case NeverRan(reason):
            return Seen.NOTHING, reason
        case TimedOut() | Stalled():
            return Seen.TIMED_OUT, describe_ended(outcome.ended)
        case Exited(code) if lines is not None:
            return _judge_script(code, lines, outcome.dropped)
        case Exited(code):
            return (Seen.PASSED if judge_output(expectation, code, text) else Seen.FAILED), ""
        case OverLimit():
            return Seen.FAILED, describe_ended(outcome.ended)
        case DaemonLost(reason):
            return Seen.FAILED, reason
        case Killed(reason):
            raise Interrupted("stopped while a command ran", reason)


def _judge_script(code: int, lines: Lines, dropped: int) -> tuple[Seen, str]:
    """Exit status and lines must agree: a script that prints FAIL and exits 0 has failed."""
    if dropped:
        return Seen.FAILED, f"it printed so much that {dropped} bytes were left out: a FAIL line may be among them"
    red = [text for text, passed in lines if not passed]
    if red:
        return Seen.FAILED, f"FAIL: {red[0]}" + (f" (and {len(red) - 1} more)" if len(red) > 1 else "")
    if code != 0:
        return Seen.FAILED, f"exit {code}"
    return (Seen.PASSED, "") if lines else (Seen.FAILED, "it printed no PASS or FAIL line")


def describe_end(outcome: Outcome) -> str:
    match outcome.ended:
        case Exited(code):
            last = outcome.output.decode("utf-8", "replace").strip().splitlines()[-1:]
            return f"exit {code}: {last[0]}" if last else f"exit {code}, and it printed nothing"
        case ended:
            return describe_ended(ended)


def find_contradiction(subject: str, expectation: Expectation, tests: Tally) -> str:
    """An exit status of 0 that the tools' own reports contradict. A check with an expectation of its own is left alone.

    A criterion that selects no test (``go test -run TestSoon``) proves nothing, least of all before one is written.
    """
    is_check = parse_subject(subject).kind is SubjectKind.CHECK
    if not is_check and expectation.want in (Want.EXIT, Want.CONTAINS) and tests.is_empty:
        return f"{tests.runner} ran no test"
    if expectation != Expectation():
        return ""
    if tests.problem:
        return f"it exited 0, and {tests.runner} left no readable report: {tests.problem}"
    if tests.failed or tests.by is By.LOADING:
        return f"it exited 0, and {tests.runner} reports {tests.failed} failed tests or tests that could not be loaded"
    return ""
