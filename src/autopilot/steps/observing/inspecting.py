"""Inspecting a change without running it: what its type demands (TYPE), and whether what is new is wired in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from autopilot.events.criteria import criteria_of
from autopilot.gates.integrity import CROSS_REFERENCE, VALIDITY
from autopilot.inspection.types.references import known_paths
from autopilot.inspection.types.type_checks import TypeCheck, check_files, new_findings
from autopilot.inspection.wiring.standalone import is_standalone, says_why
from autopilot.inspection.wiring.wiring import orphans, words_of
from autopilot.model.errors import CapReached, Unavailable
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import WIRING
from autopilot.model.git import Change
from autopilot.planning.roadmap.phase_type import classify
from autopilot.repomap.linking import MOST_LINKED, link
from autopilot.steps.context import StepContext
from autopilot.steps.observing.observing import script_path
from autopilot.text.file_kind import is_ours, is_protocol

LARGEST_TEXT = 400_000
MOST_PROTOCOLS = 300
FEW_FILES = 300  # that are searched sooner than a process is started to parse what is new in them
# Which inspections satisfy which demand of a phase's type.
DEMANDS = {CROSS_REFERENCE: ("cross-references", "json-blocks", "contracts"), VALIDITY: ("data-parses", "data-schema")}


def inspect_change(ctx: StepContext, commit: str) -> tuple[Observation, ...]:
    """One observation for each demand, made even where no file had to be inspected, and one for the wiring."""
    changes = _changes(ctx, commit)
    changed = [c.path for c in changes]
    before, after = _check(ctx, ctx.phase.line.base, changed), _check(ctx, commit, changed)
    demanded = [_observation(commit, subject, names, before, after) for subject, names in DEMANDS.items()]
    return (*demanded, _wiring(ctx, commit, [c.path for c in changes if c.status == "A"]))


def seen_type(ctx: StepContext, commit: str) -> str:
    """The phase's type by what it really changed; "" while it changed nothing."""
    changed = [change.path for change in _changes(ctx, commit)]
    return classify(changed, ctx.policy.interface.source_dir, ctx.policy.interface.extensions).value if changed else ""


def _changes(ctx: StepContext, commit: str) -> list[Change]:
    return [change for change in ctx.ports.vault.changes(ctx.phase.line.base, commit) if not is_ours(change.path)]


def _check(ctx: StepContext, commit: str, changed: Sequence[str]) -> tuple[TypeCheck, ...]:
    """What changed, and every protocol: one that did not change may name a file that is gone, or be a contract's
    other side."""
    paths = ctx.ports.vault.list(commit)
    protocols = [path for path in paths if is_protocol(path) and not is_ours(path)][:MOST_PROTOCOLS]
    wanted = dict.fromkeys((*changed, *protocols))
    files = {path: text for path in wanted if (text := _text(ctx, commit, path)) is not None}
    return check_files(files, known_paths(paths), lambda path: _text(ctx, commit, path))


def _text(ctx: StepContext, commit: str, path: str) -> str | None:
    content = ctx.ports.vault.read(commit, path)
    return content.decode("utf-8", "replace") if content is not None and len(content) <= LARGEST_TEXT else None


def _observation(
    commit: str, subject: str, names: tuple[str, ...], before: tuple[TypeCheck, ...], after: tuple[TypeCheck, ...]
) -> Observation:
    def found(checks: tuple[TypeCheck, ...]) -> list[str]:
        return [finding for check in checks if check.name in names for finding in check.checked.findings]

    fresh = new_findings(found(before), found(after))
    checks = [check for check in after if check.name in names]
    return Observation(
        subject=subject,
        command=f"autopilot searches for {', '.join(names)}",
        commit=commit,
        seen=Seen.FAILED if fresh else Seen.PASSED,
        excerpt="; ".join(str(check) for check in checks)[:200] or "no changed file requires it",
        reason="; ".join(fresh[:5]),
    )


def find_unwired(ctx: StepContext, commit: str) -> tuple[str, ...]:
    """New source files that nothing refers to, no check of the phase names, and that do not say why."""
    added = [change.path for change in _changes(ctx, commit) if change.status == "A"]
    candidates = [path for path in added if not is_standalone(path, _text(ctx, commit, path) or "")]
    loose = _loose(ctx, commit, candidates)
    if not loose:
        return ()
    checks = words_of("\n".join(_checks(ctx, commit)))
    return tuple(
        path
        for path in loose
        if not says_why(_text(ctx, commit, path) or "") and PurePosixPath(path).stem not in checks
    )


def _checks(ctx: StepContext, commit: str) -> Iterator[str]:
    """Commands and test scripts of the phase: what they name is used by them."""
    yield from (criterion.command for criterion in (*criteria_of(ctx.phase), *ctx.phase.plan.held_out))
    yield from (command for _, command in ctx.policy.commands.checks())
    for state in ctx.phase.planned:
        yield _text(ctx, commit, script_path(ctx.phase.brief.folder, state.task.id)) or ""


def _wiring(ctx: StepContext, commit: str, added: list[str]) -> Observation:
    """A concern for reviewers, not a verdict: a file may be used by name only at run time."""
    loose = _loose(ctx, commit, added)
    seen = Seen.FAILED if loose else Seen.PASSED
    return Observation(WIRING, "autopilot searches for references to new files", commit, seen, reason="; ".join(loose))


def _loose(ctx: StepContext, commit: str, added: Sequence[str]) -> Sequence[str]:
    """Those that no text names and, by the map, no other file uses. The cheaper question comes first."""
    if not added:
        return ()
    if len(ctx.ports.vault.list(commit)) <= FEW_FILES:
        return _without_imported(ctx, commit, orphans(added, _texts(ctx, commit)))
    asked = _without_imported(ctx, commit, added)
    return orphans(asked, _texts(ctx, commit)) if asked else ()


def _without_imported(ctx: StepContext, commit: str, added: Sequence[str]) -> Sequence[str]:
    """Those that by the map no other file imports or calls; all where there is no map: texts are searched then."""
    if not added or not ctx.policy.map_tokens:
        return added
    try:
        files = ctx.ports.maps.load(commit, MOST_LINKED).files
    except (Unavailable, CapReached):
        return added
    if len(files) > MOST_LINKED:
        return added
    links = link(files)
    pairs = [(edge.path, target) for edge in links.imports for target in edge.targets]
    pairs += [(edge.path, edge.target) for edge in links.calls if edge.is_certain]
    used = {target for path, target in pairs if path != target and not is_ours(path)}
    return [path for path in added if path not in used]


def _texts(ctx: StepContext, commit: str) -> dict[str, str]:
    """Every text of the checkout that is not too large. Links are not followed: they may lead anywhere."""
    root = ctx.ports.workspaces.export(commit)
    texts = {}
    for name in ctx.ports.vault.list(commit):
        path = root / name
        if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST_TEXT:
            continue
        content = path.read_bytes()
        if b"\0" not in content[:8000]:
            texts[name] = content.decode("utf-8", "replace")
    return texts
