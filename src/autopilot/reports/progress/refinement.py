"""Progress of a phase that is to become better than it has to be: `--quality` and `--gaps`."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.events import recovery as r
from autopilot.reports.markdown import plural, shorten
from autopilot.reports.status.scores import in_words

SHOWN_CHARS = 160
NOUNS = {"quality": "Quality cycle", "gaps": "Gap iteration"}


def refinement_lines(
    event: r.RemediationStarted | r.RemediationEnded | r.Exhausted | r.Withdrawn, prefix: str
) -> Iterator[str]:
    match event:
        case r.RemediationStarted(cycle=cycle, score=score, threshold=target, flag=flag):
            about = f" -- {shorten(event.deficiency, SHOWN_CHARS)}" if event.deficiency else ""
            yield f"{prefix} {NOUNS[flag]} {cycle}: {in_words(score)}, target {target}{about}"
        case r.RemediationEnded(cycle=cycle, old_score=old, new_score=new, threshold=target, flag=flag):
            reached = "reached" if new is not None and new >= target else "not reached"
            left = f", {plural(event.left, 'gap')} left" if flag == "gaps" else ""
            change = f"{in_words(old)} -> {in_words(new)}"
            yield f"{prefix} {NOUNS[flag]} {cycle} complete. Score: {change}, target {target} {reached}{left}"
        case r.Exhausted(flag=flag, score=score, target=target, cycles=cycles):
            spent = plural(cycles, NOUNS[flag].split()[1])
            counts = "the phase counts as it stands"
            yield f"{prefix} {flag}_exhausted after {spent}: {in_words(score)} of {target}; {counts}"
        case r.Withdrawn(reason=reason):
            yield f"{prefix} Refinement withdrawn: {reason}; the phase stays as it was"
