"""Files of a commit as text, and which of them a run opened."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from autopilot.model.evidence.observation import Observation
from autopilot.ports.git import Vault
from autopilot.steps.context import StepContext

LARGEST_TEXT = 400_000
ReadText = Callable[[str], str | None]
Lines = Callable[[str], int]


def text_at(ctx: StepContext, commit: str) -> ReadText:
    """None for what is not there, or too large to be read by anyone."""
    return text_in(ctx.ports.vault, commit)


def text_in(vault: Vault, commit: str) -> ReadText:
    @cache
    def read(path: str) -> str | None:
        content = vault.read(commit, path)
        if content is None or len(content) > LARGEST_TEXT:
            return None
        return content.decode("utf-8", "replace")

    return read


def files_opened(ctx: StepContext, seen: Observation) -> list[str]:
    """Of the project, by what was watched: none where nothing was."""
    return ctx.ports.blobs.get(seen.opened).decode("utf-8", "replace").splitlines() if seen.opened else []


def lines_of(ctx: StepContext) -> Lines:
    """How many lines a file of the tip has; 0 when it is not there."""

    @cache
    def count(path: str) -> int:
        return len((ctx.ports.vault.read(ctx.tip, path) or b"").splitlines())

    return count
