"""Which way an issue is recommended to go, and by which of its words. covers: AL-1"""

from __future__ import annotations

import pytest

from autopilot.model.issue.issue import Route
from autopilot.planning.issue.route import NOTHING, recommend

FULL, EXPRESS, BUGFIX, FLAKY = Route.FULL, Route.EXPRESS, Route.BUGFIX, Route.FLAKY


@pytest.mark.parametrize(
    ("labels", "route"),
    [
        *((label, BUGFIX) for label in ("bug", "Defect", "regression", "type: bug", "kind/bug", "🐛 bug")),
        *((label, FLAKY) for label in ("flaky", "flaky-test", "Flaky test", "flaky_test", "intermittent")),
        *((label, EXPRESS) for label in ("documentation", "docs", "typo", "chore:docs", "chore: docs")),
        *((label, FULL) for label in ("feature", "enhancement")),
        ("bug,regression", BUGFIX),
        ("good first issue,bug", BUGFIX),
    ],
)
def test_a_label_decides_whatever_the_words_are(labels: str, route: Route) -> None:
    found = recommend(labels.split(","), "flaky typo crash", "traceback")
    assert found.route is route
    assert all(reason.startswith("label ") for reason in found.reasons)


@pytest.mark.parametrize("label", ["area: docs", "not-a-bug", "buggy", "wontfix", "", "prototype: bug"])
def test_another_label_tells_nothing(label: str) -> None:
    assert recommend([label], "Something", "else").reasons == (NOTHING,)


@pytest.mark.parametrize(
    ("title", "text", "route", "reason"),
    [
        ("test_login is Flaky on CI", "", FLAKY, "the title says “Flaky”"),
        ("Upload", "it fails intermittently", FLAKY, "the text says “intermittently”"),
        ("Upload test", "sometimes\nfails on my machine", FLAKY, "the text says “sometimes fails”"),
        ("Race in the tests of the pool", "", FLAKY, "the title says “Race in the tests”"),
        ("Crash on an empty file", "sometimes fails", BUGFIX, "the title says “Crash”"),
        ("Parser", "Traceback (most recent call last):", BUGFIX, "the text says “Traceback”"),
        ("Wrong result for leap years", "", BUGFIX, "the title says “Wrong result”"),
        ("Export fails when the name is empty", "", BUGFIX, "the title says “fails when”"),
        ("Typo in the introduction", "teh → the", EXPRESS, "the title says “Typo”"),
        ("Improve README.md", "", EXPRESS, "the title says “README.md”"),
        ("Guide", "there is a broken link on page 3", EXPRESS, "the text says “broken link”"),
        ("This is not a regression but a flaky test", "", FLAKY, "the title says “flaky”"),
    ],
)
def test_without_a_label_the_title_tells_and_then_the_text(title: str, text: str, route: Route, reason: str) -> None:
    found = recommend(["help wanted"], title, text)
    assert (found.route, found.reasons) == (route, (reason,))


@pytest.mark.parametrize(
    ("labels", "title", "text", "last"),
    [
        (["bug", "enhancement"], "", "", "these indicate different routes: bugfix, full"),
        (["bug", "flaky"], "", "", "these indicate different routes: bugfix, flaky"),
        ([], "Flaky crash", "", "these indicate different routes: flaky, bugfix"),
        ([], "Typo", "the function returns 3", "the text says “function”, which concerns more than documentation"),
        ([], "Wording of the error message", "", "the title says “error”, which concerns more than documentation"),
        ([], "Typo in the guide", "and a crash", "the text says “crash”, which concerns more than documentation"),
        ([], "Dark mode", "Users want it.", NOTHING),
        ([], "", "", NOTHING),
        ([], "Uncrashable flakybar", "typographic", NOTHING),
    ],
)
def test_what_contradicts_itself_or_says_nothing_is_left_to_a_person(
    labels: list[str], title: str, text: str, last: str
) -> None:
    found = recommend(labels, title, text)
    assert (found.route, found.reasons[-1]) == (None, last)
