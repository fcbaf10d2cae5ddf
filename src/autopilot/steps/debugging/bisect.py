"""Bisect: the reproduction at one commit between a good one and the bug. One commit a step, so a kill loses one run."""

from __future__ import annotations

from autopilot.events.debugging.happened import BisectionBegun, CommitTested
from autopilot.gates.debugging.hypothesis import NEVER_RAN
from autopilot.model.debugging.bisection import next_candidate
from autopilot.model.debugging.repeats import greens_wanted
from autopilot.model.debugging.session import Candidate
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.git import LogEntry
from autopilot.model.run import StepStatus
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.debugging.session_context import reproduction_check, session_in
from autopilot.steps.evidence.work import commit_with
from autopilot.steps.observing.observing import observe

MOST_COMMITS = 100_000
UNTESTABLE = 125  # what git bisect takes for "cannot tell", too


def perform(ctx: StepContext) -> StepRun:
    yield from ()
    session = session_in(ctx)
    bisection = session.bisection
    if bisection is None:
        return _begin(ctx, session.brief.good)
    tested = {index: event.result for index, event in bisection.tested.items()}
    index = next_candidate(bisection.begun.count, tested)
    # The last one is where the bug was seen; it is named, too, where nothing before it has it.
    index = bisection.begun.count - 1 if index is None else index
    entry = _commits(ctx, bisection.begun.good)[index]
    result, seen = _see(ctx, entry.sha)
    if result is None:
        return Result(StepStatus.UNPROVEN, detail=f"the reproduction could not be run: {seen.reason}")
    event = CommitTested(ctx.phase.id, index, entry.sha, result, ctx.ports.blobs.clean(entry.subject), seen)
    return Result(StepStatus.COMPLETED, (event,), f"{entry.sha[:12]} is {result.value}: {entry.subject}")


def _begin(ctx: StepContext, good: str) -> Result:
    """The commit that is called good has to be: otherwise there is nothing between it and the bug."""
    commits = _commits(ctx, good)
    if not commits or not ctx.ports.vault.is_ancestor(good, ctx.state.line.head):
        return _not_begun(ctx, good, "no commit lies between it and the bug")
    result, seen = _see(ctx, good)
    if result is None:
        return Result(StepStatus.UNPROVEN, detail=f"the reproduction could not be run: {seen.reason}")
    if result is not Candidate.GOOD:
        why = "fails there as well" if result is Candidate.BAD else "cannot tell there"
        return _not_begun(ctx, good, f"the reproduction {why}, so it is no good commit to begin with")
    begun = BisectionBegun(ctx.phase.id, good, len(commits))
    return Result(StepStatus.COMPLETED, (begun,), f"{len(commits)} commits")


def _not_begun(ctx: StepContext, good: str, problem: str) -> Result:
    return Result(StepStatus.COMPLETED, (BisectionBegun(ctx.phase.id, good, 0, problem),), problem)


def _commits(ctx: StepContext, good: str) -> tuple[LogEntry, ...]:
    return ctx.ports.vault.log(good, ctx.state.line.head, MOST_COMMITS)


def _see(ctx: StepContext, commit: str) -> tuple[Candidate | None, Observation]:
    """With the tests that came with the symptoms. A bug that shows itself now and then is looked for often enough."""
    session, vault = session_in(ctx), ctx.ports.vault
    made = commit_with(ctx, commit, {path: vault.read(session.commit, path) for path in session.files})
    try:
        for _ in range(greens_wanted(session.repeats)):
            (seen,) = observe(ctx, made, [reproduction_check(ctx)], at_base=True, kept=False)
            if seen.seen is not Seen.PASSED:
                break
    finally:
        ctx.ports.workspaces.forget(made)
    return _judge(seen, session.red), seen


def _judge(seen: Observation, red: Observation | None) -> Candidate | None:
    """Bad is what fails as the bug does. A command that is not there, or ends in another way, cannot tell."""
    if seen.seen is Seen.PASSED:
        return Candidate.GOOD
    if seen.seen is Seen.NOTHING:
        return Candidate.SKIPPED if seen.trouble is not None else None
    alike = red is not None and (seen.seen, seen.exit_code) == (red.seen, red.exit_code)
    odd = seen.exit_code in (*NEVER_RAN, UNTESTABLE) or seen.trouble is not None
    return Candidate.BAD if alike and not odd else Candidate.SKIPPED
