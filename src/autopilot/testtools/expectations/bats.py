"""Where bats tests say what they expect: a comparison with a written-out value as a line of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autopilot.testtools.expectations.site import Draw, Site

_TEST = re.compile(rb"^@test[ \t]+(?:\"([^\"\n]*)\"|'([^'\n]*)')[ \t]*\{[ \t]*\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_LINE = re.compile(rb"^(?P<indent>[ \t]*)(?P<text>[^\n]*)$", re.MULTILINE)
_COMPARED = re.compile(
    rb"(?:\[\[?|test)[ \t][^\n]{0,400}?[ \t](?:==?|-eq)[ \t]+"
    rb"(?P<mark>[\"']?)(?P<value>[^\"'$`*?\[\]\\\n]{0,400})(?P=mark)(?:[ \t]+\]\]?)?[ \t]*"
)


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
            compared = _COMPARED.fullmatch(text, line.start("text"), line.end("text"))
            if compared:
                yield Site(title, *compared.span("value"), _other(compared["value"], draw))


def _other(value: bytes, draw: Draw) -> bytes:
    return str(int(value) + draw.number()).encode() if value.strip().isdigit() else value + draw.word().encode()
