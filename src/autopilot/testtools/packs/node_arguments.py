"""How JavaScript's test tools are called: by their name, or as a file that node runs."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from autopilot.text.commands.wrappers import program

TEST_FILE = re.compile(r"(?P<stem>[^/]+?)(?P<ending>[._-](?:test|spec)\.[cm]?[jt]sx?)")
_IN_TESTS = re.compile(r"(?:^|/)(?:__tests__|tests?)/(?:.*/)?(?P<stem>[^/.]+)(?P<ending>\.[cm]?[jt]sx?)\Z")
_NODE_VALUED = frozenset({"-r", "--require", "--import", "--loader", "--experimental-loader", "-C", "--conditions"})


def tool_at(arguments: Sequence[str], tool: str) -> int | None:
    """The place of ``jest`` in ``jest`` or in ``node --flag node_modules/.bin/jest``."""
    if not arguments:
        return None
    if program(arguments[0]) == tool:
        return 0
    if program(arguments[0]) not in {"node", "nodejs"}:
        return None
    place = 1
    while place < len(arguments) and arguments[place].startswith("-"):
        place += 2 if arguments[place] in _NODE_VALUED else 1
    script = arguments[place] if place < len(arguments) else ""
    is_tool = "node_modules/" in script and re.fullmatch(rf"{tool}(?:\.m?js)?", posixpath.basename(script))
    return place if is_tool else None


def beside_a_test(paths: Sequence[str], selected: Sequence[str]) -> tuple[str, str] | None:
    """The folder and the ending of a test file of the project, of the selected ones if any is among them."""
    found = list[tuple[str, str, str]]()
    for path in sorted(paths):
        if "node_modules/" in path:
            continue
        match = TEST_FILE.fullmatch(posixpath.basename(path)) or _IN_TESTS.search(path)
        if match:
            found.append((path, posixpath.dirname(path), match["ending"]))
    chosen = [word.removeprefix("./") for word in selected if word not in {".", "./"}]
    near = [candidate for candidate in found if any(word in candidate[0] for word in chosen)]
    return (near or found)[0][1:] if found else None


def reporters(arguments: Sequence[str], option: str) -> list[str]:
    """The values an option has, however it is written."""
    values = list[str]()
    for index, word in enumerate(arguments):
        if word.startswith(f"{option}="):
            values.append(word.partition("=")[2])
        elif word == option and index + 1 < len(arguments):
            values.append(arguments[index + 1])
    return values
