"""A run: where it stands, its graph and timeline, its phases, what was not checked, what it cost."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from autopilot.api.page.records import Record
from autopilot.api.run_report import report_of
from autopilot.events.state import PhaseState, RunState
from autopilot.model.run import LandingStage
from autopilot.reports.documents.tasks import parts_of
from autopilot.reports.evidence.promised import is_judged, ratio_words
from autopilot.reports.evidence.unchecked import unchecked_in_run
from autopilot.reports.html.svg_graph import render_graph
from autopilot.reports.html.svg_timeline import render_legend, render_timeline
from autopilot.reports.markdown import how_long, seconds
from autopilot.reports.run.completion import COST_HEAD, cost_rows
from autopilot.reports.run.ways_on import next_lines
from autopilot.reports.status.brief import failure_words
from autopilot.reports.status.phase_record import usage_of
from autopilot.reports.status.scores import in_words, score_of
from autopilot.reports.status.status_text import money_words
from autopilot.web.issue.trace import show_issue
from autopilot.web.views.inbox import find_requests
from autopilot.web.views.summary import summarise


class PhaseRow(Struct, frozen=True):
    id: str
    name: str
    status: str
    proven: str
    score: str
    took: str
    tokens: int
    money: str
    attempt: int
    failure: str
    is_part: bool
    landed: str


def show_run(record: Record, run: str) -> dict[str, Any]:
    history = record.history()
    report = report_of(history.runs, run, record.entries(run))
    state = report.state
    return {
        "record": record,
        "summary": summarise(record, state),
        "state": state,
        "requests": list(find_requests(record, run)) if record.is_there else [],
        "graph": render_graph(state, f"/r/{record.id}/runs/{run}/phases"),
        "timeline": render_timeline(state, report.entries),
        "legend": render_legend(),
        "phases": phase_rows(state),
        **show_issue(record, state),
        "unchecked": unchecked_in_run(state) if not state.issue else [],
        "figures": figures_of(state),
        "cost_head": COST_HEAD,
        "cost": list(cost_rows(state)),
        "next": [line.strip() for line in next_lines(state)] if state.halted else [],
        "warnings": list(state.totals.warnings),
    }


def figures_of(state: RunState) -> list[tuple[str, str]]:
    """What was used, beside what may be."""
    used, budget = state.totals.usage, state.policy.budget
    return [
        (how_long(seconds(state.started_at, state.now)), f"elapsed, at most {how_long(budget.minutes * 60)}"),
        (f"{used.tokens:,}", f"tokens, at most {budget.tokens:,}"),
        (money_words(used.usd, used.usd_is_estimate), f"at most {money_words(budget.usd, False)}"),
    ]


def phase_rows(state: RunState) -> list[PhaseRow]:
    phases = [home for phase in state.phases.values() for home in (phase, *parts_of(state, phase))]
    return [_row(state, phase) for phase in (*phases, *state.completion.closing.values())]


def _row(state: RunState, phase: PhaseState) -> PhaseRow:
    used, score = usage_of(state, phase), score_of(state, phase)
    end = phase.ending.completed_at or state.now
    return PhaseRow(
        id=phase.id,
        name=phase.brief.name,
        status=phase.status.value,
        proven=ratio_words(phase) if is_judged(phase) else "",
        score="" if score is None else in_words(score),
        took=how_long(seconds(phase.started_at, end)) if phase.started_at else "",
        tokens=used.tokens,
        money=money_words(used.usd, used.usd_is_estimate) if used.tokens else "",
        attempt=phase.totals.attempt,
        failure=failure_words(phase) if phase.ending.failure else "",
        is_part=phase.parent is not None,
        landed=_describe_landing(state, phase),
    )


def _describe_landing(state: RunState, phase: PhaseState) -> str:
    landing = phase.landing
    match landing.state:
        case LandingStage.LANDED:
            return f"on {state.line.branch or 'your branch'} at {landing.commit[:12]}"
        case LandingStage.DEFERRED:
            return f"waits, on branch {landing.branch}"
        case _:
            return ""
