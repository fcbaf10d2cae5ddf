"""Sabotage: without the implementation, or with constants in its place, what was green must turn red."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum, auto

from msgspec import Struct

from autopilot.gates.evidence.test_id import partners, some
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.subject import PHASE
from autopilot.model.evidence.testing import By, Ended, Grade, TestReport, TestResult

# An error that says only that a name is missing: the test touches that name, and need not ask anything of it.
MISSING_NAME = re.compile(
    r"ImportError|ModuleNotFoundError|NameError|AttributeError|ReferenceError|NoMethodError|LoadError"
    r"|is not a function|is not a constructor|is not defined|Cannot find (?:module|package)|cannot import name"
    r"|has no attribute|No such file or directory|ENOENT|undefined method|uninitialized constant"
    r"|Call to undefined|Class \S+ not found|ClassNotFoundException|NoSuchMethod|NoClassDefFound"
)

SHOWN_PLACES = 4
# What a program begins and ends with, or what makes it faster, does often nothing that a test could see.
_CLOSING = re.compile(
    r"main|run|cli|close|stop|shutdown|dispose|destroy|setup|init|teardown|clean_?up|"
    r"(?:log|debug|trace|warm|prefetch|preload)(?:_\w*|[A-Z]\w*)?"
)


class Trial(Struct, frozen=True):
    """One run on a tree that was spoiled on purpose."""

    change: str  # "the implementation reverted", "every changed function returns None"
    seen: Seen
    report: TestReport | None = None
    is_near: bool = False  # the code returned other values of the same type
    is_certain: bool = True  # and does no more than to return values


class Red(Enum):
    """What turned red in a trial of tests that are green at the commit."""

    BEHAVIOUR = auto()  # a test ran and said no
    ABSENCE = auto()  # nothing but missing names, files that do not load
    OTHERWISE = auto()  # the tests still pass; something else of the command is red
    NOTHING = auto()


def judge_sabotage(
    subject: str,
    green: TestReport | None,
    reverted: Trial | None,
    mutants: Sequence[Trial] = (),
    *,
    mutable: bool,
    noticed: bool = True,
) -> tuple[Objection, ...]:
    """``green`` is the run at the task's commit; ``mutable`` says whether there is code of a language with mutants,
    ``noticed`` whether any criterion of the work was red with one."""
    if reverted is None:
        return ()  # no implementation changed, so there is none to take away
    if reverted.seen is Seen.NOTHING:
        return (_ours(subject, reverted),)
    if reverted.seen is Seen.PASSED:
        return (_vacuous(subject, green, reverted),)
    red = red_of(green, reverted)
    if red is Red.BEHAVIOUR:
        # That a file, a name or a number is missing can be asserted too, and asks nothing of what was built.
        return () if noticed else judge_doubted(subject, green, mutants)
    if red is Red.OTHERWISE:
        description = f"with {reverted.change} its tests still pass; another part of the command fails there"
        return (_object(subject, description, reverted.change, weight=Weight.FLAG),)
    return _by_mutants(subject, green, reverted, mutants, mutable)


def judge_doubted(subject: str, green: TestReport | None, mutants: Sequence[Trial]) -> tuple[Objection, ...]:
    """A green that something beside the work could have made: with constants in place of the work it must go."""
    if not mutants or any(is_killed(green, trial) for trial in mutants):
        return ()
    if ours := [trial for trial in mutants if trial.seen is Seen.NOTHING]:
        return (_ours(subject, ours[0]),)
    survived = [trial.change for trial in mutants if trial.seen is Seen.PASSED]
    return (_survived(subject, survived),) if survived else ()


def judge_near(subject: str, green: TestReport | None, mutants: Sequence[Trial], *, own: bool) -> tuple[Objection, ...]:
    """Tests that notice a constant, and not another value of the same type, ask for a type, a length, for truth.

    ``own``: the work brought them. Those of a user are never held against the work; that they accept much is shown.
    """
    alive = [t for t in mutants if t.is_near and t.seen is Seen.PASSED and not is_killed(green, t)]
    others = [is_killed(green, trial) for trial in mutants if not trial.is_near]
    if not alive or not (own or alive[0].is_certain) or (others and not any(others)):
        return ()  # nothing is alive, nothing follows from it, or more than that is said elsewhere
    description = f"still green with {alive[0].change}: it does not compare what the code returns"
    satisfy = (
        "compare the returned value itself with the expected one, not only its type, its length or that it is there"
    )
    weight = Weight.REFUSE if own and alive[0].is_certain else Weight.FLAG
    return (_object(subject, description, satisfy=satisfy, weight=weight),)


def judge_idle_work(subject: str, trials: Sequence[Trial], *, certain: bool) -> tuple[Objection, ...]:
    """``trials``: every criterion with code that gives its one answer and does nothing; none of them noticed."""
    if ours := [trial for trial in trials if trial.seen is Seen.NOTHING]:
        return (_ours(subject, ours[0]),)
    if not trials or any(trial.seen is not Seen.PASSED for trial in trials):
        return ()
    description = f"still green with {trials[0].change}: the tests ask for the answer, and not for what was done"
    satisfy = "let a test look at what the code leaves behind, and at what it says when that fails"
    return (_object(subject, description, satisfy=satisfy, weight=Weight.REFUSE if certain else Weight.FLAG),)


def judge_replaced_work(subject: str, trials: Sequence[Trial], where: str, *, certain: bool) -> tuple[Objection, ...]:
    """``trials``: every criterion with the functions failing that its tests replace; none of them noticed."""
    if ours := [trial for trial in trials if trial.seen is Seen.NOTHING]:
        return (_ours(subject, ours[0]),)
    if not trials or any(trial.seen is not Seen.PASSED for trial in trials):
        return ()
    description = f"still green with {trials[0].change}: its tests replace it, and no test runs it"
    satisfy = "let a test call what the work wrote, and replace only what is not part of it"
    weight = Weight.REFUSE if certain else Weight.FLAG
    return (Objection(Layer.SABOTAGE, subject, description, where, satisfy, weight),)


def judge_named_work(subject: str, name: str, trials: Sequence[Trial], where: str) -> tuple[Objection, ...]:
    """``trials``: criteria and suite with one function doing nothing that the roadmap names; none of them noticed."""
    if ours := [trial for trial in trials if trial.seen is Seen.NOTHING]:
        return (_ours(subject, ours[0]),)
    if not trials or any(trial.seen is not Seen.PASSED for trial in trials):
        return ()
    description = f"still green with {trials[0].change}: the roadmap names it, and nothing asks what it does"
    satisfy = f"let a test look at what `{name}` returns, or at what it leaves behind"
    return (_object(subject, description, where, satisfy, Weight.FLAG if _CLOSING.fullmatch(name) else Weight.REFUSE),)


def judge_unnoticed(alive: Sequence[tuple[str, str]], tried: int) -> tuple[Objection, ...]:
    """``alive``: what no test noticed, each with its place, of so many ``tried``. Many an honest line no test
    asks for; who reads the report should know which."""
    if not alive:
        return ()
    shown = "; ".join(description for description, _ in alive[:SHOWN_PLACES])
    more = f"; and {len(alive) - SHOWN_PLACES} more" if len(alive) > SHOWN_PLACES else ""
    description = (
        f"no test of the criteria notices {len(alive)} of {tried} small changes of the new code: {shown}{more}"
    )
    satisfy = "look at these lines, or let a test ask for what they do"
    return (Objection(Layer.SABOTAGE, PHASE, description, alive[0][1], satisfy, Weight.FLAG),)


def judge_untouched(subject: str, changed: Sequence[str], declared: Sequence[str]) -> Objection | None:
    """Of implementation files alone: a task that declares some and changes none has only written tests."""
    if changed or not declared:
        return None
    description = "only tests changed, although the task declares implementation"
    return _object(
        subject, description, declared[0], "implement what the task declares, or report that it exists already"
    )


def is_killed(green: TestReport | None, trial: Trial) -> bool:
    """Whether a mutant was noticed. A run that never ends was: it ended while the code was whole."""
    if trial.seen is Seen.TIMED_OUT:
        return True
    if trial.seen is not Seen.FAILED:
        return False
    if not is_usable(green) or not is_usable(trial.report):
        return True
    fallen = _fallen(green, trial.report)
    inside = (By.ASSERTION, By.ERROR, By.UNKNOWN, None)
    if any(result is not None and result.by in inside for result in fallen.values()):
        return True
    return red_of(green, trial) is Red.OTHERWISE


def red_of(green: TestReport | None, trial: Trial) -> Red:
    if trial.seen in (Seen.PASSED, Seen.NOTHING, Seen.TIMED_OUT):
        return Red.NOTHING
    if not is_usable(green) or not is_usable(trial.report):
        return Red.ABSENCE  # the exit status alone does not say why
    fallen, still = _fallen(green, trial.report), _still_pass(green, trial.report)
    if any(result is not None and speaks_of_behaviour(result) for result in fallen.values()):
        return Red.BEHAVIOUR
    return Red.ABSENCE if fallen or (trial.report and trial.report.loading) or not still else Red.OTHERWISE


def speaks_of_behaviour(result: TestResult) -> bool:
    if result.by is By.ASSERTION:
        return True
    return result.by is By.ERROR and not misses_a_name(result)


def misses_a_name(result: TestResult) -> bool:
    """Whether it failed because something that it asks for is not there at all."""
    return MISSING_NAME.search(result.message) is not None


def _by_mutants(
    subject: str, green: TestReport | None, reverted: Trial, mutants: Sequence[Trial], mutable: bool
) -> tuple[Objection, ...]:
    if any(is_killed(green, trial) for trial in mutants):
        return ()
    if ours := [trial for trial in mutants if trial.seen is Seen.NOTHING]:
        return (_ours(subject, ours[0]),)
    if survived := [trial.change for trial in mutants if trial.seen is Seen.PASSED]:
        return (_survived(subject, survived, Weight.REFUSE if green is not None else Weight.FLAG),)
    if reverted.seen is Seen.TIMED_OUT:
        why = _no_mutant(green, mutants, mutable)
        doubt = f"a timeout does not prove that it fails without the work ({why})"
        description = f"with {reverted.change} it timed out: {doubt}"
        return (_object(subject, description, reverted.change, weight=Weight.FLAG),)
    return ()


def _no_mutant(green: TestReport | None, mutants: Sequence[Trial], mutable: bool) -> str:
    if green is None:
        return "it runs no tests"
    if not mutable:
        return "no mutants for this language or change"
    return "no mutant could be loaded" if mutants else "no mutant was tried"


def is_usable(report: TestReport | None) -> bool:
    return report is not None and not report.problem and report.grade is not Grade.EXIT


def _pairs(green: TestReport | None, spoiled: TestReport | None) -> Iterator[tuple[str, list[TestResult]]]:
    passed = green.of(Ended.PASSED) - green.of(Ended.FAILED) if green else frozenset[str]()
    results: dict[str, list[TestResult]] = {}
    for result in spoiled.results if spoiled else ():
        results.setdefault(result.id, []).append(result)
    same = partners(sorted(passed), results)
    for id in sorted(passed):
        yield id, results.get(same.get(id, ""), [])


def _fallen(green: TestReport | None, spoiled: TestReport | None) -> dict[str, TestResult | None]:
    """Tests that passed and no longer do; None where the spoiled run does not know them."""
    fallen: dict[str, TestResult | None] = {}
    for id, results in _pairs(green, spoiled):
        failed = [result for result in results if result.ended is Ended.FAILED]
        if failed:
            fallen[id] = next((result for result in failed if speaks_of_behaviour(result)), failed[0])
        elif not any(result.ended is Ended.PASSED for result in results):
            fallen[id] = None
    return fallen


def _still_pass(green: TestReport | None, spoiled: TestReport | None) -> frozenset[str]:
    fallen = _fallen(green, spoiled)
    return frozenset(id for id, _ in _pairs(green, spoiled) if id not in fallen)


def _vacuous(subject: str, green: TestReport | None, reverted: Trial) -> Objection:
    passed = some(green.of(Ended.PASSED)) if green else ""
    description = f"still green with {reverted.change}" + (f": {passed}" if passed else "")
    return _object(subject, description, satisfy="test what the work adds, so that the test fails without it")


def _survived(subject: str, survived: Sequence[str], weight: Weight = Weight.REFUSE) -> Objection:
    description = f"still green with {' and with '.join(survived)}"
    satisfy = "make the tests compare what the code returns or changes with the expected result"
    return _object(subject, description, satisfy=satisfy, weight=weight)


def _ours(subject: str, trial: Trial) -> Objection:
    return _object(subject, f"with {trial.change} it could not be run", weight=Weight.OURS)


def _object(
    subject: str, description: str, where: str = "", satisfy: str = "", weight: Weight = Weight.REFUSE
) -> Objection:
    return Objection(Layer.SABOTAGE, subject, description, where, satisfy, weight)
