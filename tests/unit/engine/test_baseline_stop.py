"""What a run says that does not begin on a red baseline, and what one may say that does. INV-8"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autopilot.engine.baseline import Baseline, make_context, observe_baseline, separate_flaky, sort_red
from autopilot.engine.baseline_stop import must_stand
from autopilot.gates.baseline import Goal, Red, goal_of
from autopilot.model.errors import Unavailable
from autopilot.model.evidence.observation import Observation, Seen, Trouble
from autopilot.model.evidence.testing import Grade, Tally
from autopilot.model.planning.criterion import Criterion, Form, Kind
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Commands, Evidence, Policy
from autopilot.model.run import PhaseBrief
from autopilot.ports.sandbox import Exited, Outcome
from tests.unit.making import make_observation
from tests.unit.steps.world import Foretold, World

CONFIG = '{\n  "project": {\n    "commands": {\n      "test": "pytest"\n    }\n  }\n}\n'
X, Y = (Red(f"tests/test_a.py::test_{name}", "test", "assert 1 == 2") for name in "xy")
GONE = Red("test", "test", "pytest is not installed", is_not_run=True)
SEEN = make_observation("test", Seen.FAILED, command="pytest", trouble=None)


def stop(*red: Red, printed: tuple[str, ...] = (), seen: Observation = SEEN) -> tuple[str, str, list[str]]:
    baseline = Baseline((seen,), None, red, (("test", printed),))
    with pytest.raises(Unavailable) as refused:
        must_stand(baseline, sort_red(baseline, (), ()), CONFIG, "autopilot run 1")
    assert refused.value.exit_status == 5
    return str(refused.value), refused.value.hint, list(refused.value.lines)


def test_red_tests_are_listed_with_the_command_that_begins_all_the_same() -> None:
    message, hint, listed = stop(X, Y)
    assert message == f"2 tests are red before any work: {X.id}, {Y.id}"
    assert listed == [f"  red: {red.id} -- assert 1 == 2" for red in (X, Y)]
    assert f"`autopilot run 1 --accept-red {X.id} --accept-red {Y.id}`" in hint
    assert "`autopilot doctor`" in hint
    many = [Red(f"tests/test_a.py::test_{number}", "test") for number in range(9)]
    assert "`autopilot run 1 --accept-red all`" in stop(*many)[1]
    assert stop(*many)[0].endswith("test_4 and 4 more")


def test_a_command_that_cannot_run_is_refused_with_its_own_words_and_the_line_to_change() -> None:
    message, hint, listed = stop(GONE, printed=("python3: No module named pytest",))
    assert message == "test: `pytest` cannot run here (pytest is not installed): python3: No module named pytest"
    assert "correct project.commands.test or project.commands.setup in .planning/config.json:4" in hint
    assert listed == [], "said once"


def test_tests_that_ran_out_of_time_are_told_where_their_limit_is() -> None:
    late = make_observation("test", Seen.TIMED_OUT, command="pytest", trouble=None)
    hint = stop(Red("test", "test", "the command did not finish within 2 s"), seen=late)[1]
    assert "raise their time limit: test below [timeouts] in your settings.toml" in hint
    assert "fix what is red" in stop(X)[1] and "time limit" not in stop(X)[1]


@pytest.mark.parametrize(("passed", "is_told"), [(0, True), (3, False)])
def test_that_no_phase_passes_without_a_green_test_is_told_before_red_ones_are_accepted(
    passed: int, is_told: bool
) -> None:
    told = ", if the work is to bring tests that pass (no phase passes without one): `autopilot run 1 --accept-red"
    tests = Tally("pytest", Grade.REPORT, passed=passed, failed=1)
    seen = make_observation("test", Seen.FAILED, command="pytest", trouble=None, tests=tests)
    assert (told in stop(X, seen=seen)[1]) == is_told
    lost = make_observation("test", Seen.FAILED, command="pytest", trouble=Trouble.NOT_RUN)
    assert told in stop(GONE, seen=lost)[1], "nor where they cannot run"


def test_a_setup_that_fails_cannot_be_accepted() -> None:
    setup = make_observation("setup", Seen.FAILED, command="pip install .", trouble=Trouble.SETUP, reason="exit 1")
    baseline = Baseline((), setup, (), (("setup", ("ERROR: no such package",)),))
    with pytest.raises(Unavailable, match=re.escape("`pip install .` fails before any work: ERROR: no such package")):
        must_stand(baseline, sort_red(baseline, (), ("all",)), CONFIG, "autopilot run")


def test_what_is_accepted_or_aimed_at_is_a_warning_and_so_is_a_linter_that_nobody_asked_for() -> None:
    lint = make_observation("lint", Seen.FAILED, command="ruff", trouble=Trouble.NOT_RUN, reason="no ruff")
    baseline = Baseline((lint, SEEN), None, (X, Y))
    found = sort_red(baseline, [Goal("fix test_y")], (X.id,))
    accepted, aimed_at, unasked = must_stand(baseline, found, CONFIG, "autopilot run")
    assert X.id in accepted and "accepted" in accepted
    assert Y.id in aimed_at and "turn green" in aimed_at
    assert "`autopilot init`" in unasked, "every warning says what to do"


def test_a_check_of_the_whole_is_the_aim_of_a_phase_only_where_it_stands_alone() -> None:
    whole = Criterion("SC-1", "all tests pass", Form.COMMAND, "pytest", kind=Kind.KEEP)
    new = Criterion("SC-2", "it greets", Form.COMMAND, "./greet", kind=Kind.NEW)

    def turns_green(*criteria: Criterion) -> tuple[str, ...]:
        return goal_of(PhaseBrief(PhaseId("1"), "A", "a goal", (), (), "", criteria)).turns_green

    assert turns_green(whole) == ("pytest",)
    assert turns_green(whole, new) == ("./greet",)


GREEN, BAD = Outcome(Exited(0), b""), Outcome(Exited(1), b"1 failed\n")


@pytest.mark.parametrize(
    ("ends", "accepted", "flaky", "runs"),
    [
        ((GREEN,), (), [], 1),
        ((BAD, GREEN), (), ["test"], 2),
        ((BAD, BAD), (), None, 2),  # red twice: it stops the run
        ((BAD,), ("test",), [], 1),  # accepted: nothing is run again
    ],
)
def test_a_test_that_is_red_and_green_at_one_commit_stops_no_run_and_is_named(
    tmp_path: Path, ends: tuple[Outcome, ...], accepted: tuple[str, ...], flaky: list[str] | None, runs: int
) -> None:
    sandbox = Foretold(*ends)
    world = World(tmp_path, sandbox=sandbox)
    policy = Policy(commands=Commands(test="make test"), evidence=Evidence(repeats=4))
    baseline = observe_baseline("run-1", "c1", policy, frozenset({"test"}), world.ports)
    sorted_ = separate_flaky(
        make_context("run-1", policy, world.ports), "c1", baseline, sort_red(baseline, (), accepted)
    )
    assert len(sandbox.specs) == runs
    if flaky is None:
        with pytest.raises(Unavailable, match="fails before any work"):
            must_stand(baseline, sorted_, CONFIG, "autopilot run")
        return
    assert [red.id for red in sorted_.flaky] == flaky
    warned = [
        line for line in must_stand(baseline, sorted_, CONFIG, "autopilot run") if "flaky before the work" in line
    ]
    assert len(warned) == len(flaky)
