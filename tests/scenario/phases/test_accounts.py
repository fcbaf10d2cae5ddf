"""Every criterion of the roadmap is proven, judged, or waits for a person: none is dropped. T8, PCHK, HV, GATE"""

from __future__ import annotations

from pathlib import Path

from autopilot.events.happened import AgentReplied, GateJudged, PlanChecked
from autopilot.model.agent import Role
from tests.scenario.kit.aftermath import happened, state_of
from tests.scenario.kit.five import (
    CRITERIA,
    EYES,
    FOLDER,
    OPINION,
    PROVABLE,
    ROWS,
    first_lines,
    five_world,
    planner,
    reader,
)
from tests.scenario.kit.hearing import SHOW_PROMPT, heard
from tests.scenario.kit.world import World
from tests.scenario.stories import parts

# covers: T8, T8.accounts

KIND = "Part 1 is kind to its reader"


def blockers(world: World) -> list[tuple[str, ...]]:
    return [check.blockers for check in happened(world, PlanChecked)]


def test_a_plan_that_answers_for_four_of_five_is_sent_back_with_what_it_leaves_out(tmp_path: Path) -> None:
    world = five_world(tmp_path)
    four = {name: row for name, row in PROVABLE.items() if name != "SC-4"}
    world.play(planner(four, attempt=1), planner(PROVABLE, attempt=2))
    ran = world.run()
    assert ran.status == 0, ran.out + ran.err
    (first,), second = blockers(world)
    assert second == ()
    assert "leaves out SC-4 (Part 1 is explained to whoever reads it). Give each a row" in first
    assert "SC-1" not in first and "SC-5" not in first
    checkers = [reply for reply in happened(world, AgentReplied) if reply.role is Role.PLAN_CHECKER]
    assert len(checkers) == 1, "nobody was paid to check a plan that leaves something out"
    assert "5 of 5 criteria of the roadmap proven" in first_lines(world)["summary"]


def test_a_criterion_mapped_to_a_check_that_was_green_before_is_refused(tmp_path: Path) -> None:
    world = five_world(tmp_path)
    world.play(planner({**PROVABLE, "SC-5": "01-01.c3"}, attempt=1), planner(PROVABLE, attempt=2))
    assert world.run().status == 0
    (first,), second = blockers(world)
    assert second == ()
    assert first == (
        "SC-5 (The greeting fits on a small screen) is mapped to 01-01.c3, which held before any work: "
        "map it to a check that did not"
    )


def test_rows_without_a_reason_and_rows_that_name_nothing_are_refused(tmp_path: Path) -> None:
    world = five_world(tmp_path)
    lazy = {**PROVABLE, "SC-3": "reviewer: needs review", "SC-4": "person:", "SC-5": "09-09"}
    world.play(planner(lazy, attempt=1), planner(PROVABLE, attempt=2))
    assert world.run().status == 0
    first, second = blockers(world)
    assert second == ()
    said = "; ".join(first)
    assert "SC-3 (The words of part 1 are friendly) is left to a reviewer, and 'needs review' does not say why" in said
    assert "SC-4 (Part 1 is explained to whoever reads it) is left to a person, and '-' does not say why" in said
    assert "is mapped to 09-09, which the plan does not have" in said


def test_what_only_eyes_can_judge_waits_for_a_person_and_every_first_line_says_so(tmp_path: Path) -> None:
    world = five_world(tmp_path)
    world.play(planner({**ROWS, "SC-5": EYES}), reader("SC-3", "SC-4"))
    before = world.head
    ran = world.run()
    assert ran.status == 3, ran.out + ran.err
    line = "2 of 5 criteria of the roadmap proven, 2 judged by a reviewer (opinion), 1 waits for you"
    assert world.head == before, "as for every deferred phase, nothing lands before the verdict"
    phase = state_of(world)["phases"]["1"]
    assert (phase["status"], phase["promised"]["line"]) == ("needs_human_verification", line)
    assert phase["human_verify_justification"]["checkpoint_task_id"] == "SC-5"
    assert f"SC-5, {CRITERIA[4]}" in ran.out
    assert line in world.autopilot("status").out
    assert world.autopilot("verdict", "1", "pass").status == 0
    assert world.resume().status == 0
    landed = "2 of 5 criteria of the roadmap proven, 2 judged by a reviewer (opinion), 1 accepted by a person"
    assert {name for name, text in first_lines(world).items() if landed not in text} == set()


def test_what_plainly_asks_how_something_looks_waits_for_a_person_whatever_the_plan_maps_it_to(tmp_path: Path) -> None:
    """A check that sees nothing proves nothing of it. Plan check says so before the work, row by row."""
    world = five_world(tmp_path)
    seen = "The greeting looks right on a small screen"
    world.write(".planning/ROADMAP.md", world.read(".planning/ROADMAP.md").replace(CRITERIA[4], seen))
    world.commit("it has to look right")
    world.play(planner({**ROWS, "SC-5": "01-01.c1"}), reader("SC-3", "SC-4", "SC-5"))
    before = world.head
    ran = world.run()
    assert ran.status == 3, ran.out + ran.err
    assert world.head == before
    assert "[Phase 1]   SC-1 Part 1 says its name: to be proven by 01-01.c1" in ran.err
    assert "[Phase 1]   SC-3 The words of part 1 are friendly: to be judged by a reviewer (opinion)" in ran.err
    assert f"[Phase 1]   SC-5 {seen}: for you to look at" in ran.err
    line = "2 of 5 criteria of the roadmap proven, 2 judged by a reviewer (opinion), 1 waits for you"
    assert line in world.autopilot("status").out
    assert "how it looks can only be seen by eye" in world.autopilot("evidence", "1").out


def test_settings_may_land_the_rest_before_a_person_has_looked_and_every_first_line_says_so(tmp_path: Path) -> None:
    world = five_world(tmp_path)
    world.set_settings("land_before_person = true\n")
    world.play(planner({**ROWS, "SC-5": EYES}), reader("SC-3", "SC-4"))
    before = world.head
    ran = world.run()
    assert ran.status == 0, ran.out + ran.err
    assert world.head != before
    line = "2 judged by a reviewer (opinion), 1 for you to look at, landed without"
    assert {name for name, text in first_lines(world).items() if line not in text} == set()
    assert "for a person, landed before anybody looked" in world.autopilot("evidence", "1").out


def test_a_verifier_that_leaves_one_out_is_asked_again_and_then_it_passes(tmp_path: Path) -> None:
    world = five_world(tmp_path)
    world.play(
        planner({**PROVABLE, "SC-3": OPINION, "SC-4": OPINION}),
        reader("SC-3", attempt=1),
        reader("SC-3", "SC-4", attempt=2),
    )
    ran = world.run()
    assert ran.status == 0, ran.out + ran.err
    assert "no reading with file and line of: SC-4 (Part 1 is explained to whoever reads it)" in ran.err + ran.out
    assert "3 of 5 criteria of the roadmap proven, 2 judged by a reviewer (opinion)" in ran.out + ran.err


def test_a_verifier_that_leaves_one_out_twice_passes_nothing(tmp_path: Path) -> None:
    world = five_world(tmp_path)
    world.play(planner({**PROVABLE, "SC-4": OPINION}), reader())
    before = world.head
    ran = world.run()
    assert ran.status == 1, ran.out + ran.err
    assert world.head == before
    assert [judged.action.value for judged in happened(world, GateJudged)] == ["enforce", "rollback"]
    assert "4 of 5 criteria of the roadmap proven, 1 not checked" in world.autopilot("status").out


def test_a_reading_that_names_no_place_of_the_tree_is_none(tmp_path: Path) -> None:
    world = five_world(tmp_path)
    elsewhere = reader("SC-4", attempt=1)
    elsewhere["reply"]["criteria_results"][-1]["evidence"] = "no-such-file.sh:3 -- explained there"
    world.play(planner({**PROVABLE, "SC-4": OPINION}), elsewhere, reader("SC-4", attempt=2))
    ran = world.run()
    assert ran.status == 0, ran.out + ran.err
    assert [judged.action.value for judged in happened(world, GateJudged)] == ["enforce", "pass"]
    assert "SC-4 (Part 1 is explained to whoever reads it), which says 'no-such-file.sh:3 --" in ran.out + ran.err


def test_a_criterion_that_a_reviewer_reads_as_failed_fails_the_phase(tmp_path: Path) -> None:
    world = five_world(tmp_path, circuit_breaker_config={"max_debug_attempts_per_phase": 0})
    world.play(planner({**PROVABLE, "SC-4": OPINION}), reader("SC-4", status="failed"))
    ran = world.run()
    assert ran.status == 1
    assert "4 of 5 criteria of the roadmap proven, 1 failed" in world.autopilot("status").out


def test_a_criterion_that_no_reviewer_can_tell_waits_for_a_person(tmp_path: Path) -> None:
    world = five_world(tmp_path)
    world.play(planner({**PROVABLE, "SC-4": OPINION}), reader("SC-4", status="unverifiable"))
    ran = world.run()
    assert ran.status == 3, ran.out + ran.err
    assert "4 of 5 criteria of the roadmap proven, 1 waits for you" in world.autopilot("status").out


def test_a_users_plan_that_maps_nothing_passes_by_opinion_alone_and_says_so_first(tmp_path: Path) -> None:
    """The plan is not rewritten, and no planner is asked: its criteria are read, which proves none of them."""
    world = five_world(tmp_path)
    call = planner({})
    for action in call["do"]:
        if "write" in action:
            world.write(action["write"], action["text"])
    world.commit("a plan of mine")
    own = world.read(f"{FOLDER}/PLAN.md")
    world.play(reader(*PROVABLE))
    ran = world.run()
    assert ran.status == 0, ran.out + ran.err
    line = "0 of 5 criteria of the roadmap proven, 5 judged by a reviewer (opinion)"
    assert {name for name, text in first_lines(world).items() if line not in text} == set()
    assert "0/5 proven, 5 judged by a reviewer (opinion)" in ran.out
    assert world.read(f"{FOLDER}/PLAN.md") == own
    assert f"| SC-3 | {CRITERIA[2]} | judged by a reviewer (opinion) |" in world.read(f"{FOLDER}/VERIFICATION.md")


def test_a_phase_that_was_there_already_is_read_all_the_same(tmp_path: Path) -> None:
    """Found done by the commands of the roadmap, without a plan: what has none still needs a reading."""
    world = five_world(tmp_path)
    roadmap = world.read(".planning/ROADMAP.md")
    for text in CRITERIA:
        roadmap = roadmap.replace(text, f'{text} -- verified by: `sh part-01-01.sh` (contains "part 01-01")')
    last = f"  5. {CRITERIA[4]}"
    world.write(".planning/ROADMAP.md", roadmap.replace(last, f"  6. {KIND}\n{last}"))
    world.write("part-01-01.sh", "echo part 01-01\n")
    world.commit("it is there")
    world.play(reader(*CRITERIA, attempt=1), reader(*CRITERIA, KIND, attempt=2))
    ran = world.run()
    assert ran.status == 0, ran.out + ran.err
    assert [judged.action.value for judged in happened(world, GateJudged)] == ["enforce", "pass"]
    assert "5 of 6 criteria of the roadmap proven, 1 judged by a reviewer (opinion)" in ran.out + ran.err


def test_a_split_phase_is_read_as_a_whole_where_a_check_that_held_before_is_all_there_is(tmp_path: Path) -> None:
    world = parts.fitting(tmp_path)
    roadmap, path = world.read(".planning/ROADMAP.md"), ".planning/phases/20-part-20/PLAN.md"
    asked = "  1. Part 20 says its name"
    world.write(".planning/ROADMAP.md", roadmap.replace(asked, f"{asked}\n  2. The greeting is read aloud"))
    plan = world.read(path).replace("| SC-1 |", "| SC-2 | 20-01.c2 | |\n| SC-1 |", 1)
    kept = '(contains "part 20-01")\n- [keep] The scripts parse -- verified by: `sh check.sh`\n'
    world.write(path, plan.replace('(contains "part 20-01")\n', kept, 1))
    world.commit("two things are asked for")
    before = world.head
    ran = world.run("all")
    assert ran.status == 3, ran.out + ran.err
    assert world.head == before
    assert "1 of 2 criteria of the roadmap proven, 1 waits for you" in world.autopilot("status").out


def test_clauses_of_goal_and_criteria_that_no_check_speaks_of_are_counted_listed_and_asked_of_reviewers(
    tmp_path: Path,
) -> None:
    """The check of the first criterion says a name; nobody asks for a colour, and nobody for a log."""
    world = five_world(tmp_path)
    roadmap = world.read(".planning/ROADMAP.md")
    roadmap = roadmap.replace(CRITERIA[0], f"{CRITERIA[0]} and paints it green")
    goal = next(line for line in roadmap.splitlines() if line.startswith("**Goal**"))
    world.write(".planning/ROADMAP.md", roadmap.replace(goal, "**Goal**: Part 1 says its name, and keeps a log.", 1))
    world.commit("more is asked for")
    world.play(planner(PROVABLE), {**reader(), "do": [SHOW_PROMPT]})
    ran = world.run()
    assert ran.status == 0, ran.out + ran.err
    assert world.status["phases"]["1"]["promised"]["unasked"] == ["keeps a log", "and paints it green"]
    line = "2 clauses of the roadmap that no check speaks of"
    assert {name for name, text in first_lines(world).items() if line not in text} == set()
    assert line in ran.out
    assert '- "keeps a log": no check speaks of it' in world.read(f"{FOLDER}/VERIFICATION.md")
    assert "No check speaks of these clauses" in heard(world, Role.VERIFIER)[0]
