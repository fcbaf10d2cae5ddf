"""A step is written down once: in `Step`. No other list of steps has to be kept in agreement with it by hand."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autopilot.engine.performing import STEPS, load_debug_steps, load_issue_steps
from autopilot.model.step import DEBUG_STEPS, ISSUE_STEPS, Step
from tests.tidy.house import modules, named, nodes, parsed
from tests.unit.flows.performer import PLAYS

MANY = 3  # steps in one list: that is a registry, and no longer a rule about two of them
# Lists of steps that a new one need not join, each with the reason why it is written by hand.
KEPT_BY_HAND = {
    "src/autopilot/engine/performing.py": "the one registry: which function performs a step",
    "src/autopilot/events/fold_breaker.py": "whose end shows progress; a new step is judged by its status",
    "src/autopilot/flows/holding.py": "steps on the run's own branch, which has to wait for them",
    "src/autopilot/reports/issue/progress.py": "what is said while a long step of an issue is under way",
    "src/autopilot/reports/status/phase_record.py": "what state.json has elsewhere; a new step stands with its phase",
}


def test_steps_are_listed_by_hand_in_known_places_only() -> None:
    places = {named(path) for path in modules() if any(count >= MANY for count in listed_steps(parsed(path)))}
    assert places == set(KEPT_BY_HAND)


def test_every_step_can_be_performed() -> None:
    assert list(STEPS) == list(Step)
    assert list(load_issue_steps()) == list(ISSUE_STEPS)
    assert list(load_debug_steps()) == list(DEBUG_STEPS)


def test_every_step_has_a_play_for_the_laws_of_the_flows() -> None:
    asks_people = {Step.MAP, Step.DISCUSS}  # played by the tests of their own flows
    assert set(PLAYS) == set(Step) - asks_people


def test_a_list_of_steps_is_noticed() -> None:
    source = ast.parse("A = (Step.PLAN, *(Step.RATE, Step.GATE), Step.LAND)\nB = {Step.PLAN: 1}\nC = Step.PLAN")
    assert sorted(listed_steps(source)) == [1, 2, 4]


def listed_steps(tree: ast.Module) -> Iterator[int]:
    """How many steps each literal collection names, those unpacked into it included."""
    for node in nodes(tree):
        if isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Dict):
            found = [each for each in ast.walk(node) if isinstance(each, ast.Attribute) and is_step(each)]
            if found:
                yield len(found)


def is_step(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "Step" and node.attr.isupper()
