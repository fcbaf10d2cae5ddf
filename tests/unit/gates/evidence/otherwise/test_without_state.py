"""What the work has kept for its product is no part of it: without it the product computes. covers: T8.H"""

from __future__ import annotations

import pytest

from autopilot.gates.evidence.otherwise.without_state import (
    LONGEST,
    State,
    empty_like,
    find_state,
    judge_without_state,
)
from autopilot.gates.evidence.sabotage import Trial
from autopilot.model.evidence.objection import Weight
from autopilot.model.evidence.observation import Seen
from tests.unit.gates.reports import report

TESTS = ['assert stems("walking dogs") == ["walk"]\nassert stems("flying kites") == ["fly"]\n']
WRITES = {"words.py": ['KEPT = Path("kept.json")', "json.dump(kept, KEPT.open('w'))"]}
READS = {"words.py": ['KEPT = Path("kept.json")', "json.load(KEPT.open())"]}
GREEN = report("ok tests/test_words.py::test_a")


@pytest.mark.parametrize(
    ("path", "content", "code", "is_state"),
    [
        ("kept.json", b"{}", WRITES, True),
        ("kept.json", b"{}", READS, False),  # a resource
        ("data/answers.json", b"{}", READS, True),
        ("words.db", b"SQLite format 3\0", {}, True),
        ("blob.bin", b"\x80\x04\x95", {}, True),
        ("stateful.json", b"{}", {}, False),
    ],
)
def test_state_is_known_by_who_writes_it_by_its_form_and_by_its_name(
    path: str, content: bytes, code: dict[str, list[str]], is_state: bool
) -> None:
    assert (find_state(path, content, code, TESTS, declared=False) is not None) is is_state


def test_texts_of_the_tests_are_counted_in_it() -> None:
    kept = b'{"walking dogs": 1, "flying kites": 2, "others": 3}'
    state = find_state("cache.json", kept, {}, TESTS, declared=False)
    assert state is not None and state.asked >= 2


def trial(seen: Seen, *lines: str) -> Trial:
    return Trial("", seen, report(*lines))


RED = trial(Seen.FAILED, "red tests/test_words.py::test_a")
STILL = trial(Seen.PASSED, "ok tests/test_words.py::test_a")


@pytest.mark.parametrize(
    ("state", "trials", "written", "weight"),
    [
        (State("kept.json", False, 0, False), [RED, RED], ["kept.json"], Weight.REFUSE),
        (State("cache.json", True, 2, False), [RED], [], Weight.REFUSE),
        (State("cache.json", True, 0, False), [RED], [], Weight.FLAG),
        (State("kept.json", False, 2, True), [RED], ["kept.json"], Weight.FLAG),  # the plan names it
        # It may begin with nothing, but not without a file.
        (State("kept.json", False, 2, False), [RED, STILL], ["kept.json"], None),
        (State("kept.json", False, 2, False), [STILL], ["kept.json"], None),
        # The code that names it writes something else: a page from a template, tables by a schema.
        (State("page.html", False, 2, False), [RED, RED], ["site/index.html"], None),
    ],
)
def test_what_is_red_without_it_is_refused_where_the_code_keeps_it(
    state: State, trials: list[Trial], written: list[str], weight: Weight | None
) -> None:
    objections = judge_without_state("01-01.c1", GREEN, [state], trials, written)
    assert [objection.weight for objection in objections] == ([weight] if weight else [])


@pytest.mark.parametrize(
    ("content", "empty"),
    [
        (b'{"a": 1}', b"{}\n"),
        (b"[1]", b"[]\n"),
        (b"3", None),
        (b"{", None),
        (b'{"caf\xe9": 1}', None),
        (b"[" * 100_000, None),
        (b"[" + b"[]," * LONGEST + b"[]]", None),  # gigabytes, where it is decoded
    ],
)
def test_what_is_empty_has_the_form_of_what_was_kept(content: bytes, empty: bytes | None) -> None:
    assert empty_like(content) == empty


def test_a_large_file_is_not_searched_for_every_text_of_every_test() -> None:
    """No clock is asked: with all texts in all of it, this would not come back."""
    tests = ["'" + "'\n'".join(f"question {number}" for number in range(60_000)) + "'"]
    state = find_state("cache.json", b"question 7 " + b"a" * 60_000_000, {}, tests, declared=False)
    assert state is not None and state.asked == 1
