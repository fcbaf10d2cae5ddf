"""A plan that an agent made is asked, once, for the clauses that no check of it speaks of. covers: T8.unseen, PCHK"""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from autopilot.events.state import PhaseState
from autopilot.model.planning.criterion import Criterion
from autopilot.model.run import Step
from autopilot.steps.observing.reading import read_plan
from autopilot.steps.promises import map_promises
from autopilot.steps.unspoken import ask_for_unspoken
from tests.unit.making import make_brief, make_criterion, make_phase, make_state
from tests.unit.steps.test_plan_check import FOLDER
from tests.unit.steps.world import World

ASKED = "Slugs are lowercase, without accents, at most 50 characters long"
LOWERCASE = "slugs are lowercase -- verified by: `pytest -k lowercase`"
ACCENTS = "accents are gone -- verified by: `pytest -k accents`"
LENGTH = "no more than 50 characters -- verified by: `pytest -k length`"
COPY = f"{ASKED} -- verified by: `pytest tests/test_slug.py`"
HELD_OUT = make_criterion("phase.h1", "a slug has 50 characters at most", command="python3 -m slug x")


def plan(*criteria: str, rows: str = "") -> bytes:
    lines = [
        f"# Plan\n\n## Traceability\n\n| Requirement | Task |\n|---|---|\n| SC-1 | 01-01 |\n{rows}\n\n## Wave 1\n",
        '<task id="01-01" type="auto" complexity="simple">',
        "### Task 01-01: Slugs\n\n**Files:** slug.py\n\n**Action:** Write it.\n\n**Verify:**",
        *(f"- {criterion}" for criterion in criteria),
        "\n**Done:** it is there\n</task>\n",
    ]
    return "\n".join(lines).encode()


def asks(folder: Path, text: bytes, phase: PhaseState | None = None, held_out: tuple[Criterion, ...] = ()) -> str:
    world = World(folder, files={f"{FOLDER}/PLAN.md": text})
    known = phase or make_phase(plan_commit="plan", plan_ours=True, held_out=held_out)
    brief = make_brief(criteria=(make_criterion("phase.c1", ASKED, command=""),), accounted=True)
    known = replace(known, brief=replace(brief, goal="Titles become slugs"))
    context = world.context(make_state(known), known, Step.PLAN_CHECK)
    read = read_plan(context, "plan", ours=True)
    return "\n".join(ask_for_unspoken(context, read, map_promises(context, read)))


@pytest.mark.parametrize(
    ("criteria", "rows", "named"),
    [
        ((LOWERCASE,), "", ["`without accents`; `at most 50 characters long`"]),
        ((LOWERCASE, ACCENTS), "", ["`at most 50 characters long`"]),
        ((COPY,), "", ["`without accents`", "50 characters"]),  # who repeats the sentence asks for none of its parts
        ((LOWERCASE, ACCENTS, LENGTH), "", []),
        ((LOWERCASE, LENGTH), "| without accents | reviewer: no list of accents is complete |", []),
    ],
)
def test_clauses_without_a_check_send_the_plan_back(
    tmp_path: Path, criteria: tuple[str, ...], rows: str, named: list[str]
) -> None:
    said = asks(tmp_path, plan(*criteria, rows=rows))
    assert bool(said) is bool(named)
    assert all(words in said for words in named), said


def test_a_check_that_is_held_out_speaks_too(tmp_path: Path) -> None:
    assert asks(tmp_path, plan(LOWERCASE, ACCENTS), held_out=(HELD_OUT,)) == ""
