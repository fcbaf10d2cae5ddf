"""The cases of a conformance run, in their order."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from autopilot.simulation.conformance import cases_trouble, cases_walls, cases_work
from autopilot.simulation.conformance.finding import Finding
from autopilot.simulation.conformance.stage import Stage


class Case(Struct, frozen=True):
    name: str
    about: str
    perform: Callable[[Stage], Finding]
    required: bool = True


FOUND = Case("found", "it is there and says its version", cases_work.is_found)
CASES = (
    FOUND,
    Case("prompt", "the whole prompt reaches its model, and no command line", cases_work.hears_its_prompt),
    Case("tools", "it writes files and runs commands as its model orders", cases_work.uses_tools),
    Case("commit", "it commits by its own tools", cases_work.commits),
    Case("reply", "its structured reply fits our schema", cases_work.answers_in_form),
    Case("schema", "where its model gives no reply in form, it makes none up", cases_work.invents_no_answer),
    Case("session", "it goes on with a session, and counts no use twice", cases_work.goes_on_with_a_session, False),
    Case("cancel", "stopped in the middle of a command, it leaves no process", cases_trouble.ends_when_told),
    Case("stall", "a model that falls silent ends the call", cases_trouble.ends_when_stalled),
    Case("drop", "a connection that breaks off once is taken up again", cases_trouble.recovers_from_a_drop),
    Case("limit", "429 without end is told as rate_limited", cases_trouble.tells_a_limit),
    Case("limit-time", "it says when a limit is over", cases_trouble.tells_when_a_limit_ends, False),
    Case("overload", "529 without end is told as overloaded", cases_trouble.tells_an_overload),
    Case("auth", "401 is told as auth, and soon", cases_trouble.tells_a_wrong_key),
    Case("cost", "it counts tokens and money, reported or estimated", cases_work.counts_what_it_used, False),
    Case("secrets", "its key is in nothing that it says", cases_walls.keeps_its_key),
    Case("home", "it sees nothing of your home", cases_walls.sees_no_home),
)
