"""What makes a flaky test look stable without fixing it: retries, swallowed failures, fewer assertions, waiting."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from autopilot.text.file_kind import is_test
from autopilot.text.masking import is_masked, mask

RETRY = "a retry of tests that failed"
_OF_TOOLS = (
    r"\bmark\.flaky\b|@flaky\b|\breruns\s*=|--reruns\b|rerun[-_]?failures|\bmark\.(?:retry|rerun)\b|pytest[-_]retry|"
    r"\bfrom flaky\b|^flaky\b|[\"']flaky\b|--force-flaky|\bretryTimes\s*\(|\bthis\.retries\s*\(|"
    r"@Retry\w*|@RepeatedIfExceptions\w*|@RepeatFailed\w*|rerunFailingTestsCount|test-retry|"
    r"rspec[-/]retry|--rerun-fails|--flaky_test_attempts|\bflaky\s*=\s*True|#\[(?:retry|flaky)"
)
_PLAIN = r"\bretries[\"']?\s*[:=(]|--retries\b|\bretry[\"']?\s*:\s*\d|\bmaxRetries\b|[:,]\s*retry\s*=>"
# In code it is as often what asks a server until it is there.
_COUNTED = r"\b(?:retries|retry|maxRetries)[\"']?\s{0,9}[:=(]\s{0,9}[1-9]|--retries[= ][1-9]"
_OF_TESTS = re.compile(_OF_TOOLS, re.IGNORECASE | re.MULTILINE)
_IN_SETTINGS = re.compile(f"{_OF_TOOLS}|{_COUNTED}", re.IGNORECASE | re.MULTILINE)
_EVASIONS = {
    RETRY: re.compile(f"{_OF_TOOLS}|{_PLAIN}", re.IGNORECASE | re.MULTILINE),
    "a failed assertion that is caught": re.compile(
        r"\bexcept\s*+(?:\(?[^:\n]{0,200}?\b(?:AssertionError|BaseException|Exception)\b|:)|\bcatch\s*+\(\s*+\w*?\s*+AssertionError|"
        r"\brescue\s+\w*(?:Expectation|Assertion)\w*|\bcontextlib\.suppress\s*\(|\bsuppress\s*\("
    ),
}
_TESTS_ONLY = frozenset({"a failed assertion that is caught"})
_ASSERTION = re.compile(
    r"\bassert(?:_?\w*)?\b|\bexpect\s*\(|\.should\b|\bpytest\.(?:raises|fail|approx)\b|\brequire\.\w+\(|"
    r"\bt\.(?:Error|Fatal|Fail)\w*\("
)
_WAIT = re.compile(
    r"\b[sS]leep\s*\(|\busleep\s*\(|\bset(?:Timeout|Interval)\s*\(|\btime\.After\s*\(|\bwait_for_timeout\b"
)

Texts = Mapping[str, tuple[str, str]]  # path -> text before and now, "" where it was or is not there


def find_evasions(texts: Texts) -> tuple[tuple[str, str], ...]:
    """(path, what is new there), of everything that was changed, settings and manifests too."""
    return tuple((path, evasion) for path, both in texts.items() for evasion in _evasions(path, *both))


def is_certain_retry(before: str, now: str, path: str, *, settings: bool) -> bool:
    """By the name that test tools have for it, or in their ``settings`` by a number that is written out."""
    return _more(_IN_SETTINGS if settings else _OF_TESTS, path, before, now)


def find_waits(texts: Texts) -> tuple[str, ...]:
    """Files that wait for a time more often than before: it may fix a race, or only make it rarer."""
    return tuple(path for path, both in texts.items() if _more(_WAIT, path, *both))


def _evasions(path: str, before: str, now: str) -> Iterator[str]:
    for evasion, pattern in _EVASIONS.items():
        if (evasion not in _TESTS_ONLY or is_test(path)) and _more(pattern, path, before, now):
            yield evasion
    had, has = (len(_ASSERTION.findall(_code(path, text))) for text in (before, now))
    if is_test(path) and before and has < had:
        yield f"fewer assertions than before ({has} instead of {had})"


def _more(pattern: re.Pattern[str], path: str, before: str, now: str) -> bool:
    return len(pattern.findall(_code(path, now))) > len(pattern.findall(_code(path, before)))


def _code(path: str, text: str) -> str:
    return mask(path, text, strings=False) if is_masked(path) else text
