"""GSD's plans of type ``tdd``: one ``<feature>`` with its behaviour, tested first, instead of ``<task>`` blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autopilot.planning.plan.task_block import Block, tag_blocks
from autopilot.planning.plan.task_fields import Fields, child_tags
from autopilot.text.lines import Line

_ITEM = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+(.*)$")
_ABOUT = re.compile(r"\s*(\w[\w .()/-]{0,80}?)\s*:\s*\Z")
_CASES = {"cases", "behavior", "behaviour", "tests", "test cases", "expected"}


def feature_blocks(lines: Sequence[Line]) -> Iterator[Block]:
    """Each feature as one task: its behaviour is what must hold, the plan's ``<verification>`` is how it is seen."""
    for block in tag_blocks(lines, "feature"):
        yield Block(block.line, {"type": "tdd", **block.attributes}, block.body, block.wave, block.closed)


def feature_fields(block: Block, lines: Sequence[Line]) -> Fields:
    fields = child_tags(block.body)
    cases = tuple(Line(line.number, f"- {text}") for line, text in behaviours(fields.get("behavior", ())))
    own = {"acceptance_criteria": (*fields.get("acceptance_criteria", ()), *cases)} if cases else {}
    verification = next(tag_blocks(lines, "verification"), None)
    if verification and "verify" not in fields:
        own["verify"] = verification.body
    return {**fields, **own}


def behaviours(lines: Sequence[Line]) -> Iterator[tuple[Line, str]]:
    """One case a line; a line that ends with a colon says what the following ones are about."""
    about = ""
    for line in lines:
        item = _ITEM.match(line.text)
        text = (item[1] if item else line.text).strip()
        opened = _ABOUT.match(line.text) if not item else None
        if opened:
            about = "" if opened[1].lower() in _CASES else f"{opened[1]}: "
        elif text:
            yield line, f"{about}{text.removeprefix('Cases: ')}"
