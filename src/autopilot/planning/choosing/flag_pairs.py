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
_SHOWN = "what would run is shown, and nothing is done"
_ANEW = "an unfinished run is archived first"
_PICTURES = "interfaces are looked at while phases are verified"
_NOTHING = "--map by itself carries nothing out"

_ROWS: dict[tuple[str, str], tuple[Outcome, str]] = {
    ("complete", "map"): (ALLOWED, "all outstanding phases are asked about, then carried out"),
    ("complete", "lenient"): (ALLOWED, "outstanding phases pass from 7.0 on, without remediation"),
    ("complete", "force"): (ERROR, "--force is about phases that are completed, --complete about those that are not"),
    ("complete", "quality"): (ALLOWED, "outstanding phases have to reach 9.5"),
    ("complete", "gaps"): (ERROR, "--gaps is about phases that are completed, --complete about those that are not"),
    ("complete", "discuss"): (ALLOWED, "all outstanding phases are talked about, then carried out"),
    ("complete", "visual"): (ALLOWED, _PICTURES),
    ("complete", "checkpoint-every"): (ALLOWED, "a person looks after every so many of the outstanding phases"),
    ("complete", "parallel"): (ALLOWED, "outstanding phases that do not wait for each other run side by side"),
    ("complete", "fresh"): (ALLOWED, _ANEW),
    ("complete", "dry-run"): (ALLOWED, _SHOWN),
    ("map", "lenient"): (ALLOWED, "the questions come first; whatever is carried out then passes from 7.0 on"),
    ("map", "force"): (ALLOWED, "the questions come first, then the phases are done again"),
    ("map", "quality"): (ALLOWED, "the questions come first, then phases are brought to 9.5"),
    ("map", "gaps"): (ALLOWED, "the questions come first, then the gaps are closed"),
    ("map", "discuss"): (ALLOWED, "the talk comes first, then the questions that are left, then the work"),
    ("map", "fresh"): (ALLOWED, _ANEW),
    ("map", "dry-run"): (ALLOWED, _SHOWN),
    ("lenient", "force"): (ALLOWED, "what is done again passes from 7.0 on"),
    ("lenient", "discuss"): (ALLOWED, "the talk comes first; phases pass from 7.0 on"),
    ("lenient", "visual"): (ALLOWED, _PICTURES),
    ("lenient", "sequential"): (ALLOWED, "one phase at a time, each passing from 7.0 on"),
    ("lenient", "checkpoint-every"): (ALLOWED, "a person looks after every so many phases, each passing from 7.0 on"),
    ("lenient", "parallel"): (ALLOWED, "phases side by side, each passing from 7.0 on"),
    ("lenient", "fresh"): (ALLOWED, _ANEW),
    ("lenient", "dry-run"): (ALLOWED, _SHOWN),
    ("force", "quality"): (ERROR, "--force does a phase again from scratch, --quality refines what is there"),
    ("force", "gaps"): (ERROR, "--force does a phase again from scratch, --gaps mends single deficiencies"),
    ("force", "discuss"): (ALLOWED, "each phase is talked about, then done again"),
    ("force", "visual"): (ALLOWED, _PICTURES),
    ("force", "sequential"): (ALLOWED, "phases are done again one at a time"),
    ("force", "checkpoint-every"): (ALLOWED, "a person looks after every so many phases that were done again"),
    ("force", "parallel"): (ALLOWED, "phases that do not wait for each other are done again side by side"),
    ("force", "fresh"): (ALLOWED, _ANEW),
    ("force", "dry-run"): (ALLOWED, _SHOWN),
    ("quality", "gaps"): (ALLOWED, "first to 9.5, then from there towards 9.8"),
    ("quality", "discuss"): (ALLOWED, "each phase is talked about, then brought to 9.5"),
    ("quality", "visual"): (ALLOWED, _PICTURES),
    ("quality", "sequential"): (ALLOWED, "phases are brought to 9.5 one at a time"),
    ("quality", "checkpoint-every"): (ALLOWED, "a person looks after every so many phases"),
    ("quality", "parallel"): (ALLOWED, "phases that do not wait for each other are brought to 9.5 side by side"),
    ("quality", "fresh"): (ALLOWED, _ANEW),
    ("quality", "dry-run"): (ALLOWED, _SHOWN),
    ("gaps", "discuss"): (ALLOWED, "each phase is talked about, then its gaps are closed"),
    ("gaps", "visual"): (ALLOWED, _PICTURES),
    ("gaps", "sequential"): (ALLOWED, "gaps are closed one phase at a time"),
    ("gaps", "checkpoint-every"): (ALLOWED, "a person looks after every so many phases"),
    ("gaps", "parallel"): (ALLOWED, "gaps of phases that do not wait for each other are closed side by side"),
    ("gaps", "fresh"): (ALLOWED, _ANEW),
    ("gaps", "dry-run"): (ALLOWED, _SHOWN),
    ("discuss", "visual"): (ALLOWED, _PICTURES),
    ("discuss", "sequential"): (ALLOWED, "all is talked about first, then carried out one phase at a time"),
    ("discuss", "checkpoint-every"): (ALLOWED, "all is talked about first; later a person looks now and then"),
    ("discuss", "parallel"): (ALLOWED, "all is talked about first, then carried out side by side"),
    ("discuss", "fresh"): (ALLOWED, _ANEW),
    ("discuss", "dry-run"): (ALLOWED, _SHOWN),
    ("visual", "sequential"): (ALLOWED, _PICTURES),
    ("visual", "checkpoint-every"): (ALLOWED, _PICTURES),
    ("visual", "parallel"): (ALLOWED, _PICTURES),
    ("visual", "fresh"): (ALLOWED, _ANEW),
    ("visual", "dry-run"): (ALLOWED, _SHOWN),
    ("sequential", "checkpoint-every"): (ALLOWED, "one phase at a time, and a person looks after every so many"),
    ("sequential", "parallel"): (ERROR, "--sequential is one phase at a time, --parallel is several"),
    ("sequential", "fresh"): (ALLOWED, _ANEW),
    ("sequential", "dry-run"): (ALLOWED, _SHOWN),
    ("checkpoint-every", "parallel"): (
        ALLOWED,
        "when so many phases are done, no other begins until a person has looked",
    ),
    ("checkpoint-every", "fresh"): (ALLOWED, _ANEW),
    ("checkpoint-every", "dry-run"): (ALLOWED, _SHOWN),
    ("parallel", "fresh"): (ALLOWED, _ANEW),
    ("parallel", "dry-run"): (ALLOWED, "what would run side by side is shown, and nothing is done"),
    ("fresh", "dry-run"): (ALLOWED, "what a fresh run would do is shown; the unfinished one is left as it is"),
}
# The first of the two is the one that does nothing.
_IDLE: dict[tuple[str, str], str] = {
    ("lenient", "quality"): "--quality asks for 9.5 whatever else is said",
    ("lenient", "gaps"): "--gaps aims at 9.5 and more whatever else is said",
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
