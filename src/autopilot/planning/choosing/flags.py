"""Which flags of a call go together, and how strict it makes a run. Judged before anything is touched."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.intent import LENIENT, QUALITY, QUALITY_CYCLES, Intent
from autopilot.model.policy import Policy
from autopilot.planning.choosing.flag_pairs import FLAGS, PAIRS, Outcome, Rule

NUMBERED = ("checkpoint-every", "parallel")  # flags with a number after them


class Clash(Struct, frozen=True):
    """Two flags that do not go together."""

    flags: tuple[str, str]
    reason: str

    def __str__(self) -> str:
        return f"--{self.flags[0]} and --{self.flags[1]} do not go together: {self.reason}"


class FlagsJudged(Struct, frozen=True):
    clashes: tuple[Clash, ...] = ()
    notices: tuple[str, ...] = ()  # about flags without effect


def judge_flags(intent: Intent, *, fresh: bool = False, dry_run: bool = False) -> FlagsJudged:
    flags = flags_of(intent, fresh=fresh, dry_run=dry_run)
    rules = [(pair, rule_for(*pair)) for pair in combinations(flags, 2)]
    return FlagsJudged(
        clashes=tuple(Clash(pair, rule.reason) for pair, rule in rules if rule.outcome is Outcome.ERROR),
        notices=tuple(_notices(rules, intent)),
    )


def rule_for(flag: str, other: str) -> Rule:
    return PAIRS[frozenset((flag, other))]


def flags_of(intent: Intent, *, fresh: bool = False, dry_run: bool = False) -> tuple[str, ...]:
    """The flags that say anything, in the table's order: `--parallel 1` is what a run does anyway."""
    values = {
        **{flag: getattr(intent, flag.replace("-", "_"), 0) for flag in FLAGS},
        "parallel": intent.parallel > 1,
        "fresh": fresh,
        "dry-run": dry_run,
    }
    return tuple(flag for flag in FLAGS if values[flag])


def spell_call(intent: Intent, phases: Iterable[str] = (), *, fresh: bool = False) -> str:
    """The call as one would type it, for hints."""
    return " ".join(("autopilot run", *(("--fresh",) if fresh else ()), *intent.beside(phases)))


def call_without(command: str, flag: str) -> str:
    """The user's own words with one flag less."""
    arguments = shlex.split(command)
    option = f"--{flag}"
    first = next((i for i, word in enumerate(arguments) if word == option or word.startswith(f"{option}=")), None)
    if first is None:
        return command
    last = first + 1 + (arguments[first] == option and flag in NUMBERED)
    return shlex.join((*arguments[:first], *arguments[last:]))


def call_with(command: str, option: str) -> str:
    """The user's own words with one option more, before all others: the last one may want words after it."""
    start, run, rest = command.partition(" run")
    return f"{start}{run} {option}{rest}" if run else ""


def aim(policy: Policy, intent: Intent) -> Policy:
    """The bar this call sets. Phases that `--gaps` is about aim higher by themselves, whatever the bar is."""
    at_once = 1 if intent.sequential else intent.parallel
    policy = replace(policy, parallel=replace(policy.parallel, phases=at_once))
    if intent.quality:
        return _aiming(policy, QUALITY, QUALITY_CYCLES)
    if intent.lenient:
        return _aiming(policy, LENIENT, 0)
    return policy


def _aiming(policy: Policy, threshold: float, remediations: int) -> Policy:
    attempts = replace(policy.attempts, remediations=remediations)
    return replace(policy, pass_threshold=threshold, attempts=attempts)


def _notices(rules: Iterable[tuple[tuple[str, str], Rule]], intent: Intent) -> Iterable[str]:
    for pair, rule in rules:
        # Beside a flag that carries phases out, `--map` only asks first: then all others have their effect.
        if rule.outcome is Outcome.NO_EFFECT and ("map" not in pair or intent.only_maps):
            yield f"--{rule.idle} has no effect: {rule.reason}"
