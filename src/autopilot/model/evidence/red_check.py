"""What a red check means for the work, as text for people."""

from __future__ import annotations

from autopilot.model.evidence.likeness import Compared, Likeness
from autopilot.model.evidence.observation import Observation, Seen


def describe_red(observation: Observation) -> str:
    """Whether the work is to blame for it, as far as that is known."""
    if observation.legacy:
        return _legacy(observation.legacy)
    if observation.compared is not None:
        return _describe_compared(observation, observation.compared)
    return f"not run: {observation.reason}" if observation.is_not_run else f"the command {observation.seen.text}"


def describe_check(observation: Observation) -> str:
    """In a table: how it ended, and of a red one what is known beyond that."""
    is_explained = observation.seen is Seen.FAILED and (
        observation.is_excused or observation.compared is not None or observation.is_not_run
    )
    if observation.never_ran:
        return describe_red(observation)
    return f"{observation.seen.text}: {describe_red(observation)}" if is_explained else observation.seen.text


def _describe_compared(observation: Observation, compared: Compared) -> str:
    match compared.likeness:
        case Likeness.FINDINGS:
            return _known(compared.old)
        case Likeness.OUTPUT:
            return "it was red before the work began, and prints the same now"
        case Likeness.NEW:
            more = f" (and {compared.new - len(compared.shown)} more)" if compared.new > len(compared.shown) else ""
            return f"new since the work began: {'; '.join(compared.shown)}{more}"
        case Likeness.NEVER_RAN:
            return f"not run, neither before the work nor after it: {observation.reason}"
        case Likeness.UNREADABLE if observation.is_not_run:
            return f"not run, and it ran before the work: {observation.reason}"
        case Likeness.UNREADABLE:
            return f"the command {observation.seen.text}, and cannot be compared with before: {compared.because}"


def _legacy(count: int) -> str:
    if count == 1:
        return "1 test was red before the work began and still is; nothing else is red"
    return f"{count} tests were red before the work began and still are; nothing else is red"


def _known(count: int) -> str:
    if count == 1:
        return "its 1 finding was there before the work began; nothing else is red"
    return f"its {count} findings were there before the work began; nothing else is red"
