"""Suggestions as they are put where a person reads them: inside an agent's chat they begin with a fresh one."""

from __future__ import annotations

import re

CLAUDE_CODE = "claude-code"
HOSTS = (CLAUDE_CODE,)
QUOTED = re.compile(r"`[^`\n]+`")
# As hints and reasons say it, without quotes.
PLAIN = re.compile(
    r"(?<![\w/`'\"-])autopilot (?:answer|approve|reject|issue|resume|run|verdict|watch|gates|status|agents|doctor)\b"
)


def for_host(text: str, host: str) -> str:
    """A chat that is full of one run is no place to begin the next in: `/clear` goes before every command of ours."""
    if host != CLAUDE_CODE:
        return text
    pieces, end = [], 0
    for quoted in QUOTED.finditer(text):
        pieces += [PLAIN.sub(r"`/clear` then \g<0>", text[end : quoted.start()]), _precede(quoted[0])]
        end = quoted.end()
    return "".join((*pieces, PLAIN.sub(r"`/clear` then \g<0>", text[end:])))


def _precede(quoted: str) -> str:
    return f"`/clear` then {quoted}" if re.search(r"(?:^`|[ ;&])autopilot ", quoted) else quoted
