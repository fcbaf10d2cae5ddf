"""Refuses the schemas that vendors refuse, with their messages. ``autopilot.ports.wire`` makes ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from autopilot.simulation.model_server.answer import RESULT
from autopilot.simulation.model_server.conversation import Wire
from autopilot.simulation.model_server.faults import Refusal, refuse_request


def refuse_schemas(wire: Wire, body: Mapping[str, Any]) -> Refusal | None:
    """The refusal for the first invalid schema of a request, or None."""
    for place, name, schema, strict in _schemas(wire, body):
        complaint = find_complaint(schema) if strict else _root_complaint(schema)
        if complaint:
            return refuse_request(wire, f"Invalid schema for {name}: {complaint}", place, "invalid_json_schema")
    return None


def find_complaint(schema: Any, where: tuple[str, ...] = ()) -> str:
    """The strict rules: no reference at the root, every property required, no others allowed, no defaults."""
    if not isinstance(schema, dict):
        return f"In context={where}, a schema must be an object."
    if not where and (complaint := _root_complaint(schema)):
        return complaint
    if "default" in schema:
        return f"In context={where}, 'default' is not permitted."
    if "properties" in schema or schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            return f"In context={where}, 'additionalProperties' is required to be supplied and to be false."
        missing = sorted(set(schema.get("properties", {})) - set(schema.get("required", ())))
        if missing:
            return (
                f"In context={where}, 'required' is required to be supplied and to be an array including every key "
                f"in properties. Missing '{missing[0]}'."
            )
    below = (find_complaint(part, (*where, *path)) for path, part in _parts(schema))
    return next((complaint for complaint in below if complaint), "")


def _root_complaint(schema: Any) -> str:
    if not isinstance(schema, dict) or "$ref" in schema or schema.get("type") != "object":
        kind = schema.get("type") if isinstance(schema, dict) else schema
        return f"schema must be a JSON Schema of 'type: \"object\"', got 'type: \"{kind}\"'."
    choice = next((word for word in ("anyOf", "oneOf", "allOf") if word in schema), "")
    return f"In context=(), '{choice}' is not permitted at the root." if choice else ""


def _parts(schema: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for group in ("properties", "$defs", "definitions"):
        yield from (((group, name), part) for name, part in schema.get(group, {}).items())
    if "items" in schema:
        yield ("items",), schema["items"]
    for number, part in enumerate(schema.get("anyOf", ())):
        yield ("anyOf", str(number)), part


def _schemas(wire: Wire, body: Mapping[str, Any]) -> Iterator[tuple[str, str, Any, bool]]:
    """Position, name and schema of each, and whether the strict rules apply."""
    if wire is Wire.MESSAGES:
        form = (body.get("output_config") or {}).get("format") or {}
        place = "output_config.format.schema"
    elif wire is Wire.RESPONSES:
        form, place = (body.get("text") or {}).get("format") or {}, "text.format.schema"
    else:
        form, place = body.get("response_format") or {}, "response_format"
        form = {**form, **(form.get("json_schema") or {}), "type": form.get("type")}
    if form.get("type") == "json_schema":
        yield place, f"response_format '{form.get('name', 'reply')}'", form.get("schema"), True
    for number, tool in enumerate(body.get("tools") or []):
        function = tool.get("function", tool)
        schema = function.get("input_schema", function.get("parameters"))
        if schema is not None:
            name = function.get("name", "")
            # The result tool has our own schema, so the strict rules always apply to it.
            yield (
                f"tools[{number}].parameters",
                f"function '{name}'",
                schema,
                function.get("strict") is True or name == RESULT,
            )
