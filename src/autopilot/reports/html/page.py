"""`report.html`: a run on one page that needs nothing but itself; no script, no address, nothing to break out of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from autopilot.events.entry import Stored
from autopilot.events.state import RunState
from autopilot.reports.debugging.html import SESSION_SECTIONS, session_figures, session_sections
from autopilot.reports.evidence.promised import run_standing
from autopilot.reports.evidence.unchecked import unchecked_in_run
from autopilot.reports.html.markup import Markup, el, join
from autopilot.reports.html.phase import phase_link, render_phase
from autopilot.reports.html.pieces import bullet_list, figure, section, status_tag, table_of, with_code
from autopilot.reports.html.style import STYLE
from autopilot.reports.html.svg_lines import Point, render_lines, say_count, say_percent, say_score
from autopilot.reports.html.svg_timeline import render_legend, render_timeline
from autopilot.reports.issue.html import ISSUE_SECTIONS, issue_figures, issue_sections
from autopilot.reports.markdown import how_long, seconds, stamp
from autopilot.reports.run.audit import (
    GAP_HEAD,
    all_gaps,
    audit_limits,
    audit_summary,
    fixed_words,
    integration_words,
    version_words,
)
from autopilot.reports.run.completion import COST_HEAD, cost_rows
from autopilot.reports.run.metrics import RunMetrics, run_metrics
from autopilot.reports.run.project import project_of
from autopilot.reports.run.statistics import deferrals
from autopilot.reports.run.trend import FIRST, find_trend, trend_lines
from autopilot.reports.run.ways_on import next_lines
from autopilot.reports.status.brief import stop_words
from autopilot.reports.status.caught import caught_lines
from autopilot.reports.status.files import confidence_path, postmortem_path
from autopilot.reports.status.scores import in_words, needs_diagnostic
from autopilot.reports.status.status_text import money_words
from autopilot.text.naming import plural

# Should anything ever slip through, the browser itself still loads and runs nothing.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
SECTIONS = {
    "timeline": "Timeline",
    "phases": "Phases",
    "deferred": "Deferred to people",
    "audit": "Audit and version",
    "cost": "Cost",
    "diagnostics": "Diagnostics",
    "unchecked": "Not checked",
    "trend": "Trend",
}


Pictures = Mapping[str, bytes]  # PNG by digest


def render_html(
    state: RunState,
    entries: Sequence[Stored],
    rows: Sequence[RunMetrics],
    root: str = "..",
    pictures: Pictures | None = None,
) -> str:
    """``rows`` are the figures of every run up to this one; ``root`` is the way from the page to the checkout."""
    head = [
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=POLICY),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("title", f"Autopilot: {state.run}"),
        el("style", Markup(STYLE)),
    ]
    sections = ISSUE_SECTIONS if state.issue else SESSION_SECTIONS if state.debugging else SECTIONS
    if state.drafting is not None:
        sections = {name: SECTIONS[name] for name in ("timeline", "cost")}
    main = (
        _of_mode(state, entries) if not state.is_of_roadmap else _of_phases(state, entries, rows, root, pictures or {})
    )
    body = [
        _header(state),
        el("nav", *(el("a", title, href=f"#{name}") for name, title in sections.items())),
        el("main", *main),
        el("footer", f"Written by Autopilot {state.inputs.version} from its record, {stamp(state.now)}."),
    ]
    page = el("html", el("head", *head), el("body", *body), lang="en")
    return f"<!doctype html>\n{page}\n"


def _of_phases(
    state: RunState, entries: Sequence[Stored], rows: Sequence[RunMetrics], root: str, pictures: Pictures
) -> Iterator[Markup]:
    yield _timeline(state, entries)
    yield _phases(state, root, pictures)
    yield _deferred(state)
    yield _audit(state)
    yield _cost(state)
    yield _diagnostics(state)
    yield section("unchecked", SECTIONS["unchecked"], bullet_list(unchecked_in_run(state)))
    yield _trend(rows)


def _of_mode(state: RunState, entries: Sequence[Stored]) -> Iterator[Markup]:
    if state.issue is not None:
        yield from issue_sections(state, state.issue)
    if state.debugging is not None:
        yield from session_sections(state.debugging)
    yield _timeline(state, entries)
    yield _cost(state)


def _mode_figures(state: RunState) -> list[Markup]:
    if state.debugging is not None:
        return session_figures(state.debugging)
    return [*(issue_figures(state, state.issue) if state.issue else _phase_figures(state))]


def _header(state: RunState) -> Markup:
    used = state.totals.usage
    shown = [
        *_mode_figures(state),
        figure(how_long(seconds(state.started_at, state.now)), "duration"),
        figure(f"{used.tokens:,}", "tokens"),
        figure(money_words(used.usd, used.usd_is_estimate), "money"),
    ]
    command = [el("p", el("code", state.inputs.command))] if state.inputs.command else []
    onward = bullet_list(map(with_code, next_lines(state)), "")
    return el(
        "header",
        el("h1", f"{state.run} ", status_tag(state.status.value)),
        el("p", stop_words(state) or "still running"),
        *([el("p", standing)] if (standing := run_standing(state)) else []),
        *command,
        el("p", f"{stamp(state.started_at)} – {stamp(state.now)}; spec {state.inputs.spec.path}", class_="quiet"),
        onward,
        el("div", *shown, class_="figures"),
    )


def _phase_figures(state: RunState) -> list[Markup]:
    figures, project = run_metrics(state), project_of(state)
    return [
        figure(f"{figures.phases_succeeded}/{figures.phases_attempted}", "phases succeeded"),
        figure(str(figures.phases_failed), "failed"),
        figure(str(figures.phases_skipped), "skipped"),
        figure(in_words(figures.avg_alignment_score), "mean score"),
        figure(f"{project.percentage:g}%", f"of the project, {len(project.done)}/{project.total}"),
    ]


def _timeline(state: RunState, entries: Sequence[Stored]) -> Markup:
    drawn = render_timeline(state, entries)
    if not drawn:
        return section("timeline", SECTIONS["timeline"], el("p", "No step has run.", class_="quiet"))
    return section("timeline", SECTIONS["timeline"], el("div", drawn, class_="scroll"), render_legend())


def _phases(state: RunState, root: str, pictures: Pictures) -> Markup:
    phases = [*state.phases.values(), *(p for p in state.completion.closing.values() if p.tasks)]
    links = el("p", join([phase_link(state, phase) for phase in phases], " · "))
    passed = [f"phase {p.phase}: completed by {p.run}, {stamp(p.completed_at)}" for p in state.inputs.passed_over]
    over = [el("h3", "Skipped, already completed"), bullet_list(passed)] if passed else []
    shown = (render_phase(state, phase, root, pictures) for phase in phases)
    return section("phases", SECTIONS["phases"], links, *shown, *over)


def _deferred(state: RunState) -> Markup:
    rows = []
    for phase in (p for p in state.phases.values() if p.deferral is not None):
        assert phase.deferral is not None
        asked = phase.deferral.justification
        verdict = f"{phase.deferral.verdict or 'waits for you'}{': ' if phase.deferral.issues else ''}"
        result = f"{verdict}{'; '.join(phase.deferral.issues)}"
        rows.append((phase.id, f"{asked.checkpoint_task_id}: {asked.task_description}", phase.deferral.branch, result))
    waiting = [f"{gate.asked.gate}: {gate.asked.title}" for gate in state.open_gates]
    body = [table_of(("Phase", "Task", "Branch", "Verdict"), rows, wide=(1, 3))] if rows else []
    gates = [el("h3", "Open questions"), bullet_list(waiting)] if waiting else []
    return section("deferred", SECTIONS["deferred"], *body, *gates, bullet_list(deferrals(state).lines()))


def _audit(state: RunState) -> Markup:
    lines = [f"Integration: {integration_words(state)}", f"Version: {version_words(state)}"]
    summary = audit_summary(state)
    if summary is None:
        lines.append("Self-audit: not run")
    else:
        checked = plural(summary["total_requirements_checked"], "requirement")
        result = f"{checked}, {summary['passed_on_first_check']} passed on first check"
        left = f"{summary['gaps_fixed']} fixed, {summary['gaps_remaining']} remaining"
        cycles = f"audit cycles: {summary['audit_cycles']}"
        lines.append(f"Self-audit: {result}; {plural(summary['gaps_found'], 'gap')} found, {left}; {cycles}")
    rows = [(gap.requirement, gap.phase, gap.description, fixed_words(state, gap)) for gap in all_gaps(state)]
    gaps = [table_of(GAP_HEAD, rows, wide=(2,))] if rows else []
    return section("audit", SECTIONS["audit"], bullet_list([*lines, *audit_limits(state)]), *gaps)


def _cost(state: RunState) -> Markup:
    return section("cost", SECTIONS["cost"], table_of(COST_HEAD, cost_rows(state), numbers=(1, 2, 3, 4)))


def _diagnostics(state: RunState) -> Markup:
    def lines() -> Iterator[str]:
        yield from (f"caught: {line}" for line in caught_lines(state))
        for phase in state.lessons.failures:
            failed = f"phase {phase.id}, attempt {phase.totals.attempt}: {phase.ending.failure}"
            yield f"{failed} ({postmortem_path(phase.id)})"
        for phase in state.phases.values():
            if needs_diagnostic(state, phase):
                yield f"phase {phase.id}: {confidence_path(phase.id)}"
        yield from (f"warning: {warning}" for warning in state.totals.warnings)

    return section("diagnostics", SECTIONS["diagnostics"], bullet_list(lines(), "No failures and no warnings."))


def _trend(rows: Sequence[RunMetrics]) -> Markup:
    trend = find_trend(rows)
    if trend is None:
        return section("trend", SECTIONS["trend"], el("p", FIRST, class_="quiet"))
    plots: list[tuple[str, list[Point], Callable[[float], str], float | None]] = [
        ("Success rate", [Point(row.run_id, row.success_rate) for row in rows], say_percent, 1.0),
        ("Mean score", [Point(row.run_id, row.avg_alignment_score) for row in rows], say_score, 10.0),
        ("Tokens used", [Point(row.run_id, row.total_tokens_used) for row in rows], say_count, None),
    ]
    drawn = [el("div", el("h3", title), render_lines(title, points, say, top)) for title, points, say, top in plots]
    warning = [el("p", f"Warning: {trend.warning}", class_="note")] if trend.warning else []
    return section(
        "trend", SECTIONS["trend"], *warning, el("div", *drawn, class_="plots"), bullet_list(trend_lines(trend))
    )
