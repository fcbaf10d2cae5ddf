"""Where tests in Ruby, PHP and Perl say what they expect, read line by line: there is no grammar of these here.

Only what its line alone tells is changed: a statement at the indentation of the test's own body, which ends on its line
and has a written-out value. A file with texts of several lines is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from autopilot.testtools.expectations.site import Draw, Site
from autopilot.text.lazy_regex import lazy_regex

_LITERAL = r"""(?P<value>-?\d{1,15}(?:\.\d{1,15})?|'[^'\\\n]{0,200}'|"[^"\\\n#$@{]{0,200}"|true|false|nil|null)"""
_ANY = r"[^\n]{1,300}"  # of one line; no statement that is longer is looked at
_S = r"[ \t]{0,4}"
_BESIDE = lazy_regex(
    r"<<[~<\-]?['\"A-Z]|^=(?:begin|head|pod|cut)|^__(?:END|DATA)__|%[qQwWiI]?[\[({|][ \t]{0,8}$|/\*", re.MULTILINE
)
_LEAVES = lazy_regex(r"\b(?:return|next|break|skip|pending|raise|throw|exit|die|fail|goto|markTest\w{1,40}|plan)\b")
_CONDITION = lazy_regex(r"\b(?:if|unless|rescue|while|until|or|and)\b|[{\\,]$|\bdo(?:[ \t]{0,4}\|[^|\n]{0,80}\|)?$")
_OBJECT = r"(?:\$this->|self::|static::)"


class _Kind(Struct, frozen=True):
    """How one language spells its tests."""

    begins: re.Pattern[str]  # with groups ``indent`` and ``test``
    ends: str
    values: tuple[re.Pattern[str], ...]  # with a group ``value``, and ``test`` where a statement is a test by itself
    senses: tuple[tuple[re.Pattern[str], str], ...]  # a group ``word``, and what turns it round


def _swaps(names: str, before: str, after: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    pairs = [pair.split("/") for pair in names.split()]
    both = [*pairs, *(pair[::-1] for pair in pairs)]
    return tuple((lazy_regex(rf"{before}(?P<word>{name}){after}"), other) for name, other in both)


_RUBY = _Kind(
    begins=lazy_regex(
        r"(?P<indent>[ \t]{0,40})(?:(?:it|specify|example|test)[ (][ \t]{0,4}"
        r"(?P<q>[\"'])(?P<test>[^\"'#\\\n]{1,200})(?P=q)[^\n]{0,200}\bdo|def (?P<method>test_\w{1,200}[?!]?))"
    ),
    ends="end",
    values=(
        lazy_regex(
            rf"expect\({_ANY}\)\.to[ (]{_S}(?:eq|eql|equal|be|start_with|end_with)[ (]{_S}{_LITERAL}{_S}\){{0,2}}"
        ),
        lazy_regex(rf"assert_(?:equal|same)[ (]{_S}{_LITERAL}{_S},{_ANY}"),
        lazy_regex(rf"{_ANY}\.must_(?:equal|be_same_as)[ (]{_S}{_LITERAL}{_S}\)?"),
    ),
    senses=(
        (lazy_regex(rf"expect\({_ANY}\)(?P<word>\.to)[ (](?!raise_error|output|change){_ANY}"), ".not_to"),
        (lazy_regex(rf"expect\({_ANY}\)(?P<word>\.(?:not_to|to_not))[ (](?!raise_error|output|change){_ANY}"), ".to"),
        *_swaps(
            "assert/refute assert_equal/refute_equal assert_nil/refute_nil assert_includes/refute_includes "
            "assert_empty/refute_empty assert_match/refute_match assert_predicate/refute_predicate",
            "",
            rf"[ (]{_ANY}",
        ),
    ),
)
_PHP = _Kind(
    begins=lazy_regex(
        r"(?P<indent>[ \t]{0,40})(?:(?:public|final|static)[ \t]{1,4}){0,3}function[ \t]{1,4}(?P<test>test\w{1,200})"
        r"[ \t]{0,4}\([^\n{]{0,300}\{?"
    ),
    ends="}",
    values=(
        lazy_regex(rf"{_OBJECT}assert(?:Same|Equals|Count|StringStartsWith|StringEndsWith)\({_S}{_LITERAL}{_S},{_ANY}"),
    ),
    senses=_swaps(
        "assertTrue/assertFalse assertSame/assertNotSame assertEquals/assertNotEquals assertNull/assertNotNull "
        "assertContains/assertNotContains assertEmpty/assertNotEmpty assertInstanceOf/assertNotInstanceOf "
        "assertArrayHasKey/assertArrayNotHasKey assertStringContainsString/assertStringNotContainsString",
        _OBJECT,
        rf"\({_ANY}",
    ),
)
_NAMED = rf",{_S}(?P<q>['\"])(?P<test>[^'\"$@\\\n]{{1,200}})(?P=q){_S}\)?{_S};"
_PERL = _Kind(
    begins=lazy_regex(r"(?!)(?P<indent>)(?P<test>)"),
    ends="",
    values=(lazy_regex(rf"(?:is|cmp_ok)[ (]{_ANY},{_S}{_LITERAL}{_S}{_NAMED}"),),
    senses=((lazy_regex(rf"(?P<word>like){_S}\({_ANY}{_NAMED}"), "unlike"),),
)


def ruby_sites(text: bytes, draw: Draw) -> Iterator[Site]:
    return _sites(text, draw, _RUBY)


def php_sites(text: bytes, draw: Draw) -> Iterator[Site]:
    return _sites(text, draw, _PHP)


def perl_sites(text: bytes, draw: Draw) -> Iterator[Site]:
    """Each statement of a file is a test by itself, under the name that it gives."""
    return _sites(text, draw, _PERL)


def _sites(text: bytes, draw: Draw, kind: _Kind) -> Iterator[Site]:
    try:
        whole = text.decode("ascii")  # one byte a letter, so that places in the text are places in the file
    except UnicodeDecodeError:
        return
    if _BESIDE.search(whole):
        return
    lines = _Lines(whole)
    bodies = _bodies(lines, kind) if kind.ends else [("", range(len(lines.texts)), "")]
    for test, numbers, indent in bodies:
        for number in _reached(lines, numbers, indent):
            if site := _site(lines, number, indent, test, kind, draw):
                yield site


class _Lines:
    def __init__(self, text: str) -> None:
        self.texts = text.split("\n")
        self.starts = [0]
        for line in self.texts:
            self.starts.append(self.starts[-1] + len(line) + 1)


def _bodies(lines: _Lines, kind: _Kind) -> Iterator[tuple[str, range, str]]:
    """Each test with the lines of its body, and how far these are indented."""
    for number, line in enumerate(lines.texts):
        found = kind.begins.fullmatch(line.rstrip())
        if found is None:
            continue
        closing = f"{found['indent']}{kind.ends}"
        after = (n for n in range(number + 1, len(lines.texts)) if lines.texts[n].rstrip() == closing)
        first = number + (2 if lines.texts[number + 1 : number + 2] == [f"{found['indent']}{{"] else 1)
        body = range(first, next(after, first))
        indents = [re.match(r"[ \t]*", lines.texts[n]) for n in body if lines.texts[n].strip()]
        groups = found.groupdict()
        if indents and indents[0]:
            yield groups.get("test") or groups.get("method") or "", body, indents[0][0]


def _reached(lines: _Lines, numbers: Sequence[int], indent: str) -> Iterator[int]:
    """Lines of the body itself, up to the first that may leave it."""
    for number in numbers:
        line = lines.texts[number]
        if _LEAVES.search(line.partition(" #")[0].partition(" //")[0]):
            return
        if line.startswith(indent) and line[len(indent) : len(indent) + 1] not in ("", " ", "\t", "#"):
            yield number


def _site(lines: _Lines, number: int, indent: str, test: str, kind: _Kind, draw: Draw) -> Site | None:
    line = lines.texts[number][len(indent) :].rstrip()
    start = lines.starts[number] + len(indent)
    if _CONDITION.search(line) and kind.ends != "}":
        return None
    for pattern in kind.values:
        if (found := pattern.fullmatch(line)) and _is_balanced(line):
            instead = _other(found["value"], draw)
            begin, end = start + found.start("value"), start + found.end("value")
            return Site(_test(found, test), begin, end, instead.encode())
    for pattern, other in kind.senses:
        if (found := pattern.fullmatch(line)) and _is_balanced(line):
            begin, end = start + found.start("word"), start + found.end("word")
            return Site(_test(found, test), begin, end, other.encode(), is_value=False)
    return None


def _test(found: re.Match[str], around: str) -> str:
    return found.groupdict().get("test") or around


def _is_balanced(line: str) -> bool:
    """Whether the statement ends on its line."""
    return all(line.count(begin) == line.count(end) for begin, end in ("()", "[]", "{}"))


def _other(value: str, draw: Draw) -> str:
    if value in ("true", "false"):
        return "false" if value == "true" else "true"
    if value[0] in "'\"":
        return f"{value[0]}{draw.word()}{value[0]}"
    return str(draw.number())
