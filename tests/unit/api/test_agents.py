"""Roles without an agent are told by whichever roles are fewer."""

from __future__ import annotations

import pytest

from autopilot.api.agents import describe_unchosen
from autopilot.model.agent import Role

EVERY = [role.value for role in Role]


@pytest.mark.parametrize(
    ("unnamed", "told"),
    [
        (EVERY, "no agent is chosen"),
        (["judge"], "no agent is chosen for judge"),
        ([role for role in EVERY if role != "judge"], "only judge has an agent"),
        ([role for role in EVERY if role not in ("judge", "auditor")], "only judge and auditor have an agent"),
    ],
)
def test_roles_without_an_agent_are_named(unnamed: list[str], told: str) -> None:
    assert describe_unchosen(unnamed) == told
