"""Packaged: new files that tests found in the repository, looked for in the package that users get (layer H)."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.gates.evidence.otherwise.packaged import judge_packaged
from autopilot.inspection.packaging.package import Package, find_left_out, read_packages
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.base import opened_before
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work
from autopilot.steps.observing.texts import files_opened, text_at
from autopilot.text.file_kind import is_ours, is_test
from autopilot.text.masking import mask

MOST_CODE = 400


def find_unpackaged(ctx: StepContext, work: Work, after: Sequence[Observation]) -> Proving:
    """Nothing is run: which files were opened is known from the runs that were green."""
    came = {c.path for c in work.changes if c.status == "A" and work.is_product(c.path) and not is_test(c.path)}
    if not came or not ctx.policy.evidence.held_out:
        return Proving()
    read, paths = text_at(ctx, work.new), frozenset(ctx.ports.vault.list(work.new))
    opened = {path for seen in after if seen.seen is Seen.PASSED for path in files_opened(ctx, seen)}
    needed, proving = came & opened, Proving()
    for package in read_packages(read, paths) if needed else ():
        code = _code(ctx, work.new, package, paths)
        missing = find_left_out(package, needed, code)
        was = find_left_out(package, opened_before(ctx), _code(ctx, work.old, package, paths)) if missing else {}
        proving += Proving(objections=judge_packaged(work.subject, package.manifest, missing, certain=not was))
    return proving


def _code(ctx: StepContext, commit: str, package: Package, paths: frozenset[str]) -> dict[str, str]:
    """The code that the package holds, without its comments."""
    read = text_at(ctx, commit)
    held = [
        path
        for path in sorted(paths)
        if path.endswith(package.suffixes) and not (is_test(path) or is_ours(path)) and package.holds(path) is not False
    ]
    return {path: mask(path, read(path) or "", strings=False) for path in held[:MOST_CODE]}
