"""Journals of earlier versions told some things in words alone: they are read so, and journals of today never are."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from autopilot.events import earlier_journals as earlier
from autopilot.events import happened as h
from autopilot.events.codec import MOVED, decode, encode
from autopilot.model.agent import Ending
from autopilot.model.evidence.observation import Seen, Trouble
from autopilot.model.git import LandingState
from autopilot.model.policy import Policy
from autopilot.model.run import RunStatus, Step, StopKind
from autopilot.model.visual.subject import VisualTesting
from tests.unit.making import ONE, TWO, make_observation, make_started, policy_of

BUDGET = "the researcher ended as budget: 500,000 tokens"
ROWS = [
    (earlier.ending_of, h.StepEnded(ONE, Step.PLAN, 1, "unproven", detail=BUDGET), Ending.BUDGET),
    (earlier.ending_of, h.StepEnded(ONE, Step.PLAN, 1, "error", detail=f"it wrote: {BUDGET}"), None),
    (earlier.ending_of, h.StepEnded(ONE, Step.PLAN, 1, "unproven", detail=BUDGET, ending=None), None),
    (earlier.stop_kind_of, h.RunStopped(RunStatus.PAUSED, "claude ended as rate_limited", 4), StopKind.LIMIT),
    (earlier.stop_kind_of, h.RunStopped(RunStatus.PAUSED, "claude ended as rate_limited", 5), StopKind.PROBLEM),
    (earlier.stop_kind_of, h.RunStopped(RunStatus.PAUSED, "claude ended as rate_limited", 1), None),
    (earlier.stop_kind_of, h.RunStopped(RunStatus.PAUSED, "the cap is reached", 4, limited=True), StopKind.LIMIT),
    (earlier.stop_kind_of, h.RunStopped(RunStatus.PAUSED, "it ended as budget", 4, limited=False), StopKind.CAP),
    (earlier.stop_kind_of, h.RunStopped(RunStatus.PAUSED, "it ended as budget", 4, kind=None), None),
    (earlier.blocked_by, h.PhaseSkipped(TWO, "blocked_by_phase_1"), "1"),
    (earlier.blocked_by, h.PhaseSkipped(TWO, "it is proven"), ""),
    (earlier.blocked_by, h.PhaseSkipped(TWO, "blocked_by_phase_1", blocked_by=TWO), "2"),
    *(
        (earlier.obstacle_of, h.LandingDeferred(ONE, "c", because, "b"), obstacle)
        for because, obstacle in (
            ("main is at 1, not at 2", LandingState.BRANCH_MOVED),
            ("the branch moved while landing", LandingState.BRANCH_MOVED),
            ("HEAD is on no branch", LandingState.DETACHED),
            ("the checkout is on x, the run began on main", LandingState.OTHER_BRANCH),
            ("a.py is modified", LandingState.NOT_CLEAN),
        )
    ),
    (
        earlier.obstacle_of,
        h.LandingDeferred(ONE, "c", "the branch moved", "b", (), LandingState.NOT_CLEAN),
        LandingState.NOT_CLEAN,
    ),
]


@pytest.mark.parametrize(("read", "event", "meaning"), ROWS)
def test_words_are_read_only_where_a_journal_has_nothing_else(read, event, meaning) -> None:  # type: ignore[no-untyped-def]
    assert read(event) == meaning
    assert read(decode(*encode(event))) == meaning, "and so after a restart"


@pytest.mark.parametrize(
    ("fields", "trouble"),
    [
        ({}, Trouble.VIOLATION),
        ({"trouble": None}, None),
        ({"trouble": Trouble.SETUP}, Trouble.SETUP),
    ],
)
def test_a_violation_that_was_recorded_in_words_is_still_one(
    fields: dict[str, Trouble | None], trouble: object
) -> None:
    seen = make_observation("01-01.c1", Seen.FAILED, reason="violation: it reports 'Read-only file system'", **fields)
    assert earlier.trouble_of(seen) is trouble


def test_a_policy_that_was_recorded_flat_is_read_into_its_structs() -> None:
    today = msgspec.json.decode(encode(make_started(policy=policy_of(**ODD)))[1])
    flat = {**today, "policy": _flattened(today["policy"])}
    read = decode("RunStarted", msgspec.json.encode(flat))
    assert isinstance(read, h.RunStarted) and read.policy == policy_of(**ODD)


def test_every_field_that_moved_is_one_of_todays_policy() -> None:
    for struct, field in MOVED.values():
        assert field in getattr(Policy(), struct).__struct_fields__


# Nothing at its default, so that a field that is forgotten shows.
ODD = {
    **{"agents": {"default": "claude"}, "profiles": {"speed": {"judge": "codex"}}, "providers": {"codex": "openai"}},
    **{"models": {"codex": {"strong": "big"}}, "max_wait_minutes": 7.0, "first_wait_s": 3.0},
    **{"plan_rounds": 11, "task_debugs": 12, "observations": 13, "attempts_phases": 14, "remediations": 15},
    **{"handovers": 16, "parts": 17, "parallel_phases": 18},
    **{"interface_source_dir": "web", "interface_extensions": (".tsx",), "interface_visual": VisualTesting()},
}


def _flattened(policy: dict[str, Any]) -> dict[str, Any]:
    structs = {struct for struct, _ in MOVED.values()}
    rest = {name: value for name, value in policy.items() if name not in structs}
    return rest | {old: policy[struct][field] for old, (struct, field) in MOVED.items()}
