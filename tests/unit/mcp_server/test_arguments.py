"""What a tool takes is said exactly, and nothing else is taken."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Struct

from autopilot.mcp_server.arguments import OfAnswer, OfEvidence, OfMap, OfStart, OfTopic, read_arguments, schema_of
from autopilot.mcp_server.tools import ACTING, READING
from autopilot.model.errors import UsageError
from autopilot.repomap.queries import Query

# covers: CMD-MCP

TOOLS = (*READING, *ACTING)


@pytest.mark.parametrize("tool", TOOLS, ids=[tool.name for tool in TOOLS])
def test_every_schema_is_a_closed_object_that_says_what_each_argument_is(tool: Any) -> None:
    schema = schema_of(tool.arguments)
    assert (schema["type"], schema["additionalProperties"]) == ("object", False)
    assert "$ref" not in str(schema)
    for name, part in schema["properties"].items():
        assert part.get("description"), name
        assert "maxLength" in str(part) or "maximum" in part or "enum" in part or name == "answers", name


def test_the_questions_to_the_map_are_those_of_the_command() -> None:
    assert set(schema_of(OfMap)["properties"]["query"]["enum"]) == {query.value for query in Query}


def test_only_what_reads_is_called_reading_and_only_what_ends_or_settles_something_destructive() -> None:
    hints = {tool.name: tool.described().annotations for tool in TOOLS}
    assert [name for name, hint in hints.items() if hint and not hint.read_only_hint] == [t.name for t in ACTING]
    assert [name for name, hint in hints.items() if hint and hint.destructive_hint] == ["stop_run", "answer_gate"]


@pytest.mark.parametrize(
    ("arguments", "given", "wrong"),
    [
        (OfEvidence, None, "missing required field `phase`"),
        (OfEvidence, {"phase": 3}, "Expected `str`, got `int`"),
        (OfEvidence, {"phase": "3", "cap": 9}, "unknown field `cap`"),
        (OfEvidence, {"phase": "3" * 41}, "length <= 40"),
        (OfStart, {"phases": ["--max-usd=1000"]}, "matching regex"),
        (OfStart, {"phases": ["3; rm"]}, "matching regex"),
        (OfStart, {"agent": "claude"}, "unknown field `agent`"),
        (OfAnswer, {"name": "map", "decision": "force"}, "Invalid enum value 'force'"),
        (OfTopic, {"tokens": 10**9}, "`int` <= "),
    ],
)
def test_what_does_not_fit_is_named(arguments: type[Struct], given: dict[str, Any] | None, wrong: str) -> None:
    with pytest.raises(UsageError) as refused:
        read_arguments(given, arguments)
    assert wrong in str(refused.value)
    assert refused.value.hint


@pytest.mark.parametrize("phases", [[], ["3"], ["2.1", "4-7"], ["all"], ["next"]])
def test_selections_of_phases_are_taken_as_the_command_takes_them(phases: list[str]) -> None:
    assert read_arguments({"phases": phases}, OfStart).phases == phases
