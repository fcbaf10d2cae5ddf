"""Small nouns for tests: each says only what the test is about, the rest is ordinary."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from autopilot.events.entry import Stored
from autopilot.events.happened import Event, RunStarted
from autopilot.events.pieces import StepState
from autopilot.events.state import PhaseState, RunState
from autopilot.model.assessment import Judgement, Rating, Recommendation, Score, Verification
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.planning.criterion import Criterion, Form, Kind
from autopilot.model.planning.plan import Task
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Policy
from autopilot.model.run import PhaseBrief, PhaseStatus, SpecLock

S = TypeVar("S", bound=Struct)
START = datetime(2025, 1, 1, 12, 0, tzinfo=UTC)
ONE, TWO, THREE = PhaseId("1"), PhaseId("2"), PhaseId("3")


def make_criterion(id: str = "01-01.c1", text: str = "it works", kind: Kind = Kind.NEW, **more: Any) -> Criterion:
    return Criterion(id, text, more.pop("form", Form.COMMAND), more.pop("command", f"check {id}"), kind=kind, **more)


def make_task(id: str = "01-01", *criteria: Criterion, **more: Any) -> Task:
    return Task(id, more.pop("title", f"do {id}"), criteria=criteria or (make_criterion(f"{id}.c1"),), **more)


def make_observation(subject: str, seen: Seen = Seen.PASSED, **more: Any) -> Observation:
    return Observation(subject, more.pop("command", f"check {subject}"), more.pop("commit", "c1"), seen, **more)


def make_verdict(outcome: Outcome, subject: str = "01-01.c1", because: str = "so it was seen", **more: Any) -> Verdict:
    return Verdict(subject, outcome, because, **more)


def make_verification(passed: bool = True, **more: Any) -> Verification:
    fields = {"criteria_results": (), "commands_run": ("make test",), "failures": (), "scope_creep": (), "concerns": ()}
    return Verification(passed=passed, autonomous_confidence=9.0, **{**fields, **more})


def make_judgement(word: Recommendation = Recommendation.PROCEED, **more: Any) -> Judgement:
    lists: dict[str, Any] = dict.fromkeys(("verifier_missed", "scope_creep", "missing_requirements"), ())
    said = {"concerns": ("it has no limit",), "independent_evidence": ("a.py:1 read",), "notes": ""}
    return Judgement(word, **{**lists, **said, **more})


def make_score(criterion: str = "it works", score: float = 9.6, evidence: str = "shelf/a.py:3 it is there") -> Score:
    return Score(criterion, score, "make test", "ok", evidence, "seen")


def make_rating(*scores: Score, side_effects: tuple[str, ...] = ()) -> Rating:
    return Rating(scores or (make_score(),), side_effects, ("make test",), "")


def make_brief(id: PhaseId = ONE, *depends_on: PhaseId, **more: Any) -> PhaseBrief:
    folder = f".planning/phases/{id.zfill(2)}-part"
    return PhaseBrief(id, f"Part {id}", f"part {id} is there", depends_on, (f"REQ-{id}",), folder, **more)


def policy_of(**fields: Any) -> Policy:
    """The default one, with these fields, each in the struct that holds it."""
    return alter(Policy(), **fields)


def make_policy(**more: Any) -> Policy:
    """With an agent for every role: a run without any has nobody to ask."""
    return policy_of(**{"agents": {"default": "scripted"}, **more})


def make_started(*briefs: PhaseBrief, policy: Policy | None = None, **more: Any) -> RunStarted:
    phases = briefs or (make_brief(),)
    fields = {"outline": phases, "branch": "main", "head": "base", "base": "base", "pinned": (), "proven": ()}
    return RunStarted(
        run="run-1",
        version="0.1.0",
        phases=phases,
        roadmap=".planning/ROADMAP.md",
        spec=SpecLock(".planning/REQUIREMENTS.md", "5" * 64),
        policy=policy or make_policy(),
        ticked=(),
        agents=("scripted 0.1.0",),
        model="balanced",
        **{**fields, **more},
    )


def make_state(*phases: PhaseState, **more: Any) -> RunState:
    """A run at rest nowhere: its tip is where it began."""
    known = {phase.id: phase for phase in phases or (make_phase(),)}
    outline = tuple(phase.brief for phase in known.values())
    fields = {"run": "run-1", "tip": "base", "head": "base", "branch": "main", "active_since": START, "now": START}
    fields |= {"policy": make_policy()}
    return alter(RunState(phases=known), **{"outline": outline, **fields, **more})


def make_phase(id: PhaseId = ONE, *depends_on: PhaseId, **more: Any) -> PhaseState:
    """A phase under way at its base; ``done`` names steps that ended well."""
    done = more.pop("done", ())
    steps = {step.value: StepState("completed") for step in done} | more.pop("steps", {})
    fields = {"status": PhaseStatus.IN_PROGRESS, "attempt": 1, "base": "base", "started_at": START}
    return alter(PhaseState(make_brief(id, *depends_on), steps=steps), **{**fields, **more})


# Where a name alone does not say which room is meant.
SHORT = {"gate": "ruling_outcome", "line": "line_tip", "usage": "totals_usage", "attempt_usage": "agents_usage"}
SHORT |= {"active_since": "session_since"}
NO_ROOMS = ("brief", "policy", "issue", "options", "breaker")  # structs of a state that are written whole


def alter(state: S, **fields: Any) -> S:
    """With these fields, each in its room: ``score`` is that of the reviews, ``plan_commit`` that of the plan."""
    for name, value in fields.items():
        is_room = type(value) is type(getattr(state, name, None))
        room, field = _place(state, name if is_room else SHORT.get(name, name))
        state = replace(state, **{room: replace(getattr(state, room), **{field: value}) if field else value})
    return state


def _place(state: Struct, name: str) -> tuple[str, str]:
    if name in state.__struct_fields__:
        return name, ""
    values = {room: getattr(state, room) for room in state.__struct_fields__ if room not in NO_ROOMS}
    rooms = {room: value for room, value in values.items() if isinstance(value, Struct)}
    pairs = [(room, field) for room, value in rooms.items() for field in value.__struct_fields__]
    found = [(room, field) for room, field in pairs if name in (field, f"{room}_{field}")]
    assert len(found) == 1, f"{name}: {found or 'no room has it'}"
    return found[0]


def at(seq: int) -> datetime:
    return START + timedelta(seconds=seq)


def store(*events: Event, first: int = 1) -> list[Stored]:
    return [Stored(n, at(n), "run-1", f"run-1/{n}", event) for n, event in enumerate(events, first)]
