"""Red checks held against the same checks before the work began, from the output that was kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from autopilot.gates.evidence.red_before import Red, compare_red
from autopilot.model.evidence.likeness import Compared, Likeness
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.policy import CHECKS
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.work import Work

# Of tests their reports tell more: see mark_legacy.
BY_FINDINGS = tuple(name for name in CHECKS if name != "test")
MOST_MOVES = 500


def mark_red_before(
    ctx: StepContext, before: Mapping[str, Observation], after: Sequence[Observation], work: Work | None = None
) -> tuple[Observation, ...]:
    """Every red check that was red before the work says how the two compare."""

    def marked(seen: Observation) -> Observation:
        old = before.get(seen.subject)
        if old is None or not _is_comparable(old, seen):
            return seen
        return replace(seen, compared=_compare(ctx, old, seen, work))

    return tuple(marked(seen) for seen in after)


def _is_comparable(old: Observation, seen: Observation) -> bool:
    if seen.subject not in CHECKS or (old.seen, seen.seen) != (Seen.FAILED, Seen.FAILED) or old.command != seen.command:
        return False
    return seen.subject in BY_FINDINGS or (old.is_not_run and seen.is_not_run)


def _compare(ctx: StepContext, old: Observation, seen: Observation, work: Work | None) -> Compared:
    before, after, project = _red(ctx, old), _red(ctx, seen), str(ctx.project)
    compared = compare_red(before, after, project)
    if compared.likeness is not Likeness.NEW or work is None:
        return compared
    return compare_red(before, after, project, _moves(ctx, work))


def _red(ctx: StepContext, seen: Observation) -> Red:
    output = ctx.ports.blobs.get(seen.output).decode("utf-8", "replace") if seen.output else ""
    return Red(seen.exit_code, output, seen.is_not_run, seen.command)


def _moves(ctx: StepContext, work: Work) -> dict[str, str]:
    """Test files that were recognised elsewhere, and files whose whole content stands under another name now."""
    vault = ctx.ports.vault
    gone = [change.path for change in work.changes if change.status == "D"][:MOST_MOVES]
    came = [change.path for change in work.changes if change.status == "A"][:MOST_MOVES]
    contents = {content: path for path in came if (content := vault.read(work.new, path))} if gone else {}
    moved = {path: contents[content] for path in gone if (content := vault.read(work.old, path)) in contents}
    return {**moved, **dict(work.moves)}
