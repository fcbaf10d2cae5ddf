"""Bump: the next version, by code alone, and only where everything holds with it."""

from __future__ import annotations

from msgspec import Struct

from autopilot.events.closing import VersionBumped, VersionKept
from autopilot.gates.check import judge_check, judge_checks
from autopilot.gates.criterion import worst
from autopilot.model.audit import NO_VERSION_FILE
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.run import StepStatus
from autopilot.planning.release.rules import understand
from autopilot.planning.release.semver import Version, next_version
from autopilot.planning.release.version import (
    CHANGELOG,
    Files,
    Trouble,
    Written,
    find_versions,
    part_by_phases,
    says,
    write_version,
)
from autopilot.planning.spec.audited import completed
from autopilot.steps.accepting import public_commit
from autopilot.steps.authoring import AUTHOR
from autopilot.steps.closing.audit_rules import read_files, rules_of, version_in
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.evidence.red_before import mark_red_before
from autopilot.steps.evidence.regression import mark_legacy
from autopilot.steps.observing.observing import list_configured_checks, observe


class Next(Struct, frozen=True):
    """The version to come and the rule it follows; None when it is to stay."""

    version: str | None
    because: str


def perform(ctx: StepContext) -> StepRun:
    yield from ()
    files = read_files(ctx, ctx.tip)
    written = find_versions(files)
    if isinstance(written, Trouble):
        return _kept(ctx, written.because or NO_VERSION_FILE)
    chosen = _choose(ctx, version_in(written))
    if chosen is None:
        return Result(StepStatus.ASKS, detail="the project has rules of its own about its version")
    if chosen.version is None:
        return _kept(ctx, chosen.because)
    return _bump(ctx, files, written, chosen.version, chosen.because)


def _choose(ctx: StepContext, old: Version) -> Next | None:
    """The project's own rules first, then ours. None while a reader of those rules has not been asked."""
    part, phase = part_by_phases(done.id for done in completed(ctx.state))
    usual = Next(str(next_version(old, part)), f"phase {phase} of this run makes it a {part} version")
    rules = rules_of(ctx)
    if not rules:
        return usual
    if (plain := understand(rules)) is not None:
        return _by_rule(old, plain.part, "", plain.rule)
    advised = ctx.state.completion.audit.advised
    if advised is None:
        return None
    if advised.advice is None:
        return Next(usual.version, f"{usual.because}; its own rules could not be read: {advised.problem}")
    return _by_rule(old, advised.advice.part, advised.advice.version, advised.advice.rule)


def _by_rule(old: Version, part: str, exact: str, rule: str) -> Next:
    because = f"by the project's own rule: {' '.join(rule.split())}"
    if part == "none":
        return Next(None, because)
    return Next(exact.strip().removeprefix("v") if part == "exact" else str(next_version(old, part)), because)


def _bump(ctx: StepContext, files: Files, written: tuple[Written, ...], new: str, because: str) -> Result:
    """One commit, observed as it is. A commit that fails a check never reaches the run's branch."""
    vault, old = ctx.ports.vault, written[0].version
    phases = completed(ctx.state)
    done = [f"Phase {phase.id}: {phase.brief.name}" for phase in phases]
    edited = write_version(files, written, new, f"{ctx.time:%Y-%m-%d}", done)
    tree = vault.edit_tree(ctx.tip, {path: text.encode("utf-8", "surrogateescape") for path, text in edited.items()})
    subject = f"chore: bump to v{new} after phase {part_by_phases(phase.id for phase in phases)[1]}"
    commit = vault.commit(tree, [ctx.tip], subject, ctx.time, AUTHOR)
    checked, reread = _observe(ctx, commit), _read_again(ctx, commit, new, tuple(edited))
    seen = (*checked, reread)
    if nothing := [observation for observation in seen if observation.seen is Seen.NOTHING]:
        return Result(StepStatus.UNPROVEN, detail=f"{nothing[0].subject} could not be run: {nothing[0].reason}")
    verdicts = [*judge_checks(checked), judge_check(reread)]
    if worst(verdicts) is not Outcome.PASS:
        red = ", ".join(v.subject for v in verdicts if v.outcome is not Outcome.PASS)
        return _kept(ctx, f"checks fail with the new version {new}: {red}")
    public = public_commit(ctx, commit, ctx.state.line.public_tip, subject)
    event = VersionBumped(ctx.phase.id, commit, old, new, tuple(sorted(edited)), because, seen, public)
    return Result(StepStatus.COMPLETED, (event,), f"{old} -> {new}")


def _observe(ctx: StepContext, commit: str) -> tuple[Observation, ...]:
    """What was red when the last phase was verified, and passed, may be red with the new version too."""
    phases = completed(ctx.state)
    before = {seen.subject: seen for phase in phases for seen in phase.observed.observations or ()}
    seen = observe(ctx, commit, list_configured_checks(ctx))
    return mark_red_before(ctx, before, mark_legacy(ctx, before, seen))


def _read_again(ctx: StepContext, commit: str, new: str, edited: tuple[str, ...]) -> Observation:
    holds = says(read_files(ctx, commit), new)
    named = ", ".join(path for path in edited if path != CHANGELOG)
    seen, reason = (Seen.PASSED, "") if holds else (Seen.FAILED, f"not every version file says {new}")
    return Observation("version", f"autopilot reads the version in {named}", commit, seen, reason=reason)


def _kept(ctx: StepContext, because: str) -> Result:
    return Result(StepStatus.KEPT, (VersionKept(ctx.phase.id, because),), because)
