"""Findings by rule: what is wrong with a page whatever was intended, and how it differs from its baseline."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from autopilot.inspection.visual.boxes import compare_boxes, describe_shift
from autopilot.inspection.visual.difference import Difference
from autopilot.model.visual.facts import Facts, Request
from autopilot.model.visual.finding import Cause, Finding, Kind, Severity

LARGE = 0.005  # of a picture: from there on a change is more than cosmetic
SHOWN = 5  # elements that a finding names
NEEDED = ("document", "script", "stylesheet", "fetch", "xhr", "image", "font")
_IMPACT = {"critical": Severity.MAJOR, "serious": Severity.MAJOR}


def judge_facts(shot: str, facts: Facts, before: Facts | None) -> tuple[Finding, ...]:
    """Those that the baseline has too are known, and not held against the work."""
    known = {_identity(finding) for finding in _find(shot, before)} if before is not None else set()
    return tuple(replace(found, is_known=_identity(found) in known) for found in _find(shot, facts))


def judge_change(shot: str, difference: Difference, facts: Facts, before: Facts) -> Iterator[Finding]:
    if difference.changed:
        severity = Severity.MAJOR if difference.share >= LARGE else Severity.MINOR
        region = difference.region
        where = f"{region.width}x{region.height} at {region.x},{region.y}" if region else "its size"
        text = f"{difference.changed} pixels ({difference.share:.2%}) differ from the baseline"
        yield Finding(shot, Cause.PICTURE, Kind.REGRESSION, severity, text, where)
    shift = compare_boxes(before.boxes, facts.boxes)
    if text := describe_shift(shift):
        yield Finding(shot, Cause.BOXES, Kind.LAYOUT, Severity.MAJOR if shift.is_far else Severity.MINOR, text)


def _identity(finding: Finding) -> tuple[Cause, str, str]:
    return finding.cause, finding.text, finding.where


def _find(shot: str, facts: Facts) -> Iterator[Finding]:
    yield from _find_unusable(shot, facts)
    for text in facts.errors:
        yield Finding(shot, Cause.EXCEPTION, Kind.BEHAVIOUR, Severity.MAJOR, f"uncaught exception: {text}")
    for text in facts.console:
        yield Finding(shot, Cause.CONSOLE, Kind.BEHAVIOUR, Severity.MAJOR, f"error on the console: {text}")
    for request in facts.failed:
        yield _failed(shot, request)
    for where in facts.images:
        yield Finding(shot, Cause.IMAGE, Kind.RENDERING, Severity.MAJOR, "an image is missing", where)
    if facts.overflow:
        text = "the page is wider than its viewport and scrolls sideways"
        yield Finding(shot, Cause.OVERFLOW, Kind.LAYOUT, Severity.MAJOR, text, _name(facts.overflow))
    for link in facts.links:
        text = f"a link leads nowhere: {link.url} ({link.problem})"
        yield Finding(shot, Cause.LINK, Kind.BEHAVIOUR, Severity.MAJOR, text)
    for rule in facts.violations:
        severity = _IMPACT.get(rule.impact, Severity.MINOR)
        text = f"{rule.help} ({rule.rule}, {rule.impact})"
        yield Finding(shot, Cause.AXE, Kind.ACCESSIBILITY, severity, text, _name(rule.where))


def _find_unusable(shot: str, facts: Facts) -> Iterator[Finding]:
    if facts.unreached:
        text = f"the page cannot be opened: {facts.unreached}"
        yield Finding(shot, Cause.UNREACHED, Kind.RENDERING, Severity.CRITICAL, text)
    elif facts.text and facts.status:
        text = f"the program ended with exit status {facts.status}"
        yield Finding(shot, Cause.EXIT, Kind.BEHAVIOUR, Severity.MAJOR, text)
    elif facts.status >= 400:
        text = f"the page answers with HTTP status {facts.status}"
        yield Finding(shot, Cause.STATUS, Kind.RENDERING, Severity.CRITICAL, text)
    if facts.is_blank or (facts.text and not any(facts.text)):
        yield Finding(shot, Cause.BLANK, Kind.RENDERING, Severity.CRITICAL, "nothing is to be seen")


def _failed(shot: str, request: Request) -> Finding:
    severity = Severity.MAJOR if request.kind in NEEDED else Severity.MINOR
    text = f"a request failed: {request.url} ({request.problem})"
    return Finding(shot, Cause.REQUEST, Kind.BEHAVIOUR, severity, text, request.kind)


def _name(places: tuple[str, ...]) -> str:
    more = f" and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
    return ", ".join(places[:SHOWN]) + more
