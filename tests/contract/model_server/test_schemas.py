"""The server refuses the forms that vendors refuse, in their words."""

from __future__ import annotations

from typing import Any

import pytest

from autopilot.simulation.model_server.conversation import Wire
from autopilot.simulation.model_server.schemas import find_complaint
from autopilot.simulation.model_server.script import Say
from tests.contract.model_server.clients import CLAUDE, TOOLS, Offered, User, ask
from tests.contract.model_server.conftest import Serve

ASKED = [User("go")]
Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}


def form(**properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


REFUSED: dict[str, tuple[Schema, str]] = {
    "root by reference": ({"$ref": "#/$defs/A", "$defs": {"A": form(a=TEXT)}}, 'type: "object"'),
    "root not an object": ({"type": "array", "items": TEXT}, 'type: "object"'),
    "root a choice": (form(a=TEXT) | {"anyOf": [form(a=TEXT)]}, "'anyOf' is not permitted at the root"),
    "open": ({"type": "object", "properties": {"a": TEXT}, "required": ["a"]}, "'additionalProperties' is required"),
    "optional": (form(a=TEXT, b=TEXT) | {"required": ["a"]}, "Missing 'b'"),
    "default": (form(a=TEXT | {"default": "x"}), "'default' is not permitted"),
    "open below": (form(a={"type": "object", "properties": {}}), "('properties', 'a')"),
    "optional in a list": (form(a={"type": "array", "items": form(b=TEXT) | {"required": []}}), "Missing 'b'"),
    "default in a choice": (
        form(a={"anyOf": [TEXT | {"default": "x"}, {"type": "null"}]}),
        "('properties', 'a', 'anyOf'",
    ),
    "open definition": (form(a=TEXT) | {"$defs": {"A": {"type": "object"}}}, "('$defs', 'A')"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_form_outside_the_strict_subset_is_refused(serve: Serve, wire: Wire, case: str) -> None:
    schema, complaint = REFUSED[case]
    server = serve(Say("work"))
    heard = ask(server.url, wire, ASKED, schema=schema)
    assert heard.status == 400
    assert heard.body["error"]["type"] == "invalid_request_error"
    assert complaint in heard.body["error"]["message"]
    assert server.requests[0].played == "refused"


@pytest.mark.parametrize("case", REFUSED)
def test_the_tool_for_the_result_is_held_to_the_same_rules(serve: Serve, case: str) -> None:
    schema, complaint = REFUSED[case]
    tools = [*CLAUDE, Offered("StructuredOutput", (), schema)]
    heard = ask(serve(Say("work")).url, Wire.MESSAGES, ASKED, tools=tools)
    assert (heard.status, complaint in heard.body["error"]["message"]) == (400, True)


def test_a_complaint_names_the_place_in_the_request(serve: Serve) -> None:
    server = serve(Say("work"))
    schema, _ = REFUSED["open"]
    assert ask(server.url, Wire.RESPONSES, ASKED, schema=schema).body["error"]["param"] == "text.format.schema"
    assert ask(server.url, Wire.CHAT, ASKED, schema=schema).body["error"]["param"] == "response_format"
    assert ask(server.url, Wire.RESPONSES, ASKED, schema=schema).body["error"]["code"] == "invalid_json_schema"


def test_an_agents_own_tools_may_have_optional_fields(serve: Serve, wire: Wire) -> None:
    loose = {"type": "object", "properties": {"command": TEXT | {"default": ""}}}
    heard = ask(serve(Say("work")).url, wire, ASKED, tools=[Offered("bash", (), loose)])
    assert heard.status == 200


def test_no_tool_may_have_a_root_that_is_not_an_object(serve: Serve, wire: Wire) -> None:
    tools = [*TOOLS[wire], Offered("odd", (), {"type": "string"})]
    assert ask(serve(Say("work")).url, wire, ASKED, tools=tools).status == 400


def test_a_form_within_the_subset_has_no_complaint() -> None:
    inner = form(note={"anyOf": [TEXT, {"type": "null"}]})
    assert find_complaint(form(ok={"type": "boolean"}, items={"type": "array", "items": inner})) == ""
