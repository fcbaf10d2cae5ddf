"""What a case found out about an agent."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from autopilot.model.agent import AgentReply


class Result(StrEnum):
    PASS = "pass"
    FAIL = "fail"
    NOT_SUPPORTED = "not supported"  # the agent has no such thing, and does not say it had
    NOT_TESTABLE = "not testable"  # it could not be tried, so nothing is known


class Finding(Struct, frozen=True):
    result: Result
    detail: str = ""


class Flunked(Exception):
    """Ends a case at the first thing that is wrong."""


def passed(detail: str) -> Finding:
    return Finding(Result.PASS, detail)


def failed(detail: str) -> Finding:
    return Finding(Result.FAIL, detail)


def not_supported(detail: str) -> Finding:
    return Finding(Result.NOT_SUPPORTED, detail)


def not_testable(detail: str) -> Finding:
    return Finding(Result.NOT_TESTABLE, detail)


def demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Flunked(otherwise)


def tell_end(reply: AgentReply) -> str:
    words = f"it ended as {reply.ending.value}"
    return f"{words}: {reply.detail}" if reply.detail else words
