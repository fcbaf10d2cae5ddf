"""Design: stories, plan and acceptance tests from what was approved; of a bug the test that shows it, and its cause."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from autopilot.events.issue.happened import WorkTaken
from autopilot.model.agent import Role
from autopilot.model.claim import CauseClaim, DesignClaim, DiagnosisClaim
from autopilot.model.issue.issue import (
    MEASURING,
    PLAN_AND_TESTS,
    PLAN_FILE,
    REPRODUCING,
    STORIES,
    STORIES_FILE,
    TESTS_FILE,
    Cause,
)
from autopilot.model.planning.complaint import Complaint
from autopilot.model.run import StepStatus
from autopilot.planning.issue.acceptance import find_criteria, lint_criteria, lint_tests, parse_tests
from autopilot.planning.issue.cause_kind import read_kind
from autopilot.steps.accepting import cut_off
from autopilot.steps.asking.asking import Question, ask, no_answer
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.issue.issue_context import decisions_of, issue_of, papers, round_of, seeds_of, tests_text
from autopilot.steps.issue.issue_prompts import findings_words, render_issue_prompt
from autopilot.steps.issue.iteration_commits import take_issue_work
from autopilot.steps.observing.texts import ReadText, text_at

PROMPTS = {STORIES: "stories", PLAN_AND_TESTS: "plan_and_tests", REPRODUCING: "reproduce", MEASURING: "measure"}
MADE = {STORIES: (STORIES_FILE,), PLAN_AND_TESTS: (PLAN_FILE, TESTS_FILE)}
OWN = {STORIES: ("stories",), PLAN_AND_TESTS: ("plan", "tests")}  # by what name a person sends them back


def perform(ctx: StepContext) -> StepRun:
    seeds = seeds_of(ctx)
    prompt = render_issue_prompt(ctx, PROMPTS.get(ctx.task, "plan_and_tests"), findings_words(seeds))
    kind = DiagnosisClaim if ctx.task in (REPRODUCING, MEASURING) else DesignClaim
    answer = yield from ask(ctx, Question(Role.DESIGNER, prompt, "clone", papers(ctx, seeds)), kind)
    if cut_off(ctx, answer):
        return no_answer(answer)
    # A flaky test is there already, as is a reproduction of an earlier iteration: a cause is reported, not committed.
    may_be_none = (
        ctx.task == MEASURING or (ctx.task == REPRODUCING and round_of(ctx).work is not None) or _is_left_as_it_is(ctx)
    )
    work = take_issue_work(ctx, answer, may_be_none=may_be_none)
    claim = answer.value
    if work.commit:
        work = _checked(ctx, work)
    if work.commit and claim is not None:
        cause = _cause(claim.cause) if isinstance(claim, DiagnosisClaim) and claim.cause else None
        work = replace(work, decisions=decisions_of(ctx, work.commit, claim.decisions), cause=cause)
    return Result(
        StepStatus.COMPLETED if work.commit else StepStatus.REFUSED, (work,), work.refusal or f"{len(work.files)} files"
    )


def _is_left_as_it_is(ctx: StepContext) -> bool:
    """Whether a person sent the other documents back by name: then there may be nothing to change in these."""
    own, findings = OWN.get(ctx.task, ()), issue_of(ctx).design.rejected
    return bool(own and findings) and all(finding.about and finding.about not in own for finding in findings)


def _cause(claim: CauseClaim) -> Cause:
    files = tuple(path.removeprefix("./") for path in claim.files)  # they are pinned, and read, by these names
    return Cause(read_kind(claim.kind), claim.text, claim.test, files)


def _checked(ctx: StepContext, work: WorkTaken) -> WorkTaken:
    """What the step has to leave behind is there and can be read; whether it is good is for a person to say."""
    issue, read = issue_of(ctx), text_at(ctx, work.commit)
    for name in MADE.get(ctx.task, ()):
        if not (read(issue.brief.path(name)) or "").strip():
            return _refuse(work, f"{issue.brief.path(name)} is missing or empty")
    if ctx.task == STORIES and not find_criteria(read(issue.brief.path(STORIES_FILE)) or ""):
        return _refuse(work, f"{STORIES_FILE} defines no acceptance criterion with an id (### AC-1: …)")
    if ctx.task == PLAN_AND_TESTS and not parse_tests(tests_text(ctx, work.commit)):
        return _refuse(work, f"{TESTS_FILE} has no entry (- [ ] [planned] AT-001: …)")
    if slip := next(_slips(ctx, read), None):
        return _refuse(work, str(slip))
    return work


def _slips(ctx: StepContext, read: ReadText) -> Iterator[Complaint]:
    """Ids that are defined twice, so that one test would cover both, and entries that no check would find."""
    brief = issue_of(ctx).brief
    if ctx.task == STORIES:
        yield from lint_criteria(read(brief.path(STORIES_FILE)) or "", STORIES_FILE)
    if ctx.task == PLAN_AND_TESTS:
        yield from lint_tests(read(brief.path(TESTS_FILE)) or "", TESTS_FILE)


def _refuse(work: WorkTaken, reason: str) -> WorkTaken:
    return WorkTaken(work.phase, work.step, work.iteration, refusal=reason)
