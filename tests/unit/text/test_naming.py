from __future__ import annotations

import pytest

from autopilot.text.naming import name_some


@pytest.mark.parametrize(
    ("names", "said"), [(("README",), "README"), (("a", "b"), "a and 1 more"), (("a", "b", "c", "d"), "a and 3 more")]
)
def test_more_is_said_only_where_there_is_more(names: tuple[str, ...], said: str) -> None:
    assert name_some(names) == said
