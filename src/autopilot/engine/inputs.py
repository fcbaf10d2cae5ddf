"""The inputs of a run: roadmap, spec and config as they stand in the checkout, pinned by hash and commit."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.errors import UsageError
from autopilot.model.git import CheckoutFacts
from autopilot.model.phase_type import PhaseType
from autopilot.model.policy import Policy
from autopilot.model.roadmap import Phase, PhaseId, Roadmap
from autopilot.model.run import PhaseBrief, RunRequest, SpecLock
from autopilot.planning.commands import detect_commands
from autopilot.planning.config import Config, narrow, parse_config
from autopilot.planning.estimate import estimate_run, estimate_tokens, over_cap_warning
from autopilot.planning.plan_files import find_folder
from autopilot.planning.roadmap import read_roadmap
from autopilot.planning.selection import select_phases
from autopilot.planning.spec import choose_spec, spec_hash
from autopilot.ports.bundle import Ports
from autopilot.ports.git import Checkout
from autopilot.reports.files import confidence_path
from autopilot.steps.authoring import AUTHOR
from autopilot.steps.staffing import find_staff

ROADMAPS = (".planning/ROADMAP.md", "ROADMAP.md")
CONFIG = ".planning/config.json"
UNCONFINED = "commands run WITHOUT a sandbox, by your written opt-out"
# What command detection looks at; names that are not there cost one failed open each.
MANIFESTS = (
    *("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "requirements-dev.txt", "uv.lock", "poetry.lock"),
    *("pytest.ini", "tox.ini", "mypy.ini", "ruff.toml", ".ruff.toml", ".flake8"),
    *("package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb", "tsconfig.json"),
    *("Makefile", "makefile", "GNUmakefile"),
)
SOURCES_MINIMUM_S = 120
MAX_PINNED_BYTES = 4 * 1024 * 1024


class Inputs(Struct, frozen=True):
    phases: tuple[PhaseBrief, ...]
    outline: tuple[PhaseBrief, ...]
    roadmap: str
    spec: SpecLock
    policy: Policy
    branch: str
    head: str
    base: str
    pinned: tuple[str, ...]
    proven: tuple[PhaseId, ...]
    ticked: tuple[PhaseId, ...]
    agents: tuple[str, ...]
    warnings: tuple[str, ...]


Named = tuple[PhaseId, str]


def named(phase: Phase | PhaseBrief) -> Named:
    """By number and name: a new milestone may use a number again."""
    return phase.id, " ".join(phase.name.split()).casefold()


class Past(Struct, frozen=True):
    """What earlier runs have to say about the phases of a roadmap."""

    proven: frozenset[Named] = frozenset()  # completed, and in the user's branch
    incomplete: frozenset[Named] = frozenset()  # completed below the threshold, with remediation exhausted
    folders: frozenset[tuple[str, Named]] = frozenset()  # of every phase that was completed

    def taken_from(self, phase: Phase) -> set[str]:
        """Folders of phases that were completed under other names."""
        return {folder for folder, owner in self.folders if owner != named(phase)}


def read_inputs(request: RunRequest, policy: Policy, past: Past, ports: Ports) -> Inputs:
    """Everything is read and checked before anything is made."""
    checkout = ports.checkout
    facts = checkout.facts()
    if facts.refusals:
        raise UsageError(f"a run cannot be made here: {facts.refusals[0]}", "this is not supported yet")
    config = read_config(checkout)
    policy, warnings = settle_policy(policy, config, facts, checkout)
    roadmap = find_roadmap(checkout, policy)
    outline = {phase.id: _brief(phase, checkout, past.taken_from(phase)) for phase in roadmap.phases}
    proven = {brief.id for brief in outline.values() if named(brief) in past.proven}
    selection = select_phases(request.phases, roadmap, proven)
    spec_path = choose_spec(config, lambda path: checkout.read(path) is not None) or roadmap.path
    warnings += [str(c) for c in (*config.complaints, *roadmap.complaints)]
    warnings += [f"phase {phase} is skipped: {reason}" for phase, reason in selection.skipped]
    warnings += _builds_on_incomplete([outline[phase] for phase in selection.phases], outline, past)
    warnings += _estimate_warning(policy, len(selection.phases))
    staff = find_staff(policy, ports.agents)
    warnings += staff.warnings
    folders = [".planning"] if not policy.commit_docs else [outline[phase].folder for phase in selection.phases]
    base, pinned = _pin(facts, (roadmap.path, spec_path, CONFIG), folders, ports)
    if pinned and policy.commit_docs:
        warnings.append(f"not committed, but part of this run as they are now: {', '.join(pinned[:4])}")
    if not policy.commit_docs:
        _documents_must_stay_out(facts, ports)
    return Inputs(
        phases=tuple(outline[phase] for phase in selection.phases),
        outline=tuple(outline.values()),
        roadmap=roadmap.path,
        spec=SpecLock(spec_path, spec_hash(_text(checkout, spec_path))),
        policy=policy,
        branch=facts.branch,
        head=facts.head,
        base=base,
        pinned=pinned,
        proven=tuple(sorted(proven)),
        ticked=tuple(phase.id for phase in roadmap.phases if phase.ticked),
        agents=staff.agents,
        warnings=tuple(warnings),
    )


def _builds_on_incomplete(phases: Sequence[PhaseBrief], outline: Mapping[PhaseId, PhaseBrief], past: Past) -> list[str]:
    """What this run does not touch and an earlier one left incomplete; of its own phases preflight knows."""
    selected = {brief.id for brief in phases}
    return [
        f"phase {brief.id} builds on phase {needed}, which is incomplete: see {confidence_path(needed)}"
        for brief in phases
        for needed in brief.depends_on
        if needed in outline and needed not in selected and named(outline[needed]) in past.incomplete
    ]


def find_roadmap(checkout: Checkout, policy: Policy) -> Roadmap:
    path = next((path for path in ROADMAPS if checkout.read(path) is not None), None)
    if path is None:
        raise UsageError("there is no roadmap: neither .planning/ROADMAP.md nor ROADMAP.md", "autopilot init")
    return read_roadmap(_text(checkout, path), path, policy.commands)


def read_config(checkout: Checkout) -> Config:
    content = checkout.read(CONFIG)
    return parse_config(content.decode("utf-8", "replace"), CONFIG) if content else Config()


def settle_policy(policy: Policy, config: Config, facts: CheckoutFacts, checkout: Checkout) -> tuple[Policy, list[str]]:
    """The user's settings, narrowed by the repository's config, with commands detected where none are written."""
    detected = detect_commands(manifests(checkout))
    policy, complaints = narrow(replace(policy, commands=detected), config)
    policy = replace(policy, commit_docs=policy.commit_docs and not facts.planning_ignored)
    warnings = [str(complaint) for complaint in complaints]
    if not policy.commands.checks():
        warnings.append("no compile, lint, build or test command is known: only the criteria will be run")
    if not policy.confined:
        warnings.append(UNCONFINED)
    if 0 < policy.verifier_min_s < SOURCES_MINIMUM_S:
        warnings.append(f"autopilot.verifier_min_s is {policy.verifier_min_s:g}: the usual minimum is 120")
    return policy, warnings


def _estimate_warning(policy: Policy, count: int) -> list[str]:
    """Before any plan is known every phase counts as a mixed one: enough to see a cap that cannot hold."""
    whole = estimate_run([estimate_tokens((), PhaseType.MIXED)] * count)
    if warning := over_cap_warning(whole, policy.budget.tokens):
        return [f"the whole run: {warning}"]
    return []


def manifests(checkout: Checkout) -> dict[str, str]:
    """Root manifests by content; test folders only by name."""
    files = {path: _text(checkout, path) for path in MANIFESTS if checkout.read(path) is not None}
    for folder in ("tests", "test"):
        files |= dict.fromkeys(checkout.list(folder)[:200], "")
    return files


def _brief(phase: Phase, checkout: Checkout, taken: Collection[str]) -> PhaseBrief:
    folder = find_folder(checkout.list(".planning/phases"), phase, taken)
    return PhaseBrief(
        id=phase.id,
        name=phase.name,
        goal=phase.goal,
        depends_on=phase.depends_on,
        requirements=phase.requirements,
        folder=folder,
        criteria=phase.criteria,
    )


def _pin(
    facts: CheckoutFacts, files: Sequence[str], folders: Sequence[str], ports: Ports
) -> tuple[str, tuple[str, ...]]:
    """The commit the run starts from: HEAD, with what this run reads as it is in the checkout."""
    vault, checkout = ports.vault, ports.checkout
    vault.adopt(facts.head)
    if vault.list(facts.head, ".autopilot") or vault.read(facts.head, ".autopilot") is not None:
        raise UsageError(
            ".autopilot is committed here, and agents find their papers there", "git rm -r --cached .autopilot"
        )
    edits: dict[str, bytes | None] = {}
    for path in (*files, *(path for folder in folders for path in checkout.list(folder))):
        content = checkout.read(path)
        if content is None or _left_out(path, content) or vault.read(facts.head, path) == content:
            continue
        edits[path] = content
    if not edits:
        return facts.head, ()
    tree = vault.edit_tree(facts.head, edits)
    subject = "docs: planning files as they stood when the run began"
    return vault.commit(tree, [facts.head], subject, ports.clock.now(), AUTHOR), tuple(sorted(edits))


def _documents_must_stay_out(facts: CheckoutFacts, ports: Ports) -> None:
    if not facts.planning_ignored:
        raise UsageError("planning.commit_docs is false, but git does not ignore .planning", "ignore it in .gitignore")
    if ports.vault.list(facts.head, ".planning"):
        raise UsageError("git ignores .planning, yet some of it is committed", "git rm -r --cached .planning")


def _left_out(path: str, content: bytes) -> bool:
    return PurePosixPath(path).is_relative_to(".planning/screenshots") or len(content) > MAX_PINNED_BYTES


def _text(checkout: Checkout, path: str) -> str:
    return (checkout.read(path) or b"").decode("utf-8", "replace")
