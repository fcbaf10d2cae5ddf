"""Hunks of a diff in Markdown: where they stand, which of their lines matter, and the lines themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from autopilot.model.issue.hunk import Hunk, ShownHunk
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.reports.markdown import fenced, one_line
from autopilot.text.naming import plural

MOST_LINES = 60  # of one hunk
MOST_HUNKS = 8  # at one place
MOST_KEYS = 6
_BAR = 40  # columns of the longest bar of a stat


def render_hunks(hunks: Sequence[ShownHunk]) -> str:
    """As many as a person reads; of the rest, where they are. "" for none."""
    parts = [_render(shown) for shown in hunks[:MOST_HUNKS]]
    if rest := hunks[MOST_HUNKS:]:
        places = ", ".join(place_of(shown.hunk) for shown in rest[:MOST_HUNKS])
        parts.append(f"{plural(len(rest), 'further hunk')}: {places}{', …' if len(rest) > MOST_HUNKS else ''}\n")
    return "\n".join(parts)


def place_of(hunk: Hunk) -> str:
    return one_line(f"`{hunk.path}:{hunk.start}`")


def stat_lines(paths: Sequence[str], hunks: Sequence[Hunk], summary: str) -> Iterator[str]:
    """As ``git diff --stat`` says it, file by file, with its own last line."""
    counts = _count(hunks)
    width = max((len(path) for path in paths), default=0)
    most = max((came + went for came, went in counts.values()), default=0)
    for path in paths:
        yield one_line(f" {path.ljust(width)} | {_bar(path, counts, most)}")
    yield f" {summary or 'no differences'}"


def _count(hunks: Sequence[Hunk]) -> dict[str, tuple[int, int]]:
    """By path, how many lines came and how many went."""
    counts: dict[str, tuple[int, int]] = {}
    for hunk in hunks:
        came, went = counts.get(hunk.path, (0, 0))
        signs = [line.sign for line in hunk.changed]
        counts[hunk.path] = came + signs.count("+"), went + signs.count("-")
    return counts


def _bar(path: str, counts: Mapping[str, tuple[int, int]], most: int) -> str:
    if path not in counts:
        return "changed"  # no lines to count: binary, a mode, or beyond what is shown
    came, went = counts[path]
    scale = min(1.0, _BAR / most) if most else 1.0
    signs = [sign * max(1, round(count * scale)) for sign, count in (("+", came), ("-", went)) if count]
    return f"{came + went} {''.join(signs)}"


def _render(shown: ShownHunk) -> str:
    hunk, keys = shown.hunk, shown.keys
    key_lines = "; ".join(f"{key.line.sign}{key.line.number} {key.why}" for key in keys[:MOST_KEYS])
    more = f"; and {len(keys) - MOST_KEYS} more" if len(keys) > MOST_KEYS else ""
    lines = [f"{line.sign}{line.text}" for line in hunk.lines]
    cut = [f"… {plural(len(lines) - MOST_LINES, 'further line')}"] if len(lines) > MOST_LINES else []
    body = "\n".join(strip_controls(line).replace("\n", " ") for line in (hunk.header, *lines[:MOST_LINES], *cut))
    head = f"{place_of(hunk)}{f' (key lines: {key_lines}{more})' if key_lines else ''}"
    return f"{head}\n\n{fenced(body, 'diff')}"
