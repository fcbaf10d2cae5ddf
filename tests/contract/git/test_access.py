"""Git's own rule about foreign owners is kept, with git's own remedy."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from autopilot.adapters.git.checkout.access import access_refusals, is_listed_safe


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        ((), False),
        (("/srv/a/project",), True),
        (("*",), True),
        (("/srv/a/*",), True),
        (("/srv/*",), True),
        (("/srv/b/*", "/srv/a"), False),
        (("*", ""), False),
        (("", "*"), True),
    ],
)
def test_a_folder_is_safe_as_git_reads_its_config(listed: tuple[str, ...], expected: bool) -> None:
    assert is_listed_safe(Path("/srv/a/project"), listed) is expected


def test_a_repository_of_somebody_else_is_refused_until_its_user_trusts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("SUDO_UID", raising=False)
    assert list(access_refusals(tmp_path, tmp_path)) == [], "it is ours"
    foreign = Path("/usr")  # of root; whoever is root gives a folder away
    if os.geteuid() == 0:
        foreign = tmp_path / "project"
        foreign.mkdir()
        os.chown(foreign, 12345, -1)
    assert f"`git config --global --add safe.directory {foreign}`" in next(access_refusals(foreign, foreign)).remedy
    (tmp_path / ".gitconfig").write_text(f"[safe]\n\tdirectory = {foreign}\n")
    assert not list(access_refusals(foreign, foreign))
