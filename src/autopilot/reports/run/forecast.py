"""What a run would come to, for a person and for a program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from autopilot.model.intent import Purpose
from autopilot.model.planning.estimate import Estimate
from autopilot.model.planning.forecast import Forecast, PhaseForecast
from autopilot.reports.markdown import how_long, one_line, shorten
from autopilot.reports.status.status_text import money_words
from autopilot.text.naming import plural

MOST = 80  # characters of a phase's name
DOES = {
    Purpose.BUILD: "build {}",
    Purpose.REDO: "build {} again",
    Purpose.REFINE: "refine {} to a score of 9.5",
    Purpose.GAPS: "close the gaps of {}",
}


def render_forecast(forecast: Forecast) -> str:
    does = "ask about" if forecast.only_maps else "run"
    number = plural(len(forecast.phases), "phase")
    lines = [f"{forecast.call} would {does} {number}; nothing is started or recorded now"]
    if forecast.in_progress:
        lines = [f"{forecast.in_progress}; a new run would be refused until it ends ({number} outstanding)"]
    elif forecast.taken_up:
        lines.append(f"  the unfinished {forecast.taken_up} would be resumed")
    # Whoever only asks builds nothing: what building would take is no news here.
    line = _known_line if forecast.only_maps else _phase_line
    lines += [line(number, phase) for number, phase in enumerate(forecast.phases, 1)]
    lines += [f"  skipped: phase {id}: {reason}" for id, reason in forecast.skipped]
    lines += [] if forecast.only_maps else _course(forecast)
    lines += [f"  warning: {warning}" for warning in forecast.warnings]
    return "\n".join(map(one_line, lines)) + "\n"


def _known_line(number: int, phase: PhaseForecast) -> str:
    lacks = f": {phase.lacks}" if phase.lacks else ""
    return f"  {number}. phase {phase.id} ({shorten(phase.name, MOST)}): context {phase.context}/10{lacks}"


def _course(forecast: Forecast) -> list[str]:
    """In which order, at what cost, and what ought to be known before."""
    lines = []
    if any(len(wave) > 1 for wave in forecast.waves):
        lines.append(f"  order: {', then '.join(_together(wave) for wave in forecast.waves)}")
    return [*lines, *("  " + line for line in _in_all(forecast)), *_lacking(forecast.phases)]


def _phase_line(number: int, phase: PhaseForecast) -> str:
    money = f", {money_words(phase.usd, True)}" if phase.usd else ""
    does = DOES[phase.purpose].format(f"phase {phase.id} ({shorten(phase.name, MOST)})")
    return f"  {number}. {does}: {_tokens(phase)}{money}"


def _tokens(phase: PhaseForecast) -> str:
    estimate = phase.estimate
    if phase.purpose in (Purpose.REFINE, Purpose.GAPS):
        return f"up to {estimate.tokens:,} tokens"
    unplanned = "planned again" if phase.purpose is Purpose.REDO else "not planned yet"
    known = f"{plural(estimate.tasks, 'task')} planned" if estimate.tasks else unplanned
    return f"about {estimate.tokens:,} tokens ({known})"


def _together(wave: Sequence[str]) -> str:
    return f"{', '.join(wave)} in parallel" if len(wave) > 1 else wave[0]


def _in_all(forecast: Forecast) -> list[str]:
    budget = forecast.budget
    money = f"cost: unknown ({forecast.rate.because}); the cap is {budget.usd:.2f} USD"
    if forecast.rate.usd == 0:
        money = f"cost: none: {forecast.rate.because}"
    elif forecast.usd is not None:
        money = f"cost: {money_words(forecast.usd, True)} of at most {budget.usd:.2f}, {forecast.rate.because}"
    cap = how_long(budget.minutes * 60)
    time = f"time: unknown, because no phase was completed here before; the cap is {cap}"
    if forecast.seconds is not None:
        time = f"time: about {how_long(forecast.seconds)} of at most {cap}, based on earlier phases here"
    return [f"total: about {forecast.tokens:,} tokens of at most {budget.tokens:,}", money, time]


def _lacking(phases: Sequence[PhaseForecast]) -> list[str]:
    lacking = [phase for phase in phases if phase.lacks]
    lines = [f"  phase {phase.id} is hardly described (context {phase.context}/10): {phase.lacks}" for phase in lacking]
    names = " ".join(phase.id for phase in lacking)
    return [*lines, f"  to be asked about what is missing first: `autopilot run --map {names}`"] if lacking else []


def forecast_document(forecast: Forecast) -> dict[str, Any]:
    budget: dict[str, Any] = msgspec.to_builtins(forecast.budget)
    return {
        "call": forecast.call,
        "taken_up": forecast.taken_up or None,
        "in_progress": forecast.in_progress or None,
        "only_maps": forecast.only_maps,
        "phases": [_phase_document(phase) for phase in forecast.phases],
        "waves": [list(wave) for wave in forecast.waves],
        "skipped": [{"phase_id": id, "reason": reason} for id, reason in forecast.skipped],
        "estimated_tokens": forecast.tokens,
        "estimated_usd": _rounded(forecast.usd),
        "money_known_from": forecast.rate.because,
        "estimated_seconds": _rounded(forecast.seconds),
        "caps": budget,
        "warnings": list(forecast.warnings),
    }


def _phase_document(phase: PhaseForecast) -> dict[str, Any]:
    return {
        "phase_id": phase.id,
        "phase_name": phase.name,
        "errand": phase.purpose.value,
        "wave": phase.wave,
        "estimated_tokens": phase.estimate.tokens,
        "estimated_usd": _rounded(phase.usd),
        "tasks": _tasks_document(phase.estimate),
        "context_score": phase.context,
        "lacks": phase.lacks or None,
    }


def _tasks_document(estimate: Estimate) -> dict[str, int]:
    return {name: getattr(estimate, name) for name in ("simple", "medium", "complex", "unknown")}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
