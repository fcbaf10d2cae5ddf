"""The message of an issue's middle gate: what to decide, where it stands, what was seen, and how to answer."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.events.issue.state import IssueState
from autopilot.events.state import RunState
from autopilot.model.human import GateKind
from autopilot.model.issue.hunk import Answered, Artefact, Showing
from autopilot.model.issue.issue import Route
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.reports.inert import make_inert
from autopilot.reports.issue.answer import answer_lines
from autopilot.reports.issue.cause_shown import cause_section
from autopilot.reports.issue.diff_blocks import place_of, render_hunks
from autopilot.reports.issue.wording import decision_words
from autopilot.reports.markdown import bullets, one_line

MOST = 25  # lines of one document
OTHERS = 12  # places of what no finding asked for
HEADS = {
    Route.BUGFIX: "Cause of issue {n}: {title}",
    Route.FLAKY: "Cause of issue {n}: {title}",
    Route.EXPRESS: "Change for issue {n}: {title}",
}


def render_presentation(issue: IssueState, state: RunState, showing: Showing) -> str:
    """Never the whole body: that is what the branch is for."""
    number = issue.presentation.count + 1
    title = HEADS.get(issue.route or Route.FULL, "Design of issue {n}: {title}")
    gate = issue.name_middle_gate(number)
    kind = GateKind.CAUSE if issue.has_cause else GateKind.DESIGN
    parts = [
        f"# {one_line(title.format(n=issue.brief.number, title=issue.brief.title))}\n",
        _where(showing, number),
        *(_answers(issue, showing) if showing.answered else _first(issue, state, showing)),
        *([f"## Check these points\n\n{bullets(map(one_line, showing.warnings))}\n"] if showing.warnings else []),
        f"## How to answer\n\n{bullets(answer_lines(gate, kind))}\n",
    ]
    return make_inert("\n".join(parts))


def _where(showing: Showing, number: int) -> str:
    draft = f"; draft: {showing.url}" if showing.url else ""
    return one_line(f"Branch `{showing.branch}` at `{showing.commit[:12]}`{draft}; presentation {number}.") + "\n"


def _first(issue: IssueState, state: RunState, showing: Showing) -> Iterator[str]:
    match issue.route:
        case Route.BUGFIX | Route.FLAKY:
            yield "## To decide\n\nDo you agree with this cause? Autopilot fixes only the cause that you agree to.\n"
            yield cause_section(issue, state)
        case Route.EXPRESS:
            yield "## To decide\n\nIs this change right? It changes documents only; no test checks their content.\n"
            yield render_hunks(showing.hunks) or "No differences.\n"
        case _:
            question = "Approve stories, plan and acceptance tests together, or send them back. The decisions in each:"
            yield f"## To decide\n\n{question}\n"
            yield from map(_artefact, showing.artefacts)


def _artefact(artefact: Artefact) -> str:
    lead = "" if artefact.decided else "No decision is marked; the document consists of:\n\n"
    points = artefact.points
    more = [f"and {len(points) - MOST} more"] if len(points) > MOST else []
    listed = bullets([*map(decision_words, points[:MOST]), *more]) if points else "The document has nothing to list."
    return f"### {artefact.name}\n\n{lead}{listed}\n"


def _answers(issue: IssueState, showing: Showing) -> Iterator[str]:
    """Finding by finding, what changed for it."""
    yield "## What changed for your findings\n"
    yield from (_finding(number, answered) for number, answered in enumerate(showing.answered, 1))
    if issue.has_cause and issue.cause.proposed is not None:
        yield f"The cause is now given as {one_line(f'{issue.cause.proposed.kind}: {issue.cause.proposed.text}')}\n"
    if others := showing.others:
        places = [place_of(hunk) for hunk in others[:OTHERS]]
        more = [f"and {len(others) - OTHERS} more"] if len(others) > OTHERS else []
        yield f"### Other changes\n\n{bullets([*places, *more])}\n"


def _finding(number: int, answered: Answered) -> str:
    finding = answered.finding
    quoted = "\n".join(f"> {line}".rstrip() for line in strip_controls(finding.evidence_ref).split("\n"))
    about = f" ({finding.about})" if finding.about else ""
    body = render_hunks(answered.hunks) or "**Nothing changed for this finding.**\n"
    return f"### Finding {number}{about}\n\n{quoted}\n\n{body}"
