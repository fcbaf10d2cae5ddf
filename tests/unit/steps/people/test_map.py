"""Map: scored by code, questions only where too little is known, and never a run that fails for want of them.

covers: CMAP-01, CMAP-02, CMAP-03, CMAP-04, CMAP-05
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.engine.performing import STEPS
from autopilot.events.happened import AgentReplied
from autopilot.events.people import ContextMapped
from autopilot.events.pieces import StepState
from autopilot.events.state import PhaseState, RunState
from autopilot.events.talk import Answered, Mapped
from autopilot.model.agent import AgentReply, Ending, Role
from autopilot.model.human import HumanQuestion
from autopilot.model.intent import ContextAnswer
from autopilot.model.planning.sufficiency import Sufficiency
from autopilot.model.proposal import ProposedQuestions
from autopilot.model.run import PhaseBrief, Step
from autopilot.planning.people.questions import check_questions
from autopilot.ports.reply import Problem, read_reply
from autopilot.simulation.honest import questions as honest_questions
from autopilot.steps.asking.context_files import facts_for_review, facts_for_work
from autopilot.steps.context import Result
from tests.unit.making import ONE, START, TWO, alter, make_brief, make_criterion, make_phase, make_state
from tests.unit.steps.sample import sample_state
from tests.unit.steps.world import World

SPEC = b"- [ ] **REQ-1**: A book can be added with title and author\n"
FILES = {".planning/REQUIREMENTS.md": SPEC, ".planning/PROJECT.md": b"part there\n"}
KNOWN = make_brief(criteria=(make_criterion("phase.c1"),))
VAGUE = make_brief()
ASKS: dict[str, Any] = {
    "questions": [
        {"question": "Which command shows it?", "category": "criteria", "why_needed": "none is given"},
        {"question": "Which fields has a book?", "category": "requirements", "why_needed": "the spec names none"},
    ],
    "estimated_score_after": 8.0,
}
ANSWER = ContextAnswer("Which fields has a book?", "title and year", "requirements")


def stand(brief: PhaseBrief, **more: Any) -> RunState:
    phase = replace(make_phase(), brief=brief, steps={"map": StepState(started_at=START, **more.pop("step", {}))})
    return alter(sample_state(phase), **more)


def map_phase(world: World, state: RunState, said: AgentReply | None = None) -> tuple[Result, ContextMapped | None]:
    world.ear.reply = said or AgentReply(Ending.COMPLETED, value=ASKS)
    running, events = STEPS[Step.MAP](world.context(state, state.phases[ONE], Step.MAP)), []
    try:
        while True:
            events += next(running)
    except StopIteration as end:
        result: Result = end.value
    assert all(isinstance(event, AgentReplied) for event in events)
    return result, next((event for event in result.events if isinstance(event, ContextMapped)), None)


def test_a_phase_of_which_enough_is_known_costs_no_agent(tmp_path: Path) -> None:
    world = World(tmp_path, files=FILES)
    result, mapped = map_phase(world, stand(KNOWN))
    assert mapped == ContextMapped(ONE, Sufficiency(10, 10.0, 10.0, 9.0, 10.0))
    assert (result.status, world.ear.calls) == ("mapped", [])


def test_a_phase_of_which_too_little_is_known_has_questions_for_its_user(tmp_path: Path) -> None:
    world = World(tmp_path, files=FILES)
    result, mapped = map_phase(world, stand(VAGUE))
    assert mapped is not None and mapped.sufficiency.score == 7 and not mapped.problem
    assert mapped.questions == (
        HumanQuestion("1.1", "Which command shows it?", "1", "criteria", "none is given"),
        HumanQuestion("1.2", "Which fields has a book?", "1", "requirements", "the spec names none"),
    )
    [call] = world.ear.calls
    assert call.role is Role.QUESTIONER and "worth 7/10: criteria 1, requirements 10" in call.prompt
    assert "it has no success criteria" in call.prompt
    assert result.detail == "7/10, 2 questions"


def test_a_plan_or_research_of_its_own_speaks_for_a_phase(tmp_path: Path) -> None:
    files = {".planning/REQUIREMENTS.md": SPEC, f"{VAGUE.folder}/01-RESEARCH.md": b"much\n"}
    _, mapped = map_phase(World(tmp_path, files=files), stand(VAGUE))
    assert mapped is not None and mapped.sufficiency.docs == 9.0


def test_dependencies_are_met_by_phases_that_are_done_and_ahead_while_they_are_not(tmp_path: Path) -> None:
    brief = replace(VAGUE, depends_on=(TWO,))
    outline = (brief, make_brief(TWO))
    marks = []
    for number, more in enumerate(({}, {"proven": (TWO,)}, {"ticked": (TWO,)}, {"outline": (brief,)})):
        state = stand(brief, **{"outline": outline, **more})
        _, mapped = map_phase(World(tmp_path / str(number), files=FILES), state)
        assert mapped is not None
        marks.append(mapped.sufficiency.dependencies)
    assert marks == [5.0, 10.0, 10.0, 1.0]


def test_what_was_answered_before_counts_is_shown_and_is_not_asked_again(tmp_path: Path) -> None:
    world, context = World(tmp_path, files={}), {ONE: (ANSWER,)}
    stub = replace(VAGUE, goal="TBD")
    result, mapped = map_phase(world, stand(stub, context=context))
    assert mapped is None and result.status == "error"
    assert "question 2 was answered by the user before" in result.detail
    assert "- Which fields has a book? -- title and year" in world.ear.calls[0].prompt
    told = json.loads(world.places.folders[0]["sufficiency.json"])
    assert (told["requirements"], told["answered"]) == (5.0, ["Which fields has a book?"])


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        (AgentReply(Ending.COMPLETED, value={"questions": [], "estimated_score_after": 8.0}), "refused: 0 questions"),
        (AgentReply(Ending.COMPLETED, text="I have no idea."), "does not match the schema"),
        (AgentReply(Ending.CRASHED, detail="boom"), "crashed: boom"),
    ],
)
def test_who_asks_nothing_of_use_is_asked_once_more_and_then_done_without(
    tmp_path: Path, said: AgentReply, problem: str
) -> None:
    first, nothing = map_phase(World(tmp_path / "1", files=FILES), stand(VAGUE), said)
    assert nothing is None and (first.status, first.events) == ("error", ())
    assert problem in first.detail
    again = stand(VAGUE, step={"errors": 1, "notice": first.detail})
    second, mapped = map_phase(World(tmp_path / "2", files=FILES), again, said)
    assert second.status == "mapped" and mapped is not None
    assert mapped.questions == () and problem in mapped.problem and mapped.sufficiency.score == 7


@pytest.mark.parametrize(("ending", "status"), [(Ending.RATE_LIMITED, "put_off"), (Ending.BUDGET, "unproven")])
def test_a_limit_is_nobodys_fault(tmp_path: Path, ending: Ending, status: str) -> None:
    result, mapped = map_phase(World(tmp_path, files=FILES), stand(VAGUE), AgentReply(ending))
    assert (result.status, mapped) == (status, None)


# --- who is told the answers ------------------------------------------------------------------------------------


def answered_state(phase: PhaseState) -> RunState:
    question = HumanQuestion("1.1", "Which command?", "1", "criteria")
    mapped = Mapped(Sufficiency(3, 2.0, 2.0, 2.0, 10.0), START, (question,), {"1.1": Answered(question, "make", START)})
    return make_state(phase, context={ONE: (ANSWER,)}, mapping={ONE: mapped})


def test_those_who_work_on_a_phase_or_a_part_of_it_read_what_the_user_answered(tmp_path: Path) -> None:
    for phase in (make_phase(), replace(make_phase(), brief=make_brief(TWO), parent=ONE)):
        ctx = World(tmp_path).context(answered_state(phase), phase, Step.PLAN)
        paper = facts_for_work(ctx)["answers.md"].decode()
        assert "## Which fields has a book?\n\ntitle and year\n" in paper and "## Which command?\n\nmake\n" in paper
    other = make_phase(TWO)
    assert "answers.md" not in facts_for_work(World(tmp_path).context(answered_state(other), other, Step.PLAN))


def test_reviewers_do_not(tmp_path: Path) -> None:
    assert "answers.md" not in facts_for_review(make_phase(), ())


def test_research_is_told_where_the_answers_are(tmp_path: Path) -> None:
    for files, words in (
        ({}, "- .autopilot/answers.md\n"),
        ({f"{VAGUE.folder}/CONTEXT.md": b"x"}, "- .autopilot/answers.md, where nothing above says otherwise\n"),
    ):
        world = World(tmp_path, files=files)
        state = replace(answered_state(make_phase()), policy=sample_state(make_phase()).policy)
        next(STEPS[Step.RESEARCH](world.context(state, state.phases[ONE], Step.RESEARCH)))
        assert words in world.ear.calls[0].prompt


# --- honest questions -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answered", [(), ("Which command shows that phase 1 (Part 1) is done?",)])
@pytest.mark.parametrize("marks", [{}, {"criteria": 10, "requirements": 10, "docs": 10, "dependencies": 10}])
def test_honest_questions_pass_the_check(marks: dict[str, int], answered: tuple[str, ...]) -> None:
    facts = {"phase": {"id": "1", "name": "Part 1", "requirements": []}, "criteria": []}
    said = honest_questions.propose(facts, {"score": 3, **marks, "answered": list(answered)})
    value = read_reply(said, ProposedQuestions)
    assert not isinstance(value, Problem) and check_questions(value, answered) == ()
    assert len(value.questions) == (2 if marks else 5)
