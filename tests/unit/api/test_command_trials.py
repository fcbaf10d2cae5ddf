"""The commands of several packages as one. covers: INV-7"""

from __future__ import annotations

from autopilot.api.command_trials import Settled, Trial, join_packages, list_packages
from autopilot.model.policy import Commands

RED = Trial("test", "cd a && pytest", "a/setup.py", "tests failed", "1 failed", 1.0)
A = Settled(Commands(setup="cd a && pip install .", test="cd a && pytest"), (RED,), RED)
B = Settled(Commands(setup="cd b && npm ci", lint="cd b && npm run lint", test="cd b && npm test"))


def test_a_package_with_red_tests_keeps_no_other_from_being_tested() -> None:
    joined = join_packages([A, B])
    assert joined.commands.test == "(cd b && npm test) && (cd a && pytest)"
    assert joined.commands.lint == "(cd b && npm run lint)"
    assert (joined.red, joined.trials) == (RED, (RED,))


def test_packages_that_are_green_stay_in_their_order_and_one_alone_as_it_is() -> None:
    green = Settled(A.commands)
    assert join_packages([green, B]).commands.test == "(cd a && pytest) && (cd b && npm test)"
    assert join_packages([A]) == A


def test_a_package_whose_tests_cannot_be_run_brings_no_setup_where_others_work() -> None:
    failed = Trial("test", "pytest", "its tests", "failed", "No module named 'a'", 1.0)
    root = Settled(Commands(setup="python3 -m venv .venv", compile="python -m compileall -q a"), (failed,))
    joined = join_packages([root, B])
    assert (joined.commands.setup, joined.commands.compile) == ("(cd b && npm ci)", None)
    assert joined.trials == (failed,)
    assert join_packages([root, root]).commands.compile is not None


def test_each_package_that_works_keeps_commands_of_its_own_and_one_alone_needs_none() -> None:
    failed = Trial("test", "pytest", "its tests", "failed", "No module named 'a'", 1.0)
    broken = Settled(Commands(compile="python -m compileall -q c"), (failed,))
    assert list_packages({"a": A, "b": B, "c": broken}) == {"a": A.commands, "b": B.commands}
    assert list_packages({"a": A, "c": broken}) == {}
