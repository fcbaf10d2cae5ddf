"""Completed phases made again or refined: what they were is never lost (FORCE, QUAL, GAPS).

covers: FORCE, QUAL, GAPS, CENF-02
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from autopilot.api.projections import Projections
from autopilot.events.happened import Researched
from autopilot.events.recovery import Exhausted, RemediationEnded, RemediationStarted, TaskAlreadyThere
from autopilot.events.state import PhaseState, RunState
from autopilot.model.intent import Intent
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PhaseStatus, RunRequest, RunStatus
from tests.scenario.kit.calls import Call, claim, commit_all, plan_call
from tests.scenario.kit.past import record_past
from tests.scenario.kit.plot import Plot, part_text
from tests.scenario.kit.ratings import WANTING, rate
from tests.scenario.kit.world import World, make_world

ONE = PhaseId("1")
SILENT = "part-01-02.sh never says why"
SCORES = {"01-01": "9.4", "01-02": "9.0"}
FOLDER = Plot().folder(1)
CARD = f"{FOLDER}/SCORECARD.md"
DIAGNOSTIC = ".autopilot/diagnostics/phase-1-confidence.md"


@pytest.fixture
def built(tmp_path: Path) -> World:
    """One phase of two tasks, completed at 9.2 on another day: the second criterion lacks more than the first."""
    world = make_world(tmp_path, Plot(tasks=2, planned=True))
    rows = [f"| Part {task} says its name | {score}/10 | {wanting(task)} |" for task, score in SCORES.items()]
    world.write(CARD, "\n".join(["| Criterion | Score | Justification |", "|---|---|---|", *rows, ""]))
    for task in SCORES:
        world.write(f"part-{task}.sh", part_text(task))
    world.commit("part 1 as it was completed")
    record_past(world, {1: 9.2})
    Projections(world.project, world.assemble().ports.journal).catch_up()
    return world


def wanting(task: str) -> str:
    return WANTING.format(task=task)


def drive(world: World, intent: Intent) -> tuple[RunState, list[object]]:
    recorded = list(world.drive(RunRequest(phases=("1",), intent=intent)))
    return recorded[-1].state, [stored.event for each in recorded for stored in each.entries]


def touch(task: str, part: str = "01-01") -> Call:
    """Something is done, and nothing that was there stops working."""
    return claim(task, {"run": f"echo '# {task}' >> part-{part}.sh"}, *commit_all(task))


def phase_of(state: RunState) -> PhaseState:
    return state.phases[ONE]


def only(events: list[object], kind: type) -> list[object]:
    return [event for event in events if isinstance(event, kind)]


def test_a_forced_phase_is_made_again_on_top_of_what_is_there_and_keeps_its_scores(tmp_path: Path) -> None:
    built = make_world(tmp_path, Plot(tasks=2))
    built.play(rate(1, SCORES))
    drive(built, Intent())
    before, plan = built.head, built.read(f"{FOLDER}/PLAN.md")
    built.play(touch("01-01"), claim("01-02"), rate(1, {"01-01": "9.8", "01-02": "9.6"}))
    state, events = drive(built, Intent(force=True))
    assert (state.status, phase_of(state).reviews.score) == (RunStatus.COMPLETED, 9.7)
    assert [(each.score, each.flag) for each in phase_of(state).totals.history] == [(9.2, "initial"), (9.7, "force")]
    assert only(events, Researched) and [e.task for e in only(events, TaskAlreadyThere)] == ["01-02"]  # type: ignore[attr-defined]
    built.git("merge-base", "--is-ancestor", before, "HEAD")
    assert built.read("part-01-01.sh") == "echo part 01-01\n# 01-01\n"
    assert "9.7/10" in built.read(CARD) and built.read(f"{FOLDER}/PLAN.md") == plan


def test_what_the_planner_of_a_forced_phase_holds_out_may_hold_already(tmp_path: Path) -> None:
    """An earlier run built it: the phase failed at its gate although everything it promises was there."""
    world = make_world(tmp_path, Plot())
    held = {"write": f"{FOLDER}/HELD-OUT.md", "text": "- It is there -- verified by: `test -s part-01-01.sh`\n"}
    call = plan_call(world.plot, 1)
    world.play({**call, "do": [held, *call["do"]]})
    first = world.run()
    assert first.status == 0, first.out + first.err
    forced = world.run("--force", "1")
    assert forced.status == 0, forced.out + forced.err
    assert "1/1 proven" in forced.out
    # Control: what is held out still has to hold.
    empty = claim("01-01", {"run": "rm part-01-01.sh; mkdir part-01-01.sh; echo x >part-01-01.sh/x"}, *commit_all("x"))
    world.play({**call, "do": [held, *call["do"]]}, empty, {**empty, "role": "debugger"})
    assert world.run("--force", "1").status != 0


def test_a_phase_that_is_only_ticked_is_proven_by_force(tmp_path: Path) -> None:
    """Its work is there, done by somebody else: it is verified, and nothing is built again. covers: INV-1, ALREADY"""
    world = make_world(tmp_path, Plot(phases=2, criteria=True))
    world.write("part-01-01.sh", part_text("01-01"))
    roadmap = world.read(".planning/ROADMAP.md")
    world.write(".planning/ROADMAP.md", roadmap.replace("- [ ] **Phase 1", "- [x] **Phase 1"))
    world.commit("done by hand")
    ran = world.run("--force", "1")
    assert ran.status == 0, ran.out + ran.err
    assert "phase 1 passed: 1/1 proven" in ran.out
    assert "Step: EXECUTE (6/9)" not in ran.err
    assert world.read("part-01-01.sh") == part_text("01-01")


def test_quality_tries_three_times_and_leaves_the_phase_as_good_as_it_got(built: World) -> None:
    climbing = [rate(1, {"01-01": "9.4", "01-02": score}, attempt) for attempt, score in ((1, "9.2"), (2, "9.4"))]
    built.play(*(touch(f"01-r{n}") for n in (1, 2, 3)), *climbing, rate(1, {"01-01": "9.5", "01-02": "9.4"}, 3))
    state, events = drive(built, Intent(quality=True))
    phase = phase_of(state)
    assert (state.status, state.session.exit_status, phase.status) == (RunStatus.COMPLETED, 0, PhaseStatus.COMPLETED)
    cycles = [(e.old_score, e.new_score, e.flag) for e in only(events, RemediationEnded)]  # type: ignore[attr-defined]
    assert cycles == [(9.2, 9.3, "quality"), (9.3, 9.4, "quality"), (9.4, 9.4, "quality")]
    assert only(events, Exhausted) == [Exhausted(ONE, "quality", 9.4, 9.5, 3)]
    assert (phase.remediation.exhausted, phase.remediation.incomplete, phase.landing.state) == (
        ("quality",),
        False,
        "landed",
    )
    assert [each.flag for each in phase.totals.history] == ["initial", "quality", "quality", "quality"]
    assert "quality_exhausted" in built.read(DIAGNOSTIC)
    assert not [subject for subject in built.subjects if "plan" in subject], "nothing is planned anew"


def worried(world: World) -> None:
    """Only the judge's words are left."""
    (world.project / CARD).unlink()
    world.write(f"{FOLDER}/JUDGE-REPORT.md", f"## Concerns\n\n- the name is only minor\n- {SILENT}\n")
    world.commit("my own words")


def told_how(world: World) -> None:
    """The card is gone, the way to a better score is there."""
    (world.project / CARD).unlink()
    world.commit("no card")
    item = '**part-01-02.sh**: no line says why -- settles "Part 01-02 says its name"'
    world.write(DIAGNOSTIC, f"## Path to 9/10\n\n1. {item}\n")


@pytest.mark.parametrize(
    ("alter", "source", "deficiency", "about"),
    [
        (lambda _: None, "scorecard", "Part 01-02 says its name", wanting("01-02")),
        (told_how, "diagnostic", "Part 01-02 says its name", "no line says why"),
        (worried, "judge_report", SILENT, SILENT),
    ],
    ids=["scorecard", "diagnostic", "judge"],
)
def test_gaps_begin_with_the_biggest_of_whatever_source_there_is(
    built: World, alter: Callable[[World], None], source: str, deficiency: str, about: str
) -> None:
    alter(built)
    built.play(touch("01-r1", "01-02"), rate(1, {"01-01": "9.6", "01-02": "9.6"}))
    state, events = drive(built, Intent(gaps=True))
    [started] = only(events, RemediationStarted)
    assert isinstance(started, RemediationStarted)
    assert (started.flag, started.score, started.threshold) == ("gaps", 9.2, 9.5)
    assert started.deficiency == deficiency and about in started.tasks[0].action
    earlier = phase_of(state).brief.earlier
    assert earlier is not None and {each.source for each in earlier.deficiencies} == {source}
    assert (state.session.exit_status, phase_of(state).reviews.score, phase_of(state).remediation.exhausted) == (
        0,
        9.6,
        (),
    )
    assert built.read("part-01-02.sh").endswith("# 01-r1\n")


def test_a_refinement_that_makes_it_worse_is_withdrawn_and_the_phase_is_what_it_was(built: World) -> None:
    before, card = built.head, built.read(CARD)
    built.play(touch("01-r1"), rate(1, {"01-01": "8.4", "01-02": "9.0"}))
    ran = built.run("--quality", "1")
    assert ran.status == 0, ran.err
    assert (built.head, built.read(CARD)) == (before, card), "nothing lands"
    assert "withdrawn" in ran.out and "8.7" in ran.out
    phase = built.status["phases"]["1"]
    assert (phase["status"], phase["alignment_score"]) == ("completed", 9.2)
    assert (phase["quality_exhausted"], phase["gaps_exhausted"]) == (True, False), "tried, and fell short"
    assert any("diagnostic-phase-1" in branch for branch in built.branches)
    again = built.run("--gaps", "1", "--dry-run", "--json")
    assert again.status == 0 and '"gaps"' in again.out, "it can be tried again"
