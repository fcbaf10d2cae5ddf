"""A criterion as an item of a list that is read back as the very same criterion."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autopilot.model.planning.criterion import Criterion, Expectation, Form, Kind
from autopilot.model.policy import Commands
from autopilot.planning.importing.plain_words import hides_what_follows, one_line
from autopilot.planning.plan.criterion import parse_criterion
from autopilot.planning.roadmap.criteria import criteria_items
from autopilot.text.lines import scan_lines

LABEL = "**Success Criteria** (what must be TRUE):"
_HIGHEST = 999  # a number of more digits is none of a list


def item(number: int, text: str) -> str:
    return f"  {min(number, _HIGHEST)}. {text}"


def write_criterion(criterion: Criterion, commands: Commands, *, in_full: bool = False) -> tuple[str, bool]:
    """Its text, and whether that is read as the same criterion. The plainest form that is comes first.

    ``in_full``: with its command written out, as plans want it.
    """
    candidates = list(_candidates(criterion))[2 if in_full and criterion.form is not Form.PROSE else 0 :]
    same = next((text for text in candidates if _means(criterion, text, commands)), None)
    return (same, True) if same is not None else (candidates[-1], False)


def same_criterion(wanted: Criterion, found: Criterion) -> bool:
    return _essence(wanted) == _essence(found)


def _essence(criterion: Criterion) -> tuple[str, Form, str, Expectation, Kind, float]:
    command = criterion.command if criterion.form is Form.COMMAND else ""
    return criterion.identity, criterion.form, command, criterion.expectation, criterion.kind, criterion.weight


def _candidates(criterion: Criterion) -> Iterator[str]:
    plain = " ".join(criterion.text.split())
    weight = f" (weight {criterion.weight:g})" if criterion.weight != 1.0 else ""
    mark = f"[{criterion.kind.value}] "
    yield f"{plain}{weight}"
    yield f"{mark}{plain}{weight}"
    if criterion.form is not Form.PROSE:
        command = _quoted(criterion.command)
        bracket = "" if criterion.expectation == Expectation() else f" ({criterion.expectation})"
        yield f"{mark}{plain} -- verified by: {command}{bracket}{weight}"
    # Words that are no item of a list: "TBD …", "01-02: …", a box. They are kept, and the difference is reported.
    plainest = re.sub(r"\bverified\s+by\s*:", "verified by", one_line(plain), flags=re.IGNORECASE).strip(" ✅✓✔☑⬜❌🚧")
    yield f"{mark}It holds: {plainest}"


def _quoted(command: str) -> str:
    longest = max((len(run) for run in re.findall("`+", command)), default=0)
    ticks = "`" * (longest + 1)
    return f"{ticks} {command} {ticks}" if longest else f"`{command}`"


def _means(criterion: Criterion, text: str, commands: Commands) -> bool:
    read = criteria_items(scan_lines(f"{LABEL}\n{item(1, text)}\n")[:2])
    if len(read) != 1 or hides_what_follows(item(1, text)):
        return False
    found, complaints = parse_criterion(read[0][1], criterion.id, 0, commands)
    return not complaints and same_criterion(criterion, found)
