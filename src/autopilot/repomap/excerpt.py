"""The part of the map that a prompt has room for: the files that matter most with what they define, then more paths."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from autopilot.model.repomap.facts import FileFacts
from autopilot.repomap.signatures import Definition, definitions, one_line
from autopilot.repomap.words import stems_of

CHARACTERS = 4  # of a token, about
# Of the room, for files with what they define: as much as leaves room for the names of all others, at least the last.
SHARES = (1.0, 0.8, 0.65, 0.5)
MOST_DEFINITIONS = 6  # of one file
LONGEST_PATH = 160
MORE = "More files, by folder:"


class Excerpt(Struct, frozen=True):
    text: str = ""
    files: tuple[str, ...] = ()  # every file that it names, those with their definitions first

    @property
    def tokens(self) -> int:
        return -(-len(self.text) // CHARACTERS)


def render_excerpt(
    files: Mapping[str, FileFacts], order: Sequence[str], tokens: int, stems: Collection[str] = ()
) -> Excerpt:
    """``order``: the files that matter, most first. ``stems``: words whose definitions are shown before others."""
    order = [path for path in order if len(path) <= LONGEST_PATH and one_line(path, LONGEST_PATH) == path]
    excerpt = Excerpt()
    for share in SHARES:
        excerpt = _render(files, order, tokens * CHARACTERS, share, frozenset(stems))
        if len(excerpt.files) == len(order):
            break
    return excerpt


def _render(
    files: Mapping[str, FileFacts], order: Sequence[str], room: int, share: float, stems: frozenset[str]
) -> Excerpt:
    blocks: list[str] = []
    used = 0
    for path in order:
        block = _block(path, files[path], stems)
        if used + len(block) + 1 > room * share:
            break
        blocks.append(block)
        used += len(block) + 1
    named = order[: len(blocks)]
    folders, more = _by_folder(order[len(blocks) :], room - used - len(MORE) - 2)
    if folders:
        blocks.append("\n".join((MORE, *folders)))
    return Excerpt("\n".join(blocks), (*named, *more))


def _block(path: str, facts: FileFacts, stems: frozenset[str]) -> str:
    chosen = _choose(definitions(facts), stems)
    left = len(definitions(facts)) - len(chosen)
    lines = [f"  {one.line}: {one.signature}" for one in chosen]
    return "\n".join((path, *lines, *([f"  and {left} more"] if left else [])))


def _choose(defined: Sequence[Definition], stems: frozenset[str]) -> list[Definition]:
    """Those whose names have most words of the topic; then what stands at the top. In the order of lines."""
    by_worth = sorted(defined, key=lambda one: (-len(stems & stems_of(one.name)), not one.is_top, one.line))
    return sorted(by_worth[:MOST_DEFINITIONS], key=lambda one: one.line)


def _by_folder(order: Sequence[str], room: int) -> tuple[list[str], list[str]]:
    """As many of these files as there is room for: a folder is named once, with its files behind it."""
    folders: dict[str, list[str]] = {}
    taken = []
    for path in order:
        folder, _, name = path.rpartition("/")
        folder = folder or "."
        cost = len(name) + (2 if folder in folders else len(folder) + 4)
        if cost > room:
            continue
        room -= cost
        folders.setdefault(folder, []).append(name)
        taken.append(path)
    return [f"{folder}/: {', '.join(names)}" for folder, names in folders.items()], taken
