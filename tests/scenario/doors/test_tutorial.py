"""The tutorials are true: carried out as they stand, from an empty folder to a landed phase or a merged issue.

covers: AL-1, AL-3, AL-4
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scenario.kit.tutorial import Call, Reader, Written, first_missing, read_tutorial
from tests.tidy.house import ROOT


@pytest.mark.parametrize("page", ["tutorial-roadmap.md", "tutorial-issue.md"])
def test_a_tutorial_happens_as_it_is_told(tmp_path: Path, page: str) -> None:
    reader = Reader(tmp_path)
    for part in read_tutorial((ROOT / "docs" / page).read_text(encoding="utf-8")):
        reader.do(part)


def test_what_a_tutorial_shows_is_read_line_by_line() -> None:
    text = "```console\n$ cd a\n$ ls # exit 3\nb …\n\nc\n```\n\n```json x/y.json\n{}\n```\n"
    assert list(read_tutorial(text)) == [Call("cd a"), Call("ls # exit 3", ("b …", "c")), Written("x/y.json", "{}\n")]


@pytest.mark.parametrize(
    ("shown", "missing"),
    [(("one", "three"), None), (("t…o",), None), (("three", "one"), "one"), (("tw",), "tw"), (("one…two",), "one…two")],
)
def test_a_line_that_was_not_said_there_is_noticed(shown: tuple[str, ...], missing: str | None) -> None:
    assert first_missing(shown, ["one", " two", "three"]) == missing


def test_a_command_that_ends_otherwise_is_noticed(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    reader.do(Call("mkdir a && cd a && false # exit 1"))
    assert reader.place == tmp_path / "work" / "a"
    with pytest.raises(AssertionError, match="ended with 1"):
        reader.do(Call("false"))
