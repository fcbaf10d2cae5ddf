"""Every answer is validated by us before it counts for anything (agents.md §0, T2)."""

from __future__ import annotations

import json
import sys
from types import FrameType
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.agent import Role
from autopilot.model.assessment import Divergence, JudgeFindings, PlanCheck, Rating, Recommendation, Verification
from autopilot.model.audit import AuditReport, VersionAdvice
from autopilot.model.claim import DiagnosisClaim, PlannerClaim
from autopilot.model.proposal import Digest, FollowUps
from autopilot.ports.reply import REPLIES, REPLY_BYTES, Problem, read_reply, wire_schema

PLANNED: dict[str, Any] = {
    "plans_created": 1,
    "waves": 1,
    "total_tasks": 3,
    "complexity": "simple",
    "dependencies": [],
    "concerns": ["none worth a name"],
}
CHECKED: dict[str, Any] = {"passed": True, "issues": [], "confidence": 8.5}
# Replies to what a role is asked besides.
LATER = (Divergence, FollowUps, Digest, AuditReport, VersionAdvice, DiagnosisClaim)


def test_plain_data_and_its_text_are_read_alike() -> None:
    expected = PlannerClaim(1, 1, 3, "simple", (), ("none worth a name",))
    assert read_reply(PLANNED, PlannerClaim) == expected
    assert read_reply(json.dumps(PLANNED), PlannerClaim) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Here is my verdict:\n```json\n{}\n```\n",
        'First I thought {"passed": false, "issues": [], "confidence": 1.5}, but then: {}',
        "A stray { brace, then {} and a {placeholder}.",
        "{} with braces in its words: }{",
    ],
)
def test_the_last_json_object_in_prose_is_the_reply(text: str) -> None:
    said = text.replace("{}", json.dumps(CHECKED))
    assert read_reply(said, PlanCheck) == PlanCheck(True, (), 8.5)


def test_an_earlier_object_never_stands_in_for_a_last_one_that_does_not_fit() -> None:
    said = f"For example {json.dumps(CHECKED)}; but mine is " + '{"passed": false, "confidence": 2.5}'
    problem = read_reply(said, PlanCheck)
    assert isinstance(problem, Problem)
    assert "missing required field `issues`" in problem.because


def test_braces_inside_strings_do_not_end_an_object() -> None:
    claim = {**PLANNED, "concerns": ['a "}" in quotes', "back\\slash {"]}
    assert read_reply(f"so: {json.dumps(claim)}.", PlannerClaim) == msgspec.convert(claim, PlannerClaim)


@pytest.mark.parametrize(
    "broken",
    [
        "{'passed': true, 'issues': [], 'confidence': 8.5}",
        '{"passed": true, "issues": [], "confidence": 8.5,}',
        "{passed: true, issues: [], confidence: 8.5}",
        '{"passed": true, "issues": [], "confidence": 8.5',
        '```json\n{"passed": true,\n // fine\n "issues": [], "confidence": 8.5}\n```',
    ],
)
def test_json_that_is_only_badly_written_is_repaired(broken: str) -> None:
    assert read_reply(broken, PlanCheck) == PlanCheck(True, (), 8.5)


def test_fields_we_do_not_know_are_let_through() -> None:
    said = {**CHECKED, "blocker_count": 0}
    assert read_reply(said, PlanCheck) == PlanCheck(True, (), 8.5)


@pytest.mark.parametrize(
    ("said", "because"),
    [
        ("", "empty"),
        ("I am done.", "malformed"),
        (None, "Expected `object`"),
        ([1], "Expected `object`"),
        ({**CHECKED, "passed": "true"}, "at `$.passed`"),
        ({**CHECKED, "confidence": "8.5"}, "at `$.confidence`"),
        ({**CHECKED, "confidence": 10.1}, "between 0 and 10"),
        ({**CHECKED, "confidence": -0.1}, "between 0 and 10"),
        ({**CHECKED, "confidence": float("nan")}, "at `$.confidence`"),
        ({**CHECKED, "confidence": float("inf")}, "at `$.confidence`"),
        ('{"passed": true, "issues": [], "confidence": 1e999}', "at `$.confidence`"),
        ({"passed": object()}, "not plain JSON"),
        ({"passed": "\ud800"}, "not plain JSON"),
        ("{" * 100_000, ""),
        ("[" * 100_000, ""),
    ],
)
def test_what_does_not_fit_is_a_problem_and_says_which(said: object, because: str) -> None:
    problem = read_reply(said, PlanCheck)
    assert isinstance(problem, Problem)
    assert because in problem.because


def test_a_mark_deep_inside_is_looked_at_too() -> None:
    score = {
        "criterion": "c",
        "score": 11,
        "verification_command": "true",
        "command_output": "",
        "evidence": "a:1 -- b",
        "justification": "",
    }
    card = {"scorecard": [score], "side_effects": [], "commands_run": [], "aggregate_justification": ""}
    problem = read_reply(card, Rating)
    assert isinstance(problem, Problem)
    assert problem.because == "a mark lies between 0 and 10, not 11 - at `$.scorecard[0].score`"


def test_a_count_that_no_plan_can_have_is_refused() -> None:
    for absurd in (-1, 10**30):
        assert isinstance(read_reply({**PLANNED, "waves": absurd}, PlannerClaim), Problem)


@pytest.mark.parametrize("as_text", [True, False])
def test_a_reply_over_its_cap_is_refused_and_not_cut(as_text: bool) -> None:
    claim = {**PLANNED, "concerns": ["x" * REPLY_BYTES[PlannerClaim]]}
    problem = read_reply(json.dumps(claim) if as_text else claim, PlannerClaim)
    assert isinstance(problem, Problem)
    assert f"over its cap of {REPLY_BYTES[PlannerClaim]}" in problem.because


def test_a_recommendation_outside_the_closed_set_is_refused() -> None:
    fields: dict[str, Any] = dict.fromkeys(JudgeFindings.__struct_fields__, ()) | {"notes": ""}
    assert isinstance(read_reply({**fields, "recommendation": "merge"}, JudgeFindings), Problem)
    good = read_reply({**fields, "recommendation": "debug"}, JudgeFindings)
    assert isinstance(good, JudgeFindings)
    assert good.recommendation is Recommendation.DEBUG


def test_every_role_has_a_reply_type_of_its_own_and_a_cap() -> None:
    assert set(REPLIES) == set(Role)
    assert len(set(REPLIES.values())) == len(Role)
    assert set(REPLY_BYTES) == {*REPLIES.values(), *LATER}


@pytest.mark.parametrize("kind", REPLY_BYTES)
@pytest.mark.parametrize(
    "said",
    [
        "x" * 10_000_000,
        '{"passed": ' + '"\\"' * 5_000_000,
        '{"flood"}',
        '{"flood": ',
        "[{]}",
        "{}",
        "null",
        "9",
        {},
        None,
    ],
    ids=["10 MB", "10 MB of quotes", "no value", "cut", "crossed", "empty", "null", "number", "nothing", "no reply"],
)
def test_whatever_is_no_reply_at_all_is_refused_in_words_by_every_role(
    kind: type[msgspec.Struct], said: object
) -> None:
    problem = read_reply(said, kind)
    assert isinstance(problem, Problem)
    assert problem.because


@pytest.mark.parametrize(
    ("kind", "missing"),
    # Agents are asked for every field; those with a default came later and may be missing.
    [(kind, field.name) for kind in REPLY_BYTES for field in msgspec.structs.fields(kind) if field.required],
)
def test_a_required_field_that_is_missing_is_named(kind: type[msgspec.Struct], missing: str) -> None:
    whole = empty(wire_schema(kind))
    assert isinstance(read_reply(whole, kind), kind)
    part = {name: value for name, value in whole.items() if name != missing}
    answer = read_reply(part, kind)
    if missing in CAME_LATER.get(kind, ()):
        assert isinstance(answer, kind)
    else:
        assert isinstance(answer, Problem)
        assert f"missing required field `{missing}`" in answer.because


# Fields that journals of the first schema do not have: asked of every agent, and not demanded.
CAME_LATER: dict[type, tuple[str, ...]] = {Verification: ("automated_checks", "traces", "deferral_evidence")}


def empty(schema: dict[str, Any]) -> Any:
    """The smallest value that the schema allows."""
    if "anyOf" in schema:
        return None if {"type": "null"} in schema["anyOf"] else empty(schema["anyOf"][0])
    if "enum" in schema:
        return schema["enum"][0]
    if schema["type"] == "object":
        return {name: empty(below) for name, below in schema["properties"].items()}
    return {"array": [], "string": "", "integer": 0, "number": 0.0, "boolean": False}[schema["type"]]


KINDS = st.sampled_from(list(REPLY_BYTES))
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
JSON = st.recursive(SCALARS, lambda below: st.lists(below) | st.dictionaries(st.text(), below), max_leaves=20)
BITS = st.sampled_from(
    ["{", "}", "[", "]", '"', "'", ":", ",", "\\", "\\u", "d800", "passed", "true", "1e9", "-", "/*", "```", "\n", "é"]
)


@given(said=st.text() | st.lists(BITS).map("".join) | JSON | JSON.map(json.dumps), kind=KINDS)
def test_reading_never_raises_whatever_was_said(said: object, kind: type[msgspec.Struct]) -> None:
    assert isinstance(read_reply(said, kind), Problem | kind)


def follows(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Data of the shape that the schema asks for."""
    if "anyOf" in schema:
        return st.one_of(*map(follows, schema["anyOf"]))
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema["type"]:
        case "object":
            return st.fixed_dictionaries({name: follows(below) for name, below in schema["properties"].items()})
        case "array":
            return st.lists(follows(schema["items"]), max_size=3)
        case "string":
            return st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
        case "null":
            return st.none()
    return {"integer": st.integers(0, 100), "number": st.floats(0, 10), "boolean": st.booleans()}[schema["type"]]


@given(data=st.data(), kind=KINDS, prose=st.text("abc .\n", max_size=30))
def test_whatever_follows_the_schema_is_read_as_it_was_meant_even_out_of_prose(
    data: st.DataObject, kind: type[msgspec.Struct], prose: str
) -> None:
    said = data.draw(follows(wire_schema(kind)))
    expected = msgspec.convert(said, kind)
    assert read_reply(said, kind) == expected
    assert read_reply(prose + json.dumps(said) + prose, kind) == expected


NASTY = ('{"', "{", "{true ", "{1-", "[{", '"a ', '",\n"(', "('", "{,", '{"a": [')


@pytest.mark.parametrize("length", [3_990, 16_000, 60_000])
@pytest.mark.parametrize("piece", NASTY)
def test_no_broken_text_takes_long_to_read(piece: str, length: int) -> None:
    """Repairing takes time by the square of the length and more with every level; 16 KB of some of these took 60 s."""
    calls = 0

    def count(frame: FrameType, event: str, arg: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        read_reply(("{" + piece * length)[:length], Verification)
    finally:
        sys.setprofile(None)
    assert calls < 2_000_000


@pytest.mark.parametrize("length", [3_500, 4_500])
def test_a_text_that_is_too_long_to_repair_is_refused(length: int) -> None:
    broken = '{"note": "' + "x" * length + '", "passed": true, "issues": [], "confidence": 9.0,}'
    assert isinstance(read_reply(broken, PlanCheck), Problem) is (length > 4_000)
