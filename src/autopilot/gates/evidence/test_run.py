"""A run of tests, judged test by test against the run at the base."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from autopilot.gates.evidence.declared import covers
from autopilot.gates.evidence.kept import Origin, is_called, was_kept
from autopilot.gates.evidence.test_id import (
    around,
    file,
    is_named,
    is_to_be_removed,
    name,
    partners,
    parts,
    settle,
    some,
    with_more_parameters,
)
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.testing import Ended, Grade, TestReport, TestResult

Ends = Mapping[str, frozenset[Ended]]  # how each test ended, by id; a tool may run one more than once

NOT_EXECUTED = frozenset((Ended.SKIPPED, Ended.XFAILED))
_SETUP = re.compile(r"(?:setUp|tearDown)(?:Class|Module)\b")
LINE_NUMBER = re.compile(r"(?:\bline |:)\d+(?::\d+)?\b")


class Excuses(Struct, frozen=True):
    """What the plan allows of that which would be refused otherwise."""

    files: tuple[str, ...] = ()  # test files that tasks declare; folders and globs count
    text: str = ""  # titles, actions and criteria
    still_pass: frozenset[str] = frozenset()  # ids whose pinned version passes at this commit
    added: frozenset[str] = frozenset()  # files that were not there at the base
    deleted: frozenset[str] = frozenset()  # files of the base that are not there any more
    kept: tuple[Origin, ...] = ()  # tests that stand in another file, order or table, the same in meaning
    dropped: frozenset[tuple[str, str]] = frozenset()  # by file and name: tests of what the plan removes


NO_EXCUSES = Excuses()


def judge_tests(
    subject: str,
    before: TestReport | None,
    after: TestReport,
    excuses: Excuses = NO_EXCUSES,
    *,
    must_run: bool = True,
    silent_base: bool = False,
) -> tuple[Objection, ...]:
    """``before`` is None where no tool was called at the base: then every test is new.

    ``silent_base`` says of a command that was there before the work that it left no usable report then either: its
    silence is not caused by the work, and which of its tests were red is not known.
    """
    if after.problem:
        weight = Weight.FLAG if silent_base else Weight.REFUSE
        description = f"no usable report of {after.runner or 'the tests'}: {after.problem}"
        return (
            Objection(Layer.RUN, subject, description, satisfy="make the test tool run to completion", weight=weight),
        )
    if after.grade is Grade.EXIT:
        return ()
    base = before if before is not None and not before.problem else None
    is_blind = silent_base or (base is not None and base.grade is Grade.EXIT)
    run = _Compared(subject, base, after, excuses, is_blind)
    return (*run.nothing_ran(must_run), *run.red(), *run.not_executed(), *run.lost(), *run.left_out(must_run))


def newly_red(before: TestReport | None, after: TestReport) -> tuple[str, ...]:
    """What is red now and was not at the base: test ids, and what could not be loaded."""
    was = _ends(before)
    old = {new: was[old] for old, new in partners(was, _ends(after)).items()}
    red = [id for id, ends in _ends(after).items() if Ended.FAILED in ends and Ended.FAILED not in old.get(id, ())]
    known = {LINE_NUMBER.sub("", settle(line)) for line in (before.loading if before else ())}
    unloaded = {line for line in after.loading if LINE_NUMBER.sub("", settle(line)) not in known}
    return (*sorted(unloaded), *sorted(red))


def only_legacy_red(before: TestReport | None, after: TestReport) -> bool:
    """Whether a run that ended red is red by nothing but what was red at the base.

    Where no test is red something else of the command is, and of that a report of tests says nothing.
    """
    is_known = before is not None and not before.problem and Grade.EXIT not in (before.grade, after.grade)
    is_red = bool(after.of(Ended.FAILED) or after.loading)
    ran = bool(after.of(Ended.PASSED))
    return is_known and is_red and ran and not after.problem and not newly_red(before, after)


class _Compared(Struct, frozen=True):
    subject: str
    before: TestReport | None
    after: TestReport
    excuses: Excuses
    is_blind: bool  # the results of single tests at the base are not known

    def nothing_ran(self, must_run: bool) -> Iterator[Objection]:
        if self.after.loading or _has_run(self.after):
            return
        if must_run or (self.before is not None and _has_run(self.before)):
            skipped = len(self.after.of(Ended.SKIPPED))
            description = f"{self.after.runner} ran no test" + (f": all {skipped} were skipped" if skipped else "")
            yield self._object(description, satisfy="make the command select tests that exist and run")

    def red(self) -> Iterator[Objection]:
        if red := newly_red(self.before, self.after):
            files = _files(self.after)
            description = f"red, and not red at the base: {some(red)}"
            weight = Weight.FLAG if self.is_blind else Weight.REFUSE
            satisfy = "make them pass without changing what they require"
            yield replace(self._object(description, files.get(red[0], ""), satisfy, weight), is_newly_red=True)

    def not_executed(self) -> Iterator[Objection]:
        """Skipped, or expected to fail: a test that asks for nothing."""
        now, was = _ends(self.after), _ends(self.before)
        before = {new: was[old] for old, new in partners(was, now).items()}
        unexecuted = [
            id for id, ends in now.items() if ends & NOT_EXECUTED and not before.get(id, frozenset()) & NOT_EXECUTED
        ]
        excused = {id for id in unexecuted if self._is_named(id)}
        new = self._new(now, before)
        # A new test that is skipped takes nothing away, as long as it is not all that came.
        limits = new & set(unexecuted) - excused if any(now[id] == {Ended.PASSED} for id in new) else set()
        if refused := sorted(set(unexecuted) - excused - limits):
            description = f"skipped or expected to fail, and neither at the base: {some(refused)}"
            where, satisfy = _files(self.after).get(refused[0], ""), "make them run and pass, or name them in the plan"
            yield self._object(description, where, satisfy, Weight.FLAG if self.is_blind else Weight.REFUSE)
        if excused:
            description = f"skipped or expected to fail, as the plan says: {some(excused)}"
            yield self._object(description, weight=Weight.FLAG)
        if limits:
            description = f"new, and skipped or expected to fail beside new tests that pass: {some(limits)}"
            yield self._object(description, weight=Weight.FLAG)

    def _new(self, now: Ends, before: Ends) -> set[str]:
        """Tests that the base did not have. Which ones a file had that could not be loaded there is not known."""
        files, loaded = _files(self.after), set(_files(self.before).values() if self.before else ())
        is_whole = self.before is not None and not self.before.loading
        is_known = {f for f in files.values() if f and (f in self.excuses.added or f in loaded)}
        return {id for id in now if id not in before and (is_whole or files[id] in is_known)}

    def lost(self) -> Iterator[Objection]:
        """A test that passed at the base and is gone took what it kept watch over with it."""
        if self.before is None:
            return
        still = partners(_ends(self.before), _ends(self.after))
        files, left = _files(self.before), {f for f in _files(self.after).values() if f}
        gone = sorted(id for id in self.before.of(Ended.PASSED) if id not in still)
        repeated = with_more_parameters(gone, self.after.of(Ended.PASSED))
        lost = [id for id in gone if id not in repeated and not was_kept(id, files[id], self.excuses.kept)]
        renamed = [id for id in lost if self._is_declared(files[id]) and id in self.excuses.still_pass]
        named = [id for id in lost if id not in renamed and self._is_to_go(id, files[id], left)]
        if refused := [id for id in lost if id not in renamed and id not in named]:
            description = f"passed at the base and no longer exist: {some(refused)}"
            satisfy = "restore them, or declare their file in the plan and name the tests that are removed"
            yield self._object(description, files[refused[0]], satisfy)
        if renamed:
            description = f"removed or renamed; their versions in the plan's commit still pass: {some(renamed)}"
            yield self._object(description, files[renamed[0]], weight=Weight.FLAG)
        if named:
            yield self._object(f"removed, as the plan says: {some(named)}", files[named[0]], weight=Weight.FLAG)

    def left_out(self, must_run: bool) -> Iterator[Objection]:
        """Red tests are to be made green. A run that leaves them out is green for another reason.

        A red run may report what is no test, such as a setup of a class that broke. Of a file that could not be loaded
        no test is known: it must be there still. In a check of the whole that is a flag, where the file is declared.
        """
        if self.before is None or self.after.loading or not _has_run(self.after):
            return
        files, left = _files(self.before), set(_files(self.after).values())
        still = partners(_ends(self.before), _ends(self.after))
        tests = (id for id in self.before.of(Ended.FAILED) if id not in still and not _SETUP.match(name(id)))
        gone = sorted(id for id in tests if not (self._is_declared(files[id]) and id in self.excuses.still_pass))
        gone = [id for id in gone if not self._is_to_go(id, files[id], left)]
        gone = [id for id in gone if not was_kept(id, files[id], self.excuses.kept)]
        satisfy = "make them pass where they were, or name in the plan the tests that are removed"
        refused = [id for id in gone if must_run or (files[id] not in left and not self._is_declared(files[id]))]
        if refused:
            yield self._object(f"red at the base and no longer run: {some(refused)}", files[refused[0]], satisfy)
        if flagged := [id for id in gone if id not in refused]:
            yield self._object(f"red at the base and no longer run: {some(flagged)}", weight=Weight.FLAG)
        unloaded = {line.partition(":")[0] for line in self.before.loading} & self.excuses.deleted - left
        if lost := [path for path in unloaded if not is_to_be_removed(path, self.excuses.text)]:
            yield self._object(f"could not be loaded at the base and no longer exist: {some(lost)}", min(lost), satisfy)

    def _is_to_go(self, id: str, path: str, left: set[str]) -> bool:
        """Named by the plan's text; or that text announces the removal of its group or its whole file."""
        text = self.excuses.text
        if not self._is_declared(path):
            return False
        if any(is_called(id, path, place, test) for place, test in self.excuses.dropped):
            return True
        if self._is_named(id) or any(is_to_be_removed(part, text) for part in parts(id)[:-1]):
            return True
        file_name = path.rsplit("/", 1)[-1]
        return path not in left and (is_to_be_removed(path, text) or is_to_be_removed(file_name, text))

    def _is_named(self, id: str) -> bool:
        return any(is_named(word, self.excuses.text) for word in (name(id), around(id)))

    def _is_declared(self, path: str) -> bool:
        """Of a tool that says no files, some declared test file has to do."""
        return any(covers(name, path) or not path for name in self.excuses.files)

    def _object(
        self, description: str, where: str = "", satisfy: str = "", weight: Weight = Weight.REFUSE
    ) -> Objection:
        return Objection(Layer.RUN, self.subject, description, where, satisfy, weight)


def _has_run(report: TestReport) -> bool:
    return any(result.ended is not Ended.SKIPPED for result in report.results)


def _ends(report: TestReport | None) -> Ends:
    ends: dict[str, frozenset[Ended]] = {}
    for result in report.results if report else ():
        ends[result.id] = ends.get(result.id, frozenset()) | {result.ended}
    return ends


def _files(report: TestReport) -> Mapping[str, str]:
    return {result.id: _file_of(result) for result in report.results}


def _file_of(result: TestResult) -> str:
    return (result.file or file(result.id)).removeprefix("./")
