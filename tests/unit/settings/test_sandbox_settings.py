"""What the user's settings say about every sandbox: wrong words are refused before anything is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from autopilot.model.errors import UsageError
from autopilot.settings.reading import Settings, read_settings


def settings_of(tmp_path: Path, text: str) -> Settings:
    file = tmp_path / "autopilot" / "settings.toml"
    file.parent.mkdir()
    file.write_text(text)
    return read_settings({"XDG_CONFIG_HOME": str(tmp_path), "HOME": str(tmp_path)})


def test_folders_and_memory_are_taken_as_they_are_written(tmp_path: Path) -> None:
    settings = settings_of(
        tmp_path, 'sandbox_show = ["/opt/sdk"]\nsandbox_memory_mb = 4000\nsandbox_scratch_mb = 9000\n'
    )
    assert (settings.shown, settings.memory_mb, settings.scratch_mb) == ((Path("/opt/sdk"),), 4000, 9000)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('sandbox_show = ["data"]', 'names "data", which is not an absolute path'),
        ('sandbox_show = ["/"]', 'names "/", which is not a single folder'),
        ("sandbox_memory_mb = 3", "is 3, too little"),
        ("sandbox_scratch_mb = 3", "is 3, too little"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_what_to_write(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as raised:
        settings_of(tmp_path, text)
    assert raised.value.hint.startswith("write ")
