"""Five hundred random marks in files made at random: only what says "done" changes, and it is read back as done.

covers: FMT-SPANS
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest

from autopilot.model.planning.outline import Listed, Outline
from autopilot.model.planning.roadmap import Phase
from autopilot.planning.formats.backlog.backlog import BACKLOG
from autopilot.planning.formats.checklist.checklist import CHECKLIST
from autopilot.planning.formats.format import Format
from autopilot.planning.formats.kiro.kiro import KIRO
from autopilot.planning.formats.openspec.openspec import OPENSPEC
from autopilot.planning.formats.ralph.ralph import RALPH
from tests.seed import chance
from tests.unit.planning.formats import generated
from tests.unit.planning.formats.kit import changed_lines, marked, outline, stands

MARKS = 100  # of each format
BOX = re.compile(r"^(\s*(?:[-*+]|[0-9]+[.)])\s+)\[[^\]\w]?\]")
STATUS = re.compile(r"^status:.*?(?=\s+#|\r?$)")
WORLDS: tuple[tuple[Format, Callable[[Random], dict[str, str]]], ...] = (
    (OPENSPEC, generated.openspec),
    (KIRO, generated.kiro),
    (CHECKLIST, generated.checklist),
    (BACKLOG, generated.backlog),
)


@pytest.mark.parametrize(("format", "make"), WORLDS, ids=[format.name for format, _ in WORLDS])
def test_a_random_mark_changes_boxes_and_a_status_and_nothing_else(
    format: Format, make: Callable[[Random], dict[str, str]]
) -> None:
    drawn = chance(f"marks of {format.name}")
    for _ in range(MARKS):
        before = make(drawn)
        made = outline(format, before)
        phase = drawn.choice(made.roadmap.phases)
        listed = made.listed.get(phase.id)
        tasks = _some(drawn, listed)
        after = marked(format, before, phase.id, *tasks)
        _must_differ_in_marks(before, after)
        assert marked(format, after, phase.id, *tasks) == after
        again = outline(format, after)
        _must_be_done(made, again, phase, tasks)
        assert [format.neutral(path, text) for path, text in after.items()] == [
            format.neutral(path, text) for path, text in before.items()
        ]


def test_a_random_story_passes_and_every_other_value_and_byte_stays() -> None:
    drawn = chance("marks of ralph")
    for _ in range(MARKS):
        before = generated.ralph(drawn)
        made = outline(RALPH, before)
        phase = drawn.choice(made.roadmap.phases)
        after = marked(RALPH, before, phase.id)
        assert stands(outline(RALPH, after)) == {**stands(made), phase.id: "done"}
        assert marked(RALPH, after, phase.id) == after
        assert RALPH.neutral("prd.json", before["prd.json"]) == RALPH.neutral("prd.json", after["prd.json"])
        old, new = before["prd.json"], after["prd.json"]
        begin = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), len(old))
        assert abs(len(new) - len(old)) < 40 and old[begin + 30 :] in new
        assert len(_differing(json.loads(old.lstrip("\ufeff")), json.loads(new.lstrip("\ufeff")))) <= 1


def _some(drawn: Random, listed: Listed | None) -> list[str]:
    return [task.id for task in listed.plan.tasks if drawn.random() < 0.7] if listed else []


def _must_differ_in_marks(before: Mapping[str, str], after: Mapping[str, str]) -> None:
    for path, text in before.items():
        if text.count("\n") != after[path].count("\n"):  # a status where none was
            assert re.sub(r"^status: [^\r\n]*\r?\n(?=---)", "", after[path], count=1, flags=re.MULTILINE).count(
                "\n"
            ) == text.count("\n")
            continue
        for number, new in changed_lines({path: text}, after).get(path, {}).items():
            old = text.split("\n")[number - 1]
            assert BOX.sub(r"\1[x]", old) == new or STATUS.sub("", old) == STATUS.sub("", new) != old


def _must_be_done(before: Outline, after: Outline, phase: Phase, tasks: list[str]) -> None:
    others = {id: stand for id, stand in stands(before).items() if id != phase.id}
    assert others == {id: stand for id, stand in stands(after).items() if id != phase.id}
    listed, again = before.listed.get(phase.id), after.listed.get(phase.id)
    if not listed or not again:
        return
    assert [task.id for task in listed.plan.tasks] == [task.id for task in again.plan.tasks]
    wanted = listed.done | {id for id in tasks if id not in listed.held}
    assert wanted <= again.done <= wanted | set(tasks)
    if not {task.id for task in listed.plan.tasks} - set(listed.held) - wanted and not phase.dropped:
        assert stands(after)[phase.id] == "done"


def _differing(old: Any, new: Any) -> list[str]:
    """The keys below which two values are not the same."""
    if isinstance(old, dict) and isinstance(new, dict):
        keys = {*old, *new}
        parts = [_differing(old[key], new[key]) if key in old and key in new else [key] for key in keys]
        return [part for found in parts for part in found]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [part for one, other in zip(old, new, strict=True) for part in _differing(one, other)]
    return [] if old == new else ["value"]
