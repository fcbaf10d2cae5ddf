"""Failures as text: for a screen, for a document, for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from autopilot.events.state import PhaseState
from autopilot.reports.evidence.failures import Failure, is_refused_by_evidence
from autopilot.reports.markdown import one_line, shorten
from autopilot.reports.status.brief import brief

LONGEST_COMMAND = 200
MOST_SHOWN = 3


def head_line(failure: Failure) -> str:
    """What did not hold, with the names that other reports use for it."""
    also = f"also {', '.join(failure.also)}" if failure.also else ""
    own = failure.name if failure.text != failure.name else ""
    names = ", ".join(filter(None, (own, also)))
    return f"{failure.text} ({names})" if names else failure.text


def failure_lines(failure: Failure) -> Iterator[str]:
    """Below the head: the command, expected against actual, the tool's own last lines, what was objected."""
    if failure.command:
        yield f"$ {shorten(failure.command, LONGEST_COMMAND)}"
    if failure.expected:
        yield f"expected: {failure.expected}"
        yield f"actual:   {failure.actual}"
    else:
        yield f"{failure.layer}: {failure.because}" if failure.layer else failure.because
    yield from (f"| {line}" for line in failure.last_lines)
    yield from (f"objection: {text}" for text in failure.objections)


def render_failures(failures: Sequence[Failure]) -> str:
    """All of them, one block each; foreign text, for a place where it is only shown."""
    return "\n\n".join(
        "\n".join(map(one_line, (f"- {head_line(failure)}", *(f"  {line}" for line in failure_lines(failure)))))
        for failure in failures
    )


def why_failed(phase: PhaseState, failures: Sequence[Failure]) -> str:
    """Beside the failures themselves: not once more what they tell in full."""
    if failures and is_refused_by_evidence(phase):
        return "1 check does not hold" if len(failures) == 1 else f"{len(failures)} checks do not hold"
    return brief(phase.ending.failure).removeprefix(f"{phase.ending.failure_step}: ")


def failure_blocks(failures: Sequence[Failure], way_to_all: str) -> list[str]:
    """The first few as lines, for a reader of a whole run; ``way_to_all`` is the command that shows the rest."""
    lines = []
    for failure in failures[:MOST_SHOWN]:
        lines += [failure.text, *(f"  {line}" for line in failure_lines(failure))]
    more = f"{len(failures) - MOST_SHOWN} more, and " if len(failures) > MOST_SHOWN else ""
    return [*lines, f"{more}how to repeat it by hand: `{way_to_all}`"] if lines else []


def failure_document(failure: Failure) -> dict[str, Any]:
    """For programs; a field may be added."""
    return {
        "name": failure.name,
        "also": list(failure.also),
        "text": failure.text,
        "outcome": failure.outcome.value,
        "command": failure.command or None,
        "commit": failure.commit or None,
        "exit_status": failure.exit_status,
        "expected": failure.expected or None,
        "actual": failure.actual or failure.because,
        "last_lines": list(failure.last_lines),
        "objections": [*([f"{failure.layer}: {failure.because}"] if failure.layer else []), *failure.objections],
        "output": failure.output or None,
    }
