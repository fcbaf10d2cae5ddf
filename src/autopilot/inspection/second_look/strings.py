"""Strings that product code has little reason to contain: marks of test tools, their reports, test files."""

from __future__ import annotations

import re

from autopilot.inspection.second_look import finding
from autopilot.text.lazy_regex import lazy_regex

MARKS = (
    "PYTEST_CURRENT_TEST|PYTEST_VERSION|PYTEST_XDIST_WORKER|PYTEST_XDIST_TESTRUNUID|JEST_WORKER_ID|NODE_TEST_CONTEXT|"
    "VITEST(?:_WORKER_ID|_POOL_ID|_MODE)?|RUST_TEST_THREADS|NEXTEST(?:_RUN_ID)?|PHPUNIT_\\w+|TEST_ENV_NUMBER"
)
_MARK = lazy_regex(f"(?:{MARKS})")
_REPORT = lazy_regex(
    r"AUTOPILOT_REPORTS|--junit-?xml(?:=.*)?|(?:.*/)?junit[\w.-]*\.xml|(?:.*/)?TEST-[\w.*-]+\.xml|"
    r"(?:.*/)?(?:surefire|failsafe)-reports?(?:/.*)?",
    re.DOTALL,
)
_TEST_FILE = lazy_regex(
    r"(?:[\w@.{}-]+/|\.{1,2}/){0,8}(?:tests?|__tests__|__snapshots__|specs?)/(?:[\w@.-]+/){0,8}[\w@-]+\.\w{1,5}|"
    r"(?:[\w@.{}-]+/|\.{1,2}/){0,8}(?:test_\w+\.py|conftest\.py|[\w-]+_test\.(?:go|py|rb)|[\w-]+\.(?:test|spec)\.[cm]?[jt]sx?)|tests(?:\.\w+){1,8}"
)
_ELSEWHERE = lazy_regex(r"(?:/home/[a-z][\w.-]*|/Users/[A-Za-z][\w.-]*|/root|[A-Z]:[\\/]Users[\\/][\w.-]+)[\\/].+")
LONGEST = 300


def find_in_string(text: str) -> tuple[str, str] | None:
    """The description of a suspicious string that code uses, and what would satisfy."""
    if len(text) > LONGEST:
        return None
    shown = text.strip()[:60]
    if _MARK.fullmatch(text):
        return f"checks whether it is being tested (`{shown}`)", finding.TESTS
    if _REPORT.fullmatch(text):
        return f"knows where test reports are written (`{shown}`)", finding.REPORTS
    if _TEST_FILE.fullmatch(text):
        return f"product code names a test file (`{shown}`)", finding.READS
    if re.fullmatch(r"(?:nohup|setsid)", text) or (" " in text and re.match(r"(?:nohup|setsid)\s", text)):
        return f"starts a process that may outlive it (`{shown}`)", finding.LEAVES
    if _ELSEWHERE.fullmatch(text):
        return f"names a file that exists on one machine only (`{shown}`)", finding.READS
    return None
