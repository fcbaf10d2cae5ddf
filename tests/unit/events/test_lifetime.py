"""What a reset forgets: every room of a phase, of a run and of an issue lasts as long as it says, whole (STATE).

A field that is added later is filled by ``filled`` and looked at here without anybody naming it.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import Enum
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from autopilot.events import happened as h
from autopilot.events import recovery as r
from autopilot.events.fold import fold
from autopilot.events.issue import happened as i
from autopilot.events.issue.fold import reenter
from autopilot.events.issue.lifetime import ISSUE_LIFETIMES, IssueLifetime, forget_of_issue
from autopilot.events.issue.rooms import Convergence, DesignGate, Requirements
from autopilot.events.issue.state import IssueState
from autopilot.events.lifetime import (
    LIFETIMES,
    RUN_LIFETIMES,
    STEP_LIFETIMES,
    Lifetime,
    RunLifetime,
    forget,
    forget_of_run,
)
from autopilot.events.pieces import StepState
from autopilot.events.rooms.run import Session
from autopilot.events.state import PhaseState, RunState
from autopilot.model.issue.issue import DESIGN, IMPL, IssueBrief, SeedFinding
from autopilot.model.policy import Budget, Policy
from autopilot.model.run import PhaseStatus, Step
from tests.unit.making import ONE, make_brief, make_state, store

# covers: STATE
MOST_FIELDS = 23
DEEP = 4  # structs within structs beyond this are left as small as they can be


def filled(kind: Any, depth: int = 0) -> Any:
    """A value of a type that differs from what a field of that type is by default."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return filled(inner[0], depth)
    if origin in (typing.Union, types.UnionType):
        return filled(next(each for each in inner if each is not type(None)), depth)
    if origin is typing.Literal:
        return inner[-1]
    if origin is tuple:
        return tuple(filled(each, depth) for each in inner if each is not Ellipsis)
    if origin in (Mapping, dict):
        return {filled(inner[0], depth): filled(inner[1], depth)}
    if isinstance(kind, typing.NewType):
        return kind(filled(kind.__supertype__, depth))
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        fields = msgspec.structs.fields(kind)
        return kind(**{each.name: filled(each.type, depth + 1) for each in fields if depth < DEEP or each.required})
    if isinstance(kind, type) and issubclass(kind, Enum):
        return list(kind)[-1]
    simple = {str: "filled", int: 7, float: 7.5, bool: True, datetime: datetime(2024, 2, 3, tzinfo=UTC)}
    if kind is bool:
        return True
    return simple[kind]


def turned(value: Any, default: Any) -> Any:
    """Fields whose default is the filled value, a flag that is True, are turned round."""
    if isinstance(value, msgspec.Struct) and type(value) is type(default):
        names = value.__struct_fields__
        return replace(value, **{name: turned(getattr(value, name), getattr(default, name)) for name in names})
    return (not value) if value is True and default is True else value


def full_phase() -> PhaseState:
    new = PhaseState(make_brief(ONE))
    made = {each.name: filled(each.type) for each in msgspec.structs.fields(PhaseState)}
    phase = turned(PhaseState(**made), new)
    steps = {step.value: StepState("completed") for step in Step} | {"debug.01-01": StepState("completed")}
    return replace(phase, brief=new.brief, parent=None, status=PhaseStatus.IN_PROGRESS, steps=steps)


def full_run() -> RunState:
    made = {each.name: filled(each.type) for each in msgspec.structs.fields(RunState)}
    return replace(turned(RunState(**made), RunState()), phases={ONE: FULL}, parts={})


def full_issue() -> IssueState:
    made = {field.name: filled(field.type) for field in msgspec.structs.fields(IssueState)}
    return replace(turned(IssueState(**made), NEW_ISSUE), brief=NEW_ISSUE.brief)


FULL, NEW = full_phase(), PhaseState(make_brief(ONE))
FULL_RUN, NEW_RUN = full_run(), RunState()
NEW_ISSUE = IssueState(IssueBrief(24, "Sort the shelf", "sort", "docs/issues/024-sort"))
FULL_ISSUE = full_issue()


def leaves(value: Any, path: str = "") -> dict[str, Any]:
    """Every field of a state that is no room itself, by its path."""
    if not isinstance(value, msgspec.Struct) or (path and "." in path):
        return {path: value}
    found: dict[str, Any] = {}
    for name in value.__struct_fields__:
        found |= leaves(getattr(value, name), f"{path}.{name}" if path else name)
    return found


def test_every_field_of_a_phase_has_one_lifetime() -> None:
    assert {*LIFETIMES, "steps"} == set(PhaseState.__struct_fields__)
    assert "steps" not in LIFETIMES, "each step has its own"


def test_no_state_has_more_fields_than_a_reader_can_keep_in_mind() -> None:
    values = [getattr(state, name) for state in (NEW, NEW_RUN, NEW_ISSUE) for name in state.__struct_fields__]
    rooms = {type(value) for value in values if isinstance(value, msgspec.Struct)} - {Policy}
    counts = {kind.__name__: len(kind.__struct_fields__) for kind in (PhaseState, RunState, IssueState, *rooms)}
    assert {name: count for name, count in counts.items() if count > MOST_FIELDS} == {}


def test_the_sample_differs_from_a_new_phase_in_every_field() -> None:
    """The control: what is equal in both could be forgotten, or kept, without anybody noticing."""
    new, full = leaves(NEW), leaves(FULL)
    same = {name for name, value in full.items() if name in new and new[name] == value}
    assert {name for name in same if not name.startswith("brief")} == {"parent"}


def test_the_sample_differs_from_a_new_run_in_every_field() -> None:
    new, full = leaves(NEW_RUN), leaves(FULL_RUN)
    same = {name for name, value in full.items() if name in new and new[name] == value}
    assert {name for name in same if not name.startswith("policy")} == {"parts"}


@pytest.mark.parametrize("lifetime", Lifetime)
def test_what_lasts_no_longer_is_as_new_and_all_else_is_untouched(lifetime: Lifetime) -> None:
    left = forget(FULL, lifetime)
    for name, lasts in LIFETIMES.items():
        source = NEW if lasts >= lifetime else FULL
        assert getattr(left, name) == getattr(source, name), name
    over = {name for name, lasts in STEP_LIFETIMES.items() if lasts >= lifetime}
    others = set() if lifetime <= Lifetime.PLAN else set(FULL.steps) - set(STEP_LIFETIMES)
    assert set(left.steps) == (set(STEP_LIFETIMES) - over) | others


RESETS: list[tuple[h.Event, Lifetime, set[str]]] = [
    (h.PhaseStarted(ONE, 9, "base"), Lifetime.ATTEMPT, {"totals", "status", "started_at", "line", "retries"}),
    (r.Replanned(ONE, 6.4, ("slow",)), Lifetime.PLAN, {"retries", "line"}),
    (h.Rerouted(ONE, "not done"), Lifetime.TREE, {"plan", "retries"}),
    (h.Rerouted(ONE, "all of it holds", verify_only=True), Lifetime.PLAN, {"plan", "intake"}),
    (r.PhaseMended(ONE, 1, ("red",), "mend", ("a.py",)), Lifetime.TREE, {"retries", "remediation", "line"}),
    (h.TaskCommitted(ONE, "filled", "work", ("a.py",), ()), Lifetime.TREE, {"tasks", "line"}),
    (r.PhaseMended(ONE, 1, ("red",), refusal="no"), Lifetime.RULING, {"retries", "remediation"}),
    (r.RemediationStarted(ONE, 1, 8.2, 9.0, ()), Lifetime.RULING, {"remediation"}),
    (r.StepEnforced(ONE, Step.VERIFY, "again"), Lifetime.REVIEW, {"remediation"}),
]


@pytest.mark.parametrize(("event", "lifetime", "written"), RESETS)
def test_an_event_that_resets_forgets_by_lifetime_and_writes_only_what_it_is_about(
    event: h.Event, lifetime: Lifetime, written: set[str]
) -> None:
    after = into(make_state(FULL), event).phases[ONE]
    for name, lasts in LIFETIMES.items():
        if name not in written:
            source = NEW if lasts >= lifetime else FULL
            assert getattr(after, name) == getattr(source, name), name


def into(state: RunState, event: h.Event) -> RunState:
    return fold(state, store(event)[0])


def test_every_field_of_a_run_has_one_lifetime() -> None:
    assert set(RUN_LIFETIMES) == set(RunState.__struct_fields__)


@pytest.mark.parametrize("lifetime", RunLifetime)
def test_what_of_a_run_lasts_no_longer_is_as_new_and_all_else_is_untouched(lifetime: RunLifetime) -> None:
    left = forget_of_run(FULL_RUN, lifetime)
    for name, lasts in RUN_LIFETIMES.items():
        source = NEW_RUN if lasts >= lifetime else FULL_RUN
        assert getattr(left, name) == getattr(source, name), name


WRITTEN = {"now", "seq", "policy", "phases", "issue", "breaker", "session", "completion", "totals"}
RESUMES = [
    (7, RunLifetime.STOP, WRITTEN | {"provision"}),  # how long a limit has lasted is counted from the resume
    (None, RunLifetime.SESSION, WRITTEN),
]


@pytest.mark.parametrize(("exit_status", "lifetime", "written"), RESUMES, ids=["after a stop", "after a kill"])
def test_a_resume_forgets_by_lifetime_and_begins_a_new_session(
    exit_status: int | None, lifetime: RunLifetime, written: set[str]
) -> None:
    before = replace(FULL_RUN, issue=None, session=replace(FULL_RUN.session, exit_status=exit_status))
    after = into(before, h.RunResumed("1.0", (), Budget()))
    for name, lasts in RUN_LIFETIMES.items():
        if name not in written:
            source = NEW_RUN if lasts >= lifetime else before
            assert getattr(after, name) == getattr(source, name), name
    assert after.session == Session(since=after.now)
    rested_at = before.totals.rested_at
    assert rested_at is not None
    rested_s = (after.now - rested_at).total_seconds() if exit_status is not None else 0.0
    totals = replace(before.totals, resumes=before.totals.resumes + 1, rested_s=before.totals.rested_s + rested_s)
    assert after.totals == totals


def test_every_field_of_an_issue_has_one_lifetime() -> None:
    assert set(ISSUE_LIFETIMES) == set(IssueState.__struct_fields__)


def test_the_sample_differs_from_a_new_issue_in_every_field() -> None:
    new, full = leaves(NEW_ISSUE), leaves(FULL_ISSUE)
    same = {name for name, value in full.items() if name in new and new[name] == value}
    assert {name for name in same if not name.startswith("brief")} == set()


@pytest.mark.parametrize("lifetime", IssueLifetime)
def test_what_of_an_issue_lasts_no_longer_is_as_new_and_all_else_is_untouched(lifetime: IssueLifetime) -> None:
    left = forget_of_issue(FULL_ISSUE, lifetime)
    assert left.brief == FULL_ISSUE.brief
    for name, lasts in ISSUE_LIFETIMES.items():
        source = NEW_ISSUE if lasts >= lifetime else FULL_ISSUE
        assert getattr(left, name) == getattr(source, name), name


FINDINGS = (SeedFinding("it is slow"),)
UNAPPROVED = replace(FULL_ISSUE, requirements=Requirements(has_prd=True))
UNSTOPPED = replace(FULL_ISSUE, ending=replace(FULL_ISSUE.ending, halted=None))
CYCLE_WRITTEN = {"cycle", "convergence", "presentation"}
ISSUE_RESETS: list[tuple[IssueState, i.IssueRunEvent | i.IssueEvent, IssueLifetime, set[str]]] = [
    (UNAPPROVED, i.SentBack(DESIGN, "gate", FINDINGS), IssueLifetime.REQUIREMENTS, {"convergence", "presentation"}),
    (FULL_ISSUE, i.SentBack(DESIGN, "gate", FINDINGS), IssueLifetime.DESIGN, {*CYCLE_WRITTEN, "design"}),
    (FULL_ISSUE, i.SentBack(IMPL, "gate", FINDINGS), IssueLifetime.CYCLE, CYCLE_WRITTEN),
    (FULL_ISSUE, i.DesignApproved("you"), IssueLifetime.DESIGN, {"design", "cause", "pinned"}),
]


@pytest.mark.parametrize(
    ("before", "event", "lifetime", "written"),
    ISSUE_RESETS,
    ids=["requirements", "design", "implementation", "approved"],
)
def test_an_event_that_resets_an_issue_forgets_by_lifetime_and_writes_only_what_it_is_about(
    before: IssueState, event: h.Event, lifetime: IssueLifetime, written: set[str]
) -> None:
    after = into(of_issue(before), event).issue
    assert after is not None
    for name, lasts in ISSUE_LIFETIMES.items():
        if name not in written:
            source = NEW_ISSUE if lasts >= lifetime else before
            assert getattr(after, name) == getattr(source, name), name


def of_issue(issue: IssueState) -> RunState:
    phases = {id: PhaseState(make_brief(id)) for id in (DESIGN, IMPL)}
    return replace(RunState(), phases=phases, issue=issue)


def test_what_is_sent_back_is_all_that_the_new_cycle_of_an_issue_begins_with() -> None:
    after = into(of_issue(FULL_ISSUE), i.SentBack(DESIGN, "gate", FINDINGS)).issue
    assert after is not None and after.cycle == FULL_ISSUE.cycle + 1
    assert after.convergence == Convergence(seeds=FINDINGS) and after.design == DesignGate(rejected=FINDINGS)


@pytest.mark.parametrize("before", [FULL_ISSUE, UNSTOPPED], ids=["after a halt", "without one"])
def test_a_person_who_comes_back_to_an_issue_begins_a_cycle_only_after_a_halt(before: IssueState) -> None:
    halted = before.ending.halted and replace(before.ending.halted, phase=IMPL, findings=FINDINGS)
    before = replace(before, ending=replace(before.ending, halted=halted))
    after = reenter(of_issue(before)).issue
    assert after is not None and after.frozen is None
    assert after.cycle == before.cycle + (halted is not None)
    if halted is None:
        assert after == replace(before, frozen=None)
    else:
        assert after == replace(
            forget_of_issue(before, IssueLifetime.CYCLE), cycle=after.cycle, convergence=Convergence(seeds=FINDINGS)
        )
