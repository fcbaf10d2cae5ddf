"""How a run compares with the one before it and with all there were (MTRC-03)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from autopilot.reports.markdown import bullets
from autopilot.reports.run.metrics import ForeignMetrics, RunMetrics

FIRST = "First run recorded. Trend analysis available after 2+ runs."


class Spread(Struct, frozen=True):
    min: float
    max: float
    avg: float


class Historical(Struct, frozen=True):
    total_runs: int
    success_rate: Spread | None
    avg_alignment: Spread | None
    total_cost: Spread | None
    total_tokens: Spread | None


class Trend(Struct, frozen=True):
    """A delta is the current run less the previous one; None where one of them has no such figure."""

    previous: str
    success_rate_before: float
    success_rate_now: float
    success_rate_delta: float
    avg_alignment_delta: float | None
    estimated_cost_delta: int | None
    tokens_delta: int | None
    recurring_failures: tuple[str, ...]
    historical: Historical

    @property
    def warning(self) -> str:
        """ "" unless the success rate fell."""
        if self.success_rate_delta >= 0:
            return ""
        fell = f"{self.success_rate_before:.0%} to {self.success_rate_now:.0%}"
        return f"the success rate fell from {fell} since the run before; `autopilot report` shows why phases failed"


def find_trend(rows: Sequence[RunMetrics | ForeignMetrics]) -> Trend | None:
    """Of the last row against the one before it, be it of another program; None for a first run."""
    if len(rows) < 2:
        return None
    before, now = rows[-2], rows[-1]
    scores = (now.avg_alignment_score, before.avg_alignment_score)
    return Trend(
        previous=before.run_id,
        success_rate_before=before.success_rate,
        success_rate_now=now.success_rate,
        success_rate_delta=round(now.success_rate - before.success_rate, 4),
        avg_alignment_delta=None if scores[0] is None or scores[1] is None else round(scores[0] - scores[1], 1),
        estimated_cost_delta=_less(now.total_estimated_tokens, before.total_estimated_tokens),
        tokens_delta=_less(now.total_tokens_used, before.total_tokens_used),
        recurring_failures=tuple(
            name for name in now.failure_taxonomy_histogram if name in before.failure_taxonomy_histogram
        ),
        historical=Historical(
            total_runs=len(rows),
            success_rate=_spread(row.success_rate for row in rows),
            avg_alignment=_spread(row.avg_alignment_score for row in rows),
            total_cost=_spread(row.total_estimated_tokens for row in rows),
            total_tokens=_spread(row.total_tokens_used for row in rows),
        ),
    )


def trend_section(trend: Trend | None) -> str:
    """The body of "Trend Analysis"."""
    if trend is None:
        return f"{FIRST}\n"
    warning = f"**Warning: {trend.warning}**\n\n" if trend.warning else ""
    return f"{warning}{bullets(trend_lines(trend))}\n"


def trend_lines(trend: Trend) -> list[str]:
    past = trend.historical
    alignment = "n/a" if trend.avg_alignment_delta is None else f"{trend.avg_alignment_delta:+.1f}"
    return [
        f"Compared with: {trend.previous}",
        f"Success rate: {trend.success_rate_now:.0%} ({100 * trend.success_rate_delta:+.0f} points)",
        f"Average alignment: {alignment}",
        f"Estimated tokens: {_signed(trend.estimated_cost_delta)}",
        f"Tokens used: {_signed(trend.tokens_delta)}",
        f"Recurring failures: {', '.join(trend.recurring_failures) or 'none'}",
        f"Over {past.total_runs} runs: success rate {_percent(past.success_rate)}; average alignment "
        f"{_plain(past.avg_alignment, '.1f')}; estimated tokens {_plain(past.total_cost, ',.0f')}; tokens used "
        f"{_plain(past.total_tokens, ',.0f')}",
    ]


def _less(now: int | None, before: int | None) -> int | None:
    return None if now is None or before is None else now - before


def _signed(delta: int | None) -> str:
    return "n/a" if delta is None else f"{delta:+,}"


def _spread(values: Iterable[float | None]) -> Spread | None:
    known = [value for value in values if value is not None]
    return Spread(min(known), max(known), round(sum(known) / len(known), 4)) if known else None


def _percent(spread: Spread | None) -> str:
    return _plain(spread, ".0%")


def _plain(spread: Spread | None, form: str) -> str:
    if spread is None:
        return "n/a"
    low, high, mean = (format(value, form) for value in (spread.min, spread.max, spread.avg))
    return f"min {low}, max {high}, avg {mean}"
