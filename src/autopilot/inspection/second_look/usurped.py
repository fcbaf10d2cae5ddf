"""Names that shell tests judge by, which code of the product defines anew: `grep() { … || :; }` never fails.

Who loads such code judges with it. Programs of such names in a folder of `PATH` are control files; these are functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from autopilot.inspection.second_look.finding import Finding

_JUDGES = r"(?:grep|egrep|fgrep|diff|cmp|comm|test|\[|exit|set|trap|command|builtin|false|assert\w*|fail)"
_DEFINED = re.compile(
    rf"^[ \t]{{0,40}}(?:function[ \t]+(?P<worded>{_JUDGES})[ \t]*(?:\([ \t]*\))?[ \t\n]*\{{|"
    rf"(?P<plain>{_JUDGES})[ \t]*\([ \t]*\)|alias[ \t]+(?P<alias>{_JUDGES})=)",
    re.MULTILINE,
)
OWN_NAME = "give it a name of its own: tests that load this file judge with it"


def find_usurped(text: str) -> Iterator[Finding]:
    line, counted = 1, 0
    for found in _DEFINED.finditer(text):
        line, counted = line + text.count("\n", counted, found.start()), found.start()
        name = found["worded"] or found["plain"] or found["alias"]
        yield Finding(line, line, f"the product puts a function of its own in place of `{name}`", OWN_NAME)
