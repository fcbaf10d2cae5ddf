"""What a text calls: each name once for the function around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from autopilot.model.repomap.facts import Call
from autopilot.repomap.grammar import Grammar
from autopilot.repomap.parsing import Captures

if TYPE_CHECKING:
    from tree_sitter import Node

Scope: TypeAlias = tuple[int, int, str]  # first byte, last byte, name of a definition
_LONGEST = 120  # bytes of an expression that are looked at; the name is at its end
_JOINED = re.compile(r"\?\.|!\.|&\.|\.|\?->|->|::|\\|:")
_NAMES = re.compile(r"[\w$@.?!:\\>&-]+")
# Of a generic function, before its last name; and of a generic class: ``Cart<Item>.make``.
_TYPE_ARGUMENTS = re.compile(r"(?:::|(?<=\.))<[^<>]*>|<[\w ,.?]*>(?=\.|::)")
_NAME = re.compile(r"[\w$@?!]+")
UNKNOWN = "?"
_BEFORE = re.compile(
    rb"(?:\.[?&]|>-\??|[\w$@.\\]|::|>[\w ,]{0,60}<(?=\.))+"
)  # from the end: so it is read once, whatever stands there


def read_calls(
    captures: Captures, text: bytes, scopes: Sequence[Scope], grammar: Grammar, bare: Iterable[tuple[int, int]] = ()
) -> tuple[Call, ...]:
    """``scopes``: in the order of the text. ``bare``: names that are calls, all of them of ``self``."""
    nodes: Iterable[Node] = captures.get("call", ())
    if grammar.is_no_call:
        nodes = [node for node in nodes if not grammar.is_no_call(node, text)]
    places = sorted(node.byte_range for node in nodes)
    if grammar.looks_back:
        places = [(_begin(text, start), end) for start, end in places]
    if loose := captures.get("loose_call"):
        alone = (node.byte_range for node in loose)
        # What stands behind ``fn`` is defined by the macro, not called.
        places += ((_begin(text, start), end) for start, end in alone if text[max(0, start - 3) : start] != b"fn ")
        places.sort()
    found = [*_counted(places, text, scopes), *_counted(sorted(bare), text, scopes, b"self.")]
    found.sort()
    own = _names_of_self(text, scopes, grammar)
    calls: list[Call] = []
    line, counted = 1, 0
    for (_, end), count, within, spelled in found:
        receiver, name = ("", spelled.decode("utf-8", "replace")) if grammar.names_are_whole else _split(spelled)
        if own and receiver and own.get(within) == receiver:
            receiver = "self"
        if name and name not in grammar.not_called:
            line += text.count(b"\n", counted, end) if end > counted else -text.count(b"\n", end, counted)
            counted = end
            calls.append(Call(name, receiver, within, line, count))
    return tuple(calls)


def _counted(
    places: Iterable[tuple[int, int]], text: bytes, scopes: Sequence[Scope], before: bytes = b""
) -> Iterator[tuple[tuple[int, int], int, str, bytes]]:
    """First place, how often, within, as it is spelled."""
    for within, spans in by_scope(places, scopes):
        firsts: dict[bytes, tuple[int, int]] = {}
        counts: dict[bytes, int] = {}
        for place in spans:
            start, end = place
            spelled = text[start if end - start <= _LONGEST else end - _LONGEST : end]
            if spelled in counts:
                counts[spelled] += 1
            else:
                counts[spelled], firsts[spelled] = 1, place
        yield from ((place, counts[spelled], within, before + spelled) for spelled, place in firsts.items())


def _names_of_self(text: bytes, scopes: Sequence[Scope], grammar: Grammar) -> dict[str, str]:
    """By method, where each gives it a name of its own: ``func (c *Cart) total()``."""
    if not grammar.self_is_named:
        return {}
    named = ((whole, grammar.self_is_named.match(text, start, end)) for start, end, whole in scopes)
    return {whole: found[1].decode("utf-8", "replace") for whole, found in named if found}


def _begin(text: bytes, start: int) -> int:
    """Where the expression begins whose last name was captured."""
    before = _BEFORE.match(text[max(0, start - _LONGEST) : start][::-1])
    return start - before.end() if before else start


def by_scope(places: Iterable[tuple[int, int]], scopes: Sequence[Scope]) -> Iterable[tuple[str, list[tuple[int, int]]]]:
    """The places of each definition, without those of the definitions inside of it.

    By its place and not by its name: overloads and the bodies of an enum's values share theirs.
    """
    found: dict[int, tuple[str, list[tuple[int, int]]]] = {}
    stack: list[tuple[int, str, int]] = []
    upcoming, total, until = 0, len(scopes), 0
    spans: list[tuple[int, int]] = []
    for place in places:
        start = place[0]
        if start >= until:
            while upcoming < total and scopes[upcoming][0] <= start:
                upcoming += 1
                stack.append((*scopes[upcoming - 1][1:], upcoming))
            while stack and stack[-1][0] <= start:
                stack.pop()
            until, within, number = stack[-1] if stack else (1 << 62, "", 0)
            if upcoming < total:
                until = min(until, scopes[upcoming][0])
            _, spans = found.setdefault(number, (within, []))
        spans.append(place)
    return found.values()


@lru_cache(maxsize=32_768)  # the same few names all over a project
def _split(spelled: bytes) -> tuple[str, str]:
    """The receiver and the name: "self" and "save", "" and "open", UNKNOWN and "items"."""
    text = spelled.decode("utf-8", "replace")
    if "<" in text:
        text = _TYPE_ARGUMENTS.sub("", text)
        text = text.partition("<")[0] if text.endswith(">") else text
    text = text.removeprefix("\\")  # of the outermost namespace
    receiver, dot, name = text.rpartition(".")
    if name.isidentifier() and (not dot or receiver.replace(".", "_").isidentifier()) and len(spelled) < _LONGEST:
        return receiver, name
    if len(spelled) >= _LONGEST or not _NAMES.fullmatch(text):
        name = _JOINED.split(text)[-1].strip()
        return (UNKNOWN, name) if _NAME.fullmatch(name) else ("", "")
    *before, name = _JOINED.split(text)
    if before and not before[0]:
        return UNKNOWN, name
    return ".".join(part for part in before if part), name
