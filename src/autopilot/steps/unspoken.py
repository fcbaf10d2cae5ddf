"""Unspoken clauses: what goal and criteria ask for and no check of an agent's plan speaks of, before the work.

No test is written yet, so the words of the plan's criteria and held-out checks are all there is. One that repeats a
whole sentence of the roadmap says nothing of its parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autopilot.gates.promise import Mapped
from autopilot.model.intent import Purpose
from autopilot.model.planning.criterion import Criterion
from autopilot.model.planning.promise import Source
from autopilot.planning.examples.reading import find_examples
from autopilot.planning.spec.clauses import read_clauses, unasked
from autopilot.steps.context import StepContext
from autopilot.steps.observing.reading import PlanRead
from autopilot.steps.observing.texts import text_at

MOST_AT_ONCE = 2  # clauses that the words of one check speak of
# A row of a plan that leaves something to somebody: `| without accents | reviewer: why |`.
_LEFT_TO = re.compile(r"^[ \t]{0,8}\|[^\n]{1,400}\|\s*`?(?:reviewer|person)\s*:[^\n]*", re.MULTILINE | re.IGNORECASE)


def ask_for_unspoken(ctx: StepContext, plan: PlanRead, mapped: Mapped) -> tuple[str, ...]:
    """What sends a plan back: words are compared, so that the same plan again is taken."""
    if not (unspoken := tuple(_unspoken(ctx, plan, mapped))):
        return ()
    named = "; ".join(f"`{clause}`" for clause in unspoken)
    return (
        f"no criterion and no held-out check speaks of: {named}. Give each a check whose text has its words, at most "
        f"{MOST_AT_ONCE} in one; what no command can check gets a row `| its words | reviewer: why |` or "
        "`person: why` under Traceability. A plan is sent back for this once",
    )


def _unspoken(ctx: StepContext, plan: PlanRead, mapped: Mapped) -> Iterator[str]:
    brief = ctx.phase.brief
    if ctx.phase.parent or not brief.accounted or brief.purpose is not Purpose.BUILD:
        return
    promised = [promise for promise in mapped.promises if promise.source is Source.ROADMAP]
    several = [clauses for p in promised if _is_checked(mapped, p.name) and len(clauses := read_clauses([p.text])) > 1]
    of_criteria = tuple(clause for clauses in several for clause in clauses)
    whole = read_clauses([brief.goal])
    of_goal = whole if len(whole) > 1 else ()  # one thing alone is the name of the phase, in other words
    checks = [_speaking(check, [of_goal, *several]) for check in (*mapped.criteria, *ctx.phase.plan.held_out)]
    checks += [criterion.command for criterion in brief.criteria if criterion.is_runnable]
    base = text_at(ctx, ctx.phase.plan.commit)
    checks += [row[0] for path in plan.paths for row in _LEFT_TO.finditer(base(path) or "")]
    checks += [example.text for example in find_examples(base(ctx.spec) or "")]
    # What the criteria of the roadmap say of its goal, they are asked for themselves.
    left = unasked(of_goal, [*checks, *(promise.text for promise in promised)], as_promised=False)
    yield from dict.fromkeys((*left, *unasked(of_criteria, checks, as_promised=False)))


def _is_checked(mapped: Mapped, name: str) -> bool:
    """What is left to a reviewer or a person as a whole is read as a whole."""
    promise = next(promise for promise in mapped.promises if promise.name == name)
    return not mapped.person(promise) and not any(row.reviewer or row.person for row in mapped.rows(promise))


def _speaking(check: Criterion, sentences: Sequence[Sequence[str]]) -> str:
    """Its words as well as its command, but where they repeat a sentence of the roadmap."""
    spelled = f"{check.text}\n{check.command}"
    spoken = (len(clauses) - len(unasked(clauses, [spelled], as_promised=False)) for clauses in sentences)
    return spelled if max(spoken, default=0) <= MOST_AT_ONCE else check.command
