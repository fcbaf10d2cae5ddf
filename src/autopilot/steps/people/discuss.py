"""Discuss: what of a phase its user should decide before it is built, asked for in turns, and what came of it.

The user is asked by gates between these turns. No turn can fail the run: where the agent is of no use, code goes on
with what the user said as it is, or without a talk.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from itertools import chain
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from autopilot.events.happened import Warned
from autopilot.events.people import AreasFound, Discussed, FollowedUp
from autopilot.events.talk import Discussion
from autopilot.model.agent import Role
from autopilot.model.human import HumanQuestion
from autopilot.model.proposal import Digest, FollowUps, GrayAreas
from autopilot.model.run import StepStatus
from autopilot.planning.people.digest import Settled, settle_digest, take_deferred, take_verbatim
from autopilot.planning.people.gray_areas import MOST_FOLLOW_UPS, check_areas, new_questions
from autopilot.planning.people.questions import same_words
from autopilot.reports.documents.context_md import render_context
from autopilot.reports.status.discussion import area_number, questions_asked
from autopilot.steps.asking.asking import Answer, Question, ask, no_answer
from autopilot.steps.asking.context_files import facts
from autopilot.steps.asking.prompt import bullets, render_prompt
from autopilot.steps.context import Batch, Result, StepContext, StepRun

AREAS, DIGEST = "areas", "digest"
SHOWN = ("RESEARCH.md", "PLAN.md", "CONTEXT.md")
AGAIN = """

Your last reply could not be used: {problem}
Correct this and reply with the complete JSON again, nothing after it.
"""

Reply = TypeVar("Reply")


def perform(ctx: StepContext) -> StepRun:
    turn = {AREAS: _find_areas, DIGEST: _digest}.get(ctx.task, _follow_up)
    return (yield from turn(ctx))


def _find_areas(ctx: StepContext) -> StepRun:
    question = Question(Role.DISCUSSER, _areas_prompt(ctx), "clone", _facts(ctx))
    answer = yield from _ask_twice(ctx, question, GrayAreas, lambda reply: check_areas(reply).complaint)
    if stop := _put_off(answer):
        return stop
    checked = check_areas(answer.value) if answer.value else None
    if answer.value is None or checked is None or not checked.areas:
        why = answer.problem or "the agent found no area to discuss"
        warned = Warned(f"phase {ctx.phase.id} is built without a discussion: {why}")
        return Result(StepStatus.NOTHING, (warned, AreasFound(ctx.phase.id, "", "", ())), why)
    found = AreasFound(ctx.phase.id, checked.domain, answer.value.domain_description.strip(), checked.areas)
    return Result(StepStatus.FOUND, (found,), f"{len(checked.areas)} areas")


def _follow_up(ctx: StepContext) -> StepRun:
    """An area for which nothing new was asked is asked about by us: its user has something to say."""
    talk, number = _talk(ctx), int(ctx.task.rpartition("-")[2])
    areas = [area for area in talk.picked or () if area in talk.more] or list(talk.picked or ())
    prompt = _prompt(ctx, "discuss_more", areas=bullets(areas))
    answer = yield from _ask_twice(ctx, Question(Role.DISCUSSER, prompt, "clone", _papers(ctx, areas)), FollowUps)
    if stop := _put_off(answer):
        return stop
    questions: list[HumanQuestion] = []
    for area in areas:
        groups = answer.value.areas if answer.value else ()
        proposed = [group.questions for group in groups if same_words(group.area) == same_words(area)]
        before = (*questions_asked(ctx.state, ctx.phase.id), *questions)
        fresh = new_questions(chain(*proposed), (question.text for question in before))[:MOST_FOLLOW_UPS]
        questions += _number(ctx, area, fresh or (f"What else do you want to say about {area}? (round {number})",))
    found, refused = take_deferred(answer.value.deferred if answer.value else (), talk)
    new = tuple(idea for idea in found if idea not in talk.deferred)
    warned = (Warned(f"phase {ctx.phase.id}: {notice}") for notice in refused)
    followed = FollowedUp(ctx.phase.id, number, tuple(questions), new)
    return Result(StepStatus.FOLLOWED_UP, (*warned, followed), answer.problem)


def _digest(ctx: StepContext) -> StepRun:
    talk = _talk(ctx)
    settled, problem = take_verbatim(talk), ""
    if talk.answers:
        prompt = _prompt(ctx, "discuss_digest", requirements=bullets(ctx.phase.brief.requirements))
        answer = yield from _ask_twice(ctx, Question(Role.DISCUSSER, prompt, "clone", _papers(ctx)), Digest)
        if stop := _put_off(answer):
            return stop
        problem = answer.problem
        settled = settle_digest(answer.value, talk) if answer.value else settled
    return _written(ctx, talk, settled, problem)


def _written(ctx: StepContext, talk: Discussion, settled: Settled, problem: str) -> Result:
    notices = (*settled.notices, *([f"your answers are used as they are: {problem}"] if problem else []))
    made = {name: getattr(settled, name) for name in ("decisions", "discretion", "ideas", "deferred")}
    asked = questions_asked(ctx.state, ctx.phase.id)
    document = render_context(ctx.phase.brief, replace(talk, **made), asked, ctx.time)
    event = Discussed(ctx.phase.id, **made, document=ctx.ports.blobs.put(document.encode()))
    # The run's: a phase that has not begun keeps no warnings.
    warned = tuple(Warned(f"phase {ctx.phase.id}: {notice}") for notice in notices)
    return Result(StepStatus.DISCUSSED, (*warned, event), problem)


def _ask_twice(
    ctx: StepContext, question: Question, kind: type[Reply], refuse: Callable[[Reply], str] = lambda _: ""
) -> Generator[Batch, None, Answer[Reply]]:
    """Ask once more, with the reason, where the reply is unusable. Of two usable replies the later counts."""
    first = yield from ask(ctx, question, kind)
    problem = refuse(first.value) if first.value is not None else first.problem
    if not problem or _put_off(first):
        return first
    retry = replace(question, prompt=question.prompt + AGAIN.format(problem=problem), nth=1, spent=first.event.usage)
    second = yield from ask(ctx, retry, kind)
    return second if second.value is not None or first.value is None else first


def _put_off(answer: Answer[Reply]) -> Result | None:
    """No agent is available, or the budget is spent: that is no reason to continue without a discussion."""
    if answer.value is not None or (ended := no_answer(answer)).status == StepStatus.ERROR:
        return None
    return ended


def _talk(ctx: StepContext) -> Discussion:
    return ctx.state.people.discussions[ctx.phase.id]


def _number(ctx: StepContext, area: str, fresh: tuple[str, ...]) -> tuple[HumanQuestion, ...]:
    """The area's numbers go on where its last question left off."""
    phase, number = ctx.phase.id, area_number(_talk(ctx), area)
    first = sum(question.area == area for question in questions_asked(ctx.state, phase)) + 1
    return tuple(HumanQuestion(f"{number}.{n}", text, phase, area=area) for n, text in enumerate(fresh, first))


def _areas_prompt(ctx: StepContext) -> str:
    brief = ctx.phase.brief
    paths = ctx.ports.vault.list(ctx.tip, brief.folder)
    return render_prompt(
        "discuss_areas",
        phase=brief.id,
        name=brief.name,
        goal=brief.goal or "not given: see the roadmap",
        requirements=bullets(brief.requirements, "none mapped: see the goal"),
        criteria=bullets(brief.promises),
        papers=bullets([path for path in paths if path.endswith(SHOWN)]),
        spec=ctx.spec,
    )


def _prompt(ctx: StepContext, name: str, **more: str) -> str:
    brief, answers = ctx.phase.brief, {answer.question.id: answer.answer for answer in _talk(ctx).answers}
    answered = [
        f"{q.id} {q.area}: {q.text}\n  Answer: {' '.join(answers.get(q.id, 'none').split())}"
        for q in questions_asked(ctx.state, ctx.phase.id)
    ]
    goal = brief.goal or "not given: see the roadmap"
    return render_prompt(name, phase=brief.id, name=brief.name, goal=goal, said=bullets(answered), **more)


def _papers(ctx: StepContext, more: list[str] | None = None) -> dict[str, bytes]:
    """The discussion as data; ``more`` are the areas to discuss further."""
    talk, answers = _talk(ctx), {answer.question.id: answer.answer for answer in _talk(ctx).answers}
    asked = [
        {"id": q.id, "area": q.area, "question": q.text, "answer": answers.get(q.id, "")}
        for q in questions_asked(ctx.state, ctx.phase.id)
    ]
    discussion = {"domain": talk.domain, "areas": list(talk.picked or ()), "questions": asked, "more": more or []}
    return {**_facts(ctx), "talk.json": msgspec.json.format(msgspec.json.encode(discussion), indent=2)}


def _facts(ctx: StepContext) -> Mapping[str, bytes]:
    return facts(ctx.phase)
