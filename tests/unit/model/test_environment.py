"""Where programs of the project stand among those of the machine. covers: T3.dependencies, T8.S"""

from __future__ import annotations

import pytest

from autopilot.model.conditions import Environment, SearchPath, activate, describe_usurped

PROGRAMS = {"python": "of the machine", "pytest": "starts pytest", "shelf": "starts shelf"}
BASE = Environment(".venv", PROGRAMS, ("node_modules/.bin",), shadows=("python",))


def test_an_environment_that_setup_makes_is_active() -> None:
    assert activate(BASE, BASE) == SearchPath((".venv/bin",), ("node_modules/.bin",), ".venv")


@pytest.mark.parametrize(
    ("changed", "shadows"),
    [
        ({"shelf-admin": "starts shelf"}, ("python",)),  # a new program of the product's
        ({"mypy": "binary"}, ("python",)),  # a new dependency, where the machine has no such program
    ],
)
def test_a_new_program_under_a_new_name_changes_nothing(changed: dict[str, str], shadows: tuple[str, ...]) -> None:
    here = Environment(".venv", {**PROGRAMS, **changed}, shadows=shadows)
    assert activate(BASE, here).first == (".venv/bin",)


@pytest.mark.parametrize(
    ("changed", "shadows", "usurped"),
    [
        ({"grep": "starts shelf"}, ("grep", "python"), "grep"),  # in front of the machine's
        ({"pytest": "starts shelf"}, ("python",), "pytest"),  # in place of the tool that was there
        ({"python": "0123456789abcdef"}, ("python",), "python"),  # a script for an interpreter
        ({"python": "link to ../../tools/python"}, ("python",), "python"),
    ],
)
def test_what_a_name_led_to_before_it_leads_to_after_the_work(
    changed: dict[str, str], shadows: tuple[str, ...], usurped: str
) -> None:
    here = Environment(".venv", {**PROGRAMS, **changed}, ("node_modules/.bin",), shadows)
    search = activate(BASE, here)
    assert search == SearchPath((), (".venv/bin", "node_modules/.bin"), usurped=usurped)
    assert f"puts another {usurped} there" in describe_usurped(search)


@pytest.mark.parametrize(
    ("at_base", "here"),
    [
        (Environment(), BASE),  # it came with the work
        (BASE, Environment()),  # the checkout has a part in it, or setup makes none any more
        (BASE, Environment("venv", PROGRAMS)),  # another one
    ],
)
def test_only_the_environment_of_the_base_is_active(at_base: Environment, here: Environment) -> None:
    assert activate(at_base, here) == SearchPath()


def test_nothing_is_said_where_the_environment_is_active() -> None:
    assert describe_usurped(activate(BASE, BASE)) == ""
