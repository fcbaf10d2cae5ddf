"""Every language that is read, by its name."""

from __future__ import annotations

from autopilot.repomap.grammar import Grammar
from autopilot.repomap.grammars import python, script

GRAMMARS: dict[str, Grammar] = {
    "python": python.GRAMMAR,
    # The TSX half reads plain JavaScript as well as a grammar of its own would (ADR 22).
    "javascript": script.TSX,
    "typescript": script.TYPESCRIPT,
    "tsx": script.TSX,
}
