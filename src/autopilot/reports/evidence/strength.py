"""How strong the evidence for one promise is, and what made it so; by the record alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from autopilot.model.evidence.absence import is_absent
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.proven import Proven
from autopilot.model.evidence.red_check import describe_red
from autopilot.model.evidence.subject import ProbeKind
from autopilot.model.evidence.testing import By, Grade, Tally
from autopilot.model.planning.criterion import Strength
from autopilot.text.shell import runs_program

TELLING = (By.ASSERTION, By.ERROR)  # red inside a test: it ran, and the behaviour was wrong
LOOKS = "it checks text in files, not behaviour"
PRINTED = "it compares printed text; no test framework ran"
EXIT_ONLY = "exit status only: no test is known by name"
BROUGHT = "every test that it ran came with the work: what these tests leave out, reviewers alone could see"
TEXT_ONLY = "text report: parsed from the tool's printed output, which may change with its version"


class Weighed(Struct, frozen=True):
    proven: Proven
    replayed_by: tuple[str, ...] = ()  # what saw it red
    weak: tuple[str, ...] = ()  # where this evidence is weaker than it looks


ProbeName = Literal[
    "reverted", "mutant", "canary", "expectation", "input", "outside", "pinned", "repeat", "held-out", "probe"
]


class Probe(Struct, frozen=True):
    """A run on a tree made on purpose, and what it is about."""

    kind: ProbeName  # "probe" for one this version does not know
    subject: str  # criterion, check or script; of a canary the tool
    seen: Observation


KINDS: Mapping[ProbeKind, ProbeName] = {  # as they are shown
    ProbeKind.REPLAY: "reverted",
    ProbeKind.MUTANT: "mutant",
    ProbeKind.CANARY: "canary",
    ProbeKind.EXPECTATION: "expectation",
    ProbeKind.INPUT: "input",
    ProbeKind.OUTSIDE: "outside",
    ProbeKind.PINNED: "pinned",
    ProbeKind.AGAIN: "repeat",
    ProbeKind.HELD_OUT: "held-out",
}
RED_KINDS: Mapping[ProbeName, str] = {
    "reverted": "its tests with the implementation reverted",
    "mutant": "constants in place of the code",
}


def tests_words(tests: Tally) -> str:
    """ "pytest: 4 passed, 1 skipped"; said with it where no test is known by name."""
    counts = {"passed": tests.passed, "failed": tests.failed, "skipped": tests.skipped, "xfailed": tests.xfailed}
    result = ", ".join(f"{count} {word}" for word, count in counts.items() if count) or "none ran"
    return f"{tests.runner}: {'exit status only' if tests.grade is Grade.EXIT else result}"


def read_probe(seen: Observation) -> Probe:
    probe = seen.about.probe
    if probe is None or probe not in KINDS:
        return Probe("probe", seen.subject, seen)
    return Probe(KINDS[probe], seen.about.without_probe, seen)


def weigh(
    after: Observation | None, before: Observation | None, probes: Sequence[Probe] = (), *, new: bool = True
) -> Weighed:
    """``new``: it was promised to hold only after the work; what was to stay green is not proven by having been red."""
    if after is None or after.seen is Seen.NOTHING:
        return Weighed(Proven.CLAIM)
    replayed = tuple(_replays(before, probes)) if new else ()
    weak = tuple(_weaknesses(after, before, new=new and not replayed))
    if after.strength is Strength.GREP:
        return Weighed(Proven.STRUCTURAL, (), (*weak, PRINTED if runs_program(after.command) else LOOKS))
    return Weighed(Proven.REPLAYED if replayed else Proven.GREEN, replayed, weak)


def _replays(before: Observation | None, probes: Sequence[Probe]) -> list[str]:
    at_base = _red_at_base(before) if before is not None and before.seen is Seen.FAILED else ""
    return [*([at_base] if at_base else []), *(text for probe in probes if (text := _red(probe)))]


def _red_at_base(before: Observation) -> str:
    """As text, where the tested behaviour was red; "" where something was absent or could not be loaded."""
    if before.tests is None:
        return "" if is_absent(before) else "it failed before the work"
    if before.tests.by in TELLING:
        return f"it failed before the work ({before.tests.by.value})"
    something_else = before.tests.by is None and before.tests.ran and not before.tests.problem
    return "it failed before the work, outside its tests" if something_else else ""


def _red(probe: Probe) -> str:
    """A run that could not even load its tests says nothing of what they test."""
    if probe.kind not in RED_KINDS or probe.seen.seen is not Seen.FAILED:
        return ""
    by = probe.seen.tests.by if probe.seen.tests else None
    if by in (By.LOADING, By.ABSENT):
        return ""
    return f"it failed with {RED_KINDS[probe.kind]}" + (f" ({by.value})" if by else "")


UNKNOWN = "of an unknown reason"
NO_BEHAVIOUR = {
    By.ABSENT: "something was missing that it needs",
    By.LOADING: "its tests could not be loaded",
    By.ERROR: "of an exception that is no assertion",
}


def _weaknesses(after: Observation, before: Observation | None, *, new: bool) -> list[str]:
    weak = []
    grades = [seen.tests.grade for seen in (after, before) if seen is not None and seen.tests is not None]
    if Grade.EXIT in grades:
        weak.append(EXIT_ONLY)
    elif Grade.TEXT in grades:
        weak.append(TEXT_ONLY)
    if after.tests is not None and after.tests.problem:
        weak.append(f"its report could not be used: {after.tests.problem}")
    if after.brought:
        weak.append(BROUGHT)
    if after.legacy:
        weak.append(f"red before the work began and still red: {after.legacy} of its tests")
    if after.compared is not None and after.compared.is_excused:
        weak.append(describe_red(after))
    if before is not None and before.seen is Seen.FAILED and new:
        by = (before.tests.by or By.ABSENT) if before.tests else By.ABSENT
        weak.append(f"before the work it failed only because {NO_BEHAVIOUR.get(by, UNKNOWN)}; no behaviour was tested")
    return weak
