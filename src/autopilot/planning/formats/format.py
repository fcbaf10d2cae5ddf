"""The port of a planning format: where its files lie, what they say, and how progress is written back. All of it pure.

Which format a repository has is decided by place alone: ``find`` sees paths, never a text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from autopilot.model.planning.outline import Outline, Proven, SpanEdit
from autopilot.model.policy import Commands
from autopilot.planning.spec.spec import neutralise

Texts = Mapping[str, str]  # by repository path, decoded with surrogateescape: spans are of these characters


def plain_neutral(_path: str, text: str) -> str:
    """Of Markdown: boxes emptied, "(completed …)" taken off."""
    return neutralise(text)


class Format(Struct, frozen=True):
    name: str  # what `autopilot.planning` calls it: "spec-kit"
    title: str  # what its users call it, and where it lies: "spec-kit (specs/NNN-name/)"
    places: tuple[str, ...]  # folders and files that are listed before ``find`` is asked
    find: Callable[[Sequence[str]], tuple[str, ...]]  # those of the paths that belong to it; () when it is not here
    read: Callable[[Texts, Commands], Outline]
    mark: Callable[[Texts, Proven], tuple[SpanEdit, ...]]  # doing it twice changes nothing more
    # The text without what ``mark`` writes: the hash of a frozen spec is taken of it.
    neutral: Callable[[str, str], str] = plain_neutral
    last_resort: bool = False  # its files may be anybody's: it counts where no other is here, or where it is named
