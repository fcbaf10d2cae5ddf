"""The cases of a conformance run, in their order."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from autopilot.simulation.conformance import cases_errors, cases_isolation, cases_work
from autopilot.simulation.conformance.environment import CaseEnvironment
from autopilot.simulation.conformance.result import Finding


class Case(Struct, frozen=True):
    name: str
    about: str
    perform: Callable[[CaseEnvironment], Finding]
    required: bool = True


FOUND = Case("found", "the program is found and prints its version", cases_work.is_found)
CASES = (
    FOUND,
    Case("prompt", "the complete prompt reaches the model and appears on no command line", cases_work.receives_prompt),
    Case("tools", "it writes files and runs commands that the model requests", cases_work.uses_tools),
    Case("commit", "it makes a commit with its own tools", cases_work.makes_commit),
    Case("reply", "its structured reply matches the schema", cases_work.replies_with_schema),
    Case("schema", "it invents no reply when the model gives none", cases_work.invents_no_reply),
    Case("session", "it resumes a session and counts no usage twice", cases_work.resumes_session, False),
    Case("cancel", "stopped during a command, it leaves no process", cases_errors.ends_when_cancelled),
    Case("stall", "a model that stops responding ends the call", cases_errors.ends_when_stalled),
    Case("drop", "a dropped connection is retried", cases_errors.recovers_from_drop),
    Case("limit", "repeated 429 is reported as rate_limited", cases_errors.reports_rate_limit),
    Case("limit-time", "it reports when a rate limit ends", cases_errors.reports_limit_end, False),
    Case("overload", "repeated 529 is reported as overloaded", cases_errors.reports_overload),
    Case("auth", "401 is reported as auth within a minute", cases_errors.reports_wrong_key),
    Case("cost", "it counts tokens and cost, reported or estimated", cases_work.counts_usage, False),
    Case("secrets", "its key appears in none of its output", cases_isolation.keeps_key_secret),
    Case("home", "it cannot read your home", cases_isolation.sees_no_home),
    Case("network", "it reaches no service of this machine but its model", cases_isolation.reaches_no_service, False),
)
