"""The score: capped by evidence, weighed and rounded down by code, whatever the rater adds up to (RATE, BEH)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from autopilot.gates.score import Card, band, cap_scores, compute_score, refuse_rating
from autopilot.gates.visual import weigh_look
from autopilot.model.assessment import Rating, Trace, Traced
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.visual.check import VisualCheck
from autopilot.model.visual.finding import Cause, Finding, Kind, Severity
from tests.unit.making import make_rating, make_score, make_verdict

# covers: RATE, BEH, T2
PASS, FAIL, UNPROVEN = (make_verdict(outcome) for outcome in Outcome)
NOWHERE = "I looked and it is fine"


@pytest.mark.parametrize(
    ("scores", "aggregate"),
    [
        ([9.6], 9.6),
        ([10.0, 9.9], 9.9),  # 9.95, never 10.0
        ([9.0, 8.9], 8.9),  # 8.95 does not reach 9.0
        ([9.99], 9.9),
        ([0.0], 0.0),
        ([7.0, 7.0, 7.1], 7.0),
        ([9.3, 9.3, 9.3], 9.3),  # exact, although 0.1 has no exact binary form
    ],
)
def test_the_aggregate_is_the_mean_rounded_down_to_one_decimal(scores: list[float], aggregate: float) -> None:
    rating = make_rating(*(make_score(f"c{n}", score) for n, score in enumerate(scores)))
    assert compute_score(Card(rating, {})) == aggregate


@pytest.mark.parametrize(
    ("score", "verdict", "evidence", "capped"),
    [
        (9.6, PASS, "a.py:3", 9.6),
        (9.6, FAIL, "a.py:3", 4.9),
        (9.6, UNPROVEN, "a.py:3", 4.9),
        (3.0, FAIL, "a.py:3", 3.0),  # a cap lowers, it never lifts
        (9.6, PASS, NOWHERE, 6.9),
        (9.6, FAIL, NOWHERE, 4.9),
        (9.6, None, "a.py:3", 9.6),  # prose: no evidence decides it
        (9.6, None, NOWHERE, 6.9),
    ],
)
def test_a_score_is_capped_where_evidence_failed_or_no_place_is_named(
    score: float, verdict: Verdict | None, evidence: str, capped: float
) -> None:
    verdicts = {"it works": verdict} if verdict else {}
    assert compute_score(Card(make_rating(make_score("it works", score, evidence)), verdicts)) == capped


@pytest.mark.parametrize(
    ("scores", "criteria", "aggregate"),
    [
        ([("a", 9.0), ("b", 5.0)], (), 7.0),  # none are named: the whole card
        ([("a", 9.0), ("b", 5.0)], ("a", "b"), 7.0),
        ([("a", 9.0), ("padding", 10.0), ("more of it", 10.0)], ("a",), 9.0),
        ([("a", 9.8), ("a", 6.0)], ("a",), 6.0),  # scored twice: the lower counts,
        ([("a", 6.0), ("a", 9.8)], ("a",), 6.0),  # whichever came first,
        ([("a", 9.8), ("a", 6.0)], (), 6.0),
        ([("a", 9.0), ("b", 5.0)], ("a", "b", "b"), 7.0),  # and a criterion named twice weighs as one
    ],
)
def test_only_the_named_criteria_count_and_a_duplicate_by_its_lower_score(
    scores: list[tuple[str, float]], criteria: tuple[str, ...], aggregate: float
) -> None:
    assert compute_score(Card(make_rating(*(make_score(*score) for score in scores)), {}, criteria)) == aggregate


@pytest.mark.parametrize(
    "evidence", ["shelf/a.py:12", "see ./a.py:3-9", "Makefile:4 is it", "(x-y.ts:7)", "größe:3", "line.py:4"]
)
def test_a_file_and_a_line_are_evidence(evidence: str) -> None:
    assert compute_score(Card(make_rating(make_score(evidence=evidence)), {})) == 9.6


@pytest.mark.parametrize(
    "evidence",
    [
        "",
        "a.py",
        "line 12",
        "expect EXIT:0",
        "exit:0",
        "at 12:30",
        "ratio 3:1",
        "a.py: 12",
        "line:12",
        "status:200",
        "port:80",
        "localhost:8080 answers",
        "http://localhost:3000",
    ],
)
def test_a_colon_before_a_number_is_not_yet_a_place(evidence: str) -> None:
    assert compute_score(Card(make_rating(make_score(evidence=evidence)), {})) == 6.9


@pytest.mark.parametrize(
    ("field", "lines", "score"),
    [
        ("side_effects", ("a new folder",), 9.4),
        ("concerns", ("a name is long",), 9.4),
        ("scope_creep", ("a second command",), 9.4),
        ("concerns", ("", "None.", "n/a"), 10.0),  # that is how raters say that there are none
        ("concerns", (), 10.0),
    ],
)
def test_only_what_leaves_nothing_to_say_reaches_excellence(field: str, lines: tuple[str, ...], score: float) -> None:
    rating = replace(make_rating(make_score(score=10.0)), **{field: lines})
    assert compute_score(Card(rating, {})) == score


def test_scope_creep_that_we_saw_ourselves_counts_like_the_raters() -> None:
    rating = make_rating(make_score(score=9.9))
    assert compute_score(Card(rating, {}), scope_creep=("other.py was changed",)) == 9.4
    assert compute_score(Card(make_rating(make_score(score=8.2)), {}), scope_creep=("other.py was changed",)) == 8.2


@pytest.mark.parametrize(
    ("weights", "aggregate"),
    [
        ({}, 7.0),
        ({"a": 3.0}, 8.0),
        ({"a": 1.0, "b": 3.0}, 6.0),
        ({"a": 0.1, "b": 0.2}, 6.3),  # 6.333…
        ({"a  ": 3.0}, 8.0),
        ({"c": 50.0}, 7.0),
        ({"b": 0.0}, 7.0),  # no criterion is weighed away
        ({"b": -2.0}, 7.0),
        ({"b": float("nan")}, 7.0),
        ({"a": float("inf")}, 7.0),
    ],
)
def test_a_criterion_weighs_what_the_plan_says(weights: dict[str, float], aggregate: float) -> None:
    rating = make_rating(make_score("a", 9.0), make_score("b", 5.0))
    assert compute_score(Card(rating, {}, weights=weights)) == aggregate


def test_the_mean_is_exact_and_never_rounded_up_on_the_way() -> None:
    weights = {"a": 1.0, "b": 1e-15}
    rating = make_rating(make_score("a", 9.0), make_score("b", 8.999999999999999))
    assert compute_score(Card(rating, {}, weights=weights)) == 8.9


def trace(status: Traced, terminal: str = "b.py:9 -- opens it", criterion: str = "it works") -> Trace:
    return Trace(criterion, "a.py:3 -- on_click", ("open_it",), terminal, status)


VERIFIED, CONTRADICTED, UNVERIFIABLE = (trace(status) for status in Traced)


@pytest.mark.parametrize(
    ("traces", "verdict", "capped"),
    [
        ((VERIFIED,), None, 9.6),
        ((VERIFIED,), PASS, 9.6),  # both the command and the trace hold
        ((VERIFIED,), FAIL, 4.9),
        ((), PASS, 6.9),  # the command alone is not enough
        ((), None, 6.9),
        ((UNVERIFIABLE,), PASS, 6.9),
        ((UNVERIFIABLE,), None, 6.9),
        ((CONTRADICTED,), PASS, 4.9),
        ((VERIFIED, UNVERIFIABLE), None, 6.9),  # of two reviewers the doubtful one counts
        ((VERIFIED, CONTRADICTED), None, 4.9),
        ((trace(Traced.VERIFIED, "it opens the page"),), None, 6.9),  # a trace that ends nowhere
        ((trace(Traced.VERIFIED, criterion="it lasts"),), None, 6.9),  # that of another criterion
    ],
)
def test_a_criterion_about_behaviour_needs_its_trace(
    traces: tuple[Trace, ...], verdict: Verdict | None, capped: float
) -> None:
    verdicts = {"it works": verdict} if verdict else {}
    by_rater = replace(make_rating(), traces=traces)
    assert compute_score(Card(by_rater, verdicts, behavioural=("it works",))) == capped
    assert compute_score(Card(make_rating(), verdicts, behavioural=("it works",), traces=traces)) == capped


@pytest.mark.parametrize(("given", "capped"), [(VERIFIED, 9.6), (UNVERIFIABLE, 9.6), (CONTRADICTED, 4.9)])
def test_a_trace_nobody_asked_for_counts_only_against(given: Trace, capped: float) -> None:
    assert compute_score(Card(replace(make_rating(), traces=(given,)), {})) == capped


@pytest.mark.parametrize(
    ("score", "verdict", "evidence", "capped"),
    [
        (10.0, PASS, "a.py:3", 9.4),  # good, not excellent: one answer can be known by heart
        (9.4, PASS, "a.py:3", 9.4),
        (9.1, PASS, "a.py:3", 9.1),
        (9.6, FAIL, "a.py:3", 4.9),
        (9.6, PASS, NOWHERE, 6.9),
    ],
)
def test_what_rests_on_one_example_is_not_excellent(
    score: float, verdict: Verdict, evidence: str, capped: float
) -> None:
    rating = make_rating(make_score("it works", score, evidence))
    assert compute_score(Card(rating, {"it works": verdict}, examples=("It  works",))) == capped
    assert compute_score(Card(rating, {"it works": verdict}, weak=("It  works",))) == capped


def test_a_cap_says_why_it_lowered_a_score() -> None:
    rating = make_rating(make_score("a", 9.0, NOWHERE), make_score("b", 9.0), make_score("c", 3.0, NOWHERE))
    counted = cap_scores(Card(rating, {"b": FAIL}, ("a", "b", "c", "d")))
    assert [(text, each.score) for text, each in counted.items()] == [("a", 6.9), ("b", 4.9), ("c", 3.0), ("d", 0.0)]
    assert [each.because for each in counted.values()] == [
        "no file and line is named as evidence", "so it was seen", "", "it was not scored",
    ]  # fmt: skip


def test_a_card_with_nothing_on_it_scores_nothing() -> None:
    empty = replace(make_rating(), scorecard=())
    assert compute_score(Card(empty, {})) == 0.0
    assert compute_score(Card(empty, {}, ("it works",))) == 0.0


@pytest.mark.parametrize(("score", "counted"), [(11.0, 10.0), (-3.0, 0.0), (float("nan"), 0.0), (float("inf"), 10.0)])
def test_a_score_from_nowhere_is_brought_back_between_0_and_10(score: float, counted: float) -> None:
    assert compute_score(Card(make_rating(make_score(score=score)), {})) == counted


@pytest.mark.parametrize(
    ("rating", "criteria", "reason"),
    [
        (make_rating(), ["it works"], ""),
        (replace(make_rating(), scorecard=()), ["it works"], "the scorecard is empty"),
        (replace(make_rating(), commands_run=()), ["it works"], "ran no command"),
        (replace(make_rating(), commands_run=("", " ")), ["it works"], "ran no command"),
        (make_rating(), ["it  works\n"], ""),  # spaces aside
        (make_rating(), ["it works", "it lasts"], "no score for: it lasts"),
        (make_rating(), ["It works."], "no score for: It works."),  # in its exact words
    ],
)
def test_a_card_that_leaves_something_out_is_refused(rating: object, criteria: list[str], reason: str) -> None:
    refused = refuse_rating(rating, criteria)  # type: ignore[arg-type]
    assert reason in refused if reason else refused == ""


@pytest.mark.parametrize(
    ("score", "name"),
    [
        (10.0, "excellence"),
        (9.5, "excellence"),
        (9.4, "good"),
        (8.0, "good"),
        (7.9, "acceptable"),
        (7.0, "acceptable"),
        (6.9, "significant_gaps"),
        (5.0, "significant_gaps"),
        (4.9, "major_failures"),
        (3.0, "major_failures"),
        (2.9, "not_implemented"),
        (0.0, "not_implemented"),
    ],
)
def test_a_band_begins_at_its_floor(score: float, name: str) -> None:
    assert band(score) == name


MARKS = st.decimals(0, 10, places=2).map(float)
LINES = st.lists(st.sampled_from(["", "none", "a new folder", "a name is long"]), max_size=2).map(tuple)
TRACES = st.lists(st.builds(trace, st.sampled_from(Traced), criterion=st.sampled_from(["c0", "c1", "c2"])), max_size=3)


@st.composite
def cards(draw: st.DrawFn) -> dict[str, Any]:
    """A card and everything it is held against, as ``Card`` takes them."""
    texts = [f"c{n}" for n in range(draw(st.integers(1, 5)))]
    scores = [make_score(text, draw(MARKS), draw(st.sampled_from(["a.py:3", NOWHERE]))) for text in texts]
    rating = Rating(tuple(scores), draw(LINES), ("make",), "", draw(LINES), draw(LINES), tuple(draw(TRACES)))
    verdicts = draw(st.dictionaries(st.sampled_from(texts), st.sampled_from([PASS, FAIL, UNPROVEN])))
    weights = draw(st.dictionaries(st.sampled_from(texts), st.floats(0.1, 9)))
    behavioural = draw(st.sets(st.sampled_from(texts)))
    return {"rating": rating, "verdicts": verdicts, "weights": weights, "behavioural": behavioural, "traces": ()}


@given(cards())
def test_caps_hold_for_every_card_and_rounding_never_goes_up(card: dict[str, Any]) -> None:
    score = compute_score(Card(**card))
    weights = [Fraction(str(card["weights"].get(entry.criterion, 1.0))) for entry in card["rating"].scorecard]
    marks = [Fraction(str(entry.score)) for entry in card["rating"].scorecard]
    mean = sum((mark * weight for mark, weight in zip(marks, weights, strict=True)), Fraction(0)) / sum(weights)
    assert 0 <= Fraction(str(score)) <= mean
    assert score == round(score, 1)
    counted = cap_scores(Card(card["rating"], card["verdicts"], behavioural=card["behavioural"]))
    for entry in card["rating"].scorecard:
        text, capped = entry.criterion, counted[entry.criterion].score
        statuses = {each.status for each in card["rating"].traces if each.criterion == text}
        assert capped <= entry.score
        assert capped < 5.0 or not (card["verdicts"].get(text) in (FAIL, UNPROVEN) or Traced.CONTRADICTED in statuses)
        assert capped < 7.0 or entry.evidence != NOWHERE
        assert capped < 7.0 or text not in card["behavioural"] or statuses == {Traced.VERIFIED}


@given(cards(), st.sampled_from(["side_effects", "concerns", "scope_creep"]), st.text(max_size=20))
def test_one_more_concern_never_raises_the_score(card: dict[str, Any], field: str, line: str) -> None:
    worse = replace(card["rating"], **{field: (*getattr(card["rating"], field), line)})
    assert compute_score(Card(**{**card, "rating": worse})) <= compute_score(Card(**card))
    assert compute_score(Card(**card), scope_creep=(line,)) <= compute_score(Card(**card))


@given(cards(), st.sampled_from([*Traced]), st.sampled_from([FAIL, UNPROVEN]))
def test_no_assessment_and_no_red_evidence_raises_a_score(
    card: dict[str, Any], status: Traced, verdict: Verdict
) -> None:
    before = compute_score(Card(**card))
    red = {**card["verdicts"], "c0": verdict}
    assert compute_score(Card(**{**card, "verdicts": red})) <= before
    assert compute_score(Card(**{**card, "behavioural": {*card["behavioural"], "c0"}})) <= before
    # A trace of another reviewer lowers, except where a trace was asked for and none was there.
    asked = {text for text in card["behavioural"] if any(t.criterion == text for t in card["rating"].traces)}
    known = {**card, "behavioural": asked}
    assert compute_score(Card(**{**known, "traces": (trace(status, criterion="c0"),)})) <= compute_score(Card(**known))


@given(cards())
def test_evidence_that_failed_everywhere_leaves_no_score_to_pass_with(card: dict[str, Any]) -> None:
    red = {entry.criterion: FAIL for entry in card["rating"].scorecard}
    assert compute_score(Card(**{**card, "verdicts": red})) < 5.0


def test_a_rater_may_write_a_criterion_in_another_case_and_is_capped_all_the_same() -> None:
    rating = make_rating(make_score("IT\nWorks", 9.6))
    assert refuse_rating(rating, ["it works"]) == ""
    assert compute_score(Card(rating, {"It works": FAIL}, ["it works"])) == 4.9
    assert compute_score(Card(rating, {"It works": PASS}, ["it works"], weights={"It Works": 2.0})) == 9.6


@pytest.mark.parametrize(
    ("severities", "score"),
    [((), 9.0), ((Severity.MINOR,), 8.5), ((Severity.MINOR, Severity.MAJOR, Severity.CRITICAL), 5.5)],
)
def test_new_defects_of_the_interface_cost_points_by_their_severity(
    severities: tuple[Severity, ...], score: float
) -> None:
    """covers: VIS, RATE"""
    found = [Finding("home", Cause.AXE, Kind.ACCESSIBILITY, each, f"{each} one") for each in severities]
    twice = [replace(finding, shot="home-390") for finding in found]
    others = [
        Finding("home", Cause.PICTURE, Kind.REGRESSION, Severity.MAJOR, "1 % differs"),
        Finding("home", Cause.LINK, Kind.BEHAVIOUR, Severity.MAJOR, "an old one", is_known=True),
    ]
    look = weigh_look(VisualCheck("c", findings=(*found, *twice, *others)))
    card = Card(make_rating(make_score("a", 9.0), make_score("b", 9.0)), {}, ["a", "b"], looked_at=["a"], look=look)
    assert [counted.score for counted in cap_scores(card).values()] == [score, 9.0]
