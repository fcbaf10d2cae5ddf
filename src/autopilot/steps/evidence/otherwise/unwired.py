"""Unwired work: programs that the roadmap names, started to see which files they load (layer H)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from autopilot.gates.evidence.otherwise.unwired import judge_unwired
from autopilot.inspection.control.behind import simple_commands
from autopilot.inspection.wiring.called import has_crashed
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.planning.criterion import Expectation, Strength
from autopilot.planning.examples.commands import program_of
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.users_tests import promised_text
from autopilot.steps.evidence.work import Work
from autopilot.steps.observing.observing import Check, observe
from autopilot.steps.observing.texts import files_opened, text_at
from autopilot.text.masking import is_masked

MOST_COMMANDS = 4
_CODE = re.compile(r"`([^`\n]{3,200})`")
_WORD = re.compile(r"[a-z][a-z_-]{2,30}")
# What stands for something that the reader is to fill in.
_PLACEHOLDER = re.compile(r"<[\w -]{1,40}>|\[[\w .…-]{1,40}\]|…|\.\.\.")


def run_unwired(ctx: StepContext, work: Work) -> Proving:
    """No run where the program itself has the word, or where it changed."""
    if not ctx.policy.evidence.held_out:
        return Proving()
    read, proving = text_at(ctx, work.new), Proving()
    changed = [c.path for c in work.changes if c.status != "D" and is_masked(c.path) and work.is_product(c.path)]
    texts = {path: read(path) or "" for path in changed}
    for number, (command, word) in enumerate(list(_asked(ctx, work, changed))[:MOST_COMMANDS], 1):
        subject = probe_subject(ProbeKind.INPUT, f"program {number}")
        check = Check(subject, command, Expectation(), Strength.COMMAND, ctx.policy.timeouts.criterion)
        (seen,) = observe(ctx, work.new, [check])
        loaded = {path: read(path) or "" for path in files_opened(ctx, seen)} if seen.seen is not Seen.NOTHING else {}
        crashed = has_crashed(ctx.ports.blobs.get(seen.output).decode("utf-8", "replace")) if seen.output else False
        objections = judge_unwired(work.subject, command, word, loaded, texts, crashed=crashed)
        if seen.seen is Seen.FAILED and not objections:  # how it ends when it is called so was no question
            seen = replace(seen, seen=Seen.PASSED)
        proving += Proving((seen,), objections)
    return proving


def _asked(ctx: StepContext, work: Work, changed: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Commands of the goal and the criteria, with the word behind the program."""
    paths = frozenset(ctx.ports.vault.list(work.new))
    read = text_at(ctx, work.new)
    for span in dict.fromkeys(_CODE.findall(promised_text(ctx))):
        command = _PLACEHOLDER.sub("", span).strip()
        program = program_of(command, paths.__contains__)
        word = _word_behind(command, program) if program and program not in changed else ""
        if word and word not in (read(program) or ""):
            yield command, word


def _word_behind(command: str, program: str) -> str:
    for arguments, _ in simple_commands(command):
        for place, argument in enumerate(arguments):
            named = (
                argument.removeprefix("./").replace(".", "/") if "/" not in argument else argument.removeprefix("./")
            )
            if argument.removeprefix("./") == program or f"/{program}".endswith(
                (f"/{named}.py", f"/{named}/__main__.py")
            ):
                word = arguments[place + 1] if place + 1 < len(arguments) else ""
                return word if _WORD.fullmatch(word) else ""
    return ""
