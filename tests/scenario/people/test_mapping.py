"""A run that only asks: scores by code, questions from an agent, answers in a file, and an answer for whoever builds.

covers: CMAP-01, CMAP-02, CMAP-03, CMAP-04
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from autopilot.events.happened import AgentReplied, PhaseStarted
from autopilot.events.people import ContextMapped
from autopilot.model.agent import Role
from autopilot.model.planning.roadmap import PhaseId
from tests.scenario.kit.aftermath import happened
from tests.scenario.kit.hearing import SHOW_PROMPT, heard
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, make_world

MAP, QUESTIONS = ".autopilot/context-map.json", ".autopilot/questions.md"
ANSWERS = {"criteria": "sh part-01-01.sh", "requirements": "it says part 1"}
NOTHING = "## Phase 1\n" + "".join(f"Q{number}: -\n" for number in range(1, 6))
SHOW_ANSWERS = {"run": "cat .autopilot/answers.md"}


def entry(world: World, phase: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(world.read(MAP))["phases"][phase]
    return found


def rows(world: World) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = entry(world, "1")["questions"]
    return found


def fill_in(world: World) -> None:
    """The file as its user writes it; what has no answer is left out on purpose."""
    for number, row in enumerate(rows(world), start=1):
        said = ANSWERS.get(row["category"], "-")
        world.write(QUESTIONS, re.sub(rf"(?m)^Q{number}:$", f"Q{number}: {said}", world.read(QUESTIONS)))


def add_by_hand(world: World) -> None:
    document = json.loads(world.read(MAP))
    document["phases"]["9"] = {"phase_name": "Nine", "questions": [{"question": "Why?", "answer": "so"}]}
    document["phases"]["1"]["questions"].append({"question": "Who?", "category": "domain", "answer": "a child"})
    world.write(MAP, json.dumps(document))


def test_a_roadmap_is_mapped_in_one_sitting_and_the_answers_are_there_for_the_next(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(phases=2, criteria=True))
    roadmap = world.read(".planning/ROADMAP.md")
    world.write(".planning/ROADMAP.md", roadmap.replace("Part 1 says its name", "[To be planned]", 1))
    world.write(".planning/PROJECT.md", "# Parts\nEvery part says its name.\n")
    before = world.commit("a plan to be made")

    asked = world.run("--map")
    assert asked.status == 3, asked.err
    assert [(one.phase, one.sufficiency.score) for one in happened(world, ContextMapped)] == [("1", 1), ("2", 8)]
    assert [(reply.phase, reply.role) for reply in happened(world, AgentReplied)] == [(PhaseId("1"), Role.QUESTIONER)]
    assert [row["answer"] for row in rows(world)] == [None] * 5

    fill_in(world)
    ended = world.run("--answers", QUESTIONS)
    assert ended.status == 0, ended.err
    assert entry(world, "1")["score_after"] == 4
    assert "phase 1   1 ->  4  2 of 5 questions answered" in ended.out
    assert happened(world, PhaseStarted) == [] and world.head == before and world.git("status", "--porcelain") == ""

    add_by_hand(world)
    world.write("../nothing.md", NOTHING)
    again = world.run("--map", "1", "--answers", "../nothing.md")
    assert again.status == 0, again.err
    mapped = happened(world, ContextMapped)[-1]
    assert (mapped.phase, mapped.sufficiency.score) == ("1", 5)
    old = {row["question"] for row in rows(world) if row["answer"]}
    assert len(old) == 3 and not old & {question.text for question in mapped.questions}
    assert {"1", "2", "9"} == set(json.loads(world.read(MAP))["phases"])

    world.play({"role": "researcher", "do": [SHOW_PROMPT, SHOW_ANSWERS]})
    built = world.run("1")
    assert built.status == 0, built.err
    read = heard(world, "researcher")[0]
    assert all(words in read for words in (*ANSWERS.values(), "a child"))
