"""Instructions on the form of its answer, for an agent that takes no schema."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import Any

import msgspec

TEXT = Path(__file__).parent / "prompts" / "answer_as_json.md"


def json_instruction(schema: Mapping[str, Any]) -> str:
    """To be put after the prompt; "" when any answer will do."""
    if not schema:
        return ""
    return Template(TEXT.read_text(encoding="utf-8")).substitute(schema=msgspec.json.encode(schema).decode())
