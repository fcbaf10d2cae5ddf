"""cause.md: what a person agreed is the cause of a bug, or of a flaky test. Part of what is pinned."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.events.issue.state import IssueState
from autopilot.model.issue.issue import MEANINGS, Cause, Route
from autopilot.reports.inert import make_inert
from autopilot.reports.markdown import bullets, fenced


def render_cause(issue: IssueState) -> str:
    """By what was agreed alone: the same agreement is the same document, whenever it is written."""
    assert issue.cause.agreed is not None, "it is written once a person has agreed"
    return make_inert("\n\n".join(_sections(issue, issue.cause.agreed))) + "\n"


def _sections(issue: IssueState, cause: Cause) -> Iterator[str]:
    meaning = MEANINGS.get(cause.kind, "")
    yield f"# Cause of issue {issue.brief.number}: {' '.join(issue.brief.title.split())}"
    yield f"**{'Kind' if issue.route is Route.FLAKY else 'Class'}:** {cause.kind}" + (f", {meaning}" if meaning else "")
    yield f"**Agreed by:** {issue.design.approved_by or 'no person yet'}"
    yield "## What is wrong"
    # Quoted line by line: a heading in somebody's words is no section of this document.
    yield "\n".join(f"> {line}".rstrip() for line in cause.text.strip().splitlines()) or "Nothing was said."
    yield "## The test that shows it"
    yield f"`{cause.test}`" if cause.test else "None was named."
    if cause.files:
        yield bullets(f"`{path}`" for path in cause.files)
    if issue.baseline.rate is not None and issue.baseline.rate.test == cause.test:
        rate = issue.baseline.rate
        yield f"Before any change it failed in {rate.text} runs of ours, at {rate.commit[:12]}:"
        yield fenced(rate.command).rstrip()
