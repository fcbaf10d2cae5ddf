"""Outside: the functions of tests called by us, without and with the signs of a test tool (layer H)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from autopilot.gates.evidence.outside import (
    judge_accepting,
    judge_outside,
    judge_replaced,
    judge_unbuilt,
    judge_unequal,
    judge_unreached,
    judge_unrun,
)
from autopilot.model.evidence.objection import Objection
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.evidence.testing import Ended
from autopilot.model.planning.criterion import Expectation, Strength
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.at_stake import files_at_stake
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work, commit_with, observe_work
from autopilot.steps.observing.observing import Check, observe_made
from autopilot.steps.observing.test_reports import report_of
from autopilot.steps.observing.texts import text_at
from autopilot.testtools.outside.go_outside import prepare_go
from autopilot.testtools.outside.outside import (
    Outside,
    read_outside,
    spell_bats_outside,
    spell_outside,
    spell_script_outside,
)
from autopilot.testtools.outside.prepared import Prepared
from autopilot.testtools.outside.rust_outside import prepare_rust
from autopilot.text.file_kind import suffix_of
from autopilot.text.python_tree import PLAIN, equality_of

MOST_FILES = 30
MOST_SCRIPTS = 300


class Asked(Struct, frozen=True):
    """Tests that passed, all of one language."""

    ctx: StepContext
    work: Work
    files: Sequence[str]

    def as_python(self, *, signs: bool) -> Prepared | None:
        return Prepared(spell_outside(self.files, signs=signs))

    def as_script(self, *, signs: bool) -> Prepared | None:
        return Prepared(spell_script_outside(self.files, signs=signs))

    def as_bats(self, *, signs: bool) -> Prepared | None:
        beside = _speaking_of_bats(self.ctx, self.work.old)
        return Prepared(spell_bats_outside(self.files, signs=signs, beside=beside))

    def as_go(self, *, signs: bool) -> Prepared | None:
        return prepare_go(self.files, self._paths, self._read, self.work.new, signs=signs)

    def as_rust(self, *, signs: bool) -> Prepared | None:
        changed = [c.path for c in self.work.changes if c.path.endswith(".rs")]
        return prepare_rust(self.files, self._paths, self._read, self.work.new, signs=signs, changed=changed)

    @property
    def _paths(self) -> frozenset[str]:
        return frozenset(self.ctx.ports.vault.list(self.work.evidence))

    def _read(self, path: str) -> bytes | None:
        return self.ctx.ports.vault.read(self.work.evidence, path)


class Language(Struct, frozen=True):
    endings: tuple[str, ...]
    prepare: Callable[..., Prepared | None]
    suffix: str = ""  # tells its observations from those of another language


LANGUAGES = (
    Language((".py",), Asked.as_python),
    Language((".js", ".mjs", ".cjs"), Asked.as_script, " in JavaScript"),
    Language(("_test.go",), Asked.as_go, " in Go"),
    Language((".rs",), Asked.as_rust, " in Rust"),
    Language((".bats",), Asked.as_bats, " in bats"),
)


def run_outside(ctx: StepContext, work: Work, seen: Sequence[Observation]) -> Proving:
    proving = Proving()
    for language in LANGUAGES if ctx.policy.evidence.held_out else ():
        files = files_at_stake(ctx, work, seen, _files(ctx, seen, language.endings))[:MOST_FILES]
        if files:
            proving += _compare(Asked(ctx, work, files), language)
    return proving


def _speaking_of_bats(ctx: StepContext, commit: str) -> list[str]:
    """A project that offers something to bats tests asks for their variables rightly; work that begins to does not."""
    read = text_at(ctx, commit)
    scripts = [path for path in ctx.ports.vault.list(commit) if suffix_of(path) in ("", ".sh", ".bash", ".zsh")]
    return [path for path in scripts[:MOST_SCRIPTS] if "BATS_" in (read(path) or "")]


def _compare(asked: Asked, language: Language) -> Proving:
    """Further runs are needed only where a test failed in the first."""
    subject = asked.work.subject
    plainly, signed = (language.prepare(asked, signs=signs) for signs in (False, True))
    if plainly is None or signed is None:
        return Proving()
    plain, results = _call(asked, plainly, f"without signs{language.suffix}")
    if plain.seen is Seen.NOTHING:
        return Proving((plain,), (judge_unrun(subject, plain.reason),))
    objections = judge_replaced(subject, _by_the_work(asked, results.replaced)) + judge_unbuilt(
        subject, results.unbuilt
    )
    objections += judge_accepting(subject, _by_the_work(asked, results.accepting))
    objections += _judge_equality(asked, results.unequal)
    objections += judge_unreached(subject, [test for test in results.unreached if _is_new(asked, test)])
    if not any(results.tests.values()):
        return Proving((plain,), objections)
    tested, others = _call(asked, signed, f"with signs{language.suffix}")
    if tested.seen is Seen.NOTHING:
        return Proving((plain, tested), (*objections, judge_unrun(subject, tested.reason)))
    if not judge_outside(subject, results.tests, others.tests):
        return Proving((plain, tested), objections)
    # Once more before anything is held against the work: a test may fail by chance.
    second, repeated = _call(asked, plainly, f"without signs{language.suffix}")
    failed = {test: why for test, why in results.tests.items() if why and repeated.tests.get(test)}
    return Proving((plain, tested, second), objections + judge_outside(subject, failed, others.tests))


def _by_the_work(asked: Asked, places: Mapping[str, str]) -> dict[str, str]:
    """Those in files that it changed: what the user had there before is no fault of the work."""
    changed = {change.path for change in asked.work.changes}
    return {name: place for name, place in places.items() if place in changed}


def _is_new(asked: Asked, test: str) -> bool:
    path, _, title = test.partition("::")
    before = text_at(asked.ctx, asked.work.old)(path) or ""
    return f"def {title.rpartition('::')[2]}(" not in before


def _judge_equality(asked: Asked, unequal: Mapping[str, str]) -> tuple[Objection, ...]:
    """Of classes whose equality this work wrote or changed: others are as the user had them."""
    old, new = text_at(asked.ctx, asked.work.old), text_at(asked.ctx, asked.work.new)
    changed, existed = dict[str, str](), set[str]()
    for place, differed in unequal.items():
        path, _, name = place.rpartition("::")
        before, after = (equality_of(read(path) or "", name) for read in (old, new))
        if before != after:
            changed[place] = differed
            existed |= {place} if before and before != PLAIN else set()
    return judge_unequal(asked.work.subject, changed, existed)


def _files(ctx: StepContext, seen: Sequence[Observation], endings: tuple[str, ...]) -> list[str]:
    reports = [report for run in seen if run.seen is Seen.PASSED and (report := report_of(ctx, run))]
    passed = [result.file for report in reports for result in report.results if result.ended is Ended.PASSED]
    return [path for path in dict.fromkeys(passed) if path.endswith(endings)]


def _call(asked: Asked, prepared: Prepared, how: str) -> tuple[Observation, Outside]:
    ctx, work = asked.ctx, asked.work
    subject = probe_subject(ProbeKind.OUTSIDE, how)
    check = Check(subject, prepared.command, Expectation(), Strength.COMMAND, ctx.policy.timeouts.test)
    if prepared.edits:
        (seen,) = observe_made(ctx, commit_with(ctx, work.evidence, prepared.edits), work.evidence, [check])
    else:
        (seen,) = observe_work(ctx, work, [check])
    output = ctx.ports.blobs.get(seen.output).decode("utf-8", "replace") if seen.output else ""
    return seen, read_outside(output)
