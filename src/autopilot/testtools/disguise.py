"""A canary under the name of an ordinary test: one that is always called the same can be spared."""

from __future__ import annotations

import re

from autopilot.testtools.expectations.site import Draw
from autopilot.testtools.pack import Canary

# As the packs spell it, in the case of each language: `autopilot_canary`, `TestAutopilotCanary`, `autopilotStrict`.
_NAME = re.compile(r"(A|a)utopilot(?:([ _-]?)(C|c)anary|(?=Loose|Strict|Test\b))")
_REASON = re.compile(r"(?<=[\"'])(?:this test )?must fail(?=[\"'])|(?<= )must fail$")
_FIRST = ("order", "amount", "parser", "entry", "window", "record", "route", "label", "matrix", "buffer")
_SECOND = ("totals", "limits", "layout", "bounds", "format", "merge", "lookup", "margin", "filter", "length")


def disguise(canary: Canary, seed: str) -> Canary:
    """``seed`` alone chooses the words, so that a resumed run chooses the same."""
    draw = Draw(f"canary {seed}")
    first, second = _FIRST[draw.below(len(_FIRST))], _SECOND[draw.below(len(_SECOND))] + draw.word()

    def renamed(found: re.Match[str]) -> str:
        word = first.capitalize() if found[1] == "A" else first
        if found[3] is None:
            return word + second.capitalize()
        return word + found[2] + (second.capitalize() if found[3] == "C" else second)

    texts = (_REASON.sub(f"{first} {second}", _NAME.sub(renamed, text)) for text in (canary.text, canary.name))
    text, name = texts
    return Canary(_NAME.sub(renamed, canary.path), text, name)
