"""Clauses of an issue's criteria that no acceptance test speaks of: flags, for words alone refuse nothing."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.events.issue.happened import WorkTaken
from autopilot.gates.issue.coverage import Coverage
from autopilot.gates.issue.oracle import Ran
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.issue.issue import PRD, STORIES_FILE
from autopilot.planning.issue.acceptance import place_criteria
from autopilot.planning.spec.clauses import read_clauses, unasked
from autopilot.planning.spec.speaking import single_tests
from autopilot.steps.context import StepContext
from autopilot.steps.issue.issue_context import issue_of, whole_at
from autopilot.steps.observing.texts import text_at


def flag_unspoken_criteria(ctx: StepContext, work: WorkTaken, green: Ran, coverage: Coverage) -> Iterator[Objection]:
    """By criterion. A test may cover it by its name and ask for half of it."""
    brief, stated = issue_of(ctx).brief, dict[str, str]()
    for name in (STORIES_FILE, PRD):  # what the requirements say of it before a story's title
        stated |= {id: text for id, (_, text) in place_criteria(whole_at(ctx, work.commit, brief.path(name))).items()}
    clauses = {id: read_clauses([text]) for id, text in stated.items()}
    left = unasked(
        [clause for of_one in clauses.values() for clause in of_one], list(_tests(ctx, work, green, coverage))
    )
    for id, of_one in clauses.items():
        if unspoken := [clause for clause in of_one if clause in left and len(of_one) > 1]:
            named = "; ".join(f'"{clause}"' for clause in unspoken)
            satisfy = "look whether the code does it, or let a test ask for it"
            description = f"{id}: no acceptance test speaks of {named}"
            yield Objection(Layer.HELD_OUT, id, description, satisfy=satisfy, weight=Weight.FLAG)


def _tests(ctx: StepContext, work: WorkTaken, green: Ran, coverage: Coverage) -> Iterator[str]:
    named = {id for link in coverage.links for id in link.tests}
    results = green.report.results if green.report else ()
    for path in sorted({result.file for result in results if result.id in named and result.file}):
        yield from (f"{path}\n{test}" for test in single_tests(text_at(ctx, work.commit)(path) or ""))
