"""Names that shell tests judge by, which code of the product defines anew: `grep() { … || :; }` never fails.

Who loads such code judges with it. Programs of such names in a folder of `PATH` are control files; these are functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from autopilot.inspection.second_look.finding import Finding

_TOOLS = r"(?:grep|egrep|fgrep|diff|cmp|comm|test|\[|exit|set|trap|command|builtin|false)"
_HELPERS = r"(?:assert\w*|fail)"
_DEFINED = re.compile(
    rf"^[ \t]{{0,40}}(?:function[ \t]+(?P<worded>{_TOOLS}|{_HELPERS})[ \t]*(?:\([ \t]*\))?\s{{0,9}}\{{|"
    rf"(?P<plain>{_TOOLS}|{_HELPERS})[ \t]*\([ \t]*\)\s{{0,9}}[{{(]|alias[ \t]+(?P<alias>{_TOOLS}|{_HELPERS})=)"
    r"(?P<body>[^\n]{0,300}\}[ \t]*$|(?:[^\n]{0,300}\n){0,40}?\}|)",
    re.MULTILINE,
)
# `fail() { echo "$1" >&2; exit 1; }`, which every second script has, fails as its name says.
_CAN_FAIL = re.compile(r"\b(?:exit|return)[ \t]+[1-9$]|\bexit[ \t]*(?:$|[;}])|\bfalse\b", re.MULTILINE)
# One command with the arguments and the status of the function: `grep() { command grep --color=never "$@"; }`.
_PASSES_ON = re.compile(r"[^;&|\n]{1,200}\"\$@\"[ \t]*;?\s{0,9}\}")
OWN_NAME = "give it a name of its own: tests that load this file judge with it"


def find_usurped(text: str) -> Iterator[Finding]:
    line, counted = 1, 0
    for found in _DEFINED.finditer(text):
        name = found["worded"] or found["plain"] or found["alias"]
        is_helper = re.fullmatch(_HELPERS, name) is not None
        is_sound = _CAN_FAIL.search(found["body"]) if is_helper else _PASSES_ON.fullmatch(found["body"].strip())
        line, counted = line + text.count("\n", counted, found.start()), found.start()
        if not is_sound:
            yield Finding(line, line, f"the product puts a function of its own in place of `{name}`", OWN_NAME)
