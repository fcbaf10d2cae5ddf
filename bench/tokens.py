"""P-TOK: fixed prompt text a phase of three tasks is sent when all goes well, in tokens.

Each prompt counts as often as it is sent: research, plan and its check once, execute and its reading once a task,
verify, the judge's two calls and rate once. What is filled in (criteria, findings, names) is the phase's own and left
out; the schema of each reply is fixed too and is shown beside it. Nothing else costs: the loop asks no model.

A token is taken as four characters. The second count, 1.3 tokens a word, is printed to show how far it may be off.
"""

from __future__ import annotations

import re

import msgspec

from autopilot.model.agent import Role
from autopilot.model.assessment import Divergence
from autopilot.ports.reply import REPLIES, wire_schema
from autopilot.steps.asking.prompt import FOLDER

TASKS = 3
GOAL = 10_000
SENT: tuple[tuple[str, int, type], ...] = (
    ("research", 1, REPLIES[Role.RESEARCHER]),
    ("plan", 1, REPLIES[Role.PLANNER]),
    ("plan_check", 1, REPLIES[Role.PLAN_CHECKER]),
    ("execute", TASKS, REPLIES[Role.EXECUTOR]),
    ("mini_verify", TASKS, REPLIES[Role.MINI_VERIFIER]),
    ("verify", 1, REPLIES[Role.VERIFIER]),
    ("judge", 1, REPLIES[Role.JUDGE]),
    ("judge_divergence", 1, Divergence),
    ("rate", 1, REPLIES[Role.RATER]),
)


def main() -> None:
    by_characters = by_words = schemas = 0
    for name, times, reply in SENT:
        text = fixed_text(name)
        characters, words = len(text) // 4, round(len(text.split()) * 1.3)
        schema = len(msgspec.json.encode(wire_schema(reply))) // 4
        print(f"{name:<17} {times}x  {characters:>5} by characters  {words:>5} by words  {schema:>5} reply schema")
        by_characters, by_words = by_characters + times * characters, by_words + times * words
        schemas += times * schema
    print(f"all prompts: {by_characters:,} by characters/4, {by_words:,} by words*1.3; reply schemas {schemas:,} more")
    print(
        f"P-TOK: {by_characters:,} tokens by characters/4, {by_characters + schemas:,} with schemas (goal <= {GOAL:,})"
    )


def fixed_text(name: str) -> str:
    """A prompt without what is filled into it."""
    return re.sub(r"\$\{?\w+\}?", "", (FOLDER / f"{name}.md").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
