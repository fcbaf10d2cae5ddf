"""What a phase will cost in tokens, by the sources' formula (MTRC-02): a guess to plan with, never a measurement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from autopilot.model.intent import GAP_ITERATIONS, QUALITY_CYCLES, Purpose
from autopilot.model.planning.estimate import Estimate
from autopilot.model.planning.phase_type import PhaseType
from autopilot.model.planning.plan import Task

TASK_TOKENS = {"simple": 15_000, "medium": 30_000, "complex": 60_000}
PIPELINE_TOKENS = 50_000  # research, plan, plan check, verify, judge
STEP_TOKENS = 100_000  # to which a suggested cap is rounded up
BUFFER_PERCENT = 20  # debugging and repeated checks
WARNING_PERCENT = 80
UNPLANNED_TOKENS = {
    PhaseType.PROTOCOL: 150_000,
    PhaseType.UI: 250_000,
    PhaseType.DATA: 100_000,
    PhaseType.MIXED: 200_000,
}
# One round of targeted fixes: its reviewers, and one task of unknown complexity.
ROUND_TOKENS = (PIPELINE_TOKENS + TASK_TOKENS["medium"]) * (100 + BUFFER_PERCENT) // 100


def estimate_tokens(tasks: Sequence[Task], phase_type: PhaseType) -> Estimate:
    """Without tasks the phase is not planned yet, and its type shows what such phases usually take."""
    if not tasks:
        return Estimate(_buffered(UNPLANNED_TOKENS[phase_type]))
    counts = Counter(task.complexity for task in tasks)
    known = {name: counts[name] for name in TASK_TOKENS}
    unknown = len(tasks) - sum(known.values())
    work = sum(TASK_TOKENS[name] * count for name, count in known.items()) + TASK_TOKENS["medium"] * unknown
    return Estimate(_buffered(PIPELINE_TOKENS + work), **known, unknown=unknown)


def estimate_work(purpose: Purpose, tasks: Sequence[Task], phase_type: PhaseType, deficiencies: int = 0) -> Estimate:
    """A phase that is redone gets a new plan. A refinement is as many targeted rounds as it may take."""
    match purpose:
        case Purpose.BUILD:
            return estimate_tokens(tasks, phase_type)
        case Purpose.REDO:
            return estimate_tokens((), phase_type)
        case Purpose.REFINE:
            return Estimate(QUALITY_CYCLES * ROUND_TOKENS)
        case Purpose.GAPS:
            return Estimate(min(max(1, deficiencies), GAP_ITERATIONS) * ROUND_TOKENS)


def estimate_run(estimates: Iterable[Estimate]) -> Estimate:
    total = Estimate(0)
    for estimate in estimates:
        total = Estimate(
            total.tokens + estimate.tokens,
            total.simple + estimate.simple,
            total.medium + estimate.medium,
            total.complex + estimate.complex,
            total.unknown + estimate.unknown,
        )
    return total


def over_cap_warning(estimate: Estimate, cap: int) -> str:
    """Said above 80 % of the cap; "" below, and where no cap is set."""
    if cap <= 0 or estimate.tokens * 100 <= cap * WARNING_PERCENT:
        return ""
    advice = "; splitting the complex tasks would help" if estimate.complex else ""
    relation = "below" if cap < estimate.tokens else "hardly above"
    return f"the cap of {cap:,} tokens is {relation} the estimate of {estimate.tokens:,}{advice}"


def run_warning(estimates: Iterable[Estimate], cap: int, *, of_config: bool = False) -> tuple[str, ...]:
    """Said before a run begins, where its cap cannot hold all its phases. ``of_config``: no option raises it."""
    all_of_it = list(estimates)
    tokens = estimate_run(all_of_it).tokens
    if cap <= 0 or tokens * 100 <= cap * WARNING_PERCENT:
        return ()
    relation = "below" if cap < tokens else "hardly above"
    fits = any(estimate.tokens <= cap for estimate in all_of_it)
    fewer = "name fewer phases, or " if fits and len(all_of_it) > 1 else ""
    enough = -(-tokens * 100 // WARNING_PERCENT // STEP_TOKENS) * STEP_TOKENS
    higher = fewer + ("raise it in .planning/config.json" if of_config else f"pass --budget-tokens {enough}")
    return (f"the run's cap of {cap:,} tokens is {relation} the estimate of {tokens:,}: {higher}",)


def _buffered(tokens: int) -> int:
    return tokens * (100 + BUFFER_PERCENT) // 100
