"""A command rewritten: every call of a test tool in it, found through all it leads to, and spelled anew."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence

from msgspec import Struct

from autopilot.testtools.commands.following import ReadText, followed, scripts_of
from autopilot.testtools.pack import Pack
from autopilot.testtools.registry import PACKS
from autopilot.text.commands.wrappers import past_wrappers, program
from autopilot.text.shell_tokens import Word
from autopilot.text.simple_commands import Doubt, Simple, simple_commands

_SHELLS = frozenset({"sh", "bash", "dash"})
_SHELL_OPTION = re.compile(r"-[a-z]*c")
_SAFE = re.compile(r"[\w@%+=:,./-]*")  # what a shell reads as it is written
MAX_DEPTH = 4


class Found(Struct, frozen=True):
    """A call of a test tool, wherever the command leads to it."""

    pack: Pack
    arguments: tuple[str, ...]  # from the tool on; what only starts it (`timeout 60 npx`) is left out
    spelling: list[str]  # the same words with a name in the place of what only the shell can know
    folder: str
    index: int  # among all calls of the command


Spell = Callable[[Found], str | None]  # for the shell, from the tool's name on; None: as it is


def rewrite(command: str, read: ReadText, project: str, spell: Spell) -> tuple[str, tuple[Found, ...]] | None:
    """None where the command calls no test tool, or where its effect is not certain."""
    rewriting = _Rewriting(read, project, spell)
    try:
        text = rewriting.rewritten(command, "", 0)
    except Doubt:
        return None
    return (text, tuple(rewriting.found)) if rewriting.found else None


class _Rewriting:
    """One command: its calls are counted through everything it is followed to."""

    def __init__(self, read: ReadText, project: str, spell: Spell) -> None:
        self.found: list[Found] = []
        self._read = read
        self._project = project
        self._spell = spell

    def rewritten(self, text: str, folder: str, depth: int) -> str:
        """The text with every call in it replaced; the same text where there is none."""
        edits = list[tuple[int, int, str]]()
        for simple in simple_commands(text, folder, self._project):
            known = len(self.found)
            edit = self._edit(text, simple, depth)
            if edit is None:
                continue
            if not simple.once or simple.before == "||":
                raise Doubt("tests run repeatedly, in the background, or in place of others")
            if len(self.found) > known:
                edits.append(edit)
        for start, end, new in reversed(edits):
            text = text[:start] + new + text[end:]
        return text

    def _edit(self, text: str, simple: Simple, depth: int) -> tuple[int, int, str] | None:
        texts = [word.text for word in simple.arguments]
        start = past_wrappers(texts)
        arguments, folder = simple.arguments[start:], simple.folder
        if not arguments:
            return None
        if self._is_bin(arguments, folder):
            arguments = arguments[1:]
        pack = _pack_for(_texts(arguments))
        if pack is not None:
            new = self._spelled(pack, arguments, text, _known(folder))
        else:
            inner = self._followed(arguments, folder, depth)
            if inner is None:
                return None
            new = inner
        return arguments[0].start, arguments[-1].end, new + _redirects_within(text, simple, arguments)

    def _is_bin(self, arguments: Sequence[Word], folder: str | None) -> bool:
        """``yarn jest`` is a program of the package where the package has no script of that name."""
        if program(arguments[0].text) not in {"yarn", "pnpm"} or len(arguments) < 2 or folder is None:
            return False
        return arguments[1].text not in scripts_of(folder, self._read) and _pack_for(_texts(arguments[1:])) is not None

    def _spelled(self, pack: Pack, arguments: Sequence[Word], text: str, folder: str) -> str:
        spelling, sources = _stand_ins(arguments, text)
        found = Found(pack, tuple(_texts(arguments)), spelling, folder, len(self.found))
        self.found.append(found)
        spelled = self._spell(found)
        if spelled is None:
            spelled = " ".join(map(shlex.quote, spelling))
        for stand_in, source in sources.items():
            spelled = spelled.replace(stand_in, source)
        return spelled

    def _followed(self, arguments: Sequence[Word], folder: str | None, depth: int) -> str | None:
        """A text inside this call, rewritten. None where it leads nowhere, or to no test tool."""
        if depth >= MAX_DEPTH:
            return None
        if program(arguments[0].text) in _SHELLS:
            before, inner, after = _shell_text(arguments)
        else:
            found = followed(_texts(arguments), folder, self._read) if folder is not None else None
            if found is None:
                return None
            before, inner, after = f"{found.before}sh -c ", found.text, f" {shlex.quote(found.tool)}"
        known = len(self.found)
        text = self.rewritten(inner, _known(folder), depth + 1) if inner else ""
        if len(self.found) == known:
            return None
        if not all(word.is_literal for word in arguments):
            raise Doubt("an argument that only the shell can expand")
        return before + shlex.quote(text) + after


def _pack_for(arguments: Sequence[str]) -> Pack | None:
    return next((pack for pack in PACKS if arguments and pack.knows(arguments)), None)


def _shell_text(arguments: Sequence[Word]) -> tuple[str, str, str]:
    """Of ``bash -lc 'cd app && pytest' name``: what stands before the text, the text, the rest. Empty for others."""
    texts = _texts(arguments)
    place = next((index for index, text in enumerate(texts) if _SHELL_OPTION.fullmatch(text)), len(texts)) + 1
    plain = all(word.is_literal for word in arguments) and all(
        text.startswith(("-", "+")) for text in texts[1 : place - 1]
    )
    if not plain or place >= len(texts):
        return "", "", ""
    before, after = shlex.join(texts[:place]), shlex.join(texts[place + 1 :])
    return f"{before} ", texts[place], f" {after}" if after else ""


def _stand_ins(arguments: Sequence[Word], text: str) -> tuple[list[str], dict[str, str]]:
    """The words with a name in the place of what the shell expands, and what is to come back in each place.

    A pack quotes what it is given; a quoted `test/*.js` would be another word.
    """
    spelled, sources = list[str](), dict[str, str]()
    for index, word in enumerate(arguments):
        source = text[word.start : word.end]
        if word.is_literal:
            spelled.append(word.text)
            continue
        begin = _SAFE.match(source)
        plain = begin[0] if begin else ""
        stand_in = f"AUTOPILOT_WORD_{index}_"
        sources[stand_in] = source[len(plain) :]
        spelled.append(plain + stand_in)
    return spelled, sources


def _redirects_within(text: str, simple: Simple, arguments: Sequence[Word]) -> str:
    """Those that stand between the words that are replaced; the others stay where they are."""
    inside = (r for r in simple.redirects if arguments[0].start < r.start < arguments[-1].end)
    return "".join(f" {text[redirect.start : redirect.end]}" for redirect in inside)


def _known(folder: str | None) -> str:
    if folder is None:
        raise Doubt("the folder in which the tests run is not known")
    return folder


def _texts(arguments: Sequence[Word]) -> list[str]:
    return [word.text for word in arguments]
