"""The cause of a bug or flaky test as a person reads it: class, description, and what Autopilot observed."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.events.issue.state import IssueState
from autopilot.events.state import RunState
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.issue.issue import DESIGN, MEANINGS, CauseClass, FlakyKind, Route
from autopilot.reports.evidence.strength import tests_words
from autopilot.reports.markdown import bullets, fenced, one_line

NO_CAUSE = "No cause was given."


def cause_section(issue: IssueState, state: RunState) -> str:
    cause = issue.cause.proposed
    if cause is None:
        return f"## Cause\n\n{NO_CAUSE}\n"
    meaning = MEANINGS.get(cause.kind, "")
    head = f"**{one_line(cause.kind)}**{f', {meaning}' if meaning else ''}."
    quoted = "\n".join(f"> {line}".rstrip() for line in cause.text.strip().split("\n"))
    facts = [f"Test: `{one_line(cause.test)}`"] if cause.test else []
    facts += [f"In: {', '.join(f'`{one_line(path)}`' for path in cause.files)}"] if cause.files else []
    if (rate := issue.baseline.rate) is not None:
        facts.append(f"Failure rate before: {rate.text} runs by Autopilot, at `{rate.commit[:12]}`")
    facts += [f"Classes you may choose from: {', '.join(cause_kinds(issue))}"]
    return f"## Cause\n\n{head}\n\n{quoted}\n\n{bullets(facts)}\n{''.join(_seen(issue, state))}"


def cause_kinds(issue: IssueState) -> tuple[str, ...]:
    return tuple(CauseClass) if issue.route is Route.BUGFIX else tuple(FlakyKind)


def _seen(issue: IssueState, state: RunState) -> Iterator[str]:
    """The failing run itself: what the reproduction printed before the fix."""
    red = issue.baseline.red or _last_failure(state)
    if red is None:
        return
    counted = f" ({tests_words(red.tests)})" if red.tests else ""
    yield f"\nObserved at `{red.commit[:12]}`: `{one_line(red.command)}` {red.seen.text}{counted}\n\n"
    if red.excerpt.strip():
        yield fenced(red.excerpt)


def _last_failure(state: RunState) -> Observation | None:
    seen = state.phase(DESIGN).observed.observations or ()
    return next((observation for observation in seen if observation.seen is Seen.FAILED), None)
