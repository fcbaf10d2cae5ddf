"""A reply type as the JSON schema that agents are given: the subset every vendor accepts."""

from __future__ import annotations

from typing import Any

import msgspec

# Written by msgspec for readers of documents; vendors refuse some of them and need none.
_LEFT_OUT = frozenset({"title", "description", "default", "$defs"})


def wire_schema(reply: type) -> dict[str, Any]:
    """The schema of a reply: nothing by reference, every field required, nothing besides them.

    A field that may be missing is ``X | None`` in its type and nullable here; a default never shows.
    """
    schema = msgspec.json.schema(reply)
    return _inline(schema, schema.get("$defs", {}), ())


def _inline(node: dict[str, Any], definitions: dict[str, Any], above: tuple[str, ...]) -> dict[str, Any]:
    if reference := node.get("$ref"):
        name = reference.removeprefix("#/$defs/")
        assert name not in above, f"reply types do not contain themselves: {name}"
        return _inline(definitions[name], definitions, (*above, name))
    plain = {key: value for key, value in node.items() if key not in _LEFT_OUT}
    if "properties" in plain:
        inlined = {name: _inline(value, definitions, above) for name, value in plain["properties"].items()}
        plain |= {"properties": inlined, "required": list(inlined), "additionalProperties": False}
    if "items" in plain:
        plain["items"] = _inline(plain["items"], definitions, above)
    if "anyOf" in plain and "type" in plain:
        del plain["anyOf"]  # more is read than is asked for
    elif "anyOf" in plain:
        plain["anyOf"] = [_inline(choice, definitions, above) for choice in plain["anyOf"]]
    if "enum" in plain:
        plain = {"type": "string", **plain}
    return plain
