"""What STATE.md and summaries tell a reader in a line: decisions, blockers, what was accomplished."""

from __future__ import annotations

import re

from autopilot.text.frontmatter import parse_frontmatter
from autopilot.text.lines import heading, scan_lines

MOST = 5
_NONE = re.compile(r"\W*(?:none|no\b|n/?a|\[|-+\W*\Z)", re.IGNORECASE)
_BULLET = re.compile(r"^\s{0,3}[-*+]\s+(.{3,400})$")
_PROSE = re.compile(r"[^\W\d_].{14,1000}(?<![:\s])\s{0,4}$")
_STRONG = re.compile(r"^\*\*([^*\n]{10,300})\*\*\s{0,4}$")


def listed_below(text: str, title: str) -> tuple[str, ...]:
    """The first items below a heading that begins with this word; placeholders are none."""
    found: list[str] = []
    inside = False
    for line in scan_lines(text):
        if top := heading(line):
            inside = top.text.lower().startswith(title)
        elif inside and not line.hidden and (item := _BULLET.match(line.text)) and not _NONE.match(item[1]):
            found.append(" ".join(item[1].split()))
    return tuple(found[:MOST])


def one_liner(text: str) -> str:
    """What a SUMMARY.md says was accomplished, as GSD extracts it: the bold line below its title, or its first text."""
    front = parse_frontmatter(text)
    if named := front.text_of("one_liner") or front.text_of("one-liner"):
        return named
    lines = [line for line in scan_lines(text)[front.lines :] if not line.hidden and line.text.strip()]
    strong = next((bold[1] for line in lines if (bold := _STRONG.match(line.text.strip()))), "")
    prose = next((line.text for line in lines if not heading(line) and _PROSE.match(line.text)), "")
    return " ".join((strong or prose).split())[:160]


def title_of(text: str) -> str:
    """The name in the first heading: "Roadmap: Teahouse" is "Teahouse"."""
    first = next((top.text for line in scan_lines(text) if (top := heading(line)) and top.level == 1), "")
    return re.sub(
        r"^(?:roadmap|project)\s{0,3}[:–—-]\s{0,3}|\s{0,3}[:–—-]\s{0,3}roadmap$", "", first, flags=re.IGNORECASE
    ).strip()
