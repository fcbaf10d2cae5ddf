"""`autopilot plan` as its user meets it: drafted, judged, shown, and only then written. covers: PLAN-DRAFT"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autopilot.events.drafting.happened import Drafted
from autopilot.events.happened import AgentReplied
from autopilot.model.planning.draft import DraftRequest
from autopilot.model.run import RunRequest
from tests.scenario.kit.aftermath import happened
from tests.scenario.kit.editing import POINTS, kill_at
from tests.scenario.kit.world import Ran, World
from tests.scenario.stories.drafting import GOOD, ROADMAP, VAGUE, WISH, round_of, sent_back, wishing

MORE = GOOD + GOOD.partition("\n\n")[2].replace("Phase 1: Greet", "Phase 2: Greet again").replace(
    "sh hello", "sh again"
)


def plan(world: World, *words: str) -> Ran:
    return world.autopilot("plan", *words, "--script", str(world.script))


def shown(world: World) -> dict[str, object]:
    return dict(json.loads(world.autopilot("plan", "--json").out))


@pytest.fixture
def waiting(tmp_path: Path) -> World:
    world = wishing(tmp_path, round_of(GOOD, "whom it greets was left open"))
    assert plan(world, WISH).status == 3
    return world


def test_a_draft_is_sent_back_with_what_is_wrong_and_then_waits_with_nothing_written(tmp_path: Path) -> None:
    world = sent_back(tmp_path)
    ran = plan(world, WISH)
    assert ran.status == 3, ran.err
    assert "Draft 1: refused" in ran.err and "has no criterion that a command decides" in ran.err
    assert "the planner says: whom it greets was left open" in ran.out
    assert "only the roadmap is taken: extra.txt" in ran.out
    assert "--accept" not in ran.out, "who has not seen it is not given the command that writes it"
    assert not (world.project / ROADMAP).exists() and world.subjects == ["Begin"]
    assert world.git("status", "--porcelain") == ""
    assert shown(world)["ready"] is True and shown(world)["rounds"] == 2


def test_it_is_shown_as_a_diff_with_the_name_that_it_is_accepted_by(waiting: World) -> None:
    seen = waiting.autopilot("plan")
    assert seen.status == 0 and "+### Phase 1: Greet" in seen.out
    name = str(shown(waiting)["draft"])
    assert f"autopilot plan --accept {name}" in seen.err
    ran = waiting.autopilot("plan", "--accept", name)
    assert ran.status == 0, ran.err
    assert waiting.subjects == ["Begin", "docs: plan 1 phase"] and waiting.read(ROADMAP) == GOOD
    assert "the draft is written" in waiting.autopilot("status").out
    assert waiting.autopilot("plan").status == 2


def test_without_its_name_it_is_not_written_unseen(waiting: World) -> None:
    for words in (("--accept",), ("--accept", "000000000000"), ("--accept", str(shown(waiting)["draft"])[:6])):
        ran = waiting.autopilot("plan", *words)
        assert ran.status == 2 and "`autopilot plan` shows it" in ran.err
    assert waiting.subjects == ["Begin"]


def test_a_roadmap_that_changed_meanwhile_is_not_written_over(waiting: World) -> None:
    waiting.write(ROADMAP, "# mine\n")
    ran = waiting.autopilot("plan", "--accept", str(shown(waiting)["draft"]))
    assert ran.status == 2 and "has changed since the draft began" in ran.err
    assert waiting.read(ROADMAP) == "# mine\n" and shown(waiting)["ready"] is True


def test_a_dropped_draft_is_gone_and_another_can_be_asked_for(waiting: World) -> None:
    refused = plan(waiting, "something else")
    assert refused.status == 2 and "a draft waits for you" in refused.err
    assert waiting.autopilot("plan", "--discard").status == 0
    assert waiting.autopilot("plan", "--discard").status == 2
    waiting.play(round_of(GOOD))
    assert plan(waiting, "something else").status == 3


def test_further_phases_are_added_to_a_roadmap_and_a_changed_line_is_refused(tmp_path: Path) -> None:
    changed = MORE.replace("**Goal**: It greets\n", "**Goal**: It sings\n", 1)
    world = wishing(tmp_path, round_of(changed), round_of(MORE, number=2))
    world.write(ROADMAP, GOOD)
    world.commit("Plan")
    document = world.folder / "wishes.md"
    document.write_text("Greet again, please.\n")
    ran = plan(world, str(document))
    assert ran.status == 3 and "phase 1 would be read otherwise than before" in ran.err
    world.write("README.md", "mine\n")
    accepted = world.autopilot("plan", "--accept", str(shown(world)["draft"]), "--json")
    assert json.loads(accepted.out)["written"] == [ROADMAP]
    assert world.git("status", "--porcelain") == "M README.md"
    assert world.git("diff", "--numstat", "HEAD~1", "HEAD", "--", ROADMAP).split()[1] == "0", "no line was taken out"


def test_a_criterion_that_holds_already_is_sent_back(tmp_path: Path) -> None:
    holds = GOOD.replace('`sh hello.sh Ann` (contains "hello Ann")', "`test -f README.md`")
    world = wishing(tmp_path, round_of(holds), round_of(GOOD, number=2))
    ran = plan(world, WISH)
    assert ran.status == 3 and "`test -f README.md` holds already" in ran.err
    assert [bool(drafted.complaints) for drafted in happened(world, Drafted)] == [True, False]


def test_after_three_rounds_it_is_over_and_says_why(tmp_path: Path) -> None:
    world = wishing(tmp_path, *(round_of(f"{VAGUE}\nTry {n}.\n", number=n) for n in range(1, 5)))
    ran = plan(world, WISH)
    assert ran.status == 1 and "no draft held in 3 rounds" in ran.out
    assert len(happened(world, AgentReplied)) == 3
    refused = world.autopilot("plan", "--accept", str(shown(world)["draft"]))
    assert refused.status == 2 and "was refused" in refused.err


def test_the_scripted_agent_alone_drafts_what_a_document_gives_with_commands_and_nothing_else(tmp_path: Path) -> None:
    world = wishing(tmp_path)
    vague = plan(world, "make it nice")
    assert vague.status == 1 and "a scripted planner has no ideas" in vague.out
    assert world.autopilot("plan", "--discard").status == 0
    wishes = '# Greet\n- It greets -- verified by: `sh hello.sh Ann` (contains "hello Ann")\n'
    (world.folder / "wishes.md").write_text(wishes)
    ran = plan(world, str(world.folder / "wishes.md"))
    assert ran.status == 3 and "### Phase 1: Greet" in str(shown(world)["text"])


def test_a_killed_draft_is_taken_up_by_the_same_words_and_pays_no_answer_twice(tmp_path: Path) -> None:
    world = sent_back(tmp_path)
    world.drive_until(AgentReplied, RunRequest(draft=DraftRequest(WISH)))
    other = plan(world, "something else")
    assert other.status == 2 and "another draft is unfinished" in other.err
    ran = plan(world, WISH)
    assert ran.status == 3, ran.err
    assert len(happened(world, AgentReplied)) == 2


@pytest.mark.parametrize(("call", "path"), POINTS)
def test_killed_while_it_is_written_the_same_command_brings_it_once(waiting: World, call: str, path: str) -> None:
    """covers: R-KILL"""
    accept = ("plan", "--accept", str(shown(waiting)["draft"]))
    kill_at(waiting, call, path, accept)
    again = waiting.autopilot(*accept)
    assert again.status == 0, again.err
    assert waiting.subjects == ["Begin", "docs: plan 1 phase"] and waiting.read(ROADMAP) == GOOD
    assert waiting.git("status", "--porcelain") == "" and waiting.autopilot("plan").status == 2
