"""JSON schema, and patterns from strangers.

covers: TYPE
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.inspection.types.json_schema import MAX_PROBLEMS, validate
from autopilot.inspection.types.safe_pattern import bounded


def problems(schema: Any, value: Any) -> list[str]:
    fit = validate(value, schema)
    assert not fit.unseen
    return ["/".join(map(str, keys)) + ": " + words for keys, words in fit.problems]


@pytest.mark.parametrize(
    ("schema", "fits", "fails", "words"),
    [
        (False, None, 1, ": is not allowed here"),
        ({"type": "integer"}, 2.0, 2.5, ": is not of type integer"),
        ({"type": ["string", "null"]}, None, 1, ": is not of type string or null"),
        ({"type": "number"}, 1, True, ": is not of type number"),
        ({"const": {"a": 1, "b": 2}}, {"b": 2.0, "a": 1}, {"a": 1}, ': is not {"a": 1, "b": 2}'),
        ({"enum": [1, "a"]}, 1.0, True, ': is true, not one of [1, "a"]'),
        ({"minimum": 3}, 3, 2, ": is below 3"),
        ({"maximum": 3}, 3, 4, ": is above 3"),
        ({"exclusiveMinimum": 3}, 4, 3, ": is not above 3"),
        ({"minimum": 3, "exclusiveMinimum": True}, 4, 3, ": is not above 3"),
        ({"exclusiveMaximum": 3}, 2, 3, ": is not below 3"),
        ({"multipleOf": 0.1}, 0.3, 0.35, ": is not a multiple of 0.1"),
        ({"minLength": 2}, "ab", "a", ": has fewer than 2 characters"),
        ({"maxLength": 2}, "ab", "abc", ": has more than 2 characters"),
        ({"pattern": "^[a-z]+$"}, "ab", "a1", ": does not match ^[a-z]+$"),
        ({"required": ["a"]}, {"a": 1}, {"b": 1}, ': lacks "a"'),
        ({"properties": {"a": {"type": "null"}}}, {"a": None}, {"a": 1}, "a: is not of type null"),
        ({"additionalProperties": False, "properties": {"a": True}}, {"a": 1}, {"b": 1}, "b: is not allowed here"),
        (
            {"additionalProperties": False, "patternProperties": {"^x": True}},
            {"xa": 1},
            {"b": 1},
            "b: is not allowed here",
        ),
        ({"patternProperties": {"^x": {"type": "null"}}}, {"y": 1}, {"xa": 1}, "xa: is not of type null"),
        ({"propertyNames": {"maxLength": 1}}, {"a": 1}, {"ab": 1}, "ab: is not an allowed name"),
        ({"minProperties": 1}, {"a": 1}, {}, ": has fewer than 1 members"),
        ({"dependentRequired": {"a": ["b"]}}, {"b": 1}, {"a": 1}, ': lacks "b", which "a" requires'),
        ({"dependencies": {"a": {"required": ["b"]}}}, {}, {"a": 1}, ': lacks "b"'),
        ({"items": {"type": "string"}}, ["a"], ["a", 1], "1: is not of type string"),
        ({"prefixItems": [{"type": "null"}], "items": False}, [None], [None, 1], "1: is not allowed here"),
        ({"items": [{"type": "null"}], "additionalItems": False}, [None], [None, 1], "1: is not allowed here"),
        ({"minItems": 1}, [1], [], ": has fewer than 1 items"),
        ({"uniqueItems": True}, [1, True, "1"], [1, 1.0], ": has a duplicate item"),
        ({"contains": {"type": "null"}}, [1, None], [1], ": has 0 items that match `contains`"),
        ({"contains": True, "maxContains": 1}, [1], [1, 2], ": has 2 items that match `contains`"),
        ({"allOf": [{"minimum": 1}, {"maximum": 2}]}, 1, 3, ": is above 2"),
        ({"anyOf": [{"type": "null"}, {"minimum": 1}]}, None, 0, ": matches none of the 2 schemas of anyOf"),
        ({"oneOf": [{"minimum": 1}, {"minimum": 2}]}, 1, 3, ": matches 2 of the 2 schemas of oneOf"),
        ({"not": {"type": "null"}}, 1, None, ": matches the schema that `not` excludes"),
        ({"if": {"minimum": 5}, "then": {"maximum": 6}, "else": {"minimum": 1}}, 6, 7, ": is above 6"),
        ({"if": {"minimum": 5}, "then": {"maximum": 6}, "else": {"minimum": 1}}, 1, 0, ": is below 1"),
        ({"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"type": "null"}}}, None, 1, ": is not of type null"),
    ],
)
def test_each_word_of_a_schema_is_obeyed(schema: Any, fits: Any, fails: Any, words: str) -> None:
    if schema is not False:
        assert problems(schema, fits) == []
    assert problems(schema, fails) == [words]


def test_a_schema_may_refer_to_itself() -> None:
    tree = {"type": "object", "properties": {"left": {"$ref": "#"}}}
    assert problems(tree, {"left": {"left": {}}}) == []
    assert problems(tree, {"left": {"left": 1}}) == ["left/left: is not of type object"]


@pytest.mark.parametrize(
    ("schema", "unseen"),
    [
        ({"$ref": "other.json"}, "the reference other.json is not followed"),
        ({"$ref": "https://example.org/s.json"}, "the reference https://example.org/s.json is not followed"),
        ({"$ref": "file:///etc/passwd"}, "the reference file:///etc/passwd is not followed"),
        ({"$ref": "#/nowhere"}, "the reference #/nowhere has no target"),
        ({"unevaluatedProperties": False}, "unevaluatedProperties is not supported"),
        ({"pattern": "(a+)+$"}, "the pattern (a+)+$ is not evaluated"),
        ({"pattern": "("}, "the pattern ( is not evaluated"),
        ({"$ref": "#"}, "validation against the schema takes too long"),
    ],
)
def test_what_is_not_understood_is_unseen_and_neither_right_nor_wrong(schema: Any, unseen: str) -> None:
    fit = validate("a" * 50 + "!", schema)
    assert fit.problems == () and fit.unseen == (unseen,)


@pytest.mark.parametrize(
    "around", [{"not": 0}, {"oneOf": [0]}, {"anyOf": [0, False]}, {"if": 0, "then": False, "else": False}]
)
def test_a_choice_that_hangs_on_something_unseen_stays_open(around: dict[str, Any]) -> None:
    schema = json.loads(json.dumps(around).replace("0", '{"$ref": "x.json"}'))
    assert validate(1, schema).problems == ()


def test_something_unseen_does_not_hide_what_is_seen() -> None:
    schema = {"properties": {"a": {"$ref": "x.json"}, "b": {"type": "null"}}}
    assert validate({"a": 1, "b": 1}, schema).problems == ((("b",), "is not of type null"),)


def test_a_schema_made_to_take_for_ever_does_not() -> None:
    bomb: Any = {"type": "object"}
    for _ in range(40):
        bomb = {"anyOf": [bomb, bomb, False]}
    assert "too long" in validate(1, bomb).unseen[0]
    deep: Any = []
    for _ in range(500):
        deep = [deep]
    assert "too long" in validate(deep, {"items": {"$ref": "#"}}).unseen[0]
    assert len(validate([1] * 1000, {"items": {"type": "null"}}).problems) == MAX_PROBLEMS


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)
WORDS = st.sampled_from(
    [
        *("type", "enum", "const", "required", "properties", "patternProperties", "additionalProperties", "format"),
        *("propertyNames", "items", "prefixItems", "contains", "minContains", "pattern", "minimum", "exclusiveMinimum"),
        *("multipleOf", "minLength", "maxItems", "uniqueItems", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"),
        *("$ref", "$defs", "dependentRequired", "dependencies"),
    ]
)


@given(JSON)
def test_every_value_fits_what_allows_all_and_itself_and_not_its_opposite(value: Any) -> None:
    assert problems({}, value) == problems(True, value) == problems({"const": value}, value) == []
    assert problems({"not": {"const": value}}, value) == [": matches the schema that `not` excludes"]


@given(JSON, st.dictionaries(WORDS, JSON, max_size=5))
def test_no_schema_however_odd_breaks_the_look(value: Any, schema: dict[str, Any]) -> None:
    fit = validate(value, schema)
    assert validate(value, {"not": schema}).problems == () or not fit.problems


@pytest.mark.parametrize(
    "source",
    [
        *("(a+)+", "(a|b)*", "(a?)*", "(a*)*", "(?:a{1,9}){2}", "((a|b)c)+", "a{2}{3}"),
        *(r"(a)\1", "(?=a)", "(?<=a)b", "(?i)a", "(", "[", "[[a]", "a" * 400),
    ],
)
def test_a_pattern_without_a_known_bound_is_refused(source: str) -> None:
    assert bounded(source) is None


@pytest.mark.parametrize(
    ("source", "power", "ways"),
    [
        ("^[a-z]+$", 1, 1),
        ("[a-z]+", 2, 1),
        ("abc", 1, 1),
        (r"^\d{4}-\d{2}-\d{2}$", 1, 1),
        (r"^\d+\.\d+\.\d+$", 3, 1),
        ("^(abc)*$", 1, 1),
        ("^a?b?$", 1, 4),
        ("^(a|b|c)$", 1, 4),
        ("a*|b", 2, 2),
        (r"^[\]+*]{2}\+$", 1, 1),
        ("^(?:[A-Z]{2}){2}$", 1, 1),
        ("^(a+)?$", 1, 2),
    ],
)
def test_the_bound_of_a_pattern_is_known(source: str, power: int, ways: int) -> None:
    pattern = bounded(source)
    assert pattern is not None
    assert (pattern.power, pattern.ways) == (power, ways)


@given(st.text(st.sampled_from("ab()[]|*+?{}1,^$\\."), max_size=10))
def test_a_pattern_within_its_bound_ends(source: str) -> None:
    pattern = bounded(source)
    if pattern is not None and pattern.cost("a" * 40) < 1_000_000:
        pattern.regex.search("a" * 39 + "!")
