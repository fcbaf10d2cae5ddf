"""What every play has in common: the world answers by choice, and agents are paid once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

from autopilot.events import happened as h
from autopilot.events.state import PhaseState, RunState
from autopilot.flows.command import RunStep
from autopilot.model.agent import Ending, Role, Usage
from autopilot.model.git import Change
from autopilot.ports.bundle import Ports
from autopilot.steps.context import StepContext, StepRun

Choose = Callable[..., Any]  # choose(question, good, *bad)
Play = Callable[[RunState, PhaseState, RunStep, Choose], StepRun]


def always_well(_: str, good: Any, *__: Any) -> Any:
    return good


def answering(**answers: Any) -> Choose:
    """Well but for the questions named; an answer that is a list is used up one by one."""

    def choose(question: str, good: Any, *_: Any) -> Any:
        answer = answers.get(question.replace(" ", "_"), good)
        if isinstance(answer, list):
            return answer.pop(0) if answer else good
        return answer

    return choose


def ask(phase: PhaseState, command: RunStep, role: Role, nth: int = 0) -> Iterator[tuple[h.Event, ...]]:
    """Yield the reply; one recorded by an earlier try of this step is taken as it is."""
    recorded = phase.open.replies if phase.open else ()
    if len(recorded) > nth:
        yield (recorded[nth],)
        return
    usage = Usage(tokens_in=900, tokens_out=100, usd=0.01)
    yield (h.AgentReplied(phase.id, command.step, role, "scripted", Ending.COMPLETED, usage, 5, command.task),)


class _Quiet:
    """The little of the outside a gate needs: a summary of the change, clean texts, a branch to wait on."""

    def diff_stat(self, base: str, head: str, leave_out: str = "") -> str:
        return "1 file changed"

    def changes(self, old: str, new: str, most: int | None = None) -> tuple[Change, ...]:
        return ()

    def tree_without(self, commit: str, prefix: str) -> str:
        return commit

    def clean(self, text: str) -> str:
        return text

    def offer(self, name: str, commit: str) -> str:
        return f"autopilot/{name}"


def quiet_context(state: RunState, phase: PhaseState, command: RunStep) -> StepContext:
    names = (*("journal", "vault", "workspaces", "checkout", "sandbox"), *("layers", "agents", "blobs", "clock"))
    ports = Ports(
        **cast(Any, dict.fromkeys((*names, "interrupts", "transcripts", "forge", "maps", "word_search"), _Quiet()))
    )
    return StepContext(state, phase, command.step, command.attempt, command.task, ports)
