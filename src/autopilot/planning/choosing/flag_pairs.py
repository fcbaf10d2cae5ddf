"""Every pair of flags: whether the two go together, and why. One row a pair; judged in ``flags.py``."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

FLAGS = (
    *("complete", "map", "lenient", "force", "quality", "gaps", "discuss", "visual"),
    *("sequential", "checkpoint-every", "parallel", "fresh", "dry-run"),
)


class Outcome(StrEnum):
    ALLOWED = "allowed"
    NO_EFFECT = "no effect"
    ERROR = "error"


class Rule(Struct, frozen=True):
    outcome: Outcome
    reason: str
    idle: str = ""  # of the two, the one without effect


ALLOWED, ERROR = Outcome.ALLOWED, Outcome.ERROR
_SHOWN = "the plan is shown and no phase runs"
_ARCHIVED = "an unfinished run is archived first"
_INTERFACES = "interfaces are checked while phases are verified"
_NOTHING = "--map alone runs no phase"

_ROWS: dict[tuple[str, str], tuple[Outcome, str]] = {
    ("complete", "map"): (ALLOWED, "all outstanding phases are mapped by questions, then run"),
    ("complete", "lenient"): (ALLOWED, "outstanding phases pass from 7.0 on, without remediation"),
    ("complete", "force"): (ERROR, "--force is about phases that are completed, --complete about those that are not"),
    ("complete", "quality"): (ALLOWED, "outstanding phases have to reach 9.5"),
    ("complete", "gaps"): (ERROR, "--gaps is about phases that are completed, --complete about those that are not"),
    ("complete", "discuss"): (ALLOWED, "all outstanding phases are discussed, then run"),
    ("complete", "visual"): (ALLOWED, _INTERFACES),
    ("complete", "checkpoint-every"): (ALLOWED, "the user checks after every N of the outstanding phases"),
    ("complete", "parallel"): (ALLOWED, "outstanding phases that do not depend on each other run in parallel"),
    ("complete", "fresh"): (ALLOWED, _ARCHIVED),
    ("complete", "dry-run"): (ALLOWED, _SHOWN),
    ("map", "lenient"): (ALLOWED, "the questions come first; phases that run then pass from 7.0 on"),
    ("map", "force"): (ALLOWED, "the questions come first, then the phases are redone"),
    ("map", "quality"): (ALLOWED, "the questions come first, then phases are brought to 9.5"),
    ("map", "gaps"): (ALLOWED, "the questions come first, then the gaps are closed"),
    ("map", "discuss"): (ALLOWED, "the discussion comes first, then the questions that are left, then the work"),
    ("map", "fresh"): (ALLOWED, _ARCHIVED),
    ("map", "dry-run"): (ALLOWED, _SHOWN),
    ("lenient", "force"): (ALLOWED, "what is redone passes from 7.0 on"),
    ("lenient", "discuss"): (ALLOWED, "the discussion comes first; phases pass from 7.0 on"),
    ("lenient", "visual"): (ALLOWED, _INTERFACES),
    ("lenient", "sequential"): (ALLOWED, "one phase at a time, each passing from 7.0 on"),
    ("lenient", "checkpoint-every"): (ALLOWED, "the user checks after every N phases, each passing from 7.0 on"),
    ("lenient", "parallel"): (ALLOWED, "phases in parallel, each passing from 7.0 on"),
    ("lenient", "fresh"): (ALLOWED, _ARCHIVED),
    ("lenient", "dry-run"): (ALLOWED, _SHOWN),
    ("force", "quality"): (ERROR, "--force redoes a phase from scratch, --quality refines the existing work"),
    ("force", "gaps"): (ERROR, "--force redoes a phase from scratch, --gaps fixes single deficiencies"),
    ("force", "discuss"): (ALLOWED, "each phase is discussed, then redone"),
    ("force", "visual"): (ALLOWED, _INTERFACES),
    ("force", "sequential"): (ALLOWED, "phases are redone one at a time"),
    ("force", "checkpoint-every"): (ALLOWED, "the user checks after every N phases that were redone"),
    ("force", "parallel"): (ALLOWED, "phases that do not depend on each other are redone in parallel"),
    ("force", "fresh"): (ALLOWED, _ARCHIVED),
    ("force", "dry-run"): (ALLOWED, _SHOWN),
    ("quality", "gaps"): (ALLOWED, "first to 9.5, then from there towards 9.8"),
    ("quality", "discuss"): (ALLOWED, "each phase is discussed, then brought to 9.5"),
    ("quality", "visual"): (ALLOWED, _INTERFACES),
    ("quality", "sequential"): (ALLOWED, "phases are brought to 9.5 one at a time"),
    ("quality", "checkpoint-every"): (ALLOWED, "the user checks after every N phases"),
    ("quality", "parallel"): (ALLOWED, "phases that do not depend on each other are brought to 9.5 in parallel"),
    ("quality", "fresh"): (ALLOWED, _ARCHIVED),
    ("quality", "dry-run"): (ALLOWED, _SHOWN),
    ("gaps", "discuss"): (ALLOWED, "each phase is discussed, then its gaps are closed"),
    ("gaps", "visual"): (ALLOWED, _INTERFACES),
    ("gaps", "sequential"): (ALLOWED, "gaps are closed one phase at a time"),
    ("gaps", "checkpoint-every"): (ALLOWED, "the user checks after every N phases"),
    ("gaps", "parallel"): (ALLOWED, "gaps of phases that do not depend on each other are closed in parallel"),
    ("gaps", "fresh"): (ALLOWED, _ARCHIVED),
    ("gaps", "dry-run"): (ALLOWED, _SHOWN),
    ("discuss", "visual"): (ALLOWED, _INTERFACES),
    ("discuss", "sequential"): (ALLOWED, "all phases are discussed first, then run one phase at a time"),
    ("discuss", "checkpoint-every"): (
        ALLOWED,
        "all phases are discussed first; later the user checks at every checkpoint",
    ),
    ("discuss", "parallel"): (ALLOWED, "all phases are discussed first, then run in parallel"),
    ("discuss", "fresh"): (ALLOWED, _ARCHIVED),
    ("discuss", "dry-run"): (ALLOWED, _SHOWN),
    ("visual", "sequential"): (ALLOWED, _INTERFACES),
    ("visual", "checkpoint-every"): (ALLOWED, _INTERFACES),
    ("visual", "parallel"): (ALLOWED, _INTERFACES),
    ("visual", "fresh"): (ALLOWED, _ARCHIVED),
    ("visual", "dry-run"): (ALLOWED, _SHOWN),
    ("sequential", "checkpoint-every"): (ALLOWED, "one phase at a time, and the user checks after every N phases"),
    ("sequential", "parallel"): (ERROR, "--sequential is one phase at a time, --parallel is several"),
    ("sequential", "fresh"): (ALLOWED, _ARCHIVED),
    ("sequential", "dry-run"): (ALLOWED, _SHOWN),
    ("checkpoint-every", "parallel"): (
        ALLOWED,
        "after every N phases no other phase starts until the user has checked",
    ),
    ("checkpoint-every", "fresh"): (ALLOWED, _ARCHIVED),
    ("checkpoint-every", "dry-run"): (ALLOWED, _SHOWN),
    ("parallel", "fresh"): (ALLOWED, _ARCHIVED),
    ("parallel", "dry-run"): (ALLOWED, "the plan of what runs in parallel is shown and no phase runs"),
    ("fresh", "dry-run"): (ALLOWED, "the plan of a fresh run is shown; the unfinished one is left as it is"),
}
# The first of the two is the one that does nothing.
_IDLE: dict[tuple[str, str], str] = {
    ("lenient", "quality"): "--quality asks for 9.5 whatever other flags are given",
    ("lenient", "gaps"): "--gaps aims at 9.5 and more whatever other flags are given",
    ("sequential", "complete"): "one phase at a time is what --complete does anyway",
    ("visual", "map"): _NOTHING,
    ("sequential", "map"): _NOTHING,
    ("checkpoint-every", "map"): _NOTHING,
    ("parallel", "map"): _NOTHING,
}

PAIRS: dict[frozenset[str], Rule] = {
    **{frozenset(pair): Rule(outcome, reason) for pair, (outcome, reason) in _ROWS.items()},
    **{frozenset(pair): Rule(Outcome.NO_EFFECT, reason, idle=pair[0]) for pair, reason in _IDLE.items()},
}
