"""Other inputs: a criterion that is one example, asked once more with another value (layer H)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from autopilot.gates.evidence.other_input import judge_other_input
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.planning.criterion import Criterion
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work, commit_with, observe_work
from autopilot.steps.observing.observing import list_criterion_checks, observe_made
from autopilot.steps.observing.texts import text_at
from autopilot.testtools.commands.other_input import vary_input
from autopilot.testtools.expectations.site import Draw
from autopilot.text.python_tree import docstring_lines

MOST_CRITERIA = 6
MOST_DATA = 5
DATA = (".txt", ".log", ".csv", ".tsv", ".json", ".xml", ".yaml", ".yml", ".ini", ".in", ".dat", ".md", ".toml")


def run_other_inputs(
    ctx: StepContext, work: Work, criteria: Sequence[Criterion], after: Sequence[Observation]
) -> Proving:
    """Of criteria that run no test: their own command is all that is known of the work."""
    if not ctx.policy.evidence.held_out:
        return Proving()
    seen = {observation.subject: observation for observation in after}
    alone = [c for c in criteria if c.is_new and (green := seen.get(c.id)) and green.seen is Seen.PASSED]
    proving = Proving()
    for criterion in [c for c in alone if seen[c.id].tests is None][:MOST_CRITERIA]:
        proving += _ask(ctx, work, criterion, seen[criterion.id])
    return proving


def _ask(ctx: StepContext, work: Work, criterion: Criterion, green: Observation) -> Proving:
    paths = frozenset(ctx.ports.vault.list(work.evidence))
    command = vary_input(criterion.command, Draw(f"{work.new} {criterion.id}"), paths.__contains__)
    (check,) = list_criterion_checks(ctx, [criterion])
    probe = replace(check, subject=probe_subject(ProbeKind.INPUT, criterion.id), command=command or check.command)
    if command:
        (other,) = observe_work(ctx, work, [probe])
        return Proving((other,), judge_other_input(criterion, green, other, command, _added(ctx, work)))
    halved = _halved_data(ctx, work, criterion.command)
    if not halved:
        return Proving()
    (other,) = observe_made(ctx, commit_with(ctx, work.evidence, halved), work.evidence, [probe])
    asked = f"{check.command} (with less in {', '.join(halved)})"
    return Proving((other,), judge_other_input(criterion, green, other, asked, _added(ctx, work)))


def _halved_data(ctx: StepContext, work: Work, command: str) -> dict[str, bytes]:
    """Files of data that the command names, or the recipe it calls, each without the second half of its lines.

    Only files of the user: what the work itself brought may be its answer.
    """
    vault, recipes = ctx.ports.vault, [path for path in ("Makefile", "makefile", "justfile") if "make" in command]
    texts = [
        command,
        *(content.decode("utf-8", "replace") for path in recipes if (content := vault.read(work.old, path))),
    ]
    named = [path for path in vault.list(work.old) if path.endswith(DATA) and any(text.count(path) for text in texts)]
    contents = {path: vault.read(work.old, path) or b"" for path in named[:MOST_DATA]}
    return {path: _half(content) for path, content in contents.items() if len(content) > 1}


def _half(content: bytes) -> bytes:
    lines = content.splitlines(keepends=True)
    return b"".join(lines[: len(lines) // 2]) if len(lines) > 1 else content[: len(content) // 2]


def _added(ctx: StepContext, work: Work) -> dict[str, list[str]]:
    before, after = text_at(ctx, work.old), text_at(ctx, work.new)
    added: dict[str, list[str]] = {}
    for change in work.changes:
        if not work.is_evidence(change.path):
            known, text = set((before(change.path) or "").splitlines()), after(change.path) or ""
            # An example in a docstring documents the answer and computes nothing.
            documented = docstring_lines(text) if change.path.endswith(".py") else frozenset()
            lines = enumerate(text.splitlines(), start=1)
            added[change.path] = [line for number, line in lines if line not in known and number not in documented]
    return added
