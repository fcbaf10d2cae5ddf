"""Triage: a phase is taken for done only where nearly everything it asks for was seen to hold (TRI, ROUTE)."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from autopilot.engine.performing import STEPS
from autopilot.events.happened import Triaged
from autopilot.model.planning.criterion import Criterion, Form, Kind, Strength
from autopilot.model.run import Step
from autopilot.ports.sandbox import Exited, NeverRan, Outcome
from autopilot.steps.context import Result
from tests.unit.making import make_brief, make_criterion, make_phase, make_state
from tests.unit.steps.sample import PLAN
from tests.unit.steps.world import Answering, World

# covers: TRI, ROUTE
FOLDER = ".planning/phases/01-part"
RED = Outcome(Exited(1), b"")
GOOD_SCRIPT = Outcome(Exited(0), b"PASS: it keeps books\n")


def command(number: int, **more: object) -> Criterion:
    return make_criterion(f"phase.c{number}", f"promise {number}", **more)  # type: ignore[arg-type]


def prose(number: int) -> Criterion:
    return command(number, form=Form.PROSE, command="")


def grep(number: int) -> Criterion:
    return command(number, strength=Strength.GREP)


def triage(
    folder: Path, *criteria: Criterion, files: dict[str, bytes] | None = None, red: tuple[str, ...] = (), **more: object
) -> tuple[Result, Triaged | None]:
    ends = dict.fromkeys(red, RED)
    script = {f"bash {FOLDER}/tests/task-01-01.sh": GOOD_SCRIPT}
    world = World(folder, sandbox=Answering({**script, **ends, **more.pop("ends", {})}), files=files)  # type: ignore[dict-item]
    phase = replace(make_phase(**more), brief=make_brief(criteria=criteria))
    running = STEPS[Step.TRIAGE](world.context(make_state(phase), phase, Step.TRIAGE))
    with pytest.raises(StopIteration) as end:
        next(running)
    result: Result = end.value.value
    return result, next((event for event in result.events if isinstance(event, Triaged)), None)


@pytest.mark.parametrize(
    ("criteria", "red", "route", "note"),
    [
        ([command(1)], (), "verify_only", "1 of 1 criteria hold"),
        ([command(1), command(2)], ("check phase.c2",), "full_pipeline", "1 of 2 criteria hold"),
        (
            [command(n) for n in range(1, 6)],
            ("check phase.c5",),
            "full_pipeline",
            "4 of 5 criteria hold",
        ),  # not over 80 %
        ([command(n) for n in range(1, 7)], ("check phase.c6",), "verify_only", "5 of 6 criteria hold"),
        ([command(1), prose(2)], (), "verify_only", "1 of 1 criteria hold; 1 in prose, for reviewers to read"),
        (
            [command(1), prose(2)],
            ("check phase.c1",),
            "full_pipeline",
            "0 of 1 criteria hold; 1 in prose, for reviewers to read",
        ),
        ([prose(1)], (), "full_pipeline", "no verifiable criteria for triage"),
        ([], (), "full_pipeline", "no verifiable criteria for triage"),
        ([command(1, kind=Kind.KEEP)], (), "full_pipeline", "no verifiable criteria for triage"),
        ([command(1), command(2, kind=Kind.KEEP)], (), "verify_only", "1 of 1 criteria hold"),
        ([grep(1), grep(2)], (), "verify_only", "2 of 2 criteria hold"),  # weak evidence, shown as such; reviewers look
        ([grep(n) for n in range(1, 7)], ("check phase.c6",), "full_pipeline", "5 of 6 criteria hold"),
        ([grep(1), command(2)], (), "verify_only", "2 of 2 criteria hold"),
    ],
)
def test_a_phase_is_only_verified_when_over_four_fifths_of_what_it_asks_for_were_seen_to_hold(
    tmp_path: Path, criteria: list[Criterion], red: tuple[str, ...], route: str, note: str
) -> None:
    result, event = triage(tmp_path, *criteria, red=red)
    assert (result.status, result.detail) == (route, note)
    assert event is not None and event.verify_only is (route == "verify_only")
    assert not event.verify_only or Kind.NEW not in {criterion.kind for criterion in event.criteria}


PLANNED = {f"{FOLDER}/PLAN.md": PLAN.replace("`make test`", "`keep books`").encode()}
SCRIPTED = {**PLANNED, f"{FOLDER}/tests/task-01-01.sh": b"exit 1\n"}


@pytest.mark.parametrize(
    ("files", "red", "route"),
    [
        (PLANNED, (), "verify_only"),
        (PLANNED, ("keep books",), "full_pipeline"),
        (SCRIPTED, (), "verify_only"),
        (SCRIPTED, (f"bash {FOLDER}/tests/task-01-01.sh",), "full_pipeline"),
        (PLANNED, ("check phase.c1",), "full_pipeline"),  # the plan holds, and the roadmap asks for more
    ],
)
def test_with_a_plan_its_criteria_its_scripts_and_the_roadmaps_own_must_hold(
    tmp_path: Path, files: dict[str, bytes], red: tuple[str, ...], route: str
) -> None:
    result, event = triage(tmp_path, command(1), prose(2), files=files, red=red)
    assert result.status == route
    assert event is not None and (event.source, event.has_plan) == ("plan", True)
    assert [criterion.id for criterion in event.criteria] == ["01-01.c1", "phase.c1"]


PROSE = PLAN.replace("`make test`", "books are kept")
CARRIED_OUT = {f"{FOLDER}/01-01-PLAN.md": PROSE.encode(), f"{FOLDER}/01-01-SUMMARY.md": b"# Done\n"}
WAITS = {f"{FOLDER}/01-VERIFICATION.md": b"---\nstatus: human_needed\n---\n"}
GAPS = {f"{FOLDER}/01-VERIFICATION.md": b"---\nstatus: gaps_found\n---\n"}


@pytest.mark.parametrize(
    ("files", "criteria", "red", "more", "unshown"),
    [
        (CARRIED_OUT, [prose(1)], (), {}, True),
        ({**CARRIED_OUT, **WAITS}, [prose(1)], (), {}, True),
        ({**CARRIED_OUT, **GAPS}, [prose(1)], (), {}, False),  # its verification says that something is missing
        ({f"{FOLDER}/01-01-PLAN.md": PROSE.encode()}, [prose(1)], (), {}, False),
        ({**CARRIED_OUT, f"{FOLDER}/01-02-PLAN.md": PROSE.encode()}, [prose(1)], (), {}, False),  # one is to be done
        (CARRIED_OUT, [command(1)], ("check phase.c1",), {}, False),  # something is red: there is work to do
        (CARRIED_OUT, [prose(1)], (), {"rerouted": True}, False),
        ({f"{FOLDER}/SUMMARY.md": b"# Done\n"}, [prose(1)], (), {}, False),  # a summary of no plan
    ],
)
def test_a_phase_that_was_carried_out_by_its_files_is_only_verified_and_not_shown_to_be_there(
    tmp_path: Path,
    files: dict[str, bytes],
    criteria: list[Criterion],
    red: tuple[str, ...],
    more: dict[str, object],
    unshown: bool,
) -> None:
    """covers: ALREADY"""
    result, event = triage(tmp_path, *criteria, files=files, red=red, **more)
    assert event is not None and (event.verify_only, bool(event.unshown)) == (unshown, unshown)
    assert ("its plans are followed by summaries" in result.detail) is unshown


def test_a_plan_in_prose_is_a_plan_all_the_same(tmp_path: Path) -> None:
    _, event = triage(tmp_path, command(1), files={f"{FOLDER}/PLAN.md": b"# My plan\n\nI will think of it.\n"})
    assert event is not None and (event.has_plan, event.source) == (True, "roadmap")


def test_a_phase_is_taken_for_done_once_only(tmp_path: Path) -> None:
    assert triage(tmp_path, command(1), rerouted=True)[0].status == "full_pipeline"


def test_what_our_sandbox_could_not_run_decides_nothing(tmp_path: Path) -> None:
    result, event = triage(tmp_path, command(1), ends={"check phase.c1": Outcome(NeverRan("no bwrap"))})
    assert (result.status, event) == ("unproven", None)
    assert result.detail == "phase.c1 could not be run: no bwrap"
