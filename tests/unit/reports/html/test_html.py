"""The HTML report: one page that needs nothing else, says what the record says, and runs nobody's words."""

from __future__ import annotations

import re
from datetime import timedelta
from html.parser import HTMLParser
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.events import happened as h
from autopilot.events.fold import fold_all
from autopilot.events.state import RunState
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.run import RunStatus, Step
from autopilot.reports.documents.span_trace import Span
from autopilot.reports.evidence.unchecked import NOT_CHECKED
from autopilot.reports.html.markup import LONGEST, Markup, el, link_to, text
from autopilot.reports.html.page import SECTIONS, render_html
from autopilot.reports.html.pieces import with_code
from autopilot.reports.html.svg_lines import Point, render_lines, say_count, say_score
from autopilot.reports.html.svg_timeline import LABEL, RIGHT, WIDTH, make_scale, render_timeline
from autopilot.reports.run.metrics import run_metrics
from autopilot.reports.run.trend import FIRST
from tests.unit.events.golden.reading import FOLDER, read_golden
from tests.unit.making import ONE, START, TWO, make_observation, make_started, make_verdict, store
from tests.unit.reports.ending_states import broken_state, closed_state, done_phase, failed_phase

# covers: DONE-1, MTRC-03, T8
VOID = {"meta", "br"}
ALLOWED = {
    *("html", "head", "meta", "title", "style", "body", "header", "nav", "main", "section", "footer", "div", "span"),
    *("h1", "h2", "h3", "p", "a", "b", "i", "ul", "li", "code", "pre", "table", "thead", "tbody", "tr", "th", "td"),
    *("details", "summary", "svg", "g", "rect", "line", "circle", "text"),
}
REFERS = {"href", "src", "srcset", "action", "data", "xlink:href", "background", "poster"}


class Page(HTMLParser):
    """Every tag closed in order; what it is made of is kept."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.words.append(data)

    @property
    def shown(self) -> str:
        return " ".join(" ".join(self.words).split())

    @property
    def links(self) -> list[str]:
        return [attrs["href"] or "" for tag, attrs in self.tags if tag == "a"]


def page_of(state: RunState, **more: Any) -> Page:
    rows = more.pop("rows", [run_metrics(state)])
    return Page(render_html(state, more.pop("entries", []), rows, **more))


def golden() -> tuple[RunState, list[Any]]:
    entries = list(read_golden(FOLDER / "journal-2.jsonl"))
    return fold_all(entries), entries


@pytest.mark.parametrize("state", [broken_state(), closed_state(), golden()[0], RunState()])
def test_the_page_is_whole_and_needs_nothing_but_itself(state: RunState) -> None:
    page = page_of(state)
    assert {tag for tag, _ in page.tags} <= ALLOWED
    for tag, attributes in page.tags:
        assert not [name for name in attributes if name.startswith("on")]
        for name in REFERS & set(attributes):
            assert tag == "a" and re.match(r"#|\.\./", attributes[name] or "")
        assert "url(" not in (attributes.get("style") or "")
    assert "@import" not in render_html(state, [], []) and "url(" not in render_html(state, [], [])
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {link[1:] for link in page.links if link.startswith("#")} <= set(ids)
    assert set(SECTIONS) <= set(ids)


def test_it_says_what_the_record_says() -> None:
    shown = page_of(broken_state()).shown
    for words in (
        "run-1 failed",
        "phases 2, 3 did not pass",
        "1/3 phases succeeded",
        "~1.25 USD (estimate)",
        "50% of the project, 3/6",
        "so it was seen check 01-01.c1 0 bbbbbbbbbbbb 2 s dddddddddddd",
        "it adds FAIL exit 1 check 02-01.c1 1",
        "it depends on phase 2, which failed",
        "04-02: pay with a real card",
        "phase 5: completed by run-0, 2024-12-31T12:00:00Z",
    ):
        assert words in shown, words


def test_audit_version_and_what_nobody_checked_are_told() -> None:
    shown = page_of(closed_state()).shown
    assert "Version: 1.2.3 -> 1.3.0 (pyproject.toml; an integer phase is a minor version)" in shown
    assert (
        "Self-audit: 3 requirements, 1 passed on first check; 2 gaps found, 1 fixed, 1 remaining; audit cycles: 2"
        in shown
    )
    assert "REQ-3 1 no limit is kept no" in shown
    assert all(words in shown for words in NOT_CHECKED)


def test_documents_are_linked_from_wherever_the_page_stands() -> None:
    links = page_of(closed_state()).links
    assert "../.planning/phases/01-part/VERIFICATION.md" in links
    assert "../.planning/phases/01-part/JUDGE-REPORT.md" not in links
    assert "../../there/.planning/phases/01-part/SUMMARY.md" in page_of(closed_state(), root="../../there").links
    assert "../.autopilot/diagnostics/phase-2-postmortem.json" in page_of(broken_state()).links
    unlanded = closed_state(phases={ONE: done_phase(landing=type(done_phase().landing)("deferred"))})
    assert not [link for link in page_of(unlanded).links if "VERIFICATION" in link]


HOSTILE = [
    "<script>alert(1)</script>",
    "</style></title><img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)" x="',
    "javascript:alert(1)",
    "a\x00\x1b]8;;http://x\x07b\u202egnp",
    "--><svg onload=alert(1)>",
    "&lt;b&gt; &amp; ]]>",
]


@pytest.mark.parametrize("words", HOSTILE)
def test_words_of_others_stay_words(words: str) -> None:
    phase = failed_phase(
        failure=words,
        verdicts=(make_verdict(Outcome.FAIL, "02-01.c1", words),),
        observations=(make_observation("02-01.c1", Seen.FAILED, command=words, excerpt=words, output=words),),
        warnings=(words,),
        rating=None,
    )
    named = replace(phase, brief=replace(phase.brief, name=words, goal=words, folder=words))
    done = replace(done_phase(), brief=replace(done_phase().brief, folder=words))
    state = broken_state(phases={ONE: done, TWO: named}, stop_reason=words, command=words, failures=(named,), run=words)
    page = page_of(state, entries=store(make_started(), *taken(TWO, Step.PLAN, words)))
    clean, plain = page_of(broken_state()), render_html(state, [], [])
    assert {tag for tag, _ in page.tags} <= ALLOWED
    assert not [name for _, attributes in page.tags for name in attributes if name.startswith("on")]
    assert all(link.startswith(("#", "../")) for link in page.links)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", plain)
    assert [tag for tag, _ in clean.tags].count("style") == [tag for tag, _ in page.tags].count("style") == 1


def test_a_browser_is_told_to_load_and_run_nothing() -> None:
    rules = [attrs for tag, attrs in page_of(broken_state()).tags if attrs.get("http-equiv")]
    assert (rules[0]["content"] or "").startswith("default-src 'none'; img-src data:; style-src 'unsafe-inline'")


def test_only_markup_is_taken_for_markup() -> None:
    assert el("p", "<b>", Markup("<i></i>"), title='"') == '<p title="&quot;">&lt;b&gt;<i></i></p>'
    assert el("meta", http_equiv="x") == '<meta http-equiv="x">'
    assert text("\udcff") == "?"
    assert len(text("x" * 9000)) == LONGEST + 1
    assert link_to('a b"/c#d', "..") == '<a href="../a%20b%22/c%23d">a b&quot;/c#d</a>'


def test_commands_are_shown_as_code_and_stay_words() -> None:
    assert with_code("do `a <b>` now") == "do <code>a &lt;b&gt;</code> now"
    assert with_code("one ` alone <i>") == "one ` alone &lt;i&gt;"
    assert "to continue: autopilot resume" in " ".join(page_of(broken_state()).shown.replace(" ;", ";").split())


def taken(phase: Any, step: Step, detail: str = "") -> tuple[h.Event, ...]:
    started = h.StepStarted(phase, step, 1)
    return h.PhaseStarted(phase, 1, "base"), started, h.StepEnded(phase, step, 1, "fail", detail=detail)


def test_the_timeline_has_a_row_for_each_phase_that_took_a_step() -> None:
    state, entries = golden()
    drawn = render_timeline(state, entries)
    names = re.findall(r'class="name">([^<]+)<', drawn)
    assert names == ["1 Store", "2 Find", "3 Command line"]
    bars = re.findall(r'<rect x="([\d.]+)" y="\d+" width="([\d.]+)"', drawn)
    assert len(bars) > 30
    assert all(float(x) >= LABEL and float(x) + float(width) <= WIDTH - RIGHT + 2 for x, width in bars)
    assert 'class="bar building bad"' in drawn  # the lie that was caught
    assert render_timeline(state, []) == ""


def span(start_s: float, length_s: float) -> Span:
    return Span(START + timedelta(seconds=start_s), "1", "execute", "", "", "", round(length_s * 1000))


def test_a_long_rest_takes_little_room_and_is_marked() -> None:
    scale = make_scale([span(0, 60), span(60, 40), span(86_400, 100)])
    assert len(scale.pieces) == 2
    first, second = scale.pieces
    assert first.width == pytest.approx(second.width, rel=0.01)
    assert scale.place(START) == LABEL
    assert scale.place(START + timedelta(days=30)) == pytest.approx(WIDTH - RIGHT)
    assert first.x + first.width < scale.place(START + timedelta(seconds=86_400)) == second.x


@pytest.mark.parametrize("spans", [[span(0, 0)], [span(5, 1), span(0, 10)], [span(n * 1000, 1) for n in range(40)]])
def test_any_times_have_a_place_on_the_page(spans: list[Span]) -> None:
    scale = make_scale(spans)
    places = [scale.place(span.began_at) for span in sorted(spans, key=lambda span: span.began_at)]
    assert places == sorted(places)
    assert all(LABEL <= place <= WIDTH - RIGHT for place in places)


def test_figures_over_runs_are_drawn_and_a_missing_one_leaves_a_gap() -> None:
    drawn = render_lines(
        "Mean score", [Point("run-1", 8.0), Point("run-2", None), Point("run-3", 9.5)], say_score, 10.0
    )
    assert drawn.count("<circle") == 2 and 'class="line"' not in drawn
    assert "run-3: 9.5" in drawn and "run-2" not in drawn
    levels = [float(y) for y in re.findall(r"cy=\"([\d.]+)\"", drawn)]
    assert levels[1] < levels[0]  # better is higher
    whole = render_lines("Tokens", [Point("run-1", 0), Point("run-2", 4), Point("run-3", 2)], say_count)
    assert whole.count('class="line"') == 2
    assert render_lines("Tokens", [Point("run-1", 0)], say_count).count("<circle") == 1


@pytest.mark.parametrize(("value", "said"), [(0, "0"), (999, "999"), (118_500, "118k"), (1_250_000, "1.25M")])
def test_a_count_at_the_edge_of_a_plot_is_short(value: float, said: str) -> None:
    assert say_count(value) == said


def test_the_trend_is_plotted_from_the_second_run_on() -> None:
    state = broken_state()
    rows = [run_metrics(closed_state(run="run-0")), run_metrics(state)]
    page = page_of(state, rows=rows)
    assert [attrs["class"] for tag, attrs in page.tags if tag == "svg"] == ["plot"] * 3
    assert "Warning: the success rate fell from 100% to 33% since" in page.shown
    assert FIRST in page_of(state).shown


def test_a_run_that_is_under_way_can_be_shown() -> None:
    assert "still running" in page_of(broken_state(status=RunStatus.RUNNING, exit_status=None, stop_reason="")).shown
