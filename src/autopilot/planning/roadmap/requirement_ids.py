"""Names of requirements as people write them: ``AUTH-01``, ``REQ-WF-001 through REQ-WF-008``, ``REQ-1..4``, ``R1.2``.

A name with a dash and a number counts in any sentence. A short or dotted one (``R1``, ``2.3``) may as well be a tool or
a version, so it counts only where the text is a list of names and nothing else. What stands in round brackets is a
remark, unless it is such a list itself or nothing else names a requirement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

_LONGEST = 4_000  # of a text in which names are looked for
_MOST = 200  # of one range: "REQ-1 through REQ-9999" is a slip
_TOKEN = re.compile(r"[^\W_](?:\w|[-.](?=[^\W_]))*+|\.\.\.?|~~|[^\s\w]")
_SURE = re.compile(r"[A-Z][A-Za-z0-9]*+(?:[-_.][A-Za-z0-9]++)*?[-_][A-Za-z]?[0-9]+(?:\.[0-9]+)*[a-z]?\Z")
_SHORT = re.compile(
    r"(?!v[0-9])[A-Za-z]{1,12}[-_.]?[0-9]{1,5}(?:[.-][A-Za-z0-9]+)*\Z|[0-9]{1,3}(?:\.[0-9]{1,3})+\Z|"
    r"[A-Z]{2,12}(?:-[A-Z][A-Z0-9]{1,20}){1,3}\Z"  # REQ-BATCH
)
_PAIR = re.compile(r"(\D{1,80}?)([0-9]{1,6})-\1([0-9]{1,6})\Z")  # REQ-01-REQ-05
_TAIL = re.compile(r"([A-Za-z]?)([0-9]{1,6})\Z")
_FILE = re.compile(r"\.(?:md|txt|json|ya?ml|toml)\Z", re.IGNORECASE)
_LATER = re.compile(r"\b(?:deferred|descoped|de-scoped|dropped|removed|out of scope|moved|postponed)\b", re.IGNORECASE)
# Standards and algorithms that look like names of requirements; none of them has a leading zero, as HTTP-01 has.
_STANDARD = re.compile(
    r"(?:UTF-?(?:8|16|32)|SHA-?[1-9]|AES-?[1-9]|RSA-?[1-9]|MD-?[1-9]|(?:ISO|RFC|IEEE|ECMA)[-_.]?[1-9]|HTTP-?[1-3](?![0-9])|"
    r"TLS-?[1-9](?![0-9])|CVE-?[0-9])",
    re.IGNORECASE,
)
_THROUGH = {"through", "thru", "to", "until", "à", "bis", "..", "...", "…", "–", "—", "〜", "～", "~", "→"}
_AND = {"and", "und", "et", "y", ",", "/", "+", "&", ";"}
_JOINS = _THROUGH | _AND | {"plus", "all"}


class Named(Struct, frozen=True):
    ids: tuple[str, ...]
    later: tuple[str, ...] = ()  # written down as deferred, dropped or struck out: not asked of this phase


class _Group(Struct):
    """The text outside of brackets, or in one pair of them."""

    ids: list[str]
    text: str
    prose: bool = False
    after: str = ""  # the id right before the bracket


def find_ids(text: str) -> Named:
    """Every requirement the text names, in its order, ranges written out."""
    cut = text[:_LONGEST]
    groups = _read(cut, short=True)
    if groups[0].prose or not groups[0].ids:
        groups = _read(cut, short=False)
    outside, brackets = groups[0], groups[1:]
    later = [id for id, is_struck in _struck(cut) if is_struck]
    ids = list(outside.ids)
    for group in brackets:
        if _LATER.search(group.text):
            later += group.ids or [group.after]
        elif not outside.ids or not group.prose:
            ids += group.ids
    kept = dict.fromkeys(id for id in ids if id not in later)
    return Named(tuple(kept), tuple(dict.fromkeys(id for id in later if id)))


def leading_ids(text: str) -> tuple[str, ...]:
    """The names a list item opens with: ``- [ ] **AUTH-01**: text``, ``- A-7, A-8: text``."""
    opening = re.sub(r"^\s*\[.\]", "", text[:_LONGEST])
    opening = re.split(r":|\s[–—-]\s|\||(?<=\w)\*\*", opening, maxsplit=1)[0]
    named = _read(opening, short=True)[0]
    if not named.prose:
        return tuple(dict.fromkeys(named.ids))
    first = next(iter(_TOKEN.findall(opening.lstrip("* `✅✓✔☑️"))), "")
    return (first,) if _is_name(first, short=False) else ()


def list_of_ids(text: str) -> tuple[str, ...]:
    """The names of a text that is a list of names and nothing else."""
    named = _read(text[:_LONGEST], short=False)[0]
    return () if named.prose else tuple(dict.fromkeys(named.ids))


def _read(text: str, *, short: bool) -> list[_Group]:
    outside = _Group([], text)
    groups = [outside]
    depth, tokens = 0, _TOKEN.findall(text)
    here, last, mark = outside, "", ""
    for index, token in enumerate(tokens):
        if token in "()" and len(token) == 1:
            depth = max(0, depth + (1 if token == "(" else -1))
            if token == "(" and depth == 1:
                here = _Group([], _inside(tokens[index + 1 :]), after=last)
                groups.append(here)
            elif not depth:
                here = outside
            last, mark = "", ""
            continue
        named = list(_names(token, last, mark, _next(tokens, index), short))
        here.ids += named
        here.prose |= not named and token[0].isalnum() and token.lower() not in _JOINS
        if named:
            last, mark = named[-1], ""
        elif token.lower() in _JOINS or (token == "-" and not mark):
            mark = token.lower()
        elif token not in "*`[]{}|.":
            last, mark = "", ""
    return groups


def _names(token: str, last: str, mark: str, following: str, short: bool) -> Iterator[str]:
    if pair := _PAIR.match(token):
        yield from _range(f"{pair[1]}{pair[2]}", f"{pair[1]}{pair[3]}")
    elif last and mark and (found := _TAIL.match(token)) and _goes_on(last, found, mark, following):
        whole = f"{_stem(last)}{token}"
        yield from tuple(_range(last, whole))[1:] if mark in _THROUGH else (whole,)
    elif _is_name(token, short):
        if last and mark and _stem(token) and _stem(last).endswith(f"-{_stem(token)}"):
            token = _stem(last) + token[len(_stem(token)) :]  # REQ-TEA-01, TEA-02
        is_end = last and mark in {*_THROUGH, "-"} and _stem(token) == _stem(last)
        yield from tuple(_range(last, token))[1:] if is_end else (token,)


def _is_name(token: str, short: bool) -> bool:
    if _FILE.search(token) or _STANDARD.match(token):
        return False
    return _SURE.match(token) is not None or (short and _SHORT.match(token) is not None)


def _goes_on(last: str, tail: re.Match[str], mark: str, following: str) -> bool:
    """Whether a bare number continues a name: ``A-01, 02`` does, ``A-01, 3 plans`` does not."""
    end = re.search(r"[-_.]([A-Za-z]?)([0-9]{1,9})\Z", last)
    if end is None or end[1].lower() != tail[1].lower() or mark == "-":
        return False
    is_padded = end[2].startswith("0")
    return (not is_padded or len(end[2]) == len(tail[2])) and (mark in "+/" or not following[:1].isalnum())


def _range(first: str, last: str) -> Iterator[str]:
    """Both ends and what lies between; just the two of them when they do not count up."""
    stem, start, end = _stem(first), _number(first), _number(last)
    if start is None or end is None or _stem(last) != stem or not start < end <= start + _MOST:
        yield from (first, last)
        return
    letter = first[len(stem)] if first[len(stem)].isalpha() else ""
    width = len(first) - len(stem) - len(letter)
    for number in range(start, end + 1):
        yield f"{stem}{letter}{number:0{width}d}"


def _stem(name: str) -> str:
    """The "REQ-WF-" of "REQ-WF-001", the "REQ-native-" of "REQ-native-r1"."""
    found = re.search(r"(?<=[-_.])[A-Za-z]?[0-9]+\Z|(?<=[A-Za-z])[0-9]+\Z", name)
    return name[: found.start()] if found else ""


def _number(name: str) -> int | None:
    found = re.search(r"[0-9]{1,9}\Z", name)
    return int(found[0]) if found else None


def _next(tokens: Sequence[str], index: int) -> str:
    return tokens[index + 1] if index + 1 < len(tokens) else ""


def _inside(tokens: Sequence[str]) -> str:
    end = tokens.index(")") if ")" in tokens else len(tokens)
    return " ".join(tokens[:end])


def _struck(text: str) -> Iterator[tuple[str, bool]]:
    for index, part in enumerate(text.split("~~")):
        for id in _read(part, short=False)[0].ids:
            yield id, index % 2 == 1
