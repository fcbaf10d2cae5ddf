"""Drafts phases from criteria that the user's own document gives with commands; invents none."""

from __future__ import annotations

import re

from autopilot.simulation.honest.plain import Any, Record

HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$")
ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(.+)$")
NUMBER = re.compile(r"\bPhase\s+(\d+)")
NO_IDEAS = (
    "a scripted planner has no ideas: it takes items with `verified by:` from what is wanted, a phase for each heading"
)


class Draft(Record):
    text: str  # "" where there is nothing to draft from
    concerns: list[str]


def draft(wanted: dict[str, Any], before: str) -> Draft:
    found = list(_phases(wanted.get("text", "").splitlines()))
    if not found:
        return Draft("", [NO_IDEAS])
    if all(f": {name}\n**Goal**" in before for name, _ in found):
        return Draft("", ["it is drafted already, and a scripted planner does not know it better"])
    first = max((int(number) for number in NUMBER.findall(before)), default=0) + 1
    head = before.rstrip("\n") + "\n" if before else "# Roadmap\n\n## Phases\n\n"
    sections = [_section(number, name, items) for number, (name, items) in enumerate(found, start=first)]
    return Draft(head + "\n" + "\n".join(sections), ["nothing was added to what is written there"])


def _phases(lines: list[str]) -> Any:
    name, items = "What is wanted", list[str]()
    for line in (*lines, "# "):
        title, item = HEADING.match(line), ITEM.match(line)
        if title or line == "# ":
            if items:
                yield name, items
            name, items = (title[1] if title else ""), []
        elif item and "verified by" in item[1]:
            items.append(item[1])


def _section(number: int, name: str, items: list[str]) -> str:
    listed = [f"  {place}. {text}" for place, text in enumerate(items, start=1)]
    depends = f"Phase {number - 1}" if number > 1 else "Nothing"
    head = [f"### Phase {number}: {name}", f"**Goal**: {name}", f"**Depends on**: {depends}"]
    return "\n".join([*head, "**Success Criteria** (what must be TRUE):", *listed, ""])
