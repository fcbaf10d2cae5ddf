"""Red checks are held against their own output before the work, as it was kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from autopilot.model.evidence.likeness import Likeness
from autopilot.model.evidence.observation import Observation, Seen, Trouble
from autopilot.model.git import Change
from autopilot.model.run import Step
from autopilot.steps.evidence.red_before import mark_red_before
from autopilot.steps.evidence.work import Work
from tests.unit.making import make_observation
from tests.unit.steps.sample import sample_context
from tests.unit.steps.world import Tree, World

# covers: T8.R
OLD = "a.py:1:1: F401 `os` imported but unused\n"


def seen(world: World, subject: str, printed: str, **more: object) -> Observation:
    fields = {"exit_code": 1, "output": world.blobs.put(printed.encode()) if printed else "", **more}
    return make_observation(subject, fields.pop("seen", Seen.FAILED), **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("subject", "before", "likeness"),
    [
        ("lint", {}, Likeness.FINDINGS),
        ("compile", {}, Likeness.FINDINGS),
        ("build", {}, Likeness.FINDINGS),
        ("test", {}, None),  # its report tells more
        ("01-01.c1", {}, None),  # a criterion is a promise
        ("lint", {"seen": Seen.PASSED}, None),
        ("lint", {"seen": Seen.TIMED_OUT}, None),
        ("lint", {"command": "another linter"}, None),
        ("lint", {"trouble": Trouble.NOT_RUN}, Likeness.UNREADABLE),
    ],
)
def test_a_red_check_is_compared_with_the_same_command_that_was_red_before(
    tmp_path: Path, subject: str, before: dict[str, object], likeness: Likeness | None
) -> None:
    world = World(tmp_path)
    old, new = seen(world, subject, OLD, **before), seen(world, subject, OLD.replace("1:1", "9:1"))
    (marked,) = mark_red_before(sample_context(world, Step.VERIFY, ""), {subject: old}, [new])
    assert (marked.compared.likeness if marked.compared else None) is likeness
    assert replace(marked, compared=None) == new


@pytest.mark.parametrize("subject", ["lint", "test"])
def test_a_check_that_ran_neither_before_nor_after_says_so(tmp_path: Path, subject: str) -> None:
    world = World(tmp_path)
    absent = seen(world, subject, "ruff: not found\n", exit_code=127, trouble=Trouble.NOT_RUN)
    (marked,) = mark_red_before(sample_context(world, Step.VERIFY, ""), {subject: absent}, [absent])
    assert marked.never_ran


def test_the_findings_of_a_file_that_was_renamed_as_it_is_go_with_it(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.ports = replace(world.ports, vault=Tree({"a.py": b"import os\n", "lib/a.py": b"import os\n"}))
    ctx = sample_context(world, Step.VERIFY, "")
    changes = (Change("a.py", "D", "100644", "000000"), Change("lib/a.py", "A", "000000", "100644"))
    work = Work("phase", "old", "new", (), changes)
    old, new = seen(world, "lint", OLD), seen(world, "lint", OLD.replace("a.py", "lib/a.py"))
    (followed,) = mark_red_before(ctx, {"lint": old}, [new], work)
    (unknown,) = mark_red_before(ctx, {"lint": old}, [new])
    assert followed.is_excused
    assert unknown.compared is not None and unknown.compared.likeness is Likeness.NEW
