"""The flags of ``autopilot run``: what to do with which phases, how strictly, with whom, and at what cost."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable

from autopilot.model.intent import Intent
from autopilot.model.policy import Budget, Policy

MOST_AT_ONCE = 16
MODES = {
    "complete": "everything that is outstanding, in the order of dependencies; a failure stops only what builds on it",
    "force": "do completed phases again, from scratch on top of what is there",
    "quality": "bring phases to 9.5: build what is outstanding, refine what is completed",
    "gaps": "close what keeps completed phases from a better score, one deficiency at a time",
    "lenient": "phases pass from 7.0 on (usually 9.0), without remediation",
}
TALKS = {
    "map": "look whether phases say enough and ask about what is missing; by itself it carries nothing out",
    "discuss": "talk about the open questions of each phase before it is built",
    "visual": "look at pictures of interfaces, too (not available yet)",
}


def add_modes(run: argparse.ArgumentParser) -> None:
    modes = run.add_argument_group("what to do")
    for name, words in MODES.items():
        modes.add_argument(f"--{name}", action="store_true", help=words)
    people = run.add_argument_group("with you")
    for name, words in TALKS.items():
        people.add_argument(f"--{name}", action="store_true", help=words)
    every = "stop for your word after every N phases: `autopilot approve` or `autopilot reject`"
    people.add_argument("--checkpoint-every", type=whole(1), default=0, metavar="N", help=every)
    how = run.add_argument_group("how")
    beside = f"up to N phases side by side, where they do not wait for each other (1 to {MOST_AT_ONCE})"
    how.add_argument("--parallel", type=whole(1, MOST_AT_ONCE), default=1, metavar="N", help=beside)
    how.add_argument("--sequential", action="store_true", help="one phase at a time (the default)")
    how.add_argument("--fresh", action="store_true", help="archive an unfinished run and start anew")
    shown = "only say what would run, in which order, and what it would cost; nothing is started or recorded"
    how.add_argument("--dry-run", action="store_true", help=shown)


def add_caps(command: argparse.ArgumentParser) -> None:
    caps = command.add_argument_group("caps of this call, instead of those in your settings")
    caps.add_argument("--budget-tokens", type=whole(1), metavar="N", help="tokens of the whole run")
    caps.add_argument("--budget-usd", type=amount, metavar="USD", help="money of the whole run")
    caps.add_argument("--budget-minutes", type=amount, metavar="N", help="time of the whole run")


def add_files(command: argparse.ArgumentParser) -> None:
    files = command.add_argument_group("for use without a person at the terminal")
    files.add_argument("--answers", metavar="FILE", help="what you answer to its questions, written beforehand")
    files.add_argument("--junit", metavar="FILE", help="write the outcome there as JUnit XML")
    files.add_argument("--summary", metavar="FILE", help="write the outcome there as Markdown")


def read_intent(options: argparse.Namespace) -> Intent:
    return Intent(**{name: getattr(options, name) for name in Intent.__struct_fields__})


def with_caps(budget: Budget, options: argparse.Namespace) -> Budget:
    """This call's word; what one phase may use is never more than the whole."""
    tokens = options.budget_tokens or budget.tokens
    minutes = options.budget_minutes or budget.minutes
    return Budget(
        tokens=tokens,
        tokens_per_phase=min(budget.tokens_per_phase, tokens),
        usd=options.budget_usd or budget.usd,
        minutes=minutes,
        minutes_per_phase=min(budget.minutes_per_phase, minutes),
    )


def caps_said(options: argparse.Namespace) -> tuple[str, ...]:
    """Which caps this call names."""
    return tuple(name for name in ("tokens", "usd", "minutes") if getattr(options, f"budget_{name}"))


def cap_words(policy: Policy, factor: int = 1) -> tuple[tuple[str, str], ...]:
    """The caps that calls named for a run, as words for the next call."""
    return tuple((f"--budget-{name}", f"{factor * getattr(policy.budget, name):.15g}") for name in policy.caps_said)


def whole(least: int, most: int | None = None) -> Callable[[str], int]:
    def read(text: str) -> int:
        number = int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else least - 1
        if number < least or (most is not None and number > most):
            limit = f" to {most}" if most is not None else " on"
            raise argparse.ArgumentTypeError(f"`{text}` is not a whole number from {least}{limit}")
        return number

    return read


def amount(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value <= 0:
        raise argparse.ArgumentTypeError(f"`{text}` is not a number above zero")
    return value
