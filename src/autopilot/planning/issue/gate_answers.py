"""The user's answer at a gate of an issue: parsed from arguments or text, and checked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from autopilot.events.people import HumanAsked
from autopilot.model.errors import UsageError
from autopilot.model.human import SECTIONS, GateKind
from autopilot.model.issue.issue import CauseClass, FlakyKind, Route
from autopilot.planning.issue.cause_kind import read_kind
from autopilot.planning.issue.rejection import is_ok

ROUTE, CAUSE = "route", "cause"  # ids of the one question of such a gate
OK = "ok"
_NAME = re.compile(r"[\w.-]+")
_QUESTION = re.compile(rf"q\d+|{CAUSE}|{ROUTE}|{'|'.join(SECTIONS)}", re.IGNORECASE)
_ASSENT = re.compile(r"(?:y|yes|yep|okay|sure|fine|good|agreed?|approved?|lgtm)[.!]?", re.IGNORECASE)


class Given(Struct, frozen=True):
    answers: Mapping[str, str] = {}
    approved: bool | None = None
    comment: str = ""


def read_answer(asked: HumanAsked, arguments: Sequence[str]) -> Given:
    """Arguments of a command line. ``QUESTION=TEXT`` answers a question; of the rest only a plain ok approves."""
    known = [question.id for question in asked.questions]
    pairs = [word.partition("=") for word in arguments]
    answers = {id.strip(): text.strip() for id, is_pair, text in pairs if is_pair and id.strip() in known}
    if bare := [word for word in arguments if word in known and asked.kind is GateKind.REQUIREMENTS]:
        hint = f'autopilot answer {asked.gate} {bare[0]}="…"'
        raise UsageError(f"{asked.gate}: {bare[0]} is a question and needs its answer", hint)
    _refuse_unknown(asked, known, [id.strip() for id, is_pair, _ in pairs if is_pair])
    rest = " ".join(
        word for word, (id, is_pair, _) in zip(arguments, pairs, strict=True) if not is_pair or id not in known
    )
    if asked.kind is not GateKind.ROUTE and _ASSENT.fullmatch(rest.strip()):
        # As a comment it would reject everything, and there is no second answer.
        message = f'{asked.gate}: "{rest}" is neither `ok` nor a description of what has to change'
        raise UsageError(message, f"autopilot approve {asked.gate}")
    return decide(asked, answers, rest)


def _refuse_unknown(asked: HumanAsked, known: Sequence[str], named: Sequence[str]) -> None:
    """A mistyped question would be a comment, which rejects everything."""
    is_name = _NAME if known else _QUESTION
    unknown = [id for id in named if id not in known and is_name.fullmatch(id)]
    if not unknown or asked.kind is GateKind.ROUTE:
        return
    reject = f'autopilot reject {asked.gate} "what has to change"'
    if unknown[0] in SECTIONS and asked.kind is GateKind.DESIGN:
        reject = f'autopilot reject {asked.gate} --{unknown[0]} "what has to change"'
    hint = f"its questions: {', '.join(known)}; to send it back: {reject}" if known else f"to send it back: {reject}"
    raise UsageError(f"{asked.gate} has no question {', '.join(unknown)}", hint)


def decide(asked: HumanAsked, answers: Mapping[str, str], text: str) -> Given:
    """The decision from all that was given: answers to questions, and further text."""
    text = text.strip()
    if asked.kind is GateKind.ROUTE:
        return Given({ROUTE: answers.get(ROUTE) or text.lower()})
    if not text and answers and asked.kind is GateKind.CAUSE:
        return Given(answers, approved=True)
    if not text and answers:
        return Given(answers)
    if is_ok(text) and answers and asked.kind is GateKind.REQUIREMENTS:
        hint = "send the answers alone: the draft is revised and shown to you again"
        raise UsageError(f"{asked.gate}: answer the questions or approve the draft, not both at once", hint)
    if is_ok(text):
        return Given(answers, approved=True)
    return Given(answers if asked.kind is GateKind.REQUIREMENTS else {}, approved=False, comment=text)


def check_given(asked: HumanAsked, given: Given, route: Route | None) -> Given:
    """As it may be recorded: the first answer to a gate is its only one, so nothing doubtful is taken."""
    if asked.kind is GateKind.ROUTE:
        return _route(asked, given)
    if given.approved is None and asked.kind is not GateKind.REQUIREMENTS:
        raise _undecided(asked)
    if given.approved is None:
        return _questions(asked, given)
    if not given.approved and not given.comment.strip():
        hint = f'autopilot reject {asked.gate} "what has to change"'
        raise UsageError(f"{asked.gate}: a rejection needs a reason: it becomes the finding to fix", hint)
    if not given.approved and is_ok(given.comment):
        raise UsageError(
            f'{asked.gate}: "ok" is an approval, not a reason to reject', f"autopilot approve {asked.gate}"
        )
    if given.approved and CAUSE in given.answers:
        return Given({CAUSE: _cause(asked, given.answers[CAUSE], route)}, approved=True, comment=given.comment)
    return given


def _undecided(asked: HumanAsked) -> UsageError:
    hint = f'`autopilot approve {asked.gate}`, or `autopilot reject {asked.gate} "what has to change"`'
    return UsageError(f"{asked.gate} needs an approval or a rejection", hint)


def _route(asked: HumanAsked, given: Given) -> Given:
    choice = given.answers.get(ROUTE, "").strip().lower().removesuffix(".")
    choice = OK if _ASSENT.fullmatch(choice) else choice
    ways = (OK, *Route)
    if given.approved is not None or choice not in ways:
        problem = f'"{choice}" is not a route' if choice else "choose a route"
        hint = f"autopilot answer {asked.gate} {OK}, for the proposed route; or: {', '.join(Route)}"
        raise UsageError(f"{asked.gate}: {problem}", hint)
    return Given({ROUTE: choice})


def _questions(asked: HumanAsked, given: Given) -> Given:
    """Answers without an approval: the draft is revised with them and shown again."""
    if not any(text.strip() for text in given.answers.values()):
        raise _undecided(asked)
    if missing := [question.id for question in asked.questions if question.id not in given.answers]:
        message = f"{asked.gate} has no answer to {', '.join(missing)}, and only the first answer to a gate counts"
        raise UsageError(message, f"to leave them out on purpose, add: {' '.join(f'{id}=' for id in missing)}")
    return given


def _cause(asked: HumanAsked, answer: str, route: Route | None) -> str:
    """By its one spelling; "" agrees with what was proposed."""
    kinds = tuple(CauseClass) if route is Route.BUGFIX else tuple(FlakyKind)
    found = read_kind(answer)
    if answer.strip() and found not in kinds:
        hint = f"autopilot answer {asked.gate} cause={kinds[0]}"
        raise UsageError(f'"{answer}" is not a known kind of cause; use one of {", ".join(kinds)}', hint)
    return found if answer.strip() else ""
