"""What a run would come to: its phases in order, each with its estimate, and the sum next to the caps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.intent import Purpose
from autopilot.model.planning.estimate import Estimate
from autopilot.model.planning.forecast import Forecast, PhaseForecast, Rate
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.planning.sufficiency import Sufficiency
from autopilot.model.policy import Budget
from autopilot.model.run import PhaseBrief
from autopilot.planning.choosing.estimate import WARNING_PERCENT, over_cap_warning, run_warning
from autopilot.planning.people.sufficiency import WORRYING, Sources, assess


class Prospect(Struct, frozen=True):
    """What a forecast is made of."""

    call: str
    phases: tuple[PhaseBrief, ...]
    estimates: Mapping[PhaseId, Estimate]
    budget: Budget
    at_once: int = 1
    known: Mapping[PhaseId, Sufficiency] = {}  # with what the user answered before
    rate: Rate = Rate()
    phase_seconds: float | None = None  # what a phase took in earlier runs
    skipped: tuple[tuple[PhaseId, str], ...] = ()
    warnings: tuple[str, ...] = ()
    taken_up: str = ""
    only_maps: bool = False
    in_progress: str = ""
    cap_of_config: bool = False  # that of the run's tokens


def make_forecast(prospect: Prospect) -> Forecast:
    waves = phase_waves(prospect.phases, prospect.at_once)
    phases = tuple(_phase(brief, waves[brief.id], prospect) for brief in prospect.phases)
    tokens = sum(phase.estimate.tokens for phase in phases)
    phase_s = prospect.phase_seconds
    forecast = Forecast(
        call=prospect.call,
        phases=phases,
        skipped=prospect.skipped,
        tokens=tokens,
        rate=prospect.rate,
        usd=_money(tokens, prospect.rate),
        seconds=phase_s * max(waves.values(), default=0) if phase_s is not None else None,
        budget=prospect.budget,
        taken_up=prospect.taken_up,
        only_maps=prospect.only_maps,
        in_progress=prospect.in_progress,
    )
    return replace(
        forecast, warnings=tuple(dict.fromkeys((*prospect.warnings, *_against_caps(forecast, prospect.cap_of_config))))
    )


def phase_waves(phases: Sequence[PhaseBrief], at_once: int) -> Mapping[PhaseId, int]:
    """By phase the wave it would run in, if every phase took the same time; at most so many in each."""
    given = {brief.id for brief in phases}
    placed: dict[PhaseId, int] = {}
    wave = 0
    while len(placed) < len(phases):
        wave += 1
        left = [brief for brief in phases if brief.id not in placed]
        ready = [
            brief
            for brief in left
            if all(placed.get(dependency, wave) < wave for dependency in set(brief.depends_on) & given)
        ]
        # What was built before is refined in the order given, whatever it once waited for.
        for brief in ready[:at_once] or left[:1]:
            placed[brief.id] = wave
    return placed


def _phase(brief: PhaseBrief, wave: int, prospect: Prospect) -> PhaseForecast:
    estimate = prospect.estimates[brief.id]
    score, lacks = _context(brief, prospect.known.get(brief.id))
    usd = _money(estimate.tokens, prospect.rate)
    return PhaseForecast(brief.id, brief.name, brief.purpose, wave, estimate, usd, score, lacks)


def _context(brief: PhaseBrief, known: Sufficiency | None) -> tuple[int | None, str]:
    """What is only refined has been understood once."""
    if brief.purpose not in (Purpose.BUILD, Purpose.REDO):
        return None, ""
    known = known or assess(brief, Sources())
    return known.score, known.reason if known.score < WORRYING else ""


def _money(tokens: int, rate: Rate) -> float | None:
    return None if rate.usd is None else tokens * rate.usd / 1_000_000


def _against_caps(forecast: Forecast, of_config: bool) -> list[str]:
    budget = forecast.budget
    found = [
        f"phase {phase.id}: {warning}"
        for phase in forecast.phases
        if (warning := over_cap_warning(phase.estimate, budget.tokens_per_phase))
    ]
    found += run_warning([phase.estimate for phase in forecast.phases], budget.tokens, of_config=of_config)
    if forecast.usd is not None and forecast.usd * 100 > budget.usd * WARNING_PERCENT:
        found.append(f"the whole run: ~{forecast.usd:.2f} USD (estimate) with a cap of {budget.usd:.2f} USD")
    if forecast.seconds is not None and forecast.seconds / 60 * 100 > budget.minutes * WARNING_PERCENT:
        found.append(f"the whole run: about {forecast.seconds / 60:.0f} minutes with a cap of {budget.minutes:g}")
    return found
