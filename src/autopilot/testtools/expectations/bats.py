"""Where bats tests say what they expect: a comparison with a written-out value as a line of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autopilot.testtools.expectations.site import Draw, Site

_TEST = re.compile(rb"^@test[ \t]+(?:\"([^\"\n]*)\"|'([^'\n]*)')[ \t]*\{[ \t]*\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_LINE = re.compile(rb"^(?P<indent>[ \t]*)(?P<text>[^\n]*)$", re.MULTILINE)
_OPERATOR = re.compile(rb"(?<=[ \t])(?:==?|-eq)[ \t]")
_QUOTED = re.compile(rb"([\"']?)([^\"'$`*?\[\]\\\n]{0,400}+)\1")


def bats_sites(text: bytes, draw: Draw) -> Iterator[Site]:
    """Only lines of the test itself: what is indented further stands in a branch or a loop."""
    for test in _TEST.finditer(text):
        title = (test[1] or test[2] or b"").decode(errors="replace")
        lines = [line for line in _LINE.finditer(text, test.start(3), test.end(3)) if line["text"].strip()]
        outermost = min((len(line["indent"]) for line in lines), default=0)
        for line in lines:
            if len(line["indent"]) > outermost:
                continue
            if re.match(rb"(?:skip|return|exit)\b", line["text"]):
                break
            if compared := _compared(line["text"]):
                start = line.start("text") + compared[0]
                yield Site(title, start, start + len(compared[1]), _other(compared[1], draw))


def _compared(line: bytes) -> tuple[int, bytes] | None:
    """Of `[ "$output" = "3" ]` where the value begins, and the value."""
    plain = line.rstrip(b" \t")
    if not plain.startswith((b"[ ", b"[[ ", b"test ")) or (plain[:1] == b"[" and plain[-1:] != b"]"):
        return None
    operators = list(_OPERATOR.finditer(plain))
    if not operators:
        return None
    behind = operators[-1].end()
    value = plain[behind:].rstrip(b"]").strip(b" \t")
    quoted = _QUOTED.fullmatch(value)
    return (plain.index(value, behind) + quoted.start(2), quoted[2]) if quoted else None


def _other(value: bytes, draw: Draw) -> bytes:
    return str(int(value) + draw.number()).encode() if value.strip().isdigit() else value + draw.word().encode()
