"""The context files that an agent reads at .autopilot/ of its clone. What is left out keeps reviewers independent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from autopilot.events.criteria import criteria_of, texts_of
from autopilot.events.state import PhaseState
from autopilot.model.evidence.objection import Objection
from autopilot.model.evidence.observation import Observation
from autopilot.model.evidence.subject import SubjectKind
from autopilot.model.evidence.testing import Tally
from autopilot.model.intent import ContextAnswer
from autopilot.model.planning.criterion import Criterion
from autopilot.model.planning.plan import Task
from autopilot.reports.documents.context_md import NAME as CONTEXT
from autopilot.reports.documents.handoff import render_handoff
from autopilot.reports.documents.learnings import render_learnings
from autopilot.reports.status.context_map import answers_about, render_answers
from autopilot.steps.context import StepContext
from autopilot.steps.promises import mapped_of, names_to_read

ANSWERS = "answers.md"  # not context.md: on some file systems that would be CONTEXT.md


def facts(phase: PhaseState, task: Task | None = None) -> Mapping[str, bytes]:
    """The phase, the criteria, and the task at hand."""
    return {"facts.json": _json(_facts(phase, task))}


def facts_for_work(ctx: StepContext, task: Task | None = None, findings: Sequence[str] = ()) -> Mapping[str, bytes]:
    """For agents that plan, build and fix: also the user's answers, the lessons of earlier failures, what is left, and
    what was observed to fail."""
    files = dict(facts(ctx.phase, task))
    if decided := user_decisions(ctx):
        files[CONTEXT] = decided
    if answers := user_answers(ctx):
        files[ANSWERS] = render_answers(answers).encode()
    if learnings := render_learnings(ctx.state):
        files["learnings.md"] = learnings.encode()
    if any(state.handovers for state in ctx.phase.tasks.values()):
        files["HANDOFF.md"] = render_handoff(ctx.state, ctx.phase).encode()
    if findings:
        text = "# What does not hold\n\n" + "\n".join(f"- {finding}" for finding in findings) + "\n"
        files["findings.md"] = text.encode()
    return files


def user_answers(ctx: StepContext) -> tuple[ContextAnswer, ...]:
    """What the user answered about this phase, in this run and before. Reviewers go by the spec and do not get it."""
    return answers_about(ctx.state, ctx.phase.parent or ctx.phase.id)


def user_decisions(ctx: StepContext) -> bytes | None:
    """The result of the discussion of this phase. Reviewers do not get it either."""
    talk = ctx.state.people.discussions.get(ctx.phase.parent or ctx.phase.id)
    return ctx.ports.blobs.get(talk.document) if talk and talk.document else None


def commands_and_baseline(ctx: StepContext) -> list[str]:
    """The configured checks, each with how it stood before the first task."""
    before = {observation.subject: observation.seen.text for observation in ctx.phase.plan.baseline or ()}
    return [
        f"{name}: `{command}`" + (f" ({before[name]} before the work)" if name in before else "")
        for name, command in ctx.policy.commands.checks()
    ]


def facts_for_review(phase: PhaseState, observations: Sequence[Observation]) -> Mapping[str, bytes]:
    """For reviewers: criteria and our own observations; no claim, no other review."""
    noticed = dict.fromkeys(
        [*(objection for task in phase.tasks.values() for objection in task.objections), *phase.observed.objections]
    )
    return _for_reader(phase, None, observations, tuple(noticed))


def facts_for_task_review(
    phase: PhaseState, task: Task, observations: Sequence[Observation], noticed: Sequence[Objection] = ()
) -> Mapping[str, bytes]:
    """For the reader of one task: its criteria and what we saw of it."""
    return _for_reader(phase, task, observations, noticed)


def _for_reader(
    phase: PhaseState, task: Task | None, observations: Sequence[Observation], noticed: Sequence[Objection]
) -> Mapping[str, bytes]:
    """Runs on trees made to fail are left out: read in passing, their failures look like the work's."""
    texts = texts_of(phase)
    files = {
        "facts.json": _json(_facts(phase, task)),
        "observations.json": _json([_observation(observation, texts) for observation in observations]),
    }
    return {**files, "noticed.json": _json(noticed)} if noticed else files


def observed_concerns(phase: PhaseState) -> tuple[str, ...]:
    """What we saw ourselves that a score of 9.5 has no room for: files outside their task, new files nothing uses."""
    strayed = [f"{path} is outside task {t.task.id}" for t in phase.tasks.values() for path in t.outside]
    loose = [
        observation.reason
        for observation in phase.observed.observations or ()
        if observation.about.is_plain(SubjectKind.WIRING) and observation.reason
    ]
    return (*strayed, *loose)


def _facts(phase: PhaseState, task: Task | None) -> dict[str, Any]:
    brief = phase.brief
    return {
        "phase": {
            "id": brief.id,
            "name": brief.name,
            "goal": brief.goal,
            "folder": brief.folder,
            "requirements": brief.requirements,
        },
        "task": _task(task) if task else None,
        "criteria": [{**_criterion(c), "task": c.task} for c in criteria_of(phase)],
        "tasks": [_brief(state.task) for state in phase.tasks.values()],
        "promises": _promises(phase),
    }


def _promises(phase: PhaseState) -> list[dict[str, Any]]:
    """By whom each is answered for: checks, a person, or, where both are empty, the verifier."""
    mapped, to_read = mapped_of(phase), names_to_read(phase)
    found = []
    for promise in mapped.promises:
        person = mapped.person(promise)
        checks = () if person or promise.name in to_read else mapped.checks(promise)
        found.append({"name": promise.name, "text": promise.text, "checks": checks, "person": person})
    return found


def _brief(task: Task) -> dict[str, Any]:
    return {"id": task.id, "title": task.title, "files": task.files, "complexity": task.complexity, "type": task.type}


def _task(task: Task) -> dict[str, Any]:
    return {
        "id": task.id,
        "title": task.title,
        "type": task.type,
        "files": task.files,
        "action": task.action,
        "criteria": [_criterion(c) for c in task.criteria],
    }


def _criterion(criterion: Criterion) -> dict[str, Any]:
    return {
        "id": criterion.id,
        "text": criterion.text,
        "command": criterion.command,
        "expectation": str(criterion.expectation),
        "kind": criterion.kind.value,
        "form": criterion.form.value,
    }


def _observation(observation: Observation, texts: Mapping[str, str]) -> dict[str, Any]:
    return {
        "subject": observation.subject,
        "text": texts.get(observation.subject, observation.subject),
        "command": observation.command,
        "seen": observation.seen.value,
        "exit_code": observation.exit_code,
        "excerpt": observation.excerpt,
        **({"tests": _tests(observation.tests)} if observation.tests else {}),
        **({"red_before": _red_before(observation)} if observation.is_excused else {}),
        **({"not_run": observation.reason} if observation.never_ran else {}),
    }


def _red_before(observation: Observation) -> int:
    """Tests or findings; 1 for a red that is the same as a whole."""
    return observation.legacy or (observation.compared.old if observation.compared else 0) or 1


def _tests(tests: Tally) -> dict[str, Any]:
    counts = {"passed": tests.passed, "failed": tests.failed, "skipped": tests.skipped, "xfailed": tests.xfailed}
    return {"tool": tests.runner, **counts, "red_by": tests.by.value if tests.by else None}


def _json(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2)
