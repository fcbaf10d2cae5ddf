"""The result of a conformance case."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from autopilot.model.agent import AgentReply


class Result(StrEnum):
    PASS = "pass"
    FAIL = "fail"
    NOT_SUPPORTED = "not supported"  # the agent does not have this feature and does not claim it
    NOT_TESTABLE = "not testable"  # the case could not be run


class Finding(Struct, frozen=True):
    result: Result
    detail: str = ""


class CaseFailed(Exception):
    """Ends a case at the first failed requirement."""


def passed(detail: str) -> Finding:
    return Finding(Result.PASS, detail)


def failed(detail: str) -> Finding:
    return Finding(Result.FAIL, detail)


def not_supported(detail: str) -> Finding:
    return Finding(Result.NOT_SUPPORTED, detail)


def not_testable(detail: str) -> Finding:
    return Finding(Result.NOT_TESTABLE, detail)


def require(condition: bool, message: str) -> None:
    if not condition:
        raise CaseFailed(message)


def describe_end(reply: AgentReply) -> str:
    ended = f"it {reply.ending.in_words}"
    return f"{ended}: {reply.detail}" if reply.detail else ended
