"""Before a commit is taken in, its names, link targets and contents are searched for secrets (T7)."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from autopilot.model.run import Step
from autopilot.steps.accepting import LARGEST_CHECKED, MOST_CHECKED, refuse_contents
from tests.unit.steps.sample import sample_context
from tests.unit.steps.world import Tree, World

# covers: T7.redaction
SECRET = "kp7-Zq19-wvT4-88ab"


class Linked(Tree):
    def __init__(self, files: dict[str, bytes], links: dict[str, bytes]) -> None:
        super().__init__(files)
        self._links = links

    def read_link(self, commit: str, path: str) -> bytes | None:
        return self._links.get(path)


def leak(
    tmp_path: Path, files: dict[str, bytes], links: dict[str, bytes] | None = None, most: int = MOST_CHECKED
) -> str:
    world = World(tmp_path, secrets={"TOKEN": SECRET})
    world.ports = replace(world.ports, vault=Linked(files, links or {}))
    return refuse_contents(sample_context(world, Step.EXECUTE, "01-01"), "head", [*files, *(links or {})], most)


def test_files_without_a_secret_are_taken_in(tmp_path: Path) -> None:
    assert leak(tmp_path, {"a.py": b"x = 1\n", "empty": b""}, {"link": b"a.py"}) == ""


def test_a_secret_in_the_last_of_a_thousand_files_is_found(tmp_path: Path) -> None:
    files = {f"generated/{number}.py": b"x = 1\n" for number in range(1000)}
    assert leak(tmp_path, {**files, "last": SECRET.encode()}) == "last holds a secret of this machine"


def test_a_secret_behind_megabytes_is_found(tmp_path: Path) -> None:
    assert leak(tmp_path, {"big": b"\0x" * 1_500_000 + SECRET.encode()}) == "big holds a secret of this machine"


def test_a_secret_in_a_name_or_a_links_target_is_found_and_not_repeated(tmp_path: Path) -> None:
    assert (
        leak(tmp_path, {f"docs/{SECRET}.md": b""})
        == "the name of docs/[redacted:TOKEN].md holds a secret of this machine"
    )
    assert leak(tmp_path, {}, {"link": SECRET.encode()}) == "link holds a secret of this machine"


def test_a_file_too_large_to_be_checked_is_refused(tmp_path: Path) -> None:
    assert leak(tmp_path, {"big": bytes(LARGEST_CHECKED + 1)}).startswith("big is over 100 MB: too large to be checked")


def test_a_commit_that_writes_too_much_is_not_read_to_its_end(tmp_path: Path) -> None:
    """One large blob under many names takes a few kilobytes of an agent's clone."""
    files = {f"copy-{number}": bytes(1_000_000) for number in range(5)}
    assert leak(tmp_path, files, most=4_000_000).startswith("the commit writes over 4 MB: too much to be checked")
    assert leak(tmp_path, files, most=5_000_000) == ""


@pytest.mark.parametrize(
    "between", ["\x1b[0m", "\r", '" "', '" + "', "\n# ", "\u200b", "\u00ad", "'\n    '"], ids=ascii
)
def test_a_secret_is_found_whatever_stands_between_its_letters(tmp_path: Path, between: str) -> None:
    middle = len(SECRET) // 2
    text = f'key = "{SECRET[:middle]}{between}{SECRET[middle:]}"\n'
    assert leak(tmp_path, {"a.py": text.encode()}) == "a.py holds a secret of this machine"


def test_letters_of_a_secret_in_another_order_are_none(tmp_path: Path) -> None:
    assert leak(tmp_path, {"a.py": SECRET[::-1].encode()}) == ""
