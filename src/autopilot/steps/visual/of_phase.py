"""Looks at the interface of a phase at its last commit, against its baseline or the tree before the work."""

from __future__ import annotations

from pathlib import PurePosixPath

from msgspec.structs import replace

from autopilot.events.criteria import criteria_of
from autopilot.gates.decision import may_debug
from autopilot.gates.visual import object_to_look
from autopilot.inspection.visual.baseline import PATH, Pins, parse_pins
from autopilot.model.errors import UsageError
from autopilot.model.evidence.objection import Objection
from autopilot.model.evidence.observation import Seen
from autopilot.model.planning.phase_type import PhaseType
from autopilot.model.visual.check import VisualCheck
from autopilot.model.visual.finding import Finding
from autopilot.model.visual.subject import VisualTesting
from autopilot.planning.roadmap.phase_type import facets
from autopilot.ports.eyes import Eyes
from autopilot.ports.sandbox import Outcome
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.evaluation import Evaluation
from autopilot.steps.observing.observing import spell_check
from autopilot.steps.observing.setups import describe_failed_setup, find_dependencies
from autopilot.steps.visual.comparing import compare_with, list_lost, pin_all
from autopilot.steps.visual.looking import look_at

NO_EYES = "there is nothing to look with"


def look_at_phase(ctx: StepContext, evaluation: Evaluation) -> tuple[VisualCheck | None, tuple[Objection, ...]]:
    """Work that is refused already is not looked at: what its tests say comes first, and looking takes long."""
    subject = _subject_of(ctx)
    failed = any(seen.seen is not Seen.PASSED and not seen.is_excused for seen in evaluation.observations)
    if subject is None or failed or evaluation.proving.is_refused:
        return None, ()
    check = _check(ctx, ctx.ports.eyes, subject) if ctx.ports.eyes else VisualCheck(ctx.tip, problem=NO_EYES)
    can_debug = may_debug(ctx.phase.other_chances, ctx.policy) and ctx.phase.deferral is None
    return _for_record(ctx, check), tuple(object_to_look(_for_record(ctx, check), can_debug=can_debug))


def _subject_of(ctx: StepContext) -> VisualTesting | None:
    """Where the repository or the call wants it, and the phase touches what is to be seen."""
    subject = ctx.policy.interface.visual
    if subject is None or not (subject.enabled or ctx.state.inputs.intent.visual):
        return None
    changed = [change.path for change in ctx.ports.vault.changes(ctx.phase.line.base, ctx.tip)]
    is_ui = PhaseType.UI in facets(changed, ctx.policy.interface.source_dir, ctx.policy.interface.extensions)
    has_terminal = any(route.command for route in subject.routes)
    is_asked = any(criterion.visual for criterion in criteria_of(ctx.phase))
    return subject if is_ui or is_asked or has_terminal else None


def _check(ctx: StepContext, eyes: Eyes, subject: VisualTesting) -> VisualCheck:
    looked = _look(ctx, eyes, subject, ctx.tip)
    pins = _pins(ctx, eyes)
    if pins is not None and not looked.problem:
        return compare_with(eyes.pictures, looked, pins, subject)
    before = _look(ctx, eyes, subject, ctx.phase.line.base)
    if looked.problem:
        return replace(looked, is_broken=not before.problem and eyes.probe().usable)
    return compare_with(eyes.pictures, looked, pin_all(eyes.pictures, before), subject)


def _pins(ctx: StepContext, eyes: Eyes) -> Pins | None:
    """Of the tree before the work, so that no agent accepts what it made; None where they cannot be used here."""
    try:
        pins = parse_pins(ctx.ports.vault.read(ctx.phase.line.base, PATH))
    except UsageError:
        return None
    return pins if pins.shots and not list_lost(eyes.pictures, pins) else None


def _look(ctx: StepContext, eyes: Eyes, subject: VisualTesting, commit: str) -> VisualCheck:
    backing = PurePosixPath(ctx.ports.workspaces.export(commit))
    layer = find_dependencies(ctx, backing)
    if isinstance(layer, Outcome):
        return VisualCheck(commit, problem=describe_failed_setup(ctx, layer))
    return look_at(eyes, spell_check(ctx, backing, layer, ""), subject, commit)


def _for_record(ctx: StepContext, check: VisualCheck) -> VisualCheck:
    """Without the facts, which are long, and without secrets: what a page prints may be one."""
    clean = ctx.ports.blobs.clean

    def cleaned(finding: Finding) -> Finding:
        return replace(finding, text=clean(finding.text), where=clean(finding.where))

    return replace(check, seen=(), findings=tuple(map(cleaned, check.findings)), problem=clean(check.problem))
