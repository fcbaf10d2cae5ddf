"""The schema given to agents is the subset that every vendor accepts (agents.md §0)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from autopilot.model.agent import Role
from autopilot.model.assessment import Judgement
from autopilot.ports.reply import REPLIES, wire_schema

ACCEPTED = {"type", "properties", "required", "additionalProperties", "items", "enum", "anyOf"}


def nodes(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield schema
    below = [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]
    for child in [*below, schema["items"]] if "items" in schema else below:
        yield from nodes(child)


@pytest.mark.parametrize("role", Role)
def test_every_role_has_a_schema_without_references_defaults_or_optional_fields(role: Role) -> None:
    schema = wire_schema(REPLIES[role])
    assert schema["type"] == "object"
    for node in nodes(schema):
        assert set(node) <= ACCEPTED
        if node.get("type") == "object":
            assert node["required"] == list(node["properties"])
            assert node["additionalProperties"] is False


def test_nested_types_stand_where_they_are_used() -> None:
    properties = wire_schema(Judgement)["properties"]
    assert properties["recommendation"] == {"type": "string", "enum": ["debug", "halt", "proceed", "rollback"]}
    assert properties["concerns"] == {"type": "array", "items": {"type": "string"}}


def test_a_score_is_asked_for_as_text_although_a_number_is_read_too() -> None:
    scores = wire_schema(REPLIES[Role.RATER])["properties"]["scorecard"]["items"]["properties"]
    assert scores["score"] == {"type": "string"}


class Inner(msgspec.Struct):
    size: int = 3


class Outer(msgspec.Struct):
    """Words for people, not for vendors."""

    inner: Inner | None = None


class Tree(msgspec.Struct):
    branches: tuple[Tree, ...]


def test_what_may_be_missing_is_nullable_instead_of_optional_and_shows_no_default() -> None:
    inner = {
        "type": "object",
        "properties": {"size": {"type": "integer"}},
        "required": ["size"],
        "additionalProperties": False,
    }
    assert wire_schema(Outer) == {
        "type": "object",
        "properties": {"inner": {"anyOf": [inner, {"type": "null"}]}},
        "required": ["inner"],
        "additionalProperties": False,
    }


def test_a_type_that_contains_itself_is_our_own_bug() -> None:
    with pytest.raises(AssertionError, match="contain themselves"):
        wire_schema(Tree)
