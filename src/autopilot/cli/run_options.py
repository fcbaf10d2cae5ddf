"""The flags of ``autopilot run``: what to do with which phases, how strictly, with whom, and at what cost."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable

from autopilot.model.intent import Intent
from autopilot.model.policy import Budget, Policy

MAX_PARALLEL = 16
MODES = {
    "complete": "everything that is outstanding, in the order of dependencies; a failure stops only what builds on it",
    "force": "do completed phases again, from scratch on top of what is there",
    "quality": "bring phases to 9.5: build what is outstanding, refine what is completed",
    "gaps": "close what keeps completed phases from a better score, one deficiency at a time",
    "lenient": "phases pass from 7.0 on (usually 9.0), without remediation",
}
QUESTION_FLAGS = {
    "map": "look whether phases say enough and ask about what is missing; by itself it carries nothing out",
    "discuss": "talk about the open questions of each phase before it is built",
    "visual": "look at pictures of interfaces, too (not available yet)",
}


def add_modes(run: argparse.ArgumentParser) -> None:
    modes = run.add_argument_group("what to do")
    for name, text in MODES.items():
        modes.add_argument(f"--{name}", action="store_true", help=text)
    people = run.add_argument_group("with you")
    for name, text in QUESTION_FLAGS.items():
        people.add_argument(f"--{name}", action="store_true", help=text)
    checkpoint = "stop for your word after every N phases: `autopilot approve` or `autopilot reject`"
    people.add_argument("--checkpoint-every", type=whole_number(1), default=0, metavar="N", help=checkpoint)
    execution = run.add_argument_group("how")
    parallel = f"up to N phases side by side, where they do not wait for each other (1 to {MAX_PARALLEL})"
    execution.add_argument("--parallel", type=whole_number(1, MAX_PARALLEL), default=1, metavar="N", help=parallel)
    execution.add_argument("--sequential", action="store_true", help="one phase at a time (the default)")
    execution.add_argument("--fresh", action="store_true", help="archive an unfinished run and start anew")
    dry_run = "only say what would run, in which order, and what it would cost; nothing is started or recorded"
    execution.add_argument("--dry-run", action="store_true", help=dry_run)


def add_caps(command: argparse.ArgumentParser) -> None:
    caps = command.add_argument_group("caps of this call, instead of those in your settings")
    caps.add_argument("--budget-tokens", type=whole_number(1), metavar="N", help="tokens of the whole run")
    caps.add_argument("--budget-usd", type=positive_number, metavar="USD", help="money of the whole run")
    caps.add_argument("--budget-minutes", type=positive_number, metavar="N", help="time of the whole run")


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


def named_caps(options: argparse.Namespace) -> tuple[str, ...]:
    """Which caps this call names."""
    return tuple(name for name in ("tokens", "usd", "minutes") if getattr(options, f"budget_{name}"))


def cap_options(policy: Policy, factor: int = 1) -> tuple[tuple[str, str], ...]:
    """The caps that calls named for a run, as words for the next call."""
    return tuple((f"--budget-{name}", f"{factor * getattr(policy.budget, name):.15g}") for name in policy.caps_said)


def whole_number(minimum: int, maximum: int | None = None) -> Callable[[str], int]:
    def parse(text: str) -> int:
        value = int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else minimum - 1
        if value < minimum or (maximum is not None and value > maximum):
            limit = f" to {maximum}" if maximum is not None else " on"
            raise argparse.ArgumentTypeError(f"`{text}` is not a whole number from {minimum}{limit}")
        return value

    return parse


def positive_number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value <= 0:
        raise argparse.ArgumentTypeError(f"`{text}` is not a number above zero")
    return value
