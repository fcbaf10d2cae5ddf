"""Slight mutants: one place of the new code does a little less, or a little more. Tests that ask for it notice.

By rule and line, in every language with mutants: a change that is no valid code turns tests red, which says that it was
noticed, and so never holds anything against the work.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from autopilot.testtools.mutants.mutant import MAX_BYTES, MAX_FILES, Contents, Mutant, can_mutate
from autopilot.text.file_kind import suffix_of
from autopilot.text.masking import mask

MOST_OF_A_KIND = 20  # places; a phase tries fewer
_LONGEST_LINE = 300
_Change = tuple[int, int, str]  # in a line: from, to, and what stands there instead
_Rule = Callable[[str], Iterator[_Change]]
# Who tells what is done does not do it, and tests seldom listen; nor do they see a lock, or what is put away.
_TELLS = re.compile(
    r"\A\s{0,200}(?:await |defer )?(?:[\w.]{1,100}\.)?(?:log|logger|logging|console|print|println|Print\w{0,20}|"
    r"warn\w{0,20}|error|info|debug|echo|printf|super|r?un?lock|r?lock|close|flush|sleep)\b|"
    r"\A\s{0,200}(?:log|logger|logging|console|warnings)\.",
    re.IGNORECASE,
)
_BOUNDS = {"<=": "<", "<": "<=", ">=": ">", ">": ">=", "-le": "-lt", "-lt": "-le", "-ge": "-gt", "-gt": "-ge"}
_BOUND = re.compile(r"(?<=\s)(?:<=|>=|<|>|-le|-lt|-ge|-gt)(?=\s)")
_NUMBER = re.compile(r"(?<![\w.\"'$&>\[-])(?:[2-9]|[1-9]\d{1,5})(?![\w.\"'-])")
# All of one line, which is short.
_PYTHON_IF = re.compile(r"\A\s{0,200}(?:el)?if (?!__name__)([^\n]{1,300}):\s{0,20}\Z")
_BARE_IF = re.compile(r"\A[\s}]{0,200}(?:else )?if (?:[^;{}]{1,200}; )?(?!let )([^;{}]{1,300}) \{\s{0,20}\Z")
_SCRIPT_IF = re.compile(r"\A[\s}]{0,200}(?:else )?if \(([^{}]{1,300})\) \{\s{0,20}\Z")
_SCRIPT_RETURN_IF = re.compile(
    r"\A\s{0,200}if \(([^{}]{1,300}?)\) (?:return|throw|continue|break)\b[^{}]{0,300};\s{0,20}\Z"
)
_PYTHON_CALL = re.compile(r"\A\s{1,200}(?:await )?[\w.\[\]\"']{1,200}\([^\n]{0,300}\)\s{0,20}\Z")
_BRACED_CALL = re.compile(r"\A\s{1,200}(?:await |defer )?[\w.#\[\]:]{1,200}\([^\n]{0,300}\);?\s{0,20}\Z")
_SHELL_CALL = re.compile(
    r"\A\s{0,200}(?!(?:if|then|fi|for|while|do|done|case|esac|set|shift|cd|local|exit|return|else)\b)"
    r"[a-z][\w./-]{0,100} [^=\n][^\n]{0,300}\Z"
)
_PYTHON_CATCH = re.compile(r"\A(\s{0,200})except\b[^:\n]{0,200}:\s{0,20}\Z")
_SCRIPT_CATCH = re.compile(r"\A[\s}]{0,200}catch \((\w{1,80})\) \{\s{0,20}\Z")


class _Place(NamedTuple):
    """In the order in which they are drawn. The text is made later: of each line of a long table it was gigabytes."""

    drawn: bytes
    path: str
    number: int
    made: str  # the line


class Slight(Struct, frozen=True):
    mutant: Mutant
    where: str  # path:line


def slight_mutants(changed: Mapping[str, Contents], added: Mapping[str, Collection[int]], seed: str) -> list[Slight]:
    """``added``: lines of each file, from 1, that came with the work. Those of each kind in turn, drawn by ``seed``."""
    kinds: dict[str, list[_Place]] = {}
    for path, (_, new) in sorted(changed.items())[:MAX_FILES]:
        if can_mutate(path) and len(new) <= MAX_BYTES:
            for kind, place in _of_file(path, new.decode("utf-8", "replace"), added.get(path, ()), seed):
                found = kinds.setdefault(kind, [])
                found.append(place)
                if len(found) > 2 * MOST_OF_A_KIND:
                    found[:] = sorted(found)[:MOST_OF_A_KIND]
    drawn = {kind: sorted(found)[:MOST_OF_A_KIND] for kind, found in kinds.items()}
    longest = max(map(len, drawn.values()), default=0)
    turns = ((kind, found[turn]) for turn in range(longest) for kind, found in drawn.items() if turn < len(found))
    return [_made(kind, place, changed[place.path][1].decode("utf-8", "replace")) for kind, place in turns]


def _of_file(path: str, text: str, added: Collection[int], seed: str) -> Iterator[tuple[str, _Place]]:
    lines, spoken = text.split("\n"), mask(path, text, strings=True).split("\n")
    for number in sorted(added):
        line, code = lines[number - 1], spoken[number - 1]
        if len(line) > _LONGEST_LINE or not code.strip() or line.lstrip().startswith(("#", "//", "*")):
            continue
        for kind, rule in _rules(suffix_of(path)):
            for start, end, instead in list(rule(code))[:1]:
                made = line[:start] + instead.replace("\0", line[start:end]) + line[end:]
                yield kind, _Place(hashlib.sha256(f"{seed} {path}:{number}".encode()).digest(), path, number, made)


def _made(kind: str, place: _Place, text: str) -> Slight:
    lines, where = text.split("\n"), f"{place.path}:{place.number}"
    line, lines[place.number - 1] = lines[place.number - 1], place.made
    return Slight(Mutant(f"`{line.strip()[:80]}` {kind} ({where})", {place.path: "\n".join(lines).encode()}), where)


def _rules(suffix: str) -> Sequence[tuple[str, _Rule]]:
    """What each says of the line that it changes. What is caught comes first: it is asked for least."""
    if suffix == ".py":
        return [("passing on what it catches", _python_catch), ("left out", _dropped(_PYTHON_CALL, "pass")), *_BOTH,
                ("never so", _never(_PYTHON_IF, "({}) and False"))]  # fmt: skip
    if suffix in (".go", ".rs"):
        return [("left out", _dropped(_BRACED_CALL, "")), ("never so", _never(_BARE_IF, "({}) && false")), *_BOTH]
    if suffix in ("", ".sh", ".bash"):
        return [("left out", _dropped(_SHELL_CALL, ":")), *_BOTH]
    never = _never(_SCRIPT_IF, "({}) && false"), _never(_SCRIPT_RETURN_IF, "({}) && false")
    return [("passing on what it catches", _script_catch), ("left out", _dropped(_BRACED_CALL, ";")),
            *(("never so", rule) for rule in never), *_BOTH]  # fmt: skip


def _shifted(line: str) -> Iterator[_Change]:
    yield from ((found.start(), found.end(), _BOUNDS[found[0]]) for found in _BOUND.finditer(line))


def _smaller(line: str) -> Iterator[_Change]:
    yield from ((found.start(), found.end(), str(int(found[0]) - 1)) for found in _NUMBER.finditer(line))


def _never(pattern: re.Pattern[str], instead: str) -> _Rule:
    def change(line: str) -> Iterator[_Change]:
        if found := pattern.match(line):
            yield found.start(1), found.end(1), instead.format("\0")

    return change


def _dropped(pattern: re.Pattern[str], instead: str) -> _Rule:
    def change(line: str) -> Iterator[_Change]:
        if pattern.match(line) and not _TELLS.match(line):
            yield len(line) - len(line.lstrip()), len(line), instead

    return change


def _python_catch(line: str) -> Iterator[_Change]:
    if found := _PYTHON_CATCH.match(line):
        yield len(line), len(line), f"\n{found[1]}    raise"


def _script_catch(line: str) -> Iterator[_Change]:
    if found := _SCRIPT_CATCH.match(line):
        yield len(line), len(line), f" throw {found[1]};"


_BOTH: list[tuple[str, _Rule]] = [("with the bound moved by one", _shifted), ("with a smaller number", _smaller)]
