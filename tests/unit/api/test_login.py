"""A key that cannot be one is refused with what is wrong about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from autopilot.api.login import save_key
from autopilot.model.errors import UsageError
from autopilot.settings.reading import read_settings


@pytest.mark.parametrize(
    ("key", "message", "hint"),
    [
        ("  ", "the key is empty", "pass the key on standard input: "),
        ("sk 123", "the key contains spaces", "the key must be one word and nothing else"),
    ],
)
def test_a_key_is_one_word(key: str, message: str, hint: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as raised:
        save_key(read_settings({"HOME": str(tmp_path)}), "claude", key)
    assert str(raised.value) == message and raised.value.hint.startswith(hint)
