"""The ``-json`` stream of ``go test``, read: what each test came to, and which packages could not be built."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import PurePosixPath

import msgspec
from msgspec import Struct

from autopilot.model.evidence.testing import By, Ended, TestResult
from autopilot.testtools.formats.results import shortened
from autopilot.testtools.sources import Sources

MOST_LEVELS = 50  # of tests within tests: names are whatever a test makes them
_ENDS = {"pass": Ended.PASSED, "bench": Ended.PASSED, "fail": Ended.FAILED, "skip": Ended.SKIPPED}
_BROKEN = re.compile(r"^FAIL\s+(\S+) \[(?:build|setup) failed\]", re.MULTILINE)
_PANIC = re.compile(r"^panic: |^fatal error: ", re.MULTILINE)
_FRAME = re.compile(r"^\s*(?:=== \w+ .*|--- \w+: .*|)$")  # what the tool puts around a test's own words


class Event(Struct, frozen=True, rename="pascal"):
    action: str = ""
    package: str = ""
    test: str = ""
    output: str = ""
    elapsed: float = 0.0


class _Outcome:
    """What the stream reports about one test."""

    def __init__(self) -> None:
        self.ended: Ended | None = None
        self.seconds = 0.0
        self.lines: list[str] = []

    @property
    def text(self) -> str:
        return "".join(self.lines)


def decode_events(stream: bytes) -> tuple[list[Event], str]:
    """The events, and the lines between them that are none: older versions print a failed build as it is."""
    events, rest = list[Event](), list[str]()
    decoder = msgspec.json.Decoder(Event)
    for line in stream.splitlines():
        try:
            events.append(decoder.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            rest.append(line.decode("utf-8", "replace"))
    return events, "\n".join(rest)


def not_loaded(events: Sequence[Event], rest: str, errors: str) -> Iterator[str]:
    """Packages that could not be built, with what the compiler says first; and what could not even be found."""
    built = "".join(event.output for event in events if event.action == "build-output")
    text = "\n".join([rest, *(event.output for event in events if event.action == "output" and not event.test)])
    broken = list(dict.fromkeys(found[1] for found in _BROKEN.finditer(text)))
    messages = [line.strip() for line in (built + errors).splitlines() if line.strip() and not line.startswith("#")]
    for package in broken:
        yield shortened(f"{package}: {messages[0] if messages else 'it could not be built'}")
    failed = not events or any(event.action == "build-fail" for event in events)
    if failed and not broken and messages:
        yield shortened(messages[0])


def read_results(events: Iterable[Event], sources: Sources) -> Iterator[TestResult]:
    tests = _collect_outcomes(events)
    upset = set[tuple[str, str]]()  # tests that ended by a panic or not at all, and those around them
    for (package, name), outcome in tests.items():
        outcome.ended = outcome.ended or _end_by_text(name, outcome.text)
        if outcome.ended is None or _PANIC.search(outcome.text):
            upset.update((package, name[:end]) for end in _ends_of_names(name))
    for (package, name), outcome in tests.items():
        by = None
        if outcome.ended in (None, Ended.FAILED):
            by = By.ERROR if (package, name) in upset else By.ASSERTION
        file = sources.find(name.partition("/")[0], PurePosixPath(package).parts)
        message = _message(outcome) if by else ""
        yield TestResult(f"{package}.{name}", outcome.ended or Ended.FAILED, by, file, message, outcome.seconds)


def _collect_outcomes(events: Iterable[Event]) -> dict[tuple[str, str], _Outcome]:
    tests: dict[tuple[str, str], _Outcome] = {}
    for event in events:
        if not event.test:
            continue
        outcome = tests.setdefault((event.package, event.test), _Outcome())
        if event.action in _ENDS:
            outcome.ended = _ENDS[event.action]
            outcome.seconds = event.elapsed if 0 <= event.elapsed < 1e9 else 0.0
        elif event.action == "output":
            outcome.lines.append(event.output)
    return tests


def _end_by_text(name: str, text: str) -> Ended | None:
    """Before Go 1.20 a test that prints no newline at its end hides its own last line from the stream."""
    last = re.findall(rf"--- (PASS|FAIL|SKIP): {re.escape(name)} \(", text)[-1:]
    return _ENDS[last[0].lower()] if last else None


def _ends_of_names(name: str) -> Iterator[int]:
    yield from (found.start() for found in islice(re.finditer("/", name), MOST_LEVELS))
    yield len(name)


def _message(outcome: _Outcome) -> str:
    text = "\n".join(line for line in outcome.text.splitlines() if not _FRAME.match(line))
    return shortened(text if outcome.ended else f"the test did not finish: {text}")
