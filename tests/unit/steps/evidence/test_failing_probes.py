"""A sandbox that fails in the middle of a probe: what is left open by that is ours, and no red of the work's (T8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec
import pytest

from autopilot.events.pieces import StepState
from autopilot.events.state import RunState
from autopilot.model.evidence.control import ControlChange, ControlKind
from autopilot.model.evidence.objection import Objection, Weight
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.testing import Ended, Grade, TestReport, TestResult, tally
from autopilot.model.git import Change
from autopilot.model.planning.criterion import Expectation, Strength
from autopilot.model.policy import Commands, Evidence
from autopilot.model.run import Step
from autopilot.ports.git import Author
from autopilot.ports.layers import Layer
from autopilot.ports.sandbox import Exited, NeverRan, Outcome
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.regression import compare
from autopilot.steps.evidence.work import Work
from autopilot.steps.observing.observing import Check, observe_made
from autopilot.steps.observing.repeating import repeat_green, repeat_red
from tests.unit.making import START, make_criterion, make_observation, make_phase, make_state, make_task, policy_of
from tests.unit.steps.world import Tree, World

# covers: T8, T8.R
GREEN, RED, BROKEN = Outcome(Exited(0)), Outcome(Exited(1)), Outcome(NeverRan("no bwrap"))
CHECK = Check("replay:c1", "make it", Expectation(), Strength.COMMAND, 60.0)
TEST = "tests/test_a.py"
FILES = {TEST: b"import time\ntime.sleep(1)\n", "a.py": b""}
ONCE = 1  # how often a command is tried


class Vault(Tree):
    """One that makes trees, all with the same name."""

    def edit_tree(self, commit: str, edits: Mapping[str, bytes | None]) -> str:
        return f"{commit} with {len(edits)} edits"

    def commit(self, tree: str, parents: Sequence[str], message: str, at: datetime, author: Author) -> str:
        return "made"


class Layers:
    def __init__(self) -> None:
        self.asked: list[PurePosixPath] = []

    def ensure(self, setup: object, backing: PurePosixPath, *_: Any, **_more: Any) -> Layer:
        self.asked.append(backing)
        return Layer("key", PurePosixPath("/layers/project"), PurePosixPath("/layers/home"))


class Bench:
    def __init__(self, folder: Path, *outcomes: Outcome, setup: object = "") -> None:
        self.layers = Layers()
        self.world = World(folder, *outcomes, layers=self.layers)
        self.world.ports = msgspec.structs.replace(self.world.ports, vault=Vault(FILES))
        evidence = Evidence(tests=True, repeats=2)
        policy = policy_of(evidence=evidence, commands=Commands(setup=setup), observations=ONCE)
        phase = make_phase(steps={"mini_verify.01-01": StepState(started_at=START)})
        self._state: RunState = make_state(phase, policy=policy)
        self.context: StepContext = self.world.context(self._state, phase, Step.MINI_VERIFY, "01-01")

    def seen(self, subject: str, seen: Seen, *passed: str) -> Observation:
        results = tuple(TestResult(id, Ended.PASSED, file=TEST) for id in passed)
        report = TestReport("pytest", Grade.REPORT, results)
        digest = self.world.blobs.keep(msgspec.json.encode(report))
        return make_observation(subject, seen, command="make test", tests=tally(report, digest))


def work(status: str = "A") -> Work:
    changes = (Change(TEST, status, "100644", "100644"), Change("a.py", "M", "100644", "100644"))
    control = (ControlChange(TEST, ControlKind.TEST, status),)
    task = make_task("01-01", make_criterion("c1"), files=(TEST, "a.py"))
    return Work("task 01-01", "old", "new", (task,), changes, control, (TEST, "a.py"), evidence="new")


def weights(objections: Sequence[Objection]) -> list[Weight]:
    return [objection.weight for objection in objections]


@pytest.mark.parametrize(
    ("again", "seen"),
    [
        ([RED], Seen.FAILED),
        ([BROKEN], Seen.NOTHING),
        ([GREEN, BROKEN, GREEN], Seen.NOTHING),
        ([GREEN, GREEN, GREEN, GREEN, BROKEN], Seen.NOTHING),  # the last one at the base
        ([GREEN, GREEN, GREEN, GREEN, GREEN], Seen.FAILED),
    ],
)
def test_a_new_red_counts_only_where_it_could_be_looked_at_again(
    tmp_path: Path, again: list[Outcome], seen: Seen
) -> None:
    bench = Bench(tmp_path, *again)
    red = bench.seen("test", Seen.FAILED, "a")
    (settled,), _ = repeat_red(bench.context, work(), {"test": make_observation("test")}, [red])
    assert (settled.subject, settled.seen) == ("test", seen)


@pytest.mark.parametrize(
    ("again", "seen", "expected"), [([GREEN, GREEN], Seen.PASSED, [Weight.FLAG]), ([RED], Seen.FAILED, [])]
)
def test_a_test_that_is_red_by_chance_where_nothing_was_changed_is_nobodys_fault(
    tmp_path: Path, again: list[Outcome], seen: Seen, expected: list[Weight]
) -> None:
    # covers: ALREADY
    bench = Bench(tmp_path, *again)
    red = bench.seen("test", Seen.FAILED, "a")
    untouched = msgspec.structs.replace(work(), changes=(), control=())
    (settled,), proving = repeat_red(bench.context, untouched, {"test": make_observation("test")}, [red])
    assert (settled.seen, weights(proving.objections)) == (seen, expected)
    assert bench.world.places.passing == []


@pytest.mark.parametrize(
    ("again", "expected"),
    [([GREEN, GREEN], []), ([GREEN, BROKEN], [Weight.OURS]), ([BROKEN, RED], [Weight.REFUSE])],
)
def test_a_green_that_could_not_be_repeated_is_left_open(
    tmp_path: Path, again: list[Outcome], expected: list[Weight]
) -> None:
    bench = Bench(tmp_path, *again)
    proving = repeat_green(bench.context, work(), [bench.seen("c1", Seen.PASSED, "a")])
    assert weights(proving.objections) == expected


@pytest.mark.parametrize(
    ("product", "expected"), [(b"import random\nrandom.random()\n", [Weight.REFUSE]), (b"answer = 42\n", [])]
)
def test_a_users_own_test_is_repeated_too_where_the_code_under_it_goes_by_chance(
    tmp_path: Path, product: bytes, expected: list[Weight]
) -> None:
    bench = Bench(tmp_path, GREEN, RED)
    bench.world.ports = msgspec.structs.replace(bench.world.ports, vault=Vault({"a.py": product}))
    product_alone = (Change("a.py", "M", "100644", "100644"),)
    proving = repeat_green(
        msgspec.structs.replace(bench.context, ports=bench.world.ports),
        msgspec.structs.replace(work(), changes=product_alone, control=()),
        [bench.seen("c1", Seen.PASSED, "a")],
    )
    assert weights(proving.objections) == expected


@pytest.mark.parametrize(("pinned", "expected"), [(BROKEN, [Weight.OURS]), (GREEN, [Weight.REFUSE])])
def test_no_test_is_called_lost_where_it_is_not_known_whether_it_still_passes(
    tmp_path: Path, pinned: Outcome, expected: list[Weight]
) -> None:
    bench = Bench(tmp_path, pinned)
    before, after = bench.seen("test", Seen.PASSED, "a", "b"), bench.seen("test", Seen.PASSED, "a")
    assert weights(compare(bench.context, work("M"), {"test": before}, [after]).objections) == expected
    assert bench.world.places.passing == []


@pytest.mark.parametrize("ended", [GREEN, BROKEN])
def test_a_tree_made_to_be_looked_at_has_its_origins_dependencies_and_is_gone_afterwards(
    tmp_path: Path, ended: Outcome
) -> None:
    bench = Bench(tmp_path, ended, setup="npm ci")
    observe_made(bench.context, "made", "new", [CHECK])
    (spec,) = bench.world.sandbox.specs
    assert (str(spec.backing), bench.layers.asked) == ("/passing/made", [PurePosixPath("/exports/new")])
    assert bench.world.places.passing == []
