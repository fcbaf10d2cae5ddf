"""Every role needs one agent of its chain; one that is missing beside others is told, and no more."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from autopilot.model.agent import AgentCall, AgentReply
from autopilot.model.errors import AgentMissing, Unavailable
from autopilot.model.pasting import ANY_FILE
from autopilot.model.policy import Choice
from autopilot.steps.asking.agent_check import find_agents
from tests.unit.making import policy_of


class There:
    def __init__(self, name: str) -> None:
        self.name = name

    def version(self) -> str:
        if self.name.startswith("gone"):
            raise AgentMissing(f"{self.name} is not on your PATH", f"install {self.name}")
        return "1.0"

    def trouble(self) -> AgentMissing | None:
        hint = f"autopilot agents login {self.name}"
        return AgentMissing(f"{self.name} is not signed in", hint) if self.name.startswith("out") else None

    def call(self, call: AgentCall) -> AgentReply:
        raise NotImplementedError


class Office:
    written = ANY_FILE

    def named(self, name: str) -> There:
        if name == "nobody":
            raise Unavailable("there is no agent named 'nobody'", "choose one of: a, b")
        return There(name)


def available(agents: Mapping[str, Choice], **more: Mapping[str, Choice]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    found = find_agents(policy_of(agents=agents, profiles=more), Office())
    return found.agents, found.warnings


def test_everybody_who_may_be_asked_is_named_with_the_version() -> None:
    assert available({"default": ("a", "b:big"), "judge": "c"}) == (("a 1.0", "b 1.0", "c 1.0"), ())


def test_one_that_is_missing_beside_others_is_a_warning() -> None:
    agents, warnings = available({"default": ("gone", "b")})
    assert agents == ("b 1.0",)
    assert warnings == ("agent gone is not available, and fallback agents replace it: gone is not on your PATH",)


def test_a_role_with_nobody_stops_the_run_with_the_remedy_of_the_preferred_one() -> None:
    with pytest.raises(Unavailable) as raised:
        available({"default": ("a", "gone-1"), "judge": ("gone-1", "gone-2")})
    said = "no agent is available for the role judge: gone-1 is not on your PATH; gone-2 is not on your PATH"
    assert (str(raised.value), raised.value.hint) == (said, "install gone-1")


def test_one_that_is_signed_out_counts_as_missing() -> None:
    assert available({"default": ("out", "b")})[1] == (
        "agent out is not available, and fallback agents replace it: out is not signed in",
    )
    with pytest.raises(
        Unavailable, match="no agent is available for the role researcher: out is not signed in"
    ) as raised:
        available({"default": "out"})
    assert raised.value.hint == "autopilot agents login out"


def test_an_agent_that_nobody_knows_is_no_missing_one() -> None:
    with pytest.raises(Unavailable, match="no agent named 'nobody'"):
        available({"default": ("a", "nobody")})


@pytest.mark.parametrize(
    ("agents", "said"),
    [({}, "no agent is chosen"), ({"judge": "a"}, "no agent is chosen for researcher, planner, ")],
)
def test_without_a_choice_nobody_is_asked(agents: Mapping[str, Choice], said: str) -> None:
    with pytest.raises(Unavailable) as raised:
        available(agents)
    assert str(raised.value).startswith(said)
    assert raised.value.hint


def test_only_the_profile_of_this_run_has_to_be_there() -> None:
    assert available({"default": "a"}, quality={"default": "gone"}) == (("a 1.0",), ())
