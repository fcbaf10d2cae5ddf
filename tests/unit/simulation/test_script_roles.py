"""A script whose role is misspelt is refused with the roles there are."""

from __future__ import annotations

import pytest

from autopilot.model.errors import UsageError
from autopilot.simulation.scripted.agent_script import parse_script


def test_an_unknown_role_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError) as raised:
        parse_script('{"calls": [{"role": "exekutor"}]}')
    assert 'calls[0].role is "exekutor", not one of ' in str(raised.value) and "executor, " in str(raised.value)
