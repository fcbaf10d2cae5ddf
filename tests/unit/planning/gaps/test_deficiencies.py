"""What a completed phase lacks, read back from our own reports and from those of other tools (GAPS).

covers: GAPS, CENF-02, T1
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from autopilot.events.pieces import Cycle
from autopilot.model.assessment import JudgeFindings, Recommendation
from autopilot.model.intent import Deficiency, Earlier, Purpose
from autopilot.model.ruling import Deduction
from autopilot.planning.gaps.deficiencies import (
    Documents,
    by_gap,
    find_deficiencies,
    rate_gravity,
    read_diagnostic,
    read_judge_report,
    read_scorecard,
    read_verification,
    target_for,
)
from autopilot.planning.gaps.gap_list import gaps_left, still_open
from autopilot.reports.documents.diagnostic import render_diagnostic
from autopilot.reports.documents.judge_report import render_judge_report
from autopilot.reports.documents.scorecard import render_scorecard
from tests.unit.making import (
    START,
    make_brief,
    make_criterion,
    make_judgement,
    make_phase,
    make_rating,
    make_score,
    make_state,
)

SLOW = Deduction("it is quick", 8.2, 1.8, 0.9, "the loop reads every file | twice", "shelf/read.py")
DULL = Deduction("it sings", 9.3, 0.7, 0.3, "no test covers an empty song", "shelf/sing.py")
RATED = make_phase(
    score=8.7,
    band="good",
    deductions=(SLOW, DULL),
    rating=make_rating(make_score("it is quick", 8.2), make_score("it sings", 9.3), make_score("it dances", 9.6)),
    criteria=tuple(make_criterion(f"phase.c{n}", text) for n, text in enumerate(("it is quick", "it sings"))),
    judgement=make_judgement(concerns=("shelf/sing.py:3 never ends", "the naming is odd"), verifier_missed=("a typo",)),
)


def read(*found: Deficiency) -> list[tuple[str, float | None, str, str]]:
    return [(each.criterion, each.score, each.text, each.file) for each in found]


def test_our_own_scorecard_is_read_back_with_the_biggest_gap_first() -> None:
    assert RATED.reviews.rating is not None
    found = read_scorecard(render_scorecard(RATED, RATED.reviews.rating), 9.5)
    assert read(*found) == [
        ("it is quick", 8.2, "the loop reads every file | twice", "shelf/read.py"),
        ("it sings", 9.3, "no test covers an empty song", "shelf/sing.py"),
    ]
    assert {each.source for each in found} == {"scorecard"}
    assert [each.criterion for each in read_scorecard(render_scorecard(RATED, RATED.reviews.rating), 9.8)][
        -1
    ] == "it dances"


TABLE = """# Scorecard

| # | Criterion | Score | Evidence | Justification |
|---|-----------|-------|----------|---------------|
| 1 | it sings | **9.6**/10 | src/sing.ts:4 -- found | met |
| 2 | it `dances` | 7.5/10 | src/dance.ts:9 -- a stub | only one step is there |
| 3 | it rests | 9.0 / 10.0 | none | no file and line |
| - | Aggregate | 8.7/10 | | |
"""
SECTIONS = """# Phase 3 Scorecard

**Alignment Score: 8.6/10**

## Per-Criterion Scores

### Criterion 1: it sings
**Score:** 9.8/10
**Evidence:** src/sing.ts:4

### 2. it dances
- **Score:** 7.4/10
- **Evidence:** src/dance.ts:9
- **Justification:** only one step is there

## Aggregate
Score: 8.6
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            TABLE,
            [
                ("it dances", 7.5, "only one step is there", "src/dance.ts"),
                ("it rests", 9.0, "no file and line", ""),
            ],
        ),
        (SECTIONS, [("it dances", 7.4, "only one step is there", "src/dance.ts")]),
        ("| Criterion | Score |\n|---|---|\n| it sings | 87 % |\n| it rests | n/a |\n", []),
        ("```\n| Criterion | Score |\n|---|---|\n| it sings | 7.0 |\n```\n", []),  # an example is no statement
        ("no table at all", []),
        ("", []),
    ],
)
def test_scorecards_of_other_tools_are_read(text: str, expected: list[tuple[str, float | None, str, str]]) -> None:
    assert read(*read_scorecard(text, 9.5)) == expected


def test_where_every_criterion_is_good_what_caps_the_whole_comes_first_then_every_tenth() -> None:
    text = "| Criterion | Score | Why |\n|---|---|---|\n| it sings | 9.7 | a long line |\n| it rests | 10.0 | fine |\n"
    text += "\n## Side effects\n\n- NOTES.md was moved\n\n## The rater's remarks\n\n- on the whole: fine\n- None.\n"
    found = read_scorecard(text, 9.5)
    assert read(*found) == [("", None, "NOTES.md was moved", "NOTES.md"), ("it sings", 9.7, "a long line", "")]


@pytest.mark.parametrize("heading", ["Path to 9.0/10", "Path to 9/10", "PATH TO 9 / 10"])
def test_the_path_of_a_diagnostic_is_read_by_either_name(heading: str) -> None:
    text = (
        f"## Judge Concerns\n\n- all is grim\n\n## {heading}\n\n"
        '1. **src/dance.ts**: only one step is there -- fixing this addresses "it dances" and would resolve 1 of 2\n'
        "2. **`src/sing.ts`**: it never ends -- half a point\n"
        "3. somebody should look at lib/rest.py\n\n## Remediation History\n\n- none of this\n"
    )
    assert read(*read_diagnostic(text)) == [
        ("it dances", None, "only one step is there", "src/dance.ts"),
        ("", None, "it never ends", "src/sing.ts"),
        ("", None, "somebody should look at lib/rest.py", "lib/rest.py"),
    ]


def test_our_own_diagnostic_is_read_back_and_without_a_path_what_worries_the_judge() -> None:
    state = make_state(RATED)
    found = read_diagnostic(render_diagnostic(state, RATED))
    assert (found[0].criterion, found[0].file) == ("it is quick", "shelf/read.py")
    without = make_phase(score=8.7, judgement=make_judgement(concerns=("it is wrong",)))
    assert [(each.text, each.weight) for each in read_diagnostic(render_diagnostic(make_state(without), without))] == [
        ("it is wrong", "high")
    ]


def test_a_judges_report_is_read_by_how_grave_it_sounds() -> None:
    assert RATED.reviews.judgement is not None
    findings = JudgeFindings(
        Recommendation.PROCEED, RATED.reviews.judgement.concerns, ("a.py:1 read",), (), (), notes=""
    )
    ours = render_judge_report(make_phase(findings=findings), RATED.reviews.judgement)
    theirs = (
        "**Concerns:**\n1. shelf/sing.py:3 never ends\n2. the naming is odd\n\n**Verifier Missed:**\n- a typo\n- None\n"
    )
    for text in (ours, theirs):
        found = read_judge_report(text)
        assert [(each.text, each.weight) for each in found] == [
            ("shelf/sing.py:3 never ends", "high"),
            ("the naming is odd", "low"),
            ("a typo", "low"),
        ]
        assert {each.source for each in found} == {"judge_report"} and found[0].file == "shelf/sing.py"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "| Criterion | Kind | Verdict | Because |\n|---|---|---|---|\n"
            "| it sings | new | PASS | green |\n| it dances | new | UNPROVEN | dance.py was never run |\n",
            [("it dances", "dance.py was never run", "high")],
        ),
        (
            "| # | Truth | Status | Evidence |\n|---|---|---|---|\n| 1 | it sings | ✓ VERIFIED | x |\n"
            "| 2 | it dances | ✗ FAILED | a stub |\n",
            [("it dances", "a stub", "high")],
        ),
        ("Concerns:\n\n- the style is odd\n", [("", "the style is odd", "low")]),
        ("Failures it found:\n\n- it crashes [tool_failure]\n", [("", "it crashes [tool_failure]", "high")]),
    ],
)
def test_what_a_verifier_found_wanting_is_read(text: str, expected: list[tuple[str, str, str]]) -> None:
    found = read_verification(text)
    assert [(each.criterion, each.text, each.weight) for each in found] == expected
    assert all(each.source == "verification" for each in found)


CARD, PATH = TABLE, "## Path to 9/10\n\n1. **a.py**: it is slow -- half a point\n"
WORRY, FAILED = "## Concerns\n\n- the naming is odd\n", "Failures:\n\n- it crashes\n"


@pytest.mark.parametrize(
    ("documents", "sources"),
    [
        (Documents((CARD,), PATH, (WORRY,), (FAILED,)), ["scorecard", "scorecard"]),
        (Documents((), PATH, (WORRY,), (FAILED,)), ["diagnostic"]),
        (Documents(("nothing to read",), PATH), ["diagnostic"]),
        (Documents((), "", (WORRY,), (FAILED,)), ["verification", "judge_report"]),  # what fails weighs more
        (Documents((), "", (WORRY,)), ["judge_report"]),
        (Documents(), []),
        (Documents((SECTIONS, CARD)), ["scorecard"] * 2),  # of parts; one criterion in both counts once
    ],
)
def test_the_first_source_that_says_anything_is_the_one(documents: Documents, sources: list[str]) -> None:
    assert [each.source for each in find_deficiencies(documents, 9.5)] == sources


@pytest.mark.parametrize(("score", "target"), [(None, 9.5), (8.2, 9.5), (9.4, 9.5), (9.5, 9.8), (9.7, 9.8)])
def test_of_a_phase_that_is_good_already_nearly_everything_counts(score: float | None, target: float) -> None:
    assert target_for(score) == target


def test_gaps_are_ordered_by_score_else_by_weight_and_none_is_there_twice() -> None:
    found = [
        Deficiency("d", weight="low"),
        Deficiency("c", weight="high"),
        Deficiency("x", "it sings", 9.3),
        Deficiency("y", "it  SINGS", 7.0),
        Deficiency("z", "it dances", 8.0),
        Deficiency("w", "it rests", 9.7),
    ]
    assert [each.text for each in by_gap(found)] == ["c", "z", "x", "d", "w"]
    assert len(by_gap(Deficiency(str(n)) for n in range(200))) == 40


@pytest.mark.parametrize(
    ("text", "weight"),
    [("it crashes", "high"), ("the naming is odd", "low"), ("it could be shorter", "medium"), ("", "medium")],
)
def test_words_weigh(text: str, weight: str) -> None:
    assert rate_gravity(text) == weight


LISTED = (Deficiency("slow", "it is quick", 8.0), Deficiency("dull", "it sings", 9.0), Deficiency("nobody knows why"))


@pytest.mark.parametrize(
    ("card", "rated", "tried", "left"),
    [
        ((), (), (), ["it is quick", "it sings", "nobody knows why"]),
        ((), (), ("it is quick",), ["it sings", "nobody knows why"]),
        ((SLOW,), ("it is quick", "it sings"), ("it is quick",), ["nobody knows why"]),  # the card calls one mended
        ((SLOW, DULL), ("it is quick", "It  sings"), (), ["it is quick", "it sings", "nobody knows why"]),
        (
            (Deduction("new", 9.0, 1.0, 0.1, "why", ""),),
            ("new",),
            ("it is quick", "it sings", "Nobody knows why"),
            ["new"],
        ),
        (
            (Deduction("new", 9.7, 0.3, 0.1, "why", ""),),
            ("new",),
            ("it is quick", "it sings", "nobody knows why"),
            ["new"],
        ),
    ],
)
def test_what_is_left_to_try_is_neither_mended_nor_tried(
    card: tuple[Deduction, ...], rated: tuple[str, ...], tried: tuple[str, ...], left: list[str]
) -> None:
    assert [each.label for each in still_open(LISTED, card, rated, tried, 9.5)] == left


def test_the_gaps_of_a_phase_come_from_earlier_runs_or_from_its_own_card() -> None:
    earlier = Earlier("run-0", START, 8.2, deficiencies=LISTED)
    asked = make_phase(cycles=(Cycle(1, 8.2, (), flag="gaps", deficiency="it is quick"),))
    refined = replace(asked, brief=make_brief(purpose=Purpose.GAPS, earlier=earlier))
    assert [each.label for each in gaps_left(refined, 9.5)] == ["it sings", "nobody knows why"]
    built = make_phase(score=9.5, deductions=(SLOW, DULL), rating=make_rating())
    assert [each.label for each in gaps_left(replace(built, brief=make_brief(earlier=earlier)), 9.8)] == [
        "it is quick",
        "it sings",
    ]


MANY = 20_000


@pytest.mark.parametrize(
    "text",
    [
        *(
            "| " * MANY,
            "|" + "-" * MANY,
            "**" * MANY,
            "a" + " " * MANY + "b:",
            "- " + "a/" * MANY,
            '- settles "' * MANY,
        ),
        *(
            "\n" * 2_000,
            "Score" + " " * MANY,
            "Score: " * MANY,
            "### 1" + ".1" * MANY + "\nScore: 7.0",
            "-" * MANY + ":",
        ),
        "## Path to 9/10\n1. **" + "a" * MANY + ": -- ",
    ],
)
def test_long_odd_reports_are_read_to_the_end(text: str) -> None:
    """No clock is asked: a reader that backtracks over these would not come back within the life of the test run."""
    table = f"| Criterion | Score |\n|---|---|\n| x | 7.0 |\n| {text} | {text} |\n\n### {text}\n{text}\n- {text}\n"
    assert "x" in [each.criterion for each in read_scorecard(table, 9.5)]
    for read_one in (read_diagnostic, read_judge_report, read_verification):
        assert isinstance(read_one(f"## Concerns\n- {text}\n{text}\n{table}"), tuple)
