"""Ralph's prd.json: variants of its keys, order, dependencies; ``passes`` written back. covers: FMT-RALPH"""

from __future__ import annotations

import json

import pytest

from autopilot.planning.formats.ralph.ralph import RALPH
from tests.unit.planning.formats.kit import changed_lines, marked, outline, phase, said, stands

PRD = """{
  "project": "Tea",
  "branchName": "ralph/tea",
  "userStories": [
    {
      "id": "US-002", "title": "Pour", "description": "As a guest …", "priority": 2,
      "acceptanceCriteria": ["Typecheck passes", "The cup is full"],
      "dependencies": ["US-001", "US-099"],
      "passes": false, "notes": "a \\"passes\\": false in a text"
    },
    {"id": "US-001", "title": "Boil", "priority": 1, "passes": true},
    {"id": "US-003", "title": "Stir", "priority": 3}
  ]
}
"""
WORLD = {"prd.json": PRD}


def test_stories_are_phases_under_their_own_ids_in_the_order_of_their_priority() -> None:
    made = outline(RALPH, WORLD)
    assert list(stands(made).items()) == [("US-001", "done"), ("US-002", "open"), ("US-003", "open")]
    pour = phase(made, "US-002")
    assert (pour.name, pour.goal, pour.depends_on, pour.line) == ("Pour", "As a guest …", ("US-001",), 5)
    assert [criterion.command for criterion in pour.criteria] == ["npx tsc --noEmit", ""]


def test_what_is_missing_is_said() -> None:
    assert said(outline(RALPH, WORLD)) == [
        "prd.json:5: US-002 depends on US-099, which is not there: ignored",
        "prd.json:12: US-003 does not say whether it passes: taken as open",
    ]


@pytest.mark.parametrize(
    ("story", "stand"),
    [
        ({"passes": True}, "done"),
        ({"passes": False, "status": "done"}, "open"),
        ({"complete": True}, "done"),
        ({"status": "Completed"}, "done"),
        ({"status": "in_progress"}, "open"),
        ({"status": "cancelled"}, "dropped"),
        ({"passes": False, "status": "blocked"}, "held"),
    ],
)
def test_variants_say_in_other_words_that_a_story_is_done(story: dict[str, object], stand: str) -> None:
    for key in ("userStories", "stories", "features"):
        texts = {"ralph/prd.json": json.dumps({key: [{"id": 7, "title": "A", **story}]})}
        assert stands(outline(RALPH, texts)) == {"7": stand}


def test_a_bare_list_without_ids_is_named_by_its_words_whatever_is_added() -> None:
    stories = [{"category": "Bug", "description": "Fix the lid", "steps": ["It closes"], "complete": False}]
    first = outline(RALPH, {"prd.json": json.dumps(stories)})
    more = outline(RALPH, {"prd.json": json.dumps([{"description": "Wash up", "passes": False}, *stories])})
    assert stands(first) == {"fix-the-lid": "open"} and "fix-the-lid" in stands(more)
    assert [criterion.text for criterion in phase(first, "fix-the-lid").criteria] == ["It closes"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "prd.json:1: is not JSON: Expecting value"),
        ('{\n "a" 1}', "prd.json:2: is not JSON: Expecting ':' delimiter"),
        ("[" * 200_000, "prd.json: is nested too deeply to be read"),
        ('{"project": "x"}', "prd.json:1: has no list of stories: none of userStories"),
        ("[1" + "0" * 5_000 + "]", "prd.json: is not read: Exceeds the limit"),
        ('[\n "a story"]', "prd.json:2: is no story: not an object"),
    ],
)
def test_what_is_no_list_of_stories_is_said_and_gives_no_phase(text: str, complaint: str) -> None:
    made = outline(RALPH, {"prd.json": text})
    assert not made.roadmap.phases
    assert said(made)[0].startswith(complaint)


def test_the_archive_is_never_read_and_the_first_place_counts() -> None:
    assert RALPH.find(["archive/2026-01-01-x/prd.json", "scripts/ralph/prds/a.json", "docs/prd.json"]) == ()
    two = {"scripts/ralph/prd.json": '[{"id": "B"}]', "prd.json": '[{"id": "A", "passes": false}]'}
    made = outline(RALPH, two)
    assert stands(made) == {"A": "open"}
    assert said(made) == ["scripts/ralph/prd.json: prd.json is read instead of it"]


def test_passing_is_one_word_and_every_other_byte_stays() -> None:
    after = marked(RALPH, WORLD, "US-002")
    changed = changed_lines(WORLD, after)["prd.json"]
    assert changed == {9: '      "passes": true, "notes": "a \\"passes\\": false in a text"'}
    assert marked(RALPH, after, "US-002") == after
    assert marked(RALPH, WORLD, "US-003")["prd.json"].count('"priority": 3, "passes": true}') == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('\ufeff[{"id":1,"complete":false}]', '\ufeff[{"id":1,"complete":true}]'),
        ('[{"id":1,"passes":true,"passes":false}]', '[{"id":1,"passes":true,"passes":true}]'),
        (
            '[{"id":1,"status":"todo"},{"id":2,"status":"Passed"}]',
            '[{"id":1,"status":"Passed"},{"id":2,"status":"Passed"}]',
        ),
        ('[{"id":1,"status":"todo"}]', '[{"id":1,"status":"done"}]'),
        ('[\r\n  {\r\n    "id": 1\r\n  }\r\n]', '[\r\n  {\r\n    "id": 1,\r\n    "passes": true\r\n  }\r\n]'),
    ],
)
def test_a_story_passes_in_the_words_of_its_file(before: str, after: str) -> None:
    assert marked(RALPH, {"prd.json": before}, "1")["prd.json"] == after
    assert RALPH.neutral("prd.json", before) == RALPH.neutral("prd.json", after)


def test_another_criterion_is_no_progress() -> None:
    assert RALPH.neutral("prd.json", PRD) != RALPH.neutral("prd.json", PRD.replace("The cup is full", "No cup"))
