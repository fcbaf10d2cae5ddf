"""Draws the states of a phase and of an issue, for the section "States" of ARCHITECTURE.md.

    python -m scripts.draw_states            print the diagrams
    python -m scripts.draw_states --write    put them into ARCHITECTURE.md

No transition is written down here. The script drives the product's own `decide` and `fold` through every run in which
at most two answers of agents, checks or the checkout differ from the good one (tests/unit/flows/exploring.py), and
notes which step follows which with which result. Steps are stood in for by the plays of tests/unit/flows; gates and
rails are the real ones. To reach every end soon, the limits on repetition are low (one debug, one remediation, …).

What is the same for many steps is drawn once, as `any_step`: a step could not be performed (every step; the run pauses
and, resumed, takes the step up again), or it broke down (steps whose play can: those that ask for a report, define
and hand_off; the step runs once more, then the phase fails). A resumed issue checks its pins first.

Left out: everything beyond one phase (order, checkpoints, audit, version), limits of providers and caps, the circuit
breaker, refinements (`--quality`, `--gaps`), parallel phases, the one executor of a plan of over eight tasks, the
ways within a part but to its end, an issue that stops after its design, and ways that need three other answers.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from autopilot.events.happened import Event, GateJudged
from autopilot.events.issue.happened import IssueOpened, IterationRecorded
from autopilot.events.people import HumanAnswered, HumanAsked
from autopilot.events.recovery import VerdictGiven
from autopilot.events.state import RunState
from autopilot.flows.command import Command, Halt, Record, RunStep
from autopilot.model.assessment import Recommendation
from autopilot.model.human import GateKind
from autopilot.model.issue.issue import DESIGN, IMPL, IssueBrief, IssueOptions, Route
from autopilot.model.policy import Breaker
from autopilot.model.run import PersonVerdict, PhaseStatus, RunStatus, Step
from tests.unit.flows.exploring import START_NODE, UNPROVEN, Edge, explore, store
from tests.unit.making import ONE, make_brief, make_policy, make_started

PAGE = Path(__file__).parents[1] / "ARCHITECTURE.md"
BEGIN, END = "<!-- states: begin -->\n", "<!-- states: end -->\n"
NEVER = 99
POLICY = make_policy(
    plan_rounds=2,
    task_debugs=1,
    remediations=1,
    handovers=1,
    breaker=Breaker(no_progress=NEVER, same_error=NEVER, retries_per_run=NEVER, debugs_per_phase=1),
)
PARTS, ANY_STEP, PAUSED, MIDDLE_GATE = "parts", "any_step", "paused", "design_or_cause_gate"
BESIDE = (PhaseStatus.NEEDS_HUMAN_VERIFICATION, Step.SPLIT, PARTS, Step.INTEGRATE, Step.RESOLVE)
# The good answers, where they are not those of a play: all is well; the plan is cut; a person has to look.
SITUATIONS: tuple[Mapping[str, Any], ...] = (
    {},
    {"size of the plan": "hard"},
    {"tasks for a person": "one", "verifier": "unsure"},
)


class PhaseView(Struct, frozen=True):
    """One phase. Its parts, when it is split, are one node: each goes the way of a phase, from execute to the gate."""

    good_answers: Mapping[str, Any] = {}

    def follows(self, _: str, answer: Any, command: RunStep) -> bool:
        if command.phase != ONE:
            return answer is Recommendation.HALT  # one way for a part to fail is enough
        return answer not in ("hard", "long")

    def node(self, command: Command, state: RunState) -> str:
        match command:
            case RunStep():
                return command.step.value if command.phase == ONE else PARTS
            case Halt():
                return PAUSED if _is_at_work(state) else state.phases[ONE].status.value
            case _:
                return ""

    def label(self, command: Command, events: Iterable[Event], status: str, state: RunState) -> str:
        """The gate's order; of parts, what has become of them."""
        if _is_of_part(command):
            failed = any(part.status is PhaseStatus.FAILED for part in state.parts.values())
            return status if status == UNPROVEN.status else "failed" if failed else "completed"
        ordered = [event.action.value for event in events if isinstance(event, GateJudged) and event.action]
        return ordered[0] if ordered and status != UNPROVEN.status else status

    def answers(self, state: RunState) -> Iterator[tuple[str, RunState]]:
        phase = state.phases[ONE]
        if phase.status is PhaseStatus.NEEDS_HUMAN_VERIFICATION and not phase.is_answered:
            for verdict in (PersonVerdict.PASS, PersonVerdict.FAIL, PersonVerdict.ISSUES_FOUND):
                yield verdict.value, store(state, VerdictGiven(ONE, verdict, ("it is slow",), "you"))


def _is_of_part(command: Command) -> bool:
    about = command.events[0] if isinstance(command, Record) else command
    return getattr(about, "phase", ONE) != ONE


def _is_at_work(state: RunState) -> bool:
    return state.phases[ONE].is_answered or not state.phases[ONE].settled


class IssueView(Struct, frozen=True):
    """One issue. Steps that both of its phases have are drawn once for each."""

    good_answers: Mapping[str, Any] = {}

    def follows(self, *_: Any) -> bool:
        return True

    def node(self, command: Command, state: RunState) -> str:
        match command:
            case RunStep(phase=phase, step=Step.FREEZE | Step.ORACLE | Step.RECORD as step):
                return f"{phase}_{step.value}"
            case RunStep(step=step):
                return step.value
            case Record(events=(HumanAsked(kind=kind), *_)):
                return MIDDLE_GATE if kind in (GateKind.DESIGN, GateKind.CAUSE) else f"{kind.value}_gate"
            case Halt(status=RunStatus.FAILED):
                return "debt" if state.issue and state.issue.ending.halted else "failed"
            case Halt(status=RunStatus.COMPLETED):
                return "converged"
            case Halt(status=RunStatus.PAUSED):
                return PAUSED
            case _:
                return ""

    def label(self, _: Command, events: Iterable[Event], status: str, __: RunState) -> str:
        """The verdict in the audit log; who passes a gate without a person is shown as an approval."""
        for event in events:
            if isinstance(event, IterationRecorded):
                return event.row.verdict
            if isinstance(event, HumanAnswered):
                return "approved"
        return status

    def answers(self, state: RunState) -> Iterator[tuple[str, RunState]]:
        for asked in (gate.asked for gate in state.people.gates.values() if gate.answered is None):
            if asked.kind is GateKind.ROUTE:
                for route in Route:
                    yield route.value, store(state, HumanAnswered(asked.gate, {"route": route.value}, "you"))
                continue
            yield "approved", store(state, HumanAnswered(asked.gate, {}, "you", approved=True))
            rejected = HumanAnswered(asked.gate, {}, "you", approved=False, comment="it is slow")
            yield "sent back", store(state, rejected)


def explore_phase() -> tuple[set[Edge], set[Edge]]:
    """The ways of a phase that is whole and no person's to judge, and what comes beside them otherwise."""
    start = store(RunState(), make_started(make_brief(ONE), policy=POLICY))
    plain, split, deferred = ({*explore(start, PhaseView(answers))} for answers in SITUATIONS)
    whole = {edge for edge in plain if edge.source not in BESIDE and edge.target not in (*BESIDE[1:],)}
    return merge_common(whole), merge_common(plain | split | deferred) - merge_common(whole)


def explore_issue() -> set[Edge]:
    """Requirements to be drafted; there already; there, with advice for another route; everything handed off."""
    brief, options = IssueBrief(1, "Shouting", "shout", "docs/issues/001-shout"), IssueOptions(max_iterations={"": 2})
    opened = (
        IssueOpened(brief, options),
        IssueOpened(brief, options, has_prd=True),
        IssueOpened(brief, options, Route.BUGFIX, has_prd=True),
        IssueOpened(brief, replace(options, hand_off=True), has_prd=True),
    )
    started = make_started(*(make_brief(id) for id in (DESIGN, IMPL)), policy=POLICY)
    starts = [store(RunState(), started, event) for event in opened]
    return merge_common({edge for start in starts for edge in explore(start, IssueView())})


def merge_common(edges: set[Edge]) -> set[Edge]:
    """What is the same for many steps is drawn once: it could not be performed, or it broke down, once and again."""
    return {_common(edge) for edge in edges if not (edge.source == edge.target == PARTS)}


def _common(edge: Edge) -> Edge:
    match edge:
        case Edge(target="paused", label="unproven") | Edge(source="parts", target="paused"):
            return Edge(ANY_STEP, PAUSED, UNPROVEN.status)
        case Edge(source="paused"):
            return Edge(PAUSED, ANY_STEP, edge.label)
        case Edge(source=source, target=target, label="error") if source == target:
            return Edge(ANY_STEP, ANY_STEP, edge.label)
        case Edge(label="error", target="rollback" | "failed"):
            return Edge(ANY_STEP, edge.target, "error again")
        case _:
            return edge


def render_diagram(edges: set[Edge]) -> str:
    """In the order of the steps; edges with the same ends are one."""
    labels: dict[tuple[str, str], list[str]] = {}
    for source, target, label in sorted(edges, key=lambda edge: (_place(edge.source), _place(edge.target), edge.label)):
        labels.setdefault((source, target), []).extend([label] if label else [])
    lines = [
        f"  {source} --> {target}{': ' if found else ''}{', '.join(found)}"
        for (source, target), found in labels.items()
    ]
    return "\n".join(("```mermaid", "stateDiagram-v2", *lines, "```", ""))


def _place(node: str) -> tuple[int, str]:
    """The entry, then steps in their order, of an issue phase by phase, then what is no step."""
    steps = [START_NODE, *(step.value for step in Step)]
    phase, _, step = node.partition("_")
    name = step if phase in (DESIGN, IMPL) else node
    return steps.index(name) if name in steps else len(steps), node


def render_states() -> str:
    whole, beside = explore_phase()
    return f"""\
A phase:

{render_diagram(whole)}
A phase that is split, or that only a person can judge, can also go these ways:

{render_diagram(beside)}
An issue:

{render_diagram(explore_issue())}"""


def replace_between(page: str, states: str) -> str:
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{states}\n{END}{after}"


def main() -> None:
    states = render_states()
    if "--write" in sys.argv[1:]:
        PAGE.write_text(replace_between(PAGE.read_text(encoding="utf-8"), states), encoding="utf-8")
    else:
        print(states)


if __name__ == "__main__":
    main()
