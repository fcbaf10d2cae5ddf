"""Pinning what a run is about: the commit it starts from holds its inputs as they stand in the checkout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from autopilot.engine.inputs import Survey, survey
from autopilot.engine.past import Past
from autopilot.engine.planning_files import CONFIG
from autopilot.model.errors import UsageError
from autopilot.model.git import CheckoutFacts
from autopilot.model.policy import Policy
from autopilot.model.run import RunRequest, SpecLock
from autopilot.planning.choosing.selection import skipped_lines
from autopilot.planning.formats.locking import fingerprint
from autopilot.planning.roadmap.standing.position import STATE
from autopilot.ports.bundle import Ports
from autopilot.steps.asking.agent_check import find_agents
from autopilot.steps.authoring import AUTHOR

MAX_PINNED_BYTES = 4 * 1024 * 1024
SUBJECT = "docs: planning files as they stood when the run began"


class Inputs(Struct, frozen=True):
    survey: Survey
    spec: SpecLock
    base: str
    pinned: tuple[str, ...]
    agents: tuple[str, ...]
    warnings: tuple[str, ...]


def pin_inputs(request: RunRequest, policy: Policy, past: Past, ports: Ports) -> Inputs:
    """Everything is read and checked before anything is made."""
    checkout = ports.checkout
    seen = survey(request, policy, past, checkout)
    available = find_agents(seen.policy, ports.agents)
    must_be_pinnable(seen.facts, seen.policy, ports)
    committed = seen.policy.commit_docs
    folders = [brief.folder for brief in seen.phases] if committed else [".planning"]
    planning = seen.planned.files.paths or (seen.roadmap.path,)
    base, pinned = pin_files(seen.facts, (*planning, STATE, seen.spec, CONFIG), folders, SUBJECT, ports)
    warnings = [*seen.warnings, *skipped_lines(seen.skipped), *available.warnings]
    if pinned and committed:
        warnings.append(
            f"these files are not committed, and the run uses them as they are now: {', '.join(pinned[:4])}"
        )
    lock = SpecLock(seen.spec, "", tuple(path for path in seen.frozen if path != seen.spec))
    lock = replace(lock, sha256=fingerprint(lock, seen.planned.files.format, checkout.read))
    return Inputs(seen, lock, base, pinned, available.agents, tuple(warnings))


def pin_files(
    facts: CheckoutFacts,
    files: Sequence[str],
    folders: Sequence[str],
    subject: str,
    ports: Ports,
    made: Mapping[str, bytes] | None = None,
) -> tuple[str, tuple[str, ...]]:
    """The commit the run starts from: HEAD, with what this run reads as it is in the checkout, and with what is
    ``made`` where neither has it."""
    vault, checkout = ports.vault, ports.checkout
    _records_must_stay_out(facts, ports)
    edits: dict[str, bytes | None] = {}
    for path in (*files, *(path for folder in folders for path in checkout.list(folder))):
        content = checkout.read(path)
        if content is None or _left_out(path, content) or vault.read(facts.head, path) == content:
            continue
        edits[path] = content
    for path, text in (made or {}).items():
        if path not in edits and vault.read(facts.head, path) is None:
            edits[path] = text
    if not edits:
        return facts.head, ()
    tree = vault.edit_tree(facts.head, edits)
    return vault.commit(tree, [facts.head], subject, ports.clock.now(), AUTHOR), tuple(sorted(edits))


def must_be_pinnable(facts: CheckoutFacts, policy: Policy, ports: Ports) -> None:
    """UsageError for what is committed and must not be, or is not ignored and must be."""
    _records_must_stay_out(facts, ports)
    if not policy.commit_docs:
        _documents_must_stay_out(facts, ports)


def _records_must_stay_out(facts: CheckoutFacts, ports: Ports) -> None:
    vault = ports.vault
    vault.adopt(facts.head)
    if vault.list(facts.head, ".autopilot") or vault.read(facts.head, ".autopilot") is not None:
        raise UsageError(
            ".autopilot is committed in this repository, and Autopilot writes the context files of agents there",
            "remove it from git and commit: `git rm -r --cached .autopilot`",
        )


def _documents_must_stay_out(facts: CheckoutFacts, ports: Ports) -> None:
    if ports.vault.list(facts.head, ".planning"):
        hint = "remove it from git and commit: `git rm -r --cached .planning`"
        raise UsageError("planning.commit_docs is false, yet some of .planning is committed", hint)
    if not facts.planning_ignored:
        raise UsageError("planning.commit_docs is false, but git does not ignore .planning", "ignore it in .gitignore")


def _left_out(path: str, content: bytes) -> bool:
    return PurePosixPath(path).is_relative_to(".planning/screenshots") or len(content) > MAX_PINNED_BYTES
