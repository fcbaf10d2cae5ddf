"""Figures over all runs in the text form of Prometheus. Labels are repositories up to a limit, and words of ours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from autopilot.events.state import RunState
from autopilot.model.agent import Usage
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.reports.run.over_time import StepCost
from autopilot.reports.status.gates import find_waiting

MOST_REPOSITORIES = 50  # with a label of their own; the others are one
OTHERS = "others"
LONGEST = 80

GAUGE = "gauge"

Label = tuple[str, str]
Labels = tuple[Label, ...]
Counted = tuple[Label, float]


class Recorded(Struct, frozen=True):
    """What is known of one repository."""

    name: str
    runs: Sequence[RunState] = ()
    costs: Iterable[Mapping[str, StepCost]] = ()  # by step, of each run
    is_driven: bool = False
    is_readable: bool = True


class Family(Struct, frozen=True):
    name: str
    kind: str
    about: str
    samples: Mapping[Labels, float]


Count = Callable[[Recorded], Iterable[Counted]]


def render_figures(version: str, recorded: Sequence[Recorded]) -> str:
    """Names of repositories may be the same: figures under one label are added."""
    named = [(_label(number, known), known) for number, known in enumerate(recorded)]
    families = (
        Family("autopilot_info", "gauge", "version of Autopilot", {(("version", version),): 1}),
        _per_repository(named, "autopilot_record_readable", "1 where its record can be read", _is_readable),
        _per_repository(named, "autopilot_run_in_progress", "1 where a process drives a run", _is_driven),
        _counted(named, "autopilot_runs", "runs by status", _run_statuses),
        _counted(named, "autopilot_phases", "phases of all runs by status", _phase_statuses),
        _counted(named, "autopilot_waiting", "what waits for a person, by kind", _waiting),
        _counted(named, "autopilot_tokens_total", "tokens of all runs", _tokens, "counter"),
        _per_repository(named, "autopilot_cost_usd_total", "what all runs cost", _cost, "counter"),
        _counted(named, "autopilot_agent_calls_total", "calls of agents by step", _calls, "counter"),
        _counted(named, "autopilot_agent_seconds_total", "time of calls by step", _seconds, "counter"),
    )
    return "".join(line for family in families for line in _lines(family))


def _label(number: int, recorded: Recorded) -> str:
    return recorded.name if number < MOST_REPOSITORIES else OTHERS


def _per_repository(
    named: Sequence[tuple[str, Recorded]], name: str, about: str, figure: Callable[[Recorded], float], kind: str = GAUGE
) -> Family:
    samples: dict[Labels, float] = {}
    for label, recorded in named:
        labels = (("repository", label),)
        samples[labels] = samples.get(labels, 0) + figure(recorded)
    return Family(name, kind, about, samples)


def _counted(named: Sequence[tuple[str, Recorded]], name: str, about: str, count: Count, kind: str = GAUGE) -> Family:
    samples: dict[Labels, float] = {}
    for label, recorded in named:
        for kind_label, number in count(recorded):
            labels = (("repository", label), kind_label)
            samples[labels] = samples.get(labels, 0) + number
    return Family(name, kind, about, samples)


def _is_readable(recorded: Recorded) -> float:
    return int(recorded.is_readable)


def _is_driven(recorded: Recorded) -> float:
    return int(recorded.is_driven)


def _usage(recorded: Recorded) -> Usage:
    return sum((state.totals.usage for state in recorded.runs), Usage())


def _cost(recorded: Recorded) -> float:
    return _usage(recorded).usd


def _tokens(recorded: Recorded) -> Iterator[Counted]:
    usage = _usage(recorded)
    yield ("direction", "input"), usage.tokens_in
    yield ("direction", "output"), usage.tokens_out
    yield ("direction", "cached_input"), usage.tokens_cached


def _run_statuses(recorded: Recorded) -> Iterator[Counted]:
    for state in recorded.runs:
        yield ("status", state.status.value), 1


def _phase_statuses(recorded: Recorded) -> Iterator[Counted]:
    for state in recorded.runs:
        for phase in state.phases.values():
            yield ("status", phase.status.value), 1


def _waiting(recorded: Recorded) -> Iterator[Counted]:
    for state in recorded.runs:
        if not state.archived:
            for waiting in find_waiting(state):
                yield ("kind", str(waiting.kind)), 1


def _calls(recorded: Recorded) -> Iterator[Counted]:
    for of_run in recorded.costs:
        for step, cost in of_run.items():
            yield ("step", step), cost.calls


def _seconds(recorded: Recorded) -> Iterator[Counted]:
    for of_run in recorded.costs:
        for step, cost in of_run.items():
            yield ("step", step), cost.took_ms / 1000


def _lines(family: Family) -> Iterator[str]:
    yield f"# HELP {family.name} {family.about}\n# TYPE {family.name} {family.kind}\n"
    for labels, figure in family.samples.items():
        shown = ",".join(f'{name}="{_escape(value)}"' for name, value in labels)
        yield f"{family.name}{{{shown}}} {figure:.10g}\n"


def _escape(value: str) -> str:
    """A folder may be called anything."""
    plain = strip_controls(value).encode("utf-8", "replace").decode()[:LONGEST]
    return plain.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
