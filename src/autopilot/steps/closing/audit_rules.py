"""The auditor reads what the project says about its version: only where code does not understand it."""

from __future__ import annotations

from autopilot.events.closing import VersionAdvised
from autopilot.model.agent import Role, Usage
from autopilot.model.audit import VersionAdvice
from autopilot.model.run import StepStatus
from autopilot.planning.release.rules import RULE_FILES, find_rules, is_quoted, rests_on
from autopilot.planning.release.semver import PARTS, Version, is_later, next_version, parse_version
from autopilot.planning.release.version import (
    Files,
    Trouble,
    Written,
    find_versions,
    part_by_phases,
    read_version_files,
)
from autopilot.planning.spec.audited import completed
from autopilot.steps.asking.asking import BLAMELESS, Question, ask, no_answer
from autopilot.steps.asking.prompt import bullets, render_prompt
from autopilot.steps.context import Result, StepContext, StepRun

ASKED_AT_MOST = 2


def read_rules(ctx: StepContext) -> StepRun:
    """Its word counts only with a sentence of the files to show for it; without one the usual rule holds."""
    current = current_version(ctx)
    assert current is not None, "only a version that can be raised has rules to read"
    problem, spent = "", Usage()
    for nth in range(ASKED_AT_MOST):
        question = Question(Role.AUDITOR, _prompt(ctx, current, problem), "review", {}, nth=nth, spent=spent)
        answer = yield from ask(ctx, question, VersionAdvice)
        if answer.value is None and (nth == 0 or answer.event.ending in BLAMELESS):
            return no_answer(answer)
        if answer.value is None:
            break
        spent = answer.event.usage
        problem = _refuse(ctx, answer.value, current)
        if not problem:
            return Result(StepStatus.ADVISED, (VersionAdvised(ctx.phase.id, answer.value),), answer.value.part)
    return Result(StepStatus.REFUSED, (VersionAdvised(ctx.phase.id, None, problem),), problem)


def read_files(ctx: StepContext, commit: str) -> Files:
    """The version files that are there."""
    vault = ctx.ports.vault

    def read(path: str) -> str | None:
        content = vault.read(commit, path)
        return content.decode("utf-8", "surrogateescape") if content is not None else None

    return read_version_files(read, lambda: vault.list(commit))


def rule_texts(ctx: StepContext) -> list[str]:
    found = (ctx.ports.vault.read(ctx.tip, path) for path in RULE_FILES)
    return [content.decode("utf-8", "replace") for content in found if content is not None]


def rules_of(ctx: StepContext) -> tuple[str, ...]:
    return tuple(dict.fromkeys(rule for text in rule_texts(ctx) for rule in find_rules(text)))


def current_version(ctx: StepContext) -> Version | None:
    written = find_versions(read_files(ctx, ctx.tip))
    return None if isinstance(written, Trouble) else version_in(written)


def version_in(written: tuple[Written, ...]) -> Version:
    version = parse_version(written[0].version)
    assert version is not None, "find_versions gives none other"
    return version


def _refuse(ctx: StepContext, advice: VersionAdvice, current: Version) -> str:
    if advice.part not in (*PARTS, "none", "exact"):
        return f"{advice.part!r} is not a part of a version: use one of {', '.join(PARTS)}, none or exact"
    exact = parse_version(advice.version)
    if advice.part == "exact" and (exact is None or not is_later(exact, current)):
        return f"{advice.version!r} is not a version of three numbers after {current}"
    quoted = " ".join(advice.rule.split())[:100]
    if not is_quoted(advice.rule, rule_texts(ctx)):
        return f"{' and '.join(RULE_FILES)} do not contain: {quoted or 'nothing is quoted'}"
    return "" if rests_on(advice.rule, rules_of(ctx)) else f"the quoted rule does not mention the version: {quoted}"


def _prompt(ctx: StepContext, current: Version, problem: str) -> str:
    part, phase = part_by_phases(phase.id for phase in completed(ctx.state))
    return render_prompt(
        "audit_version",
        phase=phase,
        version=str(current),
        default=str(next_version(current, part)),
        rules=bullets(rules_of(ctx)),
        refused=f"\nYour last answer was refused: {problem}\n" if problem else "",
    )
