"""An issue on its way to a hand-off: its routes, its files, its findings and the words for how it ends."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from msgspec import Struct, field

from autopilot.model.planning.roadmap import PhaseId

DESIGN = PhaseId("design")
IMPL = PhaseId("impl")

STORIES = "extracting-user-stories"
PLAN_AND_TESTS = "writing-plan-and-tests"
ATDD = "running-atdd-cycle"
REPRODUCING = "reproducing-bugs"
FIXING = "fixing-bugs"
MEASURING = "measuring-flaky-tests"
STEADYING = "fixing-flaky-tests"
REWORDING = "changing-documents"


class Route(StrEnum):
    """The way an issue goes. Recommended by rule, chosen by a person."""

    FULL = "full"
    EXPRESS = "express"  # documents alone, no behaviour changes
    BUGFIX = "bugfix"  # a reproduction that is red, and a cause a person agrees with
    FLAKY = "flaky"  # a test that fails now and then, and a cause a person agrees with


STEPS: Mapping[Route, Mapping[PhaseId, tuple[str, ...]]] = {
    Route.FULL: {DESIGN: (STORIES, PLAN_AND_TESTS), IMPL: (ATDD,)},
    Route.EXPRESS: {DESIGN: (REWORDING,), IMPL: ()},
    Route.BUGFIX: {DESIGN: (REPRODUCING,), IMPL: (FIXING,)},
    Route.FLAKY: {DESIGN: (MEASURING,), IMPL: (STEADYING,)},
}
# The step whose work is put to the oracle; without it a phase would be done by somebody's word.
AT_STEPS: Mapping[Route, str] = {Route.FULL: ATDD, Route.BUGFIX: FIXING, Route.FLAKY: STEADYING, Route.EXPRESS: ""}
MAX_ITERATIONS: Mapping[str, int] = {STORIES: 4, PLAN_AND_TESTS: 4, ATDD: 8}
USUAL_ITERATIONS = 4
FLAKY_RUNS = 10  # how often a flaky test is run before and after, unless somebody says otherwise

# Names inside the folder of an issue.
PRD, STORIES_FILE, PLAN_FILE, TESTS_FILE = "prd.md", "user-stories.md", "plan.md", "acceptance-tests.md"
ISSUE_FILE, CAUSE_FILE = "issue.md", "cause.md"
AUDIT_LOG, RED_LOG = "autopilot-log.jsonl", "red.jsonl"
PINS: Mapping[PhaseId, str] = {DESIGN: "autopilot-prd.pin", IMPL: "autopilot-design.pin"}


class IssueBrief(Struct, frozen=True):
    number: int
    title: str
    slug: str
    folder: str  # "docs/issues/024-slug"
    text: str = ""  # what the issue says, as far as it is known
    labels: tuple[str, ...] = ()
    source: str = ""  # a path, the forge, or "title"

    def path(self, name: str) -> str:
        return f"{self.folder}/{name}"

    @property
    def branch(self) -> str:
        """Below ``autopilot/`` in the user's repository."""
        return f"issue-{self.number}-{self.slug}"


class SeedFinding(Struct, frozen=True):
    """What the next iteration has to mend. Without evidence it is none."""

    evidence_ref: str  # the person's words, a failing test, an uncovered criterion
    detail: str = ""
    priority: int = 0  # 0 blocks; it is 0 unless somebody says otherwise
    about: str = ""  # stories, plan or tests, where a person sent one of them back


class IssueOptions(Struct, frozen=True):
    """What the user asked for beside the issue itself; checked before anything is recorded."""

    route: Route | None = None
    define: bool = False
    only: PhaseId | None = None  # this phase and no further
    steps: Mapping[PhaseId, tuple[str, ...]] = {}
    at_step: str = ""
    at_command: str = ""
    max_iterations: Mapping[str, int] = {}  # by step; "" for every step
    hand_off: bool = False  # asked for, and the marker was there
    design_heavy: bool = False  # implemented on the strong model from the start
    flaky_runs: int = FLAKY_RUNS

    def limit(self, step: str) -> int:
        limit = self.max_iterations.get(step) or self.max_iterations.get("")
        return limit or MAX_ITERATIONS.get(step, USUAL_ITERATIONS)


class IssueRequest(Struct, frozen=True):
    """What `autopilot issue` was called with, before anything was read."""

    word: str  # a number, a path or a title
    options: IssueOptions = IssueOptions()
    findings: tuple[SeedFinding, ...] = ()


class HaltReason(StrEnum):
    """Why a convergence stopped short. Which one goes before another: `first_halt` in `rails/issue/convergence.py`."""

    DRIFT = "ac-drift"
    INTEGRITY = "log-integrity"
    MAX_ITERATIONS = "MAX_ITERATIONS"
    SAMENESS = "sameness-detector"
    STUCK = "stuck"
    UNVERIFIABLE = "gate-unverifiable"
    # Without a row in the audit log: it could not be written, or nothing had begun.
    FREEZE = "freeze-error"
    PIN = "anchor-pin-failed"
    RECORD = "record-error"
    RAILS = "rails-error"

    @property
    def is_recorded(self) -> bool:
        return self in RECORDED

    @property
    def blames_model(self) -> bool:
        """Whether a stronger model may do better; anchors, records and rails do not depend on the model."""
        return self in (HaltReason.MAX_ITERATIONS, HaltReason.SAMENESS, HaltReason.STUCK)


RECORDED = (
    HaltReason.DRIFT,
    HaltReason.INTEGRITY,
    HaltReason.MAX_ITERATIONS,
    HaltReason.SAMENESS,
    HaltReason.STUCK,
    HaltReason.UNVERIFIABLE,
)


class OracleState(Struct, frozen=True):
    """What decides: seen by us, at an exact commit. A term without its signal is false."""

    red_observed: bool = False
    at_green: bool = False
    coverage_ok: bool = False
    uncovered: tuple[str, ...] = ()
    failing: tuple[
        str, ...
    ] = ()  # what exactly is not green or not red: two iterations that differ here are not the same

    @property
    def holds(self) -> bool:
        return self.red_observed and self.at_green and self.coverage_ok

    @property
    def is_unverifiable(self) -> bool:
        return self.at_green and self.coverage_ok and not self.red_observed


class RowVerdict(StrEnum):
    PASS = "PASS"
    FAIL = "FAIL"


class AuditRow(Struct, frozen=True):
    """One iteration in the audit log, as it stands there."""

    iteration: int
    step: str
    verdict: str  # a `RowVerdict`; shell workflows may write another word, which counts as a failure
    fingerprint: str
    timestamp: str
    prev: str = ""  # sha256 of the line before; "" for the first of ours


class HaltRow(Struct, frozen=True):
    outcome: str  # HALT
    step: str
    reason: str
    findings_digest: str
    timestamp: str
    prev: str = ""


class RedRow(Struct, frozen=True):
    step: Literal["red"]
    commit: str  # the tests on the code before the implementation
    impl_sha: str  # the implementation they judge
    at_file: str
    timestamp: str
    exit_code: int | None = None
    tests: tuple[str, ...] = ()  # every test that was red
    output: str = ""  # sha256 of what was printed


class AcceptanceState(StrEnum):
    PLANNED = "planned"
    DRAFT = "draft"
    GREEN = "green"
    REGRESSION = "regression"


class AcceptanceTest(Struct, frozen=True):
    """An entry of acceptance-tests.md."""

    id: str  # "AT-001"
    state: AcceptanceState
    text: str
    covers: tuple[str, ...] = ()  # ids of acceptance criteria
    tests: tuple[str, ...] = ()  # tests it names; without any it is known by its id in a test's name
    line: int = 0
    done: bool = False


class Link(Struct, frozen=True):
    """One acceptance test in the map from criteria to executed tests."""

    acceptance_test: str = field(name="at")
    covers: tuple[str, ...]
    tests: tuple[str, ...]  # executed and passed
    problem: str = ""


class CauseClass(StrEnum):
    REQUIREMENT = "A"  # requirement gap
    TEST = "B"  # test gap
    LOGIC = "C"  # logic error


class FlakyKind(StrEnum):
    TIMING = "timing"
    ORDER = "order"
    SHARED_STATE = "shared state"
    EXTERNAL = "external dependency"
    LEAK = "resource leak"


MEANINGS: Mapping[str, str] = {
    CauseClass.REQUIREMENT: "requirement gap: no requirement says what is right",
    CauseClass.TEST: "test gap: the requirement exists, and no test checks it",
    CauseClass.LOGIC: "logic error: the code does not do what it was meant to do",
    FlakyKind.TIMING: "it depends on how long something takes",
    FlakyKind.ORDER: "it depends on the order of tests or of events",
    FlakyKind.SHARED_STATE: "it depends on what another test, or another run, left behind",
    FlakyKind.EXTERNAL: "it depends on something outside of the project",
    FlakyKind.LEAK: "it depends on resources that were not released: files, ports, memory, processes",
}


class Cause(Struct, frozen=True):
    """The assumed cause: proposed by an agent, agreed by a person."""

    kind: str  # a CauseClass of a bug, a FlakyKind of a flaky test
    text: str
    test: str = ""  # the reproduction, or the flaky test: an id as its tool names it
    files: tuple[str, ...] = ()  # of the reproduction


class Rate(Struct, frozen=True):
    """How often a test failed, in how many runs of ours."""

    commit: str
    test: str
    runs: int
    failures: int
    command: str = ""  # what was run each time

    @property
    def text(self) -> str:
        return f"{self.failures} of {self.runs}"


class Decision(Struct, frozen=True):
    """A choice that, reversed, changes an acceptance criterion or the plan's steps."""

    file: str
    line: int
    text: str
