"""What an observation, an objection or a verdict is about. No other module knows how a journal spells it."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.policy import CHECKS


class SubjectKind(StrEnum):
    CRITERION = "criterion"  # by its id; also whatever an earlier version looked at under a name of its own
    CHECK = "check"  # compile, lint, build, test
    SCRIPT = "script"  # a task's test script, by the task's id
    TASK = "task"  # a task as a whole, by its id
    PHASE = "phase"  # the phase as a whole
    ACCEPTANCE = "acceptance"  # the acceptance tests of an issue
    WIRING = "wiring"  # whether anything refers to new files
    TYPE_CHECK = "type_check"  # inspected, not run: cross_reference, validity


class ProbeKind(StrEnum):
    """Which tree, made on purpose, a command was run on; or that it was run once more."""

    REPLAY = "replay"  # with the work taken back
    MUTANT = "mutant"  # with constants in place of the code
    CANARY = "canary"  # with a test that has to fail; its subject is the tool
    EXPECTATION = "expectation"  # with tests that expect something else
    INPUT = "input"  # with another input in the criterion's own command
    OUTSIDE = "outside"  # by calling the functions of tests without their tool
    PINNED = "pinned"  # with the test files of the base
    AGAIN = "again"  # the same tree once more
    HELD_OUT = "held-out"  # with examples of the spec, by their number
    EARLIER = "earlier"  # with the tests of an earlier round


class Subject(Struct, frozen=True):
    kind: SubjectKind
    name: str = ""  # an id, a check's name; "" where the kind says all
    probe: ProbeKind | None = None
    layer: str = ""  # of a verdict that was an objection: the letter of its layer
    of_phase: str = ""  # an earlier phase, where what held there is looked at again

    def is_plain(self, *kinds: SubjectKind) -> bool:
        """Whether it is one of these itself, not an objection to it nor a run on a tree made on purpose."""
        return self.kind in kinds and not (self.layer or self.probe or self.of_phase)

    @property
    def is_objection(self) -> bool:
        return bool(self.layer)

    @property
    def is_inspection(self) -> bool:
        """Whether it was looked at and nothing was run."""
        return self.is_plain(SubjectKind.WIRING, SubjectKind.TYPE_CHECK)

    @property
    def looked_at(self) -> str:
        """The check, or what a type check answers for, without the file it may name."""
        return self.name.partition(":")[0]

    @property
    def without_layer(self) -> str:
        """What a verdict is about: the objection's own subject, else the verdict's."""
        return str(replace(self, layer=""))

    @property
    def without_probe(self) -> str:
        """What was run on a tree made on purpose, as it is named elsewhere."""
        return str(replace(self, probe=None))

    def __str__(self) -> str:
        layer = f"{self.layer}:" if self.layer else ""
        probe = f"{self.probe.value}:" if self.probe else ""
        phase = f"phase {self.of_phase}, " if self.of_phase else ""
        return f"{layer}{probe}{phase}{_PREFIXES.get(self.kind, '')}{self.name}"


_PREFIXES = {
    SubjectKind.SCRIPT: "script:",
    SubjectKind.TASK: "task ",
    SubjectKind.PHASE: "phase",
    SubjectKind.ACCEPTANCE: "at",
    SubjectKind.WIRING: "wire",
}
_WHOLE = (SubjectKind.PHASE, SubjectKind.ACCEPTANCE, SubjectKind.WIRING)
_TYPE_CHECKS = ("type", "cross_reference", "validity")
_SPELLED = re.compile(
    rf"(?:(?P<layer>[A-Z]):)?(?:(?P<probe>{'|'.join(ProbeKind)}):)?(?:phase (?P<of_phase>[^,]+), )?(?P<rest>.*)",
    re.DOTALL,
)


@lru_cache(maxsize=4096)
def parse_subject(text: str) -> Subject:
    """What a journal spells so. Total: a spelling that is not known is taken for a criterion's id."""
    found = _SPELLED.fullmatch(text)
    assert found is not None, "every part may be missing"
    kind, name = _kind(found["rest"])
    probe = ProbeKind(found["probe"]) if found["probe"] else None
    return Subject(kind, name, probe, found["layer"] or "", found["of_phase"] or "")


def _kind(text: str) -> tuple[SubjectKind, str]:
    if text in CHECKS:
        return SubjectKind.CHECK, text
    if text.partition(":")[0] in _TYPE_CHECKS:
        return SubjectKind.TYPE_CHECK, text
    for kind, prefix in _PREFIXES.items():
        if text == prefix if kind in _WHOLE else text.startswith(prefix):
            return kind, text.removeprefix(prefix)
    return SubjectKind.CRITERION, text


def script_subject(task: str) -> str:
    return str(Subject(SubjectKind.SCRIPT, task))


def whole_task(task: str) -> str:
    return str(Subject(SubjectKind.TASK, task))


def objection_subject(layer: str, subject: str) -> str:
    return f"{layer}:{subject}"


def probe_subject(probe: ProbeKind, subject: str) -> str:
    return f"{probe.value}:{subject}"


ACCEPTANCE = str(Subject(SubjectKind.ACCEPTANCE))
PHASE = str(Subject(SubjectKind.PHASE))
WIRING = str(Subject(SubjectKind.WIRING))
