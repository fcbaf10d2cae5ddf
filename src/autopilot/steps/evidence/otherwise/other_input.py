"""Other inputs: a criterion that is one example, asked with values that are written down nowhere (layer H)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from msgspec.structs import replace

from autopilot.events.criteria import criteria_of
from autopilot.gates.evidence.otherwise.other_input import (
    DataReply,
    Replies,
    Reply,
    is_looked_up,
    judge_less_data,
    judge_other_data,
    judge_replies,
)
from autopilot.inspection.control.changes import control_kind
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.planning.criterion import Criterion, Expectation
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work, commit_with, observe_work
from autopilot.steps.observing.observing import Check, list_criterion_checks, observe_made
from autopilot.steps.observing.texts import files_opened, text_at
from autopilot.testtools.expectations.site import Draw
from autopilot.testtools.questions.own_words import own_words
from autopilot.testtools.questions.question import Question, read_question
from autopilot.testtools.questions.value import Value
from autopilot.testtools.questions.variation import exchanged, longer, variations
from autopilot.text.file_kind import is_ours
from autopilot.text.other_words import other_words
from autopilot.text.python_tree import docstring_lines
from autopilot.text.shell import only_looks, runs_program

MOST_CRITERIA = 6
MOST_DATA = 5
MOST_VALUES = 4
AT_ONCE = 3  # asked before it is looked whether that was enough
LEAST_ASKED, MOST_ASKED, PATIENCE_MS = 4, 12, 30_000
MOST_DATA_FILES, LONGEST_DATA = 40, 100_000
DATA = (".txt", ".log", ".csv", ".tsv", ".json", ".xml", ".yaml", ".yml", ".ini", ".in", ".dat", ".md", ".toml")


def run_other_inputs(
    ctx: StepContext, work: Work, criteria: Sequence[Criterion], after: Sequence[Observation]
) -> Proving:
    """Of criteria that run no test: their own command is all that is known of the work."""
    if not ctx.policy.evidence.held_out:
        return Proving()
    seen = {observation.subject: observation for observation in after}
    asking = [c for c in criteria if c.is_new and not _only_searches(c.command)]
    alone = [c for c in asking if (green := seen.get(c.id)) and green.seen is Seen.PASSED]
    proving = Proving()
    for criterion in [c for c in alone if seen[c.id].tests is None][:MOST_CRITERIA]:
        proving += _ask(ctx, work, criterion, seen[criterion.id])
        proving += _ask_with_other_data(ctx, work, criterion, seen[criterion.id])
    return proving


def _only_searches(command: str) -> bool:
    """A search in a file asks no product: the file that it names is the work, and not data that the work is given."""
    return only_looks(command) and not runs_program(command)


def _ask(ctx: StepContext, work: Work, criterion: Criterion, green: Observation) -> Proving:
    paths = frozenset(ctx.ports.vault.list(work.evidence))
    question = read_question(criterion.command, paths.__contains__)
    if not question.values:
        return _ask_with_less(ctx, work, criterion, green)
    (check,) = list_criterion_checks(ctx, [criterion])
    probe = replace(check, subject=probe_subject(ProbeKind.INPUT, criterion.id), command=question.command)
    probes: tuple[Observation, ...] = ()
    if question.command != criterion.command:  # what it answers to the example was compared, and not shown
        probes = observe_work(ctx, work, [probe])
        green = probes[0]
    added = added_lines(ctx, work)
    replies = Replies(_reply(ctx, question.values[0], question.values[0].text, green))
    asked = exchanged(question.values) if replies.found_nothing else []
    lists = longer(question.command, question.values) if replies.is_number and not replies.found_nothing else []
    counts = {text for _, text in lists}
    asked = [*lists, *asked, *_variations(ctx, work, criterion, question, added)][: _most(green)]
    for start in range(0, len(asked), AT_ONCE):
        batch = asked[start : start + AT_ONCE]
        checks = [replace(probe, command=value.put(question.command, text)) for value, text in batch]
        seen = observe_work(ctx, work, checks)
        probes += seen
        others = tuple(_reply(ctx, value, text, reply) for (value, text), reply in zip(batch, seen, strict=True))
        replies = replace(replies, others=replies.others + tuple(r for r in others if r.given not in counts))
        if any(replies.is_one_more(reply) for reply in others if reply.given in counts):
            return Proving(probes)  # it counts what it is given, which other values in the same places do not change
        if replies.depend or any(observation.seen is Seen.NOTHING for observation in seen):
            break
    data = list(_data_read(ctx, work, green))
    looked_up = any(is_looked_up(value.text, replies.example.printed, data) for value in question.values)
    judged = judge_replies(criterion, replies, added, tested=bool(work.tests), looked_up=looked_up)
    return Proving(probes, judged)


def _data_read(ctx: StepContext, work: Work, green: Observation) -> Iterator[str]:
    """Data that the command read and that are no part of the work; a manifest is read by the tool, not by the work."""
    changed = {change.path for change in work.changes}
    read, opened = text_at(ctx, work.evidence), files_opened(ctx, green)
    data = [path for path in opened if path.endswith(DATA) and path not in changed and not control_kind(path)]
    yield from (read(path) or "" for path in data)


def _most(green: Observation) -> int:
    """A product that takes long to start is asked less often."""
    return max(LEAST_ASKED, min(MOST_ASKED, PATIENCE_MS // max(green.duration_ms, 1)))


def _variations(
    ctx: StepContext, work: Work, criterion: Criterion, question: Question, added: Mapping[str, Sequence[str]]
) -> list[tuple[Value, str]]:
    """Of every value in turn, first those whose result is what is asked for."""
    draw = Draw(f"{work.new} {criterion.id}")
    commands = [c.command for c in criteria_of(ctx.phase) if c.command]
    values = sorted(question.values, key=lambda value: (value.is_name, not value.is_direct))[:MOST_VALUES]
    own = own_words(
        added, data_naming(ctx, work, [value.text for value in values]), [*commands, criterion.command], draw
    )
    columns = [[(value, text) for text in variations(value, draw, own)] for value in values]
    return [pair for row in zip_longest(*columns) for pair in row if pair]


def _reply(ctx: StepContext, value: Value, given: str, seen: Observation) -> Reply:
    printed = ctx.ports.blobs.get(seen.output).decode("utf-8", "replace") if seen.output else ""
    return Reply(value, given, seen, printed)


def data_naming(ctx: StepContext, work: Work, values: Sequence[str]) -> list[str]:
    """Data files that name what is asked for: they may name what else can be asked for."""
    paths = [path for path in ctx.ports.vault.list(work.evidence) if path.endswith(DATA) and not is_ours(path)]
    contents = (ctx.ports.vault.read(work.evidence, path) or b"" for path in paths[:MOST_DATA_FILES])
    tables = [content.decode("utf-8", "replace") for content in contents if len(content) <= LONGEST_DATA]
    return [table for table in tables if any(value in table for value in values)]


def _ask_with_less(ctx: StepContext, work: Work, criterion: Criterion, green: Observation) -> Proving:
    halved = _halved_data(ctx, work, criterion.command)
    if not halved:
        return Proving()
    probe, probes = _shown(ctx, work, criterion)
    (other,) = observe_made(ctx, commit_with(ctx, work.evidence, halved), work.evidence, [probe])
    asked = f"{probe.command} (with less in {', '.join(halved)})"
    judged = judge_less_data(criterion, (*probes, green)[0], other, asked, added_lines(ctx, work))
    return Proving((*probes, other), judged)


def _ask_with_other_data(ctx: StepContext, work: Work, criterion: Criterion, green: Observation) -> Proving:
    data = _named_data(ctx, work, criterion.command)
    if not data:
        return Proving()
    other = {path: other_words(content) for path, content in data.items()}
    probe, probes = _shown(ctx, work, criterion)
    (seen,) = observe_made(ctx, commit_with(ctx, work.evidence, other), work.evidence, [probe])
    printed = ctx.ports.blobs.get(seen.output).decode("utf-8", "replace") if seen.output else ""
    old, new = (b"\n".join(texts.values()).decode("utf-8", "replace") for texts in (data, other))
    asked = f"{probe.command} (with other data in {', '.join(data)})"
    judged = judge_other_data(criterion, (*probes, green)[0], DataReply(seen, printed, old, new), asked)
    return Proving((*probes, seen), judged)


def _shown(ctx: StepContext, work: Work, criterion: Criterion) -> tuple[Check, tuple[Observation, ...]]:
    """Its question alone, and the answer, where the command compares it and does not show it."""
    paths = frozenset(ctx.ports.vault.list(work.evidence))
    question = read_question(criterion.command, paths.__contains__)
    (check,) = list_criterion_checks(ctx, [criterion])
    probe = replace(check, subject=probe_subject(ProbeKind.INPUT, criterion.id))
    if question.command == criterion.command:
        return probe, ()
    probe = replace(probe, command=question.command, expectation=Expectation())
    return probe, observe_work(ctx, work, [probe])


def _halved_data(ctx: StepContext, work: Work, command: str) -> dict[str, bytes]:
    """Each without the second half of its lines."""
    return {path: _half(content) for path, content in _named_data(ctx, work, command).items()}


def _named_data(ctx: StepContext, work: Work, command: str) -> dict[str, bytes]:
    """Files of data that the command names, or the recipe it calls.

    Only files of the user: what the work itself brought may be its answer.
    """
    vault, recipes = ctx.ports.vault, [path for path in ("Makefile", "makefile", "justfile") if "make" in command]
    texts = [
        command,
        *(content.decode("utf-8", "replace") for path in recipes if (content := vault.read(work.old, path))),
    ]
    named = [path for path in vault.list(work.old) if path.endswith(DATA) and any(text.count(path) for text in texts)]
    contents = {path: vault.read(work.old, path) or b"" for path in named[:MOST_DATA]}
    return {path: content for path, content in contents.items() if len(content) > 1}


def _half(content: bytes) -> bytes:
    lines = content.splitlines(keepends=True)
    return b"".join(lines[: len(lines) // 2]) if len(lines) > 1 else content[: len(content) // 2]


def added_lines(ctx: StepContext, work: Work) -> dict[str, list[str]]:
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
